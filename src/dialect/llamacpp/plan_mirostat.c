/*
 * plan_mirostat.c - temperature and mirostat 2 on the whole row
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/plan.h"

#include "numeric/numeric.h"
#include "numeric/ordered_sum.h"
#include "scratch.h"

/* The row divided by the temperature, as a row of its own: the stages may yet
 * need the one given, which a constraint or a budget may have made. */
static sortes_status plan_temper(struct srt_plan *plan, sortes_row *row)
{
    struct srt_scratch *s = plan->scratch;
    float *to = plan->view.row->data == s->masked ? s->forced : s->masked;
    struct srt_segment segment = { 0 };
    size_t at = 0;

    while (srt_view_next(&plan->view, &segment)) {
        segment.kernels->widen(segment.x, segment.n, to + at);
        at += segment.n;
    }
    plan->view.kernels->divide(to, at, plan->divisor);
    *row = (sortes_row){ to, at, SORTES_F32 };
    return srt_view_open_raw(&plan->view, plan->view.kernels, row, s);
}

/*
 * std::discrete_distribution over weights[0 .. n-1] (discrete.c says in which
 * order): the likeliest come first, so few quotients are ever needed.
 */
static size_t plan_discrete(struct srt_plan *plan, size_t n)
{
    const size_t g = plan->chain->shape.draw_generator;
    const float *weights = plan->scratch->weights;
    double sum = 0.0, run = 0.0, before, u;
    size_t i;

    plan->step->n_candidates = srt_plan_f32(plan)->count(weights, n, 0x1p-149f);
    plan->step->margin = 1.0;
    if (n < 2)
        return 0;
    for (i = 0; i < n; i++)
        sum += (double)weights[i];
    u = srt_mt19937_double(&plan->chain->rng[g], &plan->step->position[g]);
    for (i = 0;; i++) {
        before = run;
        run += (double)weights[i] / sum;
        if (i + 1 == n)
            run = 1.0;
        if (!(run < u))
            break;
    }
    plan->step->margin = srt_llamacpp_margin(before, run, u, 1.0);
    return i;
}

/*
 * How many of the first n sorted values are not more surprising than mu.  The
 * surprise rises along the list but for logf's last bits, so a bisection with
 * some room to spare says where to begin looking.
 */
static size_t plan_not_surprising(const struct srt_plan *plan, size_t n)
{
    const float *weights = plan->scratch->weights;
    const float mu = plan->step->mu, well_below = mu - 0x1p-8f;
    size_t low = 0, high = n;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (-srt_log2f(weights[mid]) > well_below)
            high = mid;
        else
            low = mid + 1;
    }
    while (low < n && !(-srt_log2f(weights[low]) > mu))
        low++;
    return low;
}

/*
 * temperature, sort, cut by surprise, draw.  The softmax sum runs in sorted
 * order from 1 up, so what is negligible beside 1 adds nothing; it is sorted
 * only where mu would keep it.
 */
sortes_status srt_plan_mirostat(struct srt_plan *plan, int32_t *token)
{
    const sortes_row *given = plan->view.row;
    float floor, sum = 0.0f;
    sortes_row row;
    size_t n, rank;
    sortes_status status = plan_temper(plan, &row);

    if (status != SORTES_OK)
        return status;
    if (plan->view.max >= SRT_BUCKET_SAFE)
        return srt_llamacpp_run_sample(plan->chain, given, plan->step, token);
    floor = plan->view.max + srt_ordered_negligible32(1.0f);
    srt_plan_sort(plan, floor > -FLT_MAX ? floor : -FLT_MAX, row.n);
    sum = srt_plan_softmax(plan, plan->n_sorted, 0.0f);
    n = plan_not_surprising(plan, plan->n_sorted);
    if (n == plan->n_sorted && n < row.n) {
        srt_plan_sort(plan, -FLT_MAX, row.n);
        (void)srt_plan_softmax(plan, plan->n_sorted, sum);
        n = plan_not_surprising(plan, plan->n_sorted);
    }
    n = n > 0 ? n : 1;
    (void)srt_plan_softmax(plan, n, 0.0f);
    rank = plan_discrete(plan, n);
    srt_llamacpp_move_mu(plan->chain->params, plan->scratch->weights[rank],
                         plan->step);
    *token = srt_plan_only_one(plan, rank);
    if (*token < 0)
        *token = srt_plan_bucket_tie(plan, row.n, rank);
    return SORTES_OK;
}

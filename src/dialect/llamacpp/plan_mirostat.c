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

/* The rank drawn by std::discrete_distribution over weights[0 .. n-1]. */
static size_t plan_discrete(struct srt_plan *plan, size_t n)
{
    const size_t g = plan->chain->shape.draw_generator;
    struct srt_candidates c = { plan->scratch->candidates, n, -1, true, NULL };

    for (size_t i = 0; i < n; i++)
        c.data[i].p = plan->scratch->weights[i];
    srt_llamacpp_discrete(plan->chain, g, &c, plan->step);
    return (size_t)c.selected;
}

/*
 * temperature, sort, cut by surprise, draw.  The softmax sum runs in sorted
 * order from 1 up, so what is negligible beside 1 adds nothing and is not
 * sorted; if mu would keep even that, the stages take over.
 */
sortes_status srt_plan_mirostat(struct srt_plan *plan, int32_t *token)
{
    const struct sortes_params *p = plan->chain->params;
    const sortes_row *given = plan->view.row;
    const float *weights = plan->scratch->weights;
    sortes_row row;
    size_t n = 0, rank;
    sortes_status status = plan_temper(plan, &row);

    if (status != SORTES_OK)
        return status;
    if (plan->view.max >= SRT_BUCKET_SAFE)
        return srt_plan_by_stages(plan, given, token);
    srt_plan_sort(plan,
                  plan->view.max + srt_ordered_negligible32(1.0f) > -FLT_MAX
                      ? plan->view.max + srt_ordered_negligible32(1.0f)
                      : -FLT_MAX,
                  0);
    srt_plan_softmax(plan, plan->n_sorted, 0.0f);
    while (n < plan->n_sorted && !(-srt_log2f(weights[n]) > plan->step->mu))
        n++;
    if (n == plan->n_sorted && n < row.n)
        return srt_plan_by_stages(plan, given, token);
    n = n > 0 ? n : 1;
    srt_plan_softmax(plan, n, 0.0f);
    rank = plan_discrete(plan, n);
    srt_llamacpp_move_mu(p, weights[rank], plan->step);
    *token = srt_plan_only_one(plan, rank);
    if (*token < 0)
        *token = srt_plan_bucket_tie(plan, row.n, rank);
    return SORTES_OK;
}

/*
 * plan_sorted.c - top-k, and top-p on the whole row, over bare sorted values
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/plan.h"

#include "numeric/numeric.h"
#include "scratch.h"

#include <math.h>
#include <string.h>

/*
 * A logit that at least k of the row reach, not much more if it can be helped:
 * the k-th largest block maximum or a little lower; the lowest float where
 * there are not so many.
 */
float srt_plan_floor(const struct srt_plan *plan, size_t k)
{
    const struct srt_view *v = &plan->view;

    return srt_kernels_floor(v->kernels, v->block_max, v->n_blocks, v->max, k);
}

/*
 * Gathers what is on or above floor, sorts it by value, and fills up to n
 * values with -inf: floor is above -inf, and where it is the lowest float or
 * the view has a line, -inf is all that is left of the row.
 */
void srt_plan_sort(struct srt_plan *plan, float floor, size_t n)
{
    struct srt_scratch *s = plan->scratch;
    const float line = plan->view.line;
    const size_t m = srt_view_gather(&plan->view, line > floor ? line : floor,
                                     s->ids, s->raw);

    if (m <= SRT_SORT_FEW) {
        plan->view.kernels->sort_few(s->raw, s->values, m);
    } else {
        memcpy(s->values, s->raw, m * sizeof(*s->values));
        srt_sort_values(s->values, s->keys, m);
    }
    plan->n_gathered = plan->n_sorted = m;
    if (floor == -FLT_MAX || line > -INFINITY)
        for (; plan->n_sorted < n; plan->n_sorted++)
            s->values[plan->n_sorted] = -INFINITY;
}

/* weights[i] = p of the i-th sorted value, i < n; sum 0: their own sum. */
float srt_plan_softmax(struct srt_plan *plan, size_t n, float sum)
{
    const struct srt_kernels *k = plan->view.kernels;
    float *weights = plan->scratch->weights;

    k->exp(plan->scratch->values, weights, n, plan->scratch->values[0]);
    if (sum == 0.0f)
        (void)k->reach(weights, n, &sum, INFINITY);
    k->divide(weights, n, sum);
    return sum;
}

/* top_p over the first n sorted values: how many it keeps; n + 1 if n values
 * do not decide it. */
static size_t plan_top_p(struct srt_plan *plan, size_t n, float sum)
{
    const struct srt_shape *p = &plan->chain->shape;
    const size_t min_keep = p->min_keep;
    float run = 0.0f;
    size_t kept;

    (void)srt_plan_softmax(plan, n, sum);
    kept = 1 +
           plan->view.kernels->reach(plan->scratch->weights, n, &run, p->top_p);
    return kept < min_keep ? min_keep : kept;
}

/* min_p over the first n sorted values: how many it keeps. */
static size_t plan_min_p(const struct srt_plan *plan, size_t n)
{
    const struct srt_shape *p = &plan->chain->shape;
    const float *x = plan->scratch->values;
    const float line = srt_llamacpp_min_p_line(plan->chain->params, x[0]);
    size_t low = 1, high = n;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (x[mid] < line)
            high = mid;
        else
            low = mid + 1;
    }
    if (low < p->min_keep)
        low = p->min_keep;
    return low < n ? low : n;
}

/* xtc's coin; true if the most likely tokens are to be dropped. */
bool srt_plan_xtc_falls(struct srt_plan *plan)
{
    const struct srt_shape *p = &plan->chain->shape;
    const size_t g = p->xtc_generator;

    return srt_mt19937_float(&plan->chain->rng[g], &plan->step->position[g]) <=
           p->xtc_probability;
}

/* How many of the first n sorted values xtc drops. */
static size_t plan_xtc(struct srt_plan *plan, size_t n)
{
    const float threshold = plan->chain->params->xtc_threshold;
    const float *weights = plan->scratch->weights;
    size_t above = 0;

    (void)srt_plan_softmax(plan, n, 0.0f);
    while (above < n && weights[above] >= threshold)
        above++;
    if (above < 2 || n - (above - 1) < plan->chain->shape.min_keep)
        return 0;
    return above - 1;
}

/* min_p, xtc (tossed: its coin has fallen already), temperature and the draw
 * over the first n sorted values; returns the rank drawn. */
size_t srt_plan_finish(struct srt_plan *plan, size_t n, bool tossed)
{
    const struct srt_shape *p = &plan->chain->shape;
    struct srt_plan_draw_of d = { 0 };
    size_t start = 0;

    if (p->min_p > 0.0f)
        n = plan_min_p(plan, n);
    if (tossed ||
        (p->xtc_probability > 0.0f && n >= 2 && srt_plan_xtc_falls(plan)))
        start = plan_xtc(plan, n);
    d.list = plan->scratch->values + start;
    d.n = n - start;
    d.top = d.list[0];
    d.max = d.top / plan->divisor;
    if (srt_plan_is_cold(plan) || p->greedy) {
        (void)srt_plan_take_best(plan, true);
        return start;
    }
    return start + srt_plan_draw(plan, &d);
}

/* The one token gathered that has the rank's value; -1: there are several. */
int32_t srt_plan_only_one(const struct srt_plan *plan, size_t rank)
{
    const struct srt_scratch *s = plan->scratch;
    const float x = s->values[rank];
    int32_t id = -1;
    size_t n = 0;

    for (size_t i = 0; i < plan->n_gathered; i++) {
        if (s->raw[i] == x) {
            id = s->ids[i];
            n++;
        }
    }
    return n == 1 ? id : -1;
}

int32_t srt_plan_short(struct srt_plan *plan, size_t k)
{
    size_t kept = k, rank;
    int32_t token;

    srt_plan_sort(plan, srt_plan_floor(plan, k), k);
    if (plan->chain->shape.top_p < 1.0f)
        kept = plan_top_p(plan, k, 0.0f);
    rank = srt_plan_finish(plan, kept < k ? kept : k, false);
    token = srt_plan_only_one(plan, rank);
    return token >= 0 ? token : srt_plan_heap_tie(plan, k, rank);
}

/* A floor that probably k of the row reach, from a sample of it. */
static float plan_floor_by_sample(struct srt_plan *plan, size_t k)
{
    const sortes_row *row = plan->view.row;
    struct srt_scratch *s = plan->scratch;
    const size_t stride = row->n / 4096 + 1, n = row->n / stride;
    const size_t rank = k / stride + k / stride / 8 + 32;

    if (rank >= n)
        return -FLT_MAX;
    for (size_t i = 0; i < n; i++)
        s->values[i] = srt_row_at(row, i * stride);
    srt_sort_values(s->values, s->keys, n);
    return s->values[rank] > -FLT_MAX ? s->values[rank] : -FLT_MAX;
}

int32_t srt_plan_long(struct srt_plan *plan, size_t k)
{
    size_t kept = k, rank;
    int32_t token;

    srt_plan_sort(plan,
                  k <= plan->view.n_blocks / 2 ? srt_plan_floor(plan, k)
                                               : plan_floor_by_sample(plan, k),
                  k);
    if (plan->n_sorted < k)
        srt_plan_sort(plan, -FLT_MAX, k);
    if (plan->chain->shape.top_p < 1.0f)
        kept = plan_top_p(plan, k, 0.0f);
    rank = srt_plan_finish(plan, kept < k ? kept : k, false);
    token = srt_plan_only_one(plan, rank);
    return token >= 0 ? token : srt_plan_bucket_tie(plan, k, rank);
}

/*
 * A floor above which top_p's share surely lies: what is below x weighs at
 * most n * exp(x - max) of the sum.  Roundings can break the bound by a hair,
 * so the caller checks.
 */
static float plan_floor_by_mass(const struct srt_plan *plan, float sum)
{
    const float rest =
        (1.0f - plan->chain->shape.top_p) * sum / (float)plan->view.row->n;
    const float floor = plan->view.max + srt_logf(rest) - 0.01f;

    return rest > 0.0f && floor > -FLT_MAX ? floor : -FLT_MAX;
}

/* top-p where the first 256 do not decide: sorts as much as it takes, and
 * returns how many it keeps of the whole row. */
static size_t plan_top_p_of_all(struct srt_plan *plan, float sum)
{
    const struct srt_shape *p = &plan->chain->shape;
    const size_t n = plan->view.row->n;
    float floor = plan_floor_by_mass(plan, sum);
    size_t kept;

    /* What is below min_p's line falls to it anyway, unless min_keep holds
     * it. */
    if (p->min_p > 0.0f && p->min_keep <= 1) {
        const float line =
            srt_llamacpp_min_p_line(plan->chain->params, plan->view.max);

        srt_plan_sort(plan, line > floor ? line : floor, n);
        kept = plan_top_p(plan, plan->n_sorted, sum);
        if (kept <= plan->n_sorted)
            return kept;
        if (line > floor)
            return plan->n_sorted;
        floor = line > -FLT_MAX ? line : -FLT_MAX;
        srt_plan_sort(plan, floor, n);
        kept = plan_top_p(plan, plan->n_sorted, sum);
        return kept < plan->n_sorted ? kept : plan->n_sorted;
    }
    srt_plan_sort(plan, floor, n);
    kept = plan_top_p(plan, plan->n_sorted, sum);
    if (kept > plan->n_sorted && plan->n_sorted < n) {
        srt_plan_sort(plan, -FLT_MAX, n);
        kept = plan_top_p(plan, n, sum);
    }
    return kept < n ? kept : n;
}

int32_t srt_plan_nucleus(struct srt_plan *plan)
{
    const float sum = srt_view_softmax_sum(&plan->view, plan->view.max);
    size_t k = SRT_NUCLEUS_FIRST, kept, rank;
    int32_t token;

    srt_plan_sort(plan, srt_plan_floor(plan, k), k);
    kept = plan_top_p(plan, k, sum);
    if (kept > k) { /* the engine sorts all */
        k = plan->view.row->n;
        kept = plan_top_p_of_all(plan, sum);
    }
    rank = srt_plan_finish(plan, kept, false);
    token = srt_plan_only_one(plan, rank);
    return token >= 0 ? token : srt_plan_bucket_tie(plan, k, rank);
}

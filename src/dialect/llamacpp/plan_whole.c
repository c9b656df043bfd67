/*
 * plan_whole.c - no sort: min-p and top_n_sigma at most, in id order
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/plan.h"

#include "scratch.h"

#include <math.h>

/* The least logit that the temperature makes as large as the largest: greedy
 * takes the first of those. */
static float plan_least_best(const struct srt_plan *plan)
{
    const float max = plan->view.max;
    int32_t low = srt_float_key(-FLT_MAX), high = srt_float_key(max);

    if (plan->divisor == 1.0f)
        return max;
    while (low < high) {
        const int32_t mid = (int32_t)(low + ((int64_t)high - low) / 2);
        if (srt_float_unkey(mid) / plan->divisor == max / plan->divisor)
            high = mid;
        else
            low = mid + 1;
    }
    return srt_float_unkey(low);
}

/* At most min_p, then the draw, in id order.  line: min_p's, or -inf. */
static int32_t plan_whole(struct srt_plan *plan, float line)
{
    const struct srt_view *v = &plan->view;
    struct srt_scratch *s = plan->scratch;
    struct srt_plan_draw_of d = { .n = v->row->n,
                                  .top = v->max,
                                  .max = v->max / plan->divisor };
    /* min_p takes tokens out of the array, top_n_sigma leaves them in it. */
    const bool has_all = plan->chain->shape.min_p <= 0.0f;
    size_t i;

    if (srt_plan_is_cold(plan) || plan->chain->shape.greedy) {
        const int32_t best = srt_view_first(v, plan_least_best(plan));
        const int32_t first = has_all ? 0 : srt_view_first(v, line);

        return srt_plan_take_best(plan, best == first) ? first : best;
    }
    if (line == -INFINITY)
        return (int32_t)srt_plan_draw(plan, &d);
    d.n = plan->n_gathered;
    d.list = s->raw;
    i = srt_plan_draw(plan, &d);
    if (has_all && d.target == 0.0 && s->ids[0] != 0) {
        plan->step->margin = 0.0; /* a random number of exactly 0 */
        return 0;
    }
    return s->ids[i];
}

/* xtc on the unsorted whole: the engine sorts all of it. */
static int32_t plan_xtc_whole(struct srt_plan *plan)
{
    const size_t n = plan->view.row->n;
    size_t rank;
    int32_t token;

    srt_plan_sort(plan, -FLT_MAX, n);
    rank = srt_plan_finish(plan, n, true);
    token = srt_plan_only_one(plan, rank);
    return token >= 0 ? token : srt_plan_bucket_tie(plan, n, rank);
}

/* Neither top-k nor top-p: min_p at most, and xtc. */
sortes_status srt_plan_filter(struct srt_plan *plan, int32_t *token)
{
    const struct srt_shape *p = &plan->chain->shape;
    const struct srt_scratch *s = plan->scratch;
    float line = plan->view.line;

    if (p->min_p <= 0.0f && line == -INFINITY) {
        if (p->xtc_probability > 0.0f && srt_plan_xtc_falls(plan))
            *token = plan_xtc_whole(plan);
        else
            *token = plan_whole(plan, -INFINITY);
        return SORTES_OK;
    }
    if (p->min_p > 0.0f) {
        const float min_p =
            srt_llamacpp_min_p_line(plan->chain->params, plan->view.max);
        line = min_p > line ? min_p : line;
    }
    plan->n_gathered = line <= plan->view.max
                           ? srt_view_gather(&plan->view, line, s->ids, s->raw)
                           : 0;
    /* xtc may sort what min_p left: few candidates, and in the stages. */
    if (plan->n_gathered == 0 || plan->n_gathered < p->min_keep ||
        p->xtc_probability > 0.0f)
        return srt_llamacpp_run_sample(plan->chain, plan->view.row, plan->step,
                                       token);
    *token = plan_whole(plan, line);
    return SORTES_OK;
}

/* The view's line: the mean's sum one by one (its terms have both signs), the
 * squares' in blocks. */
void srt_plan_set_line(struct srt_plan *plan)
{
    struct srt_view *v = &plan->view;
    struct srt_segment segment = { 0 };
    float sum = 0.0f, squares = 0.0f, mean, buffer[SRT_BLOCK];
    size_t n = 0;

    for (size_t b = 0; b < v->n_blocks; b++) {
        const size_t n_block = srt_view_block(v, b, buffer);

        for (size_t i = 0; i < n_block; i++) {
            if (buffer[i] == -INFINITY)
                continue;
            sum += buffer[i];
            n++;
        }
    }
    mean = sum / (float)n;
    while (srt_view_next(v, &segment))
        segment.kernels->square_sum(segment.x, segment.n, mean, &squares);
    v->line = srt_llamacpp_sigma_line(plan->chain->params, v->max,
                                      sqrtf(squares / (float)n));
}

/*
 * plan_draw.c - drawing from a list of values, or from the whole row
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/plan.h"

#include "numeric/expf.h"
#include "scratch.h"

#include <math.h>

const struct srt_row_kernels *srt_plan_f32(const struct srt_plan *plan)
{
    return &plan->view.kernels->row[SORTES_F32];
}

bool srt_plan_is_cold(const struct srt_plan *plan)
{
    return plan->chain->shape.temperature <= 0.0f;
}

static double plan_random(struct srt_plan *plan)
{
    const size_t g = plan->chain->shape.draw_generator;

    return srt_mt19937_double(&plan->chain->rng[g], &plan->step->position[g]);
}

/* The sum of all weights, with the sums before each block in scratch. */
static void plan_weigh(struct srt_plan *plan, struct srt_plan_draw_of *d,
                       float *lowest)
{
    struct srt_draw_sum s = { 0.0, plan->scratch->prefix, plan->divisor, d->max,
                              INFINITY };
    struct srt_segment segment = { 0 };

    if (d->list) {
        srt_plan_f32(plan)->draw_sum(&s, d->list, d->n);
    } else {
        while (srt_view_next(&plan->view, &segment))
            segment.kernels->draw_sum(&s, segment.x, segment.n);
    }
    d->sum = s.sum;
    *lowest = s.lowest;
}

static bool plan_has_weight(const struct srt_plan *plan,
                            const struct srt_plan_draw_of *d, float logit)
{
    return logit / plan->divisor - d->max >= SRT_EXPF_MIN;
}

/* How many weights are above 0: those of all logits from some least one on. */
static size_t plan_count(const struct srt_plan *plan,
                         const struct srt_plan_draw_of *d, float lowest)
{
    int32_t low = srt_float_key(-FLT_MAX), high = srt_float_key(d->top);

    if (plan_has_weight(plan, d, lowest))
        return d->n;
    while (low < high) {
        const int32_t mid = (int32_t)(low + ((int64_t)high - low) / 2);
        if (plan_has_weight(plan, d, srt_float_unkey(mid)))
            high = mid;
        else
            low = mid + 1;
    }
    return d->list
               ? srt_plan_f32(plan)->count(d->list, d->n, srt_float_unkey(low))
               : srt_view_count(&plan->view, srt_float_unkey(low));
}

/* The block in which the running sum reaches target: the last that begins
 * below it, the first where target is 0. */
static size_t plan_find_block(const double *prefix, size_t n_blocks,
                              double target)
{
    size_t low = 0, high = n_blocks - 1;

    while (low < high) {
        const size_t mid = low + (high - low + 1) / 2;
        if (prefix[mid] < target)
            low = mid;
        else
            high = mid - 1;
    }
    return low;
}

/* The index that dist selects; sets what the step reports. */
size_t srt_plan_draw(struct srt_plan *plan, struct srt_plan_draw_of *d)
{
    float buffer[SRT_BLOCK], lowest;
    const float *x = buffer;
    double run, before;
    size_t i;

    plan_weigh(plan, d, &lowest);
    plan->step->n_candidates = plan_count(plan, d, lowest);
    d->target = d->sum * plan_random(plan);
    i = plan_find_block(plan->scratch->prefix,
                        (d->n + SRT_BLOCK - 1) / SRT_BLOCK, d->target);
    run = plan->scratch->prefix[i];
    if (d->list)
        x = d->list + i * SRT_BLOCK;
    else
        (void)srt_view_block(&plan->view, i, buffer);
    for (i *= SRT_BLOCK;; i++, x++) {
        before = run;
        run += (double)srt_expf_inline(*x / plan->divisor - d->max);
        if (run >= d->target || i + 1 == d->n)
            break;
    }
    plan->step->margin = srt_llamacpp_margin(before, run, d->target, d->sum);
    return i;
}

/* temperature 0 and greedy: all the weight is on one candidate.  dist still
 * takes its random number; a number of exactly 0 selects the first of the
 * array, whatever its weight.  True if it did, away from the best one. */
bool srt_plan_take_best(struct srt_plan *plan, bool best_is_first)
{
    plan->step->n_candidates = 1;
    plan->step->margin = 1.0;
    if (plan->chain->shape.greedy || plan_random(plan) > 0.0 || best_is_first)
        return false;
    plan->step->margin = 0.0;
    return true;
}

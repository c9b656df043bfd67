/*
 * plan_draw.c - the draw from a few tokens, or from the whole row
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/mlxlm/plan.h"

#include <math.h>

/* What is drawn from: a row of values, and what becomes of them. */
struct mlxpick {
    const struct srt_mlxlm_plan *plan;
    sortes_row row;
    struct srt_mlx_sum sum;
    const float *prefix; /* the sum before each block */
};

static float mlxpick_weight(const struct mlxpick *d, float x)
{
    return srt_mlx_exp_inline(srt_mlx_term_of(&d->sum.term, x));
}

/* How many weights are above 0: those of all values from some least one on. */
static size_t mlxpick_count(const struct mlxpick *d, float max)
{
    int32_t low = srt_float_key(-FLT_MAX), high = srt_float_key(max);

    if (mlxpick_weight(d, d->sum.lowest) > 0.0f)
        return d->row.n;
    while (low < high) {
        const int32_t mid = (int32_t)(low + ((int64_t)high - low) / 2);

        if (mlxpick_weight(d, srt_float_unkey(mid)) > 0.0f)
            high = mid;
        else
            low = mid + 1;
    }
    return d->plan->kernels->row[d->row.type].count(d->row.data, d->row.n,
                                                    srt_float_unkey(low));
}

/* The last block that begins at or below target. */
static size_t mlxpick_block(const struct mlxpick *d, float target)
{
    size_t low = 0, high = (d->row.n + SRT_BLOCK - 1) / SRT_BLOCK - 1;

    while (low < high) {
        const size_t mid = low + (high - low + 1) / 2;

        if (d->prefix[mid] <= target)
            low = mid;
        else
            high = mid - 1;
    }
    return low;
}

static size_t mlxpick_find(const struct mlxpick *d)
{
    struct srt_mlxlm_step *step = d->plan->step;
    const float target = srt_mlxlm_uniform(&step->state) * d->sum.sum;
    const size_t block = mlxpick_block(d, target);
    float run = d->prefix[block];
    size_t i = block * SRT_BLOCK;

    for (;; i++) {
        const float after = run + mlxpick_weight(d, srt_row_at(&d->row, i));

        if (after > target || i + 1 == d->row.n) {
            step->margin = srt_mlxlm_margin(run, after, target, d->sum.sum);
            return i;
        }
        run = after;
    }
}

sortes_status srt_mlxlm_plan_draw(struct srt_mlxlm_plan *p, bool whole,
                                  int32_t *token)
{
    struct srt_scratch *s = p->scratch;
    float *prefix = (void *)s->candidates; /* room for far more */
    struct mlxpick d = { .plan = p, .prefix = prefix };
    struct srt_mlx_term *term = &d.sum.term;
    size_t i;

    term->minus = whole ? p->lse : 0.0f;
    term->scale = p->set->scale;
    term->max = srt_mlxlm_keep(p->best * p->set->scale, p->set->narrow);
    term->narrow = p->set->narrow;
    if (term->max == -INFINITY)
        return SORTES_E_NO_TOKEN;
    if (term->max == INFINITY)
        return SORTES_E_NOT_FINITE;
    d.row = whole ? p->row : (sortes_row){ s->raw, p->n_kept, SORTES_F32 };
    d.sum.prefix = prefix;
    d.sum.lowest = INFINITY;
    p->kernels->row[d.row.type].mlx_sum(&d.sum, d.row.data, d.row.n);
    p->step->n_candidates = mlxpick_count(&d, whole ? p->max : p->best);
    i = mlxpick_find(&d);
    *token = whole ? (int32_t)i : s->ids[i];
    return SORTES_OK;
}

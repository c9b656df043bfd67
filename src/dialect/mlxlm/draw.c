/*
 * draw.c - the token of a row of scaled log-probabilities
 *
 * Source: mlx, random.cpp, categorical().  Since MLX 0.32.1 one row is drawn by
 * its distribution function: with w = exp(x - max), the first token at which
 * the running sum exceeds u * sum.  Before, and for several rows in one call,
 * it is the greatest of x - ln(-ln U), with a U for every token.
 *
 * Float order: exp(x - max), both sums in id order, and the product u * sum,
 * all in float, in bf16 too.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/mlxlm/chain.h"
#include "numeric/mlx_exp.h"
#include "numeric/numeric.h"

#include <math.h>

float srt_mlxlm_uniform(struct srt_threefry *state)
{
    const struct srt_threefry key = srt_threefry_next(state);

    return srt_threefry_uniform(srt_threefry_bits(key, 1, 0));
}

double srt_mlxlm_margin(float before, float after, float target, float sum)
{
    const double below = ((double)target - (double)before) / (double)sum;
    const double above = ((double)after - (double)target) / (double)sum;
    double margin = 1.0;

    if (before > 0.0f)
        margin = below;
    if (after < sum && above < margin)
        margin = above;
    return margin;
}

float srt_mlxlm_gumbel(const struct srt_mlxlm_settings *set,
                       struct srt_threefry key, size_t n, size_t i)
{
    const uint32_t n_row = (uint32_t)n;
    const uint32_t word = srt_threefry_bits(
        key, n_row * set->n_batch, n_row * set->batch_row + (uint32_t)i);

    return -srt_logf(-srt_logf(srt_threefry_uniform(word)));
}

/* The margin of a greatest one is its lead over the second. */
static sortes_status mlxdraw_gumbel(struct srt_mlxlm_work *w, int32_t *token)
{
    const struct srt_threefry key = srt_threefry_next(&w->step->state);
    float best = -INFINITY, second = -INFINITY;
    size_t at = 0;

    if ((uint64_t)w->n * w->set->n_batch > UINT32_MAX)
        return SORTES_E_LIMIT;
    w->step->n_candidates = 0;
    for (size_t i = 0; i < w->n; i++) {
        const float x = w->x[i] == -INFINITY
                            ? -INFINITY
                            : srt_mlxlm_gumbel(w->set, key, w->n, i) + w->x[i];

        w->step->n_candidates += w->x[i] > -INFINITY;
        if (x > best) {
            second = best;
            best = x;
            at = i;
        } else if (x > second) {
            second = x;
        }
    }
    if (best == -INFINITY)
        return SORTES_E_NO_TOKEN;
    w->step->margin = second > -INFINITY ? (double)best - (double)second : 1.0;
    *token = (int32_t)at;
    return SORTES_OK;
}

static sortes_status mlxdraw_inverse(struct srt_mlxlm_work *w, float max,
                                     int32_t *token)
{
    float *weight = w->scratch->weights;
    float sum = 0.0f, run = 0.0f, target;
    size_t i = 0;

    w->step->n_candidates = 0;
    for (size_t j = 0; j < w->n; j++) {
        weight[j] = srt_mlx_exp(w->x[j] - max);
        sum += weight[j];
        w->step->n_candidates += weight[j] > 0.0f;
    }
    target = srt_mlxlm_uniform(&w->step->state) * sum;
    while (i + 1 < w->n && !(run + weight[i] > target))
        run += weight[i++];
    w->step->margin = srt_mlxlm_margin(run, run + weight[i], target, sum);
    *token = (int32_t)i;
    return SORTES_OK;
}

sortes_status srt_mlxlm_draw(struct srt_mlxlm_work *w, int32_t *token)
{
    float max = -INFINITY;

    for (size_t i = 0; i < w->n; i++)
        max = w->x[i] > max ? w->x[i] : max;
    if (max == -INFINITY)
        return SORTES_E_NO_TOKEN; /* MLX draws from all tokens then */
    if (max == INFINITY)
        return SORTES_E_NOT_FINITE;
    return w->set->gumbel ? mlxdraw_gumbel(w, token)
                          : mlxdraw_inverse(w, max, token);
}

/*
 * mlx.h - sums in MLX's arithmetic: what the kernels are asked, and one term
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_KERNEL_MLX_H
#define SRT_KERNEL_MLX_H

#include "numeric/mlx_exp.h"
#include "row.h"

#include <math.h>
#include <stdbool.h>

/* keep(keep(x - minus) * scale) - max, where keep() rounds to bf16 if narrow.
 */
struct srt_mlx_term {
    float minus, scale, max;
    bool narrow;
};

/*
 * The running float sum of MLX's exp of the terms, none of which is above 0.
 * prefix, if not NULL, receives the sum before each block and moves on.  Begin
 * with lowest = +inf.
 */
struct srt_mlx_sum {
    struct srt_mlx_term term;
    float sum;
    float *prefix;
    float lowest; /* the least x so far */
};

/*
 * What the x below `below` would add to a running float sum that stays in
 * [binade, 2 binade): the sum of MLX's exp of keep(x - minus), none above
 * binade, each rounded to a multiple of the sum's unit.  Exact while mass is
 * below 2 binade; of terms half way between two multiples, which go up or down
 * with the sum before them, n_ties says the number.
 */
struct srt_mlx_tail {
    float minus;
    bool narrow;
    float below;
    float binade; /* a power of 2, at least 2^-60 */
    double mass;
    size_t n_ties;
};

SRT_INLINE float srt_mlx_kept(float x, bool narrow)
{
    return narrow ? srt_bfloat_round(x) : x;
}

SRT_INLINE float srt_mlx_term_of(const struct srt_mlx_term *t, float x)
{
    const float y = srt_mlx_kept(x - t->minus, t->narrow);

    return srt_mlx_kept(y * t->scale, t->narrow) - t->max;
}

SRT_INLINE void srt_mlx_tail_add(struct srt_mlx_tail *t, float x)
{
    float e, q;

    if (!(x < t->below))
        return;
    e = srt_mlx_exp_inline(srt_mlx_kept(x - t->minus, t->narrow));
    q = (e + t->binade) - t->binade;
    t->mass += (double)q;
    t->n_ties += fabsf(e - q) == t->binade * 0x1p-24f;
}

#endif /* SRT_KERNEL_MLX_H */

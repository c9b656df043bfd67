/*
 * mlx_exp.h - MLX's exp() for float, for inlining, and its numbers
 *
 * Source: mlx 0.32, backend/cpu/simd/math.h, exp() at one lane (the Linux
 * wheel): with t = x * 1.442695f, rounded, and k = floor(t + 1/2),
 *   exp(x) = 2^k * 2^(t - k), the second by a polynomial in t - k, and 2^k by
 *   k in the exponent field, so that k = -127 gives 0.
 *
 * Float order: t and t - k are rounded to float; each step of the polynomial is
 * one fused multiply-add; one product at the end.  It is no good exp (1.442695f
 * is off by 1e-8, which |x| multiplies), and that is the point: these are the
 * bits.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_MLX_EXP_H
#define SRT_MLX_EXP_H

#include "numeric/bits.h"

#define SRT_MLX_EXP_LOG2E 1.442695f
/* Beyond these lie 0 and infinity. */
#define SRT_MLX_EXP_MIN (-88.0f)
#define SRT_MLX_EXP_MAX 88.0f

/* Of the highest power first. */
#define SRT_MLX_EXP_C6 1.535336188319500e-4f
#define SRT_MLX_EXP_C5 1.339887440266574e-3f
#define SRT_MLX_EXP_C4 9.618437357674640e-3f
#define SRT_MLX_EXP_C3 5.550332471162809e-2f
#define SRT_MLX_EXP_C2 2.402264791363012e-1f
#define SRT_MLX_EXP_C1 6.931472028550421e-1f
#define SRT_MLX_EXP_C0 1.0f

/* Adding it to a number below 2^22 in size and taking it off again rounds to
 * an integer, to even in the middle. */
#define SRT_MLX_EXP_SHIFT 0x1.8p+23f

/* exp(x) for every x, NaN included. */
float srt_mlx_exp(float x);

/* Where a fused multiply-add is no machine instruction: a double holds the
 * product, and rounds the sum once more than it should only if that leaves it
 * half way between two floats. */
float srt_mlx_exp_half_way(float a, float b, float c);

SRT_INLINE float srt_mlx_exp_fused(float a, float b, float c)
{
    const double sum = (double)a * (double)b + (double)c;

    if (SRT_UNLIKELY((srt_bits64(sum) & 0x1fffffffu) == 0x10000000u))
        return srt_mlx_exp_half_way(a, b, c);
    return (float)sum;
}

/* exp(x) for MIN <= x <= MAX. */
SRT_INLINE float srt_mlx_exp_inside(float x)
{
    const float t = x * SRT_MLX_EXP_LOG2E;
    const float even = (t + SRT_MLX_EXP_SHIFT) - SRT_MLX_EXP_SHIFT;
    /* t - even is exact; half way MLX rounds up. */
    const float k = t - even == 0.5f ? even + 1.0f : even;
    const float r = t - k;
    float p = srt_mlx_exp_fused(SRT_MLX_EXP_C6, r, SRT_MLX_EXP_C5);

    p = srt_mlx_exp_fused(p, r, SRT_MLX_EXP_C4);
    p = srt_mlx_exp_fused(p, r, SRT_MLX_EXP_C3);
    p = srt_mlx_exp_fused(p, r, SRT_MLX_EXP_C2);
    p = srt_mlx_exp_fused(p, r, SRT_MLX_EXP_C1);
    p = srt_mlx_exp_fused(p, r, SRT_MLX_EXP_C0);
    return srt_float32((uint32_t)((int32_t)k + 127) << 23) * p;
}

/* exp(x) for x <= MAX. */
SRT_INLINE float srt_mlx_exp_inline(float x)
{
    return x >= SRT_MLX_EXP_MIN ? srt_mlx_exp_inside(x) : 0.0f;
}

#endif /* SRT_MLX_EXP_H */

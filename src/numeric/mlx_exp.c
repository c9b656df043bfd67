/*
 * mlx_exp.c - MLX's exp() for float
 *
 * SPDX-License-Identifier: MIT
 */
#include "numeric/mlx_exp.h"

#include <math.h>

float srt_mlx_exp_half_way(float a, float b, float c)
{
    return fmaf(a, b, c);
}

float srt_mlx_exp(float x)
{
    if (x != x)
        return x;
    return x > SRT_MLX_EXP_MAX ? INFINITY : srt_mlx_exp_inline(x);
}

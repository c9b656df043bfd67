/*
 * scalar.c - the reference kernels: one value after another, in order
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernel/kernel.h"
#include "numeric/expf.h"
#include "row.h"

#include <math.h>

#define SCALAR_NAME(name) scalar_f32_##name
#define SCALAR_LOAD(x, i) (((const float *)(x))[i])
#include "kernel/row_scalar.h"
#undef SCALAR_NAME
#undef SCALAR_LOAD

#define SCALAR_NAME(name) scalar_f16_##name
#define SCALAR_LOAD(x, i) srt_half_to_float(((const uint16_t *)(x))[i])
#include "kernel/row_scalar.h"
#undef SCALAR_NAME
#undef SCALAR_LOAD

#define SCALAR_NAME(name) scalar_bf16_##name
#define SCALAR_LOAD(x, i) srt_bfloat_to_float(((const uint16_t *)(x))[i])
#include "kernel/row_scalar.h"
#undef SCALAR_NAME
#undef SCALAR_LOAD

static void scalar_exp(const float *x, float *out, size_t n, float max)
{
    for (size_t i = 0; i < n; i++)
        out[i] = srt_expf_inline(x[i] - max);
}

static void scalar_mlx_exp(const float *x, float *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = srt_mlx_exp_inline(x[i]);
}

static void scalar_divide(float *p, size_t n, float by)
{
    for (size_t i = 0; i < n; i++)
        p[i] /= by;
}

static void scalar_multiply(float *p, size_t n, float by)
{
    for (size_t i = 0; i < n; i++)
        p[i] *= by;
}

static void scalar_sort_few(float *x, float *out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t j = i;

        while (j > 0 && x[i] > out[j - 1]) {
            out[j] = out[j - 1];
            j--;
        }
        out[j] = x[i];
    }
}

static size_t scalar_reach(const float *p, size_t n, float *run, float target)
{
    for (size_t i = 0; i < n; i++) {
        *run += p[i];
        if (*run >= target)
            return i;
    }
    return n;
}

#define SCALAR_ROW(type)                                                       \
    {                                                                          \
        scalar_##type##_block_max, scalar_##type##_gather,                     \
            scalar_##type##_count, scalar_##type##_widen,                      \
            scalar_##type##_scale, scalar_##type##_softmax_sum,                \
            scalar_##type##_square_sum, scalar_##type##_draw_sum,              \
            scalar_##type##_mlx_sum, scalar_##type##_mlx_tail                  \
    }

const struct srt_kernels srt_kernels_scalar = {
    .name = "scalar",
    .row = { SCALAR_ROW(f32), SCALAR_ROW(f16), SCALAR_ROW(bf16) },
    .exp = scalar_exp,
    .divide = scalar_divide,
    .mlx_exp = scalar_mlx_exp,
    .multiply = scalar_multiply,
    .sort_few = scalar_sort_few,
    .reach = scalar_reach,
};

/*
 * set_body.h - what every instruction set ends with: its kernels, its table
 *
 * Included once by each set, after its vector operations.  Needs V, V_LANES,
 * V_NAME (the name in text) and V_KERNELS (of the table).
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernel/array_body.h"

#define ROW_TYPE     float
#define ROW(name)    V(f32_##name)
#define ROW_LOAD(p)  V(load)(p)
#define ROW_AT(x, i) ((x)[i])
#include "kernel/row_body.h"
#include "kernel/mlx_body.h"
#undef ROW_TYPE
#undef ROW
#undef ROW_LOAD
#undef ROW_AT

#define ROW_TYPE     uint16_t
#define ROW(name)    V(f16_##name)
#define ROW_LOAD(p)  V(load_f16)(p)
#define ROW_AT(x, i) srt_half_to_float((x)[i])
#include "kernel/row_body.h"
#include "kernel/mlx_body.h"
#undef ROW
#undef ROW_LOAD
#undef ROW_AT

#define ROW(name)    V(bf16_##name)
#define ROW_LOAD(p)  V(load_bf16)(p)
#define ROW_AT(x, i) srt_bfloat_to_float((x)[i])
#include "kernel/row_body.h"
#include "kernel/mlx_body.h"
#undef ROW_TYPE
#undef ROW
#undef ROW_LOAD
#undef ROW_AT

#define V_ROW(type)                                                            \
    {                                                                          \
        V(type##_block_max), V(type##_gather), V(type##_count),                \
            V(type##_widen), V(type##_scale), V(type##_softmax_sum),           \
            V(type##_square_sum), V(type##_draw_sum), V(type##_mlx_sum),       \
            V(type##_mlx_tail)                                                 \
    }

const struct srt_kernels V_KERNELS = {
    .name = V_NAME,
    .row = { V_ROW(f32), V_ROW(f16), V_ROW(bf16) },
    .exp = V(kernel_exp),
    .divide = V(kernel_divide),
    .mlx_exp = V(kernel_mlx_exp),
    .multiply = V(kernel_multiply),
    .sort_few = V(kernel_sort_few),
    .reach = V(kernel_reach),
};

#undef V_ROW

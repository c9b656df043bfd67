/*
 * kernel_check.h - a set of kernels beside the scalar one, bit for bit
 *
 * Every check runs a kernel of set k and the scalar set's over the same inputs
 * and fails the test where the answers differ.  Inputs and outputs lie against
 * pages that nobody may touch, so a kernel that reads or writes further than
 * kernel.h says crashes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_KERNEL_CHECK_H
#define SUPPORT_KERNEL_CHECK_H

#include "kernel/kernel.h"
#include "support/rows.h"

/* Floats in the widest vector: how far "up to a vector" reaches. */
enum { KERNEL_VECTOR = 16, KERNEL_ROW_MAX = 65536 + 7 };

/* The reference (kernels.def declares the sets, dispatch.c alone reads it). */
extern const struct srt_kernels srt_kernels_scalar;

/*
 * n bytes that end at a page that nobody may touch; `which` of a few areas, so
 * that several arrays lie side by side.  Contents stay from call to call.
 */
enum { KERNEL_AREAS = 3 };
void *kernel_area(int which, size_t n);

/* Row types by name, for messages. */
extern const char *const kernel_type_names[3];
size_t kernel_type_size(sortes_dtype type);

/* Writes n floats as a row of a type. */
void kernel_narrow(void *to, const float *x, size_t n, sortes_dtype type);

struct kernel_row {
    const void *x;
    size_t n;
    sortes_dtype type;
    float max;     /* of the row; above -inf */
    uint64_t seed; /* differs from row to row */
};

typedef void kernel_on_row(const struct srt_kernels *k,
                           const struct kernel_row *row);

/*
 * Calls check for every row type, kind of row and size (1 to 200, and some up
 * to KERNEL_ROW_MAX), the row against the upper page, against the lower one,
 * and one value further up.
 */
void kernel_rows(const struct srt_kernels *k, kernel_on_row *check);

/* kernel_check.c: one value after another. */
void kernel_check_block_max(const struct srt_kernels *k);
void kernel_check_not_finite(const struct srt_kernels *k);
void kernel_check_gather(const struct srt_kernels *k);
void kernel_check_count(const struct srt_kernels *k);
void kernel_check_scale(const struct srt_kernels *k);
void kernel_check_widen(const struct srt_kernels *k);
void kernel_check_exp(const struct srt_kernels *k);
void kernel_check_divide(const struct srt_kernels *k);
void kernel_check_sort_few(const struct srt_kernels *k);

/* kernel_sums.c: sums whose order counts. */
void kernel_check_softmax_sum(const struct srt_kernels *k);
void kernel_check_square_sum(const struct srt_kernels *k);
void kernel_check_square_ties(const struct srt_kernels *k);
void kernel_check_draw_sum(const struct srt_kernels *k);
void kernel_check_reach(const struct srt_kernels *k);
void kernel_check_reach_ties(const struct srt_kernels *k);
void kernel_check_softmax_ties(const struct srt_kernels *k);
void kernel_check_draw_ties(const struct srt_kernels *k);
void kernel_check_small_sums(const struct srt_kernels *k);
void kernel_check_saturated_sums(const struct srt_kernels *k);

/* kernel_mlx.c: MLX's arithmetic. */
void kernel_check_mlx_exp(const struct srt_kernels *k);
void kernel_check_mlx_sum(const struct srt_kernels *k);
void kernel_check_mlx_tail(const struct srt_kernels *k);

#endif /* SUPPORT_KERNEL_CHECK_H */

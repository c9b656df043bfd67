/*
 * kernel_mlx.c - a set of kernels beside the scalar one: MLX's arithmetic
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel_check.h"

#include "numeric/bits.h"
#include "numeric/ordered_sum.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

/* ---- exp ----------------------------------------------------------------- */

/* Every 4,099th float up to 88, and the neighbours of every place where the
 * exponent changes. */
void kernel_check_mlx_exp(const struct srt_kernels *k)
{
    enum { N = 512 };
    float x[N], want[N];
    uint64_t bits = 0;

    while (bits < (uint64_t)1 << 32) {
        float *const got = kernel_area(0, N * sizeof(float));
        size_t n = 0;

        for (; n < N - 1 && bits < (uint64_t)1 << 32; bits += 4099)
            if (srt_float32((uint32_t)bits) <= SRT_MLX_EXP_MAX)
                x[n++] = srt_float32((uint32_t)bits);
        x[n] = ((float)(bits % 250) - 125.5f) / SRT_MLX_EXP_LOG2E;
        n++;
        k->mlx_exp(x, got, n);
        srt_kernels_scalar.mlx_exp(x, want, n);
        assert_memory_equal(got, want, n * sizeof(float));
    }
}

/* ---- sums ---------------------------------------------------------------- */

static struct srt_mlx_sum mlx_sum_by(const struct srt_kernels *k,
                                     const struct kernel_row *row,
                                     float *prefix)
{
    static const float scales[] = { 1.0f, 1.25f, 1.4296875f, 0.2f, 10.0f };
    struct rows_random r = { row->seed };
    struct srt_mlx_sum s = { .prefix = prefix, .lowest = INFINITY };

    s.term.narrow = rows_below(&r, 2) == 0;
    s.term.minus =
        rows_below(&r, 2) ? srt_mlx_kept(row->max + 3.7f, s.term.narrow) : 0.0f;
    s.term.scale = scales[rows_below(&r, SRT_COUNT(scales))];
    s.term.max = srt_mlx_term_of(&s.term, row->max);
    for (size_t at = 0, n; at < row->n; at += n) {
        const void *x = (const char *)row->x + at * kernel_type_size(row->type);

        n = (1 + rows_below(&r, 5)) * SRT_BLOCK;
        n = n < row->n - at && rows_below(&r, 4) ? n : row->n - at;
        k->row[row->type].mlx_sum(&s, x, n);
    }
    return s;
}

static void mlx_sum_of_row(const struct srt_kernels *k,
                           const struct kernel_row *row)
{
    static float want_prefix[KERNEL_ROW_MAX / SRT_BLOCK + 1];
    const size_t n_blocks = (row->n + SRT_BLOCK - 1) / SRT_BLOCK;
    float *const prefix = kernel_area(0, n_blocks * sizeof(float));
    const struct srt_mlx_sum got = mlx_sum_by(k, row, prefix);
    const struct srt_mlx_sum want =
        mlx_sum_by(&srt_kernels_scalar, row, want_prefix);
    const struct srt_mlx_sum bare = mlx_sum_by(k, row, NULL);

    if (srt_bits32(got.sum) != srt_bits32(want.sum))
        fail_msg("%s of %zu, seed %llu: sum %a, not %a",
                 kernel_type_names[row->type], row->n,
                 (unsigned long long)row->seed, (double)got.sum,
                 (double)want.sum);
    assert_int_equal(got.prefix - prefix, n_blocks);
    assert_memory_equal(prefix, want_prefix, n_blocks * sizeof(float));
    assert_true(got.lowest == want.lowest);
    assert_true(bare.sum == want.sum && bare.prefix == NULL);
}

void kernel_check_mlx_sum(const struct srt_kernels *k)
{
    kernel_rows(k, mlx_sum_of_row);
}

/* ---- tails --------------------------------------------------------------- */

static void mlx_tail_of_row(const struct srt_kernels *k,
                            const struct kernel_row *row)
{
    struct rows_random r = { row->seed };
    struct srt_mlx_tail got = { .narrow = rows_below(&r, 2) == 0 }, want;

    got.minus = srt_mlx_kept(row->max + 0.7f + 9.0f * (float)rows_uniform(&r),
                             got.narrow);
    got.below = row->max - 4.0f * (float)rows_uniform(&r);
    got.binade = rows_below(&r, 2) ? 0.5f : 1.0f;
    want = got;
    k->row[row->type].mlx_tail(&got, row->x, row->n);
    srt_kernels_scalar.row[row->type].mlx_tail(&want, row->x, row->n);
    assert_int_equal(got.n_ties, want.n_ties);
    if (want.mass < 2.0 * (double)want.binade)
        assert_true(got.mass == want.mass);
    else
        assert_true(got.mass > 1.9 * (double)want.binade);
}

/* Whatever the order, a sum that stays in its binade has these bits. */
static void mlx_tail_is_the_sum(const struct srt_kernels *k)
{
    enum { N = 300, TRIALS = 2000 };
    struct rows_random r = { 91 };
    size_t n_without_ties = 0;

    for (int trial = 0; trial < TRIALS; trial++) {
        struct srt_mlx_tail tail = { .below = INFINITY, .binade = 0.5f };
        const float start = 0.5f + (float)rows_below(&r, 1 << 20) * 0x1p-24f;
        float x[N], sum = start;

        for (int i = 0; i < N; i++) {
            x[i] = -7.0f - (float)rows_uniform(&r) * 12.0f;
            sum += srt_mlx_exp(x[i]);
        }
        k->row[SORTES_F32].mlx_tail(&tail, x, N);
        if (tail.n_ties > 0 || sum >= 1.0f)
            continue;
        n_without_ties++;
        assert_true((double)sum == (double)start + tail.mass);
    }
    assert_true(n_without_ties > TRIALS / 4);
}

void kernel_check_mlx_tail(const struct srt_kernels *k)
{
    kernel_rows(k, mlx_tail_of_row);
    mlx_tail_is_the_sum(k);
}

/*
 * test_mlx.c - the reference kernels for MLX's arithmetic beside plain loops
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel_check.h"

#include "numeric/bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

enum { N = 200 };

static void terms_are_rounded_step_by_step(void **state)
{
    struct srt_mlx_term t = { 1.1f, 1.4296875f, 0.5f, false };

    (void)state;
    assert_true(srt_mlx_term_of(&t, 3.0f) == (3.0f - 1.1f) * 1.4296875f - 0.5f);
    t.narrow = true; /* 1.9 is 1.8984375 in bf16, times 1.4296875 2.71875 */
    assert_true(srt_mlx_term_of(&t, 3.0f) == 2.21875f);
    assert_true(srt_mlx_term_of(&t, -INFINITY) == -INFINITY);
}

static void sum_adds_in_order_in_float(void **state)
{
    float x[N], prefix[4], want = 0.0f, want_prefix[4];
    struct srt_mlx_sum s = { .term = { 0, 1, 2, false },
                             .prefix = prefix,
                             .lowest = INFINITY };

    (void)state;
    rows_fill(x, N, ROWS_FLAT, 5);
    for (int i = 0; i < N; i++) {
        if (i % SRT_BLOCK == 0)
            want_prefix[i / SRT_BLOCK] = want;
        want += srt_mlx_exp(x[i] - 2);
    }
    srt_kernels_scalar.row[SORTES_F32].mlx_sum(&s, x, N);
    assert_true(s.sum == want && s.prefix == prefix + 4);
    assert_memory_equal(prefix, want_prefix, sizeof(prefix));
    for (int i = 0; i < N; i++)
        assert_true(s.lowest <= x[i]);
}

static void tail_takes_what_lies_below(void **state)
{
    const float x[] = { -1, -2, -3, -INFINITY, -2 };
    struct srt_mlx_tail t = { .below = -1, .binade = 0.5f };

    (void)state;
    srt_kernels_scalar.row[SORTES_F32].mlx_tail(&t, x, 5);
    assert_true(fabs(t.mass - 2 * exp(-2) - exp(-3)) < 1e-6);
    assert_true(t.mass == floor(t.mass * 0x1p24) * 0x1p-24);
}

/* exp(-ln 2 * 25) is 2^-25 nearly; half a unit of sums in [1/2, 1). */
static void tail_counts_ties(void **state)
{
    struct srt_mlx_tail t = { .below = 1, .binade = 0.5f };
    float x = 0.0f;

    (void)state;
    for (uint32_t bits = 0xc18a0000u; bits < 0xc18b0000u; bits++)
        if (srt_mlx_exp(srt_float32(bits)) == 0x1p-25f)
            x = srt_float32(bits);
    assert_true(x < -17.0f); /* found one */
    srt_kernels_scalar.row[SORTES_F32].mlx_tail(&t, &x, 1);
    assert_int_equal(t.n_ties, 1);
    assert_true(t.mass == 0.0);
}

static void exp_is_mlxs(void **state)
{
    const float x[] = { 0, -1, -100, 10 };
    float out[4];

    (void)state;
    srt_kernels_scalar.mlx_exp(x, out, 4);
    for (int i = 0; i < 4; i++)
        assert_true(out[i] == srt_mlx_exp(x[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_are_rounded_step_by_step),
        cmocka_unit_test(sum_adds_in_order_in_float),
        cmocka_unit_test(tail_takes_what_lies_below),
        cmocka_unit_test(tail_counts_ties),
        cmocka_unit_test(exp_is_mlxs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_scalar.c - the reference kernels beside loops that say what they do
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "kernel/kernel.h"
#include "numeric/bits.h"
#include "numeric/numeric.h"
#include "row.h"
#include "support/kernel_check.h"

static float row_value(const struct kernel_row *row, size_t i)
{
    const sortes_row r = { row->x, row->n, row->type };

    return srt_row_at(&r, i);
}

/* ---- one value after another --------------------------------------------- */

static void block_max_row(const struct srt_kernels *k,
                          const struct kernel_row *row)
{
    float *const got =
        kernel_area(0, (row->n + SRT_BLOCK - 1) / SRT_BLOCK * sizeof(*got));

    assert_true(k->row[row->type].block_max(row->x, row->n, got));
    for (size_t i = 0; i < row->n; i++)
        assert_true(row_value(row, i) <= got[i / SRT_BLOCK]);
    for (size_t b = 0; b * SRT_BLOCK < row->n; b++) {
        bool found = false;

        for (size_t i = b * SRT_BLOCK; i < row->n && i / SRT_BLOCK == b; i++)
            found |= row_value(row, i) == got[b];
        assert_true(found);
    }
}

static void block_max_is_the_largest_of_its_block(void **state)
{
    (void)state;
    kernel_rows(&srt_kernels_scalar, block_max_row);
}

static void block_max_refuses_nan_and_infinity_only(void **state)
{
    (void)state;
    /* the set beside itself: the check states what must be refused */
    kernel_check_not_finite(&srt_kernels_scalar);
}

static void gather_row(const struct srt_kernels *k,
                       const struct kernel_row *row)
{
    static float block_max[KERNEL_ROW_MAX / SRT_BLOCK + 1];
    static int32_t id[KERNEL_ROW_MAX];
    static float value[KERNEL_ROW_MAX];
    const struct srt_row_kernels *const kernels = &k->row[row->type];
    const float floor = row_value(row, row->seed * 31 % row->n);
    size_t n, next = 0;

    (void)kernels->block_max(row->x, row->n, block_max);
    n = kernels->gather(row->x, row->n, block_max, floor, id, value);
    assert_int_equal(kernels->count(row->x, row->n, floor), n);
    for (size_t i = 0; i < row->n; i++) {
        if (!(row_value(row, i) >= floor))
            continue;
        assert_true(next < n);
        assert_int_equal(id[next], i);
        assert_true(value[next++] == row_value(row, i));
    }
    assert_int_equal(next, n);
}

static void gather_finds_every_value_on_or_above_the_floor(void **state)
{
    (void)state;
    kernel_rows(&srt_kernels_scalar, gather_row);
}

static void gather_passes_over_blocks_that_lie_below(void **state)
{
    float x[3 * SRT_BLOCK], value[3 * SRT_BLOCK];
    const float block_max[3] = { 1.0f, -5.0f, 1.0f };
    int32_t id[3 * SRT_BLOCK];

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(x); i++)
        x[i] = 1.0f;
    assert_int_equal(srt_kernels_scalar.row[SORTES_F32].gather(
                         x, SRT_COUNT(x), block_max, 0.0f, id, value),
                     2 * SRT_BLOCK);
    assert_int_equal(id[SRT_BLOCK], 2 * SRT_BLOCK);
}

static void widen_row(const struct srt_kernels *k, const struct kernel_row *row)
{
    float *const got = kernel_area(0, row->n * sizeof(*got));

    k->row[row->type].widen(row->x, row->n, got);
    for (size_t i = 0; i < row->n; i++)
        assert_true(srt_bits32(got[i]) == srt_bits32(row_value(row, i)));
}

static void scale_row(const struct srt_kernels *k, const struct kernel_row *row)
{
    float *const got = kernel_area(0, row->n * sizeof(*got));

    k->row[row->type].scale(row->x, row->n, 1.25f, got);
    for (size_t i = 0; i < row->n; i++)
        assert_true(srt_bits32(got[i]) ==
                    srt_bits32(row_value(row, i) * 1.25f));
}

static void scale_is_one_product(void **state)
{
    (void)state;
    kernel_rows(&srt_kernels_scalar, scale_row);
}

static void multiply_multiplies(void **state)
{
    float p[] = { 1.0f, 0.0f, 0x1p-149f, 0x1.555556p-2f, 0x1p127f };

    (void)state;
    srt_kernels_scalar.multiply(p, SRT_COUNT(p), 3.0f);
    assert_true(p[0] == 3.0f && p[1] == 0.0f && p[2] == 0x3p-149f);
    assert_true(p[3] == 1.0f && p[4] == HUGE_VALF);
}

static void widen_is_exact(void **state)
{
    (void)state;
    kernel_rows(&srt_kernels_scalar, widen_row);
}

static void exp_row(const struct srt_kernels *k, const struct kernel_row *row)
{
    static float got[KERNEL_ROW_MAX];
    const float *const x = row->x;

    if (row->type != SORTES_F32)
        return;
    k->exp(x, got, row->n, row->max);
    for (size_t i = 0; i < row->n; i++)
        assert_true(srt_bits32(got[i]) ==
                    srt_bits32(srt_expf(x[i] - row->max)));
}

static void exp_is_expf_of_the_difference(void **state)
{
    (void)state;
    kernel_rows(&srt_kernels_scalar, exp_row);
}

static void divide_divides(void **state)
{
    float p[] = { 1.0f, 2.0f, 0.0f, 0x1p-149f, 7.0f };

    (void)state;
    srt_kernels_scalar.divide(p, SRT_COUNT(p), 3.0f);
    assert_true(p[0] == 0x1.555556p-2f);
    assert_true(p[1] == 0x1.555556p-1f);
    assert_true(p[2] == 0.0f);
    assert_true(p[3] == 0.0f);
    assert_true(p[4] == 0x1.2aaaaap+1f);
}

static void sort_few_sorts_and_keeps_equal_ones_in_order(void **state)
{
    float x[] = { 1.0f, -0.0f, 3.0f, 0.0f, -INFINITY, 3.0f, -0.0f, 9.0f };
    const float want[] = {
        9.0f, 3.0f, 3.0f, 1.0f, -0.0f, 0.0f, -0.0f, -INFINITY
    };
    float out[SRT_COUNT(x)];

    (void)state;
    srt_kernels_scalar.sort_few(x, out, SRT_COUNT(x));
    assert_memory_equal(out, want, sizeof(want));
}

/* ---- sums ---------------------------------------------------------------- */

static void softmax_row(const struct srt_kernels *k,
                        const struct kernel_row *row)
{
    struct srt_softmax_sum s = { .max = row->max };
    float want = 0.0f;

    k->row[row->type].softmax_sum(&s, row->x, row->n);
    for (size_t i = 0; i < row->n; i++)
        want += srt_expf(row_value(row, i) - row->max);
    assert_true(srt_bits32(srt_softmax_sum_finish(&s)) == srt_bits32(want));
}

static void square_sum_row(const struct srt_kernels *k,
                           const struct kernel_row *row)
{
    const float mean = row->max - 2.5f;
    float got = 0.0f, want = 0.0f;

    k->row[row->type].square_sum(row->x, row->n, mean, &got);
    for (size_t i = 0; i < row->n; i++) {
        const float off = row_value(row, i) - mean;

        if (row_value(row, i) > -INFINITY)
            want = (float)((double)want + (double)off * (double)off);
    }
    assert_true(srt_bits32(got) == srt_bits32(want));
}

static void square_sum_adds_in_order_but_what_is_forbidden(void **state)
{
    (void)state;
    kernel_rows(&srt_kernels_scalar, square_sum_row);
}

static void softmax_sum_adds_in_order_in_float(void **state)
{
    (void)state;
    kernel_rows(&srt_kernels_scalar, softmax_row);
}

static void draw_row(const struct srt_kernels *k, const struct kernel_row *row)
{
    static double prefix[KERNEL_ROW_MAX / SRT_BLOCK + 1];
    const float divisor = row->seed % 2 ? 1.0f : 0.7f;
    struct srt_draw_sum s = { 0.0, prefix, divisor, row->max / divisor,
                              INFINITY };
    float lowest = INFINITY;
    double want = 0.0;

    k->row[row->type].draw_sum(&s, row->x, row->n);
    for (size_t i = 0; i < row->n; i++) {
        const float x = row_value(row, i);

        if (i % SRT_BLOCK == 0)
            assert_true(prefix[i / SRT_BLOCK] == want);
        want += (double)srt_expf(x / divisor - row->max / divisor);
        lowest = x < lowest ? x : lowest;
    }
    assert_true(s.sum == want);
    assert_true(s.lowest == lowest);
    assert_int_equal(s.prefix - prefix, (row->n + SRT_BLOCK - 1) / SRT_BLOCK);
}

static void draw_sum_adds_in_order_in_double(void **state)
{
    (void)state;
    kernel_rows(&srt_kernels_scalar, draw_row);
}

static void reach_stops_where_the_target_is_met(void **state)
{
    const float p[] = { 0.25f, 0.0f, 0.5f, 0.125f };
    float run = 0.0f;

    (void)state;
    assert_int_equal(srt_kernels_scalar.reach(p, 4, &run, 0.25f), 0);
    assert_true(run == 0.25f);
    run = 0.0f;
    assert_int_equal(srt_kernels_scalar.reach(p, 4, &run, 0.5f), 2);
    assert_true(run == 0.75f);
    run = 0.125f;
    assert_int_equal(srt_kernels_scalar.reach(p, 4, &run, 1.0f), 3);
    assert_true(run == 1.0f);
}

static void reach_goes_to_the_end_where_it_is_not(void **state)
{
    const float p[] = { 0.25f, 0.5f };
    float run = 1.0f;

    (void)state;
    assert_int_equal(srt_kernels_scalar.reach(p, 2, &run, 8.0f), 2);
    assert_true(run == 1.75f);
    assert_int_equal(srt_kernels_scalar.reach(p, 0, &run, 0.0f), 0);
    assert_true(run == 1.75f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_max_is_the_largest_of_its_block),
        cmocka_unit_test(block_max_refuses_nan_and_infinity_only),
        cmocka_unit_test(gather_finds_every_value_on_or_above_the_floor),
        cmocka_unit_test(gather_passes_over_blocks_that_lie_below),
        cmocka_unit_test(scale_is_one_product),
        cmocka_unit_test(multiply_multiplies),
        cmocka_unit_test(widen_is_exact),
        cmocka_unit_test(exp_is_expf_of_the_difference),
        cmocka_unit_test(divide_divides),
        cmocka_unit_test(sort_few_sorts_and_keeps_equal_ones_in_order),
        cmocka_unit_test(square_sum_adds_in_order_but_what_is_forbidden),
        cmocka_unit_test(softmax_sum_adds_in_order_in_float),
        cmocka_unit_test(draw_sum_adds_in_order_in_double),
        cmocka_unit_test(reach_stops_where_the_target_is_met),
        cmocka_unit_test(reach_goes_to_the_end_where_it_is_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_ordered_sum.c - corrections and limits of the sums made in blocks
 *
 * How the kernels use them: tests/kernel.
 *
 * SPDX-License-Identifier: MIT
 */
#include "numeric/ordered_sum.h"

#include "numeric/numeric.h"
#include "support/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

enum { TERMS = 64 };

/* What the kernels learn about a block, and the block itself in units. */
struct block {
    uint64_t odd, tie, negative;
    double weight[TERMS];
    double rounded; /* the total of the weights rounded to whole units */
};

/* A weight whose rounding to even, by itself, has the properties asked for. */
static void block_add(struct block *b, int i, int whole, double rest)
{
    const uint64_t bit = (uint64_t)1 << i;

    b->weight[i] = whole + rest;
    b->rounded += whole;
    b->odd |= whole % 2 ? bit : 0;
    b->tie |= fabs(rest) == 0.5 ? bit : 0;
    b->negative |= rest < 0.0 ? bit : 0;
}

static void block_fill(struct block *b, struct rows_random *r, size_t ties)
{
    *b = (struct block){ 0 };
    for (int i = 0; i < TERMS; i++) {
        const int whole = 1 + (int)rows_below(r, 6);
        const double side = rows_below(r, 2) ? 1.0 : -1.0;

        if (rows_below(r, 64) < ties) /* half way: rounds to even */
            block_add(b, i, whole & ~1, whole < 2 ? 0.5 : 0.5 * side);
        else
            block_add(b, i, whole, side * 0.49 * rows_uniform(r));
    }
}

/* Adds one by one, rounding half way to even, in units. */
static double one_by_one(const struct block *b, double s)
{
    for (int i = 0; i < TERMS; i++)
        s = nearbyint(s + b->weight[i]);
    return s;
}

static void ties_correct_the_total_of_any_block(void **state)
{
    struct rows_random r = { 1 };
    struct block b;

    (void)state;
    for (int trial = 0; trial < 200000; trial++) {
        const unsigned parity = (unsigned)rows_below(&r, 2);
        const double s = 1000.0 + parity;

        block_fill(&b, &r, (size_t)trial % 65);
        assert_true(one_by_one(&b, s) ==
                    s + b.rounded +
                        srt_ordered_ties(b.odd, b.tie, b.negative, parity));
    }
}

/* The same in floats, which round by themselves: the unit is 2^-23. */
static void ties_correct_a_float_sum(void **state)
{
    struct rows_random r = { 2 };
    struct block b;

    (void)state;
    for (int trial = 0; trial < 50000; trial++) {
        const size_t units = rows_below(&r, 1u << 22);
        const float start = 1.0f + (float)units * 0x1p-23f;
        volatile float s = start;
        float blocked;

        block_fill(&b, &r, (size_t)trial % 65);
        for (int i = 0; i < TERMS; i++) /* weights with 24 bits at most */
            s += (float)(b.weight[i] * 0x1p-23);
        blocked = (float)(b.rounded + srt_ordered_ties(b.odd, b.tie, b.negative,
                                                       srt_bits32(start) & 1)) *
                  0x1p-23f;
        assert_true(s == start + blocked);
    }
}

static void ties_of_a_block_without_any_are_none(void **state)
{
    (void)state;
    assert_int_equal(srt_ordered_ties(0, 0, 0, 0), 0);
    assert_int_equal(srt_ordered_ties(~(uint64_t)0, 0, ~(uint64_t)0, 1), 0);
}

static void ties_alone_count_once_where_the_sum_is_odd(void **state)
{
    (void)state;
    /* every tie leaves an even sum, so only the first can find an odd one */
    assert_int_equal(srt_ordered_ties(0, ~(uint64_t)0, 0, 1), 1);
    assert_int_equal(srt_ordered_ties(0, ~(uint64_t)0, ~(uint64_t)0, 1), -1);
    assert_int_equal(srt_ordered_ties(0, ~(uint64_t)0, 0, 0), 0);
    assert_int_equal(srt_ordered_ties(0, (uint64_t)1 << 63, 0, 1), 1);
}

static void binade_is_the_power_of_two_at_or_below(void **state)
{
    (void)state;
    assert_true(srt_binade32(1.0f) == 1.0f);
    assert_true(srt_binade32(0x1.fffffep+3f) == 8.0f);
    assert_true(srt_binade32(0x1.8p-90f) == 0x1p-90f);
    assert_true(srt_binade64(1.0) == 1.0);
    assert_true(srt_binade64(0x1.fffffffffffffp+40) == 0x1p+40);
}

/* Nothing on or below the bound may change a sum of this size. */
static void check_negligible32(float s)
{
    const float bound = srt_ordered_negligible32(s);
    volatile float sum = s;

    sum += srt_expf(bound);
    assert_true(sum == s);
    assert_true((double)srt_expf(bound) < ldexp((double)srt_binade32(s), -24));
}

static void negligible32_adds_nothing_in_any_binade(void **state)
{
    (void)state;
    for (int k = -90; k < 127; k++) {
        check_negligible32(ldexpf(1.0f, k));
        check_negligible32(nextafterf(ldexpf(1.0f, k + 1), 0.0f));
    }
}

static void check_negligible64(double s)
{
    const float bound = srt_ordered_negligible64(s);
    volatile double sum = s;

    sum += (double)srt_expf(bound);
    assert_true(sum == s);
    assert_true((double)srt_expf(bound) < ldexp(srt_binade64(s), -53));
}

static void negligible64_adds_nothing_in_any_binade(void **state)
{
    (void)state;
    for (int k = -125; k < 170; k++) {
        check_negligible64(ldexp(1.0, k));
        check_negligible64(nextafter(ldexp(1.0, k + 1), 0.0));
    }
}

/* A bound far too low would be safe, and useless. */
static void negligible_bounds_are_close(void **state)
{
    (void)state;
    for (int k = -70; k < 40; k++) {
        const float s = ldexpf(1.5f, k);
        const float bound = srt_ordered_negligible32(s);
        const float bound64 = srt_ordered_negligible64((double)s);

        assert_true((double)srt_expf(bound + 0.02f) > ldexp(1.0, k - 24));
        assert_true(k < -69 ||
                    (double)srt_expf(bound64 + 0.02f) > ldexp(1.0, k - 53));
    }
}

static void negligible_is_nothing_where_the_sum_is_too_small(void **state)
{
    (void)state;
    assert_true(srt_ordered_negligible32(0.0f) == -INFINITY);
    assert_true(srt_ordered_negligible32(0x1p-149f) == -INFINITY);
    assert_true(srt_ordered_negligible32(
                    nextafterf(SRT_ORDERED_LEAST32, 0.0f)) == -INFINITY);
    assert_true(srt_ordered_negligible64(0.0) == -INFINITY);
    assert_true(srt_ordered_negligible64(nextafter(SRT_ORDERED_LEAST64, 0.0)) ==
                -INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ties_correct_the_total_of_any_block),
        cmocka_unit_test(ties_correct_a_float_sum),
        cmocka_unit_test(ties_of_a_block_without_any_are_none),
        cmocka_unit_test(ties_alone_count_once_where_the_sum_is_odd),
        cmocka_unit_test(binade_is_the_power_of_two_at_or_below),
        cmocka_unit_test(negligible32_adds_nothing_in_any_binade),
        cmocka_unit_test(negligible64_adds_nothing_in_any_binade),
        cmocka_unit_test(negligible_bounds_are_close),
        cmocka_unit_test(negligible_is_nothing_where_the_sum_is_too_small),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

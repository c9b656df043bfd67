/*
 * test_values.c - sorting bare values
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "numeric/bits.h"
#include "order/arrays.h"

enum { VALUES_MAX = 50000 };

static int descending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;

    return (x < y) - (x > y);
}

/* Sorts x both ways and compares bits; -0 becomes 0. */
static void check_sorted(const float *x, size_t n)
{
    static float got[VALUES_MAX], want[VALUES_MAX];
    static uint32_t work[2 * VALUES_MAX];

    for (size_t i = 0; i < n; i++) {
        got[i] = x[i];
        want[i] = x[i] == 0.0f ? 0.0f : x[i];
    }
    qsort(want, n, sizeof(*want), descending);
    srt_sort_values(got, work, n);
    if (n > 0)
        assert_memory_equal(got, want, n * sizeof(*got));
}

static void sort_values_of_every_kind_and_size(void **state)
{
    static float x[ARRAY_MAX];

    (void)state;
    for (int kind = 0; kind < ARRAY_N_KINDS; kind++) {
        for (size_t i = 0; i < SRT_COUNT(array_sizes); i++) {
            array_fill(x, array_sizes[i], (enum array_kind)kind, 1);
            check_sorted(x, array_sizes[i]);
        }
    }
}

static void sort_values_around_the_size_where_the_method_changes(void **state)
{
    static float x[ARRAY_MAX];

    (void)state;
    for (size_t n = 40; n < 60; n++) {
        for (uint64_t seed = 0; seed < 20; seed++) {
            array_fill(x, n, seed % 2 ? ARRAY_NORMAL : ARRAY_FEW, seed);
            check_sorted(x, n);
        }
    }
}

static void sort_values_of_long_rows(void **state)
{
    static float x[VALUES_MAX];

    (void)state;
    for (int kind = 0; kind < ROWS_N_KINDS; kind++) {
        rows_fill(x, VALUES_MAX, (enum rows_kind)kind, 3);
        check_sorted(x, VALUES_MAX);
    }
}

/* Any bits that are not a NaN's. */
static void sort_values_of_any_size(void **state)
{
    static float x[5000];
    struct rows_random r = { 8 };

    (void)state;
    for (size_t n = 1; n <= SRT_COUNT(x); n = n * 3 / 2 + 1) {
        for (size_t i = 0; i < n; i++) {
            do
                x[i] = srt_float32((uint32_t)rows_bits(&r));
            while (isnan(x[i]));
        }
        check_sorted(x, n);
    }
}

static void sort_values_makes_minus_zero_zero(void **state)
{
    static float x[100];

    (void)state;
    for (size_t n = 1; n <= SRT_COUNT(x); n += 11) {
        for (size_t i = 0; i < n; i++)
            x[i] = i % 3 == 0 ? -0.0f : i % 3 == 1 ? 0.0f : -1.0f;
        check_sorted(x, n);
    }
}

static void sort_values_of_the_extremes(void **state)
{
    static const float ends[] = { -INFINITY,     INFINITY, FLT_MAX, -FLT_MAX,
                                  FLT_TRUE_MIN,  0.0f,     -0.0f,   FLT_MIN,
                                  -FLT_TRUE_MIN, -FLT_MIN };
    static float x[200];

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(x); i++)
        x[i] = ends[i * 7 % SRT_COUNT(ends)];
    check_sorted(x, SRT_COUNT(ends));
    check_sorted(x, SRT_COUNT(x));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sort_values_of_every_kind_and_size),
        cmocka_unit_test(sort_values_around_the_size_where_the_method_changes),
        cmocka_unit_test(sort_values_of_long_rows),
        cmocka_unit_test(sort_values_of_any_size),
        cmocka_unit_test(sort_values_makes_minus_zero_zero),
        cmocka_unit_test(sort_values_of_the_extremes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

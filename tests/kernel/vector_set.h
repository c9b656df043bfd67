/*
 * vector_set.h - the cases that every set of kernels must pass
 *
 * A test program is one line: int main(void) { return vector_set_main("avx2");
 * }.  On a machine without that instruction set, and in a build without it,
 * the cases are skipped.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_KERNEL_VECTOR_SET_H
#define TEST_KERNEL_VECTOR_SET_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "support/kernel_check.h"

static const struct srt_kernels *vector_set;

#define VECTOR_CASE(name, check)                                               \
    static void name(void **state)                                             \
    {                                                                          \
        (void)state;                                                           \
        if (!vector_set)                                                       \
            skip();                                                            \
        check(vector_set);                                                     \
    }

VECTOR_CASE(block_max_equals_the_scalar_one, kernel_check_block_max)
VECTOR_CASE(block_max_finds_nan_and_infinity_anywhere, kernel_check_not_finite)
VECTOR_CASE(gather_equals_the_scalar_one, kernel_check_gather)
VECTOR_CASE(count_equals_the_scalar_one, kernel_check_count)
VECTOR_CASE(scale_equals_the_scalar_one, kernel_check_scale)
VECTOR_CASE(widen_equals_the_scalar_one, kernel_check_widen)
VECTOR_CASE(exp_equals_the_scalar_one, kernel_check_exp)
VECTOR_CASE(divide_and_multiply_equal_the_scalar_ones, kernel_check_divide)
VECTOR_CASE(sort_few_equals_the_scalar_one, kernel_check_sort_few)
VECTOR_CASE(softmax_sum_equals_the_scalar_one, kernel_check_softmax_sum)
VECTOR_CASE(softmax_sum_settles_ties_and_borders, kernel_check_softmax_ties)
VECTOR_CASE(square_sum_equals_the_scalar_one, kernel_check_square_sum)
VECTOR_CASE(square_sum_settles_ties_and_borders, kernel_check_square_ties)
VECTOR_CASE(draw_sum_equals_the_scalar_one, kernel_check_draw_sum)
VECTOR_CASE(draw_sum_settles_ties_and_borders, kernel_check_draw_ties)
VECTOR_CASE(reach_equals_the_scalar_one, kernel_check_reach)
VECTOR_CASE(reach_settles_ties_and_borders, kernel_check_reach_ties)
VECTOR_CASE(sums_of_subnormal_weights_are_exact, kernel_check_small_sums)
VECTOR_CASE(sums_that_stand_still_are_exact, kernel_check_saturated_sums)
VECTOR_CASE(mlx_exp_equals_the_scalar_one, kernel_check_mlx_exp)
VECTOR_CASE(mlx_sum_equals_the_scalar_one, kernel_check_mlx_sum)
VECTOR_CASE(mlx_tail_equals_the_scalar_one, kernel_check_mlx_tail)

static int vector_set_main(const char *name)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_max_equals_the_scalar_one),
        cmocka_unit_test(block_max_finds_nan_and_infinity_anywhere),
        cmocka_unit_test(gather_equals_the_scalar_one),
        cmocka_unit_test(count_equals_the_scalar_one),
        cmocka_unit_test(scale_equals_the_scalar_one),
        cmocka_unit_test(widen_equals_the_scalar_one),
        cmocka_unit_test(exp_equals_the_scalar_one),
        cmocka_unit_test(divide_and_multiply_equal_the_scalar_ones),
        cmocka_unit_test(sort_few_equals_the_scalar_one),
        cmocka_unit_test(softmax_sum_equals_the_scalar_one),
        cmocka_unit_test(softmax_sum_settles_ties_and_borders),
        cmocka_unit_test(square_sum_equals_the_scalar_one),
        cmocka_unit_test(square_sum_settles_ties_and_borders),
        cmocka_unit_test(draw_sum_equals_the_scalar_one),
        cmocka_unit_test(draw_sum_settles_ties_and_borders),
        cmocka_unit_test(reach_equals_the_scalar_one),
        cmocka_unit_test(reach_settles_ties_and_borders),
        cmocka_unit_test(sums_of_subnormal_weights_are_exact),
        cmocka_unit_test(sums_that_stand_still_are_exact),
        cmocka_unit_test(mlx_exp_equals_the_scalar_one),
        cmocka_unit_test(mlx_sum_equals_the_scalar_one),
        cmocka_unit_test(mlx_tail_equals_the_scalar_one),
    };
    const struct srt_kernels *k;

    for (size_t i = 0; (k = srt_kernels_at(i)) != NULL; i++)
        if (strcmp(k->name, name) == 0)
            vector_set = k;
    return cmocka_run_group_tests_name(name, tests, NULL, NULL);
}

#endif /* TEST_KERNEL_VECTOR_SET_H */

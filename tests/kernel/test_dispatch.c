/*
 * test_dispatch.c - which kernels this machine runs
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernel/kernel.h"
#include "numeric/numeric.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static void kernels_at_begins_with_the_reference(void **state)
{
    (void)state;
    assert_non_null(srt_kernels_at(0));
    assert_string_equal(srt_kernels_at(0)->name, "scalar");
}

static void kernels_at_ends_with_the_best(void **state)
{
    size_t n = 0;

    (void)state;
    while (srt_kernels_at(n))
        n++;
    assert_ptr_equal(srt_kernels(), srt_kernels_at(n - 1));
    assert_null(srt_kernels_at(n + 1));
    assert_null(srt_kernels_at(SIZE_MAX));
}

static void kernels_have_names_of_their_own(void **state)
{
    (void)state;
    for (size_t i = 0; srt_kernels_at(i); i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(srt_kernels_at(i)->name,
                                    srt_kernels_at(j)->name);
}

static void kernels_are_complete(void **state)
{
    const struct srt_kernels *k;

    (void)state;
    for (size_t i = 0; (k = srt_kernels_at(i)) != NULL; i++) {
        for (int type = 0; type < 3; type++) {
            assert_true(k->row[type].block_max && k->row[type].gather);
            assert_true(k->row[type].count && k->row[type].widen &&
                        k->row[type].scale);
            assert_true(k->row[type].softmax_sum && k->row[type].draw_sum);
            assert_true(k->row[type].square_sum);
        }
        assert_true(k->exp && k->divide && k->multiply && k->sort_few &&
                    k->reach);
    }
}

static void kernel_name_is_the_best_sets(void **state)
{
    (void)state;
    assert_string_equal(sortes_kernel_name(), srt_kernels()->name);
}

static void softmax_sum_finish_adds_what_is_pending_in_order(void **state)
{
    struct srt_softmax_sum s = { .sum = 0x1p24f, .n_pending = 3 };

    (void)state;
    s.pending[0] = 0.0f; /* 1: a tie, and 2^24 is even */
    s.pending[1] = 0.70f;
    s.pending[2] = 0.0f;
    assert_true(srt_softmax_sum_finish(&s) ==
                ((0x1p24f + 1.0f) + srt_expf(0.70f)) + 1.0f);
    assert_int_equal(s.n_pending, 0);
    assert_true(srt_softmax_sum_finish(&s) == s.sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_at_begins_with_the_reference),
        cmocka_unit_test(kernels_at_ends_with_the_best),
        cmocka_unit_test(kernels_have_names_of_their_own),
        cmocka_unit_test(kernels_are_complete),
        cmocka_unit_test(kernel_name_is_the_best_sets),
        cmocka_unit_test(softmax_sum_finish_adds_what_is_pending_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

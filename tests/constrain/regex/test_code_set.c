/*
 * test_code_set.c - sets of code points
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/regex/code_set.h"

static void tidy_sorts_and_joins(void **state)
{
    struct srt_code_set s = { .n = 0 };

    (void)state;
    srt_code_set_add(&s, 50, 60);
    srt_code_set_add(&s, 10, 20);
    srt_code_set_add(&s, 15, 30);
    srt_code_set_add(&s, 31, 31);
    srt_code_set_add(&s, 12, 13);
    srt_code_set_tidy(&s);
    assert_int_equal(s.n, 2);
    assert_int_equal(s.ranges[0][0], 10);
    assert_int_equal(s.ranges[0][1], 31);
    assert_int_equal(s.ranges[1][0], 50);
    srt_code_set_clear(&s);
}

static void the_complement_of_the_complement(void **state)
{
    struct srt_code_set s = { .n = 0 };

    (void)state;
    srt_code_set_invert(&s);
    assert_int_equal(s.n, 1);
    assert_int_equal(s.ranges[0][0], 0);
    assert_int_equal(s.ranges[0][1], 0x10FFFF);
    srt_code_set_invert(&s);
    assert_int_equal(s.n, 0);
    srt_code_set_add(&s, 0, 5);
    srt_code_set_add(&s, 0x10FFFF, 0x10FFFF);
    srt_code_set_invert(&s);
    assert_int_equal(s.n, 1);
    assert_int_equal(s.ranges[0][0], 6);
    assert_int_equal(s.ranges[0][1], 0x10FFFE);
    srt_code_set_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tidy_sorts_and_joins),
        cmocka_unit_test(the_complement_of_the_complement),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_entropy.c - a seed that differs from the last one
 *
 * SPDX-License-Identifier: MIT
 */
#include "random/entropy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void entropy_differs_between_calls(void **state)
{
    const uint32_t first = srt_entropy32();
    int same = 0;

    (void)state;
    for (int i = 0; i < 8; i++)
        same += srt_entropy32() == first;
    /* once in 2^32 calls is chance; eight in a row is not */
    assert_true(same < 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entropy_differs_between_calls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_golden_rmlx.c - sequences of rMLX's host sampler, drawn again
 *
 * The file is written by tools/record_golden_rmlx.py.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/sequences.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void recorded_sequences_are_drawn_again(void **state)
{
    (void)state;
    assert_true(sequences_draw_again("rmlx",
                                     SORTES_ROOT "/tests/golden/rmlx.jsonl",
                                     "\"rmlx\"") >= 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_sequences_are_drawn_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

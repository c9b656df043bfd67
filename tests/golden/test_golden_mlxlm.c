/*
 * test_golden_mlxlm.c - sequences recorded from mlx-lm, drawn again
 *
 * The file is written by tools/record_golden_mlx.py.
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
    assert_true(sequences_draw_again("mlx-lm",
                                     SORTES_ROOT "/tests/golden/mlxlm.jsonl",
                                     "\"mlx_lm\"") >= 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_sequences_are_drawn_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

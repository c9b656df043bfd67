/*
 * test_try.c - tests of cli/try.c, from outside
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/recording_make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define RECORDED SORTES_ROOT "/examples/rows/smollm2.rows"

static struct run r;

static int clear(void **state)
{
    (void)state;
    memset(&r, 0, sizeof(r));
    return 0;
}

static void says(const char *words)
{
    if (!strstr(r.out, words))
        fail_msg("%s\ndoes not say %s", r.out, words);
}

static void try_finds_that_all_tokens_are_the_recorded_ones(void **state)
{
    (void)state;
    RUN(&r, "try", RECORDED);
    run_check(&r, 0, "");
    assert_string_equal(r.err, "");
    says("tokens are the recorded ones.");
    assert_null(strstr(r.out, "differs"));
}

static void try_shows_every_stage_of_the_first_draw(void **state)
{
    static const char *const stages[] = {
        "\n  logits ",     "\n  top_k 40 ",        "\n  top_p 0.95 ",
        "\n  min_p 0.05 ", "\n  temperature 0.8 ", "\n  dist "
    };
    (void)state;

    RUN(&r, "try", RECORDED);
    run_check(&r, 0, "");
    for (size_t i = 0; i < sizeof(stages) / sizeof(*stages); i++)
        says(stages[i]);
}

static void try_fits_eighty_columns_and_has_no_colour_here(void **state)
{
    (void)state;
    RUN(&r, "try", RECORDED);
    run_check(&r, 0, "");
    assert_null(strchr(r.out, '\033'));
    for (const char *line = r.out; *line;) {
        const size_t n = strcspn(line, "\n");
        if (n > 80)
            fail_msg("wider than 80: %.*s", (int)n, line);
        line += n + (line[n] == '\n');
    }
}

static void try_ends_with_4_when_a_token_differs(void **state)
{
    (void)state;
    RUN(&r, "try", recording_make(-1, "2 3 4 5"));
    run_check(&r, 0, "");
    says("All 4 tokens are the recorded ones.");
    says("\"x\\xE2\"");
    says("ab" RECORDING_TEXT " ...");
    RUN(&r, "try", recording_make(-1, "2 6 4 5"));
    run_check(&r, 4, "");
    says("1 of 4 tokens are not the recorded ones.");
    says("6  differs");
}

static void try_ends_with_3_when_a_row_is_refused(void **state)
{
    (void)state;
    RUN(&r, "try", recording_make(0, "2 3 4 5"));
    run_check(&r, 3, "row 0: refused");
    RUN(&r, "try", recording_make(1, "2 3 4 5"));
    run_check(&r, 3, "row 1: refused");
}

static void try_refuses_what_is_no_recording(void **state)
{
    (void)state;
    RUN(&r, "try", "/nowhere.rows");
    run_check(&r, 1, "/nowhere.rows");
    RUN(&r, "try", run_file("sortes rows 1\nmodel x\n", 22));
    run_check(&r, 1, "a fact is missing");
    RUN(&r, "try", "a", "b");
    run_check(&r, 2, "one recording at a time");
}

static void try_notices_that_it_cannot_write(void **state)
{
    static const enum run_out ways[] = { RUN_OUT_CLOSED, RUN_OUT_FULL,
                                         RUN_OUT_BROKEN };
    (void)state;

    for (size_t i = 0; i < 3; i++) {
        r.to = ways[i];
        RUN(&r, "try", RECORDED);
        run_check(&r, 1, "standard output: cannot be written");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(try_finds_that_all_tokens_are_the_recorded_ones,
                               clear),
        cmocka_unit_test_setup(try_shows_every_stage_of_the_first_draw, clear),
        cmocka_unit_test_setup(try_fits_eighty_columns_and_has_no_colour_here,
                               clear),
        cmocka_unit_test_setup(try_ends_with_4_when_a_token_differs, clear),
        cmocka_unit_test_setup(try_ends_with_3_when_a_row_is_refused, clear),
        cmocka_unit_test_setup(try_refuses_what_is_no_recording, clear),
        cmocka_unit_test_setup(try_notices_that_it_cannot_write, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

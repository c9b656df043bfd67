/*
 * test_names.c - which known name a wrong one is near to
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "params/names.h"

#include <string.h>

static const char *const known[] = { "temperature",   "top_k",         "top_p",
                                     "min_p",         "min_keep",      "seed",
                                     "repeat_last_n", "repeat_penalty" };

static struct srt_nearest search(const char *got)
{
    struct srt_nearest s;

    srt_nearest_start(&s, got, strlen(got));
    for (size_t i = 0; i < SRT_COUNT(known); i++)
        srt_nearest_try(&s, known[i], strlen(known[i]));
    return s;
}

static void nearest_finds_what_was_meant(void **state)
{
    static const char *const rows[][2] = {
        { "minp", "min_p" },
        { "min-p", "min_p" },
        { "MIN_P", "min_p" },
        { "mni_p", "min_p" },
        { "topk", "top_k" },
        { "top_kk", "top_k" },
        { "temprature", "temperature" },
        { "temp", "temperature" },
        { "Temperature", "temperature" },
        { "seeds", "seed" },
        { "sed", "seed" },
        { "repeat_penality", "repeat_penalty" },
        { "repeat-penalty", "repeat_penalty" },
        { "repetition_penalty", "repeat_penalty" },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        struct srt_nearest s = search(rows[i][0]);

        if (s.best == NULL || strcmp(s.best, rows[i][1]) != 0)
            fail_msg("%s: %s", rows[i][0], s.best ? s.best : "none");
    }
}

static void nearest_does_not_guess_wildly(void **state)
{
    static const char *const rows[] = {
        "",
        "x",
        "to",
        "mirostat",
        "banana",
        "seedling_tray",
        "a_name_that_is_longer_than_any_that_anybody_would_give",
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++)
        if (search(rows[i]).best != NULL)
            fail_msg("%s: %s", rows[i], search(rows[i]).best);
}

static void fail_unknown_asks_when_something_is_near(void **state)
{
    struct srt_nearest s = search("minp");
    sortes_error err;

    (void)state;
    assert_int_equal(srt_fail_unknown(&err, 5, "parameter", &s), SORTES_E_NAME);
    assert_string_equal(err.text,
                        "parameter 'minp' is unknown; did you mean 'min_p'?");
    assert_int_equal(err.offset, 5);
    s = search("banana");
    srt_fail_unknown(&err, 0, "field", &s);
    assert_string_equal(err.text, "field 'banana' is unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_finds_what_was_meant),
        cmocka_unit_test(nearest_does_not_guess_wildly),
        cmocka_unit_test(fail_unknown_asks_when_something_is_near),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

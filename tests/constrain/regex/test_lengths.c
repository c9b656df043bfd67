/*
 * test_lengths.c - shortest and longest completions
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/regex_check.h"

static void lengths_are(const char *pattern, uint32_t shortest,
                        uint32_t longest, bool interval)
{
    struct srt_book *b = regex_book();
    const srt_regex x = regex_parsed(b, pattern);
    uint32_t s, least, most;
    bool all;

    assert_int_equal(srt_book_close(b, NULL, 0), SORTES_OK);
    assert_int_equal(srt_book_start(b, x, &s), SORTES_OK);
    assert_int_equal(srt_book_lengths(b, s, &least, &most, &all), SORTES_OK);
    if (least != shortest || most != longest || all != interval)
        fail_msg("%s: %u to %u, %d", pattern, (unsigned)least, (unsigned)most,
                 all);
    srt_book_free(b);
}

static void by_the_pattern(void **state)
{
    (void)state;
    lengths_are("", 0, 0, true);
    lengths_are("abc", 3, 3, true);
    lengths_are("a{2,5}", 2, 5, true);
    lengths_are("a*", 0, UINT32_MAX, true);
    lengths_are("[0-9]{4}-[0-9]{2}", 7, 7, true);
    lengths_are("a|bc|def", 1, 3, true);
    lengths_are("a|def", 1, 3, false);
    lengths_are("(ab)*", 0, UINT32_MAX, false);
    lengths_are("(ab?)*", 0, UINT32_MAX, true);
    lengths_are("(ab){2,3}", 4, 6, false);
    lengths_are("(ab){3}", 6, 6, true);
    lengths_are("(aab?){2,4}", 4, 12, true);
    lengths_are("(aaa[ab]?){1,2}", 3, 8, false);
    lengths_are("(aaa[ab]?){3,5}", 9, 20, true);
    lengths_are("a{4000000000}", 4000000000u, 4000000000u, true);
    lengths_are("(a{4000000000}){2}", UINT32_MAX - 1, UINT32_MAX, true);
}

static void by_the_states(void **state)
{
    (void)state;
    lengths_are("(?=.{3})a{0,5}", 3, 5, true);
    lengths_are("(?!a)(?:a|[bc]{3}|d{5})", 3, 5, false);
    lengths_are("(?!b)[^]*", 0, UINT32_MAX, true);
    lengths_are("(?=..$|.{4}$)[^]*", 2, 4, false);
    lengths_are("\\ba+\\b", 1, UINT32_MAX, true);
    lengths_are("(?=(?:..)*$)a{3,9}", 4, 8, false);
    lengths_are("(?=.{5})a*", 5, UINT32_MAX, true);
}

static void of_any_state(void **state)
{
    struct srt_book *b = regex_book();
    const srt_regex x = regex_parsed(b, "a{3,5}b?");
    uint32_t s, least, most;
    bool all;

    (void)state;
    assert_int_equal(srt_book_close(b, NULL, 0), SORTES_OK);
    assert_int_equal(srt_book_start(b, x, &s), SORTES_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(srt_book_step(b, s, srt_book_class(b, 'a'), &s),
                         SORTES_OK);
    assert_int_equal(srt_book_lengths(b, s, &least, &most, &all), SORTES_OK);
    assert_int_equal(least, 0);
    assert_int_equal(most, 2);
    assert_true(all);
    assert_int_equal(srt_book_lengths(b, 0, &least, &most, &all),
                     SORTES_E_ARGUMENT);
    srt_book_free(b);
}

static void everything_goes(void **state)
{
    static const struct {
        const char *pattern;
        bool everything;
    } rows[] = {
        { "[^]*", true },
        { ".*", false },
        { "(?:.|\\s)*", true },
        { "(?=a|[^a]|$)[^]*", true },
        { "(?!ab)[^]*", false },
        { "(?:(?!a)[^]*)|a[^]*", true },
        { "(?!a{70000})[^]*", false },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        struct srt_book *b = regex_book();
        const srt_regex x = regex_parsed(b, rows[i].pattern);
        uint32_t s;
        bool answer;

        assert_int_equal(srt_book_close(b, NULL, 0), SORTES_OK);
        assert_int_equal(srt_book_start(b, x, &s), SORTES_OK);
        assert_int_equal(srt_book_is_everything(b, s, &answer), SORTES_OK);
        if (answer != rows[i].everything)
            fail_msg("%s", rows[i].pattern);
        srt_book_free(b);
    }
}

static void some_languages_never_end(void **state)
{
    static const struct {
        const char *pattern;
        bool goes_on, any;
    } rows[] = {
        { "[^]*", true, true },
        { "[a-z]+", true, false },
        { "foo|bar[^]*", false, false },
        { "[^]*x", true, true },
        { "(ab)*", true, false },
        { "a{3}", false, false },
        { "(?!a$)[^]*", true, true },
        { "[^a]*", true, false },
        { "(a|b.*)$", false, false },
        { "a{400}b*", false, false }, /* many */
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        struct srt_book *b = regex_book();
        const srt_regex x = regex_parsed(b, rows[i].pattern);
        uint32_t s;

        assert_int_equal(srt_book_close(b, NULL, 0), SORTES_OK);
        assert_int_equal(srt_book_start(b, x, &s), SORTES_OK);
        for (int again = 0; again < 2; again++) {
            bool goes_on, any;

            assert_int_equal(srt_book_goes_on(b, s, &goes_on, &any), SORTES_OK);
            if (goes_on != rows[i].goes_on || any != rows[i].any)
                fail_msg("%s: %d, %d", rows[i].pattern, goes_on, any);
        }
        srt_book_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_the_pattern),
        cmocka_unit_test(by_the_states),
        cmocka_unit_test(of_any_state),
        cmocka_unit_test(everything_goes),
        cmocka_unit_test(some_languages_never_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

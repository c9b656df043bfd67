/*
 * test_source.c - sources: equal ones are one, deep ones are refused
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/regex/book.h"
#include "support/regex_check.h"

static void equal_patterns_are_one_source(void **state)
{
    struct srt_book *b = regex_book();

    (void)state;
    assert_int_equal(regex_parsed(b, "a|b|a"), regex_parsed(b, "(?:b|a)"));
    assert_int_equal(regex_parsed(b, "ab"), regex_parsed(b, "(a)(?:)b"));
    assert_int_equal(regex_parsed(b, "a{1}"), regex_parsed(b, "a"));
    assert_int_equal(regex_parsed(b, "a{0}"), regex_parsed(b, ""));
    assert_int_equal(regex_parsed(b, "[a-c]"), regex_parsed(b, "[cab]"));
    assert_int_equal(regex_parsed(b, "(?=a)+b"), regex_parsed(b, "(?=a)b"));
    assert_int_equal(regex_parsed(b, "(?=a)*b"), regex_parsed(b, "b"));
    assert_int_equal(regex_parsed(b, "a[]b"), SRT_REGEX_NOTHING);
    assert_int_equal(regex_parsed(b, "(?![])b"), regex_parsed(b, "b"));
    assert_int_not_equal(regex_parsed(b, "a+"), regex_parsed(b, "a*"));
    srt_book_free(b);
}

static void what_assertions_ask_is_known(void **state)
{
    struct srt_book *b = regex_book();

    (void)state;
    assert_false(srt_source_info(b, regex_parsed(b, "a*b"))->asserts);
    assert_true(srt_source_info(b, regex_parsed(b, "(?:a(?=b))*"))->asserts);
    assert_int_equal(srt_source_info(b, regex_parsed(b, "a|^b"))->uses, 1);
    assert_int_equal(srt_source_info(b, regex_parsed(b, "a\\b"))->uses, 2);
    assert_int_equal(srt_source_info(b, regex_parsed(b, "(?<=ab)c"))->uses, 4);
    assert_int_equal(srt_source_info(b, regex_parsed(b, "(?<!ab)c\\B"))->uses,
                     6);
    srt_book_free(b);
}

static void depth_has_a_limit(void **state)
{
    struct srt_book *b = regex_book();
    const srt_regex a = regex_parsed(b, "a");
    srt_regex x = a, y;
    int depth = 0;

    (void)state;
    for (;; depth++) {
        srt_regex parts[2];

        if (srt_book_concat(b, x, a, &y) != SORTES_OK)
            break;
        parts[0] = y;
        parts[1] = a;
        if (srt_book_or(b, parts, 2, &x) != SORTES_OK)
            break;
    }
    assert_int_equal(2 * depth, SRT_SOURCE_DEPTH - 2);
    assert_int_equal(srt_book_close(b, NULL, 0), SORTES_OK);
    {
        uint32_t s;

        assert_int_equal(srt_book_start(b, x, &s), SORTES_OK);
        assert_int_not_equal(s, 0);
    }
    srt_book_free(b);
}

static void trackers_have_a_limit(void **state)
{
    struct srt_book *b = regex_book();
    char pattern[] = "(?<=aa)b";
    sortes_error err;
    srt_regex x;

    (void)state;
    for (int i = 0; i < SRT_MAX_TRACKERS - 1; i++) {
        pattern[4] = (char)('a' + i % 26);
        pattern[5] = (char)('a' + i / 26);
        (void)regex_parsed(b, pattern);
        (void)regex_parsed(b, pattern); /* the same one */
    }
    pattern[4] = '-';
    assert_int_equal(srt_book_parse(b, pattern, 8, false, &x, &err),
                     SORTES_E_LIMIT);
    srt_book_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_patterns_are_one_source),
        cmocka_unit_test(what_assertions_ask_is_known),
        cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(trackers_have_a_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

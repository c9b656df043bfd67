/*
 * test_compile.c - assertions and what follows them
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

#include <string.h>

/* Bodies with assertions are copied, so their counts have a limit. */
static void asserted_counts_have_a_limit(void **state)
{
    static const struct {
        const char *pattern;
        sortes_status status;
    } rows[] = {
        { "(?:a(?!b)){1000}", SORTES_OK },
        { "(?:a(?!b)){1001}", SORTES_E_LIMIT },
        { "(?:a(?!b)){2,1001}", SORTES_E_LIMIT },
        { "(?:a(?!b)){1000,}", SORTES_OK },
        { "(?:a(?:b(?:c(?!d)){900}){900}){900}", SORTES_E_LIMIT },
        { "(?:ab){100000}(?!d)", SORTES_OK },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        struct srt_book *b = regex_book();
        const srt_regex x = regex_parsed(b, rows[i].pattern);
        uint32_t s;

        assert_int_equal(srt_book_close(b, NULL, 0), SORTES_OK);
        if (srt_book_start(b, x, &s) != rows[i].status)
            fail_msg("%s", rows[i].pattern);
        srt_book_free(b);
    }
}

/* An operand of "not" is a language of its own: lookahead ends with it. */
static void operands_end_what_is_looked_at(void **state)
{
    struct srt_book *b = regex_book();
    const srt_regex x = regex_parsed(b, "a(?!b)[^]*"), y = regex_parsed(b, "b");
    struct regex_check r;
    srt_regex z;

    (void)state;
    assert_int_equal(srt_book_not(b, x, &z), SORTES_OK);
    assert_int_equal(srt_book_concat(b, z, y, &z), SORTES_OK);
    regex_begin(&r, b, z);
    /* "ab" is "" and... no: "a" matches x, so "ab" needs z = "a", refused */
    assert_false(regex_ends(&r, regex_walk(&r, r.start, "ab", 2)));
    assert_true(regex_ends(&r, regex_walk(&r, r.start, "abb", 3)));
    assert_true(regex_ends(&r, regex_walk(&r, r.start, "b", 1)));
    regex_close(&r);
}

static void equal_loops_are_one(void **state)
{
    struct srt_book *b = regex_book();
    const srt_regex x = regex_parsed(b, "x(?:(?!a)[^])*");
    const srt_regex y = regex_parsed(b, "(?:(?!a)[^])*");
    uint32_t s, t;

    (void)state;
    assert_int_equal(srt_book_close(b, NULL, 0), SORTES_OK);
    assert_int_equal(srt_book_start(b, x, &s), SORTES_OK);
    assert_int_equal(srt_book_step(b, s, srt_book_class(b, 'x'), &s),
                     SORTES_OK);
    assert_int_equal(srt_book_start(b, y, &t), SORTES_OK);
    assert_int_equal(s, t);
    srt_book_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asserted_counts_have_a_limit),
        cmocka_unit_test(operands_end_what_is_looked_at),
        cmocka_unit_test(equal_loops_are_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

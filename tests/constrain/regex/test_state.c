/*
 * test_state.c - states keep what the future depends on and nothing else
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/regex_check.h"

#include <string.h>

static size_t states_after(const char *pattern, bool search, const char *text)
{
    struct srt_book *b = regex_book();
    struct regex_check r;
    srt_regex x;
    uint32_t s;
    size_t n;

    assert_int_equal(
        srt_book_parse(b, pattern, strlen(pattern), search, &x, NULL),
        SORTES_OK);
    regex_begin(&r, b, x);
    s = regex_walk(&r, r.start, text, strlen(text));
    assert_int_not_equal(s, 0);
    for (const char *c = text; *c; c++)
        for (const char *d = text; *d; d++)
            s = regex_walk(&r, r.start, (const char[]){ *c, *d }, 2);
    srt_book_stats(b, &n, NULL);
    regex_close(&r);
    return n;
}

/* `^` is forgotten after the first character, `\b` wherever none stands. */
static void trackers_are_forgotten(void **state)
{
    (void)state;
    assert_int_equal(states_after("^[^]*", false, "ab-a"), 2);
    assert_int_equal(states_after("[^]*", false, "ab-a"), 1);
    assert_int_equal(states_after("^a", true, "ab-a"), 2);
    assert_int_equal(states_after("\\b[^]*", false, "ab-a"), 2);
    assert_int_equal(states_after("[^]*\\b[^]*", false, "a-a-"), 2);
}

static void equal_futures_are_one_state(void **state)
{
    struct regex_check r;

    (void)state;
    regex_open(&r, "(?:ax|bx)y|(?:ax|cx)y");
    assert_int_equal(regex_walk(&r, r.start, "a", 1),
                     regex_walk(&r, r.start, "c", 1));
    assert_int_equal(regex_walk(&r, r.start, "bx", 2),
                     regex_walk(&r, r.start, "ax", 2));
    regex_close(&r);
    regex_open(&r, "(?<=a)x|[ab](?<=[ab])x|cx");
    assert_int_equal(regex_walk(&r, r.start, "c", 1),
                     regex_walk(&r, r.start, "c", 1));
    regex_close(&r);
}

/* Bytes that cannot differ are answered by one derivative. */
static void rows_are_filled_by_class(void **state)
{
    struct regex_check r;
    size_t n;

    (void)state;
    regex_open(&r, "[a-z]{2}[0-9]");
    for (char c = 'a'; c <= 'z'; c++)
        assert_int_equal(regex_walk(&r, r.start, &c, 1),
                         regex_walk(&r, r.start, "q", 1));
    srt_book_stats(r.book, &n, NULL);
    assert_int_equal(n, 2);
    regex_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trackers_are_forgotten),
        cmocka_unit_test(equal_futures_are_one_state),
        cmocka_unit_test(rows_are_filled_by_class),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_factor.c - alternatives stay few: counted by their states
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/regex_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t states_after(const char *pattern, const char *text)
{
    struct regex_check r;
    size_t n;

    regex_open(&r, pattern);
    assert_int_not_equal(regex_walk(&r, r.start, text, strlen(text)), 0);
    srt_book_stats(r.book, &n, NULL);
    regex_close(&r);
    return n;
}

static void counters_stay_one(void **state)
{
    char text[101];

    (void)state;
    memset(text, 'a', 100);
    text[100] = '\0';
    assert_int_equal(states_after("(a|aa){0,100}", text), 101);
    assert_int_equal(states_after("(a?){100}", text), 101);
    assert_int_equal(states_after("((a*)*)*", text), 1);
    assert_int_equal(states_after("(a+)+", text), 2);
    assert_int_equal(states_after("a{1,50}a{1,50}", text), 101);
    assert_int_equal(states_after("(a{2,3}){0,50}", text), 101);
    assert_int_equal(states_after(".*a.*a.*", text), 3);
}

static char *alternatives(const char *format, int n)
{
    char *text = malloc((size_t)n * 24), *at = text;

    assert_non_null(text);
    for (int i = 0; i < n; i++) {
        at += sprintf(at, format, i);
        *at++ = i + 1 < n ? '|' : '\0';
    }
    return text;
}

static void thousands_of_literals_are_a_tree(void **state)
{
    char *pattern = alternatives("key_%05d_", 5000);
    struct regex_check r;
    size_t n;

    (void)state;
    regex_open(&r, pattern);
    assert_int_not_equal(regex_walk(&r, r.start, "key_0", 5), 0);
    assert_int_equal(regex_walk(&r, r.start, "key_5", 5), 0);
    assert_true(regex_ends(&r, regex_walk(&r, r.start, "key_04999_", 10)));
    assert_false(regex_ends(&r, regex_walk(&r, r.start, "key_04999", 9)));
    /* 0 to 4999: "key_0" and one more digit lead to the same state ten times */
    srt_book_stats(r.book, &n, NULL);
    assert_true(n <= 12);
    regex_close(&r);
    free(pattern);
}

static void thousands_of_others_come_apart(void **state)
{
    char *pattern = alternatives("a*%d[b-z]+", 3000);
    struct regex_check r;

    (void)state;
    regex_open(&r, pattern);
    assert_true(regex_ends(&r, regex_walk(&r, r.start, "aaa2999z", 8)));
    assert_int_equal(regex_walk(&r, r.start, "aaa3000", 7), 0);
    regex_close(&r);
    free(pattern);
}

/* Merged a few levels at a time where they go deep. */
static void long_common_beginnings(void **state)
{
    enum { N = 3000 };
    char *pattern = malloc(2 * N + 4), *text = malloc(N + 2);
    struct regex_check r;

    (void)state;
    memset(pattern, 'a', N);
    pattern[N] = 'b';
    pattern[N + 1] = '|';
    memset(pattern + N + 2, 'a', N);
    memcpy(pattern + 2 * N + 2, "c", 2);
    memset(text, 'a', N);
    regex_open(&r, pattern);
    text[N] = 'b';
    assert_true(regex_ends(&r, regex_walk(&r, r.start, text, N + 1)));
    text[N] = 'c';
    assert_true(regex_ends(&r, regex_walk(&r, r.start, text, N + 1)));
    text[N] = 'a';
    assert_int_equal(regex_walk(&r, r.start, text, N + 1), 0);
    regex_close(&r);
    free(pattern);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_stay_one),
        cmocka_unit_test(thousands_of_literals_are_a_tree),
        cmocka_unit_test(thousands_of_others_come_apart),
        cmocka_unit_test(long_common_beginnings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_book.c - building by calls, limits, what may be done when
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/regex_check.h"

#include <stdlib.h>
#include <string.h>

static void expressions_are_built_by_calls(void **state)
{
    static const uint32_t word[] = { 'k', 0xE9, 0x1F600 };
    static const uint32_t digits[][2] = { { '0', '9' } };
    struct srt_book *b = regex_book();
    struct regex_check r;
    srt_regex literal, digit, x, all[2];

    (void)state;
    assert_int_equal(srt_book_literal(b, word, 3, &literal), SORTES_OK);
    assert_int_equal(srt_book_set(b, digits, 1, &digit), SORTES_OK);
    assert_int_equal(srt_book_repeat(b, digit, 2, 3, &x), SORTES_OK);
    assert_int_equal(srt_book_concat(b, literal, x, &all[0]), SORTES_OK);
    assert_int_equal(srt_book_literal(b, NULL, 0, &all[1]), SORTES_OK);
    assert_int_equal(srt_book_or(b, all, 2, &x), SORTES_OK);
    regex_begin(&r, b, x);
    assert_true(regex_ends(&r, r.start));
    assert_true(regex_ends(&r, regex_walk(&r, r.start,
                                          "k\xC3\xA9\xF0\x9F\x98\x80"
                                          "12",
                                          9)));
    assert_false(regex_ends(&r, regex_walk(&r, r.start,
                                           "k\xC3\xA9\xF0\x9F\x98\x80"
                                           "1",
                                           8)));
    regex_close(&r);
}

/* Nothing is an expression as any other. */
static void nothing_and_everything(void **state)
{
    struct srt_book *b = regex_book();
    const srt_regex a = regex_parsed(b, "a");
    srt_regex none, everything, x, y, list[2];
    uint32_t s;
    bool answer;

    (void)state;
    assert_int_equal(srt_book_or(b, NULL, 0, &none), SORTES_OK);
    assert_int_equal(none, SRT_REGEX_NOTHING);
    assert_int_equal(srt_book_and(b, NULL, 0, &everything), SORTES_OK);
    assert_int_equal(srt_book_everything(b, &x), SORTES_OK);
    assert_int_equal(x, everything);
    assert_int_equal(srt_book_not(b, none, &x), SORTES_OK);
    assert_int_equal(x, everything);
    assert_int_equal(srt_book_concat(b, a, none, &x), SORTES_OK);
    assert_int_equal(x, 0);
    assert_int_equal(srt_book_repeat(b, none, 0, 5, &y), SORTES_OK);
    list[0] = none;
    list[1] = a;
    assert_int_equal(srt_book_and(b, list, 2, &x), SORTES_OK);
    assert_int_equal(x, 0);
    assert_int_equal(srt_book_or(b, list, 2, &x), SORTES_OK);
    assert_int_equal(x, a);
    assert_int_equal(srt_book_close(b, NULL, 0), SORTES_OK);
    assert_int_equal(srt_book_start(b, none, &s), SORTES_OK);
    assert_int_equal(s, 0);
    assert_false(srt_book_accepts(b, 0));
    assert_int_equal(srt_book_start(b, y, &s), SORTES_OK);
    assert_true(srt_book_accepts(b, s));
    assert_int_equal(srt_book_start(b, everything, &s), SORTES_OK);
    assert_int_equal(srt_book_is_everything(b, s, &answer), SORTES_OK);
    assert_true(answer);
    srt_book_free(b);
}

static void sets_come_before_closing(void **state)
{
    static const uint32_t wrong[][2] = { { 5, 4 } };
    static const uint32_t order[][2] = { { 5, 9 }, { 9, 10 } };
    static const uint32_t high[][2] = { { 5, 0x110000 } };
    static const uint32_t fine[][2] = { { 5, 9 }, { 10, 10 } };
    static const uint32_t a = 'a';
    struct srt_book *b = regex_book();
    srt_regex x = 0, y = 0;
    uint32_t s;

    (void)state;
    assert_int_equal(srt_book_set(b, wrong, 1, &x), SORTES_E_ARGUMENT);
    assert_int_equal(srt_book_set(b, order, 2, &x), SORTES_E_ARGUMENT);
    assert_int_equal(srt_book_set(b, high, 1, &x), SORTES_E_ARGUMENT);
    assert_int_equal(srt_book_set(b, fine, 2, &x), SORTES_OK);
    assert_int_equal(srt_book_repeat(b, x, 3, 2, &y), SORTES_E_ARGUMENT);
    assert_int_equal(srt_book_start(b, x, &s), SORTES_E_ARGUMENT);
    assert_int_equal(srt_book_close(b, NULL, 0), SORTES_OK);
    assert_int_equal(srt_book_set(b, fine, 2, &x), SORTES_E_ARGUMENT);
    assert_int_equal(srt_book_literal(b, &a, 1, &x), SORTES_E_ARGUMENT);
    assert_int_equal(srt_book_parse(b, "a", 1, false, &x, NULL),
                     SORTES_E_ARGUMENT);
    /* combining what is there needs no set */
    assert_int_equal(srt_book_not(b, x, &y), SORTES_OK);
    assert_int_equal(srt_book_start(b, y, &s), SORTES_OK);
    assert_true(srt_book_accepts(b, s));
    srt_book_free(b);
}

/* Assertions in a part look at all that has been read. */
static void assertions_in_parts(void **state)
{
    struct srt_book *b = regex_book();
    const srt_regex x = regex_parsed(b, "a*"), y = regex_parsed(b, "\\bb");
    struct regex_check r;
    srt_regex xy;

    (void)state;
    assert_int_equal(srt_book_concat(b, x, y, &xy), SORTES_OK);
    regex_begin(&r, b, xy);
    assert_true(regex_ends(&r, regex_walk(&r, r.start, "b", 1)));
    assert_int_equal(regex_walk(&r, r.start, "a", 1), 0);
    regex_close(&r);
}

/* More states than are allowed: a status, and the book goes on. */
static void states_have_a_limit(void **state)
{
    const struct srt_regex_limits few = { 10, 64 << 20, 0 };
    struct srt_book *b;
    srt_regex x;
    uint32_t s, start, a;
    sortes_status status = SORTES_OK;
    int steps = 0;

    (void)state;
    assert_int_equal(srt_book_new(&b, &few), SORTES_OK);
    x = regex_parsed(b, "a{1000}");
    assert_int_equal(srt_book_close(b, NULL, 0), SORTES_OK);
    a = srt_book_class(b, 'a');
    assert_int_equal(srt_book_start(b, x, &start), SORTES_OK);
    for (s = start; status == SORTES_OK; steps++)
        status = srt_book_step(b, s, a, &s);
    assert_int_equal(status, SORTES_E_LIMIT);
    assert_int_equal(steps, 10);
    assert_int_equal(srt_book_step(b, s, a, &s), SORTES_E_LIMIT);
    assert_int_equal(srt_book_step(b, start, a, &s), SORTES_OK);
    assert_int_not_equal(s, 0);
    srt_book_free(b);
}

/* What would take for ever is given up. */
static void work_has_a_limit(void **state)
{
    enum { N = 9 << 20 };
    struct srt_book *b = regex_book();
    srt_regex *many = calloc(N, sizeof(*many));
    srt_regex x = 77;

    (void)state;
    assert_non_null(many);
    for (size_t i = 0; i < N; i++)
        many[i] = 1;
    assert_int_equal(srt_book_or(b, many, N, &x), SORTES_E_LIMIT);
    assert_int_equal(x, 77);
    assert_int_equal(srt_book_or(b, many, 1000000, &x), SORTES_OK);
    assert_int_equal(x, 1);
    free(many);
    srt_book_free(b);
}

/* Each is a step's worth of alternatives that begin alike. */
static void long_chains_of_options_are_no_work(void **state)
{
    static char pattern[200001];
    struct regex_check r;

    (void)state;
    for (size_t i = 0; i < 100000; i++)
        memcpy(pattern + 2 * i, i % 3 ? i % 2 ? "a?" : "b?" : "c?", 2);
    regex_open(&r, pattern);
    assert_int_not_equal(regex_walk(&r, r.start, "abcabcabccba", 12), 0);
    regex_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_are_built_by_calls),
        cmocka_unit_test(nothing_and_everything),
        cmocka_unit_test(sets_come_before_closing),
        cmocka_unit_test(assertions_in_parts),
        cmocka_unit_test(states_have_a_limit),
        cmocka_unit_test(work_has_a_limit),
        cmocka_unit_test(long_chains_of_options_are_no_work),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

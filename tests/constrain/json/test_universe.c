/*
 * test_universe.c - every text over a few pieces: which are JSON objects, and
 * which prefixes can still become one
 *
 * The pieces are tried in every order as long as the judge, a recogniser by
 * recursive descent, says that something can follow; at each place the matcher
 * must agree about every piece.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sortes.h"
#include "support/json_judge.h"
#include "support/rows.h"

#include <string.h>

struct universe {
    const char *const *pieces;
    size_t n_pieces, depth;
    sortes_matcher *m;
    char text[256];
    size_t n_nodes;
};

static sortes_matcher *any_object(void)
{
    const sortes_grammar_options options = { .struct_size = sizeof(options),
                                             .profile = "json" };
    sortes_grammar *g;
    sortes_matcher *m;

    assert_int_equal(
        sortes_grammar_new(&g, "json_object", NULL, 0, &options, NULL),
        SORTES_OK);
    assert_int_equal(sortes_matcher_new(&m, g, NULL, NULL), SORTES_OK);
    sortes_grammar_free(g);
    return m;
}

static void compare(struct universe *u, size_t n, const char *piece,
                    enum judge_verdict want, sortes_status got)
{
    const int whole = got == SORTES_OK && sortes_matcher_is_accepting(u->m);

    if ((got == SORTES_OK) != (want != JUDGE_NEVER) ||
        whole != (want == JUDGE_WHOLE))
        fail_msg("'%.*s' and '%s': %s, %s", (int)n, u->text, piece,
                 sortes_status_name(got), whole ? "whole" : "not whole");
    if (got != SORTES_OK)
        assert_int_equal(got, SORTES_E_NO_TOKEN);
}

static void explore(struct universe *u, size_t n, size_t depth)
{
    for (size_t i = 0; i < u->n_pieces; i++) {
        const char *piece = u->pieces[i];
        const size_t length = strlen(piece);

        memcpy(u->text + n, piece, length);
        const enum judge_verdict v = judge_object(u->text, n + length);
        const sortes_status status =
            sortes_matcher_advance_bytes(u->m, piece, length, NULL);
        compare(u, n, piece, v, status);
        u->n_nodes++;
        if (status != SORTES_OK)
            continue;
        if (depth + 1 < u->depth)
            explore(u, n + length, depth + 1);
        assert_int_equal(sortes_matcher_rollback(u->m, 1), SORTES_OK);
    }
}

static size_t explore_all(const char *const *pieces, size_t n_pieces,
                          size_t depth)
{
    struct universe u = { .pieces = pieces,
                          .n_pieces = n_pieces,
                          .depth = depth,
                          .m = any_object() };

    explore(&u, 0, 0);
    sortes_matcher_free(u.m);
    return u.n_nodes;
}

#define EXPLORE(pieces, depth)                                                 \
    explore_all(pieces, sizeof(pieces) / sizeof(*(pieces)), depth)

static void structure_is_judged_alike(void **state)
{
    static const char *const pieces[] = { "{",           "}", "[",     "]",
                                          ",",           ":", "\"a\"", "\"b\"",
                                          "\"\\u0061\"", "0", "1",     "1.0",
                                          "true" };

    (void)state;
    assert_int_equal(EXPLORE(pieces, 11), 602355);
}

static void strings_are_judged_alike(void **state)
{
    static const char *const pieces[] = {
        "{\"",  "\"",   "\\",   "u",    "d83d", "dE00", "D8",   "00",
        "a",    "\n",   "\x7F", "\xC3", "\xA9", "\xE0", "\xED", "\x9F",
        "\xF4", "\x8F", "\xC0", "\x80", ":",    "n"
    };

    (void)state;
    assert_int_equal(EXPLORE(pieces, 6), 435446);
}

static void numbers_and_words_are_judged_alike(void **state)
{
    static const char *const pieces[] = { "{\"\":", "}",   "-",    "0", "1",
                                          "23",     ".",   "e",    "E", "+",
                                          "t",      "rue", "null", "f", "alse",
                                          " ",      "\n" };

    (void)state;
    assert_int_equal(EXPLORE(pieces, 6), 58565);
}

static void keys_differ_once_they_are_read(void **state)
{
    static const char *const pieces[] = { "{\"",
                                          "\":0",
                                          ",\"",
                                          "}",
                                          "a",
                                          "b",
                                          "\\u0061",
                                          "\\u",
                                          "006",
                                          "1",
                                          "\xC3\xA9",
                                          "\\u00e9",
                                          "\\ud83d\\ude00",
                                          "\xF0\x9F\x98\x80" };

    (void)state;
    assert_int_equal(EXPLORE(pieces, 7), 2398830);
}

/* Longer texts: a valid one grows piece by piece, most of the time by one that
 * may come; where it fails, it fails at the byte that the judge says. */
static void long_texts_fail_at_the_same_byte(void **state)
{
    static const char *const pieces[] = {
        "{",       "}",   "[",     "]",        ",",        ":",
        "\"",      "\"a", "\"b\"", "\"c\":",   "\\u0061",  "\\ud83d",
        "\\ude00", "\\n", "0",     "-1.5e+3",  "12",       "true",
        "null",    " ",   "\n\t",  "\xC3\xA9", "\xE2\x82", "\xAC",
        "\x7F",    "e",   "false", "\\/",      ".5"
    };
    struct rows_random random = { 1 };
    sortes_matcher *m = any_object();
    unsigned whole = 0, failed = 0;

    (void)state;
    for (int round = 0; round < 4000; round++) {
        char text[512] = "{";
        size_t n = 1, n_ok = 0, want = 0;

        while (n < 200 && rows_below(&random, 60) > 0) {
            const char *piece =
                pieces[rows_below(&random, sizeof(pieces) / sizeof(*pieces))];
            const size_t length = strlen(piece);

            memcpy(text + n, piece, length);
            if (judge_object(text, n + length) != JUDGE_NEVER ||
                rows_below(&random, 200) == 0)
                n += length;
        }
        while (want < n && judge_object(text, want + 1) != JUDGE_NEVER)
            want++;
        sortes_matcher_reset(m);
        const sortes_status status =
            sortes_matcher_advance_bytes(m, text, n, &n_ok);
        if (n_ok != want || (status == SORTES_OK) != (want == n))
            fail_msg("'%.*s': %zu bytes, not %zu", (int)n, text, n_ok, want);
        failed += want < n;
        if (want == n && judge_object(text, n) == JUDGE_WHOLE) {
            assert_int_equal(sortes_matcher_is_accepting(m), 1);
            whole++;
        }
    }
    assert_true(whole > 200 && failed > 200);
    sortes_matcher_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structure_is_judged_alike),
        cmocka_unit_test(strings_are_judged_alike),
        cmocka_unit_test(numbers_and_words_are_judged_alike),
        cmocka_unit_test(keys_differ_once_they_are_read),
        cmocka_unit_test(long_texts_fail_at_the_same_byte),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

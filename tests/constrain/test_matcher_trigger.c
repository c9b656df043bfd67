/*
 * test_matcher_trigger.c - a grammar sleeps until its trigger has come
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sortes.h"

#include <stdio.h>
#include <string.h>

static const char *const pieces[] = { "</s>", "a",   "b", "<",   "t>",
                                      "<t",   ">",   "t", "x<t", ">a",
                                      ">b",   "<t>", "(", ")" };
static const uint32_t piece_flags[14] = { SORTES_TOKEN_EOG |
                                          SORTES_TOKEN_CONTROL };

enum { N_PIECES = sizeof(pieces) / sizeof(pieces[0]) };

#define WORD(word)                                                             \
    {                                                                          \
        "word", word, sizeof(word) - 1, -1                                     \
    }
#define PATTERN(text)                                                          \
    {                                                                          \
        "pattern", text, sizeof(text) - 1, -1                                  \
    }
#define TOKEN(token)                                                           \
    {                                                                          \
        "token", NULL, 0, token                                                \
    }

static sortes_matcher *matcher_with(const char *grammar, const char *form)
{
    const sortes_grammar_options options = { .struct_size = sizeof(options),
                                             .form = form };
    sortes_vocab_desc desc = { .struct_size = sizeof(desc),
                               .n_tokens = N_PIECES,
                               .bytes = pieces,
                               .flags = piece_flags };
    size_t lengths[N_PIECES];
    sortes_grammar *g;
    sortes_vocab *v;
    sortes_matcher *m;

    for (size_t i = 0; i < N_PIECES; i++)
        lengths[i] = strlen(pieces[i]);
    desc.n_bytes = lengths;
    assert_int_equal(sortes_vocab_new(&v, &desc, NULL), SORTES_OK);
    assert_int_equal(sortes_grammar_new(&g, "gbnf", grammar, strlen(grammar),
                                        &options, NULL),
                     SORTES_OK);
    assert_int_equal(sortes_matcher_new(&m, g, v, NULL), SORTES_OK);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
    return m;
}

static sortes_matcher *asleep(const char *grammar, const char *form,
                              const sortes_trigger *triggers, size_t n)
{
    sortes_matcher *m = matcher_with(grammar, form);
    sortes_error err = { 0 };

    if (sortes_matcher_trigger(m, triggers, n, &err) != SORTES_OK)
        fail_msg("%s", err.text);
    return m;
}

/* Allowed tokens as a string of letters, token 0 as 'A'; allows() agrees. */
static const char *allowed_letters(sortes_matcher *m)
{
    static char letters[N_PIECES + 1];
    int32_t list[N_PIECES];
    size_t n, at = 0;

    assert_int_equal(sortes_matcher_allowed(m, list, N_PIECES, &n), SORTES_OK);
    for (int32_t i = 0; i < N_PIECES; i++) {
        const int listed = at < n && list[at] == i;

        assert_int_equal(sortes_matcher_allows(m, i), listed);
        if (listed)
            letters[at++] = (char)('A' + i);
    }
    letters[at] = '\0';
    return letters;
}

static void advance_all(sortes_matcher *m, const int32_t *tokens, size_t n)
{
    size_t n_ok;

    if (sortes_matcher_advance(m, tokens, n, &n_ok) != SORTES_OK)
        fail_msg("refused at %zu", n_ok);
}

#define EVERYTHING "ABCDEFGHIJKLMN"
#define GRAMMAR    "root ::= \"<t>\" \"a\" \"b\"*"

/* Whatever tokens spell the word, the grammar goes on behind it. */
static void words_wake_in_any_tokens(void **state)
{
    static const sortes_trigger word[] = { WORD("<t>") };
    static const int32_t ways[][4] = { { 11, -1 },      { 3, 4, -1 },
                                       { 5, 6, -1 },    { 3, 7, 6, -1 },
                                       { 1, 8, 6, -1 }, { 5, 5, 6, -1 },
                                       { 2, 3, 4, -1 } };
    static const char *const forms[] = { "exact", "literal" };

    (void)state;
    for (size_t i = 0; i < 2 * sizeof(ways) / sizeof(ways[0]); i++) {
        const int32_t *way = ways[i / 2];
        sortes_matcher *m = asleep(GRAMMAR, forms[i % 2], word, 1);
        size_t n = 0;

        while (n < 4 && way[n] >= 0)
            n++;
        for (size_t k = 0; k < n; k++) {
            assert_false(sortes_matcher_is_accepting(m));
            advance_all(m, &way[k], 1);
        }
        assert_string_equal(allowed_letters(m), "B");
        assert_int_equal(sortes_matcher_wants_mask(m), 1);
        advance_all(m, (const int32_t[]){ 1, 2, 2 }, 3);
        assert_string_equal(allowed_letters(m), "AC");
        sortes_matcher_free(m);
    }
}

/* Inside a token: what is behind the word belongs to the grammar. */
static void tokens_that_go_on_wrongly_are_refused(void **state)
{
    static const sortes_trigger word[] = { WORD("<t>") };
    sortes_matcher *m = asleep(GRAMMAR, "exact", word, 1), *clone;

    (void)state;
    assert_string_equal(allowed_letters(m), EVERYTHING);
    assert_int_equal(sortes_matcher_wants_mask(m), 0);
    advance_all(m, (const int32_t[]){ 3, 7 }, 2); /* "<t" */
    assert_string_equal(allowed_letters(m), "ABCDEFGHIJLMN");
    assert_int_equal(sortes_matcher_wants_mask(m), 1);
    assert_int_equal(
        sortes_matcher_advance(m, (const int32_t[]){ 10 }, 1, NULL),
        SORTES_E_NO_TOKEN);
    assert_int_equal(sortes_matcher_clone(&clone, m), SORTES_OK);
    advance_all(clone, (const int32_t[]){ 9 }, 1);
    assert_string_equal(allowed_letters(clone), "AC");
    assert_int_equal(sortes_matcher_rollback(clone, 1), SORTES_OK);
    assert_string_equal(allowed_letters(clone), "ABCDEFGHIJLMN");
    assert_int_equal(sortes_matcher_rollback(clone, 2), SORTES_OK);
    assert_string_equal(allowed_letters(clone), EVERYTHING);
    sortes_matcher_free(clone);
    sortes_matcher_reset(m);
    advance_all(m, (const int32_t[]){ 1, 1, 0 }, 3); /* it may never wake */
    assert_true(sortes_matcher_is_finished(m));
    sortes_matcher_free(m);
    /* llama.cpp masks nothing while it waits, and throws then. */
    m = asleep(GRAMMAR, "literal", word, 1);
    advance_all(m, (const int32_t[]){ 3, 7 }, 2);
    assert_string_equal(allowed_letters(m), EVERYTHING);
    assert_int_equal(sortes_matcher_wants_mask(m), 0);
    assert_int_equal(
        sortes_matcher_advance(m, (const int32_t[]){ 10 }, 1, NULL),
        SORTES_E_NO_TOKEN);
    sortes_matcher_free(m);
}

static void tokens_wake_by_their_number(void **state)
{
    static const sortes_trigger either[] = { TOKEN(11), TOKEN(12), WORD("bb") };
    sortes_matcher *m = asleep("root ::= <[12]> \"a\" | \"<t>\" \")\" | "
                               "\"bb\" \"(\"",
                               "exact", either, 3);

    (void)state;
    advance_all(m, (const int32_t[]){ 3, 4, 1 }, 3); /* "<t>" by others */
    assert_string_equal(allowed_letters(m), EVERYTHING);
    advance_all(m, (const int32_t[]){ 11 }, 1);
    assert_string_equal(allowed_letters(m), "N");
    sortes_matcher_reset(m);
    advance_all(m, (const int32_t[]){ 12 }, 1);
    assert_string_equal(allowed_letters(m), "B");
    sortes_matcher_reset(m);
    advance_all(m, (const int32_t[]){ 2, 1, 2, 2 }, 4);
    assert_string_equal(allowed_letters(m), "M");
    sortes_matcher_free(m);
}

/* The grammar begins with the group. */
static void patterns_are_words_with_a_group(void **state)
{
    static const sortes_trigger pattern[] = { PATTERN("x<(t\\>)") };
    static const sortes_trigger first[] = { WORD("t>"), WORD("<t>") };
    sortes_matcher *m = asleep("root ::= \"t>\" \"a\"", "exact", pattern, 1);

    (void)state;
    advance_all(m, (const int32_t[]){ 3, 4 }, 2);
    assert_string_equal(allowed_letters(m), EVERYTHING);
    advance_all(m, (const int32_t[]){ 8, 9 }, 2); /* "x<t" ">a" */
    assert_string_equal(allowed_letters(m), "A");
    sortes_matcher_free(m);
    /* Of two that end together, the first listed. */
    m = asleep("root ::= \"t>\" \"a\" | \"<t>\" \"b\"", "exact", first, 2);
    advance_all(m, (const int32_t[]){ 5, 6 }, 2);
    assert_string_equal(allowed_letters(m), "B");
    sortes_matcher_free(m);
    m = asleep("root ::= \"t>\" \"a\"", "exact", first, 2);
    assert_int_equal(sortes_matcher_advance_bytes(m, "aa<t>a", 6, NULL),
                     SORTES_OK);
    assert_true(sortes_matcher_is_accepting(m));
    sortes_matcher_free(m);
}

static void saved_matchers_wake_again(void **state)
{
    static const sortes_trigger word[] = { WORD("<t>") };
    sortes_matcher *m = asleep(GRAMMAR, "exact", word, 1);
    sortes_matcher *other = asleep(GRAMMAR, "exact", word, 1);
    char data[256];
    size_t n;

    (void)state;
    advance_all(m, (const int32_t[]){ 1, 5, 9 }, 3);
    assert_int_equal(sortes_matcher_save(m, data, sizeof(data), &n), SORTES_OK);
    assert_int_equal(sortes_matcher_load(other, data, n, NULL), SORTES_OK);
    assert_string_equal(allowed_letters(other), "AC");
    sortes_matcher_free(m);
    sortes_matcher_free(other);
}

static void what_is_no_trigger_is_refused(void **state)
{
    static const struct {
        sortes_trigger trigger;
        sortes_status status;
        const char *message;
    } cases[] = {
        { WORD(""), SORTES_E_RANGE, "trigger: it is empty" },
        { PATTERN("()"), SORTES_E_RANGE, "trigger: it is empty" },
        { PATTERN("a|b"), SORTES_E_NAME,
          "trigger: the pattern is not a word with at most one group in it" },
        { PATTERN("(a)(b)"), SORTES_E_NAME,
          "trigger: the pattern is not a word with at most one group in it" },
        { PATTERN("(a"), SORTES_E_NAME,
          "trigger: the pattern is not a word with at most one group in it" },
        { PATTERN("\\d"), SORTES_E_NAME,
          "trigger: the pattern is not a word with at most one group in it" },
        { TOKEN(14), SORTES_E_RANGE,
          "trigger: token 14 is not in the vocabulary" },
        { { "words", "a", 1, -1 },
          SORTES_E_NAME,
          "trigger: the kind is not token, word or pattern" },
        { { "word", NULL, 0, -1 },
          SORTES_E_ARGUMENT,
          "trigger: it has no text" },
    };
    static const sortes_trigger word[] = { WORD("a") };
    sortes_matcher *m = matcher_with(GRAMMAR, "exact");

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        sortes_error err = { 0 };

        assert_int_equal(sortes_matcher_trigger(m, &cases[i].trigger, 1, &err),
                         cases[i].status);
        assert_string_equal(err.text, cases[i].message);
    }
    assert_string_equal(allowed_letters(m), "DFL"); /* awake still */
    assert_int_equal(sortes_matcher_trigger(m, word, 1, NULL), SORTES_OK);
    assert_int_equal(sortes_matcher_trigger(m, word, 1, NULL),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_matcher_heal(m, "a", 1), SORTES_E_ARGUMENT);
    sortes_matcher_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_wake_in_any_tokens),
        cmocka_unit_test(tokens_that_go_on_wrongly_are_refused),
        cmocka_unit_test(tokens_wake_by_their_number),
        cmocka_unit_test(patterns_are_words_with_a_group),
        cmocka_unit_test(saved_matchers_wake_again),
        cmocka_unit_test(what_is_no_trigger_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

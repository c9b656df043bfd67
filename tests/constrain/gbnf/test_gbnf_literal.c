/*
 * test_gbnf_literal.c - llama.cpp's own rules, token by token
 *
 * What libllama does itself is compared in tests/oracle/grammar.c; here are
 * the answers it gives where the forms differ.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sortes.h"
#include "support/gbnf_samples.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *bytes;
    size_t n;
    uint32_t flags;
} tokens[] = {
    { "</s>", 4, SORTES_TOKEN_EOG | SORTES_TOKEN_CONTROL },
    { "a", 1, 0 },
    { "b", 1, 0 },
    { "ab", 2, 0 },
    { "\xe2\x82", 2, 0 },
    { "\xac", 1, 0 },
    { "\xe2\x82\xac", 3, 0 },
    { "<x>", 3, SORTES_TOKEN_CONTROL },
    { "\0a", 2, 0 },
    { "\xf8\x90\x80\x80", 4, 0 },
    { "a\0b", 3, 0 },
    { "\xe2\x41\x42", 3, 0 },
    { "aba", 3, 0 },
    { "\xe2", 1, 0 },
    { "\x82", 1, 0 },
};

enum { N_TOKENS = sizeof(tokens) / sizeof(tokens[0]) };

static sortes_vocab *small_vocab(void)
{
    const char *pieces[N_TOKENS];
    size_t lengths[N_TOKENS];
    uint32_t flags[N_TOKENS];
    sortes_vocab_desc desc = { .struct_size = sizeof(desc) };
    sortes_vocab *v;

    for (size_t i = 0; i < N_TOKENS; i++) {
        pieces[i] = tokens[i].bytes;
        lengths[i] = tokens[i].n;
        flags[i] = tokens[i].flags;
    }
    desc.n_tokens = N_TOKENS;
    desc.bytes = pieces;
    desc.n_bytes = lengths;
    desc.flags = flags;
    assert_int_equal(sortes_vocab_new(&v, &desc, NULL), SORTES_OK);
    return v;
}

static sortes_matcher *matcher_of(const char *text, const char *form)
{
    const sortes_grammar_options options = { .struct_size = sizeof(options),
                                             .form = form };
    sortes_vocab *v = small_vocab();
    sortes_error err = { 0 };
    sortes_grammar *g;
    sortes_matcher *m;

    if (sortes_grammar_new(&g, "gbnf", text, strlen(text), &options, &err) !=
            SORTES_OK ||
        sortes_matcher_new(&m, g, v, &err) != SORTES_OK)
        fail_msg("%s: %s", text, err.text);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
    return m;
}

/* The allowed tokens as "1 3 10". */
static void list_allowed(sortes_matcher *m, char *to, size_t size)
{
    int32_t list[N_TOKENS];
    size_t n, at = 0;

    to[0] = '\0';
    assert_int_equal(sortes_matcher_allowed(m, list, N_TOKENS, &n), SORTES_OK);
    for (size_t i = 0; i < n; i++)
        at += (size_t)snprintf(to + at, size - at, i ? " %d" : "%d", list[i]);
    for (int32_t i = 0; i < N_TOKENS; i++) {
        int listed = 0;

        for (size_t k = 0; k < n; k++)
            listed |= list[k] == i;
        assert_int_equal(sortes_matcher_allows(m, i), listed);
    }
}

/* Masks before and behind tokens (up to a -1). */
struct answer {
    const char *grammar;
    int32_t path[4];
    const char *literal, *exact; /* NULL: the path is refused */
};

static void check_answer(const struct answer *a, const char *form,
                         const char *expected)
{
    sortes_matcher *m = matcher_of(a->grammar, form);
    size_t n = 0, n_ok;
    char list[128];

    while (a->path[n] >= 0)
        n++;
    if (sortes_matcher_advance(m, a->path, n, &n_ok) != SORTES_OK) {
        if (expected)
            fail_msg("%s, %s: refused at token %zu", a->grammar, form, n_ok);
    } else {
        list_allowed(m, list, sizeof(list));
        if (!expected || strcmp(list, expected) != 0)
            fail_msg("%s, %s: allows %s, not %s", a->grammar, form, list,
                     expected ? expected : "to come here");
    }
    sortes_matcher_free(m);
}

static void forms_differ_where_llama_cpp_does(void **state)
{
    static const struct answer answers[] = {
        /* Alike. */
        { "root ::= \"a\" \"b\"?", { -1 }, "1 3 10", "1 3" },
        { "root ::= \"a\" \"b\"?", { 1, -1 }, "0 2", "0 2" },
        { "root ::= \"a\" \"b\"?", { 3, -1 }, "0", "0" },
        /* A partial character, and one completed between tokens. */
        { "root ::= \"\xe2\x82\xac\"", { -1 }, "4 6 13", "4 6 13" },
        { "root ::= \"\xe2\x82\xac\"", { 13, 14, -1 }, "5", "5" },
        { "root ::= \"\xe2\x82\xac\"", { 4, 5, -1 }, "0", "0" },
        /* (1) a negated class refuses a partial character as soon as it may
         * become one of those left out. */
        { "root ::= [^\\u2081]", { -1 }, "1 2 6 9 10 11", "1 2 4 6 13" },
        { "root ::= [^a\\u20ac]", { -1 }, "2 9 11", "2 4 13" },
        /* (2) tokens that begin with NUL. */
        { "root ::= [\\x00] \"a\"", { -1 }, "", NULL },
        /* (3) F8.. begin four bytes; any byte goes on inside a token. */
        { "root ::= .", { -1 }, "1 2 4 6 9 10 11 13", "1 2 4 6 13" },
        /* (4) nothing says whether a text can end. */
        { "root ::= \"a\" (\"b\" | x)\nx ::= \"a\" x",
          { 1, -1 },
          "1 2 10",
          "2" },
        /* Special tokens by their spelling. */
        { "root ::= \"<x>\" | \"a\"", { -1 }, "1 7 10", "1" },
        /* Token elements. */
        { "root ::= <[7]> <x> \"b\"", { -1 }, "7", "7" },
        { "root ::= <[7]> <x> \"b\"", { 7, 7, -1 }, "2", "2" },
        { "root ::= !<x>",
          { -1 },
          "1 2 3 6 9 10 11 12",
          "1 2 3 4 5 6 8 9 10 11 12 13 14" },
        /* A token element on top inside a token: it may come, and nothing
         * behind it. */
        { "root ::= \"a\" <[3]>", { -1 }, "1 3 10", "1" },
        { "root ::= \"a\" <[3]>", { 3, -1 }, "", NULL },
        { "root ::= \"a\" <[3]>", { 1, 3, -1 }, "0", "0" },
        { "root ::= \"a\" !<[12]>", { -1 }, "1 3 10", "1" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        check_answer(&answers[i], "literal", answers[i].literal);
        if (answers[i].exact)
            check_answer(&answers[i], "exact", answers[i].exact);
    }
}

/* Every token takes the empty stack away: a text that might have ended may not
 * end inside a character. */
static void no_end_inside_a_character(void **state)
{
    static const int32_t path[] = { 1, 13 };
    sortes_matcher *m = matcher_of("root ::= [^b]*", "literal");

    (void)state;
    assert_int_equal(sortes_matcher_advance(m, path, 1, NULL), SORTES_OK);
    assert_true(sortes_matcher_is_accepting(m));
    assert_int_equal(sortes_matcher_advance(m, path + 1, 1, NULL), SORTES_OK);
    assert_false(sortes_matcher_is_accepting(m));
    sortes_matcher_free(m);
}

/* ---- in a sampler -------------------------------------------------------- */

static sortes_status sampler_with(sortes_sampler **s, const char *grammar,
                                  sortes_vocab *v, sortes_error *err)
{
    sortes_params *p;
    sortes_status status;

    assert_int_equal(sortes_params_new(&p, "llama.cpp", NULL), SORTES_OK);
    assert_int_equal(sortes_params_set_text(p, "grammar", grammar, NULL),
                     SORTES_OK);
    status = sortes_sampler_new(s, p, v, err);
    sortes_params_free(p);
    return status;
}

/* The likeliest token is forbidden: it is drawn, refused, and redrawn. */
static void a_sampler_is_made_with_its_grammar(void **state)
{
    float logits[N_TOKENS] = { 0 };
    const sortes_row row = { logits, N_TOKENS, SORTES_F32 };
    sortes_vocab *v = small_vocab();
    sortes_sampler *s, *clone;
    sortes_draw draw;

    (void)state;
    logits[4] = 100;
    assert_int_equal(sampler_with(&s, "root ::= \"b\" \"a\"", v, NULL),
                     SORTES_OK);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(sortes_sampler_sample(s, &row, &draw), SORTES_OK);
        assert_int_equal(draw.token, 2);
        assert_true(draw.flags & SORTES_DRAW_REDRAWN);
        assert_int_equal(
            sortes_sampler_accept(s, &draw.token, 1, SORTES_GENERATED),
            SORTES_OK);
        assert_int_equal(sortes_sampler_clone(&clone, s), SORTES_OK);
        assert_int_equal(sortes_sampler_sample(clone, &row, &draw), SORTES_OK);
        assert_true(draw.token == 1 || draw.token == 10);
        sortes_sampler_free(clone);
        assert_int_equal(sortes_sampler_reset(s), SORTES_OK);
    }
    sortes_sampler_free(s);
    sortes_vocab_free(v);
}

static void a_sampler_says_what_is_wrong_with_its_grammar(void **state)
{
    sortes_vocab *v = small_vocab();
    sortes_error err = { 0 };
    sortes_sampler *s;

    (void)state;
    assert_int_equal(sampler_with(&s, "root ::= \"a\"", NULL, &err),
                     SORTES_E_ARGUMENT);
    assert_string_equal(err.text,
                        "grammar: it needs a vocab, and none was given");
    assert_int_equal(sampler_with(&s, "root ::= root", v, &err),
                     SORTES_E_SYNTAX);
    assert_string_equal(err.text,
                        "gbnf: line 1, column 1: left recursion in rule "
                        "'root'");
    assert_int_equal(sampler_with(&s, "root ::= <none>", v, &err),
                     SORTES_E_NAME);
    assert_string_equal(err.text, "gbnf: line 1, column 10: this is not one "
                                  "token of the vocab");
    assert_int_equal(sampler_with(&s, "", NULL, &err), SORTES_OK);
    sortes_sampler_free(s);
    sortes_vocab_free(v);
}

/* Asleep every token may come; behind the trigger the grammar's alone. */
static void a_lazy_grammar_waits(void **state)
{
    float logits[N_TOKENS] = { 0 };
    const sortes_row row = { logits, N_TOKENS, SORTES_F32 };
    sortes_vocab *v = small_vocab();
    sortes_error err = { 0 };
    sortes_params *p;
    sortes_sampler *s;
    sortes_draw draw;

    (void)state;
    assert_int_equal(sortes_params_new(&p, "llama.cpp", NULL), SORTES_OK);
    assert_int_equal(
        sortes_params_set_text(p, "grammar", "root ::= \"ab\" \"b\"", NULL),
        SORTES_OK);
    assert_int_equal(sortes_params_set_text(p, "grammar_lazy", "true", NULL),
                     SORTES_OK);
    assert_int_equal(
        sortes_params_set_text(p, "grammar_triggers", "pattern:b(ab)", NULL),
        SORTES_OK);
    assert_int_equal(sortes_sampler_new(&s, p, v, NULL), SORTES_OK);
    logits[3] = 100; /* "ab" */
    for (int step = 0; step < 3; step++) {
        assert_int_equal(sortes_sampler_sample(s, &row, &draw), SORTES_OK);
        assert_int_equal(draw.token, step < 2 ? 3 : 2); /* abab, b */
        assert_int_equal(
            sortes_sampler_accept(s, &draw.token, 1, SORTES_GENERATED),
            SORTES_OK);
    }
    sortes_sampler_free(s);
    assert_int_equal(
        sortes_params_set_text(p, "grammar_triggers", "word:b", NULL),
        SORTES_OK);
    assert_int_equal(sortes_sampler_new(&s, p, v, &err), SORTES_E_NAME);
    assert_string_equal(err.text, "grammar_triggers: a word needs a vocab with "
                                  "a tokenizer");
    assert_int_equal(
        sortes_params_set_text(p, "grammar_triggers", "token:x", NULL),
        SORTES_OK);
    assert_int_equal(sortes_sampler_new(&s, p, v, &err), SORTES_E_RANGE);
    assert_string_equal(err.text, "grammar_triggers: 'token:x' is not "
                                  "token:ID, word:TEXT or pattern:REGEX");
    sortes_params_free(p);
    sortes_vocab_free(v);
}

/* By bytes, both forms judge a text alike. */
static void samples_are_judged_alike(void **state)
{
    static const char *const forms[] = { "exact", "literal" };

    (void)state;
    for (size_t i = 0; i < 2 * gbnf_n_samples; i++) {
        const struct gbnf_sample *s = &gbnf_samples[i / 2];
        const sortes_grammar_options options = { .struct_size = sizeof(options),
                                                 .form = forms[i % 2] };
        sortes_grammar *g;
        sortes_matcher *m;
        size_t n_ok, n = strlen(s->rejects);

        assert_int_equal(sortes_grammar_new(&g, "gbnf", s->text,
                                            strlen(s->text), &options, NULL),
                         SORTES_OK);
        assert_int_equal(sortes_matcher_new(&m, g, NULL, NULL), SORTES_OK);
        sortes_grammar_free(g);
        if (sortes_matcher_advance_bytes(m, s->accepts, strlen(s->accepts),
                                         &n_ok) != SORTES_OK ||
            !sortes_matcher_is_accepting(m))
            fail_msg("%s, %s: stops at %zu", s->name, forms[i % 2], n_ok);
        sortes_matcher_reset(m);
        if (n) {
            assert_int_equal(
                sortes_matcher_advance_bytes(m, s->rejects, n, &n_ok),
                SORTES_E_NO_TOKEN);
            if (n_ok != n - 1)
                fail_msg("%s, %s: refused at %zu", s->name, forms[i % 2], n_ok);
        }
        sortes_matcher_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_differ_where_llama_cpp_does),
        cmocka_unit_test(no_end_inside_a_character),
        cmocka_unit_test(a_sampler_is_made_with_its_grammar),
        cmocka_unit_test(a_sampler_says_what_is_wrong_with_its_grammar),
        cmocka_unit_test(a_lazy_grammar_waits),
        cmocka_unit_test(samples_are_judged_alike),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

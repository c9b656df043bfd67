/*
 * test_gbnf.c - the machine of a grammar against the sets of its strings
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/gbnf/gbnf.h"
#include "support/gbnf_naive.h"

#include <stdio.h>
#include <string.h>

static const struct srt_options limits = { .max_states = 1000000,
                                           .max_state_bytes = 256 << 20 };

static struct srt_machine *machine_of(const struct srt_gbnf *g,
                                      sortes_status expected)
{
    struct srt_machine *m;
    struct srt_alphabet all;
    sortes_error err = { 0 };

    srt_alphabet_fill(&all);
    assert_int_equal(srt_language_gbnf.build(&m, &g->program, &all, NULL, &err),
                     expected);
    return m;
}

static struct srt_gbnf *read_grammar(const char *text, bool literal)
{
    struct srt_options options = limits;
    struct srt_program *p;
    sortes_error err = { 0 };

    options.form = literal ? SRT_FORM_LITERAL : SRT_FORM_EXACT;
    if (srt_language_gbnf.parse(&p, text, strlen(text), &options, &err) !=
        SORTES_OK)
        fail_msg("%s\n%s", err.text, text);
    return (struct srt_gbnf *)p;
}

/* Where text leads; SRT_DEAD: nowhere. */
static uint32_t walk(struct srt_machine *m, const char *text, size_t n)
{
    uint32_t state = m->start;

    for (size_t i = 0; i < n && state != SRT_DEAD; i++)
        assert_int_equal(m->type->step(m, state, (uint8_t)text[i], &state),
                         SORTES_OK);
    return state;
}

static void drop(struct srt_machine *m, struct srt_gbnf *g)
{
    if (m)
        srt_shared_release(&m->shared);
    srt_gbnf_free(g);
}

/* Every string of a and b: alive if it begins a text, at an end if it is one.
 */
static void compare(const char *text, const struct srt_gbnf *g,
                    const struct naive *naive, const bool *alive)
{
    char string[NAIVE_LENGTH + 1] = { 0 };
    struct srt_machine *m = machine_of(g, SORTES_OK);

    for (size_t i = 0; i < NAIVE_STRINGS; i++) {
        const size_t n = naive_string(i, string);
        const uint32_t state = walk(m, string, n);

        string[n] = '\0';
        if ((state != SRT_DEAD) != alive[i])
            fail_msg("'%s' is %s, but should not be\n%s", string,
                     alive[i] ? "dead" : "alive", text);
        if ((state != SRT_DEAD && m->type->accepts(m, state)) !=
            naive->texts[i])
            fail_msg("'%s' is %s a text\n%s", string,
                     naive->texts[i] ? "not seen as" : "taken for", text);
    }
    srt_shared_release(&m->shared);
}

static void equals_the_sets_of_strings(void **state)
{
    static struct naive naive;
    uint64_t seed = 1;
    size_t n_empty = 0, n_literal = 0;
    char text[4096];

    (void)state;
    for (int i = 0; i < 1000; i++) {
        struct srt_gbnf *g;
        struct srt_program *literal;
        struct srt_options options = limits;

        naive_grammar(text, sizeof(text), false, &seed);
        g = read_grammar(text, false);
        naive_solve(&naive, g);
        if (naive.prefixes[0]) {
            compare(text, g, &naive, naive.prefixes);
        } else {
            assert_null(machine_of(g, SORTES_E_EMPTY));
            n_empty++;
        }
        srt_gbnf_free(g);
        options.form = SRT_FORM_LITERAL;
        if (srt_language_gbnf.parse(&literal, text, strlen(text), &options,
                                    NULL) != SORTES_OK)
            continue;
        n_literal++;
        compare(text, (struct srt_gbnf *)literal, &naive, naive.viable);
        srt_language_gbnf.free(literal);
    }
    assert_in_range(n_empty, 30, 700);
    assert_in_range(n_literal, 150, 850);
}

/* Alternatives with a common beginning are one path, as far as that pays. */
static void hostile_grammars_are_built(void **state)
{
    static const char *const texts[] = {
        "root ::= (\"ab\" | \"a\"){4,20000} * \".\"",
        "root ::= [ab]* \"a\" [ab]{30}",
        "root ::= (\"a\"?){2000}",
        "root ::= (((((\"a\"{0,9}){0,9}){0,9}){0,9}){0,9}){0,9}",
        "root ::= root root root | (root | \"a\")* | \"\"",
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(texts); i++) {
        struct srt_gbnf *g = read_grammar(texts[i], false);
        struct srt_machine *m = machine_of(g, SORTES_OK);

        assert_int_not_equal(walk(m, "aaaaaaaa", 8), SRT_DEAD);
        assert_int_equal(walk(m, "aac", 3), SRT_DEAD);
        drop(m, g);
    }
}

static void what_is_too_large_is_refused(void **state)
{
    static const char text[] = "root ::= (\"ab\"{1,3000} | [^a]{2000}){3000}";
    struct srt_options options = { .max_states = 1000,
                                   .max_state_bytes = 1 << 20 };
    struct srt_program *p;
    struct srt_machine *m;
    struct srt_alphabet all;
    sortes_error err = { 0 };

    (void)state;
    srt_alphabet_fill(&all);
    assert_int_equal(
        srt_language_gbnf.parse(&p, text, strlen(text), &options, &err),
        SORTES_OK);
    assert_int_equal(srt_language_gbnf.build(&m, p, &all, NULL, &err),
                     SORTES_E_LIMIT);
    assert_null(m);
    assert_string_equal(err.text, "gbnf: the rules take more than 4000 states");
    srt_language_gbnf.free(p);
}

/* Appends n times `what`. */
static void repeat(char *text, const char *what, size_t n)
{
    char *end = text + strlen(text);

    for (size_t i = 0; i < n; i++, end += strlen(what))
        memcpy(end, what, strlen(what) + 1);
}

/* With a microsecond, then with the default: reading ends with `read`, and
 * building, if it comes to that, with SORTES_E_LIMIT. */
static void assert_out_of_time(const char *text, int form, sortes_status read)
{
    static const char expected[] =
        "gbnf: more time than max_compile_us allows (1)";
    struct srt_options options = limits;
    struct srt_program *p;
    struct srt_machine *m;
    struct srt_alphabet all;
    sortes_error err = { 0 };

    srt_alphabet_fill(&all);
    options.form = form;
    options.max_compile_us = 1;
    assert_int_equal(
        srt_language_gbnf.parse(&p, text, strlen(text), &options, &err), read);
    if (read == SORTES_OK) {
        assert_int_equal(srt_language_gbnf.build(&m, p, &all, NULL, &err),
                         SORTES_E_LIMIT);
        assert_null(m);
        srt_language_gbnf.free(p);
    }
    assert_int_equal(err.status, SORTES_E_LIMIT);
    assert_string_equal(err.text, expected);
    assert_int_equal(srt_options_read(&options, NULL, &err), SORTES_OK);
    options.form = form;
    assert_int_equal(
        srt_language_gbnf.parse(&p, text, strlen(text), &options, &err),
        SORTES_OK);
    drop(machine_of((struct srt_gbnf *)p, SORTES_OK), (struct srt_gbnf *)p);
}

/* Each of the steps has work for more than one look at the clock. */
static void time_is_bounded(void **state)
{
    static const char many_states[] = "root ::= [ab]* \"a\" [ab]{30}";
    static const char copies[] =
        "root ::= (\"abcd\"{1,2000} [ab]) (\"abcd\"{1,2000} [cd])";
    char text[64 << 10] = "root ::= \"b\"";

    (void)state;
    repeat(text, " | \"a\"", 6000);
    assert_out_of_time(text, SRT_FORM_EXACT, SORTES_E_LIMIT);
    assert_out_of_time(text, SRT_FORM_LITERAL, SORTES_E_LIMIT);
    assert_out_of_time(many_states, SRT_FORM_EXACT, SORTES_OK);
    assert_out_of_time(copies, SRT_FORM_LITERAL, SORTES_OK);
    /* Every mention of a rule has its alternatives looked through for an empty
     * one. */
    strcpy(text, "a ::= \"b\"");
    repeat(text, " | \"a\"", 1000);
    strcat(text, "\nroot ::= a");
    repeat(text, " | a", 1000);
    assert_out_of_time(text, SRT_FORM_LITERAL, SORTES_E_LIMIT);
}

/* The vocabulary lacks a byte that every text needs. */
static void empty_languages_are_refused(void **state)
{
    struct srt_gbnf *g = read_grammar("root ::= \"a\" (\"b\" | \"c\")", false);
    struct srt_alphabet some = { { 0 } };
    struct srt_machine *m;
    sortes_error err = { 0 };

    (void)state;
    srt_alphabet_add(&some, 'a');
    assert_int_equal(
        srt_language_gbnf.build(&m, &g->program, &some, NULL, &err),
        SORTES_E_EMPTY);
    assert_string_equal(err.text,
                        "gbnf: no text of it can be written with the bytes "
                        "that the vocabulary has as tokens; it lacks 0x62");
    srt_gbnf_free(g);
    g = read_grammar("root ::= \"a\" root | [z-a]", false);
    srt_alphabet_fill(&some);
    assert_int_equal(
        srt_language_gbnf.build(&m, &g->program, &some, NULL, &err),
        SORTES_E_EMPTY);
    assert_string_equal(err.text, "gbnf: no text satisfies it");
    srt_gbnf_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_sets_of_strings),
        cmocka_unit_test(hostile_grammars_are_built),
        cmocka_unit_test(what_is_too_large_is_refused),
        cmocka_unit_test(time_is_bounded),
        cmocka_unit_test(empty_languages_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

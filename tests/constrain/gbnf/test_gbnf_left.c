/*
 * test_gbnf_left.c - left recursion as llama.cpp sees it
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/gbnf/gbnf.h"

#include <string.h>

static sortes_status check_text(const char *text, sortes_error *err)
{
    const struct srt_options options = { .form = SRT_FORM_LITERAL,
                                         .max_states = 1000,
                                         .max_state_bytes = 1 << 20 };
    struct srt_gbnf *g;
    const sortes_status status =
        srt_gbnf_read(&g, text, strlen(text), &options, err);

    srt_gbnf_free(g);
    return status;
}

static void circles_are_refused(void **state)
{
    static const char *const texts[] = {
        "root ::= root \"a\" | \"b\"",
        "root ::= \"a\" | x\nx ::= y \"c\"\ny ::= \"d\" | x",
        "root ::= (root | \"b\") \"c\"",
        "root ::= \"a\"? root | \"b\"",
        "root ::= e root | \"b\"\ne ::= \"a\" | \"\"",
        "root ::= \"a\"\nunused ::= unused \"b\"",
        "root ::= \"x\" (\"a\" | [])+", /* S' ::= S S', S may be empty */
        "root ::= root{2} | \"a\"",
    };
    sortes_error err;

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(texts); i++) {
        if (check_text(texts[i], &err) != SORTES_E_SYNTAX)
            fail_msg("taken: %s", texts[i]);
        assert_non_null(strstr(err.text, "left recursion"));
    }
}

static void names_the_rule(void **state)
{
    sortes_error err;

    (void)state;
    (void)check_text("root ::= \"a\" x\nx ::= x \"b\" | \"c\"", &err);
    assert_string_equal(err.text,
                        "gbnf: line 1, column 14: left recursion in rule 'x'");
    (void)check_text("root ::= (\"b\" | \"\")*", &err);
    assert_string_equal(err.text,
                        "gbnf: line 1, column 20: left recursion: an unbounded "
                        "repetition of what may be empty");
}

/* It does not see that a rule is empty by way of another rule. */
static void other_grammars_are_taken(void **state)
{
    static const char *const texts[] = {
        "root ::= \"a\" root | \"b\"",
        "root ::= e root | \"b\"\ne ::= f\nf ::= \"a\" | \"\"",
        "root ::= \"x\" (\"a\"?)*",
        "root ::= (e)*\ne ::= f\nf ::= \"a\" | \"\"",
        "root ::= x x\nx ::= \"a\" | \"(\" root \")\"",
        "root ::= (\"a\"?){0,5}",
    };
    sortes_error err = { 0 };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(texts); i++)
        if (check_text(texts[i], &err) != SORTES_OK)
            fail_msg("%s: %s", texts[i], err.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circles_are_refused),
        cmocka_unit_test(names_the_rule),
        cmocka_unit_test(other_grammars_are_taken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

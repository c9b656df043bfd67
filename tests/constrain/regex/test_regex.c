/*
 * test_regex.c - the language: whole outputs, byte by byte and token by token
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "compiler.h"
#include "support/small_vocab.h"

#include <string.h>

static void the_output_matches_whole(void **state)
{
    sortes_grammar *g =
        small_grammar("regex", "[0-9]{4}-(0[1-9]|1[0-2])", NULL);

    (void)state;
    assert_true(small_accepts(g, "2024-12"));
    assert_false(small_accepts(g, "2024-1"));
    assert_int_equal(small_reach(g, "2024-13", 7), 6);
    assert_int_equal(small_reach(g, "2024-120", 8), 7);
    sortes_grammar_free(g);
}

static void tokens_may_end_inside_characters(void **state)
{
    static const struct small_token tokens[] = {
        { "h\xC3", 0, 0 },    { "\xA9y", 0, 0 }, { "\xE6\xBC", 0, 0 },
        { "\xA9\xE6", 0, 0 }, { "aa", 0, 0 },    { "\xED\xA0", 0, 0 },
    };
    sortes_grammar *g = small_grammar("regex", "h[^a]{2,3}y|\\p{Ll}aa", NULL);
    sortes_vocab *v = small_vocab(NULL, tokens, SRT_COUNT(tokens));
    sortes_matcher *m = small_matcher(g, v);

    (void)state;
    small_check_mask(m, v);
    small_advance(m, v, "h\xC3\xA9\xE6\xBC\xA2y");
    sortes_matcher_free(m);
    sortes_vocab_free(v);
    sortes_grammar_free(g);
}

static void dead_ends_of_the_vocab_are_masked(void **state)
{
    sortes_grammar *g = small_grammar("regex", "ab|cd|[^a-z]x", NULL);
    sortes_vocab *v = small_vocab("bx", NULL, 0);
    sortes_matcher *m = small_matcher(g, v);

    (void)state;
    small_check_mask(m, v);
    small_advance(m, v, "cd");
    sortes_matcher_free(m);
    sortes_vocab_free(v);
    sortes_grammar_free(g);
}

static sortes_status refused(const char *pattern, sortes_error *err)
{
    sortes_grammar *g = NULL;
    const sortes_status status =
        sortes_grammar_new(&g, "regex", pattern, strlen(pattern), NULL, err);

    assert_null(g);
    return status;
}

static void what_matches_nothing_is_refused(void **state)
{
    sortes_error err;
    sortes_grammar *g = small_grammar("regex", "a\xC3\xA9|\xC3\xA8", NULL);
    sortes_vocab *v = small_vocab("\xC3", NULL, 0);
    sortes_matcher *m = NULL;

    (void)state;
    assert_int_equal(refused("a(?=b)c", &err), SORTES_E_EMPTY);
    assert_string_equal(err.text, "regex: no text satisfies it");
    assert_int_equal(refused("ab{3,2}", &err), SORTES_E_SYNTAX);
    assert_int_equal(err.offset, 2);
    assert_int_equal(sortes_matcher_new(&m, g, v, &err), SORTES_E_EMPTY);
    assert_non_null(strstr(err.text, "0xC3"));
    sortes_vocab_free(v);
    sortes_grammar_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_output_matches_whole),
        cmocka_unit_test(tokens_may_end_inside_characters),
        cmocka_unit_test(dead_ends_of_the_vocab_are_masked),
        cmocka_unit_test(what_matches_nothing_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

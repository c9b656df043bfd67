/*
 * test_choice.c - one of several texts, and nothing else
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sortes.h"
#include "support/small_vocab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void the_choices_and_no_other_text(void **state)
{
    sortes_grammar *g =
        small_grammar("choice", "yes\nno\nyesterday\nno\n", NULL);

    (void)state;
    assert_true(small_accepts(g, "yes"));
    assert_true(small_accepts(g, "no"));
    assert_true(small_accepts(g, "yesterday"));
    assert_false(small_accepts(g, "yester"));
    assert_false(small_accepts(g, ""));
    assert_int_equal(small_reach(g, "yesterdaz", 9), 8);
    assert_int_equal(small_reach(g, "yes ", 4), 3);
    assert_int_equal(small_reach(g, "Yes", 3), 0);
    sortes_grammar_free(g);
}

/* An empty line is the empty choice; a newline at the end is none. */
static void an_empty_line_is_a_choice(void **state)
{
    sortes_grammar *g = small_grammar("choice", "a\n\nb\n", NULL);

    (void)state;
    assert_true(small_accepts(g, ""));
    assert_true(small_accepts(g, "b"));
    sortes_grammar_free(g);
    g = small_grammar("choice", "a\nb\n", NULL);
    assert_false(small_accepts(g, ""));
    sortes_grammar_free(g);
}

static void bytes_need_not_be_utf8(void **state)
{
    sortes_grammar *g = small_grammar("choice", "\xff\xfe\n\xff", NULL);

    (void)state;
    assert_true(small_accepts(g, "\xff"));
    assert_true(small_accepts(g, "\xff\xfe"));
    assert_int_equal(small_reach(g, "\xfe", 1), 0);
    sortes_grammar_free(g);
}

static void no_choice_is_refused(void **state)
{
    sortes_grammar *g = NULL;
    sortes_error err;

    (void)state;
    assert_int_equal(sortes_grammar_new(&g, "choice", "", 0, NULL, &err),
                     SORTES_E_EMPTY);
    assert_null(g);
    assert_string_equal(err.text, "choice: there is none (one a line)");
}

/* What a vocabulary cannot write is no choice; with none left it says why. */
static void choices_that_cannot_be_written_are_left_out(void **state)
{
    static const struct small_token tokens[] = { { "xyz", 0, 0 },
                                                 { "no", 0, 0 } };
    sortes_vocab *v = small_vocab("y", tokens, 2);
    sortes_grammar *g = small_grammar("choice", "yes\nno", NULL);
    sortes_matcher *m = small_matcher(g, v);
    sortes_error err;
    int32_t list[4];
    size_t n;

    (void)state;
    small_advance(m, v, "");
    assert_int_equal(sortes_matcher_allowed(m, list, 4, &n), SORTES_OK);
    assert_int_equal(n, 2); /* n, no */
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    g = small_grammar("choice", "yes\nyea", NULL);
    assert_int_equal(sortes_matcher_new(&m, g, v, &err), SORTES_E_EMPTY);
    assert_string_equal(err.text,
                        "choice: the vocabulary has no token for the byte 0x79 "
                        "alone, and no text does without it");
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

static void ten_thousand_choices(void **state)
{
    static char text[10000 * 12];
    char word[16];
    size_t n = 0;
    sortes_grammar *g;

    (void)state;
    for (int i = 0; i < 10000; i++)
        n += (size_t)snprintf(text + n, sizeof(text) - n, "w%d\n", i * 7);
    g = small_grammar("choice", text, NULL);
    for (int i = 0; i < 70000; i += 61) {
        snprintf(word, sizeof(word), "w%d", i);
        assert_int_equal(small_accepts(g, word), i % 7 == 0);
    }
    sortes_grammar_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_choices_and_no_other_text),
        cmocka_unit_test(an_empty_line_is_a_choice),
        cmocka_unit_test(bytes_need_not_be_utf8),
        cmocka_unit_test(no_choice_is_refused),
        cmocka_unit_test(choices_that_cannot_be_written_are_left_out),
        cmocka_unit_test(ten_thousand_choices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

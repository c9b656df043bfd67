/*
 * test_tags_plan.c - what an alphabet cannot write is left out
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/small_vocab.h"
#include "support/tags_json.h"

#include <string.h>

/* No '!': the first tag can begin but not end, the second cannot be read. */
static void ways_without_an_end_are_left_out(void **state)
{
    sortes_grammar *g = tags_grammar(
        "structural_tag",
        "{'type':'triggered_tags','triggers':['<'],'tags':["
        "{'type':'tag','begin':'<a','content':{'type':'any_text'},'end':'!'},"
        "{'type':'tag','begin':'<b','content':{'type':'grammar','grammar':"
        "'root ::= [!]'},'end':'>'},"
        "{'type':'tag','begin':'<c','content':{'type':'any_text'},'end':'>'}]"
        "}");
    sortes_vocab *v = small_vocab("!", NULL, 0);
    sortes_matcher *m = small_matcher(g, v);

    (void)state;
    assert_int_equal(sortes_matcher_advance_bytes(m, "<", 1, NULL), SORTES_OK);
    small_check_mask(m, v);
    assert_int_equal(sortes_matcher_allows(m, 'a'), 0);
    assert_int_equal(sortes_matcher_advance_bytes(m, "a", 1, NULL),
                     SORTES_E_NO_TOKEN);
    assert_int_equal(sortes_matcher_advance_bytes(m, "b", 1, NULL),
                     SORTES_E_NO_TOKEN);
    assert_int_equal(sortes_matcher_advance_bytes(m, "c", 1, NULL), SORTES_OK);
    sortes_matcher_free(m);
    sortes_vocab_free(v);
    sortes_grammar_free(g);
}

static void refused_with(const char *without, const char *format,
                         const char *text)
{
    sortes_grammar *g = tags_grammar("structural_tag", format);
    sortes_vocab *v = small_vocab(without, NULL, 0);
    sortes_matcher *m;
    sortes_error err;

    assert_int_equal(sortes_matcher_new(&m, g, v, &err), SORTES_E_EMPTY);
    assert_string_equal(err.text, text);
    sortes_vocab_free(v);
    sortes_grammar_free(g);
}

static void a_missing_byte_is_named(void **state)
{
    (void)state;
    refused_with("!",
                 "{'type':'tag','begin':'<','content':{'type':'any_text'},"
                 "'end':'!'}",
                 "structural_tag: the vocabulary has no token for the byte "
                 "0x21 alone, and no text does without it");
    refused_with("!", "{'type':'grammar','grammar':'root ::= [!] | [!]{2}'}",
                 "structural_tag: #/format/grammar: gbnf: no text of it can be "
                 "written with the bytes that the vocabulary has as tokens; it "
                 "lacks 0x21");
}

/* A part without any text is a mistake, even beside others. */
static void a_part_without_text_is_refused(void **state)
{
    (void)state;
    tags_refused("structural_tag",
                 "{'type':'or','elements':[{'type':'any_text'},{'type':"
                 "'grammar','grammar':'root ::= root [a]'}]}",
                 SORTES_E_EMPTY,
                 "structural_tag: #/format/elements/1/grammar: gbnf: no text "
                 "satisfies it",
                 NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_without_an_end_are_left_out),
        cmocka_unit_test(a_missing_byte_is_named),
        cmocka_unit_test(a_part_without_text_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_tags_machine.c - masks inside and outside of tags
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

static const struct small_token tokens[] = {
    { "<f", 0, 0 },    { "x<f1>", 0, 0 },
    { "12", 0, 0 },    { "</f>y", 0, 0 },
    { "1</f>", 0, 0 }, { "<|call|>", 0, SORTES_TOKEN_CONTROL },
    { "f1>", 0, 0 },   { "</s>", 0, SORTES_TOKEN_EOG },
};
enum { N_TOKENS = sizeof(tokens) / sizeof(*tokens), CALL = 256 + 5, END = 263 };

#define FORMAT(grammar)                                                        \
    "{'type':'triggered_tags','triggers':['<f'],'tags':[{'type':'tag',"        \
    "'begin':'<f1>','content':{'type':'grammar','grammar':'" grammar "'},"     \
    "'end':'</f>'}]}"

static void masks_are_what_single_tokens_say(void **state)
{
    sortes_grammar *g =
        tags_grammar("structural_tag", FORMAT("root ::= [0-9]+ | [<] root"));
    sortes_vocab *v = small_vocab(NULL, tokens, N_TOKENS);
    sortes_matcher *m = small_matcher(g, v);

    (void)state;
    small_advance(m, v, "abx<f1><<12");
    assert_int_equal(sortes_matcher_is_accepting(m), 0);
    sortes_matcher_reset(m);
    small_advance(m, v, "x<f1>1</f>y<f1><<2</f>");
    assert_int_equal(sortes_matcher_is_accepting(m), 1);
    sortes_matcher_free(m);
    sortes_vocab_free(v);
    sortes_grammar_free(g);
}

/* A grammar in a tag may ask for a token by its number. */
static void whole_tokens_count_inside_tags(void **state)
{
    sortes_grammar *g =
        tags_grammar("structural_tag", FORMAT("root ::= [0-9]* <[261]> [a]?"));
    sortes_vocab *v = small_vocab(NULL, tokens, N_TOKENS);
    sortes_matcher *m = small_matcher(g, v);
    const int32_t call = CALL;

    (void)state;
    assert_int_equal(sortes_matcher_allows(m, CALL), 0);
    small_advance(m, v, "x<f1>12");
    assert_int_equal(sortes_matcher_allows(m, CALL), 1);
    assert_int_equal(sortes_matcher_allows(m, '<'), 0);
    assert_int_equal(sortes_matcher_advance(m, &call, 1, NULL), SORTES_OK);
    small_check_mask(m, v);
    assert_int_equal(sortes_matcher_allows(m, CALL), 0);
    small_advance(m, v, "a</f>yz");
    assert_int_equal(sortes_matcher_allows(m, CALL), 0);
    assert_int_equal(sortes_matcher_allows(m, END), 1);
    sortes_matcher_free(m);
    sortes_vocab_free(v);
    sortes_grammar_free(g);
}

static void states_and_memory_are_told(void **state)
{
    sortes_grammar *g =
        tags_grammar("structural_tag", FORMAT("root ::= [0-9]+"));
    sortes_matcher *m = small_matcher(g, NULL);
    sortes_grammar_stats before, after;

    (void)state;
    sortes_matcher_stats(m, &before);
    assert_int_equal(sortes_matcher_advance_bytes(m, "a<f1>23</f>", 11, NULL),
                     SORTES_OK);
    sortes_matcher_stats(m, &after);
    assert_true(after.n_states >= before.n_states + 9);
    assert_true(after.state_bytes >= before.state_bytes);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_are_what_single_tokens_say),
        cmocka_unit_test(whole_tokens_count_inside_tags),
        cmocka_unit_test(states_and_memory_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_matcher_use.c - forced bytes, and a matcher inside a sampler
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "compiler.h"
#include "sortes.h"
#include "support/small_vocab.h"

#include <string.h>

static const struct small_token use_tokens[] = {
    { "</s>", 0, SORTES_TOKEN_EOG },
};

static void check_forced(sortes_matcher *m, const char *wanted)
{
    char bytes[64];
    size_t n;

    assert_int_equal(sortes_matcher_forced(m, bytes, sizeof(bytes), &n),
                     SORTES_OK);
    assert_int_equal(n, strlen(wanted));
    assert_memory_equal(bytes, wanted, n);
}

static void what_must_come_is_forced_up_to_a_choice(void **state)
{
    sortes_vocab *v = small_vocab(NULL, NULL, 0);
    sortes_grammar *g = small_grammar("choice", "abcde\nabcxy\nabcx", NULL);
    sortes_matcher *m = small_matcher(g, v);
    char two[2];
    size_t n;

    (void)state;
    check_forced(m, "abc");
    assert_int_equal(sortes_matcher_forced(m, two, 2, &n), SORTES_OK);
    assert_int_equal(n, 3);
    assert_memory_equal(two, "ab", 2);
    small_advance(m, v, "abcd");
    check_forced(m, "e");
    small_advance(m, v, "e");
    check_forced(m, "");
    sortes_matcher_reset(m);
    small_advance(m, v, "abcx");
    check_forced(m, ""); /* the text may end here */
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

/* Bytes that the vocabulary lacks are no choice. */
static void a_missing_byte_can_leave_one_way(void **state)
{
    sortes_vocab *v = small_vocab("x", NULL, 0);
    sortes_grammar *g = small_grammar("choice", "abcde\nabcxy", NULL);
    sortes_matcher *m = small_matcher(g, v);

    (void)state;
    check_forced(m, "abcde");
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

/* The likeliest tokens are forbidden; a sampler draws what may come. */
static void a_sampler_obeys_a_matcher(void **state)
{
    sortes_vocab *v = small_vocab(NULL, use_tokens, 1);
    sortes_grammar *g = small_grammar("choice", "no\nnever", NULL);
    sortes_matcher *m = small_matcher(g, v);
    sortes_constraint c;
    sortes_params *p;
    sortes_sampler *s;
    float logits[257];
    char text[8] = "";

    (void)state;
    for (int i = 0; i < 257; i++)
        logits[i] = (float)i / 100; /* 'z' over 'v' over 'o' over 'e' */
    assert_int_equal(sortes_params_new(&p, "llama.cpp", NULL), SORTES_OK);
    assert_int_equal(sortes_params_set_number(p, "temperature", 0, NULL),
                     SORTES_OK);
    assert_int_equal(sortes_sampler_new(&s, p, v, NULL), SORTES_OK);
    assert_int_equal(sortes_matcher_constraint(m, &c), SORTES_OK);
    assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
    for (size_t i = 0; i < 3; i++) {
        const sortes_row row = { logits, 257, SORTES_F32 };
        sortes_draw draw;

        assert_int_equal(sortes_sampler_sample(s, &row, &draw), SORTES_OK);
        assert_int_equal(
            sortes_sampler_accept(s, &draw.token, 1, SORTES_GENERATED),
            SORTES_OK);
        if (draw.token == 256)
            break;
        text[i] = (char)draw.token;
    }
    assert_string_equal(text, "no");
    assert_int_equal(sortes_matcher_allows(m, 'n'), 1); /* m has not moved */
    sortes_sampler_free(s);
    sortes_params_free(p);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_must_come_is_forced_up_to_a_choice),
        cmocka_unit_test(a_missing_byte_can_leave_one_way),
        cmocka_unit_test(a_sampler_obeys_a_matcher),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_reports.c - what users of other engines have run into under a grammar,
 * and here cannot
 *
 * Beside each case stands where the symptom was seen; the inputs are our own.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/brute.h"
#include "support/small_vocab.h"

#include <string.h>

static const struct small_token words[] = {
    { "</s>", 0, SORTES_TOKEN_CONTROL | SORTES_TOKEN_EOG },
    { "</think>", 0, 0 },
    { "so", 0, 0 },
    { "```", 0, 0 },
    { "json", 0, 0 },
    { "\xC3\xA9", 0, 0 },
    { "\xA9\"", 0, 0 },
    { "\x80\x80", 0, 0 },
    { "a\xC3", 0, 0 },
    { "<end>", 0, SORTES_TOKEN_CONTROL | SORTES_TOKEN_EOG },
};

enum {
    END = 256,
    THINK_END,
    SO,
    TICKS,
    JSON,
    E_ACUTE,
    TAIL_QUOTE,
    TAILS,
    A_LEAD,
    OTHER_END,
    N_TOKENS
};

struct site {
    sortes_vocab *v;
    sortes_grammar *g;
    sortes_matcher *m;
    uint32_t mask[BRUTE_WORDS];
};

static void begin(struct site *s, const char *kind, const char *text)
{
    s->v = small_vocab(NULL, words, sizeof(words) / sizeof(*words));
    s->g = small_grammar(kind, text, NULL);
    s->m = small_matcher(s->g, s->v);
}

static void end(struct site *s)
{
    sortes_matcher_free(s->m);
    sortes_grammar_free(s->g);
    sortes_vocab_free(s->v);
}

static bool may(struct site *s, int32_t token)
{
    assert_int_equal(sortes_matcher_mask(s->m, s->mask, BRUTE_WORDS),
                     SORTES_OK);
    return brute_has(s->mask, token);
}

static size_t count(struct site *s)
{
    size_t n = 0;

    (void)may(s, 0);
    for (int32_t i = 0; i < N_TOKENS; i++)
        n += brute_has(s->mask, i);
    return n;
}

static sortes_status take(struct site *s, int32_t token)
{
    return sortes_matcher_advance(s->m, &token, 1, NULL);
}

/* ggml-org/llama.cpp#4218: thirty optional letters in a row double the stacks
 * thirty times. */
static void many_options_in_a_row_stay_few_states(void **state)
{
    char grammar[400] = "root ::=";
    char text[64];
    sortes_grammar_stats stats;
    struct site s;

    (void)state;
    for (int i = 0; i < 30; i++)
        strcat(grammar, " \"z\"?");
    strcat(grammar, " \"w\"");
    begin(&s, "gbnf", grammar);
    for (size_t n = 0; n < 34; n++) {
        memset(text, 'z', n);
        strcpy(text + n, "w");
        assert_int_equal(small_accepts(s.g, text), n <= 30);
    }
    assert_false(small_accepts(s.g, "zzz"));
    small_advance(s.m, s.v, "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzw");
    sortes_matcher_stats(s.m, &stats);
    assert_in_range(stats.n_states, 31, 200);
    end(&s);
}

/* halogen-flash-server#53: one mask for "after C3" and "after C3 A9". */
static void a_torn_letter_has_a_mask_of_its_own(void **state)
{
    struct site s;
    uint32_t inside[BRUTE_WORDS];

    (void)state;
    begin(&s, "json_object", "");
    small_advance(s.m, s.v, "{\"a\":\"");
    assert_int_equal(sortes_matcher_mask(s.m, inside, BRUTE_WORDS), SORTES_OK);
    assert_int_equal(take(&s, 0xC3), SORTES_OK);
    for (int32_t i = 0; i < N_TOKENS; i++) {
        size_t n;
        const char *piece = sortes_vocab_piece(s.v, i, &n);
        const unsigned char first = (unsigned char)piece[0];

        /* A second continuation byte would begin no letter. */
        assert_int_equal(may(&s, i),
                         first >= 0x80 && first <= 0xBF && i != TAILS);
    }
    assert_int_equal(take(&s, 0xA9), SORTES_OK);
    (void)may(&s, 0);
    assert_memory_equal(s.mask, inside, sizeof(inside));
    end(&s);
}

/* vllm#36138, #34241: a draft that closes the thinking and goes on wrongly was
 * taken whole. */
static void a_draft_is_checked_behind_the_thinking(void **state)
{
    static const int32_t draft[] = { SO, THINK_END, TICKS, JSON, '{' };
    struct site s;
    size_t n_ok = 0;

    (void)state;
    begin(&s, "json_object", "");
    assert_int_equal(sortes_matcher_think(s.m, "</think>", 8), SORTES_OK);
    assert_int_equal(sortes_matcher_wants_mask(s.m), 0);
    assert_int_equal(sortes_matcher_advance(s.m, draft, 5, &n_ok),
                     SORTES_E_NO_TOKEN);
    assert_int_equal(n_ok, 2);
    assert_int_equal(sortes_matcher_wants_mask(s.m), 0); /* still thinking */
    assert_int_equal(sortes_matcher_advance(s.m, draft, n_ok, NULL), SORTES_OK);
    assert_int_equal(sortes_matcher_wants_mask(s.m), 1);
    assert_false(may(&s, TICKS));
    assert_true(may(&s, '{'));
    small_advance(s.m, s.v, "{\"a\"");
    assert_int_equal(sortes_matcher_rollback(s.m, 4), SORTES_OK);
    assert_true(may(&s, '{')); /* right behind the tag again */
    assert_false(may(&s, ':'));
    assert_int_equal(sortes_matcher_rollback(s.m, 1), SORTES_OK);
    assert_int_equal(sortes_matcher_wants_mask(s.m), 0);
    end(&s);
}

/* mistral.rs#2204, vllm#29632: an end token at the first step, though the text
 * is forced, and one that was accepted for good. */
static void no_end_before_the_text_is_whole(void **state)
{
    char forced[16];
    struct site s;
    size_t n;

    (void)state;
    begin(&s, "choice", "edit");
    assert_false(may(&s, END));
    assert_int_equal(count(&s), 1);
    assert_int_equal(take(&s, END), SORTES_E_NO_TOKEN);
    assert_int_equal(sortes_matcher_is_finished(s.m), 0);
    assert_int_equal(sortes_matcher_forced(s.m, forced, sizeof(forced), &n),
                     SORTES_OK);
    assert_int_equal(n, 4);
    assert_memory_equal(forced, "edit", 4);
    small_advance(s.m, s.v, "edit");
    /* vllm#52146: every end token there is, and nothing else. */
    assert_int_equal(count(&s), 2);
    assert_true(may(&s, END) && may(&s, OTHER_END));
    assert_int_equal(take(&s, OTHER_END), SORTES_OK);
    assert_int_equal(sortes_matcher_is_finished(s.m), 1);
    assert_int_equal(take(&s, 'e'), SORTES_E_NO_TOKEN);
    assert_int_equal(count(&s), 2); /* a batch may pad with end tokens */
    end(&s);
}

/* ollama#2351, omlx#2990, vllm#38696: a model in a corner writes blanks until
 * its tokens are used up. */
static void blanks_come_to_an_end(void **state)
{
    static const char *const before[] = { "{",        "{\"a\"",    "{\"a\":",
                                          "{\"a\":1", "{\"a\":1,", "{\"a\":[",
                                          "{\"a\":[1" };
    static const char blanks[] = " \n\t\r";
    struct site s;

    (void)state;
    begin(&s, "json_object", "");
    for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++)
        for (const char *b = blanks; *b; b++) {
            int n = 0;

            sortes_matcher_reset(s.m);
            small_advance(s.m, s.v, before[i]);
            while (take(&s, *b) == SORTES_OK)
                n++;
            assert_int_equal(n, *b == ' ' || *b == '\n' ? 1 : 0);
            /* Behind a line break, blanks up to an indentation. */
            while (n > 0 && *b == '\n' && take(&s, ' ') == SORTES_OK)
                n++;
            assert_int_equal(n, *b == ' ' ? 1 : *b == '\n' ? 65 : 0);
        }
    end(&s);
}

/* llama.cpp#12597, #18173: a process that ends with "empty grammar stack". */
static void a_refused_token_ends_nothing(void **state)
{
    struct site s;

    (void)state;
    begin(&s, "json_object", "");
    small_advance(s.m, s.v, "{\"a\":[1");
    for (int round = 0; round < 3; round++) {
        assert_int_equal(take(&s, 'x'), SORTES_E_NO_TOKEN);
        assert_int_equal(take(&s, JSON), SORTES_E_NO_TOKEN);
        assert_int_equal(take(&s, -1), SORTES_E_ARGUMENT);
        assert_int_equal(take(&s, N_TOKENS), SORTES_E_ARGUMENT);
    }
    small_advance(s.m, s.v, "2]}");
    assert_int_equal(take(&s, END), SORTES_OK);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_options_in_a_row_stay_few_states),
        cmocka_unit_test(a_torn_letter_has_a_mask_of_its_own),
        cmocka_unit_test(a_draft_is_checked_behind_the_thinking),
        cmocka_unit_test(no_end_before_the_text_is_whole),
        cmocka_unit_test(blanks_come_to_an_end),
        cmocka_unit_test(a_refused_token_ends_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

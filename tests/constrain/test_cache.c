/*
 * test_cache.c - caches that flush without changing a mask
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/matcher.h"
#include "support/small_vocab.h"

#include <string.h>

static const struct small_token cache_tokens[] = {
    { "{\"", 0, 0 },   { "\":", 0, 0 },
    { "\",\"", 0, 0 }, { "abc", 0, 0 },
    { "}}", 0, 0 },    { "true", 0, 0 },
    { "[1,", 0, 0 },   { "]}", 0, 0 },
    { "12", 0, 0 },    { "</s>", 0, SORTES_TOKEN_EOG },
};
#define TEXT "{\"abc\":{\"x\":[1,2,true,\"q\\u0061\"],\"abc\":12},\"y\":null}"

static void masks(sortes_matcher *m, const char *text, uint32_t *words,
                  size_t n_words)
{
    for (size_t i = 0; text[i]; i++) {
        assert_int_equal(sortes_matcher_mask(m, words + i * n_words, n_words),
                         SORTES_OK);
        assert_int_equal(sortes_matcher_advance_bytes(m, text + i, 1, NULL),
                         SORTES_OK);
    }
}

enum { DEEP = 120, DEEP_MOST = 2 * DEEP + 16, DEEP_WORDS = 16 };

/* An object with arrays in arrays: many states. */
static const char *deep_text(void)
{
    static char text[DEEP_MOST];

    memcpy(text, "{\"abc\":", 7);
    memset(text + 7, '[', DEEP);
    memset(text + 7 + DEEP, ']', DEEP);
    memcpy(text + 7 + 2 * DEEP, "}", 2);
    return text;
}

/* The masks along a text with budgets from none to plenty. */
static void a_budget_changes_no_mask(void **state)
{
    static const size_t budgets[] = { 1, 70000, 140000, 300000, 1 << 20, 0 };
    static uint32_t wanted[DEEP_MOST * DEEP_WORDS], got[DEEP_MOST * DEEP_WORDS];
    sortes_vocab *v = small_vocab(NULL, cache_tokens, SRT_COUNT(cache_tokens));
    const size_t n_words = (sortes_vocab_size(v) + 31) / 32;
    const char *text = deep_text();

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(budgets); i++) {
        sortes_grammar_options o = { .struct_size = sizeof(o) };
        sortes_grammar *g;
        sortes_matcher *m, *idle;
        sortes_grammar_stats stats;

        o.max_cache_bytes = budgets[i];
        g = small_grammar("json_object", NULL, &o);
        m = small_matcher(g, v);
        idle = small_matcher(g, v); /* keeps nobody from anything */
        assert_int_equal(sortes_matcher_allows(idle, '{'), 1);
        for (int round = 0; round < 3; round++) {
            masks(m, text, got, n_words);
            if (i == 0 && round == 0)
                memcpy(wanted, got, sizeof(got));
            assert_memory_equal(got, wanted, strlen(text) * n_words * 4);
            sortes_matcher_reset(m);
        }
        sortes_matcher_stats(m, &stats);
        /* What fits into no epoch empties none. */
        assert_int_equal(stats.flushes > 0, i == 2 || i == 3);
        if (budgets[i])
            assert_true(stats.cache_bytes <= budgets[i]);
        else
            assert_true(stats.hits >= 2 * strlen(text));
        sortes_matcher_free(m);
        sortes_matcher_free(idle);
        sortes_grammar_free(g);
    }
    sortes_vocab_free(v);
}

static void a_flush_forgets_and_changes_nothing(void **state)
{
    static uint32_t wanted[64 * 16], got[64 * 16];
    sortes_vocab *v = small_vocab(NULL, cache_tokens, SRT_COUNT(cache_tokens));
    const size_t n_words = (sortes_vocab_size(v) + 31) / 32;
    sortes_grammar *g = small_grammar("json_object", NULL, NULL);
    sortes_matcher *m = small_matcher(g, v), *other = small_matcher(g, v);
    sortes_grammar_stats stats;

    (void)state;
    masks(m, TEXT, wanted, n_words);
    sortes_matcher_reset(m);
    for (size_t i = 0; TEXT[i]; i++) {
        sortes_matcher_flush(m);
        sortes_matcher_stats(m, &stats);
        assert_int_equal(stats.n_masks, 0);
        assert_int_equal(sortes_matcher_mask(m, got + i * n_words, n_words),
                         SORTES_OK);
        assert_int_equal(sortes_matcher_advance_bytes(m, TEXT + i, 1, NULL),
                         SORTES_OK);
        if (i % 5 == 0)
            assert_int_equal(sortes_matcher_allows(other, '{'), 1);
    }
    assert_memory_equal(got, wanted, strlen(TEXT) * n_words * 4);
    sortes_matcher_stats(m, &stats);
    assert_int_equal(stats.flushes, strlen(TEXT));
    sortes_matcher_free(m);
    sortes_matcher_free(other);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

static void without_memo_every_mask_is_made_anew(void **state)
{
    static uint32_t wanted[64 * 16], got[64 * 16];
    sortes_vocab *v = small_vocab(NULL, cache_tokens, SRT_COUNT(cache_tokens));
    const size_t n_words = (sortes_vocab_size(v) + 31) / 32;
    sortes_grammar *g = small_grammar("json_object", NULL, NULL);
    sortes_matcher *m = small_matcher(g, v);
    sortes_grammar_stats stats;

    (void)state;
    masks(m, TEXT, wanted, n_words);
    sortes_matcher_reset(m);
    sortes_matcher_use_memo(m, 0);
    sortes_matcher_stats(m, &stats);
    {
        const uint64_t before = stats.misses;

        masks(m, TEXT, got, n_words);
        sortes_matcher_stats(m, &stats);
        assert_int_equal(stats.misses - before, strlen(TEXT));
    }
    assert_memory_equal(got, wanted, strlen(TEXT) * n_words * 4);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_budget_changes_no_mask),
        cmocka_unit_test(a_flush_forgets_and_changes_nothing),
        cmocka_unit_test(without_memo_every_mask_is_made_anew),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

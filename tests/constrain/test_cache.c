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
#include "constrain/pool.h"
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

/* States are numbered up to SRT_POOL_MAX itself. */
static void the_last_state_has_its_place(void **state)
{
    sortes_vocab *v = small_vocab(NULL, cache_tokens, SRT_COUNT(cache_tokens));
    sortes_grammar *g = small_grammar("regex", "a*", NULL); /* no hints */
    sortes_matcher *m = small_matcher(g, v);
    srt_row *row;

    (void)state;
    srt_cursor_enter(&m->cursor);
    row = srt_cursor_row(&m->cursor, SRT_POOL_MAX, true);
    assert_non_null(row);
    assert_ptr_equal(srt_cursor_row(&m->cursor, SRT_POOL_MAX, false), row);
    assert_null(srt_cursor_row(&m->cursor, SRT_POOL_MAX - 1, false));
    srt_cursor_leave(&m->cursor);
    sortes_matcher_flush(m);
    srt_cursor_enter(&m->cursor);
    assert_null(srt_cursor_row(&m->cursor, SRT_POOL_MAX, false));
    srt_cursor_leave(&m->cursor);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

/* States that differ in what lies further out have the same mask once. */
static void equal_masks_are_kept_once(void **state)
{
    static const char text[] = "{\"a\":[[[[";
    sortes_vocab *v = small_vocab(NULL, cache_tokens, SRT_COUNT(cache_tokens));
    sortes_grammar *g = small_grammar("json_object", NULL, NULL);
    sortes_matcher *m = small_matcher(g, v);
    const struct srt_mask *mask[sizeof(text)];
    uint32_t at[sizeof(text)], words[16];
    sortes_grammar_stats stats;

    (void)state;
    for (size_t i = 0; i < sizeof(text); i++) {
        at[i] = m->place.state;
        assert_int_equal(sortes_matcher_mask(m, words, SRT_COUNT(words)),
                         SORTES_OK);
        srt_cursor_enter(&m->cursor);
        mask[i] = srt_cursor_mask(&m->cursor, at[i]);
        srt_cursor_leave(&m->cursor);
        assert_non_null(mask[i]);
        if (text[i])
            assert_int_equal(sortes_matcher_advance_bytes(m, text + i, 1, NULL),
                             SORTES_OK);
    }
    assert_int_not_equal(at[8], at[9]);
    assert_ptr_equal(mask[8], mask[9]);     /* behind "[[" and "[[[" */
    assert_ptr_not_equal(mask[5], mask[6]); /* before the bracket, behind it */
    sortes_matcher_stats(m, &stats);
    assert_int_equal(stats.n_masks, sizeof(text) - 1); /* in the key: one */
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

/* A row is filled with what is known to stay; a byte that no token has is of
 * one class with those that may never come. */
static void what_stays_is_none_of_the_bytes_that_are_missing(void **state)
{
    static const char *const rows[][2] = { { "json_object", NULL },
                                           { "json_schema", "{}" } };
    sortes_vocab *v = small_vocab("q\x7F", NULL, 0);

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        sortes_grammar *g = small_grammar(rows[i][0], rows[i][1], NULL);
        sortes_matcher *m = small_matcher(g, v);

        small_advance(m, v, "{\"a");
        for (int byte = 0xF5; byte <= 0xFF; byte++) {
            const char one = (char)byte;

            assert_int_equal(sortes_matcher_advance_bytes(m, &one, 1, NULL),
                             SORTES_E_NO_TOKEN);
        }
        sortes_matcher_free(m);
        sortes_grammar_free(g);
    }
    sortes_vocab_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_budget_changes_no_mask),
        cmocka_unit_test(a_flush_forgets_and_changes_nothing),
        cmocka_unit_test(without_memo_every_mask_is_made_anew),
        cmocka_unit_test(the_last_state_has_its_place),
        cmocka_unit_test(equal_masks_are_kept_once),
        cmocka_unit_test(what_stays_is_none_of_the_bytes_that_are_missing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

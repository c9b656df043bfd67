/*
 * test_kept.c - what is remembered of states
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

static const struct small_token kept_tokens[] = {
    { "{\"", 0, 0 },   { "\":", 0, 0 },
    { "\",\"", 0, 0 }, { "abc", 0, 0 },
    { "}}", 0, 0 },    { "true", 0, 0 },
    { "[1,", 0, 0 },   { "]}", 0, 0 },
    { "12", 0, 0 },    { "</s>", 0, SORTES_TOKEN_EOG },
};

/* States that differ in what lies further out have the same mask once. */
static void equal_masks_are_kept_once(void **state)
{
    static const char text[] = "{\"a\":[[[[";
    sortes_vocab *v = small_vocab(NULL, kept_tokens, SRT_COUNT(kept_tokens));
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

static void what_is_remembered_is_told(void **state)
{
    static const int32_t suspects[] = { 3, 1, 4 };
    const struct srt_suspects_head head = { 3, 1, 7 };
    sortes_vocab *v = small_vocab(NULL, NULL, 0);
    sortes_grammar *g = small_grammar("json_object", NULL, NULL);
    sortes_matcher *m = small_matcher(g, v);
    struct srt_cursor *c = &m->cursor;
    const struct srt_suspects *kept;

    (void)state;
    srt_cursor_enter(c);
    assert_int_equal(srt_cursor_slice(c, 9), -1);
    srt_cursor_keep_slice(c, 9, false);
    srt_cursor_keep_slice(c, 10, true);
    assert_int_equal(srt_cursor_slice(c, 9), 0);
    assert_int_equal(srt_cursor_slice(c, 10), 1);
    assert_null(srt_cursor_suspects(c, 9));
    srt_cursor_keep_suspects(c, 9, &head, suspects);
    kept = srt_cursor_suspects(c, 9);
    assert_non_null(kept);
    assert_memory_equal(&kept->head, &head, sizeof(head));
    assert_memory_equal(kept->token, suspects, sizeof(suspects));
    assert_null(srt_cursor_suspects(c, 10));
    assert_null(srt_cursor_mask(c, 9));
    srt_cursor_share_mask(c, 9, 10); /* which has none */
    assert_null(srt_cursor_mask(c, 9));
    srt_cursor_leave(c);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_masks_are_kept_once),
        cmocka_unit_test(what_is_remembered_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

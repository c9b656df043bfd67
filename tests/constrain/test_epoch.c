/*
 * test_epoch.c - memory of an epoch, and the places of states in it
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/epoch.h"
#include "constrain/matcher.h"
#include "support/small_vocab.h"

#include <stdlib.h>

/* States are numbered up to SRT_POOL_MAX itself. */
static void the_last_state_has_its_place(void **state)
{
    sortes_vocab *v = small_vocab(NULL, NULL, 0);
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

/* Large things have chunks of their own, and the open one stays open. */
static void memory_is_within_the_limit(void **state)
{
    enum { LIMIT = 3 * SRT_EPOCH_CHUNK };
    struct srt_epoch *e = calloc(1, sizeof(*e));
    char *small, *large;

    (void)state;
    assert_non_null(e);
    small = srt_epoch_take(e, LIMIT, 3);
    large = srt_epoch_take(e, LIMIT, SRT_EPOCH_CHUNK);
    assert_non_null(small);
    assert_non_null(large);
    assert_ptr_equal(srt_epoch_take(e, LIMIT, 100), small + 8);
    assert_int_equal(e->n_bytes, 2 * SRT_EPOCH_CHUNK);
    assert_null(srt_epoch_take(e, LIMIT, SRT_EPOCH_CHUNK + 8));
    assert_int_equal(e->n_bytes, 2 * SRT_EPOCH_CHUNK);
    for (size_t i = 0; i < SRT_EPOCH_CHUNK; i++)
        assert_int_equal(large[i], 0);
    srt_epoch_clear(e);
    assert_int_equal(e->n_bytes, 0);
    free(e);
}

static void entries_are_found_where_they_were_made(void **state)
{
    static const uint32_t states[] = { 1, 255, 256, 65535, 65536, 1000000 };
    struct srt_epoch *e = calloc(1, sizeof(*e));
    struct srt_epoch_entry *entry[SRT_COUNT(states)];

    (void)state;
    assert_non_null(e);
    for (size_t i = 0; i < SRT_COUNT(states); i++) {
        entry[i] = srt_epoch_entry(e, SIZE_MAX, states[i]);
        assert_non_null(entry[i]);
    }
    for (size_t i = 0; i < SRT_COUNT(states); i++)
        assert_ptr_equal(srt_epoch_find(e, states[i]), entry[i]);
    assert_ptr_equal(entry[1], entry[0] + 254);
    assert_null(srt_epoch_find(e, 70000));
    assert_null(srt_epoch_find(e, SRT_POOL_MAX));
    srt_epoch_clear(e);
    assert_null(srt_epoch_find(e, 1));
    free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_state_has_its_place),
        cmocka_unit_test(memory_is_within_the_limit),
        cmocka_unit_test(entries_are_found_where_they_were_made),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_rows.c - rows begin with what is known, and bytes lead where they should
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

/* Along a path as byte by byte, up to where it ends. */
static void paths_are_steps(void **state)
{
    static const char text[] = "{\"a\":[1,tru]";
    sortes_vocab *v = small_vocab(NULL, NULL, 0);
    sortes_grammar *g = small_grammar("json_object", NULL, NULL);
    sortes_matcher *m = small_matcher(g, v);
    uint32_t states[sizeof(text)], next;
    size_t n_live;

    (void)state;
    srt_cursor_enter(&m->cursor);
    states[0] = m->place.state;
    assert_int_equal(srt_cursor_path(&m->cursor, states, (const uint8_t *)text,
                                     sizeof(text) - 1, &n_live),
                     SORTES_OK);
    assert_int_equal(n_live, sizeof(text) - 2); /* "tru" does not end there */
    for (size_t i = 0; i <= n_live; i++) {
        assert_int_equal(
            srt_cursor_step(&m->cursor, states[i], (uint8_t)text[i], &next),
            SORTES_OK);
        assert_int_equal(next, i < n_live ? states[i + 1] : SRT_DEAD);
    }
    srt_cursor_leave(&m->cursor);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stays_is_none_of_the_bytes_that_are_missing),
        cmocka_unit_test(paths_are_steps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

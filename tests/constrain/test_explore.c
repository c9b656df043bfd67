/*
 * test_explore.c - which characters a machine takes whatever they are
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/matcher.h"
#include "constrain/walk.h"
#include "support/small_vocab.h"

/* The kinds of each letter, and whether they stay behind a text. */
struct explored {
    const char *kind, *grammar, *text;
    const char *stay, *leave; /* characters */
};

static const struct explored cases[] = {
    { "regex", "[a-c]+", "ab", "abc", "d1_" },
    { "regex", "[a-c]{1,9}", "ab", "", "abc" },
    { "regex", "[^x]*x", "", "abz A1.\u00e9\u20ac\u4e00", "x" },
    { "regex", "\\S+", "a", "ax.9\u00e9\u4e00", " \u2028\u3000\u00a0" },
    { "json_object", NULL, "{\"a", "xyz .\u00e9\u4e00\U0001F600", "\"" },
    { "json_object", NULL, "{", "", "a1\"" },
};

static void characters_stay_or_leave(void **state)
{
    sortes_vocab *v = small_vocab(NULL, NULL, 0);

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(cases); i++) {
        const struct explored *e = &cases[i];
        sortes_grammar *g = small_grammar(e->kind, e->grammar, NULL);
        sortes_matcher *m = small_matcher(g, v);

        small_advance(m, v, e->text);
        srt_cursor_enter(&m->cursor);
        for (int leave = 0; leave < 2; leave++)
            for (const char *c = leave ? e->leave : e->stay; *c; c++) {
                bool covers;

                if ((*c & 0xC0) == 0x80)
                    continue;
                assert_int_equal(srt_explore(&m->cursor, m->place.state,
                                             srt_kind_of((uint8_t)*c), true,
                                             &covers),
                                 SORTES_OK);
                assert_int_equal(covers, !leave);
            }
        srt_cursor_leave(&m->cursor);
        sortes_matcher_free(m);
        sortes_grammar_free(g);
    }
    sortes_vocab_free(v);
}

static void any_characters_may_follow_without_staying(void **state)
{
    sortes_vocab *v = small_vocab(NULL, NULL, 0);
    sortes_grammar *g = small_grammar("regex", "(..)*", NULL);
    sortes_matcher *m = small_matcher(g, v);
    bool covers;

    (void)state;
    srt_cursor_enter(&m->cursor);
    assert_int_equal(srt_explore(&m->cursor, m->place.state, srt_kind_of('a'),
                                 false, &covers),
                     SORTES_OK);
    assert_true(covers);
    assert_int_equal(srt_explore(&m->cursor, m->place.state, srt_kind_of('a'),
                                 true, &covers),
                     SORTES_OK);
    assert_false(covers);
    srt_cursor_leave(&m->cursor);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_stay_or_leave),
        cmocka_unit_test(any_characters_may_follow_without_staying),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

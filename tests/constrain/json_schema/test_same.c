/*
 * test_same.c - counts share a mask where they make no difference, and only
 * there
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/mask.h"
#include "constrain/matcher.h"
#include "support/small_vocab.h"

#include <string.h>

static const struct small_token tokens[] = {
    { "aaaa", 0, 0 },  { "aaaaaaaa", 0, 0 }, { "ab", 0, 0 },
    { "aaa\"", 0, 0 }, { "b\"", 0, 0 },      { "\u00e9", 0, 0 },
};

/* A schema of strings, and from which count to which masks are shared; the
 * longest token has 8 bytes. */
struct shared {
    const char *schema;
    uint32_t first, last; /* first > last: never */
};

static const struct shared cases[] = {
    { "{\"type\":\"string\",\"maxLength\":40}", 0, 32 },
    { "{\"type\":\"string\",\"minLength\":5,\"maxLength\":40}", 5, 32 },
    { "{\"type\":\"string\",\"minLength\":5}", 5, 44 },
    /* three more characters are needed behind the last one */
    { "{\"type\":\"string\",\"maxLength\":40,\"pattern\":\"^a*b?a*b{3}$\"}", 0,
      29 },
    { "{\"type\":\"string\",\"maxLength\":7}", 1, 0 },
    { "{\"type\":\"string\"}", 1, 0 }, /* nothing is counted */
};

static bool is_shared(sortes_matcher *m)
{
    const struct srt_tree *t = m->cursor.cache->tree;
    uint32_t shared[16], own[16], same;

    srt_cursor_enter(&m->cursor);
    assert_int_equal(srt_cursor_same(&m->cursor, m->place.state, &same),
                     SORTES_OK);
    assert_int_equal(srt_mask_at(&m->cursor, m->place.state, false, own),
                     SORTES_OK);
    assert_int_equal(srt_mask_at(&m->cursor, m->place.state, true, shared),
                     SORTES_OK);
    assert_memory_equal(shared, own, t->n_words * sizeof(*own));
    srt_cursor_leave(&m->cursor);
    return same != m->place.state;
}

static void masks_are_shared_far_from_the_bounds(void **state)
{
    sortes_vocab *v = small_vocab(NULL, tokens, SRT_COUNT(tokens));

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(cases); i++) {
        sortes_grammar *g = small_grammar("json_schema", cases[i].schema, NULL);
        sortes_matcher *m = small_matcher(g, v);
        const int32_t a = 'a', quote = '"';

        assert_int_equal(sortes_matcher_advance(m, &quote, 1, NULL), SORTES_OK);
        for (uint32_t count = 0; count <= 44; count++) {
            assert_int_equal(is_shared(m),
                             count >= cases[i].first && count <= cases[i].last);
            if (sortes_matcher_advance(m, &a, 1, NULL) != SORTES_OK)
                break;
        }
        sortes_matcher_free(m);
        sortes_grammar_free(g);
    }
    sortes_vocab_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_are_shared_far_from_the_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

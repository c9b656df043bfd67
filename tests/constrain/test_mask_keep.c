/*
 * test_mask_keep.c - a mask that is remembered is the mask that was made
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
#include "support/constrain_walk.h"
#include "support/small_vocab.h"

#include <stdlib.h>
#include <string.h>

enum { TOKENS = 4000, WORDS = (TOKENS + 256 + 31) / 32, STATES = 64 };

/* A vocabulary large enough for lists: every third token has a quote. */
static sortes_vocab *large_vocab(void)
{
    static char bytes[TOKENS][8];
    static struct small_token tokens[TOKENS];

    for (int i = 0; i < TOKENS; i++) {
        for (int k = 0; k < 4; k++)
            bytes[i][k] = (char)('a' + (i >> 3 * k & 7));
        if (i % 3 == 0)
            bytes[i][4] = '"';
        tokens[i] = (struct small_token){ bytes[i], 0, 0 };
    }
    return small_vocab(NULL, tokens, TOKENS);
}

/* Random words, near the slice or near nothing, or neither. */
static void make_words(struct walk_random *r, const struct srt_tree *t,
                       bool slice, uint32_t *words, struct srt_listed *list)
{
    const uint32_t n = walk_below(r, 3) == 0 ? TOKENS : walk_below(r, 90);

    if (slice)
        memcpy(words, t->string_words, t->n_words * sizeof(*words));
    else
        memset(words, 0, t->n_words * sizeof(*words));
    list->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t token = walk_below(r, (uint32_t)t->n_tokens);
        const uint32_t bit = (uint32_t)1 << token % 32;
        const uint32_t made_from = slice ? t->string_words[token / 32] : 0;

        if ((words[token / 32] ^ made_from) & bit)
            continue; /* a list has each token once */
        words[token / 32] ^= bit;
        srt_listed_add(list, (int32_t)token);
    }
}

static void what_is_kept_comes_back(void **state)
{
    static uint32_t words[WORDS], again[WORDS], kept[STATES][WORDS];
    sortes_vocab *v = large_vocab();
    sortes_grammar *g = small_grammar("json_object", NULL, NULL);
    sortes_matcher *m = small_matcher(g, v);
    struct srt_cursor *c = &m->cursor;
    const struct srt_tree *t = c->cache->tree;
    struct walk_random r = { 3 };

    (void)state;
    assert_true(t->n_words <= WORDS);
    srt_cursor_enter(c);
    for (uint32_t s = 1; s < STATES; s++) {
        struct srt_listed list;
        struct srt_mask_origin origin = { walk_below(&r, 2) != 0, NULL, NULL };
        const struct srt_mask *inside = NULL;

        make_words(&r, t, origin.slice, words, &list);
        if (s % 4 >= 2)
            origin.list = &list;
        memcpy(kept[s], words, sizeof(words));
        if (s % 2 == 0)
            inside = srt_mask_keep_inside(c, s, &origin, words);
        assert_memory_equal(words, kept[s], t->n_words * sizeof(*words));
        for (size_t i = 0; inside && i < t->n_words; i++)
            words[i] &= ~t->apart_words[i];
        if (inside) {
            srt_mask_expand(t, inside, again);
            assert_memory_equal(words, again, t->n_words * sizeof(*words));
        }
        origin.inside = inside;
        srt_mask_keep(c, s, &origin, kept[s]);
    }
    for (uint32_t s = 1; s < STATES; s++) {
        const struct srt_mask *mask = srt_cursor_mask(c, s);

        assert_non_null(mask);
        srt_mask_expand(t, mask, again);
        assert_memory_equal(kept[s], again, t->n_words * sizeof(*words));
    }
    srt_cursor_leave(c);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_comes_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_walk.c - a walk sets the tokens that lead on, one by one
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
#include "constrain/walk.h"
#include "support/constrain_walk.h"
#include "support/small_vocab.h"

#include <string.h>

struct walked {
    const char *kind, *text, *profile;
};

static const struct walked grammars[] = {
    { "json_object", NULL, NULL },
    { "json_object", NULL, "json" },
    { "json_schema", "{}", NULL },
    { "json_schema", "{\"items\":{\"pattern\":\"^[^q]*$\"}}", NULL },
    { "json_schema", "{\"items\":{\"maxLength\":9}}", "json" },
    { "json_schema", "{\"properties\":{\"abc\":{},\"ab\\u00e9\":{}}}", NULL },
    { "regex", "[^x]*|\\w+ ?x", NULL },
    { "gbnf", "root ::= [^a-c]* \"\\n\" root | \" \"", NULL },
    { "json_schema", "{\"items\":{\"pattern\":\"^(\\\\S+\\\\s){0,3}$\"}}",
      NULL },
};

/* Whether the token's bytes lead on, by the cursor alone. */
static bool leads(struct srt_cursor *cursor, uint32_t state, int32_t token)
{
    size_t n;
    const char *bytes = sortes_vocab_piece(cursor->cache->vocab, token, &n);

    for (size_t i = 0; i < n && state != SRT_DEAD; i++)
        assert_int_equal(
            srt_cursor_step(cursor, state, (uint8_t)bytes[i], &state),
            SORTES_OK);
    return state != SRT_DEAD;
}

/* clears: from the slice, not from nothing. */
static void check_walk(sortes_matcher *m, bool whole, bool clears)
{
    const struct srt_tree *t = m->cursor.cache->tree;
    uint32_t words[64] = { 0 };
    struct srt_walk w;

    assert_true(t->n_words <= SRT_COUNT(words));
    srt_cursor_enter(&m->cursor);
    srt_walk_begin(&w, &m->cursor, words, whole);
    w.clears = clears;
    if (clears)
        memcpy(words, t->string_words, t->n_words * sizeof(*words));
    assert_int_equal(srt_walk_tree(&w, &t->all, m->place.state), SORTES_OK);
    srt_mask_same(t, words);
    for (size_t i = 0; i < t->n_tokens; i++) {
        size_t n;

        sortes_vocab_piece(m->cursor.cache->vocab, (int32_t)i, &n);
        if (srt_tree_has(t, (int32_t)i) && n <= SRT_TREE_DEPTH)
            assert_int_equal(srt_bit_get(words, (int32_t)i),
                             leads(&m->cursor, m->place.state, (int32_t)i));
    }
    srt_cursor_leave(&m->cursor);
}

static void walks_go_where_bytes_lead(void **state)
{
    struct walk_random r = { 5 };

    (void)state;
    for (int round = 0; round < 64; round++) {
        const struct walked *k = &grammars[round % (int)SRT_COUNT(grammars)];
        const sortes_grammar_options options = { .struct_size = sizeof(options),
                                                 .profile = k->profile };
        sortes_vocab *v = walk_vocab(&r);
        sortes_grammar *g = small_grammar(k->kind, k->text, &options);
        sortes_matcher *m;

        if (sortes_matcher_new(&m, g, v, NULL) == SORTES_OK) {
            for (int step = 0; step < 12; step++) {
                check_walk(m, step % 3 != 2, false);
                check_walk(m, true, true);
                walk_any_token(&r, m, v);
            }
            sortes_matcher_free(m);
        }
        sortes_grammar_free(g);
        sortes_vocab_free(v);
    }
}

/* All that begins with E3 is one subtree, of which 81 to 8A are no blanks. */
static void inside_a_character_nothing_is_taken_at_once(void **state)
{
    static char bytes[11][4];
    struct small_token tokens[11];
    sortes_vocab *v;
    sortes_grammar *g = small_grammar("regex", "[\\s-]+", NULL);
    sortes_matcher *m;
    const int32_t dash = '-';

    (void)state;
    for (int i = 0; i < 11; i++) {
        memcpy(bytes[i], "\xE3\x80\x80", 4);
        bytes[i][1] = (char)(0x80 + i);
        tokens[i] = (struct small_token){ bytes[i], i % 2 ? 3 : 2, 0 };
    }
    v = small_vocab(NULL, tokens, 11);
    m = small_matcher(g, v);
    small_check_mask(m, v);
    check_walk(m, true, false);
    check_walk(m, true, true);
    assert_int_equal(sortes_matcher_advance(m, &dash, 1, NULL), SORTES_OK);
    small_check_mask(m, v);
    check_walk(m, true, false);
    check_walk(m, true, true);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

/* All that begins with b stays in the string; the slice lacks what is torn. */
static void a_list_is_there_already_unless_it_is_torn(void **state)
{
    static char bytes[11][5];
    struct small_token tokens[11];
    sortes_vocab *v;
    sortes_grammar *g = small_grammar(
        "json_schema", "{\"type\":\"string\",\"pattern\":\"^[^q]*$\"}", NULL);
    sortes_matcher *m;

    (void)state;
    for (int i = 0; i < 11; i++) {
        memcpy(bytes[i], "b_\xE3\x80", 5);
        bytes[i][1] = (char)('a' + i);
        tokens[i] = (struct small_token){ bytes[i], i % 2 ? 4 : 2, 0 };
    }
    v = small_vocab(NULL, tokens, 11);
    m = small_matcher(g, v);
    small_advance(m, v, "\"");
    small_check_mask(m, v);
    check_walk(m, true, true);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_go_where_bytes_lead),
        cmocka_unit_test(inside_a_character_nothing_is_taken_at_once),
        cmocka_unit_test(a_list_is_there_already_unless_it_is_torn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

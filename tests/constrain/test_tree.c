/*
 * test_tree.c - every token of a tree lies where its bytes lead
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/mask.h"
#include "support/small_vocab.h"

#include <string.h>

static char tree_long[300];

static const struct small_token tree_tokens[] = {
    { "ab", 0, 0 },
    { "abc", 0, 0 },
    { "abd", 0, 0 },
    { "b", 0, 0 },
    { "abc", 0, 0 },
    { "<end>", 0, SORTES_TOKEN_EOG },
    { "\xC3\xA9t", 0, 0 },
    { "\xC3", 0, 0 },
    { "a\"b\"", 0, 0 },
    { "\\\"", 0, 0 },
    { "\xF1x", 0, 0 },
    { "<s>", 0, SORTES_TOKEN_CONTROL },
    { tree_long, 299, 0 },
    { "\0z", 2, 0 },
    { "zz", 0, SORTES_TOKEN_UNUSED },
    { "a\x01", 0, 0 },
};
enum { FIRST = 255 }; /* token id of "ab": one byte is missing */

/* Walks the nodes as a mask does and collects what each token is reached by. */
static void check_nodes(const struct srt_tree *t,
                        const struct srt_tree_nodes *nodes, uint32_t *found)
{
    char bytes[SRT_TREE_DEPTH];
    int depth = 0;

    for (uint32_t i = 0; i < nodes->n; i++) {
        const struct srt_tree_node *node = &nodes->node[i];
        const int32_t token = srt_node_token(node);

        bytes[depth] = (char)srt_node_byte(node);
        if (token >= 0) {
            size_t n;
            const char *piece = sortes_vocab_piece(t->vocab, token, &n);

            assert_int_equal(n, depth + 1);
            assert_memory_equal(piece, bytes, n);
            srt_bit_set(found, token);
        }
        if (srt_node_size(node) == 1)
            depth -= (int)srt_node_up(node) - 1;
        else
            depth++;
    }
    assert_int_equal(depth, 0);
}

/* Leaving a subtree out arrives at the node behind it, at its depth. */
static void check_skips(const struct srt_tree_nodes *nodes)
{
    static int depth_of[4096];
    int depth = 0;

    for (uint32_t i = 0; i < nodes->n; i++) {
        depth_of[i] = depth;
        depth += srt_node_size(&nodes->node[i]) == 1
                     ? 1 - (int)srt_node_up(&nodes->node[i])
                     : 1;
    }
    for (uint32_t i = 0; i < nodes->n; i++) {
        const uint32_t next = i + srt_node_size(&nodes->node[i]);
        const int there = depth_of[i] + 1 - (int)srt_node_up(&nodes->node[i]);

        assert_int_equal(there, next < nodes->n ? depth_of[next] : 0);
    }
}

static const struct srt_tree *tree_of(sortes_vocab *v, bool literal)
{
    const struct srt_tree *t;

    assert_int_equal(srt_tree_of(&t, v, literal), SORTES_OK);
    check_skips(&t->all);
    check_skips(&t->rest);
    return t;
}

static sortes_vocab *tree_vocab(void)
{
    memset(tree_long, 'q', sizeof(tree_long));
    return small_vocab("\xF1", tree_tokens, SRT_COUNT(tree_tokens));
}

static void a_tree_holds_each_plain_token_once(void **state)
{
    sortes_vocab *v = tree_vocab();
    const struct srt_tree *t = tree_of(v, false);
    uint32_t found[16] = { 0 };

    (void)state;
    check_nodes(t, &t->all, found);
    assert_int_equal(t->n_same, 3); /* b, abc, C3 are there twice */
    srt_mask_same(t, found);
    for (int32_t i = 0; i < (int32_t)sortes_vocab_size(v); i++) {
        const bool left_out = i == FIRST + 5 || i == FIRST + 10 ||
                              i == FIRST + 11 || i == FIRST + 12 ||
                              i == FIRST + 14;

        assert_int_equal(srt_bit_get(found, i), !left_out);
        assert_int_equal(srt_tree_has(t, i), !left_out || i == FIRST + 12);
    }
    assert_int_equal(t->n_odd, 1);
    assert_int_equal(t->odd[0], FIRST + 12);
    assert_int_equal(t->n_ends, 1);
    assert_int_equal(t->ends[0], FIRST + 5);
    assert_false(srt_alphabet_has(&t->alphabet, 0xF1));
    assert_true(srt_alphabet_has(&t->alphabet, 0xF2));
    sortes_vocab_free(v);
}

static void the_slice_is_whole_string_characters(void **state)
{
    sortes_vocab *v = tree_vocab();
    const struct srt_tree *t = tree_of(v, false);
    uint32_t rest[16] = { 0 };

    (void)state;
    check_nodes(t, &t->rest, rest);
    assert_true(srt_bit_get(t->string_words, FIRST + 1));   /* abc */
    assert_true(srt_bit_get(t->string_words, FIRST + 6));   /* one of 2 */
    assert_false(srt_bit_get(t->string_words, FIRST + 8));  /* a"b" */
    assert_false(srt_bit_get(t->string_words, FIRST + 15)); /* control */
    assert_false(srt_bit_get(t->string_words, 0xC3));       /* torn */
    assert_false(srt_bit_get(t->string_words, '\\'));
    assert_false(srt_bit_get(t->string_words, 0x7F));
    assert_int_equal(t->string_chars, 3);
    for (uint32_t i = 0; i < t->n_words; i++)
        assert_int_equal(rest[i] & t->string_words[i], 0);
    assert_true(srt_bit_get(rest, FIRST + 8));
    assert_true(srt_bit_get(rest, 0xC3));
    assert_int_equal(t->n_quoted, 2);
    assert_int_equal(t->n_tangled, 0);
    assert_int_equal(t->n_escaped, 1);
    assert_int_equal(t->n_plain, 2);
    assert_int_equal(t->quoted[0].token, FIRST + 9);
    assert_true(t->quoted[0].backslash);
    assert_true(t->quoted[0].escaped);
    assert_int_equal(t->quoted[1].token, FIRST + 8);
    assert_true(t->quoted[1].plain);
    assert_false(t->quoted[1].opens);
    assert_int_equal(t->n_written, 1);
    assert_int_equal(t->written[0].token, FIRST + 8);
    assert_int_equal(t->written[0].hash, srt_tree_hash("b", 1));
    assert_true(srt_tree_may_write(t, t->written[0].hash));
    for (uint32_t i = 0; i < t->n_words; i++)
        assert_int_equal(t->apart_words[i] & t->string_words[i], 0);
    assert_true(srt_bit_get(t->apart_words, '"'));
    assert_true(srt_bit_get(t->apart_words, FIRST + 8));
    assert_false(srt_bit_get(t->apart_words, FIRST + 1));
    sortes_vocab_free(v);
}

static void a_literal_tree_spells_special_tokens(void **state)
{
    sortes_vocab *v = tree_vocab();
    const struct srt_tree *t = tree_of(v, true);

    (void)state;
    assert_true(srt_tree_has(t, FIRST + 10)); /* a byte that stands alone
                                                 nowhere */
    assert_true(srt_tree_has(t, FIRST + 11));
    assert_false(srt_tree_has(t, FIRST + 5));
    assert_false(srt_tree_has(t, FIRST + 13)); /* begins with NUL */
    assert_false(srt_tree_has(t, 0));
    assert_true(srt_alphabet_has(&t->alphabet, 0xF1));
    sortes_vocab_free(v);
}

static void a_vocab_keeps_one_tree_of_each_kind(void **state)
{
    sortes_vocab *v = tree_vocab();

    (void)state;
    assert_ptr_equal(tree_of(v, false), tree_of(v, false));
    assert_ptr_equal(tree_of(v, true), tree_of(v, true));
    assert_ptr_not_equal(tree_of(v, false), tree_of(v, true));
    sortes_vocab_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_holds_each_plain_token_once),
        cmocka_unit_test(the_slice_is_whole_string_characters),
        cmocka_unit_test(a_literal_tree_spells_special_tokens),
        cmocka_unit_test(a_vocab_keeps_one_tree_of_each_kind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

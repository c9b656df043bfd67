/*
 * test_tree_follows.c - what of tokens may follow a value
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/tree.h"
#include "support/small_vocab.h"

#include <string.h>

/* Beside the 256 bytes that every small vocab has. */
static const struct small_token follows_tokens[] = {
    { "\",", 0, 0 }, { "\"},", 0, 0 },  { "1,2", 0, 0 },
    { ", ", 0, 0 },  { "a}\n]", 0, 0 }, { "abc", 0, 0 },
    { "  ", 0, 0 },  { "}],", 0, 0 },   { "x,\"name", 0, 0 }
};

static const char *const follows_wanted[] = { ",",  ", ",  ",\"name", ",2",
                                              "]",  "],",  "}",       "}\n]",
                                              "},", "}],", NULL };

struct follows_found {
    char text[32][SRT_TREE_DEPTH + 1];
    size_t n;
};

/* The strings below siblings, in their order. */
static void follows_list(const struct srt_tree_nodes *nodes, uint32_t at,
                         uint32_t end, char *text, size_t n,
                         struct follows_found *found)
{
    for (; at < end; at += srt_node_size(&nodes->node[at])) {
        const struct srt_tree_node *node = &nodes->node[at];

        text[n] = (char)srt_node_byte(node);
        text[n + 1] = 0;
        if (srt_node_token(node) >= 0) {
            assert_int_equal(srt_node_token(node), found->n);
            assert_true(found->n < SRT_COUNT(found->text));
            strcpy(found->text[found->n++], text);
        }
        follows_list(nodes, at + 1, at + srt_node_size(node), text, n + 1,
                     found);
    }
}

static bool follows_is_wanted(const char *text)
{
    for (size_t i = 0; follows_wanted[i]; i++)
        if (strcmp(follows_wanted[i], text) == 0)
            return true;
    return false;
}

static void ends_of_tokens_are_numbered_in_order(void **state)
{
    sortes_vocab *v =
        small_vocab(NULL, follows_tokens, SRT_COUNT(follows_tokens));
    static struct follows_found found;
    const struct srt_tree *t;
    char text[SRT_TREE_DEPTH + 2];

    (void)state;
    assert_int_equal(srt_tree_of(&t, v, false), SORTES_OK);
    follows_list(&t->follows, 0, t->follows.n, text, 0, &found);
    assert_int_equal(found.n, t->n_follows);
    assert_int_equal(found.n, SRT_COUNT(follows_wanted) - 1);
    for (size_t i = 0; i < found.n; i++) {
        assert_true(follows_is_wanted(found.text[i]));
        assert_true(i == 0 || strcmp(found.text[i - 1], found.text[i]) < 0);
    }
    assert_true(t->follows_all);
    sortes_vocab_free(v);
}

/* A token of n bytes, of which the comma is bytes[at]. */
static bool follows_all_with(size_t n, size_t at)
{
    static char bytes[600];
    const struct small_token tokens[] = { { bytes, 0, 0 } };
    const struct srt_tree *t;
    sortes_vocab *v;
    bool all;

    memset(bytes, 'a', n);
    bytes[at] = ',';
    bytes[n] = 0;
    v = small_vocab(NULL, tokens, 1);
    assert_int_equal(srt_tree_of(&t, v, false), SORTES_OK);
    all = t->follows_all;
    if (all)
        assert_int_equal(t->n_follows, 4); /* , } ] and this one */
    sortes_vocab_free(v);
    return all;
}

static void what_is_too_long_is_told(void **state)
{
    (void)state;
    assert_true(follows_all_with(20, 3));
    assert_true(follows_all_with(500, 499 - SRT_TREE_DEPTH + 1));
    assert_false(follows_all_with(500, 499 - SRT_TREE_DEPTH));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_of_tokens_are_numbered_in_order),
        cmocka_unit_test(what_is_too_long_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_tree_strings.c - tokens that stay in a string, and tails of the others
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/mask.h"
#include "support/constrain_walk.h"
#include "unicode.h"

#include <string.h>

/* Bytes of a string's characters that a token begins with; *chars of them. */
static size_t body_of(const char *bytes, size_t n, uint32_t *chars)
{
    size_t at = 0;

    for (*chars = 0; at < n; ++*chars) {
        const size_t length = srt_utf8_length(bytes + at, n - at);

        if (!length || (uint8_t)bytes[at] < 0x20 || bytes[at] == 0x7F ||
            strchr("\"\\", bytes[at]))
            break;
        at += length;
    }
    return at;
}

static void check_slice(const struct srt_tree *t, const sortes_vocab *v)
{
    const uint32_t n = t->longer[0];
    uint32_t before = UINT32_MAX;

    for (uint32_t i = 0; i < n; i++) {
        size_t n_bytes;
        const char *bytes = sortes_vocab_piece(v, t->by_chars[i], &n_bytes);
        uint32_t chars;

        assert_int_equal(body_of(bytes, n_bytes, &chars), n_bytes);
        assert_true(srt_bit_get(t->string_words, t->by_chars[i]));
        assert_true(chars <= before);
        for (uint32_t c = 0; c < t->string_chars; c++)
            assert_int_equal(i<t->longer[c], chars> c);
        before = chars;
    }
    assert_int_equal(t->longer[t->string_chars], 0);
}

static void check_tails(const struct srt_tree *t, const sortes_vocab *v)
{
    uint8_t path[SRT_TREE_DEPTH + 1];
    size_t n_path = 0;
    uint32_t n_tails = 0, n_rest = 0;

    for (uint32_t i = 0; i < t->rest.n; i++)
        n_rest += srt_node_token(&t->rest.node[i]) >= 0;
    for (uint32_t i = 0; i < t->tails.n; i++) {
        const struct srt_tree_node *at = &t->tails.node[i];
        const int32_t tail = srt_node_token(at);

        path[n_path++] = srt_node_byte(at);
        if (tail >= 0)
            n_tails++;
        for (uint32_t k = tail < 0 ? 0 : t->tail_first[tail];
             tail >= 0 && k < t->tail_first[tail + 1]; k++) {
            size_t n;
            const char *bytes = sortes_vocab_piece(v, t->tail_token[k], &n);
            uint32_t chars;
            const size_t body = body_of(bytes, n, &chars);

            assert_int_equal(n - body, n_path);
            assert_memory_equal(bytes + body, path, n_path);
            assert_false(srt_bit_get(t->string_words, t->tail_token[k]));
        }
        if (srt_node_size(at) == 1)
            n_path -= srt_node_up(at);
    }
    assert_int_equal(n_tails, t->n_tails);
    assert_int_equal(t->tail_first[t->n_tails], n_rest);
}

static void every_token_stays_or_has_a_tail(void **state)
{
    struct walk_random r = { 11 };

    (void)state;
    for (int round = 0; round < 80; round++) {
        sortes_vocab *v = walk_vocab(&r);
        const struct srt_tree *t;

        assert_int_equal(srt_tree_of(&t, v, round % 2 == 1), SORTES_OK);
        check_slice(t, v);
        check_tails(t, v);
        sortes_vocab_free(v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_token_stays_or_has_a_tail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

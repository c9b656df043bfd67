/*
 * test_kinds.c - what lies below a node, found by looking at all of it
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/tree.h"
#include "support/constrain_walk.h"
#include "unicode.h"

#include <string.h>

static void kinds_of_bytes(void **state)
{
    (void)state;
    assert_true(srt_kind_of('"') == SRT_KINDS_OTHER);
    assert_true(srt_kind_of('\\') == SRT_KINDS_OTHER);
    assert_true(srt_kind_of('\n') == SRT_KINDS_OTHER);
    assert_true(srt_kind_of(0x7F) == SRT_KINDS_OTHER);
    assert_true(srt_kind_of(0x80) == SRT_KINDS_OTHER);
    assert_true(srt_kind_of(0xC1) == SRT_KINDS_OTHER);
    assert_true(srt_kind_of(0xF5) == SRT_KINDS_OTHER);
    assert_true(srt_kind_of('a') != srt_kind_of('b'));
    assert_true(srt_kind_of('A') == srt_kind_of('Z'));
    assert_true(srt_kind_of(0xE4) == srt_kind_of(0xE9));
    assert_true(srt_kind_of(0xC3) != srt_kind_of('a'));
    for (unsigned byte = 0; byte < 256; byte++)
        assert_int_equal(srt_popcount64(srt_kind_of((uint8_t)byte)), 1);
}

/* The kinds of a text whose first `from` bytes are above the node. */
static srt_kinds kinds_of_text(const uint8_t *text, size_t n, size_t from)
{
    srt_kinds kinds = 0;
    size_t at = 0;

    while (at < n) {
        const size_t length = srt_utf8_length((const char *)text + at, n - at);
        bool torn = length == 0 && n - at < 4;

        /* The text may end inside a character: some bytes make it one. */
        if (torn) {
            uint8_t more[8];
            bool completes = false;

            for (unsigned tail = 1; tail < 4 && !completes; tail++)
                for (unsigned second = 0x80; second < 0xC0 && !completes;
                     second++) {
                    memcpy(more, text + at, n - at);
                    memset(more + (n - at), 0x80, sizeof(more) - (n - at));
                    more[n - at] = (uint8_t)second;
                    completes = srt_utf8_length((const char *)more,
                                                n - at + tail) == n - at + tail;
                }
            if (!completes)
                return kinds | (n > from ? SRT_KINDS_OTHER : 0);
            if (at >= from)
                kinds |= srt_kind_of(text[at]);
            return kinds;
        }
        if (length == 0)
            return kinds | SRT_KINDS_OTHER;
        if (at >= from)
            kinds |= srt_kind_of(text[at]);
        at += length;
    }
    return kinds;
}

/* Whether a text ends inside a character, or is no UTF-8. */
static bool kinds_inside(const uint8_t *text, size_t n)
{
    size_t at = 0, length = 1;

    while (at < n && length) {
        length = srt_utf8_length((const char *)text + at, n - at);
        at += length;
    }
    return length == 0;
}

static void check_node(const struct srt_tree *t, uint32_t node,
                       const uint8_t *path, size_t n_path)
{
    const struct srt_kinds_entry *e = srt_kinds_at(&t->kinds, node);
    uint8_t text[SRT_TREE_DEPTH + 1];
    size_t n = n_path;
    uint32_t n_tokens = e->first;
    srt_kinds kinds = 0;

    memcpy(text, path, n_path);
    for (uint32_t i = node + 1; i < node + srt_node_size(&t->all.node[node]);
         i++) {
        const struct srt_tree_node *at = &t->all.node[i];

        text[n++] = srt_node_byte(at);
        kinds |= kinds_of_text(text, n, n_path);
        if (srt_node_token(at) >= 0 && kinds_inside(text, n) &&
            !(kinds_of_text(text, n, n - 1) & SRT_KINDS_OTHER))
            kinds |= SRT_KINDS_TORN;
        if (srt_node_token(at) >= 0)
            assert_int_equal(t->kinds.token[n_tokens++], srt_node_token(at));
        if (srt_node_size(at) == 1)
            n -= srt_node_up(at);
    }
    assert_int_equal(n_tokens, e->end);
    if (kinds_inside(path, n_path))
        kinds |= SRT_KINDS_OTHER;
    assert_true(kinds == e->kinds);
}

static void entries_say_what_is_below(void **state)
{
    struct walk_random r = { 7 };
    unsigned n_checked = 0;

    (void)state;
    for (int round = 0; round < 60; round++) {
        sortes_vocab *v = walk_vocab(&r);
        const struct srt_tree *t;
        uint8_t path[SRT_TREE_DEPTH + 1];
        size_t n = 0;

        assert_int_equal(srt_tree_of(&t, v, round % 2 == 1), SORTES_OK);
        for (uint32_t i = 0; i < t->all.n; i++) {
            const struct srt_tree_node *at = &t->all.node[i];
            const bool has = t->kinds.has[i / 64] >> i % 64 & 1;

            path[n++] = srt_node_byte(at);
            assert_int_equal(has, srt_node_size(at) >= SRT_KINDS_NODES);
            if (has)
                check_node(t, i, path, n);
            n_checked += has;
            if (srt_node_size(at) == 1)
                n -= srt_node_up(at);
        }
        sortes_vocab_free(v);
    }
    assert_true(n_checked > 200);
}

static void utf8_parts_are_utf8(void **state)
{
    (void)state;
    /* Every sequence of up to three bytes that is a character, by parts. */
    for (unsigned a = 0; a < 256; a++)
        for (unsigned b = 0x70; b < 0xD0; b++) {
            const char text[3] = { (char)a, (char)b, (char)0x80 };
            uint32_t part = 0;
            size_t length = 0;

            for (size_t i = 0; i < 3; i++) {
                size_t n;
                const struct srt_utf8_step *step = srt_utf8_steps(part, &n);
                bool found = false;

                for (size_t k = 0; k < n && !found; k++)
                    if ((uint8_t)text[i] >= step[k].first &&
                        (uint8_t)text[i] <= step[k].last) {
                        part = step[k].then;
                        found = true;
                    }
                if (!found)
                    break;
                if (part == 0) {
                    length = i + 1;
                    break;
                }
            }
            assert_int_equal(length, srt_utf8_length(text, 3));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_of_bytes),
        cmocka_unit_test(entries_say_what_is_below),
        cmocka_unit_test(utf8_parts_are_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_tags_mask.c - the mask has what follow lets through, and nothing else,
 * where objects stand in tags
 *
 * The tokens leave objects, enter them and pass through whole ones.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/cache.h"
#include "constrain/mask.h"
#include "support/small_vocab.h"
#include "support/tags_made.h"

#include <string.h>

static const struct small_token tokens[] = {
    { "\"a\"", 0, 0 },
    { "{\"a\":", 0, 0 },
    { ",\"a\"", 0, 0 },
    { "\":1}", 0, 0 },
    { ":1}>", 0, 0 },
    { "a\":1,\"a\":2}>", 0, 0 },
    { "<{\"a\":1,\"a", 0, 0 },
    { "<{\"a\":1,\"a\"", 0, 0 },
    { "a\":1}><{\"a\"", 0, 0 },
    { "1}><{\"a\":1,\"a\":", 0, 0 },
    { "1}><{\"b\":1,", 0, 0 },
    { "}x", 0, 0 },
    { "2}", 0, 0 },
    { "\"a\"", 0, 0 },
    { "<{\"a\":1,\"a\"", 0, 0 },
    { "</s>", 0, SORTES_TOKEN_EOG },
};

struct walk {
    struct srt_machine *m;
    sortes_vocab *v;
    struct srt_cache *cache;
    struct srt_cursor cursor;
    uint32_t states[64];
};

/* Whether a token may come behind states[n] and a trail. */
static bool may_come(struct walk *w, size_t n, const struct srt_trail *trail,
                     int32_t token)
{
    const struct srt_tree *tree = w->cache->tree;
    uint32_t states[32];
    size_t n_bytes, n_live;
    const char *bytes = sortes_vocab_piece(w->v, token, &n_bytes);
    struct srt_path path = { (const uint8_t *)bytes, states, n_bytes };

    if (!srt_tree_has(tree, token))
        return w->m->type->may_end(w->m, trail, w->states[n]);
    states[0] = w->states[n];
    assert_int_equal(
        srt_cursor_path(&w->cursor, states, path.bytes, n_bytes, &n_live),
        SORTES_OK);
    return n_live == n_bytes &&
           w->m->type->follow(w->m, trail, &path, NULL, &n_live) == SORTES_OK;
}

static void check_mask(struct walk *w, const char *text, size_t n,
                       const struct srt_trail *trail)
{
    uint32_t words[16];

    assert_in_range(w->cache->tree->n_words, 1, 16);
    assert_int_equal(srt_mask_at(&w->cursor, w->states[n], true, words),
                     SORTES_OK);
    assert_int_equal(
        w->m->type->forbid(w->m, trail, w->states[n], &w->cursor, words),
        SORTES_OK);
    for (size_t i = 0; i < sortes_vocab_size(w->v); i++)
        if (srt_bit_get(words, (int32_t)i) !=
            may_come(w, n, trail, (int32_t)i)) {
            size_t n_bytes;
            const char *piece = sortes_vocab_piece(w->v, (int32_t)i, &n_bytes);

            fail_msg("'%.*s': token '%.*s' is %sset", (int)n, text,
                     (int)n_bytes, piece,
                     srt_bit_get(words, (int32_t)i) ? "" : "not ");
        }
}

/* At every byte of a text, twice: found out, and remembered. */
static void check_text(struct walk *w, const char *text)
{
    const size_t n = tags_pass(w->m, text, strlen(text), w->states);

    for (size_t i = 0; i <= n; i++) {
        const struct srt_path path = { (const uint8_t *)text, w->states, i };
        struct srt_trail *trail = NULL;
        size_t n_ok;

        if (w->m->type->follow(w->m, NULL, &path, &trail, &n_ok) != SORTES_OK)
            return;
        check_mask(w, text, i, trail);
        check_mask(w, text, i, trail);
        if (trail)
            srt_shared_release(&trail->shared);
    }
}

static void check(const struct tags_part (*parts)[TAGS_PARTS], size_t n_parts,
                  bool star, const char *const *texts)
{
    struct srt_tags *t = tags_made(parts, n_parts, star);
    struct walk w;

    w.v = small_vocab(NULL, tokens, sizeof(tokens) / sizeof(*tokens));
    w.m = tags_machine_of(t, w.v);
    assert_int_equal(srt_cache_new(&w.cache, w.m, w.v, 1 << 20), SORTES_OK);
    srt_cursor_init(&w.cursor, w.cache);
    srt_cursor_enter(&w.cursor);
    for (; *texts; texts++)
        check_text(&w, *texts);
    srt_cursor_leave(&w.cursor);
    srt_cursor_free(&w.cursor);
    srt_shared_release(&w.cache->shared);
    sortes_vocab_free(w.v);
    srt_tags_free(&t->program);
}

static void tokens_leave_and_enter_objects(void **state)
{
    static const struct tags_part parts[][TAGS_PARTS] = {
        { { NULL, "<" }, { "json_object", "" }, { NULL, ">" } },
    };
    static const char *const texts[] = {
        "<{\"b\":1}><{\"a\":{\"a\":2},\"c\":\"x\"}><",
        "<{\"a\":1,\"b\":1}>",
        NULL,
    };

    (void)state;
    check(parts, 1, true, texts);
}

static void a_token_may_come_on_another_way(void **state)
{
    static const struct tags_part parts[][TAGS_PARTS] = {
        { { "json_object", "" } },
        { { NULL, "{\"a\":1,\"a\":2}x" } },
        { { NULL, "{\"a\":" }, { "json_object", "" }, { NULL, "}}" } },
    };
    static const char *const texts[] = {
        "{\"a\":1,\"a\":2}x",
        "{\"a\":1,\"b\":2}",
        "{\"a\":{\"a\":1,\"b\":1}}}",
        NULL,
    };

    (void)state;
    check(parts, 3, false, texts);
}

static void objects_touch(void **state)
{
    static const struct tags_part parts[][TAGS_PARTS] = {
        { { "json_object", "" } },
        { { NULL, "<" } },
    };
    static const char *const texts[] = { "{}{\"a\":1}<{\"a\":{}}{\"b\":1",
                                         NULL };

    (void)state;
    check(parts, 2, true, texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_leave_and_enter_objects),
        cmocka_unit_test(a_token_may_come_on_another_way),
        cmocka_unit_test(objects_touch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

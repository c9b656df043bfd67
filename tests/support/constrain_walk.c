/*
 * constrain_walk.c - random vocabularies, random texts, and walks over them
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/constrain_walk.h"

#include "json/json.h"
#include "support/small_vocab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WALK_TOKENS = 120, WALK_TOKEN_BYTES = 400, WALK_TEXT = 1 << 14 };

uint32_t walk_below(struct walk_random *r, uint32_t n)
{
    r->state = r->state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)((r->state >> 33) % n);
}

/* ---- vocabularies -------------------------------------------------------- */

static const char *const walk_parts[] = {
    "\"",      "\"",        "\\",          "{",
    "}",       "[",         "]",           ",",
    ":",       "a",         "b",           "a",
    "\\u0061", "\\u0061\"", "\\u00",       "61",
    "61\"",    "a\"",       "{\"a\":1,\"", "\\ud83d",
    "\\ude00", "\xC3",      "\xA9",        "\xE2\x82",
    "\xAC",    "\xF0\x9F",  "\x98\x80",    " ",
    "\n",      "\t",        "0",           "1",
    "-",       ".5",        "e+",          "true",
    "nul",     "\":",       ",\"",         "\":1,\"",
    "{\"",     "\"}",       "\xFF",        "\x01",
    "/",       "\\\"",      ",\"a\":",     "\\u0061\":0,\"",
};

static size_t walk_token(struct walk_random *r, char *out)
{
    size_t n = 0;

    if (walk_below(r, 60) == 0) { /* too long for nodes */
        memset(out, 'a', 300);
        n = 300;
    }
    for (uint32_t k = 1 + walk_below(r, 5); k > 0; k--) {
        const char *part = walk_parts[walk_below(r, SRT_COUNT(walk_parts))];

        memcpy(out + n, part, strlen(part));
        n += strlen(part);
    }
    return n;
}

/* Bytes that the vocab lacks: none, some at random, or most. */
static void walk_without(struct walk_random *r, char *without)
{
    static const char kept[] = "{}[]:,\"\\ab01u.e-\n true";
    const uint32_t kind = walk_below(r, 3);
    size_t n = 0;

    for (int byte = 1; byte < 256; byte++) {
        const bool basic = strchr("{}\"", byte) != NULL;

        if ((kind == 1 && !basic && walk_below(r, 12) == 0) ||
            (kind == 2 && !strchr(kept, byte)) ||
            (kind == 2 && !basic && walk_below(r, 9) == 0))
            without[n++] = (char)byte;
    }
    without[n] = '\0';
}

sortes_vocab *walk_vocab(struct walk_random *r)
{
    static char bytes[WALK_TOKENS][WALK_TOKEN_BYTES];
    struct small_token tokens[WALK_TOKENS];
    char without[256];
    const size_t n = 30 + walk_below(r, WALK_TOKENS - 30);

    walk_without(r, without);
    for (size_t i = 0; i < n; i++) {
        const uint32_t kind = walk_below(r, 24);

        if (i > 0 && walk_below(r, 10) == 0) {
            tokens[i] = tokens[walk_below(r, (uint32_t)i)];
            tokens[i].flags = 0;
            continue;
        }
        tokens[i].bytes = bytes[i];
        tokens[i].n = walk_token(r, bytes[i]);
        tokens[i].flags = kind == 0   ? SORTES_TOKEN_CONTROL
                          : kind == 1 ? SORTES_TOKEN_UNUSED
                                      : 0;
    }
    tokens[n - 1].flags = SORTES_TOKEN_EOG;
    if (walk_below(r, 2))
        tokens[n - 2].flags = SORTES_TOKEN_EOG;
    return small_vocab(without, tokens, n);
}

/* ---- texts --------------------------------------------------------------- */

struct walk_text {
    struct walk_random *random;
    char *out;
    size_t n, room;
    uint32_t keys;
};

static void walk_put(struct walk_text *t, const char *bytes)
{
    const size_t n = strlen(bytes);

    if (t->room - t->n < n) {
        t->room = t->n; /* full from now on */
        return;
    }
    memcpy(t->out + t->n, bytes, n);
    t->n += n;
}

static void walk_put_string(struct walk_text *t)
{
    static const char *const parts[] = {
        "a",        "b", "\\\"", "\\\\", "\\n",
        "\xC3\xA9", "}", "[",    ":",    "\xF0\x9F\x98\x80",
        "1",        ","
    };

    walk_put(t, "\"");
    for (uint32_t k = walk_below(t->random, 5); k > 0; k--)
        walk_put(t, parts[walk_below(t->random, SRT_COUNT(parts))]);
    walk_put(t, "\"");
}

static void walk_put_value(struct walk_text *t, int depth)
{
    static const char *const atoms[] = { "0",    "-1",   "1.5", "10e+1",
                                         "true", "null", "7" };
    const uint32_t kind = walk_below(t->random, depth > 0 ? 6 : 4);
    const char *open = kind == 4 ? "{" : "[";
    uint32_t n;

    if (kind < 2)
        walk_put(t, atoms[walk_below(t->random, SRT_COUNT(atoms))]);
    else if (kind < 4)
        walk_put_string(t);
    if (kind < 4)
        return;
    walk_put(t, open);
    for (n = walk_below(t->random, 4); n > 0; n--) {
        if (kind == 4) {
            char key[24];

            /* Numbered in two letters: no two are the same. */
            snprintf(key, sizeof(key), "\"");
            for (uint32_t k = ++t->keys; k; k >>= 1)
                strcat(key, k & 1 ? "a" : "b");
            walk_put(t, strcat(key, "\":"));
        }
        walk_put_value(t, depth - 1);
        if (n > 1)
            walk_put(t, ",");
    }
    walk_put(t, kind == 4 ? "}" : "]");
}

/* Bytes that are tokens by themselves. */
static void walk_alphabet(const sortes_vocab *v, bool has[256])
{
    memset(has, 0, 256);
    for (size_t i = 0; i < sortes_vocab_size(v); i++) {
        size_t n;
        const char *bytes = sortes_vocab_piece(v, (int32_t)i, &n);

        if (n == 1 && sortes_vocab_flags(v, (int32_t)i) == 0)
            has[(uint8_t)bytes[0]] = true;
    }
}

size_t walk_json_text(struct walk_random *r, const sortes_vocab *v, char *out,
                      size_t room)
{
    bool has[256];

    walk_alphabet(v, has);
    for (int attempt = 0; attempt < 20; attempt++) {
        struct walk_text t = { .random = r, .out = out, .room = room };
        bool fits = true;

        while (t.n == 0 || out[0] != '{') {
            t.n = 0;
            t.room = room;
            walk_put_value(&t, 3);
        }
        for (size_t i = 0; i < t.n; i++)
            fits &= has[(uint8_t)out[i]];
        if (fits && t.room == room)
            return t.n;
    }
    return 0;
}

static bool walk_keys_differ(const struct srt_json *v)
{
    for (const struct srt_json *a = v->first; a; a = a->next) {
        if (!walk_keys_differ(a))
            return false;
        for (const struct srt_json *b = a->next; b && a->key; b = b->next)
            if (a->n_key == b->n_key && memcmp(a->key, b->key, a->n_key) == 0)
                return false;
    }
    return true;
}

bool walk_is_json(const char *text, size_t n, const void *ctx)
{
    const bool repeats = ctx && *(const bool *)ctx;
    struct srt_json_document d;
    bool is;

    if (srt_json_read(&d, text, n, NULL) != SORTES_OK)
        return false;
    is = d.root->type == SRT_JSON_OBJECT &&
         (repeats || walk_keys_differ(d.root));
    srt_json_free(&d);
    return is;
}

/* ---- walks --------------------------------------------------------------- */

struct walk {
    struct walk_random *random;
    sortes_grammar *grammar;
    sortes_vocab *vocab;
    sortes_matcher *m, *plain; /* plain: bytes, no memory */
    char *text;
    size_t n;
    int32_t byte_token[256]; /* -1: none */
    walk_check *check;
    const void *ctx;
};

/* What to type, in this order, so that any JSON text comes to an end. */
static const char walk_closers[] = "\"}]:0elsru{ad[\\";

static int32_t walk_closer(const struct walk *w, sortes_matcher *m)
{
    for (const char *c = walk_closers; *c; c++) {
        const int32_t token = w->byte_token[(uint8_t)*c];

        if (token >= 0 && sortes_matcher_allows(m, token) == 1)
            return token;
    }
    for (int byte = 255; byte >= 0; byte--)
        if (w->byte_token[byte] >= 0 &&
            sortes_matcher_allows(m, w->byte_token[byte]) == 1)
            return w->byte_token[byte];
    return -1;
}

/* There is a way to an end, by tokens of one byte. */
static void walk_finish(const struct walk *w)
{
    static char text[WALK_TEXT + 1024];
    sortes_matcher *m;
    size_t n = w->n;

    memcpy(text, w->text, n);
    assert_int_equal(sortes_matcher_clone(&m, w->m), SORTES_OK);
    while (!sortes_matcher_is_accepting(m)) {
        const int32_t token = walk_closer(w, m);
        size_t one;

        if (token < 0 || n >= w->n + 1000)
            fail_msg("no end of '%.*s' (%zu)", (int)n, text, w->n);
        assert_int_equal(sortes_matcher_advance(m, &token, 1, NULL), SORTES_OK);
        text[n++] = *sortes_vocab_piece(w->vocab, token, &one);
    }
    if (!w->check(text, n, w->ctx))
        fail_msg("'%.*s' is complete, and wrong", (int)n, text);
    sortes_matcher_free(m);
}

/* The token's bytes for a matcher that remembers nothing. */
static void walk_compare(const struct walk *w, int32_t token, bool has[256])
{
    const uint32_t flags = sortes_vocab_flags(w->vocab, token);
    size_t n, ok;
    const char *bytes = sortes_vocab_piece(w->vocab, token, &n);
    bool wanted = flags == 0;
    sortes_status status;

    if (flags & SORTES_TOKEN_EOG)
        return;
    for (size_t i = 0; i < n; i++)
        wanted &= has[(uint8_t)bytes[i]];
    status = sortes_matcher_advance_bytes(w->plain, bytes, n, &ok);
    assert_true(status == SORTES_OK || status == SORTES_E_NO_TOKEN);
    if (status == SORTES_OK)
        sortes_matcher_rollback(w->plain, 1);
    if (sortes_matcher_allows(w->m, token) != (wanted && status == SORTES_OK))
        fail_msg("token %d '%.*s' behind '%.*s'", token, (int)n, bytes,
                 (int)w->n, w->text);
}

/* A token of the mask, no end token; -1: there is none. */
static int32_t walk_choose(const struct walk *w)
{
    static int32_t list[1024];
    size_t n, kept = 0;

    assert_int_equal(sortes_matcher_allowed(w->m, list, SRT_COUNT(list), &n),
                     SORTES_OK);
    for (size_t i = 0; i < n; i++) /* long ones weigh more than single bytes */
        if (!(sortes_vocab_flags(w->vocab, list[i]) & SORTES_TOKEN_EOG))
            list[kept++] = list[i];
    if (!kept)
        return -1;
    if (walk_below(w->random, 4))
        return list[kept - 1 -
                    walk_below(w->random, kept < 12 ? (uint32_t)kept : 12)];
    return list[walk_below(w->random, (uint32_t)kept)];
}

static void walk_twist(struct walk *w)
{
    sortes_matcher *clone;

    if (walk_below(w->random, 6) == 0) {
        assert_int_equal(sortes_matcher_clone(&clone, w->m), SORTES_OK);
        sortes_matcher_free(w->m);
        w->m = clone;
    }
    if (walk_below(w->random, 9) == 0)
        sortes_matcher_flush(w->m);
}

static bool walk_one(struct walk *w, bool has[256])
{
    int32_t token;
    const char *bytes;
    size_t n;

    small_check_mask(w->m, w->vocab);
    for (size_t i = 0; i < sortes_vocab_size(w->vocab); i++)
        walk_compare(w, (int32_t)i, has);
    if (walk_below(w->random, 4) == 0)
        walk_finish(w);
    token = walk_choose(w);
    if (token < 0)
        return false;
    bytes = sortes_vocab_piece(w->vocab, token, &n);
    assert_int_equal(sortes_matcher_advance(w->m, &token, 1, NULL), SORTES_OK);
    walk_twist(w);
    if (walk_below(w->random, 7) == 0) { /* there and back again */
        assert_int_equal(sortes_matcher_rollback(w->m, 1), SORTES_OK);
        small_check_mask(w->m, w->vocab);
        assert_int_equal(sortes_matcher_advance(w->m, &token, 1, NULL),
                         SORTES_OK);
    }
    assert_int_equal(sortes_matcher_advance_bytes(w->plain, bytes, n, NULL),
                     SORTES_OK);
    memcpy(w->text + w->n, bytes, n);
    w->n += n;
    return w->n + WALK_TOKEN_BYTES < WALK_TEXT;
}

void walk_go(struct walk_random *r, sortes_grammar *g, sortes_vocab *v,
             size_t n, walk_check *check, const void *ctx)
{
    static char text[WALK_TEXT];
    struct walk w = { .random = r, .grammar = g, .vocab = v, .text = text };
    bool has[256];

    w.check = check;
    w.ctx = ctx;
    walk_alphabet(v, has);
    memset(w.byte_token, 0xff, sizeof(w.byte_token));
    for (size_t i = 0; i < sortes_vocab_size(v); i++) {
        size_t length;
        const char *bytes = sortes_vocab_piece(v, (int32_t)i, &length);

        if (length == 1 && sortes_vocab_flags(v, (int32_t)i) == 0)
            w.byte_token[(uint8_t)bytes[0]] = (int32_t)i;
    }
    w.m = small_matcher(g, v);
    w.plain = small_matcher(g, v);
    sortes_matcher_use_memo(w.plain, 0);
    while (n > 0 && walk_one(&w, has))
        n--;
    walk_finish(&w);
    sortes_matcher_free(w.m);
    sortes_matcher_free(w.plain);
}

void walk_text(struct walk_random *r, sortes_grammar *g, sortes_vocab *v,
               const char *text, size_t n)
{
    sortes_matcher *m = small_matcher(g, v);

    for (size_t at = 0; at < n;) {
        const uint32_t size = (uint32_t)sortes_vocab_size(v);
        int32_t token = (int32_t)walk_below(r, size);
        size_t length;
        const char *bytes = sortes_vocab_piece(v, token, &length);

        while (sortes_vocab_flags(v, token) || length > n - at ||
               memcmp(bytes, text + at, length) != 0) {
            token = (token + 1) % (int32_t)size;
            bytes = sortes_vocab_piece(v, token, &length);
        }
        if (sortes_matcher_allows(m, token) != 1 ||
            sortes_matcher_advance(m, &token, 1, NULL) != SORTES_OK)
            fail_msg("'%.*s' does not take '%.*s' at %zu", (int)n, text,
                     (int)length, bytes, at);
        at += length;
    }
    assert_true(sortes_matcher_is_accepting(m));
    sortes_matcher_free(m);
}

/* ---- rounds -------------------------------------------------------------- */

static void walk_json_round(struct walk_random *r, sortes_vocab *v,
                            const char *profile)
{
    static const char *const blanks[] = { "none", "single", "bounded", "any" };
    sortes_grammar_options o = { .struct_size = sizeof(o) };
    static char text[2048];
    sortes_grammar *g;
    bool repeats;

    o.profile = profile;
    o.max_depth = walk_below(r, 3) ? 0 : 2 + walk_below(r, 4);
    o.max_cache_bytes = walk_below(r, 3) ? 0 : 1 + walk_below(r, 400000);
    if (walk_below(r, 2))
        o.whitespace = blanks[walk_below(r, 4)];
    if (walk_below(r, 4) == 0)
        o.unique_keys = walk_below(r, 2) ? "true" : "false";
    repeats = o.unique_keys ? strcmp(o.unique_keys, "false") == 0
                            : profile && strcmp(profile, "llguidance") == 0;
    g = small_grammar("json_object", NULL, &o);
    walk_go(r, g, v, 25, walk_is_json, &repeats);
    for (int i = 0; i < 5 && !o.max_depth; i++) {
        const size_t n = walk_json_text(r, v, text, sizeof(text));

        if (n > 0)
            walk_text(r, g, v, text, n);
    }
    sortes_grammar_free(g);
}

void walk_json_rounds(uint64_t seed, int rounds)
{
    struct walk_random r = { seed };

    for (int i = 0; i < rounds; i++) {
        sortes_vocab *v = walk_vocab(&r);

        walk_json_round(&r, v, NULL);
        walk_json_round(&r, v, "json");
        walk_json_round(&r, v, "llguidance");
        sortes_vocab_free(v);
    }
}

struct walk_lines {
    char text[2048];
    size_t n;
};

static bool walk_is_line(const char *text, size_t n, const void *ctx)
{
    const struct walk_lines *lines = ctx;

    for (size_t at = 0; at < lines->n;) {
        const char *end = memchr(lines->text + at, '\n', lines->n - at);
        const size_t length = (size_t)(end - lines->text) - at;

        if (length == n && memcmp(lines->text + at, text, n) == 0)
            return true;
        at += length + 1;
    }
    return false;
}

void walk_choice_rounds(uint64_t seed, int rounds)
{
    struct walk_random r = { seed };

    for (int i = 0; i < rounds; i++) {
        static struct walk_lines lines;
        sortes_vocab *v = walk_vocab(&r);
        sortes_grammar *g;

        lines.n = 0;
        for (uint32_t k = 1 + walk_below(&r, 9); k > 0; k--) {
            for (uint32_t j = walk_below(&r, 5); j > 0; j--) {
                const char *part =
                    walk_parts[walk_below(&r, SRT_COUNT(walk_parts))];

                if (strchr(part, '\n'))
                    continue;
                memcpy(lines.text + lines.n, part, strlen(part));
                lines.n += strlen(part);
            }
            lines.text[lines.n++] = '\n';
        }
        memcpy(lines.text + lines.n, "{\"}\n", 5); /* always to be had */
        lines.n += 4;
        lines.text[lines.n] = '\0';
        g = small_grammar("choice", lines.text, NULL);
        walk_go(&r, g, v, 12, walk_is_line, &lines);
        sortes_grammar_free(g);
        sortes_vocab_free(v);
    }
}

void walk_any_token(struct walk_random *r, sortes_matcher *m,
                    const sortes_vocab *v)
{
    const uint32_t n = (uint32_t)sortes_vocab_size(v);
    const uint32_t first = walk_below(r, n);

    for (uint32_t i = 0; i < n; i++) {
        const int32_t token = (int32_t)((first + i) % n);

        if (sortes_matcher_advance(m, &token, 1, NULL) == SORTES_OK)
            return;
    }
}

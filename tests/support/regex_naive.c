/*
 * regex_naive.c - what a regular expression means, by sets of positions
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/regex_naive.h"

#include "support/regex_check.h"
#include "unicode.h"

#include <stdio.h>
#include <string.h>

static bool naive_is_word(const uint32_t *text, size_t n, size_t i)
{
    const uint32_t c = i < n ? text[i] : 0;

    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (c >= 'a' && c <= 'z');
}

static bool naive_boundary(const uint32_t *text, size_t n, size_t at)
{
    return (at > 0 && naive_is_word(text, n, at - 1)) !=
           naive_is_word(text, n, at);
}

/* One character of a kind. */
static bool naive_reads(const struct naive *x, uint32_t c)
{
    switch (x->kind) {
    case NAIVE_CHAR:
        return c == x->code;
    case NAIVE_NOT_CHAR:
        return c != x->code;
    case NAIVE_DOT:
        return c != '\n' && c != '\r' && c != 0x2028 && c != 0x2029;
    default:
        return naive_is_word(&c, 1, 0);
    }
}

static uint64_t naive_from(const struct naive *x, const uint32_t *text,
                           size_t n, uint64_t places)
{
    uint64_t to = 0;

    for (size_t i = 0; i <= n; i++)
        if (places >> i & 1)
            to |= naive_match(x, text, n, i);
    return to;
}

static uint64_t naive_repeat(const struct naive *x, const uint32_t *text,
                             size_t n, size_t at)
{
    uint64_t places = UINT64_C(1) << at, all = 0;
    /* Beyond n rounds more than the least number adds nothing. */
    const uint32_t most = x->max ? x->max : x->min + (uint32_t)n + 1;

    for (uint32_t i = 0; i <= most; i++) {
        if (i >= x->min)
            all |= places;
        places = naive_from(x->x, text, n, places);
    }
    return all;
}

static bool naive_behind(const struct naive *x, const uint32_t *text, size_t n,
                         size_t at)
{
    bool ends = false;

    for (size_t i = 0; i <= at; i++)
        ends |= naive_match(x, text, n, i) >> at & 1;
    return ends;
}

uint64_t naive_match(const struct naive *x, const uint32_t *text, size_t n,
                     size_t at)
{
    bool here = false;

    switch (x->kind) {
    case NAIVE_CAT:
        return naive_from(x->y, text, n, naive_match(x->x, text, n, at));
    case NAIVE_OR:
        return naive_match(x->x, text, n, at) | naive_match(x->y, text, n, at);
    case NAIVE_REPEAT:
        return naive_repeat(x, text, n, at);
    case NAIVE_EMPTY:
        here = true;
        break;
    case NAIVE_START:
        here = at == 0;
        break;
    case NAIVE_END:
        here = at == n;
        break;
    case NAIVE_BOUNDARY:
    case NAIVE_NO_BOUNDARY:
        here = naive_boundary(text, n, at) == (x->kind == NAIVE_BOUNDARY);
        break;
    case NAIVE_AHEAD:
    case NAIVE_NOT_AHEAD:
        here =
            (naive_match(x->x, text, n, at) != 0) == (x->kind == NAIVE_AHEAD);
        break;
    case NAIVE_BEHIND:
    case NAIVE_NOT_BEHIND:
        here = naive_behind(x->x, text, n, at) == (x->kind == NAIVE_BEHIND);
        break;
    default:
        return at < n && naive_reads(x, text[at]) ? UINT64_C(1) << (at + 1) : 0;
    }
    return here ? UINT64_C(1) << at : 0;
}

bool naive_accepts(const struct naive *x, const char *text)
{
    uint32_t codes[NAIVE_MAX_TEXT] = { 0 };
    size_t n = 0;

    for (size_t left = strlen(text); left > 0;) {
        const size_t bytes = srt_utf8_length(text, left);
        uint32_t code = (unsigned char)*text;

        assert_true(bytes > 0 && n < NAIVE_MAX_TEXT);
        if (bytes > 1)
            code &= 0x7Fu >> bytes;
        for (size_t i = 1; i < bytes; i++)
            code = code << 6 | ((unsigned char)text[i] & 0x3Fu);
        codes[n++] = code;
        text += bytes;
        left -= bytes;
    }
    return naive_match(x, codes, n, 0) >> n & 1;
}

/* ---- as a pattern -------------------------------------------------------- */

struct naive_text {
    char *at;
    size_t n, room;
};

static void naive_put(struct naive_text *t, const char *text)
{
    const size_t n = strlen(text);

    assert_true(t->n + n < t->room);
    memcpy(t->at + t->n, text, n + 1);
    t->n += n;
}

static void naive_put_code(struct naive_text *t, uint32_t code)
{
    char bytes[5] = { 0 };

    (void)srt_utf8_encode(code, bytes);
    naive_put(t, bytes);
}

static void naive_put_tree(struct naive_text *t, const struct naive *x)
{
    static const char *const openings[] = {
        [NAIVE_AHEAD] = "(?=",   [NAIVE_NOT_AHEAD] = "(?!",
        [NAIVE_BEHIND] = "(?<=", [NAIVE_NOT_BEHIND] = "(?<!",
        [NAIVE_OR] = "(?:",      [NAIVE_REPEAT] = "(?:",
    };
    static const char *const leaves[] = {
        [NAIVE_DOT] = ".",          [NAIVE_WORD] = "\\w",
        [NAIVE_EMPTY] = "(?:)",     [NAIVE_START] = "^",
        [NAIVE_END] = "$",          [NAIVE_BOUNDARY] = "\\b",
        [NAIVE_NO_BOUNDARY] = "\\B"
    };
    char counts[40];

    if (x->kind == NAIVE_CHAR) {
        naive_put_code(t, x->code);
    } else if (x->kind == NAIVE_NOT_CHAR) {
        naive_put(t, "[^");
        naive_put_code(t, x->code);
        naive_put(t, "]");
    } else if (x->kind == NAIVE_CAT) {
        naive_put_tree(t, x->x);
        naive_put_tree(t, x->y);
    } else if (x->kind < NAIVE_CAT) {
        naive_put(t, leaves[x->kind]);
    } else {
        naive_put(t, openings[x->kind]);
        naive_put_tree(t, x->x);
        if (x->kind == NAIVE_OR) {
            naive_put(t, "|");
            naive_put_tree(t, x->y);
        }
        naive_put(t, ")");
        if (x->kind == NAIVE_REPEAT) {
            (void)snprintf(counts, sizeof(counts), x->max ? "{%u,%u}" : "{%u,}",
                           (unsigned)x->min, (unsigned)x->max);
            naive_put(t, counts);
        }
    }
}

void naive_write(const struct naive *x, char *to, size_t room)
{
    struct naive_text t = { to, 0, room };

    to[0] = '\0';
    naive_put_tree(&t, x);
}

/* ---- random trees -------------------------------------------------------- */

static uint32_t naive_random(struct naive_forest *f, uint32_t below)
{
    f->random = f->random * UINT64_C(6364136223846793005) +
                UINT64_C(1442695040888963407);
    return (uint32_t)(f->random >> 33) % below;
}

static const struct naive *naive_leaf(struct naive_forest *f, struct naive *x,
                                      bool plain)
{
    static const enum naive_kind kinds[] = {
        NAIVE_CHAR, NAIVE_CHAR,     NAIVE_CHAR,        NAIVE_NOT_CHAR,
        NAIVE_DOT,  NAIVE_WORD,     NAIVE_EMPTY,       NAIVE_START,
        NAIVE_END,  NAIVE_BOUNDARY, NAIVE_NO_BOUNDARY,
    };

    x->kind = kinds[naive_random(f, plain ? 7 : 11)];
    x->code = (unsigned char)
                  f->letters[naive_random(f, (uint32_t)strlen(f->letters))];
    return x;
}

/* plain: inside lookbehind, where no assertion may stand. */
static const struct naive *naive_branch(struct naive_forest *f, int size,
                                        bool plain)
{
    struct naive *x;
    uint32_t choice;

    assert_true(f->n < 64);
    x = &f->nodes[f->n++];
    memset(x, 0, sizeof(*x));
    if (size <= 1)
        return naive_leaf(f, x, plain);
    choice = naive_random(f, plain || size > 6 ? 6 : 10);
    if (choice < 4) {
        const int left = 1 + (int)naive_random(f, (uint32_t)size - 1);

        x->kind = choice < 3 ? NAIVE_CAT : NAIVE_OR;
        x->x = naive_branch(f, left, plain);
        x->y = naive_branch(f, size - left, plain);
        return x;
    }
    if (choice < 6) {
        x->kind = NAIVE_REPEAT;
        x->min = naive_random(f, 3);
        x->max = naive_random(f, 2) ? 0 : x->min + naive_random(f, 3);
        if (x->max == 0 && x->min == 0 && naive_random(f, 4) == 0)
            x->max = 1;
        x->x = naive_branch(f, size - 1, plain);
        return x;
    }
    x->kind = (enum naive_kind)(NAIVE_AHEAD + naive_random(f, 4));
    x->x = naive_branch(f, x->kind >= NAIVE_BEHIND && size > 4 ? 4 : size - 1,
                        x->kind >= NAIVE_BEHIND);
    return x;
}

const struct naive *naive_grow(struct naive_forest *f, int size)
{
    f->n = 0;
    return naive_branch(f, size, false);
}

/* ---- the comparison ------------------------------------------------------ */

struct naive_task {
    const struct naive *x;
    struct regex_check r;
    const char *letters;
    char pattern[1024];
    char text[NAIVE_MAX_TEXT + 1];
};

/* Every live state is completed by a text that matches. */
static void naive_check_alive(struct naive_task *t, uint32_t state, size_t n)
{
    const int more = regex_complete(&t->r, state, "abc -\n\xC3\xA9",
                                    t->text + n, sizeof(t->text) - n);

    if (more == -2) { /* longer than the naive matcher's texts */
        t->text[n] = '\0';
        return;
    }
    if (more < 0)
        fail_msg("%s: '%.*s' is a dead end", t->pattern, (int)n, t->text);
    if (!naive_accepts(t->x, t->text))
        fail_msg("%s: '%s' is accepted", t->pattern, t->text);
    t->text[n] = '\0';
}

/* Returns whether some text that begins with this one matches. */
static bool naive_check_from(struct naive_task *t, uint32_t state, size_t n,
                             int length)
{
    const bool accepts = naive_accepts(t->x, t->text);
    bool alive = accepts;

    if (regex_ends(&t->r, state) != accepts)
        fail_msg("%s: '%s' %s", t->pattern, t->text,
                 accepts ? "matches" : "does not match");
    if (state)
        naive_check_alive(t, state, n);
    for (const char *c = t->letters; *c && length > 0; c++) {
        t->text[n] = *c;
        t->text[n + 1] = '\0';
        alive |= naive_check_from(t, state ? regex_walk(&t->r, state, c, 1) : 0,
                                  n + 1, length - 1);
        t->text[n] = '\0';
    }
    if (alive && !state)
        fail_msg("%s: '%s' can be completed", t->pattern, t->text);
    return alive;
}

void naive_check(const struct naive *x, const char *letters, int length)
{
    struct naive_task t = { .x = x, .letters = letters };

    naive_write(x, t.pattern, sizeof(t.pattern));
    regex_open(&t.r, t.pattern);
    (void)naive_check_from(&t, t.r.start, 0, length);
    regex_close(&t.r);
}

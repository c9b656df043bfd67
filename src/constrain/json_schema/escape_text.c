/*
 * escape_text.c - strings and keys beside those that would be a repetition
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/escape.h"

#include "constrain/json/atoms.h"
#include "constrain/json/values.h"
#include "constrain/json_schema/text.h"
#include "unicode.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- strings and keys ---------------------------------------------------- */

struct escape_texts {
    struct srt_leave_text *at; /* what is left of them behind what is typed */
    size_t n, room;
    const char *typed;
    size_t n_typed;
    struct srt_alphabet *next; /* not NULL: their next bytes alone are kept */
};

static void escape_add_text(struct srt_escape *e, struct escape_texts *t,
                            const char *text, size_t n)
{
    void *block = t->at;
    sortes_status status;

    if (n < t->n_typed ||
        (t->n_typed && memcmp(text, t->typed, t->n_typed) != 0))
        return;
    if (t->next) {
        srt_alphabet_add(t->next,
                         n > t->n_typed ? (uint8_t)text[t->n_typed] : '"');
        t->n++;
        return;
    }
    status = srt_grow(&block, &t->room, t->n + 1, sizeof(*t->at));
    t->at = block;
    if (status != SORTES_OK)
        srt_escape_fail(e, status);
    else
        t->at[t->n++] =
            (struct srt_leave_text){ text + t->n_typed, n - t->n_typed };
}

static bool escape_has_key(const struct srt_key_node *top, const char *key,
                           size_t n)
{
    for (; top != top->mark; top = top->below)
        if (top->kind == SRT_KEY_USED && top->n == n &&
            (n == 0 || memcmp(top->bytes, key, n) == 0))
            return true;
    return false;
}

/* The strings, or keys, that rivals have where one is being written. */
static void escape_rival_texts(struct srt_escape *e,
                               const struct srt_rivals *list,
                               const struct srt_key_walk *w,
                               struct escape_texts *t)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct srt_rival *r = &list->at[i];
        size_t n;
        const char *text;

        if (w->part == SRT_PART_STRING) {
            if (r->next && r->next[0] == SRT_VALUE_STRING) {
                text = srt_value_text(r->next, &n);
                escape_add_text(e, t, text, n);
            }
            continue;
        }
        for (const char *key = srt_value_next(r->inside, NULL); key;
             key = srt_value_next(r->inside, srt_value_next(r->inside, key))) {
            text = srt_value_text(key, &n);
            if (!escape_has_key(w->top, text, n))
                escape_add_text(e, t, text, n);
        }
    }
}

static void escape_used_keys(struct srt_escape *e,
                             const struct srt_key_node *top,
                             struct escape_texts *t)
{
    for (; top != top->mark; top = top->below)
        if (top->kind == SRT_KEY_USED)
            escape_add_text(e, t, top->bytes, top->n);
}

/* Writes a character in any way that is allowed. */
static bool escape_write(struct srt_escape *e, struct srt_escape_place *at,
                         const char *text, size_t n)
{
    static const char letters[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
    const char *letter = strchr(letters, text[0]);
    char spelled[4][16];
    uint32_t code = (uint8_t)text[0];
    struct srt_escape_place next;

    if (n > 1) {
        code &= 0xFFu >> (n + 1);
        for (size_t i = 1; i < n; i++)
            code = code << 6 | ((uint8_t)text[i] & 0x3Fu);
    }
    snprintf(spelled[0], sizeof(spelled[0]), "%.*s", (int)n, text);
    snprintf(spelled[1], sizeof(spelled[1]), "\\%c",
             letter && text[0] ? names[letter - letters] : 'u');
    if (code < 0x10000) {
        snprintf(spelled[2], sizeof(spelled[2]), "\\u%04x", (unsigned)code);
        snprintf(spelled[3], sizeof(spelled[3]), "\\u%04X", (unsigned)code);
    } else {
        const unsigned high = 0xD7C0 + (code >> 10),
                       low = 0xDC00 + (code & 0x3FF);

        snprintf(spelled[2], sizeof(spelled[2]), "\\u%04x\\u%04x", high, low);
        snprintf(spelled[3], sizeof(spelled[3]), "\\u%04X\\u%04X", high, low);
    }
    for (size_t i = 0; i < 4; i++) {
        const size_t n_spelled = strlen(spelled[i]);

        if ((i == 0 && (letter || code < 0x20)) ||
            (i == 1 && !(letter && text[0])))
            continue;
        if (srt_escape_copy(e, &next, at) &&
            srt_escape_go(e, &next, spelled[i], n_spelled)) {
            srt_key_walk_end(&at->walk);
            *at = next;
            if (at->walk.body == next.walk.space)
                at->walk.body = at->walk.space;
            return true;
        }
        srt_key_walk_end(&next.walk);
    }
    return false;
}

/* Along one of the rivals' strings, and out by its quote. */
static bool escape_along(struct srt_escape *e,
                         const struct srt_escape_place *from,
                         const struct srt_leave_text *text)
{
    struct srt_escape_place at;
    bool goes = srt_escape_copy(e, &at, from), escapes;

    for (size_t i = 0; goes && i < text->n;) {
        const size_t n = srt_utf8_length(text->text + i, text->n - i);

        goes = escape_write(e, &at, text->text + i, n);
        i += n;
    }
    escapes = goes && srt_escape_go(e, &at, "\"", 1) && srt_escape_from(e, &at);
    srt_key_walk_end(&at.walk);
    return escapes;
}

/* Inside a character: every way to go on with it. */
static bool escape_inside(struct srt_escape *e,
                          const struct srt_escape_place *at)
{
    for (int byte = 0; byte < 256 && e->status == SORTES_OK; byte++) {
        const char c = (char)byte;

        if (srt_escape_try(e, at, &c, 1))
            return true;
    }
    return false;
}

/* Collects; t->at is freed by the caller.  false: inside a character. */
static bool escape_collect(struct srt_escape *e,
                           const struct srt_escape_place *at,
                           const struct srt_rivals *list,
                           struct escape_texts *t, char *typed)
{
    size_t rest;

    t->n_typed = srt_atoms_decode(at->walk.body, at->walk.n, typed, &rest);
    t->typed = typed;
    escape_rival_texts(e, list, &at->walk, t);
    return rest == 0;
}

bool srt_escape_text(struct srt_escape *e, const struct srt_escape_place *at,
                     const struct srt_rivals *list)
{
    struct srt_js *js = e->js;
    const struct srt_js_state *s = srt_frame_state_at(js, at->state);
    const bool key = s->mode == SRT_MODE_KEY;
    struct srt_unit *u = &js->unit[key ? SRT_UNIT_KEYS : s->b];
    const uint32_t reader =
        srt_decoder_reader_state(u->decoder, key ? s->b : s->a);
    struct escape_texts along = { 0 }, all = { 0 };
    char *typed;
    bool escapes;

    if (!reader)
        return escape_inside(e, at);
    typed = malloc(at->walk.n + 1);
    if (!typed)
        return srt_escape_fail(e, SORTES_E_NOMEM);
    escape_collect(e, at, list, &along, typed);
    escape_collect(e, at, list, &all, typed);
    if (key)
        escape_used_keys(e, at->walk.top, &all);
    escapes = e->status == SORTES_OK &&
              srt_leave_texts(js, u, reader, key ? s->a : 0, all.at, all.n);
    srt_escape_fail(e, srt_js_end(js));
    for (size_t i = 0; i < along.n && !escapes && e->status == SORTES_OK; i++)
        escapes = escape_along(e, at, &along.at[i]);
    free(along.at);
    free(all.at);
    free(typed);
    return escapes;
}
/* ---- what leads nearer --------------------------------------------------- */

/* Of a key or string. */
static sortes_status near_text(struct srt_escape *e,
                               const struct srt_escape_place *at,
                               const struct srt_rivals *list,
                               struct srt_alphabet *bytes)
{
    const struct srt_key_walk *w = &at->walk;
    struct escape_texts texts = { .next = bytes };
    char space[256], *typed = space;
    bool whole;

    if (w->n > sizeof(space))
        typed = malloc(w->n);
    if (!typed)
        return SORTES_E_NOMEM;
    whole = escape_collect(e, at, list, &texts, typed);
    if (w->part == SRT_PART_KEY)
        escape_used_keys(e, w->top, &texts);
    if (texts.n > 0 && whole)
        srt_alphabet_add(bytes, '\\');
    else if (texts.n > 0) /* inside a character */
        srt_alphabet_fill(bytes);
    if (typed != space)
        free(typed);
    return SORTES_OK;
}

/* Of a value's first byte, or what stands in its place. */
static void near_value(const struct srt_rivals *list,
                       struct srt_alphabet *bytes)
{
    static const char always[] = " \t\n\r]", number[] = "-0123456789";

    for (const char *c = always; *c; c++)
        srt_alphabet_add(bytes, (uint8_t)*c);
    for (size_t i = 0; i < list->n; i++) {
        const char *next = list->at[i].next;

        if (next && next[0] != SRT_VALUE_NUMBER)
            srt_alphabet_add(bytes, (uint8_t)next[0]);
        for (const char *c = number; next && next[0] == SRT_VALUE_NUMBER && *c;
             c++)
            srt_alphabet_add(bytes, (uint8_t)*c);
    }
}

sortes_status srt_escape_near(struct srt_js *js, uint32_t state,
                              const struct srt_key_walk *w,
                              struct srt_alphabet *bytes)
{
    const enum srt_mode mode =
        (enum srt_mode)srt_frame_state_at(js, state)->mode;
    const bool text = (mode == SRT_MODE_KEY || mode == SRT_MODE_STRING) &&
                      w->part != SRT_PART_NONE,
               value = mode == SRT_MODE_VALUE || mode == SRT_MODE_OPEN_ARRAY;
    const struct srt_escape_place at = { state, *w };
    struct srt_escape e = { js, 0, 0, SORTES_OK };
    struct srt_rivals list = { .n = 0 };
    sortes_status status = SORTES_OK;

    memset(bytes, 0, sizeof(*bytes));
    if (!text && !value) {
        srt_alphabet_fill(bytes);
        return SORTES_OK;
    }
    if (w->top->rivals)
        status = srt_rivals_find(w->top, mode != SRT_MODE_KEY, &list);
    if (status == SORTES_OK && text)
        status = near_text(&e, &at, &list, bytes);
    else if (status == SORTES_OK)
        near_value(&list, bytes);
    srt_rivals_free(&list);
    return status;
}

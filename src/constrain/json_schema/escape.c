/*
 * escape.c - whether a text can be completed without a repetition
 *
 * The machine's states are alive as if nothing had come.  What has come leaves
 * rivals (constrain/json/rivals.h): items that the one being written may still
 * become.  A search goes along them: where something else may stand than they
 * have, the text has escaped, and the machine's own word holds; where nothing
 * else can, the search takes each of their values in turn.  So it ends with the
 * rivals, and most of the time at once.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/escape.h"

#include "constrain/json/atoms.h"
#include "constrain/json/values.h"
#include "constrain/json_schema/number.h"
#include "constrain/json_schema/text.h"
#include "unicode.h"

#include <stdio.h>
#include <stdlib.h>

enum { ESCAPE_LEVELS = 200, ESCAPE_STEPS = 200000 };

static bool escape_from(struct srt_escape *e,
                        const struct srt_escape_place *at);

bool srt_escape_fail(struct srt_escape *e, sortes_status status)
{
    if (e->status == SORTES_OK)
        e->status = status;
    return false;
}

/* ---- going on --------------------------------------------------------------
 */

/* false: the bytes lead nowhere, or repeat. */
static bool escape_go(struct srt_escape *e, struct srt_escape_place *at,
                      const char *bytes, size_t n)
{
    struct srt_machine *m = &e->js->machine;

    for (size_t i = 0; i < n; i++) {
        uint32_t next;
        sortes_status status =
            m->type->step(m, at->state, (uint8_t)bytes[i], &next);

        if (status == SORTES_OK && next == SRT_DEAD)
            return false;
        if (status == SORTES_OK)
            status = srt_key_walk_byte(
                &at->walk, srt_js_trail_event(e->js, at->state, next),
                bytes[i]);
        if (status == SORTES_E_NO_TOKEN)
            return false;
        if (status != SORTES_OK)
            return srt_escape_fail(e, status);
        at->state = next;
    }
    return true;
}

static bool escape_copy(struct srt_escape *e, struct srt_escape_place *to,
                        const struct srt_escape_place *from)
{
    const sortes_status status = srt_key_walk_copy(&to->walk, &from->walk);

    to->state = from->state;
    return status == SORTES_OK || srt_escape_fail(e, status);
}

/* Whether the text escapes behind these bytes. */
bool srt_escape_try(struct srt_escape *e, const struct srt_escape_place *from,
                    const char *bytes, size_t n)
{
    struct srt_escape_place at;
    bool escapes = escape_copy(e, &at, from) && escape_go(e, &at, bytes, n) &&
                   escape_from(e, &at);

    srt_key_walk_end(&at.walk);
    return escapes;
}

static bool escape_try_text(struct srt_escape *e,
                            const struct srt_escape_place *from,
                            const char *text)
{
    return srt_escape_try(e, from, text, strlen(text));
}

/* Whether a byte leads on from a place at all. */
static bool escape_steps(struct srt_escape *e,
                         const struct srt_escape_place *at, char byte)
{
    struct srt_machine *m = &e->js->machine;
    uint32_t next = SRT_DEAD;
    const sortes_status status =
        m->type->step(m, at->state, (uint8_t)byte, &next);

    if (status != SORTES_OK)
        return srt_escape_fail(e, status);
    return next != SRT_DEAD;
}

/* ---- strings and keys ------------------------------------------------------
 */

struct escape_texts {
    struct srt_leave_text *at; /* what is left of them behind what is typed */
    size_t n, room;
    const char *typed;
    size_t n_typed;
    bool counts; /* and does not keep them */
};

static void escape_add_text(struct srt_escape *e, struct escape_texts *t,
                            const char *text, size_t n)
{
    void *block = t->at;
    sortes_status status;

    if (n < t->n_typed ||
        (t->n_typed && memcmp(text, t->typed, t->n_typed) != 0))
        return;
    if (t->counts) {
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
        if (escape_copy(e, &next, at) &&
            escape_go(e, &next, spelled[i], n_spelled)) {
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
    bool goes = escape_copy(e, &at, from), escapes;

    for (size_t i = 0; goes && i < text->n;) {
        const size_t n = srt_utf8_length(text->text + i, text->n - i);

        goes = escape_write(e, &at, text->text + i, n);
        i += n;
    }
    escapes = goes && escape_go(e, &at, "\"", 1) && escape_from(e, &at);
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

static bool escape_text(struct srt_escape *e, const struct srt_escape_place *at,
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

/* ---- values ----------------------------------------------------------------
 */

static bool escape_has_kind(const struct srt_rivals *list, char kind)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i].next && list->at[i].next[0] == kind)
            return true;
    return false;
}

static bool escape_digit_steps(struct srt_escape *e,
                               const struct srt_escape_place *at)
{
    for (const char *c = "0123456789-"; *c; c++)
        if (escape_steps(e, at, *c))
            return true;
    return false;
}

static bool escape_as_value(struct srt_escape *e,
                            const struct srt_escape_place *at,
                            const struct srt_rivals *list)
{
    struct srt_js *js = e->js;
    const struct srt_js_state *s = srt_frame_state_at(js, at->state);
    const struct srt_place_slot *slot;
    uint32_t plan, frame = s->frame;
    srt_dd d;

    if (s->mode == SRT_MODE_OPEN_ARRAY)
        frame = srt_frame_item(js, s);
    if (!frame || !escape_digit_steps(e, at))
        return srt_escape_fail(e, srt_js_end(js));
    slot = srt_pool_payload(&js->slots, srt_frame_at(js, frame)->slot);
    d = srt_js_expand(js, slot->duty, SRT_KIND_NUMBER);
    plan = d ? srt_number_plan(js, d) : 0;
    srt_escape_fail(e, srt_js_end(js));
    return plan && srt_escape_number(e, at, plan, "", 0, list);
}

static bool escape_value(struct srt_escape *e,
                         const struct srt_escape_place *at,
                         const struct srt_rivals *list)
{
    static const char kinds[] = { SRT_VALUE_NULL,  SRT_VALUE_FALSE,
                                  SRT_VALUE_TRUE,  SRT_VALUE_STRING,
                                  SRT_VALUE_ARRAY, SRT_VALUE_OBJECT };

    for (size_t i = 0; i < sizeof(kinds); i++)
        if (!escape_has_kind(list, kinds[i]) && escape_steps(e, at, kinds[i]))
            return true;
    if (!escape_has_kind(list, SRT_VALUE_NUMBER) && escape_digit_steps(e, at))
        return true;
    for (size_t i = 3; i < sizeof(kinds); i++)
        if (escape_has_kind(list, kinds[i]) &&
            srt_escape_try(e, at, &kinds[i], 1))
            return true;
    if (escape_has_kind(list, SRT_VALUE_NUMBER) && escape_as_value(e, at, list))
        return true;
    return (escape_has_kind(list, SRT_VALUE_NULL) &&
            escape_try_text(e, at, "null")) ||
           (escape_has_kind(list, SRT_VALUE_FALSE) &&
            escape_try_text(e, at, "false")) ||
           (escape_has_kind(list, SRT_VALUE_TRUE) &&
            escape_try_text(e, at, "true"));
}

static bool escape_word(struct srt_escape *e, const struct srt_escape_place *at)
{
    const struct srt_js_state *s = srt_frame_state_at(e->js, at->state);

    return escape_try_text(e, at, srt_js_words[s->a] + s->b);
}

/* ---- the search ------------------------------------------------------------
 */

static bool escape_begins(enum srt_mode mode)
{
    return mode == SRT_MODE_VALUE || mode == SRT_MODE_STRING ||
           mode == SRT_MODE_NUMBER || mode == SRT_MODE_WORD ||
           mode == SRT_MODE_OPEN_ARRAY;
}

static bool escape_by_mode(struct srt_escape *e,
                           const struct srt_escape_place *at,
                           const struct srt_rivals *list)
{
    const struct srt_js_state *s = srt_frame_state_at(e->js, at->state);

    switch ((enum srt_mode)s->mode) {
    case SRT_MODE_VALUE:
        return escape_value(e, at, list);
    case SRT_MODE_STRING:
    case SRT_MODE_KEY:
        return escape_text(e, at, list);
    case SRT_MODE_NUMBER:
        return srt_escape_number(e, at, srt_number_plan_of(e->js, s->a),
                                 at->walk.body, at->walk.n, list);
    case SRT_MODE_WORD:
        return escape_word(e, at);
    case SRT_MODE_OPEN_OBJECT:
        return srt_escape_try(e, at, "}", 1) || srt_escape_try(e, at, "\"", 1);
    case SRT_MODE_AFTER_PAIR:
        return srt_escape_try(e, at, "}", 1) || srt_escape_try(e, at, ",", 1);
    case SRT_MODE_NEXT_KEY:
        return srt_escape_try(e, at, "\"", 1);
    case SRT_MODE_COLON:
        return srt_escape_try(e, at, ":", 1);
    case SRT_MODE_OPEN_ARRAY:
        return srt_escape_try(e, at, "]", 1) || escape_value(e, at, list);
    case SRT_MODE_AFTER_ITEM:
        return srt_escape_try(e, at, "]", 1) || srt_escape_try(e, at, ",", 1);
    default:
        return true;
    }
}

static bool escape_from(struct srt_escape *e, const struct srt_escape_place *at)
{
    const struct srt_js_state *s = srt_frame_state_at(e->js, at->state);
    const struct srt_key_node *top = at->walk.top;
    const bool keys =
        (s->mode == SRT_MODE_KEY || s->mode == SRT_MODE_NEXT_KEY) && top &&
        top->n_keys;
    struct srt_rivals list = { .n = 0 };
    bool escapes = false;
    sortes_status status;

    if (!keys && (!top || !top->rivals))
        return true;
    if (++e->steps > ESCAPE_STEPS || e->level > ESCAPE_LEVELS)
        return srt_escape_fail(e, SORTES_E_LIMIT);
    status = srt_rivals_find(top, escape_begins((enum srt_mode)s->mode), &list);
    if (status != SORTES_OK)
        srt_escape_fail(e, status);
    else if (list.n == 0 && !keys)
        escapes = true;
    e->level++;
    if (!escapes && e->status == SORTES_OK)
        escapes = escape_by_mode(e, at, &list);
    e->level--;
    srt_rivals_free(&list);
    return escapes && e->status == SORTES_OK;
}

sortes_status srt_escape_is_free(struct srt_js *js, uint32_t state,
                                 const struct srt_key_walk *w, bool *is_free)
{
    const struct srt_escape_place at = { state, *w };
    const enum srt_mode mode =
        (enum srt_mode)srt_frame_state_at(js, state)->mode;
    struct srt_escape e = { js, 0, 0, SORTES_OK };
    struct srt_rivals list = { .n = 0 };
    struct escape_texts texts = { .counts = true };
    char space[256], *typed = space;
    sortes_status status;
    bool whole = false;

    *is_free = false;
    if ((mode != SRT_MODE_KEY && mode != SRT_MODE_STRING) ||
        w->part == SRT_PART_NONE)
        return SORTES_OK;
    if (w->n > sizeof(space))
        typed = malloc(w->n);
    if (!typed)
        return SORTES_E_NOMEM;
    status = srt_rivals_find(w->top, mode == SRT_MODE_STRING, &list);
    if (status == SORTES_OK)
        whole = escape_collect(&e, &at, &list, &texts, typed);
    if (whole && mode == SRT_MODE_KEY)
        escape_used_keys(&e, w->top, &texts);
    srt_rivals_free(&list);
    if (typed != space)
        free(typed);
    *is_free = whole && texts.n == 0;
    return status;
}

/* Remembers what holds whichever keys have come. */
static void escape_note_keys(struct srt_js *js, uint32_t state)
{
    const struct srt_js_state *s = srt_frame_state_at(js, state);
    const uint32_t depth = srt_frame_slot_key(js, s->frame)->depth;
    struct srt_life *life = srt_pool_payload(&js->objects, s->a);
    uint32_t keyed, reader, from;

    reader = srt_object_keys(js, s->a, depth - 1, &keyed);
    if (reader && srt_text_lanes(js, &js->unit[SRT_UNIT_KEYS], reader) ==
                      SRT_LANES_NONE) {
        atomic_store_explicit(&life->keys_named, depth, memory_order_relaxed);
        return;
    }
    if (reader && srt_text_is_endless(js, &js->unit[SRT_UNIT_KEYS], reader) &&
        srt_js_ok(js)) {
        from = atomic_load_explicit(&life->keys_from, memory_order_relaxed);
        if (from == 0 || from > depth)
            atomic_store_explicit(&life->keys_from, depth,
                                  memory_order_relaxed);
    }
}

bool srt_escape_keys_last(const struct srt_js *js, uint32_t object,
                          uint32_t depth)
{
    struct srt_life *life = srt_pool_payload(&js->objects, object);
    const uint32_t from =
        atomic_load_explicit(&life->keys_from, memory_order_relaxed);

    return (from && depth >= from) ||
           atomic_load_explicit(&life->keys_named, memory_order_relaxed) ==
               depth ||
           srt_object_table_of(js, object)->n_cells == 0;
}

sortes_status srt_js_escape(struct srt_js *js, uint32_t state,
                            const struct srt_key_walk *w,
                            enum srt_key_verdict *verdict)
{
    struct srt_escape e = { js, 0, 0, SORTES_OK };
    struct srt_escape_place at;
    bool is_free = false;

    if (escape_copy(&e, &at, &(struct srt_escape_place){ state, *w })) {
        if (srt_frame_state_at(js, state)->mode == SRT_MODE_NEXT_KEY)
            escape_note_keys(js, state);
        srt_escape_fail(&e, srt_escape_is_free(js, state, w, &is_free));
        *verdict = is_free                ? SRT_KEYS_FREE
                   : escape_from(&e, &at) ? SRT_KEYS_ALIVE
                                          : SRT_KEYS_DEAD;
    }
    srt_key_walk_end(&at.walk);
    srt_escape_fail(&e, srt_js_end(js));
    return e.status;
}

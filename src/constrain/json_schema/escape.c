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

#include "constrain/json/values.h"
#include "constrain/json_schema/number.h"
#include "constrain/json_schema/text.h"

#include <string.h>

enum { ESCAPE_LEVELS = 200, ESCAPE_STEPS = 200000 };

bool srt_escape_fail(struct srt_escape *e, sortes_status status)
{
    if (e->status == SORTES_OK)
        e->status = status;
    return false;
}

/* ---- going on ------------------------------------------------------------ */

/* false: the bytes lead nowhere, or repeat. */
bool srt_escape_go(struct srt_escape *e, struct srt_escape_place *at,
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

bool srt_escape_copy(struct srt_escape *e, struct srt_escape_place *to,
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
    bool escapes = srt_escape_copy(e, &at, from) &&
                   srt_escape_go(e, &at, bytes, n) && srt_escape_from(e, &at);

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

/* ---- values -------------------------------------------------------------- */

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

/* ---- the search ---------------------------------------------------------- */

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
        return srt_escape_text(e, at, list);
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

bool srt_escape_from(struct srt_escape *e, const struct srt_escape_place *at)
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

/* Remembers what holds whichever keys have come. */
static void escape_note_keys(struct srt_js *js, uint32_t state)
{
    const struct srt_js_state *s = srt_frame_state_at(js, state);
    const uint32_t depth = srt_frame_slot_key(js, s->frame)->depth;
    struct srt_life *life = srt_pool_payload(&js->objects, s->a);
    uint64_t from;
    uint32_t keyed, reader, least;

    reader = srt_object_keys(js, s->a, depth - 1, &keyed);
    if (reader && srt_text_lanes(js, &js->unit[SRT_UNIT_KEYS], reader) ==
                      SRT_LANES_NONE) {
        atomic_store_explicit(&life->keys_named, depth, memory_order_relaxed);
        return;
    }
    least =
        reader ? srt_text_at_least(js, &js->unit[SRT_UNIT_KEYS], reader) : 0;
    from = atomic_load_explicit(&life->keys_from, memory_order_relaxed) >> 32;
    if (least && srt_js_ok(js) && (from == 0 || from > depth))
        atomic_store_explicit(&life->keys_from, (uint64_t)depth << 32 | least,
                              memory_order_relaxed);
}

bool srt_escape_keys_last(const struct srt_js *js, uint32_t object,
                          uint32_t depth, uint32_t n_keys)
{
    struct srt_life *life = srt_pool_payload(&js->objects, object);
    const uint64_t from =
        atomic_load_explicit(&life->keys_from, memory_order_relaxed);

    return (from && depth >= from >> 32 && n_keys < (uint32_t)from) ||
           atomic_load_explicit(&life->keys_named, memory_order_relaxed) ==
               depth ||
           srt_object_table_of(js, object)->n_cells == 0;
}

/* Whether more keys may come of the one being written than have come. */
static bool escape_key_lasts(struct srt_js *js, uint32_t state, uint32_t n_keys)
{
    const struct srt_js_state *s = srt_frame_state_at(js, state);
    struct srt_unit *u = &js->unit[SRT_UNIT_KEYS];

    return s->mode == SRT_MODE_KEY &&
           srt_text_at_least(
               js, u, srt_decoder_some_reader_state(u->decoder, s->b)) > n_keys;
}

sortes_status srt_js_escape(struct srt_js *js, uint32_t state,
                            const struct srt_key_walk *w,
                            enum srt_key_verdict *verdict)
{
    struct srt_escape e = { js, 0, 0, SORTES_OK };
    struct srt_escape_place at;

    *verdict = SRT_KEYS_ALIVE;
    if (!w->top->rivals && escape_key_lasts(js, state, w->top->n_keys))
        return srt_js_end(js);
    if (srt_escape_copy(&e, &at, &(struct srt_escape_place){ state, *w })) {
        if (srt_frame_state_at(js, state)->mode == SRT_MODE_NEXT_KEY)
            escape_note_keys(js, state);
        if (!srt_escape_from(&e, &at))
            *verdict = SRT_KEYS_DEAD;
    }
    srt_key_walk_end(&at.walk);
    srt_escape_fail(&e, srt_js_end(js));
    return e.status;
}

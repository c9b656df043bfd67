/*
 * trail.c - keys of an object, and items of an array, that must not repeat
 *
 * What a byte does to the trail of constrain/json/keys.c is told from the two
 * states that it leads between; escape.c says whether what has come leaves a
 * way on.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/trail.h"

#include "constrain/json_schema/text.h"

/* ---- events -------------------------------------------------------------- */

static bool trail_is_item(const struct srt_js *js, uint32_t frame,
                          uint32_t array_frame)
{
    return frame && srt_frame_at(js, frame)->parent == array_frame;
}

/* A number ended before the byte: what else that one does. */
static unsigned trail_behind_number(const struct srt_js *js,
                                    const struct srt_js_state *s,
                                    const struct srt_js_state *t)
{
    const uint32_t parent = srt_frame_at(js, s->frame)->parent;

    if (!parent || t->frame == parent || trail_is_item(js, t->frame, parent))
        return SRT_KEY_NOTHING;
    return srt_frame_slot_key(js, s->frame)->kind == SRT_KIND_OBJECT
               ? SRT_KEY_CLOSE_OBJECT
               : SRT_KEY_CLOSE_ARRAY;
}

static unsigned trail_word(const struct srt_js_state *s)
{
    return s->a == SRT_KIND_NULL    ? SRT_KEY_NULL
           : s->a == SRT_KIND_FALSE ? SRT_KEY_FALSE
                                    : SRT_KEY_TRUE;
}

/* Out of a scalar or key, or on in it. */
static unsigned trail_inside(const struct srt_js *js,
                             const struct srt_js_state *s,
                             const struct srt_js_state *t)
{
    const bool stays = t->mode == s->mode && t->frame == s->frame;

    switch ((enum srt_mode)s->mode) {
    case SRT_MODE_KEY:
        return stays ? SRT_KEY_BODY : SRT_KEY_END;
    case SRT_MODE_STRING:
        return stays ? SRT_KEY_BODY : SRT_KEY_STRING_END;
    case SRT_MODE_NUMBER:
        return stays ? SRT_KEY_DIGIT
                     : SRT_KEY_ENDS_NUMBER | trail_behind_number(js, s, t);
    default:
        return stays ? SRT_KEY_NOTHING : trail_word(s);
    }
}

static unsigned trail_structure(const struct srt_js *js,
                                const struct srt_js_state *s,
                                const struct srt_js_state *t)
{
    const bool same = t->mode == s->mode && t->frame == s->frame;

    switch ((enum srt_mode)t->mode) {
    case SRT_MODE_KEY:
        return SRT_KEY_BEGIN;
    case SRT_MODE_STRING:
        return SRT_KEY_STRING_BEGIN;
    case SRT_MODE_NUMBER:
        return SRT_KEY_DIGIT;
    case SRT_MODE_OPEN_OBJECT:
        return same ? SRT_KEY_NOTHING : SRT_KEY_OPEN_OBJECT;
    case SRT_MODE_OPEN_ARRAY:
        return same                         ? SRT_KEY_NOTHING
               : srt_array_trails(js, t->a) ? SRT_KEY_OPEN_UNIQUE
                                            : SRT_KEY_OPEN_ARRAY;
    default:
        break;
    }
    if (t->frame == s->frame || trail_is_item(js, t->frame, s->frame))
        return SRT_KEY_NOTHING;
    return s->mode == SRT_MODE_OPEN_OBJECT || s->mode == SRT_MODE_AFTER_PAIR
               ? SRT_KEY_CLOSE_OBJECT
           : s->mode == SRT_MODE_OPEN_ARRAY || s->mode == SRT_MODE_AFTER_ITEM
               ? SRT_KEY_CLOSE_ARRAY
               : SRT_KEY_NOTHING;
}

static unsigned trail_event(const struct srt_machine *m, uint32_t from,
                            uint32_t to)
{
    const struct srt_js *js = (const struct srt_js *)m;
    const struct srt_js_state *s = srt_frame_state_at(js, from),
                              *t = srt_frame_state_at(js, to);
    const bool inside = s->mode == SRT_MODE_KEY || s->mode == SRT_MODE_STRING ||
                        s->mode == SRT_MODE_NUMBER || s->mode == SRT_MODE_WORD;
    const unsigned event =
        inside ? trail_inside(js, s, t) : trail_structure(js, s, t);

    if (js->options->unique_keys)
        return event;
    switch (event & SRT_KEY_EVENTS) { /* objects are nobody's business */
    case SRT_KEY_OPEN_OBJECT:
    case SRT_KEY_CLOSE_OBJECT:
    case SRT_KEY_BEGIN:
    case SRT_KEY_END:
        return event & ~(unsigned)SRT_KEY_EVENTS;
    default:
        return event;
    }
}

/* ---- what the machine asks ----------------------------------------------- */

/* The reader's state in a key or string; 0: inside a character, or none. */
static uint32_t trail_reader(const struct srt_js *js, uint32_t state, bool some,
                             const struct srt_unit **unit)
{
    const struct srt_js_state *s = srt_frame_state_at(js, state);
    const bool key = s->mode == SRT_MODE_KEY;
    const uint32_t at = key ? s->b : s->a;

    *unit = &js->unit[key ? SRT_UNIT_KEYS : s->b];
    return some ? srt_decoder_some_reader_state((*unit)->decoder, at)
                : srt_decoder_reader_state((*unit)->decoder, at);
}

static bool trail_any_key(const struct srt_machine *m, uint32_t state)
{
    struct srt_js *js = (struct srt_js *)(uintptr_t)m;
    const struct srt_unit *unit;
    uint32_t reader = trail_reader(js, state, true, &unit);

    if (srt_text_lanes(js, unit, reader) == SRT_LANES_ANYTHING)
        return true;
    reader = trail_reader(js, state, false, &unit);
    return reader && srt_text_goes_on(js, unit, reader);
}

/* Without rivals: whether keys may run out, as far as that is told at once. */
static bool trail_keys_last(const struct srt_js *js, uint32_t state,
                            uint32_t n_keys, enum srt_key_verdict *verdict)
{
    const struct srt_js_state *s = srt_frame_state_at(js, state);
    const struct srt_unit *unit;
    enum srt_text_lanes lanes;
    uint32_t reader;

    *verdict = SRT_KEYS_FREE;
    if (s->mode == SRT_MODE_NEXT_KEY)
        return srt_escape_keys_last(
            js, s->a, srt_frame_slot_key(js, s->frame)->depth, n_keys);
    if (s->mode != SRT_MODE_KEY)
        return true;
    reader = trail_reader(js, state, true, &unit);
    lanes = srt_text_lanes(js, unit, reader);
    if (lanes != SRT_LANES_NONE)
        *verdict = SRT_KEYS_ALIVE;
    return lanes != SRT_LANES_REGULAR ||
           srt_text_known_at_least(unit, reader) > n_keys;
}

static sortes_status trail_judge(const struct srt_machine *m, uint32_t state,
                                 const struct srt_key_walk *w,
                                 enum srt_key_verdict *verdict)
{
    static const struct srt_alphabet none = { { 0 } };
    struct srt_js *js = (struct srt_js *)(uintptr_t)m;
    struct srt_alphabet near;
    sortes_status status;

    if (w->top->rivals && w->part != SRT_PART_NONE &&
        w->part != SRT_PART_NUMBER && trail_any_key(m, state)) {
        *verdict = SRT_KEYS_ALIVE;
        return SORTES_OK;
    }
    if (!w->top->rivals && trail_keys_last(js, state, w->top->n_keys, verdict))
        return SORTES_OK;
    if (w->part == SRT_PART_KEY || w->part == SRT_PART_STRING) {
        status = srt_escape_near(js, state, w, &near);
        if (status != SORTES_OK || srt_alphabet_equal(&near, &none)) {
            *verdict = SRT_KEYS_FREE;
            return status;
        }
    }
    srt_lock_take(&js->machine.lock);
    status = srt_js_escape(js, state, w, verdict);
    srt_lock_release(&js->machine.lock);
    return status;
}

static sortes_status trail_keys_of(const struct srt_machine *m, uint32_t state,
                                   uint32_t *n)
{
    struct srt_js *js = (struct srt_js *)(uintptr_t)m;
    const struct srt_unit *unit;
    const uint32_t reader = trail_reader(js, state, true, &unit);
    sortes_status status;

    *n = UINT32_MAX;
    if (srt_text_lanes(js, unit, reader) != SRT_LANES_REGULAR)
        return SORTES_OK;
    srt_lock_take(&js->machine.lock);
    *n = srt_text_at_least(js, &js->unit[SRT_UNIT_KEYS], reader);
    status = srt_js_end(js);
    srt_lock_release(&js->machine.lock);
    return status;
}

static sortes_status trail_near(const struct srt_machine *m, uint32_t state,
                                const struct srt_key_walk *w,
                                struct srt_alphabet *bytes)
{
    return srt_escape_near((struct srt_js *)(uintptr_t)m, state, w, bytes);
}

static bool trail_in_string(const struct srt_machine *m, uint32_t state)
{
    return srt_frame_state_at((const struct srt_js *)m, state)->mode ==
           SRT_MODE_STRING;
}

static struct srt_key_rules trail_rules_of(const struct srt_machine *m)
{
    const struct srt_js *js = (const struct srt_js *)m;

    return (struct srt_key_rules){ .event_of = trail_event,
                                   .judge = trail_judge,
                                   .near = trail_near,
                                   .any_key = trail_any_key,
                                   .keys_of = trail_keys_of,
                                   .in_string = trail_in_string,
                                   .items = js->trails_items,
                                   .keys_end = js->keys_end };
}

unsigned srt_js_trail_event(const struct srt_js *js, uint32_t from, uint32_t to)
{
    return trail_event(&js->machine, from, to);
}

sortes_status srt_js_follow(const struct srt_machine *m,
                            const struct srt_trail *from,
                            const struct srt_path *path, struct srt_trail **to,
                            size_t *n_ok)
{
    const struct srt_key_rules rules = trail_rules_of(m);

    return srt_keys_follow(m, &rules, from, path, to, n_ok);
}

sortes_status srt_js_forbid(const struct srt_machine *m,
                            const struct srt_trail *trail, uint32_t state,
                            struct srt_cursor *cursor, uint32_t *words)
{
    const struct srt_key_rules rules = trail_rules_of(m);
    const struct srt_key_mask mask = { m, &rules, cursor, state, words };

    return srt_keys_forbid(&mask, trail);
}

/*
 * trail.c - keys of an object, and items of an array, that must not repeat
 *
 * Both are the business of constrain/json/keys.c: an array whose items must
 * differ is to it an object whose keys they are.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/frame.h"

#include "constrain/json/keys.h"
#include "constrain/mask.h"

#include <string.h>

/* Whether a number in an object ended at the object's closing brace. */
static bool trail_number_closed(const struct srt_js *js,
                                const struct srt_js_state *s,
                                const struct srt_js_state *t)
{
    uint32_t parent;

    if (s->mode != SRT_MODE_NUMBER)
        return false;
    parent = srt_frame_at(js, s->frame)->parent;
    return parent &&
           srt_frame_slot_key(js, s->frame)->kind == SRT_KIND_OBJECT &&
           t->frame == srt_frame_at(js, parent)->parent;
}

static enum srt_key_event trail_key_event(const struct srt_js *js,
                                          const struct srt_js_state *s,
                                          const struct srt_js_state *t)
{
    const bool in_object =
        s->mode == SRT_MODE_OPEN_OBJECT || s->mode == SRT_MODE_AFTER_PAIR;

    if (s->mode == SRT_MODE_KEY)
        return t->mode == SRT_MODE_KEY ? SRT_KEY_BODY : SRT_KEY_END;
    if (t->mode == SRT_MODE_KEY)
        return SRT_KEY_BEGIN;
    if (t->mode == SRT_MODE_OPEN_OBJECT)
        return s->mode == SRT_MODE_OPEN_OBJECT && s->frame == t->frame
                   ? SRT_KEY_NOTHING
                   : SRT_KEY_OPEN_OBJECT;
    if ((in_object && s->frame != t->frame) || trail_number_closed(js, s, t))
        return SRT_KEY_CLOSE_OBJECT;
    return SRT_KEY_NOTHING;
}

/* The array whose item a frame is, if a trail keeps its items; 0: none. */
static uint32_t trail_trailing(const struct srt_js *js, uint32_t frame)
{
    const struct srt_place_slot_key *key = srt_frame_slot_key(js, frame);

    return key->kind == SRT_KIND_ARRAY && srt_array_trails(js, key->state)
               ? key->state
               : 0;
}

static bool trail_is_item(const struct srt_js *js, uint32_t frame,
                          uint32_t array_frame)
{
    return frame && srt_frame_at(js, frame)->parent == array_frame;
}

/* A number among items that must differ. */
static enum srt_key_event trail_number_event(const struct srt_js *js,
                                             const struct srt_js_state *s,
                                             const struct srt_js_state *t)
{
    const bool zero = srt_number_is_zero(js, s->a);
    const uint32_t array = srt_frame_at(js, s->frame)->parent;

    if (t->mode == SRT_MODE_NUMBER && t->frame == s->frame)
        return zero                           ? SRT_KEY_NOTHING
               : srt_number_is_zero(js, t->a) ? SRT_KEY_LAST
                                              : SRT_KEY_BODY;
    if (t->frame != array && !trail_is_item(js, t->frame, array))
        return zero ? SRT_KEY_CLOSE_OBJECT : SRT_KEY_END_CLOSE;
    return zero ? SRT_KEY_NOTHING : SRT_KEY_END;
}

static enum srt_key_event trail_item_event(const struct srt_js *js,
                                           const struct srt_js_state *s,
                                           const struct srt_js_state *t)
{
    const bool scalar =
        s->mode == SRT_MODE_STRING || s->mode == SRT_MODE_NUMBER;
    const bool in_array =
        s->mode == SRT_MODE_OPEN_ARRAY || s->mode == SRT_MODE_AFTER_ITEM;

    if (scalar && trail_trailing(js, s->frame)) {
        if (s->mode == SRT_MODE_NUMBER)
            return trail_number_event(js, s, t);
        return t->mode == SRT_MODE_STRING && t->frame == s->frame ? SRT_KEY_BODY
                                                                  : SRT_KEY_END;
    }
    if (t->mode == SRT_MODE_OPEN_ARRAY)
        return s->frame != t->frame || s->mode != SRT_MODE_OPEN_ARRAY
                   ? (srt_array_trails(js, t->a) ? SRT_KEY_OPEN_OBJECT
                                                 : SRT_KEY_NOTHING)
                   : SRT_KEY_NOTHING;
    if ((t->mode == SRT_MODE_STRING || t->mode == SRT_MODE_NUMBER) &&
        trail_trailing(js, t->frame))
        return t->mode == SRT_MODE_STRING     ? SRT_KEY_BEGIN
               : srt_number_is_zero(js, t->a) ? SRT_KEY_WHOLE
                                              : SRT_KEY_FIRST;
    if (in_array && srt_array_trails(js, s->a) && t->frame != s->frame &&
        !trail_is_item(js, t->frame, s->frame))
        return SRT_KEY_CLOSE_OBJECT;
    return SRT_KEY_NOTHING;
}

static enum srt_key_event trail_event(const struct srt_machine *m,
                                      uint32_t from, uint32_t to)
{
    const struct srt_js *js = (const struct srt_js *)m;
    const struct srt_js_state *s = srt_frame_state_at(js, from),
                              *t = srt_frame_state_at(js, to);
    enum srt_key_event event = SRT_KEY_NOTHING;

    if (js->options->unique_keys)
        event = trail_key_event(js, s, t);
    if (event == SRT_KEY_NOTHING && js->trails_items)
        event = trail_item_event(js, s, t);
    return event;
}

sortes_status srt_js_follow(const struct srt_machine *m,
                            const struct srt_trail *from,
                            const struct srt_path *path, struct srt_trail **to,
                            size_t *n_ok)
{
    return srt_keys_follow(m, trail_event, from, path, to, n_ok);
}

/* Numbers have no quote to look for: every token that may end one. */
static sortes_status trail_forbid_numbers(const struct srt_key_mask *mask,
                                          const struct srt_trail *trail)
{
    const struct srt_cache *c = mask->cursor->cache;
    sortes_status status = SORTES_OK;

    for (size_t i = 0; i < c->tree->n_words; i++) {
        uint32_t left = mask->words[i];

        for (; left && status == SORTES_OK; left &= left - 1) {
            const int32_t token = (int32_t)(32 * i + srt_ctz64(left));
            size_t n, at = 0;
            const char *bytes = sortes_vocab_piece(c->vocab, token, &n);

            while (at < n && !memchr(",] \t\r\n0", bytes[at], 7))
                at++;
            if (at < n)
                status = srt_keys_try(mask, trail, token);
        }
    }
    return status;
}

sortes_status srt_js_forbid(const struct srt_machine *m,
                            const struct srt_trail *trail, uint32_t state,
                            struct srt_cursor *cursor, uint32_t *words)
{
    const struct srt_js *js = (const struct srt_js *)m;
    const struct srt_js_state *s = srt_frame_state_at(js, state);
    const bool item = s->mode == SRT_MODE_STRING && js->trails_items &&
                      trail_trailing(js, s->frame);
    const struct srt_key_mask mask = {
        m, trail_event, cursor, state, s->mode == SRT_MODE_KEY || item, words
    };
    sortes_status status = srt_keys_forbid(&mask, trail);

    if (status == SORTES_OK && js->trails_numbers)
        status = trail_forbid_numbers(&mask, trail);
    return status;
}

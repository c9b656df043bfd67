/*
 * frame.c - the machine: one stack of frames over JSON text, byte by byte
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/frame.h"

#include "constrain/json/blanks.h"
#include "constrain/json_schema/text.h"

#include <string.h>

const char *const srt_js_words[3] = { "null", "false", "true" };

/* ---- what the parts share ------------------------------------------------ */

uint32_t srt_js_fail(struct srt_js *js, sortes_status status)
{
    if (js->status == SORTES_OK)
        js->status = status;
    return 0;
}

bool srt_js_ok(struct srt_js *js)
{
    if (js->dd.status != SORTES_OK)
        srt_js_fail(js, js->dd.status);
    return js->status == SORTES_OK;
}

void *srt_js_take(struct srt_js *js, size_t n, size_t size)
{
    const size_t n_bytes = (n ? n : 1) * size;
    void *memory = srt_pool_take(&js->memory, n_bytes);

    if (!memory)
        srt_js_fail(js, srt_pool_refusal(&js->memory, n_bytes));
    return memory;
}

uint32_t srt_js_intern(struct srt_js *js, struct srt_pool *pool,
                       const void *key, size_t n)
{
    uint32_t number;
    const sortes_status status = srt_pool_intern(pool, key, n, &number, NULL);

    return status == SORTES_OK ? number : srt_js_fail(js, status);
}

bool srt_js_has(const struct srt_js *js, const char *bytes)
{
    for (; *bytes; bytes++)
        if (!srt_alphabet_has(&js->machine.alphabet, (uint8_t)*bytes))
            return false;
    return true;
}

/* Failures end with the step they came in. */
sortes_status srt_js_end(struct srt_js *js)
{
    sortes_status status;

    srt_js_ok(js);
    status = js->status;
    js->status = SORTES_OK;
    js->dd.status = SORTES_OK;
    js->dd.depth = 0;
    js->cut = false;
    js->work = 0;
    js->timer = (struct srt_timer){ .limit_us = js->options->max_compile_us };
    return status;
}

/* ---- states -------------------------------------------------------------- */

static uint32_t frame_state(struct srt_js *js, enum srt_mode mode,
                            uint32_t frame, uint32_t a, uint32_t b)
{
    const struct srt_js_state s = { mode, frame, a, b };

    return srt_js_ok(js) ? srt_js_intern(js, &js->states, &s, sizeof(s)) : 0;
}

static const struct srt_place_slot *frame_slot(const struct srt_js *js,
                                               uint32_t frame)
{
    return srt_pool_payload(&js->slots, srt_frame_at(js, frame)->slot);
}

/* Levels that the values inside the container of a frame may take. */
static uint32_t frame_inner(const struct srt_js *js, uint32_t frame)
{
    return srt_frame_slot_key(js, frame)->depth - 1;
}

static uint32_t frame_push(struct srt_js *js, uint32_t parent, uint32_t slot)
{
    const struct srt_frame f = { parent, slot };

    return slot ? srt_js_intern(js, &js->frames, &f, sizeof(f)) : 0;
}

uint32_t srt_frame_complete(struct srt_js *js, uint32_t frame, uint32_t outcome)
{
    const struct srt_place_slot *slot = frame_slot(js, frame);
    const uint32_t kind = srt_frame_slot_key(js, frame)->kind;
    const uint32_t parent = srt_frame_at(js, frame)->parent;

    if (!outcome || outcome > slot->n_next)
        return 0;
    if (!parent)
        return frame_state(js, SRT_MODE_DONE, 0, 0, 0);
    return frame_state(
        js, kind == SRT_KIND_OBJECT ? SRT_MODE_AFTER_PAIR : SRT_MODE_AFTER_ITEM,
        parent, slot->next[outcome - 1], 0);
}

uint32_t srt_frame_start(struct srt_js *js, uint32_t slot)
{
    const uint32_t frame = frame_push(js, 0, slot);

    return frame ? frame_state(js, SRT_MODE_VALUE, frame, 0, 0) : 0;
}

/* ---- values -------------------------------------------------------------- */

static uint32_t frame_open_object(struct srt_js *js, uint32_t frame)
{
    const uint32_t depth = srt_frame_slot_key(js, frame)->depth;
    uint32_t object;

    if (depth == 0)
        return 0;
    object = srt_object_start(js, frame_slot(js, frame)->duty);
    if (!object || !srt_object_alive(js, object, depth - 1) ||
        !srt_js_has(js, "}"))
        return 0;
    return frame_state(js, SRT_MODE_OPEN_OBJECT, frame, object, 0);
}

static uint32_t frame_open_array(struct srt_js *js, uint32_t frame)
{
    const uint32_t depth = srt_frame_slot_key(js, frame)->depth;
    uint32_t array;

    if (depth == 0)
        return 0;
    array = srt_array_start(js, frame_slot(js, frame)->duty);
    if (!array || !srt_array_alive(js, array, depth - 1) ||
        !srt_js_has(js, "]"))
        return 0;
    return frame_state(js, SRT_MODE_OPEN_ARRAY, frame, array, 0);
}

/* Between two characters of a string or key. */
static uint32_t frame_text(struct srt_js *js, enum srt_mode mode,
                           uint32_t frame, int unit, uint32_t reader,
                           uint32_t keyed)
{
    uint32_t state;
    sortes_status status;

    if (!reader)
        return 0;
    status = srt_decoder_at(js->unit[unit].decoder, reader, &state);
    if (status != SORTES_OK)
        return srt_js_fail(js, status);
    if (!state)
        return 0;
    return mode == SRT_MODE_KEY
               ? frame_state(js, mode, frame, keyed, state)
               : frame_state(js, mode, frame, state, (uint32_t)unit);
}

static uint32_t frame_open_string(struct srt_js *js, uint32_t frame)
{
    const srt_dd d =
        srt_js_expand(js, frame_slot(js, frame)->duty, SRT_KIND_STRING);
    uint32_t plan;

    if (d == 0)
        return 0;
    plan = srt_text_plan(js, d);
    if (!plan)
        return 0;
    return frame_text(js, SRT_MODE_STRING, frame, srt_text_at(js, plan)->unit,
                      srt_text_start(js, plan, 0), 0);
}

static uint32_t frame_open_number(struct srt_js *js, uint32_t frame,
                                  uint8_t byte)
{
    const srt_dd d =
        srt_js_expand(js, frame_slot(js, frame)->duty, SRT_KIND_NUMBER);
    uint32_t plan, state;

    if (d == 0)
        return 0;
    plan = srt_number_plan(js, d);
    state = plan ? srt_number_step(js, plan, 0, byte) : 0;
    return state ? frame_state(js, SRT_MODE_NUMBER, frame, state, 0) : 0;
}

static uint32_t frame_value(struct srt_js *js, uint32_t frame, uint8_t byte)
{
    if (!frame)
        return 0;
    if (byte == '{')
        return frame_open_object(js, frame);
    if (byte == '[')
        return frame_open_array(js, frame);
    if (byte == '"')
        return frame_open_string(js, frame);
    if (byte == '-' || (byte >= '0' && byte <= '9'))
        return frame_open_number(js, frame, byte);
    for (uint32_t kind = 0; kind < SRT_COUNT(srt_js_words); kind++)
        if ((uint8_t)srt_js_words[kind][0] == byte &&
            srt_js_has(js, srt_js_words[kind]) &&
            srt_js_expand(js, frame_slot(js, frame)->duty,
                          (enum srt_kind)kind) != 0)
            return frame_state(js, SRT_MODE_WORD, frame, kind, 1);
    return 0;
}

/* ---- inside scalars ------------------------------------------------------ */

static uint32_t frame_word(struct srt_js *js, const struct srt_js_state *s,
                           uint8_t byte)
{
    const char *word = srt_js_words[s->a];

    if ((uint8_t)word[s->b] != byte)
        return 0;
    if (word[s->b + 1])
        return frame_state(js, SRT_MODE_WORD, s->frame, s->a, s->b + 1);
    return srt_frame_complete(
        js, s->frame,
        srt_js_expand(js, frame_slot(js, s->frame)->duty, (enum srt_kind)s->a));
}

/* The slot for the value of a key; 0: it must not come. */
static uint32_t frame_key_slot(struct srt_js *js, const struct srt_js_state *s,
                               uint32_t what)
{
    const struct srt_keyed *k = srt_js_keyed(js, s->a);

    return srt_object_allows(js, k->object, what, k->depth)
               ? srt_object_slot(js, k->object, what, k->depth)
               : 0;
}

uint32_t srt_frame_key_end(struct srt_js *js, const struct srt_js_state *s,
                           uint32_t what)
{
    const uint32_t slot = frame_key_slot(js, s, what);

    return slot ? frame_state(js, SRT_MODE_COLON, s->frame, slot, 0) : 0;
}

uint32_t srt_frame_key_value(struct srt_js *js, const struct srt_js_state *s,
                             uint32_t what)
{
    const uint32_t slot = frame_key_slot(js, s, what);
    const uint32_t frame = slot ? frame_push(js, s->frame, slot) : 0;

    return frame ? frame_state(js, SRT_MODE_VALUE, frame, 0, 0) : 0;
}

static uint32_t frame_in_text(struct srt_js *js, const struct srt_js_state *s,
                              uint8_t byte)
{
    const bool key = s->mode == SRT_MODE_KEY;
    const struct srt_unit *u = &js->unit[key ? SRT_UNIT_KEYS : s->b];
    const uint32_t at = key ? s->b : s->a;
    const uint32_t reader =
        byte == '"' ? srt_decoder_reader_state(u->decoder, at) : 0;
    uint32_t next = 0, outcome;
    sortes_status status;

    if (reader) {
        outcome = srt_text_outcome(js, u, reader);
        if (key)
            return outcome ? srt_frame_key_end(js, s, outcome - 1) : 0;
        return srt_frame_complete(js, s->frame, outcome);
    }
    status = srt_decoder_step(u->decoder, at, byte, &next);
    if (status != SORTES_OK)
        return srt_js_fail(js, status);
    if (!next)
        return 0;
    return key ? frame_state(js, SRT_MODE_KEY, s->frame, s->a, next)
               : frame_state(js, SRT_MODE_STRING, s->frame, next, s->b);
}

/* ---- structure ----------------------------------------------------------- */

static uint32_t frame_begin_key(struct srt_js *js, const struct srt_js_state *s,
                                uint8_t byte)
{
    uint32_t keyed = 0, reader;

    if (byte != '"')
        return 0;
    reader = srt_object_keys(js, s->a, frame_inner(js, s->frame), &keyed);
    return frame_text(js, SRT_MODE_KEY, s->frame, SRT_UNIT_KEYS, reader, keyed);
}

static uint32_t frame_after_pair(struct srt_js *js,
                                 const struct srt_js_state *s, uint8_t byte)
{
    if (byte == '}')
        return srt_frame_complete(js, s->frame, srt_object_close(js, s->a));
    if (byte != ',' || !srt_object_any_key(js, s->a, frame_inner(js, s->frame)))
        return 0;
    return frame_state(js, SRT_MODE_NEXT_KEY, s->frame, s->a, 0);
}

uint32_t srt_frame_item(struct srt_js *js, const struct srt_js_state *s)
{
    const uint32_t depth = frame_inner(js, s->frame);
    const uint32_t slot = srt_array_slot(js, s->a, depth);
    const struct srt_place_slot *record;

    if (!slot)
        return 0;
    record = srt_pool_payload(&js->slots, slot);
    return srt_js_can(js, record->duty, depth) ? frame_push(js, s->frame, slot)
                                               : 0;
}

static uint32_t frame_in_array(struct srt_js *js, const struct srt_js_state *s,
                               uint8_t byte)
{
    uint32_t frame;

    if (byte == ']')
        return srt_frame_complete(js, s->frame, srt_array_close(js, s->a));
    if (s->mode == SRT_MODE_AFTER_ITEM && byte != ',')
        return 0;
    frame = srt_frame_item(js, s);
    if (!frame)
        return 0;
    return s->mode == SRT_MODE_AFTER_ITEM
               ? frame_state(js, SRT_MODE_VALUE, frame, 0, 0)
               : frame_value(js, frame, byte);
}

static uint32_t frame_structure(struct srt_js *js, const struct srt_js_state *s,
                                uint8_t byte)
{
    switch ((enum srt_mode)s->mode) {
    case SRT_MODE_VALUE:
        return frame_value(js, s->frame, byte);
    case SRT_MODE_OPEN_OBJECT:
        if (byte == '}')
            return frame_after_pair(js, s, byte);
        return frame_begin_key(js, s, byte);
    case SRT_MODE_NEXT_KEY:
        return frame_begin_key(js, s, byte);
    case SRT_MODE_AFTER_PAIR:
        return frame_after_pair(js, s, byte);
    case SRT_MODE_COLON:
        return byte == ':' ? frame_state(js, SRT_MODE_VALUE,
                                         frame_push(js, s->frame, s->a), 0, 0)
                           : 0;
    case SRT_MODE_OPEN_ARRAY:
    case SRT_MODE_AFTER_ITEM:
        return frame_in_array(js, s, byte);
    default:
        return 0;
    }
}

static uint32_t frame_blank(struct srt_js *js, const struct srt_js_state *s,
                            uint8_t byte)
{
    const int whitespace = (int)js->options->whitespace;
    uint16_t gap;

    if (s->mode == SRT_MODE_DONE && whitespace != SRT_WHITESPACE_ANY)
        return 0;
    if (js->options->like_llguidance &&
        (s->mode == SRT_MODE_DONE ||
         (s->mode == SRT_MODE_VALUE && !srt_frame_at(js, s->frame)->parent)))
        return 0;
    gap = srt_gap_step(whitespace, (uint16_t)s->b, byte);
    return gap == SRT_GAP_NONE
               ? 0
               : frame_state(js, (enum srt_mode)s->mode, s->frame, s->a, gap);
}

static uint32_t frame_next(struct srt_js *js, struct srt_js_state s,
                           uint8_t byte)
{
    uint32_t next;

    if (s.mode == SRT_MODE_STRING || s.mode == SRT_MODE_KEY)
        return frame_in_text(js, &s, byte);
    if (s.mode == SRT_MODE_WORD)
        return frame_word(js, &s, byte);
    if (s.mode == SRT_MODE_NUMBER) {
        next = srt_number_step(js, 0, s.a, byte);
        if (next)
            return frame_state(js, SRT_MODE_NUMBER, s.frame, next, 0);
        next = srt_frame_complete(js, s.frame, srt_number_outcome(js, s.a));
        if (!next)
            return 0;
        s = *srt_frame_state_at(js, next); /* it ended before this byte */
    }
    return srt_is_blank(byte) ? frame_blank(js, &s, byte)
                              : frame_structure(js, &s, byte);
}

sortes_status srt_frame_step(struct srt_machine *m, uint32_t state,
                             uint8_t byte, uint32_t *next)
{
    struct srt_js *js = (struct srt_js *)m;
    sortes_status status;
    uint32_t to;

    *next = SRT_DEAD;
    if (!srt_alphabet_has(&m->alphabet, byte))
        return SORTES_OK;
    to = frame_next(js, *srt_frame_state_at(js, state), byte);
    status = srt_js_end(js);
    if (status == SORTES_OK)
        *next = to;
    return status;
}

bool srt_frame_accepts(const struct srt_machine *m, uint32_t state)
{
    const struct srt_js *js = (const struct srt_js *)m;
    const struct srt_js_state *s = srt_frame_state_at(js, state);

    return s->mode == SRT_MODE_DONE ||
           (s->mode == SRT_MODE_NUMBER && !srt_frame_at(js, s->frame)->parent &&
            srt_number_outcome(js, s->a) != 0);
}

uint32_t srt_frame_string_room(const struct srt_machine *m, uint32_t state)
{
    struct srt_js *js = (struct srt_js *)(uintptr_t)m;
    const struct srt_js_state *s = srt_frame_state_at(js, state);
    const bool key = s->mode == SRT_MODE_KEY;
    struct srt_unit *u;
    uint32_t reader;

    if ((!key && s->mode != SRT_MODE_STRING) || js->options->like_llguidance)
        return 0; /* that library has no DEL in strings */
    u = &js->unit[key ? SRT_UNIT_KEYS : s->b];
    reader = srt_decoder_reader_state(u->decoder, key ? s->b : s->a);
    return reader ? srt_text_room(js, u, reader) : 0;
}

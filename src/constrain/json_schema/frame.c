/*
 * frame.c - the machine: one stack of frames over JSON text, byte by byte
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/frame.h"

#include "constrain/json/blanks.h"
#include "constrain/json_schema/machine.h"
#include "constrain/json_schema/names.h"
#include "constrain/json_schema/text.h"

#include <stdlib.h>
#include <string.h>

const char *const srt_js_words[3] = { "null", "false", "true" };

/* ---- what the parts share
 * --------------------------------------------------------- */

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

/* ---- states
 * -------------------------------------------------------------------------- */

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

/* ---- values
 * -----------------------------------------------------------------------------
 */

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

/* ---- inside scalars
 * ------------------------------------------------------------------------- */

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

/* ---- structure
 * ---------------------------------------------------------------------------------
 */

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

static sortes_status frame_step(struct srt_machine *m, uint32_t state,
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

static bool frame_accepts(const struct srt_machine *m, uint32_t state)
{
    const struct srt_js *js = (const struct srt_js *)m;
    const struct srt_js_state *s = srt_frame_state_at(js, state);

    return s->mode == SRT_MODE_DONE ||
           (s->mode == SRT_MODE_NUMBER && !srt_frame_at(js, s->frame)->parent &&
            srt_number_outcome(js, s->a) != 0);
}

static uint32_t frame_string_room(const struct srt_machine *m, uint32_t state)
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

/* ---- making it
 * ------------------------------------------------------------------------------------
 */

/* Every pool, with what it keeps beside its keys. */
struct frame_pool {
    size_t offset, payload;
};

#define FRAME_POOL(name, payload)                                              \
    {                                                                          \
        offsetof(struct srt_js, name), ((payload) + 7) / 8 * 8                 \
    }

static const struct frame_pool frame_pools[] = {
    FRAME_POOL(states, 0),
    FRAME_POOL(frames, 0),
    FRAME_POOL(slots, sizeof(struct srt_place_slot)),
    FRAME_POOL(questions, 0),
    FRAME_POOL(formulas, 8),
    FRAME_POOL(expansions, 8),
    FRAME_POOL(scopes, 0),
    FRAME_POOL(covers, 0),
    FRAME_POOL(sets, 0),
    FRAME_POOL(choices, sizeof(uint64_t)),
    FRAME_POOL(chains, 0),
    FRAME_POOL(duties, sizeof(struct srt_life)),
    FRAME_POOL(objects, sizeof(struct srt_life)),
    FRAME_POOL(arrays, sizeof(struct srt_life)),
    FRAME_POOL(object_tables, sizeof(uint64_t)),
    FRAME_POOL(array_tables, sizeof(uint64_t)),
    FRAME_POOL(plans, sizeof(struct srt_text_plan)),
    FRAME_POOL(text_plans, 8),
    FRAME_POOL(key_plans, 8),
    FRAME_POOL(regexes, 8),
    FRAME_POOL(number_plans, sizeof(struct srt_number_plan)),
    FRAME_POOL(number_states, 8),
    FRAME_POOL(counts, 2 * sizeof(uint64_t)), /* count.c */
    FRAME_POOL(keyed, 0),
    FRAME_POOL(insides, 8),
    FRAME_POOL(parts, 0),
    FRAME_POOL(rests, 0),
    FRAME_POOL(memory, 0),
};

static struct srt_pool *frame_pool(struct srt_js *js, size_t i)
{
    return (struct srt_pool *)((char *)js + frame_pools[i].offset);
}

static void frame_stats(const struct srt_machine *m, size_t *n_states,
                        size_t *n_bytes)
{
    const struct srt_js *js = (const struct srt_js *)m;

    *n_states = js->states.n;
    *n_bytes = js->dd.nodes.n_bytes;
    for (size_t i = 0; i < SRT_COUNT(frame_pools); i++)
        *n_bytes += ((const struct srt_pool *)((const char *)js +
                                               frame_pools[i].offset))
                        ->n_bytes;
}

#define FRAME_TYPE                                                             \
    .step = frame_step, .accepts = frame_accepts, .stats = frame_stats,        \
    .string_room = frame_string_room, .may_follow = srt_js_may_follow,         \
    .same_mask = srt_js_same_mask, .kinds_stay = srt_js_kinds_stay,            \
    .inside = srt_js_inside, .like = srt_js_like, .gap = srt_js_gap,           \
    .gap_step = srt_js_gap_step, .around = srt_js_around,                      \
    .moved = srt_js_moved, .is_named = srt_js_is_named, .names = srt_js_names

static const struct srt_machine_type frame_type = { FRAME_TYPE };

static const struct srt_machine_type frame_type_unique = {
    FRAME_TYPE,
    .follow = srt_js_follow,
    .forbid = srt_js_forbid,
};

static void frame_destroy(struct srt_shared *shared)
{
    struct srt_js *js = (struct srt_js *)shared;

    for (int i = 0; i < SRT_UNITS; i++)
        srt_unit_close(&js->unit[i]);
    for (size_t i = 0; i < SRT_COUNT(frame_pools); i++)
        srt_pool_clear(frame_pool(js, i));
    srt_decisions_clear(&js->dd);
    srt_machine_clear(&js->machine);
    free(js);
}

static sortes_status frame_open_units(struct srt_js *js, sortes_error *err)
{
    const int e = js->options->escapes;
    const enum srt_spelling canonical = js->options->like_llguidance
                                            ? SRT_SPELL_JSON_LLGUIDANCE
                                            : SRT_SPELL_JSON_CANONICAL;
    sortes_status status =
        srt_unit_open(js, SRT_UNIT_KEYS,
                      e == SRT_ESCAPES_JSON ? SRT_SPELL_JSON : canonical, err);

    if (status == SORTES_OK)
        status = srt_unit_open(
            js, SRT_UNIT_VALUES,
            e == SRT_ESCAPES_CANONICAL ? canonical : SRT_SPELL_JSON, err);
    return status;
}

/* A byte that the alphabet lacks and JSON is likely to need; -1: none. */
static int frame_missing(const struct srt_js *js)
{
    static const char likely[] = "{}[]:,\"0123456789truefalsn-.\\";

    for (const char *c = likely; *c; c++)
        if (!srt_alphabet_has(&js->machine.alphabet, (uint8_t)*c))
            return (uint8_t)*c;
    for (int byte = 0x20; byte < 0x100; byte++)
        if (!srt_alphabet_has(&js->machine.alphabet, (uint8_t)byte))
            return byte;
    return -1;
}

static sortes_status frame_refuse(sortes_status status, sortes_error *err)
{
    return srt_fail(err, status, 0,
                    status == SORTES_E_SYNTAX
                        ? "json_schema: a dynamic reference leads to itself "
                          "without anything in between"
                    : status == SORTES_E_LIMIT
                        ? "json_schema: it is too much for max_states, "
                          "max_state_bytes or max_compile_us"
                        : "json_schema: no memory");
}

/* What is refused for its branches is refused here, not on the way. */
static sortes_status frame_unevaluated(struct srt_js *js, sortes_error *err)
{
    const struct srt_schema *s = js->schema;
    char pointer[SRT_SCHEMA_WHERE];
    sortes_status status;

    for (uint32_t i = 1; i <= s->nodes.n; i++) {
        const struct srt_schema_node *n = srt_schema_node(s, i);

        for (uint32_t r = 0; r < n->n_rules; r++) {
            const bool keys = n->rules[r].type == SRT_RULE_UNEVALUATED_PROPS;

            if (!keys && n->rules[r].type != SRT_RULE_UNEVALUATED_ITEMS)
                continue;
            srt_js_formula(js, i, 0, keys ? SRT_KIND_OBJECT : SRT_KIND_ARRAY);
            status = srt_js_end(js);
            if (status == SORTES_OK)
                continue;
            if (status != SORTES_E_LIMIT)
                return frame_refuse(status, err);
            srt_schema_where(s, n->rules[r].json, pointer, sizeof(pointer));
            return srt_fail(err, SORTES_E_LIMIT,
                            srt_schema_offset(s, n->rules[r].json),
                            "json_schema: %s: more than 12 branches may "
                            "evaluate what it is about",
                            pointer);
        }
    }
    return SORTES_OK;
}

static sortes_status frame_unique(struct srt_js *js, sortes_error *err)
{
    const char *why;
    const struct srt_json *unknown = srt_unique_unknown(js, &why);
    const sortes_status status = srt_js_end(js);
    char pointer[SRT_SCHEMA_WHERE];

    if (status != SORTES_OK)
        return frame_refuse(status, err);
    if (!unknown)
        return SORTES_OK;
    srt_schema_where(js->schema, unknown, pointer, sizeof(pointer));
    return srt_fail(err, SORTES_E_NAME, srt_schema_offset(js->schema, unknown),
                    "json_schema: %s: %s", pointer, why);
}

static sortes_status frame_begin(struct srt_js *js, sortes_error *err)
{
    const struct srt_place_slot_key key = { SRT_KIND_NULL, 0, 0,
                                            (uint32_t)js->options->max_depth };
    const uint32_t number = srt_js_intern(js, &js->slots, &key, sizeof(key));
    struct srt_place_slot *slot =
        number ? srt_pool_payload(&js->slots, number) : NULL;
    sortes_status status;
    bool can = false;
    int missing;

    if (slot) {
        slot->duty = srt_js_duty(js, js->schema->root, 0);
        slot->next = srt_js_take(js, 1, sizeof(*slot->next));
        slot->n_next = 1;
        slot->made = true;
        can = srt_js_can(js, slot->duty, key.depth);
        js->machine.start =
            frame_state(js, SRT_MODE_VALUE, frame_push(js, 0, number), 0, 0);
    }
    status = srt_js_end(js);
    if (status != SORTES_OK)
        return frame_refuse(status, err);
    if (can)
        return SORTES_OK;
    missing = frame_missing(js);
    return missing < 0 ? srt_js_blame(js, err)
                       : srt_machine_empty("json_schema", missing, err);
}

/* Whether items of some array are a trail's business, and whether keys are
 * that may run out: not names, which the states keep, but what a pattern or the
 * schema of names leaves. */
static void frame_trails(struct srt_js *js, const struct srt_schema *schema)
{
    for (uint32_t i = 1; i <= schema->props.n; i++)
        js->keys_end |= SRT_SCHEMA_AT(schema->props, struct srt_schema_props, i)
                            ->n_matched > 0;
    for (uint32_t i = 1; i <= schema->nodes.n; i++) {
        const struct srt_schema_node *n = srt_schema_node(schema, i);

        for (uint32_t r = 0; r < n->n_rules; r++) {
            js->trails_items |=
                n->rules[r].type == SRT_RULE_UNIQUE && !n->rules[r].a;
            js->keys_end |= n->rules[r].type == SRT_RULE_NAMES;
        }
    }
}

sortes_status srt_js_build(struct srt_machine **out,
                           const struct srt_schema *schema,
                           const struct srt_options *options,
                           const struct srt_alphabet *alphabet,
                           sortes_error *err)
{
    struct srt_js *js = calloc(1, sizeof(*js));
    sortes_status status;

    if (!js)
        return srt_fail(err, SORTES_E_NOMEM, 0, "json_schema: no memory");
    frame_trails(js, schema);
    srt_machine_init(&js->machine,
                     options->unique_keys || js->trails_items
                         ? &frame_type_unique
                         : &frame_type,
                     frame_destroy, alphabet);
    js->schema = schema;
    js->options = options;
    js->timer.limit_us = options->max_compile_us;
    for (size_t i = 0; i < SRT_COUNT(frame_pools); i++)
        srt_pool_init(frame_pool(js, i), frame_pools[i].payload,
                      options->max_states, options->max_state_bytes);
    status = srt_decisions_init(&js->dd, options->max_states,
                                options->max_state_bytes);
    if (status != SORTES_OK)
        srt_fail(err, status, 0, "json_schema: no memory");
    if (status == SORTES_OK)
        status = frame_open_units(js, err);
    if (status == SORTES_OK)
        srt_js_classes(js);
    if (status == SORTES_OK)
        status = frame_unevaluated(js, err);
    if (status == SORTES_OK)
        status = frame_unique(js, err);
    if (status == SORTES_OK)
        status = frame_begin(js, err);
    if (status != SORTES_OK) {
        srt_shared_release(&js->machine.shared);
        return status;
    }
    *out = &js->machine;
    return SORTES_OK;
}

/*
 * machine.c - makes the machine of a schema, and says what it cannot be
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/machine.h"

#include "constrain/json_schema/names.h"

#include <stdlib.h>

/* Every pool, with what it keeps beside its keys. */
struct machine_pool {
    size_t offset, payload;
};

#define MACHINE_POOL(name, payload)                                            \
    {                                                                          \
        offsetof(struct srt_js, name), ((payload) + 7) / 8 * 8                 \
    }

static const struct machine_pool machine_pools[] = {
    MACHINE_POOL(states, 0),
    MACHINE_POOL(frames, 0),
    MACHINE_POOL(slots, sizeof(struct srt_place_slot)),
    MACHINE_POOL(questions, 0),
    MACHINE_POOL(formulas, 8),
    MACHINE_POOL(expansions, 8),
    MACHINE_POOL(scopes, 0),
    MACHINE_POOL(covers, 0),
    MACHINE_POOL(sets, 0),
    MACHINE_POOL(choices, sizeof(uint64_t)),
    MACHINE_POOL(chains, 0),
    MACHINE_POOL(duties, sizeof(struct srt_life)),
    MACHINE_POOL(objects, sizeof(struct srt_life)),
    MACHINE_POOL(arrays, sizeof(struct srt_life)),
    MACHINE_POOL(object_tables, sizeof(uint64_t)),
    MACHINE_POOL(array_tables, sizeof(uint64_t)),
    MACHINE_POOL(plans, sizeof(struct srt_text_plan)),
    MACHINE_POOL(text_plans, 8),
    MACHINE_POOL(key_plans, 8),
    MACHINE_POOL(regexes, 8),
    MACHINE_POOL(number_plans, sizeof(struct srt_number_plan)),
    MACHINE_POOL(number_states, 8),
    MACHINE_POOL(counts, 2 * sizeof(uint64_t)), /* count.c */
    MACHINE_POOL(keyed, 0),
    MACHINE_POOL(insides, 8),
    MACHINE_POOL(parts, 0),
    MACHINE_POOL(rests, 0),
    MACHINE_POOL(memory, 0),
};

static struct srt_pool *machine_pool(struct srt_js *js, size_t i)
{
    return (struct srt_pool *)((char *)js + machine_pools[i].offset);
}

static void machine_stats(const struct srt_machine *m, size_t *n_states,
                          size_t *n_bytes)
{
    const struct srt_js *js = (const struct srt_js *)m;

    *n_states = js->states.n;
    *n_bytes = js->dd.nodes.n_bytes;
    for (size_t i = 0; i < SRT_COUNT(machine_pools); i++)
        *n_bytes += ((const struct srt_pool *)((const char *)js +
                                               machine_pools[i].offset))
                        ->n_bytes;
}

#define MACHINE_TYPE                                                           \
    .step = srt_frame_step, .accepts = srt_frame_accepts,                      \
    .stats = machine_stats, .string_room = srt_frame_string_room,              \
    .may_follow = srt_js_may_follow, .same_mask = srt_js_same_mask,            \
    .kinds_stay = srt_js_kinds_stay, .inside = srt_js_inside,                  \
    .like = srt_js_like, .gap = srt_js_gap, .gap_step = srt_js_gap_step,       \
    .around = srt_js_around, .moved = srt_js_moved,                            \
    .is_named = srt_js_is_named, .names = srt_js_names

static const struct srt_machine_type machine_type = { MACHINE_TYPE };

static const struct srt_machine_type machine_type_unique = {
    MACHINE_TYPE,
    .follow = srt_js_follow,
    .forbid = srt_js_forbid,
};

static void machine_destroy(struct srt_shared *shared)
{
    struct srt_js *js = (struct srt_js *)shared;

    for (int i = 0; i < SRT_UNITS; i++)
        srt_unit_close(&js->unit[i]);
    for (size_t i = 0; i < SRT_COUNT(machine_pools); i++)
        srt_pool_clear(machine_pool(js, i));
    srt_decisions_clear(&js->dd);
    srt_machine_clear(&js->machine);
    free(js);
}

static sortes_status machine_open_units(struct srt_js *js, sortes_error *err)
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
static int machine_missing(const struct srt_js *js)
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

static sortes_status machine_refuse(sortes_status status, sortes_error *err)
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
static sortes_status machine_unevaluated(struct srt_js *js, sortes_error *err)
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
                return machine_refuse(status, err);
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

static sortes_status machine_unique(struct srt_js *js, sortes_error *err)
{
    const char *why;
    const struct srt_json *unknown = srt_unique_unknown(js, &why);
    const sortes_status status = srt_js_end(js);
    char pointer[SRT_SCHEMA_WHERE];

    if (status != SORTES_OK)
        return machine_refuse(status, err);
    if (!unknown)
        return SORTES_OK;
    srt_schema_where(js->schema, unknown, pointer, sizeof(pointer));
    return srt_fail(err, SORTES_E_NAME, srt_schema_offset(js->schema, unknown),
                    "json_schema: %s: %s", pointer, why);
}

static sortes_status machine_begin(struct srt_js *js, sortes_error *err)
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
        js->machine.start = srt_frame_start(js, number);
    }
    status = srt_js_end(js);
    if (status != SORTES_OK)
        return machine_refuse(status, err);
    if (can)
        return SORTES_OK;
    missing = machine_missing(js);
    return missing < 0 ? srt_js_blame(js, err)
                       : srt_machine_empty("json_schema", missing, err);
}

/* Whether items of some array are a trail's business, and whether keys are
 * that may run out: not names, which the states keep, but what a pattern or the
 * schema of names leaves. */
static void machine_trails(struct srt_js *js, const struct srt_schema *schema)
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
    machine_trails(js, schema);
    srt_machine_init(&js->machine,
                     options->unique_keys || js->trails_items
                         ? &machine_type_unique
                         : &machine_type,
                     machine_destroy, alphabet);
    js->schema = schema;
    js->options = options;
    js->timer.limit_us = options->max_compile_us;
    for (size_t i = 0; i < SRT_COUNT(machine_pools); i++)
        srt_pool_init(machine_pool(js, i), machine_pools[i].payload,
                      options->max_states, options->max_state_bytes);
    status = srt_decisions_init(&js->dd, options->max_states,
                                options->max_state_bytes);
    if (status != SORTES_OK)
        srt_fail(err, status, 0, "json_schema: no memory");
    if (status == SORTES_OK)
        status = machine_open_units(js, err);
    if (status == SORTES_OK)
        srt_js_classes(js);
    if (status == SORTES_OK)
        status = machine_unevaluated(js, err);
    if (status == SORTES_OK)
        status = machine_unique(js, err);
    if (status == SORTES_OK)
        status = machine_begin(js, err);
    if (status != SORTES_OK) {
        srt_shared_release(&js->machine.shared);
        return status;
    }
    *out = &js->machine;
    return SORTES_OK;
}

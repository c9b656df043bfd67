/*
 * unique_known.c - uniqueItems whose truth would have to be found out
 *
 * Where items must differ, a repetition does not come.  Where they need not, as
 * under `not` or in one branch of several, the machine would have to know
 * whether they do, and what has come is not in its states.  From the root on
 * every place is visited that a value can have, with what it asks of arrays and
 * objects there.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/frame.h"

#include "constrain/json_schema/unevaluated.h"

#include <stdlib.h>
#include <string.h>

struct known_place {
    uint32_t node;
    bool maybe; /* it need not hold */
};

struct known {
    struct srt_js *js;
    struct srt_pool visited; /* places */
    const struct srt_json *refused;
    const char *why; /* NULL: its truth is not known */
};

static void known_add(struct known *k, uint32_t node, bool maybe)
{
    struct known_place place;

    if (!node)
        return;
    memset(&place, 0, sizeof(place));
    place.node = node;
    place.maybe = maybe;
    srt_js_intern(k->js, &k->visited, &place, sizeof(place));
}

static void known_add_props(struct known *k, uint32_t number, bool maybe)
{
    const struct srt_schema_props *p =
        SRT_SCHEMA_AT(k->js->schema->props, struct srt_schema_props, number);

    for (uint32_t i = 0; i < p->n_named; i++)
        known_add(k, p->named[i].node, maybe);
    for (uint32_t i = 0; i < p->n_matched; i++)
        known_add(k, p->matched[i].node, maybe);
    if (p->has_rest)
        known_add(k, p->rest, maybe);
}

static void known_add_items(struct known *k, uint32_t number, bool maybe)
{
    const struct srt_schema_items *items =
        SRT_SCHEMA_AT(k->js->schema->items, struct srt_schema_items, number);

    for (uint32_t i = 0; i < items->n_prefix; i++)
        known_add(k, items->prefix[i], maybe);
    if (items->has_rest)
        known_add(k, items->rest, maybe);
}

static void known_in_place(struct known *k, struct srt_pool *nodes,
                           const struct srt_schema_rule *r)
{
    const struct srt_schema_list *list;
    const uint32_t all[3] = { r->a, r->b, r->c };
    size_t n = 0;

    switch (r->type) {
    case SRT_RULE_ALL:
    case SRT_RULE_ANY:
    case SRT_RULE_ONE:
        list =
            SRT_SCHEMA_AT(k->js->schema->lists, struct srt_schema_list, r->a);
        for (uint32_t i = 0; i < list->n; i++)
            srt_js_intern(k->js, nodes, &list->node[i], sizeof(*list->node));
        break;
    case SRT_RULE_IF:
        n = 3;
        break;
    case SRT_RULE_NOT:
    case SRT_RULE_REF:
    case SRT_RULE_DYNAMIC:
        n = 1;
        break;
    default:
        break;
    }
    for (size_t i = 0; i < n; i++)
        if (all[i])
            srt_js_intern(k->js, nodes, &all[i], sizeof(all[i]));
}

/* The keyword in a node, or in one that applies in its place. */
static const struct srt_json *known_keyword(struct known *k, uint32_t node)
{
    const struct srt_json *found = NULL;
    struct srt_pool nodes;

    srt_pool_init(&nodes, 0, SRT_POOL_MAX, SIZE_MAX);
    srt_js_intern(k->js, &nodes, &node, sizeof(node));
    for (uint32_t i = 1; i <= nodes.n && !found; i++) {
        const struct srt_schema_node *n;

        memcpy(&node, srt_pool_key(&nodes, i, NULL), sizeof(node));
        n = srt_schema_node(k->js->schema, node);
        for (uint32_t r = 0; r < n->n_rules && !found; r++) {
            if (n->rules[r].type == SRT_RULE_UNIQUE)
                found = n->rules[r].json;
            known_in_place(k, &nodes, &n->rules[r]);
        }
    }
    srt_pool_clear(&nodes);
    return found;
}

static void known_question(struct known *k, uint32_t node,
                           const struct srt_question *q, bool maybe)
{
    struct srt_cover cover;

    switch (q->type) {
    case SRT_ASK_UNIQUE:
        if (maybe)
            k->refused = known_keyword(k, node);
        break;
    case SRT_ASK_PROPS:
        known_add_props(k, q->a, maybe);
        break;
    case SRT_ASK_ITEMS:
        known_add_items(k, q->a, maybe);
        break;
    case SRT_ASK_CONTAINS:
        known_add(k, q->a, true);
        break;
    case SRT_ASK_LEFT_KEYS:
    case SRT_ASK_LEFT_ITEMS:
        srt_cover_read(k->js, q->a, &cover);
        if (q->type == SRT_ASK_LEFT_ITEMS) /* or what a contains looks for */
            for (uint32_t i = 0; i < cover.n_parts; i++)
                known_add(k, cover.part[i], true);
        known_add(k, cover.rest,
                  maybe || (q->type == SRT_ASK_LEFT_ITEMS && cover.n_parts));
        break;
    default:
        break;
    }
}

static bool known_is_scalar(struct known *k, uint32_t node)
{
    return node && srt_js_formula(k->js, node, 0, SRT_KIND_OBJECT) == 0 &&
           srt_js_formula(k->js, node, 0, SRT_KIND_ARRAY) == 0;
}

/* Whether all items are scalars, as one of the questions has it. */
static bool known_scalars(struct known *k, const uint32_t *variable, size_t n)
{
    bool scalars = false;

    for (size_t i = 0; i < n && !scalars; i++) {
        const struct srt_question *q = srt_js_question(k->js, variable[i]);
        const struct srt_schema_items *items;

        if (q->type != SRT_ASK_ITEMS)
            continue;
        items =
            SRT_SCHEMA_AT(k->js->schema->items, struct srt_schema_items, q->a);
        scalars = items->has_rest && known_is_scalar(k, items->rest);
        for (uint32_t p = 0; p < items->n_prefix && scalars; p++)
            scalars = known_is_scalar(k, items->prefix[p]);
    }
    return scalars;
}

/* Whether there are values enough can be told, whichever come first. */
static void known_count(struct known *k, uint32_t node)
{
    struct srt_js *js = k->js;
    const uint32_t array = srt_array_start(js, srt_js_duty(js, node, 0));

    if (!srt_js_ok(js))
        return;
    if (array)
        srt_array_alive(js, array, (uint32_t)js->options->max_depth - 1);
    if (srt_js_ok(js) || js->status != SORTES_E_LIMIT)
        return;
    (void)srt_js_end(js);
    k->refused = known_keyword(k, node);
    k->why = "which of the items it wants can differ depends on those that "
             "come first, or there are too many ways to tell";
}

static void known_visit(struct known *k, const struct known_place *place,
                        enum srt_kind kind)
{
    struct srt_js *js = k->js;
    const srt_dd f = srt_js_formula(js, place->node, 0, kind);
    uint32_t *variable = NULL;
    size_t n = 0;
    const sortes_status status = srt_dd_variables(&js->dd, f, &variable, &n);

    if (status != SORTES_OK)
        srt_js_fail(js, status);
    for (size_t i = 0; i < n && !k->refused; i++)
        known_question(k, place->node, srt_js_question(js, variable[i]),
                       place->maybe ||
                           srt_dd_given(&js->dd, f, variable[i], false) != 0);
    if (kind == SRT_KIND_ARRAY && !k->refused)
        for (size_t i = 0; i < n && !k->refused && srt_js_ok(js); i++)
            if (srt_js_question(js, variable[i])->type == SRT_ASK_UNIQUE) {
                known_count(k, place->node);
                if (k->refused || js->options->unique_keys ||
                    srt_js_question(js, variable[i])->a ||
                    known_scalars(k, variable, n))
                    continue;
                k->refused = known_keyword(k, place->node);
                k->why = "items that may hold objects are refused with "
                         "unique_keys=false: a key twice has no value";
            }
    free(variable);
}

const struct srt_json *srt_unique_unknown(struct srt_js *js, const char **why)
{
    struct known k = { .js = js };

    srt_pool_init(&k.visited, 0, SRT_POOL_MAX, SIZE_MAX);
    known_add(&k, js->schema->root, false);
    for (uint32_t i = 1; i <= k.visited.n && !k.refused && srt_js_ok(js); i++) {
        struct known_place place;

        memcpy(&place, srt_pool_key(&k.visited, i, NULL), sizeof(place));
        known_visit(&k, &place, SRT_KIND_ARRAY);
        known_visit(&k, &place, SRT_KIND_OBJECT);
    }
    srt_pool_clear(&k.visited);
    *why = k.why ? k.why
                 : "it is refused where it need not hold: under not, if or "
                   "contains, or in one branch of several";
    return k.refused;
}

/*
 * blame.c - the part of a schema for which no text satisfies the whole
 *
 * From the root on, into a part that must hold and cannot: what is said beside
 * it, under a required key, of an item that must come.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/frame.h"

enum { BLAME_STEPS = 64 };

/* A schema, seen from where it applies. */
struct blame {
    uint32_t node, scope;
};

static bool blame_is_empty(struct srt_js *js, uint32_t node, uint32_t scope)
{
    const srt_dd duty = srt_js_duty(js, node, scope);

    return !srt_js_can(js, duty, (uint32_t)js->options->max_depth) &&
           srt_js_ok(js);
}

static uint32_t blame_list(struct srt_js *js, const struct srt_schema_rule *r,
                           uint32_t scope)
{
    const struct srt_schema_list *list =
        SRT_SCHEMA_AT(js->schema->lists, struct srt_schema_list, r->a);

    for (uint32_t i = 0; i < list->n; i++)
        if (blame_is_empty(js, list->node[i], scope))
            return list->node[i];
    return 0;
}

static bool blame_requires(const struct srt_schema_node *n, uint32_t name)
{
    for (uint32_t i = 0; i < n->n_rules; i++)
        if (n->rules[i].type == SRT_RULE_HAS && !n->rules[i].b &&
            n->rules[i].a == name)
            return true;
    return false;
}

static uint32_t blame_props(struct srt_js *js, const struct srt_schema_node *n,
                            const struct srt_schema_rule *r, uint32_t scope)
{
    const struct srt_schema_props *p =
        SRT_SCHEMA_AT(js->schema->props, struct srt_schema_props, r->a);

    for (uint32_t i = 0; i < p->n_named; i++)
        if (blame_requires(n, p->named[i].what) &&
            blame_is_empty(js, p->named[i].node, scope))
            return p->named[i].node;
    return 0;
}

static uint32_t blame_items(struct srt_js *js, const struct srt_schema_node *n,
                            const struct srt_schema_rule *r, uint32_t scope)
{
    const struct srt_schema_items *items =
        SRT_SCHEMA_AT(js->schema->items, struct srt_schema_items, r->a);
    uint32_t least = 0;

    for (uint32_t i = 0; i < n->n_rules; i++)
        if (n->rules[i].type == SRT_RULE_COUNT)
            least = n->rules[i].a > least ? n->rules[i].a : least;
    for (uint32_t i = 0; i < items->n_prefix && i < least; i++)
        if (blame_is_empty(js, items->prefix[i], scope))
            return items->prefix[i];
    return least > items->n_prefix && items->rest &&
                   blame_is_empty(js, items->rest, scope)
               ? items->rest
               : 0;
}

/* A part that must hold where n does, and cannot; 0: none of them alone. */
static uint32_t blame_part(struct srt_js *js, const struct srt_schema_node *n,
                           const struct srt_schema_rule *r, uint32_t scope)
{
    uint32_t node = 0;

    switch (r->type) {
    case SRT_RULE_REF:
        node = r->a;
        break;
    case SRT_RULE_DYNAMIC:
        node = srt_js_dynamic(js, r, scope);
        break;
    case SRT_RULE_CONTAINS:
        node = r->b > 0 ? r->a : 0;
        break;
    case SRT_RULE_ALL:
        return blame_list(js, r, scope);
    case SRT_RULE_PROPS:
        return blame_props(js, n, r, scope);
    case SRT_RULE_ITEMS:
        return blame_items(js, n, r, scope);
    default:
        break;
    }
    return node && blame_is_empty(js, node, scope) ? node : 0;
}

/* One step into it; node 0: it is to blame itself. */
static struct blame blame_step(struct srt_js *js, struct blame b)
{
    const struct srt_schema_node *n = srt_schema_node(js->schema, b.node);
    struct blame part = { 0, srt_js_enter(js, b.scope, b.node) };

    for (uint32_t i = 0; i < n->n_rules && !part.node; i++)
        part.node = blame_part(js, n, &n->rules[i], part.scope);
    if (part.node && !srt_schema_node(js->schema, part.node)->json)
        part.node = 0;
    return part;
}

/* ---- what its own words say ---------------------------------------------- */

static bool blame_kind(const struct srt_schema_node *n, enum srt_kind kind)
{
    for (uint32_t i = 0; i < n->n_rules; i++)
        if (n->rules[i].type == SRT_RULE_KINDS && !(n->rules[i].a >> kind & 1))
            return false;
    return true;
}

static bool blame_range(const struct srt_schema_node *n,
                        enum srt_schema_rule_type type)
{
    uint32_t low = 0, high = UINT32_MAX;

    for (uint32_t i = 0; i < n->n_rules; i++)
        if (n->rules[i].type == type) {
            low = n->rules[i].a > low ? n->rules[i].a : low;
            high = n->rules[i].b < high ? n->rules[i].b : high;
        }
    return low > high;
}

static bool blame_bounds(const struct srt_schema *s,
                         const struct srt_schema_node *n)
{
    const struct srt_decimal *low = NULL, *high = NULL;

    for (uint32_t i = 0; i < n->n_rules; i++) {
        const struct srt_schema_rule *r = &n->rules[i];

        if (r->type == SRT_RULE_MINIMUM)
            low = srt_schema_decimal(s, r->a);
        if (r->type == SRT_RULE_MAXIMUM)
            high = srt_schema_decimal(s, r->a);
    }
    return low && high && srt_decimal_compare(low, high) > 0;
}

/* Where, and in which words; words "": none are to be had. */
struct blame_reason {
    const struct srt_json *json;
    const char *words;
};

/* A key that is required and has no place: its name in the list. */
static const struct srt_json *blame_key(const struct srt_schema *s,
                                        const struct srt_schema_node *n)
{
    for (uint32_t i = 0; i < n->n_rules; i++) {
        const struct srt_schema_props *p;

        if (n->rules[i].type != SRT_RULE_PROPS)
            continue;
        p = SRT_SCHEMA_AT(s->props, struct srt_schema_props, n->rules[i].a);
        if (!p->rest || p->n_matched ||
            srt_schema_node(s, p->rest)->json->type != SRT_JSON_FALSE)
            continue;
        for (uint32_t k = 0; k < n->n_rules; k++) {
            const struct srt_schema_rule *r = &n->rules[k];
            uint32_t at = 0;

            while (at < p->n_named && p->named[at].what != r->a)
                at++;
            if (r->type == SRT_RULE_HAS && !r->b && at == p->n_named)
                return r->json;
        }
    }
    return NULL;
}

static struct blame_reason blame_words(const struct srt_schema *s,
                                       const struct srt_schema_node *n)
{
    static const struct {
        enum srt_schema_rule_type type;
        enum srt_kind kind;
        const char *words;
    } ranges[] = {
        { SRT_RULE_LENGTH, SRT_KIND_STRING, ": minLength is above maxLength" },
        { SRT_RULE_COUNT, SRT_KIND_ARRAY, ": minItems is above maxItems" },
        { SRT_RULE_PAIRS, SRT_KIND_OBJECT,
          ": minProperties is above maxProperties" },
    };
    struct blame_reason reason = { n->json, "" };
    const struct srt_json *key = blame_key(s, n);

    for (size_t i = 0; i < SRT_COUNT(ranges) && !reason.words[0]; i++)
        if (blame_kind(n, ranges[i].kind) && blame_range(n, ranges[i].type))
            reason.words = ranges[i].words;
    if (!reason.words[0] && blame_kind(n, SRT_KIND_NUMBER) &&
        blame_bounds(s, n))
        reason.words = ": minimum is above maximum";
    if (!reason.words[0] && key && blame_kind(n, SRT_KIND_OBJECT))
        reason = (struct blame_reason){
            key, ": this key is required, but it cannot occur"
        };
    return reason;
}

/* ---- the whole ----------------------------------------------------------- */

static sortes_status blame_tell(const struct srt_schema *s,
                                struct blame_reason reason, sortes_error *err)
{
    char where[SRT_SCHEMA_WHERE];

    srt_schema_where(s, reason.json, where, sizeof(where));
    return srt_fail(err, SORTES_E_EMPTY, srt_schema_offset(s, reason.json),
                    "json_schema: %s: no text satisfies it%s", where,
                    reason.words);
}

sortes_status srt_js_blame(struct srt_js *js, sortes_error *err)
{
    const struct srt_schema *s = js->schema;
    struct blame seen[BLAME_STEPS] = { { s->root, 0 } };
    uint32_t at = 0;

    for (; at + 1 < BLAME_STEPS; at++) {
        const struct blame next = blame_step(js, seen[at]);

        if (!next.node)
            break;
        for (uint32_t i = 0; i <= at; i++)
            if (seen[i].node == next.node)
                return blame_tell(
                    s,
                    (struct blame_reason){
                        srt_schema_node(s, next.node)->json,
                        ": it would have to hold itself, without end" },
                    err);
        seen[at + 1] = next;
    }
    return blame_tell(s, blame_words(s, srt_schema_node(s, seen[at].node)),
                      err);
}

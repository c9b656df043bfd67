/*
 * keywords.c - what each keyword says, as rules
 *
 * Table: keywords.def.  Keywords that work together (properties and its two
 * companions, items and its own, if) are read by whichever comes first in the
 * text.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/load.h"

#include <string.h>

/* Adds a rule that needs nothing but numbers. */
#define RULE(type, a, b, c) srt_loader_rule(l, type, a, b, c, v)

static sortes_status keyword_wants(struct srt_loader *l,
                                   const struct srt_json *v,
                                   const char *problem)
{
    return srt_loader_refuse(l, SORTES_E_SYNTAX, v, problem);
}

static const struct srt_json *keyword_beside(const struct srt_json *v,
                                             const char *key)
{
    return srt_json_find(v->parent, key);
}

static bool keyword_has_rule(struct srt_loader *l,
                             enum srt_schema_rule_type type)
{
    const struct srt_schema_node *node = srt_schema_node(l->s, l->node);

    for (uint32_t i = 0; i < node->n_rules; i++)
        if (node->rules[i].type == type)
            return true;
    return false;
}

/* ---- any kind ------------------------------------------------------------ */

static bool keyword_is(const struct srt_json *v, const char *word)
{
    return v->type == SRT_JSON_STRING && srt_json_equals(v->text, v->n, word);
}

/* Bits of kinds; *integer: whole numbers alone. */
static bool keyword_one_type(const struct srt_json *v, uint32_t *kinds,
                             bool *integer)
{
    static const struct {
        const char *name;
        uint32_t kinds;
    } types[] = { { "null", 1u << SRT_KIND_NULL },
                  { "boolean", 1u << SRT_KIND_FALSE | 1u << SRT_KIND_TRUE },
                  { "number", 1u << SRT_KIND_NUMBER },
                  { "string", 1u << SRT_KIND_STRING },
                  { "array", 1u << SRT_KIND_ARRAY },
                  { "object", 1u << SRT_KIND_OBJECT },
                  { "any", (1u << SRT_KINDS) - 1 } };

    if (keyword_is(v, "integer")) {
        *integer = !(*kinds & 1u << SRT_KIND_NUMBER) || *integer;
        *kinds |= 1u << SRT_KIND_NUMBER;
        return true;
    }
    for (size_t i = 0; i < SRT_COUNT(types); i++)
        if (keyword_is(v, types[i].name)) {
            *kinds |= types[i].kinds;
            if (types[i].kinds & 1u << SRT_KIND_NUMBER)
                *integer = false;
            return true;
        }
    return false;
}

static sortes_status keyword_type(struct srt_loader *l,
                                  const struct srt_json *v)
{
    uint32_t kinds = 0;
    bool integer = false, number = false, unnamed, ok = true;
    sortes_status status;

    if (v->type == SRT_JSON_ARRAY) {
        for (const struct srt_json *i = v->first; i && ok; i = i->next) {
            number |= keyword_is(i, "number") || keyword_is(i, "any");
            ok = keyword_one_type(i, &kinds, &integer);
        }
    } else {
        ok = keyword_one_type(v, &kinds, &integer);
    }
    if (!ok)
        return keyword_wants(l, v,
                             "a type is null, boolean, number, integer, "
                             "string, array or object");
    status = RULE(SRT_RULE_KINDS, kinds, 0, 0);
    if (status == SORTES_OK && integer && !number)
        status =
            RULE(SRT_RULE_INTEGER, srt_loader_draft(l, &unnamed) == 4, 0, 0);
    return status;
}

/* JSON's own depth bounds the recursion. */
static sortes_status keyword_check_value(struct srt_loader *l,
                                         const struct srt_json *v)
{
    sortes_status status = SORTES_OK;

    if (v->type == SRT_JSON_OBJECT)
        status = srt_loader_check_keys(l, v);
    for (const struct srt_json *i = v->first; i && status == SORTES_OK;
         i = i->next)
        if (i->first)
            status = keyword_check_value(l, i);
    return status;
}

static sortes_status keyword_enum(struct srt_loader *l,
                                  const struct srt_json *v)
{
    sortes_status status;

    if (v->type != SRT_JSON_ARRAY)
        return keyword_wants(l, v, "enum is an array");
    status = keyword_check_value(l, v);
    return status == SORTES_OK ? srt_loader_enum(l, v, true) : status;
}

static sortes_status keyword_const(struct srt_loader *l,
                                   const struct srt_json *v)
{
    const sortes_status status = keyword_check_value(l, v);

    return status == SORTES_OK ? srt_loader_enum(l, v, false) : status;
}

/* ---- numbers ------------------------------------------------------------- */

static sortes_status keyword_bound(struct srt_loader *l,
                                   const struct srt_json *v,
                                   enum srt_schema_rule_type type,
                                   bool exclusive)
{
    uint32_t decimal;
    sortes_status status;

    if (v->type != SRT_JSON_NUMBER)
        return keyword_wants(l, v, "a bound is a number");
    status = srt_loader_decimal(l, v, &decimal);
    return status == SORTES_OK ? RULE(type, decimal, exclusive, 0) : status;
}

/* Draft 4 has booleans beside the bound. */
static bool keyword_exclusive(struct srt_loader *l, const struct srt_json *v,
                              const char *key)
{
    bool unnamed;
    const int draft = srt_loader_draft(l, &unnamed);
    const struct srt_json *beside = keyword_beside(v, key);

    return (draft == 4 || unnamed) && beside && beside->type == SRT_JSON_TRUE;
}

static sortes_status keyword_minimum(struct srt_loader *l,
                                     const struct srt_json *v)
{
    return keyword_bound(l, v, SRT_RULE_MINIMUM,
                         keyword_exclusive(l, v, "exclusiveMinimum"));
}

static sortes_status keyword_maximum(struct srt_loader *l,
                                     const struct srt_json *v)
{
    return keyword_bound(l, v, SRT_RULE_MAXIMUM,
                         keyword_exclusive(l, v, "exclusiveMaximum"));
}

static sortes_status keyword_exclusive_bound(struct srt_loader *l,
                                             const struct srt_json *v,
                                             enum srt_schema_rule_type type)
{
    bool unnamed;
    const int draft = srt_loader_draft(l, &unnamed);
    const bool boolean = v->type == SRT_JSON_TRUE || v->type == SRT_JSON_FALSE;

    if (boolean && (draft == 4 || unnamed))
        return draft == 4 ? SORTES_OK
                          : srt_loader_note(l, v, "read as in draft 4");
    return keyword_bound(l, v, type, true);
}

static sortes_status keyword_exclusive_minimum(struct srt_loader *l,
                                               const struct srt_json *v)
{
    return keyword_exclusive_bound(l, v, SRT_RULE_MINIMUM);
}

static sortes_status keyword_exclusive_maximum(struct srt_loader *l,
                                               const struct srt_json *v)
{
    return keyword_exclusive_bound(l, v, SRT_RULE_MAXIMUM);
}

static sortes_status keyword_multiple_of(struct srt_loader *l,
                                         const struct srt_json *v)
{
    struct srt_divisor m;
    uint32_t decimal;
    sortes_status status;

    if (v->type != SRT_JSON_NUMBER)
        return keyword_wants(l, v, "multipleOf is a number above 0");
    status = srt_loader_decimal(l, v, &decimal);
    if (status != SORTES_OK)
        return status;
    if (!srt_divisor_from(&m, srt_schema_decimal(l->s, decimal)))
        return keyword_wants(l, v,
                             "multipleOf is above 0 and has at most 18 digits");
    return RULE(SRT_RULE_MULTIPLE, decimal, 0, 0);
}

/* ---- counts -------------------------------------------------------------- */

/* A whole number from 0 on, 2.0 too; UINT32_MAX: that or more. */
static sortes_status keyword_count(struct srt_loader *l,
                                   const struct srt_json *v, uint32_t *count)
{
    static const char wanted[] = "a count is a whole number from 0 on";
    const struct srt_decimal *d;
    uint64_t value = 0;
    uint32_t decimal;
    sortes_status status;

    if (v->type != SRT_JSON_NUMBER)
        return keyword_wants(l, v, wanted);
    status = srt_loader_decimal(l, v, &decimal);
    if (status != SORTES_OK)
        return status;
    d = srt_schema_decimal(l->s, decimal);
    if (d->negative || d->exponent < 0)
        return keyword_wants(l, v, wanted);
    for (uint32_t i = 0; i < d->n + (uint32_t)d->exponent; i++) {
        value = value * 10 + (i < d->n ? d->digit[i] : 0);
        if (value > UINT32_MAX)
            value = UINT32_MAX;
    }
    *count = d->n ? (uint32_t)value : 0;
    return SORTES_OK;
}

static sortes_status keyword_at_least(struct srt_loader *l,
                                      const struct srt_json *v,
                                      enum srt_schema_rule_type type)
{
    uint32_t count;
    sortes_status status = keyword_count(l, v, &count);

    if (status == SORTES_OK && count == UINT32_MAX)
        status = srt_loader_refuse(l, SORTES_E_LIMIT, v,
                                   "the count is above 4294967294");
    return status == SORTES_OK ? RULE(type, count, UINT32_MAX, 0) : status;
}

static sortes_status keyword_at_most(struct srt_loader *l,
                                     const struct srt_json *v,
                                     enum srt_schema_rule_type type)
{
    uint32_t count;
    sortes_status status = keyword_count(l, v, &count);

    return status == SORTES_OK ? RULE(type, 0, count, 0) : status;
}

static sortes_status keyword_min_length(struct srt_loader *l,
                                        const struct srt_json *v)
{
    return keyword_at_least(l, v, SRT_RULE_LENGTH);
}

static sortes_status keyword_max_length(struct srt_loader *l,
                                        const struct srt_json *v)
{
    return keyword_at_most(l, v, SRT_RULE_LENGTH);
}

static sortes_status keyword_min_properties(struct srt_loader *l,
                                            const struct srt_json *v)
{
    return keyword_at_least(l, v, SRT_RULE_PAIRS);
}

static sortes_status keyword_max_properties(struct srt_loader *l,
                                            const struct srt_json *v)
{
    return keyword_at_most(l, v, SRT_RULE_PAIRS);
}

static sortes_status keyword_min_items(struct srt_loader *l,
                                       const struct srt_json *v)
{
    return keyword_at_least(l, v, SRT_RULE_COUNT);
}

static sortes_status keyword_max_items(struct srt_loader *l,
                                       const struct srt_json *v)
{
    return keyword_at_most(l, v, SRT_RULE_COUNT);
}

/* ---- strings ------------------------------------------------------------- */

static sortes_status keyword_add_pattern(struct srt_loader *l, const char *text,
                                         size_t n, bool search,
                                         const struct srt_json *v,
                                         uint32_t *number)
{
    *number = srt_schema_add(&l->s->patterns);
    if (!*number)
        return srt_loader_no_memory(l);
    *SRT_SCHEMA_AT(l->s->patterns, struct srt_schema_pattern, *number) =
        (struct srt_schema_pattern){ text, n, search, true, false, v };
    return SORTES_OK;
}

static sortes_status keyword_pattern(struct srt_loader *l,
                                     const struct srt_json *v)
{
    uint32_t pattern;
    sortes_status status;

    if (v->type != SRT_JSON_STRING)
        return keyword_wants(l, v, "a pattern is a string");
    status = keyword_add_pattern(l, v->text, v->n, true, v, &pattern);
    return status == SORTES_OK ? RULE(SRT_RULE_PATTERN, pattern, 0, 0) : status;
}

static sortes_status keyword_format(struct srt_loader *l,
                                    const struct srt_json *v)
{
    const char *text;
    char *whole;
    size_t n;
    const bool iri = v->n >= 3 && v->type == SRT_JSON_STRING &&
                     memcmp(v->text, "iri", 3) == 0;
    bool refused = false;
    uint32_t pattern;
    sortes_status status;

    if (v->type != SRT_JSON_STRING)
        return keyword_wants(l, v, "a format is a string");
    if (l->s->options.formats == SRT_FORMATS_ANNOTATE)
        return SORTES_OK;
    text = srt_format_pattern(v->text, v->n, &refused);
    if (refused && !l->s->options.lenient)
        return srt_loader_refuse(l, SORTES_E_NAME, v,
                                 "this format cannot be checked while a text "
                                 "comes (formats=annotate passes it over)");
    if (!text)
        return srt_loader_note(l, v,
                               refused ? "this format is not checked, ignored"
                                       : "unknown format, ignored");
    n = srt_format_expand(text, iri, NULL);
    whole = srt_loader_take(l, n, 1);
    if (!whole)
        return srt_loader_no_memory(l);
    srt_format_expand(text, iri, whole);
    status = keyword_add_pattern(l, whole, n, false, v, &pattern);
    return status == SORTES_OK ? RULE(SRT_RULE_PATTERN, pattern, 0, 0) : status;
}

/* ---- objects ------------------------------------------------------------- */

static sortes_status keyword_map(struct srt_loader *l,
                                 const struct srt_json *map, bool patterns,
                                 struct srt_schema_pair **pairs, uint32_t *n)
{
    sortes_status status = SORTES_OK;

    if (!map)
        return SORTES_OK;
    if (map->type != SRT_JSON_OBJECT)
        return keyword_wants(l, map, "expected an object of schemas");
    status = srt_loader_check_keys(l, map);
    if (status != SORTES_OK)
        return status;
    *pairs = srt_loader_take(l, map->n, sizeof(**pairs));
    if (!*pairs)
        return srt_loader_no_memory(l);
    for (const struct srt_json *i = map->first; i && status == SORTES_OK;
         i = i->next) {
        struct srt_schema_pair *pair = &(*pairs)[(*n)++];

        if (patterns) {
            status =
                keyword_add_pattern(l, i->key, i->n_key, true, i, &pair->what);
            if (status == SORTES_OK) {
                struct srt_schema_pattern *p = SRT_SCHEMA_AT(
                    l->s->patterns, struct srt_schema_pattern, pair->what);

                p->of_name = true;
                p->of_value = false;
            }
        } else {
            status = srt_loader_name(l, i->key, i->n_key, &pair->what);
        }
        if (status == SORTES_OK)
            status = srt_loader_node(l, i, &pair->node);
    }
    return status;
}

static sortes_status keyword_properties(struct srt_loader *l,
                                        const struct srt_json *v)
{
    struct srt_schema_props props = { 0 };
    const struct srt_json *rest = keyword_beside(v, "additionalProperties");
    sortes_status status;
    uint32_t number;

    if (keyword_has_rule(l, SRT_RULE_PROPS))
        return SORTES_OK;
    status = keyword_map(l, keyword_beside(v, "properties"), false,
                         &props.named, &props.n_named);
    if (status == SORTES_OK)
        status = keyword_map(l, keyword_beside(v, "patternProperties"), true,
                             &props.matched, &props.n_matched);
    if (status == SORTES_OK && rest) {
        props.has_rest = true;
        status = srt_loader_node(l, rest, &props.rest);
    }
    if (status != SORTES_OK)
        return status;
    number = srt_schema_add(&l->s->props);
    if (!number)
        return srt_loader_no_memory(l);
    *SRT_SCHEMA_AT(l->s->props, struct srt_schema_props, number) = props;
    return RULE(SRT_RULE_PROPS, number, 0, 0);
}

/* HAS for every name of a list; given: only where that name is there. */
static sortes_status keyword_names(struct srt_loader *l,
                                   const struct srt_json *v, uint32_t given)
{
    sortes_status status = SORTES_OK;

    if (v->type != SRT_JSON_ARRAY)
        return keyword_wants(l, v, "expected an array of names");
    for (const struct srt_json *i = v->first; i && status == SORTES_OK;
         i = i->next) {
        uint32_t name;

        if (i->type != SRT_JSON_STRING)
            return keyword_wants(l, i, "a name is a string");
        status = srt_loader_name(l, i->text, i->n, &name);
        if (status == SORTES_OK)
            status = srt_loader_rule(l, SRT_RULE_HAS, name, given, 0, i);
    }
    return status;
}

static sortes_status keyword_required(struct srt_loader *l,
                                      const struct srt_json *v)
{
    if (v->type == SRT_JSON_TRUE || v->type == SRT_JSON_FALSE)
        return srt_loader_note(l, v, "draft 3's boolean required, ignored");
    return keyword_names(l, v, 0);
}

static sortes_status keyword_property_names(struct srt_loader *l,
                                            const struct srt_json *v)
{
    uint32_t node;
    sortes_status status = srt_loader_node(l, v, &node);

    return status == SORTES_OK ? RULE(SRT_RULE_NAMES, node, 0, 0) : status;
}

/* kinds: 1 lists of names, 2 schemas. */
static sortes_status keyword_depend(struct srt_loader *l,
                                    const struct srt_json *v, int kinds)
{
    sortes_status status = SORTES_OK;

    if (v->type != SRT_JSON_OBJECT)
        return keyword_wants(l, v, "expected an object");
    status = srt_loader_check_keys(l, v);
    for (const struct srt_json *i = v->first; i && status == SORTES_OK;
         i = i->next) {
        uint32_t name, node;

        status = srt_loader_name(l, i->key, i->n_key, &name);
        if (status != SORTES_OK)
            return status;
        if ((kinds & 1) && i->type == SRT_JSON_STRING) { /* draft 3's */
            uint32_t other;

            status = srt_loader_name(l, i->text, i->n, &other);
            if (status == SORTES_OK)
                status = srt_loader_rule(l, SRT_RULE_HAS, other, name, 0, i);
        } else if (!(kinds & 2) || ((kinds & 1) && i->type == SRT_JSON_ARRAY)) {
            status = keyword_names(l, i, name);
        } else {
            status = srt_loader_node(l, i, &node);
            if (status == SORTES_OK)
                status = srt_loader_rule(l, SRT_RULE_IF_HAS, name, node, 0, i);
        }
    }
    return status;
}

static sortes_status keyword_dependencies(struct srt_loader *l,
                                          const struct srt_json *v)
{
    return keyword_depend(l, v, 3);
}

static sortes_status keyword_dependent_required(struct srt_loader *l,
                                                const struct srt_json *v)
{
    return keyword_depend(l, v, 1);
}

static sortes_status keyword_dependent_schemas(struct srt_loader *l,
                                               const struct srt_json *v)
{
    return keyword_depend(l, v, 2);
}

static sortes_status keyword_unevaluated_properties(struct srt_loader *l,
                                                    const struct srt_json *v)
{
    uint32_t node;
    sortes_status status = srt_loader_node(l, v, &node);

    return status == SORTES_OK ? RULE(SRT_RULE_UNEVALUATED_PROPS, node, 0, 0)
                               : status;
}

/* ---- arrays -------------------------------------------------------------- */

static sortes_status keyword_list(struct srt_loader *l,
                                  const struct srt_json *v, uint32_t **node,
                                  uint32_t *n)
{
    sortes_status status = SORTES_OK;

    if (v->type != SRT_JSON_ARRAY)
        return keyword_wants(l, v, "expected an array of schemas");
    *node = srt_loader_take(l, v->n, sizeof(**node));
    if (!*node)
        return srt_loader_no_memory(l);
    for (const struct srt_json *i = v->first; i && status == SORTES_OK;
         i = i->next)
        status = srt_loader_node(l, i, &(*node)[(*n)++]);
    return status;
}

static sortes_status keyword_items(struct srt_loader *l,
                                   const struct srt_json *v)
{
    struct srt_schema_items items = { 0 };
    bool unnamed;
    const int draft = srt_loader_draft(l, &unnamed);
    const struct srt_json *prefix =
        draft >= 2020 ? keyword_beside(v, "prefixItems") : NULL;
    const struct srt_json *rest = keyword_beside(v, "items");
    sortes_status status = SORTES_OK;
    uint32_t number;

    if (keyword_has_rule(l, SRT_RULE_ITEMS))
        return SORTES_OK;
    if (rest && rest->type == SRT_JSON_ARRAY) {
        if (draft >= 2020)
            status = srt_loader_note(l, rest, "read as in draft 7");
        prefix = rest;
        rest = keyword_beside(v, "additionalItems");
    }
    if (status == SORTES_OK && prefix)
        status = keyword_list(l, prefix, &items.prefix, &items.n_prefix);
    if (status == SORTES_OK && rest) {
        items.has_rest = true;
        status = srt_loader_node(l, rest, &items.rest);
    }
    if (status != SORTES_OK)
        return status;
    number = srt_schema_add(&l->s->items);
    if (!number)
        return srt_loader_no_memory(l);
    *SRT_SCHEMA_AT(l->s->items, struct srt_schema_items, number) = items;
    return RULE(SRT_RULE_ITEMS, number, 0, 0);
}

static sortes_status keyword_contains(struct srt_loader *l,
                                      const struct srt_json *v)
{
    bool unnamed;
    const bool counts = srt_loader_draft(l, &unnamed) >= 2019;
    const struct srt_json *min =
        counts ? keyword_beside(v, "minContains") : NULL;
    const struct srt_json *max =
        counts ? keyword_beside(v, "maxContains") : NULL;
    uint32_t node, least = 1, most = UINT32_MAX;
    sortes_status status = srt_loader_node(l, v, &node);

    if (status == SORTES_OK && min)
        status = keyword_count(l, min, &least);
    if (status == SORTES_OK && max)
        status = keyword_count(l, max, &most);
    return status == SORTES_OK ? RULE(SRT_RULE_CONTAINS, node, least, most)
                               : status;
}

static sortes_status keyword_unique_items(struct srt_loader *l,
                                          const struct srt_json *v)
{
    if (v->type == SRT_JSON_FALSE)
        return SORTES_OK;
    if (v->type != SRT_JSON_TRUE)
        return keyword_wants(l, v, "uniqueItems is true or false");
    if (l->s->options.lenient)
        return srt_loader_note(l, v, "uniqueItems, ignored");
    return RULE(SRT_RULE_UNIQUE, 0, 0, 0);
}

static sortes_status keyword_unevaluated_items(struct srt_loader *l,
                                               const struct srt_json *v)
{
    uint32_t node;
    sortes_status status = srt_loader_node(l, v, &node);

    return status == SORTES_OK ? RULE(SRT_RULE_UNEVALUATED_ITEMS, node, 0, 0)
                               : status;
}

/* ---- combinations -------------------------------------------------------- */

static sortes_status keyword_combine(struct srt_loader *l,
                                     const struct srt_json *v,
                                     enum srt_schema_rule_type type)
{
    struct srt_schema_list list = { NULL, 0 };
    sortes_status status = keyword_list(l, v, &list.node, &list.n);
    uint32_t number;

    if (status != SORTES_OK)
        return status;
    number = srt_schema_add(&l->s->lists);
    if (!number)
        return srt_loader_no_memory(l);
    *SRT_SCHEMA_AT(l->s->lists, struct srt_schema_list, number) = list;
    return RULE(type, number, 0, 0);
}

static sortes_status keyword_all_of(struct srt_loader *l,
                                    const struct srt_json *v)
{
    return keyword_combine(l, v, SRT_RULE_ALL);
}

static sortes_status keyword_any_of(struct srt_loader *l,
                                    const struct srt_json *v)
{
    return keyword_combine(l, v, SRT_RULE_ANY);
}

static sortes_status keyword_one_of(struct srt_loader *l,
                                    const struct srt_json *v)
{
    return keyword_combine(l, v, SRT_RULE_ONE);
}

static sortes_status keyword_not(struct srt_loader *l, const struct srt_json *v)
{
    uint32_t node;
    sortes_status status = srt_loader_node(l, v, &node);

    return status == SORTES_OK ? RULE(SRT_RULE_NOT, node, 0, 0) : status;
}

static sortes_status keyword_if(struct srt_loader *l, const struct srt_json *v)
{
    const struct srt_json *then = keyword_beside(v, "then");
    const struct srt_json *otherwise = keyword_beside(v, "else");
    uint32_t node, yes = 0, no = 0;
    sortes_status status = srt_loader_node(l, v, &node);

    if (status == SORTES_OK && then)
        status = srt_loader_node(l, then, &yes);
    if (status == SORTES_OK && otherwise)
        status = srt_loader_node(l, otherwise, &no);
    return status == SORTES_OK ? RULE(SRT_RULE_IF, node, yes, no) : status;
}

/* ---- references ---------------------------------------------------------- */

static sortes_status keyword_refer(struct srt_loader *l,
                                   const struct srt_json *v, bool dynamic)
{
    const struct srt_schema_anchor *anchor = NULL;
    const struct srt_json *target;
    uint32_t node, name;
    sortes_status status;

    if (v->type != SRT_JSON_STRING)
        return keyword_wants(l, v, "a reference is a string");
    status = srt_resolve(l, v, &target, &anchor);
    if (status == SORTES_OK)
        status = srt_loader_node(l, target, &node);
    if (status != SORTES_OK)
        return status;
    if (!dynamic || !anchor || !anchor->dynamic)
        return RULE(SRT_RULE_REF, node, 0, 0);
    status = srt_loader_name(l, anchor->name, anchor->n, &name);
    return status == SORTES_OK ? RULE(SRT_RULE_DYNAMIC, node, name, 0) : status;
}

static sortes_status keyword_ref(struct srt_loader *l, const struct srt_json *v)
{
    return keyword_refer(l, v, false);
}

static sortes_status keyword_dynamic_ref(struct srt_loader *l,
                                         const struct srt_json *v)
{
    return keyword_refer(l, v, true);
}

static sortes_status keyword_recursive_ref(struct srt_loader *l,
                                           const struct srt_json *v)
{
    return keyword_is(v, "#") ? keyword_refer(l, v, true)
                              : keyword_wants(l, v, "$recursiveRef is \"#\"");
}

/* ---- the table ----------------------------------------------------------- */

srt_keyword_reader *srt_keyword_find(const char *name, int draft, bool unnamed,
                                     uint32_t vocabularies)
{
    static const struct {
        const char *name;
        int first, last;
        enum srt_vocabulary vocabulary;
        srt_keyword_reader *reader;
    } keywords[] = {
#define SRT_KEYWORD(name, first, last, vocabulary, reader)                     \
    { name, first, last, SRT_VOCABULARY_##vocabulary, reader },
#include "constrain/json_schema/keywords.def"
#undef SRT_KEYWORD
    };

    for (size_t i = 0; i < SRT_COUNT(keywords); i++)
        if (strcmp(keywords[i].name, name) == 0)
            return ((vocabularies & keywords[i].vocabulary) &&
                    draft >= keywords[i].first &&
                    (draft <= keywords[i].last ||
                     (unnamed && keywords[i].last >= 7 &&
                      keywords[i].reader != keyword_recursive_ref)))
                       ? keywords[i].reader
                       : NULL;
    return NULL;
}

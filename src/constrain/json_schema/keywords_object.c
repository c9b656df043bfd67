/*
 * keywords_object.c - keywords of objects
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/keywords.h"

static sortes_status keyword_map(struct srt_loader *l,
                                 const struct srt_json *map, bool patterns,
                                 struct srt_schema_pair **pairs, uint32_t *n)
{
    sortes_status status = SORTES_OK;

    if (!map)
        return SORTES_OK;
    if (map->type != SRT_JSON_OBJECT)
        return srt_keyword_wants(l, map, "expected an object of schemas");
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
            status = srt_keyword_add_pattern(l, i->key, i->n_key, true, i,
                                             &pair->what);
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

sortes_status srt_keyword_properties(struct srt_loader *l,
                                     const struct srt_json *v,
                                     enum srt_schema_rule_type rule)
{
    struct srt_schema_props props = { 0 };
    const struct srt_json *rest = srt_keyword_beside(v, "additionalProperties");
    sortes_status status;
    uint32_t number;

    if (srt_keyword_has_rule(l, rule))
        return SORTES_OK;
    status = keyword_map(l, srt_keyword_beside(v, "properties"), false,
                         &props.named, &props.n_named);
    if (status == SORTES_OK)
        status = keyword_map(l, srt_keyword_beside(v, "patternProperties"),
                             true, &props.matched, &props.n_matched);
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
    return srt_loader_rule(l, rule, number, 0, 0, v);
}

/* HAS for every name of a list; given: only where that name is there. */
static sortes_status keyword_names(struct srt_loader *l,
                                   const struct srt_json *v, uint32_t given)
{
    sortes_status status = SORTES_OK;

    if (v->type != SRT_JSON_ARRAY)
        return srt_keyword_wants(l, v, "expected an array of names");
    for (const struct srt_json *i = v->first; i && status == SORTES_OK;
         i = i->next) {
        uint32_t name;

        if (i->type != SRT_JSON_STRING)
            return srt_keyword_wants(l, i, "a name is a string");
        status = srt_loader_name(l, i->text, i->n, &name);
        if (status == SORTES_OK)
            status = srt_loader_rule(l, SRT_RULE_HAS, name, given, 0, i);
    }
    return status;
}

sortes_status srt_keyword_required(struct srt_loader *l,
                                   const struct srt_json *v,
                                   enum srt_schema_rule_type rule)
{
    (void)rule;
    if (v->type == SRT_JSON_TRUE || v->type == SRT_JSON_FALSE)
        return srt_loader_note(l, v, "draft 3's boolean required, ignored");
    return keyword_names(l, v, 0);
}

/* rule: HAS of lists of names, IF_HAS of schemas; either: both may come. */
static sortes_status keyword_depend(struct srt_loader *l,
                                    const struct srt_json *v,
                                    enum srt_schema_rule_type rule, bool either)
{
    const bool lists = either || rule == SRT_RULE_HAS;
    const bool schemas = either || rule == SRT_RULE_IF_HAS;
    sortes_status status = SORTES_OK;

    if (v->type != SRT_JSON_OBJECT)
        return srt_keyword_wants(l, v, "expected an object");
    status = srt_loader_check_keys(l, v);
    for (const struct srt_json *i = v->first; i && status == SORTES_OK;
         i = i->next) {
        uint32_t name, node;

        status = srt_loader_name(l, i->key, i->n_key, &name);
        if (status != SORTES_OK)
            return status;
        if (lists && i->type == SRT_JSON_STRING) { /* draft 3's */
            uint32_t other;

            status = srt_loader_name(l, i->text, i->n, &other);
            if (status == SORTES_OK)
                status = srt_loader_rule(l, SRT_RULE_HAS, other, name, 0, i);
        } else if (!schemas || (lists && i->type == SRT_JSON_ARRAY)) {
            status = keyword_names(l, i, name);
        } else {
            status = srt_loader_node(l, i, &node);
            if (status == SORTES_OK)
                status = srt_loader_rule(l, SRT_RULE_IF_HAS, name, node, 0, i);
        }
    }
    return status;
}

sortes_status srt_keyword_dependencies(struct srt_loader *l,
                                       const struct srt_json *v,
                                       enum srt_schema_rule_type rule)
{
    return keyword_depend(l, v, rule, true);
}

sortes_status srt_keyword_dependent(struct srt_loader *l,
                                    const struct srt_json *v,
                                    enum srt_schema_rule_type rule)
{
    return keyword_depend(l, v, rule, false);
}

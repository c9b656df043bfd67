/*
 * keywords_array.c - keywords of arrays
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/keywords.h"

sortes_status srt_keyword_list(struct srt_loader *l, const struct srt_json *v,
                               uint32_t **node, uint32_t *n)
{
    sortes_status status = SORTES_OK;

    if (v->type != SRT_JSON_ARRAY)
        return srt_keyword_wants(l, v, "expected an array of schemas");
    *node = srt_loader_take(l, v->n, sizeof(**node));
    if (!*node)
        return srt_loader_no_memory(l);
    for (const struct srt_json *i = v->first; i && status == SORTES_OK;
         i = i->next)
        status = srt_loader_node(l, i, &(*node)[(*n)++]);
    return status;
}

sortes_status srt_keyword_items(struct srt_loader *l, const struct srt_json *v,
                                enum srt_schema_rule_type rule)
{
    struct srt_schema_items items = { 0 };
    bool unnamed;
    const int draft = srt_loader_draft(l, &unnamed);
    const struct srt_json *prefix =
        draft >= 2020 ? srt_keyword_beside(v, "prefixItems") : NULL;
    const struct srt_json *rest = srt_keyword_beside(v, "items");
    sortes_status status = SORTES_OK;
    uint32_t number;

    if (srt_keyword_has_rule(l, rule))
        return SORTES_OK;
    if (rest && rest->type == SRT_JSON_ARRAY) {
        if (draft >= 2020)
            status = srt_loader_note(l, rest, "read as in draft 7");
        prefix = rest;
        rest = srt_keyword_beside(v, "additionalItems");
    }
    if (status == SORTES_OK && prefix)
        status = srt_keyword_list(l, prefix, &items.prefix, &items.n_prefix);
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
    return srt_loader_rule(l, rule, number, 0, 0, v);
}

sortes_status srt_keyword_contains(struct srt_loader *l,
                                   const struct srt_json *v,
                                   enum srt_schema_rule_type rule)
{
    bool unnamed;
    const bool counts = srt_loader_draft(l, &unnamed) >= 2019;
    const struct srt_json *min =
        counts ? srt_keyword_beside(v, "minContains") : NULL;
    const struct srt_json *max =
        counts ? srt_keyword_beside(v, "maxContains") : NULL;
    uint32_t node, least = 1, most = UINT32_MAX;
    sortes_status status = srt_loader_node(l, v, &node);

    if (status == SORTES_OK && min)
        status = srt_keyword_count(l, min, &least);
    if (status == SORTES_OK && max)
        status = srt_keyword_count(l, max, &most);
    return status == SORTES_OK ? srt_loader_rule(l, rule, node, least, most, v)
                               : status;
}

sortes_status srt_keyword_unique_items(struct srt_loader *l,
                                       const struct srt_json *v,
                                       enum srt_schema_rule_type rule)
{
    if (v->type == SRT_JSON_FALSE)
        return SORTES_OK;
    if (v->type != SRT_JSON_TRUE)
        return srt_keyword_wants(l, v, "uniqueItems is true or false");
    if (l->s->options.lenient)
        return srt_loader_note(l, v, "uniqueItems, ignored");
    return srt_loader_rule(l, rule, 0, 0, 0, v);
}

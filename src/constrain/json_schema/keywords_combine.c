/*
 * keywords_combine.c - keywords that put schemas together, and references
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/keywords.h"

sortes_status srt_keyword_combine(struct srt_loader *l,
                                  const struct srt_json *v,
                                  enum srt_schema_rule_type rule)
{
    struct srt_schema_list list = { NULL, 0 };
    sortes_status status = srt_keyword_list(l, v, &list.node, &list.n);
    uint32_t number;

    if (status != SORTES_OK)
        return status;
    number = srt_schema_add(&l->s->lists);
    if (!number)
        return srt_loader_no_memory(l);
    *SRT_SCHEMA_AT(l->s->lists, struct srt_schema_list, number) = list;
    return srt_loader_rule(l, rule, number, 0, 0, v);
}

/* One schema: not, propertyNames and others. */
sortes_status srt_keyword_node(struct srt_loader *l, const struct srt_json *v,
                               enum srt_schema_rule_type rule)
{
    uint32_t node;
    sortes_status status = srt_loader_node(l, v, &node);

    return status == SORTES_OK ? srt_loader_rule(l, rule, node, 0, 0, v)
                               : status;
}

sortes_status srt_keyword_if(struct srt_loader *l, const struct srt_json *v,
                             enum srt_schema_rule_type rule)
{
    const struct srt_json *then = srt_keyword_beside(v, "then");
    const struct srt_json *otherwise = srt_keyword_beside(v, "else");
    uint32_t node, yes = 0, no = 0;
    sortes_status status = srt_loader_node(l, v, &node);

    if (status == SORTES_OK && then)
        status = srt_loader_node(l, then, &yes);
    if (status == SORTES_OK && otherwise)
        status = srt_loader_node(l, otherwise, &no);
    return status == SORTES_OK ? srt_loader_rule(l, rule, node, yes, no, v)
                               : status;
}

/* ---- references --------------------------------------------------------- */

/* REF, or DYNAMIC, which is that where the anchor is none of these. */
sortes_status srt_keyword_ref(struct srt_loader *l, const struct srt_json *v,
                              enum srt_schema_rule_type rule)
{
    const struct srt_schema_anchor *anchor = NULL;
    const struct srt_json *target;
    uint32_t node, name;
    sortes_status status;

    if (v->type != SRT_JSON_STRING)
        return srt_keyword_wants(l, v, "a reference is a string");
    status = srt_resolve(l, v, &target, &anchor);
    if (status == SORTES_OK)
        status = srt_loader_node(l, target, &node);
    if (status != SORTES_OK)
        return status;
    if (rule == SRT_RULE_REF || !anchor || !anchor->dynamic)
        return srt_loader_rule(l, SRT_RULE_REF, node, 0, 0, v);
    status = srt_loader_name(l, anchor->name, anchor->n, &name);
    return status == SORTES_OK ? srt_loader_rule(l, rule, node, name, 0, v)
                               : status;
}

sortes_status srt_keyword_recursive_ref(struct srt_loader *l,
                                        const struct srt_json *v,
                                        enum srt_schema_rule_type rule)
{
    return srt_keyword_is(v, "#")
               ? srt_keyword_ref(l, v, rule)
               : srt_keyword_wants(l, v, "$recursiveRef is \"#\"");
}

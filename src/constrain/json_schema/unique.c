/*
 * unique.c - what the items of arrays with uniqueItems can be
 *
 * Few scalars: the machine keeps the set of those that have come in its state.
 * Any string, or any whole number: a trail keeps them, and since there is no
 * end of others nothing more is to be known.  The rest is refused by name:
 * closed objects and the like run out of values in ways that only a search
 * would find.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/load.h"

#include <string.h>

enum { UNIQUE_VALUES = 1024 };

enum unique_kind {
    UNIQUE_NONE,
    UNIQUE_VALUE, /* few of them */
    UNIQUE_STRING,
    UNIQUE_INTEGER,
    UNIQUE_OTHER
};

struct unique_items {
    struct srt_loader *l;
    uint32_t value[UNIQUE_VALUES]; /* nodes */
    uint32_t n;
    enum unique_kind kind;
};

static void unique_is(struct unique_items *u, enum unique_kind kind)
{
    u->kind = u->kind == UNIQUE_NONE || u->kind == kind ? kind : UNIQUE_OTHER;
}

static sortes_status unique_value(struct unique_items *u,
                                  const struct srt_json *v)
{
    sortes_status status;

    unique_is(u, UNIQUE_VALUE);
    if (u->n == UNIQUE_VALUES || v->type == SRT_JSON_ARRAY ||
        v->type == SRT_JSON_OBJECT) {
        u->kind = UNIQUE_OTHER;
        return SORTES_OK;
    }
    status = srt_loader_constant(u->l, v, &u->value[u->n]);
    /* Equal values have equal rules but for the number of their set. */
    for (uint32_t i = 0; status == SORTES_OK && i < u->n; i++) {
        const struct srt_json *other =
            srt_schema_node(u->l->s, u->value[i])->json;
        struct srt_decimal a, b;

        if (other->type != v->type)
            continue;
        if (v->type == SRT_JSON_NUMBER) {
            srt_decimal_read(&a, v->text, v->n);
            srt_decimal_read(&b, other->text, other->n);
            if (srt_decimal_compare(&a, &b) == 0)
                return SORTES_OK;
        } else if (v->n == other->n &&
                   (v->n == 0 || memcmp(v->text, other->text, v->n) == 0)) {
            return SORTES_OK;
        }
    }
    u->n++;
    return status;
}

/* The rules of an item's schema that decide what it can be. */
struct unique_rules {
    const struct srt_schema_rule *kinds, *integer, *member;
    bool other;
};

static void unique_look(struct unique_rules *r, const struct srt_schema_node *n)
{
    for (uint32_t i = 0; i < n->n_rules; i++) {
        const struct srt_schema_rule *rule = &n->rules[i];

        if (rule->type == SRT_RULE_KINDS)
            r->kinds = rule;
        else if (rule->type == SRT_RULE_INTEGER && !rule->a)
            r->integer = rule;
        else if (rule->type == SRT_RULE_MEMBER)
            r->member = rule;
        else
            r->other = true;
    }
}

static sortes_status unique_item(struct unique_items *u, uint32_t node)
{
    const struct srt_schema_node *n = srt_schema_node(u->l->s, node);
    struct unique_rules r = { 0 };
    sortes_status status = SORTES_OK;

    while (n->n_rules == 1 && n->rules[0].type == SRT_RULE_REF)
        n = srt_schema_node(u->l->s, n->rules[0].a);
    unique_look(&r, n);
    if (r.member) {
        const struct srt_json *v = r.member->json;

        if (!v->key || !srt_json_equals(v->key, v->n_key, "enum"))
            return unique_value(u, v);
        for (const struct srt_json *i = v->first; i && status == SORTES_OK;
             i = i->next)
            status = unique_value(u, i);
        return status;
    }
    if (r.other || !r.kinds)
        u->kind = UNIQUE_OTHER;
    else if (r.kinds->a == 1u << SRT_KIND_STRING)
        unique_is(u, UNIQUE_STRING);
    else if (r.kinds->a == 1u << SRT_KIND_NUMBER && r.integer)
        unique_is(u, UNIQUE_INTEGER);
    else
        u->kind = UNIQUE_OTHER;
    return SORTES_OK;
}

static sortes_status unique_items(struct unique_items *u,
                                  const struct srt_schema_items *items)
{
    sortes_status status = SORTES_OK;

    for (uint32_t i = 0; i < items->n_prefix && status == SORTES_OK; i++)
        status = unique_item(u, items->prefix[i]);
    if (status == SORTES_OK && items->has_rest && items->rest &&
        items->rest != u->l->s->never) {
        const struct srt_schema_node *n = srt_schema_node(u->l->s, items->rest);

        if (n->n_rules != 1 || n->rules[0].type != SRT_RULE_NEVER)
            status = unique_item(u, items->rest);
    }
    if (!items->has_rest)
        u->kind = UNIQUE_OTHER;
    return status;
}

static sortes_status unique_node(struct unique_items *u, uint32_t node,
                                 uint32_t rule)
{
    struct srt_schema *s = u->l->s;
    const struct srt_schema_node *n = srt_schema_node(s, node);
    struct srt_schema_list list = { NULL, 0 };
    sortes_status status = SORTES_OK;
    uint32_t number;

    u->n = 0;
    u->kind = UNIQUE_NONE;
    for (uint32_t i = 0; i < n->n_rules && status == SORTES_OK; i++)
        if (n->rules[i].type == SRT_RULE_ITEMS) {
            const struct srt_schema_items items = *SRT_SCHEMA_AT(
                s->items, struct srt_schema_items, n->rules[i].a);

            status = unique_items(u, &items);
            n = srt_schema_node(s, node);
        }
    if (status != SORTES_OK)
        return status;
    if (u->kind != UNIQUE_VALUE)
        return SORTES_OK;
    list.node = srt_loader_take(u->l, u->n, sizeof(*list.node));
    number = srt_schema_add(&s->lists);
    if (!list.node || !number)
        return srt_loader_no_memory(u->l);
    memcpy(list.node, u->value, u->n * sizeof(*list.node));
    list.n = u->n;
    *SRT_SCHEMA_AT(s->lists, struct srt_schema_list, number) = list;
    srt_schema_node(s, node)->rules[rule].a = number;
    return SORTES_OK;
}

sortes_status srt_loader_unique(struct srt_loader *l)
{
    const uint32_t n_nodes = l->s->nodes.n;
    struct unique_items u;
    sortes_status status = SORTES_OK;

    u.l = l;
    for (uint32_t i = 1; i <= n_nodes && status == SORTES_OK; i++) {
        const uint32_t n_rules = srt_schema_node(l->s, i)->n_rules;

        l->node = i;
        for (uint32_t r = 0; r < n_rules && status == SORTES_OK; r++)
            if (srt_schema_node(l->s, i)->rules[r].type == SRT_RULE_UNIQUE)
                status = unique_node(&u, i, r);
    }
    return status;
}

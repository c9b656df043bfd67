/*
 * constants.c - enum and const: scalars as sets, structures as schemas
 *
 * The object {"a": 1} is "an object, with a and nothing else, and a is 1":
 * what objects and arrays can do serves constants too, and they are compared
 * as decoded values, whatever their spelling.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/load.h"

#include <stdlib.h>
#include <string.h>

sortes_status srt_loader_decimal(struct srt_loader *l, const struct srt_json *v,
                                 uint32_t *decimal)
{
    struct srt_decimal d;

    if (!srt_decimal_read(&d, v->text, v->n))
        return srt_loader_refuse(l, SORTES_E_LIMIT, v,
                                 "a number has at most 640 digits and an "
                                 "exponent up to 1000");
    if (srt_pool_intern(&l->s->decimals, &d,
                        offsetof(struct srt_decimal, digit) + d.n, decimal,
                        NULL) != SORTES_OK)
        return srt_loader_no_memory(l);
    return SORTES_OK;
}

static sortes_status constant_node(struct srt_loader *l,
                                   const struct srt_json *v, uint32_t *node);

/* A fresh node, which the following rules go to. */
static sortes_status constant_begin(struct srt_loader *l,
                                    const struct srt_json *v, uint32_t *node,
                                    uint32_t *outer)
{
    *outer = l->node;
    *node = srt_schema_add(&l->s->nodes);
    if (!*node)
        return srt_loader_no_memory(l);
    srt_schema_node(l->s, *node)->json = v;
    srt_schema_node(l->s, *node)->read = true;
    srt_schema_node(l->s, *node)->constant = true;
    srt_schema_node(l->s, *node)->resource =
        srt_schema_node(l->s, *outer)->resource;
    l->node = *node;
    return SORTES_OK;
}

static sortes_status constant_object(struct srt_loader *l,
                                     const struct srt_json *v)
{
    struct srt_schema_props props = { 0 };
    sortes_status status;
    uint32_t number;

    props.named = srt_loader_take(l, v->n, sizeof(*props.named));
    if (!props.named)
        return srt_loader_no_memory(l);
    status = srt_loader_rule(l, SRT_RULE_KINDS, 1u << SRT_KIND_OBJECT, 0, 0, v);
    for (const struct srt_json *i = v->first; i && status == SORTES_OK;
         i = i->next) {
        struct srt_schema_pair *pair = &props.named[props.n_named++];

        status = srt_loader_name(l, i->key, i->n_key, &pair->what);
        if (status == SORTES_OK)
            status = constant_node(l, i, &pair->node);
        if (status == SORTES_OK)
            status = srt_loader_rule(l, SRT_RULE_HAS, pair->what, 0, 0, i);
    }
    if (status != SORTES_OK)
        return status;
    props.has_rest = true;
    props.rest = l->s->never;
    number = srt_schema_add(&l->s->props);
    if (!number)
        return srt_loader_no_memory(l);
    *SRT_SCHEMA_AT(l->s->props, struct srt_schema_props, number) = props;
    return srt_loader_rule(l, SRT_RULE_PROPS, number, 0, 0, v);
}

static sortes_status constant_array(struct srt_loader *l,
                                    const struct srt_json *v)
{
    struct srt_schema_items items = { 0 };
    sortes_status status;
    uint32_t number;

    items.prefix = srt_loader_take(l, v->n, sizeof(*items.prefix));
    if (!items.prefix)
        return srt_loader_no_memory(l);
    status = srt_loader_rule(l, SRT_RULE_KINDS, 1u << SRT_KIND_ARRAY, 0, 0, v);
    if (status == SORTES_OK)
        status = srt_loader_rule(l, SRT_RULE_COUNT, (uint32_t)v->n,
                                 (uint32_t)v->n, 0, v);
    for (const struct srt_json *i = v->first; i && status == SORTES_OK;
         i = i->next)
        status = constant_node(l, i, &items.prefix[items.n_prefix++]);
    if (status != SORTES_OK)
        return status;
    number = srt_schema_add(&l->s->items);
    if (!number)
        return srt_loader_no_memory(l);
    *SRT_SCHEMA_AT(l->s->items, struct srt_schema_items, number) = items;
    return srt_loader_rule(l, SRT_RULE_ITEMS, number, 0, 0, v);
}

/* JSON's own depth bounds the recursion. */
static sortes_status constant_node(struct srt_loader *l,
                                   const struct srt_json *v, uint32_t *node)
{
    uint32_t outer;
    sortes_status status = constant_begin(l, v, node, &outer);

    if (status != SORTES_OK)
        return status;
    if (v->type == SRT_JSON_OBJECT)
        status = constant_object(l, v);
    else if (v->type == SRT_JSON_ARRAY)
        status = constant_array(l, v);
    else
        status = srt_loader_enum(l, v, false);
    l->node = outer;
    return status;
}

sortes_status srt_loader_constant(struct srt_loader *l,
                                  const struct srt_json *v, uint32_t *node)
{
    return constant_node(l, v, node);
}

/* ---- sets of scalars ----------------------------------------------------- */

/* Ascending by value. */
struct constant_number {
    const struct srt_decimal *value;
    uint32_t number;
};

static int constant_order(const void *a, const void *b)
{
    return srt_decimal_compare(((const struct constant_number *)a)->value,
                               ((const struct constant_number *)b)->value);
}

static sortes_status constant_sort(struct srt_loader *l,
                                   struct srt_schema_enum *e)
{
    struct constant_number *sorted;
    uint32_t kept = 0;

    if (e->n_numbers < 2)
        return SORTES_OK;
    sorted = malloc(e->n_numbers * sizeof(*sorted));
    if (!sorted)
        return srt_loader_no_memory(l);
    for (uint32_t i = 0; i < e->n_numbers; i++) {
        sorted[i].number = e->numbers[i];
        sorted[i].value = srt_schema_decimal(l->s, e->numbers[i]);
    }
    qsort(sorted, e->n_numbers, sizeof(*sorted), constant_order);
    for (uint32_t i = 0; i < e->n_numbers; i++)
        if (i == 0 || sorted[i - 1].number != sorted[i].number)
            e->numbers[kept++] = sorted[i].number;
    e->n_numbers = kept;
    free(sorted);
    return SORTES_OK;
}

static int constant_by_name(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Ascending, each once. */
static void constant_sort_names(struct srt_schema_enum *e)
{
    uint32_t kept = 0;

    qsort(e->strings, e->n_strings, sizeof(*e->strings), constant_by_name);
    for (uint32_t i = 0; i < e->n_strings; i++)
        if (i == 0 || e->strings[i] != e->strings[kept - 1])
            e->strings[kept++] = e->strings[i];
    e->n_strings = kept;
}

static sortes_status constant_scalar(struct srt_loader *l,
                                     const struct srt_json *v,
                                     struct srt_schema_enum *e)
{
    switch (v->type) {
    case SRT_JSON_NULL:
        e->kinds |= 1u << SRT_KIND_NULL;
        return SORTES_OK;
    case SRT_JSON_FALSE:
        e->kinds |= 1u << SRT_KIND_FALSE;
        return SORTES_OK;
    case SRT_JSON_TRUE:
        e->kinds |= 1u << SRT_KIND_TRUE;
        return SORTES_OK;
    case SRT_JSON_NUMBER:
        return srt_loader_decimal(l, v, &e->numbers[e->n_numbers++]);
    default:
        return srt_loader_name(l, v->text, v->n, &e->strings[e->n_strings++]);
    }
}

static bool constant_is_structure(const struct srt_json *v)
{
    return v->type == SRT_JSON_ARRAY || v->type == SRT_JSON_OBJECT;
}

static sortes_status constant_member(struct srt_loader *l,
                                     const struct srt_schema_enum *e,
                                     const struct srt_json *v)
{
    const uint32_t number = srt_schema_add(&l->s->enums);

    if (!number)
        return srt_loader_no_memory(l);
    *SRT_SCHEMA_AT(l->s->enums, struct srt_schema_enum, number) = *e;
    return srt_loader_rule(l, SRT_RULE_MEMBER, number, 0, 0, v);
}

/* The scalars as a node of their own, beside one node a structure. */
static sortes_status constant_any(struct srt_loader *l,
                                  const struct srt_schema_enum *e,
                                  const struct srt_json *v, bool is_list,
                                  size_t n)
{
    struct srt_schema_list list = { NULL, 0 };
    uint32_t outer, number;
    sortes_status status;

    list.node = srt_loader_take(l, n + 1, sizeof(*list.node));
    if (!list.node)
        return srt_loader_no_memory(l);
    status = constant_begin(l, v, &list.node[list.n++], &outer);
    if (status == SORTES_OK)
        status = constant_member(l, e, v);
    l->node = outer;
    for (const struct srt_json *i = is_list ? v->first : v;
         i && status == SORTES_OK; i = is_list ? i->next : NULL)
        if (constant_is_structure(i))
            status = constant_node(l, i, &list.node[list.n++]);
    if (status != SORTES_OK)
        return status;
    number = srt_schema_add(&l->s->lists);
    if (!number)
        return srt_loader_no_memory(l);
    *SRT_SCHEMA_AT(l->s->lists, struct srt_schema_list, number) = list;
    return srt_loader_rule(l, SRT_RULE_ANY, number, 0, 0, v);
}

sortes_status srt_loader_enum(struct srt_loader *l, const struct srt_json *v,
                              bool is_list)
{
    const size_t n = is_list ? v->n : 1;
    struct srt_schema_enum e = { 0 };
    size_t structures = 0;
    sortes_status status = SORTES_OK;

    e.strings = srt_loader_take(l, n, sizeof(*e.strings));
    e.numbers = srt_loader_take(l, n, sizeof(*e.numbers));
    if (!e.strings || !e.numbers)
        return srt_loader_no_memory(l);
    for (const struct srt_json *i = is_list ? v->first : v;
         i && status == SORTES_OK; i = is_list ? i->next : NULL) {
        if (constant_is_structure(i))
            structures++;
        else
            status = constant_scalar(l, i, &e);
    }
    if (status == SORTES_OK)
        status = constant_sort(l, &e);
    if (status != SORTES_OK)
        return status;
    constant_sort_names(&e);
    return structures ? constant_any(l, &e, v, is_list, structures)
                      : constant_member(l, &e, v);
}

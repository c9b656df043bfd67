/*
 * shown.c - the names that a schema shows in place, and its choices
 *
 * What applies in place is what a schema says of the value itself, not of its
 * parts: allOf, anyOf, oneOf, if, dependent schemas, references.  A choice
 * takes one branch that holds of every anyOf and oneOf, of `if` then or else;
 * it is a row of `properties` and the condition that it can be made.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/shown.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a rule applies in place ---------------------------------------- */

bool srt_part(const struct srt_js *js, const struct srt_schema_rule *r,
              uint32_t scope, uint32_t i, struct srt_part *p)
{
    const struct srt_schema_list *list;

    memset(p, 0, sizeof(*p));
    switch (r->type) {
    case SRT_RULE_ALL:
    case SRT_RULE_ANY:
    case SRT_RULE_ONE:
        list = SRT_SCHEMA_AT(js->schema->lists, struct srt_schema_list, r->a);
        if (i < list->n)
            p->node[0] = list->node[i];
        return i < list->n;
    case SRT_RULE_IF:
        p->node[0] = i == 0 ? r->a : r->c;
        p->node[1] = i == 0 ? r->b : 0;
        return i < 2;
    case SRT_RULE_IF_HAS:
        p->node[0] = r->b;
        p->all = i == 1;
        return i < 2;
    case SRT_RULE_REF:
        p->node[0] = r->a;
        return i == 0;
    case SRT_RULE_DYNAMIC:
        p->node[0] = srt_js_dynamic(js, r, scope);
        return i == 0;
    default:
        return false;
    }
}

/* One of its parts counts, not all.  (What depends on a key shows its names
 * where the key is not there too: sorted schemas have it before properties, and
 * these would change places.) */
bool srt_part_chooses(const struct srt_schema_rule *r)
{
    return r->type == SRT_RULE_ANY || r->type == SRT_RULE_ONE ||
           r->type == SRT_RULE_IF || r->type == SRT_RULE_IF_HAS;
}

/* Where part i of a rule that chooses counts. */
static srt_dd shown_when(struct srt_js *js, const struct srt_schema_rule *r,
                         uint32_t scope, uint32_t i)
{
    const bool list = r->type == SRT_RULE_ANY || r->type == SRT_RULE_ONE;
    struct srt_part p;
    srt_dd holds;

    if (r->type == SRT_RULE_IF_HAS) {
        holds = srt_js_ask(js, SRT_ASK_HAS, r->a, 0, 0);
    } else {
        srt_part(js, r, scope, list ? i : 0, &p);
        holds = srt_js_formula(js, p.node[0], scope, SRT_KIND_OBJECT);
    }
    return list || i == 0 ? holds : srt_dd_not(&js->dd, holds);
}

/* ---- the whole ----------------------------------------------------------- */

struct shown_walk {
    struct srt_js *js;
    struct srt_pool visited; /* node, scope */
    struct srt_shown *shown;
};

static void shown_walk(struct shown_walk *w, uint32_t node, uint32_t scope);

static sortes_status shown_walk_rule(struct shown_walk *w,
                                     const struct srt_schema_rule *r,
                                     uint32_t scope)
{
    struct srt_shown *to = w->shown;
    sortes_status status = SORTES_OK;
    struct srt_part p;

    if (r->type == SRT_RULE_PROPS)
        return srt_ids_add(&to->props, r->a);
    if (r->type == SRT_RULE_HAS && r->b)
        status = srt_ids_add(&to->names, r->b);
    if (status == SORTES_OK &&
        (r->type == SRT_RULE_HAS || r->type == SRT_RULE_IF_HAS))
        status = srt_ids_add(&to->names, r->a);
    for (uint32_t i = 0; srt_part(w->js, r, scope, i, &p); i++)
        for (int k = 0; k < 2 && !p.all; k++)
            if (p.node[k])
                shown_walk(w, p.node[k], scope);
    return status;
}

static void shown_walk(struct shown_walk *w, uint32_t node, uint32_t scope)
{
    struct srt_js *js = w->js;
    const struct srt_schema_node *n = srt_schema_node(js->schema, node);
    const uint32_t key[2] = { node, scope };
    uint32_t number;
    bool is_new;
    sortes_status status =
        srt_pool_intern(&w->visited, key, sizeof(key), &number, &is_new);

    scope = srt_js_enter(js, scope, node);
    for (uint32_t r = 0; status == SORTES_OK && is_new && r < n->n_rules; r++)
        status = shown_walk_rule(w, &n->rules[r], scope);
    if (status != SORTES_OK)
        srt_js_fail(js, status);
}

bool srt_shown_by(struct srt_js *js, uint32_t node, uint32_t scope,
                  struct srt_shown *shown)
{
    struct shown_walk w = { js, { 0 }, shown };

    srt_pool_init(&w.visited, 0, SRT_POOL_MAX, SIZE_MAX);
    shown_walk(&w, node, scope);
    srt_pool_clear(&w.visited);
    return srt_js_ok(js);
}

void srt_shown_free(struct srt_shown *shown)
{
    free(shown->props.at);
    free(shown->names.at);
}

/* ---- choices ------------------------------------------------------------- */

/* The record of a chain; n properties in all. */
struct shown_link {
    uint32_t before, props, n;
};

static uint32_t shown_link(struct srt_js *js, uint32_t chain, uint32_t props,
                           bool *many)
{
    const struct shown_link *last =
        chain ? srt_pool_key(&js->chains, chain, NULL) : NULL;
    const struct shown_link link = { chain, props, last ? last->n + 1 : 1 };

    for (uint32_t at = chain; at; at = last->before) {
        last = srt_pool_key(&js->chains, at, NULL);
        if (last->props == props)
            return chain;
    }
    *many |= link.n > SRT_CHAIN;
    return *many ? chain : srt_js_intern(js, &js->chains, &link, sizeof(link));
}

uint32_t srt_choice_props(const struct srt_js *js, uint32_t chain,
                          uint32_t props[SRT_CHAIN])
{
    uint32_t n = 0;

    while (chain) {
        const struct shown_link *link = srt_pool_key(&js->chains, chain, NULL);

        props[n++] = link->props;
        chain = link->before;
    }
    return n;
}

static void shown_add(struct srt_js *js, struct srt_choices *to, uint32_t chain,
                      srt_dd when)
{
    if (when == SRT_DD_FALSE)
        return;
    for (uint32_t i = 0; i < to->n; i++)
        if (to->at[i].chain == chain) {
            to->at[i].when = srt_dd_or(&js->dd, to->at[i].when, when);
            return;
        }
    if (to->n == SRT_CHOICES) {
        to->many = true;
        return;
    }
    to->at[to->n++] = (struct srt_choice){ chain, when };
}

void srt_choices_then(struct srt_js *js, struct srt_choices *first,
                      const struct srt_choices *second)
{
    const struct srt_choices all = *first;
    uint32_t props[SRT_CHAIN];

    first->n = 0;
    first->many |= second->many;
    for (uint32_t i = 0; i < all.n; i++)
        for (uint32_t k = 0; k < second->n && !first->many; k++) {
            uint32_t chain = all.at[i].chain;
            uint32_t n = srt_choice_props(js, second->at[k].chain, props);

            while (n > 0)
                chain = shown_link(js, chain, props[--n], &first->many);
            shown_add(js, first, chain,
                      srt_dd_and(&js->dd, all.at[i].when, second->at[k].when));
        }
}

static const struct srt_choices shown_nothing = { .at = { { 0, SRT_DD_TRUE } },
                                                  .n = 1 };

/* Everything that a node shows. */
static uint32_t shown_all(struct srt_js *js, uint32_t node, uint32_t scope,
                          bool *many)
{
    struct srt_shown shown = { { NULL, 0, 0 }, { NULL, 0, 0 } };
    uint32_t chain = 0;

    srt_shown_by(js, node, scope, &shown);
    for (size_t i = 0; i < shown.props.n; i++)
        chain = shown_link(js, chain, shown.props.at[i], many);
    srt_shown_free(&shown);
    return chain;
}

static void shown_rule(struct srt_js *js, const struct srt_schema_rule *r,
                       uint32_t scope, struct srt_choices *to)
{
    struct srt_choices one, sum = { .n = 0 };
    struct srt_part p;

    if (r->type == SRT_RULE_PROPS) {
        one = shown_nothing;
        one.at[0].chain = shown_link(js, 0, r->a, &one.many);
        srt_choices_then(js, to, &one);
    }
    for (uint32_t i = 0; srt_part(js, r, scope, i, &p) && !to->many; i++) {
        const bool chooses = srt_part_chooses(r);

        one = shown_nothing;
        if (chooses)
            one.at[0].when = shown_when(js, r, scope, i);
        if (p.all)
            one.at[0].chain = shown_all(js, p.node[0], scope, &one.many);
        for (int k = 0; k < 2 && !p.all; k++)
            if (p.node[k])
                srt_choices_then(js, chooses ? &one : to,
                                 srt_choices_of(js, p.node[k], scope));
        for (uint32_t k = 0; chooses && k < one.n; k++)
            shown_add(js, &sum, one.at[k].chain, one.at[k].when);
        to->many |= one.many || sum.many;
    }
    if (srt_part_chooses(r))
        srt_choices_then(js, to, &sum);
}

const struct srt_choices *srt_choices_of(struct srt_js *js, uint32_t node,
                                         uint32_t scope)
{
    const struct srt_schema_node *n = srt_schema_node(js->schema, node);
    const uint32_t inner = srt_js_enter(js, scope, node);
    const uint32_t key[2] = { node, inner };
    const uint32_t number = srt_js_intern(js, &js->choices, &key, sizeof(key));
    struct srt_choices **memo, *set;

    if (!number)
        return &shown_nothing;
    memo = srt_pool_payload(&js->choices, number);
    if (*memo)
        return *memo;
    set = srt_js_take(js, 1, sizeof(*set));
    if (!set)
        return &shown_nothing;
    *set = shown_nothing;
    for (uint32_t r = 0; r < n->n_rules && !set->many && srt_js_ok(js); r++)
        shown_rule(js, &n->rules[r], inner, set);
    if (srt_js_ok(js))
        *memo = set;
    return set;
}

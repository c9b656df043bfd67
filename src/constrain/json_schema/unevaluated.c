/*
 * unevaluated.c - unevaluatedProperties and unevaluatedItems
 *
 * What is evaluated depends on which branches (anyOf, oneOf, if, dependent
 * schemas) hold, and that is known at the closing bracket only.  So there is
 * one question for each set of branches, "does everything that these leave
 * over satisfy the rest", and the diagram asks the branches first: all answers
 * are gathered side by side while the container is read.  The number of such
 * questions is exponential in the branches, provably (arXiv 2503.11288).
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/unevaluated.h"

#include <string.h>

enum {
    COVER_SOURCES = 64,
    COVER_BRANCHES = 12, /* that can fail; documented */
    COVER_DEPTH = 64
};

/* Something that evaluates, where its condition holds. */
struct cover_source {
    srt_dd condition;
    uint32_t part; /* props, or the node of a contains; 0: n_prefix alone */
    uint32_t n_prefix;
    bool all;
};

struct cover_list {
    struct srt_js *js;
    enum srt_kind kind;
    struct cover_source source[COVER_SOURCES];
    uint32_t n;
    srt_dd branch[COVER_BRANCHES];
    uint32_t n_branches;
    uint32_t depth;
    uint32_t rest, scope;
};

static void cover_add(struct cover_list *l, srt_dd condition, uint32_t part,
                      uint32_t n_prefix, bool all)
{
    if (condition == SRT_DD_FALSE)
        return;
    if (l->n == COVER_SOURCES) {
        srt_js_fail(l->js, SORTES_E_LIMIT);
        return;
    }
    l->source[l->n++] = (struct cover_source){ condition, part, n_prefix, all };
}

static void cover_collect(struct cover_list *l, uint32_t node, uint32_t scope,
                          srt_dd condition, bool outermost);

/* A schema applied in place, where it holds. */
static void cover_branch(struct cover_list *l, uint32_t node, uint32_t scope,
                         srt_dd condition)
{
    const srt_dd holds = srt_js_formula(l->js, node, scope, l->kind);

    cover_collect(l, node, scope, srt_dd_and(&l->js->dd, condition, holds),
                  false);
}

static void cover_list_rule(struct cover_list *l,
                            const struct srt_schema_rule *r, uint32_t scope,
                            srt_dd condition)
{
    const struct srt_schema_list *list =
        SRT_SCHEMA_AT(l->js->schema->lists, struct srt_schema_list, r->a);

    for (uint32_t i = 0; i < list->n; i++) {
        if (r->type == SRT_RULE_ALL)
            cover_collect(l, list->node[i], scope, condition, false);
        else
            cover_branch(l, list->node[i], scope, condition);
    }
}

static void cover_if(struct cover_list *l, const struct srt_schema_rule *r,
                     uint32_t scope, srt_dd condition)
{
    struct srt_decisions *dd = &l->js->dd;
    const srt_dd holds = srt_js_formula(l->js, r->a, scope, l->kind);
    const srt_dd yes = srt_dd_and(dd, condition, holds);

    cover_collect(l, r->a, scope, yes, false);
    if (r->b)
        cover_collect(l, r->b, scope, yes, false);
    if (r->c)
        cover_collect(l, r->c, scope,
                      srt_dd_if(dd, holds, SRT_DD_FALSE, condition), false);
}

static void cover_props(struct cover_list *l, const struct srt_schema_rule *r,
                        srt_dd condition)
{
    const struct srt_schema_props *p =
        SRT_SCHEMA_AT(l->js->schema->props, struct srt_schema_props, r->a);

    cover_add(l, condition, r->a, 0, p->has_rest);
}

static void cover_items(struct cover_list *l, const struct srt_schema_rule *r,
                        srt_dd condition)
{
    const struct srt_schema_items *items =
        SRT_SCHEMA_AT(l->js->schema->items, struct srt_schema_items, r->a);

    cover_add(l, condition, 0, items->n_prefix, items->has_rest);
}

/* 2019-09's contains evaluates nothing. */
static void cover_contains(struct cover_list *l, uint32_t node,
                           const struct srt_schema_rule *r, srt_dd condition)
{
    const struct srt_schema *s = l->js->schema;
    const uint32_t resource = srt_schema_node(s, node)->resource;

    if (SRT_SCHEMA_AT(s->resources, struct srt_schema_resource, resource)
            ->draft != SRT_DRAFT_2019_09)
        cover_add(l, condition, r->a, 0, false);
}

static void cover_rule(struct cover_list *l, uint32_t node,
                       const struct srt_schema_rule *r, uint32_t scope,
                       srt_dd condition)
{
    const bool keys = l->kind == SRT_KIND_OBJECT;

    switch (r->type) {
    case SRT_RULE_ALL:
    case SRT_RULE_ANY:
    case SRT_RULE_ONE:
        cover_list_rule(l, r, scope, condition);
        break;
    case SRT_RULE_IF:
        cover_if(l, r, scope, condition);
        break;
    case SRT_RULE_REF:
        cover_collect(l, r->a, scope, condition, false);
        break;
    case SRT_RULE_DYNAMIC:
        cover_collect(l, srt_js_dynamic(l->js, r, scope), scope, condition,
                      false);
        break;
    case SRT_RULE_IF_HAS:
        if (keys)
            cover_collect(
                l, r->b, scope,
                srt_dd_and(&l->js->dd, condition,
                           srt_js_ask(l->js, SRT_ASK_HAS, r->a, 0, 0)),
                false);
        break;
    case SRT_RULE_PROPS:
        if (keys)
            cover_props(l, r, condition);
        break;
    case SRT_RULE_ITEMS:
        if (!keys)
            cover_items(l, r, condition);
        break;
    case SRT_RULE_CONTAINS:
        if (!keys)
            cover_contains(l, node, r, condition);
        break;
    default:
        break;
    }
}

static void cover_collect(struct cover_list *l, uint32_t node, uint32_t scope,
                          srt_dd condition, bool outermost)
{
    const struct srt_schema_node *n = srt_schema_node(l->js->schema, node);
    const enum srt_schema_rule_type same = l->kind == SRT_KIND_OBJECT
                                               ? SRT_RULE_UNEVALUATED_PROPS
                                               : SRT_RULE_UNEVALUATED_ITEMS;

    if (n->constant)
        return;
    if (++l->depth > COVER_DEPTH)
        srt_js_fail(l->js, SORTES_E_LIMIT);
    scope = srt_js_enter(l->js, scope, node);
    for (uint32_t i = 0; i < n->n_rules && srt_js_ok(l->js); i++) {
        if (n->rules[i].type == same && !outermost)
            cover_add(l, condition, 0, 0, true);
        else
            cover_rule(l, node, &n->rules[i], scope, condition);
    }
    l->depth--;
}

/* ---- one question for each set of branches ------------------------------- */

void srt_cover_read(const struct srt_js *js, uint32_t cover,
                    struct srt_cover *to)
{
    size_t n;
    const uint32_t *key = srt_pool_key(&js->covers, cover, &n);

    to->rest = key[0];
    to->n_prefix = key[1];
    to->part = key + 2;
    to->n_parts = (uint32_t)(n / sizeof(*key)) - 2;
}

static srt_dd cover_question(struct cover_list *l, uint32_t chosen)
{
    uint32_t key[COVER_SOURCES + 2] = { l->rest, 0 }, n = 2;
    uint32_t cover;

    for (uint32_t i = 0; i < l->n; i++) {
        const struct cover_source *s = &l->source[i];
        bool holds = s->condition == SRT_DD_TRUE, known = false;

        for (uint32_t b = 0; b < l->n_branches; b++)
            holds |= s->condition == l->branch[b] && (chosen >> b & 1);
        if (!holds)
            continue;
        if (s->all)
            return SRT_DD_TRUE;
        if (s->n_prefix > key[1])
            key[1] = s->n_prefix;
        for (uint32_t k = 2; k < n; k++)
            known |= key[k] == s->part;
        if (s->part && !known)
            key[n++] = s->part;
    }
    cover = srt_js_intern(l->js, &l->js->covers, key, n * sizeof(*key));
    return srt_js_ask(l->js,
                      l->kind == SRT_KIND_OBJECT ? SRT_ASK_LEFT_KEYS
                                                 : SRT_ASK_LEFT_ITEMS,
                      cover, l->scope, 0);
}

static srt_dd cover_decide(struct cover_list *l, uint32_t at, uint32_t chosen)
{
    srt_dd yes, no;

    if (!srt_js_ok(l->js))
        return SRT_DD_FALSE;
    if (at == l->n_branches)
        return cover_question(l, chosen);
    yes = cover_decide(l, at + 1, chosen | 1u << at);
    no = cover_decide(l, at + 1, chosen);
    return srt_dd_if(&l->js->dd, l->branch[at], yes, no);
}

static void cover_find_branches(struct cover_list *l)
{
    for (uint32_t i = 0; i < l->n; i++) {
        const srt_dd c = l->source[i].condition;
        bool known = c == SRT_DD_TRUE;

        for (uint32_t b = 0; b < l->n_branches; b++)
            known |= l->branch[b] == c;
        if (known)
            continue;
        if (l->n_branches == COVER_BRANCHES) {
            srt_js_fail(l->js, SORTES_E_LIMIT);
            return;
        }
        l->branch[l->n_branches++] = c;
    }
}

static srt_dd cover_rule_of(struct srt_js *js, uint32_t node, uint32_t scope,
                            uint32_t rest, enum srt_kind kind)
{
    struct cover_list l;

    memset(&l, 0, sizeof(l));
    l.js = js;
    l.kind = kind;
    l.rest = rest;
    l.scope = scope;
    cover_collect(&l, node, scope, SRT_DD_TRUE, true);
    cover_find_branches(&l);
    return cover_decide(&l, 0, 0);
}

srt_dd srt_unevaluated_props(struct srt_js *js, uint32_t node, uint32_t scope,
                             uint32_t rest)
{
    return cover_rule_of(js, node, scope, rest, SRT_KIND_OBJECT);
}

srt_dd srt_unevaluated_items(struct srt_js *js, uint32_t node, uint32_t scope,
                             uint32_t rest)
{
    return cover_rule_of(js, node, scope, rest, SRT_KIND_ARRAY);
}

/*
 * formula.c - a schema, for a value of one kind, as a diagram over questions
 *
 * Rules that do not concern the kind are true.  allOf, anyOf, oneOf, not and if
 * are operations on diagrams: there is nothing left of them afterwards.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/frame.h"

#include "constrain/json_schema/load.h"
#include "constrain/json_schema/unevaluated.h"

#include <stdlib.h>
#include <string.h>

enum formula_progress { FORMULA_UNKNOWN, FORMULA_RUNNING, FORMULA_DONE };

struct formula_memo {
    srt_dd result;
    uint32_t progress;
};

srt_dd srt_js_ask(struct srt_js *js, enum srt_question_type type, uint32_t a,
                  uint32_t b, uint32_t c)
{
    const struct srt_question q = { type, a, b, c };
    const uint32_t number = srt_js_intern(js, &js->questions, &q, sizeof(q));

    return number ? srt_dd_variable(&js->dd, number - 1) : SRT_DD_FALSE;
}

/* ---- scopes: the resources that a dynamic reference may find ------------- */

static bool formula_has_anchors(const struct srt_schema *s, uint32_t resource)
{
    for (uint32_t i = 1; i <= s->anchors.n; i++) {
        const struct srt_schema_anchor *a =
            SRT_SCHEMA_AT(s->anchors, struct srt_schema_anchor, i);

        if (a->dynamic && a->resource == resource)
            return true;
    }
    return false;
}

/* A scope is the list of resources entered, outermost first, each once. */
uint32_t srt_js_enter(struct srt_js *js, uint32_t scope, uint32_t node)
{
    const struct srt_schema *s = js->schema;
    const uint32_t resource = srt_schema_node(s, node)->resource;
    uint32_t list[256];
    size_t n = 0;

    if (!s->has_dynamic || !formula_has_anchors(s, resource))
        return scope;
    if (scope) {
        const void *key = srt_pool_key(&js->scopes, scope, &n);

        memcpy(list, key, n);
        n /= sizeof(*list);
    }
    for (size_t i = 0; i < n; i++)
        if (list[i] == resource)
            return scope;
    if (n == SRT_COUNT(list))
        return srt_js_fail(js, SORTES_E_LIMIT);
    list[n++] = resource;
    return srt_js_intern(js, &js->scopes, list, n * sizeof(*list));
}

/* The node a dynamic reference means: the outermost resource that has the
 * anchor; otherwise what it says statically. */
uint32_t srt_js_dynamic(const struct srt_js *js,
                        const struct srt_schema_rule *r, uint32_t scope)
{
    const struct srt_schema *s = js->schema;
    size_t n = 0, n_name;
    const char *name = srt_schema_name(s, r->b, &n_name);
    const uint32_t *list = NULL;

    if (scope)
        list = srt_pool_key(&js->scopes, scope, &n);
    for (size_t i = 0; i < n / sizeof(*list); i++)
        for (uint32_t k = 1; k <= s->anchors.n; k++) {
            const struct srt_schema_anchor *a =
                SRT_SCHEMA_AT(s->anchors, struct srt_schema_anchor, k);

            if (a->dynamic && a->resource == list[i] && a->n == n_name &&
                memcmp(a->name, name, n_name) == 0)
                return a->node;
        }
    return r->a;
}

/* ---- rules --------------------------------------------------------------- */

srt_dd srt_js_duty(struct srt_js *js, uint32_t node, uint32_t scope)
{
    const struct srt_schema_node *n = srt_schema_node(js->schema, node);

    while (n->n_rules == 1 && n->rules[0].type == SRT_RULE_REF) {
        scope = srt_js_enter(js, scope, node);
        node = n->rules[0].a;
        n = srt_schema_node(js->schema, node);
    }
    if (n->n_rules == 0)
        return SRT_DD_TRUE;
    if (n->rules[0].type == SRT_RULE_NEVER)
        return SRT_DD_FALSE;
    return srt_js_ask(js, SRT_ASK_VALUE, node, scope, 0);
}

/* yes; from: asked, then at most: not asked of one more. */
static srt_dd formula_range(struct srt_js *js, enum srt_question_type type,
                            const struct srt_schema_rule *r)
{
    srt_dd from = SRT_DD_TRUE, to = SRT_DD_TRUE;

    if (r->a > 0)
        from = srt_js_ask(js, type, r->a, 0, 0);
    if (r->b < UINT32_MAX)
        to = srt_dd_not(&js->dd, srt_js_ask(js, type, r->b + 1, 0, 0));
    return srt_dd_and(&js->dd, from, to);
}

static srt_dd formula_number(struct srt_js *js, const struct srt_schema_rule *r)
{
    switch (r->type) {
    case SRT_RULE_INTEGER:
        return srt_js_ask(js, SRT_ASK_INTEGER, r->a, 0, 0);
    case SRT_RULE_MEMBER:
        return SRT_SCHEMA_AT(js->schema->enums, struct srt_schema_enum, r->a)
                       ->n_numbers
                   ? srt_js_ask(js, SRT_ASK_NUMBER_IN, r->a, 0, 0)
                   : SRT_DD_FALSE;
    case SRT_RULE_MINIMUM:
        return srt_js_ask(js, r->b ? SRT_ASK_ABOVE : SRT_ASK_AT_LEAST, r->a, 0,
                          0);
    case SRT_RULE_MAXIMUM:
        return srt_dd_not(
            &js->dd, srt_js_ask(js, r->b ? SRT_ASK_AT_LEAST : SRT_ASK_ABOVE,
                                r->a, 0, 0));
    case SRT_RULE_MULTIPLE:
        return srt_js_ask(js, SRT_ASK_MULTIPLE, r->a, 0, 0);
    default:
        return SRT_DD_TRUE;
    }
}

static srt_dd formula_string(struct srt_js *js, const struct srt_schema_rule *r)
{
    switch (r->type) {
    case SRT_RULE_MEMBER:
        return SRT_SCHEMA_AT(js->schema->enums, struct srt_schema_enum, r->a)
                       ->n_strings
                   ? srt_js_ask(js, SRT_ASK_STRING_IN, r->a, 0, 0)
                   : SRT_DD_FALSE;
    case SRT_RULE_LENGTH:
        return formula_range(js, SRT_ASK_LENGTH, r);
    case SRT_RULE_PATTERN:
        return srt_js_ask(js, SRT_ASK_PATTERN, r->a, 0, 0);
    default:
        return SRT_DD_TRUE;
    }
}

static srt_dd formula_array(struct srt_js *js, const struct srt_schema_rule *r,
                            uint32_t scope)
{
    srt_dd from = SRT_DD_TRUE, to = SRT_DD_TRUE;

    switch (r->type) {
    case SRT_RULE_MEMBER:
        return SRT_DD_FALSE;
    case SRT_RULE_COUNT:
        return formula_range(js, SRT_ASK_COUNT, r);
    case SRT_RULE_ITEMS:
        return srt_js_ask(js, SRT_ASK_ITEMS, r->a, scope, 0);
    case SRT_RULE_UNIQUE:
        return srt_js_ask(js, SRT_ASK_UNIQUE, r->a, 0, 0);
    case SRT_RULE_CONTAINS:
        if (r->b > 0)
            from = srt_js_ask(js, SRT_ASK_CONTAINS, r->a, scope, r->b);
        if (r->c < UINT32_MAX)
            to = srt_dd_not(&js->dd, srt_js_ask(js, SRT_ASK_CONTAINS, r->a,
                                                scope, r->c + 1));
        return srt_dd_and(&js->dd, from, to);
    default:
        return SRT_DD_TRUE;
    }
}

static srt_dd formula_object(struct srt_js *js, const struct srt_schema_rule *r,
                             uint32_t scope)
{
    srt_dd has;

    switch (r->type) {
    case SRT_RULE_MEMBER:
        return SRT_DD_FALSE;
    case SRT_RULE_HAS:
        has = srt_js_ask(js, SRT_ASK_HAS, r->a, 0, 0);
        return r->b
                   ? srt_dd_if(&js->dd, srt_js_ask(js, SRT_ASK_HAS, r->b, 0, 0),
                               has, SRT_DD_TRUE)
                   : has;
    case SRT_RULE_IF_HAS:
        has = srt_js_ask(js, SRT_ASK_HAS, r->a, 0, 0);
        return srt_dd_if(&js->dd, has,
                         srt_js_formula(js, r->b, scope, SRT_KIND_OBJECT),
                         SRT_DD_TRUE);
    case SRT_RULE_PAIRS:
        return formula_range(js, SRT_ASK_PAIRS, r);
    case SRT_RULE_PROPS:
        return srt_js_ask(js, SRT_ASK_PROPS, r->a, scope, 0);
    case SRT_RULE_NAMES:
        return srt_js_ask(js, SRT_ASK_NAMES, r->a, scope, 0);
    default:
        return SRT_DD_TRUE;
    }
}

static srt_dd formula_list(struct srt_js *js, const struct srt_schema_rule *r,
                           uint32_t scope, enum srt_kind kind)
{
    const struct srt_schema_list *list =
        SRT_SCHEMA_AT(js->schema->lists, struct srt_schema_list, r->a);
    srt_dd all = SRT_DD_TRUE, none = SRT_DD_TRUE, one = SRT_DD_FALSE;

    for (uint32_t i = 0; i < list->n; i++) {
        const srt_dd f = srt_js_formula(js, list->node[i], scope, kind);

        if (r->type == SRT_RULE_ALL)
            all = srt_dd_and(&js->dd, all, f);
        if (r->type == SRT_RULE_ONE)
            one = srt_dd_if(&js->dd, f, none, one);
        if (r->type != SRT_RULE_ALL)
            none = srt_dd_if(&js->dd, f, SRT_DD_FALSE, none);
    }
    return r->type == SRT_RULE_ALL   ? all
           : r->type == SRT_RULE_ONE ? one
                                     : srt_dd_not(&js->dd, none);
}

/* Rules that concern every kind. */
static srt_dd formula_any(struct srt_js *js, const struct srt_schema_rule *r,
                          uint32_t scope, enum srt_kind kind, bool *known)
{
    srt_dd yes = SRT_DD_TRUE, no = SRT_DD_TRUE;

    *known = true;
    switch (r->type) {
    case SRT_RULE_NEVER:
        return SRT_DD_FALSE;
    case SRT_RULE_KINDS:
        return r->a >> kind & 1;
    case SRT_RULE_ALL:
    case SRT_RULE_ANY:
    case SRT_RULE_ONE:
        return formula_list(js, r, scope, kind);
    case SRT_RULE_NOT:
        return srt_dd_not(&js->dd, srt_js_formula(js, r->a, scope, kind));
    case SRT_RULE_IF:
        if (r->b)
            yes = srt_js_formula(js, r->b, scope, kind);
        if (r->c)
            no = srt_js_formula(js, r->c, scope, kind);
        return srt_dd_if(&js->dd, srt_js_formula(js, r->a, scope, kind), yes,
                         no);
    case SRT_RULE_REF:
        return srt_js_formula(js, r->a, scope, kind);
    case SRT_RULE_DYNAMIC:
        return srt_js_formula(js, srt_js_dynamic(js, r, scope), scope, kind);
    default:
        *known = false;
        return SRT_DD_TRUE;
    }
}

static srt_dd formula_rule(struct srt_js *js, uint32_t node,
                           const struct srt_schema_rule *r, uint32_t scope,
                           enum srt_kind kind)
{
    bool known;
    const srt_dd any = formula_any(js, r, scope, kind, &known);

    if (known)
        return any;
    switch (kind) {
    case SRT_KIND_NUMBER:
        return formula_number(js, r);
    case SRT_KIND_STRING:
        return formula_string(js, r);
    case SRT_KIND_ARRAY:
        if (r->type == SRT_RULE_UNEVALUATED_ITEMS)
            return srt_unevaluated_items(js, node, scope, r->a);
        return formula_array(js, r, scope);
    case SRT_KIND_OBJECT:
        if (r->type == SRT_RULE_UNEVALUATED_PROPS)
            return srt_unevaluated_props(js, node, scope, r->a);
        return formula_object(js, r, scope);
    default:
        if (r->type == SRT_RULE_MEMBER)
            return SRT_SCHEMA_AT(js->schema->enums, struct srt_schema_enum,
                                 r->a)
                           ->kinds >>
                       kind &
                   1;
        return SRT_DD_TRUE;
    }
}

/* Variables come in the order of the rules; the conjunction is built from its
 * end, where a new node goes on top and nothing is walked. */
static srt_dd formula_node(struct srt_js *js, uint32_t node, uint32_t scope,
                           enum srt_kind kind)
{
    const struct srt_schema_node *n = srt_schema_node(js->schema, node);
    srt_dd result = SRT_DD_TRUE, few[8], *parts = few;

    if (n->n_rules > SRT_COUNT(few))
        parts = malloc(n->n_rules * sizeof(*parts));
    if (!parts)
        return srt_js_fail(js, SORTES_E_NOMEM);
    for (uint32_t i = 0; i < n->n_rules; i++)
        parts[i] = formula_rule(js, node, &n->rules[i], scope, kind);
    for (uint32_t i = n->n_rules; i-- > 0;)
        result = srt_dd_and(&js->dd, parts[i], result);
    if (parts != few)
        free(parts);
    return result;
}

srt_dd srt_js_formula(struct srt_js *js, uint32_t node, uint32_t scope,
                      enum srt_kind kind)
{
    const uint32_t inner = srt_js_enter(js, scope, node);
    const uint32_t key[3] = { node, inner, kind };
    const uint32_t number = srt_js_intern(js, &js->formulas, key, sizeof(key));
    struct formula_memo *memo;
    srt_dd result;

    if (!number)
        return SRT_DD_FALSE;
    memo = srt_pool_payload(&js->formulas, number);
    if (memo->progress == FORMULA_DONE)
        return memo->result;
    if (memo->progress == FORMULA_RUNNING) /* a cycle that reads nothing */
        return srt_js_fail(js, SORTES_E_SYNTAX);
    memo->progress = FORMULA_RUNNING;
    result = formula_node(js, node, inner, kind);
    memo->progress = FORMULA_UNKNOWN;
    if (!srt_js_ok(js))
        return SRT_DD_FALSE;
    memo->result = result;
    memo->progress = FORMULA_DONE;
    return result;
}

srt_dd srt_js_expand(struct srt_js *js, srt_dd duty, enum srt_kind kind)
{
    const uint32_t key[2] = { duty, kind };
    const struct srt_dd_node *node;
    const struct srt_question *q;
    struct formula_memo *memo;
    uint32_t number;
    srt_dd low, high, result;

    if (srt_dd_is_terminal(duty))
        return duty;
    number = srt_js_intern(js, &js->expansions, key, sizeof(key));
    if (!number)
        return SRT_DD_FALSE;
    memo = srt_pool_payload(&js->expansions, number);
    if (memo->progress == FORMULA_DONE)
        return memo->result;
    node = srt_dd_at(&js->dd, duty);
    q = srt_js_question(js, node->variable);
    low = srt_js_expand(js, node->low, kind);
    high = srt_js_expand(js, node->high, kind);
    result =
        srt_dd_if(&js->dd, srt_js_formula(js, q->a, q->b, kind), high, low);
    if (!srt_js_ok(js))
        return SRT_DD_FALSE;
    memo->result = result;
    memo->progress = FORMULA_DONE;
    return result;
}

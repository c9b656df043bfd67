/*
 * key_order.c - the orders in which the keys of an object may stand
 *
 * The order of the whole is that of first appearance, over everything that
 * applies in place.  A choice takes one branch that holds of every anyOf and
 * oneOf, and so on; where its names stand in another order, the object may keep
 * to that one instead, the other names behind.  Each order has a diagram of its
 * own, "the schema and some choice with this order hold", and the truth none of
 * it.  (One diagram that asks which orders have been kept would be exponential
 * in them.)  Where no choice contradicts the whole, which is the rule, there is
 * one order.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/key_order.h"

#include "constrain/json_schema/shown.h"

#include <stdlib.h>
#include <string.h>

enum { ORDER_STEPS = 20000 }; /* of the first look */

/* ---- a first look: whether any choice may contradict the whole ----------- */

/* The names of a duty, by their places in the whole. */
struct order_maker {
    struct srt_js *js;
    struct srt_object_table *t;
    struct srt_pool *known;
    uint32_t *variable; /* the duty's */
    size_t n;
    bool *must; /* variable[i] holds wherever the duty does */
    /* the first look */
    bool *sure;          /* by place: comes before in every choice */
    struct srt_ids came; /* places that are sure */
    uint32_t high;       /* places that any choice has had are below */
    uint32_t steps;
};

static uint32_t order_index(struct order_maker *m, uint32_t name)
{
    const uint32_t number = srt_js_intern(m->js, m->known, &name, sizeof(name));

    return number
               ? (uint32_t) * (uint64_t *)srt_pool_payload(m->known, number) - 1
               : 0;
}

static const struct srt_schema_props *order_props(const struct srt_js *js,
                                                  uint32_t number)
{
    return SRT_SCHEMA_AT(js->schema->props, struct srt_schema_props, number);
}

/* false: a name comes that may be new, and behind one that may have come. */
static bool order_look_at_props(struct order_maker *m, uint32_t number)
{
    const struct srt_schema_props *p = order_props(m->js, number);

    for (uint32_t i = 0; i < p->n_named; i++) {
        const uint32_t at = order_index(m, p->named[i].what);

        if (m->sure[at])
            continue;
        if (at < m->high)
            return false;
        m->high = at + 1;
        m->sure[at] = true;
        if (srt_ids_add(&m->came, at) != SORTES_OK)
            return srt_js_fail(m->js, SORTES_E_NOMEM);
    }
    return true;
}

/* What has come since is not sure any more. */
static void order_look_back(struct order_maker *m, size_t n_came)
{
    while (m->came.n > n_came)
        m->sure[m->came.at[--m->came.n]] = false;
}

/* Everything that a node shows. */
static bool order_look_at_all(struct order_maker *m, uint32_t node,
                              uint32_t scope)
{
    struct srt_shown shown = { { NULL, 0, 0 }, { NULL, 0, 0 } };
    bool ok = srt_shown_by(m->js, node, scope, &shown);

    for (size_t i = 0; i < shown.props.n && ok; i++)
        ok = order_look_at_props(m, shown.props.at[i]);
    srt_shown_free(&shown);
    return ok;
}

static bool order_look(struct order_maker *m, uint32_t node, uint32_t scope);

static bool order_look_at_rule(struct order_maker *m,
                               const struct srt_schema_rule *r, uint32_t scope)
{
    const bool chooses = srt_part_chooses(r);
    const size_t n_came = m->came.n;
    const uint32_t high = m->high;
    uint32_t most = high;
    struct srt_part p;

    if (r->type == SRT_RULE_PROPS)
        return order_look_at_props(m, r->a);
    for (uint32_t i = 0; srt_part(m->js, r, scope, i, &p); i++) {
        if (p.all && !order_look_at_all(m, p.node[0], scope))
            return false;
        for (int k = 0; k < 2 && !p.all; k++)
            if (p.node[k] && !order_look(m, p.node[k], scope))
                return false;
        most = m->high > most ? m->high : most;
        if (chooses) {
            order_look_back(m, n_came);
            m->high = high;
        }
    }
    m->high = most;
    return true;
}

static bool order_look(struct order_maker *m, uint32_t node, uint32_t scope)
{
    const struct srt_schema_node *n = srt_schema_node(m->js->schema, node);

    if (++m->steps > ORDER_STEPS)
        return false;
    scope = srt_js_enter(m->js, scope, node);
    for (uint32_t r = 0; r < n->n_rules; r++)
        if (!order_look_at_rule(m, &n->rules[r], scope))
            return false;
    return srt_js_ok(m->js);
}

/*
 * The schemas that a choice takes of a duty: those that must hold, and one of
 * the others.  i: which; n: none of them.
 */
static bool order_takes(const struct order_maker *m, size_t i, size_t variable)
{
    return m->must[variable] || variable == i;
}

/* Whether no choice contradicts the whole, as far as the look goes. */
static bool order_agrees(struct order_maker *m)
{
    bool agrees = true;

    for (size_t i = 0; i <= m->n && agrees; i++) {
        if (i < m->n && m->must[i])
            continue;
        m->high = 0;
        for (size_t v = 0; v < m->n && agrees; v++) {
            const struct srt_question *q =
                srt_js_question(m->js, m->variable[v]);

            if (order_takes(m, i, v))
                agrees = order_look(m, q->a, q->b);
        }
        order_look_back(m, 0);
    }
    return agrees;
}

/* ---- orders -------------------------------------------------------------- */

/* Orders that are found, each with where it may be kept to. */
struct order_list {
    struct srt_object_order order[SRT_OBJECT_ORDERS];
    srt_dd when[SRT_OBJECT_ORDERS];
    uint32_t n;
    bool many;
};

/* The names of a chain, the others behind; false: that is the whole's. */
static bool order_names(struct order_maker *m, uint32_t chain, uint32_t *name,
                        uint32_t *place)
{
    uint32_t props[SRT_CHAIN], n = 0;
    bool differs = false;

    memset(place, 0xff, m->t->n_declared * sizeof(*place));
    for (uint32_t i = srt_choice_props(m->js, chain, props); i-- > 0;) {
        const struct srt_schema_props *p = order_props(m->js, props[i]);

        for (uint32_t k = 0; k < p->n_named; k++) {
            const uint32_t index = order_index(m, p->named[k].what);

            if (place[index] != SRT_NONE)
                continue;
            differs |= n > 0 && name[n - 1] > index;
            place[index] = n;
            name[n++] = index;
        }
    }
    for (uint32_t i = 0; i < m->t->n_declared; i++)
        if (place[i] == SRT_NONE) {
            place[i] = n;
            name[n++] = i;
        }
    return differs;
}

/* Whether two orders are the same; NULL: the whole's. */
static bool order_same(const struct order_maker *m, const uint32_t *place,
                       const uint32_t *other)
{
    if (!place || !other)
        return place == other;
    return memcmp(place, other, m->t->n_declared * sizeof(*place)) == 0;
}

static void order_list_add(struct order_maker *m, struct order_list *l,
                           const struct srt_choice *c)
{
    struct srt_js *js = m->js;
    struct srt_object_order order = { 0, NULL, NULL };

    order.name = srt_js_take(js, m->t->n_declared, sizeof(*order.name));
    order.place = srt_js_take(js, m->t->n_declared, sizeof(*order.place));
    if (!order.name || !order.place)
        return;
    if (!order_names(m, c->chain, order.name, order.place))
        order.name = order.place = NULL;
    for (uint32_t i = 0; i < l->n; i++)
        if (order_same(m, l->order[i].place, order.place)) {
            l->when[i] = srt_dd_or(&js->dd, l->when[i], c->when);
            return;
        }
    l->many |= l->n == SRT_OBJECT_ORDERS;
    if (l->many)
        return;
    l->order[l->n] = order;
    l->when[l->n++] = c->when;
}

/* Where the schema i of those that need not hold does; n: none of them. */
static srt_dd order_holds(struct order_maker *m, size_t i)
{
    struct srt_decisions *dd = &m->js->dd;
    srt_dd none = SRT_DD_TRUE;

    for (size_t v = 0; v < m->n; v++) {
        const struct srt_question *q = srt_js_question(m->js, m->variable[v]);
        srt_dd holds;

        if (m->must[v] || (i < m->n && v != i))
            continue;
        holds = srt_js_formula(m->js, q->a, q->b, SRT_KIND_OBJECT);
        if (v == i)
            return holds;
        none = srt_dd_if(dd, holds, SRT_DD_FALSE, none);
    }
    return none;
}

static void order_collect(struct order_maker *m, struct order_list *l)
{
    struct srt_js *js = m->js;

    for (size_t i = 0; i <= m->n && !l->many && srt_js_ok(js); i++) {
        struct srt_choices set = { .at = { { 0, order_holds(m, i) } }, .n = 1 };

        if (i < m->n && m->must[i])
            continue;
        for (size_t v = 0; v < m->n; v++) {
            const struct srt_question *q = srt_js_question(js, m->variable[v]);

            if (order_takes(m, i, v))
                srt_choices_then(js, &set, srt_choices_of(js, q->a, q->b));
        }
        l->many |= set.many;
        for (uint32_t k = 0; k < set.n && !l->many; k++)
            order_list_add(m, l, &set.at[k]);
    }
}

/* Keeps the orders that any object can keep to. */
static bool order_keep(struct order_maker *m, const struct order_list *l)
{
    struct srt_object_table *t = m->t;
    const srt_dd whole = t->order[0].diagram;

    t->order = srt_js_take(m->js, l->n, sizeof(*t->order));
    t->n_orders = 0;
    for (uint32_t i = 0; i < l->n && t->order; i++) {
        struct srt_object_order order = l->order[i];

        order.diagram = srt_dd_if(&m->js->dd, l->when[i], whole, 0);
        if (order.diagram != 0)
            t->order[t->n_orders++] = order;
    }
    return srt_js_ok(m->js);
}

static bool order_several(struct order_maker *m, srt_dd duty)
{
    struct order_list list = { .n = 0 };

    for (size_t v = 0; v < m->n; v++)
        m->must[v] = srt_dd_given(&m->js->dd, duty, m->variable[v], false) == 0;
    if (order_agrees(m) || !srt_js_ok(m->js))
        return srt_js_ok(m->js);
    order_collect(m, &list);
    return list.many || !srt_js_ok(m->js) ? srt_js_ok(m->js)
                                          : order_keep(m, &list);
}

bool srt_key_order_make(struct srt_js *js, srt_dd duty, srt_dd diagram,
                        struct srt_object_table *t, struct srt_pool *known)
{
    struct order_maker m = { .js = js, .t = t, .known = known };
    bool ok;

    t->order = srt_js_take(js, 1, sizeof(*t->order));
    if (!t->order)
        return false;
    t->order[0].diagram = diagram;
    t->n_orders = 1;
    if (js->options->order == SRT_ORDER_FREE)
        return true;
    if (srt_dd_variables(&js->dd, duty, &m.variable, &m.n) != SORTES_OK)
        return srt_js_fail(js, SORTES_E_NOMEM);
    m.must = calloc(m.n + 1, sizeof(*m.must));
    m.sure = calloc(t->n_declared + 1, sizeof(*m.sure));
    ok = m.must && m.sure ? order_several(&m, duty)
                          : srt_js_fail(js, SORTES_E_NOMEM);
    free(m.variable);
    free(m.must);
    free(m.sure);
    free(m.came.at);
    return ok;
}

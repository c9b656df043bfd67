/*
 * plan.c - from a diagram over strings to a trie and lanes
 *
 * Enums' strings are judged one by one.  For the others, bounds on the length
 * cut the natural numbers into stretches; within one, what is left is a
 * combination of patterns, and each outcome of it one regular language.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/text.h"
#include "constrain/json_schema/trie.h"

#include <stdlib.h>
#include <string.h>

enum { PLAN_LANES = 64 };

struct plan_maker {
    struct srt_js *js;
    struct srt_unit *u;
    struct srt_lane lane[PLAN_LANES];
    uint32_t n_lanes;
};

/* ---- regexes ------------------------------------------------------------- */

static srt_regex plan_and(struct srt_js *js, struct srt_unit *u, srt_regex x,
                          srt_regex y)
{
    const srt_regex both[2] = { x, y };
    srt_regex to = SRT_REGEX_NOTHING;
    sortes_status status;

    if (x == SRT_LANE_ANYTHING)
        return y;
    if (y == SRT_LANE_ANYTHING)
        return x;
    status = srt_book_and(u->book, both, 2, &to);
    return status == SORTES_OK ? to : srt_js_fail(js, status);
}

static srt_regex plan_or(struct srt_js *js, struct srt_unit *u, srt_regex x,
                         srt_regex y)
{
    const srt_regex either[2] = { x, y };
    srt_regex to = SRT_REGEX_NOTHING;
    sortes_status status;

    if (x == SRT_LANE_ANYTHING || y == SRT_LANE_ANYTHING)
        return SRT_LANE_ANYTHING;
    status = srt_book_or(u->book, either, 2, &to);
    return status == SORTES_OK ? to : srt_js_fail(js, status);
}

static srt_regex plan_not(struct srt_js *js, struct srt_unit *u, srt_regex x)
{
    srt_regex to = SRT_REGEX_NOTHING;
    sortes_status status;

    if (x == SRT_LANE_ANYTHING)
        return SRT_REGEX_NOTHING;
    status = srt_book_not(u->book, x, &to);
    return status == SORTES_OK ? to : srt_js_fail(js, status);
}

/* The strings that a question is true of. */
static srt_regex plan_question(struct srt_js *js, struct srt_unit *u,
                               const struct srt_question *q)
{
    srt_regex to = SRT_REGEX_NOTHING;
    sortes_status status;

    if (q->type == SRT_ASK_PATTERN)
        return u->of_pattern[q->a];
    status = srt_book_repeat(u->book, u->any, q->a, UINT32_MAX, &to);
    return status == SORTES_OK ? to : srt_js_fail(js, status);
}

srt_regex srt_text_regex(struct srt_js *js, struct srt_unit *u, srt_dd diagram)
{
    const uint32_t key[2] = { diagram, (uint32_t)u->number };
    srt_regex yes, no, regex;
    uint32_t number, *memo;
    struct srt_dd_node node;

    if (srt_dd_is_terminal(diagram))
        return diagram ? SRT_LANE_ANYTHING : SRT_REGEX_NOTHING;
    number = srt_js_intern(js, &js->regexes, key, sizeof(key));
    if (!number)
        return SRT_REGEX_NOTHING;
    memo = srt_pool_payload(&js->regexes, number);
    if (memo[1])
        return memo[0];
    node = *srt_dd_at(&js->dd, diagram);
    if (srt_js_question(js, node.variable)->type == SRT_ASK_STRING_IN)
        return srt_text_regex(js, u, node.low);
    regex = plan_question(js, u, srt_js_question(js, node.variable));
    yes = srt_text_regex(js, u, node.high);
    no = srt_text_regex(js, u, node.low);
    yes = yes == SRT_REGEX_NOTHING ? yes : plan_and(js, u, regex, yes);
    if (no != SRT_REGEX_NOTHING && node.high != SRT_DD_TRUE)
        no = plan_and(js, u, plan_not(js, u, regex), no);
    regex = yes == SRT_REGEX_NOTHING  ? no
            : no == SRT_REGEX_NOTHING ? yes
                                      : plan_or(js, u, yes, no);
    if (!srt_js_ok(js))
        return SRT_REGEX_NOTHING;
    memo[0] = regex;
    memo[1] = 1;
    return regex;
}

/* ---- lanes --------------------------------------------------------------- */

static bool plan_lane(struct plan_maker *m, srt_regex regex, uint32_t from,
                      uint32_t to, uint32_t outcome)
{
    uint32_t state = 1;

    if (regex == SRT_REGEX_NOTHING)
        return srt_js_ok(m->js);
    if (regex != SRT_LANE_ANYTHING) {
        const sortes_status status = srt_book_start(m->u->book, regex, &state);

        if (status != SORTES_OK)
            return srt_js_fail(m->js, status);
        if (!state)
            return true;
    }
    for (uint32_t i = 0; i < m->n_lanes; i++) {
        struct srt_lane *l = &m->lane[i];

        if (l->regex == regex && l->outcome == outcome && l->to + 1 == from) {
            l->to = to;
            return true;
        }
    }
    if (m->n_lanes == PLAN_LANES)
        return srt_js_fail(m->js, SORTES_E_LIMIT);
    m->lane[m->n_lanes++] = (struct srt_lane){ regex, from, to, outcome };
    return true;
}

/* Lanes of one stretch of lengths: one for each outcome. */
static bool plan_stretch(struct plan_maker *m, srt_dd f, uint32_t from,
                         uint32_t to)
{
    srt_dd left = f;

    while (left != 0 && srt_js_ok(m->js)) {
        srt_dd at = left;
        uint32_t outcome;

        /* Some terminal that is not 0: there is one below every node. */
        while (!srt_dd_is_terminal(at)) {
            const struct srt_dd_node *node = srt_dd_at(&m->js->dd, at);

            at = node->high ? node->high : node->low;
        }
        outcome = at;
        if (!plan_lane(m,
                       srt_text_regex(m->js, m->u,
                                      srt_dd_is(&m->js->dd, left, outcome)),
                       from, to, outcome))
            return false;
        left = srt_dd_if(&m->js->dd, srt_dd_is(&m->js->dd, left, outcome),
                         SRT_DD_FALSE, left);
    }
    return srt_js_ok(m->js);
}

/* What is asked: lengths ascending, enums. */
struct plan_questions {
    uint32_t *variable;
    size_t n;
    uint32_t *length; /* variables of lengths, by length */
    size_t n_lengths;
};

static bool plan_ask(struct srt_js *js, srt_dd f, struct plan_questions *q)
{
    const sortes_status status =
        srt_dd_variables(&js->dd, f, &q->variable, &q->n);

    q->n_lengths = 0;
    q->length = malloc((q->n + 1) * sizeof(*q->length));
    if (status != SORTES_OK || !q->length)
        return srt_js_fail(js, SORTES_E_NOMEM);
    for (size_t i = 0; i < q->n; i++) {
        const struct srt_question *one = srt_js_question(js, q->variable[i]);
        size_t at = q->n_lengths;

        if (one->type != SRT_ASK_LENGTH)
            continue;
        for (; at > 0 && srt_js_question(js, q->length[at - 1])->a > one->a;
             at--)
            q->length[at] = q->length[at - 1];
        q->length[at] = q->variable[i];
        q->n_lengths++;
    }
    return true;
}

static void plan_ask_end(struct plan_questions *q)
{
    free(q->variable);
    free(q->length);
}

static bool plan_lanes(struct plan_maker *m, const struct plan_questions *q,
                       srt_dd f)
{
    struct srt_js *js = m->js;

    for (size_t i = 0; i <= q->n_lengths && srt_js_ok(js); i++) {
        const uint32_t from = i ? srt_js_question(js, q->length[i - 1])->a : 0;
        const uint32_t to = i < q->n_lengths
                                ? srt_js_question(js, q->length[i])->a - 1
                                : UINT32_MAX;
        srt_dd here = f;

        for (size_t k = 0; k < q->n_lengths; k++)
            here = srt_dd_given(&js->dd, here, q->length[k], k < i);
        plan_stretch(m, here, from, to);
    }
    return srt_js_ok(js);
}

/* ---- plans --------------------------------------------------------------- */

static uint32_t plan_add(struct plan_maker *m, const struct srt_trie *trie,
                         bool of_keys)
{
    const uint64_t key = m->js->plans.n;
    const uint32_t number =
        srt_js_intern(m->js, &m->js->plans, &key, sizeof(key));
    struct srt_text_plan *p;

    if (!number)
        return 0;
    p = srt_text_at(m->js, number);
    p->unit = m->u->number;
    p->trie = trie;
    p->of_keys = of_keys;
    p->n_lanes = m->n_lanes;
    p->lane = srt_js_take(m->js, m->n_lanes, sizeof(*p->lane));
    if (!p->lane)
        return 0;
    if (m->n_lanes)
        memcpy(p->lane, m->lane, m->n_lanes * sizeof(*p->lane));
    for (uint32_t i = 0; i < p->n_lanes; i++) {
        const struct srt_lane *l = &p->lane[i];
        const uint32_t cap = l->to == UINT32_MAX ? l->from : l->to + 1;

        p->counts |= l->from > 0 || l->to < UINT32_MAX;
        p->cap = cap > p->cap ? cap : p->cap;
    }
    return number;
}

/* The strings of every enum that is asked for, with what becomes of them. */
static bool plan_members(struct plan_maker *m, const struct plan_questions *q,
                         srt_dd diagram, struct srt_trie_string **string,
                         uint32_t *n)
{
    struct srt_js *js = m->js;
    struct srt_unit *judge = &js->unit[SRT_UNIT_VALUES];
    size_t room = 0;

    for (size_t i = 0; i < q->n; i++) {
        const struct srt_question *one = srt_js_question(js, q->variable[i]);
        const struct srt_schema_enum *e;
        void *block = *string;

        if (one->type != SRT_ASK_STRING_IN)
            continue;
        e = SRT_SCHEMA_AT(js->schema->enums, struct srt_schema_enum, one->a);
        if (srt_grow(&block, &room, *n + e->n_strings, sizeof(**string)) !=
            SORTES_OK)
            return srt_js_fail(js, SORTES_E_NOMEM);
        *string = block;
        for (uint32_t k = 0; k < e->n_strings; k++)
            if (srt_unit_can_write(m->u, e->strings[k]))
                (*string)[(*n)++] =
                    (struct srt_trie_string){ e->strings[k],
                                              srt_text_ask(js, judge, diagram,
                                                           e->strings[k]) };
    }
    return srt_js_ok(js);
}

static struct srt_trie *
plan_trie(struct plan_maker *m, const struct plan_questions *q, srt_dd diagram)
{
    struct srt_trie *trie = srt_js_take(m->js, 1, sizeof(*trie));
    struct srt_trie_string *string = NULL;
    uint32_t n = 0;
    const bool ok = trie && plan_members(m, q, diagram, &string, &n) &&
                    srt_trie_make(m->js, m->u, trie, string, n);

    free(string);
    return ok ? trie : NULL;
}

static uint32_t plan_make(struct srt_js *js, srt_dd diagram)
{
    struct plan_maker m;
    struct plan_questions q = { NULL, 0, NULL, 0 };
    struct srt_trie *trie = NULL;
    srt_dd others = diagram;
    uint32_t number = 0;
    bool ok = plan_ask(js, diagram, &q), enums = false;

    memset(&m, 0, sizeof(m));
    m.js = js;
    for (size_t i = 0; ok && i < q.n; i++)
        if (srt_js_question(js, q.variable[i])->type == SRT_ASK_STRING_IN) {
            others = srt_dd_given(&js->dd, others, q.variable[i], false);
            enums = true;
        }
    m.u = &js->unit[enums && others == 0 ? SRT_UNIT_KEYS : SRT_UNIT_VALUES];
    ok = ok && plan_lanes(&m, &q, others);
    if (ok && enums)
        trie = plan_trie(&m, &q, diagram);
    if (ok && srt_js_ok(js))
        number = plan_add(&m, trie, false);
    plan_ask_end(&q);
    return number;
}

uint32_t srt_text_plan(struct srt_js *js, srt_dd diagram)
{
    const uint32_t number =
        srt_js_intern(js, &js->text_plans, &diagram, sizeof(diagram));
    uint32_t *memo, plan;

    if (!number)
        return 0;
    memo = srt_pool_payload(&js->text_plans, number);
    if (*memo)
        return *memo;
    plan = plan_make(js, diagram);
    if (!srt_js_ok(js))
        return 0;
    *(uint32_t *)srt_pool_payload(&js->text_plans, number) = plan;
    return plan;
}

uint32_t srt_text_key_plan(struct srt_js *js, uint32_t object, uint64_t cells)
{
    const struct srt_object_state *o = srt_pool_key(&js->objects, object, NULL);
    const struct srt_object_table *t = srt_object_table_of(js, object);
    const uint32_t key[3] = { o->table, (uint32_t)cells,
                              (uint32_t)(cells >> 32) };
    const uint32_t number = srt_js_intern(js, &js->key_plans, key, sizeof(key));
    struct plan_maker m;
    uint32_t *memo, plan;

    if (!number)
        return 0;
    memo = srt_pool_payload(&js->key_plans, number);
    if (*memo)
        return *memo;
    memset(&m, 0, sizeof(m));
    m.js = js;
    m.u = &js->unit[SRT_UNIT_KEYS];
    for (uint32_t i = 0; i < t->n_cells; i++)
        if ((cells >> i & 1) &&
            !plan_lane(&m, t->cell[i].regex, 0, UINT32_MAX, t->n_names + i + 1))
            return 0;
    plan = plan_add(&m, &t->trie, true);
    if (!srt_js_ok(js))
        return 0;
    *(uint32_t *)srt_pool_payload(&js->key_plans, number) = plan;
    return plan;
}

/*
 * live.c - whether anything allowed can still come
 *
 * "Some value of depth d satisfies the duty" rests on "some value of depth
 * d - 1" for what is inside it, so there is no cycle to settle: depths are
 * tried upwards, and what is known of smaller ones is remembered.  An answer
 * "no" that was not due to the depth holds for every depth.
 *
 * Inside a container it is a search for a way to its end: over what is left of
 * the diagram, name after name.  The common case, where everything has to hold,
 * is settled without one.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/count.h"
#include "constrain/json_schema/key_order.h"
#include "constrain/json_schema/live.h"

#include <stdlib.h>
#include <string.h>

#define ALIVE_WORK UINT64_C(20000000) /* steps of the search, at a time */

enum {
    ALIVE_LEVELS = 4000, /* keys in a row that a search goes through */
    ALIVE_LEAVES = 64,   /* of a value, before its strings are planned */
    ALIVE_A_LOOK = 64    /* steps between two looks at the clock */
};

/* A "no" at all depths is `never`. */
static bool alive_known(struct srt_js *js, const struct srt_life *life,
                        uint32_t depth, bool *answer)
{
    if (life->from && depth + 1 >= life->from) {
        *answer = true;
        return true;
    }
    *answer = false;
    if (life->never)
        return true;
    if (depth < life->below) {
        js->cut = true;
        return true;
    }
    return false;
}

/* Each step of the machine, and its making, has so many steps of the search and
 * so much time. */
bool srt_js_work(struct srt_js *js)
{
    if (!srt_timer_step(&js->timer, ALIVE_A_LOOK) || ++js->work > ALIVE_WORK)
        srt_js_fail(js, SORTES_E_LIMIT);
    return srt_js_ok(js);
}

bool srt_alive_climb(struct srt_js *js, struct srt_life *life, uint32_t what,
                     uint32_t depth, srt_alive_attempt *attempt)
{
    bool answer;

    while (!alive_known(js, life, depth, &answer)) {
        const uint32_t at = life->below;
        const bool outer = js->cut;
        bool can, cut;

        js->cut = false;
        can = attempt(js, what, at);
        cut = js->cut;
        js->cut = outer;
        if (!srt_js_work(js))
            return false;
        if (can)
            life->from = at + 1;
        else if (!cut)
            life->never = true;
        else
            life->below = at + 1;
    }
    return answer;
}

/* ---- values -------------------------------------------------------------- */

static bool alive_scalar(struct srt_js *js, srt_dd duty)
{
    srt_dd d;

    for (int kind = SRT_KIND_NULL; kind <= SRT_KIND_TRUE; kind++)
        if (srt_js_expand(js, duty, (enum srt_kind)kind) != 0 &&
            srt_js_has(js, srt_js_words[kind]))
            return true;
    d = srt_js_expand(js, duty, SRT_KIND_STRING);
    if (d != 0 && srt_js_has(js, "\"")) {
        const uint32_t plan = srt_text_plan(js, d);

        if (plan && srt_text_start(js, plan, 0))
            return true;
    }
    d = srt_js_expand(js, duty, SRT_KIND_NUMBER);
    if (d != 0) {
        const uint32_t plan = srt_number_plan(js, d);

        if (plan && srt_number_live(js, plan))
            return true;
    }
    return false;
}

static bool alive_value(struct srt_js *js, uint32_t record, uint32_t depth)
{
    srt_dd duty;
    uint32_t state;

    memcpy(&duty, srt_pool_key(&js->duties, record, NULL), sizeof(duty));
    if (depth == 0 && alive_scalar(js, duty))
        return true;
    if (!srt_js_ok(js))
        return false;
    if (srt_js_expand(js, duty, SRT_KIND_ARRAY) != 0 && srt_js_has(js, "[]")) {
        js->cut |= depth == 0;
        state = depth ? srt_array_start(js, duty) : 0;
        if (state && srt_array_alive(js, state, depth - 1))
            return true;
    }
    if (srt_js_expand(js, duty, SRT_KIND_OBJECT) != 0 && srt_js_has(js, "{}")) {
        js->cut |= depth == 0;
        state = depth ? srt_object_start(js, duty) : 0;
        if (state && srt_object_alive(js, state, depth - 1))
            return true;
    }
    return false;
}

bool srt_js_can(struct srt_js *js, srt_dd duty, uint32_t depth)
{
    uint32_t record;

    if (srt_dd_is_terminal(duty))
        return duty != 0;
    record = srt_js_intern(js, &js->duties, &duty, sizeof(duty));
    return record && srt_alive_climb(js, srt_pool_payload(&js->duties, record),
                                     record, depth, alive_value);
}

/* ---- objects ------------------------------------------------------------- */

/* An object in one order. */
struct alive_object {
    const struct srt_object_state *o;
    struct srt_object_table *t;
    srt_dd diagram; /* under it */
    uint32_t order;
};

/* What a diagram that is a conjunction asks. */
struct alive_wants {
    uint32_t least, most; /* keys in all */
    uint32_t required;    /* names that must come and have not */
};

static bool alive_is_check(const struct srt_question *q)
{
    return q->type == SRT_ASK_PROPS || q->type == SRT_ASK_NAMES ||
           q->type == SRT_ASK_LEFT_KEYS;
}

/* false: it is none, or wants something to fail. */
static bool alive_conjunction(struct srt_js *js, srt_dd f,
                              struct alive_wants *w)
{
    w->least = w->required = 0;
    w->most = UINT32_MAX;
    while (!srt_dd_is_terminal(f)) {
        const struct srt_dd_node *node = srt_dd_at(&js->dd, f);
        const struct srt_question *q = srt_js_question(js, node->variable);

        if (node->low != 0 && node->high != 0)
            return false;
        if (node->low == 0) {
            if (q->type == SRT_ASK_PAIRS && q->a > w->least)
                w->least = q->a;
            w->required += q->type == SRT_ASK_HAS;
            f = node->high;
            continue;
        }
        if (alive_is_check(q))
            return false;
        if (q->type == SRT_ASK_PAIRS && q->a - 1 < w->most)
            w->most = q->a - 1;
        f = node->low;
    }
    return true;
}

/* The value of a key, where nothing may fail. */
static bool alive_key_can(struct srt_js *js, struct srt_object_table *t,
                          srt_dd f, uint32_t what, uint32_t depth)
{
    srt_dd duty = SRT_DD_TRUE;

    if (what < t->n_names && !t->name[what].writable)
        return false;
    for (uint32_t i = 0; i < t->n_checks && duty != 0; i++)
        if (srt_dd_given(&js->dd, f, t->check[i], false) != f)
            duty = srt_dd_and(&js->dd, duty, srt_object_fact(js, t, i, what));
    return duty != 0 && srt_js_ok(js) && srt_js_can(js, duty, depth);
}

/* A name that cannot come any more.  (Of a declared order each can: the keys
 * that are still to come can be put into it.) */
static bool alive_is_past(const struct srt_js *js, const struct alive_object *a,
                          uint32_t name)
{
    return srt_object_has_seen(js, a->o, name) ||
           (js->options->order == SRT_ORDER_STRICT && name < a->t->n_declared &&
            srt_key_order_place(a->t, a->order, name) <
                a->o->place[a->order].at);
}

static bool alive_required(struct srt_js *js, const struct alive_object *a,
                           uint32_t depth)
{
    const struct srt_object_table *t = a->t;

    for (uint32_t i = 0; i < t->n_names; i++) {
        if (t->name[i].has == SRT_NONE ||
            srt_dd_given(&js->dd, a->diagram, t->name[i].has, false) != 0)
            continue;
        if (alive_is_past(js, a, i) ||
            !alive_key_can(js, a->t, a->diagram, i, depth))
            return false;
    }
    return true;
}

/* Keys that have come and are no names. */
static uint32_t alive_other_keys(struct srt_js *js,
                                 const struct srt_object_state *o,
                                 const struct srt_object_table *t)
{
    uint32_t n = o->count;

    for (uint32_t i = 0; i < t->n_names && n; i++)
        n -= srt_object_has_seen(js, o, i);
    return n;
}

/* Whether `more` keys can come beside those that are required. */
static bool alive_others(struct srt_js *js, const struct alive_object *a,
                         uint32_t more, uint32_t depth)
{
    const struct srt_object_table *t = a->t;
    const uint32_t others = alive_other_keys(js, a->o, t);
    uint64_t keys = 0;

    for (uint32_t i = 0; i < t->n_cells && more; i++) {
        if (!alive_key_can(js, a->t, a->diagram, t->n_names + i, depth))
            continue;
        if (!js->options->unique_keys)
            return true;
        keys += srt_count_cell(js, t, i, (uint64_t)others + more);
        if (keys >= (uint64_t)others + more)
            return true;
    }
    more -= keys > others ? (uint32_t)keys - others : 0;
    for (uint32_t i = 0; i < t->n_names && more; i++) {
        const uint32_t has = t->name[i].has;

        if (alive_is_past(js, a, i))
            continue;
        if (has != SRT_NONE &&
            (srt_dd_given(&js->dd, a->diagram, has, false) == 0 ||
             srt_dd_given(&js->dd, a->diagram, has, true) == 0))
            continue;
        if (!alive_key_can(js, a->t, a->diagram, i, depth))
            continue;
        if (!js->options->unique_keys)
            return true;
        more--;
    }
    return more == 0;
}

static bool alive_simple_object(struct srt_js *js, const struct alive_object *a,
                                const struct alive_wants *w, uint32_t depth)
{
    const uint32_t soon = a->o->count + w->required;

    if (soon > w->most || w->least > w->most)
        return false;
    return alive_required(js, a, depth) &&
           (soon >= w->least || alive_others(js, a, w->least - soon, depth));
}

/* ---- the search ---------------------------------------------------------- */

struct alive_search {
    struct srt_js *js;
    const struct alive_object *from;
    uint32_t depth, cap; /* counts from cap on are alike */
    uint32_t level;      /* of the recursion */
    bool brief;          /* names that nobody asks for do not come */
    struct srt_pool visited;
};

struct alive_place {
    uint32_t name;
    srt_dd diagram;
    uint32_t count;
};

/* Diagrams that a key can leave. */
struct alive_leaves {
    struct srt_js *js;
    struct srt_ids left;
};

static uint32_t alive_leaf(void *ctx, const srt_dd *left)
{
    struct alive_leaves *l = ctx;

    return srt_slot_outcome(l->js, &l->left, *left);
}

static bool alive_search(struct alive_search *s, struct alive_place at);

/* A key comes. */
static bool alive_with(struct alive_search *s, const struct alive_place *at,
                       uint32_t what, uint32_t next)
{
    const struct srt_object_key key = { &at->diagram, 1, at->count, what,
                                        s->depth };
    struct alive_leaves leaves = { .js = s->js };
    bool found = false;
    srt_dd duty;

    if (++s->level > ALIVE_LEVELS)
        return srt_js_fail(s->js, SORTES_E_LIMIT);
    duty = srt_object_pair(s->js, s->from->t, &key, alive_leaf, &leaves);
    if (leaves.left.n > ALIVE_LEAVES) /* a limit is told now, not on the way */
        srt_text_plan(s->js, srt_js_expand(s->js, duty, SRT_KIND_STRING));
    for (uint32_t i = 0; i < leaves.left.n && !found && srt_js_ok(s->js); i++) {
        const uint32_t count = at->count + (at->count < s->cap);
        const srt_dd one = srt_dd_is(&s->js->dd, duty, i + 1);

        found = one != 0 && srt_js_can(s->js, one, s->depth) &&
                alive_search(
                    s, (struct alive_place){ next, leaves.left.at[i], count });
    }
    free(leaves.left.at);
    s->level -= !found;
    return found;
}

/* Names are settled in order: this one comes, or never; then other keys, which
 * may come any number of times. */
static bool alive_search(struct alive_search *s, struct alive_place at)
{
    const struct srt_object_table *t = s->from->t;
    uint32_t number;
    bool is_new;

    for (;; at.name++) {
        const sortes_status status =
            srt_pool_intern(&s->visited, &at, sizeof(at), &number, &is_new);

        if (status != SORTES_OK)
            return srt_js_fail(s->js, status);
        if (!is_new || at.diagram == 0 || !srt_js_work(s->js))
            return false;
        if (srt_object_ends(s->js, at.diagram))
            return true;
        if (at.name >= t->n_names)
            break;
        if ((!s->brief || t->name[at.name].has != SRT_NONE) &&
            t->name[at.name].writable &&
            !alive_is_past(s->js, s->from, at.name) &&
            alive_with(s, &at, at.name, at.name + 1))
            return true;
        if (t->name[at.name].has != SRT_NONE)
            at.diagram = srt_dd_given(&s->js->dd, at.diagram,
                                      t->name[at.name].has, false);
    }
    for (uint32_t i = 0; i < t->n_cells; i++)
        if (alive_with(s, &at, t->n_names + i, at.name))
            return true;
    return false;
}

/* Without commas there is one key at most. */
static bool alive_one_key(struct srt_js *js, const struct alive_object *a,
                          uint32_t depth)
{
    const struct srt_object_table *t = a->t;
    bool found = false;

    for (uint32_t i = 0; i < t->n_names + t->n_cells && !found; i++) {
        struct alive_leaves leaves = { .js = js };
        const struct srt_object_key key = { &a->diagram, 1, a->o->count, i,
                                            depth };
        srt_dd duty;

        if (i < t->n_names && !t->name[i].writable)
            continue;
        duty = srt_object_pair(js, a->t, &key, alive_leaf, &leaves);
        for (uint32_t k = 0; k < leaves.left.n && !found && srt_js_ok(js); k++)
            found = srt_object_ends(js, leaves.left.at[k]) &&
                    srt_js_can(js, srt_dd_is(&js->dd, duty, k + 1), depth);
        free(leaves.left.at);
    }
    return found;
}

static bool alive_under(struct srt_js *js, const struct alive_object *a,
                        uint32_t depth)
{
    const struct srt_object_table *t = a->t;
    struct alive_search s = { js, a, depth, 0, 0, true, { 0 } };
    struct alive_wants wants;
    bool answer;

    if (!srt_js_has(js, ","))
        return alive_one_key(js, a, depth);
    if (alive_conjunction(js, a->diagram, &wants))
        return alive_simple_object(js, a, &wants, depth);
    for (uint32_t i = 0; i < t->n_pairs; i++)
        if (srt_js_question(js, t->pairs[i])->a > s.cap)
            s.cap = srt_js_question(js, t->pairs[i])->a;
    do {
        srt_pool_init(&s.visited, 0, SRT_POOL_MAX, SIZE_MAX);
        answer = alive_search(
            &s, (struct alive_place){ 0, a->diagram, a->o->count });
        srt_pool_clear(&s.visited);
        s.brief = !s.brief;
    } while (!answer && !s.brief && srt_js_ok(js));
    return answer;
}

static bool alive_object(struct srt_js *js, uint32_t object, uint32_t depth)
{
    struct alive_object a = { .o = srt_object_at(js, object),
                              .t = srt_object_table_of(js, object) };

    if (srt_object_close(js, object))
        return true;
    if (a.o->last || !srt_js_has(js, "\":"))
        return false;
    for (; a.order < a.t->n_orders && srt_js_ok(js); a.order++) {
        a.diagram = a.o->place[a.order].diagram;
        if (a.diagram != 0 && alive_under(js, &a, depth))
            return true;
    }
    return false;
}

bool srt_object_alive(struct srt_js *js, uint32_t object, uint32_t depth)
{
    return srt_alive_climb(js, srt_pool_payload(&js->objects, object), object,
                           depth, alive_object);
}

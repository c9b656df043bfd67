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
#include "constrain/json_schema/key_order.h"

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
static bool alive_work(struct srt_js *js)
{
    if (!srt_timer_step(&js->timer, ALIVE_A_LOOK) || ++js->work > ALIVE_WORK)
        srt_js_fail(js, SORTES_E_LIMIT);
    return srt_js_ok(js);
}

/* Tries depths upwards, from the first that is not known. */
typedef bool alive_attempt(struct srt_js *js, uint32_t what, uint32_t depth);

static bool alive_climb(struct srt_js *js, struct srt_life *life, uint32_t what,
                        uint32_t depth, alive_attempt *attempt)
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
        if (!alive_work(js))
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

/* ---- values
 * ------------------------------------------------------------------------ */

static bool alive_scalar(struct srt_js *js, srt_dd duty)
{
    static const char *const words[] = { "null", "false", "true" };
    srt_dd d;

    for (int kind = SRT_KIND_NULL; kind <= SRT_KIND_TRUE; kind++)
        if (srt_js_expand(js, duty, (enum srt_kind)kind) != 0 &&
            srt_js_has(js, words[kind]))
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
    return record && alive_climb(js, srt_pool_payload(&js->duties, record),
                                 record, depth, alive_value);
}

/* ---- objects
 * -------------------------------------------------------------------------- */

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

/* Whether `more` keys can come beside those that are required. */
static bool alive_others(struct srt_js *js, const struct alive_object *a,
                         uint32_t more, uint32_t depth)
{
    const struct srt_object_table *t = a->t;

    for (uint32_t i = 0; i < t->n_cells && more; i++)
        if (alive_key_can(js, a->t, a->diagram, t->n_names + i, depth))
            return true;
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

/* ---- the search
 * -------------------------------------------------------------------------- */

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

static bool alive_ends(struct srt_js *js, srt_dd diagram)
{
    while (!srt_dd_is_terminal(diagram)) {
        const struct srt_dd_node *node = srt_dd_at(&js->dd, diagram);
        const uint32_t type = srt_js_question(js, node->variable)->type;

        diagram = type == SRT_ASK_HAS || type == SRT_ASK_PAIRS ? node->low
                                                               : node->high;
    }
    return diagram != 0;
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
        if (!is_new || at.diagram == 0 || !alive_work(s->js))
            return false;
        if (alive_ends(s->js, at.diagram))
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
            found = alive_ends(js, leaves.left.at[k]) &&
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
    return alive_climb(js, srt_pool_payload(&js->objects, object), object,
                       depth, alive_object);
}

/* ---- arrays
 * ---------------------------------------------------------------------------------
 */

/* Values that must differ, where every item is asked the same. */
static bool alive_values(struct srt_js *js, const struct srt_array_table *t,
                         const struct srt_array_state *a, uint32_t more,
                         uint32_t depth)
{
    srt_dd duty = SRT_DD_TRUE;

    for (uint32_t i = 0; i < t->n_checks; i++)
        if (srt_dd_given(&js->dd, a->diagram, t->check[i], false) != a->diagram)
            duty = srt_dd_and(&js->dd, duty, srt_array_fact(js, t, i, 0));
    for (uint32_t i = 0; i < t->values->n && more && srt_js_ok(js); i++)
        more -= !srt_set_has(js, a->seen, i) &&
                srt_js_can(js,
                           srt_dd_and(&js->dd, duty,
                                      srt_js_duty(js, t->values->node[i], 0)),
                           depth);
    return more == 0;
}

/* For a conjunction without contains; -1: it is none. */
static int alive_simple_array(struct srt_js *js, uint32_t array, uint32_t depth)
{
    const struct srt_array_table *t = srt_array_table_of(js, array);
    struct srt_array_state a;
    uint32_t least = 0, most = UINT32_MAX;
    srt_dd f;

    srt_array_load(js, array, &a);
    for (f = a.diagram; !srt_dd_is_terminal(f);) {
        const struct srt_dd_node *node = srt_dd_at(&js->dd, f);
        const struct srt_question *q = srt_js_question(js, node->variable);
        const bool count = q->type == SRT_ASK_COUNT;

        if ((node->low != 0 && node->high != 0) ||
            q->type == SRT_ASK_CONTAINS || (node->low != 0 && !count))
            return -1;
        if (count && node->low == 0 && q->a > least)
            least = q->a;
        if (count && node->low != 0 && q->a - 1 < most)
            most = q->a - 1;
        f = node->low == 0 ? node->high : node->low;
    }
    if (least > most)
        return 0;
    if (t->values)
        return t->n_prefix
                   ? -1
                   : alive_values(js, t, &a, least > a.at ? least - a.at : 0,
                                  depth);
    for (uint32_t at = a.at; at < least && at <= t->n_prefix; at++) {
        srt_dd duty = SRT_DD_TRUE;

        for (uint32_t i = 0; i < t->n_checks && duty != 0; i++)
            if (srt_dd_given(&js->dd, a.diagram, t->check[i], false) !=
                a.diagram)
                duty = srt_dd_and(&js->dd, duty, srt_array_fact(js, t, i, at));
        if (duty == 0 || !srt_js_ok(js) || !srt_js_can(js, duty, depth))
            return 0;
    }
    return 1;
}

/* ---- arrays that `contains` counts in
 * --------------------------------------------------------- */

/* A conjunction, where items are alike to the checks: what is wanted. */
struct alive_counts {
    uint32_t least, most;              /* items in all */
    uint32_t need[SRT_ARRAY_COUNTERS]; /* by counter */
    uint32_t limit[SRT_ARRAY_COUNTERS];
    srt_dd fact[SRT_ARRAY_COUNTERS];
};

/* What a diagram wants; false: it is no conjunction, or of something else. */
static bool alive_counted(struct srt_js *js, const struct srt_array_table *t,
                          srt_dd f, struct alive_counts *w)
{
    memset(w, 0, sizeof(*w));
    w->most = UINT32_MAX;
    for (uint32_t i = 0; i < t->n_counters; i++)
        w->limit[i] = UINT32_MAX;
    while (!srt_dd_is_terminal(f)) {
        const struct srt_dd_node *node = srt_dd_at(&js->dd, f);
        const struct srt_question *q = srt_js_question(js, node->variable);
        const bool yes = node->low == 0;
        uint32_t i = 0;

        if ((node->low != 0 && node->high != 0) || q->type == SRT_ASK_UNIQUE)
            return false;
        f = yes ? node->high : node->low;
        if (q->type == SRT_ASK_COUNT && yes && q->a > w->least)
            w->least = q->a;
        if (q->type == SRT_ASK_COUNT && !yes && q->a - 1 < w->most)
            w->most = q->a - 1;
        if (q->type == SRT_ASK_COUNT)
            continue;
        if (q->type != SRT_ASK_CONTAINS && !yes)
            return false;
        if (q->type != SRT_ASK_CONTAINS)
            continue;
        while (t->contains[i] != node->variable)
            i++;
        i = t->counter[i];
        w->fact[i] = srt_js_duty(js, q->a, q->b);
        if (yes && q->c > w->need[i])
            w->need[i] = q->c;
        if (!yes && q->c - 1 < w->limit[i])
            w->limit[i] = q->c - 1;
    }
    return true;
}

/* Items that are none of those that must not become too many, but for one. */
static srt_dd alive_spared(struct srt_js *js, const struct srt_array_table *t,
                           const struct alive_counts *w, srt_dd duty,
                           uint32_t but)
{
    for (uint32_t i = 0; i < t->n_counters; i++)
        if (i != but && w->limit[i] != UINT32_MAX)
            duty = srt_dd_if(&js->dd, w->fact[i], SRT_DD_FALSE, duty);
    return duty;
}

/*
 * By arithmetic: items that are looked for one by one, then such as harm
 * nothing, as many as it takes.  1: that ends; 0: nothing does; -1: the items
 * may have to be several things at once, or are not alike yet.
 */
static int alive_by_counts(struct srt_js *js, const struct srt_array_table *t,
                           const struct srt_array_state *a, uint32_t depth)
{
    struct alive_counts w;
    srt_dd duty = SRT_DD_TRUE;
    uint64_t n = a->at;
    bool fills;

    if (a->at < t->n_prefix || !srt_js_has(js, ",") || a->last ||
        !alive_counted(js, t, a->diagram, &w))
        return -1;
    for (uint32_t i = 0; i < t->n_checks; i++)
        if (srt_dd_given(&js->dd, a->diagram, t->check[i], false) != a->diagram)
            duty = srt_dd_and(&js->dd, duty,
                              srt_array_fact(js, t, i, t->n_prefix));
    fills = srt_js_can(js, alive_spared(js, t, &w, duty, SRT_NONE), depth);
    for (uint32_t i = 0; i < t->n_counters && srt_js_ok(js); i++) {
        const srt_dd item = srt_dd_and(&js->dd, duty, w.fact[i]);

        if (w.need[i] <= a->counter[i])
            continue;
        if (w.need[i] > w.limit[i] || !srt_js_can(js, item, depth))
            return 0;
        if (!srt_js_can(js, alive_spared(js, t, &w, item, i), depth))
            return -1;
        fills |= w.limit[i] == UINT32_MAX;
        n += w.need[i] - a->counter[i];
    }
    return (n < w.least && !fills) || n > w.most || w.least > w.most ? -1 : 1;
}

/* States that an item can leave, to be visited. */
struct alive_arrays {
    struct srt_js *js;
    struct srt_pool visited; /* array states */
    uint32_t list[64];
    uint32_t n;
};

static uint32_t alive_array_leaf(void *ctx, uint32_t array)
{
    struct alive_arrays *l = ctx;

    for (uint32_t i = 0; i < l->n; i++)
        if (l->list[i] == array)
            return i + 1;
    if (l->n == SRT_COUNT(l->list))
        return srt_js_fail(l->js, SORTES_E_LIMIT);
    l->list[l->n++] = array;
    return l->n;
}

/* Every state that can be reached, until one may end. */
static bool alive_search_array(struct srt_js *js, uint32_t array,
                               uint32_t depth)
{
    struct alive_arrays l;
    bool found = false;
    uint32_t number;

    l.js = js;
    srt_pool_init(&l.visited, 0, SRT_POOL_MAX, SIZE_MAX);
    srt_js_intern(js, &l.visited, &array, sizeof(array));
    for (uint32_t i = 1; i <= l.visited.n && !found && alive_work(js); i++) {
        struct srt_array_state a;
        srt_dd duty;
        uint32_t at;
        int counted;

        memcpy(&at, srt_pool_key(&l.visited, i, NULL), sizeof(at));
        srt_array_load(js, at, &a);
        counted = alive_by_counts(js, srt_array_table_of(js, at), &a, depth);
        found = counted == 1 || srt_array_close(js, at) != 0;
        l.n = 0;
        duty = found || counted == 0 || a.last
                   ? 0
                   : srt_array_item(js, at, depth, alive_array_leaf, &l);
        for (uint32_t k = 0; k < l.n && srt_js_ok(js); k++) {
            const srt_dd one = srt_dd_is(&js->dd, duty, k + 1);
            const sortes_status status =
                one != 0 && srt_js_can(js, one, depth)
                    ? srt_pool_intern(&l.visited, &l.list[k], sizeof(l.list[k]),
                                      &number, NULL)
                    : SORTES_OK;

            if (status != SORTES_OK)
                srt_js_fail(js, status);
        }
    }
    srt_pool_clear(&l.visited);
    return found;
}

static bool alive_array(struct srt_js *js, uint32_t array, uint32_t depth)
{
    int simple = -1;

    if (srt_array_close(js, array))
        return true;
    if (srt_js_has(js, ","))
        simple = alive_simple_array(js, array, depth);
    return simple < 0 ? alive_search_array(js, array, depth) : simple;
}

bool srt_array_alive(struct srt_js *js, uint32_t array, uint32_t depth)
{
    return alive_climb(js, srt_pool_payload(&js->arrays, array), array, depth,
                       alive_array);
}

/*
 * live_array.c - whether an array can still come to its end
 *
 * Where items must differ it is their numbers that decide: whatever has come,
 * as many are left as there are without it.  Which have come is the trail's
 * business (escape.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/count.h"
#include "constrain/json_schema/live.h"

#include <stdlib.h>
#include <string.h>

enum { ALIVE_MANY = 1 << 16 }; /* values: more than an array will have items */

/* What is asked of an item, where everything has to hold. */
static srt_dd alive_item(struct srt_js *js, const struct srt_array_table *t,
                         const struct srt_array_state *a, uint32_t at)
{
    srt_dd duty = SRT_DD_TRUE;

    for (uint32_t i = 0; i < t->n_checks && duty != 0; i++)
        if (srt_dd_given(&js->dd, a->diagram, t->check[i], false) != a->diagram)
            duty = srt_dd_and(&js->dd, duty, srt_array_fact(js, t, i, at));
    return duty;
}

/*
 * Whether `least` items can differ, whichever have come.  An item with more
 * values than items stand before it can always have one of its own; and so can
 * all where all are asked the same and there are enough.  Otherwise what has
 * come would decide, which only a trail knows.
 */
static bool alive_different(struct srt_js *js, const struct srt_array_table *t,
                            const struct srt_array_state *a, uint32_t least,
                            uint32_t depth)
{
    const uint32_t rest = least < t->n_prefix ? least : t->n_prefix;
    const srt_dd last = alive_item(js, t, a, t->n_prefix);
    bool alike = true, ample = true;

    if (least < 2)
        return true;
    for (uint32_t at = 0; at < rest && srt_js_ok(js); at++) {
        const srt_dd duty = alive_item(js, t, a, at);

        ample &= srt_count_values(js, duty, depth, (uint64_t)at + 1) > at;
        alike &= duty == (least > t->n_prefix ? last : alive_item(js, t, a, 0));
    }
    if (least > t->n_prefix)
        ample &= srt_count_values(js, last, depth, least) >= least;
    if (!ample && !alike)
        srt_js_fail(js, SORTES_E_LIMIT);
    return ample;
}

/* Values that must differ, where every item is asked the same. */
static bool alive_values(struct srt_js *js, const struct srt_array_table *t,
                         const struct srt_array_state *a, uint32_t more,
                         uint32_t depth)
{
    const srt_dd duty = alive_item(js, t, a, 0);

    for (uint32_t i = 0; i < t->values->n && more && srt_js_ok(js); i++)
        more -= !srt_set_has(js, a->seen, i) &&
                srt_js_can(js,
                           srt_dd_and(&js->dd, duty,
                                      srt_js_duty(js, t->values->node[i], 0)),
                           depth);
    return more == 0;
}

/* What a diagram that is a conjunction asks of an array. */
struct alive_array {
    uint32_t least, most;   /* items in all */
    uint32_t found, spared; /* of them, that a contains looks for: at least, at
                               most */
    uint32_t contains;      /* its variable, or NONE */
};

/* false: it is none. */
static bool alive_read_array(struct srt_js *js, srt_dd f, struct alive_array *w)
{
    w->least = w->found = 0;
    w->most = w->spared = UINT32_MAX;
    w->contains = SRT_NONE;
    while (!srt_dd_is_terminal(f)) {
        const struct srt_dd_node *node = srt_dd_at(&js->dd, f);
        const struct srt_question *q = srt_js_question(js, node->variable);
        const bool has = node->low == 0;

        if (!has && (node->high != 0 ||
                     (q->type != SRT_ASK_COUNT && q->type != SRT_ASK_CONTAINS)))
            return false;
        if (q->type == SRT_ASK_COUNT && has && q->a > w->least)
            w->least = q->a;
        if (q->type == SRT_ASK_COUNT && !has && q->a - 1 < w->most)
            w->most = q->a - 1;
        if (q->type == SRT_ASK_CONTAINS) {
            w->contains = node->variable;
            if (has && q->c > w->found)
                w->found = q->c;
            if (!has && q->c - 1 < w->spared)
                w->spared = q->c - 1;
        }
        f = has ? node->high : node->low;
    }
    return true;
}

/*
 * Items that must differ, all asked the same, some of them looked for: whatever
 * has come, it is the numbers of both sorts that decide.
 */
static bool alive_contains(struct srt_js *js, const struct srt_array_table *t,
                           const struct srt_array_state *a,
                           const struct alive_array *w, uint32_t depth)
{
    const struct srt_question *q = srt_js_question(js, w->contains);
    const srt_dd item = alive_item(js, t, a, 0);
    const srt_dd found = srt_js_duty(js, q->a, q->b);
    const uint64_t enough = (uint64_t)w->least + w->found;
    uint64_t yes =
        srt_count_values(js, srt_dd_and(&js->dd, item, found), depth, enough);
    const uint64_t no = srt_count_values(
        js, srt_dd_if(&js->dd, found, SRT_DD_FALSE, item), depth, enough);

    if (w->found > w->spared || yes < w->found || a->counter[0] > w->spared)
        return false;
    if (w->found > a->counter[0] &&
        (uint64_t)a->at + w->found - a->counter[0] > w->most)
        return false;
    yes = yes < w->spared ? yes : w->spared;
    return yes + no >= w->least;
}

/* For a conjunction; -1: it is none, or a search has to tell. */
static int alive_simple_array(struct srt_js *js, uint32_t array, uint32_t depth)
{
    const struct srt_array_table *t = srt_array_table_of(js, array);
    struct srt_array_state a;
    struct alive_array w;

    srt_array_load(js, array, &a);
    if (!alive_read_array(js, a.diagram, &w))
        return -1;
    if (w.least > w.most)
        return 0;
    if (w.contains != SRT_NONE)
        return t->trails && !t->values && !t->n_prefix && t->n_counters == 1
                   ? alive_contains(js, t, &a, &w, depth)
                   : -1;
    if (t->values)
        return t->n_prefix
                   ? -1
                   : alive_values(js, t, &a,
                                  w.least > a.at ? w.least - a.at : 0, depth);
    for (uint32_t at = a.at; at < w.least && at <= t->n_prefix; at++) {
        const srt_dd duty = alive_item(js, t, &a, at);

        if (duty == 0 || !srt_js_ok(js) || !srt_js_can(js, duty, depth))
            return 0;
    }
    return !t->trails || alive_different(js, t, &a, w.least, depth);
}

/* ---- arrays that `contains` counts in ------------------------------------ */

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

/* Every state that can be reached, until one may end; sure: by items of which
 * there are very many. */
static bool alive_search_array(struct srt_js *js, uint32_t array,
                               uint32_t depth, bool sure)
{
    struct alive_arrays l;
    bool found = false;
    uint32_t number;

    l.js = js;
    srt_pool_init(&l.visited, 0, SRT_POOL_MAX, SIZE_MAX);
    srt_js_intern(js, &l.visited, &array, sizeof(array));
    for (uint32_t i = 1; i <= l.visited.n && !found && srt_js_work(js); i++) {
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
                one != 0 && srt_js_can(js, one, depth) &&
                        (!sure || srt_count_values(js, one, depth,
                                                   ALIVE_MANY) == ALIVE_MANY)
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
    if (simple >= 0)
        return simple;
    if (!srt_array_trails(js, array))
        return alive_search_array(js, array, depth, false);
    if (alive_search_array(js, array, depth, true))
        return true;
    /* What has come would decide, which only a trail knows. */
    if (srt_js_ok(js) && alive_search_array(js, array, depth, false))
        srt_js_fail(js, SORTES_E_LIMIT);
    return false;
}

bool srt_array_alive(struct srt_js *js, uint32_t array, uint32_t depth)
{
    return srt_alive_climb(js, srt_pool_payload(&js->arrays, array), array,
                           depth, alive_array);
}

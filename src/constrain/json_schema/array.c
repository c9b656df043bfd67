/*
 * array.c - an array, item by item
 *
 * As object.c has it: a diagram is left over, into which come what has failed
 * and which counts have been reached.  Items that `contains` looks for are
 * counted as long as anyone asks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/frame.h"

#include "constrain/json_schema/unevaluated.h"

#include <stdlib.h>
#include <string.h>

/* ---- tables -------------------------------------------------------------- */

static struct srt_array_table *array_table_at(const struct srt_js *js,
                                              uint32_t table)
{
    return *(struct srt_array_table **)srt_pool_payload(&js->array_tables,
                                                        table);
}

void srt_array_load(const struct srt_js *js, uint32_t array,
                    struct srt_array_state *a)
{
    size_t n;
    const void *key = srt_pool_key(&js->arrays, array, &n);

    memset(a, 0, sizeof(*a));
    memcpy(a, key, n);
}

struct srt_array_table *srt_array_table_of(const struct srt_js *js,
                                           uint32_t array)
{
    const uint32_t *table = srt_pool_key(&js->arrays, array, NULL);

    return array_table_at(js, *table);
}

/* The counter of a contains: one for each schema that is looked for. */
static void array_add_contains(struct srt_js *js, struct srt_array_table *t,
                               uint32_t variable)
{
    const struct srt_question *q = srt_js_question(js, variable);
    uint32_t counter = t->n_counters;

    for (uint32_t i = 0; i < t->n_contains; i++) {
        const struct srt_question *other = srt_js_question(js, t->contains[i]);

        if (other->a == q->a && other->b == q->b)
            counter = t->counter[i];
    }
    if (counter == SRT_ARRAY_COUNTERS) {
        srt_js_fail(js, SORTES_E_LIMIT);
        return;
    }
    if (counter == t->n_counters)
        t->n_counters++;
    t->contains[t->n_contains] = variable;
    t->counter[t->n_contains++] = counter;
}

static void array_add(struct srt_js *js, struct srt_array_table *t,
                      uint32_t variable)
{
    const struct srt_question *q = srt_js_question(js, variable);
    struct srt_cover cover;
    uint32_t n_prefix = 0;

    switch (q->type) {
    case SRT_ASK_ITEMS:
        n_prefix =
            SRT_SCHEMA_AT(js->schema->items, struct srt_schema_items, q->a)
                ->n_prefix;
        t->check[t->n_checks++] = variable;
        break;
    case SRT_ASK_LEFT_ITEMS:
        srt_cover_read(js, q->a, &cover);
        n_prefix = cover.n_prefix;
        t->check[t->n_checks++] = variable;
        break;
    case SRT_ASK_CONTAINS:
        array_add_contains(js, t, variable);
        break;
    case SRT_ASK_COUNT:
        t->counts[t->n_counts++] = variable;
        break;
    case SRT_ASK_UNIQUE:
        t->unique[t->n_unique++] = variable;
        if (q->a) /* of several lists, one that differs is enough */
            t->values =
                SRT_SCHEMA_AT(js->schema->lists, struct srt_schema_list, q->a);
        else
            t->trails = true;
        break;
    default:
        break;
    }
    t->n_prefix = n_prefix > t->n_prefix ? n_prefix : t->n_prefix;
}

static struct srt_array_table *array_table_make(struct srt_js *js, srt_dd duty)
{
    struct srt_array_table *t = srt_js_take(js, 1, sizeof(*t));
    uint32_t *variable;
    size_t n;
    sortes_status status;

    if (!t)
        return NULL;
    t->diagram = srt_js_expand(js, duty, SRT_KIND_ARRAY);
    status = srt_dd_variables(&js->dd, t->diagram, &variable, &n);
    if (status != SORTES_OK) {
        srt_js_fail(js, status);
        return NULL;
    }
    t->check = srt_js_take(js, n, sizeof(*t->check));
    t->contains = srt_js_take(js, n, sizeof(*t->contains));
    t->counter = srt_js_take(js, n, sizeof(*t->counter));
    t->counts = srt_js_take(js, n, sizeof(*t->counts));
    t->unique = srt_js_take(js, n, sizeof(*t->unique));
    for (size_t i = 0; i < n && srt_js_ok(js); i++)
        array_add(js, t, variable[i]);
    free(variable);
    return srt_js_ok(js) ? t : NULL;
}

static uint32_t array_table(struct srt_js *js, srt_dd duty)
{
    const uint32_t number =
        srt_js_intern(js, &js->array_tables, &duty, sizeof(duty));
    struct srt_array_table **place, *t;

    if (!number)
        return 0;
    place = srt_pool_payload(&js->array_tables, number);
    if (!*place) {
        t = array_table_make(js, duty);
        if (!t)
            return 0;
        *place = t;
    }
    return number;
}

/* ---- states -------------------------------------------------------------- */

static bool array_asks(struct srt_js *js, srt_dd diagram, uint32_t variable)
{
    return srt_dd_given(&js->dd, diagram, variable, false) != diagram ||
           srt_dd_given(&js->dd, diagram, variable, true) != diagram;
}

/* Interns a state in its least form. */
static uint32_t array_make(struct srt_js *js, struct srt_array_state *a)
{
    const struct srt_array_table *t = array_table_at(js, a->table);
    uint32_t most = t->n_prefix;
    bool asked[SRT_ARRAY_COUNTERS] = { false };

    for (uint32_t i = 0; i < t->n_counts; i++)
        if (array_asks(js, a->diagram, t->counts[i]) &&
            srt_js_question(js, t->counts[i])->a > most)
            most = srt_js_question(js, t->counts[i])->a;
    if (a->at > most)
        a->at = most;
    for (uint32_t i = 0; i < t->n_contains; i++)
        if (array_asks(js, a->diagram, t->contains[i]))
            asked[t->counter[i]] = true;
    for (uint32_t i = 0; i < t->n_counters; i++)
        if (!asked[i])
            a->counter[i] = 0;
    for (uint32_t i = 0; i < t->n_unique; i++)
        if (srt_dd_given(&js->dd, a->diagram, t->unique[i], false) != 0)
            srt_js_fail(js, SORTES_E_LIMIT); /* it would have to be known */
    return srt_js_intern(js, &js->arrays, a,
                         offsetof(struct srt_array_state, counter) +
                             t->n_counters * sizeof(uint32_t));
}

uint32_t srt_array_start(struct srt_js *js, srt_dd duty)
{
    const uint32_t table = array_table(js, duty);
    struct srt_array_state a;

    memset(&a, 0, sizeof(a));
    if (!table)
        return 0;
    a.table = table;
    a.diagram = array_table_at(js, table)->diagram;
    return a.diagram == 0 ? 0 : array_make(js, &a);
}

static bool array_answer(void *ctx, uint32_t variable)
{
    const struct srt_js *js = ctx;
    const uint32_t type = srt_js_question(js, variable)->type;

    return type != SRT_ASK_COUNT && type != SRT_ASK_CONTAINS;
}

uint32_t srt_array_close(struct srt_js *js, uint32_t array)
{
    struct srt_life *life = srt_pool_payload(&js->arrays, array);
    const struct srt_array_state *a = srt_pool_key(&js->arrays, array, NULL);

    if (!life->close_known) {
        life->close = srt_dd_ask(&js->dd, a->diagram, array_answer, js);
        life->close_known = true;
    }
    return life->close;
}

bool srt_array_trails(const struct srt_js *js, uint32_t array)
{
    return srt_array_table_of(js, array)->trails;
}

/* ---- an item ------------------------------------------------------------- */

srt_dd srt_array_fact(struct srt_js *js, const struct srt_array_table *t,
                      uint32_t check, uint32_t at)
{
    const struct srt_question *q = srt_js_question(js, t->check[check]);
    const struct srt_schema_items *items;
    struct srt_cover cover;
    srt_dd duty;

    if (q->type == SRT_ASK_ITEMS) {
        items = SRT_SCHEMA_AT(js->schema->items, struct srt_schema_items, q->a);
        if (at < items->n_prefix)
            return srt_js_duty(js, items->prefix[at], q->b);
        return items->has_rest ? srt_js_duty(js, items->rest, q->b)
                               : SRT_DD_TRUE;
    }
    srt_cover_read(js, q->a, &cover);
    if (at < cover.n_prefix)
        return SRT_DD_TRUE;
    duty = srt_js_duty(js, cover.rest, q->b);
    for (uint32_t i = 0; i < cover.n_parts; i++)
        duty = srt_dd_or(&js->dd, duty, srt_js_duty(js, cover.part[i], q->b));
    return duty;
}

struct array_item {
    struct srt_js *js;
    const struct srt_array_table *t;
    uint32_t at, depth;
    srt_array_leaf *leaf;
    void *ctx;
};

static srt_dd array_count(struct array_item *p, struct srt_array_state a,
                          uint32_t counter, srt_dd known);

/* The checks from `check` on, then what `contains` looks for; known as in
 * object.c. */
static srt_dd array_vector(struct array_item *p, struct srt_array_state a,
                           uint32_t check, srt_dd known)
{
    struct srt_decisions *dd = &p->js->dd;
    struct srt_array_state other;
    srt_dd fact, failed, yes, no, with, without;

    for (;; check++) {
        if (a.diagram == 0 || !srt_js_ok(p->js))
            return 0;
        if (check == p->t->n_checks)
            return array_count(p, a, 0, known);
        failed = srt_dd_given(dd, a.diagram, p->t->check[check], false);
        if (failed == a.diagram)
            continue;
        fact = srt_array_fact(p->js, p->t, check, p->at);
        if (fact == SRT_DD_FALSE)
            a.diagram = failed;
        else if (fact != SRT_DD_TRUE)
            break;
    }
    other = a;
    other.diagram = failed;
    with = srt_dd_and(dd, known, fact);
    without = srt_dd_if(dd, fact, SRT_DD_FALSE, known);
    yes = !failed || srt_js_can(p->js, with, p->depth)
              ? array_vector(p, a, check + 1, with)
              : 0;
    no = failed && srt_js_can(p->js, without, p->depth)
             ? array_vector(p, other, check + 1, without)
             : 0;
    return srt_dd_if(dd, fact, yes, no);
}

/* One more of what a counter counts. */
static void array_found(struct array_item *p, struct srt_array_state *a,
                        uint32_t counter)
{
    a->counter[counter]++;
    for (uint32_t i = 0; i < p->t->n_contains; i++)
        if (p->t->counter[i] == counter &&
            srt_js_question(p->js, p->t->contains[i])->c <= a->counter[counter])
            a->diagram =
                srt_dd_given(&p->js->dd, a->diagram, p->t->contains[i], true);
}

static bool array_counts(struct array_item *p, const struct srt_array_state *a,
                         uint32_t counter, const struct srt_question **q)
{
    bool asked = false;

    for (uint32_t i = 0; i < p->t->n_contains; i++)
        if (p->t->counter[i] == counter) {
            *q = srt_js_question(p->js, p->t->contains[i]);
            asked |= array_asks(p->js, a->diagram, p->t->contains[i]);
        }
    return asked;
}

/* Which of the values it is that must differ. */
static srt_dd array_values(struct array_item *p, struct srt_array_state a,
                           srt_dd known)
{
    struct srt_js *js = p->js;
    const struct srt_schema_list *values = p->t->values;
    const uint32_t before = a.seen;
    srt_dd duty = SRT_DD_FALSE;

    for (uint32_t i = values->n; i-- > 0 && srt_js_ok(js);) {
        const srt_dd is = srt_js_duty(js, values->node[i], 0);
        uint32_t array;

        if (srt_set_has(js, before, i) ||
            !srt_js_can(js, srt_dd_and(&js->dd, known, is), p->depth))
            continue;
        a.seen = srt_set_with(js, before, i);
        array = array_make(js, &a);
        duty = srt_dd_if(&js->dd, is, array ? p->leaf(p->ctx, array) : 0, duty);
    }
    return duty;
}

static srt_dd array_count(struct array_item *p, struct srt_array_state a,
                          uint32_t counter, srt_dd known)
{
    const struct srt_question *q = NULL;
    struct srt_array_state found;
    srt_dd fact, yes, no, with, without;
    uint32_t array;

    while (counter < p->t->n_counters && !array_counts(p, &a, counter, &q))
        counter++;
    if (a.diagram == 0 || !srt_js_ok(p->js))
        return 0;
    if (counter == p->t->n_counters && p->t->values)
        return array_values(p, a, known);
    if (counter == p->t->n_counters) {
        array = array_make(p->js, &a);
        return array ? p->leaf(p->ctx, array) : 0;
    }
    fact = srt_js_duty(p->js, q->a, q->b);
    found = a;
    array_found(p, &found, counter);
    with = srt_dd_and(&p->js->dd, known, fact);
    without = srt_dd_if(&p->js->dd, fact, SRT_DD_FALSE, known);
    yes = srt_js_can(p->js, with, p->depth)
              ? array_count(p, found, counter + 1, with)
              : 0;
    no = srt_js_can(p->js, without, p->depth)
             ? array_count(p, a, counter + 1, without)
             : 0;
    return srt_dd_if(&p->js->dd, fact, yes, no);
}

srt_dd srt_array_item(struct srt_js *js, uint32_t array, uint32_t depth,
                      srt_array_leaf *leaf, void *ctx)
{
    struct array_item p = { js, srt_array_table_of(js, array), 0, depth, leaf,
                            ctx };
    struct srt_array_state a;

    srt_array_load(js, array, &a);
    p.at = a.at;
    if (a.at < UINT32_MAX)
        a.at++;
    a.last = !srt_js_has(js, ",");
    for (uint32_t i = 0; i < p.t->n_counts; i++)
        if (srt_js_question(js, p.t->counts[i])->a <= a.at)
            a.diagram = srt_dd_given(&js->dd, a.diagram, p.t->counts[i], true);
    return array_vector(&p, a, 0, SRT_DD_TRUE);
}

/* ---- slots --------------------------------------------------------------- */

struct array_slot {
    struct srt_js *js;
    uint32_t depth;
    struct srt_ids next; /* states by outcome - 1 */
};

static uint32_t array_slot_leaf(void *ctx, uint32_t array)
{
    struct array_slot *s = ctx;

    if (!srt_array_alive(s->js, array, s->depth))
        return 0;
    return srt_slot_outcome(s->js, &s->next, array);
}

uint32_t srt_array_slot(struct srt_js *js, uint32_t array, uint32_t depth)
{
    const struct srt_place_slot_key key = { SRT_KIND_ARRAY, array, 0, depth };
    const uint32_t number = srt_js_intern(js, &js->slots, &key, sizeof(key));
    struct array_slot s = { js, depth, { NULL, 0, 0 } };
    struct srt_place_slot *slot;
    srt_dd duty;

    if (!number)
        return 0;
    slot = srt_pool_payload(&js->slots, number);
    if (slot->made)
        return number;
    duty = srt_array_item(js, array, depth, array_slot_leaf, &s);
    return srt_slot_fill(js, slot, duty, &s.next) ? number : 0;
}

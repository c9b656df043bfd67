/*
 * count.c - how many values there are, up to as many as anyone needs
 *
 * Strings by their characters, arrays by their items and objects by their
 * names, one step at a time: a layer holds the states that so many steps lead
 * to, each with the number of ways there.  Different ways make different
 * values, and every state can be completed, so a layer with ways enough ends
 * the count.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/count.h"

#include "constrain/json_schema/number.h"
#include "constrain/json_schema/text.h"

#include <string.h>

enum { COUNT_KEYS = 4096 };

/* ---- layers -------------------------------------------------------------- */

/* States are pool keys; the payload is the number of ways, at most `most`. */
struct count {
    struct srt_js *js;
    uint64_t most, found;
    struct srt_pool now, next;
};

static void count_begin(struct count *c, struct srt_js *js, uint64_t most)
{
    c->js = js;
    c->most = most;
    c->found = 0;
    srt_pool_init(&c->now, sizeof(uint64_t), SRT_POOL_MAX, SIZE_MAX);
    srt_pool_init(&c->next, sizeof(uint64_t), SRT_POOL_MAX, SIZE_MAX);
}

static uint64_t count_end(struct count *c)
{
    srt_pool_clear(&c->now);
    srt_pool_clear(&c->next);
    return c->found < c->most ? c->found : c->most;
}

static uint64_t count_product(const struct count *c, uint64_t a, uint64_t b)
{
    return a && b > c->most / a ? c->most : a * b;
}

static void count_find(struct count *c, uint64_t ways)
{
    c->found = ways > c->most - c->found ? c->most : c->found + ways;
}

/* ways more to a state of the next layer. */
static void count_add(struct count *c, const void *state, size_t n,
                      uint64_t ways)
{
    uint32_t number;
    uint64_t *sum;
    const sortes_status status =
        ways ? srt_pool_intern(&c->next, state, n, &number, NULL) : SORTES_OK;

    if (status != SORTES_OK)
        srt_js_fail(c->js, status);
    if (status != SORTES_OK || !ways)
        return;
    sum = srt_pool_payload(&c->next, number);
    *sum = ways > c->most - *sum ? c->most : *sum + ways;
}

static uint64_t count_ways(const struct count *c, uint32_t number)
{
    return *(const uint64_t *)srt_pool_payload(&c->now, number);
}

/* The next layer's turn; false: the count is at its end. */
static bool count_turn(struct count *c)
{
    const struct srt_pool empty = c->now;
    uint64_t ways = c->found;

    c->now = c->next;
    c->next = empty;
    srt_pool_clear(&c->next);
    srt_pool_init(&c->next, sizeof(uint64_t), SRT_POOL_MAX, SIZE_MAX);
    for (uint32_t i = 1; i <= c->now.n && ways < c->most; i++)
        ways += count_ways(c, i);
    return c->now.n && ways < c->most && srt_js_ok(c->js) && srt_js_work(c->js);
}

/* ---- strings ------------------------------------------------------------- */

static void count_characters(struct count *c, struct srt_unit *u,
                             const uint32_t *sizes)
{
    for (uint32_t i = 1; i <= c->now.n && srt_js_ok(c->js); i++) {
        const uint64_t ways = count_ways(c, i);
        uint32_t state, next;

        memcpy(&state, srt_pool_key(&c->now, i, NULL), sizeof(state));
        if (srt_text_outcome(c->js, u, state))
            count_find(c, ways);
        for (uint32_t k = 0; k < u->n_classes && c->found < c->most; k++) {
            const sortes_status status = srt_text_step(u, state, k, &next);

            if (status != SORTES_OK)
                srt_js_fail(c->js, status);
            else if (next)
                count_add(c, &next, sizeof(next),
                          count_product(c, ways, sizes[k]));
        }
    }
}

uint64_t srt_count_texts(struct srt_js *js, struct srt_unit *u, uint32_t state,
                         uint64_t most)
{
    const uint32_t *sizes = srt_unit_class_sizes(js, u);
    struct count c;

    if (!sizes || !state || srt_text_is_endless(js, u, state))
        return state ? most : 0;
    count_begin(&c, js, most);
    count_add(&c, &state, sizeof(state), 1);
    /* The last layer's states are alive: as many strings as ways. */
    while (count_turn(&c))
        count_characters(&c, u, sizes);
    for (uint32_t i = 1; i <= c.now.n; i++)
        count_find(&c, count_ways(&c, i));
    return count_end(&c);
}

/* The same of a state of the book. */
static uint64_t count_book(struct srt_js *js, struct srt_unit *u,
                           uint32_t state, uint64_t most)
{
    const uint32_t *sizes = srt_unit_class_sizes(js, u);
    uint32_t shortest, longest, next;
    bool interval;
    struct count c;

    if (!sizes || !state ||
        srt_book_lengths(u->book, state, &shortest, &longest, &interval) !=
            SORTES_OK ||
        longest == UINT32_MAX)
        return state ? most : 0;
    count_begin(&c, js, most);
    count_add(&c, &state, sizeof(state), 1);
    while (count_turn(&c))
        for (uint32_t i = 1; i <= c.now.n && srt_js_ok(js); i++) {
            const uint64_t ways = count_ways(&c, i);

            memcpy(&state, srt_pool_key(&c.now, i, NULL), sizeof(state));
            if (srt_book_accepts(u->book, state))
                count_find(&c, ways);
            for (uint32_t k = 0; k < u->n_classes; k++)
                if (u->book_class[k] != UINT32_MAX &&
                    srt_book_step(u->book, state, u->book_class[k], &next) ==
                        SORTES_OK &&
                    next)
                    count_add(&c, &next, sizeof(next),
                              count_product(&c, ways, sizes[k]));
        }
    for (uint32_t i = 1; i <= c.now.n; i++)
        count_find(&c, count_ways(&c, i));
    return count_end(&c);
}

/* ---- arrays -------------------------------------------------------------- */

struct count_leaves {
    struct srt_js *js;
    uint32_t list[64], n;
};

static uint32_t count_leaf(void *ctx, uint32_t left)
{
    struct count_leaves *l = ctx;

    for (uint32_t i = 0; i < l->n; i++)
        if (l->list[i] == left)
            return i + 1;
    if (l->n == SRT_COUNT(l->list))
        return srt_js_fail(l->js, SORTES_E_LIMIT);
    l->list[l->n++] = left;
    return l->n;
}

/* Another item, the i-th.  Where items must differ, and all are asked the same,
 * each has one value less than the one before it. */
static void count_items(struct count *c, uint32_t depth, uint32_t i)
{
    for (uint32_t k = 1; k <= c->now.n && srt_js_ok(c->js); k++) {
        const uint64_t ways = count_ways(c, k);
        struct count_leaves l = { .js = c->js };
        struct srt_array_state a;
        uint32_t array;
        srt_dd duty;

        memcpy(&array, srt_pool_key(&c->now, k, NULL), sizeof(array));
        if (srt_array_close(c->js, array))
            count_find(c, ways);
        srt_array_load(c->js, array, &a);
        duty = a.last ? 0 : srt_array_item(c->js, array, depth, count_leaf, &l);
        for (uint32_t j = 0; j < l.n && srt_js_ok(c->js); j++) {
            uint64_t n = srt_count_values(
                c->js, srt_dd_is(&c->js->dd, duty, j + 1), depth, c->most);

            if (!srt_array_alive(c->js, l.list[j], depth))
                continue;
            if (srt_array_trails(c->js, array) && n < c->most) {
                if (l.n > 1 || srt_array_table_of(c->js, array)->n_prefix)
                    srt_js_fail(c->js, SORTES_E_LIMIT);
                n = n > i ? n - i : 0;
            }
            count_add(c, &l.list[j], sizeof(l.list[j]),
                      count_product(c, ways, n));
        }
    }
}

static uint64_t count_arrays(struct srt_js *js, srt_dd duty, uint32_t depth,
                             uint64_t most)
{
    const uint32_t array = srt_array_start(js, duty);
    struct count c;

    if (!array || !srt_array_alive(js, array, depth))
        return 0;
    count_begin(&c, js, most);
    count_add(&c, &array, sizeof(array), 1);
    for (uint32_t i = 0; count_turn(&c); i++)
        count_items(&c, depth, i);
    for (uint32_t i = 1; i <= c.now.n; i++)
        count_find(&c, count_ways(&c, i));
    return count_end(&c);
}

/* ---- objects ------------------------------------------------------------- */

struct count_object {
    srt_dd diagram;
    uint32_t count;
};

/* Keys beyond which it makes no difference how many there are. */
static uint32_t count_cap(struct srt_js *js, const struct srt_object_table *t)
{
    uint32_t cap = 0;

    for (uint32_t i = 0; i < t->n_pairs; i++)
        if (srt_js_question(js, t->pairs[i])->a > cap)
            cap = srt_js_question(js, t->pairs[i])->a;
    return cap;
}

static uint32_t count_key_leaf(void *ctx, const srt_dd *left)
{
    return count_leaf(ctx, *left);
}

/* A key comes, one of so many, or does not. */
static void count_key(struct count *c, struct srt_object_table *t,
                      uint32_t what, uint32_t depth, uint64_t keys)
{
    const uint32_t cap = count_cap(c->js, t);
    const bool named = what < t->n_names;
    const uint32_t has = named ? t->name[what].has : SRT_NONE;

    for (uint32_t i = 1; i <= c->now.n && srt_js_ok(c->js); i++) {
        const uint64_t ways = count_ways(c, i);
        struct count_leaves l = { .js = c->js };
        struct count_object at;
        struct srt_object_key key;
        srt_dd duty = 0;

        memcpy(&at, srt_pool_key(&c->now, i, NULL), sizeof(at));
        key = (struct srt_object_key){ &at.diagram, 1, at.count, what, depth };
        if (!named || t->name[what].writable)
            duty = srt_object_pair(c->js, t, &key, count_key_leaf, &l);
        for (uint32_t j = 0; j < l.n && srt_js_ok(c->js); j++) {
            const struct count_object to = { l.list[j],
                                             at.count + (at.count < cap) };
            const uint64_t n = srt_count_values(
                c->js, srt_dd_is(&c->js->dd, duty, j + 1), depth, c->most);

            if (to.diagram)
                count_add(c, &to, sizeof(to),
                          count_product(c, count_product(c, ways, n), keys));
        }
        if (has != SRT_NONE)
            at.diagram = srt_dd_given(&c->js->dd, at.diagram, has, false);
        if (at.diagram)
            count_add(c, &at, sizeof(at), ways);
    }
}

/* Unlike strings and arrays, not every state here can be completed: the ways
 * are added up at the end. */
static bool count_object_turn(struct count *c)
{
    (void)count_turn(c);
    return srt_js_ok(c->js);
}

/* The keys of a cell, one after the other; of those without number, as many as
 * make a difference. */
static bool count_cell(struct count *c, struct srt_object_table *t,
                       uint32_t cell, uint32_t depth)
{
    const uint64_t keys = srt_count_cell(c->js, t, cell, c->most);
    const bool many = keys == c->most;
    const uint64_t n = many ? (uint64_t)count_cap(c->js, t) + 1 : keys;

    if (n > COUNT_KEYS) {
        srt_js_fail(c->js, SORTES_E_LIMIT);
        return false;
    }
    for (uint64_t i = 0; i < n; i++) {
        count_key(c, t, t->n_names + cell, depth, many ? keys : 1);
        if (!count_object_turn(c))
            return false;
    }
    return true;
}

static uint64_t count_objects(struct srt_js *js, srt_dd duty, uint32_t depth,
                              uint64_t most)
{
    const uint32_t object = srt_object_start(js, duty);
    struct count_object at = { srt_js_expand(js, duty, SRT_KIND_OBJECT), 0 };
    struct srt_object_table *t;
    struct count c;
    bool goes;

    if (!object || !srt_object_alive(js, object, depth))
        return 0;
    t = srt_object_table_of(js, object);
    count_begin(&c, js, most);
    count_add(&c, &at, sizeof(at), 1);
    goes = count_object_turn(&c);
    for (uint32_t i = 0; goes && i < t->n_names; i++) {
        count_key(&c, t, i, depth, 1);
        goes = count_object_turn(&c);
    }
    for (uint32_t i = 0; goes && i < t->n_cells; i++)
        goes = count_cell(&c, t, i, depth);
    for (uint32_t i = 1; i <= c.now.n && goes; i++) {
        memcpy(&at, srt_pool_key(&c.now, i, NULL), sizeof(at));
        if (srt_object_ends(js, at.diagram))
            count_find(&c, count_ways(&c, i));
    }
    return count_end(&c);
}

/* What the trie has is not the lane's. */
static uint64_t count_named(struct srt_js *js, struct srt_unit *u,
                            const struct srt_object_table *t, srt_regex regex)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < t->n_names; i++)
        n += t->name[i].writable &&
             srt_text_matches(js, u, regex, t->name[i].name);
    return n;
}

uint64_t srt_count_cell(struct srt_js *js, const struct srt_object_table *t,
                        uint32_t cell, uint64_t most)
{
    struct srt_unit *u = &js->unit[SRT_UNIT_KEYS];
    const srt_regex regex = t->cell[cell].regex;
    uint64_t n, named;
    uint32_t state = 0;

    if (regex == SRT_LANE_ANYTHING)
        return most;
    if (srt_book_start(u->book, regex, &state) != SORTES_OK)
        return srt_js_fail(js, SORTES_E_LIMIT);
    named = count_named(js, u, t, regex);
    n = count_book(js, u, state, most + named);
    return n - (named < n ? named : n);
}

/* ---- values -------------------------------------------------------------- */

static uint64_t count_scalars(struct srt_js *js, srt_dd duty, uint64_t most)
{
    uint64_t n = 0;
    uint32_t plan;
    srt_dd d;

    for (int kind = SRT_KIND_NULL; kind <= SRT_KIND_TRUE; kind++)
        n += srt_js_expand(js, duty, (enum srt_kind)kind) != 0 &&
             srt_js_has(js, srt_js_words[kind]);
    d = srt_js_expand(js, duty, SRT_KIND_STRING);
    if (n < most && d != 0 && srt_js_has(js, "\"")) {
        plan = srt_text_plan(js, d);
        if (plan)
            n += srt_count_texts(js, &js->unit[srt_text_at(js, plan)->unit],
                                 srt_text_start(js, plan, 0), most);
    }
    d = srt_js_expand(js, duty, SRT_KIND_NUMBER);
    if (n < most && d != 0) {
        plan = srt_number_plan(js, d);
        if (plan)
            n += srt_number_count(js, plan, most);
    }
    return n;
}

static uint64_t count_containers(struct srt_js *js, srt_dd duty, uint32_t depth,
                                 uint64_t most)
{
    const bool array =
        srt_js_expand(js, duty, SRT_KIND_ARRAY) != 0 && srt_js_has(js, "[]");
    const bool object =
        srt_js_expand(js, duty, SRT_KIND_OBJECT) != 0 && srt_js_has(js, "{}");
    uint64_t n = 0;

    js->cut |= depth == 0 && (array || object);
    if (depth > 0 && array)
        n = count_arrays(js, duty, depth - 1, most);
    if (depth > 0 && object && n < most)
        n += count_objects(js, duty, depth - 1, most);
    return n;
}

/* What is remembered of a count: whether there might be more with more levels,
 * and the count. */
struct count_memo {
    bool known, cut;
    uint64_t n;
};

uint64_t srt_count_values(struct srt_js *js, srt_dd duty, uint32_t depth,
                          uint64_t most)
{
    const uint64_t key[3] = { duty, depth, most };
    const bool outer = js->cut;
    struct count_memo *memo;
    uint32_t number;
    uint64_t n;

    if (duty == 0 || !srt_js_ok(js) || !srt_js_can(js, duty, depth))
        return 0;
    if (srt_dd_is_terminal(duty))
        return most;
    number = srt_js_intern(js, &js->counts, key, sizeof(key));
    if (!number)
        return 0;
    memo = srt_pool_payload(&js->counts, number);
    if (memo->known) {
        js->cut |= memo->cut && memo->n < most;
        return memo->n;
    }
    js->cut = false;
    n = count_scalars(js, duty, most);
    if (n < most)
        n += count_containers(js, duty, depth, most);
    n = n < most ? n : most;
    *memo = (struct count_memo){ srt_js_ok(js), js->cut, n };
    js->cut = outer | (memo->cut && n < most);
    return n;
}

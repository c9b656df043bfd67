/*
 * text.c - strings and keys, character by character
 *
 * A plan says which strings there may be: those of a trie, each with its
 * outcome, and beside them disjoint regular languages ("lanes"), each with its
 * bounds on the length.  What stands in the trie is the trie's alone: a lane
 * never takes a string of it.  A state is the trie's node, the count of
 * characters as far as a bound asks for it, and a state of the book for every
 * lane.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/text.h"

#include "constrain/json_schema/trie.h"
#include "unicode.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_EXACT_LENGTHS = 10000, TEXT_HEAD = 4 };

struct srt_text_plan *srt_text_at(const struct srt_js *js, uint32_t plan)
{
    return srt_pool_payload(&js->plans, plan);
}

void srt_text_load(const struct srt_unit *u, uint32_t state,
                   struct srt_text_state *s)
{
    size_t n;
    const void *key = srt_pool_key(&u->states, state, &n);

    memcpy(s, key, n);
}

uint32_t srt_text_intern(struct srt_unit *u, const struct srt_text_state *s)
{
    const struct srt_text_plan *p = srt_text_at(u->js, s->plan);

    return srt_js_intern(u->js, &u->states, s,
                         (TEXT_HEAD + p->n_lanes) * sizeof(uint32_t));
}

/* ---- life of lanes ------------------------------------------------------- */

/* Whether a string of exactly from .. to characters completes the book's state:
 * the states that k characters lead to, for k = 1, 2, ... */
static bool text_exact(struct srt_unit *u, uint32_t state, uint32_t from,
                       uint32_t to)
{
    const uint32_t n_classes = srt_book_n_classes(u->book);
    struct srt_pool now, then, *a = &now, *b = &then;
    bool found = false;

    if (from > TEXT_EXACT_LENGTHS) {
        srt_js_fail(u->js, SORTES_E_LIMIT);
        return false;
    }
    srt_pool_init(a, 0, SRT_POOL_MAX, SIZE_MAX);
    srt_pool_init(b, 0, SRT_POOL_MAX, SIZE_MAX);
    srt_js_intern(u->js, a, &state, sizeof(state));
    for (uint32_t k = 0; srt_js_ok(u->js) && k <= to && a->n && !found; k++) {
        struct srt_pool *swap = a;

        for (uint32_t i = 1; i <= a->n && !found; i++) {
            uint32_t s, next;

            memcpy(&s, srt_pool_key(a, i, NULL), sizeof(s));
            found = k >= from && srt_book_accepts(u->book, s);
            for (uint32_t c = 0; c < n_classes && !found && k < to; c++) {
                const sortes_status status =
                    srt_book_step(u->book, s, c, &next);

                if (status != SORTES_OK)
                    srt_js_fail(u->js, status);
                else if (next)
                    srt_js_intern(u->js, b, &next, sizeof(next));
            }
        }
        a = b;
        b = swap;
        srt_pool_clear(b);
    }
    srt_pool_clear(a);
    srt_pool_clear(b);
    return found;
}

/* Bounds on what is still to come. */
struct text_rest {
    uint32_t from, to;
};

static bool text_rest_of(const struct srt_lane *lane, uint32_t count,
                         struct text_rest *r)
{
    if (count > lane->to)
        return false;
    r->from = count < lane->from ? lane->from - count : 0;
    r->to = lane->to == UINT32_MAX ? UINT32_MAX : lane->to - count;
    return true;
}

bool srt_text_lane_alive(struct srt_unit *u, const struct srt_lane *lane,
                         uint32_t state, uint32_t count, bool *endless)
{
    struct text_rest r;
    uint32_t shortest, longest;
    bool interval;
    sortes_status status;

    if (!state || !text_rest_of(lane, count, &r))
        return false;
    if (endless)
        *endless = r.to == UINT32_MAX;
    if (state == SRT_LANE_ANYTHING)
        return true;
    if (r.from == 0 && r.to == UINT32_MAX && !endless)
        return true;
    status = srt_book_lengths(u->book, state, &shortest, &longest, &interval);
    if (status != SORTES_OK) {
        srt_js_fail(u->js, status);
        return false;
    }
    if (endless)
        *endless = r.to == UINT32_MAX && longest == UINT32_MAX;
    if (shortest > r.to || longest < r.from)
        return false;
    if (interval || (shortest >= r.from && shortest <= r.to) ||
        (longest != UINT32_MAX && longest >= r.from && longest <= r.to))
        return true;
    return text_exact(u, state, r.from,
                      r.to == UINT32_MAX ? TEXT_EXACT_LENGTHS * 2u : r.to);
}

uint32_t srt_text_lane_step(struct srt_unit *u, uint32_t state, uint32_t class_)
{
    const uint32_t book_class = u->book_class[class_];
    uint32_t next = 0;
    sortes_status status;

    if (book_class == UINT32_MAX || !state)
        return 0;
    if (state == SRT_LANE_ANYTHING)
        return state;
    status = srt_book_step(u->book, state, book_class, &next);
    if (status != SORTES_OK)
        return srt_js_fail(u->js, status);
    return next;
}

static bool text_lane_accepts(const struct srt_unit *u,
                              const struct srt_lane *lane, uint32_t state,
                              uint32_t count)
{
    return state && count >= lane->from && count <= lane->to &&
           (state == SRT_LANE_ANYTHING || srt_book_accepts(u->book, state));
}

uint32_t srt_text_count(const struct srt_text_plan *p, uint32_t count)
{
    return !p->counts ? 0 : count < p->cap ? count + 1 : p->cap;
}

/*
 * Whether a lane is completed by a string that the trie does not have: either
 * it goes on without end, which a trie does not, or some way leaves the trie's
 * nodes alive.
 */
static bool text_beside(struct srt_unit *u, const struct srt_text_plan *p,
                        const struct srt_lane *lane, uint32_t state,
                        uint32_t node, uint32_t count)
{
    const struct srt_trie *t = p->trie;
    bool endless = false;

    if (!srt_text_lane_alive(u, lane, state, count, node ? &endless : NULL))
        return false;
    if (!node || endless)
        return true;
    if (t->node[node].outcome == SRT_TRIE_NONE &&
        text_lane_accepts(u, lane, state, count))
        return true;
    for (uint32_t c = 0; c < u->n_classes && srt_js_ok(u->js); c++) {
        const uint32_t next = srt_text_lane_step(u, state, c);

        if (next && text_beside(u, p, lane, next, srt_trie_child(t, node, c),
                                srt_text_count(p, count)))
            return true;
    }
    return false;
}

/* Whether some key below a node may come next. */
static bool text_key_below(struct srt_js *js, const struct srt_trie *t,
                           uint32_t node, uint32_t owner)
{
    const struct srt_trie_node *n = &t->node[node];
    const struct srt_keyed *k = srt_js_keyed(js, owner);

    for (uint32_t i = n->first; i < n->last && srt_js_ok(js); i++)
        if (srt_object_allows(js, k->object, t->order[i], k->depth))
            return true;
    return false;
}

bool srt_text_takes_any(const struct srt_text_plan *p,
                        const struct srt_text_state *s)
{
    for (uint32_t i = 0; !p->counts && i < p->n_lanes; i++)
        if (s->lane[i] == SRT_LANE_ANYTHING)
            return true;
    return false;
}

static bool text_alive(struct srt_unit *u, const struct srt_text_state *s)
{
    const struct srt_text_plan *p = srt_text_at(u->js, s->plan);

    if (srt_text_takes_any(p, s)) /* more strings than any trie has */
        return true;
    if (s->node &&
        (p->of_keys ? text_key_below(u->js, p->trie, s->node, s->owner)
                    : p->trie->node[s->node].any))
        return true;
    for (uint32_t i = 0; i < p->n_lanes; i++)
        if (text_beside(u, p, &p->lane[i], s->lane[i], s->node, s->count))
            return true;
    return false;
}

/* ---- stepping ------------------------------------------------------------ */

/* Off the trie nobody asks whose key it is. */
static uint32_t text_settle(struct srt_unit *u, struct srt_text_state *s)
{
    if (!text_alive(u, s) || !srt_js_ok(u->js))
        return 0;
    if (!s->node)
        s->owner = 0;
    return srt_text_intern(u, s);
}

uint32_t srt_text_start(struct srt_js *js, uint32_t plan, uint32_t owner)
{
    const struct srt_text_plan *p = srt_text_at(js, plan);
    struct srt_unit *u = &js->unit[p->unit];
    struct srt_text_state s;

    memset(&s, 0, sizeof(s));
    s.plan = plan;
    s.owner = owner;
    s.node = p->trie ? 1 : 0;
    for (uint32_t i = 0; i < p->n_lanes; i++) {
        const srt_regex regex = p->lane[i].regex;
        sortes_status status = SORTES_OK;

        s.lane[i] = SRT_LANE_ANYTHING;
        if (regex != SRT_LANE_ANYTHING)
            status = srt_book_start(u->book, regex, &s.lane[i]);
        if (status != SORTES_OK)
            return srt_js_fail(js, status);
    }
    return text_settle(u, &s);
}

sortes_status srt_text_step(void *unit, uint32_t state, uint32_t class_,
                            uint32_t *next)
{
    struct srt_unit *u = unit;
    struct srt_text_state s;
    const struct srt_text_plan *p;
    bool any = false;

    *next = 0;
    if (u->book_class[class_] == UINT32_MAX)
        return SORTES_OK;
    srt_text_load(u, state, &s);
    p = srt_text_at(u->js, s.plan);
    if (s.node)
        s.node = srt_trie_child(p->trie, s.node, class_);
    s.count = srt_text_count(p, s.count);
    for (uint32_t i = 0; i < p->n_lanes; i++) {
        s.lane[i] = srt_text_lane_step(u, s.lane[i], class_);
        any |= s.lane[i] != 0;
    }
    if (s.node || any)
        *next = text_settle(u, &s);
    if (!srt_js_ok(u->js)) {
        const sortes_status status = u->js->status;

        *next = 0;
        return status;
    }
    return SORTES_OK;
}

uint32_t srt_text_outcome(struct srt_js *js, const struct srt_unit *u,
                          uint32_t state)
{
    const struct srt_text_plan *p;
    struct srt_text_state s;

    srt_text_load(u, state, &s);
    p = srt_text_at(js, s.plan);
    if (s.node && p->trie->node[s.node].outcome != SRT_TRIE_NONE) {
        const uint32_t outcome = p->trie->node[s.node].outcome;

        return p->of_keys ? outcome + 1 : outcome;
    }
    for (uint32_t i = 0; i < p->n_lanes; i++)
        if (text_lane_accepts(u, &p->lane[i], s.lane[i], s.count))
            return p->lane[i].outcome;
    return 0;
}

/* ---- single strings ------------------------------------------------------ */

bool srt_text_matches(struct srt_js *js, struct srt_unit *u, srt_regex regex,
                      uint32_t name)
{
    uint32_t few[128], *classes = few, state = 0;
    const size_t n = srt_unit_classes(u, name, NULL);
    sortes_status status;

    if (regex == SRT_LANE_ANYTHING)
        return true;
    if (n > SRT_COUNT(few))
        classes = malloc(n * sizeof(*classes));
    if (!classes)
        return srt_js_fail(js, SORTES_E_NOMEM);
    srt_unit_classes(u, name, classes);
    status = srt_book_start(u->book, regex, &state);
    for (size_t i = 0; i < n && state && status == SORTES_OK; i++)
        state = srt_text_lane_step(u, state, classes[i]);
    if (classes != few)
        free(classes);
    if (status != SORTES_OK)
        return srt_js_fail(js, status);
    return state && srt_book_accepts(u->book, state);
}

struct text_ask {
    struct srt_js *js;
    struct srt_unit *u;
    uint32_t name;
};

bool srt_text_is_member(const struct srt_js *js, uint32_t number, uint32_t name)
{
    const struct srt_schema_enum *e =
        SRT_SCHEMA_AT(js->schema->enums, struct srt_schema_enum, number);
    uint32_t low = 0, high = e->n_strings;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (e->strings[middle] == name)
            return true;
        if (e->strings[middle] < name)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static bool text_answer(void *ctx, uint32_t variable)
{
    const struct text_ask *a = ctx;
    const struct srt_question *q = srt_js_question(a->js, variable);

    switch (q->type) {
    case SRT_ASK_PATTERN:
        return srt_text_matches(a->js, a->u, a->u->of_pattern[q->a], a->name);
    case SRT_ASK_LENGTH:
        return srt_unit_classes(a->u, a->name, NULL) >= q->a;
    default:
        return srt_text_is_member(a->js, q->a, a->name);
    }
}

uint32_t srt_text_ask(struct srt_js *js, struct srt_unit *u, srt_dd diagram,
                      uint32_t name)
{
    struct text_ask a = { js, u, name };

    return srt_dd_ask(&js->dd, diagram, text_answer, &a);
}

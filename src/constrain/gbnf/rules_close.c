/*
 * rules_close.c - automata without empty steps
 *
 * A state of the result is a set of draft states that do something: what can
 * be reached from one draft state without reading - or from all to which edges
 * of one label lead, so that alternatives with a common beginning are read
 * once.  (That may take exponentially many states; beyond a few times those of
 * the draft, edges are kept apart.)  Equal sets are one state.  Start states
 * stand apart: nothing leads back to them, so that they mean the rule's
 * non-empty texts alone.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/gbnf/rules.h"

#include <string.h>

struct closer {
    struct srt_rules *to;
    const struct srt_draft_rules *d;
    struct srt_pool sets; /* state s is set s + 1: a mark, draft states */
    struct srt_ids set;   /* the one that is being made */
    struct srt_ids todo;
    struct srt_ids closed;  /* of each draft state: its state + 1, or 0 */
    struct srt_ids visited; /* of each draft state: the last walk */
    uint32_t walk;
    bool joined; /* edges of one label are one */
    size_t states_room, edges_room;
};

/* States that joining may add to those of the draft, and memory for its sets,
 * whose sizes may add up to the square. */
enum { CLOSE_JOINED = 1000 };
#define CLOSE_JOINED_BYTES ((size_t)32 << 20)

static int close_compare_numbers(const void *x, const void *y)
{
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

    return (a > b) - (a < b);
}

static int close_compare_edges(const void *x, const void *y)
{
    const struct srt_rule_edge *a = x, *b = y;

    if (a->label != b->label)
        return (a->label & 0xff) != (b->label & 0xff)
                   ? (int)(a->label & 0xff) - (int)(b->label & 0xff)
               : a->label < b->label ? -1
                                     : 1;
    return (a->to > b->to) - (a->to < b->to);
}

static bool close_is_end(const struct srt_draft_rules *d, uint32_t state)
{
    return d->rules[d->rule_of.at[state]].end == state;
}

/* Whether a draft state reads, calls or ends: what only leads on is no part of
 * a set. */
static bool close_does_something(const struct srt_draft_rules *d,
                                 uint32_t state)
{
    for (uint32_t i = d->first.at[state]; i; i = d->arcs[i].next)
        if (d->arcs[i].type != SRT_ARC_EMPTY)
            return true;
    return close_is_end(d, state);
}

static sortes_status close_reach(struct closer *c, uint32_t state)
{
    const sortes_status status = srt_gbnf_step(c->d->timer);

    if (status != SORTES_OK)
        return status;
    if (c->visited.at[state] == c->walk)
        return SORTES_OK;
    c->visited.at[state] = c->walk;
    return srt_ids_add(&c->todo, state);
}

/* Adds to c->set what c->todo can reach without reading. */
static sortes_status close_walk(struct closer *c)
{
    const struct srt_draft_rules *d = c->d;
    sortes_status status = SORTES_OK;

    while (status == SORTES_OK && c->todo.n) {
        const uint32_t state = c->todo.at[--c->todo.n];

        if (close_does_something(d, state))
            status = srt_ids_add(&c->set, state);
        for (uint32_t i = d->first.at[state]; i && status == SORTES_OK;
             i = d->arcs[i].next)
            if (d->arcs[i].type == SRT_ARC_EMPTY ||
                (d->arcs[i].type == SRT_ARC_CALL &&
                 d->rules[d->arcs[i].label].nullable))
                status = close_reach(c, d->arcs[i].to);
    }
    return status;
}

/* The state of c->set; its first number is the mark. */
static sortes_status close_intern(struct closer *c, uint32_t *state)
{
    uint32_t number = 0;
    sortes_status status;

    qsort(c->set.at + 1, c->set.n - 1, sizeof(*c->set.at),
          close_compare_numbers);
    status = srt_pool_intern(&c->sets, c->set.at, c->set.n * sizeof(*c->set.at),
                             &number, NULL);
    *state = number - 1;
    return status;
}

/* A mark of 0, or the draft state of a start + 1. */
static sortes_status close_begin(struct closer *c, uint32_t mark)
{
    c->walk++;
    c->set.n = 0;
    return srt_ids_add(&c->set, mark);
}

static sortes_status close_start(struct closer *c, uint32_t draft,
                                 uint32_t *state)
{
    sortes_status status = close_begin(c, draft + 1);

    if (status == SORTES_OK)
        status = close_reach(c, draft);
    if (status == SORTES_OK)
        status = close_walk(c);
    return status == SORTES_OK ? close_intern(c, state) : status;
}

/* The state of all draft states to which edges[0 .. n - 1] lead. */
static sortes_status close_state(struct closer *c,
                                 const struct srt_rule_edge *edges, size_t n,
                                 uint32_t *state)
{
    const uint32_t only = edges[0].to;
    sortes_status status;

    if (n == 1 && c->closed.at[only]) {
        *state = c->closed.at[only] - 1;
        return SORTES_OK;
    }
    status = close_begin(c, 0);
    for (size_t i = 0; i < n && status == SORTES_OK; i++)
        status = close_reach(c, edges[i].to);
    if (status == SORTES_OK)
        status = close_walk(c);
    if (status == SORTES_OK)
        status = close_intern(c, state);
    if (status == SORTES_OK && n == 1)
        c->closed.at[only] = *state + 1;
    return status;
}

/* Adds the edges of one type from a set of draft states on; they still lead to
 * draft states. */
static sortes_status close_gather(struct closer *c, enum srt_arc_type type,
                                  const uint32_t *set, size_t n)
{
    struct srt_rules *to = c->to;

    for (size_t i = 0; i < n; i++)
        for (uint32_t a = c->d->first.at[set[i]]; a; a = c->d->arcs[a].next) {
            const struct srt_arc *arc = &c->d->arcs[a];
            void *block = to->edges;
            sortes_status status = srt_gbnf_step(c->d->timer);

            if (status != SORTES_OK)
                return status;
            if (arc->type != (uint32_t)type)
                continue;
            if (to->n_edges >= c->d->max_states)
                return SORTES_E_LIMIT;
            status = srt_grow(&block, &c->edges_room, to->n_edges + 1,
                              sizeof(*to->edges));
            to->edges = block;
            if (status != SORTES_OK)
                return status;
            to->edges[to->n_edges].to = arc->to;
            to->edges[to->n_edges++].label = arc->label;
        }
    return SORTES_OK;
}

/* Sorts edges[begin ..], and keeps each once. */
static void close_unique(struct srt_rules *to, size_t begin)
{
    size_t kept = begin;

    if (to->n_edges - begin > 1)
        qsort(to->edges + begin, to->n_edges - begin, sizeof(*to->edges),
              close_compare_edges);
    for (size_t i = begin; i < to->n_edges; i++)
        if (i == begin ||
            close_compare_edges(&to->edges[i], &to->edges[kept - 1]) != 0)
            to->edges[kept++] = to->edges[i];
    to->n_edges = kept;
}

/* Edges of one type from a set of draft states on. */
static sortes_status close_edges(struct closer *c, enum srt_arc_type type,
                                 const uint32_t *set, size_t n)
{
    struct srt_rules *to = c->to;
    const size_t begin = to->n_edges;
    size_t kept = begin;
    sortes_status status = close_gather(c, type, set, n);

    close_unique(to, begin);
    for (size_t i = begin, j; i < to->n_edges && status == SORTES_OK; i = j) {
        const uint32_t label = to->edges[i].label;
        uint32_t state;

        for (j = i + 1;
             c->joined && j < to->n_edges && to->edges[j].label == label;)
            j++;
        status = close_state(c, &to->edges[i], j - i, &state);
        if (status != SORTES_OK)
            break;
        to->edges[kept].to = state;
        to->edges[kept++].label = label;
    }
    to->n_edges = kept;
    close_unique(to, begin);
    return status;
}

static sortes_status close_make(struct closer *c, uint32_t state)
{
    struct srt_rules *to = c->to;
    void *block = to->states;
    sortes_status status = srt_grow(&block, &c->states_room, to->n_states + 1,
                                    sizeof(*to->states));
    struct srt_rule_state s = { .edge = { 0 } };
    const uint32_t *set;
    size_t n;

    to->states = block;
    if (status != SORTES_OK)
        return status;
    set = srt_pool_key(&c->sets, state + 1, &n);
    n = n / sizeof(*set) - 1;
    if (n) /* else a token that is not there comes next: a dead end */
        s.rule = c->d->rule_of.at[set[1]];
    /* A start state's own end is not among the non-empty texts. */
    for (size_t i = 1; i <= n && !set[0]; i++)
        s.final = s.final || close_is_end(c->d, set[i]);
    for (int type = 0; type < 3 && status == SORTES_OK; type++) {
        s.edge[type] = (uint32_t)to->n_edges;
        status = close_edges(c, (enum srt_arc_type)type, set + 1, n);
    }
    s.edge[3] = (uint32_t)to->n_edges;
    to->states[to->n_states++] = s;
    return status;
}

static sortes_status close_all(struct closer *c)
{
    const struct srt_draft_rules *d = c->d;
    struct srt_rules *to = c->to;
    sortes_status status = SORTES_OK;

    to->rules = calloc(d->n_rules, sizeof(*to->rules));
    if (!to->rules)
        return SORTES_E_NOMEM;
    to->n_rules = d->n_rules;
    for (size_t i = 0; i < d->first.n && status == SORTES_OK; i++) {
        status = srt_ids_add(&c->closed, 0);
        if (status == SORTES_OK)
            status = srt_ids_add(&c->visited, 0);
    }
    for (size_t i = 0; i < d->n_rules && status == SORTES_OK; i++)
        status = close_start(c, d->rules[i].start, &to->rules[i].start);
    /* States are numbered as they are met; making one may add more. */
    for (uint32_t i = 0; i < c->sets.n && status == SORTES_OK; i++)
        status = close_make(c, i);
    to->start = to->rules[d->n_rules - 1].start;
    to->accepts_empty = d->rules[d->n_rules - 1].nullable;
    return status;
}

static sortes_status close_try(struct srt_rules *to,
                               const struct srt_draft_rules *d, bool joined)
{
    struct closer c = { .to = to, .d = d, .joined = joined };
    sortes_status status;

    srt_pool_init(&c.sets, 0,
                  joined ? 2 * d->first.n + CLOSE_JOINED : d->max_states,
                  joined ? CLOSE_JOINED_BYTES : SIZE_MAX);
    status = close_all(&c);
    srt_pool_clear(&c.sets);
    free(c.set.at);
    free(c.todo.at);
    free(c.closed.at);
    free(c.visited.at);
    return status;
}

sortes_status srt_rules_close(struct srt_rules *to,
                              const struct srt_draft_rules *d)
{
    const sortes_status status = close_try(to, d, true);

    if (status != SORTES_E_LIMIT || d->timer->over)
        return status;
    srt_rules_free(to);
    return close_try(to, d, false);
}

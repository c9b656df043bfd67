/*
 * rules_knot.c - which rules may begin with one another
 *
 * Tarjan's strongly connected components of the graph "may begin with", over
 * the calls of start states; components come out callees first.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/gbnf/rules.h"

#include <string.h>

struct knot_search {
    struct srt_rules *r;
    uint32_t *index, *low; /* 0: not met yet */
    uint32_t *edge;        /* the next one to follow */
    bool *open;            /* on `stack` */
    uint32_t *stack, *path;
    size_t n_stack, n_path;
    uint32_t n_met, n_placed;
};

static const struct srt_rule_state *knot_start(const struct srt_rules *r,
                                               uint32_t rule)
{
    return &r->states[r->rules[rule].start];
}

static void knot_enter(struct knot_search *s, uint32_t rule)
{
    s->index[rule] = s->low[rule] = ++s->n_met;
    s->edge[rule] = knot_start(s->r, rule)->edge[1];
    s->open[rule] = true;
    s->stack[s->n_stack++] = rule;
    s->path[s->n_path++] = rule;
}

/* The component of a rule that is its root. */
static void knot_close(struct knot_search *s, uint32_t rule)
{
    struct srt_rules *r = s->r;
    struct srt_rule_knot *knot = &r->knots[r->n_knots];
    uint32_t member;

    knot->first = s->n_placed;
    do {
        member = s->stack[--s->n_stack];
        s->open[member] = false;
        r->by_knot[s->n_placed++] = member;
        r->rules[member].knot = (uint32_t)r->n_knots;
    } while (member != rule);
    knot->last = s->n_placed;
    r->n_knots++;
}

static void knot_search(struct knot_search *s, uint32_t root)
{
    const struct srt_rules *r = s->r;

    knot_enter(s, root);
    while (s->n_path) {
        const uint32_t rule = s->path[s->n_path - 1];

        if (s->edge[rule] < knot_start(r, rule)->edge[2]) {
            const uint32_t to = r->edges[s->edge[rule]++].label;

            if (!s->index[to])
                knot_enter(s, to);
            else if (s->open[to] && s->index[to] < s->low[rule])
                s->low[rule] = s->index[to];
            continue;
        }
        s->n_path--;
        if (s->low[rule] == s->index[rule])
            knot_close(s, rule);
        if (s->n_path) {
            const uint32_t above = s->path[s->n_path - 1];

            if (s->low[rule] < s->low[above])
                s->low[above] = s->low[rule];
        }
    }
}

/* Callers first. */
static void knot_turn(struct srt_rules *r)
{
    for (size_t i = 0; i < r->n_knots / 2; i++) {
        const struct srt_rule_knot knot = r->knots[i];

        r->knots[i] = r->knots[r->n_knots - 1 - i];
        r->knots[r->n_knots - 1 - i] = knot;
    }
    for (size_t i = 0; i < r->n_rules; i++)
        r->rules[i].knot = (uint32_t)r->n_knots - 1 - r->rules[i].knot;
}

static bool knot_is_inner(const struct srt_rules *r, uint32_t rule,
                          uint32_t edge)
{
    return r->rules[r->edges[edge].label].knot == r->rules[rule].knot;
}

/* Counts the lifts of each rule (fill false), then places them. */
static void knot_lift(struct srt_rules *r, bool fill)
{
    for (uint32_t rule = 0; rule < r->n_rules; rule++) {
        const struct srt_rule_state *s = knot_start(r, rule);

        for (uint32_t e = s->edge[1]; e < s->edge[2]; e++) {
            struct srt_rule *lifted = &r->rules[r->edges[e].label];

            if (!knot_is_inner(r, rule, e))
                continue;
            r->rules[rule].recursive = true;
            if (fill)
                r->lifts[lifted->lift[0] + lifted->lift[1]] = r->edges[e].to;
            lifted->lift[1]++;
        }
    }
}

/* Takes the inner calls out of the start states. */
static void knot_take_out(struct srt_rules *r)
{
    for (uint32_t rule = 0; rule < r->n_rules; rule++) {
        struct srt_rule_state *s = &r->states[r->rules[rule].start];
        uint32_t kept = s->edge[1];

        if (!r->rules[rule].recursive)
            continue;
        /* Outer calls move to the end, next to the tokens. */
        for (uint32_t e = s->edge[1]; e < s->edge[2]; e++)
            if (!knot_is_inner(r, rule, e))
                r->edges[kept++] = r->edges[e];
        /* A hole before the tokens: they move down. */
        memmove(&r->edges[kept], &r->edges[s->edge[2]],
                (s->edge[3] - s->edge[2]) * sizeof(*r->edges));
        s->edge[3] = kept + (s->edge[3] - s->edge[2]);
        s->edge[2] = kept;
    }
}

static sortes_status knot_place_lifts(struct srt_rules *r)
{
    uint32_t n = 0;

    knot_lift(r, false);
    for (uint32_t rule = 0; rule < r->n_rules; rule++) {
        const uint32_t count = r->rules[rule].lift[1];

        r->rules[rule].lift[0] = n;
        r->rules[rule].lift[1] = 0;
        n += count;
    }
    r->lifts = calloc((size_t)n + 1, sizeof(*r->lifts));
    if (!r->lifts)
        return SORTES_E_NOMEM;
    knot_lift(r, true);
    for (uint32_t rule = 0; rule < r->n_rules; rule++)
        r->rules[rule].lift[1] += r->rules[rule].lift[0];
    knot_take_out(r);
    return SORTES_OK;
}

sortes_status srt_rules_tie(struct srt_rules *r)
{
    struct knot_search s = { .r = r };
    uint32_t *memory = calloc(5 * r->n_rules, sizeof(*memory));
    sortes_status status = SORTES_E_NOMEM;

    s.open = calloc(r->n_rules, sizeof(*s.open));
    r->knots = calloc(r->n_rules, sizeof(*r->knots));
    r->by_knot = calloc(r->n_rules, sizeof(*r->by_knot));
    if (memory && s.open && r->knots && r->by_knot) {
        s.index = memory;
        s.low = s.index + r->n_rules;
        s.edge = s.low + r->n_rules;
        s.stack = s.edge + r->n_rules;
        s.path = s.stack + r->n_rules;
        for (uint32_t rule = 0; rule < r->n_rules; rule++)
            if (!s.index[rule])
                knot_search(&s, rule);
        knot_turn(r);
        status = knot_place_lifts(r);
    }
    free(memory);
    free(s.open);
    return status;
}

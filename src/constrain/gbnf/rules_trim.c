/*
 * rules_trim.c - leaves out of the automata what no text completes
 *
 * Backwards from the ends: a state counts if it is an end, or if an edge leads
 * to a state that counts and can be taken - a byte of the alphabet, a token, a
 * call of a rule whose start counts.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/gbnf/rules.h"

#include <string.h>

struct trimmer {
    struct srt_rules *r;
    struct srt_timer *timer;
    bool *alive;         /* states */
    struct srt_ids todo; /* alive states, not yet looked at */
    /* Edges by the state they lead to, and by the rule they call, as lists:
     * into[to], next_into[edge]. */
    uint32_t *into, *next_into, *calling, *next_calling, *from;
};

static bool trim_can_read(const struct srt_alphabet *alphabet, uint32_t label)
{
    for (uint32_t byte = label & 0xff; byte <= label >> 8; byte++)
        if (srt_alphabet_has(alphabet, (uint8_t)byte))
            return true;
    return false;
}

static bool trim_is_call(const struct srt_rules *r, uint32_t from,
                         uint32_t edge)
{
    return edge >= r->states[from].edge[1] && edge < r->states[from].edge[2];
}

/* 0: ends of lists; edges are numbered from 1 here. */
static void trim_list_edges(struct trimmer *t,
                            const struct srt_alphabet *alphabet)
{
    const struct srt_rules *r = t->r;

    for (uint32_t s = 0; s < r->n_states; s++)
        for (uint32_t e = r->states[s].edge[0]; e < r->states[s].edge[3]; e++) {
            const struct srt_rule_edge *edge = &r->edges[e];

            t->from[e] = s;
            if (e < r->states[s].edge[1] &&
                !trim_can_read(alphabet, edge->label))
                continue;
            t->next_into[e] = t->into[edge->to];
            t->into[edge->to] = e + 1;
            if (!trim_is_call(r, s, e))
                continue;
            t->next_calling[e] = t->calling[edge->label];
            t->calling[edge->label] = e + 1;
        }
}

static sortes_status trim_revive(struct trimmer *t, uint32_t state)
{
    const sortes_status status = srt_gbnf_step(t->timer);

    if (status != SORTES_OK || t->alive[state])
        return status;
    t->alive[state] = true;
    return srt_ids_add(&t->todo, state);
}

static sortes_status trim_spread(struct trimmer *t)
{
    const struct srt_rules *r = t->r;
    sortes_status status = SORTES_OK;

    while (status == SORTES_OK && t->todo.n) {
        const uint32_t state = t->todo.at[--t->todo.n];
        const uint32_t rule = r->states[state].rule;

        for (uint32_t e = t->into[state]; e && status == SORTES_OK;
             e = t->next_into[e - 1]) {
            const uint32_t from = t->from[e - 1];

            if (!trim_is_call(r, from, e - 1) ||
                t->alive[r->rules[r->edges[e - 1].label].start])
                status = trim_revive(t, from);
        }
        if (state != r->rules[rule].start)
            continue;
        for (uint32_t e = t->calling[rule]; e && status == SORTES_OK;
             e = t->next_calling[e - 1])
            if (t->alive[r->edges[e - 1].to])
                status = trim_revive(t, t->from[e - 1]);
    }
    return status;
}

/* Keeps the edges that can be taken and end somewhere. */
static void trim_drop(struct trimmer *t, const struct srt_alphabet *alphabet)
{
    struct srt_rules *r = t->r;
    uint32_t kept = 0;

    for (uint32_t s = 0; s < r->n_states; s++) {
        struct srt_rule_state *state = &r->states[s];
        const struct srt_rule_state old = *state;

        for (int type = 0; type < 3; type++) {
            state->edge[type] = kept;
            for (uint32_t e = old.edge[type]; e < old.edge[type + 1]; e++) {
                const struct srt_rule_edge edge = r->edges[e];

                if (!t->alive[edge.to] ||
                    (type == 0 && !trim_can_read(alphabet, edge.label)) ||
                    (type == 1 && !t->alive[r->rules[edge.label].start]))
                    continue;
                r->edges[kept++] = edge;
            }
        }
        state->edge[3] = kept;
    }
    r->n_edges = kept;
    r->has_text = t->alive[r->start];
}

sortes_status srt_rules_trim(struct srt_rules *r,
                             const struct srt_alphabet *alphabet,
                             struct srt_timer *timer)
{
    struct trimmer t = { .r = r, .timer = timer };
    const size_t n_edges = r->n_edges + 1;
    uint32_t *memory =
        calloc(r->n_states + r->n_rules + 3 * n_edges, sizeof(*memory));
    sortes_status status = SORTES_OK;

    t.alive = calloc(r->n_states, sizeof(*t.alive));
    if (memory && t.alive) {
        t.into = memory;
        t.calling = t.into + r->n_states;
        t.next_into = t.calling + r->n_rules;
        t.next_calling = t.next_into + n_edges;
        t.from = t.next_calling + n_edges;
        trim_list_edges(&t, alphabet);
        for (uint32_t s = 0; s < r->n_states && status == SORTES_OK; s++)
            if (r->states[s].final)
                status = trim_revive(&t, s);
        if (status == SORTES_OK)
            status = trim_spread(&t);
        if (status == SORTES_OK)
            trim_drop(&t, alphabet);
    } else {
        status = SORTES_E_NOMEM;
    }
    free(memory);
    free(t.alive);
    free(t.todo.at);
    return status;
}

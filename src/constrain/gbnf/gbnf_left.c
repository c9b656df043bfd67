/*
 * gbnf_left.c - llama.cpp's check for left recursion
 *
 * llama_grammar_detect_left_recursion (src/llama-grammar.cpp) looks for a
 * circle of leftmost references.  A reference may be passed over if the rule
 * that it names has an alternative with nothing in it; that such an
 * alternative may also be empty by way of other rules, it does not see.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/gbnf/gbnf.h"

#include "constrain/grow.h"

#include <stdio.h>
#include <string.h>

/* Rule r's leftmost references: refs.at[from[r] .. from[r + 1] - 1]. */
struct left_graph {
    const struct srt_gbnf *g;
    struct srt_timer *timer;
    struct srt_ids refs;
    uint32_t *from;
    uint32_t loop; /* a repetition of what may be empty; 0: none */
    sortes_status status;
};

/* Anything, once the time is over. */
static bool left_has_empty(struct left_graph *l, uint32_t choice)
{
    const struct srt_gbnf *g = l->g;
    uint32_t i = g->nodes[choice].child;

    while (i && g->nodes[i].child && l->status == SORTES_OK) {
        i = g->nodes[i].next;
        l->status = srt_gbnf_step(l->timer);
    }
    return i != 0;
}

/* Whether what follows a node may be leftmost too. */
static bool left_passes(struct left_graph *l, uint32_t node)
{
    const struct srt_gbnf *g = l->g;
    const struct srt_gbnf_node *n = &g->nodes[node];

    switch (n->type) {
    case SRT_GBNF_NAME:
        return left_has_empty(l, g->rules[n->a].node);
    case SRT_GBNF_CHOICE:
        return left_has_empty(l, node);
    case SRT_GBNF_REPEAT:
        return n->a == 0 || left_passes(l, n->child);
    default:
        return false;
    }
}

static void left_collect(struct left_graph *l, uint32_t node)
{
    const struct srt_gbnf_node *n = &l->g->nodes[node];

    if (l->status != SORTES_OK)
        return;
    if (n->type == SRT_GBNF_NAME) {
        l->status = srt_ids_add(&l->refs, n->a);
        return;
    }
    for (uint32_t i = n->child; i; i = l->g->nodes[i].next) {
        left_collect(l, i);
        if (n->type == SRT_GBNF_SEQUENCE && !left_passes(l, i))
            return;
    }
}

/* The repetitions: S* is a rule that begins with S and then names itself. */
static void left_find_loop(struct left_graph *l)
{
    for (uint32_t i = 1;
         i <= l->g->n_nodes && !l->loop && l->status == SORTES_OK; i++) {
        const struct srt_gbnf_node *n = &l->g->nodes[i];

        if (n->type == SRT_GBNF_REPEAT && n->b == SRT_GBNF_MANY &&
            left_passes(l, n->child))
            l->loop = i;
    }
}

/* A rule on a circle; UINT32_MAX: there is none. */
static uint32_t left_find_circle(const struct left_graph *l, uint32_t *next,
                                 uint32_t *path)
{
    for (uint32_t start = 0; start < l->g->n_rules; start++) {
        size_t n = 0;

        if (next[start] == l->from[start])
            path[n++] = start;
        while (n) {
            const uint32_t rule = path[n - 1];
            uint32_t to;

            if (next[rule] == l->from[rule + 1]) {
                next[rule] = UINT32_MAX; /* done with */
                n--;
                continue;
            }
            to = l->refs.at[next[rule]++];
            if (next[to] == UINT32_MAX)
                continue;
            if (next[to] != l->from[to])
                return to; /* begun and not done: it is on the path */
            path[n++] = to;
        }
    }
    return UINT32_MAX;
}

static sortes_status left_search(struct left_graph *l, uint32_t *next,
                                 uint32_t *path, sortes_error *err)
{
    const struct srt_gbnf *g = l->g;
    char name[64], what[128];
    uint32_t rule;

    for (uint32_t i = 0; i < g->n_rules; i++) {
        l->from[i] = (uint32_t)l->refs.n;
        left_collect(l, g->rules[i].node);
    }
    l->from[g->n_rules] = (uint32_t)l->refs.n;
    left_find_loop(l);
    if (l->status != SORTES_OK)
        return srt_gbnf_fail_limit(l->timer, err, l->status, "");
    if (l->loop)
        return srt_gbnf_fail(g, err, SORTES_E_SYNTAX, g->nodes[l->loop].offset,
                             "left recursion: an unbounded repetition of what "
                             "may be empty");
    memcpy(next, l->from, g->n_rules * sizeof(*next));
    rule = left_find_circle(l, next, path);
    if (rule == UINT32_MAX)
        return SORTES_OK;
    srt_gbnf_name(g, rule, name, sizeof(name));
    snprintf(what, sizeof(what), "left recursion in rule '%s'", name);
    return srt_gbnf_fail(g, err, SORTES_E_SYNTAX, g->rules[rule].offset, what);
}

sortes_status srt_gbnf_check_left(const struct srt_gbnf *g,
                                  struct srt_timer *timer, sortes_error *err)
{
    struct left_graph l = { .g = g, .timer = timer };
    uint32_t *next = calloc(g->n_rules + 1, sizeof(*next));
    uint32_t *path = calloc(g->n_rules + 1, sizeof(*path));
    sortes_status status;

    l.from = calloc(g->n_rules + 1, sizeof(*l.from));
    if (l.from && next && path)
        status = left_search(&l, next, path, err);
    else
        status = srt_fail(err, SORTES_E_NOMEM, 0, "gbnf: no memory");
    free(l.refs.at);
    free(l.from);
    free(next);
    free(path);
    return status;
}

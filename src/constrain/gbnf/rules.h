/*
 * rules.h - the rules of a GBNF grammar as automata that call one another
 *
 * Every rule is a nondeterministic automaton without empty steps: an edge
 * reads a byte (the literal form: a code point), calls a rule and goes on when
 * that has returned, or takes a whole token.  A rule's automaton has the
 * non-empty texts of the rule alone; where the rule may be empty, whoever
 * calls it has an edge around the call.
 *
 * Left recursion.  Rules that may begin with one another are a *knot*.  On
 * entry, the edges of a start state that call into the own knot are left out;
 * they stand apart, as *lifts*: once rule R of the knot has been read, a lift
 * of R goes on in the rule that may begin with R.  So a knot is entered with a
 * goal, the rule that was called, and read from the bottom up until the goal
 * has been read; left recursion costs no depth.
 *
 * In the exact form what no text over the alphabet completes is left out, so
 * that whatever can be reached can be completed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_RULES_H
#define SRT_RULES_H

#include "constrain/gbnf/gbnf.h"
#include "constrain/grow.h"

#define SRT_RULE_TOKEN_NOT ((uint32_t)1 << 31)

struct srt_rule_edge {
    uint32_t to;
    /* Bytes: low | high << 8.  Code points: a node of class SRT_GBNF_CHARS.
     * Calls: the rule.  Tokens: the id, and SRT_RULE_TOKEN_NOT. */
    uint32_t label;
};

struct srt_rule_state {
    /* Edges that read, call, take a token: edge[i] .. edge[i + 1] - 1. */
    uint32_t edge[4];
    uint32_t rule;
    bool final;
};

struct srt_rule {
    uint32_t start;
    uint32_t knot; /* numbered so that callers come before whom they begin
                      with */
    bool recursive;
    uint32_t lift[2]; /* lifts[lift[0] .. lift[1] - 1]: states to go on in */
};

/* rules: by_knot[first .. last - 1]. */
struct srt_rule_knot {
    uint32_t first, last;
};

struct srt_rules {
    struct srt_rule_state *states;
    size_t n_states;
    struct srt_rule_edge *edges;
    size_t n_edges;
    struct srt_rule *rules;
    size_t n_rules;
    struct srt_rule_knot *knots;
    size_t n_knots;
    uint32_t *by_knot, *lifts;
    uint32_t start;        /* calls the root */
    bool accepts_empty;    /* the root may be empty */
    bool has_text;         /* the root may be something else */
    struct srt_ids tokens; /* ids in edges, ascending */
};

/* v, alphabet: NULL for the literal form's own needs (no vocab; every rule is
 * kept). */
sortes_status srt_rules_build(struct srt_rules *to, const struct srt_gbnf *g,
                              const struct srt_alphabet *alphabet,
                              const sortes_vocab *v, struct srt_timer *timer,
                              sortes_error *err);
void srt_rules_free(struct srt_rules *r);

/* ---- the steps of srt_rules_build ---------------------------------------- */

enum srt_arc_type {
    SRT_ARC_READ, /* the order of srt_rule_state.edge */
    SRT_ARC_CALL,
    SRT_ARC_TOKEN,
    SRT_ARC_EMPTY
};

/* The automata with empty steps, as the tree of nodes is written out. */
struct srt_arc {
    uint32_t to, label;
    uint32_t next; /* of the same state; 0: last */
    uint32_t type;
};

struct srt_draft_rule {
    uint32_t node; /* 0: the one that calls the root */
    uint32_t start, end;
    bool nullable;
};

struct srt_draft_rules {
    const struct srt_gbnf *g;
    const sortes_vocab *v;
    struct srt_timer *timer;
    bool literal;
    size_t max_states;
    struct srt_arc *arcs; /* from 1 on */
    size_t n_arcs, arcs_room;
    struct srt_ids first;   /* of each state: its first arc */
    struct srt_ids rule_of; /* of each state */
    struct srt_draft_rule *rules;
    size_t n_rules, rules_room;
    struct srt_ids number; /* of each node: its rule + 1; 0: none */
};

/* rules_draft.c: writes the rules out that the root needs.  The last rule
 * calls the root. */
sortes_status srt_rules_draft(struct srt_draft_rules *d,
                              const struct srt_gbnf *g, const sortes_vocab *v,
                              struct srt_timer *timer, sortes_error *err);
void srt_rules_draft_free(struct srt_draft_rules *d);

/* rules_close.c: without empty steps. */
sortes_status srt_rules_close(struct srt_rules *to,
                              const struct srt_draft_rules *d);

/* rules_trim.c: leaves out what nothing completes. */
sortes_status srt_rules_trim(struct srt_rules *r,
                             const struct srt_alphabet *alphabet,
                             struct srt_timer *timer);

/* rules_knot.c: finds the knots and takes the lifts out. */
sortes_status srt_rules_tie(struct srt_rules *r);

#endif /* SRT_RULES_H */

/*
 * rules_draft.c - rules of nodes written out as automata with empty steps
 *
 * A repetition of something large becomes calls of a rule of its own, so that
 * a bound costs one state a copy.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/gbnf/rules.h"

#include "constrain/gbnf/utf8_set.h"

#include <stdio.h>
#include <string.h>

/* Elements that the copies of a repetition may make. */
enum { DRAFT_COPIES = 256 };

/* Where a node is being written: from a state, in a rule. */
struct draft_at {
    struct srt_draft_rules *d;
    uint32_t rule;
    sortes_error *err;
};

static sortes_status draft_node(const struct draft_at *at, uint32_t node,
                                uint32_t from, uint32_t *to);

static sortes_status draft_state(struct srt_draft_rules *d, uint32_t rule,
                                 uint32_t *state)
{
    sortes_status status = SORTES_OK;

    *state = (uint32_t)d->first.n;
    if (d->first.n >= d->max_states)
        return SORTES_E_LIMIT;
    status = srt_ids_add(&d->first, 0);
    return status == SORTES_OK ? srt_ids_add(&d->rule_of, rule) : status;
}

static sortes_status draft_arc(struct srt_draft_rules *d, uint32_t from,
                               enum srt_arc_type type, uint32_t label,
                               uint32_t to)
{
    void *block = d->arcs;
    sortes_status status = srt_gbnf_step(d->timer);
    struct srt_arc *arc;

    if (status == SORTES_OK)
        status =
            srt_grow(&block, &d->arcs_room, d->n_arcs + 2, sizeof(*d->arcs));
    d->arcs = block;
    if (status != SORTES_OK)
        return status;
    arc = &d->arcs[++d->n_arcs];
    arc->type = type;
    arc->label = label;
    arc->to = to;
    arc->next = d->first.at[from];
    d->first.at[from] = (uint32_t)d->n_arcs;
    return SORTES_OK;
}

/* A new rule for a node. */
static sortes_status draft_rule(struct srt_draft_rules *d, uint32_t node,
                                uint32_t *rule)
{
    void *block = d->rules;
    sortes_status status =
        srt_grow(&block, &d->rules_room, d->n_rules + 1, sizeof(*d->rules));
    struct srt_draft_rule *r;

    d->rules = block;
    if (status != SORTES_OK)
        return status;
    *rule = (uint32_t)d->n_rules++;
    r = &d->rules[*rule];
    memset(r, 0, sizeof(*r));
    r->node = node;
    status = draft_state(d, *rule, &r->start);
    if (status == SORTES_OK)
        status = draft_state(d, *rule, &d->rules[*rule].end);
    return status;
}

/* The rule of a node; made on first use, written later. */
static sortes_status draft_rule_of(struct srt_draft_rules *d, uint32_t node,
                                   uint32_t *rule)
{
    sortes_status status = SORTES_OK;

    if (!d->number.at[node]) {
        status = draft_rule(d, node, rule);
        if (status == SORTES_OK)
            d->number.at[node] = *rule + 1;
    } else {
        *rule = d->number.at[node] - 1;
    }
    return status;
}

/* ---- characters and tokens ----------------------------------------------- */

/* The states inside a character, shared by what is left of it. */
struct draft_chars {
    struct srt_draft_rules *d;
    uint32_t rule, from, to;
    struct draft_tail {
        uint32_t range, to, state;
    } tails[64];
    size_t n_tails;
};

/* A state that reads a range of bytes and goes on to `to`. */
static sortes_status draft_tail(struct draft_chars *c, uint32_t range,
                                uint32_t to, uint32_t *state)
{
    sortes_status status;

    for (size_t i = 0; i < c->n_tails; i++)
        if (c->tails[i].range == range && c->tails[i].to == to) {
            *state = c->tails[i].state;
            return SORTES_OK;
        }
    status = draft_state(c->d, c->rule, state);
    if (status == SORTES_OK)
        status = draft_arc(c->d, *state, SRT_ARC_READ, range, to);
    if (status == SORTES_OK && c->n_tails < SRT_COUNT(c->tails))
        c->tails[c->n_tails++] = (struct draft_tail){ range, to, *state };
    return status;
}

static sortes_status draft_sequence(void *ctx,
                                    const struct srt_utf8_sequence *s)
{
    struct draft_chars *c = ctx;
    uint32_t to = c->to;
    sortes_status status = SORTES_OK;

    for (unsigned i = s->n; i-- > 1 && status == SORTES_OK;)
        status = draft_tail(c, s->low[i] | (uint32_t)s->high[i] << 8, to, &to);
    if (status != SORTES_OK)
        return status;
    return draft_arc(c->d, c->from, SRT_ARC_READ,
                     s->low[0] | (uint32_t)s->high[0] << 8, to);
}

static sortes_status draft_class(const struct draft_at *at, uint32_t node,
                                 uint32_t from, uint32_t to)
{
    const struct srt_gbnf *g = at->d->g;
    const struct srt_gbnf_node *n = &g->nodes[node];
    struct draft_chars c = {
        .d = at->d, .rule = at->rule, .from = from, .to = to
    };

    if (at->d->literal)
        return draft_arc(at->d, from, SRT_ARC_READ, node, to);
    return srt_utf8_set((const uint32_t(*)[2])g->ranges + n->a, n->b - n->a,
                        n->negated, draft_sequence, &c);
}

/* The token with these bytes, special ones first; -1: there is none. */
static int32_t draft_find_token(const sortes_vocab *v, const char *text,
                                size_t n)
{
    int32_t found = -1;
    bool special = false;

    for (size_t i = 0; i < v->n_tokens && !special; i++) {
        const size_t begin = i ? v->ends[i - 1] : 0;

        if (v->ends[i] - begin != n || memcmp(v->bytes + begin, text, n) != 0)
            continue;
        special = (v->flags[i] & SORTES_TOKEN_CONTROL) != 0;
        if (found < 0 || special)
            found = (int32_t)i;
    }
    return found;
}

/* As llama.cpp finds it: the text must be one token. */
static int32_t draft_spelled_token(const sortes_vocab *v, const char *text,
                                   size_t n)
{
    int32_t ids[2];
    struct srt_token_list list = { .ids = ids, .room = SRT_COUNT(ids) };

    if (!srt_vocab_can_tokenize(v))
        return draft_find_token(v, text, n);
    if (srt_vocab_tokenize(v, text, n, true, &list) != SORTES_OK)
        return -1;
    return list.n == 1 ? ids[0] : -1;
}

/* Tokens that the vocab lacks, and its end tokens, are never taken. */
static sortes_status draft_token(const struct draft_at *at, uint32_t node,
                                 uint32_t from, uint32_t to)
{
    const struct srt_gbnf *g = at->d->g;
    const struct srt_gbnf_node *n = &g->nodes[node];
    const sortes_vocab *v = at->d->v;
    int64_t id = n->a;

    if (!v)
        return SORTES_OK;
    if (n->spelled)
        id = draft_spelled_token(v, g->text + n->a, n->b - n->a);
    if (id < 0 && at->d->literal)
        return srt_gbnf_fail(g, at->err, SORTES_E_NAME, n->offset,
                             "this is not one token of the vocab");
    if (n->negated)
        return draft_arc(at->d, from, SRT_ARC_TOKEN,
                         (id < 0 ? SRT_RULE_TOKEN_NOT - 1 : (uint32_t)id) |
                             SRT_RULE_TOKEN_NOT,
                         to);
    if (id < 0 || (uint64_t)id >= v->n_tokens ||
        v->flags[id] & SORTES_TOKEN_EOG)
        return SORTES_OK;
    return draft_arc(at->d, from, SRT_ARC_TOKEN, (uint32_t)id, to);
}

/* ---- nodes --------------------------------------------------------------- */

static sortes_status draft_call(const struct draft_at *at, uint32_t node,
                                uint32_t from, uint32_t *to)
{
    uint32_t rule;
    sortes_status status = draft_rule_of(at->d, node, &rule);

    if (status == SORTES_OK)
        status = draft_state(at->d, at->rule, to);
    return status == SORTES_OK ? draft_arc(at->d, from, SRT_ARC_CALL, rule, *to)
                               : status;
}

static sortes_status draft_empty(const struct draft_at *at, uint32_t from,
                                 uint32_t to)
{
    return draft_arc(at->d, from, SRT_ARC_EMPTY, 0, to);
}

/* One copy of what a repetition repeats. */
static sortes_status draft_copy(const struct draft_at *at,
                                const struct srt_gbnf_node *n, bool call,
                                uint32_t from, uint32_t *to)
{
    return call ? draft_call(at, n->child, from, to)
                : draft_node(at, n->child, from, to);
}

/* Copies that need not be there: each may be the last. */
static sortes_status draft_optional(const struct draft_at *at,
                                    const struct srt_gbnf_node *n, bool call,
                                    uint32_t from, uint32_t *to)
{
    uint32_t out;
    sortes_status status = draft_state(at->d, at->rule, &out);

    for (uint32_t i = n->a; i < n->b && status == SORTES_OK; i++) {
        status = draft_empty(at, from, out);
        if (status == SORTES_OK)
            status = draft_copy(at, n, call, from, &from);
    }
    *to = out;
    return status == SORTES_OK ? draft_empty(at, from, out) : status;
}

static sortes_status draft_loop(const struct draft_at *at,
                                const struct srt_gbnf_node *n, bool call,
                                uint32_t from, uint32_t *to)
{
    uint32_t loop, end;
    sortes_status status = draft_state(at->d, at->rule, &loop);

    if (status == SORTES_OK)
        status = draft_empty(at, from, loop);
    if (status == SORTES_OK)
        status = draft_copy(at, n, call, loop, &end);
    if (status == SORTES_OK)
        status = draft_empty(at, end, loop);
    if (status == SORTES_OK)
        status = draft_state(at->d, at->rule, to);
    return status == SORTES_OK ? draft_empty(at, loop, *to) : status;
}

static sortes_status draft_repeat(const struct draft_at *at, uint32_t node,
                                  uint32_t from, uint32_t *to)
{
    const struct srt_gbnf_node n = at->d->g->nodes[node];
    const bool call = n.weight > DRAFT_COPIES &&
                      (n.b == SRT_GBNF_MANY ? n.a : n.b) > 1 &&
                      at->d->g->nodes[n.child].weight > 1;
    sortes_status status = SORTES_OK;

    *to = from;
    for (uint32_t i = 0; i < n.a && status == SORTES_OK; i++)
        status = draft_copy(at, &n, call, *to, to);
    if (status != SORTES_OK || n.a == n.b)
        return status;
    return n.b == SRT_GBNF_MANY ? draft_loop(at, &n, call, *to, to)
                                : draft_optional(at, &n, call, *to, to);
}

static sortes_status draft_choice(const struct draft_at *at, uint32_t node,
                                  uint32_t from, uint32_t *to)
{
    const struct srt_gbnf *g = at->d->g;
    uint32_t out;
    sortes_status status = draft_state(at->d, at->rule, &out);

    for (uint32_t i = g->nodes[node].child; i && status == SORTES_OK;
         i = g->nodes[i].next) {
        uint32_t end;

        status = draft_node(at, i, from, &end);
        if (status == SORTES_OK)
            status = draft_empty(at, end, out);
    }
    *to = out;
    return status;
}

/* Writes a node from a state on; *to: where it ends.  No arc leads back to
 * `from`. */
static sortes_status draft_node(const struct draft_at *at, uint32_t node,
                                uint32_t from, uint32_t *to)
{
    const struct srt_gbnf *g = at->d->g;
    const struct srt_gbnf_node *n = &g->nodes[node];
    sortes_status status = SORTES_OK;

    switch (n->type) {
    case SRT_GBNF_NAME:
        return draft_call(at, g->rules[n->a].node, from, to);
    case SRT_GBNF_CHARS:
    case SRT_GBNF_TOKEN:
        status = draft_state(at->d, at->rule, to);
        if (status != SORTES_OK)
            return status;
        return n->type == SRT_GBNF_CHARS ? draft_class(at, node, from, *to)
                                         : draft_token(at, node, from, *to);
    case SRT_GBNF_CHOICE:
        return draft_choice(at, node, from, to);
    case SRT_GBNF_REPEAT:
        return draft_repeat(at, node, from, to);
    default:
        *to = from;
        for (uint32_t i = n->child; i && status == SORTES_OK;
             i = g->nodes[i].next)
            status = draft_node(at, i, *to, to);
        return status;
    }
}

/* ---- which rules may be empty -------------------------------------------- */

struct draft_search {
    struct srt_ids todo;
    bool *reached;           /* states, without reading anything */
    struct srt_ids *callers; /* of each rule: arcs, with their states */
};

static sortes_status draft_reach(struct draft_search *s, uint32_t state)
{
    if (s->reached[state])
        return SORTES_OK;
    s->reached[state] = true;
    return srt_ids_add(&s->todo, state);
}

static sortes_status draft_visit(struct srt_draft_rules *d,
                                 struct draft_search *s, uint32_t state)
{
    struct srt_draft_rule *r = &d->rules[d->rule_of.at[state]];
    sortes_status status = srt_gbnf_step(d->timer);

    for (uint32_t i = d->first.at[state]; i && status == SORTES_OK;
         i = d->arcs[i].next) {
        const struct srt_arc *arc = &d->arcs[i];

        if (arc->type == SRT_ARC_EMPTY ||
            (arc->type == SRT_ARC_CALL && d->rules[arc->label].nullable))
            status = draft_reach(s, arc->to);
        else if (arc->type == SRT_ARC_CALL)
            status = srt_ids_add(&s->callers[arc->label], arc->to);
    }
    if (status == SORTES_OK && state == r->end && !r->nullable) {
        const struct srt_ids *callers = &s->callers[d->rule_of.at[state]];

        r->nullable = true;
        for (size_t i = 0; i < callers->n && status == SORTES_OK; i++)
            status = draft_reach(s, callers->at[i]);
    }
    return status;
}

/* Walks from every start over what reads nothing; a call counts once its rule
 * is found to be nullable. */
static sortes_status draft_nullable(struct srt_draft_rules *d)
{
    struct draft_search s = { .reached = calloc(d->first.n, sizeof(bool)),
                              .callers =
                                  calloc(d->n_rules, sizeof(*s.callers)) };
    sortes_status status = s.reached && s.callers ? SORTES_OK : SORTES_E_NOMEM;

    for (size_t i = 0; i < d->n_rules && status == SORTES_OK; i++)
        status = draft_reach(&s, d->rules[i].start);
    while (status == SORTES_OK && s.todo.n)
        status = draft_visit(d, &s, s.todo.at[--s.todo.n]);
    for (size_t i = 0; s.callers && i < d->n_rules; i++)
        free(s.callers[i].at);
    free(s.callers);
    free(s.reached);
    free(s.todo.at);
    return status;
}

/* ---- all of it ----------------------------------------------------------- */

static sortes_status draft_all(struct srt_draft_rules *d, sortes_error *err)
{
    uint32_t rule, end;
    sortes_status status =
        draft_rule_of(d, d->g->rules[d->g->root].node, &rule);

    /* The list grows as calls are met. */
    for (size_t i = 0; i < d->n_rules && status == SORTES_OK; i++) {
        const struct draft_at at = { d, (uint32_t)i, err };

        status = draft_node(&at, d->rules[i].node, d->rules[i].start, &end);
        if (status == SORTES_OK)
            status = draft_empty(&at, end, d->rules[i].end);
    }
    if (status == SORTES_OK)
        status = draft_rule(d, 0, &rule);
    if (status == SORTES_OK)
        status = draft_arc(d, d->rules[rule].start, SRT_ARC_CALL, 0,
                           d->rules[rule].end);
    return status == SORTES_OK ? draft_nullable(d) : status;
}

sortes_status srt_rules_draft(struct srt_draft_rules *d,
                              const struct srt_gbnf *g, const sortes_vocab *v,
                              struct srt_timer *timer, sortes_error *err)
{
    sortes_status status = SORTES_OK;
    char what[64];

    memset(d, 0, sizeof(*d));
    d->g = g;
    d->v = v;
    d->timer = timer;
    d->literal = g->program.options.form == SRT_FORM_LITERAL;
    d->max_states = g->program.options.max_states * 4;
    for (size_t i = 0; i <= g->n_nodes && status == SORTES_OK; i++)
        status = srt_ids_add(&d->number, 0);
    if (status == SORTES_OK)
        status = draft_all(d, err);
    if (status != SORTES_E_LIMIT && status != SORTES_E_NOMEM)
        return status;
    snprintf(what, sizeof(what), "the rules take more than %zu states",
             d->max_states);
    return srt_gbnf_fail_limit(timer, err, status, what);
}

void srt_rules_draft_free(struct srt_draft_rules *d)
{
    free(d->arcs);
    free(d->first.at);
    free(d->rule_of.at);
    free(d->rules);
    free(d->number.at);
    memset(d, 0, sizeof(*d));
}

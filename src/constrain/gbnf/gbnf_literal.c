/*
 * gbnf_literal.c - the machine of GBNF by llama.cpp's own rules
 *
 * Source: llama-grammar.cpp, decode_utf8, llama_grammar_reject_candidates,
 * llama_grammar_accept_token.  What differs from the exact form:
 *
 * - Nothing is left out of the rules: a text may be led where it cannot end.
 * - Bytes become code points as that decoder reads them: inside a token any
 *   byte continues a character, between tokens only 80..BF does; F8..FF begin
 *   four bytes; surrogates and overlong forms are code points like others; a
 *   NUL ends a token.
 * - A token that ends inside a character is judged by match_partial_char.
 * - A token element is asked for the token as soon as it is on top of a stack,
 *   inside a token too.  Such a token may come, but nothing can follow it.
 *
 * A state is a configuration, the character that has begun, and what is so
 * only inside a token; step_token() ends a token.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/gbnf/gbnf.h"

#include "constrain/gbnf/rules.h"
#include "constrain/gbnf/stacks.h"

#include <string.h>

enum literal_flag {
    LITERAL_OLD = 1,   /* the character began in a token that has ended */
    LITERAL_ENDED = 2, /* a NUL came: the rest of the token does not count */
    LITERAL_WILD = 4   /* a token element took any token but one */
};

struct literal_state {
    uint32_t config;
    uint32_t value; /* of a character that has begun */
    uint16_t left;  /* bytes that it lacks */
    uint16_t flags;
};

struct literal_machine {
    struct srt_machine machine; /* first */
    struct srt_rules rules;
    struct srt_stacks stacks;
    struct srt_pool states; /* payload: whether a token may end there */
    const sortes_vocab *vocab;
};

/* A token on its way; also bytes without one. */
struct literal_walk {
    struct literal_state at;
    int64_t token; /* -1: bytes alone */
    bool hit;      /* a token element took it */
    bool dead;
};

/* ---- states -------------------------------------------------------------- */

/* Whether a token may end here, inside a character; its full characters fit. */
static sortes_status literal_may_end(struct literal_machine *m,
                                     const struct literal_state *at,
                                     bool *answer)
{
    const struct srt_stack_items *items;
    sortes_status status;

    *answer = (at->flags & LITERAL_WILD) || (!at->left && at->config);
    if (*answer || !at->config)
        return SORTES_OK;
    status = srt_stacks_items(&m->stacks, at->config, &items);
    for (size_t i = 0; status == SORTES_OK && i < items->n && !*answer; i++) {
        const struct srt_rule_state *from =
            &m->rules.states[items->at[i].state];

        for (uint32_t e = from->edge[0]; e < from->edge[1] && !*answer; e++)
            *answer = srt_stacks_may_be_in_class(m->stacks.literal,
                                                 m->rules.edges[e].label,
                                                 at->value, at->left);
    }
    return status;
}

static sortes_status literal_number(struct literal_machine *m,
                                    const struct literal_state *at,
                                    uint32_t *state)
{
    bool is_new, may_end;
    sortes_status status = literal_may_end(m, at, &may_end);

    if (status == SORTES_OK)
        status = srt_pool_intern(&m->states, at, sizeof(*at), state, &is_new);
    if (status == SORTES_OK && is_new)
        *(uint64_t *)srt_pool_payload(&m->states, *state) = may_end;
    return status;
}

static struct literal_state literal_at(const struct literal_machine *m,
                                       uint32_t state)
{
    struct literal_state at;

    memcpy(&at, srt_pool_key(&m->states, state, NULL), sizeof(at));
    return at;
}

/* ---- bytes --------------------------------------------------------------- */

/* Which token elements are on top, when a character is about to be read. */
static sortes_status literal_ask(struct literal_machine *m,
                                 struct literal_walk *w)
{
    const struct srt_stack_items *items;
    sortes_status status = srt_stacks_items(&m->stacks, w->at.config, &items);

    for (size_t i = 0; status == SORTES_OK && i < items->n; i++) {
        const struct srt_rule_state *from =
            &m->rules.states[items->at[i].state];

        for (uint32_t e = from->edge[2]; e < from->edge[3]; e++) {
            const uint32_t label = m->rules.edges[e].label;
            const bool negated = label & SRT_RULE_TOKEN_NOT;

            if (w->token < 0 && negated)
                w->at.flags |= LITERAL_WILD;
            else if (w->token >= 0 &&
                     ((label & ~SRT_RULE_TOKEN_NOT) == w->token) != negated)
                w->hit = true;
        }
    }
    return status;
}

static sortes_status literal_code(struct literal_machine *m,
                                  struct literal_walk *w)
{
    const uint32_t code = w->at.value;
    sortes_status status = SORTES_OK;

    w->at.value = 0;
    if (!w->at.config)
        return SORTES_OK;
    if (m->rules.tokens.n)
        status = literal_ask(m, w);
    if (status != SORTES_OK)
        return status;
    return srt_stacks_read(&m->stacks, w->at.config, code, &w->at.config);
}

static sortes_status literal_byte(struct literal_machine *m,
                                  struct literal_walk *w, uint8_t byte)
{
    struct literal_state *at = &w->at;

    if (byte == 0)
        at->flags |= LITERAL_ENDED;
    if (at->flags & LITERAL_ENDED)
        return SORTES_OK;
    if (at->left) {
        if (at->flags & LITERAL_OLD && byte >> 6 != 2) {
            w->dead = true;
            return SORTES_OK;
        }
        at->value = at->value << 6 | (byte & 0x3f);
        at->left--;
    } else {
        static const uint8_t lengths[16] = { 1, 1, 1, 1, 1, 1, 1, 1,
                                             0, 0, 0, 0, 2, 2, 3, 4 };

        if (!lengths[byte >> 4]) {
            w->dead = true;
            return SORTES_OK;
        }
        at->left = lengths[byte >> 4] - 1;
        at->value = byte & (0x7fu >> at->left);
    }
    if (at->left)
        return SORTES_OK;
    at->flags &= (uint16_t)~LITERAL_OLD;
    return literal_code(m, w);
}

/* ---- the machine --------------------------------------------------------- */

static void literal_destroy(struct srt_shared *shared)
{
    struct literal_machine *l = (struct literal_machine *)shared;

    srt_pool_clear(&l->states);
    srt_stacks_clear(&l->stacks);
    srt_rules_free(&l->rules);
    srt_machine_clear(&l->machine);
    free(l);
}

static sortes_status literal_step(struct srt_machine *m, uint32_t state,
                                  uint8_t byte, uint32_t *next)
{
    struct literal_machine *l = (struct literal_machine *)m;
    struct literal_walk w = { .at = literal_at(l, state), .token = -1 };
    sortes_status status = SORTES_OK;

    *next = SRT_DEAD;
    if (!w.at.config && !(w.at.flags & LITERAL_WILD))
        return SORTES_OK; /* nothing can follow */
    status = literal_byte(l, &w, byte);
    if (status != SORTES_OK || w.dead ||
        (!w.at.config && !(w.at.flags & LITERAL_WILD)))
        return status;
    return literal_number(l, &w.at, next);
}

static bool literal_accepts(const struct srt_machine *m, uint32_t state)
{
    const struct literal_machine *l = (const struct literal_machine *)m;

    return srt_stacks_may_end(&l->stacks, literal_at(l, state).config);
}

static void literal_stats(const struct srt_machine *m, size_t *n_states,
                          size_t *n_bytes)
{
    const struct literal_machine *l = (const struct literal_machine *)m;

    *n_states = l->states.n;
    *n_bytes = l->states.n_bytes + srt_stacks_bytes(&l->stacks);
}

static bool literal_token_may_end(const struct srt_machine *m, uint32_t state)
{
    const struct literal_machine *l = (const struct literal_machine *)m;

    return *(const uint64_t *)srt_pool_payload(&l->states, state) != 0;
}

/* Reads a token's bytes anew, with its number known. */
static sortes_status literal_token(struct literal_machine *l,
                                   struct literal_walk *w, const char *bytes,
                                   size_t n)
{
    sortes_status status = SORTES_OK;

    for (size_t i = 0; i < n && !w->dead && status == SORTES_OK; i++)
        status = literal_byte(l, w, (uint8_t)bytes[i]);
    return status;
}

/* Whether a token completes a character. */
static bool literal_completes(const struct literal_state *from,
                              const char *bytes, size_t n)
{
    const char *end = memchr(bytes, '\0', n);
    const unsigned char first = (unsigned char)bytes[0];
    size_t needs = from->left;

    if (!needs)
        needs = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    return (end ? (size_t)(end - bytes) : n) >= needs;
}

static sortes_status literal_step_token(struct srt_machine *m, uint32_t state,
                                        int32_t token, uint32_t by_bytes,
                                        uint32_t *next)
{
    struct literal_machine *l = (struct literal_machine *)m;
    const struct literal_state from = literal_at(l, state);
    struct literal_walk w = { .at = from, .token = token };
    const size_t begin = token ? l->vocab->ends[token - 1] : 0;
    const size_t n = l->vocab->ends[token] - begin;
    bool may_end = true;
    sortes_status status = SORTES_OK;

    *next = SRT_DEAD;
    if (n == 0 || l->vocab->bytes[begin] == '\0' ||
        l->vocab->flags[token] & SORTES_TOKEN_EOG)
        return SORTES_OK;
    if (l->rules.tokens.n) {
        status = literal_token(l, &w, l->vocab->bytes + begin, n);
    } else {
        if (by_bytes == SRT_DEAD)
            return SORTES_OK;
        w.at = literal_at(l, by_bytes);
    }
    if (status == SORTES_OK && !w.hit)
        status = literal_may_end(l, &w.at, &may_end);
    if (status != SORTES_OK || w.dead || !may_end)
        return status;
    /* Every token ends the stack that was empty before it. */
    if (w.at.config && !literal_completes(&from, l->vocab->bytes + begin, n))
        status = srt_stacks_go_on(&l->stacks, w.at.config, &w.at.config);
    if (status == SORTES_OK && l->rules.tokens.n && from.config)
        status = srt_stacks_take(&l->stacks, from.config, (uint32_t)token,
                                 w.at.config, &w.at.config);
    w.at.flags = w.at.left ? LITERAL_OLD : 0;
    if (!w.at.config) /* llama.cpp throws here */
        memset(&w.at, 0, sizeof(w.at));
    return status == SORTES_OK ? literal_number(l, &w.at, next) : status;
}

static void literal_tokens_at(const struct srt_machine *m, uint32_t state,
                              void (*each)(void *ctx, int32_t token), void *ctx)
{
    const struct literal_machine *l = (const struct literal_machine *)m;

    (void)state;
    for (size_t i = 0; i < l->rules.tokens.n; i++)
        if (l->rules.tokens.at[i] < l->vocab->n_tokens)
            each(ctx, (int32_t)l->rules.tokens.at[i]);
}

static const struct srt_machine_type literal_type = {
    .step = literal_step,
    .accepts = literal_accepts,
    .stats = literal_stats,
    .token_may_end = literal_token_may_end,
    .step_token = literal_step_token,
    .tokens_at = literal_tokens_at,
};

static const struct srt_machine_type literal_byte_type = {
    .step = literal_step,
    .accepts = literal_accepts,
    .stats = literal_stats,
};

/* ---- building ------------------------------------------------------------ */

/* ASCII between two cuts is of one class; NUL, and what is not ASCII, is each
 * a class of its own. */
static void literal_classes(struct srt_machine *m, const struct srt_gbnf *g)
{
    bool cut[130] = { false };
    unsigned n = 0;

    cut[1] = true;
    for (size_t i = 0; i < g->n_ranges; i++) {
        cut[g->ranges[i][0] < 128 ? g->ranges[i][0] : 128] = true;
        cut[g->ranges[i][1] < 128 ? g->ranges[i][1] + 1 : 128] = true;
    }
    for (unsigned byte = 0; byte < 256; byte++) {
        if (byte == 0 || byte >= 128 || cut[byte])
            n++;
        m->class_of[byte] = (uint8_t)(n - 1);
    }
    m->n_classes = (uint16_t)n;
}

static sortes_status literal_start(struct literal_machine *l,
                                   const struct srt_gbnf *g, sortes_error *err)
{
    const struct srt_options *o = &g->program.options;
    struct literal_state at = { 0 };
    sortes_status status = srt_stacks_init(&l->stacks, &l->rules, g, o);

    srt_pool_init(&l->states, 8, o->max_states, o->max_state_bytes);
    if (status == SORTES_OK)
        status = srt_stacks_start(&l->stacks, &at.config);
    if (status == SORTES_OK && !at.config)
        return srt_machine_empty("gbnf", -1, err);
    if (status == SORTES_OK)
        status = literal_number(l, &at, &l->machine.start);
    return status == SORTES_OK
               ? SORTES_OK
               : srt_fail(err, status, 0, "gbnf: the start takes too much");
}

sortes_status srt_gbnf_build_literal(struct srt_machine **out,
                                     const struct srt_gbnf *g,
                                     const sortes_vocab *v, sortes_error *err)
{
    struct literal_machine *l = calloc(1, sizeof(*l));
    struct srt_timer timer = { .limit_us = g->program.options.max_compile_us };
    struct srt_alphabet all;
    sortes_status status;

    *out = NULL;
    if (!l)
        return srt_fail(err, SORTES_E_NOMEM, 0, "gbnf: no memory");
    srt_alphabet_fill(&all);
    srt_machine_init(&l->machine, v ? &literal_type : &literal_byte_type,
                     literal_destroy, &all);
    l->machine.literal = true;
    l->vocab = v;
    status = srt_rules_build(&l->rules, g, NULL, v, &timer, err);
    if (status == SORTES_OK)
        status = literal_start(l, g, err);
    if (status != SORTES_OK) {
        srt_shared_release(&l->machine.shared);
        return status;
    }
    literal_classes(&l->machine, g);
    *out = &l->machine;
    return SORTES_OK;
}

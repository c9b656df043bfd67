/*
 * gbnf.c - the kind "gbnf", and the machine of its exact form
 *
 * A state is a configuration of stacks (stacks.h).  As everything that no text
 * over the alphabet completes was left out of the rules, a configuration with
 * a stack in it is alive.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/gbnf/gbnf.h"

#include "constrain/gbnf/rules.h"
#include "constrain/gbnf/stacks.h"

#include <stdio.h>
#include <string.h>

struct gbnf_machine {
    struct srt_machine machine; /* first */
    struct srt_rules rules;
    struct srt_stacks stacks;
    const sortes_vocab *vocab; /* NULL: bytes alone */
};

/* What a configuration's payload says of its token elements. */
enum { GBNF_NOTED = 1, GBNF_TOKEN = 2, GBNF_TOKEN_NOT = 4 };

static uint64_t *gbnf_note(const struct gbnf_machine *g, uint32_t state)
{
    return srt_pool_payload(&g->stacks.configs, state);
}

/* Notes which token edges a new state has, for readers without the lock. */
static sortes_status gbnf_look(struct gbnf_machine *g, uint32_t state)
{
    const struct srt_stack_items *items;
    uint64_t note = GBNF_NOTED;
    sortes_status status;

    if (!state || !g->rules.tokens.n || *gbnf_note(g, state))
        return SORTES_OK;
    status = srt_stacks_items(&g->stacks, state, &items);
    if (status != SORTES_OK)
        return status;
    for (size_t i = 0; i < items->n; i++) {
        const struct srt_rule_state *from =
            &g->rules.states[items->at[i].state];

        for (uint32_t e = from->edge[2]; e < from->edge[3]; e++)
            note |= g->rules.edges[e].label & SRT_RULE_TOKEN_NOT
                        ? GBNF_TOKEN_NOT
                        : GBNF_TOKEN;
    }
    *gbnf_note(g, state) = note;
    return SORTES_OK;
}

/* ---- the machine --------------------------------------------------------- */

static void gbnf_destroy(struct srt_shared *shared)
{
    struct gbnf_machine *g = (struct gbnf_machine *)shared;

    srt_stacks_clear(&g->stacks);
    srt_rules_free(&g->rules);
    srt_machine_clear(&g->machine);
    free(g);
}

static sortes_status gbnf_step(struct srt_machine *m, uint32_t state,
                               uint8_t byte, uint32_t *next)
{
    struct gbnf_machine *g = (struct gbnf_machine *)m;
    sortes_status status = SORTES_OK;

    *next = SRT_DEAD;
    if (srt_alphabet_has(&m->alphabet, byte))
        status = srt_stacks_read(&g->stacks, state, byte, next);
    return status == SORTES_OK ? gbnf_look(g, *next) : status;
}

static bool gbnf_accepts(const struct srt_machine *m, uint32_t state)
{
    return srt_stacks_may_end(&((const struct gbnf_machine *)m)->stacks, state);
}

static void gbnf_stats(const struct srt_machine *m, size_t *n_states,
                       size_t *n_bytes)
{
    const struct gbnf_machine *g = (const struct gbnf_machine *)m;

    *n_states = g->stacks.configs.n;
    *n_bytes = srt_stacks_bytes(&g->stacks);
}

/* End tokens, and those that are no text, are no token's element. */
static bool gbnf_takes(const sortes_vocab *v, int32_t token)
{
    const size_t begin = token ? v->ends[token - 1] : 0;

    return v->ends[token] > begin && !(v->flags[token] & SORTES_TOKEN_EOG);
}

static sortes_status gbnf_step_token(struct srt_machine *m, uint32_t state,
                                     int32_t token, uint32_t by_bytes,
                                     uint32_t *next)
{
    struct gbnf_machine *g = (struct gbnf_machine *)m;
    sortes_status status;

    *next = by_bytes;
    if (*gbnf_note(g, state) == GBNF_NOTED || !gbnf_takes(g->vocab, token))
        return SORTES_OK;
    status =
        srt_stacks_take(&g->stacks, state, (uint32_t)token, by_bytes, next);
    return status == SORTES_OK ? gbnf_look(g, *next) : status;
}

static void gbnf_tokens_at(const struct srt_machine *m, uint32_t state,
                           void (*each)(void *ctx, int32_t token), void *ctx)
{
    const struct gbnf_machine *g = (const struct gbnf_machine *)m;
    const uint64_t note = *gbnf_note(g, state);

    if (note & GBNF_TOKEN_NOT) {
        for (size_t i = 0; i < g->vocab->n_tokens; i++)
            if (gbnf_takes(g->vocab, (int32_t)i))
                each(ctx, (int32_t)i);
    } else if (note & GBNF_TOKEN) {
        for (size_t i = 0; i < g->rules.tokens.n; i++)
            if (g->rules.tokens.at[i] < g->vocab->n_tokens)
                each(ctx, (int32_t)g->rules.tokens.at[i]);
    }
}

static const struct srt_machine_type gbnf_type = {
    .step = gbnf_step,
    .accepts = gbnf_accepts,
    .stats = gbnf_stats,
};

static const struct srt_machine_type gbnf_token_type = {
    .step = gbnf_step,
    .accepts = gbnf_accepts,
    .stats = gbnf_stats,
    .step_token = gbnf_step_token,
    .tokens_at = gbnf_tokens_at,
};

/* ---- building ------------------------------------------------------------ */

/* Bytes between two cuts are of one class; what the alphabet lacks is one
 * class by itself. */
static void gbnf_classes(struct srt_machine *m, const struct srt_rules *r)
{
    bool cut[257] = { false };
    unsigned n = 0;
    int missing = -1;

    for (size_t s = 0; s < r->n_states; s++)
        for (uint32_t e = r->states[s].edge[0]; e < r->states[s].edge[1]; e++) {
            cut[r->edges[e].label & 0xff] = true;
            cut[(r->edges[e].label >> 8) + 1] = true;
        }
    for (unsigned byte = 0; byte < 256; byte++) {
        if (!srt_alphabet_has(&m->alphabet, (uint8_t)byte)) {
            cut[byte + 1] = true;
            if (missing < 0)
                missing = (int)n++;
            m->class_of[byte] = (uint8_t)missing;
            continue;
        }
        if (byte == 0 || cut[byte])
            n++;
        m->class_of[byte] = (uint8_t)(n - 1);
    }
    m->n_classes = (uint16_t)n;
}

/* The language is empty: names a byte that would change that. */
static sortes_status gbnf_empty(const struct srt_gbnf *g,
                                const struct srt_alphabet *alphabet,
                                const sortes_vocab *v, struct srt_timer *timer,
                                sortes_error *err)
{
    struct srt_alphabet more = *alphabet;
    struct srt_rules r;

    for (int byte = 0; byte < 256; byte++) {
        bool would_do;

        if (srt_alphabet_has(&more, (uint8_t)byte))
            continue;
        srt_alphabet_add(&more, (uint8_t)byte);
        if (srt_rules_build(&r, g, &more, v, timer, NULL) != SORTES_OK)
            break;
        would_do = r.has_text;
        srt_rules_free(&r);
        if (would_do)
            return srt_fail(err, SORTES_E_EMPTY, 0,
                            "gbnf: no text of it can be written with the "
                            "bytes that the vocabulary has as tokens; it lacks "
                            "0x%02X",
                            (unsigned)byte);
    }
    if (g->has_tokens)
        return srt_fail(err, SORTES_E_EMPTY, 0,
                        "gbnf: no text satisfies it with the tokens that the "
                        "vocabulary has");
    return srt_machine_empty("gbnf", -1, err);
}

static sortes_status gbnf_start(struct gbnf_machine *m,
                                const struct srt_options *options,
                                sortes_error *err)
{
    sortes_status status =
        srt_stacks_init(&m->stacks, &m->rules, NULL, options);

    if (status == SORTES_OK)
        status = srt_stacks_start(&m->stacks, &m->machine.start);
    if (status == SORTES_OK && !m->machine.start)
        status = srt_stacks_stuck(&m->stacks, &m->machine.start);
    if (status == SORTES_OK)
        status = gbnf_look(m, m->machine.start);
    return status == SORTES_OK
               ? SORTES_OK
               : srt_fail(err, status, 0, "gbnf: the start takes too much");
}

static sortes_status gbnf_build(struct srt_machine **out,
                                const struct srt_program *p,
                                const struct srt_alphabet *alphabet,
                                const sortes_vocab *v, sortes_error *err)
{
    const struct srt_gbnf *g = (const struct srt_gbnf *)p;
    struct srt_timer timer = { .limit_us = p->options.max_compile_us };
    struct gbnf_machine *m;
    sortes_status status;

    *out = NULL;
    if (p->options.form == SRT_FORM_LITERAL)
        return srt_gbnf_build_literal(out, g, v, err);
    m = calloc(1, sizeof(*m));
    if (!m)
        return srt_fail(err, SORTES_E_NOMEM, 0, "gbnf: no memory");
    srt_machine_init(&m->machine, &gbnf_type, gbnf_destroy, alphabet);
    m->vocab = v;
    status = srt_rules_build(&m->rules, g, alphabet, v, &timer, err);
    if (m->rules.tokens.n)
        m->machine.type = &gbnf_token_type;
    /* Without a vocab no token element matches: whether the language is empty
     * is not known yet.  By bytes it is, from the start on. */
    if (status == SORTES_OK && !m->rules.has_text && !m->rules.accepts_empty &&
        (v || !g->has_tokens))
        status = gbnf_empty(g, alphabet, v, &timer, err);
    if (status == SORTES_OK)
        status = gbnf_start(m, &p->options, err);
    if (status != SORTES_OK) {
        srt_shared_release(&m->machine.shared);
        return status;
    }
    gbnf_classes(&m->machine, &m->rules);
    *out = &m->machine;
    return SORTES_OK;
}

static sortes_status gbnf_parse(struct srt_program **out, const char *text,
                                size_t n, const struct srt_options *options,
                                sortes_error *err)
{
    struct srt_gbnf *g;
    const sortes_status status = srt_gbnf_read(&g, text, n, options, err);

    *out = g ? &g->program : NULL;
    return status;
}

static void gbnf_free(struct srt_program *p)
{
    srt_gbnf_free((struct srt_gbnf *)p);
}

static bool gbnf_needs_vocab(const struct srt_program *p)
{
    return ((const struct srt_gbnf *)p)->has_tokens ||
           p->options.form == SRT_FORM_LITERAL;
}

const struct srt_language srt_language_gbnf = {
    .name = "gbnf",
    .parse = gbnf_parse,
    .build = gbnf_build,
    .free = gbnf_free,
    .needs_vocab = gbnf_needs_vocab,
};

/*
 * llama_chain.h - libllama's own chain for some settings, one stage at a time
 *
 * Stages that llama.cpp would leave empty are not made, so the list is the one
 * that sortes_sampler_explain shows.  The order is that of llama.cpp's
 * common/sampling.cpp.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_LLAMA_CHAIN_H
#define TESTS_LLAMA_CHAIN_H

#include "llama.h"
#include "oracle/beside.h"
#include "support/settings.h"

enum { LLAMA_CHAIN_STAGES = 8 };

struct llama_chain {
    size_t n;
    struct llama_sampler *stage[LLAMA_CHAIN_STAGES];
    const char *name[LLAMA_CHAIN_STAGES]; /* as sortes names them */
};

static inline void llama_chain_add(struct llama_chain *c, const char *name,
                                   struct llama_sampler *stage)
{
    c->name[c->n] = name;
    c->stage[c->n++] = stage;
}

static inline struct llama_sampler *llama_chain_biases(const struct settings *s,
                                                       size_t n_vocab)
{
    llama_logit_bias biases[SETTINGS_BIASES];

    for (size_t i = 0; i < s->n_biases; i++)
        biases[i] =
            (llama_logit_bias){ s->biases[i].token, s->biases[i].value };
    return llama_sampler_init_logit_bias((int32_t)n_vocab, (int32_t)s->n_biases,
                                         biases);
}

/* Knows nothing of the history yet. */
static inline struct llama_chain llama_chain_make(const struct settings *s,
                                                  size_t n_vocab)
{
    struct llama_chain c = { 0 };
    const size_t min_keep = (size_t)s->min_keep;

    if (s->n_biases > 0)
        llama_chain_add(&c, "logit_bias", llama_chain_biases(s, n_vocab));
    if (s->last_n > 0 &&
        (s->repeat != 1 || s->frequency != 0 || s->presence != 0))
        llama_chain_add(
            &c, "penalties",
            llama_sampler_init_penalties((int32_t)n_vocab, s->last_n, s->repeat,
                                         s->frequency, s->presence));
    if (s->top_k > 0)
        llama_chain_add(&c, "top_k", llama_sampler_init_top_k(s->top_k));
    if (s->top_p < 1)
        llama_chain_add(&c, "top_p",
                        llama_sampler_init_top_p(s->top_p, min_keep));
    if (s->min_p > 0)
        llama_chain_add(&c, "min_p",
                        llama_sampler_init_min_p(s->min_p, min_keep));
    if (s->temperature != 1)
        llama_chain_add(&c, "temperature",
                        llama_sampler_init_temp_ext(s->temperature, 0, 1));
    if (s->greedy)
        llama_chain_add(&c, "greedy", llama_sampler_init_greedy());
    else
        llama_chain_add(&c, "dist", llama_sampler_init_dist(s->seed));
    return c;
}

static inline void llama_chain_free(struct llama_chain *c)
{
    for (size_t i = 0; i < c->n; i++)
        llama_sampler_free(c->stage[i]);
    c->n = 0;
}

static inline void llama_chain_accept(struct llama_chain *c,
                                      const int32_t *tokens, size_t n)
{
    beside_accept(c->stage, c->n, tokens, n);
}

/* One step on a fresh array: the token drawn. */
static inline int32_t llama_chain_draw(struct llama_chain *c,
                                       llama_token_data *data, const float *x,
                                       size_t n)
{
    llama_token_data_array a = beside_fill(data, x, n);

    for (size_t i = 0; i < c->n; i++)
        llama_sampler_apply(c->stage[i], &a);
    return a.data[a.selected].id;
}

#endif /* TESTS_LLAMA_CHAIN_H */

/*
 * sortes_llama.h - sortes inside a program that uses llama.cpp
 *
 * Optional: needs llama.h, and nothing of it is compiled into the library.
 *
 *   sortes_llama_sample      draws from a context's logits as they lie, instead
 *                            of llama_sampler_sample (whose fill of candidates
 *                            alone costs more than a whole step here)
 *   sortes_llama_constraint  a sortes constraint as a llama_sampler, to stand
 *                            in front of any llama.cpp chain
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SORTES_LLAMA_H
#define SORTES_LLAMA_H

#include "sortes.h"

#include <llama.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Draws a token from the i-th output of the last llama_decode (-1: the last),
 * in place.  Accept the token you keep, as llama_sampler_accept would.
 */
static inline sortes_status sortes_llama_sample(sortes_sampler *s,
                                                struct llama_context *ctx,
                                                int32_t i, sortes_draw *draw)
{
    const struct llama_vocab *vocab =
        llama_model_get_vocab(llama_get_model(ctx));
    sortes_row row;

    row.data = llama_get_logits_ith(ctx, i);
    row.n = (size_t)llama_vocab_n_tokens(vocab);
    row.type = SORTES_F32;
    if (!row.data)
        return SORTES_E_ARGUMENT;
    return sortes_sampler_sample(s, &row, draw);
}

/* ---- a constraint as a llama_sampler ------------------------------------- */

/*
 * llama.cpp's table of functions has grown with its versions, and a newer
 * library reads past what this header knows: those entries are zero, which is
 * "not there".
 */
union sortes_llama_functions {
    struct llama_sampler_i i;
    void *room[64];
};

struct sortes_llama_state {
    union sortes_llama_functions functions;
    sortes_constraint constraint;
    uint32_t *words; /* the mask, one bit a token */
    size_t n_words;
    sortes_status status; /* of the last accept: see sortes_llama_status */
};

static inline const char *sortes_llama_name(const struct llama_sampler *sampler)
{
    (void)sampler;
    return "sortes-constraint";
}

static inline void sortes_llama_accept(struct llama_sampler *sampler,
                                       llama_token token)
{
    struct sortes_llama_state *s = (struct sortes_llama_state *)sampler->ctx;

    s->status = s->constraint.advance(s->constraint.ctx, token);
}

/* Forbidden candidates fall to -inf; the array keeps its size and order.  When
 * the constraint fails, all do, and sortes_llama_status says why. */
static inline void sortes_llama_apply(struct llama_sampler *sampler,
                                      llama_token_data_array *c)
{
    struct sortes_llama_state *s = (struct sortes_llama_state *)sampler->ctx;

    memset(s->words, 0, s->n_words * sizeof(*s->words));
    if (s->status == SORTES_OK)
        s->status = s->constraint.mask(s->constraint.ctx, s->words, s->n_words);
    for (size_t i = 0; i < c->size; i++) {
        const uint32_t id = (uint32_t)c->data[i].id;

        if (s->status != SORTES_OK || id / 32 >= s->n_words ||
            !((s->words[id / 32] >> id % 32) & 1))
            c->data[i].logit = -INFINITY;
    }
}

static inline void sortes_llama_reset(struct llama_sampler *sampler)
{
    struct sortes_llama_state *s = (struct sortes_llama_state *)sampler->ctx;

    s->status = s->constraint.reset ? s->constraint.reset(s->constraint.ctx)
                                    : SORTES_E_ARGUMENT;
}

static inline void sortes_llama_free(struct llama_sampler *sampler)
{
    struct sortes_llama_state *s = (struct sortes_llama_state *)sampler->ctx;

    if (s->constraint.free)
        s->constraint.free(s->constraint.ctx);
    free(s->words);
    free(s);
}

static inline struct llama_sampler *
sortes_llama_constraint(const sortes_constraint *c, size_t n_vocab);

static inline struct llama_sampler *
sortes_llama_clone(const struct llama_sampler *sampler)
{
    const struct sortes_llama_state *s =
        (const struct sortes_llama_state *)sampler->ctx;
    sortes_constraint copy = s->constraint;
    struct llama_sampler *twin;

    if (!copy.clone)
        return NULL;
    copy.ctx = copy.clone(copy.ctx);
    if (!copy.ctx)
        return NULL;
    twin = sortes_llama_constraint(&copy, s->n_words * 32);
    if (twin)
        ((struct sortes_llama_state *)twin->ctx)->status = s->status;
    else if (copy.free)
        copy.free(copy.ctx);
    return twin;
}

/*
 * For llama_sampler_chain_add, before what draws.  Copies *c and takes over
 * its ctx; NULL: no memory, and ctx stays the caller's.
 */
static inline struct llama_sampler *
sortes_llama_constraint(const sortes_constraint *c, size_t n_vocab)
{
    struct sortes_llama_state *s =
        (struct sortes_llama_state *)calloc(1, sizeof(*s));
    struct llama_sampler *sampler = NULL;

    if (!s)
        return NULL;
    s->functions.i.name = sortes_llama_name;
    s->functions.i.accept = sortes_llama_accept;
    s->functions.i.apply = sortes_llama_apply;
    s->functions.i.reset = sortes_llama_reset;
    s->functions.i.clone = sortes_llama_clone;
    s->functions.i.free = sortes_llama_free;
    s->constraint = *c;
    s->n_words = (n_vocab + 31) / 32;
    s->words = (uint32_t *)calloc(s->n_words + 1, sizeof(*s->words));
    if (s->words)
        sampler = llama_sampler_init(&s->functions.i, s);
    if (!sampler) {
        free(s->words);
        free(s);
    }
    return sampler;
}

/* Whether the constraint behind such a sampler has failed. */
static inline sortes_status
sortes_llama_status(const struct llama_sampler *sampler)
{
    return ((const struct sortes_llama_state *)sampler->ctx)->status;
}

#ifdef __cplusplus
}
#endif

#endif /* SORTES_LLAMA_H */

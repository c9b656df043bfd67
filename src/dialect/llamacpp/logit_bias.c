/*
 * logit_bias.c - add a number to the logits of single tokens
 *
 * Rule:   every entry adds its bias to its token, in the order of the list;
 *         a token named twice gets both.
 * Source: llama.cpp src/llama-sampler.cpp, logit_bias.
 *
 * The stage stands first, where data[i].id == i: llama.cpp's second pass, for
 * arrays in another order, is not reached.  Tokens outside the row are passed
 * over, as there.  `sorted` is left alone.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"

static bool logit_bias_enabled(const struct srt_llamacpp *chain)
{
    return chain->n_biases > 0;
}

static sortes_status logit_bias_apply(struct srt_llamacpp *chain,
                                      const struct srt_slot *slot,
                                      struct srt_candidates *c,
                                      struct srt_step *step)
{
    (void)slot;
    (void)step;
    for (size_t i = 0; i < chain->n_biases; i++) {
        const struct srt_bias *b = &chain->biases[i];

        if (b->token < 0 || (size_t)b->token >= c->size)
            continue;
        c->data[b->token].logit += b->value;
        if (srt_logit_is_bad(c->data[b->token].logit))
            return SORTES_E_NOT_FINITE;
    }
    return SORTES_OK;
}

const struct srt_llamacpp_stage srt_stage_logit_bias = {
    .enabled = logit_bias_enabled,
    .apply = logit_bias_apply,
};

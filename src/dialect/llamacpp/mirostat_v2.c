/*
 * mirostat_v2.c - hold the surprise of the text near a target: version 2
 *
 * Rule:   drop the tokens more surprising than mu, draw, move mu.
 * Source: Basu et al., Mirostat, 2020; llama.cpp src/llama-sampler.cpp,
 * mirostat-v2.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"
#include "numeric/numeric.h"

static sortes_status mirostat_v2_apply(struct srt_llamacpp *chain,
                                       const struct srt_slot *slot,
                                       struct srt_candidates *c,
                                       struct srt_step *step)
{
    sortes_status status = srt_candidates_softmax(c, true);
    size_t n = 0;

    if (status != SORTES_OK)
        return status;
    while (n < c->size && !(-srt_log2f(c->data[n].p) > step->mu))
        n++;
    c->size = n > 0 ? n : 1;
    status = srt_candidates_softmax(c, true);
    if (status != SORTES_OK)
        return status;
    srt_llamacpp_discrete(chain, slot->generator, c, step);
    srt_llamacpp_move_mu(chain->params, c->data[c->selected].p, step);
    return SORTES_OK;
}

const struct srt_llamacpp_stage srt_stage_mirostat_v2 = {
    .apply = mirostat_v2_apply,
    .has_generator = true,
};

/*
 * xtc.c - now and then, drop the most likely tokens
 *
 * Rule:   with some probability, of all tokens on or above the threshold only
 *         the least likely one stays.
 * Source: p-e-w, text-generation-webui pull request 6335; llama.cpp
 * src/llama-sampler.cpp, xtc.
 *
 * The coin is a float of the stage's own generator, tossed before anything is
 * sorted, and not for a single candidate.  The p's that stay are those of
 * before the cut.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"

static bool xtc_enabled(const struct srt_llamacpp *chain)
{
    return chain->params->xtc_probability > 0.0f &&
           chain->params->xtc_threshold <= 0.5f;
}

static sortes_status xtc_apply(struct srt_llamacpp *chain,
                               const struct srt_slot *slot,
                               struct srt_candidates *c, struct srt_step *step)
{
    const struct sortes_params *p = chain->params;
    const size_t g = slot->generator;
    size_t last = 0;
    sortes_status status;

    if (c->size < 2)
        return SORTES_OK;
    if (srt_mt19937_float(&chain->rng[g], &step->position[g]) >
        p->xtc_probability)
        return SORTES_OK;
    status = srt_candidates_softmax(c, true);
    if (status != SORTES_OK)
        return status;
    for (size_t i = 0; i < c->size && c->data[i].p >= p->xtc_threshold; i++)
        last = i;
    if (last > 0 && c->size - last >= (size_t)p->min_keep) {
        c->data += last;
        c->size -= last;
    }
    return SORTES_OK;
}

const struct srt_llamacpp_stage srt_stage_xtc = {
    .enabled = xtc_enabled,
    .apply = xtc_apply,
    .has_generator = true,
};

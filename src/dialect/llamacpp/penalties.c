/*
 * penalties.c - make tokens of the last few less likely
 *
 * Rule:   a token seen count times in the window: its logit is divided by
 *         repeat_penalty if positive and multiplied otherwise (zero too), then
 *         loses count * frequency_penalty + presence_penalty.
 * Source: llama.cpp src/llama-sampler.cpp, penalties.
 *
 * Float order: the product and the sum are formed first, each rounded to
 * float, then one subtraction.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"

float srt_llamacpp_penalize(const struct sortes_params *p, int32_t count,
                            float logit)
{
    const float frequency = (float)count * p->frequency_penalty;
    const float loss = frequency + p->presence_penalty;

    if (logit <= 0.0f)
        logit *= p->repeat_penalty;
    else
        logit /= p->repeat_penalty;
    return logit - loss;
}

static bool penalties_enabled(const struct srt_llamacpp *chain)
{
    const struct sortes_params *p = chain->params;

    return p->repeat_last_n > 0 &&
           (p->repeat_penalty != 1.0f || p->frequency_penalty != 0.0f ||
            p->presence_penalty != 0.0f);
}

static sortes_status penalties_apply(struct srt_llamacpp *chain,
                                     const struct srt_slot *slot,
                                     struct srt_candidates *c,
                                     struct srt_step *step)
{
    struct srt_lookup lookup;

    (void)slot;
    (void)step;
    srt_lookup_init(&lookup, chain->window.counts, chain->window.n_counts);
    for (size_t i = 0; i < c->size; i++) {
        struct srt_candidate *it = &c->data[i];
        const struct srt_count *seen = srt_lookup_find(&lookup, it->id);

        if (!seen)
            continue;
        it->logit =
            srt_llamacpp_penalize(chain->params, seen->count, it->logit);
        if (srt_logit_is_bad(it->logit))
            return SORTES_E_NOT_FINITE;
    }
    c->sorted = false;
    return SORTES_OK;
}

const struct srt_llamacpp_stage srt_stage_penalties = {
    .enabled = penalties_enabled,
    .apply = penalties_apply,
};

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

static bool penalties_enabled(const struct srt_chain *chain)
{
    return chain->window.limit > 0;
}

static sortes_status penalties_apply(struct srt_chain *chain,
                                     struct srt_candidates *c,
                                     struct srt_step *step)
{
    const struct srt_window *w = &chain->window;

    (void)step;
    /* Only logit_bias stands before this stage, so data[id].id == id. */
    for (size_t i = 0; i < w->n_counts; i++) {
        const struct srt_count *seen = &w->counts[i];
        struct srt_candidate *it;

        if ((size_t)seen->token >= c->size)
            break; /* counts ascend by token */
        it = &c->data[seen->token];
        it->logit =
            srt_llamacpp_penalize(chain->params, seen->count, it->logit);
        if (srt_logit_is_bad(it->logit))
            return SORTES_E_NOT_FINITE;
    }
    c->sorted = false;
    return SORTES_OK;
}

const struct srt_llamacpp_stage srt_stage_penalties = {
    .name = "penalties",
    .enabled = penalties_enabled,
    .apply = penalties_apply,
};

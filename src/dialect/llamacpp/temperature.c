/*
 * temperature.c - divide the logits
 *
 * Source: llama.cpp src/llama-sampler.cpp, temp: a float division each, not a
 * multiplication by 1/t.  At 0 and below, all but the first largest become
 * -inf and the array stays as long as it was, so the draw still costs its
 * random number.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"

#include <math.h>

static bool temperature_enabled(const struct srt_chain *chain)
{
    return chain->params->temperature != 1.0f;
}

static void temperature_keep_best(struct srt_candidates *c)
{
    size_t best = 0;

    for (size_t i = 1; i < c->size; i++) {
        if (c->data[i].logit > c->data[best].logit) {
            c->data[best].logit = -INFINITY;
            best = i;
        } else {
            c->data[i].logit = -INFINITY;
        }
    }
}

static sortes_status temperature_apply(struct srt_chain *chain,
                                       struct srt_candidates *c,
                                       struct srt_step *step)
{
    const float t = chain->params->temperature;
    bool bad = false;

    (void)step;
    if (t <= 0.0f) {
        temperature_keep_best(c);
        return SORTES_OK;
    }
    for (size_t i = 0; i < c->size; i++) {
        c->data[i].logit /= t;
        bad |= srt_logit_is_bad(c->data[i].logit);
    }
    return bad ? SORTES_E_NOT_FINITE : SORTES_OK;
}

const struct srt_llamacpp_stage srt_stage_temperature = {
    .name = "temperature",
    .enabled = temperature_enabled,
    .apply = temperature_apply,
};

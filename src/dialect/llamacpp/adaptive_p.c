/*
 * adaptive_p.c - prefer tokens whose probability is near a target over time
 *
 * Source: llama.cpp pull request 17927; src/llama-sampler.cpp, adaptive-p.
 *
 * The softmax before and after does not sort, and `sorted` keeps saying what
 * it said: when it is true it no longer holds, and the second softmax takes
 * data[0] for the maximum.  The result is normalised all the same, unless the
 * weights overflow; that is refused.
 *
 * Float order: all in float; the constant is 1.0f / 0.3f.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"

#include <math.h>

static float adaptive_clamp(float x, float low, float high)
{
    return x < low ? low : x > high ? high : x;
}

float srt_llamacpp_adaptive_decay(const struct sortes_params *p)
{
    return adaptive_clamp(p->adaptive_decay, 0.0f, 0.99f);
}

/* The probability to aim at now, so that the average comes to the target. */
static float adaptive_aim(float target, const struct srt_step *step)
{
    const float goal = adaptive_clamp(target, 0.0f, 1.0f);
    float average;

    if (step->total_weight == 0.0f)
        return goal;
    average = step->weighted_sum / step->total_weight;
    return adaptive_clamp(2.0f * goal - average, 0.0f, 1.0f);
}

static void adaptive_bend(struct srt_candidates *c, float aim)
{
    const float inverse_width = 1.0f / 0.3f;

    for (size_t i = 0; i < c->size; i++) {
        struct srt_candidate *it = &c->data[i];
        const float off = fabsf((it->p - aim) * inverse_width);

        if (it->logit != -INFINITY)
            it->logit = 5.0f - ((10.0f * off) * off) / (1.0f + off);
    }
}

static sortes_status adaptive_p_apply(struct srt_llamacpp *chain,
                                      const struct srt_slot *slot,
                                      struct srt_candidates *c,
                                      struct srt_step *step)
{
    const float target = chain->params->adaptive_target;
    sortes_status status = srt_candidates_softmax(c, false);

    if (status != SORTES_OK)
        return status;
    step->pending_token = -1;
    if (target < 0.0f) {
        srt_llamacpp_discrete(chain, slot->generator, c, step);
        return SORTES_OK;
    }
    /* The engine keeps every original p until the token is accepted; the
     * drawn one's is all that is ever read. */
    for (size_t i = 0; i < c->size; i++)
        c->spare[i].p = c->data[i].p;
    adaptive_bend(c, adaptive_aim(target, step));
    status = srt_candidates_softmax(c, false);
    if (status != SORTES_OK)
        return status;
    srt_llamacpp_discrete(chain, slot->generator, c, step);
    step->pending_token = c->data[c->selected].id;
    step->pending_p = c->spare[c->selected].p;
    return SORTES_OK;
}

const struct srt_llamacpp_stage srt_stage_adaptive_p = {
    .apply = adaptive_p_apply,
    .has_generator = true,
};

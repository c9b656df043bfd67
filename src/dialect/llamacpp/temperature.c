/*
 * temperature.c - divide the logits, by a constant or by one that follows the
 * entropy
 *
 * Source: llama.cpp src/llama-sampler.cpp, temp and temp-ext: a float division
 * each, not a multiplication by 1/t.  At 0 and below, all but the first
 * largest become -inf and the array stays as long as it was, so the draw still
 * costs its random number.
 *
 * Dynamic temperature (range > 0): temp-ext; under mirostat the plain stage
 * stands here and the range does not count.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"
#include "numeric/numeric.h"

#include <math.h>

static bool temperature_is_dynamic(const struct srt_llamacpp *chain)
{
    return chain->params->dynatemp_range > 0.0f && chain->params->mirostat == 0;
}

static bool temperature_enabled(const struct srt_llamacpp *chain)
{
    return chain->params->temperature != 1.0f || temperature_is_dynamic(chain);
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

static sortes_status temperature_divide(struct srt_candidates *c, float t)
{
    bool bad = false;

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

/* The temperature at this entropy; the array is sorted and has its p's. */
static float temperature_at_entropy(const struct sortes_params *p,
                                    const struct srt_candidates *c)
{
    const float low = p->temperature - p->dynatemp_range > 0.0f
                          ? p->temperature - p->dynatemp_range
                          : 0.0f;
    const float high = p->temperature + p->dynatemp_range;
    const float most = -srt_logf(1.0f / (float)c->size);
    float entropy = 0.0f, share;

    for (size_t i = 0; i < c->size; i++) {
        const float q = c->data[i].p;

        if (q > 0.0f)
            entropy -= q * srt_logf(q);
    }
    share = (high - low) * srt_powf(entropy / most, p->dynatemp_exponent);
    return low + share;
}

/* p's for show, in double: a later softmax or draw makes its own. */
static void temperature_show(struct srt_candidates *c)
{
    const double max = (double)c->data[0].logit;
    double sum = 0.0;

    for (size_t i = 0; i < c->size; i++) {
        const double q = srt_exp((double)c->data[i].logit - max);
        c->data[i].p = (float)q;
        sum += q;
    }
    for (size_t i = 0; i < c->size; i++)
        c->data[i].p = (float)((double)c->data[i].p / sum);
}

static sortes_status temperature_apply(struct srt_llamacpp *chain,
                                       const struct srt_slot *slot,
                                       struct srt_candidates *c,
                                       struct srt_step *step)
{
    sortes_status status;

    (void)slot;
    (void)step;
    if (!temperature_is_dynamic(chain))
        return temperature_divide(c, chain->params->temperature);
    if (c->size <= 1)
        return SORTES_OK;
    status = srt_candidates_softmax(c, true);
    if (status == SORTES_OK)
        status =
            temperature_divide(c, temperature_at_entropy(chain->params, c));
    if (status == SORTES_OK)
        temperature_show(c);
    return status;
}

const struct srt_llamacpp_stage srt_stage_temperature = {
    .enabled = temperature_enabled,
    .apply = temperature_apply,
};

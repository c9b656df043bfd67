/*
 * top_n_sigma.c - keep what is within n standard deviations of the best logit
 *
 * Source: Tang et al., Top-nsigma: Not All Logits Are You Need, 2024;
 * llama.cpp src/llama-sampler.cpp, top-n-sigma.
 *
 * Float order: logits at -inf do not count; the mean's sum is a float in array
 * order; the squares' sum is a float to which each double square is added in
 * double and rounded back.  What falls becomes -inf; the array keeps its size.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"

#include <math.h>

float srt_llamacpp_sigma_line(const struct sortes_params *p, float max,
                              float sigma)
{
    const float below = p->top_n_sigma * sigma;

    return max - below;
}

static bool top_n_sigma_enabled(const struct srt_llamacpp *chain)
{
    return chain->params->top_n_sigma > 0.0f;
}

/* Standard deviation and maximum of the logits above -inf. */
static float top_n_sigma_spread(const struct srt_candidates *c, float *max)
{
    float sum = 0.0f, squares = 0.0f, mean, best = c->data[0].logit;
    size_t n = 0;

    for (size_t i = 0; i < c->size; i++) {
        const float logit = c->data[i].logit;

        if (logit == -INFINITY)
            continue;
        best = best < logit ? logit : best;
        sum += logit;
        n++;
    }
    *max = best;
    if (n == 0)
        return 0.0f;
    mean = sum / (float)n;
    for (size_t i = 0; i < c->size; i++) {
        const float logit = c->data[i].logit;
        const double off = (double)(logit - mean);

        if (logit != -INFINITY)
            squares = (float)((double)squares + off * off);
    }
    return sqrtf(squares / (float)n);
}

static sortes_status top_n_sigma_apply(struct srt_llamacpp *chain,
                                       const struct srt_slot *slot,
                                       struct srt_candidates *c,
                                       struct srt_step *step)
{
    float max, line;

    (void)slot;
    (void)step;
    if (c->size <= 1)
        return SORTES_OK;
    line = top_n_sigma_spread(c, &max);
    line = srt_llamacpp_sigma_line(chain->params, max, line);
    for (size_t i = 0; i < c->size; i++)
        if (c->data[i].logit < line)
            c->data[i].logit = -INFINITY;
    return SORTES_OK;
}

const struct srt_llamacpp_stage srt_stage_top_n_sigma = {
    .enabled = top_n_sigma_enabled,
    .apply = top_n_sigma_apply,
};

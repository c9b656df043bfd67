/*
 * dist.c - draw a token with its probability
 *
 * Source: llama.cpp src/llama-sampler.cpp, dist.
 *
 * Float order: weights are floats, their sum and the running sum doubles, both
 * in array order; the random number is taken after the sum.  The token is the
 * first at which the running sum reaches sum * u.  One candidate still costs
 * a random number (llama.cpp since the summer of 2026).
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"
#include "numeric/expf.h"

#include <math.h>

double srt_llamacpp_margin(double before, double after, double target,
                           double sum)
{
    double margin = 1.0;

    if (before > 0.0)
        margin = (target - before) / sum;
    if (after < sum && (after - target) / sum < margin)
        margin = (after - target) / sum;
    return margin;
}

static double dist_weigh(struct srt_candidates *c, float max,
                         uint64_t *n_candidates)
{
    double sum = 0.0;
    uint64_t n = 0;

    for (size_t i = 0; i < c->size; i++) {
        const float p = srt_expf_inline(c->data[i].logit - max);
        c->data[i].p = p;
        sum += (double)p;
        n += p > 0.0f;
    }
    *n_candidates = n;
    return sum;
}

static sortes_status dist_apply(struct srt_llamacpp *chain,
                                const struct srt_slot *slot,
                                struct srt_candidates *c, struct srt_step *step)
{
    const size_t g = slot->generator;
    const float max = srt_candidates_max(c);
    double sum, target, run = 0.0;

    if (max == -INFINITY)
        return SORTES_E_NO_TOKEN;
    sum = dist_weigh(c, max, &step->n_candidates);
    target = sum * srt_mt19937_double(&chain->rng[g], &step->position[g]);
    for (size_t i = 0; i < c->size; i++) {
        const double p = (double)c->data[i].p;

        if (c->selected < 0) {
            const double before = run;

            run += p;
            if (run >= target) {
                c->selected = (int64_t)i;
                step->margin = srt_llamacpp_margin(before, run, target, sum);
            }
        }
        c->data[i].p = (float)(p / sum);
    }
    return SORTES_OK;
}

const struct srt_llamacpp_stage srt_stage_dist = {
    .apply = dist_apply,
    .has_generator = true,
};

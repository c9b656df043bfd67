/*
 * greedy.c - take the largest logit, the first of several
 *
 * Source: llama.cpp src/llama-sampler.cpp, greedy.  No probabilities, no
 * random number.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"

#include <math.h>

static sortes_status greedy_apply(struct srt_llamacpp *chain,
                                  const struct srt_slot *slot,
                                  struct srt_candidates *c,
                                  struct srt_step *step)
{
    size_t best = 0;

    (void)chain;
    (void)slot;
    for (size_t i = 1; i < c->size; i++)
        if (c->data[i].logit > c->data[best].logit)
            best = i;
    if (c->data[best].logit == -INFINITY)
        return SORTES_E_NO_TOKEN;
    c->selected = (int64_t)best;
    step->n_candidates = 1;
    step->margin = 1.0;
    return SORTES_OK;
}

const struct srt_llamacpp_stage srt_stage_greedy = {
    .apply = greedy_apply,
};

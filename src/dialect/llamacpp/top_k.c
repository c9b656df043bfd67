/*
 * top_k.c - keep the k most likely tokens
 *
 * Source: llama.cpp src/llama-sampler.cpp, top-k.  Which of several tokens
 * with equal logits survive, and in which order, is decided by the sort.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"

static bool top_k_enabled(const struct srt_llamacpp *chain)
{
    return chain->params->top_k > 0;
}

static sortes_status top_k_apply(struct srt_llamacpp *chain,
                                 const struct srt_slot *slot,
                                 struct srt_candidates *c,
                                 struct srt_step *step)
{
    size_t k = (size_t)chain->params->top_k;

    (void)slot;
    (void)step;
    if (k > c->size)
        k = c->size;
    if (!c->sorted)
        srt_candidates_sort_first(c, k);
    c->size = k;
    return SORTES_OK;
}

const struct srt_llamacpp_stage srt_stage_top_k = {
    .enabled = top_k_enabled,
    .apply = top_k_apply,
};

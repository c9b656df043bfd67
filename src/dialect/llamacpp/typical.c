/*
 * typical.c - keep the tokens whose surprise is nearest to the expected one
 *
 * Source: Meister et al., Locally Typical Sampling, 2022; llama.cpp
 * src/llama-sampler.cpp, typical.
 *
 * Float order: entropy is a float sum of (-p) * logf(p) in sorted order.  One
 * p of 0 makes it NaN, and from then on every key is NaN and std::sort sees
 * only equal ones: the order that leaves is reproduced as it is.
 *
 * The output stands in the order of the keys, and `sorted` is false.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"
#include "numeric/numeric.h"

#include <math.h>
#include <string.h>

static bool typical_enabled(const struct srt_llamacpp *chain)
{
    return chain->params->typical_p < 1.0f;
}

/* Indices in the order of std::sort by ascending distance; std::sort compares
 * candidates by descending logit, so the negated distance stands there. */
static void typical_order(const struct srt_candidates *c,
                          struct srt_candidate *order)
{
    float entropy = 0.0f;

    for (size_t i = 0; i < c->size; i++)
        entropy += (-c->data[i].p) * srt_logf(c->data[i].p);
    for (size_t i = 0; i < c->size; i++) {
        const float off = -srt_logf(c->data[i].p) - entropy;

        order[i] = (struct srt_candidate){ (int32_t)i, -fabsf(off), 0.0f };
    }
    srt_sort(order, c->size);
}

static sortes_status typical_apply(struct srt_llamacpp *chain,
                                   const struct srt_slot *slot,
                                   struct srt_candidates *c,
                                   struct srt_step *step)
{
    const struct sortes_params *p = chain->params;
    const size_t min_keep = (size_t)p->min_keep;
    const sortes_status status = srt_candidates_softmax(c, true);
    size_t kept = 0;
    float run = 0.0f;

    (void)slot;
    (void)step;
    if (status != SORTES_OK)
        return status;
    typical_order(c, c->spare);
    while (kept < c->size) {
        run += c->data[c->spare[kept].id].p;
        kept++;
        if (run > p->typical_p && (min_keep == 0 || kept >= min_keep))
            break;
    }
    for (size_t i = 0; i < kept; i++)
        c->spare[i] = c->data[c->spare[i].id];
    memcpy(c->data, c->spare, kept * sizeof(*c->data));
    c->size = kept;
    c->sorted = false;
    return SORTES_OK;
}

const struct srt_llamacpp_stage srt_stage_typical = {
    .enabled = typical_enabled,
    .apply = typical_apply,
};

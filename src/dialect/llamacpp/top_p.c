/*
 * top_p.c - keep the most likely tokens that together reach a probability
 *
 * Source: Holtzman et al., The Curious Case of Neural Text Degeneration, 2019
 * (nucleus sampling); llama.cpp src/llama-sampler.cpp, top-p.
 *
 * Float order: the softmax sums in the order the array has before it is
 * sorted, which is id order when no top-k came first; the running sum that
 * decides the cut is a float over the sorted list.
 *
 * More than 1,024 unsorted candidates are first sorted as far as the 256th,
 * and all of them only if those do not suffice.  The second sort may put ties
 * among the first 256 in another order: their probabilities are equal, so the
 * running sum goes on as it is.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"

#include <string.h>

static bool top_p_enabled(const struct srt_llamacpp *chain)
{
    return chain->params->top_p < 1.0f;
}

/* Index behind the last candidate kept of the sorted list; n_sorted: how far
 * it is in order.  Goes on from *i and *run. */
static bool top_p_reached(const struct srt_candidate *list, size_t n_sorted,
                          const struct sortes_params *p, size_t *i, float *run)
{
    for (; *i < n_sorted; (*i)++) {
        *run += list[*i].p;
        if (*run >= p->top_p && *i + 1 >= (size_t)p->min_keep) {
            (*i)++;
            return true;
        }
    }
    return false;
}

static sortes_status top_p_apply(struct srt_llamacpp *chain,
                                 const struct srt_slot *slot,
                                 struct srt_candidates *c,
                                 struct srt_step *step)
{
    const sortes_status status = srt_candidates_softmax(c, false);
    float run = 0.0f;
    size_t kept = 0;

    (void)slot;
    (void)step;
    if (status != SORTES_OK)
        return status;
    if (!c->sorted && c->size > SRT_NUCLEUS_MANY) {
        (void)srt_bucket_sort(c->spare, c->data, c->size, SRT_NUCLEUS_FIRST);
        if (!top_p_reached(c->spare, SRT_NUCLEUS_FIRST, chain->params, &kept,
                           &run)) {
            (void)srt_bucket_sort(c->spare, c->data, c->size, c->size);
            (void)top_p_reached(c->spare, c->size, chain->params, &kept, &run);
        }
        memcpy(c->data, c->spare, kept * sizeof(*c->data));
    } else {
        if (!c->sorted)
            srt_candidates_sort_first(c, c->size);
        (void)top_p_reached(c->data, c->size, chain->params, &kept, &run);
    }
    c->size = kept;
    c->sorted = true;
    return SORTES_OK;
}

const struct srt_llamacpp_stage srt_stage_top_p = {
    .enabled = top_p_enabled,
    .apply = top_p_apply,
};

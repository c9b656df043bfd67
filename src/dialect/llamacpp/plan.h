/*
 * plan.h - what the parts of a plan share
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_LLAMACPP_PLAN_H
#define SRT_LLAMACPP_PLAN_H

#include "dialect/llamacpp/view.h"

struct srt_plan {
    struct srt_chain *chain;
    struct srt_step *step;
    struct srt_scratch *scratch;
    struct srt_view view;
    float divisor; /* the temperature; 1 where that stage does not divide */
    /*
     * scratch->values holds logits in descending order, the first n_sorted of
     * the row at least; scratch->ids and raw hold n_gathered tokens in id
     * order, all that are on or above the least of those values.
     */
    size_t n_sorted;
    size_t n_gathered;
};

/*
 * The token that the engine's sort of the first k puts at `rank`, where its
 * logit is not the only one of its size.
 */
int32_t srt_plan_heap_tie(const struct srt_plan *plan, size_t k, size_t rank);
int32_t srt_plan_bucket_tie(const struct srt_plan *plan, size_t k, size_t rank);

#endif /* SRT_LLAMACPP_PLAN_H */

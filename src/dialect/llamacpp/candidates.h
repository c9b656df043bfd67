/*
 * candidates.h - llama.cpp's array of candidates, and what its stages share
 *
 * Source: llama.cpp include/llama.h, llama_token_data_array; sorting and
 * softmax: src/llama-sampler.cpp.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_LLAMACPP_CANDIDATES_H
#define SRT_LLAMACPP_CANDIDATES_H

#include "order/order.h"
#include "status.h"

#include <stdbool.h>

struct srt_candidates {
    struct srt_candidate *data;
    size_t size;
    int64_t selected; /* index into data; -1: none yet */
    bool sorted;      /* descending by logit; believed, not checked */
    struct srt_candidate *spare; /* as much room as data has */
};

/* Up to this many are heap-sorted in place, more go through the buckets. */
enum { SRT_LLAMACPP_HEAP_MAX = 128 };

/* Puts the k largest in order and drops the rest; 1 <= k <= size. */
void srt_candidates_sort_first(struct srt_candidates *c, size_t k);

/* The largest logit; data[0]'s where the array says it is sorted. */
float srt_candidates_max(const struct srt_candidates *c);

/*
 * Sorts first if do_sort.  p[i] = expf(logit[i] - max) / sum, the sum a float
 * taken in array order. A maximum of -inf: SORTES_E_NO_TOKEN.
 */
sortes_status srt_candidates_softmax(struct srt_candidates *c, bool do_sort);

/* A logit that a stage has changed: NaN and +inf end the step. */
SRT_INLINE bool srt_logit_is_bad(float logit)
{
    return !(logit <= FLT_MAX);
}

#endif /* SRT_LLAMACPP_CANDIDATES_H */

/*
 * candidates.c - llama.cpp's array of candidates, and what its stages share
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/candidates.h"

#include "numeric/expf.h"

#include <math.h>
#include <string.h>

void srt_candidates_sort_first(struct srt_candidates *c, size_t k)
{
    if (k <= SRT_LLAMACPP_HEAP_MAX) {
        srt_partial_sort(c->data, k, c->size);
    } else {
        (void)srt_bucket_sort(c->spare, c->data, c->size, k);
        memcpy(c->data, c->spare, k * sizeof(*c->data));
    }
    c->size = k;
    c->sorted = true;
}

float srt_candidates_max(const struct srt_candidates *c)
{
    float max = c->data[0].logit;

    if (c->sorted)
        return max;
    for (size_t i = 1; i < c->size; i++)
        max = max < c->data[i].logit ? c->data[i].logit : max;
    return max;
}

sortes_status srt_candidates_softmax(struct srt_candidates *c, bool do_sort)
{
    float max, sum = 0.0f;

    if (do_sort && !c->sorted)
        srt_candidates_sort_first(c, c->size);
    max = srt_candidates_max(c);

    if (max == -INFINITY)
        return SORTES_E_NO_TOKEN;
    for (size_t i = 0; i < c->size; i++) {
        const float p = srt_expf_inline(c->data[i].logit - max);
        c->data[i].p = p;
        sum += p;
    }
    for (size_t i = 0; i < c->size; i++)
        c->data[i].p /= sum;
    return SORTES_OK;
}

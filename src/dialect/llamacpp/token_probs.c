/*
 * token_probs.c - log-probabilities before sampling, as llama-server reports
 *
 * Source: llama.cpp tools/server, get_token_probabilities.
 *
 * Float order: std::partial_sort of the whole vocabulary with the first k in
 * order leaves the rest permuted, and the float sum runs in that order; so a
 * token's value depends on k in its last bits.  The logarithm is logf of the
 * float probability; of 0, the lowest float.
 *
 * The permuted array is the row with some logits replaced: the first k by the
 * sorted ones, and each place that the selection took a logit from by what it
 * pushed out.  That is a view, and its sum comes in blocks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/view.h"
#include "numeric/expf.h"
#include "numeric/numeric.h"
#include "scratch.h"

#include <math.h>

static float token_probs_log(float logit, float max, float sum)
{
    const float p = srt_expf_inline(logit - max) / sum;

    return p == 0.0f ? -FLT_MAX : srt_logf(p);
}

/*
 * llama-server's sum after a selection of k.  With k = 0 it reports nothing;
 * the sum in id order stands in.
 */
static float token_probs_sum(struct srt_view *v, struct srt_scratch *s,
                             size_t k)
{
    struct srt_candidate *heap = s->candidates;
    struct srt_override *changed = (void *)s->spare; /* room for row->n */
    size_t n;

    if (k == 0)
        return srt_view_softmax_sum(v, v->max);
    n = srt_view_heap_select(v, k, heap, changed + k, v->row->n - k);
    for (size_t i = 0; i < k; i++)
        changed[i] = (struct srt_override){ (int32_t)i, heap[i].logit };
    v->overrides = changed;
    v->n_overrides = k + n;
    return srt_view_softmax_sum(v, heap[0].logit);
}

sortes_status srt_llamacpp_logprobs(void *self, const sortes_row *row,
                                    const struct srt_logprob_query *query)
{
    const struct srt_llamacpp *chain = self;
    struct srt_scratch *s = srt_scratch_get(row->n);
    const size_t k = query->k < row->n ? query->k : row->n;
    struct srt_view v;
    sortes_status status;
    float sum;

    if (query->mode != SORTES_LOGPROBS_RAW)
        return SORTES_E_RANGE; /* llama-server has no other */
    if (!s)
        return SORTES_E_NOMEM;
    status = srt_view_open_raw(&v, chain->kernels, row, s);
    if (status != SORTES_OK)
        return status;
    sum = token_probs_sum(&v, s, k);
    for (size_t i = 0; i < k; i++)
        query->top[i] =
            (sortes_logprob){ s->candidates[i].id,
                              token_probs_log(s->candidates[i].logit, v.max,
                                              sum) };
    if (query->logprob)
        *query->logprob =
            token_probs_log(srt_row_at(row, (size_t)query->token), v.max, sum);
    return SORTES_OK;
}

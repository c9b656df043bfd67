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

/*
 * The row divided by the temperature, as that stage divides; all on the best
 * one where it does not.  It lies in the scratch's forced row.
 */
static sortes_status token_probs_temper(const struct srt_llamacpp *chain,
                                        sortes_row *row, struct srt_scratch *s)
{
    const float temperature = chain->params->temperature;
    const struct srt_row_kernels *k = &chain->kernels->row[row->type];
    size_t best = 0;

    if (!k->block_max(row->data, row->n, s->block_max))
        return SORTES_E_NOT_FINITE;
    k->widen(row->data, row->n, s->forced);
    for (size_t i = 1; i < row->n; i++)
        if (s->forced[i] > s->forced[best])
            best = i;
    if (s->forced[best] == -INFINITY)
        return SORTES_E_NO_TOKEN;
    if (temperature > 0.0f)
        chain->kernels->divide(s->forced, row->n, temperature);
    for (size_t i = 0; i < row->n && !(temperature > 0.0f); i++)
        s->forced[i] = i == best ? 0.0f : -INFINITY;
    *row = (sortes_row){ s->forced, row->n, SORTES_F32 };
    return SORTES_OK;
}

static sortes_status token_probs_of(const struct srt_llamacpp *chain,
                                    const sortes_row *row,
                                    const struct srt_logprob_query *query,
                                    struct srt_scratch *s)
{
    const size_t k = query->k < row->n ? query->k : row->n;
    struct srt_view v;
    const sortes_status status = srt_view_open_raw(&v, chain->kernels, row, s);
    float sum;

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

/* raw is llama-server's own; tempered, the same on another row. */
sortes_status srt_llamacpp_logprobs(void *self, const sortes_row *row,
                                    const struct srt_logprob_query *query)
{
    struct srt_llamacpp *chain = self;
    struct srt_scratch *s = srt_scratch_get(row->n);
    sortes_row tempered = *row;
    sortes_status status = SORTES_OK;

    if (!s)
        return SORTES_E_NOMEM;
    if (query->mode == SORTES_LOGPROBS_PROCESSED)
        return srt_llamacpp_processed(chain, row, query);
    if (query->mode == SORTES_LOGPROBS_TEMPERATURE)
        status = token_probs_temper(chain, &tempered, s);
    return status == SORTES_OK ? token_probs_of(chain, &tempered, query, s)
                               : status;
}

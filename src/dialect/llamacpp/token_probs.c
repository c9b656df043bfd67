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
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"
#include "numeric/expf.h"
#include "numeric/numeric.h"
#include "scratch.h"

#include <math.h>

static float token_probs_log(float p)
{
    return p == 0.0f ? -FLT_MAX : srt_logf(p);
}

sortes_status srt_llamacpp_logprobs(struct srt_chain *chain,
                                    const sortes_row *row, int32_t token,
                                    sortes_logprob *top, size_t k,
                                    float *logprob)
{
    struct srt_scratch *s = srt_scratch_get(row->n);
    struct srt_candidates c;
    sortes_status status;

    (void)chain;
    if (!s)
        return SORTES_E_NOMEM;
    c = (struct srt_candidates){ s->candidates, 0, -1, false, s->spare };
    status = srt_llamacpp_fill(&c, row);
    if (status != SORTES_OK)
        return status;
    if (k > c.size)
        k = c.size;
    srt_partial_sort(c.data, k, c.size);
    /* llama-server takes data[0] for the maximum, which holds from k = 1 on;
     * with k = 0 it reports nothing, and the true maximum stands in. */
    c.sorted = k > 0;
    status = srt_candidates_softmax(&c, false);
    if (status != SORTES_OK)
        return status;
    for (size_t i = 0; i < k; i++)
        top[i] = (sortes_logprob){ c.data[i].id, token_probs_log(c.data[i].p) };
    for (size_t i = 0; logprob && i < c.size; i++)
        if (c.data[i].id == token)
            *logprob = token_probs_log(c.data[i].p);
    return SORTES_OK;
}

/*
 * logprobs.c - log-probabilities as mlx-lm reports them
 *
 * What it reports is what its sampler is given: the log-softmax after the
 * processors and before the filters, in the row's type.  Its server lists at
 * most 11, in the order in which a partial sort leaves them; here the best
 * comes first, of equals the lower id, which is the same set.
 *
 * The other two modes have no counterpart there; they are the same log-softmax
 * over the scaled log-probabilities, before and after the filters.  A
 * constraint is in force only in what the draw is made from.
 *
 * Source: mlx-lm 0.32.2, generate.py, generate_step; server.py,
 * _format_top_logprobs.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/mlxlm/chain.h"

#include <math.h>

enum { MLXLM_LOGPROBS_MOST = 11 };

static void mlxlogp_top(const float *x, size_t n, sortes_logprob *top, size_t k)
{
    size_t have = 0;

    for (size_t i = 0; i < n && k > 0; i++) {
        size_t at = have;

        if (have == k && !(x[i] > top[k - 1].logprob))
            continue;
        if (have == k)
            at--;
        else
            have++;
        for (; at > 0 && x[i] > top[at - 1].logprob; at--)
            top[at] = top[at - 1];
        top[at] = (sortes_logprob){ (int32_t)i, x[i] };
    }
}

/* The row after the processors, as log-probabilities in the scratch's `raw`. */
static sortes_status mlxlogp_row(const struct srt_mlxlm *m,
                                 const sortes_row *row, float *x)
{
    const bool narrow = row->type == SORTES_BF16;
    sortes_status status = SORTES_OK;

    for (size_t i = 0; i < row->n; i++) {
        x[i] = srt_row_at(row, i);
        if (!(x[i] <= FLT_MAX))
            return SORTES_E_NOT_FINITE;
    }
    for (unsigned i = 0; i < SRT_MLXLM_PROCESSORS && status == SORTES_OK; i++)
        if (srt_mlxlm_has_processor(m, i))
            status = srt_mlxlm_process(m, narrow, i, x, row->n);
    return status == SORTES_OK ? srt_mlxlm_log_softmax(x, row->n, narrow)
                               : status;
}

/* What the draw is made from; greedy has all its weight on one token. */
static sortes_status mlxlogp_processed(struct srt_mlxlm *m,
                                       const sortes_row *row, float *x)
{
    struct srt_mlxlm_step step = m->now;
    int32_t token;
    const sortes_status status = srt_mlxlm_run(m, row, &step, &token);

    if (status != SORTES_OK)
        return status;
    if (!m->settings[0].greedy)
        return srt_mlxlm_log_softmax(x, row->n, row->type == SORTES_BF16);
    for (size_t i = 0; i < row->n; i++)
        x[i] = (size_t)token == i ? 0.0f : -INFINITY;
    return SORTES_OK;
}

static sortes_status mlxlogp_tempered(struct srt_mlxlm *m,
                                      const sortes_row *row, float *x)
{
    const struct srt_mlxlm_settings *set =
        &m->settings[row->type == SORTES_BF16];
    sortes_status status;

    if (set->greedy)
        return SORTES_E_RANGE; /* nothing to divide by */
    status = mlxlogp_row(m, row, x);
    if (status != SORTES_OK)
        return status;
    for (size_t i = 0; i < row->n; i++)
        x[i] = srt_mlxlm_keep(x[i] * set->scale, set->narrow);
    return srt_mlxlm_log_softmax(x, row->n, set->narrow);
}

sortes_status srt_mlxlm_logprobs(void *chain, const sortes_row *row,
                                 const struct srt_logprob_query *query)
{
    struct srt_mlxlm *m = chain;
    const size_t k = query->k < row->n ? query->k : row->n;
    struct srt_scratch *s = srt_scratch_get(row->n);
    sortes_status status;

    if (row->type == SORTES_F16)
        return SORTES_E_ARGUMENT;
    if (query->k > MLXLM_LOGPROBS_MOST)
        return SORTES_E_RANGE;
    if (!s)
        return SORTES_E_NOMEM;
    if (query->mode == SORTES_LOGPROBS_RAW)
        status = mlxlogp_row(m, row, s->raw);
    else if (query->mode == SORTES_LOGPROBS_TEMPERATURE)
        status = mlxlogp_tempered(m, row, s->raw);
    else
        status = mlxlogp_processed(m, row, s->raw);
    if (status != SORTES_OK)
        return status;
    mlxlogp_top(s->raw, row->n, query->top, k);
    if (query->logprob)
        *query->logprob = s->raw[query->token];
    return SORTES_OK;
}

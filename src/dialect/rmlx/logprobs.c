/*
 * logprobs.c - log-probabilities, as rMLX computes them
 *
 * The maximum and the differences from it are floats; their exponentials are
 * summed in double, in the order of the vocabulary; a value is the float of
 * the double difference between logit and log-sum.  Ranked by logit, of equal
 * ones the lowest id first.
 *
 * raw is rMLX's own.  temperature and processed, which it has not, are the
 * same arithmetic on other logits: the row's times 1 / temperature, and those
 * that the draw is made from, at -inf where a token was ruled out.  So without
 * penalties and filters the two are equal.
 *
 * Source: rMLX crates/rmlx-models/src/sampler.rs, compute_top_logprobs.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/rmlx/chain.h"
#include "numeric/numeric.h"

#include <math.h>

static float rmlx_log_max(const float *x, size_t n)
{
    float max = -INFINITY;

    for (size_t i = 0; i < n; i++)
        max = x[i] > max ? x[i] : max;
    return max;
}

static double rmlx_log_sum(const float *x, size_t n, float max)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += srt_exp((double)(x[i] - max));
    return (double)max + srt_log(sum);
}

/* Ids of the k largest into top. */
static void rmlx_log_top(const float *x, size_t n, sortes_logprob *top,
                         size_t k)
{
    size_t n_top = 0;

    for (size_t i = 0; i < n; i++) {
        size_t at = n_top;

        if (at == k && (k == 0 || !(x[i] > x[top[k - 1].token])))
            continue;
        if (at == k)
            at--;
        else
            n_top++;
        for (; at > 0 && x[i] > x[top[at - 1].token]; at--)
            top[at] = top[at - 1];
        top[at].token = (int32_t)i;
    }
}

/* At temperature 0 all is on the best one. */
static sortes_status rmlx_log_greedy(float *x, size_t n)
{
    const int64_t best = srt_rmlx_argmax(x, n);

    if (best < 0)
        return SORTES_E_NO_TOKEN;
    for (size_t i = 0; i < n; i++)
        x[i] = (int64_t)i == best ? 0.0f : -INFINITY;
    return SORTES_OK;
}

static sortes_status rmlx_log_temper(const struct srt_rmlx *chain, float *x,
                                     size_t n)
{
    const float factor = 1.0f / chain->params->temperature;

    if (!srt_rmlx_samples(chain))
        return rmlx_log_greedy(x, n);
    for (size_t i = 0; i < n; i++)
        x[i] *= factor;
    return SORTES_OK;
}

/* Logits that the draw is made from, -inf where its weight is 0. */
static sortes_status rmlx_log_process(struct srt_rmlx *chain,
                                      const sortes_row *row,
                                      struct srt_scratch *s)
{
    sortes_row final;
    sortes_status status = srt_rmlx_final_row(chain, row, &final);

    if (status == SORTES_OK)
        status = srt_rmlx_literal(chain, &final, s->weights, NULL, NULL);
    if (status == SORTES_OK)
        status = rmlx_log_temper(chain, s->values, row->n);
    for (size_t i = 0; i < row->n && status == SORTES_OK; i++)
        if (!(s->weights[i] > 0.0f))
            s->values[i] = -INFINITY;
    return status;
}

/* The logits that a mode speaks of, into s->values; the row's are checked. */
static sortes_status rmlx_log_logits(struct srt_rmlx *chain,
                                     const sortes_row *row,
                                     sortes_logprob_mode mode,
                                     struct srt_scratch *s)
{
    const struct srt_row_kernels *k = &chain->kernels->row[row->type];

    if (row->type != SORTES_F32 && row->type != SORTES_BF16)
        return SORTES_E_ARGUMENT;
    if (!k->block_max(row->data, row->n, s->block_max))
        return SORTES_E_NOT_FINITE;
    if (mode == SORTES_LOGPROBS_PROCESSED)
        return rmlx_log_process(chain, row, s);
    k->widen(row->data, row->n, s->values);
    return mode == SORTES_LOGPROBS_RAW
               ? SORTES_OK
               : rmlx_log_temper(chain, s->values, row->n);
}

sortes_status srt_rmlx_logprobs(void *self, const sortes_row *row,
                                const struct srt_logprob_query *query)
{
    struct srt_scratch *s = srt_scratch_get(row->n);
    const size_t k = query->k < row->n ? query->k : row->n;
    sortes_status status;
    double log_sum;
    float max;

    if (query->k > SRT_RMLX_LOGPROBS)
        return SORTES_E_RANGE;
    if (!s)
        return SORTES_E_NOMEM;
    status = rmlx_log_logits(self, row, query->mode, s);
    if (status != SORTES_OK)
        return status;
    max = rmlx_log_max(s->values, row->n);
    if (!isfinite(max)) /* nothing above -inf, or too large for a float */
        return max < 0.0f ? SORTES_E_NO_TOKEN : SORTES_E_NOT_FINITE;
    log_sum = rmlx_log_sum(s->values, row->n, max);
    rmlx_log_top(s->values, row->n, query->top, k);
    for (size_t i = 0; i < k; i++)
        query->top[i].logprob =
            (float)((double)s->values[query->top[i].token] - log_sum);
    if (query->logprob)
        *query->logprob = (float)((double)s->values[query->token] - log_sum);
    return SORTES_OK;
}

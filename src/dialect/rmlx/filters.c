/*
 * filters.c - the literal steps: softmax, top_p, min_p, top_k, renormalise
 *
 * Plain loops in rMLX's own order, over the whole vocabulary.
 *
 * Source: rMLX crates/rmlx-models/src/sampler.rs, softmax_scaled,
 * filter_top_p, filter_min_p, filter_top_k, renormalise.  Probabilities have
 * no sign and no NaN here, so its total order of bits is that of the values.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/rmlx/chain.h"
#include "numeric/numeric.h"
#include "order/order.h"

#include <math.h>
#include <string.h>

/* Two roundings, the product and the difference; the sum is multiplied in as
 * its reciprocal. */
sortes_status srt_rmlx_softmax(const float *x, size_t n, float temperature,
                               float *p)
{
    const float factor = 1.0f / temperature;
    float max = -INFINITY, sum = 0.0f;

    for (size_t i = 0; i < n; i++) {
        const float scaled = x[i] * factor;

        if (scaled > max)
            max = scaled;
    }
    if (!isfinite(max))
        max = 0.0f;
    for (size_t i = 0; i < n; i++) {
        const float scaled = x[i] * factor;

        p[i] = srt_expf(scaled - max);
        sum += p[i];
    }
    if (!isfinite(sum))
        return SORTES_E_NOT_FINITE;
    if (sum > 0.0f) {
        const float inverse = 1.0f / sum;

        for (size_t i = 0; i < n; i++)
            p[i] *= inverse;
    }
    return SORTES_OK;
}

/* Values ascending, their float sum including the one that is looked at;
 * dropped while it is at most 1 - top_p. */
bool srt_rmlx_top_p_cut(const float *p, size_t n, float top_p,
                        struct srt_scratch *s, struct srt_rmlx_cut *cut)
{
    const float threshold = 1.0f - top_p;
    float *const sorted = s->raw; /* descending */
    float sum = 0.0f;
    size_t dropped = 0;

    if (!(top_p > 0.0f && top_p < 1.0f))
        return false;
    memcpy(sorted, p, n * sizeof(*p));
    srt_sort_values(sorted, s->keys, n);
    for (; dropped < n; dropped++) {
        sum += sorted[n - 1 - dropped];
        if (sum > threshold)
            break;
    }
    if (dropped == 0)
        return false;
    *cut = (struct srt_rmlx_cut){ sorted[n - dropped], 0 };
    while (cut->n_ties < dropped &&
           sorted[n - dropped + cut->n_ties] == cut->value)
        cut->n_ties++;
    return true;
}

void srt_rmlx_top_p(float *p, size_t n, float top_p, struct srt_scratch *s)
{
    struct srt_rmlx_cut cut;

    if (!srt_rmlx_top_p_cut(p, n, top_p, s, &cut))
        return;
    for (size_t i = n; i-- > 0;) {
        if (p[i] > cut.value || (p[i] == cut.value && cut.n_ties == 0))
            continue;
        cut.n_ties -= p[i] == cut.value;
        p[i] = 0.0f;
    }
}

void srt_rmlx_min_p(float *p, size_t n, float min_p)
{
    float max = 0.0f, cutoff;

    if (min_p <= 0.0f)
        return;
    for (size_t i = 0; i < n; i++)
        max = p[i] > max ? p[i] : max;
    cutoff = max * min_p;
    for (size_t i = 0; i < n; i++)
        if (p[i] < cutoff)
            p[i] = 0.0f;
}

/* The k largest; of equal ones the lowest ids. */
void srt_rmlx_top_k(float *p, size_t n, size_t k, struct srt_scratch *s)
{
    float least;
    size_t n_equal = k;

    if (k == 0 || k >= n)
        return;
    memcpy(s->raw, p, n * sizeof(*p));
    srt_sort_values(s->raw, s->keys, n);
    least = s->raw[k - 1];
    for (size_t i = 0; i < k && s->raw[i] > least; i++)
        n_equal--;
    for (size_t i = 0; i < n; i++) {
        if (p[i] > least)
            continue;
        if (p[i] == least && n_equal > 0)
            n_equal--;
        else
            p[i] = 0.0f;
    }
}

void srt_rmlx_renormalise(float *p, size_t n)
{
    float total = 0.0f, inverse;

    for (size_t i = 0; i < n; i++)
        total += p[i];
    if (!(total > 0.0f))
        return;
    inverse = 1.0f / total;
    for (size_t i = 0; i < n; i++)
        p[i] *= inverse;
}

int64_t srt_rmlx_argmax(const float *x, size_t n)
{
    float max = -INFINITY;
    int64_t best = -1;

    for (size_t i = 0; i < n; i++) {
        if (x[i] > max) {
            max = x[i];
            best = (int64_t)i;
        }
    }
    return best;
}

/* The logits of the final row after bias and penalties. */
static sortes_status rmlx_logits(struct srt_rmlx *chain,
                                 const sortes_row *final, float *x)
{
    bool bad = false;

    for (size_t i = 0; i < final->n; i++)
        x[i] = srt_row_at(final, i);
    srt_rmlx_penalize(chain, x, final->n);
    for (size_t i = 0; i < final->n; i++)
        bad |= !(x[i] <= FLT_MAX);
    return bad ? SORTES_E_NOT_FINITE : SORTES_OK;
}

static sortes_status rmlx_one_hot(const float *x, size_t n, float *p)
{
    const int64_t best = srt_rmlx_argmax(x, n);

    if (best < 0)
        return SORTES_E_NO_TOKEN;
    memset(p, 0, n * sizeof(*p));
    p[best] = 1.0f;
    return SORTES_OK;
}

/* Every token in id order, as the stage left it. */
static void rmlx_show(const char *stage, const float *p, size_t n,
                      srt_look *look, void *ctx)
{
    struct srt_scratch *s = srt_scratch_get(n);
    sortes_stage_view view = { 0 };

    if (!look)
        return;
    for (size_t i = 0; i < n; i++)
        s->ids[i] = (int32_t)i;
    view.stage = stage;
    view.n = n;
    view.token = s->ids;
    view.logit = s->values;
    view.p = p;
    view.selected = -1;
    look(ctx, &view);
}

static sortes_status rmlx_filter(const struct sortes_params *params,
                                 struct srt_scratch *s, size_t n, float *p,
                                 srt_look *look, void *ctx)
{
    const sortes_status status =
        srt_rmlx_softmax(s->values, n, params->temperature, p);

    if (status != SORTES_OK)
        return status;
    rmlx_show("softmax", p, n, look, ctx);
    srt_rmlx_top_p(p, n, params->top_p, s);
    rmlx_show("top_p", p, n, look, ctx);
    srt_rmlx_min_p(p, n, params->min_p);
    rmlx_show("min_p", p, n, look, ctx);
    srt_rmlx_top_k(p, n, (size_t)params->top_k, s);
    rmlx_show("top_k", p, n, look, ctx);
    srt_rmlx_renormalise(p, n);
    rmlx_show("renormalise", p, n, look, ctx);
    for (size_t i = 0; i < n; i++)
        if (p[i] > 0.0f)
            return SORTES_OK;
    return SORTES_E_NO_TOKEN; /* rMLX goes on with id 0 */
}

sortes_status srt_rmlx_literal(struct srt_rmlx *chain, const sortes_row *final,
                               float *p, srt_look *look, void *ctx)
{
    struct srt_scratch *s = srt_scratch_get(final->n);
    const size_t n = final->n;
    sortes_status status;

    if (!s)
        return SORTES_E_NOMEM;
    if (look) {
        memset(p, 0, n * sizeof(*p));
        chain->kernels->row[final->type].widen(final->data, n, s->values);
        rmlx_show("logits", p, n, look, ctx);
    }
    status = rmlx_logits(chain, final, s->values);
    if (status != SORTES_OK)
        return status;
    rmlx_show("penalties", p, n, look, ctx);
    if (srt_rmlx_samples(chain))
        return rmlx_filter(chain->params, s, n, p, look, ctx);
    status = rmlx_one_hot(s->values, n, p);
    if (status == SORTES_OK)
        rmlx_show("greedy", p, n, look, ctx);
    return status;
}

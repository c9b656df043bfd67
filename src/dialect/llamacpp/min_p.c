/*
 * min_p.c - drop tokens much less likely than the best one
 *
 * Rule:   keep token i when p[i] >= min_p * p[best].
 * Source: llama.cpp pull request 3841; src/llama-sampler.cpp, min-p.
 *
 * p[i] / p[best] equals exp(logit[i] - logit[best]), so llama.cpp tests
 * logit[i] >= logit[best] + logf(min_p): no softmax, two float roundings.
 * An unsorted array keeps its order, unless fewer than min_keep would be left.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"
#include "numeric/numeric.h"

float srt_llamacpp_min_p_line(const struct sortes_params *p, float max)
{
    return max + srt_logf(p->min_p);
}

static bool min_p_enabled(const struct srt_llamacpp *chain)
{
    return chain->params->min_p > 0.0f;
}

/* Keeps what is on or above the line, in place and in order, if that is
 * enough; otherwise changes nothing. */
static bool min_p_filter(struct srt_candidates *c, float line, size_t min_keep)
{
    size_t enough = 0, kept = 0;

    for (size_t i = 0; i < c->size; i++)
        enough += c->data[i].logit >= line;
    if (enough == 0 || enough < min_keep)
        return false;
    for (size_t i = 0; i < c->size; i++)
        if (c->data[i].logit >= line)
            c->data[kept++] = c->data[i];
    c->size = kept;
    return true;
}

static sortes_status min_p_apply(struct srt_llamacpp *chain,
                                 const struct srt_slot *slot,
                                 struct srt_candidates *c,
                                 struct srt_step *step)
{
    const struct sortes_params *p = chain->params;
    const size_t min_keep = (size_t)p->min_keep;
    size_t kept = 1;
    float line;

    (void)slot;
    (void)step;
    if (!c->sorted) {
        float max = -FLT_MAX; /* where all are -inf, none is on the line */

        for (size_t i = 0; i < c->size; i++)
            max = max < c->data[i].logit ? c->data[i].logit : max;
        if (min_p_filter(c, srt_llamacpp_min_p_line(p, max), min_keep))
            return SORTES_OK;
        srt_candidates_sort_first(c, c->size);
    }
    line = srt_llamacpp_min_p_line(p, c->data[0].logit);
    while (kept < c->size && !(c->data[kept].logit < line && kept >= min_keep))
        kept++;
    c->size = kept;
    return SORTES_OK;
}

const struct srt_llamacpp_stage srt_stage_min_p = {
    .enabled = min_p_enabled,
    .apply = min_p_apply,
};

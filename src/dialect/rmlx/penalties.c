/*
 * penalties.c - logit_bias, then repetition, presence and frequency
 *
 * Rule, for each token among the last 20 generated: l < 0 ? l * r : l / r
 * (0 is divided); minus presence once; minus the float product of frequency
 * and count, once.  Biases are added first, in the order of the request, and
 * also while no token has been generated.  Ids beyond the row do nothing.
 *
 * Source: rMLX crates/rmlx-models/src/sampler.rs, apply_penalties.  Tokens do
 * not touch each other's logits, so token by token and stage by stage are the
 * same.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/rmlx/chain.h"

static float rmlx_penalize_one(const struct sortes_params *p, int32_t count,
                               float l)
{
    if (p->repetition_penalty != 1.0f)
        l = l < 0.0f ? l * p->repetition_penalty : l / p->repetition_penalty;
    if (p->presence_penalty != 0.0f)
        l -= p->presence_penalty;
    if (p->frequency_penalty != 0.0f)
        l -= p->frequency_penalty * (float)count;
    return l;
}

static bool rmlx_looks_back(const struct srt_rmlx *chain)
{
    const struct sortes_params *p = chain->params;

    return chain->window.n_counts > 0 &&
           !(p->repetition_penalty == 1.0f && p->presence_penalty == 0.0f &&
             p->frequency_penalty == 0.0f);
}

void srt_rmlx_penalize(const struct srt_rmlx *chain, float *x, size_t n)
{
    const struct srt_bias_list *list = &chain->params->logit_bias;
    const struct srt_window *w = &chain->window;

    for (size_t i = 0; i < list->n; i++)
        if ((size_t)list->items[i].token < n)
            x[list->items[i].token] += list->items[i].value;
    if (!rmlx_looks_back(chain))
        return;
    for (size_t i = 0; i < w->n_counts; i++)
        if ((size_t)w->counts[i].token < n)
            x[w->counts[i].token] = rmlx_penalize_one(
                chain->params, w->counts[i].count, x[w->counts[i].token]);
}

/* Adds the biases from *i on that belong to one token. */
static float rmlx_add_biases(const struct srt_rmlx *chain, size_t *i, float l)
{
    const int32_t token = chain->biases[*i].token;

    for (; *i < chain->n_biases && chain->biases[*i].token == token; ++*i)
        l += chain->biases[*i].value;
    return l;
}

size_t srt_rmlx_patches(struct srt_rmlx *chain, const sortes_row *row)
{
    const struct srt_count *counts = chain->window.counts;
    const size_t n_counts = rmlx_looks_back(chain) ? chain->window.n_counts : 0;
    size_t n = 0, i = 0, j = 0;

    while (i < chain->n_biases || j < n_counts) {
        const bool biased =
            i < chain->n_biases &&
            (j == n_counts || chain->biases[i].token <= counts[j].token);
        const int32_t id = biased ? chain->biases[i].token : counts[j].token;
        float l;

        if ((size_t)id >= row->n)
            break; /* both lists ascend */
        l = srt_row_at(row, (size_t)id);
        if (biased)
            l = rmlx_add_biases(chain, &i, l);
        if (j < n_counts && counts[j].token == id)
            l = rmlx_penalize_one(chain->params, counts[j++].count, l);
        chain->patches[n++] = (struct srt_rmlx_patch){ id, l };
    }
    return n;
}

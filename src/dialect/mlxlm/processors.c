/*
 * processors.c - logit bias and the three penalties
 *
 * Rule:   every token's bias is added to its logit; of the tokens among the
 *         last repetition_context_size, each once: a logit below 0 is
 *         multiplied by the penalty, another divided by it; of those among the
 *         last presence_context_size, each once: minus the penalty; of those
 *         among the last frequency_context_size: minus the penalty for every
 *         time the token occurs.  A context of 0 is the whole sequence.
 * Source: mlx-lm 0.32.2, sample_utils.py, make_logits_processors.
 *
 * Float order: each operation is rounded to the logits' type, so a token that
 * occurs n times costs n subtractions.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/mlxlm/chain.h"

#include <math.h>

const char *const srt_mlxlm_processor_names[SRT_MLXLM_PROCESSORS] = {
    "logit_bias", "repetition_penalty", "presence_penalty", "frequency_penalty"
};

bool srt_mlxlm_has_processor(const struct srt_mlxlm *m, unsigned which)
{
    return which == 0 ? m->params->logit_bias.n > 0
                      : m->window[which - 1].limit > 0;
}

bool srt_mlxlm_processes(const struct srt_mlxlm *m)
{
    if (m->params->logit_bias.n > 0)
        return true;
    for (unsigned i = 0; i < SRT_MLXLM_PENALTIES; i++)
        if (m->window[i].n > 0)
            return true;
    return false;
}

static bool mlxproc_is_bad(float x)
{
    return !(x <= FLT_MAX);
}

/* mlx-lm writes past the row for an id outside it. */
static sortes_status mlxproc_bias(const struct srt_mlxlm *m, bool narrow,
                                  float *x, size_t n)
{
    const struct srt_bias_list *list = &m->params->logit_bias;

    for (size_t i = 0; i < list->n; i++) {
        const size_t id = (size_t)list->items[i].token;
        const float bias = srt_mlxlm_keep(list->items[i].value, narrow);

        if (id >= n)
            return SORTES_E_ARGUMENT;
        x[id] = srt_mlxlm_keep(x[id] + bias, narrow);
        if (mlxproc_is_bad(x[id]))
            return SORTES_E_NOT_FINITE;
    }
    return SORTES_OK;
}

static float mlxproc_penalize(float x, enum srt_mlxlm_penalty which,
                              float penalty, int32_t count, bool narrow)
{
    if (which == SRT_MLXLM_REPETITION)
        return srt_mlxlm_keep(x < 0.0f ? x * penalty : x / penalty, narrow);
    if (which == SRT_MLXLM_PRESENCE)
        return srt_mlxlm_keep(x - penalty, narrow);
    for (; count > 0; count--)
        x = srt_mlxlm_keep(x - penalty, narrow);
    return x;
}

sortes_status srt_mlxlm_process(const struct srt_mlxlm *m, bool narrow,
                                unsigned which, float *x, size_t n)
{
    const enum srt_mlxlm_penalty kind = which - 1u;
    const struct srt_window *w;

    if (which == 0)
        return mlxproc_bias(m, narrow, x, n);
    w = &m->window[kind];
    for (size_t i = 0; i < w->n_counts; i++) {
        const size_t id = (size_t)w->counts[i].token;

        if (id >= n)
            return SORTES_E_ARGUMENT;
        x[id] = mlxproc_penalize(x[id], kind, m->settings[narrow].penalty[kind],
                                 w->counts[i].count, narrow);
        if (mlxproc_is_bad(x[id]))
            return SORTES_E_NOT_FINITE;
    }
    return SORTES_OK;
}

/*
 * mirostat.c - hold the surprise of the text near a target: version 1
 *
 * Source: Basu et al., Mirostat, 2020; llama.cpp src/llama-sampler.cpp,
 * mirostat.  The exponent of the tokens' Zipf law is estimated from the first
 * 100; from it and mu the k of a top-k follows; mu moves against the drawn
 * token's surprise.
 *
 * Float order: all in float.  With one candidate the estimate is 0/0; the NaN
 * makes k 1 (x86 converts it to the least integer) and is reproduced.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"
#include "numeric/numeric.h"

#include <math.h>

enum { MIROSTAT_M = 100 };

static float mirostat_exponent(const struct srt_candidates *c)
{
    float tb = 0.0f, tt = 0.0f;

    for (size_t i = 0; i + 1 < c->size && i + 1 < MIROSTAT_M; i++) {
        const float t = srt_logf((float)(i + 2) / (float)(i + 1));
        const float b = srt_logf(c->data[i].p / c->data[i + 1].p);

        tb += t * b;
        tt += t * t;
    }
    return tb / tt;
}

/* cvttss2si: what does not fit is the least integer, hence below 1. */
static size_t mirostat_k(float x)
{
    if (!(x >= 1.0f && x < 2147483648.0f))
        return 1;
    return (size_t)x;
}

void srt_llamacpp_move_mu(const struct sortes_params *p, float drawn,
                          struct srt_step *step)
{
    const float surprise = -srt_log2f(drawn);
    const float error = surprise - p->mirostat_tau;
    const float move = p->mirostat_eta * error;

    step->mu = step->mu - move;
}

static sortes_status mirostat_apply(struct srt_llamacpp *chain,
                                    const struct srt_slot *slot,
                                    struct srt_candidates *c,
                                    struct srt_step *step)
{
    const float n_vocab = (float)chain->n_vocab;
    sortes_status status = srt_candidates_softmax(c, true);
    float s, e, k;
    size_t n;

    if (status != SORTES_OK)
        return status;
    s = mirostat_exponent(c);
    e = s - 1.0f;
    k = srt_powf((e * srt_powf(2.0f, step->mu)) /
                     (1.0f - srt_powf(n_vocab, -e)),
                 1.0f / s);
    n = mirostat_k(k);
    c->size = n < c->size ? n : c->size;
    status = srt_candidates_softmax(c, true);
    if (status != SORTES_OK)
        return status;
    srt_llamacpp_discrete(chain, slot->generator, c, step);
    srt_llamacpp_move_mu(chain->params, c->data[c->selected].p, step);
    return SORTES_OK;
}

const struct srt_llamacpp_stage srt_stage_mirostat = {
    .apply = mirostat_apply,
    .has_generator = true,
};

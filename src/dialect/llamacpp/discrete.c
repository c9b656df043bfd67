/*
 * discrete.c - std::discrete_distribution over the candidates' p
 *
 * Source: libstdc++ bits/random.tcc.  Weights are the p's as doubles, divided
 * by their sum; running sums; the last is set to 1; the first that is not less
 * than the random number wins.  Fewer than two candidates draw nothing.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"

void srt_llamacpp_discrete(struct srt_llamacpp *chain, size_t generator,
                           struct srt_candidates *c, struct srt_step *step)
{
    double sum = 0.0, u, run = 0.0;
    uint64_t n = 0;
    size_t i;

    for (i = 0; i < c->size; i++) {
        sum += (double)c->data[i].p;
        n += c->data[i].p > 0.0f;
    }
    step->n_candidates = n;
    step->margin = 1.0;
    c->selected = 0;
    if (c->size < 2)
        return;
    u = srt_mt19937_double(&chain->rng[generator], &step->position[generator]);
    for (i = 0;; i++) {
        const double before = run;

        run += (double)c->data[i].p / sum;
        if (i + 1 == c->size)
            run = 1.0;
        if (!(run < u)) {
            c->selected = (int64_t)i;
            step->margin = srt_llamacpp_margin(before, run, u, 1.0);
            return;
        }
    }
}

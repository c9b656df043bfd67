/*
 * draw.c - the draw by inverse CDF
 *
 * Source: rMLX crates/rmlx-models/src/sampler.rs, sample_inverse_cdf.  The sum
 * is taken again, of weights that were normalised already: it need not be 1.
 * Weights of 0 are passed over, so a list without them gives the same bits.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/rmlx/chain.h"

double srt_rmlx_margin(float before, float after, float target, float total)
{
    const double sum = (double)total;
    double margin = 1.0;

    if (before > 0.0f)
        margin = ((double)target - (double)before) / sum;
    if (after < total && ((double)after - (double)target) / sum < margin)
        margin = ((double)after - (double)target) / sum;
    return margin;
}

int64_t srt_rmlx_inverse_cdf(const float *p, size_t n, float u,
                             struct srt_rmlx_step *step)
{
    float total = 0.0f, target, before = 0.0f, run = 0.0f;
    int64_t drawn = -1;

    step->n_candidates = 0;
    for (size_t i = 0; i < n; i++) {
        total += p[i];
        step->n_candidates += p[i] > 0.0f;
    }
    target = u * total;
    for (size_t i = 0; i < n && !(run > target); i++) {
        if (!(p[i] > 0.0f))
            continue;
        drawn = (int64_t)i;
        before = run;
        run += p[i];
    }
    if (drawn >= 0)
        step->margin = srt_rmlx_margin(before, run, target, total);
    return drawn;
}

/*
 * residual.h - acceptance of a proposal so that the target's distribution is
 * drawn from
 *
 * A token x proposed from q is taken with probability min(1, p[x] / q[x]);
 * otherwise one is drawn from what p has above q.  Either way it is
 * distributed as p (Leviathan, Kalman and Matias 2023, section 2.3).
 *
 * Source of the float order: rMLX crates/rmlx-models/src/sampler.rs,
 * stochastic_accept.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_RESIDUAL_H
#define SRT_RESIDUAL_H

#include "compiler.h"

#include <stdbool.h>

/* min(1, p / q), one division; 1 where q is 0. */
float srt_residual_ratio(float p, float q);

/*
 * p[i] becomes max(p[i] - q[i], 0), scaled to a sum of 1: one float sum in
 * order, one multiplication by its reciprocal.  Where nothing is left, p stays
 * as it was.
 */
void srt_residual(float *p, const float *q, size_t n);

#endif /* SRT_RESIDUAL_H */

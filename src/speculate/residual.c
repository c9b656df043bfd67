/*
 * residual.c - acceptance of a proposal so that the target's distribution is
 * drawn from
 *
 * SPDX-License-Identifier: MIT
 */
#include "speculate/residual.h"

float srt_residual_ratio(float p, float q)
{
    const float ratio = q > 0.0f ? p / q : 1.0f;

    return ratio < 1.0f ? ratio : 1.0f;
}

void srt_residual(float *p, const float *q, size_t n)
{
    float total = 0.0f, inverse;

    for (size_t i = 0; i < n; i++)
        total += p[i] > q[i] ? p[i] - q[i] : 0.0f;
    if (!(total > 0.0f))
        return;
    inverse = 1.0f / total;
    for (size_t i = 0; i < n; i++)
        p[i] = p[i] > q[i] ? (p[i] - q[i]) * inverse : 0.0f;
}

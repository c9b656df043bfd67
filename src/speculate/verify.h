/*
 * verify.h - which of a draft's tokens stand, and the one that comes after
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_VERIFY_H
#define SRT_VERIFY_H

#include "dialect/dialect.h"

/* What sortes_sampler_verify was asked, checked as far as it can be without a
 * row's values. */
struct srt_verify {
    const struct srt_dialect *dialect;
    void *chain;
    const sortes_row *target;  /* n + 1 */
    const float *const *draft; /* n distributions; NULL: exact match */
    const int32_t *proposed;   /* n */
    size_t n;
    sortes_draw *out; /* room for n + 1 */
};

/* The most tokens that one call verifies: what a failure has to take back. */
enum { SRT_VERIFY_MOST = 63 };

sortes_status srt_verify(const struct srt_verify *v, size_t *n_out);

#endif /* SRT_VERIFY_H */

/*
 * verified.h - how often each token comes out of verified drafts
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_VERIFIED_H
#define TESTS_VERIFIED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Draws `trials` drafts of two tokens from one pair of rows and verifies them
 * on another three, under filters, penalties and (masked) a constraint; the
 * history is the same before each.  Pearson's chi-square of the first and
 * second tokens that came out against the distributions that plain sampling
 * has there, over its degrees of freedom: near 1 where they agree.
 */
struct verified {
    double first, second;
    uint64_t n_accepted; /* proposals that stood */
    uint64_t n_second;   /* trials with a second token */
};

struct verified verified_drafts(uint64_t seed, size_t trials, bool masked);

#endif /* TESTS_VERIFIED_H */

/*
 * pcg32.h - PCG-XSH-RR 64/32 as rMLX seeds it
 *
 * The whole generator is 8 bytes: a step works on a copy, and rolling back is
 * copying an old one back.
 *
 * Source: O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically
 * Good Algorithms for Random Number Generation", 2014, pcg32_srandom with the
 * stream 0x9e3779b97f4a7c15; rMLX crates/rmlx-models/src/sampler.rs, Pcg32.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_PCG32_H
#define SRT_PCG32_H

#include "compiler.h"

struct srt_pcg32 {
    uint64_t state;
};

void srt_pcg32_seed(struct srt_pcg32 *g, uint64_t seed);
uint32_t srt_pcg32_word(struct srt_pcg32 *g);

/* In [0, 1): the upper 24 bits of one word, exact. */
float srt_pcg32_float(struct srt_pcg32 *g);

#endif /* SRT_PCG32_H */

/*
 * pcg32.c - PCG-XSH-RR 64/32 as rMLX seeds it
 *
 * SPDX-License-Identifier: MIT
 */
#include "random/pcg32.h"

/* (stream << 1 | 1) modulo 2^64. */
static const uint64_t pcg32_increment = 0x3c6ef372fe94f82bu;
static const uint64_t pcg32_multiplier = 6364136223846793005u;

void srt_pcg32_seed(struct srt_pcg32 *g, uint64_t seed)
{
    g->state = 0;
    (void)srt_pcg32_word(g);
    g->state += seed;
    (void)srt_pcg32_word(g);
}

uint32_t srt_pcg32_word(struct srt_pcg32 *g)
{
    const uint64_t old = g->state;
    const uint32_t x = (uint32_t)((old >> 18 ^ old) >> 27);
    const unsigned turn = (unsigned)(old >> 59);

    g->state = old * pcg32_multiplier + pcg32_increment;
    return x >> turn | x << (32 - turn) % 32;
}

float srt_pcg32_float(struct srt_pcg32 *g)
{
    return (float)(srt_pcg32_word(g) >> 8) * 0x1p-24f;
}

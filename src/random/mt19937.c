/*
 * mt19937.c - the 32-bit Mersenne twister, addressed by position
 *
 * SPDX-License-Identifier: MIT
 */
#include "random/mt19937.h"

#include <assert.h>

static uint32_t *mt_term(struct srt_mt19937 *g, uint64_t k)
{
    return &g->x[k % SRT_MT_RING];
}

void srt_mt19937_seed(struct srt_mt19937 *g, uint32_t seed)
{
    uint32_t x = seed;

    for (uint32_t k = 0; k < SRT_MT_TERMS; k++) {
        if (k > 0)
            x = 1812433253u * (x ^ (x >> 30)) + k;
        g->x[k] = x;
    }
    g->n_terms = SRT_MT_TERMS;
}

static void mt_extend(struct srt_mt19937 *g)
{
    const uint64_t k = g->n_terms - SRT_MT_TERMS;
    const uint32_t y =
        (*mt_term(g, k) & 0x80000000u) | (*mt_term(g, k + 1) & 0x7fffffffu);
    const uint32_t twist = (y & 1) ? 0x9908b0dfu : 0;

    *mt_term(g, g->n_terms) = *mt_term(g, k + 397) ^ (y >> 1) ^ twist;
    g->n_terms++;
}

uint32_t srt_mt19937_word(struct srt_mt19937 *g, uint64_t position)
{
    uint32_t y;

    while (g->n_terms <= position + SRT_MT_TERMS)
        mt_extend(g);
    assert(g->n_terms - (position + SRT_MT_TERMS) <= SRT_MT_RING);
    y = *mt_term(g, position + SRT_MT_TERMS);
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}

double srt_mt19937_double(struct srt_mt19937 *g, uint64_t *position)
{
    const double low = (double)srt_mt19937_word(g, (*position)++);
    const double high = (double)srt_mt19937_word(g, (*position)++);
    const double r = (low + high * 0x1p32) * 0x1p-64;

    return r < 1.0 ? r : 0x1.fffffffffffffp-1;
}

float srt_mt19937_float(struct srt_mt19937 *g, uint64_t *position)
{
    const float r = (float)srt_mt19937_word(g, (*position)++) * 0x1p-32f;

    return r < 1.0f ? r : 0x1.fffffep-1f;
}

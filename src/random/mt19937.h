/*
 * mt19937.h - the 32-bit Mersenne twister, addressed by position
 *
 * The generator is the recurrence x[k+624] = f(x[k], x[k+1], x[k+397]); its
 * output number p is x[p+624], tempered.  A ring of the last SRT_MT_RING terms
 * is kept, so a step can look at words without consuming them, commit by
 * moving its position, and roll back as far as the ring reaches.
 *
 * Source: Matsumoto and Nishimura, 1998; std::mt19937.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_MT19937_H
#define SRT_MT19937_H

#include "compiler.h"

#include <stdbool.h>

enum { SRT_MT_TERMS = 624, SRT_MT_RING = 1024 };

struct srt_mt19937 {
    uint32_t x[SRT_MT_RING]; /* term k at k mod SRT_MT_RING */
    uint64_t n_terms;        /* terms computed so far; at least SRT_MT_TERMS */
};

void srt_mt19937_seed(struct srt_mt19937 *g, uint32_t seed);

/*
 * Output number `position` (0 is the first after seeding).  Positions may go
 * back by up to SRT_MT_RING - 1 from the furthest one asked for.
 */
uint32_t srt_mt19937_word(struct srt_mt19937 *g, uint64_t position);

/* Whether that output can still be had; one further on always can. */
SRT_INLINE bool srt_mt19937_reaches(const struct srt_mt19937 *g,
                                    uint64_t position)
{
    return g->n_terms <= position + SRT_MT_TERMS + SRT_MT_RING;
}

/*
 * libstdc++'s generate_canonical<double, 53> before GCC 16: two words, the sum
 * rounded once to double; a result of 1 becomes the double below it.
 */
double srt_mt19937_double(struct srt_mt19937 *g, uint64_t *position);

/* The same for float: one word, rounded to float, divided by 2^32. */
float srt_mt19937_float(struct srt_mt19937 *g, uint64_t *position);

#endif /* SRT_MT19937_H */

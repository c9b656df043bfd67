/*
 * threefry.h - the counter-based generator of JAX and MLX
 *
 * A key and a counter give two words; nothing else is kept, so going back is
 * putting an old key in its place.
 *
 * Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011
 * (threefry2x32, 20 rounds); mlx, random.cpp and backend/cpu/threefry.cpp.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_THREEFRY_H
#define SRT_THREEFRY_H

#include "compiler.h"

struct srt_threefry {
    uint32_t a, b;
};

/* The two words of one counter. */
struct srt_threefry srt_threefry_words(struct srt_threefry key,
                                       struct srt_threefry counter);

/* mx.random.key(): the seed's upper and lower half. */
struct srt_threefry srt_threefry_seed(uint64_t seed);

/*
 * Word i of the n that mx.random.bits() makes from a key.  The halves of a
 * block share their counters; of an odd number the middle word has one of its
 * own.
 */
uint32_t srt_threefry_bits(struct srt_threefry key, uint32_t n, uint32_t i);

/* What each draw from MLX's global state does first: splits it, keeps the one
 * half and returns the other, the draw's own key. */
struct srt_threefry srt_threefry_next(struct srt_threefry *state);

/* A word as mx.random.uniform() in [0, 1): rounded to float, at most the last
 * float below 1. */
float srt_threefry_uniform(uint32_t word);

#endif /* SRT_THREEFRY_H */

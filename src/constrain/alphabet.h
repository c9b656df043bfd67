/*
 * alphabet.h - a set of bytes: those a vocabulary can emit one at a time
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_ALPHABET_H
#define SRT_ALPHABET_H

#include "compiler.h"

#include <stdbool.h>
#include <string.h>

struct srt_alphabet {
    uint64_t bits[4];
};

SRT_INLINE void srt_alphabet_fill(struct srt_alphabet *a)
{
    memset(a->bits, 0xff, sizeof(a->bits));
}

SRT_INLINE void srt_alphabet_add(struct srt_alphabet *a, uint8_t byte)
{
    a->bits[byte >> 6] |= UINT64_C(1) << (byte & 63);
}

SRT_INLINE bool srt_alphabet_has(const struct srt_alphabet *a, uint8_t byte)
{
    return a->bits[byte >> 6] >> (byte & 63) & 1;
}

SRT_INLINE bool srt_alphabet_equal(const struct srt_alphabet *a,
                                   const struct srt_alphabet *b)
{
    return memcmp(a->bits, b->bits, sizeof(a->bits)) == 0;
}

/* Whether b has all that a has. */
SRT_INLINE bool srt_alphabet_within(const struct srt_alphabet *a,
                                    const struct srt_alphabet *b)
{
    uint64_t more = 0;

    for (size_t i = 0; i < 4; i++)
        more |= a->bits[i] & ~b->bits[i];
    return more == 0;
}

#endif /* SRT_ALPHABET_H */

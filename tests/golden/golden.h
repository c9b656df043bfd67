/*
 * golden.h - what the recorders of golden answers and their test must agree on
 *
 * A golden file is JSON lines.  The first says what was recorded, from which
 * versions, how many cases follow, and for every kind of row the hash of a row
 * of GOLDEN_CHECK logits and seed 1, so that a changed generator is told from
 * a changed answer.  Floats are written as their bits, eight hex digits each.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_GOLDEN_H
#define TESTS_GOLDEN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Arrays of up to GOLDEN_WHOLE are written out, longer ones as a hash. */
enum { GOLDEN_WHOLE = 24, GOLDEN_CHECK = 1000 };

#define GOLDEN_HASH_START UINT64_C(0xcbf29ce484222325)

/* FNV-1a, 64 bits, over the four bytes of word, lowest first. */
static inline uint64_t golden_hash_word(uint64_t hash, uint32_t word)
{
    for (int i = 0; i < 4; i++, word >>= 8)
        hash = (hash ^ (word & 0xffu)) * UINT64_C(0x100000001b3);
    return hash;
}

static inline uint64_t golden_hash_float(uint64_t hash, float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof(bits));
    return golden_hash_word(hash, bits);
}

#endif /* TESTS_GOLDEN_H */

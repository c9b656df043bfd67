/*
 * bits.h - a number's bits, and the number that bits stand for
 *
 * memcpy() is the one conversion that C and C++ both define; every compiler
 * turns it into a register move.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_BITS_H
#define SRT_BITS_H

#include "compiler.h"

#include <string.h>

SRT_INLINE uint32_t srt_bits32(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

SRT_INLINE float srt_float32(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

SRT_INLINE uint64_t srt_bits64(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

SRT_INLINE double srt_float64(uint64_t bits)
{
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Floats in the order of their values, as integers without gaps (-0 and 0
 * share one); no NaN. */
SRT_INLINE int32_t srt_float_key(float x)
{
    const uint32_t bits = srt_bits32(x);

    return bits >> 31 ? -(int32_t)(bits & 0x7fffffffu) : (int32_t)bits;
}

SRT_INLINE float srt_float_unkey(int32_t key)
{
    return srt_float32(key < 0 ? (uint32_t)-key | 0x80000000u : (uint32_t)key);
}

#endif /* SRT_BITS_H */

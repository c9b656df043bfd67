/*
 * split.h - the logarithms' first step: x = 2^k * z with z close to 1
 *
 * z's range [from, 2 from) is cut into equal steps of its bit pattern, and the
 * table has one row for each: about 1/z and its logarithm.  `from` lies a
 * little under 1/sqrt(2), where the functions' own table starts.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_SPLIT_H
#define SRT_SPLIT_H

#include "numeric/bits.h"

/* 0.69921875, where the float functions' 16 rows start. */
#define SRT_SPLIT32_FROM 0x3f330000u
#define SRT_SPLIT32_ROWS 16

struct srt_split {
    double z;     /* exact */
    double k;     /* an integer, negative for x < from */
    unsigned row; /* of the function's table */
};

/* bits: a positive normal float's; or those of a subnormal times 2^23, less
 * 23 in the exponent field, which may wrap below zero. */
SRT_INLINE struct srt_split srt_split32(uint32_t bits)
{
    const uint32_t past = bits - SRT_SPLIT32_FROM;
    const int32_t k = (int32_t)((past >> 23) ^ 0x100u) - 0x100;

    return (struct srt_split){
        .z = (double)srt_float32(bits - (past & 0xff800000u)),
        .k = (double)k,
        .row = (past >> 19) % SRT_SPLIT32_ROWS,
    };
}

/* As srt_split32, for a double's bits; `from` is a double's bits, and there
 * are 128 rows. */
SRT_INLINE struct srt_split srt_split64(uint64_t bits, uint64_t from)
{
    const uint64_t past = bits - from;
    const int32_t k = (int32_t)((past >> 52) ^ 0x800u) - 0x800;

    return (struct srt_split){
        .z = srt_float64(bits - (past & 0xfff0000000000000u)),
        .k = (double)k,
        .row = (unsigned)(past >> 45) % 128,
    };
}

#endif /* SRT_SPLIT_H */

/*
 * ordered_sum.h - the bits of a sequential sum, without adding one by one
 *
 * An engine that adds n weights in order, rounding after each, has one answer;
 * a vector sum has another.  This is how the kernels get the first at the
 * speed of the second.
 *
 * Let the running sum S lie in the binade [M, 2M), with unit U = ulp(M).  As
 * long as it stays there, S is a multiple of U and adding a weight p >= 0
 * rounds S + p to a multiple of U.  If p is not exactly half way between two
 * multiples, S + p rounds to S + q, where q is p rounded to a multiple of U;
 * and q = (p + M) - M.  The q are multiples of U and their total stays below
 * 2M, so they add exactly, in any order and in any number of lanes.
 *
 * If p is exactly half way, round-to-even decides by the parity of S / U: q is
 * right where S is even, and its neighbour on p's side where S is odd; after
 * such a step S is even.  Parity before a tie is therefore the xor of the
 * parities of all q since the tie before it (for the first: since the block's
 * start, and S's own).  srt_ordered_ties counts the corrections of a block of
 * 64 from three bit masks.
 *
 * If a block's result reaches 2M, with the corrections or before them, the
 * block is added one by one instead; that happens about once per doubling of
 * S.  Weights far below U/2 add nothing and may be left out
 * (srt_ordered_negligible32 and 64).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_ORDERED_SUM_H
#define SRT_ORDERED_SUM_H

#include "numeric/bits.h"

/*
 * Units to add to the total of the rounded weights of one block.
 *   odd:      weights that rounded to an odd multiple of U
 *   tie:      weights half way between two multiples
 *   negative: weights that were rounded up (p - q < 0)
 *   parity:   of S / U at the block's start
 */
SRT_INLINE int srt_ordered_ties(uint64_t odd, uint64_t tie, uint64_t negative,
                                unsigned parity)
{
    int units = 0;

    odd &= ~tie;
    for (; tie; tie &= tie - 1) {
        const uint64_t bit = tie & (~tie + 1);

        parity ^= srt_popcount64(odd & (bit - 1)) & 1;
        if (parity)
            units += (negative & bit) ? -1 : 1;
        parity = 0;
        odd &= ~(bit - 1);
    }
    return units;
}

/* The binade [m, 2m) that a sum lies in: its unit, the number that rounds a
 * term to a multiple of it when added and taken off, and the sum's parity in
 * it. */
struct srt_binade {
    double m, unit, shift;
    unsigned parity;
};

/* The binade's lower end M of a positive normal number. */
SRT_INLINE float srt_binade32(float s)
{
    return srt_float32(srt_bits32(s) & 0x7f800000u);
}

SRT_INLINE double srt_binade64(double s)
{
    return srt_float64(srt_bits64(s) & 0x7ff0000000000000u);
}

/*
 * Below these sums a block is added one by one: half of M's unit would not be
 * a normal float.  The weights are floats in both cases, and expf rounds
 * subnormal ones so coarsely that one below U/2 could come out as U/2.
 */
#define SRT_ORDERED_LEAST32 0x1p-90f
#define SRT_ORDERED_LEAST64 0x1p-70

/*
 * The largest x for which expf(x) certainly adds nothing to s: expf(x) < U/2
 * when x < ln(U/2) = (k - 24) ln 2 for a float sum in [2^k, 2^(k+1)) and
 * (k - 53) ln 2 for a double one.  Lowered by 0.01, more than every rounding
 * on the way; -inf where s is still too small to say.
 */
SRT_INLINE float srt_ordered_negligible32(float s)
{
    const int k = (int)(srt_bits32(s) >> 23) - 127;

    if (s < SRT_ORDERED_LEAST32)
        return srt_float32(0xff800000u);
    return (float)(k - 24) * 0.693147f - 0.01f;
}

SRT_INLINE float srt_ordered_negligible64(double s)
{
    const int k = (int)(srt_bits64(s) >> 52) - 1023;

    if (s < SRT_ORDERED_LEAST64)
        return srt_float32(0xff800000u);
    return (float)(k - 53) * 0.693147f - 0.01f;
}

#endif /* SRT_ORDERED_SUM_H */

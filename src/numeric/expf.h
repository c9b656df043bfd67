/*
 * expf.h - expf() for inlining, and the numbers its kernels share
 *
 * Source: Arm's optimized-routines, expf.c, as glibc 2.36 compiles it for FMA:
 *   x / ln2 = k/32 + r/32, k an integer, |r| <= 1/2
 *   exp(x)  = 2^(k/32) * 2^(r/32), by table and by a cubic in r, in double,
 *   and one rounding to float at the end.
 *
 * Float order: FMA changes the last bits of the double only, and the rounding
 * to float hides that for all but two of the 2^32 arguments (found by trying
 * every one).  So the code here multiplies and adds, which is fast where fma()
 * is a library call, and the two arguments have their results written down.
 * A kernel that fuses exactly the operations marked below needs no exception.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_EXPF_H
#define SRT_EXPF_H

#include "numeric/bits.h"
#include "numeric/numeric.h"

#define SRT_EXPF_32_OVER_LN2 0x1.71547652b82fep+5
/* Adding it puts k into the low bits of the sum, rounded to nearest even. */
#define SRT_EXPF_SHIFT 0x1.8p+52
/* 2^(r/32) = ((C3 r + C2) r + C1) r + 1, evaluated as below. */
#define SRT_EXPF_C3 0x1.c6af84b912394p-20
#define SRT_EXPF_C2 0x1.ebfce50fac4f3p-13
#define SRT_EXPF_C1 0x1.62e42ff0c52d6p-6

/* ln(2^128) and ln(2^-150), the last floats inside: beyond lie inf and 0. */
#define SRT_EXPF_MAX 0x1.62e42ep+6f
#define SRT_EXPF_MIN (-0x1.9fe368p+6f)

/* The bits that 0x4202422F and 0xC27C65D9 share: one test for both, which one
 * in 128 of the arguments from 32 to 64 in size passes without being either. */
#define SRT_EXPF_ODD_MASK 0x7f81d809u
#define SRT_EXPF_ODD_BITS 0x42004009u

/* exp(x) for every x: the slow way round, out of line. */
float srt_expf_edge(float x);

/* exp(x) for MIN <= x <= MAX except the two arguments above. */
SRT_INLINE float srt_expf_inside(float x)
{
    const double z = SRT_EXPF_32_OVER_LN2 * (double)x;
    const double shifted = z + SRT_EXPF_SHIFT;       /* fused: z not rounded */
    const double r = z - (shifted - SRT_EXPF_SHIFT); /* fused: likewise */
    const uint64_t k = srt_bits64(shifted);
    const double scale = srt_float64(srt_exp2f_table[k % 32] + (k << 47));
    const double high = SRT_EXPF_C3 * r + SRT_EXPF_C2; /* fused */
    const double low = SRT_EXPF_C1 * r + 1.0;          /* fused */

    return (float)((high * (r * r) + low) * scale); /* fused: high, r*r, low */
}

SRT_INLINE float srt_expf_inline(float x)
{
    const uint32_t odd = srt_bits32(x) & SRT_EXPF_ODD_MASK;

    if (SRT_UNLIKELY(!(x >= SRT_EXPF_MIN && x <= SRT_EXPF_MAX) ||
                     odd == SRT_EXPF_ODD_BITS))
        return srt_expf_edge(x);
    return srt_expf_inside(x);
}

#endif /* SRT_EXPF_H */

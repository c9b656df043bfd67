/*
 * exp.h - the exponential that exp() and pow() share
 *
 * Source: Arm's optimized-routines, exp.c and pow.c, as glibc 2.36 compiles
 * them for FMA:
 *   x = (k/128) ln 2 + r, k an integer;  e^x = 2^(k/128) (1 + p(r))
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_EXP_H
#define SRT_EXP_H

#include "numeric/bits.h"

#include <math.h>

/* 2^(i/128) = scale (1 + tail): `scale` holds a double's bits less i << 45, so
 * that adding k << 45 makes 2^(k/128); `tail` holds a double's bits. */
struct srt_exp_row {
    uint64_t tail;
    uint64_t scale;
};
extern const struct srt_exp_row srt_exp_table[128];

#define SRT_EXP_128_OVER_LN2 0x1.71547652b82fep+7
#define SRT_EXP_SHIFT        0x1.8p+52
/* ln 2 / 128 in two parts; k times the first is exact. */
#define SRT_EXP_LN2_HIGH 0x1.62e42fefap-8
#define SRT_EXP_LN2_LOW  0x1.cf79abc9e3b3ap-47
#define SRT_EXP_C2       0x1.ffffffffffdbdp-2
#define SRT_EXP_C3       0x1.555555555543cp-3
#define SRT_EXP_C4       0x1.55555cf172b91p-5
#define SRT_EXP_C5       0x1.1111167a4d017p-7

/* e^x = scale (1 + rest).  scale's exponent may have wrapped when |x| >= 512;
 * then srt_exp_rescale() finishes the work. */
struct srt_exp_parts {
    double rest;
    uint64_t scale; /* a double's bits */
    int k_negative;
};

/* Parts of e^(x + x_low), 2^-54 <= |x| < 1024 and x_low far below x's last
 * bit.  exp() passes -0.0, which adds nothing to any r. */
SRT_INLINE struct srt_exp_parts srt_exp_split(double x, double x_low)
{
    const double shifted = fma(SRT_EXP_128_OVER_LN2, x, SRT_EXP_SHIFT);
    const double whole = shifted - SRT_EXP_SHIFT;
    const uint64_t k = srt_bits64(shifted);
    const struct srt_exp_row *row = &srt_exp_table[k % 128];
    const double r_high = fma(whole, -SRT_EXP_LN2_HIGH, x);
    const double r = fma(whole, -SRT_EXP_LN2_LOW, r_high) + x_low;
    const double r2 = r * r;
    const double high = fma(SRT_EXP_C5, r, SRT_EXP_C4);
    const double low = fma(SRT_EXP_C3, r, SRT_EXP_C2);
    const double start = srt_float64(row->tail) + r;

    return (struct srt_exp_parts){
        .rest = fma(r2 * r2, high, fma(low, r2, start)),
        .scale = row->scale + (k << 45),
        .k_negative = (k >> 31) & 1,
    };
}

/* scale (1 + rest) where the exponent left its range, with the one rounding
 * that a subnormal result needs.  scale's sign is the result's. */
double srt_exp_rescale(struct srt_exp_parts parts);

#endif /* SRT_EXP_H */

/*
 * expf.c - e^x for float, the bits of glibc 2.36's FMA variant
 *
 * The method, its constants and its one approximation are in expf.h; here are
 * its table and the arguments that need a second look.
 *
 * SPDX-License-Identifier: MIT
 */
#include "numeric/expf.h"

#include <math.h>

/* Bits of 2^(i/32), less i << 47: the integer k = 32 n + i, shifted left by
 * 47, adds n to the exponent field and i << 47 to the rest. */
const uint64_t srt_exp2f_table[32] = {
    0x3ff0000000000000, 0x3fefd9b0d3158574, 0x3fefb5586cf9890f,
    0x3fef9301d0125b51, 0x3fef72b83c7d517b, 0x3fef54873168b9aa,
    0x3fef387a6e756238, 0x3fef1e9df51fdee1, 0x3fef06fe0a31b715,
    0x3feef1a7373aa9cb, 0x3feedea64c123422, 0x3feece086061892d,
    0x3feebfdad5362a27, 0x3feeb42b569d4f82, 0x3feeab07dd485429,
    0x3feea47eb03a5585, 0x3feea09e667f3bcd, 0x3fee9f75e8ec5f74,
    0x3feea11473eb0187, 0x3feea589994cce13, 0x3feeace5422aa0db,
    0x3feeb737b0cdc5e5, 0x3feec49182a3f090, 0x3feed503b23e255d,
    0x3feee89f995ad3ad, 0x3feeff76f2fb5e47, 0x3fef199bdd85529c,
    0x3fef3720dcef9069, 0x3fef5818dcfba487, 0x3fef7c97337b9b5f,
    0x3fefa4afa2a490da, 0x3fefd0765b6e4540,
};

/* The two arguments whose results depend on fusing; expf.h says why. */
static float expf_odd(float x)
{
    switch (srt_bits32(x)) {
    case 0x4202422fu:
        return 0x1.f93e38p+46f;
    case 0xc27c65d9u:
        return 0x1.f45326p-92f;
    default:
        return srt_expf_inside(x);
    }
}

float srt_expf_edge(float x)
{
    if (x > SRT_EXPF_MAX)
        return INFINITY;
    if (x < SRT_EXPF_MIN)
        return 0.0f;
    if (x != x)
        return x;
    return expf_odd(x);
}

float srt_expf(float x)
{
    return srt_expf_inline(x);
}

/*
 * powf.c - x^y for float, the bits of glibc 2.36's FMA variant
 *
 * Source: Arm's optimized-routines, powf.c: 2^(y log2 x), in double throughout,
 * with one rounding to float at the end.  The logarithm is log2f's with a
 * polynomial of one more term; the power is expf's, with its table.
 *
 * Float order: a large y magnifies the logarithm's last bits, so that plain
 * sums give another float for about one argument in ten million with x near 1
 * and y in the thousands.  fma() stands exactly where glibc's build fuses.
 *
 * SPDX-License-Identifier: MIT
 */
#include "numeric/numeric.h"
#include "numeric/split.h"

#include <math.h>

#define POWF_LOG_A1 0x1.71547652ab82bp+0
#define POWF_LOG_A2 (-0x1.7154748bef6c8p-1)
#define POWF_LOG_A3 0x1.ec70a6ca7baddp-2
#define POWF_LOG_A4 (-0x1.71969a075c67ap-2)
#define POWF_LOG_A5 0x1.27616c9496e0bp-2

/* Adding it rounds to a multiple of 1/32, which is left in the low bits. */
#define POWF_EXP_SHIFT 0x1.8p+47
#define POWF_EXP_C1    0x1.62e42ff0c52d6p-1
#define POWF_EXP_C2    0x1.ebfce50fac4f3p-3
#define POWF_EXP_C3    0x1.c6af84b912394p-5

/* Above it x^y rounds to inf: the least double whose 2^ reaches halfway from
 * FLT_MAX to 2^128, less the error of y log2 x. */
#define POWF_MAX_LOG2 0x1.fffffffd1d571p+6
/* At and below it x^y rounds to 0. */
#define POWF_MIN_LOG2 (-150.0)

static double powf_log2(uint32_t bits)
{
    const struct srt_split s = srt_split32(bits);
    const double r = fma(s.z, srt_log2f_table[s.row].inverse, -1.0);
    const double base = srt_log2f_table[s.row].log2 + s.k;
    const double r2 = r * r;
    const double high = fma(POWF_LOG_A5, r, POWF_LOG_A4);
    const double middle = fma(POWF_LOG_A3, r, POWF_LOG_A2);
    const double low = fma(POWF_LOG_A1, r, base);

    return fma(high, r2 * r2, fma(r2, middle, low));
}

/* 2^x, negative when so asked; -150 < x < 128. */
static float powf_exp2(double x, uint64_t negative)
{
    const double shifted = x + POWF_EXP_SHIFT;
    const double r = x - (shifted - POWF_EXP_SHIFT);
    const uint64_t k = srt_bits64(shifted);
    const uint64_t scale =
        srt_exp2f_table[k % 32] + (k << 47) + (negative << 63);
    const double high = fma(POWF_EXP_C3, r, POWF_EXP_C2);
    const double low = fma(POWF_EXP_C1, r, 1.0);

    return (float)(fma(high, r * r, low) * srt_float64(scale));
}

/* x as srt_split32() takes it; y finite. */
static float powf_of_bits(uint32_t x, float y, uint64_t negative)
{
    const double log2 = (double)y * powf_log2(x);

    if (log2 > POWF_MAX_LOG2)
        return negative ? -INFINITY : INFINITY;
    if (log2 <= POWF_MIN_LOG2)
        return negative ? -0.0f : 0.0f;
    return powf_exp2(log2, negative);
}

static int powf_is_signaling(float x)
{
    return x != x && !(srt_bits32(x) & 0x00400000u);
}

static int powf_is_odd(float y)
{
    return fabsf(y) < 0x1p24f && (float)(int32_t)y == y && ((int32_t)y & 1);
}

static int powf_is_integer(float y)
{
    return fabsf(y) >= 0x1p24f || (float)(int32_t)y == y;
}

/* x or y is 0, inf or NaN: C11 annex F.9.4.4, but a signaling NaN always
 * makes a NaN. */
static float powf_of_limits(float x, float y)
{
    if (powf_is_signaling(x) || powf_is_signaling(y))
        return NAN;
    if (y == 0.0f || x == 1.0f)
        return 1.0f;
    if (x != x || y != y)
        return NAN;
    if (isinf(y)) {
        if (fabsf(x) == 1.0f)
            return 1.0f;
        return (fabsf(x) > 1.0f) == (y > 0.0f) ? INFINITY : 0.0f;
    }
    const float size = (x == 0.0f) == (y > 0.0f) ? 0.0f : INFINITY;

    return signbit(x) && powf_is_odd(y) ? -size : size;
}

float srt_powf(float x, float y)
{
    const float size = fabsf(x);
    uint64_t negative = 0;

    if (!(size > 0.0f && size <= FLT_MAX) || y == 0.0f || !isfinite(y))
        return powf_of_limits(x, y);
    if (x < 0.0f) {
        if (!powf_is_integer(y))
            return NAN;
        negative = (uint64_t)powf_is_odd(y);
    }
    if (size < FLT_MIN)
        return powf_of_bits(srt_bits32(size * 0x1p23f) - (23u << 23), y,
                            negative);
    return powf_of_bits(srt_bits32(size), y, negative);
}

/*
 * logf.c - natural logarithm for float, the bits of glibc 2.36's FMA variant
 *
 * Source: Arm's optimized-routines, logf.c:
 *   x = 2^k z;  r = z c' - 1, where c' is about 1/c and c lies mid in z's row
 *   ln x = k ln 2 + ln c + r + (A1 + A2 r + A3 r^2) r^2, all in double, with
 *   one rounding to float at the end.
 *
 * Float order: no argument's result depends on whether a product and a sum are
 * fused (every one of the 2^32 was tried), so nothing here is.
 *
 * SPDX-License-Identifier: MIT
 */
#include "numeric/numeric.h"
#include "numeric/split.h"

#include <math.h>

/* 1/c and ln c.  The row that holds 1 has c = 1, so that ln x loses nothing to
 * cancellation near 1. */
static const struct {
    double inverse;
    double ln;
} logf_table[SRT_SPLIT32_ROWS] = {
    { 0x1.661ec79f8f3bep+0, -0x1.57bf7808caadep-2 },
    { 0x1.571ed4aaf883dp+0, -0x1.2bef0a7c06ddbp-2 },
    { 0x1.49539f0f010bp+0, -0x1.01eae7f513a67p-2 },
    { 0x1.3c995b0b80385p+0, -0x1.b31d8a68224e9p-3 },
    { 0x1.30d190c8864a5p+0, -0x1.6574f0ac07758p-3 },
    { 0x1.25e227b0b8eap+0, -0x1.1aa2bc79c81p-3 },
    { 0x1.1bb4a4a1a343fp+0, -0x1.a4e76ce8c0e5ep-4 },
    { 0x1.12358f08ae5bap+0, -0x1.1973c5a611cccp-4 },
    { 0x1.0953f419900a7p+0, -0x1.252f438e10c1ep-5 },
    { 0x1p+0, 0.0 },
    { 0x1.e608cfd9a47acp-1, 0x1.aa5aa5df25984p-5 },
    { 0x1.ca4b31f026aap-1, 0x1.c5e53aa362eb4p-4 },
    { 0x1.b2036576afce6p-1, 0x1.526e57720db08p-3 },
    { 0x1.9c2d163a1aa2dp-1, 0x1.bc2860d22477p-3 },
    { 0x1.886e6037841edp-1, 0x1.1058bc8a07ee1p-2 },
    { 0x1.767dcf5534862p-1, 0x1.4043057b6ee09p-2 },
};

#define LOGF_LN2 0x1.62e42fefa39efp-1
#define LOGF_A1  (-0x1.ffffef20a4123p-2)
#define LOGF_A2  0x1.5575b0be00b6ap-2
#define LOGF_A3  (-0x1.00ea348b88334p-2)

/* ln x for the x that srt_split32() takes. */
static float logf_of_bits(uint32_t bits)
{
    const struct srt_split s = srt_split32(bits);
    const double r = s.z * logf_table[s.row].inverse - 1.0;
    const double base = logf_table[s.row].ln + s.k * LOGF_LN2;
    const double r2 = r * r;
    const double curve = LOGF_A3 * r2 + (LOGF_A2 * r + LOGF_A1);

    return (float)(curve * r2 + (base + r));
}

float srt_logf(float x)
{
    if (x >= FLT_MIN && x <= FLT_MAX)
        return logf_of_bits(srt_bits32(x));
    if (x == 0.0f)
        return -INFINITY;
    if (x < 0.0f)
        return NAN;
    if (x < FLT_MIN)
        return logf_of_bits(srt_bits32(x * 0x1p23f) - (23u << 23));
    return x; /* inf and NaN */
}

/*
 * rows.c - rows of logits for tests and benchmarks, the same on every machine
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/rows.h"

#include "numeric/bits.h"
#include "numeric/numeric.h"
#include "row.h"

#include <math.h>

uint64_t rows_bits(struct rows_random *r)
{
    uint64_t x = r->state += 0x9e3779b97f4a7c15u; /* splitmix64 */

    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

double rows_uniform(struct rows_random *r)
{
    return (double)(rows_bits(r) >> 11) * 0x1p-53;
}

size_t rows_below(struct rows_random *r, size_t n)
{
    return (size_t)(rows_bits(r) % n);
}

double rows_normal(struct rows_random *r)
{
    double x, y, s;

    do { /* Marsaglia's polar method */
        x = 2.0 * rows_uniform(r) - 1.0;
        y = 2.0 * rows_uniform(r) - 1.0;
        s = x * x + y * y;
    } while (s >= 1.0 || s == 0.0);
    return x * sqrt(-2.0 * srt_log(s) / s);
}

const char *rows_kind_name(enum rows_kind kind)
{
    static const char *const names[ROWS_N_KINDS] = {
        "ordinary", "tied",   "flat", "wide", "equal",  "forbidden",
        "masked",   "bfloat", "low",  "high", "peaked", "steps"
    };

    return names[kind];
}

static float rows_value(struct rows_random *r, enum rows_kind kind)
{
    const double z = rows_normal(r);

    switch (kind) {
    case ROWS_TIED:
        return (float)(round(z * 3 * 8) / 8);
    case ROWS_FLAT:
        return (float)(z * 0.3);
    case ROWS_WIDE:
        return (float)(z * 12);
    case ROWS_EQUAL:
        return 1.5f;
    case ROWS_FORBIDDEN:
        return rows_uniform(r) < 0.3 ? -INFINITY : (float)(z * 3);
    case ROWS_MASKED:
        return rows_uniform(r) < 0.999 ? -INFINITY : (float)(z * 3);
    case ROWS_LOW:
        return (float)(z * 2 - 40);
    case ROWS_HIGH:
        return (float)(z * 2 + 40);
    case ROWS_PEAKED:
        return (float)(z * 0.5 - 20);
    case ROWS_STEPS:
        return (float)(floor(z * 2) / 2);
    default:
        return (float)(z * 3);
    }
}

void rows_fill(float *x, size_t n, enum rows_kind kind, uint64_t seed)
{
    struct rows_random r = { seed * 0x2545f4914f6cdd1du + (uint64_t)kind };
    const int raised = kind == ROWS_ORDINARY || kind == ROWS_TIED ||
                       kind == ROWS_BFLOAT || kind == ROWS_FORBIDDEN;

    for (size_t i = 0; i < n; i++)
        x[i] = rows_value(&r, kind);
    for (int i = 0; raised && i < 30; i++) {
        const size_t at = rows_below(&r, n);
        const double raise = 8.0 + 6.0 * rows_uniform(&r);
        x[at] += (float)(kind == ROWS_TIED ? round(raise * 8) / 8 : raise);
    }
    if (kind == ROWS_PEAKED)
        x[rows_below(&r, n)] = 9.0f;
    if (kind == ROWS_MASKED)
        x[rows_below(&r, n)] = 1.0f; /* something is left */
    for (size_t i = 0; kind == ROWS_BFLOAT && i < n; i++)
        x[i] = srt_float32((uint32_t)rows_to_bfloat(x[i]) << 16);
}

uint16_t rows_to_bfloat(float x)
{
    const uint32_t bits = srt_bits32(x);

    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return 0x7fc0;
    return (uint16_t)((bits + 0x7fffu + ((bits >> 16) & 1)) >> 16);
}

uint16_t rows_to_half(float x)
{
    const uint32_t bits = srt_bits32(x);
    const uint16_t sign = (uint16_t)((bits >> 16) & 0x8000u);
    const double size = fabs((double)x);
    int exponent;
    double scaled;

    if (isnan(x))
        return (uint16_t)(sign | 0x7e00u);
    if (size >= 65520.0)
        return (uint16_t)(sign | 0x7c00u);
    if (size < 0x1p-14) /* subnormal: a multiple of 2^-24; may round up to it */
        return (uint16_t)(sign | (uint16_t)nearbyint(size * 0x1p24));
    exponent = (int)(bits >> 23 & 0xff) - 127;
    scaled = nearbyint(ldexp(size, 10 - exponent)); /* 1024 .. 2048 */
    return (uint16_t)(sign | (uint16_t)(((exponent + 15) << 10) +
                                        ((int)scaled - 1024)));
}

sortes_row rows_as(float *x, uint16_t *narrow, size_t n, sortes_dtype type)
{
    if (type == SORTES_F32)
        return (sortes_row){ x, n, type };
    for (size_t i = 0; i < n; i++) {
        if (type == SORTES_F16) {
            narrow[i] = rows_to_half(x[i]);
            x[i] = srt_half_to_float(narrow[i]);
        } else {
            narrow[i] = rows_to_bfloat(x[i]);
            x[i] = srt_bfloat_to_float(narrow[i]);
        }
    }
    return (sortes_row){ narrow, n, type };
}

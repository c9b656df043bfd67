/*
 * recorded.h - comparing src/numeric with answers recorded from glibc
 *
 * The answers in this folder were recorded from glibc 2.36's libm on x86-64
 * with FMA.  They are bit patterns, and no test here asks the libm it runs on,
 * so the tests mean the same on every machine.  tests/long/long_libm.c compares
 * with a living glibc, over many more arguments.
 *
 * A NaN matches any NaN.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_NUMERIC_RECORDED_H
#define TEST_NUMERIC_RECORDED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "numeric/bits.h"
#include "numeric/numeric.h"

#define NAN32  0x7fc00000u
#define INF32  0x7f800000u
#define NAN64  0x7ff8000000000000u
#define INF64  0x7ff0000000000000u
#define SIGN32 0x80000000u
#define SIGN64 0x8000000000000000u

struct recorded32 {
    uint32_t x;
    uint32_t want;
};

struct recorded32_pair {
    uint32_t x;
    uint32_t y;
    uint32_t want;
};

struct recorded64 {
    uint64_t x;
    uint64_t want;
};

struct recorded64_pair {
    uint64_t x;
    uint64_t y;
    uint64_t want;
};

/* A float's bits, one pattern for all NaNs. */
SRT_INLINE uint32_t recorded_bits32(float x)
{
    return x != x ? NAN32 : srt_bits32(x);
}

SRT_INLINE uint64_t recorded_bits64(double x)
{
    return x != x ? NAN64 : srt_bits64(x);
}

SRT_INLINE void recorded_check(uint64_t x, uint64_t y, uint64_t got,
                               uint64_t want)
{
    if (got != want)
        fail_msg("f(%#llx, %#llx) = %#llx, want %#llx", (unsigned long long)x,
                 (unsigned long long)y, (unsigned long long)got,
                 (unsigned long long)want);
}

/* For sums made by recorded_fold(): one wrong bit anywhere changes them. */
SRT_INLINE void recorded_check_sum(uint64_t got, uint64_t want)
{
    if (got != want)
        fail_msg("the results' sum is %#llx, want %#llx",
                 (unsigned long long)got, (unsigned long long)want);
}

SRT_INLINE void recorded_check32(float (*f)(float), const struct recorded32 *t,
                                 size_t n)
{
    for (size_t i = 0; i < n; i++)
        recorded_check(t[i].x, 0, recorded_bits32(f(srt_float32(t[i].x))),
                       t[i].want);
}

SRT_INLINE void recorded_check64(double (*f)(double),
                                 const struct recorded64 *t, size_t n)
{
    for (size_t i = 0; i < n; i++)
        recorded_check(t[i].x, 0, recorded_bits64(f(srt_float64(t[i].x))),
                       t[i].want);
}

/* splitmix64, so that many arguments need one start value. */
SRT_INLINE uint64_t recorded_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Folds one more result into a sum that depends on the results' order. */
SRT_INLINE uint64_t recorded_fold(uint64_t sum, uint64_t bits)
{
    sum = (sum ^ bits) * 0x9e3779b97f4a7c15u;
    return sum ^ (sum >> 29);
}

/* The folded results for every step-th float, NaNs and infinities included. */
SRT_INLINE uint64_t recorded_sum32(float (*f)(float), uint32_t step)
{
    uint64_t sum = 0;

    for (uint64_t bits = 0; bits < (uint64_t)1 << 32; bits += step)
        sum =
            recorded_fold(sum, recorded_bits32(f(srt_float32((uint32_t)bits))));
    return sum;
}

#endif /* TEST_NUMERIC_RECORDED_H */

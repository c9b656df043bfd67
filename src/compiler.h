/*
 * compiler.h - the only file outside kernel/ that knows one compiler from
 * another
 *
 * The two-file build is compiled with the user's flags, so what the arithmetic
 * needs is said here, in the source, and not only on our command line:
 * no contraction of a*b+c into one rounding, no fast-math, no x87 precision.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_COMPILER_H
#define SRT_COMPILER_H

#include <float.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__FAST_MATH__) ||                                                  \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0)
#error                                                                         \
    "sortes is exact: compile it without -ffast-math (the program around it may use it)"
#endif
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD == 2
#error                                                                         \
    "sortes needs float and double arithmetic in their own precision (on x86: -msse2 -mfpmath=sse)"
#endif

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

#define SRT_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#if defined(__GNUC__)
#define SRT_UNLIKELY(x)       __builtin_expect(!!(x), 0)
#define SRT_INLINE            static inline __attribute__((always_inline))
#define SRT_NOINLINE          __attribute__((noinline))
#define SRT_PRINTF(at, first) __attribute__((format(printf, at, first)))
#else
#define SRT_UNLIKELY(x) (x)
#define SRT_INLINE      static inline
#define SRT_NOINLINE
#define SRT_PRINTF(at, first)
#endif

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#define SRT_X86 1
#else
#define SRT_X86 0
#endif
/* The vector kernels use 64-bit registers. */
#if SRT_X86 && defined(__x86_64__)
#define SRT_X86_64 1
#else
#define SRT_X86_64 0
#endif
#if defined(__aarch64__) && defined(__GNUC__)
#define SRT_ARM64 1
#else
#define SRT_ARM64 0
#endif

/* Index of the lowest set bit; x != 0. */
SRT_INLINE unsigned srt_ctz64(uint64_t x)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(x);
#else
    unsigned n = 0;
    while (!(x & 1)) {
        x >>= 1;
        n++;
    }
    return n;
#endif
}

/* Index of the highest set bit; x != 0. */
SRT_INLINE unsigned srt_top_bit(uint32_t x)
{
#if defined(__GNUC__)
    return 31u - (unsigned)__builtin_clz(x);
#else
    unsigned n = 0;
    while (x >>= 1)
        n++;
    return n;
#endif
}

SRT_INLINE unsigned srt_popcount64(uint64_t x)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_popcountll(x);
#else
    unsigned n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
#endif
}

#endif /* SRT_COMPILER_H */

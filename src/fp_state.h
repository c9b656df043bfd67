/*
 * fp_state.h - round to nearest, no flushing of subnormals, while we compute
 *
 * A program linked with -ffast-math flushes subnormals in the whole process,
 * and a caller may have set another rounding mode or unmasked exceptions.
 * Entry points hold one of these around the work; when the state is already
 * right, the cost is one read of a control register.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_FP_STATE_H
#define SRT_FP_STATE_H

#include "compiler.h"

#if SRT_X86
#include <xmmintrin.h>
#elif !SRT_ARM64
#include <fenv.h>
#endif

struct srt_fp_state {
    uint64_t saved;
    int changed;
};

#if SRT_X86

/* MXCSR: exceptions masked (0x1f80), nearest, FTZ and DAZ off; the low six
 * bits are sticky flags and do not matter. */
SRT_INLINE struct srt_fp_state srt_fp_begin(void)
{
    const unsigned now = _mm_getcsr();
    const struct srt_fp_state state = { now, (now & ~0x3fu) != 0x1f80u };

    if (SRT_UNLIKELY(state.changed))
        _mm_setcsr(0x1f80u);
    return state;
}

SRT_INLINE void srt_fp_end(struct srt_fp_state state)
{
    if (SRT_UNLIKELY(state.changed))
        _mm_setcsr((unsigned)state.saved);
}

#elif SRT_ARM64

/* FPCR: all zero is nearest, no flushing, no traps. */
SRT_INLINE struct srt_fp_state srt_fp_begin(void)
{
    struct srt_fp_state state;
    uint64_t now;

    __asm__ volatile("mrs %0, fpcr" : "=r"(now));
    state.saved = now;
    state.changed = now != 0;
    if (SRT_UNLIKELY(state.changed))
        __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0) : "memory");
    return state;
}

SRT_INLINE void srt_fp_end(struct srt_fp_state state)
{
    if (SRT_UNLIKELY(state.changed))
        __asm__ volatile("msr fpcr, %0" : : "r"(state.saved) : "memory");
}

#else

SRT_INLINE struct srt_fp_state srt_fp_begin(void)
{
    const int now = fegetround();
    const struct srt_fp_state state = { (uint64_t)now, now != FE_TONEAREST };

    if (state.changed)
        (void)fesetround(FE_TONEAREST);
    return state;
}

SRT_INLINE void srt_fp_end(struct srt_fp_state state)
{
    if (state.changed)
        (void)fesetround((int)state.saved);
}

#endif

#endif /* SRT_FP_STATE_H */

/*
 * dispatch.c - which kernels this machine runs
 *
 * Nothing is cached: asking costs a few loads, since the compiler's runtime
 * has read the CPU's features before main().
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernel/kernel.h"

#include "numeric/expf.h"

#define SRT_KERNELS(symbol, condition)                                         \
    extern const struct srt_kernels srt_kernels_##symbol;
#include "kernel/kernels.def"
#undef SRT_KERNELS

#if SRT_X86_64

/* Machines with FMA also have F16C, and those with BMI2 BMI and POPCNT; what
 * the compilers can ask for is asked. */
static bool kernel_have_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi2");
}

static bool kernel_have_avx512(void)
{
    return kernel_have_avx2() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("pclmul");
}

#endif

const struct srt_kernels *srt_kernels_at(size_t index)
{
    size_t n = 0;

#define SRT_KERNELS(symbol, condition)                                         \
    if (condition) {                                                           \
        if (n == index)                                                        \
            return &srt_kernels_##symbol;                                      \
        n++;                                                                   \
    }
#include "kernel/kernels.def"
#undef SRT_KERNELS
    return NULL;
}

const struct srt_kernels *srt_kernels(void)
{
    const struct srt_kernels *best = &srt_kernels_scalar;

#define SRT_KERNELS(symbol, condition)                                         \
    if (condition)                                                             \
        best = &srt_kernels_##symbol;
#include "kernel/kernels.def"
#undef SRT_KERNELS
    return best;
}

const char *sortes_kernel_name(void)
{
    return srt_kernels()->name;
}

float srt_softmax_sum_finish(struct srt_softmax_sum *s)
{
    for (size_t i = 0; i < s->n_pending; i++)
        s->sum += srt_expf_inline(s->pending[i]);
    s->n_pending = 0;
    return s->sum;
}

/*
 * avx512.c - the kernels on 16 floats at a time, for x86 with AVX-512
 *
 * The operations are listed in avx2.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernel/kernel.h"
#include "numeric/expf.h"
#include "numeric/ordered_sum.h"
#include "row.h"

#include <math.h>

#if SRT_X86_64

#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(                                                  \
    __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,avx2,fma,f16c,"  \
                          "bmi,bmi2,popcnt,pclmul"))),                         \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target(                                                            \
    "avx512f,avx512dq,avx512bw,avx512vl,avx2,fma,f16c,bmi,bmi2,popcnt,pclmul,prefer-vector-width=512")
#endif

#define V(name)   avx512_##name
#define V_LANES   16
#define V_NAME    "avx512"
#define V_KERNELS srt_kernels_avx512

typedef __m512 avx512_f;
typedef __m512d avx512_d;

SRT_INLINE __m512 avx512_load(const float *p)
{
    return _mm512_loadu_ps(p);
}

SRT_INLINE __m512 avx512_load_f16(const uint16_t *p)
{
    return _mm512_cvtph_ps(
        _mm256_loadu_si256((const __m256i *)(const void *)p));
}

SRT_INLINE __m512 avx512_load_bf16(const uint16_t *p)
{
    const __m512i wide = _mm512_cvtepu16_epi32(
        _mm256_loadu_si256((const __m256i *)(const void *)p));

    return _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
}

SRT_INLINE void avx512_store(float *p, __m512 x)
{
    _mm512_storeu_ps(p, x);
}

SRT_INLINE __m512 avx512_set1(float x)
{
    return _mm512_set1_ps(x);
}

SRT_INLINE __m512 avx512_add(__m512 a, __m512 b)
{
    return _mm512_add_ps(a, b);
}

SRT_INLINE __m512 avx512_sub(__m512 a, __m512 b)
{
    return _mm512_sub_ps(a, b);
}

SRT_INLINE __m512 avx512_mul(__m512 a, __m512 b)
{
    return _mm512_mul_ps(a, b);
}

SRT_INLINE __m512 avx512_div(__m512 a, __m512 b)
{
    return _mm512_div_ps(a, b);
}

SRT_INLINE __m512 avx512_max(__m512 a, __m512 b)
{
    return _mm512_max_ps(a, b);
}

SRT_INLINE __m512 avx512_min(__m512 a, __m512 b)
{
    return _mm512_min_ps(a, b);
}

SRT_INLINE uint64_t avx512_ge(__m512 a, __m512 b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ);
}

SRT_INLINE uint64_t avx512_unordered(__m512 a, __m512 b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q);
}

SRT_INLINE uint64_t avx512_odd(__m512 x)
{
    return _mm512_test_epi32_mask(_mm512_castps_si512(x), _mm512_set1_epi32(1));
}

SRT_INLINE uint64_t avx512_sign(__m512 x)
{
    return _mm512_movepi32_mask(_mm512_castps_si512(x));
}

SRT_INLINE uint64_t avx512_abs_equal(__m512 a, __m512 b)
{
    return _mm512_cmp_ps_mask(_mm512_abs_ps(a), b, _CMP_EQ_OQ);
}

SRT_INLINE float avx512_hmax(__m512 x)
{
    return _mm512_reduce_max_ps(x);
}

SRT_INLINE float avx512_hmin(__m512 x)
{
    return _mm512_reduce_min_ps(x);
}

SRT_INLINE float avx512_hadd(__m512 x)
{
    return _mm512_reduce_add_ps(x);
}

SRT_INLINE size_t avx512_compress(float *out, uint64_t mask, __m512 x)
{
    /* A compressing store to memory is slow on Zen; a whole store is not. */
    _mm512_storeu_ps(out, _mm512_maskz_compress_ps((__mmask16)mask, x));
    return srt_popcount64(mask);
}

SRT_INLINE void avx512_compress_index(int32_t *out, uint64_t mask, int32_t base)
{
    const __m512i lanes =
        _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i index = _mm512_add_epi32(lanes, _mm512_set1_epi32(base));

    _mm512_storeu_si512(out,
                        _mm512_maskz_compress_epi32((__mmask16)mask, index));
}

SRT_INLINE __m512d avx512_dset1(double x)
{
    return _mm512_set1_pd(x);
}

SRT_INLINE __m512d avx512_dadd(__m512d a, __m512d b)
{
    return _mm512_add_pd(a, b);
}

SRT_INLINE __m512d avx512_dsub(__m512d a, __m512d b)
{
    return _mm512_sub_pd(a, b);
}

SRT_INLINE void avx512_dstore(double *p, __m512d x)
{
    _mm512_storeu_pd(p, x);
}

SRT_INLINE uint64_t avx512_dsign(__m512d lo, __m512d hi)
{
    return (uint64_t)_mm512_movepi64_mask(_mm512_castpd_si512(lo)) |
           (uint64_t)_mm512_movepi64_mask(_mm512_castpd_si512(hi)) << 8;
}

SRT_INLINE uint64_t avx512_dodd(__m512d lo, __m512d hi)
{
    const __m512i one = _mm512_set1_epi64(1);

    return (uint64_t)_mm512_test_epi64_mask(_mm512_castpd_si512(lo), one) |
           (uint64_t)_mm512_test_epi64_mask(_mm512_castpd_si512(hi), one) << 8;
}

SRT_INLINE uint64_t avx512_dabs_equal(__m512d lo, __m512d hi, __m512d b)
{
    return (uint64_t)_mm512_cmp_pd_mask(_mm512_abs_pd(lo), b, _CMP_EQ_OQ) |
           (uint64_t)_mm512_cmp_pd_mask(_mm512_abs_pd(hi), b, _CMP_EQ_OQ) << 8;
}

SRT_INLINE double avx512_dhadd(__m512d x)
{
    return _mm512_reduce_add_pd(x);
}

/* srt_exp2f_table in four registers: looked up without a gather. */
SRT_INLINE __m512i avx512_exp2f_entry(__m512i k)
{
    const uint64_t *t = srt_exp2f_table;
    const __m512i low = _mm512_permutex2var_epi64(_mm512_loadu_si512(t), k,
                                                  _mm512_loadu_si512(t + 8));
    const __m512i high = _mm512_permutex2var_epi64(
        _mm512_loadu_si512(t + 16), k, _mm512_loadu_si512(t + 24));

    return _mm512_mask_blend_epi64(
        _mm512_test_epi64_mask(k, _mm512_set1_epi64(16)), low, high);
}

/* expf of eight floats as glibc's FMA variant: the fused operations are those
 * that expf.h marks. */
SRT_INLINE __m256 avx512_exp8(__m256 x)
{
    const __m512d by = _mm512_set1_pd(SRT_EXPF_32_OVER_LN2);
    const __m512d shift = _mm512_set1_pd(SRT_EXPF_SHIFT);
    const __m512d wide = _mm512_cvtps_pd(x);
    const __m512d shifted = _mm512_fmadd_pd(wide, by, shift);
    const __m512i k = _mm512_castpd_si512(shifted);
    const __m512d r = _mm512_fmsub_pd(wide, by, _mm512_sub_pd(shifted, shift));
    const __m512d scale = _mm512_castsi512_pd(
        _mm512_add_epi64(avx512_exp2f_entry(k), _mm512_slli_epi64(k, 47)));
    const __m512d high = _mm512_fmadd_pd(_mm512_set1_pd(SRT_EXPF_C3), r,
                                         _mm512_set1_pd(SRT_EXPF_C2));
    const __m512d low =
        _mm512_fmadd_pd(_mm512_set1_pd(SRT_EXPF_C1), r, _mm512_set1_pd(1.0));
    const __m512d y = _mm512_fmadd_pd(high, _mm512_mul_pd(r, r), low);

    return _mm512_cvtpd_ps(_mm512_mul_pd(y, scale));
}

/* From -104 down expf is 0; -110 stands for all that is lower. */
SRT_INLINE __m512 avx512_exp(__m512 x)
{
    x = _mm512_max_ps(x, _mm512_set1_ps(-110.0f));
    return _mm512_insertf32x8(
        _mm512_castps256_ps512(avx512_exp8(_mm512_castps512_ps256(x))),
        avx512_exp8(_mm512_extractf32x8_ps(x, 1)), 1);
}

SRT_INLINE void avx512_exp_wide(__m512 x, __m512d *lo, __m512d *hi)
{
    x = _mm512_max_ps(x, _mm512_set1_ps(-110.0f));
    *lo = _mm512_cvtps_pd(avx512_exp8(_mm512_castps512_ps256(x)));
    *hi = _mm512_cvtps_pd(avx512_exp8(_mm512_extractf32x8_ps(x, 1)));
}

SRT_INLINE __m512 avx512_mlx_exp(__m512 x)
{
    const __m512 t = _mm512_mul_ps(x, _mm512_set1_ps(SRT_MLX_EXP_LOG2E));
    const __m512 low =
        _mm512_roundscale_ps(t, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    const __mmask16 up = _mm512_cmp_ps_mask(_mm512_sub_ps(t, low),
                                            _mm512_set1_ps(0.5f), _CMP_GE_OQ);
    const __m512 k = _mm512_mask_add_ps(low, up, low, _mm512_set1_ps(1.0f));
    const __m512 r = _mm512_sub_ps(t, k);
    const __m512i power = _mm512_slli_epi32(
        _mm512_add_epi32(_mm512_cvttps_epi32(k), _mm512_set1_epi32(127)), 23);
    __m512 p = _mm512_fmadd_ps(_mm512_set1_ps(SRT_MLX_EXP_C6), r,
                               _mm512_set1_ps(SRT_MLX_EXP_C5));

    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(SRT_MLX_EXP_C4));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(SRT_MLX_EXP_C3));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(SRT_MLX_EXP_C2));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(SRT_MLX_EXP_C1));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(SRT_MLX_EXP_C0));
    return _mm512_maskz_mul_ps(
        _mm512_cmp_ps_mask(x, _mm512_set1_ps(SRT_MLX_EXP_MIN), _CMP_GE_OQ),
        _mm512_castsi512_ps(power), p);
}

SRT_INLINE __m512 avx512_bfloat(__m512 x)
{
    const __m512i bits = _mm512_castps_si512(x);
    const __m512i odd =
        _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    const __m512i up = _mm512_add_epi32(
        _mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), odd);

    return _mm512_castsi512_ps(
        _mm512_and_si512(up, _mm512_set1_epi32((int)0xffff0000u)));
}

SRT_INLINE __m512 avx512_hide(__m512 x, __m512 limit)
{
    return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(x, limit, _CMP_LT_OQ),
                                _mm512_set1_ps(-INFINITY), x);
}

SRT_INLINE void avx512_square_wide(__m512 x, __m512d *lo, __m512d *hi)
{
    const __m512d a = _mm512_cvtps_pd(_mm512_castps512_ps256(x));
    const __m512d b = _mm512_cvtps_pd(_mm512_extractf32x8_ps(x, 1));

    *lo = _mm512_mul_pd(a, a);
    *hi = _mm512_mul_pd(b, b);
}

SRT_INLINE int avx512_ties(uint64_t odd, uint64_t tie, uint64_t negative,
                           unsigned parity)
{
    /* The parity before each bit by a carry-less product (prefix xor); then
     * only the ties' own parities matter: each resets it. */
    const __m128i product = _mm_clmulepi64_si128(
        _mm_cvtsi64_si128((long long)(odd & ~tie)), _mm_set1_epi8(-1), 0);
    const uint64_t prefix = (uint64_t)_mm_cvtsi128_si64(product) ^
                            ((parity & 1) ? ~(uint64_t)0 : 0);
    const uint64_t at_ties = _pext_u64(prefix, tie);
    const uint64_t flips = _pdep_u64(at_ties ^ (at_ties << 1), tie);

    return (int)srt_popcount64(flips & ~negative) -
           (int)srt_popcount64(flips & negative);
}

#include "kernel/set_body.h"

#undef V
#undef V_LANES
#undef V_NAME
#undef V_KERNELS

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#else

typedef int avx512_is_for_x86; /* a translation unit is not empty */

#endif

/*
 * avx2.c - the kernels on 8 floats at a time, for x86 with AVX2 and FMA
 *
 * V(name) makes the names of this set.  The vector operations that
 * array_body.h and row_body.h are written over:
 *
 *   f d                    8 floats, 4 doubles
 *   load store set1 add sub mul div max min   as they say, unaligned
 *   ge unordered odd sign abs_equal       a bit per lane, lane 0 lowest:
 *                          a >= b; a NaN in a or b; odd last bit of the
 *                          significand; sign bit; |a| == b
 *   hmax hmin hadd         over the lanes (hadd: only where it is exact)
 *   compress compress_index  the lanes of a mask, packed; the lanes' indices
 *   exp exp_wide           expf of x <= 0, as floats; as two halves of doubles
 *                          that hold those floats
 *   mlx_exp                MLX's exp of x <= 88
 *   bfloat hide            rounded to bf16; x where it is below a limit, -inf
 *                          elsewhere
 *   square_wide            x * x in double, exact, as two halves
 *   d...                   the same on doubles, two vectors to a bit mask
 *   ties                   srt_ordered_ties
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
    __attribute__((target("avx2,fma,f16c,bmi,bmi2,popcnt"))),                  \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,f16c,bmi,bmi2,popcnt")
#endif

#define V(name)   avx2_##name
#define V_LANES   8
#define V_NAME    "avx2"
#define V_KERNELS srt_kernels_avx2

typedef __m256 avx2_f;
typedef __m256d avx2_d;

SRT_INLINE __m256 avx2_load(const float *p)
{
    return _mm256_loadu_ps(p);
}

SRT_INLINE __m256 avx2_load_f16(const uint16_t *p)
{
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)p));
}

SRT_INLINE __m256 avx2_load_bf16(const uint16_t *p)
{
    const __m256i wide = _mm256_cvtepu16_epi32(
        _mm_loadu_si128((const __m128i *)(const void *)p));

    return _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16));
}

SRT_INLINE void avx2_store(float *p, __m256 x)
{
    _mm256_storeu_ps(p, x);
}

SRT_INLINE __m256 avx2_set1(float x)
{
    return _mm256_set1_ps(x);
}

SRT_INLINE __m256 avx2_add(__m256 a, __m256 b)
{
    return _mm256_add_ps(a, b);
}

SRT_INLINE __m256 avx2_sub(__m256 a, __m256 b)
{
    return _mm256_sub_ps(a, b);
}

SRT_INLINE __m256 avx2_mul(__m256 a, __m256 b)
{
    return _mm256_mul_ps(a, b);
}

SRT_INLINE __m256 avx2_div(__m256 a, __m256 b)
{
    return _mm256_div_ps(a, b);
}

SRT_INLINE __m256 avx2_max(__m256 a, __m256 b)
{
    return _mm256_max_ps(a, b);
}

SRT_INLINE __m256 avx2_min(__m256 a, __m256 b)
{
    return _mm256_min_ps(a, b);
}

SRT_INLINE uint64_t avx2_bits(__m256 x)
{
    return (uint64_t)(unsigned)_mm256_movemask_ps(x);
}

SRT_INLINE uint64_t avx2_ge(__m256 a, __m256 b)
{
    return avx2_bits(_mm256_cmp_ps(a, b, _CMP_GE_OQ));
}

SRT_INLINE uint64_t avx2_unordered(__m256 a, __m256 b)
{
    return avx2_bits(_mm256_cmp_ps(a, b, _CMP_UNORD_Q));
}

SRT_INLINE uint64_t avx2_odd(__m256 x)
{
    return avx2_bits(
        _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_castps_si256(x), 31)));
}

SRT_INLINE uint64_t avx2_sign(__m256 x)
{
    return avx2_bits(x);
}

SRT_INLINE uint64_t avx2_abs_equal(__m256 a, __m256 b)
{
    const __m256 size = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);

    return avx2_bits(_mm256_cmp_ps(size, b, _CMP_EQ_OQ));
}

SRT_INLINE float avx2_hmax(__m256 x)
{
    __m128 y =
        _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));

    y = _mm_max_ps(y, _mm_movehl_ps(y, y));
    return _mm_cvtss_f32(_mm_max_ss(y, _mm_movehdup_ps(y)));
}

SRT_INLINE float avx2_hmin(__m256 x)
{
    __m128 y =
        _mm_min_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));

    y = _mm_min_ps(y, _mm_movehl_ps(y, y));
    return _mm_cvtss_f32(_mm_min_ss(y, _mm_movehdup_ps(y)));
}

SRT_INLINE float avx2_hadd(__m256 x)
{
    __m128 y =
        _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));

    y = _mm_add_ps(y, _mm_movehl_ps(y, y));
    return _mm_cvtss_f32(_mm_add_ss(y, _mm_movehdup_ps(y)));
}

/* The numbers of the lanes in mask, packed into the low ones. */
SRT_INLINE __m256i avx2_packed_lanes(uint64_t mask)
{
    const uint64_t bytes = _pdep_u64(mask, 0x0101010101010101u) * 0xffu;
    const uint64_t lanes = _pext_u64(0x0706050403020100u, bytes);

    return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)lanes));
}

SRT_INLINE size_t avx2_compress(float *out, uint64_t mask, __m256 x)
{
    _mm256_storeu_ps(out, _mm256_permutevar8x32_ps(x, avx2_packed_lanes(mask)));
    return srt_popcount64(mask);
}

SRT_INLINE void avx2_compress_index(int32_t *out, uint64_t mask, int32_t base)
{
    _mm256_storeu_si256(
        (__m256i *)(void *)out,
        _mm256_add_epi32(avx2_packed_lanes(mask), _mm256_set1_epi32(base)));
}

SRT_INLINE __m256d avx2_dset1(double x)
{
    return _mm256_set1_pd(x);
}

SRT_INLINE __m256d avx2_dadd(__m256d a, __m256d b)
{
    return _mm256_add_pd(a, b);
}

SRT_INLINE __m256d avx2_dsub(__m256d a, __m256d b)
{
    return _mm256_sub_pd(a, b);
}

SRT_INLINE void avx2_dstore(double *p, __m256d x)
{
    _mm256_storeu_pd(p, x);
}

SRT_INLINE uint64_t avx2_dsign(__m256d lo, __m256d hi)
{
    return (uint64_t)(unsigned)(_mm256_movemask_pd(lo) | _mm256_movemask_pd(hi)
                                                             << 4);
}

SRT_INLINE uint64_t avx2_dodd(__m256d lo, __m256d hi)
{
    return avx2_dsign(
        _mm256_castsi256_pd(_mm256_slli_epi64(_mm256_castpd_si256(lo), 63)),
        _mm256_castsi256_pd(_mm256_slli_epi64(_mm256_castpd_si256(hi), 63)));
}

SRT_INLINE uint64_t avx2_dabs_equal(__m256d lo, __m256d hi, __m256d b)
{
    const __m256d sign = _mm256_set1_pd(-0.0);

    return avx2_dsign(_mm256_cmp_pd(_mm256_andnot_pd(sign, lo), b, _CMP_EQ_OQ),
                      _mm256_cmp_pd(_mm256_andnot_pd(sign, hi), b, _CMP_EQ_OQ));
}

SRT_INLINE double avx2_dhadd(__m256d x)
{
    const __m128d y =
        _mm_add_pd(_mm256_castpd256_pd128(x), _mm256_extractf128_pd(x, 1));

    return _mm_cvtsd_f64(_mm_add_sd(y, _mm_unpackhi_pd(y, y)));
}

/* expf of four floats as glibc's FMA variant: the fused operations are those
 * that expf.h marks. */
SRT_INLINE __m128 avx2_exp4(__m128 x)
{
    const __m256d by = _mm256_set1_pd(SRT_EXPF_32_OVER_LN2);
    const __m256d shift = _mm256_set1_pd(SRT_EXPF_SHIFT);
    const __m256d wide = _mm256_cvtps_pd(x);
    const __m256d shifted = _mm256_fmadd_pd(wide, by, shift);
    const __m256i k = _mm256_castpd_si256(shifted);
    const __m256d r = _mm256_fmsub_pd(wide, by, _mm256_sub_pd(shifted, shift));
    const __m256i entry =
        _mm256_i64gather_epi64((const long long *)(const void *)srt_exp2f_table,
                               _mm256_and_si256(k, _mm256_set1_epi64x(31)), 8);
    const __m256d scale =
        _mm256_castsi256_pd(_mm256_add_epi64(entry, _mm256_slli_epi64(k, 47)));
    const __m256d high = _mm256_fmadd_pd(_mm256_set1_pd(SRT_EXPF_C3), r,
                                         _mm256_set1_pd(SRT_EXPF_C2));
    const __m256d low =
        _mm256_fmadd_pd(_mm256_set1_pd(SRT_EXPF_C1), r, _mm256_set1_pd(1.0));
    const __m256d y = _mm256_fmadd_pd(high, _mm256_mul_pd(r, r), low);

    return _mm256_cvtpd_ps(_mm256_mul_pd(y, scale));
}

/* From -104 down expf is 0; -110 stands for all that is lower. */
SRT_INLINE __m256 avx2_exp(__m256 x)
{
    x = _mm256_max_ps(x, _mm256_set1_ps(-110.0f));
    return _mm256_set_m128(avx2_exp4(_mm256_extractf128_ps(x, 1)),
                           avx2_exp4(_mm256_castps256_ps128(x)));
}

SRT_INLINE void avx2_exp_wide(__m256 x, __m256d *lo, __m256d *hi)
{
    x = _mm256_max_ps(x, _mm256_set1_ps(-110.0f));
    *lo = _mm256_cvtps_pd(avx2_exp4(_mm256_castps256_ps128(x)));
    *hi = _mm256_cvtps_pd(avx2_exp4(_mm256_extractf128_ps(x, 1)));
}

SRT_INLINE __m256 avx2_mlx_exp(__m256 x)
{
    const __m256 t = _mm256_mul_ps(x, _mm256_set1_ps(SRT_MLX_EXP_LOG2E));
    const __m256 low = _mm256_floor_ps(t);
    const __m256 up =
        _mm256_cmp_ps(_mm256_sub_ps(t, low), _mm256_set1_ps(0.5f), _CMP_GE_OQ);
    const __m256 k =
        _mm256_add_ps(low, _mm256_and_ps(up, _mm256_set1_ps(1.0f)));
    const __m256 r = _mm256_sub_ps(t, k);
    const __m256i power = _mm256_slli_epi32(
        _mm256_add_epi32(_mm256_cvttps_epi32(k), _mm256_set1_epi32(127)), 23);
    __m256 p = _mm256_fmadd_ps(_mm256_set1_ps(SRT_MLX_EXP_C6), r,
                               _mm256_set1_ps(SRT_MLX_EXP_C5));

    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(SRT_MLX_EXP_C4));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(SRT_MLX_EXP_C3));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(SRT_MLX_EXP_C2));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(SRT_MLX_EXP_C1));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(SRT_MLX_EXP_C0));
    return _mm256_and_ps(
        _mm256_mul_ps(_mm256_castsi256_ps(power), p),
        _mm256_cmp_ps(x, _mm256_set1_ps(SRT_MLX_EXP_MIN), _CMP_GE_OQ));
}

SRT_INLINE __m256 avx2_bfloat(__m256 x)
{
    const __m256i bits = _mm256_castps_si256(x);
    const __m256i odd =
        _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    const __m256i up = _mm256_add_epi32(
        _mm256_add_epi32(bits, _mm256_set1_epi32(0x7fff)), odd);

    return _mm256_castsi256_ps(
        _mm256_and_si256(up, _mm256_set1_epi32((int)0xffff0000u)));
}

SRT_INLINE __m256 avx2_hide(__m256 x, __m256 limit)
{
    return _mm256_blendv_ps(_mm256_set1_ps(-INFINITY), x,
                            _mm256_cmp_ps(x, limit, _CMP_LT_OQ));
}

SRT_INLINE void avx2_square_wide(__m256 x, __m256d *lo, __m256d *hi)
{
    const __m256d a = _mm256_cvtps_pd(_mm256_castps256_ps128(x));
    const __m256d b = _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1));

    *lo = _mm256_mul_pd(a, a);
    *hi = _mm256_mul_pd(b, b);
}

SRT_INLINE int avx2_ties(uint64_t odd, uint64_t tie, uint64_t negative,
                         unsigned parity)
{
    return srt_ordered_ties(odd, tie, negative, parity);
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

typedef int avx2_is_for_x86; /* a translation unit is not empty */

#endif

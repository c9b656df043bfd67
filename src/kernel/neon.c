/*
 * neon.c - the kernels on 4 floats at a time, for 64-bit Arm
 *
 * The operations are listed in avx2.c.  Every 64-bit Arm has them, fused
 * multiply-add among them, so nothing is asked at run time.
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernel/kernel.h"

#if SRT_ARM64

#include "numeric/expf.h"
#include "numeric/ordered_sum.h"
#include "row.h"

#include <arm_neon.h>
#include <math.h>

#define V(name)   neon_##name
#define V_LANES   4
#define V_NAME    "neon"
#define V_KERNELS srt_kernels_neon

typedef float32x4_t neon_f;
typedef float64x2_t neon_d;

SRT_INLINE float32x4_t neon_load(const float *p)
{
    return vld1q_f32(p);
}

SRT_INLINE float32x4_t neon_load_f16(const uint16_t *p)
{
    return vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(p)));
}

SRT_INLINE float32x4_t neon_load_bf16(const uint16_t *p)
{
    return vreinterpretq_f32_u32(vshll_n_u16(vld1_u16(p), 16));
}

SRT_INLINE void neon_store(float *p, float32x4_t x)
{
    vst1q_f32(p, x);
}

SRT_INLINE float32x4_t neon_set1(float x)
{
    return vdupq_n_f32(x);
}

SRT_INLINE float32x4_t neon_add(float32x4_t a, float32x4_t b)
{
    return vaddq_f32(a, b);
}

SRT_INLINE float32x4_t neon_sub(float32x4_t a, float32x4_t b)
{
    return vsubq_f32(a, b);
}

SRT_INLINE float32x4_t neon_mul(float32x4_t a, float32x4_t b)
{
    return vmulq_f32(a, b);
}

SRT_INLINE float32x4_t neon_div(float32x4_t a, float32x4_t b)
{
    return vdivq_f32(a, b);
}

SRT_INLINE float32x4_t neon_max(float32x4_t a, float32x4_t b)
{
    return vmaxq_f32(a, b);
}

SRT_INLINE float32x4_t neon_min(float32x4_t a, float32x4_t b)
{
    return vminq_f32(a, b);
}

/* A bit per lane from lanes that are all ones or all zero. */
SRT_INLINE uint64_t neon_bits(uint32x4_t mask)
{
    static const uint32_t weights[4] = { 1, 2, 4, 8 };

    return vaddvq_u32(vandq_u32(mask, vld1q_u32(weights)));
}

SRT_INLINE uint64_t neon_ge(float32x4_t a, float32x4_t b)
{
    return neon_bits(vcgeq_f32(a, b));
}

SRT_INLINE uint64_t neon_unordered(float32x4_t a, float32x4_t b)
{
    return neon_bits(vmvnq_u32(vandq_u32(vceqq_f32(a, a), vceqq_f32(b, b))));
}

SRT_INLINE uint64_t neon_odd(float32x4_t x)
{
    return neon_bits(vtstq_u32(vreinterpretq_u32_f32(x), vdupq_n_u32(1)));
}

SRT_INLINE uint64_t neon_sign(float32x4_t x)
{
    return neon_bits(
        vtstq_u32(vreinterpretq_u32_f32(x), vdupq_n_u32(0x80000000u)));
}

SRT_INLINE uint64_t neon_abs_equal(float32x4_t a, float32x4_t b)
{
    return neon_bits(vceqq_f32(vabsq_f32(a), b));
}

SRT_INLINE float neon_hmax(float32x4_t x)
{
    return vmaxvq_f32(x);
}

SRT_INLINE float neon_hmin(float32x4_t x)
{
    return vminvq_f32(x);
}

SRT_INLINE float neon_hadd(float32x4_t x)
{
    return vaddvq_f32(x);
}

SRT_INLINE size_t neon_compress(float *out, uint64_t mask, float32x4_t x)
{
    float lane[4];
    size_t n = 0;

    vst1q_f32(lane, x);
    for (unsigned i = 0; i < 4; i++) {
        out[n] = lane[i];
        n += (mask >> i) & 1;
    }
    return n;
}

SRT_INLINE void neon_compress_index(int32_t *out, uint64_t mask, int32_t base)
{
    size_t n = 0;

    for (unsigned i = 0; i < 4; i++) {
        out[n] = base + (int32_t)i;
        n += (mask >> i) & 1;
    }
}

SRT_INLINE float64x2_t neon_dset1(double x)
{
    return vdupq_n_f64(x);
}

SRT_INLINE float64x2_t neon_dadd(float64x2_t a, float64x2_t b)
{
    return vaddq_f64(a, b);
}

SRT_INLINE float64x2_t neon_dsub(float64x2_t a, float64x2_t b)
{
    return vsubq_f64(a, b);
}

SRT_INLINE void neon_dstore(double *p, float64x2_t x)
{
    vst1q_f64(p, x);
}

SRT_INLINE uint64_t neon_dbits(uint64x2_t lo, uint64x2_t hi)
{
    return neon_bits(vcombine_u32(vmovn_u64(lo), vmovn_u64(hi)));
}

SRT_INLINE uint64_t neon_dsign(float64x2_t lo, float64x2_t hi)
{
    const uint64x2_t bit = vdupq_n_u64(0x8000000000000000u);

    return neon_dbits(vtstq_u64(vreinterpretq_u64_f64(lo), bit),
                      vtstq_u64(vreinterpretq_u64_f64(hi), bit));
}

SRT_INLINE uint64_t neon_dodd(float64x2_t lo, float64x2_t hi)
{
    const uint64x2_t bit = vdupq_n_u64(1);

    return neon_dbits(vtstq_u64(vreinterpretq_u64_f64(lo), bit),
                      vtstq_u64(vreinterpretq_u64_f64(hi), bit));
}

SRT_INLINE uint64_t neon_dabs_equal(float64x2_t lo, float64x2_t hi,
                                    float64x2_t b)
{
    return neon_dbits(vceqq_f64(vabsq_f64(lo), b), vceqq_f64(vabsq_f64(hi), b));
}

SRT_INLINE double neon_dhadd(float64x2_t x)
{
    return vaddvq_f64(x);
}

/* expf of two floats as glibc's FMA variant: the fused operations are those
 * that expf.h marks (vfmaq_f64(c, a, b) is a * b + c). */
SRT_INLINE float64x2_t neon_exp2(float64x2_t x)
{
    const float64x2_t by = vdupq_n_f64(SRT_EXPF_32_OVER_LN2);
    const float64x2_t shift = vdupq_n_f64(SRT_EXPF_SHIFT);
    const float64x2_t shifted = vfmaq_f64(shift, x, by);
    const uint64x2_t k = vreinterpretq_u64_f64(shifted);
    const float64x2_t r =
        vfmaq_f64(vnegq_f64(vsubq_f64(shifted, shift)), x, by);
    const uint64_t entry[2] = { srt_exp2f_table[vgetq_lane_u64(k, 0) % 32],
                                srt_exp2f_table[vgetq_lane_u64(k, 1) % 32] };
    const float64x2_t scale =
        vreinterpretq_f64_u64(vaddq_u64(vld1q_u64(entry), vshlq_n_u64(k, 47)));
    const float64x2_t high =
        vfmaq_f64(vdupq_n_f64(SRT_EXPF_C2), vdupq_n_f64(SRT_EXPF_C3), r);
    const float64x2_t low =
        vfmaq_f64(vdupq_n_f64(1.0), vdupq_n_f64(SRT_EXPF_C1), r);
    const float64x2_t y = vfmaq_f64(low, high, vmulq_f64(r, r));

    return vmulq_f64(y, scale);
}

/* From -104 down expf is 0; -110 stands for all that is lower. */
SRT_INLINE float32x4_t neon_exp(float32x4_t x)
{
    x = vmaxq_f32(x, vdupq_n_f32(-110.0f));
    return vcombine_f32(vcvt_f32_f64(neon_exp2(vcvt_f64_f32(vget_low_f32(x)))),
                        vcvt_f32_f64(neon_exp2(vcvt_high_f64_f32(x))));
}

SRT_INLINE void neon_exp_wide(float32x4_t x, float64x2_t *lo, float64x2_t *hi)
{
    const float32x4_t y = neon_exp(x);

    *lo = vcvt_f64_f32(vget_low_f32(y));
    *hi = vcvt_high_f64_f32(y);
}

SRT_INLINE float32x4_t neon_mlx_exp(float32x4_t x)
{
    const float32x4_t t = vmulq_f32(x, vdupq_n_f32(SRT_MLX_EXP_LOG2E));
    const float32x4_t low = vrndmq_f32(t);
    const uint32x4_t up = vcgeq_f32(vsubq_f32(t, low), vdupq_n_f32(0.5f));
    const float32x4_t k =
        vaddq_f32(low, vreinterpretq_f32_u32(vandq_u32(
                           up, vreinterpretq_u32_f32(vdupq_n_f32(1.0f)))));
    const float32x4_t r = vsubq_f32(t, k);
    const int32x4_t power =
        vshlq_n_s32(vaddq_s32(vcvtq_s32_f32(k), vdupq_n_s32(127)), 23);
    const uint32x4_t inside = vcgeq_f32(x, vdupq_n_f32(SRT_MLX_EXP_MIN));
    float32x4_t p =
        vfmaq_f32(vdupq_n_f32(SRT_MLX_EXP_C5), vdupq_n_f32(SRT_MLX_EXP_C6), r);

    p = vfmaq_f32(vdupq_n_f32(SRT_MLX_EXP_C4), p, r);
    p = vfmaq_f32(vdupq_n_f32(SRT_MLX_EXP_C3), p, r);
    p = vfmaq_f32(vdupq_n_f32(SRT_MLX_EXP_C2), p, r);
    p = vfmaq_f32(vdupq_n_f32(SRT_MLX_EXP_C1), p, r);
    p = vfmaq_f32(vdupq_n_f32(SRT_MLX_EXP_C0), p, r);
    return vreinterpretq_f32_u32(vandq_u32(
        inside,
        vreinterpretq_u32_f32(vmulq_f32(vreinterpretq_f32_s32(power), p))));
}

SRT_INLINE float32x4_t neon_bfloat(float32x4_t x)
{
    const uint32x4_t bits = vreinterpretq_u32_f32(x);
    const uint32x4_t odd = vandq_u32(vshrq_n_u32(bits, 16), vdupq_n_u32(1));
    const uint32x4_t up = vaddq_u32(vaddq_u32(bits, vdupq_n_u32(0x7fff)), odd);

    return vreinterpretq_f32_u32(vandq_u32(up, vdupq_n_u32(0xffff0000u)));
}

SRT_INLINE float32x4_t neon_hide(float32x4_t x, float32x4_t limit)
{
    return vbslq_f32(vcltq_f32(x, limit), x, vdupq_n_f32(-INFINITY));
}

SRT_INLINE void neon_square_wide(float32x4_t x, float64x2_t *lo,
                                 float64x2_t *hi)
{
    const float64x2_t a = vcvt_f64_f32(vget_low_f32(x));
    const float64x2_t b = vcvt_high_f64_f32(x);

    *lo = vmulq_f64(a, a);
    *hi = vmulq_f64(b, b);
}

SRT_INLINE int neon_ties(uint64_t odd, uint64_t tie, uint64_t negative,
                         unsigned parity)
{
    return srt_ordered_ties(odd, tie, negative, parity);
}

#include "kernel/set_body.h"

#undef V
#undef V_LANES
#undef V_NAME
#undef V_KERNELS

#else

typedef int neon_is_for_arm64; /* a translation unit is not empty */

#endif

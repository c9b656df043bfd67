/*
 * row.c - one step's logits, read in their own type
 *
 * SPDX-License-Identifier: MIT
 */
#include "row.h"

sortes_status srt_row_check(const sortes_row *row)
{
    if (!row || !row->data || row->n == 0 || row->n > INT32_MAX)
        return SORTES_E_ARGUMENT;
    switch (row->type) {
    case SORTES_F32:
    case SORTES_F16:
    case SORTES_BF16:
        return SORTES_OK;
    default:
        return SORTES_E_ARGUMENT;
    }
}

float srt_half_to_float(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
    const uint32_t exponent = (half >> 10) & 0x1fu;
    const uint32_t fraction = half & 0x3ffu;
    float magnitude;

    if (exponent == 0)
        magnitude = (float)fraction * 0x1p-24f; /* subnormal: exact */
    else if (exponent == 31)
        magnitude = srt_float32(0x7f800000u | fraction << 13);
    else
        magnitude = srt_float32((exponent + 112) << 23 | fraction << 13);
    return srt_float32(srt_bits32(magnitude) | sign);
}

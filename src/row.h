/*
 * row.h - one step's logits, read in their own type
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_ROW_H
#define SRT_ROW_H

#include "numeric/bits.h"
#include "status.h"

/* A pointer, a length and a type that make sense; the values are not read. */
sortes_status srt_row_check(const sortes_row *row);

/* IEEE binary16 to binary32, exact for every value. */
float srt_half_to_float(uint16_t half);

SRT_INLINE float srt_bfloat_to_float(uint16_t bits)
{
    return srt_float32((uint32_t)bits << 16);
}

/* The nearest of bf16's numbers, to even in the middle; no NaN. */
SRT_INLINE float srt_bfloat_round(float x)
{
    const uint32_t bits = srt_bits32(x);

    return srt_float32((bits + 0x7fffu + (bits >> 16 & 1)) & 0xffff0000u);
}

/* Logit i as a float: exact, both narrow types are subsets of binary32. */
SRT_INLINE float srt_row_at(const sortes_row *row, size_t i)
{
    switch (row->type) {
    case SORTES_F16:
        return srt_half_to_float(((const uint16_t *)row->data)[i]);
    case SORTES_BF16:
        return srt_bfloat_to_float(((const uint16_t *)row->data)[i]);
    case SORTES_F32:
    default:
        return ((const float *)row->data)[i];
    }
}

#endif /* SRT_ROW_H */

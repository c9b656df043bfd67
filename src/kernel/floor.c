/*
 * floor.c - a value that at least k of a row reach
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernel/kernel.h"

/* The k-th largest block maximum, or a little lower: bisected. */
float srt_kernels_floor(const struct srt_kernels *kernels,
                        const float *block_max, size_t n_blocks, float max,
                        size_t k)
{
    const struct srt_row_kernels *f32 = &kernels->row[SORTES_F32];
    const size_t enough = k + k / 2 + 16;
    float low = max, high, step = 1.0f;
    size_t n;

    if (n_blocks < k)
        return -FLT_MAX;
    do {
        high = low;
        low = max - step > -FLT_MAX ? max - step : -FLT_MAX;
        step *= 2.0f;
        n = f32->count(block_max, n_blocks, low);
    } while (n < k && low > -FLT_MAX);
    for (int i = 0; i < 24 && n > enough; i++) {
        const float mid = low + (high - low) * 0.5f;
        const size_t n_mid = f32->count(block_max, n_blocks, mid);

        if (n_mid >= k) {
            low = mid;
            n = n_mid;
        } else {
            high = mid;
        }
    }
    return n >= k ? low : -FLT_MAX;
}

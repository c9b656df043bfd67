/*
 * values.c - sorting bare float values, where identity does not matter
 *
 * Equal logits have equal probabilities, so sums and cuts over a sorted list
 * depend on its values alone.  A radix sort of 32-bit keys is several times
 * faster than sorting candidates; who stands at a rank is asked later, for the
 * one rank that was drawn.
 *
 * SPDX-License-Identifier: MIT
 */
#include "numeric/bits.h"
#include "order/order.h"

enum { VALUES_DIGIT = 11, VALUES_BINS = 1 << VALUES_DIGIT, VALUES_FEW = 48 };

/* Keys ascend as values descend. */
static uint32_t values_key(float x)
{
    const uint32_t bits = srt_bits32(x + 0.0f); /* -0 and 0 are one value */

    return (bits >> 31) ? bits : ~(bits | 0x80000000u);
}

static float values_unkey(uint32_t key)
{
    return srt_float32((key >> 31) ? key : ~key & 0x7fffffffu);
}

static void values_insertion(float *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const float x = v[i] + 0.0f;
        size_t j = i;

        while (j > 0 && x > v[j - 1]) {
            v[j] = v[j - 1];
            j--;
        }
        v[j] = x;
    }
}

static void values_scatter(uint32_t *to, const uint32_t *from, size_t n,
                           uint32_t *next, unsigned shift)
{
    for (size_t i = 0; i < n; i++)
        to[next[(from[i] >> shift) % VALUES_BINS]++] = from[i];
}

void srt_sort_values(float *v, uint32_t *work, size_t n)
{
    uint32_t next[3][VALUES_BINS] = { { 0 } };
    uint32_t *const keys = work, *const swap = work + n;

    if (n <= VALUES_FEW) {
        values_insertion(v, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const uint32_t key = values_key(v[i]);

        keys[i] = key;
        next[0][key % VALUES_BINS]++;
        next[1][(key >> VALUES_DIGIT) % VALUES_BINS]++;
        next[2][key >> (2 * VALUES_DIGIT)]++;
    }
    for (int digit = 0; digit < 3; digit++) {
        uint32_t sum = 0;

        for (size_t bin = 0; bin < VALUES_BINS; bin++) {
            const uint32_t c = next[digit][bin];
            next[digit][bin] = sum;
            sum += c;
        }
    }
    values_scatter(swap, keys, n, next[0], 0);
    values_scatter(keys, swap, n, next[1], VALUES_DIGIT);
    for (size_t i = 0; i < n; i++) {
        const uint32_t key = keys[i];
        v[next[2][key >> (2 * VALUES_DIGIT)]++] = values_unkey(key);
    }
}

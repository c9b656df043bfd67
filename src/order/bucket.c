/*
 * bucket.c - llama.cpp's bucket sort of candidates
 *
 * Source: llama.cpp src/llama-sampler.cpp, the partial sort of a token data
 * array; facts in the order of its float operations:
 * bucket = trunc(6.4f * logit + 64.0f), multiplied and added with a rounding
 * each, clamped to 0..127.  The conversion is x86's cvttss2si, which gives
 * INT_MIN, hence bucket 0, for what does not fit in 32 bits.
 *
 * SPDX-License-Identifier: MIT
 */
#include "numeric/bits.h"
#include "order/order.h"

#include <assert.h>

int srt_bucket_of(float logit)
{
    const float scaled = 6.4f * logit;
    const float x = scaled + 64.0f;

    if (!(x >= 0.0f && x < 2147483648.0f))
        return 0;
    return x < (float)SRT_BUCKETS ? (int)x : SRT_BUCKETS - 1;
}

float srt_bucket_floor(int b)
{
    int32_t low = srt_float_key(-11.0f), high = srt_float_key(11.0f);

    assert(b > 0 && b < SRT_BUCKETS);
    while (low < high) {
        const int32_t mid = (int32_t)(low + (int64_t)((int64_t)high - low) / 2);
        if (srt_bucket_of(srt_float_unkey(mid)) >= b)
            high = mid;
        else
            low = mid + 1;
    }
    return srt_float_unkey(low);
}

size_t srt_bucket_sort(struct srt_candidate *out,
                       const struct srt_candidate *in, size_t n, size_t k)
{
    size_t count[SRT_BUCKETS] = { 0 };
    size_t start[SRT_BUCKETS];
    size_t total = 0, above;
    int lowest = SRT_BUCKETS;

    assert(k >= 1 && k <= n);
    for (size_t i = 0; i < n; i++)
        count[srt_bucket_of(in[i].logit)]++;
    while (total < k) {
        lowest--;
        start[lowest] = total;
        total += count[lowest];
    }
    above = start[lowest];
    for (size_t i = 0; i < n; i++) {
        const int b = srt_bucket_of(in[i].logit);
        if (b >= lowest)
            out[start[b]++] = in[i];
    }
    for (int b = SRT_BUCKETS - 1; b > lowest; b--)
        srt_sort(out + (start[b] - count[b]), count[b]);
    srt_partial_sort(out + above, k - above, total - above);
    return total;
}

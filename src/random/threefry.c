/*
 * threefry.c - the counter-based generator of JAX and MLX
 *
 * SPDX-License-Identifier: MIT
 */
#include "random/threefry.h"

/* From Skein's key schedule: no key word is ever all zero. */
#define THREEFRY_PARITY 0x1bd11bdau

enum { THREEFRY_INJECTIONS = 5, THREEFRY_BETWEEN = 4 };

static uint32_t threefry_rotate(uint32_t x, unsigned by)
{
    return (x << by) | (x >> (32 - by));
}

struct srt_threefry srt_threefry_words(struct srt_threefry key,
                                       struct srt_threefry counter)
{
    static const unsigned char by[2][THREEFRY_BETWEEN] = { { 13, 15, 26, 6 },
                                                           { 17, 29, 16, 24 } };
    const uint32_t schedule[3] = { key.a, key.b,
                                   key.a ^ key.b ^ THREEFRY_PARITY };
    struct srt_threefry x = { counter.a + key.a, counter.b + key.b };

    for (uint32_t i = 0; i < THREEFRY_INJECTIONS; i++) {
        for (int j = 0; j < THREEFRY_BETWEEN; j++) {
            x.a += x.b;
            x.b = threefry_rotate(x.b, by[i % 2][j]) ^ x.a;
        }
        x.a += schedule[(i + 1) % 3];
        x.b += schedule[(i + 2) % 3] + i + 1;
    }
    return x;
}

struct srt_threefry srt_threefry_seed(uint64_t seed)
{
    return (struct srt_threefry){ (uint32_t)(seed >> 32), (uint32_t)seed };
}

uint32_t srt_threefry_bits(struct srt_threefry key, uint32_t n, uint32_t i)
{
    const uint32_t half = n / 2, second = half + n % 2;

    if (i < half)
        return srt_threefry_words(key, (struct srt_threefry){ i, i + second })
            .a;
    if (i < second)
        return srt_threefry_words(key, (struct srt_threefry){ i, 0 }).a;
    return srt_threefry_words(key, (struct srt_threefry){ i - second, i }).b;
}

struct srt_threefry srt_threefry_next(struct srt_threefry *state)
{
    const struct srt_threefry key = *state;
    const struct srt_threefry first =
        srt_threefry_words(key, (struct srt_threefry){ 0, 2 });
    const struct srt_threefry second =
        srt_threefry_words(key, (struct srt_threefry){ 1, 3 });

    *state = (struct srt_threefry){ first.a, second.a };
    return (struct srt_threefry){ first.b, second.b };
}

float srt_threefry_uniform(uint32_t word)
{
    const float u = (float)word * 0x1p-32f;

    return u < 1.0f ? u : 0x1.fffffep-1f;
}

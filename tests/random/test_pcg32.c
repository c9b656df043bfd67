/*
 * test_pcg32.c - known outputs
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random/pcg32.h"

#include <string.h>

/* Words of the definition, with rMLX's stream, from an implementation in
 * Python. */
static const struct known {
    uint64_t seed;
    size_t n;
    uint32_t words[6];
} known_words[] = {
    { 42,
      6,
      { 0x637fb995, 0x71178965, 0x1c8cd136, 0xc72ddb41, 0xd1d6988a,
        0x62a57d51 } },
    { 7, 3, { 0x5464bb08, 0xfa77aaf0, 0x671985a6 } },
    { 0xa7a7,
      6,
      { 0x2e57eae9, 0x10801d59, 0x547ad4a1, 0x14f77f76, 0x9c758980,
        0xa5fe3daf } },
    { 0, 3, { 0x7fa8e5d1, 0x99fda600, 0xed8b47b2 } },
};

static void words_are_the_known_ones(void **state)
{
    (void)state;
    for (size_t i = 0; i < SRT_COUNT(known_words); i++) {
        const struct known *k = &known_words[i];
        struct srt_pcg32 g;

        srt_pcg32_seed(&g, k->seed);
        for (size_t j = 0; j < k->n; j++)
            assert_int_equal(srt_pcg32_word(&g), k->words[j]);
    }
}

static void floats_are_the_upper_24_bits(void **state)
{
    struct srt_pcg32 g, words;

    (void)state;
    srt_pcg32_seed(&g, 42);
    words = g;
    for (int i = 0; i < 10000; i++) {
        const float x = srt_pcg32_float(&g);

        assert_true(x >= 0.0f && x < 1.0f);
        assert_true((double)x ==
                    (double)(srt_pcg32_word(&words) >> 8) / 16777216.0);
    }
}

/* All 64 bits of a seed count, and 2^64 of them wrap nowhere. */
static void seeds_have_64_bits(void **state)
{
    static const uint64_t seeds[] = { 0, 1, (uint64_t)1 << 32,
                                      (uint64_t)1 << 63, UINT64_MAX };
    uint32_t first[SRT_COUNT(seeds)];

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(seeds); i++) {
        struct srt_pcg32 g;

        srt_pcg32_seed(&g, seeds[i]);
        first[i] = srt_pcg32_word(&g);
        for (size_t j = 0; j < i; j++)
            assert_true(first[i] != first[j]);
    }
}

static void a_copy_goes_on_alike(void **state)
{
    struct srt_pcg32 g, copy;

    (void)state;
    srt_pcg32_seed(&g, 1);
    (void)srt_pcg32_word(&g);
    copy = g;
    for (int i = 0; i < 100; i++)
        assert_int_equal(srt_pcg32_word(&g), srt_pcg32_word(&copy));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_the_known_ones),
        cmocka_unit_test(floats_are_the_upper_24_bits),
        cmocka_unit_test(seeds_have_64_bits),
        cmocka_unit_test(a_copy_goes_on_alike),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

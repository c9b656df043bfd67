/*
 * test_threefry.c - the generator beside its authors' and MLX's answers
 *
 * Recorded answers: the known-answer tests of Random123, and MLX 0.32.4.
 *
 * SPDX-License-Identifier: MIT
 */
#include "random/threefry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void words_are_those_of_the_known_answer_tests(void **state)
{
    static const struct {
        struct srt_threefry key, counter, want;
    } rows[] = {
        { { 0, 0 }, { 0, 0 }, { 0x6b200159u, 0x99ba4efeu } },
        { { 0xffffffffu, 0xffffffffu },
          { 0xffffffffu, 0xffffffffu },
          { 0x1cb996fcu, 0xbb002be7u } },
        { { 0x13198a2eu, 0x03707344u },
          { 0x243f6a88u, 0x85a308d3u },
          { 0xc4923a9cu, 0x483df7a0u } },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        const struct srt_threefry got =
            srt_threefry_words(rows[i].key, rows[i].counter);

        assert_int_equal(got.a, rows[i].want.a);
        assert_int_equal(got.b, rows[i].want.b);
    }
}

static void seed_is_cut_into_its_halves(void **state)
{
    const struct srt_threefry key = srt_threefry_seed(0x123456789abcdef0u);

    (void)state;
    assert_int_equal(key.a, 0x12345678u);
    assert_int_equal(key.b, 0x9abcdef0u);
}

static void next_gives_each_draw_a_key_of_its_own(void **state)
{
    static const struct srt_threefry want[] = { { 0xa20e4081u, 0x4bdfae2fu },
                                                { 0x4c3306b7u, 0x8213b27du },
                                                { 0xf4a65d33u, 0xcf9ef2dau } };
    struct srt_threefry s = srt_threefry_seed(0);

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(want); i++) {
        const struct srt_threefry key = srt_threefry_next(&s);

        assert_int_equal(key.a, want[i].a);
        assert_int_equal(key.b, want[i].b);
    }
}

static void next_is_four_words_of_bits(void **state)
{
    struct srt_threefry s = srt_threefry_seed(0xa7a700000007u);
    const struct srt_threefry before = s;
    const struct srt_threefry key = srt_threefry_next(&s);

    (void)state;
    assert_int_equal(s.a, srt_threefry_bits(before, 4, 0));
    assert_int_equal(s.b, srt_threefry_bits(before, 4, 1));
    assert_int_equal(key.a, srt_threefry_bits(before, 4, 2));
    assert_int_equal(key.b, srt_threefry_bits(before, 4, 3));
}

static void bits_of_an_odd_number_have_a_middle_word(void **state)
{
    static const uint32_t want[] = { 0x9312778bu, 0x19850714u, 0x64a626ecu,
                                     0xe4e8dfbeu, 0x98b89669u };
    const struct srt_threefry key = srt_threefry_seed(0);

    (void)state;
    for (uint32_t i = 0; i < SRT_COUNT(want); i++)
        assert_int_equal(srt_threefry_bits(key, SRT_COUNT(want), i), want[i]);
    assert_int_equal(srt_threefry_bits(key, 1, 0), 0x6b200159u);
}

static void uniform_has_the_recorded_values(void **state)
{
    static const float want[] = { 0x1.af9772p-4f, 0x1.1d689p-2f, 0x1.5f9588p-1f,
                                  0x1.2c01bep-1f };
    struct srt_threefry s = srt_threefry_seed(0);

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(want); i++) {
        const struct srt_threefry key = srt_threefry_next(&s);

        assert_true(srt_threefry_uniform(srt_threefry_bits(key, 1, 0)) ==
                    want[i]);
    }
}

static void uniform_stays_below_one(void **state)
{
    (void)state;
    assert_true(srt_threefry_uniform(0) == 0.0f);
    assert_true(srt_threefry_uniform(0x80000000u) == 0.5f);
    /* 2^32 - 129 is the last that rounds to less than 2^32 */
    assert_true(srt_threefry_uniform(0xffffff7fu) == 0x1.fffffep-1f);
    assert_true(srt_threefry_uniform(0xffffff80u) == 0x1.fffffep-1f);
    assert_true(srt_threefry_uniform(0xffffffffu) == 0x1.fffffep-1f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_those_of_the_known_answer_tests),
        cmocka_unit_test(seed_is_cut_into_its_halves),
        cmocka_unit_test(next_gives_each_draw_a_key_of_its_own),
        cmocka_unit_test(next_is_four_words_of_bits),
        cmocka_unit_test(bits_of_an_odd_number_have_a_middle_word),
        cmocka_unit_test(uniform_has_the_recorded_values),
        cmocka_unit_test(uniform_stays_below_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

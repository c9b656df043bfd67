/*
 * test_logf.c - natural logarithm for float: recorded answers and borders
 *
 * SPDX-License-Identifier: MIT
 */
#include "numeric/recorded.h"

static void logf_of_one_is_zero(void **state)
{
    (void)state;
    assert_int_equal(srt_bits32(srt_logf(1.0f)), 0);
}

static void logf_of_zero_is_minus_infinity(void **state)
{
    static const struct recorded32 rows[] = { { 0x00000000u, 0xff800000u },
                                              { 0x80000000u, 0xff800000u } };

    (void)state;
    recorded_check32(srt_logf, rows, SRT_COUNT(rows));
}

static void logf_of_infinity_and_nan(void **state)
{
    static const struct recorded32 rows[] = {
        { 0x7f800000u, 0x7f800000u }, { 0xff800000u, NAN32 },
        { 0x7fc00000u, NAN32 },       { 0xffc00000u, NAN32 },
        { 0x7f800001u, NAN32 },       { 0xff800001u, NAN32 },
    };

    (void)state;
    recorded_check32(srt_logf, rows, SRT_COUNT(rows));
}

static void logf_of_a_negative_number_is_nan(void **state)
{
    static const struct recorded32 rows[] = {
        { 0x80000001u, NAN32 },
        { 0xbf800000u, NAN32 },
        { 0xff7fffffu, NAN32 },
    };

    (void)state;
    recorded_check32(srt_logf, rows, SRT_COUNT(rows));
}

static void logf_of_subnormals_and_the_ends_of_the_range(void **state)
{
    static const struct recorded32 rows[] = {
        { 0x00000001u, 0xc2ce8ed0u },
        { 0x00000002u, 0xc2cd2becu },
        { 0x00000003u, 0xc2cc5c53u },
        { 0x00012345u, 0xc2b81e77u },
        { 0x00400000u, 0xc2b00f34u },
        { 0x007fffffu, 0xc2aeac50u }, /* largest subnormal */
        { 0x00800000u, 0xc2aeac50u }, /* least normal */
        { 0x00800001u, 0xc2aeac50u },
        { 0x7f7fffffu, 0x42b17218u },
    };

    (void)state;
    recorded_check32(srt_logf, rows, SRT_COUNT(rows));
}

static void logf_near_one(void **state)
{
    static const struct recorded32 rows[] = {
        { 0x3f7fffffu, 0xb3800000u }, { 0x3f800001u, 0x33ffffffu },
        { 0x3f7ff000u, 0xb9800400u }, { 0x3f801000u, 0x39fff001u },
        { 0x3f780000u, 0xbd020aecu }, { 0x3f77ffffu, 0xbd020afdu },
        { 0x3f880000u, 0x3d785186u }, { 0x3f87ffffu, 0x3d785168u },
        { 0x3f32ffffu, 0xbeb7307au }, { 0x3f330000u, 0xbeb73077u },
        { 0x3fb30000u, 0x3eabb3b9u }, { 0x3fb2ffffu, 0x3eabb3b6u },
    };

    (void)state;
    recorded_check32(srt_logf, rows, SRT_COUNT(rows));
}

static void logf_of_ordinary_arguments(void **state)
{
    static const struct recorded32 rows[] = {
        { 0x40000000u, 0x3f317218u }, { 0x3f000000u, 0xbf317218u },
        { 0x40400000u, 0x3f8c9f54u }, { 0x41200000u, 0x40135d8eu },
        { 0x3dcccccdu, 0xc0135d8eu }, { 0x3d4ccccdu, 0xc03fba14u },
        { 0x3c23d70au, 0xc0935d8eu }, { 0x3f733333u, 0xbd5218eeu },
        { 0x358637bdu, 0xc15d0c55u }, { 0x4814a800u, 0x413eee03u },
        { 0x402df854u, 0x3f7fffffu }, { 0x3ebc5ab2u, 0xbf800000u },
    };

    (void)state;
    recorded_check32(srt_logf, rows, SRT_COUNT(rows));
}

static void logf_of_every_4093rd_float(void **state)
{
    (void)state;
    recorded_check_sum(recorded_sum32(srt_logf, 4093), 0xb7193ad159ffd988u);
}

static void logf_never_falls(void **state)
{
    float last = srt_logf(0.0f);

    (void)state;
    for (uint32_t bits = 1; bits < INF32; bits += 2039) {
        const float y = srt_logf(srt_float32(bits));

        assert_true(y >= last);
        last = y;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logf_of_one_is_zero),
        cmocka_unit_test(logf_of_zero_is_minus_infinity),
        cmocka_unit_test(logf_of_infinity_and_nan),
        cmocka_unit_test(logf_of_a_negative_number_is_nan),
        cmocka_unit_test(logf_of_subnormals_and_the_ends_of_the_range),
        cmocka_unit_test(logf_near_one),
        cmocka_unit_test(logf_of_ordinary_arguments),
        cmocka_unit_test(logf_of_every_4093rd_float),
        cmocka_unit_test(logf_never_falls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

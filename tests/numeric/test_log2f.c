/*
 * test_log2f.c - binary logarithm for float: recorded answers and borders
 *
 * SPDX-License-Identifier: MIT
 */
#include "numeric/recorded.h"

static void log2f_of_one_is_zero(void **state)
{
    (void)state;
    assert_int_equal(srt_bits32(srt_log2f(1.0f)), 0);
}

static void log2f_of_zero_is_minus_infinity(void **state)
{
    static const struct recorded32 rows[] = { { 0x00000000u, 0xff800000u },
                                              { 0x80000000u, 0xff800000u } };

    (void)state;
    recorded_check32(srt_log2f, rows, SRT_COUNT(rows));
}

static void log2f_of_infinity_and_nan(void **state)
{
    static const struct recorded32 rows[] = {
        { 0x7f800000u, 0x7f800000u }, { 0xff800000u, NAN32 },
        { 0x7fc00000u, NAN32 },       { 0xffc00000u, NAN32 },
        { 0x7f800001u, NAN32 },       { 0xff800001u, NAN32 },
    };

    (void)state;
    recorded_check32(srt_log2f, rows, SRT_COUNT(rows));
}

static void log2f_of_a_negative_number_is_nan(void **state)
{
    static const struct recorded32 rows[] = {
        { 0x80000001u, NAN32 },
        { 0xbf800000u, NAN32 },
        { 0xff7fffffu, NAN32 },
    };

    (void)state;
    recorded_check32(srt_log2f, rows, SRT_COUNT(rows));
}

static void log2f_of_subnormals_and_the_ends_of_the_range(void **state)
{
    static const struct recorded32 rows[] = {
        { 0x00000001u, 0xc3150000u },
        { 0x00000002u, 0xc3140000u },
        { 0x00000003u, 0xc3136a40u },
        { 0x00012345u, 0xc304d054u },
        { 0x00400000u, 0xc2fe0000u },
        { 0x007fffffu, 0xc2fc0000u }, /* largest subnormal */
        { 0x00800000u, 0xc2fc0000u }, /* least normal */
        { 0x00800001u, 0xc2fc0000u },
        { 0x7f7fffffu, 0x43000000u },
    };

    (void)state;
    recorded_check32(srt_log2f, rows, SRT_COUNT(rows));
}

static void log2f_near_one(void **state)
{
    static const struct recorded32 rows[] = {
        { 0x3f7fffffu, 0xb3b8aa3bu }, { 0x3f800001u, 0x3438aa3au },
        { 0x3f7ff000u, 0xb9b8b001u }, { 0x3f801000u, 0x3a389eb1u },
        { 0x3f780000u, 0xbd3b9ca6u }, { 0x3f77ffffu, 0xbd3b9cbeu },
        { 0x3f880000u, 0x3db31fb8u }, { 0x3f87ffffu, 0x3db31fa2u },
        { 0x3f32ffffu, 0xbf0424a8u }, { 0x3f330000u, 0xbf0424a6u },
        { 0x3fb30000u, 0x3ef7b6b4u }, { 0x3fb2ffffu, 0x3ef7b6afu },
    };

    (void)state;
    recorded_check32(srt_log2f, rows, SRT_COUNT(rows));
}

static void log2f_of_ordinary_arguments(void **state)
{
    static const struct recorded32 rows[] = {
        { 0x40000000u, 0x3f800000u }, { 0x3f000000u, 0xbf800000u },
        { 0x40400000u, 0x3fcae00du }, { 0x41200000u, 0x40549a78u },
        { 0x3dcccccdu, 0xc0549a78u }, { 0x3d4ccccdu, 0xc08a4d3cu },
        { 0x3c23d70au, 0xc0d49a78u }, { 0x3f733333u, 0xbd978da0u },
        { 0x358637bdu, 0xc19f73dau }, { 0x4814a800u, 0x4189ba08u },
        { 0x402df854u, 0x3fb8aa3bu }, { 0x3ebc5ab2u, 0xbfb8aa3bu },
    };

    (void)state;
    recorded_check32(srt_log2f, rows, SRT_COUNT(rows));
}

static void log2f_of_a_power_of_two_is_exact(void **state)
{
    float x = 0x1p-149f;

    (void)state;
    for (int e = -149; e < 128; e++) {
        assert_true(srt_log2f(x) == (float)e);
        x *= 2.0f;
    }
}

static void log2f_of_every_4093rd_float(void **state)
{
    (void)state;
    recorded_check_sum(recorded_sum32(srt_log2f, 4093), 0x7b715cec3f316e7fu);
}

static void log2f_never_falls(void **state)
{
    float last = srt_log2f(0.0f);

    (void)state;
    for (uint32_t bits = 1; bits < INF32; bits += 2039) {
        const float y = srt_log2f(srt_float32(bits));

        assert_true(y >= last);
        last = y;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log2f_of_one_is_zero),
        cmocka_unit_test(log2f_of_zero_is_minus_infinity),
        cmocka_unit_test(log2f_of_infinity_and_nan),
        cmocka_unit_test(log2f_of_a_negative_number_is_nan),
        cmocka_unit_test(log2f_of_subnormals_and_the_ends_of_the_range),
        cmocka_unit_test(log2f_near_one),
        cmocka_unit_test(log2f_of_ordinary_arguments),
        cmocka_unit_test(log2f_of_a_power_of_two_is_exact),
        cmocka_unit_test(log2f_of_every_4093rd_float),
        cmocka_unit_test(log2f_never_falls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_powf.c - x^y for float: recorded answers, limits, exact cases
 *
 * SPDX-License-Identifier: MIT
 */
#include "numeric/recorded.h"

static void check_pairs(const struct recorded32_pair *t, size_t n)
{
    for (size_t i = 0; i < n; i++)
        recorded_check(
            t[i].x, t[i].y,
            recorded_bits32(srt_powf(srt_float32(t[i].x), srt_float32(t[i].y))),
            t[i].want);
}

static void powf_to_the_power_of_zero_is_one(void **state)
{
    static const struct recorded32_pair rows[] = {
        { 0x00000000u, 0x00000000u, 0x3f800000u },
        { 0x80000000u, 0x00000000u, 0x3f800000u },
        { 0x7f800000u, 0x80000000u, 0x3f800000u },
        { 0xff800000u, 0x00000000u, 0x3f800000u },
        { 0x7fc00000u, 0x00000000u, 0x3f800000u },
        { 0x40490fdbu, 0x80000000u, 0x3f800000u },
        { 0xc0490fdbu, 0x00000000u, 0x3f800000u },
        { 0x7f800001u, 0x00000000u, NAN32 }, /* but not of a signaling NaN */
    };

    (void)state;
    check_pairs(rows, SRT_COUNT(rows));
}

static void powf_of_one_is_one(void **state)
{
    static const struct recorded32_pair rows[] = {
        { 0x3f800000u, 0x7f800000u, 0x3f800000u },
        { 0x3f800000u, 0xff800000u, 0x3f800000u },
        { 0x3f800000u, 0x7fc00000u, 0x3f800000u },
        { 0x3f800000u, 0x00000001u, 0x3f800000u },
        { 0x3f800000u, 0xff7fffffu, 0x3f800000u },
        { 0x3f800000u, 0x7f800001u, NAN32 }, /* but not to a signaling NaN */
        { 0xbf800000u, 0x7f800000u, 0x3f800000u },
        { 0xbf800000u, 0xff800000u, 0x3f800000u },
        { 0xbf800000u, 0x7f7fffffu, 0x3f800000u },
        { 0xbf800000u, 0x3f800000u, 0xbf800000u },
        { 0xbf800000u, 0x40000000u, 0x3f800000u },
        { 0xbf800000u, 0x3f000000u, NAN32 },
    };

    (void)state;
    check_pairs(rows, SRT_COUNT(rows));
}

static void powf_of_nan_is_nan(void **state)
{
    static const struct recorded32_pair rows[] = {
        { 0x7fc00000u, 0x3f800000u, NAN32 },
        { 0x3f000000u, 0x7fc00000u, NAN32 },
        { 0x7fc00000u, 0x7fc00000u, NAN32 },
        { 0x7f800000u, 0x7fc00000u, NAN32 },
        { 0x7fc00000u, 0xff800000u, NAN32 },
        { 0x00000000u, 0xffc00000u, NAN32 },
    };

    (void)state;
    check_pairs(rows, SRT_COUNT(rows));
}

static void powf_of_zero_and_infinity_keeps_the_sign_of_odd_powers(void **state)
{
    static const struct recorded32_pair rows[] = {
        { 0x00000000u, 0x40400000u, 0x00000000u },
        { 0x80000000u, 0x40400000u, 0x80000000u },
        { 0x80000000u, 0x40000000u, 0x00000000u },
        { 0x80000000u, 0x3f000000u, 0x00000000u },
        { 0x00000000u, 0xc0400000u, 0x7f800000u },
        { 0x80000000u, 0xc0400000u, 0xff800000u },
        { 0x80000000u, 0xc0000000u, 0x7f800000u },
        { 0x80000000u, 0xbf000000u, 0x7f800000u },
        { 0x7f800000u, 0x40400000u, 0x7f800000u },
        { 0xff800000u, 0x40400000u, 0xff800000u },
        { 0xff800000u, 0x40000000u, 0x7f800000u },
        { 0xff800000u, 0x3f000000u, 0x7f800000u },
        { 0x7f800000u, 0xc0400000u, 0x00000000u },
        { 0xff800000u, 0xc0400000u, 0x80000000u },
        { 0xff800000u, 0xc0000000u, 0x00000000u },
        { 0x80000000u, 0x4b7fffffu, 0x80000000u },
        { 0x80000000u, 0x4b800000u, 0x00000000u },
        { 0xff800000u, 0x4b7fffffu, 0xff800000u },
    };

    (void)state;
    check_pairs(rows, SRT_COUNT(rows));
}

static void powf_to_an_infinite_power(void **state)
{
    static const struct recorded32_pair rows[] = {
        { 0x00000000u, 0x7f800000u, 0x00000000u },
        { 0x80000000u, 0xff800000u, 0x7f800000u },
        { 0x3f000000u, 0x7f800000u, 0x00000000u },
        { 0x3f000000u, 0xff800000u, 0x7f800000u },
        { 0xbf000000u, 0x7f800000u, 0x00000000u },
        { 0x40000000u, 0x7f800000u, 0x7f800000u },
        { 0xc0000000u, 0xff800000u, 0x00000000u },
        { 0x7f800000u, 0x7f800000u, 0x7f800000u },
        { 0xff800000u, 0xff800000u, 0x00000000u },
        { 0x3f7fffffu, 0x7f800000u, 0x00000000u },
        { 0x3f800001u, 0x7f800000u, 0x7f800000u },
        { 0x00000001u, 0xff800000u, 0x7f800000u },
    };

    (void)state;
    check_pairs(rows, SRT_COUNT(rows));
}

static void powf_of_a_negative_base(void **state)
{
    static const struct recorded32_pair rows[] = {
        { 0xc0000000u, 0x40400000u, 0xc1000000u },
        { 0xc0000000u, 0x40000000u, 0x40800000u },
        { 0xc0000000u, 0x3f000000u, NAN32 },
        { 0xc0000000u, 0x40600000u, NAN32 },
        { 0xc0000000u, 0xc0400000u, 0xbe000000u },
        { 0xbfc00000u, 0x41b80000u, 0xc62f5af7u },
        { 0xbf7fffffu, 0x4b7fffffu, 0xbebc5ab2u },
        { 0xbf7fffffu, 0x4b800000u, 0x3ebc5ab1u },
        { 0xbf7fffffu, 0x4b7ffffeu, 0x3ebc5ab3u },
        { 0xbf800001u, 0x4afffffdu, NAN32 },
        { 0xbf800001u, 0x4afffffeu, 0xc02df852u },
        { 0xc2c80000u, 0x41980000u, 0xfe967699u },
        { 0xc2c80000u, 0x41a80000u, 0xff800000u },
        { 0xc2c80000u, 0xc1b80000u, 0x80000000u },
        { 0x80000001u, 0x40400000u, 0x80000000u },
        { 0x80400000u, 0xbf800000u, 0xff000000u },
        { 0xff7fffffu, 0x3f800000u, 0xff7fffffu },
        { 0xff7fffffu, 0x00000001u, NAN32 },
    };

    (void)state;
    check_pairs(rows, SRT_COUNT(rows));
}

static void powf_at_the_ends_of_the_range(void **state)
{
    static const struct recorded32_pair rows[] = {
        { 0x40000000u, 0x42fe0000u, 0x7f000000u }, /* 2^127 */
        { 0x40000000u, 0x43000000u, 0x7f800000u }, /* 2^128 */
        { 0x40000000u, 0x42ffffffu, 0x7f7fffa7u },
        { 0x40000000u, 0xc2fc0000u, 0x00800000u },
        { 0x40000000u, 0xc2fc0001u, 0x007fffd4u },
        { 0x40000000u, 0xc3150000u, 0x00000001u }, /* 2^-149 */
        { 0x40000000u, 0xc3157fffu, 0x00000001u },
        { 0x40000000u, 0xc3160000u, 0x00000000u }, /* 2^-150 */
        { 0x40000000u, 0xc3160001u, 0x00000000u },
        { 0x3f000000u, 0x43160000u, 0x00000000u },
        { 0x3f000000u, 0x4315ffffu, 0x00000001u },
        { 0x7f7fffffu, 0x3f800000u, 0x7f7fffffu },
        { 0x7f7fffffu, 0x3f800001u, 0x7f800000u },
        { 0x00000001u, 0x3f800000u, 0x00000001u },
        { 0x00000001u, 0x3f7fffffu, 0x00000001u },
        { 0x00000001u, 0x3f820000u, 0x00000000u },
        { 0x00400000u, 0x3f000000u, 0x1fb504f3u },
        { 0x007fffffu, 0x3f800000u, 0x007fffffu },
        { 0x00800000u, 0x3f800000u, 0x00800000u },
        { 0x00000001u, 0xbf6e0000u, 0x7f800000u },
        { 0x00000003u, 0xc0000000u, 0x7f800000u },
        { 0x41200000u, 0x421a20f0u, 0x7f800000u },
        { 0x41200000u, 0xc2349600u, 0x00000001u },
        { 0x3f800001u, 0x4e800000u, 0x7f800000u },
        { 0x3f7fffffu, 0x4e800000u, 0x114b4e8au },
        { 0x3f7fffffu, 0xce800000u, 0x6da12cd6u },
    };

    (void)state;
    check_pairs(rows, SRT_COUNT(rows));
}

static void powf_of_the_arguments_that_fusing_changes(void **state)
{
    static const struct recorded32_pair rows[] = {
        { 0x3f7924f6u, 0x451af390u, 0x0ef062e6u },
        { 0x3f849d59u, 0xc4ebb00au, 0x0f49f81au },
        { 0x3f794424u, 0x44cc2c49u, 0x20118f29u },
    };

    (void)state;
    check_pairs(rows, SRT_COUNT(rows));
}

static void powf_of_small_integers_is_exact(void **state)
{
    (void)state;
    for (int base = -30; base <= 30; base++) {
        int64_t product = 1;

        for (int e = 0; e < 25; e++) {
            if (product > (1 << 24) || product < -(1 << 24))
                break;
            assert_true(srt_powf((float)base, (float)e) == (float)product);
            product *= base;
        }
    }
}

static void powf_of_ordinary_arguments(void **state)
{
    static const struct recorded32_pair rows[] = {
        { 0x3f000000u, 0x3f000000u, 0x3f3504f3u },
        { 0x3f000000u, 0x3fc00000u, 0x3eb504f3u },
        { 0x3f400000u, 0x40400000u, 0x3ed80000u },
        { 0x3dcccccdu, 0x3f000000u, 0x3ea1e89bu },
        { 0x3f7ae148u, 0x40200000u, 0x3f736431u },
        { 0x40000000u, 0x40a00000u, 0x42000000u },
        { 0x40000000u, 0x409ccccdu, 0x41eedb41u },
        { 0x40000000u, 0xbe99999au, 0x3f4fefc6u },
        { 0x483bb000u, 0xbf8147aeu, 0x369a96aau },
        { 0x4814a800u, 0xbfa00000u, 0x34b28d71u },
        { 0x47fa8000u, 0xbf666666u, 0x37d40a87u },
        { 0x46fa0000u, 0xc0133333u, 0x2e3f2affu },
        { 0x3fe00000u, 0x41a00000u, 0x478dbd52u },
        { 0x40490fdbu, 0x402df854u, 0x41b3ac5bu },
        { 0x3f2aaaabu, 0xbf2aaaabu, 0x3fa7ba3au },
        { 0x402df854u, 0x40490fdbu, 0x41b92023u },
        { 0x3f666666u, 0x42c80000u, 0x37ded005u },
        { 0x3f8ccccdu, 0xc2c80000u, 0x38982e56u },
    };

    (void)state;
    check_pairs(rows, SRT_COUNT(rows));
}

/* n results for x in [x_low, x_high) and y in [y_low, y_high). */
static uint64_t sum_of_powers(size_t n, float x_low, float x_high, float y_low,
                              float y_high)
{
    uint64_t random = 1;
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        const uint64_t bits = recorded_random(&random);
        const float u = (float)(bits >> 40) * 0x1p-24f;
        const float v = (float)(bits & 0xffffff) * 0x1p-24f;
        const float x = x_low + (x_high - x_low) * u;
        const float y = y_low + (y_high - y_low) * v;

        sum = recorded_fold(sum, recorded_bits32(srt_powf(x, y)));
    }
    return sum;
}

static void powf_over_the_ranges_of_the_stages(void **state)
{
    (void)state;
    recorded_check_sum(sum_of_powers(50000, 0.0f, 1.0f, 0.5f, 3.0f),
                       0x5d20817fb9ae10c0u); /* dynamic temperature */
    recorded_check_sum(sum_of_powers(50000, 2.0f, 2.0f, -150.0f, 128.0f),
                       0x55ca1d5d3f24737bu); /* mirostat: 2^mu */
    recorded_check_sum(sum_of_powers(50000, 1.0f, 262144.0f, -4.0f, 0.0f),
                       0x6d6ef899ebd8f208u); /* mirostat: n_vocab^-e */
    recorded_check_sum(
        sum_of_powers(50000, 0.75f, 1.25f, -400.0f, 400.0f),
        0x22f797cff35be470u); /* the logarithm's last bits count */
}

static void powf_of_random_bits(void **state)
{
    uint64_t random = 5;
    uint64_t sum = 0;

    (void)state;
    for (int i = 0; i < 100000; i++) {
        const uint64_t bits = recorded_random(&random);
        const float x = srt_float32((uint32_t)bits);
        const float y = srt_float32((uint32_t)(bits >> 32));

        sum = recorded_fold(sum, recorded_bits32(srt_powf(x, y)));
    }
    recorded_check_sum(sum, 0xe9739665cf19f0bdu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powf_to_the_power_of_zero_is_one),
        cmocka_unit_test(powf_of_one_is_one),
        cmocka_unit_test(powf_of_nan_is_nan),
        cmocka_unit_test(
            powf_of_zero_and_infinity_keeps_the_sign_of_odd_powers),
        cmocka_unit_test(powf_to_an_infinite_power),
        cmocka_unit_test(powf_of_a_negative_base),
        cmocka_unit_test(powf_at_the_ends_of_the_range),
        cmocka_unit_test(powf_of_the_arguments_that_fusing_changes),
        cmocka_unit_test(powf_of_small_integers_is_exact),
        cmocka_unit_test(powf_of_ordinary_arguments),
        cmocka_unit_test(powf_over_the_ranges_of_the_stages),
        cmocka_unit_test(powf_of_random_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_pow.c - x^y for double: recorded answers, limits, exact cases
 *
 * SPDX-License-Identifier: MIT
 */
#include "numeric/recorded.h"

static void check_pairs(const struct recorded64_pair *t, size_t n)
{
    for (size_t i = 0; i < n; i++)
        recorded_check(
            t[i].x, t[i].y,
            recorded_bits64(srt_pow(srt_float64(t[i].x), srt_float64(t[i].y))),
            t[i].want);
}

static void pow_to_the_power_of_zero_is_one(void **state)
{
    static const struct recorded64_pair rows[] = {
        { 0x0000000000000000u, 0x0000000000000000u, 0x3ff0000000000000u },
        { 0x8000000000000000u, 0x8000000000000000u, 0x3ff0000000000000u },
        { 0x7ff0000000000000u, 0x0000000000000000u, 0x3ff0000000000000u },
        { 0xfff0000000000000u, 0x8000000000000000u, 0x3ff0000000000000u },
        { 0x7ff8000000000000u, 0x0000000000000000u, 0x3ff0000000000000u },
        { 0xc00921fb54442d18u, 0x0000000000000000u, 0x3ff0000000000000u },
        { 0x7ff0000000000001u, 0x0000000000000000u,
          NAN64 }, /* but not of a signaling NaN */
    };

    (void)state;
    check_pairs(rows, SRT_COUNT(rows));
}

static void pow_of_one_is_one(void **state)
{
    static const struct recorded64_pair rows[] = {
        { 0x3ff0000000000000u, 0x7ff0000000000000u, 0x3ff0000000000000u },
        { 0x3ff0000000000000u, 0x7ff8000000000000u, 0x3ff0000000000000u },
        { 0x3ff0000000000000u, 0xffefffffffffffffu, 0x3ff0000000000000u },
        { 0x3ff0000000000000u, 0x7ff0000000000001u,
          NAN64 }, /* but not to a signaling NaN */
        { 0xbff0000000000000u, 0x7ff0000000000000u, 0x3ff0000000000000u },
        { 0xbff0000000000000u, 0xfff0000000000000u, 0x3ff0000000000000u },
        { 0xbff0000000000000u, 0x7fefffffffffffffu, 0x3ff0000000000000u },
        { 0xbff0000000000000u, 0x3ff0000000000000u, 0xbff0000000000000u },
        { 0xbff0000000000000u, 0x4000000000000000u, 0x3ff0000000000000u },
        { 0xbff0000000000000u, 0x3fe0000000000000u, NAN64 },
        { 0xbff0000000000000u, 0x0000000000000001u, NAN64 },
        { 0xbff0000000000000u, 0x433fffffffffffffu,
          0xbff0000000000000u }, /* odd: 2^53 - 1 */
        { 0xbff0000000000000u, 0x4340000000000000u,
          0x3ff0000000000000u }, /* even: 2^53 */
    };

    (void)state;
    check_pairs(rows, SRT_COUNT(rows));
}

static void pow_of_nan_is_nan(void **state)
{
    static const struct recorded64_pair rows[] = {
        { 0x7ff8000000000000u, 0x3ff0000000000000u, NAN64 },
        { 0x3fe0000000000000u, 0x7ff8000000000000u, NAN64 },
        { 0x7ff8000000000000u, 0xfff0000000000000u, NAN64 },
        { 0x7ff0000000000000u, 0x7ff8000000000000u, NAN64 },
        { 0x0000000000000000u, 0xfff8000000000000u, NAN64 },
    };

    (void)state;
    check_pairs(rows, SRT_COUNT(rows));
}

static void pow_of_zero_and_infinity_keeps_the_sign_of_odd_powers(void **state)
{
    static const struct recorded64_pair rows[] = {
        { 0x0000000000000000u, 0x4008000000000000u, 0x0000000000000000u },
        { 0x8000000000000000u, 0x4008000000000000u, 0x8000000000000000u },
        { 0x8000000000000000u, 0x4000000000000000u, 0x0000000000000000u },
        { 0x8000000000000000u, 0x3fe0000000000000u, 0x0000000000000000u },
        { 0x0000000000000000u, 0xc008000000000000u, 0x7ff0000000000000u },
        { 0x8000000000000000u, 0xc008000000000000u, 0xfff0000000000000u },
        { 0x8000000000000000u, 0xc000000000000000u, 0x7ff0000000000000u },
        { 0x8000000000000000u, 0xbfe0000000000000u, 0x7ff0000000000000u },
        { 0x7ff0000000000000u, 0x4008000000000000u, 0x7ff0000000000000u },
        { 0xfff0000000000000u, 0x4008000000000000u, 0xfff0000000000000u },
        { 0xfff0000000000000u, 0x4000000000000000u, 0x7ff0000000000000u },
        { 0xfff0000000000000u, 0xc008000000000000u, 0x8000000000000000u },
        { 0xfff0000000000000u, 0xc000000000000000u, 0x0000000000000000u },
        { 0x8000000000000000u, 0x433fffffffffffffu, 0x8000000000000000u },
        { 0x8000000000000000u, 0xc33fffffffffffffu, 0xfff0000000000000u },
        { 0xfff0000000000000u, 0x4340000000000000u, 0x7ff0000000000000u },
    };

    (void)state;
    check_pairs(rows, SRT_COUNT(rows));
}

static void pow_to_an_infinite_power(void **state)
{
    static const struct recorded64_pair rows[] = {
        { 0x0000000000000000u, 0x7ff0000000000000u, 0x0000000000000000u },
        { 0x8000000000000000u, 0xfff0000000000000u, 0x7ff0000000000000u },
        { 0x3fe0000000000000u, 0x7ff0000000000000u, 0x0000000000000000u },
        { 0x3fe0000000000000u, 0xfff0000000000000u, 0x7ff0000000000000u },
        { 0xbfe0000000000000u, 0x7ff0000000000000u, 0x0000000000000000u },
        { 0xc000000000000000u, 0x7ff0000000000000u, 0x7ff0000000000000u },
        { 0xfff0000000000000u, 0xfff0000000000000u, 0x0000000000000000u },
        { 0x3ff0000000000001u, 0x7ff0000000000000u, 0x7ff0000000000000u },
        { 0x3fefffffffffffffu, 0x7ff0000000000000u, 0x0000000000000000u },
        { 0x0000000000000001u, 0xfff0000000000000u, 0x7ff0000000000000u },
    };

    (void)state;
    check_pairs(rows, SRT_COUNT(rows));
}

static void pow_of_a_negative_base(void **state)
{
    static const struct recorded64_pair rows[] = {
        { 0xc000000000000000u, 0x4008000000000000u, 0xc020000000000000u },
        { 0xc000000000000000u, 0x4000000000000000u, 0x4010000000000000u },
        { 0xc000000000000000u, 0x3fe0000000000000u, NAN64 },
        { 0xc000000000000000u, 0xc008000000000000u, 0xbfc0000000000000u },
        { 0xbff8000000000000u, 0x4037000000000000u, 0xc0c5eb5ee84b0000u },
        { 0xbfefffffffffffffu, 0x433fffffffffffffu, 0xbfd78b56362cef38u },
        { 0xbfefffffffffffffu, 0x4340000000000000u, 0x3fd78b56362cef37u },
        { 0xbff0000000000001u, 0x4330000000000001u, 0xc005bf0a8b14576au },
        { 0xc059000000000000u, 0x4062c00000000000u, 0x7e37e43c8800759cu },
        { 0xc059000000000000u, 0x4063000000000000u, 0x7f0d2a1be4048f90u },
        { 0xc059000000000000u, 0xc064600000000000u, 0x8000000000000000u },
        { 0x8000000000000001u, 0x4008000000000000u, 0x8000000000000000u },
        { 0x8008000000000000u, 0xbff0000000000000u, 0xffe0000000000000u },
        { 0xffefffffffffffffu, 0x3ff0000000000000u, 0xffefffffffffffffu },
        { 0xc000000000000000u, 0xc090c80000000000u,
          0x0000000000000001u }, /* -2^-1074 */
        { 0xc000000000000000u, 0xc090cc0000000000u,
          0x8000000000000000u }, /* 2^-1075, rounded to -0 */
    };

    (void)state;
    check_pairs(rows, SRT_COUNT(rows));
}

static void pow_to_a_power_of_extreme_size(void **state)
{
    static const struct recorded64_pair rows[] = {
        { 0x4000000000000000u, 0x0000000000000001u, 0x3ff0000000000000u },
        { 0x4000000000000000u, 0x3bdfffffffffffffu, 0x3ff0000000000000u },
        { 0x4000000000000000u, 0x3be0000000000000u, 0x3ff0000000000000u },
        { 0x7fefffffffffffffu, 0x3bdfffffffffffffu, 0x3ff0000000000000u },
        { 0x7fefffffffffffffu, 0x3c60000000000000u, 0x3ff0000000000016u },
        { 0x3fe0000000000000u, 0xbbd0000000000000u, 0x3ff0000000000000u },
        { 0x3ff0000000000001u, 0x43dfffffffffffffu, 0x7ff0000000000000u },
        { 0x3ff0000000000001u, 0x43e0000000000000u, 0x7ff0000000000000u },
        { 0x3fefffffffffffffu, 0x43e0000000000000u, 0x0000000000000000u },
        { 0x3fefffffffffffffu, 0xc3e0000000000000u, 0x7ff0000000000000u },
        { 0xbff0000000000001u, 0x43e0000000000000u, 0x7ff0000000000000u },
        { 0x4000000000000000u, 0xffefffffffffffffu, 0x0000000000000000u },
    };

    (void)state;
    check_pairs(rows, SRT_COUNT(rows));
}

static void pow_at_the_ends_of_the_range(void **state)
{
    static const struct recorded64_pair rows[] = {
        { 0x4000000000000000u, 0x408ff80000000000u,
          0x7fe0000000000000u }, /* 2^1023 */
        { 0x4000000000000000u, 0x4090000000000000u,
          0x7ff0000000000000u }, /* 2^1024 */
        { 0x4000000000000000u, 0x408fffffffffffffu, 0x7feffffffffffd3au },
        { 0x4000000000000000u, 0xc08ff00000000000u, 0x0010000000000000u },
        { 0x4000000000000000u, 0xc08ff00000000001u, 0x000ffffffffffe9du },
        { 0x4000000000000000u, 0xc090c80000000000u, 0x0000000000000001u },
        { 0x4000000000000000u, 0xc090cbffffffffffu, 0x0000000000000001u },
        { 0x4000000000000000u, 0xc090cc0000000000u, 0x0000000000000000u },
        { 0x7fefffffffffffffu, 0x3ff0000000000000u, 0x7fefffffffffffffu },
        { 0x7fefffffffffffffu, 0x3ff0000000000001u, 0x7ff0000000000000u },
        { 0x0000000000000001u, 0x3ff0000000000000u, 0x0000000000000001u },
        { 0x0000000000000001u, 0x3ff0100000000000u, 0x0000000000000000u },
        { 0x000fffffffffffffu, 0x3ff0000000000000u, 0x000fffffffffffffu },
        { 0x0010000000000000u, 0x3fefffffffffffffu, 0x0010000000000162u },
        { 0x0008000000000000u, 0x3fe0000000000000u, 0x1ff6a09e667f3bcdu },
        { 0x0000000000000003u, 0xc000000000000000u, 0x7ff0000000000000u },
        { 0x4024000000000000u, 0x40734413509f79feu, 0x7feffffffffffba1u },
        { 0x4024000000000000u, 0xc07337a5e85c1c3du, 0x0017eba7b0ad8e41u },
        { 0x4024000000000000u, 0xc0743a0000000000u, 0x0000000000000000u },
        { 0x3ff0000000000001u, 0x43d62e42fefa39efu, 0x7ff0000000000000u },
    };

    (void)state;
    check_pairs(rows, SRT_COUNT(rows));
}

static void pow_of_small_integers_is_exact(void **state)
{
    (void)state;
    for (int base = -30; base <= 30; base++) {
        int64_t product = 1;

        for (int e = 0; e < 54; e++) {
            if (product > (int64_t)1 << 53 || product < -((int64_t)1 << 53))
                break;
            assert_true(srt_pow(base, e) == (double)product);
            product *= base;
        }
    }
}

static void pow_of_ordinary_arguments(void **state)
{
    static const struct recorded64_pair rows[] = {
        { 0x3ffc000000000000u, 0x4000000000000000u, 0x4008800000000000u },
        { 0x3ffc000000000000u, 0x4024000000000000u, 0x4070d63af1000000u },
        { 0x3ffc000000000000u, 0x407f400000000000u, 0x592996d35b80a997u },
        { 0x3ff2666660000000u, 0x4069000000000000u, 0x42741132f33bdd5cu },
        { 0x3fe0000000000000u, 0x3fe0000000000000u, 0x3fe6a09e667f3bcdu },
        { 0x3fe8000000000000u, 0x4008000000000000u, 0x3fdb000000000000u },
        { 0x3fb999999999999au, 0x3fe0000000000000u, 0x3fd43d136248490fu },
        { 0x3fef5c28f5c28f5cu, 0x4004000000000000u, 0x3fee6c860207edf4u },
        { 0x4000000000000000u, 0x3fd5555555555555u, 0x3ff428a2f98d728bu },
        { 0x400921fb54442d18u, 0x4005bf0a8b145769u, 0x4036758b5c381110u },
        { 0x4005bf0a8b145769u, 0x400921fb54442d18u, 0x403724046eb09338u },
        { 0x3feccccccccccccdu, 0x4059000000000000u, 0x3efbda056ed49410u },
        { 0x3ff199999999999au, 0xc059000000000000u, 0x3f1305cd81a5723du },
        { 0x3ff0000000001000u, 0x42b0000000000000u, 0x4160f2ebd0a77889u },
    };

    (void)state;
    check_pairs(rows, SRT_COUNT(rows));
}

/* Over arguments at random in the two ranges, y a multiple of step. */
static uint64_t sum_of_powers(const double x_range[2], const double y_range[2],
                              double step)
{
    uint64_t random = 1;
    uint64_t sum = 0;

    for (int i = 0; i < 50000; i++) {
        const double u = (double)(recorded_random(&random) >> 11) * 0x1p-53;
        const uint64_t steps = (uint64_t)((y_range[1] - y_range[0]) / step);
        const double y =
            y_range[0] + step * (double)(recorded_random(&random) % steps);
        const double x = x_range[0] + (x_range[1] - x_range[0]) * u;

        sum = recorded_fold(sum, recorded_bits64(srt_pow(x, y)));
    }
    return sum;
}

static void pow_of_dry_bases_and_lengths(void **state)
{
    (void)state;
    recorded_check_sum(
        sum_of_powers((double[]){ 1.0, 4.0 }, (double[]){ 0.0, 501.0 }, 1.0),
        0x1a9ee9f5561bca1eu);
}

static void pow_of_moderate_arguments(void **state)
{
    (void)state;
    recorded_check_sum(sum_of_powers((double[]){ 0.0, 100.0 },
                                     (double[]){ -20.0, 20.0 }, 0x1p-40),
                       0xf3a7b47e68c7a856u);
}

static void pow_with_subnormal_results(void **state)
{
    (void)state;
    recorded_check_sum(sum_of_powers((double[]){ 0.49, 0.51 },
                                     (double[]){ 1010.0, 1080.0 }, 0x1p-30),
                       0x8e6a6d829664b4cau);
    recorded_check_sum(sum_of_powers((double[]){ -0.51, -0.49 },
                                     (double[]){ 1010.0, 1080.0 }, 1.0),
                       0x7db3eebcaa4e8c21u);
}

static void pow_near_overflow(void **state)
{
    (void)state;
    recorded_check_sum(sum_of_powers((double[]){ 1.9, 2.1 },
                                     (double[]){ 900.0, 1080.0 }, 0x1p-30),
                       0xe7945413c03233a9u);
}

static void pow_of_random_bits(void **state)
{
    uint64_t random = 13;
    uint64_t sum = 0;

    (void)state;
    for (int i = 0; i < 50000; i++) {
        const double x = srt_float64(recorded_random(&random));
        const double y = srt_float64(recorded_random(&random));

        sum = recorded_fold(sum, recorded_bits64(srt_pow(x, y)));
    }
    recorded_check_sum(sum, 0xacaef1b2096e982bu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pow_to_the_power_of_zero_is_one),
        cmocka_unit_test(pow_of_one_is_one),
        cmocka_unit_test(pow_of_nan_is_nan),
        cmocka_unit_test(pow_of_zero_and_infinity_keeps_the_sign_of_odd_powers),
        cmocka_unit_test(pow_to_an_infinite_power),
        cmocka_unit_test(pow_of_a_negative_base),
        cmocka_unit_test(pow_to_a_power_of_extreme_size),
        cmocka_unit_test(pow_at_the_ends_of_the_range),
        cmocka_unit_test(pow_of_small_integers_is_exact),
        cmocka_unit_test(pow_of_ordinary_arguments),
        cmocka_unit_test(pow_of_dry_bases_and_lengths),
        cmocka_unit_test(pow_of_moderate_arguments),
        cmocka_unit_test(pow_with_subnormal_results),
        cmocka_unit_test(pow_near_overflow),
        cmocka_unit_test(pow_of_random_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

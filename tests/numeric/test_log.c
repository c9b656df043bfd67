/*
 * test_log.c - natural logarithm for double: recorded answers and borders
 *
 * SPDX-License-Identifier: MIT
 */
#include "numeric/recorded.h"

static void log_of_one_is_zero(void **state)
{
    (void)state;
    assert_true(srt_bits64(srt_log(1.0)) == 0);
}

static void log_of_zero_is_minus_infinity(void **state)
{
    static const struct recorded64 rows[] = {
        { 0x0000000000000000u, 0xfff0000000000000u },
        { 0x8000000000000000u, 0xfff0000000000000u },
    };

    (void)state;
    recorded_check64(srt_log, rows, SRT_COUNT(rows));
}

static void log_of_infinity_and_nan(void **state)
{
    static const struct recorded64 rows[] = {
        { 0x7ff0000000000000u, 0x7ff0000000000000u },
        { 0xfff0000000000000u, NAN64 },
        { 0x7ff8000000000000u, NAN64 },
        { 0xfff8000000000000u, NAN64 },
        { 0x7ff0000000000001u, NAN64 },
        { 0xfff0000000000001u, NAN64 },
    };

    (void)state;
    recorded_check64(srt_log, rows, SRT_COUNT(rows));
}

static void log_of_a_negative_number_is_nan(void **state)
{
    static const struct recorded64 rows[] = {
        { 0x8000000000000001u, NAN64 },
        { 0xbff0000000000000u, NAN64 },
        { 0xffefffffffffffffu, NAN64 },
    };

    (void)state;
    recorded_check64(srt_log, rows, SRT_COUNT(rows));
}

static void log_of_subnormals_and_the_ends_of_the_range(void **state)
{
    static const struct recorded64 rows[] = {
        { 0x0000000000000001u, 0xc0874385446d71c3u },
        { 0x0000000000000002u, 0xc0873df9b3adb335u },
        { 0x0000000000000003u, 0xc0873abb4f301b42u },
        { 0x000123456789abcdu, 0xc0863851c6ee5d29u },
        { 0x0008000000000000u, 0xc08628b76e3a7b61u },
        { 0x000fffffffffffffu, 0xc086232bdd7abcd2u }, /* largest subnormal */
        { 0x0010000000000000u, 0xc086232bdd7abcd2u }, /* least normal */
        { 0x0010000000000001u, 0xc086232bdd7abcd2u },
        { 0x7fefffffffffffffu, 0x40862e42fefa39efu },
    };

    (void)state;
    recorded_check64(srt_log, rows, SRT_COUNT(rows));
}

static void log_near_one(void **state)
{
    static const struct recorded64 rows[] = {
        { 0x3fefffffffffffffu, 0xbca0000000000000u },
        { 0x3ff0000000000001u, 0x3cafffffffffffffu },
        { 0x3feffffffffff000u, 0xbd60000000000400u },
        { 0x3ff0000000001000u, 0x3d6ffffffffff000u },
        { 0x3fefff0000000000u, 0xbf20004001555d56u },
        { 0x3ff0010000000000u, 0x3f2fff000aaa2ab1u },
        { 0x3fee000000000000u,
          0xbfb08598b59e3a07u }, /* 15/16: the polynomial's first */
        { 0x3fedffffffffffffu, 0xbfb08598b59e3a0fu }, /* the table's last */
        { 0x3ff108ffffffffffu,
          0x3fb00c7c14184eb6u }, /* the polynomial's last */
        { 0x3ff1090000000000u, 0x3fb00c7c14184ec5u }, /* the table's first */
        { 0x3fee123456789abcu, 0xbfafd4df1aabe9d6u },
        { 0x3ff0fedcba987654u, 0x3faee7eb33ec3d47u },
    };

    (void)state;
    recorded_check64(srt_log, rows, SRT_COUNT(rows));
}

static void log_of_ordinary_arguments(void **state)
{
    static const struct recorded64 rows[] = {
        { 0x4000000000000000u, 0x3fe62e42fefa39efu },
        { 0x3fe0000000000000u, 0xbfe62e42fefa39efu },
        { 0x4008000000000000u, 0x3ff193ea7aad030bu },
        { 0x4024000000000000u, 0x40026bb1bbb55516u },
        { 0x3fb999999999999au, 0xc0026bb1bbb55515u },
        { 0x3fa999999999999au, 0xc007f7427b73e391u },
        { 0x3f847ae147ae147bu, 0xc0126bb1bbb55515u },
        { 0x3fee666666666666u, 0xbfaa431d5bcc193eu },
        { 0x3eb0c6f7a0b5ed8du, 0xc02ba18a998fffa0u },
        { 0x4102950000000000u, 0x4027ddc06254a616u },
        { 0x4005bf0a8b145769u, 0x3ff0000000000000u },
        { 0x3fd78b564a3d3b3au, 0xbfefffffe4bb0c85u },
        { 0x3fe5ffffffffffffu, 0xbfd7fafa3bd8151fu },
        { 0x3fe6000000000000u, 0xbfd7fafa3bd8151cu },
        { 0x3ff6000000000000u, 0x3fd4618bc21c5ec2u },
    };

    (void)state;
    recorded_check64(srt_log, rows, SRT_COUNT(rows));
}

/* n results for x in [low, high). */
static uint64_t sum_of_logarithms(size_t n, double low, double high)
{
    uint64_t random = 1;
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        const double u = (double)(recorded_random(&random) >> 11) * 0x1p-53;

        sum = recorded_fold(sum,
                            recorded_bits64(srt_log(low + (high - low) * u)));
    }
    return sum;
}

static void log_over_the_ranges_of_the_stages(void **state)
{
    (void)state;
    recorded_check_sum(sum_of_logarithms(100000, 0.0, 1.0), 0xa472a0540b07709u);
    recorded_check_sum(sum_of_logarithms(50000, 0.0, 0x1p-20),
                       0x1a9c2e659c0ccb19u);
    recorded_check_sum(sum_of_logarithms(100000, 0.9375, 1.064697265625),
                       0xa09c1621256921f1u);
    recorded_check_sum(sum_of_logarithms(50000, 1.0, 262144.0),
                       0xb8f4707a5f1e2acu);
}

static void log_of_random_bits(void **state)
{
    uint64_t random = 11;
    uint64_t sum = 0;

    (void)state;
    for (int i = 0; i < 50000; i++) {
        const uint64_t bits = recorded_random(&random);

        sum = recorded_fold(
            sum, recorded_bits64(srt_log(srt_float64(bits & ~SIGN64))));
        /* a subnormal from the same bits */
        sum = recorded_fold(sum,
                            recorded_bits64(srt_log(srt_float64(bits >> 12))));
    }
    recorded_check_sum(sum, 0x19c94b62b92e4f60u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_of_one_is_zero),
        cmocka_unit_test(log_of_zero_is_minus_infinity),
        cmocka_unit_test(log_of_infinity_and_nan),
        cmocka_unit_test(log_of_a_negative_number_is_nan),
        cmocka_unit_test(log_of_subnormals_and_the_ends_of_the_range),
        cmocka_unit_test(log_near_one),
        cmocka_unit_test(log_of_ordinary_arguments),
        cmocka_unit_test(log_over_the_ranges_of_the_stages),
        cmocka_unit_test(log_of_random_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

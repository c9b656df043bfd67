/*
 * test_exp.c - e^x for double: recorded answers and borders
 *
 * SPDX-License-Identifier: MIT
 */
#include "numeric/recorded.h"

static void exp_of_almost_zero_is_one_or_its_neighbour(void **state)
{
    static const struct recorded64 rows[] = {
        { 0x0000000000000000u, 0x3ff0000000000000u }, /* 0 */
        { 0x8000000000000000u, 0x3ff0000000000000u }, /* -0 */
        { 0x0000000000000001u, 0x3ff0000000000000u }, /* least subnormal */
        { 0x8000000000000001u, 0x3ff0000000000000u },
        { 0x3c8fffffffffffffu, 0x3ff0000000000000u }, /* just under 2^-54 */
        { 0x3c90000000000000u, 0x3ff0000000000000u }, /* 2^-54 */
        { 0xbc90000000000000u, 0x3ff0000000000000u },
        { 0x3ca0000000000000u,
          0x3ff0000000000000u }, /* 2^-53: halfway to the next double */
        { 0x3ca0000000000001u, 0x3ff0000000000001u },
        { 0xbc9fffffffffffffu, 0x3fefffffffffffffu },
        { 0xbca0000000000001u, 0x3fefffffffffffffu },
        { 0x3cb0000000000000u, 0x3ff0000000000001u },
        { 0xbcb0000000000000u, 0x3feffffffffffffeu },
    };

    (void)state;
    recorded_check64(srt_exp, rows, SRT_COUNT(rows));
}

static void exp_of_infinity_and_nan(void **state)
{
    static const struct recorded64 rows[] = {
        { 0x7ff0000000000000u, 0x7ff0000000000000u },
        { 0xfff0000000000000u, 0x0000000000000000u },
        { 0x7ff8000000000000u, NAN64 },
        { 0xfff8000000000000u, NAN64 },
        { 0x7ff0000000000001u, NAN64 },
        { 0xfff0000000000001u, NAN64 },
    };

    (void)state;
    recorded_check64(srt_exp, rows, SRT_COUNT(rows));
}

static void exp_overflows_past_its_last_argument(void **state)
{
    static const struct recorded64 rows[] = {
        { 0x407fffffffffffffu, 0x6e19476504ba839au }, /* just under 512 */
        { 0x4080000000000000u, 0x6e19476504ba852eu }, /* 512 */
        { 0x40862e42fefa39efu,
          0x7fefffffffffff2au }, /* the last finite result */
        { 0x40862e42fefa39f0u, 0x7ff0000000000000u },
        { 0x4086300000000000u, 0x7ff0000000000000u },
        { 0x408fffffffffffffu, 0x7ff0000000000000u },
        { 0x4090000000000000u, 0x7ff0000000000000u }, /* 1024 */
        { 0x7fefffffffffffffu, 0x7ff0000000000000u },
    };

    (void)state;
    recorded_check64(srt_exp, rows, SRT_COUNT(rows));
}

static void exp_underflows_by_way_of_subnormals(void **state)
{
    static const struct recorded64 rows[] = {
        { 0xc07fffffffffffffu, 0x11c44109edb20a75u }, /* just above -512 */
        { 0xc080000000000000u, 0x11c44109edb20931u }, /* -512 */
        { 0xc086232bdd7abcd2u,
          0x001000000000007cu }, /* the last normal result */
        { 0xc086232bdd7abcd3u,
          0x000ffffffffffe7cu }, /* the first subnormal one */
        { 0xc086300000000000u, 0x00033802fd28b3c3u },
        { 0xc086800000000000u, 0x0000000993b4dc95u },
        { 0xc086e00000000000u, 0x000000000003db39u },
        { 0xc087000000000000u, 0x0000000000001215u },
        { 0xc087490000000000u, 0x0000000000000001u },
        { 0xc0874910d52d3051u,
          0x0000000000000001u }, /* the last result above 0 */
        { 0xc0874910d52d3052u, 0x0000000000000000u },
        { 0xc087500000000000u, 0x0000000000000000u },
        { 0xc090000000000000u, 0x0000000000000000u },
        { 0xffefffffffffffffu, 0x0000000000000000u },
    };

    (void)state;
    recorded_check64(srt_exp, rows, SRT_COUNT(rows));
}

static void exp_of_ordinary_arguments(void **state)
{
    static const struct recorded64 rows[] = {
        { 0x3ff0000000000000u, 0x4005bf0a8b145769u },
        { 0xbff0000000000000u, 0x3fd78b56362cef38u },
        { 0x3fe0000000000000u, 0x3ffa61298e1e069cu },
        { 0xbfe0000000000000u, 0x3fe368b2fc6f960au },
        { 0x3fe62e42fefa39efu, 0x4000000000000000u },
        { 0xbfe62e42fefa39efu, 0x3fe0000000000000u },
        { 0x400921fb54442d18u, 0x403724046eb09339u },
        { 0xc00921fb54442d18u, 0x3fa620227b598efau },
        { 0x4024000000000000u, 0x40d5829dcf950560u },
        { 0xc024000000000000u, 0x3f07cd79b5647c9bu },
        { 0x3fb999999999999au, 0x3ff1aec7b35a00d4u },
        { 0xbfb999999999999au, 0x3fecf46d99d52b3au },
        { 0x3f62e42fefa39ef3u, 0x3ff00974e248a22eu },
        { 0xbf76e42fefa39ef3u, 0x3fefd25850c1fff5u },
        { 0xc059000000000000u, 0x36ea8c1f14e2af5du },
        { 0xc04a3d70a3d70a3du, 0x3b3386cb2ba74d23u },
        { 0x4059000000000000u, 0x48f3494a9b171bf5u },
        { 0xc0311eb851eb851fu, 0x3e63b67a2528dd79u },
    };

    (void)state;
    recorded_check64(srt_exp, rows, SRT_COUNT(rows));
}

/* n results for x in [low, high). */
static uint64_t sum_of_exponentials(size_t n, double low, double high)
{
    uint64_t random = 1;
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        const double u = (double)(recorded_random(&random) >> 11) * 0x1p-53;

        sum = recorded_fold(sum,
                            recorded_bits64(srt_exp(low + (high - low) * u)));
    }
    return sum;
}

static void exp_over_the_ranges_of_the_stages(void **state)
{
    (void)state;
    recorded_check_sum(sum_of_exponentials(50000, -750.0, 0.0),
                       0xc50fbcfc28ff19e3u);
    recorded_check_sum(sum_of_exponentials(50000, -104.0, 89.0),
                       0x1f94ef0de8e00118u);
    recorded_check_sum(sum_of_exponentials(50000, -1.0, 1.0),
                       0x98dfefc360beb4e2u);
    recorded_check_sum(sum_of_exponentials(50000, -746.0, -707.0),
                       0xb0056506f8b49607u);
    recorded_check_sum(sum_of_exponentials(50000, 500.0, 711.0),
                       0x82056d722af13962u);
}

static void exp_of_random_bits(void **state)
{
    uint64_t random = 7;
    uint64_t sum = 0;

    (void)state;
    for (int i = 0; i < 50000; i++) {
        const double x = srt_float64(recorded_random(&random));

        sum = recorded_fold(sum, recorded_bits64(srt_exp(x)));
    }
    recorded_check_sum(sum, 0xe3c75d5e6d23b1f8u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_of_almost_zero_is_one_or_its_neighbour),
        cmocka_unit_test(exp_of_infinity_and_nan),
        cmocka_unit_test(exp_overflows_past_its_last_argument),
        cmocka_unit_test(exp_underflows_by_way_of_subnormals),
        cmocka_unit_test(exp_of_ordinary_arguments),
        cmocka_unit_test(exp_over_the_ranges_of_the_stages),
        cmocka_unit_test(exp_of_random_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

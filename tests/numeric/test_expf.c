/*
 * test_expf.c - e^x for float: recorded answers, borders, the inlined form
 *
 * SPDX-License-Identifier: MIT
 */
#include "numeric/recorded.h"

#include "numeric/expf.h"

static void expf_of_almost_zero_is_one_or_its_neighbour(void **state)
{
    static const struct recorded32 rows[] = {
        { 0x00000000u, 0x3f800000u }, /* 0 */
        { 0x80000000u, 0x3f800000u }, /* -0 */
        { 0x00000001u, 0x3f800000u }, /* least subnormal */
        { 0x80000001u, 0x3f800000u },
        { 0x007fffffu, 0x3f800000u }, /* largest subnormal */
        { 0x33000000u, 0x3f800000u }, /* 2^-25 */
        { 0x33800000u, 0x3f800001u }, /* 2^-24: halfway to the next float */
        { 0x33800001u, 0x3f800001u }, /* just past it */
        { 0xb2800000u, 0x3f800000u }, /* -2^-26 */
        { 0xb3000000u, 0x3f800000u }, /* -2^-25: halfway to the float below */
        { 0xb3000001u, 0x3f7fffffu }, /* just past it */
    };

    (void)state;
    recorded_check32(srt_expf, rows, SRT_COUNT(rows));
}

static void expf_of_infinity_and_nan(void **state)
{
    static const struct recorded32 rows[] = {
        { 0x7f800000u, 0x7f800000u }, { 0xff800000u, 0x00000000u },
        { 0x7fc00000u, NAN32 },       { 0xffc00000u, NAN32 },
        { 0x7f800001u, NAN32 },       { 0xff800001u, NAN32 },
    };

    (void)state;
    recorded_check32(srt_expf, rows, SRT_COUNT(rows));
}

static void expf_overflows_past_its_last_argument(void **state)
{
    static const struct recorded32 rows[] = {
        { 0x42b17217u, 0x7f7fff84u }, /* the last finite result */
        { 0x42b17218u, 0x7f800000u }, { 0x42b20000u, 0x7f800000u },
        { 0x43000000u, 0x7f800000u }, { 0x7f7fffffu, 0x7f800000u },
    };

    (void)state;
    recorded_check32(srt_expf, rows, SRT_COUNT(rows));
}

static void expf_underflows_by_way_of_subnormals(void **state)
{
    static const struct recorded32 rows[] = {
        { 0xc2aeac4fu, 0x00800026u }, /* the last normal result */
        { 0xc2aeac50u, 0x007fffe6u }, /* the first subnormal one */
        { 0xc2b00000u, 0x0041edc4u },
        { 0xc2c00000u, 0x000005a9u },
        { 0xc2ce0000u, 0x00000001u },
        { 0xc2ce8ecfu, 0x00000001u },
        { 0xc2ce8ed0u, 0x00000001u },
        { 0xc2cff1b4u, 0x00000001u }, /* the last result above 0 */
        { 0xc2cff1b5u, 0x00000000u },
        { 0xc2d00000u, 0x00000000u },
        { 0xff7fffffu, 0x00000000u },
    };

    (void)state;
    recorded_check32(srt_expf, rows, SRT_COUNT(rows));
}

static void expf_of_the_two_arguments_that_fusing_changes(void **state)
{
    static const struct recorded32 rows[] = {
        { 0x4202422fu, 0x56fc9f1cu }, /* 0x1.04845ep+5 */
        { 0x4202422eu, 0x56fc9edcu }, { 0x42024230u, 0x56fc9f5bu },
        { 0xc27c65d9u, 0x11fa2993u }, /* -0x1.f8cbb2p+5 */
        { 0xc27c65d8u, 0x11fa29d1u }, { 0xc27c65dau, 0x11fa2954u },
        { 0x42004009u, 0x5698e6ccu }, /* a third with the bits they share */
        { 0xc27efffbu, 0x1182873eu }, { 0x4202422du, 0x56fc9e9du },
    };

    (void)state;
    recorded_check32(srt_expf, rows, SRT_COUNT(rows));
}

static void expf_of_ordinary_arguments(void **state)
{
    static const struct recorded32 rows[] = {
        { 0x3f800000u, 0x402df854u }, { 0xbf800000u, 0x3ebc5ab2u },
        { 0x3f000000u, 0x3fd3094cu }, { 0xbf000000u, 0x3f1b4598u },
        { 0x40490fdbu, 0x41b92025u }, { 0xc0490fdbu, 0x3d310113u },
        { 0x3f317218u, 0x40000000u }, { 0xbf317218u, 0x3f000000u },
        { 0x41200000u, 0x46ac14eeu }, { 0xc1200000u, 0x383e6bceu },
        { 0x3dcccccdu, 0x3f8d763eu }, { 0xbdcccccdu, 0x3f67a36du },
        { 0x42b00000u, 0x7ef882b7u }, { 0xc2aa0000u, 0x022586e0u },
        { 0xc1e4cccdu, 0x2ad59f6bu }, { 0xc0a1999au, 0x3bd20560u },
        { 0xbe6f1aa0u, 0x3f4ab0a0u }, { 0xc23c1234u, 0x1d8fc6dcu },
    };

    (void)state;
    recorded_check32(srt_expf, rows, SRT_COUNT(rows));
}

static void expf_of_every_4093rd_float(void **state)
{
    (void)state;
    recorded_check_sum(recorded_sum32(srt_expf, 4093), 0x18336dfb0ca2c87cu);
}

static void expf_never_falls(void **state)
{
    float last = 0.0f;

    (void)state;
    for (uint32_t bits = 0xc2d00000u; bits >= 0x80000000u; bits -= 1021) {
        const float y = srt_expf(srt_float32(bits));

        assert_true(y >= last);
        last = y;
    }
    for (uint32_t bits = 0; bits < 0x42b20000u; bits += 1021) {
        const float y = srt_expf(srt_float32(bits));

        assert_true(y >= last);
        last = y;
    }
}

static void expf_inline_equals_the_function(void **state)
{
    (void)state;
    for (uint64_t bits = 0; bits < (uint64_t)1 << 32; bits += 4111) {
        const float x = srt_float32((uint32_t)bits);

        recorded_check(bits, 0, recorded_bits32(srt_expf_inline(x)),
                       recorded_bits32(srt_expf(x)));
    }
}

static void exp2f_table_holds_the_powers_of_two_less_the_index(void **state)
{
    (void)state;
    assert_true(srt_exp2f_table[0] == srt_bits64(1.0));
    for (size_t i = 1; i < 32; i++) {
        const double low =
            srt_float64(srt_exp2f_table[i - 1] + ((uint64_t)(i - 1) << 47));
        const double high =
            srt_float64(srt_exp2f_table[i] + ((uint64_t)i << 47));
        const double ratio = high / low;

        /* 2^(1/32) within the rounding of both and of the quotient */
        assert_true(ratio > 0x1.059b0d3158573p+0 - 0x1p-51);
        assert_true(ratio < 0x1.059b0d3158575p+0 + 0x1p-51);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expf_of_almost_zero_is_one_or_its_neighbour),
        cmocka_unit_test(expf_of_infinity_and_nan),
        cmocka_unit_test(expf_overflows_past_its_last_argument),
        cmocka_unit_test(expf_underflows_by_way_of_subnormals),
        cmocka_unit_test(expf_of_the_two_arguments_that_fusing_changes),
        cmocka_unit_test(expf_of_ordinary_arguments),
        cmocka_unit_test(expf_of_every_4093rd_float),
        cmocka_unit_test(expf_never_falls),
        cmocka_unit_test(expf_inline_equals_the_function),
        cmocka_unit_test(exp2f_table_holds_the_powers_of_two_less_the_index),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_mlx_exp.c - MLX's e^x: recorded answers, borders, its two roundings
 *
 * Recorded from mlx 0.32.4 on x86-64 Linux, mx.exp on the CPU.
 *
 * SPDX-License-Identifier: MIT
 */
#include "numeric/recorded.h"

#include "numeric/mlx_exp.h"

#include <math.h>

static void mlx_exp_has_the_recorded_values(void **state)
{
    static const struct recorded32 rows[] = {
        { 0x00000000u, 0x3f800000u }, { 0x80000000u, 0x3f800000u },
        { 0x00000001u, 0x3f800000u }, { 0x80000001u, 0x3f800000u },
        { 0x3f800000u, 0x402df854u }, { 0xbf800000u, 0x3ebc5ab2u },
        { 0x41200000u, 0x46ac14efu }, /* 10; expf has ...ee */
        { 0xc1200000u, 0x383e6bceu }, { 0x40490fdbu, 0x41b92023u },
        { 0xc2200000u, 0x229cbc91u }, /* -40; expf has ...ca */
    };

    (void)state;
    recorded_check32(srt_mlx_exp, rows, SRT_COUNT(rows));
}

/* ln 2 / 2: k changes there. */
static void mlx_exp_rounds_its_exponent_half_up(void **state)
{
    static const struct recorded32 rows[] = {
        { 0x3eb17218u, 0x3fb504f4u },
        { 0x3eb17219u, 0x3fb504f4u },
        { 0xbeb17218u, 0x3f3504f4u },
        { 0xbeb17219u, 0x3f3504f3u },
    };

    (void)state;
    recorded_check32(srt_mlx_exp, rows, SRT_COUNT(rows));
}

static void mlx_exp_ends_at_88_and_has_no_smallest_power(void **state)
{
    static const struct recorded32 rows[] = {
        { 0x42b00000u, 0x7ef88299u }, { 0x42b00001u, INF32 },
        { 0xc2aeac50u, 0x00800000u }, { 0xc2af0000u, 0x006cb2b8u },
        { 0xc2afa000u, 0x00000000u }, /* k = -127: its power of two is 0 */
        { 0xc2b00000u, 0x00000000u }, { 0xc2b00001u, 0x00000000u },
        { 0x7f800000u, INF32 },       { 0xff800000u, 0x00000000u },
        { 0x7fc00000u, NAN32 },       { 0xffc00000u, NAN32 },
    };

    (void)state;
    recorded_check32(srt_mlx_exp, rows, SRT_COUNT(rows));
}

static void mlx_exp_of_every_100003rd_float(void **state)
{
    (void)state;
    recorded_check_sum(recorded_sum32(srt_mlx_exp, 100003),
                       0xeb788c180eb2baefu);
}

/*
 * The sum lies a little below the middle between c and the next float, but its
 * double lies in the middle, from where it goes to the even one, which is not
 * c.
 */
static void mlx_exp_fuses_where_a_double_is_too_short(void **state)
{
    const float a = 0x1.000002p-12f, b = 0x1.fffffcp-13f, c = 0x1.000002p+0f;

    (void)state;
    assert_true((float)((double)a * (double)b + (double)c) == 0x1.000004p+0f);
    assert_true(srt_mlx_exp_fused(a, b, c) == c);
    assert_true(srt_mlx_exp_fused(-a, b, -c) == -c);
    assert_true(srt_mlx_exp_fused(0.5f, 0.5f, c) == 0x1.400002p+0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mlx_exp_has_the_recorded_values),
        cmocka_unit_test(mlx_exp_rounds_its_exponent_half_up),
        cmocka_unit_test(mlx_exp_ends_at_88_and_has_no_smallest_power),
        cmocka_unit_test(mlx_exp_of_every_100003rd_float),
        cmocka_unit_test(mlx_exp_fuses_where_a_double_is_too_short),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_row.c - what a row may be, and its narrow types widened
 *
 * SPDX-License-Identifier: MIT
 */
#include "row.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

/* Sign, exponent and fraction as IEEE 754 says, without tricks. */
static double formula(unsigned bits, int n_exponent, int n_fraction)
{
    const int top = (1 << n_exponent) - 1, bias = top / 2;
    const int fraction = (int)(bits & ((1u << n_fraction) - 1));
    const int exponent = (int)(bits >> n_fraction) & top;
    const double sign = bits >> 15 ? -1.0 : 1.0;

    if (exponent == top)
        return fraction ? (double)NAN : sign * HUGE_VAL;
    if (exponent == 0)
        return sign * ldexp(fraction, 1 - bias - n_fraction);
    return sign *
           ldexp(fraction + (1 << n_fraction), exponent - bias - n_fraction);
}

static void check_all_patterns(float (*widen)(uint16_t), int n_exponent,
                               int n_fraction)
{
    for (unsigned bits = 0; bits < 65536; bits++) {
        const float got = widen((uint16_t)bits);
        const double want = formula(bits, n_exponent, n_fraction);

        if (isnan(want)) {
            assert_true(isnan(got));
            continue;
        }
        assert_true((double)got == want);
        assert_true(!signbit(got) == !signbit(want));
    }
}

static float widen_half(uint16_t bits)
{
    return srt_half_to_float(bits);
}

static float widen_bfloat(uint16_t bits)
{
    return srt_bfloat_to_float(bits);
}

static void half_widens_exactly_for_every_pattern(void **state)
{
    (void)state;
    check_all_patterns(widen_half, 5, 10);
}

static void bfloat_widens_exactly_for_every_pattern(void **state)
{
    (void)state;
    check_all_patterns(widen_bfloat, 8, 7);
}

static void half_has_its_known_values(void **state)
{
    (void)state;
    assert_true(srt_half_to_float(0x3c00) == 1.0f);
    assert_true(srt_half_to_float(0x7bff) == 65504.0f);
    assert_true(srt_half_to_float(0x0001) == 0x1p-24f);
    assert_true(srt_half_to_float(0x03ff) == 0x1.ff8p-15f);
    assert_true(srt_half_to_float(0xfc00) == -INFINITY);
}

static void row_at_reads_each_type(void **state)
{
    const float f32[] = { 1.0f, -2.5f };
    const uint16_t f16[] = { 0x3c00, 0xc100 }, bf16[] = { 0x3f80, 0xc020 };
    const sortes_row rows[] = { { f32, 2, SORTES_F32 },
                                { f16, 2, SORTES_F16 },
                                { bf16, 2, SORTES_BF16 } };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        assert_true(srt_row_at(&rows[i], 0) == 1.0f);
        assert_true(srt_row_at(&rows[i], 1) == -2.5f);
    }
}

static void row_check_takes_every_type_and_length(void **state)
{
    const float x[] = { 0.0f };
    const sortes_dtype types[] = { SORTES_F32, SORTES_F16, SORTES_BF16 };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(types); i++) {
        const sortes_row shortest = { x, 1, types[i] };
        const sortes_row longest = { x, INT32_MAX, types[i] };

        assert_int_equal(srt_row_check(&shortest), SORTES_OK);
        assert_int_equal(srt_row_check(&longest), SORTES_OK);
    }
}

static void row_check_refuses_what_is_no_row(void **state)
{
    const float x[] = { 0.0f };
    const sortes_row rows[] = {
        { NULL, 1, SORTES_F32 },
        { x, 0, SORTES_F32 },
        { x, (size_t)INT32_MAX + 1, SORTES_F32 },
        { x, SIZE_MAX, SORTES_BF16 },
        { x, 1, (sortes_dtype)3 },
    };

    (void)state;
    assert_int_equal(srt_row_check(NULL), SORTES_E_ARGUMENT);
    for (size_t i = 0; i < SRT_COUNT(rows); i++)
        assert_int_equal(srt_row_check(&rows[i]), SORTES_E_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_widens_exactly_for_every_pattern),
        cmocka_unit_test(bfloat_widens_exactly_for_every_pattern),
        cmocka_unit_test(half_has_its_known_values),
        cmocka_unit_test(row_at_reads_each_type),
        cmocka_unit_test(row_check_takes_every_type_and_length),
        cmocka_unit_test(row_check_refuses_what_is_no_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

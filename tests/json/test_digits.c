/*
 * test_digits.c - numbers to decimal text
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiler.h"
#include "json/number.h"
#include "numeric/bits.h"
#include "support/rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void text_is_laid_out_as_nlohmann_json_does(void **state)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        { 0.0, "0.0" },
        { -0.0, "-0.0" },
        { 1.0, "1.0" },
        { -1.5, "-1.5" },
        { 0.1, "0.1" },
        { 100.0, "100.0" },
        { 0.001, "0.001" },
        { 0.0001, "0.0001" },
        { 0.00001, "1e-05" },
        { 0.000015, "1.5e-05" },
        { 1e14, "100000000000000.0" },
        { 123456789012345.0, "123456789012345.0" },
        { 1e15, "1e+15" },
        { 1e16, "1e+16" },
        { 1234567890123456.0, "1.234567890123456e+15" },
        { 12345678901234.5, "12345678901234.5" },
        { 1e100, "1e+100" },
        { 1.5e-300, "1.5e-300" },
        { (double)0.8f, "0.800000011920929" },
        { (double)0.95f, "0.949999988079071" },
        { (double)0.05f, "0.05000000074505806" },
        { (double)FLT_MAX, "3.4028234663852886e+38" },
        { -(double)FLT_MAX, "-3.4028234663852886e+38" },
        { DBL_MAX, "1.7976931348623157e+308" },
        { 5e-324, "5e-324" },
        { 2.2250738585072014e-308, "2.2250738585072014e-308" },
    };
    char text[SRT_DOUBLE_TEXT];

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        assert_int_equal(srt_double_to_text(rows[i].value, text),
                         strlen(rows[i].text));
        assert_string_equal(text, rows[i].text);
    }
}

static void text_reads_back_as_the_same_double(void **state)
{
    struct rows_random r = { 20250101 };
    char text[SRT_DOUBLE_TEXT];

    (void)state;
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = rows_bits(&r), back;
        double value, read;
        size_t n;

        if (i % 3 == 0) /* powers of two: gaps of different width around */
            bits &= UINT64_C(0xFFF0000000000000);
        if (i % 7 == 0) /* subnormals */
            bits &= UINT64_C(0x800FFFFFFFFFFFFF);
        value = srt_float64(bits);
        if (!isfinite(value))
            continue;
        n = srt_double_to_text(value, text);
        assert_int_equal(srt_decimal_length(text, n), n);
        read = srt_decimal_to_double(text, n);
        memcpy(&back, &read, sizeof(back));
        assert_true(back == bits);
    }
}

/* One digit less, rounded either way, is another double. */
static void text_has_no_digit_too_many(void **state)
{
    struct rows_random r = { 77 };
    char text[SRT_DOUBLE_TEXT + 1], *end;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        double value = srt_float64((rows_bits(&r) >> 12) |
                                   UINT64_C(0x3FF0000000000000)); /* [1, 2) */
        size_t n = srt_double_to_text(value, text);

        end = text + n - 1;
        if (n < 4) /* "1.0" */
            continue;
        assert_true(srt_decimal_to_double(text, n - 1) != value);
        while (*--end == '9')
            assert_true(end > text + 2);
        if (end > text + 1) {
            ++*end;
            assert_true(srt_decimal_to_double(text, (size_t)(end - text) + 1) !=
                        value);
        }
    }
}

static void fixed_prints_as_printf_does(void **state)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        { 0.0, "0.000000" },
        { -0.0, "-0.000000" },
        { 1.0, "1.000000" },
        { 0.123456789, "0.123457" },
        { (double)0.7f, "0.700000" },
        { (double)0.99f, "0.990000" },
        { 4.4e-7, "0.000000" },
        { 5e-7, "0.000000" },   /* the double is a little below */
        { 1.5e-6, "0.000002" }, /* and this one is, to even or not */
        { 0.5e-6 + 1e-9, "0.000001" },
        { 0.9999995, "1.000000" },
        { 0.99999951, "1.000000" },
        { 7.62939453125e-06, "0.000008" },     /* 2^-17 */
        { 0.0000152587890625, "0.000015" },    /* 2^-16 */
        { 0.0009765625, "0.000977" },          /* 2^-10 */
        { 0.015625, "0.015625" },              /* 2^-6, exact */
        { 0.0078125, "0.007812" },             /* 2^-7: a tie, to even */
        { 0.0234375, "0.023438" },             /* 3 * 2^-7: a tie, to even */
        { -123456.7890625, "-123456.789062" }, /* a tie, to even */
        { 1e15, "1000000000000000.000000" },
        { 1e22, "10000000000000000000000.000000" },
        { (double)FLT_MAX, "340282346638528859811704183484516925440.000000" },
        { 5e-324, "0.000000" },
        { HUGE_VAL, "inf" },
        { -HUGE_VAL, "-inf" },
    };
    char text[SRT_FIXED_TEXT];

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        assert_int_equal(srt_double_to_fixed(rows[i].value, text),
                         strlen(rows[i].text));
        assert_string_equal(text, rows[i].text);
    }
    srt_double_to_fixed(srt_float64(UINT64_C(0x7FF8000000000000)), text);
    assert_string_equal(text, "nan");
    srt_double_to_fixed(srt_float64(UINT64_C(0xFFF8000000000000)), text);
    assert_string_equal(text, "-nan");
}

static void fixed_prints_the_largest_double_whole(void **state)
{
    char text[SRT_FIXED_TEXT];

    (void)state;
    assert_int_equal(srt_double_to_fixed(-DBL_MAX, text), 317);
    assert_memory_equal(text, "-17976931348623157081452742373", 30);
    assert_string_equal(text + 303, "4858368.000000");
}

static void whole_numbers_are_printed_whole(void **state)
{
    static const struct {
        int64_t value;
        const char *text;
    } rows[] = {
        { 0, "0" },
        { 7, "7" },
        { -10, "-10" },
        { INT64_MAX, "9223372036854775807" },
        { INT64_MIN, "-9223372036854775808" },
    };
    char text[SRT_WHOLE_TEXT];

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        assert_int_equal(srt_integer_to_text(rows[i].value, text),
                         strlen(rows[i].text));
        assert_string_equal(text, rows[i].text);
    }
    assert_int_equal(srt_whole_to_text(UINT64_MAX, true, text), 21);
    assert_string_equal(text, "-18446744073709551615");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_laid_out_as_nlohmann_json_does),
        cmocka_unit_test(text_reads_back_as_the_same_double),
        cmocka_unit_test(text_has_no_digit_too_many),
        cmocka_unit_test(fixed_prints_as_printf_does),
        cmocka_unit_test(fixed_prints_the_largest_double_whole),
        cmocka_unit_test(whole_numbers_are_printed_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

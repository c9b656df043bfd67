/*
 * test_coerce.c - JSON numbers as nlohmann::json converts them, and strtol
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "params/coerce.h"

#include <math.h>
#include <string.h>

static struct srt_json_document document;

static const struct srt_json *read_value(const char *text)
{
    sortes_error err;

    if (srt_json_read(&document, text, strlen(text), &err) != SORTES_OK)
        fail_msg("%s: %s", text, err.text);
    return document.root;
}

/* What each C type becomes; floats as bits. */
static const struct {
    const char *text;
    int64_t i32, u32, i64;
    float f32;
} cast_rows[] = {
    { "0", 0, 0, 0, 0.0f },
    { "-0", 0, 0, 0, 0.0f },
    { "-0.0", 0, 0, 0, -0.0f },
    { "1", 1, 1, 1, 1.0f },
    { "-1", -1, 4294967295, -1, -1.0f },
    { "2.9", 2, 2, 2, 2.9f },
    { "-2.9", -2, 4294967294, -2, -2.9f },
    { "1e2", 100, 100, 100, 100.0f },
    { "2147483647", INT32_MAX, INT32_MAX, INT32_MAX, 2147483648.0f },
    { "2147483648", INT32_MIN, 2147483648, 2147483648, 2147483648.0f },
    { "3000000000", -1294967296, 3000000000, 3000000000, 3e9f },
    { "4294967296", 0, 0, 4294967296, 4294967296.0f },
    { "4294967297", 1, 1, 4294967297, 4294967296.0f },
    { "-4294967297", -1, 4294967295, -4294967297, -4294967296.0f },
    { "9223372036854775807", -1, 4294967295, INT64_MAX,
      9223372036854775808.0f },
    { "9223372036854775808", 0, 0, INT64_MIN, 9223372036854775808.0f },
    { "18446744073709551615", -1, 4294967295, -1, 18446744073709551616.0f },
    /* beyond 64 bits, and everything with a point or exponent: doubles */
    { "18446744073709551616", INT32_MIN, 0, INT64_MIN,
      18446744073709551616.0f },
    { "-9223372036854775808", 0, 0, INT64_MIN, -9223372036854775808.0f },
    { "-9223372036854775809", INT32_MIN, 0, INT64_MIN,
      -9223372036854775808.0f },
    { "2147483648.0", INT32_MIN, 2147483648, 2147483648, 2147483648.0f },
    { "-2147483648.9", INT32_MIN, 2147483648, INT32_MIN, -2147483648.0f },
    { "3e9", INT32_MIN, 3000000000, 3000000000, 3e9f },
    { "1e10", INT32_MIN, 1410065408, 10000000000, 1e10f },
    { "-1e10", INT32_MIN, 2884901888, -10000000000, -1e10f },
    { "1e20", INT32_MIN, 0, INT64_MIN, 1e20f },
    { "1e39", INT32_MIN, 0, INT64_MIN, HUGE_VALF },
    { "-1e39", INT32_MIN, 0, INT64_MIN, -HUGE_VALF },
    { "1e-50", 0, 0, 0, 0.0f },
    { "1e-40", 0, 0, 0, 1e-40f },
    /* an integer is rounded once, a double was rounded before */
    { "16777217", 16777217, 16777217, 16777217, 16777216.0f },
    { "9007199791611905", 536870913, 536870913, 9007199791611905,
      9007200328482816.0f },
    { "9007199791611905.0", INT32_MIN, 536870912, 9007199791611904,
      9007199254740992.0f },
};

static void coerce_converts_as_static_cast_does(void **state)
{
    (void)state;
    for (size_t i = 0; i < SRT_COUNT(cast_rows); i++) {
        const struct srt_json *v = read_value(cast_rows[i].text);
        struct srt_field_value got[4];

        assert_true(srt_coerce(v, SRT_AS_i32, &got[0]));
        assert_true(srt_coerce(v, SRT_AS_u32, &got[1]));
        assert_true(srt_coerce(v, SRT_AS_i64, &got[2]));
        assert_true(srt_coerce(v, SRT_AS_f32, &got[3]));
        if (got[0].integer != cast_rows[i].i32 ||
            got[1].integer != cast_rows[i].u32 ||
            got[2].integer != cast_rows[i].i64 ||
            memcmp(&got[3].number, &cast_rows[i].f32, sizeof(float)) != 0)
            fail_msg("%s: %lld %lld %lld %a", cast_rows[i].text,
                     (long long)got[0].integer, (long long)got[1].integer,
                     (long long)got[2].integer, (double)got[3].number);
        srt_json_free(&document);
    }
}

static void coerce_takes_booleans_as_numbers_but_not_in_64_bits(void **state)
{
    struct srt_field_value value;
    const struct srt_json *v = read_value("true");

    (void)state;
    assert_true(srt_coerce(v, SRT_AS_i32, &value));
    assert_int_equal(value.integer, 1);
    assert_true(srt_coerce(v, SRT_AS_u32, &value));
    assert_int_equal(value.integer, 1);
    assert_true(srt_coerce(v, SRT_AS_f32, &value));
    assert_true(value.number == 1.0f);
    assert_true(srt_coerce(v, SRT_AS_boolean, &value));
    assert_int_equal(value.integer, 1);
    assert_false(srt_coerce(v, SRT_AS_i64, &value));
    srt_json_free(&document);
    v = read_value("false");
    assert_true(srt_coerce(v, SRT_AS_boolean, &value));
    assert_int_equal(value.integer, 0);
    srt_json_free(&document);
}

static void coerce_refuses_other_types(void **state)
{
    static const char *const rows[] = { "null", "\"1\"", "[1]", "{}" };
    struct srt_field_value value;

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        const struct srt_json *v = read_value(rows[i]);

        assert_false(srt_coerce(v, SRT_AS_i32, &value));
        assert_false(srt_coerce(v, SRT_AS_u32, &value));
        assert_false(srt_coerce(v, SRT_AS_i64, &value));
        assert_false(srt_coerce(v, SRT_AS_f32, &value));
        assert_false(srt_coerce(v, SRT_AS_boolean, &value));
        srt_json_free(&document);
    }
    assert_false(srt_coerce(read_value("1"), SRT_AS_boolean, &value));
    srt_json_free(&document);
}

static void whole_and_overflowing_numbers_are_told_apart(void **state)
{
    static const struct {
        const char *text;
        bool whole, overflows;
    } rows[] = {
        { "12", true, false },
        { "-12", true, false },
        { "18446744073709551615", true, false },
        { "18446744073709551616", false, false },
        { "-9223372036854775809", false, false },
        { "12.0", false, false },
        { "1e2", false, false },
        { "\"1\"", false, false },
        { "1e308", false, false },
        { "1e309", false, true },
        { "-1e309", false, true },
        { "1e-999", false, false },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        const struct srt_json *v = read_value(rows[i].text);

        assert_int_equal(srt_is_whole(v), rows[i].whole);
        assert_int_equal(srt_check_numbers(v, NULL) != SORTES_OK,
                         rows[i].overflows);
        srt_json_free(&document);
    }
}

static void strtol_reads_as_the_c_library_does(void **state)
{
    static const struct {
        const char *text;
        size_t n, end;
        int64_t value;
    } rows[] = {
        { "", 0, 0, 0 },
        { " ", 1, 0, 0 },
        { "-", 1, 0, 0 },
        { "12", 2, 2, 12 },
        { "12", 1, 1, 1 },
        { " \t\n\v\f\r-7x", 9, 8, -7 },
        { "+5", 2, 2, 5 },
        { "+-5", 3, 0, 0 },
        { "0x10", 4, 1, 0 },
        { "007", 3, 3, 7 },
        { "12.5", 4, 2, 12 },
        { "1 2", 3, 1, 1 },
        { "12\0"
          "34",
          5, 2, 12 },
        { "9223372036854775807", 19, 19, INT64_MAX },
        { "9223372036854775808", 19, 19, INT64_MAX },
        { "-9223372036854775808", 20, 20, INT64_MIN },
        { "-9223372036854775809", 20, 20, INT64_MIN },
        { "99999999999999999999999", 23, 23, INT64_MAX },
        { "-99999999999999999999999", 24, 24, INT64_MIN },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        size_t end = 99;
        int64_t value = srt_strtol(rows[i].text, rows[i].n, &end);

        if (value != rows[i].value || end != rows[i].end)
            fail_msg("%s: %lld, %zu", rows[i].text, (long long)value, end);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coerce_converts_as_static_cast_does),
        cmocka_unit_test(coerce_takes_booleans_as_numbers_but_not_in_64_bits),
        cmocka_unit_test(coerce_refuses_other_types),
        cmocka_unit_test(whole_and_overflowing_numbers_are_told_apart),
        cmocka_unit_test(strtol_reads_as_the_c_library_does),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_number.c - decimal text to the nearest double and float
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

#include <string.h>

/* Expected bits: exact rational arithmetic, rounded once to each format. */
static const struct {
    const char *text;
    uint64_t as_double;
    uint32_t as_float;
} number_rows[] = {
    { "0", UINT64_C(0x0000000000000000), 0x00000000 },
    { "-0", UINT64_C(0x8000000000000000), 0x80000000 },
    { "0.0", UINT64_C(0x0000000000000000), 0x00000000 },
    { "1", UINT64_C(0x3ff0000000000000), 0x3f800000 },
    { "-1", UINT64_C(0xbff0000000000000), 0xbf800000 },
    { "0.1", UINT64_C(0x3fb999999999999a), 0x3dcccccd },
    { "0.5", UINT64_C(0x3fe0000000000000), 0x3f000000 },
    { "3", UINT64_C(0x4008000000000000), 0x40400000 },
    { "1e22", UINT64_C(0x4480f0cf064dd592), 0x64078678 },
    { "1e23", UINT64_C(0x44b52d02c7e14af6), 0x65a96816 },
    { "8.5", UINT64_C(0x4021000000000000), 0x41080000 },
    { "9007199254740992", UINT64_C(0x4340000000000000), 0x5a000000 },
    { "9007199254740993", UINT64_C(0x4340000000000000), 0x5a000000 },
    { "9007199254740994", UINT64_C(0x4340000000000001), 0x5a000000 },
    { "9007199254740995", UINT64_C(0x4340000000000002), 0x5a000000 },
    { "9007199254740993.0000000000000000001", UINT64_C(0x4340000000000001),
      0x5a000000 },
    { "1.7976931348623157e308", UINT64_C(0x7fefffffffffffff), 0x7f800000 },
    { "1.7976931348623158e308", UINT64_C(0x7fefffffffffffff), 0x7f800000 },
    { "1.7976931348623159e308", UINT64_C(0x7ff0000000000000), 0x7f800000 },
    { "1e308", UINT64_C(0x7fe1ccf385ebc8a0), 0x7f800000 },
    { "1e309", UINT64_C(0x7ff0000000000000), 0x7f800000 },
    { "-1e309", UINT64_C(0xfff0000000000000), 0xff800000 },
    { "4.9e-324", UINT64_C(0x0000000000000001), 0x00000000 },
    { "2.4703282292062327e-324", UINT64_C(0x0000000000000000), 0x00000000 },
    { "2.4703282292062328e-324", UINT64_C(0x0000000000000001), 0x00000000 },
    { "-2.5e-324", UINT64_C(0x8000000000000001), 0x80000000 },
    { "5e-324", UINT64_C(0x0000000000000001), 0x00000000 },
    { "2.2250738585072014e-308", UINT64_C(0x0010000000000000), 0x00000000 },
    { "2.2250738585072011e-308", UINT64_C(0x000fffffffffffff), 0x00000000 },
    { "2.225073858507201e-308", UINT64_C(0x000fffffffffffff), 0x00000000 },
    { "1.1754943508222875e-38", UINT64_C(0x3810000000000000), 0x00800000 },
    { "7.0064923216240854e-46", UINT64_C(0x3690000000000000), 0x00000001 },
    { "7.0064923216240853e-46", UINT64_C(0x3690000000000000), 0x00000000 },
    { "3.4028234663852886e38", UINT64_C(0x47efffffe0000000), 0x7f7fffff },
    { "3.4028235677973366e38", UINT64_C(0x47effffff0000000), 0x7f7fffff },
    { "3.4028235677973365e38", UINT64_C(0x47effffff0000000), 0x7f7fffff },
    { "16777217", UINT64_C(0x4170000010000000), 0x4b800000 },
    { "16777217.0000000000000000000001", UINT64_C(0x4170000010000000),
      0x4b800001 },
    { "16777216.99999999", UINT64_C(0x417000000ffffffd), 0x4b800000 },
    { "0.8", UINT64_C(0x3fe999999999999a), 0x3f4ccccd },
    { "0.95", UINT64_C(0x3fee666666666666), 0x3f733333 },
    { "0.05", UINT64_C(0x3fa999999999999a), 0x3d4ccccd },
    { "1.00000005960464477539", UINT64_C(0x3ff0000010000000), 0x3f800000 },
    { "1.000000059604644775390625", UINT64_C(0x3ff0000010000000), 0x3f800000 },
    { "1.0000000596046447753906251", UINT64_C(0x3ff0000010000000), 0x3f800001 },
    { "123456789012345678901234567890", UINT64_C(0x45f8ee90ff6c373e),
      0x6fc77488 },
    { "+2.5", UINT64_C(0x4004000000000000), 0x40200000 },
    { "5.", UINT64_C(0x4014000000000000), 0x40a00000 },
    { ".5", UINT64_C(0x3fe0000000000000), 0x3f000000 },
    { "5e0", UINT64_C(0x4014000000000000), 0x40a00000 },
    { "5E+2", UINT64_C(0x407f400000000000), 0x43fa0000 },
    { "6.9294956446009195e15", UINT64_C(0x43389e56ee5e7a58), 0x59c4f2b7 },
    { "89255e-22", UINT64_C(0x3c6494af6ce5221f), 0x2324a57b },
    { "9.5367431640625e-07", UINT64_C(0x3eb0000000000000), 0x35800000 },
    { "1e-45", UINT64_C(0x3696d601ad376ab9), 0x00000001 },
    { "1.17549421e-38", UINT64_C(0x380fffffbfaf0a2a), 0x007fffff },
    { "179769313486231580793e289", UINT64_C(0x7ff0000000000000), 0x7f800000 },
    { "0.000000000000000000000000000000000000000000000000000001e54",
      UINT64_C(0x3ff0000000000000), 0x3f800000 },
    { "1e999999999999999999999", UINT64_C(0x7ff0000000000000), 0x7f800000 },
    { "-1e999999999999999999999", UINT64_C(0xfff0000000000000), 0xff800000 },
    { "1e-999999999999999999999", 0, 0 },
    { "0e999999999999999999999", 0, 0 },
};

static void decimal_rounds_to_the_nearest(void **state)
{
    (void)state;
    for (size_t i = 0; i < SRT_COUNT(number_rows); i++) {
        const char *text = number_rows[i].text;
        size_t n = strlen(text);

        if (srt_bits64(srt_decimal_to_double(text, n)) !=
            number_rows[i].as_double)
            fail_msg(
                "double of %s is %016llx", text,
                (unsigned long long)srt_bits64(srt_decimal_to_double(text, n)));
        if (srt_bits32(srt_decimal_to_float(text, n)) !=
            number_rows[i].as_float)
            fail_msg("float of %s is %08x", text,
                     srt_bits32(srt_decimal_to_float(text, n)));
    }
}

/* 1 + 2^-53: halfway, so even; anything behind it tips it, however far. */
static const char midpoint[] =
    "1.00000000000000011102230246251565404236316680908203125";

static void decimal_takes_a_midpoint_to_even(void **state)
{
    (void)state;
    assert_true(srt_bits64(srt_decimal_to_double(midpoint, strlen(midpoint))) ==
                UINT64_C(0x3ff0000000000000));
}

static void decimal_sees_a_digit_behind_800_others(void **state)
{
    char text[2000];
    size_t n = strlen(midpoint);

    (void)state;
    memset(text, '0', sizeof(text));
    memcpy(text, midpoint, n);
    for (size_t at = n; at < sizeof(text); at += 97) {
        text[at] = '1';
        assert_true(srt_bits64(srt_decimal_to_double(text, at + 1)) ==
                    UINT64_C(0x3ff0000000000001));
        text[at] = '0';
        assert_true(srt_bits64(srt_decimal_to_double(text, at + 1)) ==
                    UINT64_C(0x3ff0000000000000));
    }
}

/* The border between 0 and the least subnormal has 752 digits. */
static void decimal_reads_the_longest_midpoint(void **state)
{
    static const char half_of_least[] =
        "247032822920623272088284396434110686182529901307162382212792841250"
        "337753635104375932649918180817996189898282347722858865463328355177"
        "969898199387398005390939063150356595155702263922908583924491051844"
        "359318028499365361525003193704576782492193656236698636584807570015"
        "857692699037063119282795585513329278343384093519780155312465972635"
        "795746227664652728272200563740064854999770965994704540208281662262"
        "378573934507363390079677619305775067401763246736009689513405355374"
        "585166611342237666786041621596804619144672918403005300575308490487"
        "653917113865916462395249126236538818796362393732804238910186723484"
        "976682350898633885879256283027559956575244555072551893136908362547"
        "791869486679949683240497058210285131854513962138377228261454376934"
        "12532098591327667236328125";
    char text[1000];
    size_t n = strlen(half_of_least);

    (void)state;
    memcpy(text, half_of_least, n);
    memcpy(text + n, "e-1075", 7);
    assert_int_equal(n, 752);
    assert_true(srt_bits64(srt_decimal_to_double(text, n + 6)) == 0);
    memcpy(text + n, "1e-1076", 8);
    assert_true(srt_bits64(srt_decimal_to_double(text, n + 7)) == 1);
}

static void decimal_takes_zeros_without_end(void **state)
{
    char text[5000];

    (void)state;
    memset(text, '0', sizeof(text));
    assert_true(srt_bits64(srt_decimal_to_double(text, sizeof(text))) == 0);
    text[0] = '1';
    memcpy(text + 4000, "e-3999", 6);
    assert_true(srt_decimal_to_double(text, 4006) == 1.0);
    memset(text, '0', sizeof(text));
    text[1] = '.';
    memcpy(text + 4000, "25e4000", 7); /* 3,998 zeros first */
    assert_true(srt_decimal_to_double(text, 4007) == 25.0);
}

static void decimal_length_stops_where_strtod_does(void **state)
{
    static const struct {
        const char *text;
        size_t n;
    } rows[] = {
        { "", 0 },      { "-", 0 },      { "+", 0 },     { ".", 0 },
        { "-.", 0 },    { "e5", 0 },     { ".e5", 0 },   { "x", 0 },
        { " 1", 0 },    { "inf", 0 },    { "nan", 0 },   { "1", 1 },
        { "-1", 2 },    { "+1", 2 },     { "--1", 0 },   { "1.", 2 },
        { ".1", 2 },    { "1.5", 3 },    { "1.5.5", 3 }, { "1e", 1 },
        { "1e+", 1 },   { "1e5", 3 },    { "1E-5", 4 },  { "1e5e5", 3 },
        { "0x10", 1 },  { "1,5", 1 },    { "1 ", 1 },    { "00012", 5 },
        { "1e5.5", 3 }, { "1.e+3x", 5 },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++)
        assert_int_equal(srt_decimal_length(rows[i].text, strlen(rows[i].text)),
                         rows[i].n);
    assert_int_equal(srt_decimal_length("123", 2), 2);
}

static void whole_takes_64_bits_of_digits_and_nothing_else(void **state)
{
    static const char *const refused[] = { "",   "-1",  "+1",
                                           "1 ", "1.0", "18446744073709551616",
                                           ":",  "/" };
    uint64_t value;

    (void)state;
    assert_true(srt_whole_from_text("18446744073709551615", 20, &value));
    assert_true(value == UINT64_MAX);
    assert_true(srt_whole_from_text("00123", 4, &value));
    assert_int_equal(value, 12);
    for (size_t i = 0; i < SRT_COUNT(refused); i++)
        assert_false(
            srt_whole_from_text(refused[i], strlen(refused[i]), &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimal_rounds_to_the_nearest),
        cmocka_unit_test(decimal_takes_a_midpoint_to_even),
        cmocka_unit_test(decimal_sees_a_digit_behind_800_others),
        cmocka_unit_test(decimal_reads_the_longest_midpoint),
        cmocka_unit_test(decimal_takes_zeros_without_end),
        cmocka_unit_test(decimal_length_stops_where_strtod_does),
        cmocka_unit_test(whole_takes_64_bits_of_digits_and_nothing_else),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

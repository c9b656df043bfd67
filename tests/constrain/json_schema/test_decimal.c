/*
 * test_decimal.c - decimal digits, compared and divided exactly
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/json_schema/decimal.h"

#include <string.h>

static struct srt_decimal decimal(const char *text)
{
    struct srt_decimal d;

    assert_true(srt_decimal_read(&d, text, strlen(text)));
    return d;
}

static int order(const char *a, const char *b)
{
    const struct srt_decimal x = decimal(a), y = decimal(b);

    return srt_decimal_compare(&x, &y);
}

static void equal_values_are_equal(void **state)
{
    static const char *const same[][2] = {
        { "1", "1.0" },     { "1e2", "100" },  { "0", "-0" },
        { "0.10", "1e-1" }, { "0e9", "0.00" }, { "1200e-2", "12" },
        { "-5", "-5.0" },   { "10", "1E1" },   { "1e+2", "100" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
        const struct srt_decimal a = decimal(same[i][0]);
        const struct srt_decimal b = decimal(same[i][1]);

        assert_memory_equal(&a, &b, sizeof(a));
    }
}

static void order_is_that_of_the_numbers(void **state)
{
    static const char *const ascending[] = {
        "-1e400", "-10", "-9.99", "-1", "-0.1", "-0.09", "0",  "1e-300",
        "0.09",   "0.1", "0.11",  "1",  "1.01", "9.99",  "10", "1e400",
    };
    const int n = (int)(sizeof(ascending) / sizeof(ascending[0]));

    (void)state;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            assert_int_equal(order(ascending[i], ascending[k]),
                             (i > k) - (i < k));
}

static bool divides(const char *by, const char *value)
{
    const struct srt_decimal m = decimal(by), v = decimal(value);
    struct srt_divisor d;

    assert_true(srt_divisor_from(&d, &m));
    return srt_decimal_divides(&d, &v);
}

static void division_is_exact(void **state)
{
    (void)state;
    assert_true(divides("0.01", "0.07"));
    assert_true(divides("0.01", "-4.35"));
    assert_false(divides("0.01", "1.255"));
    assert_true(divides("7", "1e0") == false && divides("7", "49"));
    assert_true(divides("0.5", "1e300"));
    assert_true(divides("3", "111111111111111111111111111"));
    assert_false(divides("3", "111111111111111111111111112"));
    assert_true(divides("20", "100") && !divides("20", "30"));
    assert_true(divides("123456789", "0"));
}

static void check_lcm(const char *a, const char *b, const char *wanted)
{
    const struct srt_decimal x = decimal(a), y = decimal(b);
    struct srt_decimal w = decimal(wanted), got = { 0 };
    struct srt_divisor m, n;

    assert_true(srt_divisor_from(&m, &x) && srt_divisor_from(&n, &y));
    assert_true(srt_divisor_lcm(&m, &n));
    /* The least positive multiple is the divisor itself. */
    assert_true(srt_decimal_next_multiple(&got, &m, true));
    assert_int_equal(srt_decimal_compare(&got, &w), 0);
}

static void least_common_multiples(void **state)
{
    (void)state;
    check_lcm("4", "6", "12");
    check_lcm("0.5", "0.2", "1");
    check_lcm("0.01", "10", "10");
    check_lcm("0.3", "10", "30");
    check_lcm("25", "0.02", "25");
    check_lcm("0.04", "1", "1");
    check_lcm("0.08", "10", "10");
    check_lcm("0.75", "2", "6");
    check_lcm("1e300", "3", "3e300");
}

static void check_next(const char *by, const char *from, bool above,
                       const char *wanted)
{
    const struct srt_decimal m = decimal(by), w = decimal(wanted);
    struct srt_decimal d = decimal(from);
    struct srt_divisor divisor;

    assert_true(srt_divisor_from(&divisor, &m));
    assert_true(srt_decimal_next_multiple(&d, &divisor, above));
    assert_int_equal(srt_decimal_compare(&d, &w), 0);
}

static void the_next_multiple(void **state)
{
    (void)state;
    check_next("7", "15", false, "21");
    check_next("7", "14", false, "14");
    check_next("7", "14", true, "21");
    check_next("7", "14.001", false, "21");
    check_next("0.01", "0.255", false, "0.26");
    check_next("1", "0.999", false, "1");
    check_next("10", "99999999999999999999", false, "100000000000000000000");
    check_next("3", "0", true, "3");
}

static void limits(void **state)
{
    static char long_text[2000];
    struct srt_decimal d;
    struct srt_divisor m;

    (void)state;
    memset(long_text, '1', sizeof(long_text));
    assert_false(srt_decimal_read(&d, long_text, sizeof(long_text)));
    memset(long_text + 1, '0', sizeof(long_text) - 1);
    assert_false(srt_decimal_read(&d, long_text, sizeof(long_text)));
    assert_false(srt_decimal_read(&d, "1e1001", 6));
    assert_false(srt_decimal_read(&d, "1e99999999999999999999", 22));
    assert_true(srt_decimal_read(&d, "0e99999999999999999999", 22));
    d = decimal("1234567890123456789");
    assert_false(srt_divisor_from(&m, &d));
    d = decimal("0");
    assert_false(srt_divisor_from(&m, &d));
    d = decimal("-1");
    assert_false(srt_divisor_from(&m, &d));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_values_are_equal),
        cmocka_unit_test(order_is_that_of_the_numbers),
        cmocka_unit_test(division_is_exact),
        cmocka_unit_test(least_common_multiples),
        cmocka_unit_test(the_next_multiple),
        cmocka_unit_test(limits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

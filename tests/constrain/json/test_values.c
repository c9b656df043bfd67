/*
 * test_values.c - equal values are equal bytes
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "compiler.h"
#include "constrain/json/values.h"

#include <stdlib.h>

static void check_number(const char *text, const char *want)
{
    struct srt_value_bytes to = { NULL, 0, 0 };
    size_t n;
    const char *got;

    assert_int_equal(srt_value_put_number(&to, text, strlen(text)), SORTES_OK);
    got = srt_value_text(to.at, &n);
    assert_int_equal(to.n, srt_value_size(to.at));
    if (n != strlen(want) || memcmp(got, want, n) != 0)
        fail_msg("%s: %.*s, not %s", text, (int)n, got, want);
    free(to.at);
}

static void numbers_are_digits_and_a_power(void **state)
{
    (void)state;
    check_number("0", "0");
    check_number("-0.000e17", "0");
    check_number("1", "1e0");
    check_number("1.0", "1e0");
    check_number("10e-1", "1e0");
    check_number("0.001E3", "1e0");
    check_number("-120", "-12e1");
    check_number("-12.50", "-125e-1");
    check_number("1.5e+05", "15e4");
    check_number("100e-5", "1e-3");
    check_number("1e99999999999999999999999", "1e99999999999999999999999");
    check_number("10e99999999999999999999999", "1e100000000000000000000000");
    check_number("0.1e-99999999999999999999999", "1e-100000000000000000000000");
    check_number("10e-100000000000000000000000", "1e-99999999999999999999999");
    check_number("0.01e2", "1e0");
    check_number("1000e-1", "1e2");
}

static void put_text(struct srt_value_bytes *to, const char *text)
{
    assert_int_equal(srt_value_put(to, SRT_VALUE_STRING, text, strlen(text)),
                     SORTES_OK);
}

static void members_have_no_order(void **state)
{
    struct srt_value_bytes parts = { NULL, 0, 0 }, one = { NULL, 0, 0 },
                           other = { NULL, 0, 0 };
    size_t at[6];
    const char *a[6], *b[6];
    static const char *const texts[] = { "b", "1", "", "2", "ba", "3" };

    (void)state;
    for (size_t i = 0; i < 6; i++) {
        at[i] = parts.n;
        put_text(&parts, texts[i]);
    }
    for (size_t i = 0; i < 6; i++) {
        a[i] = parts.at + at[i];
        b[i] = parts.at + at[(i + 2) % 6];
    }
    assert_int_equal(srt_value_put_container(&one, SRT_VALUE_OBJECT, a, 6),
                     SORTES_OK);
    assert_int_equal(srt_value_put_container(&other, SRT_VALUE_OBJECT, b, 6),
                     SORTES_OK);
    assert_true(srt_value_equal(one.at, other.at));
    assert_true(srt_value_equal(srt_value_member(one.at, "ba", 2), a[5]));
    assert_true(
        srt_value_equal(srt_value_member(one.at, "", 0), parts.at + at[3]));
    assert_null(srt_value_member(one.at, "a", 1));
    assert_null(srt_value_member(one.at, "bb", 2));
    free(parts.at);
    free(one.at);
    free(other.at);
}

static void items_have_one(void **state)
{
    struct srt_value_bytes parts = { NULL, 0, 0 }, ab = { NULL, 0, 0 },
                           ba = { NULL, 0, 0 };
    const char *a, *b;
    size_t second;

    (void)state;
    put_text(&parts, "a");
    second = parts.n;
    put_text(&parts, "b");
    a = parts.at;
    b = parts.at + second;
    assert_int_equal(srt_value_put_container(&ab, SRT_VALUE_ARRAY,
                                             (const char *[]){ a, b }, 2),
                     SORTES_OK);
    assert_int_equal(srt_value_put_container(&ba, SRT_VALUE_ARRAY,
                                             (const char *[]){ b, a }, 2),
                     SORTES_OK);
    assert_false(srt_value_equal(ab.at, ba.at));
    assert_true(srt_value_equal(srt_value_next(ab.at, NULL), a));
    assert_true(
        srt_value_equal(srt_value_next(ab.at, srt_value_next(ab.at, NULL)), b));
    free(parts.at);
    free(ab.at);
    free(ba.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_digits_and_a_power),
        cmocka_unit_test(members_have_no_order),
        cmocka_unit_test(items_have_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_show.c - tests of cli/show.c
 *
 * SPDX-License-Identifier: MIT
 */
#include "show.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static void check_quoted(const char *text, const char *expected)
{
    char out[64];
    show_quoted(out, sizeof(out), text, strlen(text), 8);
    assert_string_equal(out, expected);
}

static void show_number_groups_thousands(void **state)
{
    static const struct {
        uint64_t number;
        const char *text;
    } cases[] = { { 0, "0" },
                  { 999, "999" },
                  { 1000, "1,000" },
                  { 49152, "49,152" },
                  { 1234567, "1,234,567" },
                  { UINT64_MAX, "18,446,744,073,709,551,615" } };
    char out[32];
    (void)state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        show_number(out, sizeof(out), cases[i].number);
        assert_string_equal(out, cases[i].text);
    }
}

static void show_quoted_escapes_what_cannot_be_seen(void **state)
{
    (void)state;
    check_quoted(" the", "\" the\"");
    check_quoted("\n\t\r\\", "\"\\n\\t\\r\\\\\"");
    check_quoted("\x1B[2J", "\"\\x1B[2J\"");
    check_quoted("x\xE2\x82", "\"x\\xE2\\x82\"");
    check_quoted("\xE2\x82\xAC", "\"\xE2\x82\xAC\"");
}

static void show_quoted_picks_the_quotes_that_need_no_escape(void **state)
{
    (void)state;
    check_quoted(" \"", "' \"'");
    check_quoted("don't", "\"don't\"");
    check_quoted("\"it's", "\"\\\"it's\"");
}

static void show_quoted_cuts_long_pieces(void **state)
{
    (void)state;
    check_quoted("12345678", "\"12345678\"");
    check_quoted("123456789", "\"12345678...\"");
}

static void show_quoted_stays_in_its_room(void **state)
{
    char out[24];
    (void)state;

    memset(out, '#', sizeof(out));
    show_quoted(out, 20, "\x01\x02\x03\x04\x05\x06\x07\x08", 8, 8);
    assert_true(strlen(out) < 20);
    assert_memory_equal(out + 20, "####", 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(show_number_groups_thousands),
        cmocka_unit_test(show_quoted_escapes_what_cannot_be_seen),
        cmocka_unit_test(show_quoted_picks_the_quotes_that_need_no_escape),
        cmocka_unit_test(show_quoted_cuts_long_pieces),
        cmocka_unit_test(show_quoted_stays_in_its_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

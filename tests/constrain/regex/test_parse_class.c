/*
 * test_parse_class.c - escapes and classes
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/regex_check.h"

static void classes_hold_ranges(void **state)
{
    (void)state;
    assert_true(regex_matches("[a-cx]", "b"));
    assert_true(regex_matches("[a-cx]", "x"));
    assert_false(regex_matches("[a-cx]", "d"));
    assert_true(regex_matches("[^a-c]", "\xF0\x9F\x98\x80"));
    assert_false(regex_matches("[^a-c]", "b"));
    assert_true(regex_matches("[a-]", "-"));
    assert_true(regex_matches("[-a]", "-"));
    assert_true(regex_matches("[\\w-z]", "-")); /* Annex B */
    assert_true(regex_matches("[+-\\d]", "5"));
    assert_false(regex_matches("[+-\\d]", ","));
    assert_true(regex_matches("[[:alpha:]", "h"));
    assert_true(regex_matches("[\\]^]", "]"));
    assert_true(regex_matches("[\xC3\xA0-\xC3\xBF]", "\xC3\xA9"));
    assert_true(regex_matches("[\\b]", "\b"));
    assert_int_equal(regex_reach("[]", "a"), 0);
    assert_true(regex_matches("[^]", "\n"));
    assert_true(regex_matches("[^\\ud800-\\udfff]", "a"));
}

static void escapes_of_one_character(void **state)
{
    (void)state;
    assert_true(regex_matches("\\t\\n\\v\\f\\r", "\t\n\v\f\r"));
    assert_true(regex_matches("\\x41\\u0042\\u{43}", "ABC"));
    assert_true(regex_matches("\\u{1F600}", "\xF0\x9F\x98\x80"));
    assert_true(regex_matches("\\ud83d\\ude00", "\xF0\x9F\x98\x80"));
    assert_int_equal(regex_reach("\\ud83dx", "\xF0"), 0);
    assert_true(regex_matches("\\cJ\\cj", "\n\n"));
    assert_true(regex_matches("\\-\\_\\/\\@\\ \\\"", "-_/@ \""));
    assert_true(regex_matches("\\.\\*\\\\", ".*\\"));
    assert_int_equal(regex_reach("\\0a", "a"), 0);
}

static void classes_are_ascii_but_blanks(void **state)
{
    (void)state;
    assert_true(regex_matches("\\d\\D\\w\\W\\s\\S", "1a_- x"));
    assert_false(regex_matches("\\d", "\xD9\xA0")); /* U+0660 */
    assert_false(regex_matches("\\w", "\xC3\xA9"));
    assert_true(regex_matches("\\W", "\xC3\xA9"));
    assert_true(regex_matches("\\s", "\xEF\xBB\xBF")); /* U+FEFF */
    assert_true(regex_matches("\\s", "\xE2\x80\xA8")); /* U+2028 */
    assert_false(regex_matches(".", "\xE2\x80\xA8"));
    assert_false(regex_matches("\\s", "\xE2\x80\x8B")); /* U+200B */
    assert_true(regex_matches("[\\d\\s]", " "));
    /* With case ignored the Kelvin sign and the long s are letters. */
    assert_true(regex_matches("(?i)\\w", "\xE2\x84\xAA"));
    assert_false(regex_matches("(?i)\\W", "\xC5\xBF"));
}

static void malformed_ones_are_refused(void **state)
{
    (void)state;
    regex_refused("[b-a]", 1, "out of order");
    regex_refused("[\\u{110000}]", 4, "above 10FFFF");
    regex_refused("a\\u12", 3, "four hexadecimal digits");
    regex_refused("\\x1", 1, "two hexadecimal digits");
    regex_refused("\\u{}", 3, "hexadecimal digits");
    regex_refused("\\c1", 2, "\\c needs a letter");
    regex_refused("\\01", 1, "octal");
    regex_refused("[\\1]", 2, "no reference");
    regex_refused("\\a", 1, "no such escape");
    regex_refused("\\pL", 2, "{name}");
    regex_refused("\\p{Nope}", 3, "no such property");
    regex_refused("\\p{gc=Greek}", 3, "no such property");
    regex_refused("\\p{Script}", 3, "no such property");
    regex_refused("\\p{sc=}", 2, "{name=value}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_hold_ranges),
        cmocka_unit_test(escapes_of_one_character),
        cmocka_unit_test(classes_are_ascii_but_blanks),
        cmocka_unit_test(malformed_ones_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

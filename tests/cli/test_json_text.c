/*
 * test_json_text.c - tests of cli/json_text.c
 *
 * SPDX-License-Identifier: MIT
 */
#include "json_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static void json_text_decodes_a_string(void **state)
{
    static const struct {
        const char *text, *want;
        size_t n;
    } rows[] = {
        { "\"\"", "", 0 },
        { " \t\"abc\"\r", "abc", 3 },
        { "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", 8 },
        { "\"\\u0041\\u00e9\\u20AC\\ud83d\\uDE00\"",
          "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 10 },
        { "\"a\\u0000b\"", "a\0b", 3 },
        { "\"\xE2\x82\xAC\x7F\"", "\xE2\x82\xAC\x7F", 4 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char text[64];
        size_t n = strlen(rows[i].text);

        memcpy(text, rows[i].text, n);
        assert_null(json_text_decode(text, &n));
        assert_int_equal(n, rows[i].n);
        assert_memory_equal(text, rows[i].want, n);
    }
}

static void json_text_refuses_anything_else(void **state)
{
    static const char form[] = "expected one JSON string";
    static const char code[] = "malformed \\u escape";
    static const struct {
        const char *text, *want;
    } rows[] = {
        { "", form },
        { " ", form },
        { "a", form },
        { "\"", form },
        { "\"a", form },
        { "\"a\" b", form },
        { "\"a\"\"b\"", form },
        { "[\"a\"]", form },
        { "\"\\", "unknown escape" },
        { "\"\\a\"", "unknown escape" },
        { "\"\\u", code },
        { "\"\\u00\"", code },
        { "\"\\u00g0\"", code },
        { "\"\\ud83d\"", code },
        { "\"\\ud83d\\n\"", code },
        { "\"\\ud83d\\u0041\"", code },
        { "\"\\ud83d\\ud83d\"", code },
        { "\"\\ud83d\\u00", code },
        { "\"\\ude00\"", code },
        { "\"a\nb\"", "control character in a string" },
        { "\"\xE2\x82\"", "malformed UTF-8" },
        { "\"\xC0\x80\"", "malformed UTF-8" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char text[64];
        size_t n = strlen(rows[i].text);

        memcpy(text, rows[i].text, n);
        const char *got = json_text_decode(text, &n);
        if (!got || strcmp(got, rows[i].want) != 0)
            fail_msg("%s: %s", rows[i].text, got ? got : "accepted");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_text_decodes_a_string),
        cmocka_unit_test(json_text_refuses_anything_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

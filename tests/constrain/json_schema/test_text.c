/*
 * test_text.c - strings and keys, character by character
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "compiler.h"
#include "support/schema_cases.h"

static void lengths_and_patterns(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"type\":\"string\",\"minLength\":2,\"maxLength\":2}",
          { "\"éé\"", "\"😀a\"", "\"\\ud83d\\ude00b\"" },
          { "\"a\"", "\"abc\"", "\"\\ud83d\\ude00\"" } },
        { "{\"type\":\"string\",\"pattern\":\"^(ab)*$\",\"minLength\":3,"
          "\"maxLength\":5}",
          { "\"abab\"" },
          { "\"ab\"", "\"ababab\"", "\"aba\"", "\"\"" } },
        { "{\"type\":\"string\",\"pattern\":\"b\",\"maxLength\":2}",
          { "\"b\"", "\"ab\"" },
          { "\"a\"", "\"abb\"", "\"\"" } },
        { "{\"anyOf\":[{\"type\":\"string\",\"maxLength\":1},{\"type\":"
          "\"string\",\"minLength\":3,\"maxLength\":3}]}",
          { "\"\"", "\"a\"", "\"abc\"" },
          { "\"ab\"", "\"abcd\"" } },
        { "{\"anyOf\":[{\"enum\":[\"x\",\"long "
          "one\"]},{\"type\":\"string\",\"pattern\":\"^y+$\"}]}",
          { "\"x\"", "\"yy\"", "\"long one\"" },
          { "\"xy\"", "\"long\"", "\"\"" } },
        { "{\"type\":\"string\",\"not\":{\"pattern\":\"^a\"},\"maxLength\":2}",
          { "\"ba\"", "\"\"" },
          { "\"a\"", "\"ab\"", "\"bbb\"" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), NULL);
}

static void prefixes_can_be_completed(void **state)
{
    (void)state;
    schema_check_reach("{\"type\":\"string\",\"pattern\":\"^(ab)*$\","
                       "\"minLength\":3,\"maxLength\":5}",
                       "\"ababa", 5);
    schema_check_reach(
        "{\"type\":\"string\",\"pattern\":\"^(a|b{4})$\",\"minLength\":2}",
        "\"a", 1);
    schema_check_reach("{\"type\":\"string\",\"maxLength\":1,\"not\":{\"enum\":"
                       "[\"a\",\"b\"]}}",
                       "\"a\"", 1);
    schema_check_reach("{\"enum\":[\"abc\",\"abd\"]}", "\"abe", 3);
    schema_check_reach(
        "{\"type\":\"string\",\"pattern\":\"^.{2,3}$\",\"maxLength\":2}",
        "\"abc", 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_and_patterns),
        cmocka_unit_test(prefixes_can_be_completed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

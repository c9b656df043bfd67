/*
 * test_live.c - nothing is begun that cannot be ended
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

static void dead_ends_are_not_entered(void **state)
{
    (void)state;
    schema_check_reach("{\"anyOf\":[{\"type\":\"object\",\"properties\":{\"a\":"
                       "{\"type\":\"string\",\"minLength\":3,\"maxLength\":1}},"
                       "\"required\":[\"a\"]},{\"type\":\"null\"}]}",
                       "{", 0);
    schema_check_reach(
        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"},"
        "\"b\":{\"$ref\":\"#\"}},\"required\":[\"a\"]}",
        "{\"a\":1,\"b\":{}", 12);
    schema_check_reach(
        "{\"oneOf\":[{\"required\":[\"a\"]},{\"required\":[\"b\"]}],\"type\":"
        "\"object\",\"properties\":{\"a\":true,\"b\":true}}",
        "{\"a\":1,\"b\"", 9);
    schema_check_reach(
        "{\"type\":\"object\",\"properties\":{\"k\":{\"enum\":[\"x\",\"y\"]},"
        "\"v\":true},\"if\":{\"properties\":{\"k\":{\"const\":\"x\"}}},"
        "\"then\":{\"properties\":{\"v\":false}},\"required\":[\"v\",\"k\"]}",
        "{\"k\":\"x", 6);
    schema_check_reach("{\"type\":\"object\",\"dependentRequired\":{\"a\":["
                       "\"b\"]},\"properties\":{\"b\":false}}",
                       "{\"a\"", 3);
    schema_check_reach("{\"not\":{\"anyOf\":[{\"type\":\"string\"},{\"type\":"
                       "\"array\",\"minItems\":1}]}}",
                       "[1", 1);
}

static void laws(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"allOf\":[{\"not\":{\"not\":{\"type\":\"integer\",\"minimum\":3}}}"
          "]}",
          { "3", "4" },
          { "2", "\"a\"" } },
        { "{\"oneOf\":[{\"type\":\"string\"},false]}", { "\"a\"" }, { "1" } },
        { "{\"anyOf\":[{\"required\":[\"a\"]},{\"not\":{\"required\":[\"a\"]}}]"
          "}",
          { "{}", "{\"a\":1}", "1" },
          { "" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dead_ends_are_not_entered),
        cmocka_unit_test(laws),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

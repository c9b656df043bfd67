/*
 * test_constants.c - enum and const compare values, not spellings
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

static void values_are_equal_however_they_are_spelled(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"const\":1}",
          { "1", "1.0", "1e0", "10e-1" },
          { "2", "1.01", "\"1\"", "true" } },
        { "{\"const\":\"a\"}",
          { "\"a\"", "\"\\u0061\"" },
          { "\"b\"", "\"A\"", "\"aa\"" } },
        { "{\"const\":{\"a\":[1,{\"b\":null}],\"c\":\"\\u00e9\"}}",
          { "{\"a\":[1,{\"b\":null}],\"c\":\"\\u00e9\"}",
            "{\"c\":\"é\",\"a\":[1.0,{\"b\":null}]}" },
          { "{\"a\":[1,{\"b\":null}]}", "{\"a\":[1],\"c\":\"é\"}" } },
        { "{\"const\":[]}", { "[]", "[ ]" }, { "[1]", "{}" } },
        { "{\"const\":{}}", { "{}" }, { "{\"a\":1}", "[]" } },
        { "{\"const\":false}", { "false" }, { "0", "null" } },
        { "{\"const\":0}", { "0", "-0", "0.0" }, { "false", "1" } },
        { "{\"enum\":[18446744073709551616,0.1,1e400]}",
          { "18446744073709551616", "0.1", "1e400", "0.10" },
          { "18446744073709551615", "0.11", "1e399" } },
        { "{\"enum\":[\"x\",\"y\"],\"not\":{\"const\":\"y\"}}",
          { "\"x\"" },
          { "\"y\"", "\"z\"" } },
        { "{\"type\":\"string\",\"not\":{\"enum\":[\"a\",\"ab\"]}}",
          { "\"b\"", "\"abc\"", "\"\"" },
          { "\"a\"", "\"ab\"", "\"\\u0061\"" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_equal_however_they_are_spelled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

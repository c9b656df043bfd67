/*
 * test_unevaluated.c - what no keyword has looked at
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

#include <stdio.h>

static void properties(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"allOf\":[{\"properties\":{\"a\":true}}],\"properties\":{\"b\":"
          "true},\"unevaluatedProperties\":false}",
          { "{\"a\":1,\"b\":1}", "{}" },
          { "{\"z\":1}" } },
        { "{\"anyOf\":[{\"properties\":{\"a\":{\"const\":1}},\"required\":["
          "\"a\"]},{\"properties\":{\"b\":true},\"required\":[\"b\"]}],"
          "\"unevaluatedProperties\":false}",
          { "{\"a\":1}", "{\"b\":1}", "{\"a\":1,\"b\":1}" },
          { "{\"a\":2,\"b\":1}", "{\"a\":1,\"c\":1}", "{}" } },
        { "{\"if\":{\"properties\":{\"a\":{\"const\":1}},\"required\":[\"a\"]},"
          "\"then\":{\"properties\":{\"b\":true}},\"else\":{\"properties\":{"
          "\"c\":true}},\"unevaluatedProperties\":false}",
          { "{\"a\":1,\"b\":1}", "{\"c\":1}" },
          { "{\"a\":1,\"c\":1}", "{\"b\":1}", "{\"a\":2}" } },
        { "{\"patternProperties\":{\"^x\":true},\"unevaluatedProperties\":{"
          "\"type\":\"string\"}}",
          { "{\"x\":1,\"y\":\"a\"}" },
          { "{\"y\":1}" } },
        { "{\"not\":{\"not\":{\"properties\":{\"a\":true}}},"
          "\"unevaluatedProperties\":false}",
          { "{}" },
          { "{\"a\":1}" } },
        { "{\"dependentSchemas\":{\"a\":{\"properties\":{\"b\":true}}},"
          "\"properties\":{\"a\":true},\"unevaluatedProperties\":false}",
          { "{\"a\":1,\"b\":1}", "{\"b\":1,\"a\":1}" },
          { "{\"b\":1}" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), NULL);
}

static void items(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"enum\":[[0],[]],\"unevaluatedItems\":false}",
          { "[]" },
          { "[0]" } },
        { "{\"prefixItems\":[true],\"unevaluatedItems\":false}",
          { "[]", "[1]" },
          { "[1,2]" } },
        { "{\"prefixItems\":[{\"const\":1}],\"contains\":{\"type\":\"string\"},"
          "\"unevaluatedItems\":false}",
          { "[1,\"a\"]", "[1,\"a\",\"b\"]" },
          { "[1,2]", "[1]", "[1,\"a\",2]" } },
        { "{\"anyOf\":[{\"prefixItems\":[true,{\"const\":1}]},true],"
          "\"unevaluatedItems\":{\"type\":\"string\"}}",
          { "[\"a\",\"b\"]", "[5,1]", "[5,1,\"a\"]" },
          { "[5,2]", "[5,1,2]" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), NULL);
}

/* 13 branches, each of which may fail. */
static void too_many_branches_are_refused_by_name(void **state)
{
    char schema[2048];
    int n = sprintf(schema, "{\"anyOf\":[");

    (void)state;
    for (int i = 0; i < 13; i++)
        n += sprintf(schema + n,
                     "%s{\"properties\":{\"p%d\":true},\"required\":[\"p%d\"]}",
                     i ? "," : "", i, i);
    sprintf(schema + n, "],\"unevaluatedProperties\":false}");
    schema_check_refused(schema, SORTES_E_LIMIT, "#/unevaluatedProperties");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(properties),
        cmocka_unit_test(items),
        cmocka_unit_test(too_many_branches_are_refused_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

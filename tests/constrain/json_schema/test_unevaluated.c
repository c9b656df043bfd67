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

/* n branches, each of which may fail. */
static void branches(char *schema, int n_branches)
{
    int n = sprintf(schema, "{\"anyOf\":[");

    for (int i = 0; i < n_branches; i++)
        n += sprintf(schema + n,
                     "%s{\"properties\":{\"p%d\":{\"type\":\"integer\"}},"
                     "\"required\":[\"p%d\"]}",
                     i ? "," : "", i, i);
    sprintf(schema + n, "],\"unevaluatedProperties\":false}");
}

static void branches_are_bounded(void **state)
{
    char schema[2048];
    const struct schema_case most = {
        schema,
        { "{\"p3\":1}", "{\"p0\":1,\"p11\":2,\"p5\":3}" },
        { "{}", "{\"p3\":null}", "{\"p3\":1,\"p4\":null}",
          "{\"p3\":1,\"q\":1}" }
    };

    (void)state;
    branches(schema, 12);
    schema_check(&most, 1, NULL);
    branches(schema, 13);
    schema_check_refused(schema, SORTES_E_LIMIT, "#/unevaluatedProperties");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(properties),
        cmocka_unit_test(items),
        cmocka_unit_test(branches_are_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

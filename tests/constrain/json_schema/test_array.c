/*
 * test_array.c - an array, item by item
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

static void prefixes_can_be_completed(void **state)
{
    (void)state;
    schema_check_reach("{\"type\":\"array\",\"maxItems\":2}", "[1,2,", 4);
    schema_check_reach(
        "{\"type\":\"array\",\"prefixItems\":[true],\"items\":false}", "[1,",
        2);
    schema_check_reach(
        "{\"type\":\"array\",\"contains\":{\"const\":7},\"maxItems\":2}",
        "[1,8", 3);
    schema_check_reach("{\"type\":\"array\",\"items\":{\"enum\":[1,7]},"
                       "\"contains\":{\"const\":7},\"maxContains\":1}",
                       "[7,7", 3);
    schema_check_reach("{\"type\":\"array\",\"contains\":{\"const\":7},"
                       "\"maxContains\":0,\"minContains\":0}",
                       "[7", 2);
}

static void many_items_cost_no_time(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"type\":\"array\",\"items\":{\"type\":\"integer\"},\"minItems\":2,"
          "\"maxItems\":1000000000}",
          { "[1,2,3]" },
          { "[1]", "[\"a\",\"b\"]" } },
        { "{\"type\":\"array\",\"contains\":{\"const\":1},\"minContains\":2,"
          "\"items\":{\"type\":\"integer\"}}",
          { "[1,2,1]" },
          { "[1,2]", "[\"a\",1,1]" } },
        { "{\"oneOf\":[{\"items\":{\"type\":\"integer\"}},{\"items\":{"
          "\"minimum\":3}}],\"type\":\"array\"}",
          { "[1]", "[3.5,7]" },
          { "[]", "[3]", "[1,1.5]" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), NULL);
}

static void items_that_must_differ(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":"
          "\"string\"}}",
          { "[]", "[\"a\",\"b\",\"\"]", "[\"1\",\"10\"]" },
          { "[\"a\",\"a\"]", "[\"a\",\"\\u0061\"]", "[\"\",\"b\",\"\"]" } },
        { "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":"
          "\"integer\"}}",
          { "[1,2,10]", "[0,1]", "[-1, 1]" },
          { "[1,1]", "[1,1.0]", "[10,1e1]", "[0,-0]", "[2 ,1, 2 ]",
            "[0.1e1,1]" } },
        { "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"enum\":[1,"
          "\"aa\",\"ab\",null]}}",
          { "[1,\"aa\",\"ab\",null]", "[null]" },
          { "[1,1.0]", "[\"aa\",\"aa\"]", "[null,null]" } },
        { "{\"additionalProperties\":{\"type\":\"array\",\"uniqueItems\":"
          "true,\"items\":{\"type\":\"string\"}}}",
          { "{\"a\":[\"a\",\"b\"],\"b\":[\"a\"]}", "{\"a\":[\"a\"]}" },
          { "{\"a\":[\"x\",\"x\"]}", "{\"a\":[],\"a\":[]}" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), NULL);
    /* The second item can only be 1. */
    schema_check_reach("{\"type\":\"array\",\"uniqueItems\":true,"
                       "\"prefixItems\":[{\"enum\":[1,2]},{\"enum\":[1]}],"
                       "\"items\":false,\"minItems\":2}",
                       "[1,1]", 1);
    schema_check_reach("{\"type\":\"array\",\"uniqueItems\":true,"
                       "\"items\":{\"enum\":[\"aa\",\"ab\"]}}",
                       "[\"aa\",\"aa\"]", 8);
    schema_check_reach("{\"type\":\"array\",\"uniqueItems\":true,"
                       "\"items\":{\"enum\":[\"aa\",\"ab\"]}}",
                       "[\"aa\",\"ab\",", 10);
    /* Only one item can be "b". */
    schema_check_refused("{\"type\":\"array\",\"uniqueItems\":true,"
                         "\"items\":{\"type\":\"string\"},\"contains\":"
                         "{\"const\":\"b\"},\"minContains\":2}",
                         SORTES_E_EMPTY, "no text satisfies it");
    /* 0 and 1 are two of two, and no third one can come. */
    schema_check_reach("{\"type\":\"array\",\"uniqueItems\":true,"
                       "\"items\":{\"type\":\"integer\"},\"not\":"
                       "{\"contains\":{\"enum\":[1.0,0]},"
                       "\"minContains\":2,\"maxContains\":2}}",
                       "[0,1,", 4);
}

/* What must come is counted, not tried. */
static void large_counts(void **state)
{
    (void)state;
    schema_check_reach("{\"minItems\":1000000,\"contains\":{\"const\":1}}",
                       "[2,1,2", 6);
    schema_check_reach("{\"minItems\":1000000,\"contains\":{\"const\":1},"
                       "\"maxContains\":1}",
                       "[1,2,1,", 6);
    schema_check_reach(
        "{\"type\":\"array\",\"contains\":{\"const\":1},"
        "\"minContains\":700000,\"maxItems\":1000000,\"items\":{"
        "\"enum\":[1,12]},\"allOf\":[{\"contains\":{\"const\":12},"
        "\"minContains\":300000}]}",
        "[1,12]", 5);
    schema_check_refused(
        "{\"type\":\"array\",\"minItems\":1000000,\"contains\":"
        "{\"const\":1},\"items\":{\"const\":2}}",
        SORTES_E_EMPTY, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_counts),
        cmocka_unit_test(prefixes_can_be_completed),
        cmocka_unit_test(many_items_cost_no_time),
        cmocka_unit_test(items_that_must_differ),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

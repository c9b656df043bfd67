/*
 * test_json_schema.c - the kind json_schema as a whole
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

static void keywords_of_the_first_part(void **state)
{
    static const struct schema_case cases[] = {
        { "{}",
          { "null", "1", "\"a\"", "[1,{}]", "{\"a\":{\"b\":[]}}" },
          { "", "{", "tru", "[1,]" } },
        { "true", { "0" }, { "" } },
        { "{\"type\":[\"string\",\"null\"]}",
          { "\"a\"", "null" },
          { "1", "true", "{}" } },
        { "{\"enum\":[\"a\",\"ab\",1,null,{\"k\":[1]}]}",
          { "\"a\"", "\"ab\"", "1", "1.0", "null", "{\"k\":[1]}",
            "\"\\u0061\"" },
          { "\"b\"", "\"abc\"", "2", "{}", "{\"k\":[]}",
            "{\"k\":[1],\"j\":1}" } },
        { "{\"const\":{\"a\":1}}",
          { "{\"a\":1}", "{\"a\":1e0}" },
          { "{\"a\":2}", "{}", "{\"a\":1,\"b\":1}" } },
        { "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"}},"
          "\"required\":[\"a\"],\"additionalProperties\":false}",
          { "{\"a\":1}", "{\"\\u0061\":1}" },
          { "{}", "{\"a\":\"x\"}", "{\"a\":1,\"b\":1}", "{\"a\":1,\"a\":1}" } },
        { "{\"properties\":{\"a\":{\"type\":\"integer\"}},"
          "\"additionalProperties\":{\"type\":\"string\"}}",
          { "{\"b\":\"x\"}", "{\"a\":1}", "1" },
          { "{\"b\":1}", "{\"a\":\"x\"}", "{\"\\u0061\":\"x\"}" } },
        { "{\"patternProperties\":{\"^a\":{\"type\":\"integer\"},\"b$\":{"
          "\"minimum\":5}},\"additionalProperties\":false}",
          { "{\"ab\":7}", "{\"ac\":1}", "{\"xb\":5}" },
          { "{\"ab\":1}", "{\"ac\":\"x\"}", "{\"c\":1}" } },
        { "{\"propertyNames\":{\"pattern\":\"^[a-z]+$\",\"maxLength\":2}}",
          { "{\"ab\":1}", "{}" },
          { "{\"A\":1}", "{\"abc\":1}", "{\"\":1}" } },
        { "{\"type\":\"object\",\"minProperties\":1,\"maxProperties\":2}",
          { "{\"a\":1}", "{\"a\":1,\"b\":1}" },
          { "{}", "{\"a\":1,\"b\":1,\"c\":1}" } },
        { "{\"prefixItems\":[{\"type\":\"integer\"},{\"type\":\"string\"}],"
          "\"items\":{\"type\":\"null\"},\"minItems\":1}",
          { "[1]", "[1,\"a\",null]" },
          { "[]", "[\"a\"]", "[1,\"a\",1]" } },
        { "{\"items\":[{\"type\":\"integer\"}],\"additionalItems\":false}",
          { "[]", "[1]" },
          { "[\"a\"]", "[1,1]" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), NULL);
}

static void combinations(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"allOf\":[{\"pattern\":\"^a\"},{\"pattern\":\"z$\"}],\"type\":"
          "\"string\"}",
          { "\"az\"", "\"aaz\"" },
          { "\"a\"", "\"z\"" } },
        { "{\"anyOf\":[{\"type\":\"integer\",\"minimum\":5},{\"type\":"
          "\"integer\",\"maximum\":1}]}",
          { "5", "1", "-3" },
          { "2", "4", "1.5" } },
        { "{\"oneOf\":[{\"multipleOf\":2},{\"multipleOf\":3}],\"type\":"
          "\"integer\"}",
          { "2", "3", "4" },
          { "6", "5", "0" } },
        { "{\"not\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":"
          "\"integer\"}},\"required\":[\"a\"]}}",
          { "{}", "{\"a\":\"x\"}", "1" },
          { "{\"a\":1}", "{\"b\":1,\"a\":2}" } },
        { "{\"if\":{\"properties\":{\"k\":{\"const\":\"a\"}}},\"then\":{"
          "\"required\":[\"v\"]},\"else\":{\"required\":[\"w\"]}}",
          { "{\"k\":\"a\",\"v\":1}", "{\"k\":\"b\",\"w\":1}", "{\"v\":1}" },
          { "{\"k\":\"a\"}", "{\"k\":\"b\",\"v\":1}" } },
        { "{\"dependentRequired\":{\"a\":[\"b\"]}}",
          { "{}", "{\"b\":1}", "{\"a\":1,\"b\":1}" },
          { "{\"a\":1}" } },
        { "{\"dependentSchemas\":{\"a\":{\"properties\":{\"b\":{\"minimum\":5}}"
          "}}}",
          { "{\"b\":1}", "{\"a\":1,\"b\":6}" },
          { "{\"b\":1,\"a\":1}", "{\"a\":1,\"b\":1}" } },
        { "{\"dependencies\":{\"a\":[\"b\"],\"c\":{\"minProperties\":2}}}",
          { "{\"a\":1,\"b\":1}", "{\"c\":1,\"x\":1}" },
          { "{\"a\":1}", "{\"c\":1}" } },
        { "{\"contains\":{\"const\":7},\"minContains\":2,\"maxContains\":2}",
          { "[7,7]", "[1,7,7,1]" },
          { "[7]", "[7,7,7]", "[]" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), NULL);
}

static void recursion(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"$defs\":{\"n\":{\"type\":\"object\",\"properties\":{\"c\":{"
          "\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/"
          "n\"}}},\"additionalProperties\":false}},\"$ref\":\"#/$defs/n\"}",
          { "{\"c\":[{\"c\":[]},{}]}" },
          { "{\"c\":[{\"d\":1}]}" } },
        { "{\"$defs\":{\"t\":{\"anyOf\":[{\"const\":0},{\"type\":\"array\","
          "\"items\":{\"$ref\":\"#/$defs/"
          "t\"},\"minItems\":1}]}},\"not\":{\"$ref\":\"#/$defs/t\"}}",
          { "1", "[]", "[0,[]]", "[[[1]]]" },
          { "0", "[0]", "[[0],0]", "[[[0]]]" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keywords_of_the_first_part),
        cmocka_unit_test(combinations),
        cmocka_unit_test(recursion),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

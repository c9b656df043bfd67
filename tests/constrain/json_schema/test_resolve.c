/*
 * test_resolve.c - identifiers and references
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

static void references_of_every_form(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"$defs\":{\"a/b%c\":{\"type\":\"integer\"}},\"$ref\":\"#/$defs/"
          "a~1b%25c\"}",
          { "1" },
          { "\"a\"" } },
        { "{\"$defs\":{\"p\":{\"$anchor\":\"pp\",\"type\":\"integer\"}},\"$"
          "ref\":\"#pp\"}",
          { "1" },
          { "\"a\"" } },
        { "{\"$id\":\"http://x/"
          "y\",\"$defs\":{\"p\":{\"$id\":\"p\",\"type\":\"integer\"}},\"$ref\":"
          "\"p\"}",
          { "1" },
          { "\"a\"" } },
        { "{\"$id\":\"http://x/a/b\",\"$defs\":{\"p\":{\"$id\":\"../c/./"
          "d\",\"type\":\"integer\"}},\"$ref\":\"http://x/c/d\"}",
          { "1" },
          { "\"a\"" } },
        { "{\"$id\":\"http://x/y\",\"$defs\":{\"p\":{\"$id\":\"z/"
          "\",\"$defs\":{\"q\":{\"$id\":\"q\",\"type\":\"null\"}},\"$ref\":"
          "\"q\"}},\"$ref\":\"z/\"}",
          { "null" },
          { "1" } },
        { "{\"$schema\":\"http://json-schema.org/draft-07/"
          "schema#\",\"definitions\":{\"p\":{\"$id\":\"#pp\",\"type\":"
          "\"integer\"}},\"allOf\":[{\"$ref\":\"#pp\"}]}",
          { "1" },
          { "\"a\"" } },
        { "{\"properties\":{\"a\":{\"type\":\"integer\"},\"b\":{\"$ref\":\"#/"
          "properties/a\"}}}",
          { "{\"b\":1}" },
          { "{\"b\":\"x\"}" } },
        { "{\"prefixItems\":[{\"type\":\"integer\"},{\"$ref\":\"#/prefixItems/"
          "0\"}]}",
          { "[1,2]" },
          { "[1,\"a\"]" } },
        { "{\"const\":{\"$id\":\"p\"},\"$defs\":{\"q\":{\"$id\":\"p\",\"type\":"
          "\"object\"}},\"$ref\":\"p\"}",
          { "{\"$id\":\"p\"}" },
          { "{}" } },
        { "{\"$id\":\"urn:uuid:deadbeef-1234-00ff-ff00-4321feebdaed\",\"$"
          "defs\":{\"b\":{\"type\":\"null\"}},\"$ref\":\"urn:uuid:deadbeef-"
          "1234-00ff-ff00-4321feebdaed#/$defs/b\"}",
          { "null" },
          { "1" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), NULL);
}

static void dynamic_references_find_the_outermost(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"$schema\":\"https://json-schema.org/draft/2020-12/"
          "schema\",\"$id\":\"http://x/"
          "root\",\"$ref\":\"list\",\"$defs\":{\"s\":{\"$dynamicAnchor\":"
          "\"item\",\"type\":\"string\"},\"list\":{\"$id\":\"list\",\"type\":"
          "\"array\",\"items\":{\"$dynamicRef\":\"#item\"},\"$defs\":{\"d\":{"
          "\"$dynamicAnchor\":\"item\"}}}}}",
          { "[\"a\"]", "[]" },
          { "[1]" } },
        { "{\"$schema\":\"https://json-schema.org/draft/2020-12/"
          "schema\",\"$id\":\"http://x/"
          "list\",\"type\":\"array\",\"items\":{\"$dynamicRef\":\"#item\"},\"$"
          "defs\":{\"d\":{\"$dynamicAnchor\":\"item\"}}}",
          { "[\"a\",1]" },
          { "1" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(references_of_every_form),
        cmocka_unit_test(dynamic_references_find_the_outermost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

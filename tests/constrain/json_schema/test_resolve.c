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

/* 2019-09's: to the outermost root that is open to it. */
static void recursive_references_find_the_outermost(void **state)
{
#define TREE                                                                   \
    "\"tree\":{\"$id\":\"tree\",\"$recursiveAnchor\":true,\"type\":"           \
    "\"object\",\"properties\":{\"v\":{\"type\":\"integer\"},\"sub\":{"        \
    "\"$recursiveRef\":\"#\"}}}"
#define YEAR "\"$schema\":\"https://json-schema.org/draft/2019-09/schema\""
    static const struct schema_case cases[] = {
        /* Extended: closed at every level. */
        { "{" YEAR ",\"$id\":\"http://x/strict\",\"$recursiveAnchor\":true,"
          "\"$ref\":\"tree\",\"unevaluatedProperties\":false,\"$defs\":{" TREE
          "}}",
          { "{\"v\":1,\"sub\":{\"v\":2,\"sub\":{}}}" },
          { "{\"w\":1}", "{\"sub\":{\"w\":1}}",
            "{\"sub\":{\"sub\":{\"w\":1}}}" } },
        /* Without an anchor outside, the inner one is meant. */
        { "{" YEAR ",\"$id\":\"http://x/loose\",\"$ref\":\"tree\","
          "\"required\":[\"v\"],\"$defs\":{" TREE "}}",
          { "{\"v\":1,\"sub\":{\"w\":1}}" },
          { "{\"sub\":{}}", "{\"v\":1,\"sub\":{\"v\":true}}" } },
        /* Without one inside, it is $ref's "#". */
        { "{" YEAR ",\"$id\":\"http://x/a\",\"$recursiveAnchor\":true,"
          "\"required\":[\"v\"],\"properties\":{\"b\":{\"$id\":\"b\","
          "\"$recursiveAnchor\":false,\"type\":[\"object\",\"null\"],"
          "\"properties\":{\"b\":{\"$recursiveRef\":\"#\"}}}}}",
          { "{\"v\":1,\"b\":{\"b\":null}}" },
          { "{\"b\":null}", "{\"v\":1,\"b\":{\"b\":1}}" } },
        /* An anchor that is not a root's says nothing. */
        { "{" YEAR ",\"$id\":\"http://x/a\",\"properties\":{\"c\":{"
          "\"$recursiveAnchor\":true,\"properties\":{\"c\":{"
          "\"$recursiveRef\":\"#\"}},\"required\":[\"d\"]}}}",
          { "{\"c\":{\"d\":1,\"c\":{}}}" },
          { "{\"c\":{}}", "{\"c\":{\"d\":1,\"c\":{\"c\":{}}}}" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), NULL);
    schema_check_refused("{" YEAR ",\"items\":{\"$recursiveRef\":\"#/a\"}}",
                         SORTES_E_SYNTAX, "#/items/$recursiveRef");
    schema_check_refused("{" YEAR ",\"$recursiveRef\":\"#\"}", SORTES_E_SYNTAX,
                         "refers to itself");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(references_of_every_form),
        cmocka_unit_test(dynamic_references_find_the_outermost),
        cmocka_unit_test(recursive_references_find_the_outermost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

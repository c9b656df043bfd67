/*
 * test_keywords.c - keywords by their draft
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

static void drafts_differ(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"$schema\":\"http://json-schema.org/draft-04/"
          "schema#\",\"minimum\":0,\"exclusiveMinimum\":true}",
          { "1" },
          { "0" } },
        { "{\"$schema\":\"http://json-schema.org/draft-04/"
          "schema#\",\"type\":\"integer\"}",
          { "1" },
          { "1.0", "1e0" } },
        { "{\"$schema\":\"http://json-schema.org/draft-06/"
          "schema#\",\"type\":\"integer\"}",
          { "1", "1.0", "1e0" },
          { "1.5" } },
        { "{\"$schema\":\"http://json-schema.org/draft-07/"
          "schema#\",\"$ref\":\"#/definitions/"
          "p\",\"minimum\":5,\"definitions\":{\"p\":{\"type\":\"integer\"}}}",
          { "4" },
          { "\"a\"" } },
        { "{\"$schema\":\"https://json-schema.org/draft/2019-09/"
          "schema\",\"$ref\":\"#/$defs/"
          "p\",\"minimum\":5,\"$defs\":{\"p\":{\"type\":\"integer\"}}}",
          { "5" },
          { "4", "\"a\"" } },
        { "{\"$ref\":\"#/$defs/"
          "p\",\"minimum\":5,\"$defs\":{\"p\":{\"type\":\"integer\"}}}",
          { "5" },
          { "4" } },
        { "{\"$schema\":\"http://json-schema.org/draft-04/"
          "schema#\",\"const\":1,\"contains\":false}",
          { "2", "[1]" },
          { "{" } },
        { "{\"$schema\":\"http://json-schema.org/draft-06/"
          "schema#\",\"if\":{\"type\":\"string\"},\"then\":false}",
          { "\"a\"" },
          { "{" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), NULL);
}

static void keywords_concern_their_kind_alone(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"required\":[\"a\"],\"minLength\":2,\"minimum\":3,\"minItems\":1,"
          "\"format\":\"date\"}",
          { "null", "true" },
          { "{}", "\"a\"", "1", "[]", "\"ab\"" } },
        { "{\"items\":{\"type\":\"string\"}}",
          { "1", "{}", "[\"a\"]" },
          { "[1]" } },
        { "{\"x-unknown\":1,\"title\":\"a\",\"default\":3}", { "1" }, { "" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drafts_differ),
        cmocka_unit_test(keywords_concern_their_kind_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_load.c - what is refused, and where
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

static void refusals_name_the_place(void **state)
{
    (void)state;
    schema_check_refused("{\"properties\":{\"a\":{\"format\":\"regex\"}}}",
                         SORTES_E_NAME, "#/properties/a/format");
    schema_check_refused(
        "{\"properties\":{\"a/b\":{\"format\":\"idn-hostname\"}}}",
        SORTES_E_NAME, "#/properties/a~1b/format");
    schema_check_refused("{\"type\":\"strong\"}", SORTES_E_SYNTAX, "#/type");
    schema_check_refused("{\"allOf\":[{},{\"minLength\":-1}]}", SORTES_E_SYNTAX,
                         "#/allOf/1/minLength");
    schema_check_refused("{\"multipleOf\":0}", SORTES_E_SYNTAX, "#/multipleOf");
    schema_check_refused("{\"$ref\":\"#\"}", SORTES_E_SYNTAX,
                         "refers to itself");
    schema_check_refused("{\"allOf\":[{\"$ref\":\"#/$defs/"
                         "a\"}],\"$defs\":{\"a\":{\"not\":{\"$ref\":\"#\"}}}}",
                         SORTES_E_SYNTAX, "refers to itself");
    schema_check_refused("{\"$ref\":\"#/nowhere\"}", SORTES_E_NAME, "#/$ref");
    schema_check_refused("{\"$ref\":\"http://elsewhere/x\"}", SORTES_E_NAME,
                         "#/$ref: this document is not here: "
                         "'http://elsewhere/x'");
    schema_check_refused("{\"$schema\":\"http://elsewhere/x\"}", SORTES_E_NAME,
                         "dialect");
    schema_check_refused("{\"type\":\"string\",\"type\":\"string\"}",
                         SORTES_E_SYNTAX, "twice");
    schema_check_refused("{\"pattern\":\"(\"}", SORTES_E_SYNTAX, "#/pattern");
    schema_check_refused("[]", SORTES_E_SYNTAX, "object, true or false");
    schema_check_refused("{\"items\":3}", SORTES_E_SYNTAX, "#/items");
    schema_check_refused("{", SORTES_E_SYNTAX, "json");
}

static void what_nothing_satisfies_is_refused(void **state)
{
    (void)state;
    schema_check_refused("false", SORTES_E_EMPTY, "no text");
    schema_check_refused(
        "{\"type\":\"string\",\"minLength\":5,\"maxLength\":2}", SORTES_E_EMPTY,
        "no text");
    schema_check_refused(
        "{\"allOf\":[{\"type\":\"object\"},{\"not\":{\"type\":\"object\"}}]}",
        SORTES_E_EMPTY, "no text");
    schema_check_refused(
        "{\"type\":\"integer\",\"minimum\":1,\"maximum\":6,\"multipleOf\":7}",
        SORTES_E_EMPTY, "no text");
    schema_check_refused("{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":"
                         "\"#\"}},\"required\":[\"a\"]}",
                         SORTES_E_EMPTY, "no text");
    schema_check_refused("{\"type\":\"object\",\"required\":[\"a\"],"
                         "\"properties\":{\"a\":{\"enum\":[]}}}",
                         SORTES_E_EMPTY, "no text");
    schema_check_refused("{\"type\":\"array\",\"minItems\":2,\"items\":[{},"
                         "false],\"additionalItems\":true}",
                         SORTES_E_EMPTY, "no text");
    schema_check_refused("{\"type\":\"object\",\"minProperties\":3,"
                         "\"propertyNames\":{\"enum\":[\"a\",\"b\"]}}",
                         SORTES_E_EMPTY, "no text");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals_name_the_place),
        cmocka_unit_test(what_nothing_satisfies_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

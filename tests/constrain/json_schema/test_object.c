/*
 * test_object.c - an object, key by key
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

static void declared_order(void **state)
{
    static const sortes_grammar_options options = { .struct_size =
                                                        sizeof(options),
                                                    .order = "declared" };
    static const struct schema_case cases[] = {
        { "{\"type\":\"object\",\"properties\":{\"a\":true,\"b\":true,\"c\":"
          "true},\"required\":[\"a\",\"c\"]}",
          { "{\"a\":1,\"c\":1}", "{\"a\":1,\"b\":1,\"c\":1}",
            "{\"a\":1,\"c\":1,\"b\":1}", "{\"a\":1,\"c\":1,\"z\":1,\"b\":1}" },
          { "{\"c\":1,\"a\":1}", "{\"b\":1,\"a\":1,\"c\":1}",
            "{\"a\":1,\"z\":1,\"c\":1}", "{\"a\":1}" } },
        { "{\"type\":\"object\",\"properties\":{\"a\":true,\"b\":true}}",
          { "{\"b\":1,\"a\":1}", "{\"z\":1,\"a\":1}", "{}" },
          { "{\"a\":1,\"a\":1}" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), &options);
}

static void strict_order(void **state)
{
    static const sortes_grammar_options options = { .struct_size =
                                                        sizeof(options),
                                                    .order = "strict" };
    static const struct schema_case cases[] = {
        { "{\"type\":\"object\",\"properties\":{\"a\":true,\"b\":true,\"c\":"
          "true},\"required\":[\"c\"]}",
          { "{\"c\":1}", "{\"a\":1,\"c\":1}", "{\"b\":1,\"c\":1,\"z\":1}" },
          { "{\"c\":1,\"a\":1}", "{\"b\":1,\"a\":1,\"c\":1}",
            "{\"z\":1,\"c\":1}", "{\"a\":1}" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), &options);
}

static void keys_come_once(void **state)
{
    (void)state;
    schema_check_reach("{\"type\":\"object\"}", "{\"a\":1,\"a\"", 9);
    schema_check_reach("{\"type\":\"object\",\"properties\":{\"a\":true},"
                       "\"additionalProperties\":false}",
                       "{\"a\":1,", 6);
    schema_check_reach("{\"type\":\"object\",\"patternProperties\":{\"^[ab]$\":"
                       "true},\"additionalProperties\":false}",
                       "{\"a\":1,\"b\":1,", 12);
    schema_check_reach(
        "{\"type\":\"object\",\"propertyNames\":{\"enum\":[\"a\"]}}", "{\"b",
        2);
    schema_check_reach("{\"type\":\"object\",\"maxProperties\":1}", "{\"a\":1,",
                       6);
    schema_check_reach("{\"type\":\"object\",\"properties\":{\"a\":false}}",
                       "{\"a\"", 3);
    schema_check_reach(
        "{\"type\":\"object\",\"propertyNames\":{\"pattern\":\"^a+$\"}}",
        "{\"b", 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declared_order),
        cmocka_unit_test(strict_order),
        cmocka_unit_test(keys_come_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

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

#include <stdio.h>
#include <stdlib.h>

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

/* Branches that a string tells apart. */
static void many_branches(void **state)
{
    enum { BRANCHES = 150 };
    char *schema = malloc(100 * BRANCHES);
    int n;

    (void)state;
    assert_non_null(schema);
    for (int one = 0; one < 2; one++) {
        const struct schema_case c = {
            schema,
            { "{\"k\":\"v149\",\"p149\":1}", "{\"k\":\"v0\",\"p0\":2}",
              "{\"p7\":1,\"k\":\"v7\",\"p8\":\"a\"}" },
            { "{\"k\":\"v149\",\"p0\":1}", "{\"k\":\"v7\",\"p7\":null}",
              "{\"k\":\"v150\"", "{\"k\":1", "{\"p3\":1}" }
        };

        n = sprintf(schema, "{\"type\":\"object\",\"%s\":[",
                    one ? "oneOf" : "anyOf");
        for (int i = 0; i < BRANCHES; i++)
            n +=
                sprintf(schema + n,
                        "%s{\"properties\":{\"k\":{\"const\":\"v%d\"},\"p%d\":"
                        "{\"type\":\"integer\"}},\"required\":[\"k\",\"p%d\"]}",
                        i ? "," : "", i, i, i);
        sprintf(schema + n, "]}");
        schema_check(&c, 1, NULL);
    }
    free(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declared_order),
        cmocka_unit_test(strict_order),
        cmocka_unit_test(keys_come_once),
        cmocka_unit_test(many_branches),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

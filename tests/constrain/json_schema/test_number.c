/*
 * test_number.c - numbers, digit by digit
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

static void bounds(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"minimum\":0.5,\"maximum\":1.5}",
          { "0.5", "1", "1.25", "1.5", "15e-1", "0.0015e3" },
          { "0.4", "1.51", "-1", "2", "1e1" } },
        { "{\"type\":\"integer\",\"exclusiveMinimum\":0,\"exclusiveMaximum\":"
          "3}",
          { "1", "2", "2.0" },
          { "0", "3", "-1", "0.0" } },
        { "{\"type\":\"number\",\"multipleOf\":0.01}",
          { "1.25", "3", "0.07", "-4.35", "1e2" },
          { "1.255", "0.001", "1e-3" } },
        { "{\"type\":\"integer\",\"multipleOf\":3}",
          { "0", "9", "-3", "3e1" },
          { "1", "10", "1.5" } },
        { "{\"type\":\"integer\",\"multipleOf\":0.5,\"not\":{\"multipleOf\":2}"
          "}",
          { "1", "3" },
          { "2", "0.5", "0" } },
        { "{\"minimum\":99999999999999999999999}",
          { "99999999999999999999999", "1e23" },
          { "99999999999999999999998", "1e22" } },
        { "{\"type\":\"number\",\"not\":{\"type\":\"integer\"}}",
          { "1.5", "0.1" },
          { "1", "1.0", "10e-1", "0", "1e0" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), NULL);
}

/* What must divide a number, and what must not. */
static void divisors_and_their_opposites(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"type\":\"number\",\"multipleOf\":0.5,\"not\":{\"multipleOf\":1}"
          "}",
          { "0.5", "-1.5", "25e-1" },
          { "1", "1.0", "0", "0.25" } },
        { "{\"type\":\"number\",\"multipleOf\":10,\"not\":{\"anyOf\":[{"
          "\"multipleOf\":20},{\"multipleOf\":30}]}}",
          { "10", "-50", "7e1" },
          { "20", "60", "90", "0", "5" } },
        /* In draft 4 an integer is what is written as one. */
        { "{\"$schema\":\"http://json-schema.org/draft-04/schema#\",\"type\":"
          "\"number\",\"multipleOf\":2,\"not\":{\"type\":\"integer\"}}",
          { "2.0", "4e0" },
          { "2", "3.0", "4" } },
    };
    static const char *const nothing[] = {
        "{\"type\":\"integer\",\"not\":{\"multipleOf\":1}}",
        "{\"type\":\"number\",\"multipleOf\":6,\"not\":{\"multipleOf\":3}}",
        "{\"type\":\"number\",\"multipleOf\":1e1,\"not\":{\"multipleOf\":10}}",
        "{\"type\":\"number\",\"multipleOf\":10,\"not\":{\"multipleOf\":1e1}}",
        "{\"type\":\"number\",\"allOf\":[{\"multipleOf\":4},{\"multipleOf\":"
        "0.6}],\"not\":{\"multipleOf\":12}}",
        "{\"type\":\"integer\",\"minimum\":-100,\"multipleOf\":5.5,\"not\":{"
        "\"multipleOf\":1}}",
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), NULL);
    for (size_t i = 0; i < SRT_COUNT(nothing); i++)
        schema_check_refused(nothing[i], SORTES_E_EMPTY, "no text satisfies");
}

static void plain_spelling(void **state)
{
    static const sortes_grammar_options options = { .struct_size =
                                                        sizeof(options),
                                                    .whitespace = "none" };
    static const struct schema_case cases[] = {
        { "{\"type\":\"integer\"}",
          { "1", "-0", "12345678901234567890" },
          { "1.0", "1e0" } },
        { "{\"type\":\"number\"}", { "1.0", "1e5", "-0.5" }, { "01", "1." } },
        { "{\"type\":\"number\",\"minimum\":0}",
          { "1.0", "1.50", "0" },
          { "1e5", "-1" } },
        { "{\"const\":0}", { "0", "-0" }, { "1", "0.0", "00" } },
        { "{\"maximum\":0,\"minimum\":-1}",
          { "0", "-1", "-0.5" },
          { "1", "-2" } },
        { "{\"const\":2}", { "2" }, { "2.0", "2e0" } },
        { "{\"enum\":[1.5,7]}", { "1.5", "1.50", "7" }, { "7.0", "1.51" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), &options);
}

static void prefixes_can_be_completed(void **state)
{
    (void)state;
    schema_check_reach("{\"type\":\"integer\",\"minimum\":10,\"maximum\":13}",
                       "14", 1);
    schema_check_reach("{\"type\":\"integer\",\"minimum\":10,\"maximum\":13}",
                       "2", 0);
    schema_check_reach("{\"type\":\"integer\",\"minimum\":0}", "-1", 1);
    schema_check_reach("{\"type\":\"integer\",\"exclusiveMinimum\":0}", "-", 0);
    schema_check_reach(
        "{\"type\":\"number\",\"exclusiveMinimum\":0,\"exclusiveMaximum\":1}",
        "1e0", 2);
    schema_check_reach(
        "{\"type\":\"number\",\"exclusiveMinimum\":0,\"exclusiveMaximum\":1}",
        "1e-1", 4);
    schema_check_reach("{\"enum\":[120,7]}", "130", 1);
    schema_check_reach("{\"type\":\"integer\",\"minimum\":5,\"maximum\":5}",
                       "4", 0);
}

/* Beyond what a text may have there is no number, though a bound lies there. */
static void bounds_may_be_out_of_reach(void **state)
{
    (void)state;
    schema_check_refused("{\"const\":1e900}", SORTES_E_EMPTY, "");
    schema_check_refused("{\"const\":1.5e-700}", SORTES_E_EMPTY, "");
    schema_check_refused("{\"enum\":[-1e999,1e-900]}", SORTES_E_EMPTY, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_may_be_out_of_reach),
        cmocka_unit_test(bounds),
        cmocka_unit_test(divisors_and_their_opposites),
        cmocka_unit_test(plain_spelling),
        cmocka_unit_test(prefixes_can_be_completed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

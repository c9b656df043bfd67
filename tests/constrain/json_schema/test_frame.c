/*
 * test_frame.c - white space and depth
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

static void white_space(void **state)
{
    static const sortes_grammar_options options = { .struct_size =
                                                        sizeof(options),
                                                    .whitespace = "bounded" };
    static const struct schema_case cases[] = {
        { "{\"type\":\"array\"}",
          { "[1, 2]", "[\n  1,\n  2\n]", " []" },
          { "[  1]", "[1] ", "[1 \n]" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), &options);
}

static void no_white_space(void **state)
{
    static const sortes_grammar_options options = { .struct_size =
                                                        sizeof(options),
                                                    .whitespace = "none" };
    static const struct schema_case cases[] = {
        { "{}", { "{\"a\":[1]}" }, { "{\"a\": 1}", "[ ]" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), &options);
}

static void depth_is_bounded_where_brackets_open(void **state)
{
    static const sortes_grammar_options options = { .struct_size =
                                                        sizeof(options),
                                                    .max_depth = 2 };
    static const struct schema_case cases[] = {
        { "{}", { "[[1]]", "{\"a\":{}}" }, { "[[[]]]" } },
        { "{\"$defs\":{\"n\":{\"type\":\"object\",\"properties\":{\"n\":{\"$"
          "ref\":\"#/$defs/n\"},\"e\":true},\"minProperties\":1}},\"$ref\":\"#/"
          "$defs/n\"}",
          { "{\"n\":{\"e\":1}}" },
          { "{\"n\":{\"n\":{\"e\":1}}}" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), &options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(white_space),
        cmocka_unit_test(no_white_space),
        cmocka_unit_test(depth_is_bounded_where_brackets_open),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

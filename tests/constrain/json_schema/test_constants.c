/*
 * test_constants.c - enum and const compare values, not spellings
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
#include "support/small_vocab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void values_are_equal_however_they_are_spelled(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"const\":1}",
          { "1", "1.0", "1e0", "10e-1" },
          { "2", "1.01", "\"1\"", "true" } },
        { "{\"const\":\"a\"}",
          { "\"a\"", "\"\\u0061\"" },
          { "\"b\"", "\"A\"", "\"aa\"" } },
        { "{\"const\":{\"a\":[1,{\"b\":null}],\"c\":\"\\u00e9\"}}",
          { "{\"a\":[1,{\"b\":null}],\"c\":\"\\u00e9\"}",
            "{\"c\":\"é\",\"a\":[1.0,{\"b\":null}]}" },
          { "{\"a\":[1,{\"b\":null}]}", "{\"a\":[1],\"c\":\"é\"}" } },
        { "{\"const\":[]}", { "[]", "[ ]" }, { "[1]", "{}" } },
        { "{\"const\":{}}", { "{}" }, { "{\"a\":1}", "[]" } },
        { "{\"const\":false}", { "false" }, { "0", "null" } },
        { "{\"const\":0}", { "0", "-0", "0.0" }, { "false", "1" } },
        { "{\"enum\":[18446744073709551616,0.1,1e400]}",
          { "18446744073709551616", "0.1", "1e400", "0.10" },
          { "18446744073709551615", "0.11", "1e399" } },
        { "{\"enum\":[\"x\",\"y\"],\"not\":{\"const\":\"y\"}}",
          { "\"x\"" },
          { "\"y\"", "\"z\"" } },
        { "{\"type\":\"string\",\"not\":{\"enum\":[\"a\",\"ab\"]}}",
          { "\"b\"", "\"abc\"", "\"\"" },
          { "\"a\"", "\"ab\"", "\"\\u0061\"" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), NULL);
}

/* Members i of a long enum: a number, and a string with one of 500 letters. */
enum { MEMBERS = 4000 };

static int member_number(char *to, int i)
{
    return sprintf(to, "%d", 7 * i - 7 * MEMBERS / 2);
}

static int member_string(char *to, int i)
{
    const unsigned letter = 0x4E00u + (unsigned)i % 500;

    return sprintf(to, "\"%c%c%c%d\"", (int)(0xE0 | letter >> 12),
                   (int)(0x80 | (letter >> 6 & 0x3F)),
                   (int)(0x80 | (letter & 0x3F)), i / 500);
}

/* Out of order, and every member twice. */
static void long_enums(void **state)
{
    const sortes_grammar_options options = { .struct_size = sizeof(options) };
    char *schema = malloc(40 * MEMBERS), text[40], *to = schema;
    sortes_grammar *g;

    (void)state;
    assert_non_null(schema);
    to += sprintf(to, "{\"enum\":[");
    for (int k = 0; k < 2 * MEMBERS; k++) {
        const int i = k * 1237 % MEMBERS;

        to += sprintf(to, "%s", k ? "," : "");
        to += k % 2 ? member_number(to, i / 2) : member_string(to, i / 2);
    }
    strcpy(to, "]}");
    g = small_grammar("json_schema", schema, &options);
    for (int i = 0; i < MEMBERS; i += 13) {
        member_number(text, i);
        assert_int_equal(small_accepts(g, text), i < MEMBERS / 2);
        strcat(text, ".5");
        assert_false(small_accepts(g, text));
        member_string(text, i);
        assert_int_equal(small_accepts(g, text), i < MEMBERS / 2);
    }
    assert_false(small_accepts(g, "1"));
    assert_false(small_accepts(g, "\"\""));
    sortes_grammar_free(g);
    free(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_equal_however_they_are_spelled),
        cmocka_unit_test(long_enums),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

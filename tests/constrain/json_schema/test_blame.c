/*
 * test_blame.c - why no text satisfies a schema, in words
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "compiler.h"
#include "sortes.h"
#include "support/heap.h"

#include <string.h>

static const struct {
    const char *schema;
    const char *where;  /* and what follows ": no text satisfies it" */
    const char *offset; /* the text in the schema that err.offset points to */
} cases[] = {
    { "false", "#: no text satisfies it", "false" },
    { "{\"type\":\"string\",\"minLength\":5,\"maxLength\":2}",
      "#: no text satisfies it: minLength is above maxLength", "{\"type" },
    { "{\"type\":\"array\",\"minItems\":1,\"maxItems\":0}",
      "#: no text satisfies it: minItems is above maxItems", "{\"type" },
    { "{\"type\":\"object\",\"minProperties\":2,\"maxProperties\":1}",
      "#: no text satisfies it: minProperties is above maxProperties",
      "{\"type" },
    { "{\"type\":\"number\",\"minimum\":1.5,\"maximum\":1.25}",
      "#: no text satisfies it: minimum is above maximum", "{\"type" },
    /* The lengths say nothing of numbers. */
    { "{\"type\":\"integer\",\"minLength\":5,\"maxLength\":2,\"minimum\":1,"
      "\"maximum\":0}",
      "#: no text satisfies it: minimum is above maximum", "{\"type" },
    { "{\"type\":\"integer\",\"minimum\":1,\"maximum\":6,\"multipleOf\":7}",
      "#: no text satisfies it", "{\"type" },
    /* Under required keys, and not under others. */
    { "{\"type\":\"object\",\"required\":[\"a\",\"b\"],\"properties\":{\"c\":"
      "false,\"a\":{},\"b\":{\"type\":\"object\",\"required\":[\"d\"],"
      "\"properties\":{\"d\":{\"type\":\"string\",\"minLength\":2,"
      "\"maxLength\":1}}}}}",
      "#/properties/b/properties/d: no text satisfies it: minLength is above "
      "maxLength",
      "{\"type\":\"string\"" },
    { "{\"type\":\"object\",\"required\":[\"a\",\"b\"],\"properties\":{\"a\":{}"
      "},\"additionalProperties\":false}",
      "#/required/1: no text satisfies it: this key is required, but it cannot "
      "occur",
      "\"b\"]" },
    { "{\"type\":\"object\",\"required\":[\"a\"],\"properties\":{\"a\":false}}",
      "#/properties/a: no text satisfies it", "false" },
    /* Items that must come. */
    { "{\"type\":\"array\",\"prefixItems\":[{},{\"enum\":[]},false],"
      "\"minItems\":2}",
      "#/prefixItems/1: no text satisfies it", "{\"enum" },
    { "{\"type\":\"array\",\"items\":{\"enum\":[]},\"minItems\":1}",
      "#/items: no text satisfies it", "{\"enum" },
    { "{\"type\":\"array\",\"contains\":{\"enum\":[]}}",
      "#/contains: no text satisfies it", "{\"enum" },
    { "{\"type\":\"array\",\"items\":false,\"contains\":{}}",
      "#: no text satisfies it", "{\"type" },
    /* By reference, and through what holds beside. */
    { "{\"allOf\":[{},{\"$ref\":\"#/$defs/a\"}],\"$defs\":{\"a\":{\"allOf\":[{"
      "\"enum\":[]}]}}}",
      "#/$defs/a/allOf/0: no text satisfies it", "{\"enum" },
    /* Neither of the two alone. */
    { "{\"allOf\":[{\"type\":\"null\"},{\"type\":\"string\"}]}",
      "#: no text satisfies it", "{\"allOf" },
    { "{\"anyOf\":[false,{\"enum\":[]}]}", "#: no text satisfies it",
      "{\"anyOf" },
    /* Without end. */
    { "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#\"}},"
      "\"required\":[\"a\"]}",
      "#: no text satisfies it: it would have to hold itself, without end",
      "{\"type" },
    { "{\"$ref\":\"#/$defs/l\",\"$defs\":{\"l\":{\"type\":\"array\",\"items\":{"
      "\"$ref\":\"#/$defs/l\"},\"minItems\":1}}}",
      "#/$defs/l: no text satisfies it: it would have to hold itself, without "
      "end",
      "{\"type" },
    { "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\","
      "\"$dynamicAnchor\":\"n\",\"type\":\"array\",\"items\":{\"$dynamicRef\":"
      "\"#n\"},\"minItems\":1}",
      "#: no text satisfies it: it would have to hold itself, without end",
      "{\"$schema" },
};

static void what_is_empty_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < SRT_COUNT(cases); i++) {
        const char *schema = cases[i].schema;
        sortes_grammar *g = NULL;
        sortes_error err = { 0 };

        assert_int_equal(sortes_grammar_new(&g, "json_schema", schema,
                                            strlen(schema), NULL, &err),
                         SORTES_E_EMPTY);
        assert_null(g);
        assert_int_equal(strncmp(err.text, "json_schema: ", 13), 0);
        if (strcmp(err.text + 13, cases[i].where) != 0)
            fail_msg("%s: %s", schema, err.text);
        if (strncmp(schema + err.offset, cases[i].offset,
                    strlen(cases[i].offset)) != 0)
            fail_msg("%s: byte %zu", schema, err.offset);
    }
}

/* The search for it may end before its time; that the schema is empty stands.
 */
static void memory_may_end_on_the_way(void **state)
{
    (void)state;
    if (!heap_is_ours())
        skip();
    for (size_t i = 0; i < SRT_COUNT(cases); i++) {
        bool failed = true;
        size_t n = 1;

        for (; failed; n++) {
            const long before = heap.live;
            sortes_grammar *g = NULL;
            sortes_status status;

            heap_arm(n, n % 2);
            status = sortes_grammar_new(&g, "json_schema", cases[i].schema,
                                        strlen(cases[i].schema), NULL, NULL);
            heap_disarm();
            failed = heap.failed > 0;
            assert_true(status == SORTES_E_EMPTY ||
                        (failed && status == SORTES_E_NOMEM));
            assert_int_equal(heap.live, before);
        }
        assert_in_range(n, 20, 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_empty_is_named),
        cmocka_unit_test(memory_may_end_on_the_way),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

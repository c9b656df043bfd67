/*
 * test_escape.c - where values run out: which prefixes of which texts can come
 *
 * Each language here is finite and written out, and every text over its bytes
 * is tried: the matcher takes a byte exactly if one of the texts goes on so.
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
#include "support/schema_cases.h"
#include "support/small_vocab.h"

#include <string.h>

struct finite {
    const char *schema;
    const char *texts; /* a line each, without blanks */
};

/* Whether some line begins with these n bytes; *whole: and is no longer. */
static bool goes_on(const char *lines, const char *text, size_t n, bool *whole)
{
    bool found = false;

    *whole = false;
    for (const char *line = lines; *line;) {
        const size_t length = strcspn(line, "\n");

        if (length >= n && memcmp(line, text, n) == 0) {
            found = true;
            *whole |= length == n;
        }
        line += length + (line[length] == '\n');
    }
    return found;
}

static void explore(const struct finite *f, sortes_matcher *m, char *text,
                    size_t n)
{
    for (int byte = 0x21; byte < 0x7F; byte++) {
        bool whole, want;
        sortes_status status;

        text[n] = (char)byte;
        want = goes_on(f->texts, text, n + 1, &whole);
        status = sortes_matcher_advance_bytes(m, text + n, 1, NULL);
        if ((status == SORTES_OK) != want ||
            (want && sortes_matcher_is_accepting(m) != whole))
            fail_msg("%s: %.*s: %s", f->schema, (int)n + 1, text,
                     sortes_status_name(status));
        if (status != SORTES_OK)
            continue;
        explore(f, m, text, n + 1);
        assert_int_equal(sortes_matcher_rollback(m, 1), SORTES_OK);
    }
}

#define UNIQUE "{\"type\":\"array\",\"uniqueItems\":true,"

static const struct finite languages[] = {
    { UNIQUE "\"items\":{\"type\":\"string\",\"pattern\":\"^[ab]$\"}}",
      "[]\n[\"a\"]\n[\"b\"]\n[\"a\",\"b\"]\n[\"b\",\"a\"]" },
    { "{\"allOf\":[" UNIQUE "\"items\":{\"type\":\"string\"}},{\"items\":{"
      "\"maxLength\":1,\"pattern\":\"^a*$\"}}]}",
      "[]\n[\"\"]\n[\"a\"]\n[\"\",\"a\"]\n[\"a\",\"\"]" },
    { UNIQUE "\"items\":{\"type\":\"string\",\"pattern\":\"^(a|ab|b)$\"},"
             "\"minItems\":3}",
      "[\"a\",\"ab\",\"b\"]\n[\"a\",\"b\",\"ab\"]\n[\"ab\",\"a\",\"b\"]\n"
      "[\"ab\",\"b\",\"a\"]\n[\"b\",\"a\",\"ab\"]\n[\"b\",\"ab\",\"a\"]" },
    { UNIQUE "\"items\":{\"type\":\"integer\",\"minimum\":9,\"maximum\":10}}",
      "[]\n[9]\n[10]\n[9,10]\n[10,9]" },
    { UNIQUE "\"items\":{\"type\":[\"boolean\",\"null\"]},\"minItems\":3}",
      "[true,false,null]\n[true,null,false]\n[false,true,null]\n"
      "[false,null,true]\n[null,true,false]\n[null,false,true]" },
    { UNIQUE "\"items\":{\"type\":\"array\",\"items\":{\"const\":1},"
             "\"maxItems\":1}}",
      "[]\n[[]]\n[[1]]\n[[],[1]]\n[[1],[]]" },
    { UNIQUE "\"items\":{\"type\":\"object\",\"properties\":{\"a\":{\"const\":"
             "1}},\"additionalProperties\":false}}",
      "[]\n[{}]\n[{\"a\":1}]\n[{},{\"a\":1}]\n[{\"a\":1},{}]" },
    { UNIQUE "\"items\":{\"type\":\"object\",\"properties\":{\"a\":{\"const\":"
             "1},\"b\":{\"enum\":[1,2]}},\"required\":[\"a\",\"b\"],"
             "\"additionalProperties\":false},\"minItems\":2}",
      "[{\"a\":1,\"b\":1},{\"a\":1,\"b\":2}]\n"
      "[{\"a\":1,\"b\":2},{\"a\":1,\"b\":1}]" },
    { UNIQUE "\"items\":{\"enum\":[{\"a\":[1]},[1],1]},\"minItems\":2,"
             "\"maxItems\":2}",
      "[{\"a\":[1]},[1]]\n[{\"a\":[1]},1]\n[[1],{\"a\":[1]}]\n[[1],1]\n"
      "[1,{\"a\":[1]}]\n[1,[1]]" },
    { UNIQUE "\"items\":{\"type\":\"array\",\"uniqueItems\":true,\"items\":{"
             "\"type\":\"null\"}},\"minItems\":2}",
      "[[],[null]]\n[[null],[]]" },
    { UNIQUE "\"items\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":3},"
             "\"contains\":{\"minimum\":2},\"minContains\":2,\"maxItems\":2}",
      "[2,3]\n[3,2]" },
    { UNIQUE "\"prefixItems\":[{\"type\":\"null\"},{\"type\":[\"null\","
             "\"boolean\"]}],\"items\":false,\"minItems\":2}",
      "[null,true]\n[null,false]" },
    { UNIQUE "\"prefixItems\":[{\"enum\":[1,2]},{\"enum\":[1]}],\"items\":"
             "false,\"minItems\":2}",
      "[2,1]" },
    { "{\"type\":\"object\",\"propertyNames\":{\"maxLength\":1,\"pattern\":"
      "\"^[ab]\"},\"additionalProperties\":{\"const\":1},\"minProperties\":1}",
      "{\"a\":1}\n{\"b\":1}\n{\"a\":1,\"b\":1}\n{\"b\":1,\"a\":1}" },
    { "{\"type\":\"object\",\"propertyNames\":{\"maxLength\":2,\"pattern\":"
      "\"^a\"},\"patternProperties\":{\"^aa?$\":{\"const\":1}},"
      "\"additionalProperties\":false,\"minProperties\":2}",
      "{\"a\":1,\"aa\":1}\n{\"aa\":1,\"a\":1}" },
    { UNIQUE "\"items\":{\"type\":\"object\",\"propertyNames\":{\"maxLength\":"
             "1,\"pattern\":\"^[ab]\"},\"additionalProperties\":{\"const\":1},"
             "\"minProperties\":1,\"maxProperties\":1}}",
      "[]\n[{\"a\":1}]\n[{\"b\":1}]\n[{\"a\":1},{\"b\":1}]\n"
      "[{\"b\":1},{\"a\":1}]" },
};

static void values_run_out_at_the_right_byte(void **state)
{
    static const sortes_grammar_options options = { .struct_size =
                                                        sizeof(options),
                                                    .escapes = "canonical",
                                                    .whitespace = "none" };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(languages); i++) {
        sortes_grammar *g =
            small_grammar("json_schema", languages[i].schema, &options);
        sortes_matcher *m = small_matcher(g, NULL);
        char text[128];

        sortes_grammar_free(g);
        explore(&languages[i], m, text, 0);
        sortes_matcher_free(m);
    }
}

/* In every spelling: 1, 1.0 and 10e-1, "a" and "\u0061". */
static void equal_values_are_one(void **state)
{
    static const struct schema_case cases[] = {
        { UNIQUE "\"items\":{}}",
          { "[1,\"1\",[1],{\"a\":1},null]", "[{\"a\":1},{\"a\":2}]",
            "[[1,2],[2,1]]", "[{\"a\":[1]},{\"a\":[]}]", "[[],{}]",
            "[0,false,\"\"]" },
          { "[1,1.0]", "[{\"a\":1,\"b\":2},{\"b\":2.0,\"\\u0061\":1}]",
            "[[1],[10e-1]]", "[null,null]", "[0,-0]", "[\"a\",\"\\u0061\"]",
            "[[{}],[{}]]" } },
        { UNIQUE "\"items\":{\"type\":\"number\",\"multipleOf\":0.5,"
                 "\"minimum\":0,\"maximum\":1}}",
          { "[0.5,1,0]", "[5e-1,0.0,10e-1]" },
          { "[0.5,0.50]", "[0,0.5,1,", "[1,0,0.1" } },
        { UNIQUE "\"items\":{\"type\":\"object\",\"additionalProperties\":{"
                 "\"type\":\"array\",\"uniqueItems\":true}}}",
          { "[{\"a\":[1,2]},{\"a\":[2,1]}]" },
          { "[{\"a\":[1,1]}]", "[{\"a\":[1]},{\"a\":[1]}]" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), NULL);
    schema_check_reach(UNIQUE "\"items\":{\"type\":\"number\",\"multipleOf\":"
                              "0.5,\"minimum\":0,\"maximum\":1}}",
                       "[1,0.0,1", 7);
    schema_check_reach(UNIQUE "\"items\":{\"type\":\"integer\",\"minimum\":1,"
                              "\"maximum\":3}}",
                       "[1,2,0.", 7);
    schema_check_reach(UNIQUE "\"items\":{\"type\":\"integer\",\"minimum\":1,"
                              "\"maximum\":3}}",
                       "[1,2,1", 5);
    schema_check_reach("{\"type\":\"object\",\"propertyNames\":{\"pattern\":"
                       "\"^(a|b.*)$\"},\"additionalProperties\":{}}",
                       "{\"a\":1,\"a", 8);
}

/* A matcher's copies and its steps back see what they have seen. */
static void items_go_with_their_tokens(void **state)
{
    sortes_grammar *g = small_grammar(
        "json_schema",
        UNIQUE "\"items\":{\"type\":\"object\",\"properties\":{\"a\":{}},"
               "\"required\":[\"a\"],\"additionalProperties\":false}}",
        NULL);
    sortes_matcher *m = small_matcher(g, NULL), *other;
    static const char first[] = "[{\"a\": [1]}, {\"a\": [1";

    (void)state;
    assert_int_equal(
        sortes_matcher_advance_bytes(m, first, strlen(first), NULL), SORTES_OK);
    assert_int_equal(sortes_matcher_clone(&other, m), SORTES_OK);
    assert_int_equal(sortes_matcher_advance_bytes(m, "]", 1, NULL),
                     SORTES_E_NO_TOKEN);
    assert_int_equal(sortes_matcher_advance_bytes(m, ", 2]", 4, NULL),
                     SORTES_OK);
    assert_int_equal(sortes_matcher_advance_bytes(other, "]", 1, NULL),
                     SORTES_E_NO_TOKEN);
    assert_int_equal(sortes_matcher_advance_bytes(other, "0]", 2, NULL),
                     SORTES_OK);
    assert_int_equal(sortes_matcher_rollback(m, 1), SORTES_OK);
    assert_int_equal(sortes_matcher_advance_bytes(m, "]", 1, NULL),
                     SORTES_E_NO_TOKEN);
    sortes_matcher_free(other);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
}

static void too_few_values_are_found_at_once(void **state)
{
    static const char *const empty[] = {
        UNIQUE "\"items\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":2},"
               "\"minItems\":4}",
        UNIQUE "\"items\":{\"type\":\"string\",\"maxLength\":1,\"pattern\":"
               "\"^[ab]*$\"},\"minItems\":4}",
        UNIQUE "\"items\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":"
               "\"boolean\"}},\"additionalProperties\":false},\"minItems\":4}",
        UNIQUE "\"items\":{\"type\":\"array\",\"items\":{\"type\":\"boolean\"},"
               "\"maxItems\":1},\"minItems\":4}",
        UNIQUE "\"items\":{\"type\":\"string\"},\"contains\":{\"const\":\"a\"},"
               "\"minContains\":2}",
        "{\"type\":\"object\",\"propertyNames\":{\"maxLength\":1,\"pattern\":"
        "\"^[ab]\"},\"minProperties\":3}",
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(empty); i++)
        schema_check_refused(empty[i], SORTES_E_EMPTY, "");
}

/* What would have to be found out, or counted in too many ways. */
static void the_rest_is_refused_by_name(void **state)
{
    static const char *const refused[] = {
        "{\"type\":\"array\",\"not\":{\"uniqueItems\":true}}",
        "{\"anyOf\":[{\"uniqueItems\":true},{\"maxItems\":3}]}",
        "{\"contains\":{\"uniqueItems\":true}}",
        "{\"if\":{\"uniqueItems\":true},\"then\":{\"maxItems\":2}}",
        "{\"oneOf\":[{\"properties\":{\"a\":{\"uniqueItems\":true}}},{"
        "\"properties\":{\"b\":{\"const\":1}}}]}",
        UNIQUE "\"prefixItems\":[{\"type\":\"integer\",\"minimum\":1,"
               "\"maximum\":2},{\"type\":\"integer\",\"minimum\":1,"
               "\"maximum\":1}],\"minItems\":2}",
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(refused); i++)
        schema_check_refused(refused[i], SORTES_E_NAME, "uniqueItems: ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_run_out_at_the_right_byte),
        cmocka_unit_test(equal_values_are_one),
        cmocka_unit_test(items_go_with_their_tokens),
        cmocka_unit_test(too_few_values_are_found_at_once),
        cmocka_unit_test(the_rest_is_refused_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_bad_input.c - schemas that nobody should write: each ends with a status
 * that says what is wrong, where, and what is allowed, or is simply read
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "compiler.h"
#include "support/small_vocab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts that grow ----------------------------------------------------- */

struct text {
    char *at;
    size_t n, room;
};

static void add(struct text *t, const char *format, ...) SRT_PRINTF(2, 3);

static void add(struct text *t, const char *format, ...)
{
    va_list arguments;
    int n;

    if (t->room - t->n < 1024) {
        t->room = t->room ? 2 * t->room : 4096;
        t->at = realloc(t->at, t->room);
        assert_non_null(t->at);
    }
    va_start(arguments, format);
    n = vsnprintf(t->at + t->n, t->room - t->n, format, arguments);
    va_end(arguments);
    assert_in_range(n, 0, 1023);
    t->n += (size_t)n;
}

static void add_times(struct text *t, size_t times, const char *piece)
{
    while (times-- > 0)
        add(t, "%s", piece);
}

static sortes_grammar *compile(struct text *t)
{
    sortes_grammar *g = small_grammar("json_schema", t->at, NULL);

    free(t->at);
    *t = (struct text){ 0 };
    return g;
}

/* Takes the text. */
static void refused(struct text *t, sortes_status status, const char *words)
{
    sortes_grammar *g = NULL;
    sortes_error err = { 0 };
    const sortes_status got =
        sortes_grammar_new(&g, "json_schema", t->at, t->n, NULL, &err);

    if (got != status || err.status != status || strcmp(err.text, words) != 0)
        fail_msg("%.200s: %s, \"%s\"", t->at, sortes_status_name(got),
                 err.text);
    assert_true(err.offset <= t->n);
    free(t->at);
    *t = (struct text){ 0 };
}

static void is_refused(const char *schema, sortes_status status,
                       const char *words)
{
    struct text t = { 0 };

    add(&t, "%s", schema);
    refused(&t, status, words);
}

/* ---- large, and nothing wrong -------------------------------------------- */

static void ten_alternatives_inside_one_another(void **state)
{
    static const char open[] =
        "{\"oneOf\":[{\"type\":\"null\"},{\"type\":\"array\",\"maxItems\":1,"
        "\"items\":";
    struct text t = { 0 };
    sortes_grammar *g;

    (void)state;
    add_times(&t, 10, open);
    add(&t, "{\"type\":\"boolean\"}");
    add_times(&t, 10,
              "},{\"type\":\"array\",\"minItems\":1,\"items\":{"
              "\"type\":\"string\"}}]}");
    g = compile(&t);
    assert_true(small_accepts(g, "[[[[[[[[[[true]]]]]]]]]]"));
    assert_true(small_accepts(g, "[[[\"a\",\"b\"]]]"));
    assert_true(small_accepts(g, "[[[[null]]]]"));
    assert_false(small_accepts(g, "[[[[[[[[[[1]]]]]]]]]]"));
    assert_false(small_accepts(g, "[[],[]]"));
    sortes_grammar_free(g);
    /* In place: the value itself is what each level asks about. */
    add_times(&t, 10, "{\"oneOf\":[{\"type\":\"null\"},");
    add(&t, "{\"type\":\"boolean\"}");
    add_times(&t, 10, "]}");
    g = compile(&t);
    assert_true(small_accepts(g, "true"));
    assert_false(small_accepts(g, "null")); /* one of two, but for each other */
    assert_false(small_accepts(g, "1"));
    sortes_grammar_free(g);
}

static void thirty_optional_properties(void **state)
{
    struct text t = { 0 };
    sortes_grammar *g;
    sortes_matcher *m;
    sortes_grammar_stats stats;

    (void)state;
    add(&t, "{\"type\":\"object\",\"additionalProperties\":false,"
            "\"properties\":{");
    for (int i = 0; i < 30; i++)
        add(&t, "%s\"k%d\":{\"type\":\"null\"}", i ? "," : "", i);
    add(&t, "}}");
    g = compile(&t);
    m = small_matcher(g, NULL);
    add(&t, "{");
    for (int i = 0; i < 30; i++)
        add(&t, "%s\"k%d\":null", i ? "," : "", i);
    add(&t, "}");
    assert_int_equal(sortes_matcher_advance_bytes(m, t.at, t.n, NULL),
                     SORTES_OK);
    assert_int_equal(sortes_matcher_is_accepting(m), 1);
    sortes_matcher_stats(m, &stats);
    assert_in_range(stats.n_states, 30, 2000); /* and no 2^30 */
    sortes_matcher_free(m);
    free(t.at);
    assert_true(small_accepts(g, "{}"));
    assert_true(small_accepts(g, "{\"k7\":null,\"k29\":null}"));
    assert_false(small_accepts(g, "{\"k30\":null}"));
    assert_false(small_accepts(g, "{\"k7\":null,\"k7\":null}"));
    sortes_grammar_free(g);
}

static void an_enum_of_a_hundred_thousand(void **state)
{
    struct text t = { 0 };
    sortes_grammar *g;

    (void)state;
    add(&t, "{\"enum\":[-1");
    for (int i = 0; i < 50000; i++)
        add(&t, ",%d,\"w%d\"", 3 * i, 7 * i);
    add(&t, "]}");
    g = compile(&t);
    assert_true(small_accepts(g, "149997"));
    assert_true(small_accepts(g, "\"w349993\""));
    assert_true(small_accepts(g, "-1"));
    assert_false(small_accepts(g, "149998"));
    assert_false(small_accepts(g, "150000"));
    assert_false(small_accepts(g, "\"w349994\""));
    assert_false(small_accepts(g, "\"w\""));
    sortes_grammar_free(g);
}

static void deep_nesting(void **state)
{
    static const char *const layers[][2] = {
        { "{\"items\":", "}" },
        { "{\"not\":", "}" },
        { "{\"anyOf\":[", "]}" },
        { "{\"properties\":{\"a\":", "}}" },
    };
    struct text t = { 0 };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(layers); i++) {
        const size_t levels = i < 2 ? 511 : 255; /* of the reader's 512 */
        sortes_grammar *g;

        add_times(&t, levels, layers[i][0]);
        add(&t, "{}");
        add_times(&t, levels, layers[i][1]);
        if (i == 1) { /* an odd number of times: nothing */
            refused(&t, SORTES_E_EMPTY, "json_schema: #: no text satisfies it");
            continue;
        }
        g = compile(&t);
        assert_true(small_accepts(g, "[[{\"a\":{\"a\":1}}]]"));
        sortes_grammar_free(g);
    }
    add_times(&t, 512, "{\"items\":");
    add(&t, "{}");
    add_times(&t, 512, "}");
    refused(&t, SORTES_E_LIMIT,
            "json: byte 4608: nested too deep (allowed 512)");
    /* One after another by reference, which JSON does not bound. */
    add(&t, "{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
    for (int i = 0; i < 1500; i++)
        add(&t, "\"d%d\":{\"$ref\":\"#/$defs/d%d\"},", i, i + 1);
    add(&t, "\"d1500\":{}}}");
    refused(&t, SORTES_E_LIMIT,
            "json_schema: #/$defs/d1000: more than 1000 schemas in a chain");
}

/* Digits are kept as they are. */
static void integers_of_any_size(void **state)
{
    static const char two_to_64[] =
        "{\"type\":\"integer\",\"minimum\":18446744073709551616,\"maximum\":"
        "18446744073709551618,\"not\":{\"const\":18446744073709551617}}";
    struct text t = { 0 };
    sortes_grammar *g;

    (void)state;
    add(&t, "%s", two_to_64);
    g = compile(&t);
    assert_true(small_accepts(g, "18446744073709551616"));
    assert_true(small_accepts(g, "18446744073709551618"));
    assert_false(small_accepts(g, "18446744073709551615"));
    assert_false(small_accepts(g, "18446744073709551617"));
    assert_false(small_accepts(g, "18446744073709551619"));
    sortes_grammar_free(g);
    add(&t, "{\"const\":1");
    add_times(&t, 639, "0");
    add(&t, "}");
    sortes_grammar_free(compile(&t));
    add(&t, "{\"const\":1");
    add_times(&t, 639, "7");
    add(&t, "}");
    sortes_grammar_free(compile(&t));
    add(&t, "{\"maximum\":1");
    add_times(&t, 640, "7");
    add(&t, "}");
    refused(&t, SORTES_E_LIMIT,
            "json_schema: #/maximum: a number has at most 640 digits and an "
            "exponent up to 1000");
    is_refused("{\"items\":{\"const\":1e-99999999999999999999}}",
               SORTES_E_LIMIT,
               "json_schema: #/items/const: a number has at most 640 digits "
               "and an exponent up to 1000");
    is_refused("{\"multipleOf\":1000000000000000001}", SORTES_E_SYNTAX,
               "json_schema: #/multipleOf: multipleOf is above 0 and has at "
               "most 18 digits");
    is_refused("{\"minLength\":4294967295}", SORTES_E_LIMIT,
               "json_schema: #/minLength: the count is above 4294967294");
    is_refused("{\"minItems\":1e300}", SORTES_E_LIMIT,
               "json_schema: #/minItems: the count is above 4294967294");
    is_refused("{\"maxItems\":1e3000}", SORTES_E_LIMIT,
               "json_schema: #/maxItems: a number has at most 640 digits and "
               "an exponent up to 1000");
    is_refused("{\"maxItems\":1.5}", SORTES_E_SYNTAX,
               "json_schema: #/maxItems: a count is a whole number from 0 on");
    /* More than there can be is no bound. */
    add(&t, "{\"maxLength\":1e300,\"maxItems\":4294967296,\"minItems\":2.0}");
    g = compile(&t);
    assert_true(small_accepts(g, "[1,2]"));
    assert_false(small_accepts(g, "[1]"));
    sortes_grammar_free(g);
}

static void a_zero_character_in_keys(void **state)
{
    struct text t = { 0 };
    sortes_grammar *g;

    (void)state;
    add(&t, "{\"type\":\"object\",\"properties\":{\"a\\u0000b\":{\"type\":"
            "\"null\"},\"a\":{\"const\":\"\\u0000\"}},\"required\":["
            "\"a\\u0000b\"],\"additionalProperties\":false,"
            "\"type\\u0000\":\"string\"}");
    g = compile(&t);
    assert_true(small_accepts(g, "{\"a\\u0000b\":null}"));
    assert_true(small_accepts(g, "{\"a\\u0000b\":null,\"a\":\"\\u0000\"}"));
    assert_false(small_accepts(g, "{\"a\":\"\\u0000\"}"));
    assert_false(small_accepts(g, "{\"a\\u0000b\":1}"));
    assert_false(small_accepts(g, "{\"a\\u0000b\":null,\"a\":\"\"}"));
    assert_false(small_accepts(g, "{\"a\\u0000c\":null}"));
    sortes_grammar_free(g);
    is_refused("{\"$ref\":\"#/$defs/a\\u0000b\",\"$defs\":{\"a\":{}}}",
               SORTES_E_NAME,
               "json_schema: #/$ref: nothing stands where the reference "
               "points");
}

/* ---- wrong in itself ----------------------------------------------------- */

static void references_in_a_circle(void **state)
{
    (void)state;
    is_refused("{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"$ref\":"
               "\"#/$defs/b\"},\"b\":{\"$ref\":\"#/$defs/a\"}}}",
               SORTES_E_SYNTAX,
               "json_schema: #/$defs/a: the schema refers to itself without "
               "anything in between");
    is_refused("{\"properties\":{\"a\":{\"anyOf\":[{\"type\":\"null\"},{"
               "\"$ref\":\"#/properties/a\"}]}}}",
               SORTES_E_SYNTAX,
               "json_schema: #/properties/a: the schema refers to itself "
               "without anything in between");
    is_refused("{\"items\":{\"if\":{},\"else\":{\"$ref\":\"#/items\"}}}",
               SORTES_E_SYNTAX,
               "json_schema: #/items: the schema refers to itself without "
               "anything in between");
    is_refused("{\"items\":{\"$dynamicAnchor\":\"a\",\"allOf\":[{"
               "\"$dynamicRef\":\"#a\"}]}}",
               SORTES_E_SYNTAX,
               "json_schema: #/items: the schema refers to itself without "
               "anything in between");
    /* Two anchors: where it leads is found out on the way. */
    is_refused("{\"$id\":\"http://x/a\",\"$dynamicAnchor\":\"a\",\"$ref\":"
               "\"b\",\"$defs\":{\"b\":{\"$id\":\"b\",\"$dynamicRef\":\"#a\","
               "\"$defs\":{\"c\":{\"$dynamicAnchor\":\"a\"}}}}}",
               SORTES_E_SYNTAX,
               "json_schema: a dynamic reference leads to itself without "
               "anything in between");
}

static void bounds_that_cross(void **state)
{
    (void)state;
    is_refused("{\"type\":\"object\",\"properties\":{\"s\":{\"type\":"
               "\"string\",\"minLength\":3,\"maxLength\":2}},\"required\":["
               "\"s\"]}",
               SORTES_E_EMPTY,
               "json_schema: #/properties/s: no text satisfies it: minLength "
               "is above maxLength");
}

static void documents_that_are_not_here(void **state)
{
    (void)state;
    is_refused("{\"allOf\":[{},{\"items\":{\"$ref\":\"https://x/y.json#/z\"}}"
               "]}",
               SORTES_E_NAME,
               "json_schema: #/allOf/1/items/$ref: this document is not here: "
               "'https://x/y.json'");
    is_refused("{\"$ref\":\"http://json-schema.org/draft-07/schema#\"}",
               SORTES_E_NAME,
               "json_schema: #/$ref: this document is not here: "
               "'http://json-schema.org/draft-07/schema'");
}

static void keys_that_occur_twice(void **state)
{
    struct text t = { 0 };

    (void)state;
    is_refused("{\"items\":{\"type\":\"null\",\"type\":\"null\"}}",
               SORTES_E_SYNTAX,
               "json_schema: #/items/type: the key occurs twice");
    is_refused("{\"patternProperties\":{\"a\":{},\"\\u0061\":{}}}",
               SORTES_E_SYNTAX,
               "json_schema: #/patternProperties/a: the key occurs twice");
    is_refused("{\"dependentRequired\":{\"a\":[],\"a\":[\"b\"]}}",
               SORTES_E_SYNTAX,
               "json_schema: #/dependentRequired/a: the key occurs twice");
    is_refused("{\"const\":[{\"a\":{\"b\":1,\"b\":2}}]}", SORTES_E_SYNTAX,
               "json_schema: #/const/0/a/b: the key occurs twice");
    is_refused("{\"enum\":[1,{\"b\":1,\"b\":1}]}", SORTES_E_SYNTAX,
               "json_schema: #/enum/1/b: the key occurs twice");
    is_refused("{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{},\"a\":true}}",
               SORTES_E_SYNTAX,
               "json_schema: #/$ref: a key that the reference names occurs "
               "twice");
    add(&t, "{\"properties\":{\"k0\":{}");
    for (int i = 1; i < 200; i++)
        add(&t, ",\"k%d\":{}", i);
    add(&t, ",\"k150\":{}}}");
    refused(&t, SORTES_E_SYNTAX,
            "json_schema: #/properties/k150: the key occurs twice");
    /* Where no schema and no value is, it does no harm. */
    add(&t, "{\"x\":{\"a\":1,\"a\":2},\"default\":{\"a\":1,\"a\":2}}");
    sortes_grammar_free(compile(&t));
}

static void bytes_by_chance(void **state)
{
    static const char seed[] =
        "{\"$defs\":{\"a\":{\"type\":[\"string\",\"null\"],\"pattern\":\"^a\"}}"
        ",\"oneOf\":[{\"$ref\":\"#/$defs/a\"},{\"items\":{\"const\":1.5}}],"
        "\"required\":[\"k\"],\"minLength\":1,\"uniqueItems\":false}";
    const sortes_grammar_options options = { .struct_size = sizeof(options),
                                             .max_states = 20000,
                                             .max_state_bytes = 8 << 20 };
    char text[sizeof(seed)];
    uint64_t x = 88172645463325252u;
    int n_read = 0;

    (void)state;
    for (int round = 0; round < 4000; round++) {
        sortes_grammar *g = NULL;
        sortes_error err = { 0 };
        sortes_status status;

        memcpy(text, seed, sizeof(seed));
        for (size_t i = 0; i < sizeof(seed) - 1; i++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            if (round % 2 == 0)
                text[i] = (char)(x >> 11);
            else if (x % 97 == 0)
                text[i] = seed[x >> 20 & 63];
        }
        status = sortes_grammar_new(&g, "json_schema", text, sizeof(seed) - 1,
                                    &options, &err);
        n_read += status == SORTES_OK;
        assert_true((status == SORTES_OK) == (err.text[0] == '\0'));
        assert_true((status == SORTES_OK) == (g != NULL));
        assert_true(err.offset < sizeof(seed));
        if (round % 2 == 0)
            assert_int_equal(status, SORTES_E_SYNTAX);
        sortes_grammar_free(g);
    }
    assert_in_range(n_read, 100, 1900); /* of the damaged ones, some */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_alternatives_inside_one_another),
        cmocka_unit_test(thirty_optional_properties),
        cmocka_unit_test(an_enum_of_a_hundred_thousand),
        cmocka_unit_test(deep_nesting),
        cmocka_unit_test(integers_of_any_size),
        cmocka_unit_test(a_zero_character_in_keys),
        cmocka_unit_test(references_in_a_circle),
        cmocka_unit_test(bounds_that_cross),
        cmocka_unit_test(documents_that_are_not_here),
        cmocka_unit_test(keys_that_occur_twice),
        cmocka_unit_test(bytes_by_chance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

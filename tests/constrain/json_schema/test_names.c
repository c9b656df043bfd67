/*
 * test_names.c - tokens along names, without a state for each letter
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/json_schema/names.h"
#include "constrain/matcher.h"
#include "support/small_vocab.h"

#include <stdio.h>
#include <string.h>

static const struct small_token tokens[] = {
    { "\"n", 0, 0 },        { "\"na", 0, 0 },       { "am", 0, 0 },
    { "ame\"", 0, 0 },      { "\"name\":", 0, 0 },  { "e\":\"", 0, 0 },
    { "\":{\"na", 0, 0 },   { "na\":", 0, 0 },      { "\"\":1", 0, 0 },
    { "\xC3\xA9\"", 0, 0 }, { "\\u006eame", 0, 0 }, { "a\\\"", 0, 0 },
    { ",\"na", 0, 0 },      { "1,\"o", 0, 0 },      { "one\":1}", 0, 0 },
};

#define CLOSED ",\"additionalProperties\":false}"

/* Whether names alone, in one spelling, may come behind a text. */
struct named {
    const char *schema, *text;
    bool is_named;
};

static const struct named cases[] = {
    { "{\"properties\":{\"name\":{},\"one\":{}}" CLOSED, "{\"", true },
    { "{\"properties\":{\"name\":{},\"na\":{},\"\":{}}" CLOSED, "{\"na", true },
    { "{\"properties\":{\"name\":{\"type\":\"object\"}}" CLOSED,
      "{\"name\":{\"", false }, /* any keys */
    { "{\"properties\":{\"name\":{}}" CLOSED, "{\"name\":\"", false },
    { "{\"properties\":{\"name\":{}}" CLOSED, "{", false },
    { "{\"properties\":{\"name\":{}},\"patternProperties\":{\"^o\":{}}" CLOSED,
      "{\"", false },
    { "{\"properties\":{\"name\":{}},\"patternProperties\":{\"^o\":{}}" CLOSED,
      "{\"n", true },
    { "{\"properties\":{\"na\\\"me\":{},\"name\":{}}" CLOSED, "{\"", false },
    { "{\"properties\":{\"\u00e9\":{},\"name\":{}}" CLOSED, "{\"", false },
};

static void only_names_are_named(void **state)
{
    sortes_vocab *v = small_vocab(NULL, tokens, SRT_COUNT(tokens));

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(cases); i++) {
        sortes_grammar *g = small_grammar("json_schema", cases[i].schema, NULL);
        sortes_matcher *m = small_matcher(g, v);

        for (const char *c = cases[i].text; *c; c++) {
            small_check_mask(m, v);
            assert_int_equal(sortes_matcher_advance_bytes(m, c, 1, NULL),
                             SORTES_OK);
        }
        small_check_mask(m, v);
        assert_int_equal(
            srt_js_is_named(m->cursor.cache->machine, m->place.state),
            cases[i].is_named);
        sortes_matcher_free(m);
        sortes_grammar_free(g);
    }
    sortes_vocab_free(v);
}

static void any_escape_is_no_single_spelling(void **state)
{
    sortes_grammar_options o = { .struct_size = sizeof(o) };
    sortes_vocab *v = small_vocab(NULL, tokens, SRT_COUNT(tokens));
    sortes_grammar *g;
    sortes_matcher *m;

    (void)state;
    o.escapes = "json";
    g = small_grammar("json_schema", cases[0].schema, &o);
    m = small_matcher(g, v);
    small_advance(m, v, "{\"");
    small_check_mask(m, v);
    assert_false(srt_js_is_named(m->cursor.cache->machine, m->place.state));
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

enum { MANY = 3 * SRT_BRANCHES + 1 };

/* More tokens than branches go on behind a name's quote: half of them, where
 * numbers have to come. */
static void branches_are_all_followed(void **state)
{
    static char bytes[2 * MANY][16], schema[MANY * 40];
    static struct small_token many[2 * MANY];
    size_t n = 0;
    sortes_vocab *v;
    sortes_grammar *g;
    sortes_matcher *m;

    (void)state;
    n += (size_t)snprintf(schema, sizeof(schema), "{\"properties\":{");
    for (int i = 0; i < MANY; i++) {
        snprintf(bytes[2 * i], sizeof(bytes[0]), "k%d\":1", i);
        snprintf(bytes[2 * i + 1], sizeof(bytes[0]), "\"k%d\":\"", i);
        n += (size_t)snprintf(schema + n, sizeof(schema) - n,
                              "%s\"k%d\":{\"type\":\"%s\"}", i ? "," : "", i,
                              i % 2 ? "string" : "number");
    }
    snprintf(schema + n, sizeof(schema) - n, "}" CLOSED);
    for (int i = 0; i < 2 * MANY; i++)
        many[i] = (struct small_token){ bytes[i], 0, 0 };
    v = small_vocab(NULL, many, SRT_COUNT(many));
    g = small_grammar("json_schema", schema, NULL);
    m = small_matcher(g, v);
    assert_int_equal(sortes_matcher_advance_bytes(m, "{", 1, NULL), SORTES_OK);
    small_check_mask(m, v);
    assert_int_equal(sortes_matcher_advance_bytes(m, "\"", 1, NULL), SORTES_OK);
    small_check_mask(m, v);
    assert_int_equal(sortes_matcher_advance_bytes(m, "k1", 2, NULL), SORTES_OK);
    small_check_mask(m, v);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_names_are_named),
        cmocka_unit_test(any_escape_is_no_single_spelling),
        cmocka_unit_test(branches_are_all_followed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

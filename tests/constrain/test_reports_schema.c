/*
 * test_reports_schema.c - what users of other engines have run into under a
 * JSON Schema, and here cannot
 *
 * Beside each case stands where the symptom was seen; the inputs are our own.
 * docs/ORACLES.md lists where every report is answered.
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
#include <string.h>

/* Texts under the default options: keys in order, bounded blanks. */
static const struct {
    const char *seen, *schema;
    const char *right[6], *wrong[6];
} cases[] = {
    { "xgrammar#339: an array of bounded arrays took the time of all their "
      "lengths",
      "{\"type\":\"array\",\"minItems\":2,\"maxItems\":40,\"items\":{\"type\":"
      "\"array\",\"minItems\":2,\"maxItems\":40,\"items\":{\"type\":\"array\","
      "\"minItems\":1,\"maxItems\":40,\"items\":{\"type\":\"null\"}}}}",
      { "[[[null],[null,null]],[[null],[null]]]" },
      { "[[[null],[null]]]", "[[[null]],[[null]]]", "[[[],[null]],[[null]]]",
        "[[[1],[1]],[[1],[1]]]" } },
    { "xgrammar#831: a declared key that was passed over could be typed again, "
      "but not closed",
      "{\"type\":\"object\",\"properties\":{\"size\":{\"type\":\"integer\"},"
      "\"unit\":{\"type\":\"string\"}},\"additionalProperties\":true}",
      { "{\"size\":1,\"unit\":\"m\"}", "{\"unit\":\"m\",\"sizes\":[]}",
        "{\"unit\":\"m\",\"size\":3}", "{\"x\":0,\"size\":3}" },
      { "{\"unit\":\"m\",\"size\":\"3\"}", "{\"unit\":\"m\",\"unit\":\"n\"}",
        "{\"size\":null}" } },
    { "ollama#8325: a pattern without anchors was refused",
      "{\"type\":\"string\",\"pattern\":\"(x|yy)z\"}",
      { "\"xz\"", "\"ayyzb\"", "\"\\u00e9xz\"" },
      { "\"\"", "\"x\"", "\"yz\"" } },
    { "llama.cpp, its converter: a range without end ate all memory",
      "{\"type\":\"string\",\"minLength\":3,\"maxLength\":4}",
      { "\"abc\"", "\"\\u00e9\\u00e9\\u00e9\\u00e9\"" },
      { "\"ab\"", "\"abcde\"" } },
    { "sglang#38587, xgrammar#208: additionalProperties let a declared key in "
      "with another type",
      "{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"boolean\"}},"
      "\"additionalProperties\":{\"type\":\"array\"}}",
      { "{\"id\":true,\"idx\":[]}", "{\"i\":[],\"id\":false}", "{}" },
      { "{\"id\":[]}", "{\"i\":[],\"id\":[]}", "{\"\\u0069d\":[]}" } },
    { "outlines-core#267: an alternation at the top took the quotes with it",
      "{\"type\":\"object\",\"properties\":{\"to\":{\"type\":\"string\","
      "\"pattern\":\"^up|down$\"}},\"required\":[\"to\"],"
      "\"additionalProperties\":false}",
      { "{\"to\":\"up\"}", "{\"to\":\"upper\"}", "{\"to\":\"sundown\"}" },
      { "{\"to\":up\"}", "{\"to\":\"down}", "{\"to\":\"left\"}",
        "{\"to\":\"downs\"}" } },
    { "llama.cpp#27580: \\d, \\w and \\s were copied or dropped",
      "{\"type\":\"string\",\"pattern\":\"^\\\\w[\\\\d.]*\\\\s[^\\\\W_]$\"}",
      { "\"a1.5 b\"", "\"_\\t9\"" },
      { "\"d b\\\\\"", "\"a x b\"", "\"a1 _\"", "\"w\"" } },
    { "vllm#56556: allOf was any JSON",
      "{\"$defs\":{\"Dated\":{\"type\":\"object\",\"properties\":{\"year\":{"
      "\"type\":\"integer\",\"maximum\":2100}},\"required\":[\"year\"]}},"
      "\"allOf\":[{\"$ref\":\"#/$defs/Dated\"},{\"properties\":{\"kind\":{"
      "\"enum\":[\"a\",\"b\"]}},\"required\":[\"kind\"]}]}",
      { "{\"year\":1999,\"kind\":\"b\"}" },
      { "{\"year\":2101,\"kind\":\"b\"}", "{\"year\":1}", "{\"kind\":\"a\"}",
        "{\"year\":1,\"kind\":\"c\"}", "null" } },
    { "vllm#45592: beside a pattern maxLength was ignored",
      "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"pattern\":"
      "\"^[0-9]+(-[0-9]+)?$\",\"minLength\":2,\"maxLength\":4}}",
      { "[\"12\",\"1-34\"]", "[]" },
      { "[\"1\"]", "[\"12-34\"]", "[\"1-\"]", "[\"ab\"]" } },
    { "outlines-core#148, #149: patternProperties did not compile, or did "
      "nothing",
      "{\"type\":\"object\",\"patternProperties\":{\"^(x|y)[0-9]$\":{\"type\":"
      "\"number\"}},\"additionalProperties\":false}",
      { "{}", "{\"x1\":1,\"y9\":0.5}" },
      { "{\"x\":1}", "{\"x1\":\"1\"}", "{\"z1\":1}", "{\"x12\":1}" } },
    { "vllm#54003: branches inside branches were copied",
      "{\"$ref\":\"#/$defs/n\",\"$defs\":{\"n\":{\"oneOf\":[{\"type\":"
      "\"object\",\"properties\":{\"l\":{\"$ref\":\"#/$defs/"
      "n\"}},\"required\":["
      "\"l\"],\"additionalProperties\":false},{\"type\":\"object\","
      "\"properties\":{\"r\":{\"$ref\":\"#/$defs/n\"}},\"required\":[\"r\"],"
      "\"additionalProperties\":false},{\"type\":\"null\"}]}}}",
      { "null", "{\"l\":{\"r\":{\"l\":{\"r\":{\"l\":{\"r\":null}}}}}}" },
      { "{\"l\":{\"r\":1}}", "{}", "{\"l\":null,\"r\":null}" } },
    { "xgrammar#826: propertyNames took the schema of the values away",
      "{\"type\":\"object\",\"propertyNames\":{\"maxLength\":2},"
      "\"additionalProperties\":{\"type\":\"boolean\"}}",
      { "{}", "{\"ab\":true,\"\":false}" },
      { "{\"abc\":true}", "{\"ab\":1}" } },
    { "llama.cpp#7703: of properties and anyOf one was dropped",
      "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},"
      "\"required\":[\"n\"],\"anyOf\":[{\"required\":[\"s\"],\"properties\":{"
      "\"s\":{\"type\":\"string\"}}},{\"required\":[\"b\"]}]}",
      { "{\"n\":1,\"s\":\"x\"}", "{\"n\":1,\"b\":null}" },
      { "{\"n\":1}", "{\"s\":\"x\"}", "{\"n\":\"1\",\"b\":0}",
        "{\"n\":1,\"s\":0}" } },
    { "llama.cpp#7789: closed objects, exclusive bounds",
      "{\"type\":\"object\",\"properties\":{\"v\":{\"type\":\"integer\","
      "\"exclusiveMinimum\":-1,\"exclusiveMaximum\":10}},"
      "\"additionalProperties\":false}",
      { "{\"v\":0}", "{\"v\":9}", "{}" },
      { "{\"v\":-1}", "{\"v\":10}", "{\"w\":1}" } },
    { "llama.cpp#7789: uniqueItems",
      "{\"type\":\"array\",\"items\":{\"enum\":[1,2,\"1\"]},\"uniqueItems\":"
      "true}",
      { "[1,\"1\",2]", "[]" },
      { "[1,1]", "[2,1,2]" } },
    { "llama.cpp#7866, gbnf#3: compact, spaced and indented JSON, but no empty "
      "lines",
      "{\"type\":\"object\",\"properties\":{\"k\":{\"type\":\"array\","
      "\"items\":"
      "{\"type\":\"integer\"}}},\"required\":[\"k\"]}",
      { "{\"k\":[1,2]}", "{ \"k\": [ 1, 2 ] }",
        "{\n  \"k\": [\n    1,\n    2\n  ]\n}" },
      { "{\n\n\"k\":[1]}", "{\"k\":  [1]}", "{\"k\":[1]}\n" } },
};

static void schemas_mean_what_they_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < SRT_COUNT(cases); i++) {
        sortes_grammar *g = small_grammar("json_schema", cases[i].schema, NULL);

        for (size_t k = 0; k < 6 && cases[i].right[k]; k++)
            if (!small_accepts(g, cases[i].right[k]))
                fail_msg("%s: %s is refused", cases[i].seen, cases[i].right[k]);
        for (size_t k = 0; k < 6 && cases[i].wrong[k]; k++)
            if (small_accepts(g, cases[i].wrong[k]))
                fail_msg("%s: %s is accepted", cases[i].seen,
                         cases[i].wrong[k]);
        sortes_grammar_free(g);
    }
}

/* xgrammar#831 again: whatever has been typed of a key, it can be closed. */
static void no_key_leads_into_a_corner(void **state)
{
    static const char typed[] = "{\"unit\":\"m\",\"siz";
    sortes_grammar *g = small_grammar(
        "json_schema",
        "{\"type\":\"object\",\"properties\":{\"size\":{\"type\":\"integer\"},"
        "\"unit\":{\"type\":\"string\"}},\"additionalProperties\":true}",
        NULL);
    sortes_vocab *v = small_vocab(NULL, NULL, 0);
    sortes_matcher *m = small_matcher(g, v);

    (void)state;
    assert_int_equal(
        sortes_matcher_advance_bytes(m, typed, sizeof(typed) - 1, NULL),
        SORTES_OK);
    assert_int_equal(sortes_matcher_allows(m, '"'), 1);
    assert_int_equal(sortes_matcher_allows(m, 'e'), 1);
    assert_int_equal(sortes_matcher_advance_bytes(m, "e", 1, NULL), SORTES_OK);
    assert_int_equal(sortes_matcher_allows(m, '"'), 1);
    sortes_matcher_free(m);
    sortes_vocab_free(v);
    sortes_grammar_free(g);
}

/* ollama#2577, #2351, vllm#38696, xgrammar#345: at most one space, and none
 * behind the value. */
static void blanks_can_be_held_to_one(void **state)
{
    const sortes_grammar_options options = { .struct_size = sizeof(options),
                                             .whitespace = "single" };
    sortes_grammar *g = small_grammar(
        "json_schema",
        "{\"type\":\"object\",\"properties\":{\"q\":{\"type\":\"boolean\"}},"
        "\"required\":[\"q\"],\"additionalProperties\":false}",
        &options);

    (void)state;
    assert_true(small_accepts(g, "{\"q\":true}"));
    assert_true(small_accepts(g, "{ \"q\" : true }"));
    assert_false(small_accepts(g, "{  \"q\":true}"));
    assert_false(small_accepts(g, "{\n\"q\":true}"));
    assert_false(small_accepts(g, "{\"q\":true} "));
    assert_false(small_accepts(g, "{\"q\":true}\n"));
    sortes_grammar_free(g);
}

static const struct small_token ends[] = {
    { "</s>", 0, SORTES_TOKEN_CONTROL | SORTES_TOKEN_EOG },
    { "</think>", 0, 0 },
    { "<unused7>", 0, SORTES_TOKEN_CONTROL },
    { "", 0, SORTES_TOKEN_CONTROL },
};
enum { END = 256, THINK_END, UNUSED, NO_TEXT, WORDS = 9 };

/* ollama#2623, omlx#2990: a model that likes blanks best, the end next, and
 * then whatever is first in the vocabulary, comes to an end. */
static void a_model_that_likes_blanks_ends(void **state)
{
    static const char likes[] = "\n\t ";
    sortes_grammar *g = small_grammar(
        "json_schema",
        "{\"type\":\"object\",\"properties\":{\"a\":{\"enum\":[1,2]},\"b\":{"
        "\"type\":\"array\",\"items\":{\"type\":\"null\"},\"maxItems\":2}},"
        "\"required\":[\"a\",\"b\"],\"additionalProperties\":false}",
        NULL);
    sortes_vocab *v = small_vocab(NULL, ends, SRT_COUNT(ends));

    (void)state;
    for (const char *best = likes; *best; best++) {
        sortes_matcher *m = small_matcher(g, v);
        int n = 0;

        for (; !sortes_matcher_is_finished(m); n++) {
            int32_t token = *best;

            if (!sortes_matcher_allows(m, token))
                token = END;
            if (!sortes_matcher_allows(m, token))
                token = ']'; /* an array ends as soon as it may */
            for (int32_t t = 0x21; !sortes_matcher_allows(m, token); t++) {
                assert_true(t < 256);
                token = t;
            }
            assert_int_equal(sortes_matcher_advance(m, &token, 1, NULL),
                             SORTES_OK);
            assert_true(n < 1000);
        }
        assert_in_range(n, 13, 60);
        sortes_matcher_free(m);
    }
    sortes_vocab_free(v);
    sortes_grammar_free(g);
}

/* llama.cpp#23677: a control token without a text ended the process. */
static void tokens_without_a_text_are_masked(void **state)
{
    sortes_vocab *v = small_vocab(NULL, ends, SRT_COUNT(ends));
    sortes_grammar *g =
        small_grammar("json_schema", "{\"type\":\"string\"}", NULL);
    sortes_matcher *m = small_matcher(g, v);
    uint32_t words[WORDS];

    (void)state;
    for (int step = 0; step < 2; step++) {
        assert_int_equal(sortes_matcher_mask(m, words, WORDS), SORTES_OK);
        for (int32_t t = UNUSED; t <= NO_TEXT; t++) {
            assert_int_equal(words[t / 32] >> t % 32 & 1, 0);
            assert_int_equal(sortes_matcher_advance(m, &t, 1, NULL),
                             SORTES_E_NO_TOKEN);
        }
        assert_int_equal(sortes_matcher_allows(m, '"'), 1);
        small_advance(m, v, "\"");
    }
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

/* mlx-serve#331: the prompt ended in an open block, and the grammar held the
 * reasoning to JSON. */
static void reasoning_is_free_until_it_is_closed(void **state)
{
    static const int32_t stream[] = { 'h', 'm', '{', '"', THINK_END, '[' };
    sortes_vocab *v = small_vocab(NULL, ends, SRT_COUNT(ends));
    sortes_grammar *g = small_grammar(
        "json_schema", "{\"type\":\"array\",\"items\":{\"const\":1}}", NULL);
    sortes_matcher *m = small_matcher(g, v);
    size_t n_ok;

    (void)state;
    assert_int_equal(sortes_matcher_think(m, "</think>", 8), SORTES_OK);
    assert_int_equal(
        sortes_matcher_advance(m, stream, SRT_COUNT(stream), &n_ok), SORTES_OK);
    assert_int_equal(sortes_matcher_wants_mask(m), 1);
    assert_int_equal(sortes_matcher_allows(m, 'h'), 0);
    assert_int_equal(sortes_matcher_allows(m, '1'), 1);
    assert_int_equal(sortes_matcher_allows(m, END), 0);
    small_advance(m, v, "1]");
    assert_int_equal(sortes_matcher_allows(m, END), 1);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

/* text-generation-inference#2902: optional keys made a regex for each of their
 * subsets. */
static void optional_keys_are_not_multiplied(void **state)
{
    char schema[1024] = "{\"type\":\"object\",\"properties\":{", text[256];
    size_t n = strlen(schema);
    sortes_grammar_stats stats;
    sortes_grammar *g;
    sortes_matcher *m;

    (void)state;
    for (int i = 0; i < 18; i++)
        n += (size_t)snprintf(schema + n, sizeof(schema) - n,
                              "%s\"o%d\":{\"type\":\"null\"}", i ? "," : "", i);
    strcpy(schema + n, "},\"additionalProperties\":false}");
    g = small_grammar("json_schema", schema, NULL);
    m = small_matcher(g, NULL);
    for (unsigned set = 0; set < 1u << 18; set += 4099) { /* some of them */
        n = (size_t)snprintf(text, sizeof(text), "{");
        for (int i = 0; i < 18; i++)
            if (set >> i & 1)
                n += (size_t)snprintf(text + n, sizeof(text) - n,
                                      "%s\"o%d\":null", n > 1 ? "," : "", i);
        strcpy(text + n, "}");
        sortes_matcher_reset(m);
        assert_int_equal(sortes_matcher_advance_bytes(m, text, n + 1, NULL),
                         SORTES_OK);
    }
    sortes_matcher_stats(m, &stats);
    assert_in_range(stats.n_states, 19, 20000);
    assert_false(small_accepts(g, "{\"o18\":null}"));
    assert_false(small_accepts(g, "{\"o1\":null,}"));
    sortes_matcher_free(m);
    sortes_grammar_free(g);
}

/* llama.cpp#27087, #25746, #27859: 2,000 repetitions were one too many for the
 * grammar that a schema was turned into. */
static void long_strings_are_counted(void **state)
{
    static char text[3 * 5000 + 16];
    sortes_grammar *g = small_grammar(
        "json_schema",
        "{\"type\":\"object\",\"properties\":{\"s\":{\"type\":\"string\","
        "\"maxLength\":5000}},\"required\":[\"s\"],\"additionalProperties\":"
        "false}",
        NULL);

    (void)state;
    for (int over = 0; over < 2; over++) {
        size_t n = (size_t)sprintf(text, "{\"s\":\"");

        for (int i = 0; i < 5000 + over; i++) {
            memcpy(text + n, i % 3 ? "x" : "\xE2\x82\xAC", i % 3 ? 1 : 3);
            n += i % 3 ? 1 : 3; /* characters count, not bytes */
        }
        strcpy(text + n, "\"}");
        assert_int_equal(small_accepts(g, text), !over);
        assert_int_equal(small_reach(g, text, n) == n, !over);
    }
    sortes_grammar_free(g);
}

/* xgrammar#909: a range of characters let overlong and broken bytes through. */
static void ranges_of_characters_are_whole_characters(void **state)
{
    static const char *const right[] = { "\"\xE4\xB8\x80\"", "\"\xE5\xAD\x97\"",
                                         "\"\xE9\xBE\xA5\"" };
    static const char *const wrong[] = { "\"\xC0\x80\"",     "\"\xF5\"",
                                         "\"\xC0",           "\"\xE4\xB7\xBF\"",
                                         "\"\xE9\xBE\xA6\"", "\"\xE4\xB8\"",
                                         "\"\x80\"" };
    sortes_grammar *g = small_grammar(
        "json_schema",
        "{\"type\":\"string\",\"pattern\":\"^[\\u4e00-\\u9fa5]$\"}", NULL);

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(right); i++)
        assert_true(small_accepts(g, right[i]));
    for (size_t i = 0; i < SRT_COUNT(wrong); i++)
        assert_int_not_equal(small_reach(g, wrong[i], strlen(wrong[i])),
                             strlen(wrong[i]));
    sortes_grammar_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemas_mean_what_they_say),
        cmocka_unit_test(no_key_leads_into_a_corner),
        cmocka_unit_test(blanks_can_be_held_to_one),
        cmocka_unit_test(a_model_that_likes_blanks_ends),
        cmocka_unit_test(tokens_without_a_text_are_masked),
        cmocka_unit_test(reasoning_is_free_until_it_is_closed),
        cmocka_unit_test(optional_keys_are_not_multiplied),
        cmocka_unit_test(long_strings_are_counted),
        cmocka_unit_test(ranges_of_characters_are_whole_characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

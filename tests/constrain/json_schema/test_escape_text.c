/*
 * test_escape_text.c - masks along keys and strings that have come before,
 * however they are spelled and torn
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
#include "support/small_vocab.h"

static const struct small_token tokens[] = {
    { "\"a", 0, 0 },       { "\xC3", 0, 0 },       { "\xA9\"", 0, 0 },
    { "\\u00", 0, 0 },     { "e9\"", 0, 0 },       { "\\u00e9\"", 0, 0 },
    { "\",\"", 0, 0 },     { "a\",\"a", 0, 0 },    { "\xC3\xA9", 0, 0 },
    { "b\"]", 0, 0 },      { "\",\"\xC3", 0, 0 },  { "\\u0061\"", 0, 0 },
    { "ab\":", 0, 0 },     { ",\"\\u0061", 0, 0 }, { "\\\"", 0, 0 },
    { "\xE2\x82", 0, 0 },  { "\xAC\"", 0, 0 },     { "1,\"", 0, 0 },
    { ",\"ab\":1", 0, 0 }, { "\"},{\"", 0, 0 },    { "x\\\"", 0, 0 },
    { "\":\"", 0, 0 },
};

/* A schema, and a text along which every mask is that of the tokens one by
 * one. */
static const char *const rows[][2] = {
    { "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"string\"}"
      "}",
      "[\"\xC3\xA9\",\"a\",\"\xE2\x82\xAC\",\"ab\",\"\xC3\xA9x\",\"\\\"\"]" },
    { "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"string\","
      "\"pattern\":\"^[ab\xC3\xA9]{0,2}$\"}}",
      "[\"a\",\"\",\"\xC3\xA9\",\"ab\",\"\xC3\xA9\xC3\xA9\",\"b\"]" },
    { "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"object\","
      "\"additionalProperties\":{\"type\":\"string\"}}}",
      "[{\"a\":\"\xC3\xA9\"},{\"a\":\"a\"},{\"\xC3\xA9\":\"a\"},{\"a\":\"\","
      "\"ab\":\"b\"},{}]" },
    { "{\"type\":\"object\",\"patternProperties\":{\"^[ab\xC3\xA9]{1,3}$\":{}},"
      "\"additionalProperties\":false}",
      "{\"a\":1,\"\xC3\xA9\":1,\"ab\":1,\"\xC3\xA9\xC3\xA9\":1,\"\xC3\xA9"
      "a\":1}" },
    { "{\"type\":\"object\",\"patternProperties\":{\".*\":{\"type\":"
      "\"integer\"}}}",
      "{\"a\":1,\"\xE2\x82\xAC\":1,\"a\\\"\":1,\"ab\":1,\"\":1,\"\xC3\xA9\":"
      "1}" },
};

static void masks_along_texts(void **state)
{
    static const char *const profiles[] = { NULL, "json" };
    sortes_vocab *v = small_vocab(NULL, tokens, SRT_COUNT(tokens));

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++)
        for (size_t p = 0; p < SRT_COUNT(profiles); p++) {
            const sortes_grammar_options options = { .struct_size =
                                                         sizeof(options),
                                                     .profile = profiles[p] };
            sortes_grammar *g =
                small_grammar("json_schema", rows[i][0], &options);
            sortes_matcher *m = small_matcher(g, v);

            /* byte by byte, and by the longest tokens */
            for (const char *at = rows[i][1]; *at; at++) {
                small_check_mask(m, v);
                assert_int_equal(sortes_matcher_advance_bytes(m, at, 1, NULL),
                                 SORTES_OK);
            }
            assert_true(sortes_matcher_is_accepting(m));
            sortes_matcher_reset(m);
            small_advance(m, v, rows[i][1]);
            assert_true(sortes_matcher_is_accepting(m));
            sortes_matcher_free(m);
            sortes_grammar_free(g);
        }
    sortes_vocab_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_along_texts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_trail.c - masks of items that must differ, whatever tokens they are made
 * of; and no way into a corner
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
#include "support/rows.h"
#include "support/small_vocab.h"

#include <stdlib.h>
#include <string.h>

/* Items that are begun and ended by one token, or several at once; values that
 * are equal and spelled otherwise. */
static const struct small_token item_tokens[] = {
    { "\"a\"", 0, 0 },       { "\",\"", 0, 0 },
    { "a\",\"a\"", 0, 0 },   { ",\"a\"", 0, 0 },
    { "b\"", 0, 0 },         { "ab\"]", 0, 0 },
    { "1,1", 0, 0 },         { "1,2", 0, 0 },
    { ",1]", 0, 0 },         { "1.0", 0, 0 },
    { "e0,", 0, 0 },         { "[0,0]", 0, 0 },
    { "],[", 0, 0 },         { "[],[", 0, 0 },
    { "[[],[]", 0, 0 },      { "null,null", 0, 0 },
    { "null,n", 0, 0 },      { "true", 0, 0 },
    { "{\"a\":1}", 0, 0 },   { "},{", 0, 0 },
    { "{\"a\":", 0, 0 },     { ",\"b\":", 0, 0 },
    { ",\"a\":1}", 0, 0 },   { "\":1,\"", 0, 0 },
    { "1}", 0, 0 },          { "\\u0061\"", 0, 0 },
    { "61\",\"a", 0, 0 },    { "00", 0, 0 },
    { "\",1,1", 0, 0 },      { "\"},{\"a\":\"", 0, 0 },
    { "a\"},", 0, 0 },       { "{},{}", 0, 0 },
    { "\xC3\xA9\"", 0, 0 },  { ", ", 0, 0 },
    { "\"]", 0, 0 },         { "\"],[\"a\"]", 0, 0 },
    { "false]", 0, 0 },      { "</s>", 0, SORTES_TOKEN_EOG },
    { "\"a", 0, 0 },         { ", \"a", 0, 0 },
    { "1,\"a", 0, 0 },       { "\", \"ab", 0, 0 },
    { "true,\"b", 0, 0 },    { "[],\"a", 0, 0 },
    { "\",\"a\":", 0, 0 },   { "b\",\"b\":\"", 0, 0 },
    { "\\\",\"a\":", 0, 0 }, { "\",\"b\":\"\\", 0, 0 },
};

static const char *const schemas[] = {
    /* a token closes a string and writes a whole key */
    "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}",
    "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}},"
    "\"additionalProperties\":{\"type\":\"string\",\"pattern\":\"^[ab,]*$\"}}",
    "{\"type\":\"array\",\"uniqueItems\":true}",
    "{\"type\":\"array\",\"uniqueItems\":true,\"maxItems\":3}",
    "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"string\","
    "\"pattern\":\"^[ab]{1,2}$\"},\"minItems\":4}",
    "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"string\","
    "\"maxLength\":2}}",
    "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"integer\","
    "\"minimum\":0,\"maximum\":3},\"minItems\":4}",
    "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"number\","
    "\"minimum\":0,\"maximum\":2,\"multipleOf\":0.5},\"minItems\":5}",
    "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":[\"boolean\","
    "\"null\",\"string\"],\"maxLength\":0},\"minItems\":4}",
    "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"array\","
    "\"items\":{\"enum\":[1,\"a\"]},\"maxItems\":2},\"minItems\":7}",
    "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"array\","
    "\"uniqueItems\":true,\"items\":{\"type\":\"integer\",\"minimum\":0,"
    "\"maximum\":1}},\"minItems\":5}",
    "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"object\","
    "\"properties\":{\"a\":{\"enum\":[1,2]},\"b\":{\"const\":1}},"
    "\"additionalProperties\":false},\"minItems\":6}",
    "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"object\","
    "\"properties\":{\"a\":{\"type\":\"string\"}},\"required\":[\"a\"],"
    "\"additionalProperties\":false}}",
    "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"object\","
    "\"properties\":{\"a\":{\"type\":\"array\",\"uniqueItems\":true,\"items\":{"
    "\"type\":\"boolean\"}}},\"required\":[\"a\"]}}",
    "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"array\","
    "\"uniqueItems\":true,\"items\":{\"type\":[\"string\",\"null\"]}}}",
    "{\"type\":\"object\",\"propertyNames\":{\"pattern\":\"^(a|b.*)$\"},"
    "\"additionalProperties\":{\"const\":1}}",
    /* keys that a token begins, and that can only become one that has come */
    "{\"type\":\"object\",\"propertyNames\":{\"pattern\":\"^(aa|b.*)$\"},"
    "\"additionalProperties\":{\"enum\":[1,\"1\"]}}",
    "{\"type\":\"object\",\"patternProperties\":{\"^(abb?|b.*)$\":{\"type\":["
    "\"boolean\",\"array\",\"integer\"]}},\"additionalProperties\":false}",
    "{\"type\":\"object\",\"patternProperties\":{\"^[ab]{1,40}$\":true},"
    "\"additionalProperties\":false}",
    "{\"type\":\"object\",\"propertyNames\":{\"pattern\":\"^[ab]\","
    "\"maxLength\""
    ":2},\"additionalProperties\":{\"const\":1},\"minProperties\":3}",
};

/* How much a token is wanted: what closes comes sooner at the end. */
static uint64_t weight(const char *bytes, size_t n, bool closing)
{
    if (n == 0)
        return 0;
    if (!closing)
        return n > 1 ? 40 : strchr("\"ab01[{:,", bytes[0]) && bytes[0] ? 20 : 1;
    return strchr("]}\"", bytes[n - 1]) && bytes[n - 1]  ? 4000
           : strchr(",:ab0125enl", bytes[0]) && bytes[0] ? 60
                                                         : 1;
}

static int32_t draw(sortes_matcher *m, sortes_vocab *v, struct rows_random *r,
                    bool closing)
{
    uint64_t sum = 0;
    int32_t chosen = -1;

    for (size_t i = 0; i < sortes_vocab_size(v); i++) {
        size_t n;
        const char *bytes = sortes_vocab_piece(v, (int32_t)i, &n);
        uint64_t w;

        if (sortes_vocab_flags(v, (int32_t)i) ||
            sortes_matcher_allows(m, (int32_t)i) != 1)
            continue;
        w = weight(bytes, n, closing);
        sum += w;
        if (w && rows_below(r, (uint32_t)sum) < w)
            chosen = (int32_t)i;
    }
    return chosen;
}

/* Every mask on the way is that of the tokens one by one, and the way ends. */
static void walk(const char *schema, sortes_vocab *v, sortes_matcher *m,
                 struct rows_random *r)
{
    enum { FREE = 12, STEPS = 200 };
    char text[16 * STEPS];
    size_t n_text = 0;
    int step = 0;

    for (; step < STEPS; step++) {
        const int32_t token = draw(m, v, r, step >= FREE);
        const char *bytes;
        size_t n;

        small_check_mask(m, v);
        if (token < 0 || (step >= FREE && sortes_matcher_is_accepting(m)))
            break;
        bytes = sortes_vocab_piece(v, token, &n);
        memcpy(text + n_text, bytes, n);
        n_text += n;
        assert_int_equal(sortes_matcher_advance(m, &token, 1, NULL), SORTES_OK);
    }
    if (!sortes_matcher_is_accepting(m))
        fail_msg("%s: no way on behind %.*s", schema, (int)n_text, text);
}

static void walks_end(void **state)
{
    static const char *const profiles[] = { NULL, "json" };
    sortes_vocab *v = small_vocab(NULL, item_tokens, SRT_COUNT(item_tokens));
    struct rows_random r = { 5 };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(schemas); i++)
        for (size_t p = 0; p < SRT_COUNT(profiles); p++) {
            const sortes_grammar_options options = { .struct_size =
                                                         sizeof(options),
                                                     .profile = profiles[p] };
            sortes_grammar *g =
                small_grammar("json_schema", schemas[i], &options);
            sortes_matcher *m = small_matcher(g, v);

            for (int w = 0; w < 4; w++) {
                sortes_matcher_reset(m);
                walk(schemas[i], v, m, &r);
            }
            sortes_matcher_free(m);
            sortes_grammar_free(g);
        }
    sortes_vocab_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

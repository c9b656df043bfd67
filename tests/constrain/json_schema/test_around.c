/*
 * test_around.c - values share a mask where tokens cannot tell what lies around
 * them, and only there
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/mask.h"
#include "constrain/matcher.h"
#include "support/small_vocab.h"

#include <string.h>

static const struct small_token tokens[] = {
    { "\",", 0, 0 },   { "\"}", 0, 0 }, { "\"},", 0, 0 },   { "\":\"", 0, 0 },
    { "0,", 0, 0 },    { "0}", 0, 0 },  { "\",\"c", 0, 0 }, { "e\":", 0, 0 },
    { "true}", 0, 0 }, { "}}", 0, 0 },  { "]}", 0, 0 },
};

/* Two texts, and whether what may come behind them is known to be the same. */
struct pair {
    const char *schema, *one, *other;
    bool same;
};

#define STRING "{\"type\":\"string\"}"
#define THREE(a, b, c)                                                         \
    "{\"type\":\"object\",\"properties\":{\"a\":" a ",\"b\":" b ",\"c\":" c    \
    "},\"required\":[\"a\",\"b\",\"c\"],\"additionalProperties\":false}"

static const struct pair pairs[] = {
    /* A comma and a key that begins otherwise: a token sees that. */
    { THREE(STRING, STRING, STRING), "{\"a\":\"x", "{\"a\":\"y\",\"b\":\"x",
      false },
    /* The same string of an object, in the items of an array. */
    { "{\"type\":\"array\",\"items\":" THREE(STRING, STRING, STRING) "}",
      "[{\"a\":\"x", "[{\"a\":\"x\",\"b\":\"\",\"c\":\"\"},{\"a\":\"x", true },
    { "{\"type\":\"array\",\"minItems\":2,\"items\":" THREE(STRING, STRING,
                                                            STRING) "}",
      "[{\"a\":\"x", "[{\"a\":\"x\",\"b\":\"\",\"c\":\"\"},{\"a\":\"x", true },
    /* The object's last: that another item has to come no token sees, as none
     * goes on to the bracket; that none may come one does, by its comma. */
    { "{\"type\":\"array\",\"minItems\":2,\"items\":" THREE(STRING, STRING,
                                                            STRING) "}",
      "[{\"a\":\"x\",\"b\":\"\",\"c\":\"x",
      "[{\"a\":\"x\",\"b\":\"\",\"c\":\"\"},{\"a\":\"x\",\"b\":\"\",\"c\":\"x",
      true },
    { "{\"type\":\"array\",\"maxItems\":2,\"items\":" THREE(STRING, STRING,
                                                            STRING) "}",
      "[{\"a\":\"x\",\"b\":\"\",\"c\":\"x",
      "[{\"a\":\"x\",\"b\":\"\",\"c\":\"\"},{\"a\":\"x\",\"b\":\"\",\"c\":\"x",
      false },
    /* Numbers. */
    { "{\"type\":\"array\",\"minItems\":3,\"items\":{\"type\":\"integer\"}}",
      "[10", "[1,10", true },
    { "{\"type\":\"array\",\"minItems\":2,\"items\":{\"type\":\"integer\"}}",
      "[10", "[1,10", false },
    /* Values of schemas that say the same, and those that do not. */
    { "{\"type\":\"array\",\"minItems\":4,\"prefixItems\":[{},{\"minimum\":1},"
      "{\"minimum\":1},{}]}",
      "[1,", "[1,1,", true },
    { "{\"type\":\"array\",\"minItems\":4,\"prefixItems\":[{},{\"minimum\":1},"
      "{\"minimum\":2},{}]}",
      "[1,", "[1,1,", false },
    { "{\"type\":\"array\",\"minItems\":3,\"items\":{\"type\":\"boolean\"}}",
      "[t", "[true,t", true },
    { "{\"type\":\"array\",\"minItems\":3,\"prefixItems\":[{\"type\":"
      "\"boolean\"},{\"type\":\"boolean\"},{}]}",
      "[t", "[true,t", false },
    /* In a key with the same rest, where values of one kind come and behind
     * them a key that begins alike, as far as tokens go. */
    { "{\"type\":\"object\",\"properties\":{\"one\":" STRING ",\"tone\":" STRING
      ",\"c\":" STRING "},\"required\":[\"one\",\"tone\",\"c\"],"
      "\"additionalProperties\":false}",
      "{\"o", "{\"one\":\"\",\"to", false },
    { "{\"type\":\"object\",\"properties\":{\"one\":" STRING ",\"tone\":" STRING
      ",\"d\":" STRING "},\"required\":[\"one\",\"tone\",\"d\"],"
      "\"additionalProperties\":false}",
      "{\"o", "{\"one\":\"\",\"to", true },
    { "{\"type\":\"object\",\"properties\":{\"one\":" STRING
      ",\"tone\":{\"type\":\"string\",\"maxLength\":2},\"d\":" STRING
      "},\"required\":[\"one\",\"tone\",\"d\"],"
      "\"additionalProperties\":false}",
      "{\"o", "{\"one\":\"\",\"to", false },
    /* In a key that may be any, with the same value. */
    { "{\"type\":\"object\",\"minProperties\":4,"
      "\"additionalProperties\":" STRING "}",
      "{\"o", "{\"o\":\"\",\"to", true },
    { "{\"type\":\"object\",\"minProperties\":2,"
      "\"additionalProperties\":" STRING "}",
      "{\"o", "{\"o\":\"\",\"to", false },
    { "{\"type\":\"object\",\"minProperties\":4,\"patternProperties\":{\"^t\":"
      "true},\"additionalProperties\":" STRING "}",
      "{\"o", "{\"o\":\"\",\"to", false },
};

/* A state, and its mask made without memory. */
static uint32_t reach(sortes_matcher *m, const char *text, uint32_t *words)
{
    sortes_matcher_reset(m);
    assert_int_equal(sortes_matcher_advance_bytes(m, text, strlen(text), NULL),
                     SORTES_OK);
    srt_cursor_enter(&m->cursor);
    assert_int_equal(srt_mask_at(&m->cursor, m->place.state, false, words),
                     SORTES_OK);
    srt_cursor_leave(&m->cursor);
    return m->place.state;
}

static void masks_are_shared_where_no_token_sees_it(void **state)
{
    sortes_vocab *v = small_vocab(NULL, tokens, SRT_COUNT(tokens));

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(pairs); i++) {
        sortes_grammar *g = small_grammar("json_schema", pairs[i].schema, NULL);
        sortes_matcher *m = small_matcher(g, v);
        uint32_t one[16] = { 0 }, other[16] = { 0 }, words[16] = { 0 };
        const uint32_t from[2] = { reach(m, pairs[i].one, one),
                                   reach(m, pairs[i].other, other) };
        bool same;

        srt_cursor_enter(&m->cursor);
        same = srt_around_same(&m->cursor, from[0]) ==
               srt_around_same(&m->cursor, from[1]);
        if (same != pairs[i].same)
            print_message("%s: %s | %s\n", pairs[i].schema, pairs[i].one,
                          pairs[i].other);
        assert_int_equal(same, pairs[i].same);
        if (same)
            assert_memory_equal(one, other, sizeof(one));
        for (int k = 0; k < 2; k++) {
            assert_int_equal(srt_mask_at(&m->cursor, from[k], true, words),
                             SORTES_OK);
            assert_memory_equal(words, k ? other : one, sizeof(words));
        }
        srt_cursor_leave(&m->cursor);
        sortes_matcher_free(m);
        sortes_grammar_free(g);
    }
    sortes_vocab_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_are_shared_where_no_token_sees_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

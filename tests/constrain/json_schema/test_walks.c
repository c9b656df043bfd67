/*
 * test_walks.c - random texts: whatever was begun can be ended
 *
 * From every state that a walk comes through some byte leads on, or the text
 * may end; and a walk that prefers what closes ends within a bound.
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

#include <stdlib.h>
#include <string.h>

enum { WALKS = 40, FREE_STEPS = 60, STEPS = 4000 };

static const char *const schemas[] = {
    "{}",
    "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"},\"b\":{"
    "\"enum\":[\"x\",\"yy\"]}},\"required\":[\"b\"],\"additionalProperties\":"
    "false}",
    "{\"type\":\"object\",\"minProperties\":2,\"propertyNames\":{\"pattern\":"
    "\"^[ab]{1,2}$\"},\"additionalProperties\":{\"type\":\"boolean\"}}",
    "{\"oneOf\":[{\"required\":[\"a\"]},{\"required\":[\"b\"],\"properties\":{"
    "\"c\":{\"const\":1}}}],\"type\":\"object\",\"propertyNames\":{\"enum\":["
    "\"a\",\"b\",\"c\"]},\"properties\":{\"a\":{"
    "\"type\":\"null\"},\"b\":{\"type\":\"null\"}}}",
    "{\"type\":\"array\",\"contains\":{\"const\":7},\"minContains\":2,"
    "\"maxItems\":4,\"items\":{\"type\":\"integer\",\"minimum\":5,\"maximum\":"
    "99}}",
    "{\"type\":\"number\",\"exclusiveMinimum\":0.25,\"maximum\":0.3,"
    "\"multipleOf\":0.01}",
    "{\"type\":\"integer\",\"minimum\":-120,\"maximum\":-7,\"not\":{"
    "\"multipleOf\":2}}",
    "{\"$defs\":{\"t\":{\"anyOf\":[{\"const\":0},{\"type\":\"array\",\"items\":"
    "{\"$ref\":\"#/$defs/t\"},\"minItems\":2}]}},\"not\":{\"$ref\":"
    "\"#/$defs/t\"}}",
    "{\"type\":\"string\",\"pattern\":\"^(ab|a)*$\",\"minLength\":3,"
    "\"maxLength\":5}",
    "{\"type\":\"object\",\"properties\":{\"k\":{\"enum\":[\"a\",\"b\"]}},"
    "\"if\":{\"properties\":{\"k\":{\"const\":\"a\"}}},\"then\":{\"required\":["
    "\"v\"]},\"else\":{\"properties\":{\"v\":false}},\"required\":[\"k\"],"
    "\"propertyNames\":{\"enum\":[\"k\",\"v\",\"a\"]},"
    "\"unevaluatedProperties\":{\"type\":\"integer\"}}",
};

/* Bytes that bring a text to its end sooner. */
static int weight(uint8_t byte, bool closing)
{
    if (!closing)
        return strchr(" \t\r\n", byte) && byte ? 1 : 6;
    if (byte == '"' || byte == 'a' || byte == 'b')
        return 20000; /* out of strings, and by names that are asked for */
    return byte && strchr("}]", byte)               ? 100000
           : byte == ','                            ? 300
           : byte && strchr("0n:", byte)            ? 60
           : byte && strchr("{[\\ \t\r\n-e.", byte) ? 1
                                                    : 8;
}

/* A byte that may come next, drawn by weight; -1: none. */
static int draw(sortes_matcher *m, bool closing)
{
    int chosen = -1, sum = 0;

    for (int byte = 0; byte < 256; byte++) {
        const char text = (char)byte;
        int w;

        if (sortes_matcher_advance_bytes(m, &text, 1, NULL) != SORTES_OK)
            continue;
        assert_int_equal(sortes_matcher_rollback(m, 1), SORTES_OK);
        w = weight((uint8_t)byte, closing);
        sum += w;
        if (rand() % sum < w)
            chosen = byte;
    }
    return chosen;
}

static void walk(sortes_grammar *g, const char *schema)
{
    sortes_matcher *m = small_matcher(g, NULL);
    char text[STEPS + 1];
    int n = 0;

    for (; n < STEPS; n++) {
        const bool closing = n >= FREE_STEPS;
        const int byte = draw(m, closing);

        if (byte < 0 || (closing && sortes_matcher_is_accepting(m)))
            break;
        text[n] = (char)byte;
        assert_int_equal(sortes_matcher_advance_bytes(m, &text[n], 1, NULL),
                         SORTES_OK);
    }
    text[n] = '\0';
    if (!sortes_matcher_is_accepting(m))
        fail_msg("%s: no way on behind %d bytes: %s", schema, n, text);
    sortes_matcher_free(m);
}

static void walks_end(void **state)
{
    static const char *const profiles[] = { NULL, "json" };
    static const char *const orders[] = { "declared", "strict", "free" };

    (void)state;
    srand(7);
    for (size_t i = 0; i < SRT_COUNT(schemas); i++)
        for (size_t p = 0; p < SRT_COUNT(profiles); p++)
            for (size_t o = 0; o < SRT_COUNT(orders); o++) {
                const sortes_grammar_options options = {
                    .struct_size = sizeof(options),
                    .profile = profiles[p],
                    .order = orders[o],
                };
                sortes_grammar *g =
                    small_grammar("json_schema", schemas[i], &options);

                for (int w = 0; w < WALKS; w++)
                    walk(g, schemas[i]);
                sortes_grammar_free(g);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

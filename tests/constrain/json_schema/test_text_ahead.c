/*
 * test_text_ahead.c - masks of strings that share what lies inside them
 *
 * The tokens without a quote are found once for all places where a string may
 * go on in the same way; those that close it are each place's own.
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
#include "support/constrain_walk.h"
#include "support/small_vocab.h"

static const char *const rows[][2] = {
    /* any strings, in places that close differently */
    { "{\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"items\":{\"type\":"
      "\"string\"}}}}",
      "{\"a\":\"ab1\",\"b\":[\"a\",\"b0\",\"\"],\"c\":\"ab\"}" },
    /* one pattern in several, with counts that make no difference */
    { "{\"items\":{\"type\":\"string\",\"pattern\":\"^[ab]{1,900}$\"},"
      "\"maxItems\":4}",
      "[\"abab\",\"a\",\"bba\",\"abbbbbba\"]" },
    { "{\"items\":{\"type\":\"string\",\"pattern\":\"^(\\\\S+\\\\s){0,3}\\\\S+$"
      "\"}}",
      "[\"a b\",\"ab a b 1\",\"b\"]" },
    { "{\"items\":{\"type\":\"string\",\"pattern\":\"a[0-9]b\"}}",
      "[\"1a0b\",\"a a1b0\",\"a0b\"]" },
    { "{\"items\":{\"type\":\"string\",\"pattern\":\"^[^b]*$\",\"maxLength\":6}"
      "}",
      "[\"a1\",\"a a0a\",\"111111\"]" },
    { "{\"items\":{\"enum\":[\"ab\",\"a\",\"a1b\"]}}",
      "[\"ab\",\"a1b\",\"a\"]" },
};

static void places_share_what_is_inside(void **state)
{
    struct walk_random r = { 29 };

    (void)state;
    for (int round = 0; round < 60; round++) {
        const size_t i = (size_t)round % SRT_COUNT(rows);
        const sortes_grammar_options options = { .struct_size = sizeof(options),
                                                 .profile = "json" };
        sortes_vocab *v = walk_vocab(&r);
        sortes_grammar *g = small_grammar("json_schema", rows[i][0], &options);
        sortes_matcher *m;

        if (sortes_matcher_new(&m, g, v, NULL) == SORTES_OK) {
            for (int again = 0; again < 2; again++) {
                sortes_matcher_reset(m);
                for (const char *at = rows[i][1]; *at; at++) {
                    small_check_mask(m, v);
                    if (sortes_matcher_advance_bytes(m, at, 1, NULL) !=
                        SORTES_OK)
                        break; /* a byte that the vocabulary lacks */
                }
            }
            sortes_matcher_free(m);
        }
        sortes_grammar_free(g);
        sortes_vocab_free(v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_share_what_is_inside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_mend.c - masks made from one that is nearly the same
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

/* A schema, and a text that goes along its strings. */
static const char *const schemas[][2] = {
    { "{\"properties\":{\"abc\":{},\"abd\":{},\"\\u00e9a\":{},\"a\\\"\":{},"
      "\"{\":{}}}",
      "{\"abc\":1,\"abd\":2,\"abx\":3,\"\xC3\xA9"
      "a\":4,\"a\\\"\":5}" },
    { "{\"properties\":{\"a\":{\"type\":\"integer\"}},\"required\":[\"a\"]}",
      "{\"a\":1,\"aa\":2,\"b\":[{\"a\":3}]}" },
    { "{\"items\":{\"anyOf\":[{\"enum\":[\"ab\",\"[1\"]},{\"minLength\":1}]}}",
      "[\"ab\",\"[1\",\"[\",\"abc\"]" },
    { "{\"properties\":{\"true\":{},\"null\":false,\"\":{}},"
      "\"additionalProperties\":{\"type\":\"string\"}}",
      "{\"true\":0,\"\":1,\"nulla\":\"null\",\"tru\":\"\"}" },
};
static const char *const profiles[] = { NULL, "json" };

/* What crosses the ends of strings, tears characters and escapes them. */
static const struct small_token tokens[] = {
    { "ab", 0, 0 },
    { "bc\":", 0, 0 },
    { "c\"", 0, 0 },
    { "{\"a", 0, 0 },
    { "\",\"", 0, 0 },
    { "\xC3", 0, 0 },
    { "\xA9"
      "a",
      0, 0 },
    { "\\u00", 0, 0 },
    { "\\\"\":", 0, 0 },
    { "a\\\"", 0, 0 },
    { "null", 0, 0 },
    { "ll\":\"", 0, 0 },
    { "abc", 0, 0 },
    { "abc", 0, 0 },
    { "tru", 0, 0 },
    { "[1\",", 0, 0 },
    { "\xE2\x82", 0, 0 },
    { "<e>", 0, SORTES_TOKEN_EOG },
};

/* The mask by way of another state's, and by itself alone: memo off. */
static bool check_mended(sortes_matcher *m)
{
    const struct srt_tree *t = m->cursor.cache->tree;
    uint32_t mended[64], alone[64], base;
    struct srt_alphabet unlike;

    assert_true(t->n_words <= SRT_COUNT(mended));
    srt_cursor_enter(&m->cursor);
    assert_int_equal(
        srt_cursor_like(&m->cursor, m->place.state, &base, &unlike), SORTES_OK);
    assert_int_equal(srt_mask_at(&m->cursor, m->place.state, false, alone),
                     SORTES_OK);
    assert_int_equal(srt_mask_at(&m->cursor, m->place.state, true, mended),
                     SORTES_OK);
    assert_memory_equal(mended, alone, t->n_words * sizeof(*alone));
    srt_cursor_leave(&m->cursor);
    return base != 0;
}

static void a_mended_mask_is_the_state_s_own(void **state)
{
    static const char *const without[] = { NULL, "\xE2\xA9", "\\d" };
    unsigned n_mended = 0;

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(schemas) * SRT_COUNT(profiles) * 3; i++) {
        const sortes_grammar_options options = {
            .struct_size = sizeof(options),
            .profile = profiles[i / SRT_COUNT(schemas) % SRT_COUNT(profiles)]
        };
        const char *const *schema = schemas[i % SRT_COUNT(schemas)];
        sortes_vocab *v =
            small_vocab(without[i % 3], tokens, SRT_COUNT(tokens));
        sortes_grammar *g = small_grammar("json_schema", schema[0], &options);
        sortes_matcher *m = small_matcher(g, v);

        for (const char *byte = schema[1]; *byte; byte++) {
            int32_t token = 0;
            size_t n;

            n_mended += check_mended(m);
            while (sortes_vocab_piece(v, token, &n)[0] != *byte && token < 255)
                token++;
            if (sortes_matcher_advance(m, &token, 1, NULL) != SORTES_OK)
                break;
        }
        sortes_matcher_free(m);
        sortes_grammar_free(g);
        sortes_vocab_free(v);
    }
    assert_true(n_mended > 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mended_mask_is_the_state_s_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

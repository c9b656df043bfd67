/*
 * test_keys.c - no key twice, whatever tokens it is made of
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

#include <string.h>

/* Tokens that close keys in every way: alone, with what follows, whole keys,
 * several keys at once, through escapes, doubles. */
static const struct small_token key_tokens[] = {
    { "ab", 0, 0 },
    { "b\"", 0, 0 },
    { "b\":", 0, 0 },
    { "\"ab\":", 0, 0 },
    { ",\"ab\"", 0, 0 },
    { "{\"a\":1,\"a\"", 0, 0 },
    { "{\"a\":1,\"b\"", 0, 0 },
    { "\\u0061\"", 0, 0 },
    { "061\"", 0, 0 },
    { "b\"", 0, 0 },
    { "},\"ab\":", 0, 0 },
    { "\":{\"", 0, 0 },
    { "\":1,\"ab\"", 0, 0 },
    { "1,\"ab\":", 0, 0 },
    { "\",\"ab\":1", 0, 0 },
    { "\\\"\"", 0, 0 },
    { "\xC3\xA9\"", 0, 0 },
    { "\xA9\"", 0, 0 },
    { "</s>", 0, SORTES_TOKEN_EOG },
};

static void walk(const char *profile, const char *text)
{
    const sortes_grammar_options o = { .struct_size = sizeof(o),
                                       .profile = profile };
    sortes_vocab *v = small_vocab(NULL, key_tokens, SRT_COUNT(key_tokens));
    sortes_grammar *g = small_grammar("json_object", NULL, &o);
    sortes_matcher *m = small_matcher(g, v);

    small_advance(m, v, text);
    sortes_matcher_reset(m);
    for (size_t i = 0; text[i]; i++) { /* byte by byte */
        const int32_t token = (uint8_t)text[i];

        assert_int_equal(sortes_matcher_advance(m, &token, 1, NULL), SORTES_OK);
        small_check_mask(m, v);
    }
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

static void masks_leave_out_every_second_spelling(void **state)
{
    (void)state;
    walk("json",
         "{\"ab\":1,\"a\":2,\"\":3,\"\\u0061c\":[{\"ab\":1,\"a\":\"\"}],"
         "\"b\":{\"\\u00");
    walk("json", "{\"a\\\"\":1,\"\\u00e9\":2,\"x\":{},\"");
    walk("json", "{\"\\ud83d\\ude00\":1,\"\\ud83d");
    walk(NULL, "{\"ab\":\"x\",\"a\":[{\"b\":1},{\"b\":2,\"");
}

static void duplicates_are_refused_at_their_quote(void **state)
{
    const sortes_grammar_options json = { .struct_size = sizeof(json),
                                          .profile = "json" };
    sortes_grammar *g = small_grammar("json_object", NULL, &json);

    (void)state;
    assert_int_equal(small_reach(g, "{\"a\":1,\"a\":2}", 13), 9);
    assert_int_equal(small_reach(g, "{\"a\":1,\"\\u0061\":2}", 18), 14);
    assert_int_equal(small_reach(g, "{\"\":1,\"\":2}", 11), 7);
    assert_true(small_accepts(g, "{\"a\":{\"a\":{\"a\":1}},\"b\":{\"a\":1}}"));
    assert_true(small_accepts(g, "{\"x\":[{\"a\":1},{\"a\":2}],\"a\":3}"));
    assert_int_equal(
        small_reach(g, "{\"x\":[{\"a\":1},{\"a\":2,\"a\":4}],\"a\":3}", 35),
        23);
    assert_int_equal(small_reach(g, "{\"a\":{\"b\":1},\"a\":3}", 19), 15);
    sortes_grammar_free(g);
}

static void duplicates_are_allowed_if_asked_for(void **state)
{
    const sortes_grammar_options o = { .struct_size = sizeof(o),
                                       .unique_keys = "false" };
    sortes_grammar *g = small_grammar("json_object", NULL, &o);

    (void)state;
    assert_true(small_accepts(g, "{\"a\":1,\"a\":2}"));
    sortes_grammar_free(g);
}

/* Taking tokens back takes their keys back. */
static void keys_go_with_their_tokens(void **state)
{
    sortes_vocab *v = small_vocab(NULL, NULL, 0);
    sortes_grammar *g = small_grammar("json_object", NULL, NULL);
    sortes_matcher *m = small_matcher(g, v), *other;

    (void)state;
    small_advance(m, v, "{\"a\":1,\"");
    assert_int_equal(sortes_matcher_clone(&other, m), SORTES_OK);
    small_advance(other, v, "b\":1,\"b");
    assert_int_equal(sortes_matcher_allows(other, '"'), 0);
    small_advance(m, v, "b");
    assert_int_equal(sortes_matcher_allows(m, '"'), 1);
    assert_int_equal(sortes_matcher_rollback(other, 6), SORTES_OK);
    small_check_mask(other, v);
    assert_int_equal(sortes_matcher_rollback(m, 9), SORTES_OK);
    small_advance(m, v, "{\"a");
    assert_int_equal(sortes_matcher_allows(m, '"'), 1);
    sortes_matcher_free(other);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

/* A vocab that can name nothing but "" ends an object after one member. */
static void the_empty_key_comes_once(void **state)
{
    char without[256];
    size_t n = 0;
    sortes_vocab *v;
    sortes_grammar *g = small_grammar("json_object", NULL, NULL);
    sortes_matcher *m;

    (void)state;
    for (int byte = 1; byte < 256; byte++)
        if (!strchr("{}\":,", byte))
            without[n++] = (char)byte;
    without[n] = '\0';
    v = small_vocab(without, NULL, 0);
    m = small_matcher(g, v);
    small_advance(m, v, "{\"\":{}");
    /* Here ':' ',' '{' '}' are characters of a key, so more can come. */
    assert_int_equal(sortes_matcher_allows(m, 2), 1);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_leave_out_every_second_spelling),
        cmocka_unit_test(duplicates_are_refused_at_their_quote),
        cmocka_unit_test(duplicates_are_allowed_if_asked_for),
        cmocka_unit_test(keys_go_with_their_tokens),
        cmocka_unit_test(the_empty_key_comes_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_mask.c - a mask is what its tokens' bytes say, one by one
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/matcher.h"
#include "support/small_vocab.h"

#include <string.h>

static char mask_long[600];

/* Slices, what leaves them, torn characters, doubles, ends, giants. */
static const struct small_token mask_tokens[] = {
    { "hello", 0, 0 },
    { "\xC3\xA9", 0, 0 },
    { "\xE2\x82", 0, 0 },
    { "\x82\xAC", 0, 0 },
    { "a\"", 0, 0 },
    { "\":\"", 0, 0 },
    { "\\n", 0, 0 },
    { "\\u00", 0, 0 },
    { "\n\n", 0, 0 },
    { "hello", 0, 0 },
    { "}\n", 0, 0 },
    { "{\"a\":1}", 0, 0 },
    { "<eos>", 0, SORTES_TOKEN_EOG },
    { "<eot>", 0, SORTES_TOKEN_EOG },
    { "<ctl>", 0, SORTES_TOKEN_CONTROL },
    { "{\"", 0, 0 },
    { mask_long, 400, 0 },
    { "\xED\xA0", 0, 0 },
    { "\xF0\x9F\x98\x80!", 0, 0 },
};

static sortes_vocab *mask_vocab(const char *without)
{
    memset(mask_long, 'm', sizeof(mask_long));
    return small_vocab(without, mask_tokens, SRT_COUNT(mask_tokens));
}

static void json_masks_agree_with_their_tokens(void **state)
{
    static const char *const texts[] = {
        "{\"hello\": [1, -2.5e3, \"a\xC3\xA9\\n\\u00e9\"], \"b\": {}}",
        "{\"hellohello\":\"\xE2\x82\xAC\xF0\x9F\x98\x80!\",\"x\":true}",
        "{\n  \"a\": null,\n  \"b\": [[], [0.5]]\n}",
    };
    static const char *const without[] = { NULL, "\xE2\xF0", "\\x" };

    (void)state;
    for (size_t w = 0; w < SRT_COUNT(without); w++) {
        sortes_vocab *v = mask_vocab(without[w]);

        for (size_t i = 0; i < SRT_COUNT(texts); i++) {
            sortes_grammar *g = small_grammar("json_object", NULL, NULL);
            sortes_matcher *m = small_matcher(g, v);

            if (w == 0 || i == 2)
                small_advance(m, v, texts[i]);
            else
                small_check_mask(m, v);
            sortes_matcher_free(m);
            sortes_grammar_free(g);
        }
        sortes_vocab_free(v);
    }
}

static void a_giant_token_is_looked_at_too(void **state)
{
    static char text[1000];
    sortes_vocab *v = mask_vocab(NULL);
    sortes_grammar *g;
    sortes_matcher *m;
    uint32_t words[16];

    (void)state;
    memset(text, 'm', 450);
    text[450] = '\0';
    g = small_grammar("choice", text, NULL);
    m = small_matcher(g, v);
    assert_int_equal(sortes_matcher_mask(m, words, 16), SORTES_OK);
    assert_true(srt_bit_get(words, 256 + 16));
    small_check_mask(m, v);
    assert_int_equal(
        sortes_matcher_advance(m, (const int32_t[]){ 256 + 16 }, 1, NULL),
        SORTES_OK);
    small_check_mask(m, v);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

/* End tokens: all of them where the text may end, alone where it must. */
static void end_tokens_come_where_the_text_may_end(void **state)
{
    sortes_vocab *v = mask_vocab(NULL);
    sortes_grammar *g = small_grammar("choice", "he\nhello", NULL);
    sortes_matcher *m = small_matcher(g, v);
    int32_t list[4];
    size_t n;

    (void)state;
    assert_int_equal(sortes_matcher_allows(m, 256 + 12), 0);
    small_advance(m, v, "he");
    assert_int_equal(sortes_matcher_allowed(m, list, 4, &n), SORTES_OK);
    assert_int_equal(n, 3);
    assert_int_equal(list[0], 'l');
    assert_int_equal(list[1], 256 + 12);
    assert_int_equal(list[2], 256 + 13);
    small_advance(m, v, "llo");
    assert_int_equal(sortes_matcher_allowed(m, list, 4, &n), SORTES_OK);
    assert_int_equal(n, 2);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

/* Both tokens of one spelling, or none. */
static void equal_spellings_go_together(void **state)
{
    sortes_vocab *v = mask_vocab(NULL);
    sortes_grammar *g = small_grammar("choice", "hello", NULL);
    sortes_matcher *m = small_matcher(g, v);

    (void)state;
    assert_int_equal(sortes_matcher_allows(m, 256), 1);
    assert_int_equal(sortes_matcher_allows(m, 256 + 9), 1);
    small_check_mask(m, v);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_masks_agree_with_their_tokens),
        cmocka_unit_test(a_giant_token_is_looked_at_too),
        cmocka_unit_test(end_tokens_come_where_the_text_may_end),
        cmocka_unit_test(equal_spellings_go_together),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

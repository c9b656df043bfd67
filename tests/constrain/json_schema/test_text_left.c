/*
 * test_text_left.c - keys of which there are only so many
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sortes.h"
#include "support/small_vocab.h"

#include <stdio.h>
#include <string.h>

static sortes_status put(sortes_matcher *m, const char *text)
{
    return sortes_matcher_advance_bytes(m, text, strlen(text), NULL);
}

/* Keys x00 to x99, in an order of our own, up to the last; then none is left,
 * and at each step a second digit may come while it makes a new key. */
static void check_hundred(const char *schema)
{
    sortes_vocab *v = small_vocab(NULL, NULL, 0);
    sortes_grammar *g = small_grammar("json_schema", schema, NULL);
    sortes_matcher *m = small_matcher(g, v);
    bool used[100] = { false };

    assert_int_equal(put(m, "{"), SORTES_OK);
    for (int i = 0; i < 100; i++) {
        const int key = i * 37 % 100;
        char text[16];

        snprintf(text, sizeof(text), "%s\"x%d", i ? "," : "", key / 10);
        assert_int_equal(put(m, text), SORTES_OK);
        for (int digit = 0; digit < 10; digit++)
            assert_int_equal(sortes_matcher_allows(m, '0' + digit),
                             !used[key / 10 * 10 + digit]);
        if (i % 11 == 0)
            small_check_mask(m, v);
        snprintf(text, sizeof(text), "%d\":1", key % 10);
        assert_int_equal(put(m, text), SORTES_OK);
        used[key] = true;
    }
    assert_int_equal(sortes_matcher_allows(m, ','), 0);
    assert_int_equal(put(m, "}"), SORTES_OK);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

static void keys_run_out(void **state)
{
    (void)state;
    check_hundred("{\"type\":\"object\",\"patternProperties\":{"
                  "\"^x[0-9]{2}$\":{}},\"additionalProperties\":false}");
    check_hundred(
        "{\"type\":\"object\",\"propertyNames\":{"
        "\"pattern\":\"^x[0-9]+$\",\"minLength\":3,\"maxLength\":3}}");
}

/* More than anybody counts. */
static void keys_that_hardly_run_out(void **state)
{
    static const char schema[] =
        "{\"type\":\"object\",\"patternProperties\":{\"^[a-z]{1,40}$\":true},"
        "\"additionalProperties\":false}";
    static const struct small_token tokens[] = { { "\"ab", 0, 0 },
                                                 { ",\"ab", 0, 0 },
                                                 { "ab\":1", 0, 0 } };
    sortes_vocab *v = small_vocab(NULL, tokens, 3);
    sortes_grammar *g = small_grammar("json_schema", schema, NULL);
    sortes_matcher *m = small_matcher(g, v);

    (void)state;
    small_advance(m, v, "{\"ab\":1,\"abab\":1,\"aba\":1,\"b\":1,\"abb\":1");
    assert_int_equal(sortes_matcher_allows(m, ','), 1);
    assert_int_equal(put(m, ",\"ab"), SORTES_OK);
    assert_int_equal(sortes_matcher_allows(m, '"'), 0);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_run_out),
        cmocka_unit_test(keys_that_hardly_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

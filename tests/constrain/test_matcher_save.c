/*
 * test_matcher_save.c - positions saved and taken up again
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

static const struct small_token save_tokens[] = {
    { "{\"a\"", 0, 0 },
    { "</s>", 0, SORTES_TOKEN_EOG },
};

static void check_same(sortes_matcher *a, sortes_matcher *b)
{
    uint32_t x[9], y[9];

    assert_int_equal(sortes_matcher_mask(a, x, 9), SORTES_OK);
    assert_int_equal(sortes_matcher_mask(b, y, 9), SORTES_OK);
    assert_memory_equal(x, y, sizeof(x));
}

static void a_position_comes_back_in_another_matcher(void **state)
{
    sortes_vocab *v = small_vocab(NULL, save_tokens, SRT_COUNT(save_tokens));
    sortes_grammar *g = small_grammar("json_object", NULL, NULL);
    sortes_matcher *m = small_matcher(g, v), *other = small_matcher(g, v);
    unsigned char data[128];
    sortes_error err;
    size_t n, again;

    (void)state;
    small_advance(m, v, "{\"a\": [1, {");
    assert_int_equal(sortes_matcher_advance_bytes(m, "\"x\":2},\"", 8, NULL),
                     SORTES_OK);
    assert_int_equal(sortes_matcher_save(m, data, sizeof(data), &n), SORTES_OK);
    assert_true(n < sizeof(data));
    assert_int_equal(sortes_matcher_save(m, data, 3, &again), SORTES_OK);
    assert_int_equal(again, n);
    assert_int_equal(sortes_matcher_save(m, data, sizeof(data), &n), SORTES_OK);
    small_advance(other, v, "{");
    assert_int_equal(sortes_matcher_load(other, data, n, &err), SORTES_OK);
    check_same(m, other);
    small_advance(other, v, "\"], \"b");
    assert_int_equal(sortes_matcher_rollback(other, 6), SORTES_OK);
    check_same(m, other);

    /* Every cut and what does not fit is refused, and leaves it in place. */
    for (size_t cut = 0; cut < n; cut++) {
        assert_int_equal(sortes_matcher_load(other, data, cut, &err),
                         SORTES_E_SYNTAX);
        check_same(m, other);
    }
    data[n] = 0;
    assert_int_equal(sortes_matcher_load(other, data, n + 1, &err),
                     SORTES_E_SYNTAX);
    assert_string_equal(err.text, "saved matcher: bytes behind its end");
    data[9] = '}'; /* the first token */
    data[10] = data[11] = data[12] = 0;
    assert_int_equal(sortes_matcher_load(other, data, n, &err),
                     SORTES_E_NO_TOKEN);
    assert_int_equal(err.offset, 9);
    check_same(m, other);
    sortes_matcher_free(m);
    sortes_matcher_free(other);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

static void a_finished_matcher_is_finished_again(void **state)
{
    sortes_vocab *v = small_vocab(NULL, save_tokens, SRT_COUNT(save_tokens));
    sortes_grammar *g = small_grammar("json_object", NULL, NULL);
    sortes_matcher *m = small_matcher(g, v), *other = small_matcher(g, v);
    unsigned char data[64];
    size_t n;

    (void)state;
    assert_int_equal(
        sortes_matcher_advance(m, (const int32_t[]){ '{', '}', 257 }, 3, NULL),
        SORTES_OK);
    assert_int_equal(sortes_matcher_save(m, data, sizeof(data), &n), SORTES_OK);
    assert_int_equal(sortes_matcher_load(other, data, n, NULL), SORTES_OK);
    assert_int_equal(sortes_matcher_is_finished(other), 1);
    sortes_matcher_free(m);
    sortes_matcher_free(other);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_position_comes_back_in_another_matcher),
        cmocka_unit_test(a_finished_matcher_is_finished_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

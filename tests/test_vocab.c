/*
 * test_vocab.c - a vocab from a description: bytes, flags, holders
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "vocab.h"

#include <stdlib.h>
#include <string.h>

static const char *const pieces[] = { "hello", "", "a\0b", "\xFF" };
static const size_t lengths[] = { 5, 0, 3, 1 };
static const uint32_t flags[] = { 0, SORTES_TOKEN_CONTROL | SORTES_TOKEN_EOG,
                                  SORTES_TOKEN_UNUSED, SORTES_TOKEN_BYTE };

static sortes_vocab_desc sample(void)
{
    sortes_vocab_desc desc = { .struct_size = sizeof(desc),
                               .n_tokens = 4,
                               .bytes = pieces,
                               .n_bytes = lengths,
                               .flags = flags };

    return desc;
}

static void vocab_keeps_bytes_and_flags(void **state)
{
    sortes_vocab_desc desc = sample();
    sortes_vocab *v;
    sortes_error err;

    (void)state;
    assert_int_equal(sortes_vocab_new(&v, &desc, &err), SORTES_OK);
    assert_int_equal(sortes_vocab_size(v), 4);
    for (int32_t i = 0; i < 4; i++) {
        size_t n = 99;
        const char *piece = sortes_vocab_piece(v, i, &n);

        assert_int_equal(n, lengths[i]);
        assert_memory_equal(piece, pieces[i], n);
        assert_int_equal(sortes_vocab_flags(v, i), flags[i]);
    }
    assert_non_null(sortes_vocab_piece(v, 0, NULL));
    sortes_vocab_free(v);
}

static void vocab_copies_what_it_is_given(void **state)
{
    char text[] = "abc";
    const char *bytes[1] = { text };
    size_t n[1] = { 3 };
    sortes_vocab_desc desc = {
        .struct_size = sizeof(desc), .n_tokens = 1, .bytes = bytes, .n_bytes = n
    };
    sortes_vocab *v;

    (void)state;
    assert_int_equal(sortes_vocab_new(&v, &desc, NULL), SORTES_OK);
    memset(text, 'x', 3);
    bytes[0] = NULL;
    assert_memory_equal(sortes_vocab_piece(v, 0, &n[0]), "abc", 3);
    assert_int_equal(n[0], 3);
    assert_int_equal(sortes_vocab_flags(v, 0), 0);
    sortes_vocab_free(v);
}

static void vocab_knows_no_token_out_of_range(void **state)
{
    static const int32_t ids[] = { -1, INT32_MIN, 4, INT32_MAX };
    sortes_vocab_desc desc = sample();
    sortes_vocab *v;

    (void)state;
    assert_int_equal(sortes_vocab_new(&v, &desc, NULL), SORTES_OK);
    for (size_t i = 0; i < SRT_COUNT(ids); i++) {
        size_t n = 99;

        assert_null(sortes_vocab_piece(v, ids[i], &n));
        assert_int_equal(n, 0);
        assert_int_equal(sortes_vocab_flags(v, ids[i]), 0);
    }
    sortes_vocab_free(v);
}

static void vocab_lives_as_long_as_its_last_holder(void **state)
{
    sortes_vocab_desc desc = sample();
    sortes_vocab *v;
    size_t n;

    (void)state;
    assert_int_equal(sortes_vocab_new(&v, &desc, NULL), SORTES_OK);
    assert_ptr_equal(sortes_vocab_retain(v), v);
    sortes_vocab_free(v);
    assert_memory_equal(sortes_vocab_piece(v, 0, &n), "hello", 5);
    sortes_vocab_free(v);
}

static void vocab_takes_null(void **state)
{
    size_t n = 99;

    (void)state;
    sortes_vocab_free(NULL);
    assert_null(sortes_vocab_retain(NULL));
    assert_int_equal(sortes_vocab_size(NULL), 0);
    assert_null(sortes_vocab_piece(NULL, 0, &n));
    assert_int_equal(n, 0);
    assert_int_equal(sortes_vocab_flags(NULL, 0), 0);
}

static void vocab_refuses_wrong_descriptions(void **state)
{
    static const char *const hole[] = { "a", NULL };
    static const uint32_t wrong_flags[] = { 0, 128, 0, 0 };
    sortes_vocab_desc rows[9];
    static const char *const problems[] = {
        "wrong struct_size",        "wrong number of tokens",
        "wrong number of tokens",   "bytes or n_bytes",
        "bytes or n_bytes",         "bytes of token 1",
        "unknown flags of token 1", "n_word_bytes is NULL",
        "word of token 1"
    };
    sortes_vocab *v;
    sortes_error err;

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++)
        rows[i] = sample();
    rows[0].struct_size--;
    rows[1].n_tokens = 0;
    rows[2].n_tokens = (size_t)1 << 31;
    rows[3].bytes = NULL;
    rows[4].n_bytes = NULL;
    rows[5].bytes = hole;
    rows[5].n_tokens = 2;
    rows[5].n_bytes = lengths + 2;
    rows[6].flags = wrong_flags;
    rows[7].words = rows[7].bytes;
    rows[7].n_word_bytes = NULL;
    rows[8].words = hole;
    rows[8].n_tokens = 2;
    rows[8].n_word_bytes = lengths + 2;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        assert_int_equal(sortes_vocab_new(&v, &rows[i], &err),
                         SORTES_E_ARGUMENT);
        assert_null(v);
        assert_non_null(strstr(err.text, problems[i]));
    }
    assert_int_equal(sortes_vocab_new(NULL, &rows[0], &err), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_vocab_new(&v, NULL, &err), SORTES_E_ARGUMENT);
}

static void vocab_from_gguf_refuses_a_missing_file(void **state)
{
    sortes_vocab *v;
    sortes_error err;

    (void)state;
    assert_int_equal(sortes_vocab_from_gguf(&v, "no/such.gguf", &err),
                     SORTES_E_IO);
    assert_null(v);
    assert_string_equal(err.text, "no/such.gguf: could not be opened");
    assert_int_equal(sortes_vocab_from_gguf(&v, NULL, &err), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_vocab_from_gguf(NULL, "x", &err),
                     SORTES_E_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vocab_keeps_bytes_and_flags),
        cmocka_unit_test(vocab_copies_what_it_is_given),
        cmocka_unit_test(vocab_knows_no_token_out_of_range),
        cmocka_unit_test(vocab_lives_as_long_as_its_last_holder),
        cmocka_unit_test(vocab_takes_null),
        cmocka_unit_test(vocab_refuses_wrong_descriptions),
        cmocka_unit_test(vocab_from_gguf_refuses_a_missing_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

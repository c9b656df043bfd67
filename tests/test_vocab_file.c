/*
 * test_vocab_file.c - vocabularies in files, by what they begin with
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "vocab_file.h"

#include "gguf_build.h"
#include "support/files.h"

#include <stdio.h>
#include <string.h>

#define TOKENIZER                                                              \
    "{\"decoder\":{\"type\":\"ByteLevel\"},\"model\":{\"type\":\"BPE\","       \
    "\"vocab\":{\"hf\":0}}}"

static struct gguf_build built;

static void check_first(sortes_vocab *v, const char *want)
{
    size_t n;
    const char *piece = sortes_vocab_piece(v, 0, &n);

    assert_int_equal(n, strlen(want));
    assert_memory_equal(piece, want, n);
    sortes_vocab_free(v);
}

static void file_is_known_by_its_beginning(void **state)
{
    static const char *const texts[] = { "gg" };
    sortes_vocab *v;

    (void)state;
    file_write("a", "\n " TOKENIZER, strlen(TOKENIZER) + 2);
    assert_int_equal(sortes_vocab_from_file(&v, "a", NULL), SORTES_OK);
    check_first(v, "hf");
    file_write("b", "TWFu 0\n", 7);
    assert_int_equal(sortes_vocab_from_file(&v, "b", NULL), SORTES_OK);
    check_first(v, "Man");
    build_start(&built);
    build_text(&built, "tokenizer.ggml.model", "gpt2");
    build_texts(&built, "tokenizer.ggml.tokens", texts, 1);
    build_end(&built);
    file_write("c", built.bytes, built.n);
    assert_int_equal(sortes_vocab_from_file(&v, "c", NULL), SORTES_OK);
    check_first(v, "gg");
}

static void file_of_a_named_kind_is_read_as_that(void **state)
{
    static const sortes_special_token special = { 1, "<e>", SORTES_TOKEN_EOG };
    sortes_error err;
    sortes_vocab *v;

    (void)state;
    file_write("a", TOKENIZER, strlen(TOKENIZER));
    file_write("b", "TWFu 0\n", 7);
    assert_int_equal(
        sortes_vocab_from_tokenizer_json(&v, "a", &special, 1, &err),
        SORTES_OK);
    assert_int_equal(sortes_vocab_flags(v, 1), SORTES_TOKEN_EOG);
    check_first(v, "hf");
    assert_int_equal(sortes_vocab_from_tiktoken(&v, "b", &special, 1, &err),
                     SORTES_OK);
    assert_int_equal(sortes_vocab_flags(v, 1), SORTES_TOKEN_EOG);
    check_first(v, "Man");
    assert_int_equal(sortes_vocab_from_tiktoken(&v, "a", NULL, 0, &err),
                     SORTES_E_SYNTAX);
    assert_string_equal(err.text, "a: line 1: expected a token in base64, a "
                                  "space and its rank");
    assert_int_equal(sortes_vocab_from_tokenizer_json(&v, "b", NULL, 0, &err),
                     SORTES_E_SYNTAX);
    assert_null(v);
}

static void file_refuses(void **state)
{
    sortes_vocab *v;
    sortes_error err;

    (void)state;
    file_write("d", "hello\n", 6);
    assert_int_equal(sortes_vocab_from_file(&v, "d", &err), SORTES_E_SYNTAX);
    assert_null(v);
    file_write("d",
               "\x7F"
               "ELF",
               4);
    assert_int_equal(sortes_vocab_from_file(&v, "d", &err), SORTES_E_NAME);
    assert_string_equal(err.text,
                        "d: no vocabulary is known here (allowed a GGUF, a "
                        "tokenizer.json, a tiktoken file)");
    file_write("d", "", 0);
    assert_int_equal(sortes_vocab_from_file(&v, "d", &err), SORTES_E_NAME);
    assert_int_equal(sortes_vocab_from_file(&v, "no/such", &err), SORTES_E_IO);
    assert_string_equal(err.text, "no/such: cannot be opened");
    assert_int_equal(sortes_vocab_from_file(&v, ".", &err), SORTES_E_IO);
    assert_string_equal(err.text, ".: could not be read");
    assert_null(v);
    assert_int_equal(sortes_vocab_from_file(NULL, "d", &err),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_vocab_from_file(&v, NULL, &err), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_vocab_from_tiktoken(&v, "d", NULL, 1, &err),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_vocab_from_tokenizer_json(&v, NULL, NULL, 0, NULL),
                     SORTES_E_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_is_known_by_its_beginning),
        cmocka_unit_test(file_of_a_named_kind_is_read_as_that),
        cmocka_unit_test(file_refuses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

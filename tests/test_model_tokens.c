/*
 * test_model_tokens.c - end, beginning and padding tokens of model files
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gguf_build.h"
#include "sortes.h"

#include <stdio.h>
#include <string.h>

static const sortes_model_tokens none = { sizeof(none), -1, -1, 0, { 0 } };

static sortes_status read_into(sortes_model_tokens *t, const char *text,
                               sortes_error *err)
{
    return sortes_model_tokens_read(t, text, strlen(text), err);
}

static sortes_model_tokens read_ok(const char *text)
{
    sortes_model_tokens t = none;
    sortes_error err;

    if (read_into(&t, text, &err) != SORTES_OK)
        fail_msg("%s: %s", text, err.text);
    return t;
}

static void a_number_or_a_list(void **state)
{
    sortes_model_tokens t = read_ok("{\"eos_token_id\":151645,"
                                    "\"bos_token_id\":1,\"pad_token_id\":0}");

    (void)state;
    assert_int_equal(t.n_ends, 1);
    assert_int_equal(t.ends[0], 151645);
    assert_int_equal(t.bos, 1);
    assert_int_equal(t.pad, 0);
    t = read_ok("{\"eos_token_id\":[3,1,3,2]}");
    assert_int_equal(t.n_ends, 3); /* each once */
    assert_int_equal(t.ends[0], 3);
    assert_int_equal(t.ends[1], 1);
    assert_int_equal(t.ends[2], 2);
    assert_int_equal(t.bos, -1);
    assert_int_equal(t.pad, -1);
}

/* text_config only where the top says nothing. */
static void a_nested_text_config(void **state)
{
    sortes_model_tokens t =
        read_ok("{\"eos_token_id\":null,\"bos_token_id\":2,"
                "\"text_config\":{\"eos_token_id\":[1,106],\"bos_token_id\":9,"
                "\"pad_token_id\":0}}");

    (void)state;
    assert_int_equal(t.n_ends, 2);
    assert_int_equal(t.ends[1], 106);
    assert_int_equal(t.bos, 2);
    assert_int_equal(t.pad, 0);
    t = read_ok("{\"eos_token_id\":5,\"text_config\":{\"eos_token_id\":6}}");
    assert_int_equal(t.n_ends, 1);
    assert_int_equal(t.ends[0], 5);
}

static void nothing_named_is_nothing(void **state)
{
    static const char *const texts[] = {
        "{}", "{\"text_config\":{}}", "{\"text_config\":7}",
        "{\"eos_token_id\":[],\"pad_token_id\":null}"
    };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        const sortes_model_tokens t = read_ok(texts[i]);

        assert_memory_equal(&t, &none, sizeof(t));
    }
}

/* config.json, generation_config.json, and what the tokenizer says: a report's
 * case in which one of them replaced the others. */
static void several_files_add_up(void **state)
{
    sortes_model_tokens t = read_ok("{\"eos_token_id\":1,\"pad_token_id\":4}");

    (void)state;
    assert_int_equal(read_into(&t, "{\"eos_token_id\":[2,1]}", NULL),
                     SORTES_OK);
    assert_int_equal(
        read_into(&t, "{\"eos_token_id\":3,\"pad_token_id\":5}", NULL),
        SORTES_OK);
    assert_int_equal(t.n_ends, 3);
    assert_int_equal(t.ends[0], 1);
    assert_int_equal(t.ends[1], 2);
    assert_int_equal(t.ends[2], 3);
    assert_int_equal(t.pad, 5);
}

static void what_is_no_id_is_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        { "{\"eos_token_id\":\"</s>\"}",
          "eos_token_id: no token id (got string, allowed 0 to 2147483647)" },
        { "{\"eos_token_id\":[1,-1]}",
          "eos_token_id: no token id (got -1, allowed 0 to 2147483647)" },
        { "{\"eos_token_id\":[1,2.0]}",
          "eos_token_id: no token id (got 2.0, allowed 0 to 2147483647)" },
        { "{\"eos_token_id\":[null]}",
          "eos_token_id: no token id (got null, allowed 0 to 2147483647)" },
        { "{\"eos_token_id\":2147483648}",
          "eos_token_id: no token id (got 2147483648, allowed 0 to "
          "2147483647)" },
        { "{\"bos_token_id\":[1]}",
          "bos_token_id: no token id (got array, allowed 0 to 2147483647)" },
        { "{\"pad_token_id\":true}",
          "pad_token_id: no token id (got boolean, allowed 0 to 2147483647)" },
        { "[1]", "config: wrong type (got array, needed object)" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        sortes_model_tokens t = read_ok("{\"eos_token_id\":8}"), before = t;
        sortes_error err;

        assert_int_equal(read_into(&t, rows[i].text, &err), SORTES_E_SYNTAX);
        assert_string_equal(err.text, rows[i].message);
        assert_memory_equal(&t, &before, sizeof(t));
    }
}

static void too_many_are_refused(void **state)
{
    sortes_model_tokens t = none, before;
    char text[1024] = "{\"eos_token_id\":[";
    sortes_error err;

    (void)state;
    for (int i = 0; i < SORTES_MODEL_ENDS; i++)
        sprintf(text + strlen(text), "%d,", i);
    strcpy(text + strlen(text) - 1, "]}");
    assert_int_equal(read_into(&t, text, &err), SORTES_OK);
    assert_int_equal(t.n_ends, SORTES_MODEL_ENDS);
    before = t;
    assert_int_equal(read_into(&t, "{\"eos_token_id\":[5,99]}", &err),
                     SORTES_E_LIMIT);
    assert_string_equal(err.text,
                        "eos_token_id: too many end tokens (allowed 64)");
    assert_memory_equal(&t, &before, sizeof(t));
}

/* ---- GGUF ---------------------------------------------------------------- */

static const char *gguf_file(const struct gguf_build *b)
{
    static const char path[] = "tokens.gguf";
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(b->bytes, 1, b->n, file), b->n);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void a_gguf_names_its_tokens(void **state)
{
    static struct gguf_build b;
    sortes_model_tokens t = none;
    sortes_error err;

    (void)state;
    build_start(&b);
    build_key(&b, "tokenizer.ggml.eos_token_id", SRT_GGUF_U32);
    build_number(&b, 7, 4);
    build_key(&b, "tokenizer.ggml.eot_token_id", SRT_GGUF_U32);
    build_number(&b, 9, 4);
    build_key(&b, "tokenizer.ggml.bos_token_id", SRT_GGUF_I32);
    build_number(&b, 1, 4);
    build_key(&b, "tokenizer.ggml.padding_token_id", SRT_GGUF_U64);
    build_number(&b, 0, 8);
    build_end(&b);
    assert_int_equal(sortes_model_tokens_read_gguf(&t, gguf_file(&b), &err),
                     SORTES_OK);
    assert_int_equal(t.n_ends, 2);
    assert_int_equal(t.ends[0], 7);
    assert_int_equal(t.ends[1], 9);
    assert_int_equal(t.bos, 1);
    assert_int_equal(t.pad, 0);
}

static void a_gguf_with_no_id_is_refused(void **state)
{
    static struct gguf_build b;
    sortes_model_tokens t = none;
    sortes_error err;

    (void)state;
    build_start(&b);
    build_key(&b, "tokenizer.ggml.padding_token_id", SRT_GGUF_U32);
    build_number(&b, 4294967295u, 4);
    build_end(&b);
    assert_int_equal(sortes_model_tokens_read_gguf(&t, gguf_file(&b), &err),
                     SORTES_E_SYNTAX);
    assert_string_equal(err.text,
                        "tokens.gguf: key 'tokenizer.ggml.padding_token_id': "
                        "no token id (allowed 0 to 2147483647)");
    build_start(&b);
    build_key(&b, "tokenizer.ggml.eos_token_id", SRT_GGUF_STRING);
    build_string(&b, "</s>");
    build_end(&b);
    assert_int_equal(sortes_model_tokens_read_gguf(&t, gguf_file(&b), &err),
                     SORTES_E_SYNTAX);
    assert_memory_equal(&t, &none, sizeof(t));
    assert_int_equal(sortes_model_tokens_read_gguf(&t, "gone.gguf", &err),
                     SORTES_E_IO);
}

static void arguments_are_checked(void **state)
{
    sortes_model_tokens t = none;
    sortes_error err;

    (void)state;
    t.struct_size = 8;
    assert_int_equal(read_into(&t, "{}", &err), SORTES_E_ARGUMENT);
    assert_string_equal(err.text,
                        "model tokens: argument is NULL or of another size");
    assert_int_equal(read_into(NULL, "{}", &err), SORTES_E_ARGUMENT);
    t = none;
    t.n_ends = 65;
    assert_int_equal(read_into(&t, "{}", &err), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_model_tokens_read(&t, NULL, 1, &err),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_model_tokens_read_gguf(&t, NULL, &err),
                     SORTES_E_ARGUMENT);
    t = none;
    assert_int_equal(read_into(&t, "{", &err), SORTES_E_SYNTAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_or_a_list),
        cmocka_unit_test(a_nested_text_config),
        cmocka_unit_test(nothing_named_is_nothing),
        cmocka_unit_test(several_files_add_up),
        cmocka_unit_test(what_is_no_id_is_refused),
        cmocka_unit_test(too_many_are_refused),
        cmocka_unit_test(a_gguf_names_its_tokens),
        cmocka_unit_test(a_gguf_with_no_id_is_refused),
        cmocka_unit_test(arguments_are_checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

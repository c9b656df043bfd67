/*
 * test_script.c - recordings: played as recorded, refused when damaged
 *
 * Small recordings of two rows of three tokens are written into the working
 * folder; the one that the repository carries is opened as it is.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine.h"

#include "support/files.h"
#include "support/npy_make.h"

static const char small_text[] = "sortes rows 1\n"
                                 "# a comment\n"
                                 "model a model\n"
                                 "sampled by hand\n"
                                 "dialect llama.cpp\n"
                                 "n_vocab 3\n"
                                 "rows small.npy\n"
                                 "seed 18446744073709551615\n"
                                 "params {\"top_k\":2}\n"
                                 "prompt \"a\\x41\\n\\\"\\\\\"\n"
                                 "prompt_tokens 0 1\n"
                                 "tokens 2 1\n"
                                 "piece 0 \"a\\xC3\"\n"
                                 "piece 1 \"<end>\" control eog\n"
                                 "piece 2 \"\"\n";

/* Logits 1 2 3 and -1 -2 -3 in bf16, of the type and shape that are claimed. */
static const struct npy_file *small_rows(const char *descr, const char *shape)
{
    static const unsigned char x[] = { 0x80, 0x3f, 0x00, 0x40, 0x40, 0x40,
                                       0x80, 0xbf, 0x00, 0xc0, 0x40, 0xc0 };
    static struct npy_file file;

    npy_begin_array(&file, descr, shape);
    npy_put(&file, x, sizeof(x));
    return &file;
}

static void small_write_rows(const char *descr, const char *shape)
{
    const struct npy_file *file = small_rows(descr, shape);

    file_write("small.npy", file->bytes, file->n);
}

static sortes_status small_open(struct engine **e, const char *text, size_t n,
                                sortes_error *err)
{
    file_write("small.rows", text, n);
    return engine_open(e, "small.rows", NULL, err);
}

static struct engine *small_engine(void)
{
    struct engine *e;

    small_write_rows("<u2", "(2, 3)");
    assert_int_equal(small_open(&e, small_text, strlen(small_text), NULL),
                     SORTES_OK);
    return e;
}

static void script_tells_its_facts(void **state)
{
    struct engine *e = small_engine();
    const struct engine_recording *r = engine_recording(e);

    (void)state;
    assert_non_null(r);
    assert_string_equal(r->model, "a model");
    assert_string_equal(r->sampled, "by hand");
    assert_string_equal(r->dialect, "llama.cpp");
    assert_string_equal(r->params, "{\"top_k\":2}");
    assert_string_equal(r->prompt, "aA\n\"\\");
    assert_true(r->seed == UINT64_MAX);
    assert_int_equal(r->n_prompt_tokens, 2);
    assert_int_equal(r->n_tokens, 2);
    assert_int_equal(r->tokens[0], 2);
    assert_int_equal(engine_n_vocab(e), 3);
    engine_close(e);
}

static void script_knows_pieces_and_flags(void **state)
{
    struct engine *e = small_engine();
    size_t n;

    (void)state;
    assert_memory_equal(engine_piece(e, 0, &n), "a\xC3", 2);
    assert_int_equal(n, 2);
    assert_true(engine_is_eog(e, 1));
    assert_true(engine_is_control(e, 1));
    assert_false(engine_is_eog(e, 0));
    assert_string_equal(engine_piece(e, 3, &n), "");
    assert_int_equal(n, 0);
    engine_close(e);
}

static void detokenize_leaves_control_tokens_out(void **state)
{
    const int32_t tokens[] = { 0, 1, 0 };
    struct engine *e = small_engine();
    char *text;
    size_t n;

    (void)state;
    assert_int_equal(engine_detokenize(e, tokens, 3, &text, &n, NULL),
                     SORTES_OK);
    assert_int_equal(n, 4);
    assert_string_equal(text, "a\xC3"
                              "a\xC3");
    free(text);
    engine_close(e);
}

static void script_tokenizes_its_own_prompt_only(void **state)
{
    struct engine *e = small_engine();
    struct engine_tokens tokens;
    sortes_error err;

    (void)state;
    assert_int_equal(engine_tokenize(e, "aA\n\"\\", 5, 0, &tokens, NULL),
                     SORTES_OK);
    assert_int_equal(tokens.n, 2);
    assert_int_equal(tokens.ids[1], 1);
    free(tokens.ids);
    assert_int_equal(engine_tokenize(e, "aA\n\"", 4, 0, &tokens, &err),
                     SORTES_E_ARGUMENT);
    assert_null(tokens.ids);
    engine_close(e);
}

static void script_plays_row_after_row(void **state)
{
    const int32_t tokens[] = { 0, 1, 2, 1 };
    struct engine *e = small_engine();
    sortes_row row;

    (void)state;
    assert_int_equal(engine_row(e, &row), SORTES_E_ARGUMENT);
    assert_int_equal(engine_decode(e, tokens, 2, NULL), SORTES_OK);
    assert_int_equal(engine_row(e, &row), SORTES_OK);
    assert_int_equal(row.type, SORTES_BF16);
    assert_int_equal(row.n, 3);
    assert_int_equal(((const uint16_t *)row.data)[2], 0x4040);
    assert_int_equal(engine_decode(e, tokens + 2, 1, NULL), SORTES_OK);
    assert_int_equal(engine_row(e, &row), SORTES_OK);
    assert_int_equal(((const uint16_t *)row.data)[0], 0xbf80);
    assert_int_equal(engine_decode(e, tokens + 3, 1, NULL), SORTES_E_LIMIT);
    engine_reset(e);
    assert_int_equal(engine_row(e, &row), SORTES_E_ARGUMENT);
    assert_int_equal(engine_decode(e, tokens, 3, NULL), SORTES_OK);
    engine_close(e);
}

static void script_refuses_another_sequence(void **state)
{
    const int32_t wrong[] = { 0, 2 }, outside[] = { 3 };
    struct engine *e = small_engine();
    sortes_error err;
    sortes_row row;

    (void)state;
    assert_int_equal(engine_decode(e, wrong, 2, &err), SORTES_E_ARGUMENT);
    assert_string_equal(err.text, "decode: token 2 is not the recorded one (1) "
                                  "at position 1");
    assert_int_equal(engine_row(e, &row), SORTES_E_ARGUMENT);
    assert_int_equal(engine_decode(e, outside, 1, &err), SORTES_E_ARGUMENT);
    assert_int_equal(engine_decode(e, wrong, 0, &err), SORTES_E_ARGUMENT);
    engine_close(e);
}

static void script_has_no_chat_template(void **state)
{
    struct engine *e = small_engine();
    char *prompt;

    (void)state;
    assert_int_equal(engine_chat(e, NULL, "hello", &prompt, NULL),
                     SORTES_E_NAME);
    assert_null(prompt);
    engine_close(e);
}

/* Whatever the damage: an engine that works, or a refusal with a text. */
static void small_try(const char *text, size_t n)
{
    sortes_error err = { SORTES_OK, 0, "" };
    struct engine *e;

    if (small_open(&e, text, n, &err) == SORTES_OK) {
        engine_close(e);
        return;
    }
    assert_null(e);
    assert_int_not_equal(err.status, SORTES_OK);
    assert_true(strlen(err.text) > 0);
}

static void script_survives_torn_text(void **state)
{
    size_t n;

    (void)state;
    engine_close(small_engine());
    for (n = 0; n < strlen(small_text); n++)
        small_try(small_text, n);
}

static void script_survives_changed_text(void **state)
{
    static const char bytes[] = { '\0', '\n', '"', '\\', ' ', '9', 'x', -1 };
    char text[sizeof(small_text)];
    size_t i, j;

    (void)state;
    engine_close(small_engine());
    for (i = 0; i < strlen(small_text); i++) {
        for (j = 0; j < sizeof(bytes); j++) {
            memcpy(text, small_text, sizeof(text));
            text[i] = bytes[j];
            small_try(text, strlen(small_text));
        }
    }
}

/* Replaces one line of the small recording and expects a refusal. */
static void small_refuse(const char *name, const char *line, const char *words)
{
    char text[2 * sizeof(small_text)];
    const char *at = strstr(small_text, name);
    sortes_error err;
    struct engine *e;

    assert_non_null(at);
    snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - small_text), small_text,
             line, strchr(at, '\n'));
    assert_int_not_equal(small_open(&e, text, strlen(text), &err), SORTES_OK);
    assert_null(e);
    if (!strstr(err.text, words))
        fail_msg("%s: %s", line, err.text);
}

static void script_refuses_lies(void **state)
{
    (void)state;
    engine_close(small_engine());
    small_refuse("sortes rows 1", "sortes rows 2", "expected 'sortes rows 1'");
    small_refuse("n_vocab 3", "n_vocab 0",
                 "line 6: expected the number of tokens, once");
    small_refuse("n_vocab 3", "n_vocab 4",
                 "2 rows of 3 logits (needed 2 rows of 4");
    small_refuse("n_vocab 3", "n_vocab 99999999999999999999",
                 "line 6: expected the number of tokens, once");
    small_refuse("rows small.npy", "rows ./small.npy",
                 "line 7: expected the name of a file beside");
    small_refuse("rows small.npy", "rows none.npy", "none.npy: ");
    small_refuse("rows small.npy", "rows small.rows", "not a .npy file");
    small_refuse("seed", "seed -1", "line 8: expected a seed");
    small_refuse("prompt \"", "prompt unquoted",
                 "line 10: expected a text in quotes");
    small_refuse("prompt \"", "prompt \"\\q\"",
                 "line 10: expected a text in quotes");
    small_refuse("prompt \"", "prompt \"open",
                 "line 10: expected a text in quotes");
    small_refuse("tokens 2 1", "tokens 2 3",
                 "line 12: expected token ids below n_vocab");
    small_refuse("tokens 2 1", "tokens 2",
                 "2 rows of 3 logits (needed 1 rows of 3");
    small_refuse("tokens 2 1", "tokens ", "line 12: expected token ids");
    small_refuse("piece 2 \"\"", "piece 3 \"\"",
                 "line 15: expected a token id and a text");
    small_refuse("piece 2 \"\"", "piece 2 \"\" other",
                 "line 15: expected control, eog or nothing");
    small_refuse("params {", "parameters {}", "line 9: no such fact");
}

static void small_refuse_rows(const char *words)
{
    struct engine *e;
    sortes_error err;

    assert_int_equal(small_open(&e, small_text, strlen(small_text), &err),
                     SORTES_E_SYNTAX);
    assert_null(e);
    if (!strstr(err.text, words))
        fail_msg("%s, not: %s", err.text, words);
}

static void script_refuses_another_array(void **state)
{
    const struct npy_file *file;

    (void)state;
    small_write_rows("<f2", "(2, 3)");
    small_refuse_rows("2 rows of 3 logits of another type (needed 2 rows of 3 "
                      "in bfloat16)");
    small_write_rows("<u2", "(3, 2)");
    small_refuse_rows("3 rows of 2 logits (needed 2 rows of 3");
    small_write_rows("<u2", "(6,)");
    small_refuse_rows("1 rows of 6 logits (needed 2 rows of 3");
    file = small_rows("<u2", "(2, 3)");
    file_write("small.npy", file->bytes, file->n - 1);
    small_refuse_rows("row 1: cut short (5 of 6 bytes");
    file_write("small.npy", file->bytes, file->n + 1);
    small_refuse_rows("bytes after the last of the 2 rows");
}

static void script_refuses_a_torn_array(void **state)
{
    const struct npy_file *file = small_rows("<u2", "(2, 3)");
    struct engine *e;

    (void)state;
    for (size_t n = 0; n < file->n; n++) {
        file_write("small.npy", file->bytes, n);
        assert_int_not_equal(
            small_open(&e, small_text, strlen(small_text), NULL), SORTES_OK);
        assert_null(e);
    }
}

static void script_refuses_a_nul_in_its_text(void **state)
{
    sortes_error err;
    struct engine *e = small_engine();

    (void)state;
    engine_close(e);
    /* the text's own, behind the last line */
    assert_int_equal(small_open(&e, small_text, sizeof(small_text), &err),
                     SORTES_E_SYNTAX);
    assert_null(e);
    assert_non_null(strstr(err.text, "is a NUL"));
}

static void open_refuses_what_is_no_model(void **state)
{
    sortes_error err;
    struct engine *e;

    (void)state;
    assert_int_equal(engine_open(&e, "no such file", NULL, &err), SORTES_E_IO);
    assert_null(e);
    assert_int_equal(engine_open(&e, NULL, NULL, &err), SORTES_E_ARGUMENT);
    file_write("small.txt", "hello", 5);
    assert_int_equal(engine_open(&e, "small.txt", NULL, &err), SORTES_E_SYNTAX);
    file_write("small.txt", "", 0);
    assert_int_equal(engine_open(&e, "small.txt", NULL, &err), SORTES_E_SYNTAX);
    file_write("small.txt", "GGUF", 4);
    assert_int_not_equal(engine_open(&e, "small.txt", NULL, &err), SORTES_OK);
    assert_null(e);
}

static void the_carried_recording_opens(void **state)
{
    const struct engine_recording *r;
    sortes_row row;
    struct engine *e;
    size_t i;

    (void)state;
    assert_int_equal(
        engine_open(&e, SORTES_ROOT "/examples/rows/smollm2.rows", NULL, NULL),
        SORTES_OK);
    r = engine_recording(e);
    assert_int_equal(
        engine_decode(e, r->prompt_tokens, r->n_prompt_tokens, NULL),
        SORTES_OK);
    for (i = 0; i < r->n_tokens; i++) {
        size_t n;

        assert_int_equal(engine_row(e, &row), SORTES_OK);
        assert_int_equal(row.n, 49152);
        engine_piece(e, r->tokens[i], &n);
        assert_true(n > 0);
        if (i + 1 < r->n_tokens)
            assert_int_equal(engine_decode(e, &r->tokens[i], 1, NULL),
                             SORTES_OK);
    }
    engine_close(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(script_tells_its_facts),
        cmocka_unit_test(script_knows_pieces_and_flags),
        cmocka_unit_test(detokenize_leaves_control_tokens_out),
        cmocka_unit_test(script_tokenizes_its_own_prompt_only),
        cmocka_unit_test(script_plays_row_after_row),
        cmocka_unit_test(script_refuses_another_sequence),
        cmocka_unit_test(script_has_no_chat_template),
        cmocka_unit_test(script_survives_torn_text),
        cmocka_unit_test(script_survives_changed_text),
        cmocka_unit_test(script_refuses_lies),
        cmocka_unit_test(script_refuses_another_array),
        cmocka_unit_test(script_refuses_a_torn_array),
        cmocka_unit_test(script_refuses_a_nul_in_its_text),
        cmocka_unit_test(open_refuses_what_is_no_model),
        cmocka_unit_test(the_carried_recording_opens),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

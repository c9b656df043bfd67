/*
 * engine.c - live: engine/llama.c gives what libllama itself gives
 *
 * Beside the engine, the model that SORTES_MODEL names is opened through
 * libllama's own API; tokens, flags, pieces and rows must be the same.  On one
 * thread: libllama's threads wait for each other spinning, which on a machine
 * with other work takes a hundred times longer.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine.h"
#include "llama.h"

enum { SMALL_CTX = 256 };

static const char text[] =
    "The Sortes Vergilianae: <|im_end|> \xC3\xA9t\xC3\xA9, "
    "\xF0\x9F\x8E\xB2 1234 tabs\tand\n\nlines.  ";

struct live {
    struct engine *engine;
    struct llama_model *model;
    struct llama_context *ctx;
    const struct llama_vocab *vocab;
};

static struct live live;

static int live_setup(void **state)
{
    const char *path = getenv("SORTES_MODEL");
    const struct engine_options options = { .n_ctx = SMALL_CTX,
                                            .n_threads = 1 };
    struct llama_context_params params = llama_context_default_params();
    sortes_error err;

    (void)state;
    if (!path || engine_open(&live.engine, path, &options, &err) != SORTES_OK)
        return -1;
    live.model = llama_model_load_from_file(path, llama_model_default_params());
    params.n_ctx = SMALL_CTX;
    params.n_threads = params.n_threads_batch = 1;
    live.ctx = live.model ? llama_init_from_model(live.model, params) : NULL;
    live.vocab = live.model ? llama_model_get_vocab(live.model) : NULL;
    return live.ctx ? 0 : -1;
}

static int live_teardown(void **state)
{
    (void)state;
    engine_close(live.engine);
    llama_free(live.ctx);
    llama_model_free(live.model);
    return 0;
}

static void vocab_is_libllamas(void **state)
{
    const size_t n = engine_n_vocab(live.engine);
    char piece[512];
    size_t i, n_bytes;

    (void)state;
    assert_int_equal(n, llama_vocab_n_tokens(live.vocab));
    for (i = 0; i < n; i++) {
        const int32_t id = (int32_t)i;
        const char *ours = engine_piece(live.engine, id, &n_bytes);
        int32_t theirs =
            llama_token_to_piece(live.vocab, id, piece, sizeof(piece), 0, true);

        assert_int_equal(n_bytes, theirs);
        assert_memory_equal(ours, piece, n_bytes);
        assert_int_equal(engine_is_eog(live.engine, id),
                         llama_vocab_is_eog(live.vocab, id));
        assert_int_equal(engine_is_control(live.engine, id),
                         llama_vocab_is_control(live.vocab, id));
    }
}

/* What the GGUF reader makes of the same file, without libllama. */
static void vocab_is_the_gguf_readers(void **state)
{
    const size_t n = engine_n_vocab(live.engine);
    size_t i, n_ours, n_read;
    sortes_vocab *read;
    sortes_error err;

    (void)state;
    assert_int_equal(
        sortes_vocab_from_gguf(&read, getenv("SORTES_MODEL"), &err), SORTES_OK);
    assert_int_equal(sortes_vocab_size(read), n);
    for (i = 0; i < n; i++) {
        const int32_t id = (int32_t)i;
        const char *ours = engine_piece(live.engine, id, &n_ours);
        const char *theirs = sortes_vocab_piece(read, id, &n_read);

        assert_int_equal(n_ours, n_read);
        assert_memory_equal(ours, theirs, n_ours);
        assert_int_equal(sortes_vocab_flags(engine_vocab(live.engine), id),
                         sortes_vocab_flags(read, id));
    }
    sortes_vocab_free(read);
}

static void tokenize_is_libllamas(void **state)
{
    unsigned flags;

    (void)state;
    for (flags = 0; flags < 4; flags++) {
        int32_t theirs[256];
        struct engine_tokens ours;
        int32_t n =
            llama_tokenize(live.vocab, text, (int32_t)strlen(text), theirs, 256,
                           (flags & ENGINE_ADD_SPECIAL) != 0,
                           (flags & ENGINE_PARSE_SPECIAL) != 0);

        assert_int_equal(engine_tokenize(live.engine, text, strlen(text), flags,
                                         &ours, NULL),
                         SORTES_OK);
        assert_int_equal(ours.n, n);
        assert_memory_equal(ours.ids, theirs, ours.n * sizeof(*ours.ids));
        free(ours.ids);
    }
}

static void detokenize_gives_the_text_back(void **state)
{
    struct engine_tokens tokens;
    size_t n;
    char *back;

    (void)state;
    assert_int_equal(
        engine_tokenize(live.engine, text, strlen(text), 0, &tokens, NULL),
        SORTES_OK);
    assert_int_equal(
        engine_detokenize(live.engine, tokens.ids, tokens.n, &back, &n, NULL),
        SORTES_OK);
    assert_string_equal(back, text);
    assert_int_equal(n, strlen(text));
    free(back);
    free(tokens.ids);
}

static void empty_text_has_no_tokens(void **state)
{
    struct engine_tokens tokens;

    (void)state;
    assert_int_equal(engine_tokenize(live.engine, "", 0, 0, &tokens, NULL),
                     SORTES_OK);
    assert_int_equal(tokens.n, 0);
    free(tokens.ids);
}

/* Decodes the same tokens on both sides; the rows must have the same bits. */
static void compare_row(int32_t *tokens, int32_t n)
{
    sortes_row row;

    assert_int_equal(engine_decode(live.engine, tokens, (size_t)n, NULL),
                     SORTES_OK);
    assert_int_equal(engine_row(live.engine, &row), SORTES_OK);
    assert_int_equal(row.type, SORTES_F32);
    assert_int_equal(row.n, llama_vocab_n_tokens(live.vocab));
    assert_int_equal(llama_decode(live.ctx, llama_batch_get_one(tokens, n)), 0);
    assert_memory_equal(row.data, llama_get_logits_ith(live.ctx, -1),
                        row.n * sizeof(float));
}

static void rows_are_libllamas(void **state)
{
    struct engine_tokens tokens;
    size_t i;

    (void)state;
    engine_reset(live.engine);
    llama_memory_clear(llama_get_memory(live.ctx), true);
    assert_int_equal(
        engine_tokenize(live.engine, text, strlen(text), 0, &tokens, NULL),
        SORTES_OK);
    compare_row(tokens.ids, (int32_t)tokens.n);
    for (i = 0; i < 4; i++)
        compare_row(tokens.ids + i, 1);
    free(tokens.ids);
}

static void decode_refuses_what_does_not_fit(void **state)
{
    static int32_t tokens[SMALL_CTX + 1];
    float before[8];
    sortes_error err;
    sortes_row row;
    size_t i;

    (void)state;
    for (i = 0; i <= SMALL_CTX; i++)
        tokens[i] = 100 + (int32_t)i;
    engine_reset(live.engine);
    assert_int_equal(engine_row(live.engine, &row), SORTES_E_ARGUMENT);
    assert_int_equal(engine_decode(live.engine, tokens, SMALL_CTX + 1, &err),
                     SORTES_E_LIMIT);
    assert_int_equal(engine_decode(live.engine, tokens, 200, NULL), SORTES_OK);
    assert_int_equal(engine_decode(live.engine, tokens, 57, &err),
                     SORTES_E_LIMIT);
    assert_string_equal(err.text, "decode: the context is full (200 of 256 "
                                  "tokens, 57 more wanted)");
    assert_int_equal(engine_decode(live.engine, tokens, 56, NULL), SORTES_OK);
    assert_int_equal(engine_row(live.engine, &row), SORTES_OK);
    memcpy(before, row.data, sizeof(before));
    assert_int_equal(engine_decode(live.engine, tokens, 1, NULL),
                     SORTES_E_LIMIT);
    assert_int_equal(engine_row(live.engine, &row), SORTES_OK);
    assert_memory_equal(row.data, before, sizeof(before));
}

static void chat_wraps_the_text(void **state)
{
    char *prompt;

    (void)state;
    assert_int_equal(
        engine_chat(live.engine, "Be brief.", "Who are you?", &prompt, NULL),
        SORTES_OK);
    assert_string_equal(prompt, "<|im_start|>system\nBe brief.<|im_end|>\n"
                                "<|im_start|>user\nWho are you?<|im_end|>\n"
                                "<|im_start|>assistant\n");
    free(prompt);
}

static void count_progress(void *ctx, float fraction)
{
    float *last = ctx;

    assert_true(fraction >= *last && fraction <= 1);
    *last = fraction;
}

static void open_reports_progress(void **state)
{
    float last = 0;
    const struct engine_options options = { .n_ctx = 64,
                                            .progress = count_progress,
                                            .progress_ctx = &last };
    struct engine *e;

    (void)state;
    assert_int_equal(engine_open(&e, getenv("SORTES_MODEL"), &options, NULL),
                     SORTES_OK);
    assert_true(last == 1);
    engine_close(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vocab_is_libllamas),
        cmocka_unit_test(vocab_is_the_gguf_readers),
        cmocka_unit_test(tokenize_is_libllamas),
        cmocka_unit_test(detokenize_gives_the_text_back),
        cmocka_unit_test(empty_text_has_no_tokens),
        cmocka_unit_test(rows_are_libllamas),
        cmocka_unit_test(decode_refuses_what_does_not_fit),
        cmocka_unit_test(chat_wraps_the_text),
        cmocka_unit_test(open_reports_progress),
    };

    return cmocka_run_group_tests(tests, live_setup, live_teardown);
}

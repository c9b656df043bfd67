/*
 * llama.c - libllama as an engine: any GGUF model, one sequence
 *
 * Written against llama.h of llama.cpp 0.5.0.  Only the model is used: tokens
 * in, logits out.  Of the sampling API nothing is called.  The row handed out
 * is libllama's own buffer of the last position.
 *
 * libllama's log is one callback for the whole process, set at every open: the
 * engine opened last decides whether it is heard.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L /* sysconf */

#include "backend.h"
#include "llama_vocab.h"

#include <ggml-backend.h>
#include <llama.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The context taken when none is asked for, if the model knows that many. */
enum { LIVE_DEFAULT_CTX = 4096 };

struct live_engine {
    struct engine base;
    struct llama_model *model;
    struct llama_context *ctx;
    const struct llama_vocab *vocab; /* the model's */
    size_t n_ctx;                    /* tokens there is room for */
    size_t n_past;                   /* tokens of the sequence so far */
    const float *logits;             /* of the last position; NULL: none yet */
};

static const struct live_engine *live_self(const struct engine *e)
{
    return (const struct live_engine *)e;
}

static void live_log_nothing(enum ggml_log_level level, const char *text,
                             void *ctx)
{
    (void)level;
    (void)text;
    (void)ctx;
}

/* libllama asks for a bool: true goes on loading. */
static bool live_progress(float fraction, void *ctx)
{
    const struct engine_options *options = ctx;

    options->progress(options->progress_ctx, fraction);
    return true;
}

/*
 * All cores but one.  libllama's threads wait for each other spinning, some
 * hundred times a token: where one of them has to share its core with anything
 * else, the others spin until it is scheduled again (measured on 2 cores, one
 * of them busy: 2 threads 3 to 50 tokens a second, 1 thread 80 to 160).
 */
static int live_threads(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN) - 1;

    if (n < 1)
        return 1;
    return n > 256 ? 256 : (int)n;
}

/* ---- the calls of the table ---------------------------------------------- */

static void live_close(struct engine *e)
{
    struct live_engine *self = (struct live_engine *)e;

    sortes_vocab_free(self->base.vocab);
    if (self->ctx)
        llama_free(self->ctx);
    if (self->model)
        llama_model_free(self->model);
    free(self);
}

static sortes_status
live_tokenize_text(const struct engine *e, const char *text, size_t n_bytes,
                   unsigned flags, struct engine_tokens *out, sortes_error *err)
{
    const struct llama_vocab *vocab = live_self(e)->vocab;
    const bool add = (flags & ENGINE_ADD_SPECIAL) != 0;
    const bool parse = (flags & ENGINE_PARSE_SPECIAL) != 0;
    int32_t n;

    if (n_bytes > INT32_MAX / 2)
        return engine_fail(err, SORTES_E_LIMIT,
                           "tokenize: %zu bytes are more than a prompt may "
                           "have (%d)",
                           n_bytes, INT32_MAX / 2);
    n = llama_tokenize(vocab, text, (int32_t)n_bytes, NULL, 0, add, parse);
    if (n == INT32_MIN)
        return engine_fail(err, SORTES_E_LIMIT, "tokenize: too many tokens");
    n = n < 0 ? -n : n;
    out->ids = malloc(((size_t)n + 1) * sizeof(*out->ids));
    if (!out->ids)
        return engine_fail(err, SORTES_E_NOMEM, "tokenize: out of memory");
    n = llama_tokenize(vocab, text, (int32_t)n_bytes, out->ids, n, add, parse);
    out->n = n < 0 ? 0 : (size_t)n;
    return SORTES_OK;
}

static sortes_status live_chat(const struct engine *e, const char *system,
                               const char *user, char **out, sortes_error *err)
{
    const char *template = llama_model_chat_template(live_self(e)->model, NULL);
    struct llama_chat_message messages[2];
    size_t n = 0;
    int32_t need, size = 0;

    if (!template)
        return engine_fail(err, SORTES_E_NAME,
                           "chat: this model has no chat template");
    if (system)
        messages[n++] = (struct llama_chat_message){ "system", system };
    messages[n++] = (struct llama_chat_message){ "user", user };
    /* The first round measures, the second writes. */
    for (;;) {
        need =
            llama_chat_apply_template(template, messages, n, true, *out, size);
        if (need >= 0 && need < size)
            break;
        free(*out);
        *out = NULL;
        if (need < 0)
            return engine_fail(err, SORTES_E_NAME,
                               "chat: libllama cannot apply this model's "
                               "chat template");
        size = need + 1;
        *out = calloc((size_t)size, 1);
        if (!*out)
            return engine_fail(err, SORTES_E_NOMEM, "chat: out of memory");
    }
    (*out)[need] = '\0';
    return SORTES_OK;
}

/* One batch; libllama computes the logits of its last token. */
static sortes_status live_decode_batch(struct live_engine *self,
                                       const int32_t *tokens, size_t n,
                                       sortes_error *err)
{
    llama_token *batch = malloc(n * sizeof(*batch));
    int32_t result;

    if (!batch)
        return engine_fail(err, SORTES_E_NOMEM, "decode: out of memory");
    memcpy(batch, tokens, n * sizeof(*batch));
    result = llama_decode(self->ctx, llama_batch_get_one(batch, (int32_t)n));
    free(batch);
    if (result == 0)
        return SORTES_OK;
    return engine_fail(err, result == 1 ? SORTES_E_LIMIT : SORTES_E_IO,
                       "decode: libllama returned %d for %zu tokens after %zu",
                       (int)result, n, self->n_past);
}

static sortes_status live_decode_tokens(struct engine *e, const int32_t *tokens,
                                        size_t n, sortes_error *err)
{
    struct live_engine *self = (struct live_engine *)e;
    const size_t start = self->n_past;
    const size_t most = llama_n_batch(self->ctx);
    sortes_status status = SORTES_OK;
    size_t done, part;

    if (n > self->n_ctx - start)
        return engine_fail(err, SORTES_E_LIMIT,
                           "decode: the context is full (%zu of %zu tokens, "
                           "%zu more wanted)",
                           start, self->n_ctx, n);
    for (done = 0; done < n && status == SORTES_OK; done += part) {
        part = n - done < most ? n - done : most;
        status = live_decode_batch(self, tokens + done, part, err);
    }
    if (status == SORTES_OK) {
        self->n_past = start + n;
        self->logits = llama_get_logits_ith(self->ctx, -1);
        return SORTES_OK;
    }
    /* What a part of the tokens left behind is taken out again. */
    llama_memory_seq_rm(llama_get_memory(self->ctx), 0, (llama_pos)start, -1);
    self->logits = NULL;
    return status;
}

static sortes_status live_row(const struct engine *e, sortes_row *row)
{
    const struct live_engine *self = live_self(e);

    if (!self->logits)
        return SORTES_E_ARGUMENT;
    row->data = self->logits;
    row->n = (size_t)llama_vocab_n_tokens(self->vocab);
    row->type = SORTES_F32;
    return SORTES_OK;
}

static void live_reset(struct engine *e)
{
    struct live_engine *self = (struct live_engine *)e;

    llama_memory_clear(llama_get_memory(self->ctx), true);
    self->n_past = 0;
    self->logits = NULL;
}

static const struct engine_ops live_ops = {
    .close = live_close,
    .tokenize = live_tokenize_text,
    .chat = live_chat,
    .decode = live_decode_tokens,
    .row = live_row,
    .reset = live_reset,
};

/* ---- opening ------------------------------------------------------------- */

static sortes_status live_load(struct live_engine *self, const char *path,
                               const struct engine_options *options,
                               sortes_error *err)
{
    struct llama_model_params params = llama_model_default_params();
    struct engine_options copy = *options;

    if (options->progress) {
        params.progress_callback = live_progress;
        params.progress_callback_user_data = &copy;
    }
    self->model = llama_model_load_from_file(path, params);
    if (!self->model)
        return engine_fail(err, SORTES_E_SYNTAX,
                           "model: libllama cannot load %s%s", path,
                           options->verbose ? "" : " (--verbose says why)");
    if (!llama_model_has_decoder(self->model) ||
        llama_model_has_encoder(self->model))
        return engine_fail(err, SORTES_E_NAME,
                           "model: %s is not a decoder-only text model", path);
    self->vocab = llama_model_get_vocab(self->model);
    if (llama_vocab_n_tokens(self->vocab) < 1)
        return engine_fail(err, SORTES_E_NAME, "model: %s has no vocabulary",
                           path);
    return SORTES_OK;
}

static sortes_status live_start(struct live_engine *self,
                                const struct engine_options *options,
                                sortes_error *err)
{
    struct llama_context_params params = llama_context_default_params();
    const int32_t known = llama_model_n_ctx_train(self->model);
    const int n_threads =
        options->n_threads > 0 ? options->n_threads : live_threads();

    params.n_ctx = options->n_ctx;
    if (params.n_ctx == 0)
        params.n_ctx = known > 0 && known < LIVE_DEFAULT_CTX ? (uint32_t)known
                                                             : LIVE_DEFAULT_CTX;
    params.n_threads = n_threads;
    params.n_threads_batch = n_threads;
    params.no_perf = true;
    self->ctx = llama_init_from_model(self->model, params);
    if (!self->ctx)
        return engine_fail(err, SORTES_E_NOMEM,
                           "model: no room for a context of %u tokens",
                           (unsigned)params.n_ctx);
    self->n_ctx = llama_n_ctx(self->ctx);
    return SORTES_OK;
}

/* By its file: the name inside a GGUF is often that of a training run. */
static void live_describe(struct live_engine *self, const char *path)
{
    const char *slash = strrchr(path, '/');
    char model[64] = "";

    llama_model_desc(self->model, model, sizeof(model));
    snprintf(self->base.description, sizeof(self->base.description),
             "%.80s (%s), libllama %s", slash ? slash + 1 : path, model,
             llama_version());
}

sortes_status engine_open_llama(struct engine **out, const char *path,
                                const struct engine_options *options,
                                sortes_error *err)
{
    struct live_engine *self = calloc(1, sizeof(*self));
    sortes_status status;

    if (!self)
        return engine_fail(err, SORTES_E_NOMEM, "model: out of memory");
    self->base.ops = &live_ops;
    llama_log_set(options->verbose ? NULL : live_log_nothing, NULL);
    ggml_backend_load_all();
    llama_backend_init();
    status = live_load(self, path, options, err);
    if (status == SORTES_OK)
        status = live_start(self, options, err);
    if (status == SORTES_OK)
        status = engine_llama_vocab(&self->base.vocab, self->vocab, err);
    if (status != SORTES_OK) {
        live_close(&self->base);
        return status;
    }
    live_describe(self, path);
    *out = &self->base;
    return SORTES_OK;
}

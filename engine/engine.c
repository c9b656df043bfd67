/*
 * engine.c - the front of every engine: opens the right one, checks arguments
 *
 * The answers that do not depend on the kind of engine (pieces, flags,
 * detokenizing) come from the vocab and are given here.
 *
 * SPDX-License-Identifier: MIT
 */
#include "backend.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SORTES_WITH_LLAMA
#define SORTES_WITH_LLAMA 0
#endif

/* The longest of the marks by which a file is known. */
enum { ENGINE_MARK_BYTES = 11 };

sortes_status engine_fail(sortes_error *err, sortes_status status,
                          const char *format, ...)
{
    va_list args;

    if (!err)
        return status;
    err->status = status;
    err->offset = 0;
    va_start(args, format);
    vsnprintf(err->text, sizeof(err->text), format, args);
    va_end(args);
    return status;
}

bool engine_has_llama(void)
{
    return SORTES_WITH_LLAMA != 0;
}

static sortes_status engine_open_gguf(struct engine **out, const char *path,
                                      const struct engine_options *options,
                                      sortes_error *err)
{
#if SORTES_WITH_LLAMA
    return engine_open_llama(out, path, options, err);
#else
    (void)out;
    (void)options;
    return engine_fail(err, SORTES_E_NAME,
                       "model: this program was built without libllama and "
                       "cannot run %s (`make deps`, then `make`)",
                       path);
#endif
}

sortes_status engine_open(struct engine **out, const char *path,
                          const struct engine_options *options,
                          sortes_error *err)
{
    const struct engine_options none = { 0 };
    char mark[ENGINE_MARK_BYTES];
    size_t n;
    FILE *file;

    if (!out || !path)
        return engine_fail(err, SORTES_E_ARGUMENT, "model: no path given");
    *out = NULL;
    file = fopen(path, "rb");
    if (!file)
        return engine_fail(err, SORTES_E_IO, "model: %s: %s", path,
                           strerror(errno));
    n = fread(mark, 1, sizeof(mark), file);
    fclose(file);
    if (n >= 4 && memcmp(mark, "GGUF", 4) == 0)
        return engine_open_gguf(out, path, options ? options : &none, err);
    if (n == sizeof(mark) && memcmp(mark, "sortes rows", sizeof(mark)) == 0)
        return engine_open_script(out, path, err);
    return engine_fail(err, SORTES_E_SYNTAX,
                       "model: %s is neither a GGUF file nor a recording",
                       path);
}

void engine_close(struct engine *e)
{
    if (e)
        e->ops->close(e);
}

const char *engine_description(const struct engine *e)
{
    return e->description;
}

size_t engine_n_vocab(const struct engine *e)
{
    return sortes_vocab_size(e->vocab);
}

sortes_vocab *engine_vocab(const struct engine *e)
{
    return e->vocab;
}

const struct engine_recording *engine_recording(const struct engine *e)
{
    return e->recording;
}

const char *engine_piece(const struct engine *e, int32_t token, size_t *n)
{
    size_t n_bytes = 0;
    const char *piece = sortes_vocab_piece(e->vocab, token, &n_bytes);

    if (n)
        *n = piece ? n_bytes : 0;
    return piece ? piece : "";
}

bool engine_is_eog(const struct engine *e, int32_t token)
{
    return (sortes_vocab_flags(e->vocab, token) & SORTES_TOKEN_EOG) != 0;
}

bool engine_is_control(const struct engine *e, int32_t token)
{
    return (sortes_vocab_flags(e->vocab, token) & SORTES_TOKEN_CONTROL) != 0;
}

sortes_status engine_tokenize(const struct engine *e, const char *text,
                              size_t n_bytes, unsigned flags,
                              struct engine_tokens *out, sortes_error *err)
{
    if (!e || !out || (!text && n_bytes))
        return engine_fail(err, SORTES_E_ARGUMENT, "tokenize: no text given");
    out->ids = NULL;
    out->n = 0;
    return e->ops->tokenize(e, text ? text : "", n_bytes, flags, out, err);
}

sortes_status engine_detokenize(const struct engine *e, const int32_t *tokens,
                                size_t n, char **out, size_t *n_bytes,
                                sortes_error *err)
{
    size_t total = 0, at = 0, bytes, i;
    const char *piece;

    if (!e || !out || (!tokens && n))
        return engine_fail(err, SORTES_E_ARGUMENT, "detokenize: no tokens");
    *out = NULL;
    for (i = 0; i < n; i++) {
        engine_piece(e, tokens[i], &bytes);
        total += bytes;
    }
    *out = malloc(total + 1);
    if (!*out)
        return engine_fail(err, SORTES_E_NOMEM, "detokenize: out of memory");
    for (i = 0; i < n; i++) {
        if (engine_is_control(e, tokens[i]))
            continue;
        piece = engine_piece(e, tokens[i], &bytes);
        memcpy(*out + at, piece, bytes);
        at += bytes;
    }
    (*out)[at] = '\0';
    if (n_bytes)
        *n_bytes = at;
    return SORTES_OK;
}

sortes_status engine_chat(const struct engine *e, const char *system,
                          const char *user, char **out, sortes_error *err)
{
    if (!e || !user || !out)
        return engine_fail(err, SORTES_E_ARGUMENT, "chat: no text given");
    *out = NULL;
    return e->ops->chat(e, system, user, out, err);
}

sortes_status engine_decode(struct engine *e, const int32_t *tokens, size_t n,
                            sortes_error *err)
{
    size_t i, n_vocab;

    if (!e || !tokens || n == 0)
        return engine_fail(err, SORTES_E_ARGUMENT, "decode: no tokens given");
    n_vocab = engine_n_vocab(e);
    for (i = 0; i < n; i++) {
        if (tokens[i] < 0 || (size_t)tokens[i] >= n_vocab)
            return engine_fail(err, SORTES_E_ARGUMENT,
                               "decode: token %d is not in the vocabulary "
                               "(0 to %zu)",
                               (int)tokens[i], n_vocab - 1);
    }
    return e->ops->decode(e, tokens, n, err);
}

sortes_status engine_row(const struct engine *e, sortes_row *row)
{
    if (!e || !row)
        return SORTES_E_ARGUMENT;
    return e->ops->row(e, row);
}

void engine_reset(struct engine *e)
{
    e->ops->reset(e);
}

/*
 * vocab_file.c - a vocab from a file of any kind that has one
 *
 * SPDX-License-Identifier: MIT
 */
#include "vocab_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VOCAB_FILE_CHUNK ((size_t)1 << 16)
#define VOCAB_FILE_MAX   ((size_t)256 << 20) /* bytes of text */
#define VOCAB_FILE_NAME  200                 /* bytes of a name in messages */

typedef sortes_status vocab_file_reader(sortes_vocab **out,
                                        const struct srt_vocab_source *source,
                                        sortes_error *err);

/* Reads a file whole into *text, which the caller frees. */
static sortes_status vocab_file_load(const char *path, char **text, size_t *n,
                                     sortes_error *err)
{
    FILE *file = fopen(path, "rb");
    size_t room = 0, got;
    sortes_status status = SORTES_OK;

    *text = NULL;
    *n = 0;
    if (file == NULL)
        return srt_fail(err, SORTES_E_IO, 0, "%.*s: cannot be opened",
                        VOCAB_FILE_NAME, path);
    do {
        if (room - *n < VOCAB_FILE_CHUNK) {
            char *grown = realloc(*text, room = room * 2 + VOCAB_FILE_CHUNK);

            if (grown == NULL) {
                status =
                    srt_fail(err, SORTES_E_NOMEM, 0, "vocab: out of memory");
                break;
            }
            *text = grown;
        }
        got = fread(*text + *n, 1, room - *n, file);
        *n += got;
        if (*n > VOCAB_FILE_MAX) {
            status = srt_fail(err, SORTES_E_LIMIT, 0,
                              "%.*s: too large (allowed %zu bytes)",
                              VOCAB_FILE_NAME, path, VOCAB_FILE_MAX);
            break;
        }
    } while (got > 0);
    if (status == SORTES_OK && ferror(file))
        status = srt_fail(err, SORTES_E_IO, 0, "%.*s: could not be read",
                          VOCAB_FILE_NAME, path);
    fclose(file);
    return status;
}

static sortes_status vocab_file_read(sortes_vocab **out, const char *path,
                                     vocab_file_reader *read,
                                     struct srt_vocab_source *source,
                                     sortes_error *err)
{
    char name[VOCAB_FILE_NAME], *text = NULL;
    sortes_status status;

    if (out != NULL)
        *out = NULL;
    if (out == NULL || path == NULL ||
        (source->special == NULL && source->n_special > 0))
        return srt_fail(err, SORTES_E_ARGUMENT, 0, "vocab: argument is NULL");
    snprintf(name, sizeof(name), "%s", path);
    source->name = name;
    status = vocab_file_load(path, &text, &source->n, err);
    source->text = text;
    if (status == SORTES_OK)
        status = read(out, source, err);
    free(text);
    return status;
}

sortes_status
sortes_vocab_from_tokenizer_json(sortes_vocab **out, const char *path,
                                 const sortes_special_token *special,
                                 size_t n_special, sortes_error *err)
{
    struct srt_vocab_source source = { .special = special,
                                       .n_special = n_special };

    return vocab_file_read(out, path, srt_vocab_read_tokenizer_json, &source,
                           err);
}

sortes_status sortes_vocab_from_tiktoken(sortes_vocab **out, const char *path,
                                         const sortes_special_token *special,
                                         size_t n_special, sortes_error *err)
{
    struct srt_vocab_source source = { .special = special,
                                       .n_special = n_special };

    return vocab_file_read(out, path, srt_vocab_read_tiktoken, &source, err);
}

/* A line of base64 and a number, by its first 4 bytes. */
static bool vocab_file_is_tiktoken(const char *text, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789+/=";

    for (size_t i = 0; i < 4; i++)
        if (i >= n || text[i] == '\0' || strchr(digits, text[i]) == NULL)
            return false;
    return true;
}

/* By the first byte that is no blank, and for tiktoken the first four. */
static sortes_status vocab_file_sniff(sortes_vocab **out,
                                      const struct srt_vocab_source *source,
                                      sortes_error *err)
{
    size_t at = 0;

    while (at < source->n && source->text[at] != '\0' &&
           strchr(" \t\r\n", source->text[at]) != NULL)
        at++;
    if (at < source->n && source->text[at] == '{')
        return srt_vocab_read_tokenizer_json(out, source, err);
    if (vocab_file_is_tiktoken(source->text, source->n))
        return srt_vocab_read_tiktoken(out, source, err);
    return srt_fail(err, SORTES_E_NAME, 0,
                    "%s: no vocabulary is known here (allowed a GGUF, a "
                    "tokenizer.json, a tiktoken file)",
                    source->name);
}

sortes_status sortes_vocab_from_file(sortes_vocab **out, const char *path,
                                     sortes_error *err)
{
    struct srt_vocab_source source = { 0 };
    char magic[4] = { 0 };
    FILE *file;

    if (out == NULL || path == NULL)
        return srt_fail(err, SORTES_E_ARGUMENT, 0, "vocab: argument is NULL");
    *out = NULL;
    file = fopen(path, "rb");
    if (file != NULL) { /* where there is none, the reader says so */
        size_t n = fread(magic, 1, sizeof(magic), file);

        fclose(file);
        if (n == sizeof(magic) && memcmp(magic, "GGUF", 4) == 0)
            return sortes_vocab_from_gguf(out, path, err);
    }
    return vocab_file_read(out, path, vocab_file_sniff, &source, err);
}

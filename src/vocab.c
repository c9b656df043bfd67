/*
 * vocab.c - the life of a vocab: made from a description, shared, freed
 *
 * The pieces stand one after another in one block, with the end of each in a
 * list: two loads a look-up, and no pointer per token.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vocab.h"

#include "gguf/gguf.h"

#include <stdlib.h>
#include <string.h>

/* Token ids are int32_t. */
#define VOCAB_MAX_TOKENS  ((size_t)INT32_MAX)
#define VOCAB_FIRST_BLOCK 4096

static void vocab_destroy(struct srt_shared *shared)
{
    sortes_vocab *v = (sortes_vocab *)shared;

    srt_shared_clear(&v->derived);
    srt_shared_clear(&v->trees);
    sortes_vocab_free(v->words);
    free(v->ends);
    free(v->flags);
    free(v->bytes);
    free(v);
}

sortes_vocab *srt_vocab_reserve(size_t n_tokens)
{
    sortes_vocab *v = calloc(1, sizeof(*v));

    if (v == NULL)
        return NULL;
    srt_shared_init(&v->shared, vocab_destroy);
    atomic_flag_clear(&v->derived.lock);
    atomic_flag_clear(&v->trees.lock);
    for (int i = 0; i < SRT_N_SPECIALS; i++)
        v->special[i] = -1;
    v->ends = calloc(n_tokens, sizeof(*v->ends));
    v->flags = calloc(n_tokens, sizeof(*v->flags));
    if (v->ends == NULL || v->flags == NULL) {
        sortes_vocab_free(v);
        return NULL;
    }
    return v;
}

/* The block is there from the first call on, even for no bytes, so that an
 * empty piece has an address. */
int srt_vocab_append(sortes_vocab *v, const char *bytes, size_t n)
{
    size_t size = v->size > 0 ? v->size : VOCAB_FIRST_BLOCK;
    char *block;

    if (v->bytes == NULL || v->size - v->n_bytes < n) {
        while (size - v->n_bytes < n && size <= SIZE_MAX / 2)
            size *= 2;
        block = size - v->n_bytes < n ? NULL : realloc(v->bytes, size);
        if (block == NULL)
            return 0;
        v->bytes = block;
        v->size = size;
    }
    if (n > 0)
        memcpy(v->bytes + v->n_bytes, bytes, n);
    v->n_bytes += n;
    return 1;
}

void srt_vocab_end_token(sortes_vocab *v, uint32_t flags)
{
    static const uint32_t parts[SRT_N_SPECIALS] = { SORTES_TOKEN_BOS,
                                                    SORTES_TOKEN_EOS,
                                                    SORTES_TOKEN_EOT };

    for (int i = 0; i < SRT_N_SPECIALS; i++)
        if ((flags & parts[i]) != 0 && v->special[i] < 0)
            v->special[i] = (int32_t)v->n_tokens;
    v->ends[v->n_tokens] = v->n_bytes;
    v->flags[v->n_tokens] = flags;
    v->n_tokens++;
}

/* Everything is checked before anything is copied. */
static sortes_status vocab_check(const sortes_vocab_desc *desc,
                                 sortes_error *err)
{
    if (desc->struct_size != sizeof(*desc))
        return srt_fail(err, SORTES_E_ARGUMENT, 0,
                        "vocab: wrong struct_size (got %zu, needed %zu)",
                        desc->struct_size, sizeof(*desc));
    if (desc->n_tokens < 1 || desc->n_tokens > VOCAB_MAX_TOKENS)
        return srt_fail(err, SORTES_E_ARGUMENT, 0,
                        "vocab: wrong number of tokens (got %zu, allowed 1 to "
                        "%zu)",
                        desc->n_tokens, VOCAB_MAX_TOKENS);
    if (desc->bytes == NULL || desc->n_bytes == NULL)
        return srt_fail(err, SORTES_E_ARGUMENT, 0,
                        "vocab: bytes or n_bytes is NULL");
    if (desc->words != NULL && desc->n_word_bytes == NULL)
        return srt_fail(err, SORTES_E_ARGUMENT, 0,
                        "vocab: n_word_bytes is NULL");
    for (size_t i = 0; i < desc->n_tokens; i++) {
        if (desc->bytes[i] == NULL && desc->n_bytes[i] > 0)
            return srt_fail(err, SORTES_E_ARGUMENT, 0,
                            "vocab: bytes of token %zu is NULL", i);
        if (desc->words != NULL && desc->words[i] == NULL &&
            desc->n_word_bytes[i] > 0)
            return srt_fail(err, SORTES_E_ARGUMENT, 0,
                            "vocab: word of token %zu is NULL", i);
        if (desc->flags != NULL &&
            (desc->flags[i] & ~SRT_VOCAB_KNOWN_FLAGS) != 0)
            return srt_fail(err, SORTES_E_ARGUMENT, 0,
                            "vocab: unknown flags of token %zu (got 0x%x, "
                            "allowed 0x%x)",
                            i, (unsigned)desc->flags[i],
                            (unsigned)SRT_VOCAB_KNOWN_FLAGS);
    }
    return SORTES_OK;
}

static sortes_vocab *vocab_copy_pieces(size_t n_tokens,
                                       const char *const *bytes,
                                       const size_t *n_bytes,
                                       const uint32_t *flags)
{
    sortes_vocab *v = srt_vocab_reserve(n_tokens);

    for (size_t i = 0; v != NULL && i < n_tokens; i++) {
        if (!srt_vocab_append(v, bytes[i], n_bytes[i])) {
            sortes_vocab_free(v);
            return NULL;
        }
        srt_vocab_end_token(v, flags != NULL ? flags[i] : 0);
    }
    return v;
}

sortes_status sortes_vocab_new(sortes_vocab **out,
                               const sortes_vocab_desc *desc, sortes_error *err)
{
    sortes_status status;
    sortes_vocab *v;

    if (out == NULL || desc == NULL)
        return srt_fail(err, SORTES_E_ARGUMENT, 0, "vocab: argument is NULL");
    *out = NULL;
    status = vocab_check(desc, err);
    if (status != SORTES_OK)
        return status;
    v = vocab_copy_pieces(desc->n_tokens, desc->bytes, desc->n_bytes,
                          desc->flags);
    if (v != NULL && desc->words != NULL) {
        v->words = vocab_copy_pieces(desc->n_tokens, desc->words,
                                     desc->n_word_bytes, NULL);
        if (v->words == NULL) {
            sortes_vocab_free(v);
            v = NULL;
        }
    }
    if (v == NULL)
        return srt_fail(err, SORTES_E_NOMEM, 0, "vocab: out of memory");
    v->tokenize = desc->tokenize;
    v->tokenize_ctx = desc->tokenize_ctx;
    *out = v;
    return srt_ok(err);
}

sortes_status sortes_vocab_from_gguf(sortes_vocab **out, const char *path,
                                     sortes_error *err)
{
    struct srt_gguf *g;
    sortes_status status;

    if (out == NULL || path == NULL)
        return srt_fail(err, SORTES_E_ARGUMENT, 0, "vocab: argument is NULL");
    *out = NULL;
    status = srt_gguf_open(&g, path, err);
    if (status != SORTES_OK)
        return status;
    status = srt_vocab_read(out, g, err);
    srt_gguf_close(g);
    return status;
}

sortes_vocab *sortes_vocab_retain(sortes_vocab *v)
{
    if (v != NULL)
        srt_shared_retain(&v->shared);
    return v;
}

void sortes_vocab_free(sortes_vocab *v)
{
    if (v != NULL)
        srt_shared_release(&v->shared);
}

size_t sortes_vocab_size(const sortes_vocab *v)
{
    return v != NULL ? v->n_tokens : 0;
}

/* Token 0 begins at 0, every other one where the one before it ends. */
const char *sortes_vocab_piece(const sortes_vocab *v, int32_t token,
                               size_t *n_bytes)
{
    bool known = v != NULL && token >= 0 && (size_t)token < v->n_tokens;
    size_t start = known && token > 0 ? v->ends[token - 1] : 0;

    if (n_bytes != NULL)
        *n_bytes = known ? v->ends[token] - start : 0;
    return known ? v->bytes + start : NULL;
}

uint32_t sortes_vocab_flags(const sortes_vocab *v, int32_t token)
{
    if (v == NULL || token < 0 || (size_t)token >= v->n_tokens)
        return 0;
    return v->flags[token];
}

const char *srt_vocab_word(const sortes_vocab *v, int32_t token, size_t *n)
{
    return sortes_vocab_piece(v->words != NULL ? v->words : v, token, n);
}

int32_t srt_vocab_special(const sortes_vocab *v, enum srt_special which)
{
    return v != NULL ? v->special[which] : -1;
}

bool srt_vocab_can_tokenize(const sortes_vocab *v)
{
    return v != NULL && v->tokenize != NULL;
}

sortes_status srt_vocab_tokenize(const sortes_vocab *v, const char *text,
                                 size_t n_bytes, bool parse_special,
                                 struct srt_token_list *to)
{
    int32_t n;

    if (v == NULL || v->tokenize == NULL)
        return SORTES_E_NAME;
    n = v->tokenize(v->tokenize_ctx, text, n_bytes, parse_special,
                    to->ids + to->n, to->room - to->n);
    if (n < 0)
        return SORTES_E_ARGUMENT;
    if ((size_t)n > to->room - to->n)
        return SORTES_E_LIMIT;
    to->n += (size_t)n;
    return SORTES_OK;
}

/*
 * llama_vocab.c - a libllama vocabulary as a sortes_vocab
 *
 * SPDX-License-Identifier: MIT
 */
#include "llama_vocab.h"

#include "backend.h"

#include <llama.h>

#include <limits.h>
#include <stdlib.h>

/* Pieces in one block: piece i is bytes[offset[i] .. offset[i + 1] - 1]. */
struct pieces {
    char *bytes;
    size_t n_bytes, capacity;
    size_t *offset;
    const char **text; /* the same as pointers and lengths */
    size_t *n_text;
};

static void pieces_free(struct pieces *p)
{
    free(p->bytes);
    free(p->offset);
    free(p->text);
    free(p->n_text);
}

/* Appends a token's piece, control tokens with their text; or its word, the
 * token detokenized by itself. */
static sortes_status pieces_add(struct pieces *p,
                                const struct llama_vocab *vocab, int32_t token,
                                bool word)
{
    for (;;) {
        size_t room = p->capacity - p->n_bytes;
        int32_t room32 = room > INT32_MAX ? INT32_MAX : (int32_t)room;
        int32_t n =
            word ? llama_detokenize(vocab, &token, 1, p->bytes + p->n_bytes,
                                    room32, false, true)
                 : llama_token_to_piece(vocab, token, p->bytes + p->n_bytes,
                                        room32, 0, true);
        size_t capacity;
        char *bytes;

        if (n >= 0) {
            p->n_bytes += (size_t)n;
            return SORTES_OK;
        }
        capacity = p->capacity * 2 + (size_t)-n;
        bytes = realloc(p->bytes, capacity);
        if (!bytes)
            return SORTES_E_NOMEM;
        p->bytes = bytes;
        p->capacity = capacity;
    }
}

static uint32_t vocab_flags(const struct llama_vocab *vocab, int32_t token)
{
    const unsigned attr = (unsigned)llama_vocab_get_attr(vocab, token);
    uint32_t flags = 0;

    if (llama_vocab_is_control(vocab, token))
        flags |= SORTES_TOKEN_CONTROL;
    if (llama_vocab_is_eog(vocab, token))
        flags |= SORTES_TOKEN_EOG;
    if (token == llama_vocab_bos(vocab))
        flags |= SORTES_TOKEN_BOS;
    if (token == llama_vocab_eos(vocab))
        flags |= SORTES_TOKEN_EOS;
    if (token == llama_vocab_eot(vocab))
        flags |= SORTES_TOKEN_EOT;
    if (attr & (unsigned)LLAMA_TOKEN_ATTR_BYTE)
        flags |= SORTES_TOKEN_BYTE;
    if (attr & (unsigned)LLAMA_TOKEN_ATTR_UNUSED)
        flags |= SORTES_TOKEN_UNUSED;
    return flags;
}

/* Of all n tokens; NULL: no memory. */
static uint32_t *vocab_all_flags(const struct llama_vocab *vocab, size_t n)
{
    uint32_t *flags = malloc((n + 1) * sizeof(*flags));

    for (size_t i = 0; flags && i < n; i++)
        flags[i] = vocab_flags(vocab, (int32_t)i);
    return flags;
}

static sortes_status pieces_collect(struct pieces *p,
                                    const struct llama_vocab *vocab, size_t n,
                                    bool words)
{
    p->capacity = n * 8 + 64;
    p->bytes = malloc(p->capacity);
    p->offset = malloc((n + 1) * sizeof(*p->offset));
    p->text = malloc((n + 1) * sizeof(*p->text));
    p->n_text = malloc((n + 1) * sizeof(*p->n_text));
    if (!p->bytes || !p->offset || !p->text || !p->n_text)
        return SORTES_E_NOMEM;
    for (size_t i = 0; i < n; i++) {
        p->offset[i] = p->n_bytes;
        if (pieces_add(p, vocab, (int32_t)i, words) != SORTES_OK)
            return SORTES_E_NOMEM;
    }
    p->offset[n] = p->n_bytes;
    for (size_t i = 0; i < n; i++) {
        p->text[i] = p->bytes + p->offset[i];
        p->n_text[i] = p->offset[i + 1] - p->offset[i];
    }
    return SORTES_OK;
}

/* The vocab's own door to the tokenizer (sortes_tokenize). */
static int32_t vocab_tokenize(void *ctx, const char *text, size_t n_bytes,
                              int parse_special, int32_t *tokens, size_t room)
{
    int32_t n;

    if (n_bytes > INT32_MAX / 2 || room > INT32_MAX)
        return -1;
    n = llama_tokenize(ctx, text, (int32_t)n_bytes, tokens, (int32_t)room,
                       false, parse_special != 0);
    return n < 0 && n != INT32_MIN ? -n : n; /* below 0: that many needed */
}

sortes_status engine_llama_vocab(sortes_vocab **out,
                                 const struct llama_vocab *vocab,
                                 sortes_error *err)
{
    const size_t n = (size_t)llama_vocab_n_tokens(vocab);
    struct pieces p = { 0 }, words = { 0 };
    uint32_t *flags = vocab_all_flags(vocab, n);
    sortes_vocab_desc desc = { .struct_size = sizeof(desc), .n_tokens = n };
    sortes_status status =
        flags ? pieces_collect(&p, vocab, n, false) : SORTES_E_NOMEM;

    if (status == SORTES_OK)
        status = pieces_collect(&words, vocab, n, true);
    if (status == SORTES_OK) {
        desc.bytes = p.text;
        desc.n_bytes = p.n_text;
        desc.flags = flags;
        desc.words = words.text;
        desc.n_word_bytes = words.n_text;
        desc.tokenize = vocab_tokenize;
        desc.tokenize_ctx = (void *)(uintptr_t)vocab; /* only read */
        status = sortes_vocab_new(out, &desc, err);
    } else {
        engine_fail(err, status, "model: out of memory for its vocabulary");
    }
    pieces_free(&p);
    pieces_free(&words);
    free(flags);
    return status;
}

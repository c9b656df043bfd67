/*
 * vocab.h - the inside of a vocab: token id -> bytes and flags
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_VOCAB_H
#define SRT_VOCAB_H

#include "status.h"

#include <stdatomic.h>

struct srt_gguf;

/* Never changed once it is shared, but for the count of its holders. */
struct sortes_vocab {
    atomic_size_t references;
    size_t n_tokens;
    size_t *ends;    /* token i is bytes[ends[i - 1] .. ends[i] - 1] */
    uint32_t *flags; /* SORTES_TOKEN_... */
    char *bytes;
    size_t n_bytes, size; /* of bytes, in use and in all */
};

/* An empty vocab with room for n_tokens; one holder; NULL: no memory. */
sortes_vocab *srt_vocab_reserve(size_t n_tokens);

/* Adds n bytes to the token that is being written; 0: no memory. */
int srt_vocab_append(sortes_vocab *v, const char *bytes, size_t n);

/* Ends that token and goes to the next one. */
void srt_vocab_end_token(sortes_vocab *v, uint32_t flags);

/* sortes_vocab_from_gguf with a file that is open already. */
sortes_status srt_vocab_read(sortes_vocab **out, const struct srt_gguf *g,
                             sortes_error *err);

#endif /* SRT_VOCAB_H */

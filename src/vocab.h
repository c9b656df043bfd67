/*
 * vocab.h - the inside of a vocab: token id -> bytes and flags
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_VOCAB_H
#define SRT_VOCAB_H

#include "shared.h"
#include "status.h"

struct srt_gguf;

#define SRT_VOCAB_KNOWN_FLAGS                                                  \
    ((uint32_t)(SORTES_TOKEN_CONTROL | SORTES_TOKEN_EOG | SORTES_TOKEN_BYTE |  \
                SORTES_TOKEN_UNUSED | SORTES_TOKEN_BOS | SORTES_TOKEN_EOS |    \
                SORTES_TOKEN_EOT))

/* Tokens with a part to play, by their flags; -1 where there is none. */
enum srt_special {
    SRT_SPECIAL_BOS,
    SRT_SPECIAL_EOS,
    SRT_SPECIAL_EOT,
    SRT_N_SPECIALS
};

/*
 * Never changed once it is shared, but for the count of its holders and the
 * list of what samplers have derived from it.
 */
struct sortes_vocab {
    struct srt_shared shared; /* first */
    size_t n_tokens;
    size_t *ends;    /* token i is bytes[ends[i - 1] .. ends[i] - 1] */
    uint32_t *flags; /* SORTES_TOKEN_... */
    char *bytes;
    size_t n_bytes, size; /* of bytes, in use and in all */
    sortes_vocab *words;  /* detokenized words as pieces; NULL: the pieces */
    int32_t special[SRT_N_SPECIALS];
    sortes_tokenize *tokenize; /* NULL: the host gave none */
    void *tokenize_ctx;
    struct srt_shared_list derived; /* DRY's breakers */
    struct srt_shared_list trees;   /* prefix trees: constrain/tree.h */
};

/* An empty vocab with room for n_tokens; one holder; NULL: no memory. */
sortes_vocab *srt_vocab_reserve(size_t n_tokens);

/* Adds n bytes to the token that is being written; 0: no memory. */
int srt_vocab_append(sortes_vocab *v, const char *bytes, size_t n);

/* Ends that token and goes to the next one. */
void srt_vocab_end_token(sortes_vocab *v, uint32_t flags);

/* The token detokenized by itself, as the host's engine does. */
const char *srt_vocab_word(const sortes_vocab *v, int32_t token, size_t *n);
int32_t srt_vocab_special(const sortes_vocab *v, enum srt_special which);

/* Tokens go to ids[n .. room - 1]. */
struct srt_token_list {
    int32_t *ids;
    size_t n, room;
};

/* Whether the host gave a tokenizer; v may be NULL. */
bool srt_vocab_can_tokenize(const sortes_vocab *v);

/* The host's tokenizer, no special tokens added; SORTES_E_NAME where there is
 * none, SORTES_E_LIMIT where there is too little room. */
sortes_status srt_vocab_tokenize(const sortes_vocab *v, const char *text,
                                 size_t n_bytes, bool parse_special,
                                 struct srt_token_list *to);

/* sortes_vocab_from_gguf with a file that is open already. */
sortes_status srt_vocab_read(sortes_vocab **out, const struct srt_gguf *g,
                             sortes_error *err);

#endif /* SRT_VOCAB_H */

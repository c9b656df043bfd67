/*
 * vocab_table.h - tokens of a file that come in any order, by their ids
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_VOCAB_TABLE_H
#define SRT_VOCAB_TABLE_H

#include "status.h"
#include "vocab.h"

/* Ids below it; the largest vocabularies have some 300,000. */
#define SRT_VOCAB_MAX_ID ((int64_t)1 << 22)

/* How a token's text stands for its bytes. */
enum srt_vocab_spelling {
    SRT_VOCAB_ABSENT, /* no token has this id; shown as nothing, unused */
    SRT_VOCAB_LITERAL,
    SRT_VOCAB_BYTE_LEVEL, /* GPT-2; any other character: the text itself */
    SRT_VOCAB_SPM,
    SRT_VOCAB_SPM_BYTES, /* the same, and "<0x0A>" is a byte */
    SRT_VOCAB_BASE64
};

/* text belongs to whoever reads the file. */
struct srt_vocab_entry {
    const char *text;
    size_t n;
    uint32_t flags; /* SORTES_TOKEN_... */
    enum srt_vocab_spelling spelling;
};

struct srt_vocab_table {
    const char *name; /* of the file, for messages */
    struct srt_vocab_entry *at;
    size_t n, room;
    sortes_error *err;
};

/* The entry with this id, made if need be; NULL: *status says why, offset
 * where in the file. */
struct srt_vocab_entry *srt_vocab_table_at(struct srt_vocab_table *t,
                                           int64_t id, size_t offset,
                                           sortes_status *status);

/* What the caller knows better than the file. */
sortes_status srt_vocab_table_add(struct srt_vocab_table *t,
                                  const sortes_special_token *special,
                                  size_t n_special);

/* Makes the vocab of it. */
sortes_status srt_vocab_table_fill(struct srt_vocab_table *t,
                                   sortes_vocab **out);
void srt_vocab_table_free(struct srt_vocab_table *t);

#endif /* SRT_VOCAB_TABLE_H */

/*
 * vocab_file.h - readers of the files that a vocab can come from
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_VOCAB_FILE_H
#define SRT_VOCAB_FILE_H

#include "status.h"
#include "vocab.h"

/* A file's text, and what the caller adds to it. */
struct srt_vocab_source {
    const char *name; /* how messages call the file */
    const char *text;
    size_t n;
    const sortes_special_token *special;
    size_t n_special;
};

sortes_status
srt_vocab_read_tokenizer_json(sortes_vocab **out,
                              const struct srt_vocab_source *source,
                              sortes_error *err);
sortes_status srt_vocab_read_tiktoken(sortes_vocab **out,
                                      const struct srt_vocab_source *source,
                                      sortes_error *err);

#endif /* SRT_VOCAB_FILE_H */

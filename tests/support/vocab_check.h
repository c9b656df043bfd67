/*
 * vocab_check.h - what a vocab must hold, token by token
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_VOCAB_CHECK_H
#define SUPPORT_VOCAB_CHECK_H

#include "vocab_file.h"

struct vocab_row {
    const char *piece;
    uint32_t flags;
};

typedef sortes_status vocab_reader(sortes_vocab **out,
                                   const struct srt_vocab_source *source,
                                   sortes_error *err);

/* source.n 0: up to the NUL. */
void vocab_check_rows(vocab_reader *read, struct srt_vocab_source source,
                      const struct vocab_row *rows, size_t n);
void vocab_check_refused(vocab_reader *read, struct srt_vocab_source source,
                         sortes_status status, const char *text);

#endif /* SUPPORT_VOCAB_CHECK_H */

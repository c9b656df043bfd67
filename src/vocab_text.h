/*
 * vocab_text.h - how the text of a token in a file stands for its bytes
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_VOCAB_TEXT_H
#define SRT_VOCAB_TEXT_H

#include "status.h"
#include "vocab.h"

#include <stdbool.h>

/*
 * GPT-2's bytes_to_unicode, backwards: printable Latin-1 characters stand for
 * their own byte, the 68 other bytes in order for U+0100 and up.  -1: none.
 */
int srt_vocab_byte_of(uint32_t code);

/* The code point of a well-formed sequence of this length. */
uint32_t srt_vocab_code_at(const char *text, size_t length);

/* "<0x0A>" -> 10; -1 when the text is no such thing. */
int srt_vocab_byte_token(const char *text, size_t n);

/* SentencePiece's text: every U+2581 is a space, wherever it stands.  False:
 * no memory. */
bool srt_vocab_append_spm(sortes_vocab *v, const char *text, size_t n);

/* Whether a special token of this text ends a generation in every vocabulary
 * that has it (vocab_special.def). */
bool srt_vocab_text_ends(const char *text, size_t n);

/* The 0 to 3 bytes that four characters of base64 stand for, '=' at the end
 * included; -1: they stand for none. */
int srt_vocab_base64(const char text[4], unsigned char out[3]);

#endif /* SRT_VOCAB_TEXT_H */

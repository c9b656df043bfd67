/*
 * decode.h - from bytes to the code points that a regex reads, states and all
 *
 * The state of a text in the middle of a character is not "these bytes, that
 * regex state" but what may still come of them: a map from the bytes that
 * complete the character to regex states.  Maps are interned, so a free string
 * has one state inside every two-byte character, one inside "\u12", and so on.
 *
 * Two spellings: UTF-8 as it stands (a regex over the output), and the body of
 * a JSON string (UTF-8 and escapes; the closing quote is the caller's).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_DECODE_H
#define SRT_DECODE_H

#include "constrain/alphabet.h"
#include "constrain/regex/regex.h"

struct srt_decoder;

enum srt_spelling {
    SRT_SPELL_UTF8,
    SRT_SPELL_JSON,           /* every legal escape */
    SRT_SPELL_JSON_CANONICAL, /* escapes only where needed, the shortest one */
    SRT_SPELL_JSON_LLGUIDANCE /* as that library: needed for DEL too; \u and
                                 digits of either case beside the shortest */
};

/*
 * The code points that cannot be written in a spelling over an alphabet:
 * sorted pairs for srt_book_close; *ranges is malloc()ed.
 */
sortes_status srt_spelling_missing(enum srt_spelling spelling,
                                   const struct srt_alphabet *alphabet,
                                   uint32_t (**ranges)[2], size_t *n);

/*
 * What reads the code points: a book, or whoever runs several of its states
 * side by side.  Segments as srt_book_segments; step as srt_book_step, 0 dead.
 */
struct srt_code_reader {
    void *ctx;
    const struct srt_book_segment *segments;
    size_t n_segments;
    sortes_status (*step)(void *ctx, uint32_t state, uint32_t class_,
                          uint32_t *next);
};

struct srt_code_reader srt_book_reader(struct srt_book *closed);

/* *reader is copied; what it points to outlives the decoder. */
sortes_status srt_decoder_new(struct srt_decoder **out,
                              const struct srt_code_reader *reader,
                              enum srt_spelling spelling,
                              const struct srt_alphabet *alphabet,
                              const struct srt_regex_limits *limits);
void srt_decoder_free(struct srt_decoder *d); /* NULL is allowed */
void srt_decoder_stats(const struct srt_decoder *d, size_t *n_states,
                       size_t *n_bytes);

/* The decoder's state between two characters, at a state of the reader. */
sortes_status srt_decoder_at(struct srt_decoder *d, uint32_t reader_state,
                             uint32_t *state);

/* 0: the byte leads nowhere. */
sortes_status srt_decoder_step(struct srt_decoder *d, uint32_t state,
                               uint8_t byte, uint32_t *next);

/* Adds the bytes that lead on from a state inside a character.  Any thread. */
void srt_decoder_ahead(const struct srt_decoder *d, uint32_t state,
                       struct srt_alphabet *bytes);

/*
 * Bytes of one class lead to the same state from every state; class_of as in
 * srt_machine.  Returns how many classes there are.
 */
uint16_t srt_decoder_classes(const struct srt_decoder *d,
                             uint8_t class_of[256]);

/* The state of the reader; 0: inside a character.  Any thread. */
uint32_t srt_decoder_reader_state(const struct srt_decoder *d, uint32_t state);
/* One of those that the character at hand may lead to.  Any thread. */
uint32_t srt_decoder_some_reader_state(const struct srt_decoder *d,
                                       uint32_t state);

#endif /* SRT_DECODE_H */

/*
 * decoder.h - what the two files of the decoder share
 *
 * A state's key is one word, a state of the reader, or pairs of words: bytes
 * from key[i] & 0xFF to key[i] >> 8 lead to key[i + 1].  Pairs are sorted and
 * joined, so that equal maps are equal keys.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_DECODER_H
#define SRT_DECODER_H

#include "constrain/pool.h"
#include "constrain/regex/book.h"
#include "constrain/regex/decode.h"

struct srt_decode_info {
    uint32_t reader_state; /* 0: inside a character */
    uint32_t reserved;
    uint32_t *next; /* by class of bytes; only between characters */
};

/* What the reader answered lately: many code points are of one class. */
enum { SRT_DECODE_ANSWERS = 128, SRT_DECODE_ANY = 16 };
struct srt_decode_answer {
    uint32_t reader_state, class_; /* reader_state 0: none */
    uint32_t to;
};

struct srt_decoder {
    sortes_status status; /* of the call that is running */
    struct srt_code_reader reader;
    enum srt_spelling spelling;
    struct srt_alphabet alphabet;
    struct srt_pool states; /* srt_decode_info */
    uint16_t n_classes;
    uint8_t class_of[256];
    struct srt_decode_answer answer[SRT_DECODE_ANSWERS];
    /* [n - 1]: what leads to a state by n bytes or digits, whichever, lately:
     * pairs */
    uint32_t any_bytes[3][SRT_DECODE_ANY][2];
    uint32_t any_digits[4][SRT_DECODE_ANY][2];
};

struct srt_decode_map {
    uint32_t key[128];
    size_t n;
};

SRT_INLINE struct srt_decode_info *srt_decode_info(const struct srt_decoder *d,
                                                   uint32_t state)
{
    return srt_pool_payload(&d->states, state);
}

uint32_t srt_decode_intern(struct srt_decoder *d, const uint32_t *key,
                           size_t n);
/* Bytes first .. last of the alphabet lead to `to`; in ascending order. */
void srt_decode_put(const struct srt_decoder *d, struct srt_decode_map *m,
                    unsigned first, unsigned last, uint32_t to);
uint32_t srt_decode_map(struct srt_decoder *d, const struct srt_decode_map *m);

/* The decoder's state after code. */
uint32_t srt_decode_code(struct srt_decoder *d, uint32_t reader_state,
                         uint32_t code);
/* The same for all of first .. last; false: they do not, or may not, all lead
 * to one state. */
bool srt_decode_range(struct srt_decoder *d, uint32_t reader_state,
                      uint32_t first, uint32_t last, uint32_t *to);

/* decode_json.c: behind a backslash. */
uint32_t srt_decode_escape(struct srt_decoder *d, uint32_t reader_state);

#endif /* SRT_DECODER_H */

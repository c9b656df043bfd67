/*
 * utf8_set.h - sets of code points as sequences of ranges of bytes
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_UTF8_SET_H
#define SRT_UTF8_SET_H

#include "status.h"

#include <stdbool.h>

/* Byte i of a character is one of low[i] .. high[i]. */
struct srt_utf8_sequence {
    unsigned n;
    uint8_t low[4], high[4];
};

/*
 * The set, or all that is not in it, cut to what UTF-8 can spell: calls each()
 * for sequences that spell every character once and nothing else.  ranges:
 * pairs of first and last code point in any order; one whose last is below its
 * first holds nothing.  Stops at the first status that is not SORTES_OK.
 */
sortes_status srt_utf8_set(
    const uint32_t (*ranges)[2], size_t n, bool negated,
    sortes_status (*each)(void *ctx, const struct srt_utf8_sequence *s),
    void *ctx);

#endif /* SRT_UTF8_SET_H */

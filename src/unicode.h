/*
 * unicode.h - UTF-8 as RFC 3629 has it: no surrogates, no overlong forms;
 * letters of ASCII
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_UNICODE_H
#define SRT_UNICODE_H

#include "compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Bytes of the well-formed sequence that text[0 .. n-1] begins with, 1 to 4;
 * 0 when it begins with none (n is 0, the sequence is torn or malformed).
 */
size_t srt_utf8_length(const char *text, size_t n);

/* Nothing but characters with Unicode's property White_Space, or nothing. */
bool srt_utf8_is_blank(const char *text, size_t n);

/* Writes code, at most U+10FFFF and no surrogate; returns its length. */
size_t srt_utf8_encode(uint32_t code, char out[4]);

/* tolower() without the locale: of ASCII alone. */
SRT_INLINE char srt_ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

#endif /* SRT_UNICODE_H */

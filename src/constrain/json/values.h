/*
 * values.h - JSON values, each in one form: equal values are equal bytes
 *
 * 1 and 1.0e0 are the same number, "a" and "\u0061" the same string, and the
 * members of an object have no order.  A value is a byte for its kind, the
 * length of what follows (4 bytes), and that: a number as sign, digits, "e" and
 * exponent, which is JSON again; a string decoded; an array's items; an
 * object's members, ascending by key, each a string and a value.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_VALUES_H
#define SRT_VALUES_H

#include "status.h"

#include <stdbool.h>
#include <string.h>

enum srt_value_kind {
    SRT_VALUE_NULL = 'n',
    SRT_VALUE_FALSE = 'f',
    SRT_VALUE_TRUE = 't',
    SRT_VALUE_NUMBER = '#',
    SRT_VALUE_STRING = '"',
    SRT_VALUE_ARRAY = '[',
    SRT_VALUE_OBJECT = '{'
};

enum { SRT_VALUE_HEAD = 5 };

SRT_INLINE const char *srt_value_text(const char *value, size_t *n)
{
    uint32_t length;

    memcpy(&length, value + 1, sizeof(length));
    *n = length;
    return value + SRT_VALUE_HEAD;
}

SRT_INLINE size_t srt_value_size(const char *value)
{
    size_t n;

    (void)srt_value_text(value, &n);
    return SRT_VALUE_HEAD + n;
}

SRT_INLINE bool srt_value_equal(const char *a, const char *b)
{
    const size_t n = srt_value_size(a);

    return srt_value_size(b) == n && memcmp(a, b, n) == 0;
}

/* The parts of an array, or keys and values of an object by turns: the one
 * behind `part`, NULL: the first; NULL behind the last. */
const char *srt_value_next(const char *container, const char *part);
/* NULL: no such key. */
const char *srt_value_member(const char *object, const char *key, size_t n);

/* ---- making them --------------------------------------------------------- */

/* Bytes that grow; begins zeroed, ends with free(at). */
struct srt_value_bytes {
    char *at;
    size_t n, room;
};

/* A value whose text is known; SORTES_E_NOMEM. */
sortes_status srt_value_put(struct srt_value_bytes *to,
                            enum srt_value_kind kind, const char *text,
                            size_t n);
/* A number as JSON has it. */
sortes_status srt_value_put_number(struct srt_value_bytes *to, const char *text,
                                   size_t n);
/* part[] are items, or keys and values by turns, which are sorted in place. */
sortes_status srt_value_put_container(struct srt_value_bytes *to,
                                      enum srt_value_kind kind,
                                      const char **part, size_t n);

#endif /* SRT_VALUES_H */

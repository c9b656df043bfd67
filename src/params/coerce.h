/*
 * coerce.h - JSON numbers as nlohmann::json holds and converts them, and
 * strtol
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_COERCE_H
#define SRT_COERCE_H

#include "json/json.h"
#include "params/field.h"

/*
 * get<T>() of a value, for the five coercions to numbers and booleans; false:
 * the value has another type (a JSON true is 1, but not for i64).
 */
bool srt_coerce(const struct srt_json *v, enum srt_coercion as,
                struct srt_field_value *value);

/* is_number_integer(): written without point and exponent, fits 64 bits. */
bool srt_is_whole(const struct srt_json *v);

/* Fails if a number in the tree is no whole one and beyond the largest double:
 * nlohmann's parser, and Go's, refuse such a text as a whole. */
sortes_status srt_check_numbers(const struct srt_json *v, sortes_error *err);

/*
 * strtol(text, &end, 10) on 64-bit Linux, in the C locale, for the bytes up to
 * n or the first NUL; *end is 0 when there is no number.
 */
int64_t srt_strtol(const char *text, size_t n, size_t *end);

#endif /* SRT_COERCE_H */

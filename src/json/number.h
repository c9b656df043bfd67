/*
 * number.h - decimal text to floating point and back, exactly, in no locale
 *
 * Everything here is integer arithmetic: neither the caller's locale nor the
 * rounding mode changes a bit.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_NUMBER_H
#define SRT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Length of the longest prefix of text[0 .. n-1] that is a decimal number:
 * [+-] digits [. digits] [e [+-] digits], with a digit before or after the
 * point.  0 when there is none.  No blanks, no hexadecimal, no "inf".
 */
size_t srt_decimal_length(const char *text, size_t n);

/*
 * The nearest double (float), ties to even, of a text whose srt_decimal_length
 * is n; beyond the largest one, an infinity.  The float is rounded once.
 */
double srt_decimal_to_double(const char *text, size_t n);
float srt_decimal_to_float(const char *text, size_t n);

/*
 * The shortest digits that read back as value, and of these the nearest to
 * it, laid out as nlohmann::json prints them: 0.8, 1.0, 1e+16, 1.5e-05.  No
 * infinity, no NaN.  Returns the length; out ends in a NUL.
 */
#define SRT_DOUBLE_TEXT 32
size_t srt_double_to_text(double value, char out[SRT_DOUBLE_TEXT]);

/*
 * value as C's "%f" prints it: exact, 6 decimals, ties to even; "inf", "-inf",
 * "nan" and "-nan" too.  Returns the length; out ends in a NUL.
 */
#define SRT_FIXED_TEXT 320
size_t srt_double_to_fixed(double value, char out[SRT_FIXED_TEXT]);

/* A whole number, "-" before it when it is negative; as above. */
#define SRT_WHOLE_TEXT 22
size_t srt_whole_to_text(uint64_t magnitude, bool negative,
                         char out[SRT_WHOLE_TEXT]);
size_t srt_integer_to_text(int64_t value, char out[SRT_WHOLE_TEXT]);

/* One digit or more and nothing else; false as well when it passes 64 bits. */
bool srt_whole_from_text(const char *text, size_t n, uint64_t *value);

#endif /* SRT_NUMBER_H */

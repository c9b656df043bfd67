/*
 * decimal.h - numbers as JSON text has them: decimal digits, compared and
 * divided exactly
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_DECIMAL_H
#define SRT_DECIMAL_H

#include "status.h"

#include <stdbool.h>

enum {
    SRT_DECIMAL_DIGITS = 640,   /* significant ones */
    SRT_DECIMAL_EXPONENT = 1000 /* of the last and of the first digit */
};

/* digits * 10^exponent; no zero at either end, so equal values are equal in
 * every field; 0 has no digits. */
struct srt_decimal {
    bool negative;
    int32_t exponent;
    uint32_t n;
    uint8_t digit[SRT_DECIMAL_DIGITS];
};

/* Text is a JSON number; false: too many digits, or an exponent beyond. */
bool srt_decimal_read(struct srt_decimal *d, const char *text, size_t n);

/* Sign, then n digits (values) * 10^exponent; false: too many. */
bool srt_decimal_set(struct srt_decimal *d, bool negative, const uint8_t *digit,
                     size_t n, int32_t exponent);

/* Of `from` there may be no more than its digits. */
void srt_decimal_copy(struct srt_decimal *d, const struct srt_decimal *from);

/* Below, equal to or above 0; the second one without the signs. */
int srt_decimal_compare(const struct srt_decimal *a,
                        const struct srt_decimal *b);
int srt_decimal_compare_size(const struct srt_decimal *a,
                             const struct srt_decimal *b);

/* A divisor: unit * 10^exponent, unit > 0. */
struct srt_divisor {
    uint64_t unit;
    int32_t exponent;
};
#define SRT_DIVISOR_MAX UINT64_C(1000000000000000000) /* of a unit */

/* false: not positive, or more than 18 digits. */
bool srt_divisor_from(struct srt_divisor *m, const struct srt_decimal *d);
bool srt_decimal_divides(const struct srt_divisor *m,
                         const struct srt_decimal *d);
/* The least common multiple; false: beyond 18 digits. */
bool srt_divisor_lcm(struct srt_divisor *m, const struct srt_divisor *other);

/*
 * The least value, size not below that of d (above: and not equal to it), that
 * is a multiple of m; the sign stays.  false: too many digits.
 */
bool srt_decimal_next_multiple(struct srt_decimal *d,
                               const struct srt_divisor *m, bool above);

#endif /* SRT_DECIMAL_H */

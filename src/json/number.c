/*
 * number.c - decimal text to the nearest double or float
 *
 * The text is digits * 10^e.  Digits become a whole number, 10^e is split
 * into 5^e and 2^e; 5^e is multiplied in, or divided by bit after bit until
 * 64 bits of the quotient and "is there more" are known.  That is enough to
 * round once, to nearest, ties to even, in either format.
 *
 * No decision needs more than 768 digits (the longest exact midpoint between
 * two doubles has 767), so digits from the 801st on count only as "more".
 *
 * SPDX-License-Identifier: MIT
 */
#include "json/number.h"

#include "json/bignum.h"

#include <string.h>

#define DECIMAL_MAX_DIGITS   800
#define DECIMAL_MAX_EXPONENT 1000000000000000 /* beyond any length of text */

/* value = digits * 10^exponent. */
struct decimal {
    bool negative;
    struct srt_bignum digits;
    size_t n_digits; /* significant ones */
    int64_t exponent;
};

/* An IEEE binary format: smallest subnormal 2^lowest, precision in bits. */
struct decimal_format {
    int precision;
    int lowest;
    uint64_t infinity; /* bits of +inf */
};

/* 2^-1074 and 2^-149 are the least subnormals. */
static const struct decimal_format decimal_binary64 = {
    53, -1074, UINT64_C(0x7FF0000000000000)
};
static const struct decimal_format decimal_binary32 = { 24, -149, 0x7F800000 };

static bool is_decimal_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* isdigit() without the locale. */
static size_t decimal_skip_digits(const char *text, size_t n, size_t at)
{
    while (at < n && is_decimal_digit(text[at]))
        at++;
    return at;
}

size_t srt_decimal_length(const char *text, size_t n)
{
    size_t at = n > 0 && (text[0] == '-' || text[0] == '+');
    size_t start = at, n_digits, end;

    at = decimal_skip_digits(text, n, at);
    n_digits = at - start;
    if (at < n && text[at] == '.') {
        end = decimal_skip_digits(text, n, at + 1);
        n_digits += end - at - 1;
        at = end;
    }
    if (n_digits == 0)
        return 0;
    if (at < n && (text[at] == 'e' || text[at] == 'E')) {
        start = at + 1;
        if (start < n && (text[start] == '-' || text[start] == '+'))
            start++;
        end = decimal_skip_digits(text, n, start);
        if (end > start)
            at = end;
    }
    return at;
}

/* Saturates: no text is long enough to bring such an exponent back. */
static int64_t decimal_read_exponent(const char *text, size_t n)
{
    bool negative = n > 0 && text[0] == '-';
    int64_t value = 0;

    for (size_t i = n > 0 && !is_decimal_digit(text[0]); i < n; i++)
        if (value < DECIMAL_MAX_EXPONENT)
            value = value * 10 + (text[i] - '0');
    return negative ? -value : value;
}

/* Takes one more digit; more is set when it fell off the end and was not 0. */
static void decimal_take_digit(struct decimal *d, char c, bool *more)
{
    if (d->n_digits == 0 && c == '0')
        return;
    if (d->n_digits == DECIMAL_MAX_DIGITS) {
        *more |= c != '0';
        d->exponent++;
        return;
    }
    srt_bignum_multiply_add(&d->digits, 10, (uint32_t)(c - '0'));
    d->n_digits++;
}

/* The point only moves the exponent: digits are read as one whole number. */
static void decimal_read(struct decimal *d, const char *text, size_t n)
{
    size_t at = n > 0 && !is_decimal_digit(text[0]) && text[0] != '.';
    bool more = false;

    d->negative = n > 0 && text[0] == '-';
    srt_bignum_set(&d->digits, 0);
    d->n_digits = 0;
    d->exponent = 0;
    for (; at < n && is_decimal_digit(text[at]); at++)
        decimal_take_digit(d, text[at], &more);
    if (at < n && text[at] == '.') {
        for (at++; at < n && is_decimal_digit(text[at]); at++) {
            decimal_take_digit(d, text[at], &more);
            d->exponent--;
        }
    }
    if (more) { /* one digit that only says "not exactly what stands before" */
        srt_bignum_multiply_add(&d->digits, 10, 1);
        d->n_digits++;
        d->exponent--;
    }
    if (at < n)
        d->exponent += decimal_read_exponent(text + at + 1, n - at - 1);
}

/*
 * 64 bits of numerator / denominator: the quotient is top * 2^*exponent, plus
 * less than one unit of top when *rest is set.
 */
static uint64_t decimal_divide(struct srt_bignum *numerator,
                               struct srt_bignum *denominator,
                               int64_t *exponent, int *rest)
{
    int shift =
        (int)srt_bignum_bits(denominator) - (int)srt_bignum_bits(numerator);
    uint64_t top = 0;

    if (shift > 0)
        srt_bignum_shift_left(numerator, (unsigned)shift);
    else
        srt_bignum_shift_left(denominator, (unsigned)-shift);
    for (int i = 0; i < 64; i++) { /* both have as many bits: top >= 2^62 */
        top <<= 1;
        if (srt_bignum_compare(numerator, denominator) >= 0) {
            srt_bignum_subtract(numerator, denominator);
            top |= 1;
        }
        srt_bignum_shift_left(numerator, 1);
    }
    *exponent = -63 - shift;
    *rest = numerator->n != 0;
    return top;
}

/* Rounds top * 2^exponent (plus a little, when rest) to the format's bits. */
static uint64_t decimal_round(uint64_t top, int64_t exponent, int rest,
                              const struct decimal_format *f)
{
    int64_t low, drop;
    uint64_t kept, half, below;

    while (!(top >> 63)) {
        top <<= 1;
        exponent--;
    }
    low = exponent + 63 - (f->precision - 1);
    if (low < f->lowest)
        low = f->lowest;
    drop = low - exponent; /* at least 64 - precision, so above 0 */
    if (drop > 64)
        return 0;
    kept = drop == 64 ? 0 : top >> drop;
    half = (top >> (drop - 1)) & 1;
    below = top & ((UINT64_C(1) << (drop - 1)) - 1);
    if (half && (below != 0 || rest || (kept & 1)))
        kept++;
    /*
     * A significand of all ones that was rounded up carries into the exponent
     * field by itself, as does a subnormal that became normal.
     */
    if (low > 3 - f->lowest - 2 * f->precision) /* 2^1024, 2^128 and above */
        return f->infinity;
    kept += (uint64_t)(low - f->lowest) << (f->precision - 1);
    return kept < f->infinity ? kept : f->infinity;
}

/* Beyond 10^310 or below 10^-330 the answer is known, and the numbers would
 * outgrow struct srt_bignum. */
static uint64_t decimal_to_bits(const char *text, size_t n, bool *negative,
                                const struct decimal_format *f)
{
    struct decimal d;
    struct srt_bignum power;
    int64_t exponent = 0;
    uint64_t top;
    int rest;

    decimal_read(&d, text, n);
    *negative = d.negative;
    if (d.n_digits == 0 || d.exponent + (int64_t)d.n_digits < -330)
        return 0;
    if (d.exponent + (int64_t)d.n_digits > 310)
        return f->infinity;
    if (d.exponent >= 0) {
        srt_bignum_multiply_pow5(&d.digits, (unsigned)d.exponent);
        exponent = (int64_t)srt_bignum_bits(&d.digits) - 64;
        top = srt_bignum_top64(&d.digits, &rest);
    } else {
        srt_bignum_set(&power, 1);
        srt_bignum_multiply_pow5(&power, (unsigned)-d.exponent);
        top = decimal_divide(&d.digits, &power, &exponent, &rest);
    }
    return decimal_round(top, exponent + d.exponent, rest, f);
}

double srt_decimal_to_double(const char *text, size_t n)
{
    bool negative;
    uint64_t bits = decimal_to_bits(text, n, &negative, &decimal_binary64);
    double value;

    bits |= (uint64_t)negative << 63;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

float srt_decimal_to_float(const char *text, size_t n)
{
    bool negative;
    uint64_t bits = decimal_to_bits(text, n, &negative, &decimal_binary32);
    uint32_t bits32 = (uint32_t)bits | (uint32_t)negative << 31;
    float value;

    memcpy(&value, &bits32, sizeof(value));
    return value;
}

bool srt_whole_from_text(const char *text, size_t n, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t digit = (uint64_t)(text[i] - '0');

        if (!is_decimal_digit(text[i]) || *value > (UINT64_MAX - digit) / 10)
            return false;
        *value = *value * 10 + digit;
    }
    return n > 0;
}

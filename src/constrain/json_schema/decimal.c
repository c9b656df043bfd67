/*
 * decimal.c - decimal digits, compared and divided exactly
 *
 * Divisors have at most 18 digits, so a remainder times ten fits into 64 bits
 * and long division goes digit by digit.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/decimal.h"

#include <string.h>

bool srt_decimal_set(struct srt_decimal *d, bool negative, const uint8_t *digit,
                     size_t n, int32_t exponent)
{
    while (n > 0 && digit[0] == 0) {
        digit++;
        n--;
    }
    while (n > 0 && digit[n - 1] == 0) {
        n--;
        exponent++;
    }
    memset(d, 0, sizeof(*d));
    if (n == 0)
        return true;
    if (n > SRT_DECIMAL_DIGITS || exponent < -SRT_DECIMAL_EXPONENT ||
        exponent + (int32_t)n > SRT_DECIMAL_EXPONENT)
        return false;
    d->negative = negative;
    d->exponent = exponent;
    d->n = (uint32_t)n;
    memcpy(d->digit, digit, n);
    return true;
}

void srt_decimal_copy(struct srt_decimal *d, const struct srt_decimal *from)
{
    d->negative = from->negative;
    d->exponent = from->exponent;
    d->n = from->n;
    memcpy(d->digit, from->digit, from->n);
}

/* What stands behind the "e"; saturates far beyond every limit. */
static int32_t decimal_exponent(const char *text, size_t n)
{
    size_t at = n > 0 && (text[0] == '-' || text[0] == '+');
    int32_t value = 0;

    for (; at < n; at++)
        if (value < 100000)
            value = value * 10 + (text[at] - '0');
    return n > 0 && text[0] == '-' ? -value : value;
}

bool srt_decimal_read(struct srt_decimal *d, const char *text, size_t n)
{
    uint8_t digit[SRT_DECIMAL_DIGITS];
    bool negative = n > 0 && text[0] == '-', point = false, fits = true;
    size_t count = 0, at = negative;
    int32_t exponent = 0;
    int32_t zeros = 0; /* digits 0 that wait for one that is none */

    for (; at < n && text[at] != 'e' && text[at] != 'E'; at++) {
        if (text[at] == '.') {
            point = true;
            continue;
        }
        exponent -= point;
        if (text[at] == '0') {
            zeros += count > 0 && zeros < 100000;
            continue;
        }
        for (; zeros > 0 && count < sizeof(digit); zeros--)
            digit[count++] = 0;
        if (count == sizeof(digit)) {
            fits = false;
            break;
        }
        digit[count++] = (uint8_t)(text[at] - '0');
    }
    if (!fits)
        return false;
    if (at < n)
        exponent += decimal_exponent(text + at + 1, n - at - 1);
    return srt_decimal_set(d, negative, digit, count, exponent + zeros);
}

int srt_decimal_compare_size(const struct srt_decimal *a,
                             const struct srt_decimal *b)
{
    int32_t first_a = a->exponent + (int32_t)a->n;
    int32_t first_b = b->exponent + (int32_t)b->n;
    uint32_t n = a->n < b->n ? a->n : b->n;
    int order;

    if (a->n == 0 || b->n == 0)
        return (a->n > 0) - (b->n > 0);
    if (first_a != first_b)
        return first_a < first_b ? -1 : 1;
    order = memcmp(a->digit, b->digit, n);
    if (order != 0)
        return order < 0 ? -1 : 1;
    return (a->n > b->n) - (a->n < b->n);
}

int srt_decimal_compare(const struct srt_decimal *a,
                        const struct srt_decimal *b)
{
    if (a->negative != b->negative)
        return a->negative ? -1 : 1;
    return a->negative ? srt_decimal_compare_size(b, a)
                       : srt_decimal_compare_size(a, b);
}

bool srt_divisor_from(struct srt_divisor *m, const struct srt_decimal *d)
{
    m->unit = 0;
    m->exponent = d->exponent;
    if (d->negative || d->n == 0 || d->n > 18)
        return false;
    for (uint32_t i = 0; i < d->n; i++)
        m->unit = m->unit * 10 + d->digit[i];
    return true;
}

/* d / 10^exponent, rounded down, modulo unit. */
static uint64_t decimal_modulo(const struct srt_decimal *d, int32_t exponent,
                               uint64_t unit)
{
    int64_t n = (int64_t)d->exponent + d->n - exponent; /* digits before it */
    uint64_t rest = 0;

    for (int64_t i = 0; i < n; i++)
        rest = (rest * 10 + (i < (int64_t)d->n ? d->digit[i] : 0)) % unit;
    return rest;
}

bool srt_decimal_divides(const struct srt_divisor *m,
                         const struct srt_decimal *d)
{
    return d->n == 0 || (d->exponent >= m->exponent &&
                         decimal_modulo(d, m->exponent, m->unit) == 0);
}

static uint64_t divisor_gcd(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* Of the lower one only what the higher one lacks is needed; 18 digits hold at
 * most 59 twos, so that many tens cover all that tens can cover. */
bool srt_divisor_lcm(struct srt_divisor *m, const struct srt_divisor *other)
{
    const bool higher = m->exponent >= other->exponent;
    const struct srt_divisor high = higher ? *m : *other;
    const struct srt_divisor low = higher ? *other : *m;
    uint64_t rest = low.unit / divisor_gcd(low.unit, high.unit);

    for (int32_t i = low.exponent; i < high.exponent; i++) {
        if (i - low.exponent > 60)
            break;
        rest /= divisor_gcd(rest, 10);
    }
    if (high.unit > SRT_DIVISOR_MAX / rest)
        return false;
    m->unit = high.unit * rest;
    m->exponent = high.exponent;
    return true;
}

/* d, a whole number of 10^exponent, plus `add` of them. */
static bool decimal_add(struct srt_decimal *d, int32_t exponent, uint64_t add)
{
    uint8_t digit[SRT_DECIMAL_DIGITS + 20];
    int32_t n = d->n == 0 ? 0 : d->exponent + (int32_t)d->n - exponent;
    uint64_t carry = add;

    if (n < 0)
        n = 0;
    if (n + 20 > (int32_t)sizeof(digit))
        return false;
    memset(digit, 0, 20);
    for (int32_t i = 0; i < n; i++)
        digit[20 + i] = i < (int32_t)d->n ? d->digit[i] : 0;
    for (int32_t i = n + 20; i-- > 0 && carry > 0;) {
        carry += digit[i];
        digit[i] = (uint8_t)(carry % 10);
        carry /= 10;
    }
    return srt_decimal_set(d, d->negative, digit, (size_t)n + 20, exponent);
}

bool srt_decimal_next_multiple(struct srt_decimal *d,
                               const struct srt_divisor *m, bool above)
{
    bool negative = d->negative, ok;
    bool whole = d->n == 0 || d->exponent >= m->exponent;
    uint64_t rest = decimal_modulo(d, m->exponent, m->unit);

    if (whole && rest == 0 && !above)
        return true;
    ok = decimal_add(d, m->exponent, m->unit - rest);
    d->negative = negative && d->n > 0;
    return ok;
}

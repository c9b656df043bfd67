/*
 * digits.c - numbers to decimal text; doubles: the shortest, and C's "%f"
 *
 * Rule for the shortest: among the decimals inside the interval that reads
 * back as value (its ends belong to it when the significand is even), those
 * with the fewest digits, and of these the nearest to value.
 * Source: Steele and White, "How to print floating-point numbers accurately"
 * (1990), the free-format algorithm with whole numbers.
 *
 * Layout: nlohmann::json 3.x, which llama-server prints with: a plain decimal
 * for exponents from -5 to 14 with at least one digit after the point, else
 * d.ddde+XX with at least two digits of exponent.
 *
 * SPDX-License-Identifier: MIT
 */
#include "json/number.h"

#include "json/bignum.h"

#include <string.h>

#define DIGITS_MAX_SHORTEST 17
#define DIGITS_MIN_PLAIN    (-4) /* position of the point: 0.0000ddd */
#define DIGITS_MAX_PLAIN    15

/* value = significand * 2^exponent, both whole. */
struct digits_binary {
    uint64_t significand;
    int exponent;
    bool negative;
    bool finite;
};

/* Subnormals have the exponent of the least normal and no hidden bit. */
static struct digits_binary digits_split(double value)
{
    struct digits_binary b;
    uint64_t bits;
    int biased;

    memcpy(&bits, &value, sizeof(bits));
    biased = (int)(bits >> 52) & 0x7FF;
    b.negative = bits >> 63;
    b.finite = biased != 0x7FF;
    b.significand = bits & UINT64_C(0xFFFFFFFFFFFFF);
    if (biased != 0)
        b.significand |= UINT64_C(1) << 52;
    b.exponent = (biased != 0 ? biased : 1) - 1075;
    return b;
}

/* The state of the digit generator: value = rest / scale, in [0, 10). */
struct digits_state {
    struct srt_bignum rest, scale;
    struct srt_bignum above, below; /* half the gaps to the neighbours */
    bool even;                      /* the ends of the interval belong to it */
};

/* All four are scaled by 2, or 4 where the gap below is narrow, so that half
 * a gap is whole. */
static void digits_start(struct digits_state *s, const struct digits_binary *b)
{
    /* Below a power of two the gap is half as wide, but for the lowest. */
    unsigned narrow =
        b->significand == UINT64_C(1) << 52 && b->exponent > -1074;
    unsigned up = b->exponent > 0 ? (unsigned)b->exponent : 0;
    unsigned down = b->exponent < 0 ? (unsigned)-b->exponent : 0;

    s->even = b->significand % 2 == 0;
    srt_bignum_set(&s->rest, b->significand);
    srt_bignum_shift_left(&s->rest, up + 1 + narrow);
    srt_bignum_set(&s->scale, 1);
    srt_bignum_shift_left(&s->scale, down + 1 + narrow);
    srt_bignum_set(&s->below, 1);
    srt_bignum_shift_left(&s->below, up);
    s->above = s->below;
    srt_bignum_shift_left(&s->above, narrow);
}

/* rest + above against scale: from 1 on, this digit may be rounded up. */
static bool digits_reach_next(const struct digits_state *s)
{
    struct srt_bignum sum = s->rest;
    int order;

    srt_bignum_add(&sum, &s->above);
    order = srt_bignum_compare(&sum, &s->scale);
    return order > 0 || (order == 0 && s->even);
}

/* value and both margins grow together; scale stays. */
static void digits_times_ten(struct digits_state *s)
{
    srt_bignum_multiply_add(&s->rest, 10, 0);
    srt_bignum_multiply_add(&s->above, 10, 0);
    srt_bignum_multiply_add(&s->below, 10, 0);
}

static void digits_multiply_pow10(struct srt_bignum *b, unsigned exponent)
{
    srt_bignum_multiply_pow5(b, exponent);
    srt_bignum_shift_left(b, exponent);
}

/*
 * Scales the state so that the next digit is the first one, and returns the
 * position of the point: value = 0.ddd * 10^point.  1233 / 4096 is a little
 * below log10(2), so that the estimate is never too high.
 */
static int digits_scale(struct digits_state *s, const struct digits_binary *b)
{
    int high = -1, point;

    for (uint64_t rest = b->significand; rest != 0; rest >>= 1)
        high++;
    high += b->exponent; /* 2^high <= value < 2^(high + 1) */
    point = high >= 0 ? high * 1233 / 4096 : -((-high * 1234 + 4095) / 4096);
    if (point >= 0) {
        digits_multiply_pow10(&s->scale, (unsigned)point);
    } else {
        digits_multiply_pow10(&s->rest, (unsigned)-point);
        digits_multiply_pow10(&s->above, (unsigned)-point);
        digits_multiply_pow10(&s->below, (unsigned)-point);
    }
    while (digits_reach_next(s)) {
        srt_bignum_multiply_add(&s->scale, 10, 0);
        point++;
    }
    return point;
}

/* One digit after the other until what is left lies within a margin: then
 * any decimal that begins like this reads back as value. */
static size_t digits_generate(struct digits_state *s, char *out)
{
    size_t n = 0;
    bool low, high;

    do {
        int order;

        digits_times_ten(s);
        out[n] = '0';
        while (srt_bignum_compare(&s->rest, &s->scale) >= 0) {
            srt_bignum_subtract(&s->rest, &s->scale);
            out[n]++;
        }
        order = srt_bignum_compare(&s->rest, &s->below);
        low = order < 0 || (order == 0 && s->even);
        high = digits_reach_next(s);
        n++;
    } while (!low && !high);
    if (low && high) { /* both would do: the nearer one, ties to even */
        int order;

        srt_bignum_shift_left(&s->rest, 1);
        order = srt_bignum_compare(&s->rest, &s->scale);
        high = order > 0 || (order == 0 && (out[n - 1] - '0') % 2 != 0);
    }
    out[n - 1] = (char)(out[n - 1] + high);
    return n;
}

/* d.ddde+XX, for a value of 0.ddd * 10^point. */
static size_t digits_lay_scientific(const char *digits, size_t n, int point,
                                    char *out)
{
    unsigned exponent = (unsigned)(point > 0 ? point - 1 : 1 - point);
    size_t at = 0;

    out[at++] = digits[0];
    if (n > 1) {
        out[at++] = '.';
        memcpy(out + at, digits + 1, n - 1);
        at += n - 1;
    }
    out[at++] = 'e';
    out[at++] = point > 0 ? '+' : '-';
    if (exponent >= 100)
        out[at++] = (char)('0' + exponent / 100);
    out[at++] = (char)('0' + exponent / 10 % 10);
    out[at++] = (char)('0' + exponent % 10);
    return at;
}

/* Zeros fill the places between the digits and the point. */
static size_t digits_lay_plain(const char *digits, size_t n, int point,
                               char *out)
{
    size_t at = 0, whole = point > 0 ? (size_t)point : 0;

    if (whole == 0)
        out[at++] = '0';
    for (size_t i = 0; i < whole; i++)
        out[at++] = i < n ? digits[i] : '0';
    out[at++] = '.';
    for (int i = point; i < 0; i++)
        out[at++] = '0';
    for (size_t i = whole; i < n; i++)
        out[at++] = digits[i];
    if (whole >= n)
        out[at++] = '0';
    return at;
}

size_t srt_double_to_text(double value, char out[SRT_DOUBLE_TEXT])
{
    struct digits_binary b = digits_split(value);
    struct digits_state state;
    char digits[DIGITS_MAX_SHORTEST];
    size_t n = 1, at = 0;
    int point = 1;

    if (b.negative)
        out[at++] = '-';
    digits[0] = '0';
    if (b.significand != 0) {
        digits_start(&state, &b);
        point = digits_scale(&state, &b);
        n = digits_generate(&state, digits);
    }
    if (point > DIGITS_MIN_PLAIN && point <= DIGITS_MAX_PLAIN)
        at += digits_lay_plain(digits, n, point, out + at);
    else
        at += digits_lay_scientific(digits, n, point, out + at);
    out[at] = '\0';
    return at;
}

/* b / 2^bits to the nearest whole number, ties to even. */
static void digits_shift_right(struct srt_bignum *b, unsigned bits)
{
    uint64_t half = 0;
    int below = 0;

    for (; bits > 0; bits--) {
        below |= half != 0;
        half = srt_bignum_divide(b, 2);
    }
    if (half && (below || (b->n > 0 && b->limb[0] % 2 != 0)))
        srt_bignum_multiply_add(b, 1, 1);
}

size_t srt_double_to_fixed(double value, char out[SRT_FIXED_TEXT])
{
    struct digits_binary b = digits_split(value);
    char reversed[SRT_FIXED_TEXT];
    struct srt_bignum number;
    size_t n = 0, at = 0;

    if (b.negative)
        out[at++] = '-';
    if (!b.finite) {
        memcpy(out + at, b.significand == UINT64_C(1) << 52 ? "inf" : "nan", 4);
        return at + 3;
    }
    srt_bignum_set(&number, b.significand);
    srt_bignum_multiply_add(&number, 1000000, 0);
    if (b.exponent >= 0)
        srt_bignum_shift_left(&number, (unsigned)b.exponent);
    else
        digits_shift_right(&number, (unsigned)-b.exponent);
    while (number.n > 0 || n < 7)
        reversed[n++] = (char)('0' + srt_bignum_divide(&number, 10));
    while (n > 0) {
        out[at++] = reversed[--n];
        if (n == 6)
            out[at++] = '.';
    }
    out[at] = '\0';
    return at;
}

size_t srt_whole_to_text(uint64_t magnitude, bool negative,
                         char out[SRT_WHOLE_TEXT])
{
    char reversed[20];
    size_t n = 0, at = 0;

    do {
        reversed[n++] = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude != 0);
    if (negative)
        out[at++] = '-';
    while (n > 0)
        out[at++] = reversed[--n];
    out[at] = '\0';
    return at;
}

/* 0 - magnitude fits even the lowest number. */
size_t srt_integer_to_text(int64_t value, char out[SRT_WHOLE_TEXT])
{
    return value < 0 ? srt_whole_to_text(0 - (uint64_t)value, true, out)
                     : srt_whole_to_text((uint64_t)value, false, out);
}

/*
 * bignum.c - whole numbers of up to 3,200 bits, for decimal text
 *
 * Plain schoolbook arithmetic on 32-bit limbs: the numbers are short, and
 * each of them is used once.  It is all integers, so the caller's rounding
 * mode cannot reach it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "json/bignum.h"

#include <assert.h>
#include <string.h>

#define BIGNUM_POW5_STEP  13         /* the most that fits in 32 bits */
#define BIGNUM_POW5_VALUE 1220703125 /* 5^13 */

/* Restores the invariant: no leading zero limbs, and 0 has none at all. */
static void bignum_trim(struct srt_bignum *b)
{
    while (b->n > 0 && b->limb[b->n - 1] == 0)
        b->n--;
}

void srt_bignum_set(struct srt_bignum *b, uint64_t value)
{
    b->limb[0] = (uint32_t)value;
    b->limb[1] = (uint32_t)(value >> 32);
    b->n = 2;
    bignum_trim(b);
}

/* (2^32 - 1)^2 + 2^32 - 1 < 2^64: the carry never overflows. */
void srt_bignum_multiply_add(struct srt_bignum *b, uint32_t factor,
                             uint32_t addend)
{
    uint64_t carry = addend;

    for (size_t i = 0; i < b->n; i++) {
        carry += (uint64_t)b->limb[i] * factor;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) {
        assert(b->n < SRT_BIGNUM_LIMBS);
        b->limb[b->n++] = (uint32_t)carry;
    }
    bignum_trim(b);
}

void srt_bignum_multiply_pow5(struct srt_bignum *b, unsigned exponent)
{
    uint32_t last = 1;

    for (; exponent >= BIGNUM_POW5_STEP; exponent -= BIGNUM_POW5_STEP)
        srt_bignum_multiply_add(b, BIGNUM_POW5_VALUE, 0);
    for (; exponent > 0; exponent--)
        last *= 5;
    srt_bignum_multiply_add(b, last, 0);
}

/* From the top down, so that a limb is read before it is overwritten. */
void srt_bignum_shift_left(struct srt_bignum *b, unsigned bits)
{
    size_t whole = bits / 32;
    unsigned part = bits % 32;

    if (b->n == 0)
        return;
    assert(b->n + whole < SRT_BIGNUM_LIMBS);
    b->limb[b->n] = 0;
    for (size_t i = b->n + 1; i-- > 0;) {
        uint32_t low = i > 0 && part > 0 ? b->limb[i - 1] >> (32 - part) : 0;

        b->limb[i + whole] = (b->limb[i] << part) | low;
    }
    memset(b->limb, 0, whole * sizeof(b->limb[0]));
    b->n += whole + 1;
    bignum_trim(b);
}

void srt_bignum_add(struct srt_bignum *b, const struct srt_bignum *other)
{
    size_t n = b->n > other->n ? b->n : other->n;
    uint64_t carry = 0;

    for (size_t i = 0; i < n; i++) {
        carry += i < b->n ? b->limb[i] : 0;
        carry += i < other->n ? other->limb[i] : 0;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    b->n = n;
    if (carry != 0) {
        assert(b->n < SRT_BIGNUM_LIMBS);
        b->limb[b->n++] = (uint32_t)carry;
    }
}

/* take may be 2^32, which is why it has 64 bits; the difference wraps. */
void srt_bignum_subtract(struct srt_bignum *b, const struct srt_bignum *other)
{
    uint64_t borrow = 0;

    for (size_t i = 0; i < b->n; i++) {
        uint64_t take = borrow + (i < other->n ? other->limb[i] : 0);

        borrow = b->limb[i] < take;
        b->limb[i] = (uint32_t)(b->limb[i] - take);
    }
    assert(borrow == 0);
    bignum_trim(b);
}

/* Trimmed numbers of different length differ. */
int srt_bignum_compare(const struct srt_bignum *a, const struct srt_bignum *b)
{
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    for (size_t i = a->n; i-- > 0;)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

uint32_t srt_bignum_divide(struct srt_bignum *b, uint32_t divisor)
{
    uint64_t rest = 0;

    for (size_t i = b->n; i-- > 0;) {
        rest = (rest << 32) | b->limb[i];
        b->limb[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    bignum_trim(b);
    return (uint32_t)rest;
}

unsigned srt_bignum_bits(const struct srt_bignum *b)
{
    unsigned bits;

    if (b->n == 0)
        return 0;
    bits = (unsigned)(b->n - 1) * 32;
    for (uint32_t top = b->limb[b->n - 1]; top != 0; top >>= 1)
        bits++;
    return bits;
}

uint64_t srt_bignum_top64(const struct srt_bignum *b, int *rest)
{
    unsigned bits = srt_bignum_bits(b);
    uint64_t top = 0;

    *rest = 0;
    for (unsigned i = 0; i < 64; i++) {
        unsigned at = bits - 1 - i; /* of no use once bits are used up */

        top <<= 1;
        if (i < bits)
            top |= (b->limb[at / 32] >> (at % 32)) & 1;
    }
    for (unsigned at = 0; at + 64 < bits && !*rest; at++)
        *rest = (b->limb[at / 32] >> (at % 32)) & 1;
    return top;
}

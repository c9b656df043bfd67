/*
 * bignum.h - whole numbers of up to 3,200 bits, for decimal text
 *
 * Enough for every value that reading or printing a double needs: the largest
 * is 5^1131 (2,627 bits), for a number of 801 digits near 1e-330.  The
 * callers bound their arguments; the functions do not check for overflow.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_BIGNUM_H
#define SRT_BIGNUM_H

#include <stddef.h>
#include <stdint.h>

#define SRT_BIGNUM_LIMBS 100

struct srt_bignum {
    size_t n; /* limbs in use; the highest of them is not 0 */
    uint32_t limb[SRT_BIGNUM_LIMBS]; /* low first */
};

void srt_bignum_set(struct srt_bignum *b, uint64_t value);
void srt_bignum_multiply_add(struct srt_bignum *b, uint32_t factor,
                             uint32_t addend);
void srt_bignum_multiply_pow5(struct srt_bignum *b, unsigned exponent);
void srt_bignum_shift_left(struct srt_bignum *b, unsigned bits);
void srt_bignum_add(struct srt_bignum *b, const struct srt_bignum *other);

/* b -= other; other is not above b. */
void srt_bignum_subtract(struct srt_bignum *b, const struct srt_bignum *other);

/* Below, equal to or above 0 as a is below, equal to or above b. */
int srt_bignum_compare(const struct srt_bignum *a, const struct srt_bignum *b);

/* b /= divisor; returns the remainder. */
uint32_t srt_bignum_divide(struct srt_bignum *b, uint32_t divisor);

/* Position of the highest bit set, counted from 1; 0 for 0. */
unsigned srt_bignum_bits(const struct srt_bignum *b);

/*
 * The 64 highest bits, the highest one at bit 63 (fewer bits are shifted up),
 * with *rest set when a lower bit was not 0.  b is not 0.
 */
uint64_t srt_bignum_top64(const struct srt_bignum *b, int *rest);

#endif /* SRT_BIGNUM_H */

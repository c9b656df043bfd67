/*
 * rows.h - rows of logits for tests and benchmarks, the same on every machine
 *
 * Only integer arithmetic, IEEE operations and the library's own logarithm are
 * used, so a seed names a row exactly.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_ROWS_H
#define TESTS_ROWS_H

#include "sortes.h"

struct rows_random {
    uint64_t state;
};

uint64_t rows_bits(struct rows_random *r);
double rows_uniform(struct rows_random *r);         /* in [0, 1) */
size_t rows_below(struct rows_random *r, size_t n); /* 0 .. n-1 */
double rows_normal(struct rows_random *r);          /* mean 0, sd 1 */

/* What a row looks like; each is a way in which sampling can be hard. */
enum rows_kind {
    ROWS_ORDINARY,  /* N(0, 3) and 30 raised logits: a model's row */
    ROWS_TIED,      /* the same, rounded to eighths */
    ROWS_FLAT,      /* N(0, 0.3): hundreds of thousands in the nucleus */
    ROWS_WIDE,      /* N(0, 12): far beyond the bucket sort's range */
    ROWS_EQUAL,     /* one value everywhere */
    ROWS_FORBIDDEN, /* a third at -inf */
    ROWS_MASKED,    /* all but a few at -inf */
    ROWS_BFLOAT,    /* ordinary, rounded to bf16 */
    ROWS_LOW,       /* N(-40, 2): all below the bucket sort's range */
    ROWS_HIGH,      /* N(40, 2): all above it */
    ROWS_PEAKED,    /* one logit has nearly all the probability */
    ROWS_STEPS,     /* few distinct values, heavy ties at every rank */
    ROWS_N_KINDS
};

const char *rows_kind_name(enum rows_kind kind);
void rows_fill(float *x, size_t n, enum rows_kind kind, uint64_t seed);

/* Round to nearest even; for narrow rows and for testing them. */
uint16_t rows_to_bfloat(float x);
uint16_t rows_to_half(float x);

/*
 * x[0 .. n-1] as a row of a type; a narrow one lies in narrow[], and x is
 * rounded to what it says.
 */
sortes_row rows_as(float *x, uint16_t *narrow, size_t n, sortes_dtype type);

#endif /* TESTS_ROWS_H */

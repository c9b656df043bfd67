/*
 * number.h - what is asked of a number, as pieces of the line of numbers
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_JS_NUMBER_H
#define SRT_JS_NUMBER_H

#include "constrain/json_schema/frame.h"

enum {
    SRT_NUMBER_DIGITS = 64, /* more than the schema's own numbers have */
    SRT_NUMBER_EXPONENT = 400,
    SRT_NUMBER_BYTES = 1200 /* bytes of a state */
};

/* From a bound outwards (away from 0), up to the next one. */
struct srt_piece {
    const struct srt_decimal *from; /* whatever its sign */
    uint32_t at;                    /* outcome at the bound itself */
    uint32_t at_fraction;           /* and if it is written with a point */
    srt_dd beyond;                  /* what is left to ask behind it */
};

struct srt_number_plan {
    srt_dd diagram;
    struct srt_piece *side[2]; /* positive and 0, negative */
    uint32_t n_side[2];
    int32_t finest;     /* places behind the point that matter */
    uint32_t n_whole;   /* digits before the point, of the largest bound */
    uint32_t digits;    /* how many a text may have */
    bool divides;       /* something is asked about multiples, 1 apart */
    bool asks_whole;    /* plain: whole numbers are written without a point */
    bool exponents;     /* may be written */
    bool unsigned_zero; /* "-0" may not: llguidance, where there are bounds */
    bool made;
    struct srt_decimal *value; /* all that have an outcome, if they are few */
    uint32_t n_values;
    bool counted, few;
};

/* Values from low to high (sizes) that are multiples of 10^grid. */
struct srt_reach {
    bool negative;
    bool spelled_whole; /* written without a point */
    int32_t grid;
    struct srt_decimal low, high;
    bool below; /* high itself is not among them */
};

/* Numbers that are to be avoided. */
struct srt_beside {
    struct srt_decimal *at; /* ascending by size */
    size_t n;
};

/* A text taken apart. */
struct srt_number_text {
    const char *text;
    size_t n;
    bool negative, point, exponent, exponent_sign;
    size_t whole, n_whole;           /* digits before the point */
    size_t fraction, n_fraction;     /* digits behind it */
    size_t power, n_power;           /* of the exponent */
    const struct srt_beside *beside; /* what it must not become; or NULL */
};

/* ---- number.c ----------------------------------------------------------- */

void srt_number_split(struct srt_number_text *t, const char *text, size_t n);
/* Whether it is a number as it stands. */
bool srt_number_is_whole_text(const struct srt_number_text *t);
/* Its digits, as values; how many there are. */
size_t srt_number_digits(const struct srt_number_text *t, uint8_t *digit);
/* Its exponent, up to a million. */
int32_t srt_number_power(const struct srt_number_text *t);
struct srt_number_plan *srt_number_at(const struct srt_js *js, uint32_t plan);
/* Outcome of a text; 0: it is no number, or none that counts. */
uint32_t srt_number_value(struct srt_js *js, const struct srt_number_plan *p,
                          const struct srt_number_text *t);
/* The shortened text after a byte, of SRT_NUMBER_BYTES bytes at most; 0: it may
 * not follow. */
size_t srt_number_follow(const struct srt_number_plan *p, const char *text,
                         size_t n, uint8_t byte, char *to);
uint32_t srt_number_plan_of(const struct srt_js *js, uint32_t state);

/* ---- number_live.c ------------------------------------------------------ */

/* Whether some value whose digits begin with these, `more` digits behind them,
 * times 10^exponent, has an outcome. */
bool srt_number_reaches(struct srt_js *js, const struct srt_number_plan *p,
                        const struct srt_number_text *t, size_t more,
                        int32_t exponent, bool spelled_whole);
/* Whether a text can become a number; beside: NULL, or what it must not be. */
bool srt_number_can_end(struct srt_js *js, const struct srt_number_plan *p,
                        const char *text, size_t n,
                        const struct srt_beside *beside);

/* ---- number_leave.c ----------------------------------------------------- */

/* Whether a text can become a number beside these, which are sorted in place.
 */
bool srt_number_leaves(struct srt_js *js, uint32_t plan, const char *text,
                       size_t n, struct srt_beside *beside);
/* How many numbers have an outcome, at most `most`. */
uint64_t srt_number_count(struct srt_js *js, uint32_t plan, uint64_t most);

/* ---- pieces.c ----------------------------------------------------------- */

bool srt_pieces_make(struct srt_js *js, struct srt_number_plan *p,
                     srt_dd diagram);
/* Whether one of the values has an outcome. */
bool srt_pieces_reach(struct srt_js *js, const struct srt_number_plan *p,
                      const struct srt_reach *r);
uint32_t srt_pieces_value(struct srt_js *js, const struct srt_number_plan *p,
                          const struct srt_decimal *d, bool spelled_whole);

#endif /* SRT_JS_NUMBER_H */

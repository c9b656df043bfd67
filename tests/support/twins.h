/*
 * twins.h - two samplers of one setting, on the plans and on the reference
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_TWINS_H
#define TESTS_TWINS_H

#include "support/rows.h"

enum { TWINS_LONGEST = 130000 };

struct twins {
    const char *settings; /* of stages_params() */
    sortes_vocab *vocab;  /* NULL: none */
    size_t n;             /* of the rows */
    enum rows_kind kind;
    sortes_dtype type;
    uint64_t seed;    /* of the rows, the history and the samplers */
    float scale;      /* the logits are multiplied by this; 0: not */
    size_t n_history; /* tokens accepted before */
    size_t kinds;     /* how many different ones; 0: all of the row */
    int n_draws;      /* 0: three */
};

/* The type is one of the three, by the seed; the rest is as by default. */
struct twins twins_of(const char *settings, size_t n, enum rows_kind kind,
                      uint64_t seed);

/*
 * Draws from the same rows with both and accepts the tokens; statuses and
 * whole sortes_draw structs must be equal, byte for byte.  Once for every
 * instruction set of this machine.
 */
void twins_compare(const struct twins *t);

/* The same for a generator whose numbers are all 0. */
void twins_compare_zero(const struct twins *t);

#endif /* TESTS_TWINS_H */

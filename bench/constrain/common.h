/*
 * common.h - what the benchmarks of constraints share
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef BENCH_CONSTRAIN_COMMON_H
#define BENCH_CONSTRAIN_COMMON_H

#include "greedy.h"
#include "samples.h"
#include "sortes.h"

struct constrain_bench {
    sortes_vocab *vocab;
    struct greedy *greedy;
    uint32_t *words; /* a mask */
    size_t n_words;
    double read_ms, set_up_ms; /* the least of three */
};

void constrain_die(const char *what, const char *why);

/* Dies if there is none. */
sortes_matcher *constrain_matcher(sortes_vocab *v, const char *kind,
                                  const char *text);

/* Reads the vocabulary and prepares it. */
void constrain_open(struct constrain_bench *b, const char *path);
void constrain_close(struct constrain_bench *b);

/* Of n kinds of calls: what each call took at least in the runs so far; run is
 * emptied.  Runs must make the same calls. */
void constrain_keep_least(struct samples *run, struct samples *least, size_t n);

/* A pair of readings of the clock, microseconds, a median. */
double constrain_clock_us(void);
/* The same around a copy of a mask's bytes, eight masks in turn: what a mask
 * that is known costs at least. */
double constrain_copy_us(const struct constrain_bench *b);

void constrain_put(struct json_out *j, const char *name, double x);

#endif /* BENCH_CONSTRAIN_COMMON_H */

/*
 * bench.h - sortes beside llama.cpp, in one process, row by row
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SORTES_BENCH_H
#define SORTES_BENCH_H

#include "llama.h"
#include "oracle/beside.h"
#include "sortes.h"
#include "support/rows.h"

#include <stdbool.h>
#include <stdio.h>

/* What a chain is asked to do. */
struct bench_shape {
    const char *name;
    bool greedy;
    float temperature, top_p, min_p, repeat, frequency, presence;
    int32_t top_k, last_n;
    /* 0 leaves these off. */
    float typical_p, top_n_sigma, xtc_probability, dry;
    int32_t mirostat;
};

extern const struct bench_shape bench_shapes[];
extern const size_t bench_n_shapes;

/* Rows that the engines cycle through. */
struct bench_rows {
    const char *kind;
    size_t n, n_rows;
    float *x; /* n_rows * n */
};

/* Seconds on a clock that only rises. */
double bench_now(void);

/* Ends the program with a message. */
void bench_die(const char *what, const char *text);

sortes_sampler *bench_sortes(const struct bench_shape *shape, uint32_t seed,
                             const char *kernels);
struct llama_sampler *bench_llama(const struct bench_shape *shape, size_t n,
                                  uint32_t seed);

/* One pass that only looks for the largest logit: what memory allows. */
float bench_max_pass(const float *x, size_t n, const char *kernels);

/* Medians and 90th percentiles in microseconds. */
struct bench_times {
    double median, p90;
};
struct bench_times bench_quantiles(double *seconds, size_t n);

struct bench_out {
    FILE *json;
    bool first;
};

/* The table of rows, shapes and caches; false if a token differed. */
bool bench_table(struct bench_out *out, const struct bench_rows *rows,
                 const char *cache, const char *kernels, int steps);
bool bench_batches(struct bench_out *out, const struct bench_rows *rows,
                   const char *kernels, int steps);
bool bench_probs(struct bench_out *out, const struct bench_rows *rows,
                 int steps);
bool bench_rmlx(struct bench_out *out, const struct bench_rows *rows,
                int steps);
bool bench_generate(struct bench_out *out, const char *model, int n_tokens);

#endif /* SORTES_BENCH_H */

/*
 * kernel.h - the passes over a row, one set of them per instruction set
 *
 * Every set returns the same bits as scalar.c, which is plain C and the
 * reference; only a maximum or minimum of 0 may have either sign.  Row kernels
 * exist per row type and read it as it lies; a narrow type is widened in
 * registers.  Rows are cut into blocks of SRT_BLOCK; only the last block may
 * be shorter.
 *
 * Adding an instruction set: one file that defines the vector operations and
 * includes row_body.h and array_body.h, and one row in kernels.def.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_KERNEL_H
#define SRT_KERNEL_H

#include "kernel/mlx.h"
#include "scratch.h"
#include "sortes.h"

#include <stdbool.h>

/* The running float sum of expf(x - max); begin with { .max = max }. */
struct srt_softmax_sum {
    float max;
    float sum;
    /* Terms x - max not added yet, in order; the negligible left out. */
    size_t n_pending;
    float pending[3 * SRT_BLOCK];
};

/*
 * The running double sum of the floats expf(x / divisor - max).  `prefix`
 * receives the sum before each block and moves on.  Begin with lowest = +inf.
 */
struct srt_draw_sum {
    double sum;
    double *prefix;
    float divisor; /* above 0; 1 leaves x alone */
    float max;     /* of x / divisor */
    float lowest;  /* the least x so far */
};

struct srt_row_kernels {
    /*
     * out[b] = the maximum of block b.  False if there is a NaN or a +inf; the
     * maxima mean nothing then.
     */
    bool (*block_max)(const void *x, size_t n, float *out);
    /*
     * Appends index and value of every x[i] >= floor in index order; returns
     * how many.  Blocks whose block_max is below floor are not looked at.
     * Writes up to a vector beyond what it returns.
     */
    size_t (*gather)(const void *x, size_t n, const float *block_max,
                     float floor, int32_t *id, float *value);
    size_t (*count)(const void *x, size_t n, float floor);
    void (*widen)(const void *x, size_t n, float *out);
    /* out[i] = x[i] * by, in float. */
    void (*scale)(const void *x, size_t n, float by, float *out);
    void (*softmax_sum)(struct srt_softmax_sum *s, const void *x, size_t n);
    /*
     * *sum, a float, plus the double square of the float x[i] - mean, in
     * double, rounded to float; for every x[i] in order but those at -inf.
     */
    void (*square_sum)(const void *x, size_t n, float mean, float *sum);
    /* A call with n not a multiple of SRT_BLOCK must be the last. */
    void (*draw_sum)(struct srt_draw_sum *s, const void *x, size_t n);
    /* The same. */
    void (*mlx_sum)(struct srt_mlx_sum *s, const void *x, size_t n);
    void (*mlx_tail)(struct srt_mlx_tail *t, const void *x, size_t n);
};

enum {
    SRT_SORT_FEW = 256,
    /* Bytes in a cache line; how many logits ahead block_max asks for memory
     * (2 KiB of floats: with less or more the pass is slower, SPEED.md). */
    KERNEL_LINE = 64,
    KERNEL_AHEAD = 512
};

struct srt_kernels {
    const char *name;
    struct srt_row_kernels row[3]; /* by sortes_dtype */
    /* out[i] = expf(x[i] - max), x[i] <= max; may write a vector beyond n. */
    void (*exp)(const float *x, float *out, size_t n, float max);
    void (*divide)(float *p, size_t n, float by);
    /* out[i] = MLX's exp(x[i]), x[i] <= 88; may write a vector beyond n. */
    void (*mlx_exp)(const float *x, float *out, size_t n);
    void (*multiply)(float *p, size_t n, float by);
    /* Sorts by descending value into out; n <= SRT_SORT_FEW; out apart from x.
     * x has a vector of room beyond n, which is overwritten. */
    void (*sort_few)(float *x, float *out, size_t n);
    /*
     * Adds p[0], p[1], ... to *run in float, in order, until it reaches
     * target; returns the index that did, n if none.  p >= 0.
     */
    size_t (*reach)(const float *p, size_t n, float *run, float target);
};

/* The best set this machine runs. */
const struct srt_kernels *srt_kernels(void);

/* Every set this machine runs by index, the reference first; NULL at the end.
 */
const struct srt_kernels *srt_kernels_at(size_t index);

/*
 * A value that at least k of a row reach, and few more if it can be helped; the
 * lowest float where the blocks do not show so many.  max: the largest of
 * block_max.
 */
float srt_kernels_floor(const struct srt_kernels *kernels,
                        const float *block_max, size_t n_blocks, float max,
                        size_t k);

/* Adds what is still pending; call once, after the last segment. */
float srt_softmax_sum_finish(struct srt_softmax_sum *s);

#endif /* SRT_KERNEL_H */

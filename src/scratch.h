/*
 * scratch.h - the calling thread's work memory
 *
 * A step needs up to 56 bytes a vocabulary entry, but only while it runs; so
 * the memory belongs to the thread and not to the sampler, of which a server
 * has hundreds.  It grows when a thread meets a longer row than ever before
 * and is otherwise only reused.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_SCRATCH_H
#define SRT_SCRATCH_H

#include "order/order.h"

/* Logits are looked at in blocks of this many. */
enum { SRT_BLOCK = 64 };

struct srt_scratch {
    size_t n;                         /* longest row there is room for */
    struct srt_candidate *candidates; /* n */
    struct srt_candidate *spare;      /* n */
    float *values;                    /* n + a vector of slack, as all below */
    float *weights;                   /* n */
    int32_t *ids;                     /* n */
    float *raw;                       /* n */
    uint32_t *keys;                   /* 2n */
    float *masked;                    /* n */
    float *forced;                    /* n */
    float *block_max;                 /* one a block */
    double *prefix;                   /* one a block */
};

/* Room for a row of n; NULL: no memory.  Valid until this thread's next call
 * or its end. */
struct srt_scratch *srt_scratch_get(size_t n);

#endif /* SRT_SCRATCH_H */

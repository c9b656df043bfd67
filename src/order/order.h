/*
 * order.h - candidates, and libstdc++'s ways of ordering them
 *
 * Where logits tie, the order an engine leaves depends on every comparison
 * and move of its standard library.  These routines make the same ones, so
 * ties come out in the same places (libstdc++ of GCC 10 to 15; libc++ and
 * MSVC order ties differently).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_ORDER_H
#define SRT_ORDER_H

#include "compiler.h"

/* llama.cpp's llama_token_data: 12 bytes, moved as a whole. */
struct srt_candidate {
    int32_t id;
    float logit;
    float p;
};

/* By descending logit: std::partial_sort(c, c + k, c + n).  k <= n. */
void srt_partial_sort(struct srt_candidate *c, size_t k, size_t n);

/* By descending logit: std::sort(c, c + n). */
void srt_sort(struct srt_candidate *c, size_t n);

/*
 * The candidate that std::sort would put at `rank`, found by walking only the
 * partitions that hold it.  Leaves c in some other order.
 */
struct srt_candidate srt_sort_nth(struct srt_candidate *c, size_t n,
                                  size_t rank);

/* The steps of std::partial_sort, for replaying one over a sparse view. */
void srt_heap_make(struct srt_candidate *c, size_t n);
void srt_heap_replace_top(struct srt_candidate *c, size_t n,
                          struct srt_candidate v);
void srt_heap_sort(struct srt_candidate *c, size_t n);

/*
 * llama.cpp's bucket sort (llama_token_data_array_partial_sort): 128 buckets
 * over [-10, 10], the buckets that hold the first k sorted, the rest left out.
 * Reads in[0 .. n-1], writes at most n candidates to out, returns how many;
 * the first k are in order.  1 <= k <= n.
 */
enum { SRT_BUCKETS = 128 };
size_t srt_bucket_sort(struct srt_candidate *out,
                       const struct srt_candidate *in, size_t n, size_t k);

/* The bucket of a logit, 127 the highest. */
int srt_bucket_of(float logit);

/* The least float whose bucket is at least b (0 < b <= 127).  For logits
 * below SRT_BUCKET_SAFE the buckets rise with the logits. */
float srt_bucket_floor(int b);
#define SRT_BUCKET_SAFE 3.0e8f

/*
 * Sorts v[0 .. n-1] by descending value; work has room for 2n.  -0 becomes 0.
 * Equal floats cannot be told apart, so no tie order is involved.
 */
void srt_sort_values(float *v, uint32_t *work, size_t n);

#endif /* SRT_ORDER_H */

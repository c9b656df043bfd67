/*
 * view.h - a row as the first stages leave it, without copying it
 *
 * Biases, penalties and DRY change a few logits; the row itself stays where
 * it is.  A view is the row, the changed logits beside it, and the maxima of
 * its blocks, by which most of the row never has to be looked at again.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_LLAMACPP_VIEW_H
#define SRT_LLAMACPP_VIEW_H

#include "dialect/llamacpp/chain.h"

struct srt_view {
    const sortes_row *row;
    const struct srt_kernels *kernels;
    const struct srt_override *overrides; /* ascending by id */
    size_t n_overrides;
    const float *block_max; /* of the changed row */
    size_t n_blocks;
    float max; /* above -inf */
    /* Logits below it count as -inf; -inf: none.  Blocks know of it, and with
     * them first and heap_select; segments, gather and count do not. */
    float line;
};

/* Part of a row that one kernel call takes: whole blocks, but for the last. */
struct srt_segment {
    const struct srt_row_kernels *kernels;
    const void *x;
    size_t n;
    size_t end;           /* index behind the segment */
    size_t next_override; /* first one not behind us */
    float patched[SRT_BLOCK];
};

/*
 * Applies logit_bias, penalties and DRY and checks the row; the view lives as
 * long as chain, row and s are left alone.
 */
sortes_status srt_view_open(struct srt_view *v, struct srt_llamacpp *chain,
                            const sortes_row *row, struct srt_scratch *s);

/* The row alone, unchanged; the view's maxima are made, and checked. */
sortes_status srt_view_open_raw(struct srt_view *v,
                                const struct srt_kernels *kernels,
                                const sortes_row *row, struct srt_scratch *s);

/* The logits of block b in buffer[]; returns how many. */
size_t srt_view_block(const struct srt_view *v, size_t b,
                      float buffer[SRT_BLOCK]);

/* Segments in order: begin with a zeroed one; false at the end. */
bool srt_view_next(const struct srt_view *v, struct srt_segment *segment);

/* Every id whose logit is at least floor, in id order, with its logit. */
size_t srt_view_gather(const struct srt_view *v, float floor, int32_t *id,
                       float *value);
size_t srt_view_count(const struct srt_view *v, float floor);

/* The first id whose logit is at least floor; floor <= v->max. */
int32_t srt_view_first(const struct srt_view *v, float floor);

/*
 * The engine's heap select of the k largest, k <= row->n: heap[0 .. k-1] in
 * its order, and what each replacement left in its place, ascending by id: the
 * array as std::partial_sort leaves it.  Writes the first `room` of those to
 * evicted, returns how many there were.
 */
size_t srt_view_heap_select(const struct srt_view *v, size_t k,
                            struct srt_candidate *heap,
                            struct srt_override *evicted, size_t room);

/* The float softmax sum over the view, in id order; max: its largest logit. */
float srt_view_softmax_sum(const struct srt_view *v, float max);

#endif /* SRT_LLAMACPP_VIEW_H */

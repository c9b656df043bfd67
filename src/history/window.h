/*
 * window.h - the last N accepted tokens, with how often each occurs
 *
 * Used by every stage that looks back.  The counts are kept sorted by token,
 * so that a stage meets the tokens in the order in which they lie in the row;
 * the cost of a step follows the window, never the vocabulary.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_WINDOW_H
#define SRT_WINDOW_H

#include "status.h"

#include <stdbool.h>

struct srt_count {
    int32_t token;
    int32_t count; /* at least 1 */
};

struct srt_window {
    size_t limit;    /* tokens looked back at; 0: the window stays empty */
    int32_t *tokens; /* ring: the oldest at `first` */
    size_t first, n;
    size_t room; /* of tokens[]; the ring wraps only when room == limit */
    struct srt_count *counts; /* ascending by token, each once */
    size_t n_counts;
    size_t counts_room; /* at least min(limit, n) + 1 */
};

void srt_window_init(struct srt_window *w, size_t limit);
void srt_window_free(struct srt_window *w);
void srt_window_clear(struct srt_window *w); /* keeps its memory */

/* Fills an empty window of the same limit; keeps and adds to its memory. */
sortes_status srt_window_copy(struct srt_window *to,
                              const struct srt_window *from);

/* Takes the memory that n more tokens need; then push cannot fail. */
sortes_status srt_window_reserve(struct srt_window *w, size_t n);
void srt_window_push(struct srt_window *w, const int32_t *tokens, size_t n);

#endif /* SRT_WINDOW_H */

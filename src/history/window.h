/*
 * window.h - the last N accepted tokens, with how often each occurs
 *
 * Used by every stage that looks back.  The counts are kept sorted by token,
 * so that a stage meets the tokens in the order in which they lie in the row;
 * the cost of a step follows the window, never the vocabulary.
 *
 * Some older tokens are kept behind the window, so that the last ones can be
 * taken back and the window be what it was.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_WINDOW_H
#define SRT_WINDOW_H

#include "history/counts.h"
#include "status.h"

#include <stdbool.h>

/* How many tokens srt_window_pop can take back at least, if so many came. */
enum { SRT_WINDOW_BEHIND = 64 };

struct srt_window {
    size_t limit;    /* tokens looked back at; 0: the window stays empty */
    size_t n;        /* in the window: the newest min(limit, n_kept) */
    int32_t *tokens; /* ring: the oldest kept at `first` */
    size_t first, n_kept;
    size_t room; /* of tokens[]; wraps only at limit + SRT_WINDOW_BEHIND */
    struct srt_count *counts; /* of the window: ascending, each token once */
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

/* Takes the newest n tokens back; n <= SRT_WINDOW_BEHIND and n <= n_kept. */
void srt_window_pop(struct srt_window *w, size_t n);

/* The i-th token from the end; i < n_kept. */
int32_t srt_window_back(const struct srt_window *w, size_t i);

#endif /* SRT_WINDOW_H */

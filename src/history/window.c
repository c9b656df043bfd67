/*
 * window.c - the last N accepted tokens, with how often each occurs
 *
 * SPDX-License-Identifier: MIT
 */
#include "history/window.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* From this many new tokens on, counting the window afresh (n log n) is
 * cheaper than inserting them one by one (each moves half the counts). */
enum { WINDOW_BULK = 32 };

void srt_window_init(struct srt_window *w, size_t limit)
{
    memset(w, 0, sizeof(*w));
    w->limit = limit;
}

void srt_window_free(struct srt_window *w)
{
    free(w->tokens);
    free(w->counts);
    srt_window_init(w, w->limit);
}

void srt_window_clear(struct srt_window *w)
{
    w->first = w->n = w->n_counts = 0;
}

/* Room for n items of `size` bytes in *block, at most doubling; 0: failed. */
static size_t window_grow(void **block, size_t room, size_t n, size_t size)
{
    size_t want = room * 2 > n ? room * 2 : n;
    void *grown;

    if (want < 16)
        want = 16;
    if (want > SIZE_MAX / size)
        return 0;
    grown = realloc(*block, want * size);
    if (!grown)
        return 0;
    *block = grown;
    return want;
}

sortes_status srt_window_reserve(struct srt_window *w, size_t n)
{
    size_t want = n > w->limit - w->n ? w->limit : w->n + n;
    void *block;

    if (w->limit == 0)
        return SORTES_OK;
    if (want > w->room) {
        block = w->tokens;
        const size_t room =
            window_grow(&block, w->room, want, sizeof(*w->tokens));
        w->tokens = block;
        if (room == 0)
            return SORTES_E_NOMEM;
        w->room = room > w->limit ? w->limit : room;
    }
    if (want + 1 > w->counts_room) {
        block = w->counts;
        const size_t room =
            window_grow(&block, w->counts_room, want + 1, sizeof(*w->counts));
        w->counts = block;
        if (room == 0)
            return SORTES_E_NOMEM;
        w->counts_room = room;
    }
    return SORTES_OK;
}

sortes_status srt_window_copy(struct srt_window *to,
                              const struct srt_window *from)
{
    assert(to->limit == from->limit && to->n == 0);
    if (from->n == 0)
        return SORTES_OK;
    if (srt_window_reserve(to, from->n) != SORTES_OK)
        return SORTES_E_NOMEM;
    for (size_t i = 0; i < from->n; i++)
        to->tokens[i] = from->tokens[(from->first + i) % from->room];
    to->n = from->n;
    memcpy(to->counts, from->counts, from->n_counts * sizeof(*to->counts));
    to->n_counts = from->n_counts;
    return SORTES_OK;
}

/* Index of the first count whose token is at least `token`. */
static size_t window_find(const struct srt_window *w, int32_t token)
{
    size_t low = 0, high = w->n_counts;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (w->counts[mid].token < token)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void window_count_up(struct srt_window *w, int32_t token)
{
    const size_t i = window_find(w, token);

    if (i < w->n_counts && w->counts[i].token == token) {
        w->counts[i].count++;
        return;
    }
    memmove(&w->counts[i + 1], &w->counts[i],
            (w->n_counts - i) * sizeof(*w->counts));
    w->counts[i] = (struct srt_count){ token, 1 };
    w->n_counts++;
}

static void window_count_down(struct srt_window *w, int32_t token)
{
    const size_t i = window_find(w, token);

    assert(i < w->n_counts && w->counts[i].token == token);
    if (--w->counts[i].count > 0)
        return;
    w->n_counts--;
    memmove(&w->counts[i], &w->counts[i + 1],
            (w->n_counts - i) * sizeof(*w->counts));
}

/* Puts token into the ring; returns whether it pushed *dropped out. */
static bool window_rotate(struct srt_window *w, int32_t token, int32_t *dropped)
{
    if (w->n < w->limit) {
        w->tokens[w->n++] = token;
        return false;
    }
    *dropped = w->tokens[w->first];
    w->tokens[w->first] = token;
    w->first = w->first + 1 == w->limit ? 0 : w->first + 1;
    return true;
}

static void window_sift_down(struct srt_count *heap, size_t hole, size_t n)
{
    const struct srt_count v = heap[hole];
    size_t child;

    while ((child = 2 * hole + 1) < n) {
        if (child + 1 < n && heap[child + 1].token > heap[child].token)
            child++;
        if (heap[child].token <= v.token)
            break;
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = v;
}

/* Heap sort: in place, no allocation (libc's qsort may allocate). */
static void window_recount(struct srt_window *w)
{
    struct srt_count *c = w->counts;
    size_t last = 0;

    for (size_t i = 0; i < w->n; i++)
        c[i] = (struct srt_count){ w->tokens[i], 1 };
    for (size_t i = w->n / 2; i-- > 0;)
        window_sift_down(c, i, w->n);
    for (size_t i = w->n; i-- > 1;) {
        const struct srt_count top = c[0];
        c[0] = c[i];
        c[i] = top;
        window_sift_down(c, 0, i);
    }
    for (size_t i = 1; i < w->n; i++) {
        if (c[i].token == c[last].token)
            c[last].count++;
        else
            c[++last] = c[i];
    }
    w->n_counts = w->n ? last + 1 : 0;
}

void srt_window_push(struct srt_window *w, const int32_t *tokens, size_t n)
{
    int32_t dropped = 0;

    if (w->limit == 0)
        return;
    if (n > w->limit) {
        tokens += n - w->limit;
        n = w->limit;
    }
    for (size_t i = 0; i < n; i++) {
        const bool full = window_rotate(w, tokens[i], &dropped);
        if (n >= WINDOW_BULK)
            continue;
        if (full)
            window_count_down(w, dropped);
        window_count_up(w, tokens[i]);
    }
    if (n >= WINDOW_BULK)
        window_recount(w);
}

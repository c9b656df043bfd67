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
    w->first = w->n = w->n_kept = w->n_counts = 0;
}

/* Room for n items of `size` bytes in *block, at least doubled; 0: failed. */
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

static size_t window_most(const struct srt_window *w)
{
    return w->limit + SRT_WINDOW_BEHIND;
}

sortes_status srt_window_reserve(struct srt_window *w, size_t n)
{
    const size_t most = window_most(w);
    const size_t want = n > most - w->n_kept ? most : w->n_kept + n;
    const size_t counts = (want < w->limit ? want : w->limit) + 1;
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
        w->room = room > most ? most : room;
    }
    if (counts > w->counts_room) {
        block = w->counts;
        const size_t room =
            window_grow(&block, w->counts_room, counts, sizeof(*w->counts));
        w->counts = block;
        if (room == 0)
            return SORTES_E_NOMEM;
        w->counts_room = room;
    }
    return SORTES_OK;
}

int32_t srt_window_back(const struct srt_window *w, size_t i)
{
    size_t at = w->first + w->n_kept - 1 - i;

    assert(i < w->n_kept);
    return w->tokens[at >= w->room ? at - w->room : at];
}

sortes_status srt_window_copy(struct srt_window *to,
                              const struct srt_window *from)
{
    assert(to->limit == from->limit && to->n_kept == 0);
    if (from->n_kept == 0)
        return SORTES_OK;
    if (srt_window_reserve(to, from->n_kept) != SORTES_OK)
        return SORTES_E_NOMEM;
    for (size_t i = 0; i < from->n_kept; i++)
        to->tokens[i] = srt_window_back(from, from->n_kept - 1 - i);
    to->n_kept = from->n_kept;
    to->n = from->n;
    memcpy(to->counts, from->counts, from->n_counts * sizeof(*to->counts));
    to->n_counts = from->n_counts;
    return SORTES_OK;
}

static void window_count_up(struct srt_window *w, int32_t token)
{
    const size_t i = srt_counts_find(w->counts, w->n_counts, token);

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
    const size_t i = srt_counts_find(w->counts, w->n_counts, token);

    assert(i < w->n_counts && w->counts[i].token == token);
    if (--w->counts[i].count > 0)
        return;
    w->n_counts--;
    memmove(&w->counts[i], &w->counts[i + 1],
            (w->n_counts - i) * sizeof(*w->counts));
}

/* Puts token into the ring; returns whether *dropped left the window. */
static bool window_rotate(struct srt_window *w, int32_t token, int32_t *dropped)
{
    const bool full = w->n == w->limit;

    if (full)
        *dropped = srt_window_back(w, w->limit - 1);
    else
        w->n++;
    if (w->n_kept < window_most(w)) {
        const size_t at = w->first + w->n_kept++;

        w->tokens[at >= w->room ? at - w->room : at] = token;
        return full;
    }
    w->tokens[w->first] = token;
    w->first = w->first + 1 == w->room ? 0 : w->first + 1;
    return full;
}

static void window_recount(struct srt_window *w)
{
    struct srt_count *c = w->counts;
    size_t last = 0;

    for (size_t i = 0; i < w->n; i++)
        c[i] = (struct srt_count){ srt_window_back(w, i), 1 };
    srt_counts_sort(c, w->n);
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
    if (n > window_most(w)) {
        tokens += n - window_most(w);
        n = window_most(w);
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

void srt_window_pop(struct srt_window *w, size_t n)
{
    if (w->limit == 0)
        return;
    for (; n > 0; n--) {
        window_count_down(w, srt_window_back(w, 0));
        w->n_kept--;
        if (w->n_kept >= w->limit)
            window_count_up(w, srt_window_back(w, w->limit - 1));
        else
            w->n--;
    }
}

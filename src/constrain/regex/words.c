/*
 * words.c - stacks of words, and how lists of numbers are sorted
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/book.h"

#include <stdlib.h>

/* Below this an insertion sort is faster than a call of qsort(). */
enum { WORDS_FEW = 16 };

/* Twice the room, or a first one; NULL and a failure noted: there is none. */
static void *words_grow(struct srt_book *b, void *at, size_t *room, size_t size)
{
    const size_t more = *room ? 2 * *room : 256;
    void *grown;

    if (more > b->limits.max_bytes / size) {
        srt_book_fail(b, SORTES_E_LIMIT);
        return NULL;
    }
    grown = realloc(at, more * size);
    if (!grown)
        srt_book_fail(b, SORTES_E_NOMEM);
    else
        *room = more;
    return grown;
}

/* Words between two looks at the clock: most calls push fewer. */
enum { WORDS_A_LOOK = 1 << 12 };

/* A call that would not end in sight fails instead. */
static bool words_work(struct srt_book *b)
{
    if (b->work == 0 || !srt_timer_step(&b->timer, WORDS_A_LOOK)) {
        srt_book_fail(b, SORTES_E_LIMIT);
        return false;
    }
    b->work--;
    return true;
}

void srt_words_push(struct srt_book *b, struct srt_words *w, uint32_t word)
{
    if (!words_work(b))
        return;
    if (w->n == w->room) {
        uint32_t *grown = words_grow(b, w->at, &w->room, sizeof(*w->at));

        if (!grown)
            return;
        w->at = grown;
    }
    w->at[w->n++] = word;
}

void srt_pairs_push(struct srt_book *b, uint64_t pair)
{
    struct srt_pairs *p = &b->pairs;

    if (!words_work(b))
        return;
    if (p->n == p->room) {
        uint64_t *grown = words_grow(b, p->at, &p->room, sizeof(*p->at));

        if (!grown)
            return;
        p->at = grown;
    }
    p->at[p->n++] = pair;
}

bool srt_words_find(const uint32_t *sorted, size_t n, uint32_t word, size_t *at)
{
    size_t low = 0;

    while (n > 0) {
        const size_t half = n / 2;

        *at = low + half;
        if (sorted[*at] == word)
            return true;
        if (sorted[*at] < word) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return false;
}

static int words_compare(const void *x, const void *y)
{
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

    return (a > b) - (a < b);
}

static int words_compare_pairs(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

    return (a > b) - (a < b);
}

size_t srt_words_unique(uint32_t *at, size_t n)
{
    size_t kept = 0;

    if (n <= WORDS_FEW) {
        for (size_t i = 1; i < n; i++) {
            const uint32_t word = at[i];
            size_t j = i;

            for (; j > 0 && at[j - 1] > word; j--)
                at[j] = at[j - 1];
            at[j] = word;
        }
    } else {
        qsort(at, n, sizeof(*at), words_compare);
    }
    for (size_t i = 0; i < n; i++)
        if (i == 0 || at[i] != at[kept - 1])
            at[kept++] = at[i];
    return kept;
}

void srt_sort_pairs(uint64_t *at, size_t n)
{
    if (n > WORDS_FEW) {
        qsort(at, n, sizeof(*at), words_compare_pairs);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        const uint64_t pair = at[i];
        size_t j = i;

        for (; j > 0 && at[j - 1] > pair; j--)
            at[j] = at[j - 1];
        at[j] = pair;
    }
}

/*
 * alike.c - states that no short string tells apart
 *
 * What counts, such as [a-z]{1,255}, has a state for each count; far from the
 * bounds they differ by nothing that a token could reach.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/book.h"

enum { ALIKE_PAIRS = 512 };

/* Pairs of states that strings of one length lead to, each once. */
struct alike {
    struct srt_book *b;
    struct srt_pool pairs;
    bool alike;
};

static void alike_meet(struct alike *a, uint32_t x, uint32_t y)
{
    const uint32_t pair[2] = { x, y };
    uint32_t number;

    if (x == y)
        return;
    a->alike =
        x && y &&
        srt_state_info(a->b, x)->accepts == srt_state_info(a->b, y)->accepts &&
        srt_pool_intern(&a->pairs, pair, sizeof(pair), &number, NULL) ==
            SORTES_OK;
}

static uint32_t alike_next(struct srt_book *b, uint32_t state, uint32_t class_)
{
    const uint32_t next = srt_state_next(b, state, class_);

    return next && srt_state_alive(b, next) ? next : 0;
}

/* The pairs from first to last are followed; those behind them are met. */
static void alike_follow(struct alike *a, uint32_t first, uint32_t last)
{
    struct srt_book *b = a->b;
    uint32_t pair[2];

    for (uint32_t i = first; i <= last && a->alike; i++) {
        memcpy(pair, srt_pool_key(&a->pairs, i, NULL), sizeof(pair));
        for (uint32_t c = 0;
             c + 1 < b->n_classes && a->alike && !srt_book_failed(b); c++)
            alike_meet(a, alike_next(b, pair[0], c), alike_next(b, pair[1], c));
    }
}

sortes_status srt_book_alike(struct srt_book *b, uint32_t x, uint32_t y,
                             uint32_t longest, bool *alike)
{
    struct alike a = { .b = b, .alike = true };
    uint32_t from = 1;

    srt_book_begin(b);
    srt_pool_init(&a.pairs, 0, ALIKE_PAIRS, SIZE_MAX);
    alike_meet(&a, x, y);
    for (uint32_t length = 0; length < longest && a.alike && from <= a.pairs.n;
         length++) {
        const uint32_t last = (uint32_t)a.pairs.n;

        alike_follow(&a, from, last);
        from = last + 1;
    }
    srt_pool_clear(&a.pairs);
    *alike = a.alike && !srt_book_failed(b);
    return b->status;
}

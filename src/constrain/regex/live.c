/*
 * live.c - whether a state can be completed: a search for one that accepts
 *
 * Depth first, by the states' own rows, so that what the search finds out is
 * not lost.  It ends at the first state known to be alive; then every state
 * that was reached is decided: alive if a path leads to one that is, through
 * the edges seen; dead otherwise, unless its own edges were not all seen, and
 * those states are the ones on the path, which is alive.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/book.h"

enum { LIVE_LEVELS = 8 };

struct live_search {
    struct srt_book *b;
    size_t path;  /* pairs of (class, state) begin here in b->pairs */
    size_t found; /* states reached, in b->words */
};

/* Sure without a search, for terms without conditions, a few levels deep. */
static bool live_is_obvious(const struct srt_book *b, uint32_t x, int levels)
{
    const struct srt_term_info *info = srt_term_info(b, x);
    size_t n;
    const uint32_t *p;

    if (info->plain || (info->head == 0 && info->nullable))
        return true;
    if (info->uses || b->everything == b->empty || levels == 0)
        return false;
    p = srt_term(b, x, &n);
    if (p[0] == SRT_T_NOT) /* of a language with a longest string */
        return srt_term_info(b, p[1])->max != SRT_INFINITY;
    if (p[0] == SRT_T_CAT)
        return live_is_obvious(b, p[1], levels - 1) &&
               live_is_obvious(b, p[2], levels - 1);
    for (size_t i = 1; p[0] == SRT_T_OR && i < n; i++)
        if (live_is_obvious(b, p[i], levels - 1))
            return true;
    return false;
}

static bool live_known(const struct srt_book *b, uint32_t state)
{
    struct srt_state_info *info = srt_state_info(b, state);
    const uint32_t *key;

    if (info->life == SRT_LIFE_UNKNOWN) {
        key = srt_pool_key(&b->states, state, NULL);
        if (live_is_obvious(b, key[0], LIVE_LEVELS))
            info->life = SRT_LIFE_ALIVE;
    }
    return info->life == SRT_LIFE_ALIVE;
}

static void live_push(struct live_search *s, uint32_t state)
{
    srt_state_info(s->b, state)->mark = 1;
    srt_words_push(s->b, &s->b->words, state);
    srt_pairs_push(s->b, state);
}

/* Goes on from the end of the path; true: it has reached a living state. */
static bool live_walk(struct live_search *s)
{
    struct srt_book *b = s->b;

    while (b->pairs.n > s->path && !srt_book_failed(b)) {
        const size_t top = b->pairs.n - 1;
        const uint32_t state = (uint32_t)b->pairs.at[top];
        const uint32_t class_ = (uint32_t)(b->pairs.at[top] >> 32);
        uint32_t next;

        if (class_ + 1 >= b->n_classes) {
            b->pairs.n--;
            continue;
        }
        b->pairs.at[top] += UINT64_C(1) << 32;
        next = srt_state_next(b, state, class_);
        if (next == 0 || srt_state_info(b, next)->life == SRT_LIFE_DEAD)
            continue;
        if (live_known(b, next))
            return true;
        if (!srt_state_info(b, next)->mark)
            live_push(s, next);
    }
    return false;
}

/* What was found and leads to the path is alive, as the path is. */
static void live_spread(struct live_search *s)
{
    struct srt_book *b = s->b;
    const size_t first = b->pairs.n;
    size_t todo = b->words.n, end;

    /* Edges backwards, and as work the states of the path. */
    for (size_t i = s->found; i < todo; i++) {
        const uint32_t from = b->words.at[i];
        const struct srt_state_info *info = srt_state_info(b, from);
        uint32_t last = 0;

        for (uint32_t c = 0; info->next && c + 1 < b->n_classes; c++) {
            const uint32_t to = info->next[c];

            if (to && to != last && to != SRT_NEXT_UNKNOWN)
                srt_pairs_push(b, (uint64_t)to << 32 | from);
            last = to;
        }
    }
    for (size_t i = s->path; i < first; i++) {
        srt_state_info(b, (uint32_t)b->pairs.at[i])->life = SRT_LIFE_ALIVE;
        srt_words_push(b, &b->words, (uint32_t)b->pairs.at[i]);
    }
    end = b->pairs.n;
    if (srt_book_failed(b))
        return;
    srt_sort_pairs(b->pairs.at + first, end - first);
    for (; todo < b->words.n && !srt_book_failed(b); todo++) {
        const uint64_t to = (uint64_t)b->words.at[todo] << 32;
        size_t low = first, n = end - first;

        while (n > 0) {
            const size_t half = n / 2;

            if (b->pairs.at[low + half] < to) {
                low += half + 1;
                n -= half + 1;
            } else {
                n = half;
            }
        }
        for (; low < end && b->pairs.at[low] >> 32 == to >> 32; low++) {
            const uint32_t from = (uint32_t)b->pairs.at[low];

            if (srt_state_info(b, from)->life == SRT_LIFE_UNKNOWN) {
                srt_state_info(b, from)->life = SRT_LIFE_ALIVE;
                srt_words_push(b, &b->words, from);
            }
        }
    }
}

bool srt_state_alive(struct srt_book *b, uint32_t state)
{
    struct live_search s = { b, b->pairs.n, b->words.n };
    const uint32_t life = srt_state_info(b, state)->life;
    size_t end;
    bool alive;

    if (srt_book_failed(b) || life == SRT_LIFE_DEAD)
        return false;
    if (life == SRT_LIFE_ALIVE || live_known(b, state))
        return true;
    live_push(&s, state);
    alive = live_walk(&s);
    end = b->words.n;
    if (alive && !srt_book_failed(b))
        live_spread(&s);
    for (size_t i = s.found; i < end; i++) {
        struct srt_state_info *info = srt_state_info(b, b->words.at[i]);

        info->mark = 0;
        if (!srt_book_failed(b) && info->life == SRT_LIFE_UNKNOWN)
            info->life = SRT_LIFE_DEAD;
    }
    b->words.n = s.found;
    b->pairs.n = s.path;
    return alive && !srt_book_failed(b);
}

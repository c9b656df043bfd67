/*
 * source.c - sources: expressions as they are written, before a book closes
 *
 * Only laws that need no look at the alphabet are applied here; terms are where
 * simplification pays.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/book.h"

#include <assert.h>

/* Adds up what x holds into info; returns the depth of the deepest. */
static uint32_t source_gather(const struct srt_book *b, const uint32_t *key,
                              size_t n, struct srt_source_info *info)
{
    const bool repeats = key[0] == SRT_S_REPEAT;
    size_t first = 1, last = n;
    uint32_t depth = 0;

    if (key[0] == SRT_S_GROUP)
        first = 2;
    else if (repeats || key[0] == SRT_S_AHEAD)
        last = 2;
    info->no_width = true;
    for (size_t i = first; i < last; i++) {
        const struct srt_source_info *x;

        if (key[i] == 0)
            continue;
        x = srt_source_info(b, key[i]);
        info->uses |= x->uses;
        info->asserts |= x->asserts;
        info->no_width &= x->no_width;
        depth = x->depth > depth ? x->depth : depth;
    }
    return depth;
}

uint32_t srt_source_make(struct srt_book *b, const uint32_t *key, size_t n)
{
    struct srt_source_info info = { .no_width = true };
    uint32_t depth = 0;
    uint32_t x;
    bool is_new;

    if (srt_book_failed(b))
        return 0;
    if (key[0] == SRT_S_BEHIND) {
        info.uses = UINT64_C(1) << key[1];
    } else if (key[0] == SRT_S_SET || key[0] == SRT_S_STRING ||
               key[0] == SRT_S_REFER) {
        info.no_width = false;
    } else if (key[0] != SRT_S_EMPTY && key[0] != SRT_S_END) {
        depth = source_gather(b, key, n, &info);
    }
    if (key[0] == SRT_S_AHEAD || key[0] == SRT_S_BEHIND || key[0] == SRT_S_END)
        info.asserts = info.no_width = true;
    if (key[0] == SRT_S_NOT)
        info.no_width = false;
    if (depth >= SRT_SOURCE_DEPTH)
        return srt_book_fail(b, SORTES_E_LIMIT);
    info.depth = (uint16_t)(depth + 1);
    b->status =
        srt_pool_intern(&b->sources, key, n * sizeof(*key), &x, &is_new);
    if (srt_book_failed(b))
        return 0;
    if (is_new)
        *srt_source_info(b, x) = info;
    return x;
}

uint32_t srt_source_empty(struct srt_book *b)
{
    const uint32_t key[1] = { SRT_S_EMPTY };

    return srt_source_make(b, key, 1);
}

uint32_t srt_source_end(struct srt_book *b)
{
    const uint32_t key[1] = { SRT_S_END };

    return srt_source_make(b, key, 1);
}

uint32_t srt_source_set(struct srt_book *b, const uint32_t (*ranges)[2],
                        size_t n)
{
    uint32_t key[2] = { SRT_S_SET, 0 };

    if (n == 0 || srt_book_failed(b))
        return 0;
    b->status =
        srt_pool_intern(&b->sets, ranges, n * sizeof(*ranges), &key[1], NULL);
    return srt_source_make(b, key, 2);
}

uint32_t srt_source_anything(struct srt_book *b)
{
    static const uint32_t all[1][2] = { { 0, SRT_CODE_MAX } };

    return srt_source_repeat(b, srt_source_set(b, all, 1), 0, SRT_INFINITY);
}

/* Interns kind and the words above from, and takes them off. */
static uint32_t source_from_words(struct srt_book *b, size_t from,
                                  enum srt_source_kind kind)
{
    struct srt_words *w = &b->words;
    uint32_t x = 0;

    if (kind != SRT_S_CAT && !srt_book_failed(b))
        w->n = from + srt_words_unique(w->at + from, w->n - from);
    if (!srt_book_failed(b) && w->n == from + 1)
        x = w->at[from];
    srt_words_push(b, w, 0);
    if (!srt_book_failed(b) && w->n > from + 2) {
        memmove(w->at + from + 1, w->at + from,
                (w->n - from - 1) * sizeof(*w->at));
        w->at[from] = kind;
        x = srt_source_make(b, w->at + from, w->n - from);
    }
    w->n = from;
    return x;
}

uint32_t srt_source_cat_words(struct srt_book *b, size_t from)
{
    struct srt_words *w = &b->words;
    size_t kept = from;

    for (size_t i = from; i < w->n && !srt_book_failed(b); i++) {
        if (w->at[i] == 0) {
            w->n = from;
            return 0;
        }
        if (srt_source(b, w->at[i], NULL)[0] != SRT_S_EMPTY)
            w->at[kept++] = w->at[i];
    }
    w->n = kept;
    if (kept == from)
        return srt_source_empty(b);
    return source_from_words(b, from, SRT_S_CAT);
}

uint32_t srt_source_cat(struct srt_book *b, const uint32_t *x, size_t n)
{
    const size_t from = b->words.n;

    for (size_t i = 0; i < n; i++)
        srt_words_push(b, &b->words, x[i]);
    return srt_source_cat_words(b, from);
}

uint32_t srt_source_or_words(struct srt_book *b, size_t from)
{
    struct srt_words *w = &b->words;
    size_t kept = from;

    for (size_t i = from; i < w->n; i++)
        if (w->at[i])
            w->at[kept++] = w->at[i];
    w->n = kept;
    return kept == from ? 0 : source_from_words(b, from, SRT_S_OR);
}

uint32_t srt_source_or(struct srt_book *b, const uint32_t *x, size_t n)
{
    const size_t from = b->words.n;

    for (size_t i = 0; i < n; i++)
        srt_words_push(b, &b->words, x[i]);
    return srt_source_or_words(b, from);
}

uint32_t srt_source_and(struct srt_book *b, const uint32_t *x, size_t n)
{
    const size_t from = b->words.n;

    if (n == 0)
        return srt_source_anything(b);
    for (size_t i = 0; i < n; i++) {
        if (x[i] == 0) {
            b->words.n = from;
            return 0;
        }
        srt_words_push(b, &b->words, x[i]);
    }
    return source_from_words(b, from, SRT_S_AND);
}

uint32_t srt_source_not(struct srt_book *b, uint32_t x)
{
    const uint32_t key[2] = { SRT_S_NOT, x };

    if (srt_book_failed(b))
        return 0;
    if (x == 0)
        return srt_source_anything(b);
    if (srt_source(b, x, NULL)[0] == SRT_S_NOT)
        return srt_source(b, x, NULL)[1];
    return srt_source_make(b, key, 2);
}

uint32_t srt_source_repeat(struct srt_book *b, uint32_t x, uint32_t min,
                           uint32_t max)
{
    const uint32_t key[4] = { SRT_S_REPEAT, x, min, max };

    if (srt_book_failed(b))
        return 0;
    if (max == 0 || (x == 0 && min == 0))
        return srt_source_empty(b);
    if (x == 0 || (min == 1 && max == 1))
        return x;
    /* What has no width is so often enough the first time. */
    if (srt_source_info(b, x)->no_width)
        return min == 0 ? srt_source_empty(b) : x;
    return srt_source_make(b, key, 4);
}

uint32_t srt_source_ahead(struct srt_book *b, uint32_t x, bool negated)
{
    const uint32_t key[3] = { SRT_S_AHEAD, x, negated };

    if (x == 0)
        return negated ? srt_source_empty(b) : 0;
    return srt_source_make(b, key, 3);
}

uint32_t srt_source_behind(struct srt_book *b, uint32_t tracker, bool negated)
{
    const uint32_t key[3] = { SRT_S_BEHIND, tracker, negated };

    return srt_source_make(b, key, 3);
}

uint32_t srt_source_tracker(struct srt_book *b, uint32_t x)
{
    const uint32_t parts[2] = { srt_source_anything(b), x };
    const uint32_t language = srt_source_cat(b, parts, 2);

    if (srt_book_failed(b))
        return 0;
    assert(x && !srt_source_info(b, x)->asserts);
    for (uint32_t i = 0; i < b->n_trackers; i++)
        if (b->trackers[i].source == language)
            return i;
    if (b->n_trackers == SRT_MAX_TRACKERS)
        return srt_book_fail(b, SORTES_E_LIMIT);
    b->trackers[b->n_trackers].source = language;
    b->trackers[b->n_trackers].last_only =
        srt_source(b, x, NULL)[0] == SRT_S_SET;
    return b->n_trackers++;
}

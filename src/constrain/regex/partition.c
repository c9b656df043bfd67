/*
 * partition.c - closing a book: code points that no set tells apart are one
 * class
 *
 * The line of code points is cut wherever a set begins or ends.  Then the sets
 * are gone through one by one, and a class that a set holds in part is split.
 * What is missing, and the surrogates, become the last class.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/book.h"

#include <stdlib.h>

struct partition {
    struct srt_book *b;
    uint32_t *cuts; /* firsts of the segments, sorted */
    size_t n_cuts;
    uint32_t *classes; /* of the segments */
    uint32_t n_classes, room;
    /* By class: segments it has; how many the set at hand holds; its other
     * half. */
    uint32_t (*count)[3];
};

static void partition_add(struct partition *p, uint32_t first, uint32_t last)
{
    srt_words_push(p->b, &p->b->words, first);
    if (last < SRT_CODE_MAX)
        srt_words_push(p->b, &p->b->words, last + 1);
}

/* Every place where something begins or ends, in b->words. */
static void partition_collect(struct partition *p, const uint32_t (*missing)[2],
                              size_t n_missing)
{
    struct srt_book *b = p->b;

    srt_words_push(b, &b->words, 0);
    partition_add(p, 0xD800, 0xDFFF);
    for (size_t i = 0; i < n_missing; i++)
        partition_add(p, missing[i][0], missing[i][1]);
    for (uint32_t s = 1; s <= b->sets.n; s++) {
        size_t n;
        const uint32_t(*ranges)[2] = srt_set_ranges(b, s, &n);

        for (size_t i = 0; i < n; i++)
            partition_add(p, ranges[i][0], ranges[i][1]);
    }
    for (uint32_t x = 1; x <= b->sources.n; x++) {
        size_t n;
        const uint32_t *key = srt_source(b, x, &n);

        for (size_t i = 1; key[0] == SRT_S_STRING && i < n; i++)
            partition_add(p, key[i], key[i]);
    }
    if (!srt_book_failed(b))
        b->words.n = srt_words_unique(b->words.at, b->words.n);
    p->cuts = b->words.at;
    p->n_cuts = b->words.n;
}

/* The segment that begins at code. */
static size_t partition_find(const struct partition *p, uint32_t code)
{
    size_t at = p->n_cuts;

    if (code <= SRT_CODE_MAX)
        (void)srt_words_find(p->cuts, p->n_cuts, code, &at);
    return at;
}

/* The classes of the segments of these ranges apart from all others. */
static void partition_split(struct partition *p, const uint32_t (*ranges)[2],
                            size_t n)
{
    const size_t marks = p->b->pairs.n;

    for (size_t i = 0; i < n; i++) {
        const size_t end = partition_find(p, ranges[i][1] + 1);

        for (size_t s = partition_find(p, ranges[i][0]); s < end; s++)
            p->count[p->classes[s]][1]++;
    }
    for (size_t i = 0; i < n; i++) {
        const size_t end = partition_find(p, ranges[i][1] + 1);

        for (size_t s = partition_find(p, ranges[i][0]); s < end; s++) {
            uint32_t *c = p->count[p->classes[s]];

            if (c[1] < c[0] && c[1] > 0 && c[2] == 0) {
                c[2] = p->n_classes++;
                memset(p->count[c[2]], 0, sizeof(*p->count));
            }
            srt_pairs_push(p->b, (uint64_t)p->classes[s] << 32 | s);
        }
    }
    if (srt_book_failed(p->b))
        return;
    for (size_t i = marks; i < p->b->pairs.n; i++) {
        uint32_t *c = p->count[p->b->pairs.at[i] >> 32];

        if (c[2]) {
            p->classes[(uint32_t)p->b->pairs.at[i]] = c[2];
            p->count[c[2]][0]++;
            c[0]--;
        }
        c[1] = 0;
    }
    for (size_t i = marks; i < p->b->pairs.n; i++)
        p->count[p->b->pairs.at[i] >> 32][2] = 0;
    p->b->pairs.n = marks;
}

static void partition_refine(struct partition *p, const uint32_t (*missing)[2],
                             size_t n_missing)
{
    static const uint32_t surrogates[1][2] = { { 0xD800, 0xDFFF } };
    struct srt_book *b = p->b;

    p->n_classes = 1;
    p->count[0][0] = (uint32_t)p->n_cuts;
    for (uint32_t s = 1; s <= b->sets.n; s++) {
        size_t n;
        const uint32_t(*ranges)[2] = srt_set_ranges(b, s, &n);

        partition_split(p, ranges, n);
    }
    for (uint32_t x = 1; x <= b->sources.n; x++) {
        size_t n;
        const uint32_t *key = srt_source(b, x, &n);

        for (size_t i = 1; key[0] == SRT_S_STRING && i < n; i++) {
            const uint32_t one[1][2] = { { key[i], key[i] } };

            partition_split(p, one, 1);
        }
    }
    partition_split(p, missing, n_missing);
    partition_split(p, surrogates, 1);
}

static void partition_drop(const struct partition *p,
                           const uint32_t (*ranges)[2], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const size_t end = partition_find(p, ranges[i][1] + 1);

        for (size_t s = partition_find(p, ranges[i][0]); s < end; s++)
            p->classes[s] = SRT_INFINITY;
    }
}

/* Numbers the classes by where they occur first, the missing ones last. */
static uint32_t partition_number(const struct partition *p,
                                 const uint32_t (*missing)[2], size_t n_missing)
{
    static const uint32_t surrogates[1][2] = { { 0xD800, 0xDFFF } };
    uint32_t n = 0;

    partition_drop(p, missing, n_missing);
    partition_drop(p, surrogates, 1);
    for (uint32_t c = 0; c < p->n_classes; c++)
        p->count[c][0] = SRT_INFINITY;
    for (size_t s = 0; s < p->n_cuts; s++) {
        if (p->classes[s] == SRT_INFINITY)
            continue;
        if (p->count[p->classes[s]][0] == SRT_INFINITY)
            p->count[p->classes[s]][0] = n++;
        p->classes[s] = p->count[p->classes[s]][0];
    }
    for (size_t s = 0; s < p->n_cuts; s++)
        if (p->classes[s] == SRT_INFINITY)
            p->classes[s] = n;
    return n + 1;
}

/* Neighbours of one class are one segment. */
static void partition_store(const struct partition *p)
{
    struct srt_book *b = p->b;
    size_t n = 0;

    b->segments = malloc(p->n_cuts * sizeof(*b->segments));
    if (!b->segments) {
        srt_book_fail(b, SORTES_E_NOMEM);
        return;
    }
    for (size_t s = 0; s < p->n_cuts; s++) {
        if (n > 0 && b->segments[n - 1].class_of == p->classes[s])
            continue;
        if (n > 0)
            b->segments[n - 1].last = p->cuts[s] - 1;
        b->segments[n].first = p->cuts[s];
        b->segments[n++].class_of = p->classes[s];
    }
    b->segments[n - 1].last = SRT_CODE_MAX;
    b->n_segments = n;
    for (uint32_t code = 0, s = 0; code < SRT_COUNT(b->ascii); code++) {
        if (code > b->segments[s].last)
            s++;
        b->ascii[code] = b->segments[s].class_of;
    }
}

/* The set of everything, and the terms that are always there. */
static void partition_begin_terms(struct srt_book *b)
{
    const struct srt_term_info empty = { .nullable = true, .plain = true };
    const uint32_t key[1] = { SRT_T_EMPTY };
    const size_t pairs = b->pairs.n;
    uint32_t all;

    b->empty = srt_term_intern(b, key, 1, &empty);
    for (uint32_t k = 0; k < b->n_class_words; k++)
        srt_pairs_push(b, 0);
    if (srt_book_failed(b))
        return;
    for (uint32_t c = 0; c + 1 < b->n_classes; c++)
        b->pairs.at[pairs + (c >> 6)] |= UINT64_C(1) << (c & 63);
    all = srt_term_set(b, b->pairs.at + pairs);
    b->pairs.n = pairs;
    b->everything = srt_term_repeat(b, all, 0, SRT_INFINITY);
    for (uint32_t i = 0; i < b->n_trackers; i++)
        b->trackers[i].term = srt_compile(b, b->trackers[i].source, b->empty);
}

static void partition_make(struct srt_book *b, const uint32_t (*missing)[2],
                           size_t n_missing)
{
    struct partition p = { .b = b };

    partition_collect(&p, missing, n_missing);
    if (srt_book_failed(b))
        return;
    p.classes = calloc(p.n_cuts, sizeof(*p.classes));
    p.count = calloc(p.n_cuts + 1, sizeof(*p.count));
    if (!p.classes || !p.count) {
        srt_book_fail(b, SORTES_E_NOMEM);
    } else {
        partition_refine(&p, missing, n_missing);
        if (!srt_book_failed(b)) {
            b->n_classes = partition_number(&p, missing, n_missing);
            b->n_class_words = (b->n_classes + 63) / 64;
            partition_store(&p);
        }
    }
    free(p.classes);
    free(p.count);
    b->words.n = 0;
}

sortes_status srt_book_close(struct srt_book *b, const uint32_t (*missing)[2],
                             size_t n_missing)
{
    if (b->closed)
        return SORTES_E_ARGUMENT;
    srt_book_begin(b);
    partition_make(b, missing, n_missing);
    if (srt_book_failed(b))
        return b->status;
    b->derived = calloc(SRT_DERIVE_SLOTS, sizeof(*b->derived));
    b->equal_classes = calloc(b->n_class_words, sizeof(*b->equal_classes));
    if (!b->derived || !b->equal_classes)
        return SORTES_E_NOMEM;
    partition_begin_terms(b);
    b->closed = !srt_book_failed(b);
    return b->status;
}

uint32_t srt_book_n_classes(const struct srt_book *b)
{
    return b->n_classes;
}

uint32_t srt_book_missing(const struct srt_book *b)
{
    return b->n_classes - 1;
}

const struct srt_book_segment *srt_book_segments(const struct srt_book *b,
                                                 size_t *n)
{
    *n = b->n_segments;
    return b->segments;
}

uint32_t srt_book_class(const struct srt_book *b, uint32_t code)
{
    size_t low = 0, n = b->n_segments;

    if (code < SRT_COUNT(b->ascii))
        return b->ascii[code];
    while (n > 1) {
        const size_t half = n / 2;

        if (b->segments[low + half].first <= code)
            low += half;
        n -= half;
    }
    return b->segments[low].class_of;
}

static void partition_set_bits(const struct srt_book *b, uint64_t *bits,
                               uint32_t first, uint32_t last)
{
    size_t low = 0, n = b->n_segments;

    while (n > 1) {
        const size_t half = n / 2;

        if (b->segments[low + half].first <= first)
            low += half;
        n -= half;
    }
    for (; low < b->n_segments && b->segments[low].first <= last; low++) {
        const uint32_t c = b->segments[low].class_of;

        if (c + 1 < b->n_classes)
            bits[c >> 6] |= UINT64_C(1) << (c & 63);
    }
}

/* The term of ranges: the classes in them that are not missing. */
uint32_t srt_book_class_set(struct srt_book *b, const uint32_t (*ranges)[2],
                            size_t n)
{
    const size_t pairs = b->pairs.n;
    uint32_t x;

    for (uint32_t k = 0; k < b->n_class_words; k++)
        srt_pairs_push(b, 0);
    for (size_t i = 0; i < n && !srt_book_failed(b); i++)
        partition_set_bits(b, b->pairs.at + pairs, ranges[i][0], ranges[i][1]);
    x = srt_book_failed(b) ? 0 : srt_term_set(b, b->pairs.at + pairs);
    b->pairs.n = pairs;
    return x;
}

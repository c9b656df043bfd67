/*
 * factor.c - alternatives share what they begin with and what they end with
 *
 *   h t | h u       = h (t | u)
 *   s t | r t       = [sr] t             sets s, r
 *   r{a,b} t | r{c,d} t = r{min,max} t   where the counts touch
 *   h t | t         = h t                where h may be empty
 *   r{1,b} t | t    = r{0,b} t
 *
 * The first keeps thousands of literals a tree; the third keeps one counter
 * where (a|aa){0,100} would have a hundred.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/book.h"

enum {
    FACTOR_ROUNDS = 2,
    FACTOR_OPTIONS = 32, /* in a row that are seen through */
    FACTOR_REPEATS = 32  /* with one tail, that are compared with each other */
};

static uint32_t factor_head(const struct srt_book *b, uint32_t x)
{
    const uint32_t *p = srt_term(b, x, NULL);

    return p[0] == SRT_T_CAT ? p[1] : x;
}

static uint32_t factor_tail(const struct srt_book *b, uint32_t x)
{
    const uint32_t *p = srt_term(b, x, NULL);

    return p[0] == SRT_T_CAT ? p[2] : b->empty;
}

static uint32_t factor_high(const struct srt_book *b, size_t i)
{
    return (uint32_t)(b->pairs.at[i] >> 32);
}

static uint32_t factor_low(const struct srt_book *b, size_t i)
{
    return (uint32_t)b->pairs.at[i];
}

/*
 * Pairs of (head, tail), or (tail, head), of all operands but the empty string,
 * sorted, behind those that are there.  Whether two of them begin alike.
 */
static bool factor_pair_up(struct srt_book *b, size_t from, bool by_tail)
{
    const size_t first = b->pairs.n;
    bool alike = false;

    for (size_t i = from; i < b->words.n; i++) {
        const uint32_t x = b->words.at[i];
        const uint64_t head = x == b->empty ? 0 : factor_head(b, x);
        const uint64_t tail = x == b->empty ? 0 : factor_tail(b, x);

        if (head)
            srt_pairs_push(b, by_tail ? tail << 32 | head : head << 32 | tail);
    }
    if (srt_book_failed(b))
        return false;
    srt_sort_pairs(b->pairs.at + first, b->pairs.n - first);
    for (size_t i = first + 1; i < b->pairs.n && !alike; i++)
        alike = factor_high(b, i) == factor_high(b, i - 1);
    return alike;
}

/* Takes the operands off, except for the empty string. */
static void factor_clear(struct srt_book *b, size_t from)
{
    bool empty = false;

    for (size_t i = from; i < b->words.n; i++)
        empty |= b->words.at[i] == b->empty;
    b->words.n = from;
    if (empty)
        srt_words_push(b, &b->words, b->empty);
}

static bool factor_heads(struct srt_book *b, size_t from)
{
    const size_t first = b->pairs.n;
    size_t i = first, end;

    if (!factor_pair_up(b, from, false)) {
        b->pairs.n = first;
        return false;
    }
    end = b->pairs.n;
    factor_clear(b, from);
    while (i < end && !srt_book_failed(b)) {
        const uint32_t head = factor_high(b, i);
        const size_t tails = b->words.n;
        uint32_t tail;

        for (; i < end && factor_high(b, i) == head; i++)
            srt_words_push(b, &b->words, factor_low(b, i));
        tail = b->words.n == tails + 1 ? b->words.at[--b->words.n]
                                       : srt_term_or(b, tails);
        srt_words_push(b, &b->words, srt_term_cat(b, head, tail));
    }
    b->pairs.n = first;
    return true;
}

/* x as a repetition: of what, and how often. */
static uint32_t factor_counts(const struct srt_book *b, uint32_t x,
                              uint32_t counts[2])
{
    const uint32_t *p = srt_term(b, x, NULL);

    counts[0] = counts[1] = 1;
    if (p[0] != SRT_T_REPEAT)
        return x;
    counts[0] = p[2];
    counts[1] = p[3];
    return p[1];
}

/* One term for x | y if they repeat the same and their counts touch; else 0. */
static uint32_t factor_join_counts(struct srt_book *b, uint32_t x, uint32_t y)
{
    uint32_t p[2], q[2];
    const uint32_t r = factor_counts(b, x, p);

    if (r != factor_counts(b, y, q))
        return 0;
    if ((p[1] != SRT_INFINITY && q[0] > p[1] + 1) ||
        (q[1] != SRT_INFINITY && p[0] > q[1] + 1))
        return 0;
    return srt_term_repeat(b, r, p[0] < q[0] ? p[0] : q[0],
                           p[1] > q[1] ? p[1] : q[1]);
}

/* Heads of one tail, as the low halves of pairs; joined ones become 0. */
static bool factor_join_repeats(struct srt_book *b, size_t first, size_t end)
{
    bool joined = false;

    if (end - first > FACTOR_REPEATS)
        return false;
    for (size_t i = first; i < end; i++) {
        if (factor_low(b, i) == 0 ||
            srt_term_kind(b, factor_low(b, i)) != SRT_T_REPEAT)
            continue;
        for (size_t j = first; j < end; j++) {
            const uint32_t y = factor_low(b, j);
            const uint32_t x = j == i || y == 0
                                   ? 0
                                   : factor_join_counts(b, factor_low(b, i), y);

            if (!x)
                continue;
            b->pairs.at[i] = (b->pairs.at[i] >> 32 << 32) | x;
            b->pairs.at[j] = b->pairs.at[j] >> 32 << 32;
            joined = true;
            if (srt_term_kind(b, x) != SRT_T_REPEAT)
                break;
            j = first - 1; /* the longer one may touch more */
        }
    }
    return joined;
}

/* The sets among the heads of one tail become one. */
static bool factor_join_sets(struct srt_book *b, size_t first, size_t end)
{
    const size_t bits = b->pairs.n;
    size_t last = 0;
    uint32_t n = 0;

    for (size_t i = first; i < end; i++)
        n +=
            factor_low(b, i) && srt_term_kind(b, factor_low(b, i)) == SRT_T_SET;
    if (n < 2)
        return false;
    for (uint32_t k = 0; k < b->n_class_words; k++)
        srt_pairs_push(b, 0);
    for (size_t i = first; i < end && !srt_book_failed(b); i++) {
        const uint32_t x = factor_low(b, i);

        if (!x || srt_term_kind(b, x) != SRT_T_SET)
            continue;
        for (uint32_t k = 0; k < b->n_class_words; k++)
            b->pairs.at[bits + k] |= srt_term_classes(b, x)[k];
        b->pairs.at[i] = b->pairs.at[i] >> 32 << 32;
        last = i;
    }
    if (!srt_book_failed(b))
        b->pairs.at[last] |= srt_term_set(b, b->pairs.at + bits);
    b->pairs.n = bits;
    return true;
}

static bool factor_tails(struct srt_book *b, size_t from)
{
    const size_t first = b->pairs.n;
    bool joined = false;
    size_t end;

    if (!factor_pair_up(b, from, true)) {
        b->pairs.n = first;
        return false;
    }
    end = b->pairs.n;
    for (size_t i = first, j; i < end && !srt_book_failed(b); i = j) {
        for (j = i + 1; j < end && factor_high(b, j) == factor_high(b, i); j++)
            continue;
        if (j - i < 2)
            continue;
        joined |= factor_join_repeats(b, i, j);
        joined |= factor_join_sets(b, i, j);
    }
    if (joined && !srt_book_failed(b)) {
        factor_clear(b, from);
        for (size_t i = first; i < end && !srt_book_failed(b); i++)
            if (factor_low(b, i))
                srt_words_push(
                    b, &b->words,
                    srt_term_cat(b, factor_low(b, i), factor_high(b, i)));
    }
    b->pairs.n = first;
    return joined;
}

/* x is r{1,b} t. */
static bool factor_is_once(const struct srt_book *b, uint32_t x)
{
    const uint32_t *p = srt_term(b, factor_head(b, x), NULL);

    return p[0] == SRT_T_REPEAT && p[2] == 1;
}

/* x is h t with an h that may be empty. */
static bool factor_is_optional(const struct srt_book *b, uint32_t x)
{
    const struct srt_term_info *head = srt_term_info(b, factor_head(b, x));

    return x != b->empty && head->nullable && head->head == 0;
}

/* Pairs (operand, operand that is a tail of it), behind those that are there;
 * once: r{1,b} t and t; else t behind a few things that may be empty. */
static void factor_find_tails(struct srt_book *b, size_t from, bool once)
{
    const uint32_t *w = b->words.at;
    const size_t n = b->words.n - from;

    for (size_t i = from; i < from + n; i++) {
        uint32_t x = w[i];
        size_t at;

        for (int k = 0; k < (once ? 1 : FACTOR_OPTIONS); k++) {
            if (!(once ? factor_is_once(b, x) : factor_is_optional(b, x)))
                break;
            x = factor_tail(b, x);
            if (srt_words_find(w + from, n, x, &at)) {
                srt_pairs_push(b, (uint64_t)i << 32 | (from + at));
                break;
            }
        }
    }
}

/* r{1,b} t | t: the first such pair that is found.  Whether there was one. */
static bool factor_once(struct srt_book *b, size_t from)
{
    const size_t first = b->pairs.n;
    bool found;

    factor_find_tails(b, from, true);
    found = b->pairs.n > first && !srt_book_failed(b);
    if (found) {
        const size_t at = factor_high(b, first), tail = factor_low(b, first);
        const uint32_t *p = srt_term(b, factor_head(b, b->words.at[at]), NULL);
        const uint32_t x = srt_term_cat(b, srt_term_repeat(b, p[1], 0, p[3]),
                                        b->words.at[tail]);

        b->words.at[at] = x;
        b->words.at[tail] = 0;
    }
    b->pairs.n = first;
    return found;
}

static void factor_sort(struct srt_book *b, size_t from)
{
    size_t kept = from;

    if (srt_book_failed(b))
        return;
    for (size_t i = from; i < b->words.n; i++)
        if (b->words.at[i])
            b->words.at[kept++] = b->words.at[i];
    b->words.n = from + srt_words_unique(b->words.at + from, kept - from);
}

/* h t | t with an h that may be empty: t goes.  The operands are sorted. */
static void factor_optional(struct srt_book *b, size_t from)
{
    const size_t first = b->pairs.n;

    while (factor_once(b, from) && !srt_book_failed(b))
        factor_sort(b, from);
    if (srt_book_failed(b))
        return;
    factor_find_tails(b, from, false);
    for (size_t i = first; i < b->pairs.n; i++)
        b->words.at[factor_low(b, i)] = 0;
    if (b->pairs.n > first)
        factor_sort(b, from);
    b->pairs.n = first;
}

void srt_term_factor(struct srt_book *b, size_t from)
{
    bool again = true;

    if (b->depth >= SRT_FACTOR_DEPTH)
        return;
    b->depth++;
    factor_optional(b, from);
    for (int round = 0; round < FACTOR_ROUNDS && again; round++) {
        again = !srt_book_failed(b) && factor_heads(b, from);
        if (!srt_book_failed(b))
            again |= factor_tails(b, from);
    }
    b->depth--;
}

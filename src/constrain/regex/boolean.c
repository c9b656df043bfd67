/*
 * boolean.c - alternatives and intersections of terms, in a normal form
 *
 * The two are each other's mirror image, and most laws are written once:
 * flattened, sorted, without repetition; the neutral term dropped, the
 * absorbing one taken; x with its complement; several complements as one (De
 * Morgan); conditions on one tracker as one; x | (x & y) = x = x & (x | y).
 * What makes the number of states small is the rest: alternatives share their
 * heads and tails (factor.c), and intersections know lengths that cannot meet.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/book.h"

struct boolean {
    struct srt_book *b;
    uint32_t kind, dual; /* SRT_T_OR, SRT_T_AND */
    uint32_t neutral, absorbing;
    size_t from; /* the operands are b->words.at[from ..] */
};

static uint32_t bool_combine(struct srt_book *b, uint32_t kind, size_t from)
{
    return kind == SRT_T_OR ? srt_term_or(b, from) : srt_term_and(b, from);
}

static void bool_sort(const struct boolean *o)
{
    struct srt_words *w = &o->b->words;

    if (!srt_book_failed(o->b))
        w->n = o->from + srt_words_unique(w->at + o->from, w->n - o->from);
}

/* Sorted operands, none of them neutral; false: one is absorbing. */
static bool bool_flatten(const struct boolean *o)
{
    struct srt_words *w = &o->b->words;
    const size_t end = w->n;
    size_t kept = o->from;

    for (size_t i = o->from; i < end; i++) {
        const uint32_t x = w->at[i];
        const uint32_t *p;
        size_t n;

        if (x == 0 || x == o->b->everything)
            continue;
        p = srt_term(o->b, x, &n);
        if (p[0] != o->kind)
            continue;
        w->at[i] = o->neutral;
        for (size_t j = 1; j < n; j++)
            srt_words_push(o->b, w, p[j]);
    }
    for (size_t i = o->from; i < w->n; i++) {
        if (w->at[i] == o->absorbing)
            return false;
        if (w->at[i] != o->neutral)
            w->at[kept++] = w->at[i];
    }
    w->n = kept;
    bool_sort(o);
    return true;
}

static bool bool_has(const struct boolean *o, uint32_t x)
{
    const struct srt_words *w = &o->b->words;
    size_t at;

    return srt_words_find(w->at + o->from, w->n - o->from, x, &at);
}

/* Whether x is of kind and one of its operands is among ours. */
static bool bool_shares(const struct boolean *o, uint32_t x, uint32_t kind)
{
    size_t n;
    const uint32_t *p = srt_term(o->b, x, &n);

    if (p[0] == kind)
        for (size_t i = 1; i < n; i++)
            if (bool_has(o, p[i]))
                return true;
    return false;
}

/* x | (x & y) = x, and the mirror image. */
static void bool_absorb(const struct boolean *o)
{
    struct srt_words *w = &o->b->words;
    bool any = false;

    for (size_t i = o->from; i < w->n && !any; i++)
        any = srt_term_kind(o->b, w->at[i]) == o->dual;
    if (!any)
        return;
    for (size_t i = o->from; i < w->n;) {
        if (bool_shares(o, w->at[i], o->dual)) {
            memmove(w->at + i, w->at + i + 1, (w->n - i - 1) * sizeof(*w->at));
            w->n--;
        } else {
            i++;
        }
    }
}

/*
 * Complements: one of them at most stays, of the dual of what they are the
 * complements of.  false: the result is the absorbing term.
 */
static bool bool_complements(const struct boolean *o)
{
    struct srt_words *w = &o->b->words;
    const size_t end = w->n;
    size_t kept = o->from;
    uint32_t inner;

    for (size_t i = o->from; i < end; i++) {
        const uint32_t *p = srt_term(o->b, w->at[i], NULL);

        if (p[0] != SRT_T_NOT)
            continue;
        if (bool_has(o, p[1]) || bool_shares(o, p[1], o->dual))
            return false;
        srt_words_push(o->b, w, p[1]);
    }
    if (w->n < end + 2) {
        w->n = end;
        return true;
    }
    inner = bool_combine(o->b, o->dual, end);
    for (size_t i = o->from; i < end && !srt_book_failed(o->b); i++)
        if (srt_term_kind(o->b, w->at[i]) != SRT_T_NOT)
            w->at[kept++] = w->at[i];
    w->n = kept;
    inner = srt_term_not(o->b, inner);
    if (inner == o->absorbing)
        return false;
    if (inner != o->neutral)
        srt_words_push(o->b, w, inner);
    bool_sort(o);
    return srt_book_failed(o->b) || kept == o->from || inner == o->neutral ||
           !bool_shares(o, srt_term(o->b, inner, NULL)[1], o->dual);
}

/* All branches of one answer to one tracker, among the operands. */
static uint32_t bool_branches(const struct boolean *o, size_t end,
                              uint32_t tracker, int answer)
{
    struct srt_words *w = &o->b->words;
    const size_t from = w->n;

    for (size_t i = o->from; i < end; i++) {
        const uint32_t *p = srt_term(o->b, w->at[i], NULL);

        if (p[0] == SRT_T_IF && p[1] == tracker)
            srt_words_push(o->b, w, p[answer]);
    }
    return bool_combine(o->b, o->kind, from);
}

/* Conditions on one tracker become one.  Whether anything was merged. */
static bool bool_conditions(const struct boolean *o)
{
    struct srt_words *w = &o->b->words;
    uint64_t seen = 0, twice = 0;
    size_t end = w->n, kept = o->from;
    uint32_t tracker = 0, merged;

    for (size_t i = o->from; i < end; i++) {
        const uint32_t *p = srt_term(o->b, w->at[i], NULL);

        if (p[0] == SRT_T_IF) {
            twice |= seen & UINT64_C(1) << p[1];
            seen |= UINT64_C(1) << p[1];
        }
    }
    if (!twice)
        return false;
    while (!(twice >> tracker & 1))
        tracker++;
    merged = bool_branches(o, end, tracker, 2);
    merged =
        srt_term_if(o->b, tracker, merged, bool_branches(o, end, tracker, 3));
    if (srt_book_failed(o->b))
        return false;
    for (size_t i = o->from; i < end; i++) {
        const uint32_t *p = srt_term(o->b, w->at[i], NULL);

        if (p[0] != SRT_T_IF || p[1] != tracker)
            w->at[kept++] = w->at[i];
    }
    w->n = kept;
    srt_words_push(o->b, w, merged);
    return true;
}

/* The laws that both obey.  false: the result is the absorbing term. */
static bool bool_normalise(const struct boolean *o)
{
    do {
        if (!bool_flatten(o) || srt_book_failed(o->b))
            return false;
        if (o->b->words.n < o->from + 2)
            return true;
        if (!bool_complements(o))
            return false;
    } while (bool_conditions(o) && !srt_book_failed(o->b));
    if (!srt_book_failed(o->b))
        bool_absorb(o);
    return !srt_book_failed(o->b);
}

/* Takes the operands off and makes a term of them. */
static uint32_t bool_intern(const struct boolean *o, struct srt_term_info *info)
{
    struct srt_book *b = o->b;
    struct srt_words *w = &b->words;
    uint32_t x = 0;

    if (!srt_book_failed(b) && w->n == o->from)
        x = o->neutral;
    else if (!srt_book_failed(b) && w->n == o->from + 1)
        x = w->at[o->from];
    if (srt_book_failed(b) || w->n < o->from + 2) {
        w->n = o->from;
        return x;
    }
    for (size_t i = o->from; i < w->n; i++) {
        info->uses |= srt_term_info(b, w->at[i])->uses;
        info->head |= srt_term_info(b, w->at[i])->head;
    }
    /* The kind goes in front of them. */
    srt_words_push(b, w, 0);
    if (!srt_book_failed(b)) {
        memmove(w->at + o->from + 1, w->at + o->from,
                (w->n - o->from - 1) * sizeof(*w->at));
        w->at[o->from] = o->kind;
        x = srt_term_intern(b, w->at + o->from, w->n - o->from, info);
    }
    w->n = o->from;
    return x;
}

/* The empty string beside an alternative that has it anyway. */
static void bool_drop_empty(const struct boolean *o)
{
    struct srt_words *w = &o->b->words;
    bool nullable = false;

    if (srt_book_failed(o->b) || !bool_has(o, o->b->empty))
        return;
    for (size_t i = o->from; i < w->n && !nullable; i++) {
        const struct srt_term_info *xi = srt_term_info(o->b, w->at[i]);

        nullable = w->at[i] != o->b->empty && xi->head == 0 && xi->nullable;
    }
    for (size_t i = o->from; i < w->n && nullable; i++) {
        if (w->at[i] == o->b->empty) {
            memmove(w->at + i, w->at + i + 1, (w->n - i - 1) * sizeof(*w->at));
            w->n--;
            break;
        }
    }
}

uint32_t srt_term_or(struct srt_book *b, size_t from)
{
    const struct boolean o = { b, SRT_T_OR, SRT_T_AND, 0, b->everything, from };
    struct srt_term_info info = { .min = SRT_INFINITY - 1, .plain = true };
    bool open;

    if (srt_book_failed(b)) {
        b->words.n = from;
        return 0;
    }
    open = bool_normalise(&o);
    if (open && b->words.n >= from + 2) {
        srt_term_factor(b, from);
        open = bool_normalise(&o);
        bool_drop_empty(&o);
    }
    if (!open) {
        b->words.n = from;
        return srt_book_failed(b) ? 0 : b->everything;
    }
    for (size_t i = from; i < b->words.n; i++) {
        const struct srt_term_info *xi = srt_term_info(b, b->words.at[i]);

        info.nullable |= xi->nullable;
        info.plain &= xi->plain;
        info.min = xi->min < info.min ? xi->min : info.min;
        info.max = xi->max > info.max ? xi->max : info.max;
    }
    return bool_intern(&o, &info);
}

/* The sets among the operands become one; false: they have nothing common. */
static bool bool_meet_sets(const struct boolean *o)
{
    struct srt_book *b = o->b;
    struct srt_words *w = &b->words;
    const size_t pairs = b->pairs.n, n_words = b->n_class_words;
    size_t kept = o->from;
    uint32_t n_sets = 0, met;

    for (size_t i = o->from; i < w->n; i++)
        n_sets += srt_term_kind(b, w->at[i]) == SRT_T_SET;
    if (n_sets < 2)
        return true;
    for (size_t k = 0; k < n_words; k++)
        srt_pairs_push(b, UINT64_MAX);
    for (size_t i = o->from; i < w->n && !srt_book_failed(b); i++) {
        const uint32_t x = w->at[i];

        if (srt_term_kind(b, x) != SRT_T_SET) {
            w->at[kept++] = x;
            continue;
        }
        for (size_t k = 0; k < n_words; k++)
            b->pairs.at[pairs + k] &= srt_term_classes(b, x)[k];
    }
    w->n = kept;
    met = srt_book_failed(b) ? 0 : srt_term_set(b, b->pairs.at + pairs);
    b->pairs.n = pairs;
    if (met)
        srt_words_push(b, w, met);
    bool_sort(o);
    return met != 0;
}

/* With the empty string: what says nothing of the past is settled. */
static bool bool_meet_empty(const struct boolean *o)
{
    struct srt_book *b = o->b;
    struct srt_words *w = &b->words;
    size_t kept = o->from;

    if (!bool_has(o, b->empty))
        return true;
    for (size_t i = o->from; i < w->n; i++) {
        const uint32_t x = w->at[i];

        if (srt_term_info(b, x)->head != 0 || x == b->empty)
            w->at[kept++] = x;
        else if (!srt_term_info(b, x)->nullable)
            return false;
    }
    w->n = kept;
    return true;
}

uint32_t srt_term_and(struct srt_book *b, size_t from)
{
    const struct boolean o = { b, SRT_T_AND, SRT_T_OR, b->everything, 0, from };
    struct srt_term_info info = { .max = SRT_INFINITY, .nullable = true };
    bool open;

    if (srt_book_failed(b)) {
        b->words.n = from;
        return 0;
    }
    open = bool_normalise(&o) && bool_meet_sets(&o) && bool_meet_empty(&o);
    for (size_t i = from; open && i < b->words.n; i++) {
        const struct srt_term_info *xi = srt_term_info(b, b->words.at[i]);

        info.nullable &= xi->nullable;
        info.min = xi->min > info.min ? xi->min : info.min;
        info.max = xi->max < info.max ? xi->max : info.max;
    }
    if (!open || info.min > info.max) {
        b->words.n = from;
        return 0;
    }
    return bool_intern(&o, &info);
}

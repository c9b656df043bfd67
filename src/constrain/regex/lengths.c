/*
 * lengths.c - how long the strings are that complete a state
 *
 * By the term alone where it tells: sets, concatenation, repetition and
 * alternatives.  Otherwise the living states are gone through, all strings of
 * one length at a time.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/book.h"

#include <stdlib.h>

enum {
    LENGTHS_TERMS = 100000, /* looked at, before it is left to states */
    LENGTHS_STATES = 256
};

struct lengths {
    uint32_t min, max; /* SRT_INFINITY: no bound */
    bool interval;     /* all between them occur */
};

/* Lengths of r{min,max}: the ranges k [a,b] touch from one k to the next? */
static struct lengths lengths_repeat(const struct srt_term_info *info,
                                     const struct lengths *x, uint32_t min,
                                     uint32_t max)
{
    struct lengths l = { info->min, info->max, x->interval };
    const uint64_t a = x->min, b = x->max;

    if (x->max == 0 || x->max == SRT_INFINITY || min == max)
        return l; /* all zero; or k [a, inf) for the least k; or one k */
    if (min == 0)
        l.interval &= a <= 1; /* 0 and then [a,b] */
    if (max > min + (min == 0)) {
        const uint64_t k = min > 0 ? min : 1;

        l.interval &= (k + 1) * a <= k * b + 1;
    }
    return l;
}

static bool lengths_of(struct srt_book *b, uint32_t x, struct lengths *l);

static int lengths_compare(const void *x, const void *y)
{
    const struct lengths *a = x, *b = y;

    return (a->min > b->min) - (a->min < b->min);
}

static bool lengths_either(struct srt_book *b, const uint32_t *p, size_t n,
                           struct lengths *l)
{
    struct lengths *all = calloc(n, sizeof(*all));
    bool known = all != NULL;

    for (size_t i = 0; i < n && known; i++)
        known = lengths_of(b, p[i], &all[i]);
    if (known) {
        qsort(all, n, sizeof(*all), lengths_compare);
        *l = all[0];
        for (size_t i = 1; i < n; i++) {
            l->interval &= all[i].interval &&
                           (l->max == SRT_INFINITY || all[i].min <= l->max + 1);
            l->max = all[i].max > l->max ? all[i].max : l->max;
        }
    }
    free(all);
    return known;
}

/* false: the term does not tell, or not soon. */
static bool lengths_of(struct srt_book *b, uint32_t x, struct lengths *l)
{
    const struct srt_term_info *info = srt_term_info(b, x);
    struct lengths y;
    bool interval = true;
    size_t n;
    const uint32_t *p = srt_term(b, x, &n);

    if (!info->plain || b->work < SRT_BOOK_WORK - LENGTHS_TERMS)
        return false;
    b->work--;
    for (; p[0] == SRT_T_CAT; p = srt_term(b, p[2], &n)) {
        if (!lengths_of(b, p[1], &y))
            return false;
        interval &= y.interval;
    }
    if (p[0] == SRT_T_OR) {
        if (!lengths_either(b, p + 1, n - 1, &y))
            return false;
        interval &= y.interval;
    } else if (p[0] == SRT_T_REPEAT) {
        if (!lengths_of(b, p[1], &y))
            return false;
        y = lengths_repeat(info, &y, p[2], p[3]);
        interval &= y.interval;
    }
    l->min = info->min;
    l->max = info->max;
    l->interval = interval;
    return true;
}

/* ---- by the states ------------------------------------------------------- */

struct length_walk {
    struct srt_book *b;
    uint32_t length;
    bool any, gap;
    uint32_t least, most;
};

/* States one character on from those at [from ..), put in their place; true:
 * they are the same ones. */
static bool lengths_advance(struct srt_book *b, size_t from)
{
    struct srt_words *w = &b->words;
    const size_t end = w->n;
    size_t n;
    bool same;

    for (size_t i = from; i < end && !srt_book_failed(b); i++) {
        for (uint32_t c = 0; c + 1 < b->n_classes; c++) {
            const uint32_t next = srt_state_next(b, w->at[i], c);

            if (next && (w->n == end || w->at[w->n - 1] != next) &&
                srt_state_alive(b, next))
                srt_words_push(b, w, next);
        }
    }
    if (srt_book_failed(b))
        return true;
    n = srt_words_unique(w->at + end, w->n - end);
    same = n == end - from &&
           memcmp(w->at + from, w->at + end, n * sizeof(*w->at)) == 0;
    memmove(w->at + from, w->at + end, n * sizeof(*w->at));
    w->n = from + n;
    return same;
}

/*
 * After as many steps as there are states, every further length comes from a
 * cycle; a longest string is shorter than that.  Where all states lead to all
 * of them again and no others, what holds now holds for ever.
 */
static void lengths_walk(struct length_walk *walk, uint32_t state)
{
    struct srt_book *b = walk->b;
    const size_t from = b->words.n;
    bool last = false;

    srt_words_push(b, &b->words, state);
    while (b->words.n > from && !srt_book_failed(b)) {
        bool accepts = false;

        for (size_t i = from; i < b->words.n; i++)
            accepts |= srt_state_info(b, b->words.at[i])->accepts;
        if (accepts) {
            walk->gap |= walk->any && !last;
            walk->least = walk->any ? walk->least : walk->length;
            walk->any = true;
            walk->most = walk->length;
        }
        last = accepts;
        if (walk->length > b->states.n) {
            walk->most = SRT_INFINITY;
            walk->gap = true; /* not known to be none */
            break;
        }
        walk->length++;
        if (lengths_advance(b, from)) {
            walk->most = SRT_INFINITY;
            break;
        }
    }
    b->words.n = from;
}

sortes_status srt_book_lengths(struct srt_book *b, uint32_t state,
                               uint32_t *shortest, uint32_t *longest,
                               bool *interval)
{
    struct length_walk walk = { .b = b };
    struct srt_known_lengths *known = &b->known[state % SRT_BOOK_KNOWN];
    struct lengths l;

    srt_book_begin(b);
    if (!state)
        return SORTES_E_ARGUMENT;
    if (known->state != state) {
        if (!lengths_of(
                b, ((const uint32_t *)srt_pool_key(&b->states, state, NULL))[0],
                &l)) {
            lengths_walk(&walk, state);
            l = (struct lengths){ walk.least, walk.most, !walk.gap };
        }
        if (srt_book_failed(b))
            return b->status;
        *known = (struct srt_known_lengths){ state, l.min, l.max, l.interval };
    }
    *shortest = known->shortest;
    *longest = known->longest;
    *interval = known->interval;
    return SORTES_OK;
}

/* ---- without an end ------------------------------------------------------ */

/* What is known of a state: srt_state_info's bits. */
enum {
    LENGTHS_KNOWN = 1, /* whether it goes on, and the next one is that */
    LENGTHS_GOES_ON = 2,
    LENGTHS_ANY_KNOWN = 4,
    LENGTHS_ANY = 8
};

struct lengths_search {
    struct srt_book *b;
    struct srt_pool met;
    bool goes_on, any; /* so far */
};

/* Adds where a state leads, if that is not known to go on like it. */
static void lengths_around(struct lengths_search *x, uint32_t state)
{
    struct srt_book *b = x->b;
    bool some = false;

    for (uint32_t c = 0; c + 1 < b->n_classes && !srt_book_failed(b); c++) {
        const uint32_t next = srt_state_next(b, state, c);
        uint32_t number;

        if (!next || !srt_state_alive(b, next)) {
            x->any = false;
            continue;
        }
        some = true;
        if (srt_state_info(b, next)->goes_on & LENGTHS_ANY)
            continue;
        if (srt_pool_intern(&x->met, &next, sizeof(next), &number, NULL) !=
            SORTES_OK)
            x->goes_on = x->any = false;
    }
    x->goes_on &= some;
}

/* What is true of all states that were met is true of each. */
static void lengths_note(struct lengths_search *x, uint32_t from)
{
    for (uint32_t i = 1; i <= x->met.n; i++) {
        uint32_t state;
        struct srt_state_info *info;

        memcpy(&state, srt_pool_key(&x->met, i, NULL), sizeof(state));
        info = srt_state_info(x->b, state);
        if (x->goes_on)
            info->goes_on |= LENGTHS_KNOWN | LENGTHS_GOES_ON;
        if (x->any)
            info->goes_on |= LENGTHS_ANY_KNOWN | LENGTHS_ANY;
        if (state == from)
            info->goes_on |= LENGTHS_KNOWN | LENGTHS_ANY_KNOWN;
    }
}

/* Where all states have one behind them, none has only so many strings. */
sortes_status srt_book_goes_on(struct srt_book *b, uint32_t state,
                               bool *goes_on, bool *any)
{
    struct lengths_search x = { .b = b, .goes_on = true, .any = true };
    const unsigned known = state ? srt_state_info(b, state)->goes_on : 0;
    sortes_status status;
    uint32_t number;

    srt_book_begin(b);
    *goes_on = (known & LENGTHS_GOES_ON) != 0;
    *any = (known & LENGTHS_ANY) != 0;
    if (!state || (known & LENGTHS_KNOWN && known & LENGTHS_ANY_KNOWN))
        return state ? SORTES_OK : SORTES_E_ARGUMENT;
    srt_pool_init(&x.met, 0, LENGTHS_STATES, SIZE_MAX);
    status = srt_pool_intern(&x.met, &state, sizeof(state), &number, NULL);
    for (uint32_t i = 1; i <= x.met.n && x.goes_on && !srt_book_failed(b);
         i++) {
        uint32_t next;

        memcpy(&next, srt_pool_key(&x.met, i, NULL), sizeof(next));
        lengths_around(&x, next);
    }
    x.any &= x.goes_on;
    if (status == SORTES_OK && !srt_book_failed(b)) {
        lengths_note(&x, state);
        *goes_on = x.goes_on;
        *any = x.any;
    }
    srt_pool_clear(&x.met);
    return status == SORTES_OK ? b->status : status;
}

/*
 * arrays.h - arrays that are hard to put in libstdc++'s order
 *
 * Many equal values, patterns, and killer sequences: arrays on which quicksort
 * degenerates, so that std::sort gives up and takes the heap.  The same on
 * every machine.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_ORDER_ARRAYS_H
#define TEST_ORDER_ARRAYS_H

#include "order/order.h"
#include "support/rows.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { ARRAY_MAX = 2000 };

enum array_kind {
    ARRAY_NORMAL,      /* hardly a tie */
    ARRAY_FEW,         /* five values */
    ARRAY_EIGHTHS,     /* some dozens */
    ARRAY_EQUAL,       /* one */
    ARRAY_SORTED,      /* descending, as wanted */
    ARRAY_REVERSED,    /* ascending */
    ARRAY_ORGAN_PIPE,  /* up and down */
    ARRAY_SAWTOOTH,    /* up, again and again */
    ARRAY_FORBIDDEN,   /* a third at -inf */
    ARRAY_KILLER,      /* reaches introsort's depth limit */
    ARRAY_KILLER_TIED, /* the same with pairs of equal values */
    ARRAY_N_KINDS
};

/* Every size up to 40, and the neighbourhoods of what the sorts treat apart. */
static const size_t array_sizes[] = {
    0,   1,   2,   3,   4,   5,   6,    7,    8,    9,   10,  11,  12,
    13,  14,  15,  16,  17,  18,  19,   20,   21,   22,  23,  24,  25,
    26,  27,  28,  29,  30,  31,  32,   33,   34,   35,  36,  37,  38,
    39,  40,  63,  64,  65,  100, 127,  128,  129,  130, 200, 255, 256,
    257, 500, 511, 512, 513, 777, 1000, 1024, 1500, 2000
};

/*
 * McIlroy's adversary (A Killer Adversary for Quicksort, 1999): values are
 * chosen while the sort runs, whenever it compares two that have none yet, so
 * that its pivot always turns out to be near the end.
 */
struct killer {
    int value[ARRAY_MAX]; /* of each id; KILLER_GAS: not chosen yet */
    int n_chosen;
    int candidate; /* for the pivot */
    int deepest;   /* partitions inside one another */
};

enum { KILLER_GAS = ARRAY_MAX };

/* Does a come before b?  The smaller value does. */
static inline bool killer_before(struct killer *k, int a, int b)
{
    if (k->value[a] == KILLER_GAS && k->value[b] == KILLER_GAS)
        k->value[a == k->candidate ? a : b] = k->n_chosen++;
    if (k->value[a] == KILLER_GAS)
        k->candidate = a;
    else if (k->value[b] == KILLER_GAS)
        k->candidate = b;
    return k->value[a] < k->value[b];
}

static inline void killer_swap(int *a, int *b)
{
    const int t = *a;

    *a = *b;
    *b = t;
}

static inline void killer_median(struct killer *k, int *id, size_t n)
{
    int *a = id + 1, *b = id + n / 2, *c = id + n - 1;
    int *median;

    if (killer_before(k, *a, *b)) {
        if (killer_before(k, *b, *c))
            median = b;
        else
            median = killer_before(k, *a, *c) ? c : a;
    } else {
        if (killer_before(k, *a, *c))
            median = a;
        else
            median = killer_before(k, *b, *c) ? c : b;
    }
    killer_swap(id, median);
}

/* std::sort's partitions without its depth limit; ids instead of values. */
static inline void killer_run(struct killer *k, int *id, size_t n, int depth)
{
    for (; n > 16; depth++) {
        size_t left = 1, last = n;

        killer_median(k, id, n);
        for (;;) {
            while (killer_before(k, id[left], id[0]))
                left++;
            last--;
            while (killer_before(k, id[0], id[last]))
                last--;
            if (left >= last)
                break;
            killer_swap(&id[left++], &id[last]);
        }
        killer_run(k, id + left, n - left, depth + 1);
        n = left;
    }
    if (depth > k->deepest)
        k->deepest = depth;
}

static inline void killer_start(struct killer *k, int *id, size_t n)
{
    k->n_chosen = k->candidate = k->deepest = 0;
    for (size_t i = 0; i < n; i++)
        id[i] = (int)i;
}

/* How many partitions inside one another std::sort would make of x, if it did
 * not give up. */
static inline int array_depth(const float *x, size_t n)
{
    static struct killer k;
    int id[ARRAY_MAX];

    killer_start(&k, id, n);
    for (size_t i = 0; i < n; i++) { /* its rank among the values */
        k.value[i] = 0;
        for (size_t j = 0; j < n; j++)
            k.value[i] += x[j] > x[i];
    }
    killer_run(&k, id, n, 0);
    return k.deepest;
}

static inline void array_kill(float *x, size_t n, int per_value)
{
    static struct killer k;
    int id[ARRAY_MAX];

    killer_start(&k, id, n);
    for (size_t i = 0; i < n; i++)
        k.value[i] = KILLER_GAS;
    killer_run(&k, id, n, 0);
    for (size_t i = 0; i < n; i++)
        x[i] = 9.0f - 0.01f * (float)(k.value[i] / per_value);
}

static inline float array_value(struct rows_random *r, enum array_kind kind,
                                size_t i, size_t n)
{
    const double at = n > 1 ? (double)i / (double)(n - 1) : 0.0;

    switch (kind) {
    case ARRAY_FEW:
        return (float)rows_below(r, 5) * 1.5f - 3.0f;
    case ARRAY_EIGHTHS:
        return (float)(round(rows_normal(r) * 24) / 8);
    case ARRAY_EQUAL:
        return -0.25f;
    case ARRAY_SORTED:
        return (float)(round(500 - 1000 * at) / 50);
    case ARRAY_REVERSED:
        return (float)(round(1000 * at - 500) / 50);
    case ARRAY_ORGAN_PIPE:
        return (float)(10 - round(fabs(2 * at - 1) * 200) / 10);
    case ARRAY_SAWTOOTH:
        return (float)(i % 17) * 0.5f - 4.0f;
    case ARRAY_FORBIDDEN:
        return rows_below(r, 3) == 0 ? -INFINITY
                                     : (float)rows_below(r, 30) * 0.75f;
    default:
        return (float)(rows_normal(r) * 4);
    }
}

static inline void array_fill(float *x, size_t n, enum array_kind kind,
                              uint64_t seed)
{
    struct rows_random r = { seed * ARRAY_N_KINDS + (uint64_t)kind };

    for (size_t i = 0; i < n; i++)
        x[i] = array_value(&r, kind, i, n);
    if (kind == ARRAY_KILLER)
        array_kill(x, n, 1);
    if (kind == ARRAY_KILLER_TIED)
        array_kill(x, n, 2 + (int)(seed % 2));
}

/* Candidates with ids 0 .. n-1. */
static inline void array_candidates(struct srt_candidate *c, const float *x,
                                    size_t n)
{
    for (size_t i = 0; i < n; i++)
        c[i] = (struct srt_candidate){ (int32_t)i, x[i], 0.0f };
}

#endif /* TEST_ORDER_ARRAYS_H */

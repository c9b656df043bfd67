/*
 * introsort.c - libstdc++'s std::sort, whole and for one rank
 *
 * Source of the order of comparisons and moves: bits/stl_algo.h
 * (__introsort_loop, __unguarded_partition_pivot, __final_insertion_sort).
 *
 * SPDX-License-Identifier: MIT
 */
#include "order/order.h"

#include <string.h>

/* Below this size libstdc++ leaves a partition to the final insertion. */
enum { INTROSORT_THRESHOLD = 16 };

static void introsort_swap(struct srt_candidate *a, struct srt_candidate *b)
{
    const struct srt_candidate t = *a;

    *a = *b;
    *b = t;
}

/* Moves the median of *a, *b, *c to *first. */
static void introsort_median_to_first(struct srt_candidate *first,
                                      struct srt_candidate *a,
                                      struct srt_candidate *b,
                                      struct srt_candidate *c)
{
    struct srt_candidate *median;

    if (a->logit > b->logit) {
        if (b->logit > c->logit)
            median = b;
        else
            median = a->logit > c->logit ? c : a;
    } else {
        if (a->logit > c->logit)
            median = a;
        else
            median = b->logit > c->logit ? c : b;
    }
    introsort_swap(first, median);
}

/* Partitions [first, last) about a pivot; returns the right part's start. */
static struct srt_candidate *introsort_partition(struct srt_candidate *first,
                                                 struct srt_candidate *last)
{
    struct srt_candidate *left = first + 1;
    float pivot;

    introsort_median_to_first(first, first + 1, first + (last - first) / 2,
                              last - 1);
    pivot = first->logit;
    for (;;) {
        while (left->logit > pivot)
            left++;
        last--;
        while (pivot > last->logit)
            last--;
        if (!(left < last))
            return left;
        introsort_swap(left, last);
        left++;
    }
}

static int introsort_depth(size_t n)
{
    int depth = 0;

    for (; n > 1; n >>= 1)
        depth += 2;
    return depth;
}

/* Recursion on the right part, as libstdc++; its depth is bounded by
 * introsort_depth(), at most 62 for 2^31 candidates. */
static void introsort_loop(struct srt_candidate *first,
                           struct srt_candidate *last, int depth)
{
    while (last - first > INTROSORT_THRESHOLD) {
        struct srt_candidate *cut;

        if (depth-- == 0) {
            const size_t n = (size_t)(last - first);
            srt_partial_sort(first, n, n);
            return;
        }
        cut = introsort_partition(first, last);
        introsort_loop(cut, last, depth);
        last = cut;
    }
}

/*
 * The final insertion sort.  libstdc++ guards the first 16 and not the rest;
 * both shift a candidate left past strictly smaller logits only, so the
 * result is that of a plain stable insertion.
 */
static void introsort_insert(struct srt_candidate *c, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const struct srt_candidate v = c[i];
        size_t j = i;

        while (j > 0 && v.logit > c[j - 1].logit) {
            c[j] = c[j - 1];
            j--;
        }
        c[j] = v;
    }
}

void srt_sort(struct srt_candidate *c, size_t n)
{
    if (n < 2)
        return;
    introsort_loop(c, c + n, introsort_depth(n));
    introsort_insert(c, n);
}

struct srt_candidate srt_sort_nth(struct srt_candidate *c, size_t n,
                                  size_t rank)
{
    struct srt_candidate *first = c, *last = c + n;
    struct srt_candidate *const target = c + rank;
    int depth = introsort_depth(n);

    while (last - first > INTROSORT_THRESHOLD) {
        struct srt_candidate *cut;

        if (depth-- == 0) {
            const size_t m = (size_t)(last - first);
            srt_partial_sort(first, m, m);
            return *target;
        }
        cut = introsort_partition(first, last);
        if (target >= cut)
            first = cut;
        else
            last = cut;
    }
    /* The final insertion never crosses a partition border: what lies left of
     * one is not smaller than what lies right, and equal ones do not pass. */
    introsort_insert(first, (size_t)(last - first));
    return *target;
}

/*
 * heap.c - libstdc++'s heap primitives and std::partial_sort
 *
 * Source of the order of comparisons and moves: bits/stl_heap.h and
 * bits/stl_algo.h (__adjust_heap, __make_heap, __heap_select, __sort_heap).
 * "Less" is a.logit > b.logit, so the heap's top is its smallest logit.
 *
 * SPDX-License-Identifier: MIT
 */
#include "order/order.h"

/* Sinks a hole to the bottom along the smaller children, then lifts v from
 * there: more moves than a textbook sift, and observable among ties. */
static void heap_adjust(struct srt_candidate *c, size_t hole, size_t n,
                        struct srt_candidate v)
{
    const size_t top = hole;
    size_t child = hole;

    while (child < (n - 1) / 2) {
        child = 2 * (child + 1);
        if (c[child].logit > c[child - 1].logit)
            child--;
        c[hole] = c[child];
        hole = child;
    }
    if ((n & 1) == 0 && child == (n - 2) / 2) {
        child = 2 * (child + 1);
        c[hole] = c[child - 1];
        hole = child - 1;
    }
    while (hole > top && c[(hole - 1) / 2].logit > v.logit) {
        c[hole] = c[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    c[hole] = v;
}

void srt_heap_make(struct srt_candidate *c, size_t n)
{
    if (n < 2)
        return;
    for (size_t parent = (n - 2) / 2 + 1; parent-- > 0;)
        heap_adjust(c, parent, n, c[parent]);
}

void srt_heap_replace_top(struct srt_candidate *c, size_t n,
                          struct srt_candidate v)
{
    heap_adjust(c, 0, n, v);
}

void srt_heap_sort(struct srt_candidate *c, size_t n)
{
    for (size_t last = n; last-- > 1;) {
        const struct srt_candidate v = c[last];
        c[last] = c[0];
        heap_adjust(c, 0, last, v);
    }
}

void srt_partial_sort(struct srt_candidate *c, size_t k, size_t n)
{
    if (k == 0)
        return;
    srt_heap_make(c, k);
    for (size_t i = k; i < n; i++) {
        if (c[i].logit > c[0].logit) {
            const struct srt_candidate v = c[i];
            c[i] = c[0]; /* the tail keeps what was pushed out, in its place */
            heap_adjust(c, 0, k, v);
        }
    }
    srt_heap_sort(c, k);
}

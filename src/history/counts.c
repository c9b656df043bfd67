/*
 * counts.c - lists of (token, number), and finding a token in one
 *
 * SPDX-License-Identifier: MIT
 */
#include "history/counts.h"

#include <string.h>

static void counts_sift_down(struct srt_count *heap, size_t hole, size_t n)
{
    const struct srt_count v = heap[hole];
    size_t child;

    while ((child = 2 * hole + 1) < n) {
        if (child + 1 < n && heap[child + 1].token > heap[child].token)
            child++;
        if (heap[child].token <= v.token)
            break;
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = v;
}

void srt_counts_sort(struct srt_count *c, size_t n)
{
    for (size_t i = n / 2; i-- > 0;)
        counts_sift_down(c, i, n);
    for (size_t i = n; i-- > 1;) {
        const struct srt_count top = c[0];
        c[0] = c[i];
        c[i] = top;
        counts_sift_down(c, 0, i);
    }
}

size_t srt_counts_keep_largest(struct srt_count *c, size_t n)
{
    size_t last = 0;

    if (n == 0)
        return 0;
    srt_counts_sort(c, n);
    for (size_t i = 1; i < n; i++) {
        if (c[i].token != c[last].token)
            c[++last] = c[i];
        else if (c[i].count > c[last].count)
            c[last].count = c[i].count;
    }
    return last + 1;
}

size_t srt_counts_find(const struct srt_count *c, size_t n, int32_t token)
{
    size_t low = 0, high = n;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (c[mid].token < token)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

void srt_lookup_init(struct srt_lookup *l, const struct srt_count *counts,
                     size_t n)
{
    l->counts = counts;
    l->n = n;
    memset(l->filter, 0, sizeof(l->filter));
    for (size_t i = 0; i < n; i++) {
        const uint32_t bit = (uint32_t)counts[i].token % 4096;
        l->filter[bit / 64] |= (uint64_t)1 << bit % 64;
    }
}

const struct srt_count *srt_lookup_search(const struct srt_lookup *l,
                                          int32_t token)
{
    const size_t i = srt_counts_find(l->counts, l->n, token);

    return i < l->n && l->counts[i].token == token ? &l->counts[i] : NULL;
}

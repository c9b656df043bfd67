/*
 * counts.h - lists of (token, number), and finding a token in one
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_COUNTS_H
#define SRT_COUNTS_H

#include "compiler.h"

struct srt_count {
    int32_t token;
    int32_t count;
};

/* Ascending by token; in place, no allocation (libc's qsort may allocate). */
void srt_counts_sort(struct srt_count *c, size_t n);

/* Sorts, then leaves each token once, with its largest count; the new n. */
size_t srt_counts_keep_largest(struct srt_count *c, size_t n);

/* Index of the first whose token is at least `token`; c ascends. */
size_t srt_counts_find(const struct srt_count *c, size_t n, int32_t token);

/*
 * Asked once for every candidate of an array in any order, of which nearly
 * none is in the list: a filter of 4,096 bits answers most questions.
 */
struct srt_lookup {
    const struct srt_count *counts; /* ascending */
    size_t n;
    uint64_t filter[64];
};

void srt_lookup_init(struct srt_lookup *l, const struct srt_count *counts,
                     size_t n);
const struct srt_count *srt_lookup_search(const struct srt_lookup *l,
                                          int32_t token);

/* The token's entry; NULL: none. */
SRT_INLINE const struct srt_count *srt_lookup_find(const struct srt_lookup *l,
                                                   int32_t token)
{
    const uint32_t bit = (uint32_t)token % 4096;

    if (!((l->filter[bit / 64] >> bit % 64) & 1))
        return NULL;
    return srt_lookup_search(l, token);
}

#endif /* SRT_COUNTS_H */

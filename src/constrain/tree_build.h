/*
 * tree_build.h - what the files that build a tree share
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_TREE_BUILD_H
#define SRT_TREE_BUILD_H

#include "constrain/tree.h"

/* Sizes and tokens have 24 bits in a node. */
#define TREE_MAX_NODES ((size_t)1 << 24)

/* A token on its way into a tree; head: its first 8 bytes, big end first. */
struct srt_tree_word {
    uint64_t head;
    const uint8_t *bytes;
    uint32_t n;
    int32_t token;
};

SRT_INLINE struct srt_tree_word srt_tree_word(const uint8_t *bytes, size_t n,
                                              int32_t token)
{
    struct srt_tree_word w = { 0, bytes, (uint32_t)n, token };

    for (size_t i = 0; i < 8; i++)
        w.head = w.head << 8 | (i < n ? bytes[i] : 0);
    return w;
}

/* How many bytes two words begin with alike. */
SRT_INLINE uint32_t srt_tree_common(const struct srt_tree_word *a,
                                    const struct srt_tree_word *b)
{
    uint32_t n = 0;

    while (n < a->n && n < b->n && a->bytes[n] == b->bytes[n])
        n++;
    return n;
}

/* By bytes, then by token; *words, malloc()ed, is replaced. */
sortes_status srt_tree_sort(struct srt_tree_word **words, size_t n);
/* Sorted words without duplicates become nodes. */
sortes_status srt_tree_nodes_make(struct srt_tree *t, struct srt_tree_nodes *to,
                                  const struct srt_tree_word *w, size_t n);

/* tree_follows.c: what may follow a value; w: sorted words. */
sortes_status srt_tree_follows(struct srt_tree *t,
                               const struct srt_tree_word *w, size_t n);

/* tree_strings.c: the slice of strings, and what is left beside it; w: sorted
 * words without duplicates, which it overwrites. */
sortes_status srt_tree_strings(struct srt_tree *t, struct srt_tree_word *w,
                               size_t n);
void srt_tree_strings_free(struct srt_tree *t);

#endif /* SRT_TREE_BUILD_H */

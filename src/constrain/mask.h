/*
 * mask.h - the tokens that may come at a state
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_MASK_H
#define SRT_MASK_H

#include "constrain/cache.h"

/* Tokens that were set, each once; those beyond the room are counted only. */
enum { SRT_LISTED = 128 };

struct srt_listed {
    uint32_t n;
    int32_t token[SRT_LISTED];
};

/* Beyond the room: over what is there, which is of no use by then. */
SRT_INLINE void srt_listed_add(struct srt_listed *list, int32_t token)
{
    list->token[list->n % SRT_LISTED] = token;
    list->n++;
}

/*
 * The mask of a state, end tokens included, without regard to a trail: from
 * memory, or made (and remembered, with memo).  words: tree->n_words of them.
 */
sortes_status srt_mask_at(struct srt_cursor *cursor, uint32_t state, bool memo,
                          uint32_t *words);

/* ---- mask_keep.c --------------------------------------------------------- */

/* What a mask was made from. */
struct srt_mask_origin {
    bool slice;                    /* most of it is the tree's */
    const struct srt_listed *list; /* all tokens in which it differs from
                                          that; NULL: they are not known */
    const struct srt_mask *inside; /* what it has of tokens without a quote;
                                      NULL: not kept yet, or not to be */
};

/* Remembers a state's mask, if there is room. */
void srt_mask_keep(struct srt_cursor *cursor, uint32_t state,
                   const struct srt_mask_origin *origin, const uint32_t *words);
/* Remembers what it has of tokens without a quote; NULL: no room.  words are as
 * they were in the end. */
const struct srt_mask *
srt_mask_keep_inside(struct srt_cursor *cursor, uint32_t state,
                     const struct srt_mask_origin *origin, uint32_t *words);
void srt_mask_expand(const struct srt_tree *tree, const struct srt_mask *mask,
                     uint32_t *words);

/* ---- parts of a tree ----------------------------------------------------- */

/* mend.c: makes the mask of base (the tokens of the tree) that of a state which
 * is like it. */
sortes_status srt_mask_mend(struct srt_cursor *cursor, uint32_t state,
                            uint32_t base, uint32_t *words);

/*
 * Sets the tokens of nodes[0 .. n-1], which lie below a node that is reached
 * in `state`, where their bytes lead on.  Adds to words.
 */
sortes_status srt_mask_walk(struct srt_cursor *cursor,
                            const struct srt_tree_node *nodes, uint32_t n,
                            uint32_t state, uint32_t *words);

/* Sets every spelling of tokens that are set. */
void srt_mask_same(const struct srt_tree *tree, uint32_t *words);

#endif /* SRT_MASK_H */

/*
 * mend.c - from the mask of one state to that of another which is nearly the
 * same
 *
 * Both are followed only where they go different ways: on a trie of names with
 * any other strings beside it that is the names' own letters.  And both are
 * alive until something closes the string, so that the tree of the tokens with
 * a quote is all there is to look at.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/mask.h"

#include "constrain/walk.h"

static void mend_clear(struct srt_walk *w, const struct srt_tree_node *node)
{
    if (srt_node_token(node) >= 0)
        srt_bit_clear(w->words, srt_node_token(node));
}

/* Clears the tokens below a node. */
static void mend_clear_below(struct srt_walk *w,
                             const struct srt_tree_node *node)
{
    const uint32_t size = srt_node_size(node);

    for (uint32_t i = 1; i < size; i++)
        mend_clear(w, &node[i]);
}

/* A place in the tree, reached in a state that base is like. */
struct mend_place {
    struct srt_walk_level level;
    struct srt_alphabet unlike;
    uint32_t base;
};

/* false: a state that base is not like, or a failure (*status). */
static bool mend_enter(struct srt_walk *w, uint32_t state, uint32_t base,
                       struct mend_place *place, sortes_status *status)
{
    uint32_t like;

    *status = srt_cursor_like(w->cursor, state, &like, &place->unlike);
    if (*status != SORTES_OK || like != base)
        return false;
    place->level = srt_walk_level(w, state);
    place->base = base;
    return true;
}

static sortes_status mend_nodes(struct srt_walk *w,
                                const struct srt_tree_node *nodes, uint32_t n,
                                struct mend_place *place);

/* A node whose byte may lead from the two states to different ones: its token,
 * and what is below it. */
static sortes_status mend_node(struct srt_walk *w,
                               const struct srt_tree_node *node,
                               struct mend_place *place)
{
    const uint32_t below = srt_node_size(node) - 1;
    struct mend_place next_place;
    uint32_t next;
    sortes_status status =
        srt_walk_next(w, &place->level, srt_node_byte(node), &next);

    if (status != SORTES_OK)
        return status;
    mend_clear(w, node);
    if (next != SRT_DEAD && srt_node_token(node) >= 0)
        srt_bit_set(w->words, srt_node_token(node));
    if (next != SRT_DEAD &&
        mend_enter(w, next, place->base, &next_place, &status))
        return mend_nodes(w, node + 1, below, &next_place);
    mend_clear_below(w, node);
    if (status == SORTES_OK && next != SRT_DEAD && below) {
        const struct srt_walk_level level = srt_walk_level(w, next);

        status = srt_walk_nodes(w, node + 1, below, &level);
    }
    return status;
}

/* nodes[0 .. n-1]: siblings, and what is below them. */
static sortes_status mend_nodes(struct srt_walk *w,
                                const struct srt_tree_node *nodes, uint32_t n,
                                struct mend_place *place)
{
    sortes_status status = SORTES_OK;

    for (uint32_t at = 0; at < n && status == SORTES_OK;
         at += srt_node_size(&nodes[at]))
        if (srt_alphabet_has(&place->unlike, srt_node_byte(&nodes[at])))
            status = mend_node(w, &nodes[at], place);
    return status;
}

sortes_status srt_mask_mend(struct srt_cursor *cursor, uint32_t state,
                            uint32_t base, uint32_t *words)
{
    const struct srt_tree_nodes *closers = &cursor->cache->tree->closers;
    struct srt_walk w;
    struct mend_place place;
    sortes_status status;

    srt_walk_begin(&w, cursor, words, false);
    if (!mend_enter(&w, state, base, &place, &status))
        return status;
    for (unsigned byte = 0; byte < 256 && status == SORTES_OK; byte++) {
        const uint32_t at = closers->first[byte];

        if (at < closers->n && srt_alphabet_has(&place.unlike, (uint8_t)byte))
            status = mend_node(&w, &closers->node[at], &place);
    }
    return status;
}

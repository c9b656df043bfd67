/*
 * walk.h - walks trees of tokens with the states of a machine
 *
 * Five things make it short.  First bytes that lead nowhere are left out by an
 * index.  A gap of white space is counted without a state for each count.
 * Where the machine stays in its state whatever characters of the kinds below a
 * node come, the tokens there are taken as a list.  And where most tokens lead
 * on, the mask begins with the string slice: then such a list is there already,
 * and it is the tokens that lead nowhere that are cleared.  In a key of which
 * names alone may come, the machine follows them along the tree by itself.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_WALK_H
#define SRT_WALK_H

#include "constrain/cache.h"
#include "constrain/mask.h"

enum { SRT_WALK_GAP_UNKNOWN = -2, SRT_WALK_RECENT = 64 };

struct srt_walk_level {
    uint32_t state;
    int gap;            /* in place of the state's own; -1: it has none */
    const srt_row *row; /* NULL: not known, or none to be had */
};

/* One mask on its way. */
struct srt_walk {
    struct srt_cursor *cursor;
    const struct srt_machine *m;
    const struct srt_tree_node *nodes;   /* of the whole tree */
    const struct srt_kinds_below *kinds; /* of it; NULL: no help here */
    uint32_t *words;
    struct srt_listed set; /* unless it clears */
    bool clears;           /* words begin with the tree's string_words */
    bool closing; /* no tokens but those that begin with a quote or backslash */
    /* Rows that were met, by the low bits of their states. */
    struct srt_walk_recent {
        uint32_t state;
        srt_kinds known, stays; /* asked for; that lead to the state */
        const srt_row *row;
        bool named; /* is_named */
    } recent[SRT_WALK_RECENT];
    struct srt_walk_level stack[SRT_TREE_DEPTH + 2];
};

/* whole: what is walked is part of the tree of all tokens. */
void srt_walk_begin(struct srt_walk *w, struct srt_cursor *cursor,
                    uint32_t *words, bool whole);

struct srt_walk_level srt_walk_level(struct srt_walk *w, uint32_t state);

/* Whether most tokens seem to lead on from a state, by their first bytes, or
 * those behind a space; whole trees only. */
sortes_status srt_walk_most(struct srt_walk *w, uint32_t state, bool *most);

/* Where byte leads from a level; asks the machine if it must. */
sortes_status srt_walk_next(struct srt_walk *w, struct srt_walk_level *level,
                            uint8_t byte, uint32_t *next);

/* Sets the tokens of nodes[0 .. n-1], siblings and what is below them, where
 * their bytes lead on from a level. */
sortes_status srt_walk_nodes(struct srt_walk *w,
                             const struct srt_tree_node *nodes, uint32_t n,
                             const struct srt_walk_level *from);
/* The same of a whole tree. */
sortes_status srt_walk_tree(struct srt_walk *w,
                            const struct srt_tree_nodes *nodes, uint32_t state);

/* explore.c */
/* Whether any characters of some kinds may follow: for ever, or (stays) from
 * the state to itself. */
sortes_status srt_explore(struct srt_cursor *cursor, uint32_t state,
                          srt_kinds kinds, bool stays, bool *covers);

#endif /* SRT_WALK_H */

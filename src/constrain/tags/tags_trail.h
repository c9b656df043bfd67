/*
 * tags_trail.h - ways on which a sequence came through tags, and what the
 * programs on them remember
 *
 * A run is an item and the trail of its program.  Where a program has refused
 * a repetition its run has ended, though the state still has the item.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_TAGS_TRAIL_H
#define SRT_TAGS_TRAIL_H

#include "constrain/tags/tags_machine.h"

struct srt_tags_way {
    struct srt_tags_item item;
    struct srt_trail *trail; /* held; NULL: nothing to remember */
};

/* NULL for every item of the state, none of them with a trail. */
struct srt_tags_trail {
    struct srt_trail trail; /* first */
    size_t n;
    struct srt_tags_way ways[];
};

/* The first ones need no memory; a list is not to be copied. */
struct srt_tags_ways {
    struct srt_tags_way *at; /* NULL: nothing was added yet */
    size_t n, room;
    bool dry; /* the trails behind the path are not wanted */
    struct srt_tags_way space[4];
};

/* Adds one, unless it is there already; the trail is held by the list. */
sortes_status srt_tags_ways_add(struct srt_tags_ways *list,
                                const struct srt_tags_item *item,
                                struct srt_trail *trail);
void srt_tags_ways_drop(struct srt_tags_ways *list); /* empties it */
void srt_tags_ways_free(struct srt_tags_ways *list);

/* The ways of a trail at a state. */
sortes_status srt_tags_ways_of(const struct srt_tags_machine *m,
                               const struct srt_trail *trail, uint32_t state,
                               struct srt_tags_ways *list);

/* follow(), from a list: what is left of it behind the path; all: the list
 * stands for every item of the state, none with a trail. */
sortes_status srt_tags_ways_follow(const struct srt_tags_machine *m,
                                   struct srt_tags_ways *list, bool *all,
                                   const struct srt_path *path, size_t *n_ok);

#endif /* SRT_TAGS_TRAIL_H */

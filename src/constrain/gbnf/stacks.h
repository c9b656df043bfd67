/*
 * stacks.h - where a text may stand in the rules: all stacks at once
 *
 * A *frame* is what to do when a rule has returned: a state to go on in, the
 * goal of the knot it belongs to, and the frames below.  Sets of frames are
 * interned, and so are *configurations*: for every state that the text may be
 * in, the set of frames that may lie below.  A call in the last place makes no
 * frame, so that lists take no depth.  Left recursion makes none either (see
 * rules.h): frames never come to lie below themselves.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_STACKS_H
#define SRT_STACKS_H

#include "constrain/gbnf/rules.h"
#include "constrain/pool.h"

/* Entries of a configuration, and frames of a set; SORTES_E_LIMIT beyond. */
#define SRT_STACKS_WIDTH 4096
/* Frames and items that one step may touch: an ambiguous grammar would take
 * the square of the width. */
#define SRT_STACKS_WORK 65536

/* A state of a rule, the goal (the rule itself unless it is recursive), and
 * the set of frames below. */
struct srt_stack_item {
    uint32_t state, goal, below;
};

struct srt_stack_items {
    struct srt_stack_item *at;
    size_t n, room;
};

enum { SRT_STACKS_SLOTS = 64 };

struct srt_stacks {
    const struct srt_rules *rules;
    const struct srt_gbnf *literal; /* edges read code points; NULL: bytes */
    /* frames: items; sets: frames, ascending; configs: whether the text may
     * end, items ascending by state and goal. */
    struct srt_pool frames, sets, configs;
    uint32_t bottom; /* the set of the one frame that ends the text */

    /* Where a configuration can read: its items and those of the rules that
     * it calls.  Kept for a few of them. */
    struct srt_stacks_slot {
        uint32_t config;
        struct srt_stack_items items;
    } slots[SRT_STACKS_SLOTS];

    /* While a configuration is made: */
    struct srt_ids *pending; /* of each rule: frames to be entered with */
    uint64_t *called;        /* a bit for each knot */
    struct srt_stack_items found, todo;
    struct srt_stack_item *seen; /* a hash table */
    size_t n_seen, seen_room;
    struct srt_ids key;
    size_t work;
    bool ends;
};

sortes_status srt_stacks_init(struct srt_stacks *s,
                              const struct srt_rules *rules,
                              const struct srt_gbnf *literal,
                              const struct srt_options *options);
void srt_stacks_clear(struct srt_stacks *s);
size_t srt_stacks_bytes(const struct srt_stacks *s);

/* Configuration 0: there is no stack. */
sortes_status srt_stacks_start(struct srt_stacks *s, uint32_t *config);
sortes_status srt_stacks_read(struct srt_stacks *s, uint32_t config,
                              uint32_t symbol, uint32_t *next);
/* Where the token edges alone lead, together with the configuration
 * `others`. */
sortes_status srt_stacks_take(struct srt_stacks *s, uint32_t config,
                              uint32_t token, uint32_t others, uint32_t *next);
/* A configuration of no stack that has a number nevertheless. */
sortes_status srt_stacks_stuck(struct srt_stacks *s, uint32_t *config);

/* The same stacks but for the one that ends the text. */
sortes_status srt_stacks_go_on(struct srt_stacks *s, uint32_t config,
                               uint32_t *next);
bool srt_stacks_may_end(const struct srt_stacks *s, uint32_t config);

/* Valid until the next call. */
sortes_status srt_stacks_items(struct srt_stacks *s, uint32_t config,
                               const struct srt_stack_items **items);

/* A class of the literal form: llama.cpp's match_char and match_partial_char
 * (`left` bytes are missing from a character that begins with value). */
bool srt_stacks_in_class(const struct srt_gbnf *g, uint32_t node,
                         uint32_t code);
bool srt_stacks_may_be_in_class(const struct srt_gbnf *g, uint32_t node,
                                uint32_t value, unsigned left);

#endif /* SRT_STACKS_H */

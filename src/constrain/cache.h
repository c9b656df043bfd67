/*
 * cache.h - what the matchers of one grammar and vocab have found out:
 * transitions and masks, by state
 *
 * Both are caches: they may be flushed at any time and are made anew; results
 * never depend on them.  There are two epochs, each memory within half of the
 * grammar's budget (without an eighth for around.h, where the machine has use
 * for it).  When the current one is full, the other is emptied and
 * takes its place; calls that are under way stay on the full one, and only
 * while they do can it not be emptied in turn.  A matcher that rests stands on
 * none.
 *
 * A hit takes no lock and no memory: it follows atomic pointers.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_CACHE_H
#define SRT_CACHE_H

#include "constrain/around.h"
#include "constrain/machine.h"
#include "constrain/tree.h"

struct srt_epoch;

enum { SRT_CACHE_SHARDS = 8 };

/* Calls under way, by epoch; counted apart so that threads seldom meet. */
struct srt_cache_shard {
    atomic_uint calls[2];
    char apart[64 - 2 * sizeof(atomic_uint)];
};

struct srt_cache {
    struct srt_shared shared; /* first */
    struct srt_machine *machine;
    sortes_vocab *vocab;         /* held; NULL: bytes alone */
    const struct srt_tree *tree; /* NULL: bytes alone */
    size_t epoch_bytes;
    uint8_t class_size[256]; /* bytes of the alphabet in a class; 255: more */
    srt_kinds class_kind[256];

    struct srt_places places;
    struct srt_epoch *epoch; /* two of them */
    struct srt_lock lock;    /* guards changes to the epochs, flushes, places */
    atomic_uint current;     /* 0 or 1 */
    uint64_t flushes;
    struct srt_cache_shard shard[SRT_CACHE_SHARDS];
};

/* A matcher's hold on the cache.  One thread at a time. */
struct srt_cursor {
    struct srt_cache *cache;
    struct srt_cache_shard *shard;
    struct srt_epoch *epoch; /* during a call */
    unsigned current;        /* its number */
    unsigned depth;          /* of calls inside one another */
    uint64_t hits, misses;   /* of masks */
};

/* The machine is taken over, v held; v NULL: bytes alone. */
sortes_status srt_cache_new(struct srt_cache **out, struct srt_machine *machine,
                            sortes_vocab *v, size_t budget);

void srt_cursor_init(struct srt_cursor *cursor, struct srt_cache *cache);
void srt_cursor_share(struct srt_cursor *to, const struct srt_cursor *from);
void srt_cursor_free(struct srt_cursor *cursor);

/* Around every public call that asks for states or masks: what is found in
 * the epoch stays there until the call is left.  Calls may nest. */
void srt_cursor_enter(struct srt_cursor *cursor);
void srt_cursor_leave(struct srt_cursor *cursor);

/* Forgets, if no call of another thread keeps it from that. */
void srt_cursor_flush(struct srt_cursor *cursor);

/* Masks, bytes and flushes of the current epoch and the cache. */
void srt_cursor_stats(const struct srt_cursor *cursor,
                      sortes_grammar_stats *stats);

/* Where a byte leads from a live state. */
sortes_status srt_cursor_step(struct srt_cursor *cursor, uint32_t state,
                              uint8_t byte, uint32_t *next);

/*
 * Where bytes lead: writes states[0 .. *n_live], the live ones, from states[0]
 * on; *n_live == n if they all are.
 */
sortes_status srt_cursor_path(struct srt_cursor *cursor, uint32_t *states,
                              const uint8_t *bytes, size_t n, size_t *n_live);

/* step_token, under the machine's lock. */
sortes_status srt_cursor_token(struct srt_cursor *cursor, uint32_t state,
                               int32_t token, uint32_t by_bytes,
                               uint32_t *next);

/* same_mask, under the machine's lock. */
sortes_status srt_cursor_same(struct srt_cursor *cursor, uint32_t state,
                              uint32_t *same);

/* inside, under the machine's lock; 0 where there is none. */
sortes_status srt_cursor_inside_state(struct srt_cursor *cursor, uint32_t state,
                                      uint32_t *other);

/* like, under the machine's lock. */
sortes_status srt_cursor_like(struct srt_cursor *cursor, uint32_t state,
                              uint32_t *base, struct srt_alphabet *unlike);

/* ---- for walk.c and mask.c ----------------------------------------------- */

#define SRT_UNKNOWN UINT32_MAX

/* A state's transitions, by class; SRT_UNKNOWN: not asked for yet. */
typedef _Atomic(uint32_t) srt_row;

/* NULL: none is there (and, with make, none can be had). */
srt_row *srt_cursor_row(struct srt_cursor *cursor, uint32_t state, bool make);

/* A mask as it is remembered; words or tokens follow. */
struct srt_mask;

struct srt_mask_head {
    enum srt_mask_form {
        SRT_MASK_LIST,   /* the tokens */
        SRT_MASK_SLICE,  /* the tokens in which it differs from the slice */
        SRT_MASK_INSIDE, /* in which it differs from base */
        SRT_MASK_WORDS
    } form;
    uint32_t n; /* tokens, or words, that follow */
    const struct srt_mask *base;
};

struct srt_mask {
    struct srt_mask_head head;
    uint32_t data[];
};

const struct srt_mask *srt_cursor_mask(struct srt_cursor *cursor,
                                       uint32_t state);
/* Remembers that two states have one mask, where that of `same` is there. */
void srt_cursor_share_mask(struct srt_cursor *cursor, uint32_t state,
                           uint32_t same);
/* Remembers a copy, if there is room. */
void srt_cursor_keep_mask(struct srt_cursor *cursor, uint32_t state,
                          const struct srt_mask_head *head,
                          const uint32_t *data);

/* Whether little of the memory for masks and transitions is in use yet. */
bool srt_cursor_is_roomy(const struct srt_cursor *cursor);

/* The same of the tokens that have no quote: machine.h's inside.  Keeping
 * returns what is remembered, or NULL. */
const struct srt_mask *srt_cursor_inside(struct srt_cursor *cursor,
                                         uint32_t state);
const struct srt_mask *srt_cursor_keep_inside(struct srt_cursor *cursor,
                                              uint32_t state,
                                              const struct srt_mask_head *head,
                                              const uint32_t *data);

/* Tokens of a state's mask that a trail may forbid, besides those that the
 * machine finds by itself; NULL: not looked for yet. */
struct srt_suspects_head {
    uint32_t n;
    uint32_t n_always; /* the others only begin a key, and need not be looked */
    uint32_t n_keys;   /* at in an object that has fewer keys than this */
};

struct srt_suspects {
    struct srt_suspects_head head;
    int32_t token[];
};

const struct srt_suspects *srt_cursor_suspects(struct srt_cursor *cursor,
                                               uint32_t state);
/* Remembers a copy, if there is room. */
void srt_cursor_keep_suspects(struct srt_cursor *cursor, uint32_t state,
                              const struct srt_suspects_head *head,
                              const int32_t *tokens);

/* Whether the string slice goes from a state on; -1: not asked for yet. */
int srt_cursor_slice(struct srt_cursor *cursor, uint32_t state);
void srt_cursor_keep_slice(struct srt_cursor *cursor, uint32_t state,
                           bool covers);

#endif /* SRT_CACHE_H */

/*
 * trace.h - where a sequence has been: a position for every token, shared
 * between clones
 *
 * Positions lie in blocks that clones share; a block that is shared is never
 * written to, the next position goes into a new one.  So a clone is a counter,
 * and rolling back is a subtraction.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_TRACE_H
#define SRT_TRACE_H

#include "constrain/machine.h"

/* All that a matcher knows of its place. */
struct srt_place {
    uint32_t state;
    uint32_t left;  /* of the prefix that heals, in bytes */
    uint32_t close; /* bytes of the closing tag that have come, +1; 0: awake */
    bool finished;  /* an end token came */
    bool asleep;    /* no trigger has come */
    struct srt_trail *trail; /* NULL: none */
};

/* Bytes that were no token. */
struct srt_trace_bytes {
    struct srt_shared shared;
    size_t n;
    char bytes[];
};

/* What brought a matcher to a place. */
struct srt_trace_entry {
    struct srt_place place;
    int32_t token;                /* -1: text */
    struct srt_trace_bytes *text; /* NULL: a token */
};

enum { SRT_TRACE_BLOCK = 32 };

struct srt_trace_block {
    struct srt_shared shared; /* first */
    struct srt_trace_block *before;
    uint32_t n_before; /* entries of it that come before */
    uint32_t n;        /* entries written here */
    struct srt_trace_entry entry[SRT_TRACE_BLOCK];
};

struct srt_trace {
    struct srt_trace_block *block; /* NULL: nothing yet */
    uint32_t n_here;               /* entries of block that count */
    size_t n;                      /* in all */
};

/* A copy; NULL: no memory. */
struct srt_trace_bytes *srt_trace_bytes_new(const char *bytes, size_t n);

/* Adds a step; what the entry holds is taken over (on failure: let go). */
sortes_status srt_trace_add(struct srt_trace *t,
                            const struct srt_trace_entry *entry);
/* Takes back n <= t->n steps. */
void srt_trace_back(struct srt_trace *t, size_t n);
/* The last step's place; t->n > 0. */
const struct srt_place *srt_trace_last(const struct srt_trace *t);
void srt_trace_share(struct srt_trace *to, const struct srt_trace *from);
void srt_trace_clear(struct srt_trace *t);

/* Calls each for every step, the last one first, until it returns false. */
void srt_trace_back_each(const struct srt_trace *t,
                         bool (*each)(void *ctx,
                                      const struct srt_trace_entry *e),
                         void *ctx);

/* Calls each for every step, the first one first. */
sortes_status srt_trace_each(
    const struct srt_trace *t,
    sortes_status (*each)(void *ctx, const struct srt_trace_entry *e),
    void *ctx);

SRT_INLINE struct srt_trail *srt_trail_hold(struct srt_trail *trail)
{
    if (trail)
        srt_shared_retain(&trail->shared);
    return trail;
}

SRT_INLINE void srt_trail_drop(struct srt_trail *trail)
{
    if (trail)
        srt_shared_release(&trail->shared);
}

#endif /* SRT_TRACE_H */

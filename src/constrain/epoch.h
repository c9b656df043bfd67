/*
 * epoch.h - what is found out between two flushes, by state
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_EPOCH_H
#define SRT_EPOCH_H

#include "constrain/cache.h"
#include "constrain/pool.h"

/* States of a block; blocks are made as states appear.  Two levels of them: the
 * upper one would be too long for a small grammar if it were there at once. */
enum { SRT_EPOCH_BLOCK_BITS = 8, SRT_EPOCH_TOP_BITS = 8 };
#define SRT_EPOCH_BLOCK  ((uint32_t)1 << SRT_EPOCH_BLOCK_BITS)
#define SRT_EPOCH_BLOCKS (SRT_POOL_MAX >> SRT_EPOCH_BLOCK_BITS)
/* One more: states are numbered from 1 to SRT_POOL_MAX. */
#define SRT_EPOCH_TOPS ((SRT_EPOCH_BLOCKS >> SRT_EPOCH_TOP_BITS) + 1)

/* Memory is taken in chunks of so much, or more at once. */
#define SRT_EPOCH_CHUNK ((size_t)64 << 10)

/* What is known of one state. */
struct srt_epoch_entry {
    _Atomic(srt_row *) row;
    _Atomic(struct srt_mask *) mask, inside;
    _Atomic(struct srt_suspects *) suspects;
    atomic_int slice; /* 0: not known; 1: no; 2: yes */
};

struct srt_epoch_chunk;

struct srt_epoch_blocks {
    _Atomic(struct srt_epoch_entry *) block[1 << SRT_EPOCH_TOP_BITS];
};

/* Masks that were made lately, by their hash: most of them are met again, at
 * states that differ in what lies further out. */
enum { SRT_EPOCH_RECENT = 256 };

struct srt_epoch {
    atomic_size_t n_bytes;
    size_t n_masks;
    struct srt_mask *recent[SRT_EPOCH_RECENT];
    struct srt_epoch_chunk *chunks;
    _Atomic(struct srt_epoch_blocks *) top[SRT_EPOCH_TOPS];
};

/* Forgets all; nobody uses it. */
void srt_epoch_clear(struct srt_epoch *e);

/* The size of the chunk that n bytes are taken from. */
size_t srt_epoch_chunk_size(size_t n_bytes);

/* Zeroed, aligned to 8; NULL: more than limit bytes in all, or no memory.  The
 * cache's lock is held. */
void *srt_epoch_take(struct srt_epoch *e, size_t limit, size_t n_bytes);

/* NULL: nothing is known of the state.  Any thread. */
struct srt_epoch_entry *srt_epoch_find(struct srt_epoch *e, uint32_t state);

/* Makes it if need be; NULL as from srt_epoch_take.  The lock is held. */
struct srt_epoch_entry *srt_epoch_entry(struct srt_epoch *e, size_t limit,
                                        uint32_t state);

/* ---- cache.c: the same of a cursor's epoch; a full one makes room for the
 * next
 */

void *srt_cursor_take(struct srt_cursor *cursor, size_t n_bytes);
struct srt_epoch_entry *srt_cursor_entry(struct srt_cursor *cursor,
                                         uint32_t state);

#endif /* SRT_EPOCH_H */

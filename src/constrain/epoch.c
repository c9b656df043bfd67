/*
 * epoch.c - what is found out between two flushes, by state
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/epoch.h"

#include <stdlib.h>
#include <string.h>

struct srt_epoch_chunk {
    struct srt_epoch_chunk *next;
    size_t used, size;
    uint64_t reserved; /* keeps what follows aligned */
};

void srt_epoch_clear(struct srt_epoch *e)
{
    for (struct srt_epoch_chunk *c = e->chunks; c;) {
        struct srt_epoch_chunk *next = c->next;

        free(c);
        c = next;
    }
    e->chunks = NULL;
    e->n_bytes = 0;
    e->n_masks = 0;
    memset(e->recent, 0, sizeof(e->recent));
    for (size_t i = 0; i < SRT_EPOCH_TOPS; i++)
        atomic_store_explicit(&e->top[i], NULL, memory_order_relaxed);
}

size_t srt_epoch_chunk_size(size_t n_bytes)
{
    return n_bytes > SRT_EPOCH_CHUNK / 4 ? n_bytes : SRT_EPOCH_CHUNK;
}

void *srt_epoch_take(struct srt_epoch *e, size_t limit, size_t n_bytes)
{
    struct srt_epoch_chunk *c = e->chunks;
    void *memory;

    n_bytes = (n_bytes + 7) / 8 * 8;
    if (!c || c->size - c->used < n_bytes) {
        const size_t size = srt_epoch_chunk_size(n_bytes);

        if (size > limit || e->n_bytes > limit - size)
            return NULL;
        c = calloc(1, sizeof(*c) + size);
        if (!c)
            return NULL;
        c->size = size;
        e->n_bytes += size;
        if (size == n_bytes && e->chunks) { /* the open chunk stays open */
            c->next = e->chunks->next;
            e->chunks->next = c;
        } else {
            c->next = e->chunks;
            e->chunks = c;
        }
    }
    memory = (char *)(c + 1) + c->used;
    c->used += n_bytes;
    return memory;
}

struct srt_epoch_entry *srt_epoch_find(struct srt_epoch *e, uint32_t state)
{
    struct srt_epoch_blocks *blocks = atomic_load_explicit(
        &e->top[state >> (SRT_EPOCH_BLOCK_BITS + SRT_EPOCH_TOP_BITS)],
        memory_order_acquire);
    struct srt_epoch_entry *block;

    if (!blocks)
        return NULL;
    block = atomic_load_explicit(
        &blocks->block[state >> SRT_EPOCH_BLOCK_BITS &
                       (((uint32_t)1 << SRT_EPOCH_TOP_BITS) - 1)],
        memory_order_acquire);
    return block ? &block[state & (SRT_EPOCH_BLOCK - 1)] : NULL;
}

struct srt_epoch_entry *srt_epoch_entry(struct srt_epoch *e, size_t limit,
                                        uint32_t state)
{
    const uint32_t top = state >> (SRT_EPOCH_BLOCK_BITS + SRT_EPOCH_TOP_BITS);
    const uint32_t at = state >> SRT_EPOCH_BLOCK_BITS &
                        (((uint32_t)1 << SRT_EPOCH_TOP_BITS) - 1);
    struct srt_epoch_blocks *blocks =
        atomic_load_explicit(&e->top[top], memory_order_relaxed);
    struct srt_epoch_entry *block;

    if (!blocks) {
        blocks = srt_epoch_take(e, limit, sizeof(*blocks));
        if (!blocks)
            return NULL;
        atomic_store_explicit(&e->top[top], blocks, memory_order_release);
    }
    block = atomic_load_explicit(&blocks->block[at], memory_order_relaxed);
    if (!block) {
        block = srt_epoch_take(e, limit, SRT_EPOCH_BLOCK * sizeof(*block));
        if (!block)
            return NULL;
        atomic_store_explicit(&blocks->block[at], block, memory_order_release);
    }
    return &block[state & (SRT_EPOCH_BLOCK - 1)];
}

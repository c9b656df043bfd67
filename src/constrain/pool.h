/*
 * pool.h - things that are made once and then known by a number
 *
 * A pool gives every distinct key (bytes) a number, from 1 on, and keeps a
 * copy of it with room for a payload beside it.  Records never move and are
 * never freed before the pool, so that readers on other threads may follow a
 * number they were given while the owner adds more.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_POOL_H
#define SRT_POOL_H

#include "status.h"

#include <stdbool.h>

/* Blocks of records double, so that a small pool is small. */
enum { SRT_POOL_FIRST_BITS = 4, SRT_POOL_BLOCKS = 20 };
#define SRT_POOL_FIRST ((uint32_t)1 << SRT_POOL_FIRST_BITS)
#define SRT_POOL_MAX                                                           \
    (((uint32_t)1 << (SRT_POOL_BLOCKS + SRT_POOL_FIRST_BITS)) - SRT_POOL_FIRST)

struct srt_pool_record {
    uint64_t n_bytes; /* of the key */
    /* payload, then key; both aligned to 8 */
};

/* A place of the hash table. */
struct srt_pool_bucket {
    uint32_t number; /* 0: free */
    uint32_t hash;   /* told here, so that others' records are not touched */
};

struct srt_pool_arena;

struct srt_pool {
    size_t payload;    /* bytes, a multiple of 8 */
    size_t limit;      /* records; SORTES_E_LIMIT beyond */
    size_t byte_limit; /* bytes in all */
    size_t n;          /* records, numbered 1 .. n */
    size_t n_bytes;    /* in use in all, tables included */
    struct srt_pool_bucket *buckets;
    size_t n_buckets; /* a power of 2 */
    struct srt_pool_record **block[SRT_POOL_BLOCKS];
    struct srt_pool_arena *arena;
};

/* Takes no memory yet. */
void srt_pool_init(struct srt_pool *p, size_t payload, size_t limit,
                   size_t byte_limit);
void srt_pool_clear(struct srt_pool *p);

/*
 * The number of a key; a new one has a payload of zeros, and *is_new (NULL:
 * not wanted) says so.  SORTES_E_LIMIT, SORTES_E_NOMEM: nothing has changed.
 */
sortes_status srt_pool_intern(struct srt_pool *p, const void *key,
                              size_t n_bytes, uint32_t *number, bool *is_new);

/* Bytes that live as long as the pool, zeroed, aligned to 8; NULL: no memory
 * or no room within byte_limit, as the status says that srt_pool_refusal has
 * then. */
void *srt_pool_take(struct srt_pool *p, size_t n_bytes);
sortes_status srt_pool_refusal(const struct srt_pool *p, size_t n_bytes);

SRT_INLINE struct srt_pool_record *srt_pool_record(const struct srt_pool *p,
                                                   uint32_t number)
{
    const uint32_t i = number - 1 + SRT_POOL_FIRST;
    const unsigned top = srt_top_bit(i);

    return p->block[top - SRT_POOL_FIRST_BITS][i ^ (uint32_t)1 << top];
}

SRT_INLINE void *srt_pool_payload(const struct srt_pool *p, uint32_t number)
{
    return srt_pool_record(p, number) + 1;
}

SRT_INLINE const void *srt_pool_key(const struct srt_pool *p, uint32_t number,
                                    size_t *n_bytes)
{
    const struct srt_pool_record *r = srt_pool_record(p, number);

    if (n_bytes)
        *n_bytes = (size_t)r->n_bytes;
    return (const char *)(r + 1) + p->payload;
}

#endif /* SRT_POOL_H */

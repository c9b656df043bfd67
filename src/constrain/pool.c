/*
 * pool.c - things that are made once and then known by a number
 *
 * A hash table, open with linear probing, over records that lie in chunks of
 * memory.  Records are found by number through blocks of pointers that double
 * in size and never move: a reader holds no lock.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/pool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Memory comes in chunks that double up to this; larger things get their
 * own. */
#define POOL_CHUNK       ((size_t)16 << 10)
#define POOL_FIRST_CHUNK ((size_t)1 << 10)

enum { POOL_FIRST_BUCKETS = 16 };

struct srt_pool_arena {
    struct srt_pool_arena *next;
    size_t used, size; /* bytes behind the struct */
    uint64_t reserved; /* keeps what follows aligned to 8 */
};

void srt_pool_init(struct srt_pool *p, size_t payload, size_t limit,
                   size_t byte_limit)
{
    assert(payload % 8 == 0);
    memset(p, 0, sizeof(*p));
    p->payload = payload;
    p->limit = limit < SRT_POOL_MAX ? limit : SRT_POOL_MAX;
    p->byte_limit = byte_limit;
}

void srt_pool_clear(struct srt_pool *p)
{
    for (struct srt_pool_arena *a = p->arena; a;) {
        struct srt_pool_arena *next = a->next;

        free(a);
        a = next;
    }
    for (size_t i = 0; i < SRT_POOL_BLOCKS && p->block[i]; i++)
        free(p->block[i]);
    free(p->buckets);
    srt_pool_init(p, p->payload, p->limit, p->byte_limit);
}

/* Why n bytes could not be had. */
static sortes_status pool_why(const struct srt_pool *p, size_t n)
{
    return n > p->byte_limit - p->n_bytes ? SORTES_E_LIMIT : SORTES_E_NOMEM;
}

/* calloc() within the limit of bytes. */
static void *pool_calloc(struct srt_pool *p, size_t n, size_t size)
{
    void *memory;

    if (n * size > p->byte_limit - p->n_bytes)
        return NULL;
    memory = calloc(n, size);
    if (memory)
        p->n_bytes += n * size;
    return memory;
}

void *srt_pool_take(struct srt_pool *p, size_t n_bytes)
{
    struct srt_pool_arena *a = p->arena;
    void *memory;

    if (n_bytes > p->byte_limit)
        return NULL;
    n_bytes = (n_bytes + 7) / 8 * 8;
    if (!a || a->size - a->used < n_bytes) {
        size_t size = POOL_FIRST_CHUNK;

        while (size < POOL_CHUNK && (size < p->n_bytes || size < 4 * n_bytes))
            size *= 2;
        if (n_bytes > size / 4)
            size = n_bytes;

        a = pool_calloc(p, 1, sizeof(*a) + size);
        if (!a)
            return NULL;
        a->size = size;
        if (size == n_bytes && p->arena) { /* the open chunk stays open */
            a->next = p->arena->next;
            p->arena->next = a;
        } else {
            a->next = p->arena;
            p->arena = a;
        }
    }
    memory = (char *)(a + 1) + a->used;
    a->used += n_bytes;
    return memory;
}

sortes_status srt_pool_refusal(const struct srt_pool *p, size_t n_bytes)
{
    return pool_why(p, sizeof(*p->arena) +
                           (POOL_CHUNK > n_bytes ? POOL_CHUNK : n_bytes));
}

/* FNV-1a over words would be weak in its low bits: multiply and fold. */
static uint32_t pool_hash(const void *key, size_t n)
{
    const unsigned char *at = key;
    uint64_t h = UINT64_C(0x9E3779B97F4A7C15) ^ n;

    for (; n >= 8; at += 8, n -= 8) {
        uint64_t word;

        memcpy(&word, at, 8);
        h = (h ^ word) * UINT64_C(0xD6E8FEB86659FD93);
        h ^= h >> 32;
    }
    if (n) {
        uint64_t word = 0;

        memcpy(&word, at, n);
        h = (h ^ word) * UINT64_C(0xD6E8FEB86659FD93);
        h ^= h >> 32;
    }
    h *= UINT64_C(0xD6E8FEB86659FD93);
    return (uint32_t)(h ^ h >> 32);
}

/* Room for one more record in the tables. */
static sortes_status pool_make_room(struct srt_pool *p)
{
    const unsigned top = srt_top_bit((uint32_t)p->n + SRT_POOL_FIRST);
    struct srt_pool_record ***block = &p->block[top - SRT_POOL_FIRST_BITS];

    if (p->n >= p->limit)
        return SORTES_E_LIMIT;
    if (!*block) {
        *block = pool_calloc(p, (size_t)1 << top, sizeof(**block));
        if (!*block)
            return pool_why(p, sizeof(**block) << top);
    }
    return SORTES_OK;
}

/* The place of a key, or the free one where it belongs. */
static struct srt_pool_bucket *pool_find(const struct srt_pool *p,
                                         uint32_t hash, const void *key,
                                         size_t n_bytes)
{
    const size_t mask = p->n_buckets - 1;

    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        struct srt_pool_bucket *b = &p->buckets[i];
        size_t n;
        const void *other;

        if (!b->number)
            return b;
        if (b->hash != hash)
            continue;
        other = srt_pool_key(p, b->number, &n);
        if (n == n_bytes && (n == 0 || memcmp(other, key, n) == 0))
            return b;
    }
}

/* Doubles the buckets once half of them are taken; one is always free. */
static sortes_status pool_grow_buckets(struct srt_pool *p)
{
    const size_t n = p->n_buckets ? 2 * p->n_buckets : POOL_FIRST_BUCKETS;
    struct srt_pool_bucket *buckets;

    if (2 * (p->n + 1) <= p->n_buckets)
        return SORTES_OK;
    buckets = pool_calloc(p, n, sizeof(*buckets));
    if (!buckets)
        return p->n + 1 < p->n_buckets ? SORTES_OK /* longer ways will do */
                                       : pool_why(p, n * sizeof(*buckets));
    for (size_t i = 0; i < p->n_buckets; i++) {
        size_t to = p->buckets[i].hash & (n - 1);

        if (!p->buckets[i].number)
            continue;
        while (buckets[to].number)
            to = (to + 1) & (n - 1);
        buckets[to] = p->buckets[i];
    }
    p->n_bytes -= p->n_buckets * sizeof(*p->buckets);
    free(p->buckets);
    p->buckets = buckets;
    p->n_buckets = n;
    return SORTES_OK;
}

/* A new record, number p->n + 1. */
static sortes_status pool_add(struct srt_pool *p, const void *key,
                              size_t n_bytes)
{
    const uint32_t i = (uint32_t)p->n + SRT_POOL_FIRST;
    const unsigned top = srt_top_bit(i);
    sortes_status status = pool_make_room(p);
    struct srt_pool_record *r;

    if (status == SORTES_OK)
        status = pool_grow_buckets(p);
    if (status != SORTES_OK)
        return status;
    r = srt_pool_take(p, sizeof(*r) + p->payload + n_bytes);
    if (!r)
        return srt_pool_refusal(p, n_bytes);
    r->n_bytes = n_bytes;
    if (n_bytes)
        memcpy((char *)(r + 1) + p->payload, key, n_bytes);
    p->block[top - SRT_POOL_FIRST_BITS][i ^ (uint32_t)1 << top] = r;
    p->n++;
    return SORTES_OK;
}

sortes_status srt_pool_intern(struct srt_pool *p, const void *key,
                              size_t n_bytes, uint32_t *number, bool *is_new)
{
    const uint32_t hash = pool_hash(key, n_bytes);
    sortes_status status;

    *number = p->n_buckets ? pool_find(p, hash, key, n_bytes)->number : 0;
    if (is_new)
        *is_new = *number == 0;
    if (*number)
        return SORTES_OK;
    if (n_bytes > UINT32_MAX)
        return SORTES_E_LIMIT;
    status = pool_add(p, key, n_bytes);
    if (status != SORTES_OK)
        return status;
    *number = (uint32_t)p->n;
    *pool_find(p, hash, key, n_bytes) =
        (struct srt_pool_bucket){ *number, hash };
    return SORTES_OK;
}

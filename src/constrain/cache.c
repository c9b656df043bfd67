/*
 * cache.c - epochs in turn, and the calls that stand on them
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/epoch.h"

#include <stdlib.h>
#include <string.h>

/* ---- epochs in turn ------------------------------------------------------ */

/*
 * Puts the other epoch, emptied, in place of the current one; not while a call
 * still stands on it.  The lock is held.
 *
 * A call counts itself in and then looks again whether its epoch is the
 * current one; here the count is read after the epoch has ceased to be that.
 * All four are sequentially consistent: either the call sees that it came too
 * late, or it is seen here.
 */
static void cache_turn(struct srt_cache *c)
{
    const unsigned other =
        !atomic_load_explicit(&c->current, memory_order_relaxed);

    for (size_t i = 0; i < SRT_CACHE_SHARDS; i++)
        if (atomic_load(&c->shard[i].calls[other]) > 0)
            return;
    srt_epoch_clear(&c->epoch[other]);
    atomic_store(&c->current, other);
    c->flushes++;
}

/* A full epoch makes room for the next, if what was too much fits into one. */
static void cursor_full(struct srt_cursor *cursor, size_t n_bytes)
{
    struct srt_cache *c = cursor->cache;
    const size_t size = srt_epoch_chunk_size(n_bytes);

    if (size + (size == SRT_EPOCH_CHUNK ? 0 : SRT_EPOCH_CHUNK) <=
            c->epoch_bytes &&
        cursor->epoch ==
            &c->epoch[atomic_load_explicit(&c->current, memory_order_relaxed)])
        cache_turn(c);
}

void *srt_cursor_take(struct srt_cursor *cursor, size_t n_bytes)
{
    void *memory =
        srt_epoch_take(cursor->epoch, cursor->cache->epoch_bytes, n_bytes);

    if (!memory)
        cursor_full(cursor, n_bytes);
    return memory;
}

struct srt_epoch_entry *srt_cursor_entry(struct srt_cursor *cursor,
                                         uint32_t state)
{
    struct srt_epoch_entry *entry =
        srt_epoch_entry(cursor->epoch, cursor->cache->epoch_bytes, state);

    if (!entry)
        cursor_full(cursor, SRT_EPOCH_BLOCK * sizeof(*entry));
    return entry;
}

/* ---- the cache ----------------------------------------------------------- */

static void cache_destroy(struct srt_shared *shared)
{
    struct srt_cache *c = (struct srt_cache *)shared;

    for (int i = 0; c->epoch && i < 2; i++)
        srt_epoch_clear(&c->epoch[i]);
    free(c->epoch);
    srt_places_clear(&c->places);
    srt_lock_destroy(&c->lock);
    srt_shared_release(&c->machine->shared);
    sortes_vocab_free(c->vocab);
    free(c);
}

/* A kind of characters that the class has, one of a byte; 0: none. */
static srt_kinds cache_class_kind(const struct srt_machine *m, uint16_t class_)
{
    for (unsigned byte = 0; byte < 0x80; byte++)
        if (m->class_of[byte] == class_ &&
            srt_alphabet_has(&m->alphabet, (uint8_t)byte) &&
            srt_kind_of((uint8_t)byte) != SRT_KINDS_OTHER)
            return srt_kind_of((uint8_t)byte);
    return 0;
}

sortes_status srt_cache_new(struct srt_cache **out, struct srt_machine *machine,
                            sortes_vocab *v, size_t budget)
{
    const size_t places = machine->type->around ? budget / 8 : 0;
    struct srt_cache *c = calloc(1, sizeof(*c));
    sortes_status status = SORTES_OK;

    *out = NULL;
    if (!c) {
        srt_shared_release(&machine->shared);
        return SORTES_E_NOMEM;
    }
    srt_shared_init(&c->shared, cache_destroy);
    srt_lock_init(&c->lock);
    c->machine = machine;
    srt_places_init(&c->places, places);
    c->epoch_bytes = (budget - places) / 2;
    c->epoch = calloc(2, sizeof(*c->epoch));
    if (!c->epoch)
        status = SORTES_E_NOMEM;
    if (v) {
        c->vocab = sortes_vocab_retain(v);
    }
    if (v && status == SORTES_OK)
        status = srt_tree_of(&c->tree, v, machine->literal);
    for (uint16_t i = 0; i < machine->n_classes; i++)
        c->class_kind[i] = cache_class_kind(machine, i);
    for (int byte = 0; byte < 256; byte++)
        if (srt_alphabet_has(&machine->alphabet, (uint8_t)byte) &&
            c->class_size[machine->class_of[byte]] < 255)
            c->class_size[machine->class_of[byte]]++;
    if (status != SORTES_OK) {
        srt_shared_release(&c->shared);
        return status;
    }
    *out = c;
    return SORTES_OK;
}

/* ---- cursors ------------------------------------------------------------- */

void srt_cursor_init(struct srt_cursor *cursor, struct srt_cache *cache)
{
    srt_shared_retain(&cache->shared);
    memset(cursor, 0, sizeof(*cursor));
    cursor->cache = cache;
    /* Cursors lie in memory of their own, some hundred bytes apart. */
    cursor->shard = &cache->shard[(uintptr_t)cursor / 256 % SRT_CACHE_SHARDS];
}

void srt_cursor_share(struct srt_cursor *to, const struct srt_cursor *from)
{
    srt_cursor_init(to, from->cache);
    to->hits = from->hits;
    to->misses = from->misses;
}

void srt_cursor_free(struct srt_cursor *cursor)
{
    if (cursor->cache)
        srt_shared_release(&cursor->cache->shared);
    memset(cursor, 0, sizeof(*cursor));
}

void srt_cursor_enter(struct srt_cursor *cursor)
{
    struct srt_cache *c = cursor->cache;
    unsigned current;

    if (cursor->depth++ > 0)
        return;
    for (;;) {
        current = atomic_load_explicit(&c->current, memory_order_acquire);
        atomic_fetch_add(&cursor->shard->calls[current], 1);
        if (atomic_load(&c->current) == current)
            break; /* otherwise it may have been emptied meanwhile */
        atomic_fetch_sub(&cursor->shard->calls[current], 1);
    }
    cursor->epoch = &c->epoch[current];
    cursor->current = current;
}

void srt_cursor_leave(struct srt_cursor *cursor)
{
    if (--cursor->depth > 0)
        return;
    cursor->epoch = NULL;
    atomic_fetch_sub_explicit(&cursor->shard->calls[cursor->current], 1,
                              memory_order_release);
}

void srt_cursor_flush(struct srt_cursor *cursor)
{
    srt_lock_take(&cursor->cache->lock);
    cache_turn(cursor->cache);
    srt_lock_release(&cursor->cache->lock);
}

void srt_cursor_stats(const struct srt_cursor *cursor,
                      sortes_grammar_stats *stats)
{
    struct srt_cache *c = cursor->cache;

    srt_lock_take(&c->lock);
    stats->n_masks =
        c->epoch[atomic_load_explicit(&c->current, memory_order_relaxed)]
            .n_masks;
    stats->cache_bytes = c->epoch[0].n_bytes + c->epoch[1].n_bytes +
                         srt_places_bytes(&c->places);
    stats->flushes = c->flushes;
    srt_lock_release(&c->lock);
    stats->hits = cursor->hits;
    stats->misses = cursor->misses;
}

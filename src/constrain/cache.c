/*
 * cache.c - transitions and masks by state, in epochs
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/cache.h"

#include "constrain/pool.h"

#include <stdlib.h>
#include <string.h>

/* States of a block; blocks are made as states appear. */
enum { EPOCH_BLOCK_BITS = 8 };
#define EPOCH_BLOCK  ((uint32_t)1 << EPOCH_BLOCK_BITS)
#define EPOCH_BLOCKS (SRT_POOL_MAX >> EPOCH_BLOCK_BITS)
#define EPOCH_CHUNK  ((size_t)64 << 10)

/* What is known of one state. */
struct epoch_entry {
    _Atomic(srt_row *) row;
    _Atomic(struct srt_mask *) mask, inside;
    _Atomic(struct srt_suspects *) suspects;
    atomic_int slice; /* 0: not known; 1: no; 2: yes */
};

struct epoch_chunk {
    struct epoch_chunk *next;
    size_t used, size;
    uint64_t reserved; /* keeps what follows aligned */
};

/* Two levels of blocks: the upper one would be too long for a small grammar
 * if it were there at once. */
enum { EPOCH_TOP_BITS = 8 };
/* One more: states are numbered from 1 to SRT_POOL_MAX. */
#define EPOCH_TOPS ((EPOCH_BLOCKS >> EPOCH_TOP_BITS) + 1)

struct epoch_blocks {
    _Atomic(struct epoch_entry *) block[1 << EPOCH_TOP_BITS];
};

/* Masks that were made lately, by their hash: most of them are met again, at
 * states that differ in what lies further out. */
enum { EPOCH_RECENT = 256 };

struct srt_epoch {
    atomic_size_t n_bytes;
    size_t n_masks;
    struct srt_mask *recent[EPOCH_RECENT];
    struct epoch_chunk *chunks;
    _Atomic(struct epoch_blocks *) top[EPOCH_TOPS];
};

/* ---- epochs ----------------------------------------------------------------
 */

/* Nobody uses it. */
static void epoch_clear(struct srt_epoch *e)
{
    for (struct epoch_chunk *c = e->chunks; c;) {
        struct epoch_chunk *next = c->next;

        free(c);
        c = next;
    }
    e->chunks = NULL;
    e->n_bytes = 0;
    e->n_masks = 0;
    memset(e->recent, 0, sizeof(e->recent));
    for (size_t i = 0; i < EPOCH_TOPS; i++)
        atomic_store_explicit(&e->top[i], NULL, memory_order_relaxed);
}

/* The chunk that n bytes are taken from. */
static size_t epoch_chunk_size(size_t n_bytes)
{
    return n_bytes > EPOCH_CHUNK / 4 ? n_bytes : EPOCH_CHUNK;
}

/* Zeroed, aligned to 8; NULL: the epoch is full.  The lock is held. */
static void *epoch_take(struct srt_epoch *e, size_t limit, size_t n_bytes)
{
    struct epoch_chunk *c = e->chunks;
    void *memory;

    n_bytes = (n_bytes + 7) / 8 * 8;
    if (!c || c->size - c->used < n_bytes) {
        const size_t size = epoch_chunk_size(n_bytes);

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

static struct epoch_entry *epoch_find(struct srt_epoch *e, uint32_t state)
{
    struct epoch_blocks *blocks = atomic_load_explicit(
        &e->top[state >> (EPOCH_BLOCK_BITS + EPOCH_TOP_BITS)],
        memory_order_acquire);
    struct epoch_entry *block;

    if (!blocks)
        return NULL;
    block = atomic_load_explicit(
        &blocks->block[state >> EPOCH_BLOCK_BITS &
                       (((uint32_t)1 << EPOCH_TOP_BITS) - 1)],
        memory_order_acquire);
    return block ? &block[state & (EPOCH_BLOCK - 1)] : NULL;
}

/* The lock is held. */
static struct epoch_entry *epoch_entry(struct srt_epoch *e, size_t limit,
                                       uint32_t state)
{
    const uint32_t top = state >> (EPOCH_BLOCK_BITS + EPOCH_TOP_BITS);
    const uint32_t at =
        state >> EPOCH_BLOCK_BITS & (((uint32_t)1 << EPOCH_TOP_BITS) - 1);
    struct epoch_blocks *blocks =
        atomic_load_explicit(&e->top[top], memory_order_relaxed);
    struct epoch_entry *block;

    if (!blocks) {
        blocks = epoch_take(e, limit, sizeof(*blocks));
        if (!blocks)
            return NULL;
        atomic_store_explicit(&e->top[top], blocks, memory_order_release);
    }
    block = atomic_load_explicit(&blocks->block[at], memory_order_relaxed);
    if (!block) {
        block = epoch_take(e, limit, EPOCH_BLOCK * sizeof(*block));
        if (!block)
            return NULL;
        atomic_store_explicit(&blocks->block[at], block, memory_order_release);
    }
    return &block[state & (EPOCH_BLOCK - 1)];
}

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
    epoch_clear(&c->epoch[other]);
    atomic_store(&c->current, other);
    c->flushes++;
}

/* A full epoch makes room for the next, if what was too much fits into one. */
static void cursor_full(struct srt_cursor *cursor, size_t n_bytes)
{
    struct srt_cache *c = cursor->cache;
    const size_t size = epoch_chunk_size(n_bytes);

    if (size + (size == EPOCH_CHUNK ? 0 : EPOCH_CHUNK) <= c->epoch_bytes &&
        cursor->epoch ==
            &c->epoch[atomic_load_explicit(&c->current, memory_order_relaxed)])
        cache_turn(c);
}

static void *cursor_take(struct srt_cursor *cursor, size_t n_bytes)
{
    void *memory =
        epoch_take(cursor->epoch, cursor->cache->epoch_bytes, n_bytes);

    if (!memory)
        cursor_full(cursor, n_bytes);
    return memory;
}

static struct epoch_entry *cursor_entry(struct srt_cursor *cursor,
                                        uint32_t state)
{
    struct epoch_entry *entry =
        epoch_entry(cursor->epoch, cursor->cache->epoch_bytes, state);

    if (!entry)
        cursor_full(cursor, EPOCH_BLOCK * sizeof(*entry));
    return entry;
}

/* ---- the cache
 * ---------------------------------------------------------------- */

static void cache_destroy(struct srt_shared *shared)
{
    struct srt_cache *c = (struct srt_cache *)shared;

    for (int i = 0; c->epoch && i < 2; i++)
        epoch_clear(&c->epoch[i]);
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

/* ---- cursors
 * ----------------------------------------------------------------- */

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

/* ---- transitions
 * --------------------------------------------------------------- */

/* What a machine tells of a state before it is asked for its transitions. */
struct cache_ahead {
    struct srt_alphabet may;
    srt_kinds stays;
};

static struct cache_ahead cache_ahead(const struct srt_machine *m,
                                      uint32_t state)
{
    struct cache_ahead ahead = { { { 0 } }, 0 };

    if (m->type->may_follow)
        ahead.may = m->type->may_follow(m, state);
    if (m->type->kinds_stay)
        ahead.stays = m->type->kinds_stay(m, state);
    return ahead;
}

/* The row's memory is zeroed: SRT_DEAD. */
static void cache_row_begin(const struct srt_cache *c, uint32_t state,
                            const struct cache_ahead *ahead, srt_row *row)
{
    const struct srt_machine *m = c->machine;

    if (!m->type->may_follow)
        for (uint16_t i = 0; i < m->n_classes; i++)
            atomic_init(&row[i], SRT_UNKNOWN);
    for (unsigned i = 0; i < 4; i++)
        for (uint64_t left = ahead->may.bits[i]; left; left &= left - 1)
            atomic_init(&row[m->class_of[64 * i + srt_ctz64(left)]],
                        SRT_UNKNOWN);
    for (uint16_t i = 0; ahead->stays && i < m->n_classes; i++)
        if (c->class_kind[i] & ahead->stays)
            atomic_init(&row[i], state);
}

srt_row *srt_cursor_row(struct srt_cursor *cursor, uint32_t state, bool make)
{
    struct srt_cache *c = cursor->cache;
    const uint16_t n = c->machine->n_classes;
    struct epoch_entry *entry = epoch_find(cursor->epoch, state);
    struct cache_ahead ahead;
    srt_row *row =
        entry ? atomic_load_explicit(&entry->row, memory_order_acquire) : NULL;

    if (row || !make)
        return row;
    ahead = cache_ahead(c->machine, state);
    srt_lock_take(&c->lock);
    entry = cursor_entry(cursor, state);
    row =
        entry ? atomic_load_explicit(&entry->row, memory_order_relaxed) : NULL;
    if (entry && !row) {
        row = cursor_take(cursor, n * sizeof(*row));
        if (row)
            cache_row_begin(c, state, &ahead, row);
        if (row)
            atomic_store_explicit(&entry->row, row, memory_order_release);
    }
    srt_lock_release(&c->lock);
    return row;
}

SRT_NOINLINE
static sortes_status cursor_miss(struct srt_cursor *cursor, uint32_t state,
                                 uint8_t byte, uint32_t *next)
{
    struct srt_machine *m = cursor->cache->machine;
    srt_row *row = srt_cursor_row(cursor, state, true);
    sortes_status status;

    srt_lock_take(&m->lock);
    status = m->type->step(m, state, byte, next);
    srt_lock_release(&m->lock);
    if (status == SORTES_OK && row)
        atomic_store_explicit(&row[m->class_of[byte]], *next,
                              memory_order_release);
    return status;
}

sortes_status srt_cursor_step(struct srt_cursor *cursor, uint32_t state,
                              uint8_t byte, uint32_t *next)
{
    const struct srt_machine *m = cursor->cache->machine;
    const srt_row *row = srt_cursor_row(cursor, state, false);

    if (row) {
        *next =
            atomic_load_explicit(&row[m->class_of[byte]], memory_order_acquire);
        if (*next != SRT_UNKNOWN)
            return SORTES_OK;
    }
    return cursor_miss(cursor, state, byte, next);
}

sortes_status srt_cursor_path(struct srt_cursor *cursor, uint32_t *states,
                              const uint8_t *bytes, size_t n, size_t *n_live)
{
    for (*n_live = 0; *n_live < n; ++*n_live) {
        const sortes_status status = srt_cursor_step(
            cursor, states[*n_live], bytes[*n_live], &states[*n_live + 1]);

        if (status != SORTES_OK)
            return status;
        if (states[*n_live + 1] == SRT_DEAD)
            break;
    }
    return SORTES_OK;
}

sortes_status srt_cursor_token(struct srt_cursor *cursor, uint32_t state,
                               int32_t token, uint32_t by_bytes, uint32_t *next)
{
    struct srt_machine *m = cursor->cache->machine;
    sortes_status status;

    srt_lock_take(&m->lock);
    status = m->type->step_token(m, state, token, by_bytes, next);
    srt_lock_release(&m->lock);
    return status;
}

sortes_status srt_cursor_same(struct srt_cursor *cursor, uint32_t state,
                              uint32_t *same)
{
    struct srt_machine *m = cursor->cache->machine;
    sortes_status status;

    *same = state;
    if (!m->type->same_mask)
        return SORTES_OK;
    srt_lock_take(&m->lock);
    status = m->type->same_mask(m, state, cursor->cache->tree->longest, same);
    srt_lock_release(&m->lock);
    return status;
}

sortes_status srt_cursor_inside_state(struct srt_cursor *cursor, uint32_t state,
                                      uint32_t *other)
{
    struct srt_machine *m = cursor->cache->machine;
    sortes_status status;

    *other = 0;
    if (!m->type->inside)
        return SORTES_OK;
    srt_lock_take(&m->lock);
    status = m->type->inside(m, state, other);
    srt_lock_release(&m->lock);
    return status;
}

sortes_status srt_cursor_like(struct srt_cursor *cursor, uint32_t state,
                              uint32_t *base, struct srt_alphabet *unlike)
{
    struct srt_machine *m = cursor->cache->machine;
    sortes_status status;

    *base = 0;
    if (!m->type->like)
        return SORTES_OK;
    srt_lock_take(&m->lock);
    status = m->type->like(m, state, base, unlike);
    srt_lock_release(&m->lock);
    return status;
}

/* ---- masks
 * ----------------------------------------------------------------------- */

const struct srt_mask *srt_cursor_mask(struct srt_cursor *cursor,
                                       uint32_t state)
{
    struct epoch_entry *entry = epoch_find(cursor->epoch, state);

    return entry ? atomic_load_explicit(&entry->mask, memory_order_acquire)
                 : NULL;
}

static size_t mask_slot(const struct srt_mask_head *head, const uint32_t *data)
{
    uint64_t h[4] = { (uint64_t)head->form << 32 | head->n, 1, 2, 3 }, two;
    const uint32_t step = head->n > 1024 ? 32 : 8; /* of long ones, a part */
    uint32_t i = 0;

    for (; i + 8 <= head->n; i += step) /* side by side: four chains */
        for (unsigned k = 0; k < 4; k++) {
            memcpy(&two, data + i + 2 * k, sizeof(two));
            h[k] = (h[k] ^ two) * UINT64_C(0x9E3779B97F4A7C15);
            h[k] ^= h[k] >> 29;
        }
    for (; i < head->n; i++)
        h[0] = (h[0] ^ data[i]) * UINT64_C(0x9E3779B97F4A7C15);
    h[0] ^= (h[1] * 3 + h[2]) * 3 + h[3];
    return (h[0] ^ h[0] >> 32) % EPOCH_RECENT;
}

/* A copy, or one that is there; NULL: no room.  The lock is held. */
static struct srt_mask *cursor_copy_mask(struct srt_cursor *cursor,
                                         const struct srt_mask_head *head,
                                         const uint32_t *data, size_t slot)
{
    const size_t n_bytes = head->n * sizeof(*data);
    struct srt_mask *mask = cursor->epoch->recent[slot];

    if (mask && mask->head.form == head->form && mask->head.n == head->n &&
        mask->head.base == head->base && memcmp(mask->data, data, n_bytes) == 0)
        return mask;
    mask = cursor_take(cursor, sizeof(*mask) + n_bytes);
    if (mask) {
        mask->head = *head;
        memcpy(mask->data, data, n_bytes);
        cursor->epoch->recent[slot] = mask;
    }
    return mask;
}

/* The lock is held. */
static const struct srt_mask *cursor_keep(struct srt_cursor *cursor,
                                          _Atomic(struct srt_mask *) *place,
                                          const struct srt_mask_head *head,
                                          const uint32_t *data, size_t slot)
{
    struct srt_mask *mask = atomic_load_explicit(place, memory_order_relaxed);

    if (mask)
        return mask;
    mask = cursor_copy_mask(cursor, head, data, slot);
    if (mask) {
        atomic_store_explicit(place, mask, memory_order_release);
        cursor->epoch->n_masks++;
    }
    return mask;
}

void srt_cursor_keep_mask(struct srt_cursor *cursor, uint32_t state,
                          const struct srt_mask_head *head,
                          const uint32_t *data)
{
    struct srt_cache *c = cursor->cache;
    const size_t slot = mask_slot(head, data);
    struct epoch_entry *entry;

    srt_lock_take(&c->lock);
    entry = cursor_entry(cursor, state);
    if (entry)
        cursor_keep(cursor, &entry->mask, head, data, slot);
    srt_lock_release(&c->lock);
}

/* Read without the lock: it need not be exact. */
bool srt_cursor_is_roomy(const struct srt_cursor *cursor)
{
    return atomic_load_explicit(&cursor->epoch->n_bytes, memory_order_relaxed) <
           cursor->cache->epoch_bytes / 4;
}

const struct srt_mask *srt_cursor_inside(struct srt_cursor *cursor,
                                         uint32_t state)
{
    struct epoch_entry *entry = epoch_find(cursor->epoch, state);

    return entry ? atomic_load_explicit(&entry->inside, memory_order_acquire)
                 : NULL;
}

const struct srt_mask *srt_cursor_keep_inside(struct srt_cursor *cursor,
                                              uint32_t state,
                                              const struct srt_mask_head *head,
                                              const uint32_t *data)
{
    struct srt_cache *c = cursor->cache;
    const size_t slot = mask_slot(head, data);
    const struct srt_mask *mask = NULL;
    struct epoch_entry *entry;

    srt_lock_take(&c->lock);
    entry = cursor_entry(cursor, state);
    if (entry)
        mask = cursor_keep(cursor, &entry->inside, head, data, slot);
    srt_lock_release(&c->lock);
    return mask;
}

void srt_cursor_share_mask(struct srt_cursor *cursor, uint32_t state,
                           uint32_t same)
{
    struct srt_cache *c = cursor->cache;
    struct epoch_entry *entry, *of;

    srt_lock_take(&c->lock);
    of = epoch_find(cursor->epoch, same);
    entry = of ? cursor_entry(cursor, state) : NULL;
    if (entry && !atomic_load_explicit(&entry->mask, memory_order_relaxed))
        atomic_store_explicit(
            &entry->mask, atomic_load_explicit(&of->mask, memory_order_relaxed),
            memory_order_release);
    srt_lock_release(&c->lock);
}

const struct srt_suspects *srt_cursor_suspects(struct srt_cursor *cursor,
                                               uint32_t state)
{
    struct epoch_entry *entry = epoch_find(cursor->epoch, state);

    return entry ? atomic_load_explicit(&entry->suspects, memory_order_acquire)
                 : NULL;
}

void srt_cursor_keep_suspects(struct srt_cursor *cursor, uint32_t state,
                              const struct srt_suspects_head *head,
                              const int32_t *tokens)
{
    struct srt_cache *c = cursor->cache;
    const size_t n_bytes = head->n * sizeof(*tokens);
    struct epoch_entry *entry;
    struct srt_suspects *kept;

    srt_lock_take(&c->lock);
    entry = cursor_entry(cursor, state);
    if (entry &&
        !atomic_load_explicit(&entry->suspects, memory_order_relaxed)) {
        kept = cursor_take(cursor, sizeof(*kept) + n_bytes);
        if (kept) {
            kept->head = *head;
            if (n_bytes)
                memcpy(kept->token, tokens, n_bytes);
            atomic_store_explicit(&entry->suspects, kept, memory_order_release);
        }
    }
    srt_lock_release(&c->lock);
}

int srt_cursor_slice(struct srt_cursor *cursor, uint32_t state)
{
    struct epoch_entry *entry = epoch_find(cursor->epoch, state);

    return entry ? atomic_load_explicit(&entry->slice, memory_order_relaxed) - 1
                 : -1;
}

void srt_cursor_keep_slice(struct srt_cursor *cursor, uint32_t state,
                           bool covers)
{
    struct srt_cache *c = cursor->cache;
    struct epoch_entry *entry;

    srt_lock_take(&c->lock);
    entry = cursor_entry(cursor, state);
    if (entry)
        atomic_store_explicit(&entry->slice, covers ? 2 : 1,
                              memory_order_relaxed);
    srt_lock_release(&c->lock);
}

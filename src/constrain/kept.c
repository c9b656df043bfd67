/*
 * kept.c - what is remembered of states: masks, and what a trail may forbid
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/epoch.h"

#include <string.h>

const struct srt_mask *srt_cursor_mask(struct srt_cursor *cursor,
                                       uint32_t state)
{
    struct srt_epoch_entry *entry = srt_epoch_find(cursor->epoch, state);

    return entry ? atomic_load_explicit(&entry->mask, memory_order_acquire)
                 : NULL;
}

static size_t kept_slot(const struct srt_mask_head *head, const uint32_t *data)
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
    return (h[0] ^ h[0] >> 32) % SRT_EPOCH_RECENT;
}

/* A copy, or one that is there; NULL: no room.  The lock is held. */
static struct srt_mask *kept_copy(struct srt_cursor *cursor,
                                  const struct srt_mask_head *head,
                                  const uint32_t *data, size_t slot)
{
    const size_t n_bytes = head->n * sizeof(*data);
    struct srt_mask *mask = cursor->epoch->recent[slot];

    if (mask && mask->head.form == head->form && mask->head.n == head->n &&
        mask->head.base == head->base && memcmp(mask->data, data, n_bytes) == 0)
        return mask;
    mask = srt_cursor_take(cursor, sizeof(*mask) + n_bytes);
    if (mask) {
        mask->head = *head;
        memcpy(mask->data, data, n_bytes);
        cursor->epoch->recent[slot] = mask;
    }
    return mask;
}

/* The lock is held. */
static const struct srt_mask *kept_mask(struct srt_cursor *cursor,
                                        _Atomic(struct srt_mask *) *place,
                                        const struct srt_mask_head *head,
                                        const uint32_t *data, size_t slot)
{
    struct srt_mask *mask = atomic_load_explicit(place, memory_order_relaxed);

    if (mask)
        return mask;
    mask = kept_copy(cursor, head, data, slot);
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
    const size_t slot = kept_slot(head, data);
    struct srt_epoch_entry *entry;

    srt_lock_take(&c->lock);
    entry = srt_cursor_entry(cursor, state);
    if (entry)
        kept_mask(cursor, &entry->mask, head, data, slot);
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
    struct srt_epoch_entry *entry = srt_epoch_find(cursor->epoch, state);

    return entry ? atomic_load_explicit(&entry->inside, memory_order_acquire)
                 : NULL;
}

const struct srt_mask *srt_cursor_keep_inside(struct srt_cursor *cursor,
                                              uint32_t state,
                                              const struct srt_mask_head *head,
                                              const uint32_t *data)
{
    struct srt_cache *c = cursor->cache;
    const size_t slot = kept_slot(head, data);
    const struct srt_mask *mask = NULL;
    struct srt_epoch_entry *entry;

    srt_lock_take(&c->lock);
    entry = srt_cursor_entry(cursor, state);
    if (entry)
        mask = kept_mask(cursor, &entry->inside, head, data, slot);
    srt_lock_release(&c->lock);
    return mask;
}

void srt_cursor_share_mask(struct srt_cursor *cursor, uint32_t state,
                           uint32_t same)
{
    struct srt_cache *c = cursor->cache;
    struct srt_epoch_entry *entry, *of;

    srt_lock_take(&c->lock);
    of = srt_epoch_find(cursor->epoch, same);
    entry = of ? srt_cursor_entry(cursor, state) : NULL;
    if (entry && !atomic_load_explicit(&entry->mask, memory_order_relaxed))
        atomic_store_explicit(
            &entry->mask, atomic_load_explicit(&of->mask, memory_order_relaxed),
            memory_order_release);
    srt_lock_release(&c->lock);
}

const struct srt_suspects *srt_cursor_suspects(struct srt_cursor *cursor,
                                               uint32_t state)
{
    struct srt_epoch_entry *entry = srt_epoch_find(cursor->epoch, state);

    return entry ? atomic_load_explicit(&entry->suspects, memory_order_acquire)
                 : NULL;
}

void srt_cursor_keep_suspects(struct srt_cursor *cursor, uint32_t state,
                              const struct srt_suspects_head *head,
                              const int32_t *tokens)
{
    struct srt_cache *c = cursor->cache;
    const size_t n_bytes = head->n * sizeof(*tokens);
    struct srt_epoch_entry *entry;
    struct srt_suspects *kept;

    srt_lock_take(&c->lock);
    entry = srt_cursor_entry(cursor, state);
    if (entry &&
        !atomic_load_explicit(&entry->suspects, memory_order_relaxed)) {
        kept = srt_cursor_take(cursor, sizeof(*kept) + n_bytes);
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
    struct srt_epoch_entry *entry = srt_epoch_find(cursor->epoch, state);

    return entry ? atomic_load_explicit(&entry->slice, memory_order_relaxed) - 1
                 : -1;
}

void srt_cursor_keep_slice(struct srt_cursor *cursor, uint32_t state,
                           bool covers)
{
    struct srt_cache *c = cursor->cache;
    struct srt_epoch_entry *entry;

    srt_lock_take(&c->lock);
    entry = srt_cursor_entry(cursor, state);
    if (entry)
        atomic_store_explicit(&entry->slice, covers ? 2 : 1,
                              memory_order_relaxed);
    srt_lock_release(&c->lock);
}

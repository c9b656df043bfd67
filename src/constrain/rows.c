/*
 * rows.c - where bytes lead from states
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/epoch.h"

#include <stdlib.h>
#include <string.h>

/* What a machine tells of a state before it is asked for its transitions. */
struct row_ahead {
    struct srt_alphabet may;
    srt_kinds stays;
};

static struct row_ahead row_ahead(const struct srt_machine *m, uint32_t state)
{
    struct row_ahead ahead = { { { 0 } }, 0 };

    if (m->type->may_follow)
        ahead.may = m->type->may_follow(m, state);
    if (m->type->kinds_stay)
        ahead.stays = m->type->kinds_stay(m, state);
    return ahead;
}

/* The row's memory is zeroed: SRT_DEAD. */
static void row_begin(const struct srt_cache *c, uint32_t state,
                      const struct row_ahead *ahead, srt_row *row)
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
    struct srt_epoch_entry *entry = srt_epoch_find(cursor->epoch, state);
    struct row_ahead ahead;
    srt_row *row =
        entry ? atomic_load_explicit(&entry->row, memory_order_acquire) : NULL;

    if (row || !make)
        return row;
    ahead = row_ahead(c->machine, state);
    srt_lock_take(&c->lock);
    entry = srt_cursor_entry(cursor, state);
    row =
        entry ? atomic_load_explicit(&entry->row, memory_order_relaxed) : NULL;
    if (entry && !row) {
        row = srt_cursor_take(cursor, n * sizeof(*row));
        if (row)
            row_begin(c, state, &ahead, row);
        if (row)
            atomic_store_explicit(&entry->row, row, memory_order_release);
    }
    srt_lock_release(&c->lock);
    return row;
}

SRT_NOINLINE
static sortes_status row_miss(struct srt_cursor *cursor, uint32_t state,
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
    return row_miss(cursor, state, byte, next);
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

/*
 * trace.c - where a sequence has been
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/trace.h"

#include <stdlib.h>
#include <string.h>

static void trace_bytes_destroy(struct srt_shared *shared)
{
    free(shared);
}

struct srt_trace_bytes *srt_trace_bytes_new(const char *bytes, size_t n)
{
    struct srt_trace_bytes *text = malloc(sizeof(*text) + n);

    if (!text)
        return NULL;
    srt_shared_init(&text->shared, trace_bytes_destroy);
    text->n = n;
    if (n)
        memcpy(text->bytes, bytes, n);
    return text;
}

static void trace_drop_entry(const struct srt_trace_entry *entry)
{
    srt_trail_drop(entry->place.trail);
    if (entry->text)
        srt_shared_release(&entry->text->shared);
}

/* A chain of blocks is let go without recursion: it may be long. */
static void trace_block_destroy(struct srt_shared *shared)
{
    struct srt_trace_block *b = (struct srt_trace_block *)shared;

    while (b) {
        struct srt_trace_block *before = b->before;

        for (uint32_t i = 0; i < b->n; i++)
            trace_drop_entry(&b->entry[i]);
        free(b);
        b = NULL;
        if (before && atomic_fetch_sub_explicit(&before->shared.holders, 1,
                                                memory_order_acq_rel) == 1)
            b = before;
    }
}

/* A block after the last entry, which is not to be written to. */
static bool trace_new_block(struct srt_trace *t)
{
    struct srt_trace_block *b = malloc(sizeof(*b));

    if (!b)
        return false;
    srt_shared_init(&b->shared, trace_block_destroy);
    b->before = t->block; /* the trace's hold goes over */
    b->n_before = t->n_here;
    b->n = 0;
    t->block = b;
    t->n_here = 0;
    return true;
}

sortes_status srt_trace_add(struct srt_trace *t,
                            const struct srt_trace_entry *entry)
{
    struct srt_trace_block *b = t->block;
    const bool mine = b && atomic_load_explicit(&b->shared.holders,
                                                memory_order_acquire) == 1;

    if ((!mine || t->n_here == SRT_TRACE_BLOCK) && !trace_new_block(t)) {
        trace_drop_entry(entry);
        return SORTES_E_NOMEM;
    }
    b = t->block;
    while (b->n > t->n_here) /* taken back earlier */
        trace_drop_entry(&b->entry[--b->n]);
    b->entry[b->n++] = *entry;
    t->n_here++;
    t->n++;
    return SORTES_OK;
}

void srt_trace_back(struct srt_trace *t, size_t n)
{
    t->n -= n;
    while (n > 0) {
        const uint32_t here = n < t->n_here ? (uint32_t)n : t->n_here;
        struct srt_trace_block *b = t->block;

        t->n_here -= here;
        n -= here;
        if (t->n_here > 0 || !b->before)
            continue;
        t->block = b->before;
        t->n_here = b->n_before;
        srt_shared_retain(&t->block->shared);
        srt_shared_release(&b->shared);
    }
}

const struct srt_place *srt_trace_last(const struct srt_trace *t)
{
    return &t->block->entry[t->n_here - 1].place;
}

void srt_trace_share(struct srt_trace *to, const struct srt_trace *from)
{
    *to = *from;
    if (to->block)
        srt_shared_retain(&to->block->shared);
}

void srt_trace_clear(struct srt_trace *t)
{
    if (t->block)
        srt_shared_release(&t->block->shared);
    memset(t, 0, sizeof(*t));
}

void srt_trace_back_each(const struct srt_trace *t,
                         bool (*each)(void *ctx,
                                      const struct srt_trace_entry *e),
                         void *ctx)
{
    uint32_t n_here = t->n_here;

    for (const struct srt_trace_block *b = t->block; b;
         n_here = b->n_before, b = b->before)
        for (uint32_t i = n_here; i-- > 0;)
            if (!each(ctx, &b->entry[i]))
                return;
}

sortes_status srt_trace_each(
    const struct srt_trace *t,
    sortes_status (*each)(void *ctx, const struct srt_trace_entry *e),
    void *ctx)
{
    const struct srt_trace_entry **list;
    const struct srt_trace_block *b = t->block;
    uint32_t n_here = t->n_here;
    sortes_status status = SORTES_OK;
    size_t at = t->n;

    if (t->n == 0)
        return SORTES_OK;
    list = malloc(t->n * sizeof(*list));
    if (!list)
        return SORTES_E_NOMEM;
    for (; b; n_here = b->n_before, b = b->before)
        for (uint32_t i = n_here; i-- > 0;)
            list[--at] = &b->entry[i];
    for (size_t i = 0; i < t->n && status == SORTES_OK; i++)
        status = each(ctx, list[i]);
    free(list);
    return status;
}

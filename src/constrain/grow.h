/*
 * grow.h - arrays that double
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_GROW_H
#define SRT_GROW_H

#include "status.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Room for `want` items in all; *block may move.  SORTES_E_NOMEM: it is as it
 * was. */
SRT_INLINE sortes_status srt_grow(void **block, size_t *room, size_t want,
                                  size_t item_bytes)
{
    size_t size = *room ? *room : 16;
    void *grown;

    if (want <= *room)
        return SORTES_OK;
    while (size < want)
        size *= 2;
    grown = realloc(*block, size * item_bytes);
    if (!grown)
        return SORTES_E_NOMEM;
    *block = grown;
    *room = size;
    return SORTES_OK;
}

/* The same for a list whose first items lie in `space`, n_space of them, inside
 * its owner; *at NULL: it has none yet. */
SRT_INLINE sortes_status srt_grow_from(void *space, size_t n_space, void **at,
                                       size_t *room, size_t want,
                                       size_t item_bytes)
{
    const bool inside = !*at || *at == space;
    void *block = inside ? NULL : *at;
    size_t size = inside ? 0 : *room;
    sortes_status status;

    if (inside && want <= n_space) {
        *at = space;
        *room = n_space;
        return SORTES_OK;
    }
    status = srt_grow(&block, &size, want, item_bytes);
    if (status != SORTES_OK)
        return status;
    if (inside && *at)
        memcpy(block, space, n_space * item_bytes);
    *at = block;
    *room = size;
    return SORTES_OK;
}

/* Numbers. */
struct srt_ids {
    uint32_t *at;
    size_t n, room;
};

SRT_INLINE sortes_status srt_ids_add(struct srt_ids *list, uint32_t number)
{
    void *block = list->at;
    const sortes_status status =
        srt_grow(&block, &list->room, list->n + 1, sizeof(*list->at));

    list->at = block;
    if (status == SORTES_OK)
        list->at[list->n++] = number;
    return status;
}

#endif /* SRT_GROW_H */

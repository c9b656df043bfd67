/*
 * around.h - states that differ in what lies around a value, and in nothing
 * that a token can see of it
 *
 * A token that ends a value sees a few bytes of what comes next: a comma, a
 * brace, perhaps a quote behind them.  Where the same of them may follow, the
 * masks inside the value are the same, whatever object or array it is part of.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_AROUND_H
#define SRT_AROUND_H

#include "constrain/machine.h"
#include "constrain/pool.h"

struct srt_cursor;

/* What a cache knows of places: those of machine.h's around.  Its lock guards
 * them. */
struct srt_places {
    struct srt_pool known;   /* key: place and part; payload: the place that
                                stands in for it */
    struct srt_pool alike;   /* key: part, what follows the ends; payload: the
                                first such place */
    struct srt_pool ends;    /* key: a state; payload: a number for what follows
                                it */
    struct srt_pool follows; /* key: what may follow such a state */
    struct srt_pool keys;    /* key: a key's rest, and its value's state;
                                payload: the first state there */
};

/* Bytes of memory, at most. */
void srt_places_init(struct srt_places *p, size_t budget);
void srt_places_clear(struct srt_places *p);
size_t srt_places_bytes(const struct srt_places *p);

/* A state with the same mask; state itself, if none is known (or there is no
 * room or time to find out). */
uint32_t srt_around_same(struct srt_cursor *cursor, uint32_t state);

#endif /* SRT_AROUND_H */

/*
 * around.c - states that differ in what lies around a value, and in nothing
 * that a token can see of it
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/around.h"

#include "constrain/cache.h"
#include "constrain/walk.h"

#include <string.h>

enum { AROUND_FOLLOWS = 1 << 15 };

void srt_places_init(struct srt_places *p, size_t budget)
{
    const size_t each = budget / 5;

    srt_pool_init(&p->known, 8, SRT_POOL_MAX, each);
    srt_pool_init(&p->alike, 8, SRT_POOL_MAX, each);
    srt_pool_init(&p->ends, 8, SRT_POOL_MAX, each);
    srt_pool_init(&p->follows, 0, SRT_POOL_MAX, each);
    srt_pool_init(&p->keys, 8, SRT_POOL_MAX, each);
}

void srt_places_clear(struct srt_places *p)
{
    srt_pool_clear(&p->known);
    srt_pool_clear(&p->alike);
    srt_pool_clear(&p->ends);
    srt_pool_clear(&p->follows);
    srt_pool_clear(&p->keys);
}

size_t srt_places_bytes(const struct srt_places *p)
{
    return p->known.n_bytes + p->alike.n_bytes + p->ends.n_bytes +
           p->follows.n_bytes + p->keys.n_bytes;
}

/* The number that a pool keeps for a key; NULL: no room. */
static uint32_t *around_number(struct srt_pool *pool, const void *key, size_t n)
{
    uint32_t number;

    return srt_pool_intern(pool, key, n, &number, NULL) == SORTES_OK
               ? srt_pool_payload(pool, number)
               : NULL;
}

/* A number for what may follow a state: w was walked from it.  0: no room. */
static uint32_t around_followed(struct srt_cursor *cursor, uint32_t state,
                                const struct srt_walk *w, size_t n_words)
{
    struct srt_cache *c = cursor->cache;
    struct srt_places *p = &c->places;
    const bool listed = w->set.n <= SRT_LISTED; /* in the order of the tree */
    uint32_t number = 0, *known = NULL;
    sortes_status status;

    srt_lock_take(&c->lock);
    if (listed)
        status =
            srt_pool_intern(&p->follows, &w->set,
                            (w->set.n + 1) * sizeof(w->set.n), &number, NULL);
    else
        status = srt_pool_intern(&p->follows, w->words,
                                 n_words * sizeof(*w->words), &number, NULL);
    if (status == SORTES_OK)
        known = around_number(&p->ends, &state, sizeof(state));
    if (known)
        *known = number;
    srt_lock_release(&c->lock);
    return known ? number : 0;
}

/* A number for what may follow a state in which a value has ended; 0: it is not
 * known. */
static uint32_t around_end(struct srt_cursor *cursor, uint32_t state)
{
    struct srt_cache *c = cursor->cache;
    const struct srt_tree *tree = c->tree;
    const size_t n_words = tree->n_follows / 32 + 2;
    uint32_t words[AROUND_FOLLOWS / 32 + 2], *known, number;
    struct srt_walk w;

    srt_lock_take(&c->lock);
    known = around_number(&c->places.ends, &state, sizeof(state));
    number = known ? *known : 0;
    srt_lock_release(&c->lock);
    if (number || !known)
        return number;
    memset(words, 0, n_words * sizeof(*words));
    words[n_words - 1] = UINT32_MAX; /* no list ends with that */
    srt_walk_begin(&w, cursor, words, false);
    return srt_walk_tree(&w, &tree->follows, state) == SORTES_OK
               ? around_followed(cursor, state, &w, n_words)
               : 0;
}

/* What a pool of the cache keeps for a key, at first `first`; 0: no room. */
static uint32_t around_first(struct srt_cache *c, struct srt_pool *pool,
                             const uint32_t *key, size_t n, uint32_t first)
{
    uint32_t *number, kept;

    srt_lock_take(&c->lock);
    number = around_number(pool, key, n * sizeof(*key));
    if (number && !*number)
        *number = first;
    kept = number ? *number : 0;
    srt_lock_release(&c->lock);
    return kept;
}

/* The first place that was met with the same part and the same ends; 0: it is
 * not known. */
static uint32_t around_alike(struct srt_cursor *cursor,
                             const struct srt_around *around)
{
    struct srt_cache *c = cursor->cache;
    uint32_t key[SRT_COUNT(around->part) + SRT_AROUND_ENDS];
    size_t n = SRT_COUNT(around->part);

    memcpy(key, around->part, sizeof(around->part));
    for (uint32_t i = 0; i < around->n_ends; i++) {
        key[n] = around_end(cursor, around->end[i]);
        if (!key[n++])
            return 0;
    }
    return around_first(c, &c->places.alike, key, n, around->place);
}

/* The state in the place that stands in for its own. */
static uint32_t around_moved(struct srt_cursor *cursor, uint32_t state,
                             const struct srt_around *around)
{
    struct srt_cache *c = cursor->cache;
    struct srt_machine *m = c->machine;
    uint32_t key[SRT_COUNT(around->part) + 1], place, same = state;
    sortes_status status;

    key[0] = around->place;
    memcpy(key + 1, around->part, sizeof(around->part));
    place = around_first(c, &c->places.known, key, SRT_COUNT(key), 0);
    if (!place)
        place = around_alike(cursor, around);
    if (!place)
        return state;
    around_first(c, &c->places.known, key, SRT_COUNT(key), place);
    if (place == around->place)
        return state;
    srt_lock_take(&m->lock);
    status = m->type->moved(m, state, place, &same);
    srt_lock_release(&m->lock);
    return status == SORTES_OK ? same : state;
}

uint32_t srt_around_same(struct srt_cursor *cursor, uint32_t state)
{
    struct srt_cache *c = cursor->cache;
    struct srt_machine *m = c->machine;
    struct srt_around around;
    uint32_t first;
    sortes_status status;

    if (!m->type->around || !c->tree->follows_all ||
        c->tree->n_follows > AROUND_FOLLOWS)
        return state;
    srt_lock_take(&m->lock);
    status = m->type->around(m, state, &around);
    srt_lock_release(&m->lock);
    if (status != SORTES_OK)
        return state;
    if (around.rest) {
        const uint32_t key[2] = { around.rest,
                                  srt_around_same(cursor, around.value) };

        first = around_first(c, &c->places.keys, key, SRT_COUNT(key), state);
        return first ? first : state;
    }
    return around.place ? around_moved(cursor, state, &around) : state;
}

/*
 * tags_machine.h - inside of a machine of tags: its states and their items
 *
 * A state is the sorted set of items where the text may stand.  Each by itself
 * is alive, so any of them may be left out.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_TAGS_MACHINE_H
#define SRT_TAGS_MACHINE_H

#include "constrain/cache.h"
#include "constrain/pool.h"
#include "constrain/tags/tags_plan.h"

/* More places at once than this: SORTES_E_LIMIT. */
enum { SRT_TAGS_MOST_ITEMS = 65536 };

struct srt_tags_list {
    struct srt_tags_item *at;
    size_t n, room;
};

/* What a state's payload says. */
enum {
    SRT_TAGS_ENDS = 1,  /* the text may end */
    SRT_TAGS_TRAIL = 2, /* an item's program keeps a trail */
    SRT_TAGS_TOKENS = 4 /* an item's program knows whole tokens */
};

/* The caches of one program's machine, for one vocab. */
struct srt_tags_inner {
    struct srt_shared shared; /* first */
    sortes_vocab *vocab;      /* what it is found by, with the machine */
    struct srt_machine *machine;
    struct srt_cache *cache;
};

struct srt_tags_machine {
    struct srt_machine machine; /* first */
    struct srt_tags_plan plan;
    struct srt_pool states;       /* struct srt_tags_item[]; payload: flags */
    struct srt_tags_list scratch; /* of a step; guarded by the lock */
    const sortes_vocab *vocab;    /* NULL: bytes alone */
    size_t cache_bytes;
    struct srt_tags_machine *self; /* for calls that take it const */
    struct srt_shared_list inner;
};

SRT_INLINE const struct srt_tags_item *
srt_tags_items(const struct srt_tags_machine *m, uint32_t state, size_t *n)
{
    const struct srt_tags_item *items = srt_pool_key(&m->states, state, n);

    *n /= sizeof(*items);
    return items;
}

SRT_INLINE uint64_t srt_tags_flags(const struct srt_tags_machine *m,
                                   uint32_t state)
{
    return *(const uint64_t *)srt_pool_payload(&m->states, state);
}

/* The machine that reads at a place; NULL: none. */
SRT_INLINE struct srt_machine *srt_tags_inside(const struct srt_tags_machine *m,
                                               uint32_t place)
{
    return m->plan.machines[m->plan.tags->places[place].sub];
}

/* The next two want the machine's lock. */

/* Adds the items that a byte leads to from an item; own: where in `to` the one
 * that stays inside its program is, SIZE_MAX: there is none. */
sortes_status srt_tags_item_step(struct srt_tags_machine *m,
                                 const struct srt_tags_item *item, uint8_t byte,
                                 struct srt_tags_list *to, size_t *own);
/* Sorts the items, each once, and numbers them; none: SRT_DEAD. */
sortes_status srt_tags_state(struct srt_tags_machine *m,
                             struct srt_tags_list *items, uint32_t *state);

sortes_status srt_tags_list_add(struct srt_tags_list *list,
                                const struct srt_tags_item *item);

/* ---- tags_trail.c: machine.h's follow, forbid and ends ------------------- */

sortes_status srt_tags_follow(const struct srt_machine *machine,
                              const struct srt_trail *from,
                              const struct srt_path *path,
                              struct srt_trail **to, size_t *n_ok);
sortes_status srt_tags_forbid(const struct srt_machine *machine,
                              const struct srt_trail *trail, uint32_t state,
                              struct srt_cursor *cursor, uint32_t *words);
bool srt_tags_may_end(const struct srt_machine *machine,
                      const struct srt_trail *trail, uint32_t state);

#endif /* SRT_TAGS_MACHINE_H */

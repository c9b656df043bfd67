/*
 * tags_trail.c - follows the programs in tags that must not repeat themselves
 *
 * Most of the time there is one way, and it stays inside one program: then
 * that program follows the bytes by itself.  Otherwise every way goes byte by
 * byte, and those that their program refuses end.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/tags/tags_trail.h"

#include "constrain/grow.h"

#include <string.h>

/* More ways at once than this: SORTES_E_LIMIT. */
enum { WAYS_MOST = 4096, WAYS_PIECE = 64 };

/* ---- lists of ways ------------------------------------------------------- */

static void way_hold(struct srt_trail *trail)
{
    if (trail)
        srt_shared_retain(&trail->shared);
}

static void way_drop(struct srt_trail *trail)
{
    if (trail)
        srt_shared_release(&trail->shared);
}

/* Room for one more. */
static sortes_status ways_room(struct srt_tags_ways *list)
{
    void *at = list->at;
    const sortes_status status =
        srt_grow_from(list->space, SRT_COUNT(list->space), &at, &list->room,
                      list->n + 1, sizeof(*list->at));

    list->at = at;
    return status;
}

sortes_status srt_tags_ways_add(struct srt_tags_ways *list,
                                const struct srt_tags_item *item,
                                struct srt_trail *trail)
{
    sortes_status status;

    for (size_t i = 0; i < list->n; i++)
        if (list->at[i].item.place == item->place &&
            list->at[i].item.state == item->state && list->at[i].trail == trail)
            return SORTES_OK;
    if (list->n == WAYS_MOST)
        return SORTES_E_LIMIT;
    status = ways_room(list);
    if (status != SORTES_OK)
        return status;
    way_hold(trail);
    list->at[list->n].item = *item;
    list->at[list->n++].trail = trail;
    return SORTES_OK;
}

void srt_tags_ways_drop(struct srt_tags_ways *list)
{
    while (list->n > 0)
        way_drop(list->at[--list->n].trail);
}

void srt_tags_ways_free(struct srt_tags_ways *list)
{
    srt_tags_ways_drop(list);
    if (list->at != list->space)
        free(list->at);
    list->at = NULL;
    list->room = 0;
}

sortes_status srt_tags_ways_of(const struct srt_tags_machine *m,
                               const struct srt_trail *trail, uint32_t state,
                               struct srt_tags_ways *list)
{
    const struct srt_tags_trail *t = (const struct srt_tags_trail *)trail;
    sortes_status status = SORTES_OK;
    const struct srt_tags_item *items;
    size_t n;

    if (t) {
        for (size_t i = 0; i < t->n && status == SORTES_OK; i++)
            status =
                srt_tags_ways_add(list, &t->ways[i].item, t->ways[i].trail);
        return status;
    }
    items = srt_tags_items(m, state, &n);
    for (size_t i = 0; i < n && status == SORTES_OK; i++)
        status = srt_tags_ways_add(list, &items[i], NULL);
    return status;
}

static void trail_destroy(struct srt_shared *shared)
{
    struct srt_tags_trail *t = (struct srt_tags_trail *)shared;

    for (size_t i = 0; i < t->n; i++)
        way_drop(t->ways[i].trail);
    free(t);
}

/* The list as a trail, and empties it. */
static sortes_status trail_new(struct srt_tags_ways *list,
                               struct srt_trail **to)
{
    struct srt_tags_trail *t =
        malloc(sizeof(*t) + list->n * sizeof(t->ways[0]));

    if (!t)
        return SORTES_E_NOMEM;
    srt_shared_init(&t->trail.shared, trail_destroy);
    t->n = list->n;
    memcpy(t->ways, list->at, list->n * sizeof(t->ways[0]));
    list->n = 0;
    *to = &t->trail;
    return SORTES_OK;
}

/* ---- one byte on every way ----------------------------------------------- */

/* A way stays inside its program, which may refuse. */
static sortes_status way_inside(const struct srt_tags_machine *m,
                                const struct srt_tags_way *way,
                                const struct srt_tags_item *to, uint8_t byte,
                                struct srt_trail **trail)
{
    const struct srt_machine *inside = srt_tags_inside(m, way->item.place);
    const uint32_t states[2] = { way->item.state, to->state };
    const struct srt_path path = { &byte, states, 1 };
    size_t n_ok = 0;

    *trail = NULL;
    if (!inside->type->follow)
        return SORTES_OK;
    return inside->type->follow(inside, way->trail, &path, trail, &n_ok);
}

/* What a way becomes; nothing if its program refuses the byte. */
static sortes_status way_step(struct srt_tags_machine *m,
                              const struct srt_tags_way *way, uint8_t byte,
                              struct srt_tags_list *scratch,
                              struct srt_tags_ways *to)
{
    struct srt_trail *trail = NULL;
    sortes_status status;
    size_t own;

    scratch->n = 0;
    srt_lock_take(&m->machine.lock);
    status = srt_tags_item_step(m, &way->item, byte, scratch, &own);
    srt_lock_release(&m->machine.lock);
    if (status == SORTES_OK && own != SIZE_MAX)
        status = way_inside(m, way, &scratch->at[own], byte, &trail);
    if (status == SORTES_E_NO_TOKEN)
        return SORTES_OK;
    for (size_t i = 0; i < scratch->n && status == SORTES_OK; i++)
        status =
            srt_tags_ways_add(to, &scratch->at[i], i == own ? trail : NULL);
    way_drop(trail);
    return status;
}

/* Whether a list is every item of a state, none with a trail. */
static bool ways_are_all(const struct srt_tags_machine *m,
                         const struct srt_tags_ways *list, uint32_t state)
{
    size_t n;

    (void)srt_tags_items(m, state, &n);
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i].trail)
            return false;
    return list->n == n;
}

static sortes_status ways_step(const struct srt_tags_machine *m,
                               struct srt_tags_ways *list,
                               const struct srt_path *path, size_t at)
{
    struct srt_tags_ways next = { 0 };
    struct srt_tags_list scratch = { 0 };
    sortes_status status = SORTES_OK;

    for (size_t i = 0; i < list->n && status == SORTES_OK; i++)
        status =
            way_step(m->self, &list->at[i], path->bytes[at], &scratch, &next);
    free(scratch.at);
    if (status == SORTES_OK && next.n == 0)
        status = SORTES_E_NO_TOKEN;
    if (status != SORTES_OK) {
        srt_tags_ways_free(&next);
        return status;
    }
    srt_tags_ways_free(list);
    next.dry = list->dry;
    *list = next;
    if (next.at == next.space)
        list->at = list->space;
    return SORTES_OK;
}

/* ---- the short cut ------------------------------------------------------- */

/* Whether the byte at `at` leads from one item to one, inside a program. */
static bool ways_is_inside(const struct srt_tags_machine *m,
                           const struct srt_path *path, size_t at,
                           struct srt_tags_item *from, struct srt_tags_item *to)
{
    const struct srt_tags_item *items;
    const struct srt_machine *inside;
    size_t n;

    items = srt_tags_items(m, path->states[at], &n);
    *from = items[0];
    inside = srt_tags_inside(m, from->place);
    if (n != 1 || !inside)
        return false;
    items = srt_tags_items(m, path->states[at + 1], &n);
    *to = items[0];
    return n == 1 && to->place == from->place && to->state != inside->start;
}

/* A piece of the path inside one program, from *at on; moves *at behind what
 * it took, which is nothing where the short cut does not go. */
static sortes_status ways_piece(const struct srt_tags_machine *m,
                                struct srt_tags_ways *list,
                                const struct srt_path *path, size_t *at)
{
    uint32_t states[WAYS_PIECE + 1];
    struct srt_path piece = { path->bytes + *at, states, 0 };
    struct srt_tags_item from, to;
    const struct srt_machine *inside;
    struct srt_trail *trail = NULL;
    sortes_status status = SORTES_OK;
    size_t n_ok = 0;

    if (list->n != 1)
        return SORTES_OK;
    while (piece.n < WAYS_PIECE && *at + piece.n < path->n &&
           ways_is_inside(m, path, *at + piece.n, &from, &to)) {
        states[piece.n++] = from.state;
        states[piece.n] = to.state;
    }
    if (piece.n == 0)
        return SORTES_OK;
    inside = srt_tags_inside(m, list->at[0].item.place);
    if (inside->type->follow)
        status = inside->type->follow(
            inside, list->at[0].trail, &piece,
            list->dry && *at + piece.n == path->n ? NULL : &trail, &n_ok);
    *at += status == SORTES_OK ? piece.n : n_ok;
    if (status != SORTES_OK)
        return status;
    way_drop(list->at[0].trail);
    list->at[0].trail = trail;
    list->at[0].item.state = states[piece.n];
    return SORTES_OK;
}

sortes_status srt_tags_ways_follow(const struct srt_tags_machine *m,
                                   struct srt_tags_ways *list, bool *all,
                                   const struct srt_path *path, size_t *n_ok)
{
    sortes_status status = SORTES_OK;
    size_t at = 0;

    while (at < path->n && status == SORTES_OK) {
        const size_t before = at;

        if (*all && !(srt_tags_flags(m, path->states[at]) & SRT_TAGS_TRAIL)) {
            at++; /* nothing to remember, and nothing that was */
            continue;
        }
        if (*all)
            status = srt_tags_ways_of(m, NULL, path->states[at], list);
        *all = false;
        if (status == SORTES_OK)
            status = ways_piece(m, list, path, &at);
        if (status == SORTES_OK && at == before) {
            status = ways_step(m, list, path, at);
            at += status == SORTES_OK;
        }
        if (status == SORTES_OK && ways_are_all(m, list, path->states[at])) {
            srt_tags_ways_drop(list);
            *all = true;
        }
    }
    *n_ok = at;
    return status;
}

sortes_status srt_tags_follow(const struct srt_machine *machine,
                              const struct srt_trail *from,
                              const struct srt_path *path,
                              struct srt_trail **to, size_t *n_ok)
{
    const struct srt_tags_machine *m = (const struct srt_tags_machine *)machine;
    struct srt_tags_ways list = { .dry = !to };
    sortes_status status = SORTES_OK;
    bool all = !from;

    if (from)
        status = srt_tags_ways_of(m, from, path->states[0], &list);
    if (status == SORTES_OK)
        status = srt_tags_ways_follow(m, &list, &all, path, n_ok);
    if (status == SORTES_OK && to) {
        *to = NULL;
        if (!all)
            status = trail_new(&list, to);
    }
    srt_tags_ways_free(&list);
    return status;
}

bool srt_tags_may_end(const struct srt_machine *machine,
                      const struct srt_trail *trail, uint32_t state)
{
    const struct srt_tags_machine *m = (const struct srt_tags_machine *)machine;
    const struct srt_tags_trail *t = (const struct srt_tags_trail *)trail;

    if (!t)
        return srt_tags_flags(m, state) & SRT_TAGS_ENDS;
    for (size_t i = 0; i < t->n; i++)
        if (t->ways[i].item.place == m->plan.tags->end)
            return true;
    return false;
}

/*
 * tags_machine.c - the machine of an automaton of places
 *
 * Every item of a state is alive: a place has a way to the end, and where a
 * program reads, it can complete its text (machine.h) and the place behind it
 * has such a way.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/tags/tags_machine.h"

#include "constrain/grow.h"
#include "constrain/mask.h"

#include <string.h>

/* ---- lists of items ------------------------------------------------------ */

sortes_status srt_tags_list_add(struct srt_tags_list *list,
                                const struct srt_tags_item *item)
{
    void *block = list->at;
    const sortes_status status =
        srt_grow(&block, &list->room, list->n + 1, sizeof(*list->at));

    list->at = block;
    if (status == SORTES_OK)
        list->at[list->n++] = *item;
    return status;
}

static int tags_item_compare(const void *a, const void *b)
{
    const struct srt_tags_item *x = a, *y = b;

    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->state > y->state) - (x->state < y->state);
}

/* Most lists are short. */
static void tags_list_sort(struct srt_tags_list *list)
{
    size_t kept = 0;

    if (list->n > 16) {
        qsort(list->at, list->n, sizeof(*list->at), tags_item_compare);
    } else {
        for (size_t i = 1; i < list->n; i++) {
            const struct srt_tags_item item = list->at[i];
            size_t k = i;

            for (; k > 0 && tags_item_compare(&list->at[k - 1], &item) > 0; k--)
                list->at[k] = list->at[k - 1];
            list->at[k] = item;
        }
    }
    for (size_t i = 0; i < list->n; i++)
        if (kept == 0 ||
            tags_item_compare(&list->at[kept - 1], &list->at[i]) != 0)
            list->at[kept++] = list->at[i];
    list->n = kept;
}

/* ---- states -------------------------------------------------------------- */

static uint64_t tags_flags_of(const struct srt_tags_machine *m,
                              const struct srt_tags_list *items)
{
    uint64_t flags = 0;

    for (size_t i = 0; i < items->n; i++) {
        const struct srt_machine *inside =
            srt_tags_inside(m, items->at[i].place);

        if (items->at[i].place == m->plan.tags->end)
            flags |= SRT_TAGS_ENDS;
        if (inside && inside->type->follow)
            flags |= SRT_TAGS_TRAIL;
        if (inside && inside->type->step_token)
            flags |= SRT_TAGS_TOKENS;
    }
    return flags;
}

sortes_status srt_tags_state(struct srt_tags_machine *m,
                             struct srt_tags_list *items, uint32_t *state)
{
    sortes_status status;
    bool is_new;

    *state = SRT_DEAD;
    if (items->n == 0)
        return SORTES_OK;
    tags_list_sort(items);
    if (items->n > SRT_TAGS_MOST_ITEMS)
        return SORTES_E_LIMIT;
    status = srt_pool_intern(&m->states, items->at,
                             items->n * sizeof(*items->at), state, &is_new);
    if (status == SORTES_OK && is_new) /* others may be reading an old one */
        *(uint64_t *)srt_pool_payload(&m->states, *state) =
            tags_flags_of(m, items);
    return status;
}

/* ---- steps --------------------------------------------------------------- */

static sortes_status tags_enter(const struct srt_tags_machine *m,
                                uint32_t place, struct srt_tags_list *to)
{
    const struct srt_tags_run run = m->plan.entry[place];
    sortes_status status = SORTES_OK;

    for (uint32_t i = 0; i < run.n && status == SORTES_OK; i++)
        status = srt_tags_list_add(to, &m->plan.items[run.first + i]);
    return status;
}

/* A program has gone on: it stays there, or its text is complete, or both. */
static sortes_status tags_inside_at(struct srt_tags_machine *m, uint32_t place,
                                    uint32_t state, struct srt_tags_list *to,
                                    size_t *own)
{
    struct srt_machine *inside = srt_tags_inside(m, place);
    const struct srt_tags_item item = { place, state };
    const uint32_t exit = m->plan.tags->places[place].exit;
    sortes_status status = SORTES_OK;
    bool stays = true;

    if (inside->type->accepts(inside, state)) {
        status = tags_enter(m, exit, to);
        if (status == SORTES_OK && !inside->type->step_token)
            status = srt_tags_goes_on(inside, state, &stays);
    }
    if (status == SORTES_OK && stays) {
        *own = to->n;
        status = srt_tags_list_add(to, &item);
    }
    return status;
}

sortes_status srt_tags_item_step(struct srt_tags_machine *m,
                                 const struct srt_tags_item *item, uint8_t byte,
                                 struct srt_tags_list *to, size_t *own)
{
    struct srt_machine *inside = srt_tags_inside(m, item->place);
    const struct srt_tags_run run = m->plan.of_place[item->place];
    sortes_status status = SORTES_OK;
    uint32_t next;

    *own = SIZE_MAX;
    if (inside) { /* caches of its own may be asking it too */
        srt_lock_take(&inside->lock);
        status = inside->type->step(inside, item->state, byte, &next);
        if (status == SORTES_OK && next != SRT_DEAD)
            status = tags_inside_at(m, item->place, next, to, own);
        srt_lock_release(&inside->lock);
        return status;
    }
    for (uint32_t i = 0; i < run.n && status == SORTES_OK; i++) {
        const struct srt_tags_step *s = &m->plan.steps[run.first + i];

        if (s->first <= byte && byte <= s->last)
            status = tags_enter(m, s->to, to);
    }
    return status;
}

static sortes_status tags_step(struct srt_machine *machine, uint32_t state,
                               uint8_t byte, uint32_t *next)
{
    struct srt_tags_machine *m = (struct srt_tags_machine *)machine;
    const struct srt_tags_item *items;
    sortes_status status = SORTES_OK;
    size_t n, own;

    *next = SRT_DEAD;
    if (!srt_alphabet_has(&machine->alphabet, byte))
        return SORTES_OK;
    items = srt_tags_items(m, state, &n);
    m->scratch.n = 0;
    for (size_t i = 0; i < n && status == SORTES_OK; i++)
        status = srt_tags_item_step(m, &items[i], byte, &m->scratch, &own);
    return status == SORTES_OK ? srt_tags_state(m, &m->scratch, next) : status;
}

static bool tags_accepts(const struct srt_machine *machine, uint32_t state)
{
    const struct srt_tags_machine *m = (const struct srt_tags_machine *)machine;

    return srt_tags_flags(m, state) & SRT_TAGS_ENDS;
}

static void tags_stats(const struct srt_machine *machine, size_t *n_states,
                       size_t *n_bytes)
{
    const struct srt_tags_machine *m = (const struct srt_tags_machine *)machine;

    *n_states = m->states.n;
    *n_bytes = m->states.n_bytes;
    for (size_t i = 1; i < m->plan.n_machines; i++) {
        struct srt_machine *inside = m->plan.machines[i];
        size_t states, bytes;

        if (!inside)
            continue;
        srt_lock_take(&inside->lock);
        inside->type->stats(inside, &states, &bytes);
        srt_lock_release(&inside->lock);
        *n_states += states;
        *n_bytes += bytes;
    }
}

/* One item that takes any string body is enough. */
static uint32_t tags_string_room(const struct srt_machine *machine,
                                 uint32_t state)
{
    const struct srt_tags_machine *m = (const struct srt_tags_machine *)machine;
    size_t n;
    const struct srt_tags_item *items = srt_tags_items(m, state, &n);
    uint32_t most = 0;

    for (size_t i = 0; i < n; i++) {
        const struct srt_machine *inside = srt_tags_inside(m, items[i].place);
        const uint32_t room =
            inside && inside->type->string_room
                ? inside->type->string_room(inside, items[i].state)
                : SRT_ROOM_UNKNOWN;

        most = room > most ? room : most;
    }
    return most;
}

/* ---- whole tokens -------------------------------------------------------- */

/* Where a program stands behind a token's bytes; SRT_DEAD: nowhere. */
static sortes_status tags_inside_bytes(struct srt_machine *inside,
                                       uint32_t state, const uint8_t *bytes,
                                       size_t n, uint32_t *next)
{
    sortes_status status = SORTES_OK;

    *next = n > 0 ? state : SRT_DEAD;
    for (size_t i = 0; i < n && *next != SRT_DEAD && status == SORTES_OK; i++)
        status = inside->type->step(inside, *next, bytes[i], next);
    return status;
}

/* What a program that knows whole tokens adds to where their bytes lead. */
static sortes_status tags_token_item(struct srt_tags_machine *m,
                                     const struct srt_tags_item *item,
                                     int32_t token, bool spelled,
                                     struct srt_tags_list *to)
{
    struct srt_machine *inside = srt_tags_inside(m, item->place);
    size_t n, own;
    const char *bytes = sortes_vocab_piece(m->vocab, token, &n);
    uint32_t by_bytes, next = SRT_DEAD;
    sortes_status status;

    if (!inside || !inside->type->step_token)
        return SORTES_OK;
    srt_lock_take(&inside->lock);
    status = tags_inside_bytes(inside, item->state, (const uint8_t *)bytes,
                               spelled ? n : 0, &by_bytes);
    if (status == SORTES_OK)
        status = inside->type->step_token(inside, item->state, token, by_bytes,
                                          &next);
    if (status == SORTES_OK && next != SRT_DEAD)
        status = tags_inside_at(m, item->place, next, to, &own);
    srt_lock_release(&inside->lock);
    return status;
}

static sortes_status tags_step_token(struct srt_machine *machine,
                                     uint32_t state, int32_t token,
                                     uint32_t by_bytes, uint32_t *next)
{
    struct srt_tags_machine *m = (struct srt_tags_machine *)machine;
    const struct srt_tags_item *items;
    sortes_status status = SORTES_OK;
    size_t n;

    *next = by_bytes;
    if (!(srt_tags_flags(m, state) & SRT_TAGS_TOKENS))
        return SORTES_OK;
    m->scratch.n = 0;
    if (by_bytes != SRT_DEAD) {
        items = srt_tags_items(m, by_bytes, &n);
        for (size_t i = 0; i < n && status == SORTES_OK; i++)
            status = srt_tags_list_add(&m->scratch, &items[i]);
    }
    items = srt_tags_items(m, state, &n);
    for (size_t i = 0; i < n && status == SORTES_OK; i++)
        status = tags_token_item(m, &items[i], token, by_bytes != SRT_DEAD,
                                 &m->scratch);
    return status == SORTES_OK ? srt_tags_state(m, &m->scratch, next) : status;
}

static void tags_tokens_at(const struct srt_machine *machine, uint32_t state,
                           void (*each)(void *ctx, int32_t token), void *ctx)
{
    const struct srt_tags_machine *m = (const struct srt_tags_machine *)machine;
    size_t n;
    const struct srt_tags_item *items = srt_tags_items(m, state, &n);

    for (size_t i = 0; i < n; i++) {
        const struct srt_machine *inside = srt_tags_inside(m, items[i].place);

        if (inside && inside->type->tokens_at)
            inside->type->tokens_at(inside, items[i].state, each, ctx);
    }
}

/* ---- making it ----------------------------------------------------------- */

#define TAGS_TYPE                                                              \
    .step = tags_step, .accepts = tags_accepts, .stats = tags_stats,           \
    .string_room = tags_string_room

#define TAGS_TRAILS                                                            \
    .follow = srt_tags_follow, .forbid = srt_tags_forbid,                      \
    .may_end = srt_tags_may_end

#define TAGS_TOKENS .step_token = tags_step_token, .tokens_at = tags_tokens_at

/* By whether programs keep trails (1), and know whole tokens (2). */
static const struct srt_machine_type tags_types[4] = {
    { TAGS_TYPE },
    { TAGS_TYPE, TAGS_TRAILS },
    { TAGS_TYPE, TAGS_TOKENS },
    { TAGS_TYPE, TAGS_TRAILS, TAGS_TOKENS },
};

static void tags_destroy(struct srt_shared *shared)
{
    struct srt_tags_machine *m = (struct srt_tags_machine *)shared;

    srt_shared_clear(&m->inner);
    srt_pool_clear(&m->states);
    srt_tags_plan_clear(&m->plan);
    srt_machine_clear(&m->machine);
    free(m->scratch.at);
    free(m);
}

/* Bytes are of one class if no step and no program tells them apart: classes
 * so far, split by those of another. */
static void tags_split(struct srt_machine *m, const uint8_t *class_of)
{
    uint16_t pair[256][2];
    uint16_t n = 0;

    for (unsigned byte = 0; byte < 256; byte++) {
        uint16_t c = 0;

        while (c < n && (pair[c][0] != m->class_of[byte] ||
                         pair[c][1] != class_of[byte]))
            c++;
        if (c == n) {
            pair[n][0] = m->class_of[byte];
            pair[n++][1] = class_of[byte];
        }
        m->class_of[byte] = (uint8_t)c;
    }
    m->n_classes = n;
}

static void tags_classes(struct srt_tags_machine *m)
{
    const struct srt_tags *t = m->plan.tags;
    uint8_t cut[257] = { 0 }, class_of[256];

    for (uint32_t p = 1; p < t->n_places; p++)
        for (uint32_t i = 0; i < m->plan.of_place[p].n; i++) {
            const struct srt_tags_step *s =
                &m->plan.steps[m->plan.of_place[p].first + i];

            cut[s->first] = cut[s->last + 1] = 1;
        }
    for (unsigned byte = 0, n = 0; byte < 256; byte++) {
        n += byte > 0 && cut[byte];
        m->machine.class_of[byte] = (uint8_t)n;
        class_of[byte] = srt_alphabet_has(&m->machine.alphabet, (uint8_t)byte);
    }
    tags_split(&m->machine, class_of);
    for (size_t i = 1; i < m->plan.n_machines; i++)
        if (m->plan.machines[i])
            tags_split(&m->machine, m->plan.machines[i]->class_of);
}

static sortes_status tags_begin(struct srt_tags_machine *m, sortes_error *err)
{
    const char *name = m->plan.tags->program.language->name;
    bool trails = false, tokens = false;
    sortes_status status = tags_enter(m, m->plan.tags->start, &m->scratch);

    for (size_t i = 1; i < m->plan.n_machines; i++) {
        const struct srt_machine *inside = m->plan.machines[i];

        trails |= inside && inside->type->follow;
        tokens |= inside && inside->type->step_token;
    }
    m->machine.type = &tags_types[trails + 2 * tokens];
    tags_classes(m);
    if (status == SORTES_OK)
        status = srt_tags_state(m, &m->scratch, &m->machine.start);
    if (status != SORTES_OK)
        return srt_machine_no_room(name, status, err);
    return SORTES_OK;
}

sortes_status srt_tags_build(struct srt_machine **out,
                             const struct srt_program *program,
                             const struct srt_alphabet *alphabet,
                             const sortes_vocab *v, sortes_error *err)
{
    const struct srt_tags *t = (const struct srt_tags *)program;
    const struct srt_options *o = &program->options;
    struct srt_tags_machine *m = calloc(1, sizeof(*m));
    sortes_status status;

    *out = NULL;
    if (!m)
        return srt_machine_no_room(program->language->name, SORTES_E_NOMEM,
                                   err);
    srt_machine_init(&m->machine, &tags_types[0], tags_destroy, alphabet);
    m->self = m;
    m->vocab = v;
    m->cache_bytes = o->max_cache_bytes;
    atomic_flag_clear(&m->inner.lock);
    srt_pool_init(&m->states, sizeof(uint64_t), o->max_states,
                  o->max_state_bytes);
    status = srt_tags_plan_make(&m->plan, t, alphabet, v, err);
    if (status == SORTES_OK)
        status = tags_begin(m, err);
    if (status != SORTES_OK) {
        srt_shared_release(&m->machine.shared);
        return status;
    }
    *out = &m->machine;
    return SORTES_OK;
}

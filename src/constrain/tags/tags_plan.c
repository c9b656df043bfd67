/*
 * tags_plan.c - leaves out what an alphabet cannot write
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/tags/tags_plan.h"

#include "constrain/grow.h"

#include <string.h>

void srt_tags_plan_clear(struct srt_tags_plan *plan)
{
    for (size_t i = 0; i < plan->n_machines; i++)
        if (plan->machines[i])
            srt_shared_release(&plan->machines[i]->shared);
    free(plan->machines);
    free(plan->alive);
    free(plan->far);
    free(plan->steps);
    free(plan->of_place);
    free(plan->items);
    free(plan->entry);
    memset(plan, 0, sizeof(*plan));
}

static sortes_status plan_no_memory(const struct srt_tags *t, sortes_error *err)
{
    return srt_machine_no_room(t->program.language->name, SORTES_E_NOMEM, err);
}

/* ---- programs ------------------------------------------------------------ */

/* A program that has no text at all is a mistake; one that the vocabulary
 * cannot write is left out, and *empty keeps the first such reason. */
static sortes_status plan_machine(struct srt_tags_plan *plan, size_t sub,
                                  const struct srt_alphabet *alphabet,
                                  const sortes_vocab *v, sortes_error *empty,
                                  sortes_error *err)
{
    const struct srt_tags_sub *s = &plan->tags->subs[sub];
    const struct srt_language *language = s->program->language;
    const char *name = plan->tags->program.language->name;
    struct srt_alphabet whole;
    sortes_error inner = { 0 };
    sortes_status status =
        language->build(&plan->machines[sub], s->program, alphabet, v, &inner);

    if (status == SORTES_OK)
        return SORTES_OK;
    plan->machines[sub] = NULL;
    srt_alphabet_fill(&whole);
    if (status == SORTES_E_EMPTY && !srt_alphabet_equal(alphabet, &whole)) {
        if (!empty->text[0])
            (void)srt_fail(empty, status, s->offset, "%s: %s: %s", name,
                           s->where, inner.text);
        return SORTES_OK;
    }
    return srt_fail(err, status, s->offset, "%s: %s: %s", name, s->where,
                    inner.text);
}

static sortes_status plan_machines(struct srt_tags_plan *plan,
                                   const struct srt_alphabet *alphabet,
                                   const sortes_vocab *v, sortes_error *empty,
                                   sortes_error *err)
{
    plan->n_machines = plan->tags->n_subs;
    plan->machines = calloc(plan->n_machines, sizeof(struct srt_machine *));
    if (!plan->machines) {
        plan->n_machines = 0;
        return plan_no_memory(plan->tags, err);
    }
    for (size_t i = 1; i < plan->n_machines; i++) {
        const sortes_status status =
            plan_machine(plan, i, alphabet, v, empty, err);

        if (status != SORTES_OK)
            return status;
    }
    return SORTES_OK;
}

sortes_status srt_tags_goes_on(struct srt_machine *m, uint32_t state,
                               bool *goes_on)
{
    bool asked[256] = { false };
    sortes_status status = SORTES_OK;

    *goes_on = false;
    for (unsigned byte = 0; byte < 256 && !*goes_on; byte++) {
        uint32_t next;

        if (asked[m->class_of[byte]] ||
            !srt_alphabet_has(&m->alphabet, (uint8_t)byte))
            continue;
        asked[m->class_of[byte]] = true;
        status = m->type->step(m, state, (uint8_t)byte, &next);
        if (status != SORTES_OK)
            return status;
        *goes_on = next != SRT_DEAD;
    }
    return SORTES_OK;
}

/* ---- what has a way to the end ------------------------------------------- */

static bool plan_has(const struct srt_alphabet *alphabet,
                     const struct srt_tags_edge *e)
{
    for (unsigned byte = e->first; byte <= e->last; byte++)
        if (srt_alphabet_has(alphabet, (uint8_t)byte))
            return true;
    return e->empty;
}

/* Who leads to a place: chains through the edges, and through the programs. */
struct plan_back {
    uint32_t *last_edge, *edge_before; /* by place; by edge */
    uint32_t *source;                  /* of an edge */
    uint32_t *last_sub, *sub_before;   /* places that leave to a place */
    uint32_t *stack;
    size_t n_stack;
};

static bool plan_back_make(struct plan_back *b, const struct srt_tags *t)
{
    b->last_edge = calloc(t->n_places, sizeof(uint32_t));
    b->last_sub = calloc(t->n_places, sizeof(uint32_t));
    b->sub_before = calloc(t->n_places, sizeof(uint32_t));
    b->stack = calloc(t->n_places, sizeof(uint32_t));
    b->edge_before = calloc(t->n_edges, sizeof(uint32_t));
    b->source = calloc(t->n_edges, sizeof(uint32_t));
    if (!b->last_edge || !b->last_sub || !b->sub_before || !b->stack ||
        !b->edge_before || !b->source)
        return false;
    for (uint32_t p = 1; p < t->n_places; p++) {
        const struct srt_tags_place *place = &t->places[p];

        for (uint32_t e = place->edge; e; e = t->edges[e].next) {
            b->source[e] = p;
            b->edge_before[e] = b->last_edge[t->edges[e].to];
            b->last_edge[t->edges[e].to] = e;
        }
        if (place->sub) {
            b->sub_before[p] = b->last_sub[place->exit];
            b->last_sub[place->exit] = p;
        }
    }
    return true;
}

static void plan_back_free(struct plan_back *b)
{
    free(b->last_edge);
    free(b->last_sub);
    free(b->sub_before);
    free(b->stack);
    free(b->edge_before);
    free(b->source);
}

static void plan_mark(struct srt_tags_plan *plan, struct plan_back *b,
                      uint32_t place)
{
    if (!plan->alive[place]) {
        plan->alive[place] = true;
        b->stack[b->n_stack++] = place;
    }
}

static void plan_spread(struct srt_tags_plan *plan, struct plan_back *b,
                        const struct srt_alphabet *alphabet)
{
    const struct srt_tags *t = plan->tags;

    memset(plan->alive, 0, t->n_places * sizeof(*plan->alive));
    plan_mark(plan, b, t->end);
    while (b->n_stack > 0) {
        const uint32_t place = b->stack[--b->n_stack];

        for (uint32_t e = b->last_edge[place]; e; e = b->edge_before[e])
            if (plan_has(alphabet, &t->edges[e]))
                plan_mark(plan, b, b->source[e]);
        for (uint32_t p = b->last_sub[place]; p; p = b->sub_before[p])
            if (plan->machines[t->places[p].sub])
                plan_mark(plan, b, p);
    }
}

/* Nothing is left: names a byte that would change that. */
static sortes_status plan_empty(struct srt_tags_plan *plan, struct plan_back *b,
                                const struct srt_alphabet *alphabet,
                                const sortes_error *empty, sortes_error *err)
{
    const char *name = plan->tags->program.language->name;

    if (empty->text[0])
        return srt_fail(err, SORTES_E_EMPTY, empty->offset, "%s", empty->text);
    for (int byte = 0; byte < 256; byte++) {
        struct srt_alphabet more = *alphabet;

        srt_alphabet_add(&more, (uint8_t)byte);
        plan_spread(plan, b, &more);
        if (plan->alive[plan->tags->start])
            return srt_machine_empty(name, byte, err);
    }
    return srt_machine_empty(name, -1, err);
}

/* Places at one distance, and those one byte further away. */
struct plan_ring {
    uint32_t *now, *later;
    size_t n_now, n_later;
};

static void plan_reach(struct srt_tags_plan *plan, struct plan_ring *ring,
                       uint32_t place, uint32_t far, bool later)
{
    if (!plan->alive[place] || plan->far[place] <= far)
        return;
    plan->far[place] = far;
    if (later)
        ring->later[ring->n_later++] = place;
    else
        ring->now[ring->n_now++] = place;
}

/* Whoever leads to a place in no byte, or in one. */
static void plan_reach_back(struct srt_tags_plan *plan,
                            const struct plan_back *b, struct plan_ring *ring,
                            uint32_t place, uint32_t far)
{
    const struct srt_tags *t = plan->tags;

    for (uint32_t e = b->last_edge[place]; e; e = b->edge_before[e])
        plan_reach(plan, ring, b->source[e], far + !t->edges[e].empty,
                   !t->edges[e].empty);
    for (uint32_t p = b->last_sub[place]; p; p = b->sub_before[p])
        plan_reach(plan, ring, p, far, false);
}

/* A program without a trail may be short: it counts as no byte. */
static void plan_far_fill(struct srt_tags_plan *plan, const struct plan_back *b,
                          struct plan_ring *ring)
{
    const struct srt_tags *t = plan->tags;

    memset(plan->far, 0xff, t->n_places * sizeof(*plan->far));
    for (uint32_t p = 1; p < t->n_places; p++) {
        const struct srt_machine *m = plan->machines[t->places[p].sub];

        if (t->places[p].sub && m && m->type->follow)
            plan_reach(plan, ring, p, 0, false);
    }
    for (uint32_t far = 0; ring->n_now > 0; far++) {
        uint32_t *swap = ring->now;

        while (ring->n_now > 0)
            plan_reach_back(plan, b, ring, ring->now[--ring->n_now], far);
        ring->now = ring->later;
        ring->n_now = ring->n_later;
        ring->later = swap;
        ring->n_later = 0;
    }
}

static sortes_status plan_far(struct srt_tags_plan *plan,
                              const struct plan_back *b)
{
    const size_t n = plan->tags->n_places;
    struct plan_ring ring = { 0 };
    bool ok;

    plan->far = malloc(n * sizeof(*plan->far));
    ring.now = calloc(2 * n, sizeof(*ring.now));
    ring.later = calloc(2 * n, sizeof(*ring.later));
    ok = plan->far && ring.now && ring.later;
    if (ok)
        plan_far_fill(plan, b, &ring);
    free(ring.now);
    free(ring.later);
    return ok ? SORTES_OK : SORTES_E_NOMEM;
}

static sortes_status plan_alive(struct srt_tags_plan *plan,
                                const struct srt_alphabet *alphabet,
                                const sortes_error *empty, sortes_error *err)
{
    struct plan_back b = { 0 };
    sortes_status status = SORTES_OK;

    plan->alive = calloc(plan->tags->n_places, sizeof(*plan->alive));
    if (plan->alive && plan_back_make(&b, plan->tags)) {
        plan_spread(plan, &b, alphabet);
        if (!plan->alive[plan->tags->start])
            status = plan_empty(plan, &b, alphabet, empty, err);
        else if (plan_far(plan, &b) != SORTES_OK)
            status = plan_no_memory(plan->tags, err);
    } else {
        status = plan_no_memory(plan->tags, err);
    }
    plan_back_free(&b);
    return status;
}

/* ---- what is walked ------------------------------------------------------ */

static sortes_status plan_steps(struct srt_tags_plan *plan,
                                const struct srt_alphabet *alphabet)
{
    const struct srt_tags *t = plan->tags;
    uint32_t n = 0;

    plan->steps = calloc(t->n_edges, sizeof(*plan->steps));
    plan->of_place = calloc(t->n_places, sizeof(*plan->of_place));
    if (!plan->steps || !plan->of_place)
        return SORTES_E_NOMEM;
    for (uint32_t p = 1; p < t->n_places; p++) {
        plan->of_place[p].first = n;
        for (uint32_t e = t->places[p].edge; plan->alive[p] && e;
             e = t->edges[e].next) {
            const struct srt_tags_edge *edge = &t->edges[e];

            if (edge->empty || !plan->alive[edge->to] ||
                !plan_has(alphabet, edge))
                continue;
            plan->steps[n++] =
                (struct srt_tags_step){ edge->first, edge->last, edge->to };
        }
        plan->of_place[p].n = n - plan->of_place[p].first;
    }
    return SORTES_OK;
}

/* A search through the edges that take no byte. */
struct plan_entry {
    uint32_t *seen; /* by place: the search that met it last */
    uint32_t *stack;
    size_t n_stack;
    struct srt_tags_item *items;
    size_t n_items, room;
};

static void entry_push(const struct srt_tags_plan *plan, struct plan_entry *s,
                       uint32_t place, uint32_t search)
{
    if (!plan->alive[place] || s->seen[place] == search)
        return;
    s->seen[place] = search;
    s->stack[s->n_stack++] = place;
}

/* One stands at a program's beginning, and behind it if it may be empty. */
static sortes_status entry_place(const struct srt_tags_plan *plan,
                                 struct plan_entry *s, uint32_t p,
                                 uint32_t search)
{
    const struct srt_tags_place *place = &plan->tags->places[p];
    struct srt_machine *m = place->sub ? plan->machines[place->sub] : NULL;
    bool here = plan->of_place[p].n > 0 || p == plan->tags->end;
    void *block = s->items;
    sortes_status status;

    if (m) {
        here = true;
        if (m->type->accepts(m, m->start)) {
            status = m->type->step_token ? SORTES_OK
                                         : srt_tags_goes_on(m, m->start, &here);
            if (status != SORTES_OK)
                return status;
            entry_push(plan, s, place->exit, search);
        }
    }
    if (!here)
        return SORTES_OK;
    status = srt_grow(&block, &s->room, s->n_items + 1, sizeof(*s->items));
    s->items = block;
    if (status == SORTES_OK)
        s->items[s->n_items++] = (struct srt_tags_item){ p, m ? m->start : 0 };
    return status;
}

static sortes_status entry_search(const struct srt_tags_plan *plan,
                                  struct plan_entry *s, uint32_t from,
                                  struct srt_tags_run *run)
{
    const struct srt_tags *t = plan->tags;
    sortes_status status = SORTES_OK;

    run->first = (uint32_t)s->n_items;
    entry_push(plan, s, from, from);
    while (s->n_stack > 0 && status == SORTES_OK) {
        const uint32_t p = s->stack[--s->n_stack];

        status = entry_place(plan, s, p, from);
        for (uint32_t e = t->places[p].edge; e; e = t->edges[e].next)
            if (t->edges[e].empty)
                entry_push(plan, s, t->edges[e].to, from);
    }
    run->n = (uint32_t)s->n_items - run->first;
    return s->n_items < UINT32_MAX / 2 ? status : SORTES_E_LIMIT;
}

/* Entries are wanted of the start, of where bytes lead, and behind programs. */
static sortes_status plan_entries(struct srt_tags_plan *plan)
{
    const struct srt_tags *t = plan->tags;
    struct plan_entry s = { 0 };
    bool *wanted = calloc(t->n_places, sizeof(*wanted));
    sortes_status status = SORTES_OK;

    s.seen = calloc(t->n_places, sizeof(*s.seen));
    s.stack = calloc(t->n_places, sizeof(*s.stack));
    plan->entry = calloc(t->n_places, sizeof(*plan->entry));
    if (!wanted || !s.seen || !s.stack || !plan->entry) {
        status = SORTES_E_NOMEM;
    } else {
        wanted[t->start] = true;
        for (uint32_t p = 1; p < t->n_places; p++) {
            for (uint32_t i = 0; i < plan->of_place[p].n; i++)
                wanted[plan->steps[plan->of_place[p].first + i].to] = true;
            if (t->places[p].sub)
                wanted[t->places[p].exit] = true;
        }
    }
    for (uint32_t p = 1; p < t->n_places && status == SORTES_OK; p++)
        if (wanted[p] && plan->alive[p])
            status = entry_search(plan, &s, p, &plan->entry[p]);
    plan->items = s.items;
    free(wanted);
    free(s.seen);
    free(s.stack);
    return status;
}

sortes_status srt_tags_plan_make(struct srt_tags_plan *plan,
                                 const struct srt_tags *t,
                                 const struct srt_alphabet *alphabet,
                                 const sortes_vocab *v, sortes_error *err)
{
    sortes_error empty = { 0 };
    sortes_status status;

    memset(plan, 0, sizeof(*plan));
    plan->tags = t;
    status = plan_machines(plan, alphabet, v, &empty, err);
    if (status == SORTES_OK)
        status = plan_alive(plan, alphabet, &empty, err);
    if (status != SORTES_OK)
        return status;
    status = plan_steps(plan, alphabet);
    if (status == SORTES_OK)
        status = plan_entries(plan);
    return status == SORTES_OK
               ? SORTES_OK
               : srt_machine_no_room(t->program.language->name, status, err);
}

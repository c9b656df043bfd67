/*
 * same.c - counts that make no difference
 *
 * A bound on the length makes a state of each count.  Far from the bounds they
 * allow the same tokens: where the least length has been reached, and what is
 * left of the greatest is enough for any token and for the longest way to an
 * end from wherever it leads.  There a plan stands in that has no bounds: it
 * stays in one state where the bounded one counts.  A pattern that counts has
 * states that no token tells apart: there one that was met before stands in.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/text.h"

/* States of a book that are looked at, at most. */
enum { SAME_STATES = 512 };

/* What is known of a state of the book: the most characters that any state
 * which follows it needs to its end, or more; UINT32_MAX: no bound is known. */
struct same_needs {
    uint32_t known, most;
};

static struct same_needs *same_of(struct srt_unit *u, uint32_t state)
{
    const uint32_t number =
        srt_js_intern(u->js, &u->needs, &state, sizeof(state));

    return number ? srt_pool_payload(&u->needs, number) : NULL;
}

/* The states that follow those of met, into met; *most: the most characters
 * that one of them needs. */
static sortes_status same_follow(struct srt_unit *u, struct srt_pool *met,
                                 uint32_t *most)
{
    sortes_status status = SORTES_OK;

    for (uint32_t i = 1; i <= met->n && status == SORTES_OK; i++) {
        uint32_t state, shortest, longest, next = 0, number;
        bool interval;

        memcpy(&state, srt_pool_key(met, i, NULL), sizeof(state));
        status =
            srt_book_lengths(u->book, state, &shortest, &longest, &interval);
        *most = shortest > *most ? shortest : *most;
        for (uint32_t c = 0;
             c < srt_book_n_classes(u->book) && status == SORTES_OK; c++) {
            status = srt_book_step(u->book, state, c, &next);
            if (status == SORTES_OK && next)
                status =
                    srt_pool_intern(met, &next, sizeof(next), &number, NULL);
        }
    }
    return status;
}

/* All states that follow, and what is true of all of them. */
static void same_search(struct srt_unit *u, uint32_t state)
{
    struct srt_pool met;
    uint32_t number, most = 0;
    sortes_status status;

    srt_pool_init(&met, 0, SAME_STATES, SIZE_MAX);
    status = srt_pool_intern(&met, &state, sizeof(state), &number, NULL);
    if (status == SORTES_OK)
        status = same_follow(u, &met, &most);
    if (status == SORTES_E_LIMIT && met.n == SAME_STATES) {
        most = UINT32_MAX; /* too many */
        status = SORTES_OK;
    }
    if (status != SORTES_OK)
        srt_js_fail(u->js, status);
    for (uint32_t i = 1; i <= met.n && srt_js_ok(u->js); i++) {
        struct same_needs *needs;

        memcpy(&state, srt_pool_key(&met, i, NULL), sizeof(state));
        needs = same_of(u, state);
        if (needs && !needs->known)
            *needs = (struct same_needs){ 1, most };
    }
    srt_pool_clear(&met);
}

static uint32_t same_needs(struct srt_unit *u, uint32_t state)
{
    const struct same_needs *needs;

    if (state == SRT_LANE_ANYTHING)
        return 0;
    needs = same_of(u, state);
    if (needs && !needs->known)
        same_search(u, state);
    return needs && needs->known ? needs->most : UINT32_MAX;
}

/* The plan without its trie and its bounds; 0: failed. */
static uint32_t same_unbounded(struct srt_js *js, uint32_t plan)
{
    struct srt_text_plan *p = srt_text_at(js, plan), *q;
    const uint64_t key = js->plans.n;
    uint32_t number;

    if (p->unbounded)
        return p->unbounded;
    number = srt_js_intern(js, &js->plans, &key, sizeof(key));
    if (!number)
        return 0;
    q = srt_text_at(js, number);
    q->unit = p->unit;
    q->lane = srt_js_take(js, p->n_lanes, sizeof(*q->lane));
    if (!q->lane)
        return 0;
    q->n_lanes = p->n_lanes;
    for (uint32_t i = 0; i < p->n_lanes; i++) {
        q->lane[i] = p->lane[i];
        q->lane[i].from = 0;
        q->lane[i].to = UINT32_MAX;
    }
    p->unbounded = number;
    return number;
}

/* Whether a lane's bounds make no difference for `longest` characters. */
static bool same_is_far(struct srt_unit *u, const struct srt_lane *l,
                        uint32_t state, uint32_t count, uint32_t longest)
{
    uint32_t needs;

    if (count < l->from)
        return false;
    if (l->to == UINT32_MAX)
        return true;
    needs = same_needs(u, state);
    return needs != UINT32_MAX && l->to - count >= longest &&
           l->to - count - longest >= needs;
}

/* A state of the book that was met before, and that no token tells from this
 * one; or itself. */
static uint32_t same_met(struct srt_unit *u, uint32_t state, uint32_t longest)
{
    for (size_t i = 0; i < SRT_COUNT(u->met); i++) {
        bool alike = false;
        sortes_status status = SORTES_OK;

        if (u->met[i] == state)
            return state;
        if (u->met[i])
            status = srt_book_alike(u->book, u->met[i], state, longest, &alike);
        if (status != SORTES_OK)
            srt_js_fail(u->js, status);
        if (alike)
            return u->met[i];
    }
    u->met[u->n_met++ % SRT_COUNT(u->met)] = state;
    return state;
}

uint32_t srt_text_same(struct srt_js *js, struct srt_unit *u, uint32_t state,
                       uint32_t longest)
{
    struct srt_text_state s;
    const struct srt_text_plan *p;

    srt_text_load(u, state, &s);
    p = srt_text_at(js, s.plan);
    if (s.node)
        return state;
    for (uint32_t i = 0; i < p->n_lanes && p->counts; i++) {
        if (s.count > p->lane[i].to)
            s.lane[i] = 0;
        if (s.lane[i] &&
            !same_is_far(u, &p->lane[i], s.lane[i], s.count, longest))
            return state;
    }
    if (p->counts) {
        s.count = 0;
        s.plan = same_unbounded(js, s.plan);
    }
    for (uint32_t i = 0; i < p->n_lanes; i++)
        if (s.lane[i] && s.lane[i] != SRT_LANE_ANYTHING)
            s.lane[i] = same_met(u, s.lane[i], longest);
    return s.plan ? srt_text_intern(u, &s) : 0;
}

/*
 * same.c - counts of characters that make no difference
 *
 * A bound on the length makes a state of each count.  Far from the bounds they
 * allow the same tokens: where the least length has been reached, and what is
 * left of the greatest is enough for any token and for the longest way to an
 * end from wherever it leads.  There a plan stands in that has no bounds: it
 * stays in one state where the bounded one counts.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/text.h"

/* States of a book that are looked at, at most. */
enum { SAME_STATES = 64 };

/*
 * The most characters that any state which follows `state` needs to its end;
 * UINT32_MAX: too many states follow.
 */
static uint32_t same_search(struct srt_unit *u, uint32_t state)
{
    uint32_t met[SAME_STATES] = { state }, n = 1, most = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t shortest, longest;
        bool interval;
        sortes_status status =
            srt_book_lengths(u->book, met[i], &shortest, &longest, &interval);

        most = shortest > most ? shortest : most;
        for (uint32_t c = 0;
             c < srt_book_n_classes(u->book) && status == SORTES_OK; c++) {
            uint32_t next = 0, k = 0;

            status = srt_book_step(u->book, met[i], c, &next);
            while (k < n && met[k] != next)
                k++;
            if (status != SORTES_OK || !next || k < n)
                continue;
            if (n == SAME_STATES)
                return UINT32_MAX;
            met[n++] = next;
        }
        if (status != SORTES_OK) {
            srt_js_fail(u->js, status);
            return UINT32_MAX;
        }
    }
    return most;
}

static uint32_t same_needs(struct srt_unit *u, uint32_t state)
{
    struct {
        uint32_t known, most;
    } * needs;
    uint32_t number;

    if (state == SRT_LANE_ANYTHING)
        return 0;
    number = srt_js_intern(u->js, &u->needs, &state, sizeof(state));
    if (!number)
        return UINT32_MAX;
    needs = srt_pool_payload(&u->needs, number);
    if (!needs->known) {
        needs->most = same_search(u, state);
        needs->known = srt_js_ok(u->js);
    }
    return needs->most;
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

uint32_t srt_text_same(struct srt_js *js, struct srt_unit *u, uint32_t state,
                       uint32_t longest)
{
    struct srt_text_state s;
    const struct srt_text_plan *p;

    srt_text_load(u, state, &s);
    p = srt_text_at(js, s.plan);
    if (s.node || !p->counts)
        return state;
    for (uint32_t i = 0; i < p->n_lanes; i++) {
        if (s.count > p->lane[i].to)
            s.lane[i] = 0;
        if (s.lane[i] &&
            !same_is_far(u, &p->lane[i], s.lane[i], s.count, longest))
            return state;
    }
    s.count = 0;
    s.plan = same_unbounded(js, s.plan);
    return s.plan ? srt_text_intern(u, &s) : 0;
}

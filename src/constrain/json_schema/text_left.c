/*
 * text_left.c - how many strings complete a state
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/text.h"

#include "constrain/json_schema/trie.h"

/* What is found out of a state once: bits of its payload, and how many strings
 * complete it, plus 1. */
enum {
    TEXT_ENDS = 1,
    TEXT_ENDLESS = 2,
    TEXT_STOPS = 4, /* srt_text_goes_on: no */
    TEXT_GOES_ON = 8,
    TEXT_COUNT_BITS = 4 /* from here on */
};

enum { TEXT_COUNT = 1 << 10, TEXT_COUNT_STEPS = 4096 };

static uint32_t text_known(const struct srt_unit *u, uint32_t state)
{
    const _Atomic(uint32_t) *known = srt_pool_payload(&u->states, state);

    return atomic_load_explicit(known, memory_order_relaxed);
}

/* The lock is held. */
static void text_note(const struct srt_unit *u, uint32_t state, uint32_t bit)
{
    _Atomic(uint32_t) *known = srt_pool_payload(&u->states, state);

    atomic_fetch_or_explicit(known, bit, memory_order_relaxed);
}

enum srt_text_lanes srt_text_lanes(const struct srt_js *js,
                                   const struct srt_unit *u, uint32_t state)
{
    enum srt_text_lanes lanes = SRT_LANES_NONE;
    const struct srt_text_plan *p;
    struct srt_text_state s;

    srt_text_load(u, state, &s);
    p = srt_text_at(js, s.plan);
    for (uint32_t i = 0; i < p->n_lanes; i++) {
        if (s.lane[i] == SRT_LANE_ANYTHING && p->lane[i].to == UINT32_MAX)
            return SRT_LANES_ANYTHING;
        if (s.lane[i])
            lanes = SRT_LANES_REGULAR;
    }
    return lanes;
}

bool srt_text_is_endless(struct srt_js *js, struct srt_unit *u, uint32_t state)
{
    const struct srt_text_plan *p;
    struct srt_text_state s;
    bool endless = false;

    if (text_known(u, state) & (TEXT_ENDS | TEXT_ENDLESS))
        return (text_known(u, state) & TEXT_ENDLESS) != 0;
    srt_text_load(u, state, &s);
    p = srt_text_at(js, s.plan);
    for (uint32_t i = 0; i < p->n_lanes && !endless; i++)
        srt_text_lane_alive(u, &p->lane[i], s.lane[i], s.count, &endless);
    if (srt_js_ok(js))
        text_note(u, state, endless ? TEXT_ENDLESS : TEXT_ENDS);
    return endless;
}

/* One lane that nothing ends is enough; otherwise none may come to an end. */
static bool text_lanes_go_on(struct srt_js *js, const struct srt_unit *u,
                             uint32_t state)
{
    const struct srt_text_plan *p;
    struct srt_text_state s;
    bool none_ends = true, some = false;

    srt_text_load(u, state, &s);
    p = srt_text_at(js, s.plan);
    for (uint32_t i = 0; i < p->n_lanes; i++) {
        bool goes_on = false, any = s.lane[i] == SRT_LANE_ANYTHING;

        if (!s.lane[i] || s.count > p->lane[i].to)
            continue;
        if (!any && p->lane[i].to == UINT32_MAX &&
            srt_book_goes_on(u->book, s.lane[i], &goes_on, &any) != SORTES_OK)
            return false; /* for want of room: not known to */
        if (any && p->lane[i].to == UINT32_MAX)
            return true;
        none_ends &= goes_on;
        some = true;
    }
    return some && none_ends;
}

bool srt_text_goes_on(struct srt_js *js, const struct srt_unit *u,
                      uint32_t state)
{
    const uint32_t known = text_known(u, state);
    bool goes_on;

    if (known & (TEXT_STOPS | TEXT_GOES_ON))
        return (known & TEXT_GOES_ON) != 0;
    srt_lock_take(&js->machine.lock);
    goes_on = text_lanes_go_on(js, u, state);
    text_note(u, state, goes_on ? TEXT_GOES_ON : TEXT_STOPS);
    srt_lock_release(&js->machine.lock);
    return goes_on;
}

/* ---- of a number --------------------------------------------------------- */

uint32_t srt_unit_count(struct srt_js *js, struct srt_unit *u, uint32_t state,
                        uint32_t most, uint32_t *steps)
{
    uint32_t n = srt_book_accepts(u->book, state);

    for (size_t i = 0; i < u->n_segments && *steps && n < most; i++) {
        const struct srt_book_segment *s = &u->segments[i];
        const uint32_t class_ = u->book_class[s->class_of];
        const uint32_t width = s->last - s->first + 1;
        uint32_t next = 0, below;
        sortes_status status;

        if (class_ == UINT32_MAX)
            continue;
        --*steps;
        status = srt_book_step(u->book, state, class_, &next);
        if (status != SORTES_OK) {
            srt_js_fail(js, status);
            return most;
        }
        below = next ? srt_unit_count(js, u, next, most, steps) : 0;
        n = below && width >= most ? most : n + below * width;
    }
    return n < most ? n : most;
}

/* Strings of the lanes, without those of the trie. */
static uint32_t left_count(struct srt_js *js, struct srt_unit *u,
                           const struct srt_text_state *s)
{
    const struct srt_text_plan *p = srt_text_at(js, s->plan);
    const struct srt_trie_node *node = s->node ? &p->trie->node[s->node] : NULL;
    const uint32_t in_trie = node ? node->last - node->first : 0;
    uint32_t n = 0, steps = TEXT_COUNT_STEPS;

    for (uint32_t i = 0; i < p->n_lanes && n < TEXT_COUNT; i++) {
        const struct srt_lane *l = &p->lane[i];

        if (!s->lane[i] || s->count > l->to)
            continue;
        if (s->lane[i] == SRT_LANE_ANYTHING) /* one of each length */
            n += l->to - (s->count > l->from ? s->count : l->from);
        else if (l->from == 0 && l->to == UINT32_MAX)
            n += srt_unit_count(js, u, s->lane[i], TEXT_COUNT, &steps);
        if (n > TEXT_COUNT)
            n = TEXT_COUNT;
    }
    return n > in_trie ? n - in_trie : 0;
}

uint32_t srt_text_known_at_least(const struct srt_unit *u, uint32_t state)
{
    const uint32_t known = state ? text_known(u, state) : 0,
                   count = known >> TEXT_COUNT_BITS;

    return known & TEXT_ENDLESS ? UINT32_MAX : count ? count - 1 : 0;
}

uint32_t srt_text_at_least(struct srt_js *js, struct srt_unit *u,
                           uint32_t state)
{
    struct srt_text_state s;
    uint32_t n;

    if (srt_text_is_endless(js, u, state))
        return UINT32_MAX;
    if (text_known(u, state) >> TEXT_COUNT_BITS)
        return srt_text_known_at_least(u, state);
    srt_text_load(u, state, &s);
    n = left_count(js, u, &s);
    if (!srt_js_ok(js))
        return 0;
    text_note(u, state, (n + 1) << TEXT_COUNT_BITS);
    return n;
}

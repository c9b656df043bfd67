/*
 * stacks.c - configurations of the rules' automata
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/gbnf/stacks.h"

#include <string.h>

/* The frame that ends the text. */
#define STACKS_BOTTOM 1u

sortes_status srt_stacks_init(struct srt_stacks *s,
                              const struct srt_rules *rules,
                              const struct srt_gbnf *literal,
                              const struct srt_options *options)
{
    const struct srt_stack_item bottom = { UINT32_MAX, UINT32_MAX, 0 };
    const size_t bytes = options->max_state_bytes / 3;
    uint32_t frame;
    sortes_status status;

    memset(s, 0, sizeof(*s));
    s->rules = rules;
    s->literal = literal;
    srt_pool_init(&s->frames, 0, options->max_states, bytes);
    srt_pool_init(&s->sets, 0, options->max_states, bytes);
    srt_pool_init(&s->configs, 8, options->max_states, bytes);
    s->pending = calloc(rules->n_rules, sizeof(*s->pending));
    s->called = calloc(rules->n_knots / 64 + 1, sizeof(*s->called));
    if (!s->pending || !s->called)
        return SORTES_E_NOMEM;
    status = srt_pool_intern(&s->frames, &bottom, sizeof(bottom), &frame, NULL);
    if (status == SORTES_OK)
        status =
            srt_pool_intern(&s->sets, &frame, sizeof(frame), &s->bottom, NULL);
    return status;
}

void srt_stacks_clear(struct srt_stacks *s)
{
    for (size_t i = 0; s->pending && i < s->rules->n_rules; i++)
        free(s->pending[i].at);
    for (size_t i = 0; i < SRT_STACKS_SLOTS; i++)
        free(s->slots[i].items.at);
    srt_pool_clear(&s->frames);
    srt_pool_clear(&s->sets);
    srt_pool_clear(&s->configs);
    free(s->pending);
    free(s->called);
    free(s->found.at);
    free(s->todo.at);
    free(s->seen);
    free(s->key.at);
    memset(s, 0, sizeof(*s));
}

size_t srt_stacks_bytes(const struct srt_stacks *s)
{
    return s->frames.n_bytes + s->sets.n_bytes + s->configs.n_bytes;
}

static sortes_status stacks_push(struct srt_stack_items *list,
                                 struct srt_stack_item item)
{
    void *block = list->at;
    const sortes_status status =
        srt_grow(&block, &list->room, list->n + 1, sizeof(*list->at));

    list->at = block;
    if (status == SORTES_OK)
        list->at[list->n++] = item;
    return status;
}

/* ---- sets of frames ------------------------------------------------------ */

static int stacks_compare_numbers(const void *x, const void *y)
{
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

    return (a > b) - (a < b);
}

/* Sorts, keeps each once, interns. */
static sortes_status stacks_set(struct srt_stacks *s, uint32_t *frames,
                                size_t n, uint32_t *set)
{
    size_t kept = 1;

    if (n > 1)
        qsort(frames, n, sizeof(*frames), stacks_compare_numbers);
    for (size_t i = 1; i < n; i++)
        if (frames[i] != frames[i - 1])
            frames[kept++] = frames[i];
    if (kept > SRT_STACKS_WIDTH)
        return SORTES_E_LIMIT;
    return srt_pool_intern(&s->sets, frames, kept * sizeof(*frames), set, NULL);
}

static sortes_status stacks_add_set(struct srt_stacks *s, struct srt_ids *to,
                                    uint32_t set)
{
    size_t n;
    const uint32_t *frames = srt_pool_key(&s->sets, set, &n);
    sortes_status status = SORTES_OK;

    s->work += n / sizeof(*frames);
    if (s->work > SRT_STACKS_WORK)
        return SORTES_E_LIMIT;
    for (size_t i = 0; i < n / sizeof(*frames) && status == SORTES_OK; i++)
        status = srt_ids_add(to, frames[i]);
    return status;
}

/* ---- where a configuration can read -------------------------------------- */

/* Whether a state only returns, and to whom its caller returns. */
static bool stacks_only_returns(const struct srt_rules *r, uint32_t state,
                                uint32_t goal, uint32_t called)
{
    const struct srt_rule_state *to = &r->states[state];

    if (!to->final || to->edge[0] != to->edge[3])
        return false;
    /* A recursive rule may go on in a lift when it has returned - but to be
     * called in the last place by itself is to be called again. */
    return !r->rules[to->rule].recursive ||
           (to->rule == goal && called == goal);
}

static sortes_status stacks_call(struct srt_stacks *s,
                                 const struct srt_rule_edge *edge,
                                 uint32_t goal, uint32_t below)
{
    const struct srt_rules *r = s->rules;
    struct srt_ids *pending = &s->pending[edge->label];
    const uint32_t knot = r->rules[edge->label].knot;
    const struct srt_stack_item item = { edge->to, goal, below };
    uint32_t frame;
    sortes_status status;

    s->called[knot >> 6] |= UINT64_C(1) << (knot & 63);
    if (stacks_only_returns(r, edge->to, goal, edge->label))
        return stacks_add_set(s, pending, below);
    status = srt_pool_intern(&s->frames, &item, sizeof(item), &frame, NULL);
    return status == SORTES_OK ? srt_ids_add(pending, frame) : status;
}

static sortes_status stacks_calls_of(struct srt_stacks *s, uint32_t state,
                                     uint32_t goal, uint32_t below)
{
    const struct srt_rule_state *from = &s->rules->states[state];
    sortes_status status = SORTES_OK;

    for (uint32_t e = from->edge[1]; e < from->edge[2] && status == SORTES_OK;
         e++)
        status = stacks_call(s, &s->rules->edges[e], goal, below);
    return status;
}

/* A goal's knot is read from the bottom up: all its rules begin. */
static sortes_status stacks_enter(struct srt_stacks *s, uint32_t goal,
                                  struct srt_stack_items *items)
{
    const struct srt_rules *r = s->rules;
    const struct srt_rule_knot *knot = &r->knots[r->rules[goal].knot];
    struct srt_ids *pending = &s->pending[goal];
    uint32_t below;
    sortes_status status = stacks_set(s, pending->at, pending->n, &below);

    for (uint32_t i = knot->first; i < knot->last && status == SORTES_OK; i++) {
        const struct srt_stack_item item = { r->rules[r->by_knot[i]].start,
                                             goal, below };
        const struct srt_rule_state *from = &r->states[item.state];

        if (from->edge[0] != from->edge[1] || from->edge[2] != from->edge[3])
            status = stacks_push(items, item);
        if (status == SORTES_OK)
            status = stacks_calls_of(s, item.state, goal, below);
    }
    return status;
}

/* All goals of a knot that were called. */
static sortes_status stacks_enter_knot(struct srt_stacks *s, uint32_t number,
                                       struct srt_stack_items *items)
{
    const struct srt_rule_knot *knot = &s->rules->knots[number];
    sortes_status status = SORTES_OK;

    for (uint32_t i = knot->first; i < knot->last; i++) {
        const uint32_t goal = s->rules->by_knot[i];

        if (s->pending[goal].n && status == SORTES_OK)
            status = stacks_enter(s, goal, items);
        s->pending[goal].n = 0;
    }
    return status;
}

static sortes_status stacks_open(struct srt_stacks *s, uint32_t config,
                                 struct srt_stack_items *items)
{
    size_t n;
    const uint32_t *key = srt_pool_key(&s->configs, config, &n);
    sortes_status status = SORTES_OK;

    items->n = 0;
    s->work = 0;
    for (size_t i = 1; i < n / sizeof(*key) && status == SORTES_OK; i += 3) {
        const struct srt_stack_item item = { key[i], key[i + 1], key[i + 2] };

        status = stacks_push(items, item);
        if (status == SORTES_OK)
            status = stacks_calls_of(s, item.state, item.goal, item.below);
    }
    /* Knots are entered in order: all callers of one come before it. */
    for (size_t word = 0; word <= s->rules->n_knots / 64; word++)
        while (s->called[word]) {
            const unsigned bit = srt_ctz64(s->called[word]);
            sortes_status entered;

            s->called[word] &= s->called[word] - 1;
            entered = stacks_enter_knot(s, (uint32_t)(word * 64 + bit), items);
            if (status == SORTES_OK)
                status = entered;
        }
    return status;
}

sortes_status srt_stacks_items(struct srt_stacks *s, uint32_t config,
                               const struct srt_stack_items **items)
{
    struct srt_stacks_slot *slot = &s->slots[config % SRT_STACKS_SLOTS];
    sortes_status status = SORTES_OK;

    if (slot->config != config) {
        slot->config = 0;
        status = stacks_open(s, config, &slot->items);
        if (status == SORTES_OK)
            slot->config = config;
    }
    *items = &slot->items;
    return status;
}

/* ---- making a configuration ---------------------------------------------- */

/* Whether an item is new to this configuration. */
static sortes_status stacks_is_new(struct srt_stacks *s,
                                   const struct srt_stack_item *item,
                                   bool *is_new)
{
    size_t at;

    if (2 * s->n_seen >= s->seen_room) {
        const size_t old_room = s->seen_room;
        struct srt_stack_item *old = s->seen;

        s->seen_room = old_room ? 2 * old_room : 64;
        s->seen = calloc(s->seen_room, sizeof(*s->seen));
        if (!s->seen) {
            s->seen = old;
            s->seen_room = old_room;
            return SORTES_E_NOMEM;
        }
        s->n_seen = 0;
        for (size_t i = 0; i < old_room; i++)
            if (old[i].below)
                (void)stacks_is_new(s, &old[i], is_new);
        free(old);
    }
    at = (item->state * 0x9E3779B1u ^ item->goal * 0x85EBCA77u ^
          item->below * 0xC2B2AE3Du);
    at = (at ^ at >> 15) & (s->seen_room - 1);
    while (s->seen[at].below) {
        if (memcmp(&s->seen[at], item, sizeof(*item)) == 0) {
            *is_new = false;
            return SORTES_OK;
        }
        at = (at + 1) & (s->seen_room - 1);
    }
    s->seen[at] = *item;
    s->n_seen++;
    *is_new = true;
    return SORTES_OK;
}

static void stacks_begin(struct srt_stacks *s)
{
    s->found.n = 0;
    s->todo.n = 0;
    s->work = 0;
    s->ends = false;
    if (s->n_seen)
        memset(s->seen, 0, s->seen_room * sizeof(*s->seen));
    s->n_seen = 0;
}

static sortes_status stacks_reach(struct srt_stacks *s,
                                  struct srt_stack_item item)
{
    bool is_new;
    const sortes_status status = ++s->work > SRT_STACKS_WORK
                                     ? SORTES_E_LIMIT
                                     : stacks_is_new(s, &item, &is_new);

    return status == SORTES_OK && is_new ? stacks_push(&s->todo, item) : status;
}

/* An item's rule has been read. */
static sortes_status stacks_return(struct srt_stacks *s,
                                   const struct srt_stack_item *item)
{
    const struct srt_rules *r = s->rules;
    const uint32_t number = r->states[item->state].rule;
    const struct srt_rule *rule = &r->rules[number];
    sortes_status status = SORTES_OK;

    if (!rule->recursive || number == item->goal) {
        size_t n;
        const uint32_t *frames = srt_pool_key(&s->sets, item->below, &n);

        for (size_t i = 0; i < n / sizeof(*frames) && status == SORTES_OK;
             i++) {
            struct srt_stack_item frame;

            if (frames[i] == STACKS_BOTTOM) {
                s->ends = true;
                continue;
            }
            memcpy(&frame, srt_pool_key(&s->frames, frames[i], NULL),
                   sizeof(frame));
            status = stacks_reach(s, frame);
        }
    }
    for (uint32_t i = rule->lift[0]; i < rule->lift[1] && status == SORTES_OK;
         i++) {
        const struct srt_stack_item lifted = { r->lifts[i], item->goal,
                                               item->below };

        status = stacks_reach(s, lifted);
    }
    return status;
}

static int stacks_compare_items(const void *x, const void *y)
{
    const struct srt_stack_item *a = x, *b = y;

    if (a->state != b->state)
        return a->state < b->state ? -1 : 1;
    if (a->goal != b->goal)
        return a->goal < b->goal ? -1 : 1;
    return (a->below > b->below) - (a->below < b->below);
}

/* Items of one state and goal, found[first .. last - 1], become one. */
static sortes_status stacks_merge(struct srt_stacks *s, size_t first,
                                  size_t last)
{
    struct srt_stack_item item = s->found.at[first];
    struct srt_ids *frames = &s->pending[0];
    sortes_status status = SORTES_OK;

    if (last - first > 1) {
        for (size_t i = first; i < last && status == SORTES_OK; i++)
            status = stacks_add_set(s, frames, s->found.at[i].below);
        if (status == SORTES_OK)
            status = stacks_set(s, frames->at, frames->n, &item.below);
        frames->n = 0;
    }
    if (status == SORTES_OK)
        status = srt_ids_add(&s->key, item.state);
    if (status == SORTES_OK)
        status = srt_ids_add(&s->key, item.goal);
    return status == SORTES_OK ? srt_ids_add(&s->key, item.below) : status;
}

/* What was reached becomes a configuration. */
static sortes_status stacks_finish(struct srt_stacks *s, uint32_t *config)
{
    sortes_status status = SORTES_OK;

    while (s->todo.n && status == SORTES_OK) {
        const struct srt_stack_item item = s->todo.at[--s->todo.n];
        const struct srt_rule_state *state = &s->rules->states[item.state];

        if (state->edge[0] != state->edge[3])
            status = stacks_push(&s->found, item);
        if (state->final && status == SORTES_OK)
            status = stacks_return(s, &item);
    }
    if (status != SORTES_OK)
        return status;
    *config = 0;
    if (!s->found.n && !s->ends)
        return SORTES_OK;
    if (s->found.n > 1)
        qsort(s->found.at, s->found.n, sizeof(*s->found.at),
              stacks_compare_items);
    s->key.n = 0;
    status = srt_ids_add(&s->key, s->ends);
    for (size_t i = 0, j; i < s->found.n && status == SORTES_OK; i = j) {
        for (j = i + 1; j < s->found.n &&
                        s->found.at[j].state == s->found.at[i].state &&
                        s->found.at[j].goal == s->found.at[i].goal;)
            j++;
        status = stacks_merge(s, i, j);
    }
    if (s->key.n > 1 + 3 * (size_t)SRT_STACKS_WIDTH)
        return SORTES_E_LIMIT;
    return status == SORTES_OK
               ? srt_pool_intern(&s->configs, s->key.at,
                                 s->key.n * sizeof(*s->key.at), config, NULL)
               : status;
}

/* ---- steps --------------------------------------------------------------- */

sortes_status srt_stacks_start(struct srt_stacks *s, uint32_t *config)
{
    const struct srt_rules *r = s->rules;
    const struct srt_stack_item item = { r->start, r->states[r->start].rule,
                                         s->bottom };

    stacks_begin(s);
    s->ends = r->accepts_empty;
    if (r->states[r->start].edge[0] != r->states[r->start].edge[3]) {
        const sortes_status status = stacks_push(&s->found, item);

        if (status != SORTES_OK)
            return status;
    }
    return stacks_finish(s, config);
}

sortes_status srt_stacks_read(struct srt_stacks *s, uint32_t config,
                              uint32_t symbol, uint32_t *next)
{
    const struct srt_rules *r = s->rules;
    const struct srt_stack_items *items;
    sortes_status status = srt_stacks_items(s, config, &items);

    stacks_begin(s);
    for (size_t i = 0; status == SORTES_OK && i < items->n; i++) {
        const struct srt_rule_state *from = &r->states[items->at[i].state];
        struct srt_stack_item item = items->at[i];

        for (uint32_t e = from->edge[0]; e < from->edge[1]; e++) {
            const uint32_t label = r->edges[e].label;

            if (s->literal) {
                if (!srt_stacks_in_class(s->literal, label, symbol))
                    continue;
            } else if (symbol < (label & 0xff)) {
                break; /* ascending by their lowest byte */
            } else if (symbol > label >> 8) {
                continue;
            }
            item.state = r->edges[e].to;
            status = stacks_reach(s, item);
            if (status != SORTES_OK)
                return status;
        }
    }
    return status == SORTES_OK ? stacks_finish(s, next) : status;
}

static bool stacks_token_fits(uint32_t label, uint32_t token)
{
    return label & SRT_RULE_TOKEN_NOT ? (label & ~SRT_RULE_TOKEN_NOT) != token
                                      : label == token;
}

sortes_status srt_stacks_take(struct srt_stacks *s, uint32_t config,
                              uint32_t token, uint32_t others, uint32_t *next)
{
    const struct srt_rules *r = s->rules;
    const struct srt_stack_items *items;
    sortes_status status = srt_stacks_items(s, config, &items);
    const uint32_t *key;
    size_t n = 0;

    stacks_begin(s);
    for (size_t i = 0; status == SORTES_OK && i < items->n; i++) {
        const struct srt_rule_state *from = &r->states[items->at[i].state];
        struct srt_stack_item item = items->at[i];

        for (uint32_t e = from->edge[2];
             e < from->edge[3] && status == SORTES_OK; e++) {
            item.state = r->edges[e].to;
            if (stacks_token_fits(r->edges[e].label, token))
                status = stacks_reach(s, item);
        }
    }
    if (others) {
        key = srt_pool_key(&s->configs, others, &n);
        s->ends = key[0] != 0;
        for (size_t i = 1; i < n / sizeof(*key) && status == SORTES_OK; i += 3)
            status = stacks_reach(
                s, (struct srt_stack_item){ key[i], key[i + 1], key[i + 2] });
    }
    return status == SORTES_OK ? stacks_finish(s, next) : status;
}

sortes_status srt_stacks_stuck(struct srt_stacks *s, uint32_t *config)
{
    const uint32_t key = false;

    return srt_pool_intern(&s->configs, &key, sizeof(key), config, NULL);
}

sortes_status srt_stacks_go_on(struct srt_stacks *s, uint32_t config,
                               uint32_t *next)
{
    size_t n;
    const uint32_t *key = srt_pool_key(&s->configs, config, &n);
    sortes_status status = SORTES_OK;

    *next = 0;
    if (n == sizeof(*key))
        return SORTES_OK;
    s->key.n = 0;
    for (size_t i = 0; i < n / sizeof(*key) && status == SORTES_OK; i++)
        status = srt_ids_add(&s->key, i ? key[i] : false);
    return status == SORTES_OK
               ? srt_pool_intern(&s->configs, s->key.at, n, next, NULL)
               : status;
}

bool srt_stacks_may_end(const struct srt_stacks *s, uint32_t config)
{
    const uint32_t *key =
        config ? srt_pool_key(&s->configs, config, NULL) : NULL;

    return key && key[0];
}

/* ---- classes of the literal form ----------------------------------------- */

bool srt_stacks_in_class(const struct srt_gbnf *g, uint32_t node, uint32_t code)
{
    const struct srt_gbnf_node *n = &g->nodes[node];

    for (uint32_t i = n->a; i < n->b; i++)
        if (g->ranges[i][0] <= code && code <= g->ranges[i][1])
            return !n->negated;
    return n->negated;
}

/*
 * A negated class is left out as soon as one of its code points lies in the
 * range of what the character may become; overlong two-byte forms fit nothing.
 */
bool srt_stacks_may_be_in_class(const struct srt_gbnf *g, uint32_t node,
                                uint32_t value, unsigned left)
{
    const struct srt_gbnf_node *n = &g->nodes[node];
    uint32_t low = value << 6 * left;
    const uint32_t high = low | (((uint32_t)1 << 6 * left) - 1);

    if (left == 1 && value < 2)
        return false;
    if (low == 0 && left > 1)
        low = left == 2 ? 1 << 11 : 1 << 16;
    for (uint32_t i = n->a; i < n->b; i++)
        if (g->ranges[i][0] <= high && low <= g->ranges[i][1])
            return !n->negated;
    return n->negated;
}

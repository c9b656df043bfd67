/*
 * around.c - what lies around a value, for masks that see little of it
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/machine.h"
#include "constrain/json_schema/text.h"

#include <string.h>

/* Names below a node of the trie that are looked at, and characters of them. */
enum { AROUND_NAMES = 16, AROUND_REST = 128 };

/* What a value must be, kind by kind: one number for the duties of different
 * schemas that say the same, with outcomes in the same order.  Levels count
 * where it can take them. 0: failed. */
static uint32_t around_value_part(struct srt_js *js, uint32_t slot)
{
    const struct srt_place_slot_key *key = srt_pool_key(&js->slots, slot, NULL);
    const srt_dd duty =
        ((struct srt_place_slot *)srt_pool_payload(&js->slots, slot))->duty;
    uint32_t part[SRT_KINDS + 1];

    for (int kind = 0; kind < SRT_KINDS; kind++)
        part[kind] = srt_js_expand(js, duty, (enum srt_kind)kind);
    part[SRT_KINDS] =
        part[SRT_KIND_ARRAY] || part[SRT_KIND_OBJECT] ? key->depth : 0;
    return srt_js_ok(js) ? srt_js_intern(js, &js->parts, part, sizeof(part))
                         : 0;
}

/* Strings and numbers know by themselves what they must be.  What begins reads
 * it from its slot; and what is inside a container takes levels. */
static void around_part(struct srt_js *js, const struct srt_js_state *s,
                        uint32_t part[2])
{
    part[0] = part[1] = 0;
    if (s->mode == SRT_MODE_STRING || s->mode == SRT_MODE_NUMBER)
        return;
    if (s->mode == SRT_MODE_VALUE || s->mode == SRT_MODE_WORD) {
        part[0] = 1;
        part[1] = around_value_part(js, srt_frame_at(js, s->frame)->slot);
        return;
    }
    part[0] = 2;
    part[1] = srt_frame_slot_key(js, s->frame)->depth;
}

/* The index in the trie's order of the one name below a node that may still
 * come; SRT_NONE: there is none, or more, or they are too many to look at. */
static uint32_t around_only(struct srt_js *js, const struct srt_js_state *s,
                            const struct srt_trie *trie, uint32_t node)
{
    const struct srt_trie_node *n = &trie->node[node];
    const struct srt_keyed *k = srt_js_keyed(js, s->a);
    uint32_t only = SRT_NONE;

    if (n->last - n->first > AROUND_NAMES)
        return SRT_NONE;
    for (uint32_t i = n->first; i < n->last && srt_js_ok(js); i++) {
        if (!srt_object_allows(js, k->object, trie->order[i], k->depth))
            continue;
        if (only != SRT_NONE)
            return SRT_NONE;
        only = i;
    }
    return only;
}

/* A number for what is left of a name from a node on; 0: too much, or failed.
 */
static uint32_t around_rest(struct srt_js *js, const struct srt_trie *trie,
                            uint32_t node, uint32_t i)
{
    uint32_t rest[AROUND_REST];
    size_t n = 0;

    while (trie->node[node].outcome != trie->order[i]) {
        uint32_t child = trie->node[node].child;

        while (i < trie->node[child].first || i >= trie->node[child].last)
            child++;
        if (n == AROUND_REST)
            return 0;
        rest[n++] = trie->node[child].class_;
        node = child;
    }
    return srt_js_intern(js, &js->rests, rest, n * sizeof(*rest));
}

/* What a key may be that is on its way: of the names below its node one alone,
 * or any key at all, and all of them with the same value; SRT_NONE. */
static uint32_t around_what(struct srt_js *js, const struct srt_js_state *s,
                            uint32_t reader, const struct srt_text_state *t,
                            uint32_t *rest)
{
    const struct srt_unit *u = &js->unit[SRT_UNIT_KEYS];
    const struct srt_text_plan *p = srt_text_at(js, t->plan);
    const enum srt_text_lanes lanes = srt_text_lanes(js, u, reader);
    static const uint32_t anything = SRT_NONE; /* no class of characters */
    uint32_t only, n_live = 0, outcome;

    if (lanes == SRT_LANES_NONE && t->node) {
        only = around_only(js, s, p->trie, t->node);
        if (only != SRT_NONE)
            *rest = around_rest(js, p->trie, t->node, only);
        return only == SRT_NONE ? SRT_NONE : p->trie->order[only];
    }
    for (uint32_t i = 0; i < p->n_lanes; i++)
        n_live += t->lane[i] != 0;
    if (t->node || n_live != 1 || !srt_text_takes_any(p, t))
        return SRT_NONE;
    outcome = srt_text_outcome(js, u, reader);
    if (!outcome)
        return SRT_NONE;
    *rest = srt_js_intern(js, &js->rests, &anything, sizeof(anything));
    return outcome - 1;
}

/* In a key: what is left of it can be one thing alone, or anything. */
static void around_key(struct srt_js *js, const struct srt_js_state *s,
                       struct srt_around *around)
{
    struct srt_unit *u = &js->unit[SRT_UNIT_KEYS];
    const uint32_t reader = srt_decoder_reader_state(u->decoder, s->b);
    struct srt_text_state t;
    uint32_t what;

    if (!reader)
        return;
    srt_text_load(u, reader, &t);
    what = around_what(js, s, reader, &t, &around->rest);
    if (what != SRT_NONE)
        around->value = srt_frame_key_value(js, s, what);
    if (!around->value)
        around->rest = 0;
}

sortes_status srt_js_around(struct srt_machine *m, uint32_t state,
                            struct srt_around *around)
{
    struct srt_js *js = (struct srt_js *)m;
    const struct srt_js_state s = *srt_frame_state_at(js, state);
    const struct srt_place_slot *slot;

    memset(around, 0, sizeof(*around));
    if (s.mode == SRT_MODE_KEY)
        around_key(js, &s, around);
    if (s.mode != SRT_MODE_DONE && srt_frame_at(js, s.frame)->parent &&
        !around->rest) {
        slot = srt_pool_payload(&js->slots, srt_frame_at(js, s.frame)->slot);
        if (slot->made && slot->n_next <= SRT_AROUND_ENDS) {
            around->place = s.frame;
            around->n_ends = slot->n_next;
            around_part(js, &s, around->part);
        }
        for (uint32_t i = 0; i < around->n_ends; i++)
            around->end[i] = srt_frame_complete(js, s.frame, i + 1);
    }
    return srt_js_end(js);
}

sortes_status srt_js_moved(struct srt_machine *m, uint32_t state,
                           uint32_t place, uint32_t *same)
{
    struct srt_js *js = (struct srt_js *)m;
    struct srt_js_state s = *srt_frame_state_at(js, state);

    s.frame = place;
    *same = srt_js_intern(js, &js->states, &s, sizeof(s));
    return srt_js_end(js);
}

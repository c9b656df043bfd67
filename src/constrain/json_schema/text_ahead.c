/*
 * text_ahead.c - what may come of a string or key: hints for masks
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/text.h"

#include "constrain/json_schema/trie.h"
#include "unicode.h"

/* The first byte of a character: its own, or a backslash. */
static void text_ahead_of(const struct srt_unit *u, uint32_t code,
                          struct srt_alphabet *bytes)
{
    const bool escaped = code < 0x20 || code == '"' || code == '\\';
    char utf8[4];

    if (escaped || u->spelling == SRT_SPELL_JSON)
        srt_alphabet_add(bytes, '\\');
    if (escaped)
        return;
    srt_utf8_encode(code, utf8);
    srt_alphabet_add(bytes, (uint8_t)utf8[0]);
}

void srt_text_ahead_trie(const struct srt_js *js, const struct srt_unit *u,
                         uint32_t state, struct srt_alphabet *bytes)
{
    const struct srt_trie_node *node;
    struct srt_text_state s;

    srt_text_load(u, state, &s);
    srt_alphabet_add(bytes, '"');
    node = s.node ? srt_text_at(js, s.plan)->trie->node : NULL;
    /* Characters of the trie's strings are classes of their own. */
    for (uint32_t i = 0; node && i < node[s.node].n_children; i++)
        text_ahead_of(u, u->first_code[node[node[s.node].child + i].class_],
                      bytes);
}

void srt_text_ahead(const struct srt_js *js, const struct srt_unit *u,
                    uint32_t state, struct srt_alphabet *bytes)
{
    struct srt_text_state s;

    srt_text_load(u, state, &s);
    for (uint32_t i = 0; i < srt_text_at(js, s.plan)->n_lanes; i++)
        if (s.lane[i]) {
            srt_alphabet_fill(bytes);
            return;
        }
    srt_text_ahead_trie(js, u, state, bytes);
}

/* Kinds that some character of a class is of; NULL: failed. */
static const srt_kinds *ahead_class_kinds(struct srt_js *js, struct srt_unit *u)
{
    if (u->class_kinds)
        return u->class_kinds;
    u->class_kinds = srt_js_take(js, u->n_classes, sizeof(*u->class_kinds));
    for (size_t i = 0; u->class_kinds && i < u->n_segments; i++)
        u->class_kinds[u->segments[i].class_of] |=
            srt_kinds_of(u->segments[i].first, u->segments[i].last);
    return u->class_kinds;
}

/* Characters that cannot be written are in no token. */
static srt_kinds ahead_kinds(struct srt_js *js, struct srt_unit *u,
                             const struct srt_text_plan *p,
                             const struct srt_text_state *s)
{
    const srt_kinds *of = ahead_class_kinds(js, u);
    srt_kinds kinds = of ? ~SRT_KINDS_OTHER : 0;

    for (uint32_t c = 0; kinds && c < u->n_classes; c++)
        for (uint32_t i = 0; (kinds & of[c]) && i < p->n_lanes; i++)
            if (u->book_class[c] != UINT32_MAX && s->lane[i] &&
                srt_text_lane_step(u, s->lane[i], c) != s->lane[i])
                kinds &= ~of[c];
    return kinds;
}

srt_kinds srt_text_kinds_stay(struct srt_js *js, struct srt_unit *u,
                              uint32_t state)
{
    const struct srt_text_plan *p;
    struct srt_text_state s;
    srt_kinds kinds;

    srt_text_load(u, state, &s);
    p = srt_text_at(js, s.plan);
    if (s.node || srt_text_count(p, s.count) != s.count)
        return 0;
    if (srt_text_takes_any(p, &s))
        return ~SRT_KINDS_OTHER;
    srt_lock_take(&js->machine.lock);
    kinds = ahead_kinds(js, u, p, &s);
    if (srt_js_end(js) != SORTES_OK)
        kinds = 0;
    srt_lock_release(&js->machine.lock);
    return kinds;
}

enum srt_text_place srt_text_place(const struct srt_js *js,
                                   const struct srt_unit *u, uint32_t state)
{
    struct srt_text_state s;

    srt_text_load(u, state, &s);
    if (s.node)
        return SRT_TEXT_ON_TRIE;
    return srt_text_takes_any(srt_text_at(js, s.plan), &s) ? SRT_TEXT_ANY
                                                           : SRT_TEXT_BOUND;
}

uint32_t srt_text_off(struct srt_js *js, struct srt_unit *u, uint32_t state)
{
    struct srt_text_state s;

    srt_text_load(u, state, &s);
    if (!s.node || !srt_text_takes_any(srt_text_at(js, s.plan), &s))
        return 0;
    s.node = 0;
    s.owner = 0;
    return srt_text_intern(u, &s);
}

/* What is left of a lane's room; 0: not any characters may follow, or that is
 * not told. */
static uint32_t ahead_lane_room(struct srt_js *js, struct srt_unit *u,
                                const struct srt_lane *l, uint32_t state,
                                uint32_t count)
{
    bool goes_on, any = false;

    if (!state || count > l->to)
        return 0;
    if (state == SRT_LANE_ANYTHING)
        return l->to == UINT32_MAX ? UINT32_MAX : l->to - count;
    if (l->to != UINT32_MAX)
        return 0;
    srt_lock_take(&js->machine.lock);
    if (srt_book_goes_on(u->book, state, &goes_on, &any) != SORTES_OK)
        any = false;
    srt_lock_release(&js->machine.lock);
    return any ? UINT32_MAX : 0;
}

uint32_t srt_text_room(struct srt_js *js, struct srt_unit *u, uint32_t state)
{
    const struct srt_text_plan *p;
    struct srt_text_state s;
    uint32_t most = 0;

    srt_text_load(u, state, &s);
    p = srt_text_at(js, s.plan);
    for (uint32_t i = 0; i < p->n_lanes && most != UINT32_MAX; i++) {
        const uint32_t room =
            ahead_lane_room(js, u, &p->lane[i], s.lane[i], s.count);

        most = room > most ? room : most;
    }
    return most;
}

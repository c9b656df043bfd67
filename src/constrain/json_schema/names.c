/*
 * names.c - the tokens of names that alone may come in a key
 *
 * The trie of names and the tree of tokens are followed side by side: a state
 * for each of their letters would be made, stepped to and forgotten.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json_schema/names.h"

#include "constrain/mask.h"

struct names_walk {
    struct srt_js *js;
    struct srt_js_state at;
    const struct srt_unit *u;
    const struct srt_trie *trie;
    const struct srt_tree_node *nodes; /* of the tree */
    struct srt_named *to;
};

/* Names of plain characters, spelled in one way, and nothing beside them. */
static const struct srt_trie *
names_trie(struct srt_js *js, const struct srt_js_state *s, uint32_t *node)
{
    struct srt_unit *u = &js->unit[SRT_UNIT_KEYS];
    const struct srt_trie *trie;
    struct srt_text_state t;
    uint32_t reader;

    if (s->mode != SRT_MODE_KEY || u->spelling != SRT_SPELL_JSON_CANONICAL)
        return NULL;
    reader = srt_decoder_reader_state(u->decoder, s->b);
    if (!reader || srt_text_lanes(js, u, reader) != SRT_LANES_NONE)
        return NULL;
    srt_text_load(u, reader, &t);
    *node = t.node;
    trie = srt_text_at(js, t.plan)->trie;
    return t.node && trie->plain ? trie : NULL;
}

bool srt_js_is_named(const struct srt_machine *m, uint32_t state)
{
    struct srt_js *js = (struct srt_js *)(uintptr_t)m;
    uint32_t node;

    return names_trie(js, srt_frame_state_at(js, state), &node) != NULL;
}

/* A node of the tree is reached. */
static void names_token(const struct names_walk *w, uint32_t at)
{
    const int32_t token = srt_node_token(&w->nodes[at]);

    if (token < 0 || w->to->first > 0)
        return;
    srt_bit_set(w->to->words, token);
    srt_listed_add(w->to->set, token);
}

/* Among the siblings from..end-1 of the tree; end: none has the byte. */
static uint32_t names_find(const struct names_walk *w, uint32_t from,
                           uint32_t end, uint8_t byte)
{
    while (from < end && srt_node_byte(&w->nodes[from]) != byte)
        from += srt_node_size(&w->nodes[from]);
    return from;
}

static bool names_is_alive(const struct names_walk *w, uint32_t trie_node)
{
    const struct srt_trie_node *n = &w->trie->node[trie_node];
    const struct srt_keyed *k = srt_js_keyed(w->js, w->at.a);

    for (uint32_t i = n->first; i < n->last && srt_js_ok(w->js); i++)
        if (srt_object_allows(w->js, k->object, w->trie->order[i], k->depth))
            return true;
    return false;
}

/* A name is complete, and its quote may follow. */
static void names_close(const struct names_walk *w, uint32_t name, uint32_t at)
{
    struct srt_named *to = w->to;
    const uint32_t state = srt_frame_key_end(w->js, &w->at, name);

    if (!state)
        return;
    names_token(w, at);
    if (srt_node_size(&w->nodes[at]) == 1)
        return;
    if (to->n >= to->first && to->n - to->first < SRT_BRANCHES)
        to->branch[to->n - to->first] = (struct srt_branch){ at, state };
    to->n++;
}

static void names_below(const struct names_walk *w, uint32_t trie_node,
                        uint32_t from, uint32_t end);

/* A child of the trie, and the node of its character; end: there is none. */
static void names_child(const struct names_walk *w, uint32_t child, uint32_t at,
                        uint32_t end)
{
    if (at >= end || !names_is_alive(w, child))
        return;
    names_token(w, at);
    names_below(w, child, at + 1, at + srt_node_size(&w->nodes[at]));
}

/* Siblings from..end-1, and what is below them. */
static void names_below(const struct names_walk *w, uint32_t trie_node,
                        uint32_t from, uint32_t end)
{
    const struct srt_trie_node *n = &w->trie->node[trie_node];

    if (from >= end)
        return;
    if (n->outcome != SRT_TRIE_NONE) {
        const uint32_t at = names_find(w, from, end, '"');

        if (at < end)
            names_close(w, n->outcome, at);
    }
    for (uint32_t i = 0; i < n->n_children && srt_js_ok(w->js); i++) {
        const uint32_t child = n->child + i;
        const uint32_t code = w->u->first_code[w->trie->node[child].class_];

        names_child(w, child, names_find(w, from, end, (uint8_t)code), end);
    }
}

/* The same of a whole tree, by its index. */
static void names_all(const struct names_walk *w, uint32_t trie_node,
                      const struct srt_tree_nodes *all)
{
    const struct srt_trie_node *n = &w->trie->node[trie_node];

    if (n->outcome != SRT_TRIE_NONE && all->first['"'] < all->n)
        names_close(w, n->outcome, all->first['"']);
    for (uint32_t i = 0; i < n->n_children && srt_js_ok(w->js); i++) {
        const uint32_t child = n->child + i;
        const uint32_t code = w->u->first_code[w->trie->node[child].class_];

        names_child(w, child, all->first[(uint8_t)code], all->n);
    }
}

sortes_status srt_js_names(struct srt_machine *m, uint32_t state,
                           const struct srt_tree_nodes *all, uint32_t from,
                           uint32_t end, struct srt_named *to)
{
    struct srt_js *js = (struct srt_js *)m;
    struct names_walk w = { .js = js, .nodes = all->node, .to = to };
    uint32_t node;

    w.at = *srt_frame_state_at(js, state);
    w.u = &js->unit[SRT_UNIT_KEYS];
    w.trie = names_trie(js, &w.at, &node);
    to->n = 0;
    if (from == 0 && end == all->n)
        names_all(&w, node, all);
    else
        names_below(&w, node, from, end);
    return srt_js_end(js);
}

/*
 * free_text.c - any text until a word in it says what follows
 *
 * The words, triggers and excluded ones, are found by an automaton of Aho and
 * Corasick (CACM 18(6), 1975): a node is the longest end of the text that
 * begins a word.  Beside it runs what may follow inside a character of UTF-8
 * (RFC 3629, section 4), and how many characters there were.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/tags/tags.h"

#include <stdlib.h>
#include <string.h>

struct free_node {
    uint32_t child, sibling; /* the trie; 0: none */
    uint32_t fail;           /* the longest other end that begins a word */
    uint32_t depth;
    uint32_t owed; /* bytes since a trigger began that must not be given up */
    uint32_t owed_before; /* the same, of triggers that ended before */
    uint8_t byte;         /* that leads here */
    bool excluded;        /* an excluded word ends here */
};

/* Between two characters is part 0; FREE_WRONG: no UTF-8. */
enum { FREE_PARTS = 8, FREE_WRONG = 255 };

struct free_words {
    struct srt_tags *t;
    const struct srt_tags_free *text;
    struct free_node *nodes; /* from 0, the root, on */
    uint32_t n_nodes;
    uint32_t *ends;  /* node of each trigger */
    uint32_t counts; /* of characters, 0 .. counts - 1 */
    uint32_t *place; /* by node, part and count */
    uint32_t *queue; /* of those, in the order they were reached */
    size_t n_queue;
};

/* ---- the words ----------------------------------------------------------- */

static uint32_t free_child(const struct free_words *w, uint32_t node,
                           uint8_t byte)
{
    uint32_t c = w->nodes[node].child;

    while (c && w->nodes[c].byte != byte)
        c = w->nodes[c].sibling;
    return c;
}

static uint32_t free_goto(const struct free_words *w, uint32_t node,
                          uint8_t byte)
{
    for (;; node = w->nodes[node].fail) {
        const uint32_t c = free_child(w, node, byte);

        if (c || !node)
            return c;
    }
}

static uint32_t free_insert(struct free_words *w,
                            const struct srt_tags_word *word)
{
    uint32_t node = 0;

    for (size_t i = 0; i < word->n; i++) {
        const uint8_t byte = (uint8_t)word->bytes[i];
        uint32_t next = free_child(w, node, byte);

        if (!next) {
            next = w->n_nodes++;
            w->nodes[next] = (struct free_node){
                .byte = byte,
                .sibling = w->nodes[node].child,
                .depth = w->nodes[node].depth + 1,
            };
            w->nodes[node].child = next;
        }
        node = next;
    }
    return node;
}

/* Adds up what the shorter ends of a node say; parents come first. */
static void free_inherit(struct free_words *w, uint32_t node, uint32_t parent)
{
    struct free_node *n = &w->nodes[node];
    const struct free_node *p = &w->nodes[parent], *f;

    n->fail = parent ? free_goto(w, p->fail, n->byte) : 0;
    f = &w->nodes[n->fail];
    n->excluded |= f->excluded;
    if (n->owed < f->owed)
        n->owed = f->owed;
    n->owed_before = p->owed ? p->owed + 1 : 0;
    if (n->owed < n->owed_before)
        n->owed = n->owed_before;
}

static void free_link(struct free_words *w)
{
    size_t n = 0;

    w->queue[n++] = 0;
    for (size_t i = 0; i < n; i++)
        for (uint32_t c = w->nodes[w->queue[i]].child; c;
             c = w->nodes[c].sibling) {
            free_inherit(w, c, w->queue[i]);
            w->queue[n++] = c;
        }
}

static void free_read_words(struct free_words *w)
{
    w->n_nodes = 1;
    for (size_t i = 0; i < w->text->n_excludes; i++)
        w->nodes[free_insert(w, &w->text->excludes[i])].excluded = true;
    for (size_t i = 0; i < w->text->n_triggers; i++) {
        w->ends[i] = free_insert(w, &w->text->triggers[i]);
        w->nodes[w->ends[i]].owed = w->nodes[w->ends[i]].depth;
    }
    free_link(w);
}

/* ---- places -------------------------------------------------------------- */

static uint8_t free_part(uint8_t part, uint8_t byte)
{
    static const struct {
        uint8_t part, first, last, then;
    } rule[] = {
        { 0, 0x00, 0x7F, 0 }, { 0, 0xC2, 0xDF, 1 }, { 0, 0xE0, 0xE0, 4 },
        { 0, 0xE1, 0xEC, 2 }, { 0, 0xED, 0xED, 5 }, { 0, 0xEE, 0xEF, 2 },
        { 0, 0xF0, 0xF0, 6 }, { 0, 0xF1, 0xF3, 3 }, { 0, 0xF4, 0xF4, 7 },
        { 1, 0x80, 0xBF, 0 }, { 2, 0x80, 0xBF, 1 }, { 3, 0x80, 0xBF, 2 },
        { 4, 0xA0, 0xBF, 1 }, { 5, 0x80, 0x9F, 1 }, { 6, 0x90, 0xBF, 2 },
        { 7, 0x80, 0x8F, 2 },
    };

    for (size_t i = 0; i < SRT_COUNT(rule); i++)
        if (rule[i].part == part && rule[i].first <= byte &&
            byte <= rule[i].last)
            return rule[i].then;
    return FREE_WRONG;
}

/* The place of a node, part and count; made when it is first asked for. */
static uint32_t free_place(struct free_words *w, uint32_t node, uint8_t part,
                           uint32_t count)
{
    const size_t key = ((size_t)node * FREE_PARTS + part) * w->counts + count;

    if (!w->place[key]) {
        w->place[key] = srt_tags_place(w->t);
        if (w->place[key])
            w->queue[w->n_queue++] = (uint32_t)key;
    }
    return w->place[key];
}

/* Where a byte leads; 0: nowhere. */
static uint32_t free_step(struct free_words *w, uint32_t key, uint8_t byte)
{
    const uint32_t node = key / w->counts / FREE_PARTS;
    const uint8_t part = (uint8_t)(key / w->counts % FREE_PARTS);
    const uint8_t then = free_part(part, byte);
    const uint32_t next = free_goto(w, node, byte);
    const uint32_t owed = w->nodes[node].owed;
    uint32_t count = key % w->counts;

    if (then == FREE_WRONG || w->nodes[next].excluded)
        return 0;
    if (owed && w->nodes[next].depth <= owed)
        return 0; /* a trigger has come, and this is no longer one */
    if (part == 0 && w->counts > 1 && ++count == w->counts)
        return 0;
    return free_place(w, next, then, count);
}

static void free_edges(struct free_words *w, uint32_t key)
{
    const uint32_t from = w->place[key];
    uint32_t to = 0;
    unsigned first = 0;

    for (unsigned byte = 0; byte <= 256; byte++) {
        const uint32_t next = byte < 256 ? free_step(w, key, (uint8_t)byte) : 0;

        if (next == to && byte < 256)
            continue;
        if (to)
            srt_tags_edge(w->t, from, (uint8_t)first, (uint8_t)(byte - 1), to);
        to = next;
        first = byte;
    }
}

/* Between two characters: what follows the triggers that have come, or, where
 * none has, the end. */
static void free_leave(struct free_words *w, uint32_t key)
{
    const uint32_t node = key / w->counts / FREE_PARTS;

    if (key / w->counts % FREE_PARTS != 0)
        return;
    if (!w->nodes[node].owed)
        srt_tags_empty(w->t, w->place[key], w->text->exit);
    for (size_t i = 0; i < w->text->n_triggers; i++)
        for (uint32_t n = node; n; n = w->nodes[n].fail)
            if (n == w->ends[i] &&
                w->nodes[n].depth >= w->nodes[node].owed_before)
                srt_tags_empty(w->t, w->place[key], w->text->triggers[i].to);
}

static void free_places(struct free_words *w, uint32_t from)
{
    w->n_queue = 0;
    srt_tags_empty(w->t, from, free_place(w, 0, 0, 0));
    for (size_t i = 0; i < w->n_queue && w->t->status == SORTES_OK; i++) {
        free_edges(w, w->queue[i]);
        free_leave(w, w->queue[i]);
    }
}

/* ---- all of it ----------------------------------------------------------- */

static size_t free_bytes(const struct srt_tags_word *words, size_t n)
{
    size_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += words[i].n;
    return sum;
}

void srt_tags_free_text(struct srt_tags *t, uint32_t from,
                        const struct srt_tags_free *text)
{
    struct free_words w = { .t = t, .text = text, .counts = 1 };
    const size_t n_nodes = 1 + free_bytes(text->triggers, text->n_triggers) +
                           free_bytes(text->excludes, text->n_excludes);
    size_t n_keys;

    if (text->max_chars != SRT_TAGS_ANY_LENGTH)
        w.counts = text->max_chars + 1;
    if (t->status == SORTES_OK &&
        n_nodes > ((size_t)1 << 25) / FREE_PARTS / w.counts)
        t->status = SORTES_E_LIMIT;
    if (t->status != SORTES_OK)
        return;
    n_keys = n_nodes * FREE_PARTS * w.counts;
    w.nodes = calloc(n_nodes, sizeof(*w.nodes));
    w.ends = calloc(text->n_triggers + 1, sizeof(*w.ends));
    w.place = calloc(n_keys, sizeof(*w.place));
    w.queue = calloc(n_keys, sizeof(*w.queue));
    if (w.nodes && w.ends && w.place && w.queue) {
        free_read_words(&w);
        free_places(&w, from);
    } else {
        t->status = SORTES_E_NOMEM;
    }
    free(w.nodes);
    free(w.ends);
    free(w.place);
    free(w.queue);
}

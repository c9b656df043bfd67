/*
 * mask.c - walks the tree of tokens with the states of a machine
 *
 * A state at which any string body may follow takes the string slice as it is
 * and walks the rest of the tree alone: between the quotes of a free string
 * that leaves out nine tokens in ten.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/mask.h"

#include <stdlib.h>
#include <string.h>

/* ---- the walk ---------------------------------------------------------------
 */

struct mask_level {
    uint32_t state;
    const srt_row *row; /* NULL: not known, or none to be had */
};

/* Where byte leads from a level; asks the machine if it must. */
SRT_INLINE sortes_status mask_next(struct srt_cursor *cursor,
                                   struct mask_level *level, uint8_t byte,
                                   uint32_t *next)
{
    if (level->row) {
        *next = atomic_load_explicit(
            &level->row[cursor->cache->machine->class_of[byte]],
            memory_order_acquire);
        if (*next != SRT_UNKNOWN)
            return SORTES_OK;
    }
    {
        const sortes_status status =
            srt_cursor_step(cursor, level->state, byte, next);

        level->row = srt_cursor_row(cursor, level->state, false);
        return status;
    }
}

sortes_status srt_mask_walk(struct srt_cursor *cursor,
                            const struct srt_tree_node *nodes, uint32_t n,
                            uint32_t state, uint32_t *words)
{
    const struct srt_machine *m = cursor->cache->machine;
    struct mask_level stack[SRT_TREE_DEPTH + 1];
    uint32_t at = 0;
    int top = 0; /* below 0 once the last node of a part is done */

    stack[0].state = state;
    stack[0].row = srt_cursor_row(cursor, state, true);
    while (at < n) {
        const struct srt_tree_node *node = &nodes[at];
        const uint32_t size = srt_node_size(node);
        uint32_t next;
        const sortes_status status =
            mask_next(cursor, &stack[top], srt_node_byte(node), &next);

        if (SRT_UNLIKELY(status != SORTES_OK))
            return status;
        if (next == SRT_DEAD) {
            at += size;
            top -= (int)srt_node_up(node) - 1;
            continue;
        }
        if (srt_node_token(node) >= 0 &&
            (!m->type->token_may_end || m->type->token_may_end(m, next)))
            srt_bit_set(words, srt_node_token(node));
        at++;
        if (size == 1) {
            top -= (int)srt_node_up(node) - 1;
        } else {
            top++;
            stack[top].state = next;
            stack[top].row = srt_cursor_row(cursor, next, false);
        }
    }
    return SORTES_OK;
}

void srt_mask_same(const struct srt_tree *tree, uint32_t *words)
{
    for (size_t i = 0; i < tree->n_same; i++)
        if (srt_bit_get(words, tree->same[i][0]))
            srt_bit_set(words, tree->same[i][1]);
}

/* Tokens that are too long for the tree. */
static sortes_status mask_odd(struct srt_cursor *cursor, uint32_t state,
                              uint32_t *words)
{
    const struct srt_cache *c = cursor->cache;

    for (size_t i = 0; i < c->tree->n_odd; i++) {
        const int32_t token = c->tree->odd[i];
        uint32_t at = state;
        size_t n;
        const char *bytes = sortes_vocab_piece(c->vocab, token, &n);

        for (size_t k = 0; k < n && at != SRT_DEAD; k++) {
            const sortes_status status =
                srt_cursor_step(cursor, at, (uint8_t)bytes[k], &at);

            if (status != SORTES_OK)
                return status;
        }
        if (at != SRT_DEAD && (!c->machine->type->token_may_end ||
                               c->machine->type->token_may_end(c->machine, at)))
            srt_bit_set(words, token);
    }
    return SORTES_OK;
}

/* ---- the slice
 * ---------------------------------------------------------------- */

/*
 * What may follow inside a character of UTF-8: sources of the ranges: RFC 3629
 * section 4.  Part 0 is between two characters.
 */
struct mask_part {
    uint8_t first, last, then;
};

static const struct mask_part mask_parts[][8] = {
    { { 0x20, 0x21, 0 },
      { 0x23, 0x5B, 0 },
      { 0x5D, 0x7E, 0 },
      { 0xC2, 0xDF, 1 },
      { 0xE0, 0xE0, 4 },
      { 0xE1, 0xEC, 2 },
      { 0xED, 0xED, 5 },
      { 0xEE, 0xEF, 2 } },
    { { 0x80, 0xBF, 0 } },
    { { 0x80, 0xBF, 1 } },
    { { 0x80, 0xBF, 2 } },
    { { 0xA0, 0xBF, 1 } },
    { { 0x80, 0x9F, 1 } },
    { { 0x90, 0xBF, 2 } },
    { { 0x80, 0x8F, 2 } },
};
static const struct mask_part mask_leads4[] = { { 0xF0, 0xF0, 6 },
                                                { 0xF1, 0xF3, 3 },
                                                { 0xF4, 0xF4, 7 } };

enum { SLICE_PAIRS = 96 };

/* Pairs of a state and a part of a character that were met. */
struct mask_pairs {
    struct {
        uint32_t state, part;
    } pair[SLICE_PAIRS];
    size_t n;
};

/* false: too many, or dead. */
static bool mask_meet(struct mask_pairs *pairs, uint32_t state, uint32_t part)
{
    for (size_t i = 0; i < pairs->n; i++)
        if (pairs->pair[i].state == state && pairs->pair[i].part == part)
            return true;
    if (state == SRT_DEAD || pairs->n == SLICE_PAIRS)
        return false;
    pairs->pair[pairs->n].state = state;
    pairs->pair[pairs->n++].part = part;
    return true;
}

static sortes_status mask_follow(struct srt_cursor *cursor,
                                 struct mask_pairs *pairs, size_t i,
                                 const struct mask_part *part, bool *covers)
{
    const struct srt_machine *m = cursor->cache->machine;
    bool asked[256] = { false };

    for (unsigned byte = part->first; *covers && byte <= part->last; byte++) {
        const uint8_t class_of = m->class_of[byte];
        uint32_t next;
        sortes_status status;

        if (asked[class_of] || !srt_alphabet_has(&m->alphabet, (uint8_t)byte))
            continue;
        asked[class_of] = true;
        status =
            srt_cursor_step(cursor, pairs->pair[i].state, (uint8_t)byte, &next);
        if (status != SORTES_OK)
            return status;
        *covers = mask_meet(pairs, next, part->then);
    }
    return SORTES_OK;
}

/* Whether every string body may follow, by running them all beside it. */
static sortes_status mask_explore(struct srt_cursor *cursor, uint32_t state,
                                  bool *covers)
{
    struct mask_pairs pairs = { .n = 0 };
    sortes_status status = SORTES_OK;

    *covers = mask_meet(&pairs, state, 0);
    for (size_t i = 0; *covers && status == SORTES_OK && i < pairs.n; i++) {
        const uint32_t part = pairs.pair[i].part;

        for (size_t k = 0;
             *covers && status == SORTES_OK && k < SRT_COUNT(mask_parts[0]) &&
             mask_parts[part][k].first;
             k++)
            status =
                mask_follow(cursor, &pairs, i, &mask_parts[part][k], covers);
        for (size_t k = 0; part == 0 && *covers && status == SORTES_OK &&
                           k < SRT_COUNT(mask_leads4);
             k++)
            status = mask_follow(cursor, &pairs, i, &mask_leads4[k], covers);
    }
    return status;
}

static sortes_status mask_covers(struct srt_cursor *cursor, uint32_t state,
                                 bool *covers)
{
    const struct srt_cache *c = cursor->cache;
    const int known = srt_cursor_slice(cursor, state);
    uint32_t room = SRT_ROOM_UNKNOWN;
    sortes_status status = SORTES_OK;

    if (known >= 0) {
        *covers = known;
        return SORTES_OK;
    }
    if (c->machine->type->string_room)
        room = c->machine->type->string_room(c->machine, state);
    if (room == SRT_ROOM_UNKNOWN)
        status = mask_explore(cursor, state, covers);
    else
        *covers = room >= c->tree->string_chars;
    if (status == SORTES_OK)
        srt_cursor_keep_slice(cursor, state, *covers);
    return status;
}

/* ---- tokens as a whole
 * ----------------------------------------------------------- */

struct mask_tokens {
    struct srt_cursor *cursor;
    uint32_t state;
    uint32_t *words;
    sortes_status status;
};

/* Where a token's bytes lead; special tokens have none. */
static sortes_status mask_by_bytes(struct srt_cursor *cursor, uint32_t state,
                                   int32_t token, uint32_t *next)
{
    const struct srt_cache *c = cursor->cache;
    size_t n;
    const char *bytes = sortes_vocab_piece(c->vocab, token, &n);
    const bool spelled = n > 0 && srt_tree_has(c->tree, token);
    sortes_status status = SORTES_OK;

    *next = spelled ? state : SRT_DEAD;
    for (size_t i = 0; i < n && *next != SRT_DEAD && status == SORTES_OK; i++)
        status = srt_cursor_step(cursor, *next, (uint8_t)bytes[i], next);
    return status;
}

static void mask_token(void *ctx, int32_t token)
{
    struct mask_tokens *t = ctx;
    uint32_t next = SRT_DEAD;

    if (t->status != SORTES_OK || token < 0 ||
        (size_t)token >= t->cursor->cache->tree->n_tokens)
        return;
    t->status = mask_by_bytes(t->cursor, t->state, token, &next);
    if (t->status == SORTES_OK)
        t->status = srt_cursor_token(t->cursor, t->state, token, next, &next);
    if (t->status != SORTES_OK)
        return;
    if (next == SRT_DEAD)
        srt_bit_clear(t->words, token);
    else
        srt_bit_set(t->words, token);
}

/* ---- the mask of a state
 * ------------------------------------------------------------ */

static sortes_status mask_make(struct srt_cursor *cursor, uint32_t state,
                               uint32_t *words, bool *sliced)
{
    const struct srt_cache *c = cursor->cache;
    const struct srt_machine *m = c->machine;
    const struct srt_tree_nodes *nodes = &c->tree->all;
    sortes_status status = mask_covers(cursor, state, sliced);

    if (status != SORTES_OK)
        return status;
    if (*sliced) {
        memcpy(words, c->tree->string_words, c->tree->n_words * sizeof(*words));
        nodes = &c->tree->rest;
    } else {
        memset(words, 0, c->tree->n_words * sizeof(*words));
    }
    status = srt_mask_walk(cursor, nodes->node, nodes->n, state, words);
    if (status == SORTES_OK)
        status = mask_odd(cursor, state, words);
    srt_mask_same(c->tree, words);
    if (status == SORTES_OK && m->type->tokens_at) {
        struct mask_tokens t = { cursor, state, words, SORTES_OK };

        m->type->tokens_at(m, state, mask_token, &t);
        status = t.status;
    }
    if (m->type->accepts(m, state))
        for (size_t i = 0; i < c->tree->n_ends; i++)
            srt_bit_set(words, c->tree->ends[i]);
    return status;
}

/* The tokens of words that are not in base (NULL: nothing), up to room. */
static uint32_t mask_list(const uint32_t *words, const uint32_t *base,
                          size_t n_words, uint32_t *list, uint32_t room)
{
    uint32_t n = 0;

    for (size_t i = 0; i < n_words; i++) {
        uint32_t left = words[i] & ~(base ? base[i] : 0);

        for (; left; left &= left - 1) {
            if (n < room)
                list[n] = (uint32_t)(32 * i) + srt_ctz64(left);
            n++;
        }
    }
    return n;
}

/* Whether base has nothing that words lack. */
static bool mask_contains(const uint32_t *words, const uint32_t *base,
                          size_t n_words)
{
    uint32_t lacking = 0;

    for (size_t i = 0; i < n_words; i++)
        lacking |= base[i] & ~words[i];
    return lacking == 0;
}

enum { MASK_LIST_ROOM = 512 };

/* Remembers words in the shortest form. */
static void mask_keep(struct srt_cursor *cursor, uint32_t state,
                      const uint32_t *words, bool sliced)
{
    const struct srt_tree *tree = cursor->cache->tree;
    const uint32_t *base =
        sliced && mask_contains(words, tree->string_words, tree->n_words)
            ? tree->string_words
            : NULL;
    uint32_t list[MASK_LIST_ROOM];
    uint32_t room = (uint32_t)tree->n_words / 16;
    struct srt_mask head;

    if (room > MASK_LIST_ROOM)
        room = MASK_LIST_ROOM;
    head.form = base ? SRT_MASK_SLICE : SRT_MASK_LIST;
    head.n = mask_list(words, base, tree->n_words, list, room);
    if (head.n > room) {
        head.form = SRT_MASK_WORDS;
        head.n = (uint32_t)tree->n_words;
    }
    srt_cursor_keep_mask(cursor, state, &head,
                         head.form == SRT_MASK_WORDS ? words : list);
}

static void mask_expand(const struct srt_tree *tree,
                        const struct srt_mask *mask, uint32_t *words)
{
    const size_t n_bytes = tree->n_words * sizeof(*words);

    if (mask->form == SRT_MASK_WORDS) {
        memcpy(words, mask->data, n_bytes);
        return;
    }
    if (mask->form == SRT_MASK_SLICE)
        memcpy(words, tree->string_words, n_bytes);
    else
        memset(words, 0, n_bytes);
    for (uint32_t i = 0; i < mask->n; i++)
        srt_bit_set(words, (int32_t)mask->data[i]);
}

sortes_status srt_mask_at(struct srt_cursor *cursor, uint32_t state, bool memo,
                          uint32_t *words)
{
    struct srt_cache *c = cursor->cache;
    const struct srt_mask *mask = memo ? srt_cursor_mask(cursor, state) : NULL;
    sortes_status status;
    bool sliced;

    if (mask) {
        mask_expand(c->tree, mask, words);
        cursor->hits++;
        return SORTES_OK;
    }
    status = mask_make(cursor, state, words, &sliced);
    if (status == SORTES_OK && memo)
        mask_keep(cursor, state, words, sliced);
    cursor->misses++;
    return status;
}

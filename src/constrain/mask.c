/*
 * mask.c - the tokens that may come at a state
 *
 * A state at which any string body may follow takes the string slice as it is
 * and walks the rest of the tree alone: between the quotes of a free string
 * that leaves out nine tokens in ten.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/mask.h"

#include "constrain/walk.h"

#include <stdlib.h>
#include <string.h>

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

/* How many characters of a string body, whichever, may follow. */
static sortes_status mask_room(struct srt_cursor *cursor, uint32_t state,
                               uint32_t *room)
{
    const struct srt_machine_type *type = cursor->cache->machine->type;
    int covers = srt_cursor_slice(cursor, state);
    sortes_status status = SORTES_OK;

    *room = SRT_ROOM_UNKNOWN;
    if (type->string_room)
        *room = type->string_room(cursor->cache->machine, state);
    if (*room != SRT_ROOM_UNKNOWN)
        return SORTES_OK;
    if (covers < 0) {
        bool all;

        status = srt_explore(cursor, state, ~SRT_KINDS_OTHER, false, &all);
        if (status == SORTES_OK)
            srt_cursor_keep_slice(cursor, state, all);
        covers = all;
    }
    *room = covers ? UINT32_MAX : 0;
    return status;
}

/* The slice, as far as there is room: false where that is most of the work. */
static bool mask_slice(const struct srt_tree *tree, uint32_t room,
                       uint32_t *words)
{
    const bool whole = room >= tree->string_chars;

    if (room == 0 || (!whole && tree->longer[room] > tree->longer[0] / 2))
        return false;
    memcpy(words, tree->string_words, tree->n_words * sizeof(*words));
    for (uint32_t i = 0; !whole && i < tree->longer[room]; i++)
        srt_bit_clear(words, tree->by_chars[i]);
    return true;
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

enum { MASK_TAILS = 1 << 15 };

/* The tokens that leave a string in a state that every character of it leads
 * back to: by their tails. */
static sortes_status mask_tails(struct srt_cursor *cursor, uint32_t state,
                                uint32_t *words)
{
    const struct srt_tree *tree = cursor->cache->tree;
    uint32_t tails[MASK_TAILS / 32];
    struct srt_walk w;
    sortes_status status;

    memset(tails, 0, (tree->n_tails + 31) / 32 * sizeof(*tails));
    srt_walk_begin(&w, cursor, tails, false);
    status = srt_walk_tree(&w, &tree->tails, state);
    for (uint32_t i = 0; i < (tree->n_tails + 31) / 32; i++)
        for (uint32_t left = tails[i]; left; left &= left - 1) {
            const uint32_t tail = 32 * i + srt_ctz64(left);

            for (uint32_t k = tree->tail_first[tail];
                 k < tree->tail_first[tail + 1]; k++)
                srt_bit_set(words, tree->tail_token[k]);
        }
    return status;
}

/* The tokens of the tree.  *whole: the whole slice is part of them. */
static sortes_status mask_by_tree(struct srt_cursor *cursor, uint32_t state,
                                  uint32_t *words, bool *whole)
{
    const struct srt_cache *c = cursor->cache;
    const struct srt_machine *m = c->machine;
    const struct srt_tree_nodes *nodes = &c->tree->all;
    struct srt_walk w;
    uint32_t room;
    sortes_status status = mask_room(cursor, state, &room);

    if (status != SORTES_OK)
        return status;
    *whole = room >= c->tree->string_chars;
    if (mask_slice(c->tree, room, words))
        nodes = &c->tree->rest;
    else
        memset(words, 0, c->tree->n_words * sizeof(*words));
    if (*whole && m->type->string_stays && !m->type->token_may_end &&
        m->type->string_stays(m, state) && c->tree->n_tails <= MASK_TAILS)
        return mask_tails(cursor, state, words);
    srt_walk_begin(&w, cursor, words, nodes == &c->tree->all);
    return srt_walk_tree(&w, nodes, state);
}

/* What the tree of tokens does not tell. */
static sortes_status mask_beside_tree(struct srt_cursor *cursor, uint32_t state,
                                      uint32_t *words)
{
    const struct srt_cache *c = cursor->cache;
    const struct srt_machine *m = c->machine;
    sortes_status status = mask_odd(cursor, state, words);

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

/* From the mask of a state that goes most of the same ways. */
static sortes_status mask_from_base(struct srt_cursor *cursor, uint32_t state,
                                    uint32_t base, uint32_t *words)
{
    const struct srt_tree *tree = cursor->cache->tree;
    sortes_status status = srt_mask_at(cursor, base, true, words);

    if (status == SORTES_OK)
        status = srt_mask_mend(cursor, state, base, words);
    for (size_t i = 0; i < tree->n_odd; i++)
        srt_bit_clear(words, tree->odd[i]);
    for (size_t i = 0; i < tree->n_same; i++)
        if (!srt_bit_get(words, tree->same[i][0]))
            srt_bit_clear(words, tree->same[i][1]);
    for (size_t i = 0; i < tree->n_ends; i++)
        srt_bit_clear(words, tree->ends[i]);
    return status;
}

/* *whole: the whole slice is part of it. */
static sortes_status mask_make(struct srt_cursor *cursor, uint32_t state,
                               bool memo, uint32_t *words, bool *whole)
{
    struct srt_alphabet unlike;
    uint32_t base = 0;
    sortes_status status = SORTES_OK;

    *whole = false;
    if (memo)
        status = srt_cursor_like(cursor, state, &base, &unlike);
    if (status != SORTES_OK)
        return status;
    if (base) {
        status = mask_from_base(cursor, state, base, words);
    } else {
        status = mask_by_tree(cursor, state, words, whole);
        *whole = *whole && !cursor->cache->machine->type->tokens_at;
    }
    return status == SORTES_OK ? mask_beside_tree(cursor, state, words)
                               : status;
}

/* Words of a mask that are looked at together. */
enum { MASK_BLOCK = 32 };

/* Whether a block has anything that base (NULL: nothing) lacks. */
SRT_INLINE bool mask_more(const uint32_t *words, const uint32_t *base)
{
    uint64_t two, of_base = 0, more = 0;

    for (size_t i = 0; i < MASK_BLOCK; i += 2) {
        memcpy(&two, words + i, sizeof(two));
        if (base)
            memcpy(&of_base, base + i, sizeof(of_base));
        more |= two & ~of_base;
    }
    return more != 0;
}

/* The tokens of words that are not in base (NULL: nothing), up to room; more
 * than room: it stops. */
static uint32_t mask_list(const uint32_t *words, const uint32_t *base,
                          size_t n_words, uint32_t *list, uint32_t room)
{
    uint32_t n = 0;

    for (size_t from = 0; from < n_words && n <= room; from += MASK_BLOCK) {
        const size_t end =
            from + MASK_BLOCK < n_words ? from + MASK_BLOCK : n_words;

        if (end - from == MASK_BLOCK &&
            !mask_more(words + from, base ? base + from : NULL))
            continue;
        for (size_t i = from; i < end; i++) {
            uint32_t left = words[i] & ~(base ? base[i] : 0);

            for (; left; left &= left - 1) {
                if (n < room)
                    list[n] = (uint32_t)(32 * i) + srt_ctz64(left);
                n++;
            }
        }
    }
    return n;
}

enum { MASK_LIST_ROOM = 512 };

/* Remembers words in the shortest form. */
static void mask_keep(struct srt_cursor *cursor, uint32_t state,
                      const uint32_t *words, bool whole)
{
    const struct srt_tree *tree = cursor->cache->tree;
    const uint32_t *base = whole ? tree->string_words : NULL;
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

static sortes_status mask_made(struct srt_cursor *cursor, uint32_t state,
                               bool memo, uint32_t *words)
{
    bool whole;
    const sortes_status status = mask_make(cursor, state, memo, words, &whole);

    if (status == SORTES_OK && memo)
        mask_keep(cursor, state, words, whole);
    cursor->misses++;
    return status;
}

sortes_status srt_mask_at(struct srt_cursor *cursor, uint32_t state, bool memo,
                          uint32_t *words)
{
    const struct srt_mask *mask = memo ? srt_cursor_mask(cursor, state) : NULL;
    uint32_t same = state;
    sortes_status status = SORTES_OK;

    if (!mask && memo)
        status = srt_cursor_same(cursor, state, &same);
    if (status != SORTES_OK)
        return status;
    if (same != state)
        mask = srt_cursor_mask(cursor, same);
    if (mask) {
        mask_expand(cursor->cache->tree, mask, words);
        cursor->hits++;
    } else {
        status = mask_made(cursor, same, memo, words);
    }
    if (status == SORTES_OK && same != state)
        srt_cursor_share_mask(cursor, state, same);
    return status;
}

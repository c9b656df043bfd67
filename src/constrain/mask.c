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

/* Any characters of a string may follow, and lead back to the state. */
static bool mask_stays(struct srt_cursor *cursor, uint32_t state)
{
    const struct srt_cache *c = cursor->cache;
    const struct srt_machine_type *type = c->machine->type;

    return type->kinds_stay && !type->token_may_end &&
           c->tree->n_tails <= MASK_TAILS &&
           type->kinds_stay(c->machine, state) == ~SRT_KINDS_OTHER;
}

/* The tokens that leave a string in a state that every character of it leads
 * back to: by their tails.  closing: those alone that may close it. */
static sortes_status mask_tails(struct srt_cursor *cursor, uint32_t state,
                                bool closing, uint32_t *words)
{
    const struct srt_tree *tree = cursor->cache->tree;
    uint32_t tails[MASK_TAILS / 32];
    struct srt_walk w;
    sortes_status status;

    memset(tails, 0, (tree->n_tails + 31) / 32 * sizeof(*tails));
    srt_walk_begin(&w, cursor, tails, false);
    w.closing = closing;
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

/* The whole tree: from nothing, or from the slice if that is nearer. */
static sortes_status mask_walk(struct srt_cursor *cursor, uint32_t state,
                               uint32_t *words, bool *slice)
{
    const struct srt_tree *tree = cursor->cache->tree;
    const size_t n_bytes = tree->n_words * sizeof(*words);
    struct srt_walk w;
    sortes_status status;

    srt_walk_begin(&w, cursor, words, true);
    status = srt_walk_most(&w, state, slice);
    w.clears = *slice;
    if (*slice)
        memcpy(words, tree->string_words, n_bytes);
    else
        memset(words, 0, n_bytes);
    return status == SORTES_OK ? srt_walk_tree(&w, &tree->all, state) : status;
}

/* The tokens of the tree.  *slice: they were made from those of the slice. */
static sortes_status mask_by_tree(struct srt_cursor *cursor, uint32_t state,
                                  uint32_t *words, bool *slice)
{
    const struct srt_tree *tree = cursor->cache->tree;
    struct srt_walk w;
    uint32_t room;
    sortes_status status = mask_room(cursor, state, &room);

    if (status != SORTES_OK)
        return status;
    *slice = mask_slice(tree, room, words);
    if (!*slice)
        return mask_walk(cursor, state, words, slice);
    if (room >= tree->string_chars && mask_stays(cursor, state))
        return mask_tails(cursor, state, false, words);
    srt_walk_begin(&w, cursor, words, false);
    return srt_walk_tree(&w, &tree->rest, state);
}

/* The same where the tokens without a quote are known. */
static sortes_status mask_by_closers(struct srt_cursor *cursor, uint32_t state,
                                     const struct srt_mask *inside,
                                     uint32_t *words)
{
    const struct srt_tree *tree = cursor->cache->tree;
    struct srt_walk w;

    srt_mask_expand(tree, inside, words);
    if (mask_stays(cursor, state))
        return mask_tails(cursor, state, true, words);
    srt_walk_begin(&w, cursor, words, false);
    return srt_walk_tree(&w, &tree->closers, state);
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

/* How a mask was made, and so may be remembered. */
struct mask_origin {
    bool slice;      /* from the slice */
    uint32_t inside; /* a state that lets the same tokens without a quote
                        come; 0: none is known */
    const struct srt_mask *known; /* those tokens; NULL: not yet */
};

static sortes_status mask_make(struct srt_cursor *cursor, uint32_t state,
                               bool memo, uint32_t *words,
                               struct mask_origin *origin)
{
    struct srt_alphabet unlike;
    uint32_t base = 0;
    sortes_status status = SORTES_OK;

    memset(origin, 0, sizeof(*origin));
    if (memo)
        status = srt_cursor_like(cursor, state, &base, &unlike);
    if (memo && status == SORTES_OK)
        status = srt_cursor_inside_state(cursor, base ? base : state,
                                         &origin->inside);
    if (status == SORTES_OK && base)
        status = mask_from_base(cursor, state, base, words);
    if (origin->inside)
        origin->known = srt_cursor_inside(cursor, origin->inside);
    origin->slice = base != 0;
    if (status == SORTES_OK && !base)
        status = origin->known
                     ? mask_by_closers(cursor, state, origin->known, words)
                     : mask_by_tree(cursor, state, words, &origin->slice);
    return status == SORTES_OK ? mask_beside_tree(cursor, state, words)
                               : status;
}

/* Remembers what was made: the tokens without a quote apart, where other states
 * have the same. */
static void mask_keep(struct srt_cursor *cursor, uint32_t state,
                      const struct mask_origin *origin, uint32_t *words)
{
    const struct srt_mask *known = origin->known;

    if (origin->inside && !known)
        known =
            srt_mask_keep_inside(cursor, origin->inside, origin->slice, words);
    srt_mask_keep(cursor, state, origin->slice, known, words);
}

static sortes_status mask_made(struct srt_cursor *cursor, uint32_t state,
                               bool memo, uint32_t *words)
{
    struct mask_origin origin;
    const sortes_status status = mask_make(cursor, state, memo, words, &origin);

    if (status == SORTES_OK && memo)
        mask_keep(cursor, state, &origin, words);
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
        srt_mask_expand(cursor->cache->tree, mask, words);
        cursor->hits++;
    } else {
        status = mask_made(cursor, same, memo, words);
    }
    if (status == SORTES_OK && same != state)
        srt_cursor_share_mask(cursor, state, same);
    return status;
}

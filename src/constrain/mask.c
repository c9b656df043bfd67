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

#include <string.h>

/* A mask on its way. */
struct mask_work {
    struct srt_cursor *cursor;
    uint32_t state;
    uint32_t *words;
    struct srt_mask_origin origin;
    struct srt_walk walk; /* and the tokens that were set */
};

void srt_mask_same(const struct srt_tree *tree, uint32_t *words)
{
    for (size_t i = 0; i < tree->n_same; i++)
        if (srt_bit_get(words, tree->same[i][0]))
            srt_bit_set(words, tree->same[i][1]);
}

/* ---- the slice ----------------------------------------------------------- */

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

/* ---- the tree ------------------------------------------------------------ */

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
static sortes_status mask_tails(struct mask_work *w, bool closing)
{
    const struct srt_tree *tree = w->cursor->cache->tree;
    uint32_t tails[MASK_TAILS / 32];
    sortes_status status;

    memset(tails, 0, (tree->n_tails + 31) / 32 * sizeof(*tails));
    srt_walk_begin(&w->walk, w->cursor, tails, false);
    w->walk.closing = closing;
    status = srt_walk_tree(&w->walk, &tree->tails, w->state);
    w->walk.set.n = 0; /* those were tails */
    for (uint32_t i = 0; i < (tree->n_tails + 31) / 32; i++)
        for (uint32_t left = tails[i]; left; left &= left - 1) {
            const uint32_t tail = 32 * i + srt_ctz64(left);

            for (uint32_t k = tree->tail_first[tail];
                 k < tree->tail_first[tail + 1]; k++) {
                srt_bit_set(w->words, tree->tail_token[k]);
                srt_listed_add(&w->walk.set, tree->tail_token[k]);
            }
        }
    return status;
}

/* The whole tree: from nothing, or from the slice if that is nearer. */
static sortes_status mask_walk(struct mask_work *w)
{
    const struct srt_tree *tree = w->cursor->cache->tree;
    const size_t n_bytes = tree->n_words * sizeof(*w->words);
    bool most;
    sortes_status status;

    srt_walk_begin(&w->walk, w->cursor, w->words, true);
    status = srt_walk_most(&w->walk, w->state, &most);
    if (most) {
        memcpy(w->words, tree->string_words, n_bytes);
        w->walk.clears = true;
        w->origin.slice = true;
        w->origin.list = NULL;
    } else {
        memset(w->words, 0, n_bytes);
    }
    return status == SORTES_OK ? srt_walk_tree(&w->walk, &tree->all, w->state)
                               : status;
}

/* The tokens of the tree. */
static sortes_status mask_by_tree(struct mask_work *w)
{
    const struct srt_tree *tree = w->cursor->cache->tree;
    uint32_t room;
    sortes_status status = mask_room(w->cursor, w->state, &room);

    if (status != SORTES_OK)
        return status;
    w->origin.list = &w->walk.set;
    if (!mask_slice(tree, room, w->words))
        return mask_walk(w);
    w->origin.slice = true;
    if (room >= tree->string_chars && mask_stays(w->cursor, w->state))
        return mask_tails(w, false);
    if (room < tree->string_chars)
        w->origin.list = NULL; /* it lacks tokens of the slice */
    srt_walk_begin(&w->walk, w->cursor, w->words, false);
    return srt_walk_tree(&w->walk, &tree->rest, w->state);
}

/* The same where the tokens without a quote are known. */
static sortes_status mask_by_closers(struct mask_work *w)
{
    const struct srt_tree *tree = w->cursor->cache->tree;

    w->origin.list = &w->walk.set;
    srt_mask_expand(tree, w->origin.inside, w->words);
    if (mask_stays(w->cursor, w->state))
        return mask_tails(w, true);
    srt_walk_begin(&w->walk, w->cursor, w->words, false);
    return srt_walk_tree(&w->walk, &tree->closers, w->state);
}

/* From the mask of a state that goes most of the same ways. */
static sortes_status mask_from_base(struct mask_work *w, uint32_t base)
{
    const struct srt_tree *tree = w->cursor->cache->tree;
    sortes_status status = srt_mask_at(w->cursor, base, true, w->words);

    w->origin.slice = true;
    if (status == SORTES_OK)
        status = srt_mask_mend(w->cursor, w->state, base, w->words);
    for (size_t i = 0; i < tree->n_odd; i++)
        srt_bit_clear(w->words, tree->odd[i]);
    for (size_t i = 0; i < tree->n_same; i++)
        if (!srt_bit_get(w->words, tree->same[i][0]))
            srt_bit_clear(w->words, tree->same[i][1]);
    for (size_t i = 0; i < tree->n_ends; i++)
        srt_bit_clear(w->words, tree->ends[i]);
    return status;
}

/* ---- beside the tree ----------------------------------------------------- */

static void mask_set(struct mask_work *w, int32_t token)
{
    if (srt_bit_get(w->words, token))
        return;
    srt_bit_set(w->words, token);
    srt_listed_add(&w->walk.set, token);
}

/* Where a token's bytes lead. */
static sortes_status mask_by_bytes(struct srt_cursor *cursor, uint32_t state,
                                   int32_t token, uint32_t *next)
{
    size_t n;
    const char *bytes = sortes_vocab_piece(cursor->cache->vocab, token, &n);
    sortes_status status = SORTES_OK;

    *next = state;
    for (size_t i = 0; i < n && *next != SRT_DEAD && status == SORTES_OK; i++)
        status = srt_cursor_step(cursor, *next, (uint8_t)bytes[i], next);
    return status;
}

/* Tokens that are too long for the tree. */
static sortes_status mask_odd(struct mask_work *w)
{
    const struct srt_tree *tree = w->cursor->cache->tree;
    const struct srt_machine *m = w->cursor->cache->machine;

    for (size_t i = 0; i < tree->n_odd; i++) {
        uint32_t at;
        const sortes_status status =
            mask_by_bytes(w->cursor, w->state, tree->odd[i], &at);

        if (status != SORTES_OK)
            return status;
        if (at != SRT_DEAD &&
            (!m->type->token_may_end || m->type->token_may_end(m, at)))
            mask_set(w, tree->odd[i]);
    }
    return SORTES_OK;
}

/* For tokens_at, whose tokens may be special: those have no bytes. */
struct mask_tokens {
    struct mask_work *work;
    sortes_status status;
};

static void mask_token(void *ctx, int32_t token)
{
    struct mask_tokens *t = ctx;
    struct mask_work *w = t->work;
    const struct srt_tree *tree = w->cursor->cache->tree;
    uint32_t next = SRT_DEAD;

    if (t->status != SORTES_OK || token < 0 || (size_t)token >= tree->n_tokens)
        return;
    if (srt_tree_has(tree, token))
        t->status = mask_by_bytes(w->cursor, w->state, token, &next);
    if (t->status == SORTES_OK)
        t->status = srt_cursor_token(w->cursor, w->state, token, next, &next);
    if (t->status != SORTES_OK)
        return;
    if (next == SRT_DEAD) {
        if (srt_bit_get(w->words, token))
            w->origin.list = NULL;
        srt_bit_clear(w->words, token);
    } else {
        mask_set(w, token);
    }
}

/* What the tree of tokens does not tell. */
static sortes_status mask_beside_tree(struct mask_work *w)
{
    const struct srt_tree *tree = w->cursor->cache->tree;
    const struct srt_machine *m = w->cursor->cache->machine;
    sortes_status status = mask_odd(w);

    for (size_t i = 0; i < tree->n_same; i++)
        if (srt_bit_get(w->words, tree->same[i][0]))
            mask_set(w, tree->same[i][1]);
    if (status == SORTES_OK && m->type->tokens_at) {
        struct mask_tokens t = { w, SORTES_OK };

        m->type->tokens_at(m, w->state, mask_token, &t);
        status = t.status;
    }
    if (m->type->accepts(m, w->state))
        for (size_t i = 0; i < tree->n_ends; i++)
            mask_set(w, tree->ends[i]);
    return status;
}

/* ---- the mask of a state ------------------------------------------------- */

/* *inside: a state that lets the same tokens without a quote come; 0: none is
 * known. */
static sortes_status mask_make(struct mask_work *w, bool memo, uint32_t *inside)
{
    struct srt_alphabet unlike;
    uint32_t base = 0;
    sortes_status status = SORTES_OK;

    *inside = 0;
    if (memo)
        status = srt_cursor_like(w->cursor, w->state, &base, &unlike);
    if (memo && status == SORTES_OK)
        status =
            srt_cursor_inside_state(w->cursor, base ? base : w->state, inside);
    if (status == SORTES_OK && base)
        status = mask_from_base(w, base);
    if (*inside)
        w->origin.inside = srt_cursor_inside(w->cursor, *inside);
    if (status == SORTES_OK && !base)
        status = w->origin.inside ? mask_by_closers(w) : mask_by_tree(w);
    return status == SORTES_OK ? mask_beside_tree(w) : status;
}

/* Made, and remembered with memo: the tokens without a quote apart, where other
 * states have the same. */
static sortes_status mask_made(struct srt_cursor *cursor, uint32_t state,
                               bool memo, uint32_t *words)
{
    struct mask_work w;
    struct srt_mask_origin *origin = &w.origin;
    uint32_t inside;
    sortes_status status;

    w.cursor = cursor;
    w.state = state;
    w.words = words;
    w.walk.set.n = 0;
    memset(origin, 0, sizeof(*origin));
    status = mask_make(&w, memo, &inside);
    if (status == SORTES_OK && memo) {
        if (inside && !origin->inside)
            origin->inside =
                srt_mask_keep_inside(cursor, inside, origin, words);
        srt_mask_keep(cursor, state, origin, words);
    }
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
    if (!mask && memo) {
        same = srt_around_same(cursor, same);
        mask = srt_cursor_mask(cursor, same);
    }
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

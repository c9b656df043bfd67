/*
 * walk.c - walks trees of tokens with the states of a machine
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/walk.h"

void srt_walk_begin(struct srt_walk *w, struct srt_cursor *cursor,
                    uint32_t *words, bool whole)
{
    const struct srt_tree *tree = cursor->cache->tree;

    w->cursor = cursor;
    w->m = cursor->cache->machine;
    w->words = words;
    w->set.n = 0;
    w->clears = false;
    w->closing = false;
    w->nodes = tree->all.node;
    w->kinds = whole && !w->m->type->token_may_end ? &tree->kinds : NULL;
    memset(w->recent, 0, sizeof(w->recent));
}

/* Whether it is in a key of which names alone may come. */
SRT_INLINE bool walk_is_named(const struct srt_walk *w, uint32_t state)
{
    return w->m->type->is_named && w->m->type->is_named(w->m, state);
}

/* What is remembered of a state. */
SRT_INLINE struct srt_walk_recent *walk_recent(struct srt_walk *w,
                                               uint32_t state)
{
    struct srt_walk_recent *r = &w->recent[state % SRT_WALK_RECENT];

    if (SRT_UNLIKELY(r->state != state)) {
        *r = (struct srt_walk_recent){ .state = state,
                                       .known = SRT_KINDS_TORN,
                                       .stays = SRT_KINDS_TORN,
                                       .named = walk_is_named(w, state) };
    }
    if (SRT_UNLIKELY(!r->row))
        r->row = srt_cursor_row(w->cursor, state, false);
    return r;
}

/* Asks the machine whether it stays in a state whatever characters of these
 * kinds come, kind by kind up to the first that it does not. */
SRT_NOINLINE
static sortes_status walk_explore(struct srt_walk *w, struct srt_walk_recent *r,
                                  srt_kinds kinds)
{
    sortes_status status = SORTES_OK;
    bool covers = true;

    for (srt_kinds left = kinds & ~r->known;
         left && covers && status == SORTES_OK; left &= left - 1) {
        const srt_kinds kind = left & (~left + 1);

        status = srt_explore(w->cursor, r->state, kind, true, &covers);
        r->known |= kind;
        if (status == SORTES_OK && covers)
            r->stays |= kind;
    }
    return status;
}

/* Whether it stays whatever lies below a node; explore: it is worth asking. */
static sortes_status walk_stays(struct srt_walk *w, uint32_t state,
                                srt_kinds kinds, bool explore, bool *stays)
{
    struct srt_walk_recent *r = walk_recent(w, state);
    sortes_status status = SORTES_OK;

    if (w->m->type->kinds_stay && r->known == SRT_KINDS_TORN) {
        r->stays |= w->m->type->kinds_stay(w->m, state);
        r->known = ~SRT_KINDS_OTHER;
    }
    if (explore && (kinds & (SRT_KINDS_OTHER | (r->known & ~r->stays))) == 0)
        status = walk_explore(w, r, kinds);
    *stays = (kinds & ~r->stays) == 0;
    return status;
}

/* A node is reached in a live state.  Without a branch for the nodes in which
 * no token ends, -1: nobody could predict it. */
SRT_INLINE void walk_ends(struct srt_walk *w, const struct srt_tree_node *node,
                          uint32_t state)
{
    const int32_t token = srt_node_token(node);
    uint32_t none = 0,
             *word = token >= 0 ? &w->words[(uint32_t)token / 32] : &none;

    if (!w->m->type->token_may_end || w->m->type->token_may_end(w->m, state)) {
        *word |= (uint32_t)1 << (uint32_t)token % 32;
        w->set.token[w->set.n % SRT_LISTED] = token;
        w->set.n += token >= 0;
    }
}

/* All tokens below a node: the bytes lead on, whichever they are.  They are
 * characters of a string; where none is torn, the slice has all or none of the
 * tokens. */
static void walk_below(struct srt_walk *w, const struct srt_kinds_entry *below)
{
    if (w->clears && !(below->kinds & SRT_KINDS_TORN) &&
        below->first < below->end &&
        srt_bit_get(w->cursor->cache->tree->string_words,
                    w->kinds->token[below->first]))
        return;
    for (uint32_t i = below->first; i < below->end; i++) {
        srt_bit_set(w->words, w->kinds->token[i]);
        srt_listed_add(&w->set, w->kinds->token[i]);
    }
}

/* The tokens of a node that is not reached, and of those below it. */
static void walk_clear(struct srt_walk *w, const struct srt_tree_node *node)
{
    const uint32_t size = srt_node_size(node);

    if (srt_node_token(node) >= 0)
        srt_bit_clear(w->words, srt_node_token(node));
    if (size >= SRT_KINDS_NODES) {
        const struct srt_kinds_entry *below =
            srt_kinds_at(w->kinds, (uint32_t)(node - w->nodes));

        for (uint32_t i = below->first; i < below->end; i++)
            srt_bit_clear(w->words, w->kinds->token[i]);
        return;
    }
    for (uint32_t i = 1; i < size; i++)
        if (srt_node_token(&node[i]) >= 0)
            srt_bit_clear(w->words, srt_node_token(&node[i]));
}

struct srt_walk_level srt_walk_level(struct srt_walk *w, uint32_t state)
{
    return (struct srt_walk_level){ state, SRT_WALK_GAP_UNKNOWN,
                                    srt_cursor_row(w->cursor, state, true) };
}

/* What a level's row says of a byte. */
SRT_INLINE uint32_t walk_known(const struct srt_walk *w,
                               const struct srt_walk_level *level, uint8_t byte)
{
    return level->row ? atomic_load_explicit(&level->row[w->m->class_of[byte]],
                                             memory_order_acquire)
                      : SRT_UNKNOWN;
}

/* Known to lead nowhere.  What a row says of blanks is said of the state's own
 * gap, and is of no use here. */
SRT_INLINE bool walk_is_dead(const struct srt_walk *w,
                             const struct srt_walk_level *level, uint8_t byte)
{
    return walk_known(w, level, byte) == SRT_DEAD;
}

/* Where byte leads from a level; asks the machine if it must. */
sortes_status srt_walk_next(struct srt_walk *w, struct srt_walk_level *level,
                            uint8_t byte, uint32_t *next)
{
    sortes_status status;

    *next = walk_known(w, level, byte);
    if (*next != SRT_UNKNOWN)
        return SORTES_OK;
    status = srt_cursor_step(w->cursor, level->state, byte, next);
    level->row = srt_cursor_row(w->cursor, level->state, false);
    return status;
}

/* The same for a byte that may be part of a gap of white space: *gap is then
 * the level's after it, and the state stays. */
static sortes_status walk_blank(struct srt_walk *w,
                                struct srt_walk_level *level, uint8_t byte,
                                uint32_t *next, int *gap)
{
    if (level->gap == SRT_WALK_GAP_UNKNOWN)
        level->gap = w->m->type->gap(w->m, level->state);
    if (level->gap < 0)
        return srt_walk_next(w, level, byte, next);
    *gap = w->m->type->gap_step(w->m, level->gap, byte);
    *next = *gap < 0 ? SRT_DEAD : level->state;
    return SORTES_OK;
}

/* Where a node's byte leads that no row has the answer to. */
SRT_NOINLINE
static sortes_status walk_ask(struct srt_walk *w, struct srt_walk_level *level,
                              uint8_t byte, uint32_t *next, int *gap)
{
    return byte <= ' ' && w->m->type->gap
               ? walk_blank(w, level, byte, next, gap)
               : srt_walk_next(w, level, byte, next);
}

/* Nodes from..end-1 of the whole tree, in a key of which names alone may come.
 */
static sortes_status walk_names(struct srt_walk *w, uint32_t state,
                                uint32_t from, uint32_t end)
{
    const struct srt_tree_nodes *all = &w->cursor->cache->tree->all;
    struct srt_machine *m = w->cursor->cache->machine;
    struct srt_named named = { .words = w->words, .set = &w->set };
    sortes_status status;

    do {
        srt_lock_take(&m->lock);
        status = m->type->names(m, state, all, from, end, &named);
        srt_lock_release(&m->lock);
        for (uint32_t i = 0; i < SRT_BRANCHES && status == SORTES_OK &&
                             named.first + i < named.n;
             i++) {
            const struct srt_tree_node *node = &all->node[named.branch[i].node];
            const struct srt_walk_level level =
                srt_walk_level(w, named.branch[i].state);

            status =
                srt_walk_nodes(w, node + 1, srt_node_size(node) - 1, &level);
        }
        named.first += SRT_BRANCHES;
    } while (status == SORTES_OK && named.first < named.n);
    return status;
}

/* The same in the middle of a walk, whose levels 0 .. n_levels-1 are kept. */
SRT_NOINLINE
static sortes_status walk_names_below(struct srt_walk *w, uint32_t state,
                                      const struct srt_tree_node *node,
                                      size_t n_levels)
{
    struct srt_walk_level kept[SRT_TREE_DEPTH + 2];
    const uint32_t at = (uint32_t)(node - w->nodes);
    sortes_status status;

    memcpy(kept, w->stack, n_levels * sizeof(*kept));
    status = walk_names(w, state, at + 1, at + srt_node_size(node));
    memcpy(w->stack, kept, n_levels * sizeof(*kept));
    return status;
}

/* A node is reached at level[1], one of n_levels; *done: what is below it has
 * been seen to as a whole. */
SRT_INLINE sortes_status walk_enter(struct srt_walk *w,
                                    const struct srt_tree_node *node,
                                    struct srt_walk_level *level,
                                    size_t n_levels, bool *done)
{
    const uint32_t next = level[1].state;
    const bool same = next == level->state;
    const struct srt_walk_recent *r;
    sortes_status status;

    if (srt_node_size(node) >= SRT_KINDS_NODES && w->kinds) {
        const struct srt_kinds_entry *below =
            srt_kinds_at(w->kinds, (uint32_t)(node - w->nodes));

        status = walk_stays(w, next, below->kinds, same, done);
        if (status != SORTES_OK)
            return status;
        if (*done) {
            walk_below(w, below);
            return SORTES_OK;
        }
    }
    level[1].row = level->row;
    if (same)
        return SORTES_OK;
    r = walk_recent(w, next);
    level[1].row = r->row;
    *done = r->named && w->kinds && !w->clears;
    return *done && srt_node_size(node) > 1
               ? walk_names_below(w, next, node, n_levels)
               : SORTES_OK;
}

/*
 * The tokens of nodes[0 .. n-1] from a level on.  What the next node needs is
 * kept off the way from one answer to the next: the state that stays, above
 * all, is guessed to stay.
 */
sortes_status srt_walk_nodes(struct srt_walk *w,
                             const struct srt_tree_node *nodes, uint32_t n,
                             const struct srt_walk_level *from)
{
    const uint8_t blank = w->m->type->gap ? ' ' : 0; /* the greatest one */
    uint32_t at = 0;
    int top = 0; /* below 0 once the last node of a part is done */

    w->stack[0] = *from;
    while (at < n) {
        const struct srt_tree_node *node = &nodes[at];
        const uint8_t byte = srt_node_byte(node);
        const uint32_t size = srt_node_size(node);
        const int over = 1 - (int)srt_node_up(node);
        struct srt_walk_level *level = &w->stack[top];
        uint32_t next = walk_known(w, level, byte);
        int gap = SRT_WALK_GAP_UNKNOWN;
        bool done = false;
        sortes_status status;

        if (SRT_UNLIKELY(next == SRT_UNKNOWN || byte <= blank)) {
            uint32_t answer = SRT_DEAD;

            status = walk_ask(w, level, byte, &answer, &gap);
            if (status != SORTES_OK)
                return status;
            next = answer;
        }
        if (next == SRT_DEAD) {
            if (w->clears)
                walk_clear(w, node);
            at += size;
            top += over;
            continue;
        }
        walk_ends(w, node, next);
        level[1].state = next;
        level[1].gap = gap;
        status = walk_enter(w, node, level, (size_t)top + 1, &done);
        if (status != SORTES_OK)
            return status;
        if (done) {
            at += size;
            top += over;
            continue;
        }
        top += size == 1 ? over : 1;
        at++;
    }
    return SORTES_OK;
}

static sortes_status walk_index(struct srt_walk *w,
                                const struct srt_tree_nodes *nodes,
                                const uint32_t index[256],
                                const struct srt_walk_level *from);

/* The tokens that begin with a space. */
static sortes_status walk_space(struct srt_walk *w,
                                const struct srt_tree_nodes *nodes,
                                struct srt_walk_level from)
{
    struct srt_walk_level to = { SRT_DEAD, SRT_WALK_GAP_UNKNOWN, NULL };
    const sortes_status status =
        w->m->type->gap ? walk_blank(w, &from, ' ', &to.state, &to.gap)
                        : srt_walk_next(w, &from, ' ', &to.state);

    if (status == SORTES_OK && to.state == SRT_DEAD && w->clears)
        walk_clear(w, &nodes->node[nodes->first[' ']]);
    if (status != SORTES_OK || to.state == SRT_DEAD)
        return status;
    to.row = srt_cursor_row(w->cursor, to.state, true);
    walk_ends(w, &nodes->node[nodes->first[' ']], to.state);
    return walk_index(w, nodes, nodes->spaced, &to);
}

static const struct srt_alphabet walk_closing = {
    { UINT64_C(1) << '"', UINT64_C(1) << ('\\' - 64), 0, 0 }
};

/* The subtrees of an index, without the bytes that lead nowhere. */
static sortes_status walk_index(struct srt_walk *w,
                                const struct srt_tree_nodes *nodes,
                                const uint32_t index[256],
                                const struct srt_walk_level *from)
{
    struct srt_alphabet bytes;
    sortes_status status = SORTES_OK;

    if (w->clears)
        srt_alphabet_fill(&bytes);
    else
        srt_machine_may_follow(w->m, from->state, &bytes);
    if (w->closing)
        for (size_t i = 0; i < 4; i++)
            bytes.bits[i] &= walk_closing.bits[i];
    if (from->gap >= 0) /* blanks are another matter there */
        bytes.bits[0] |= (UINT64_C(1) << (' ' + 1)) - 1;
    for (size_t i = 0; i < 4; i++)
        for (uint64_t left = bytes.bits[i]; left && status == SORTES_OK;
             left &= left - 1) {
            const uint8_t byte = (uint8_t)(64 * i + srt_ctz64(left));
            const uint32_t at = index[byte];

            if (at == nodes->n)
                continue;
            if (byte == ' ' && index == nodes->first)
                status = walk_space(w, nodes, *from);
            else if (byte <= ' ' || w->clears || !walk_is_dead(w, from, byte))
                status = srt_walk_nodes(w, nodes->node + at,
                                        srt_node_size(&nodes->node[at]), from);
        }
    return status;
}

sortes_status srt_walk_most(struct srt_walk *w, uint32_t state, bool *most)
{
    const struct srt_tree_nodes *all = &w->cursor->cache->tree->all;
    struct srt_walk_level level = { state, SRT_WALK_GAP_UNKNOWN, NULL };
    struct srt_alphabet bytes;
    sortes_status status = SORTES_OK;
    uint32_t reached = 0, next;

    *most = false;
    if (walk_is_named(w, state))
        return SORTES_OK;
    srt_machine_may_follow(w->m, state, &bytes);
    bytes.bits[0] &= ~((UINT64_C(1) << (' ' + 1)) - 1);
    for (unsigned i = 0; i < 4; i++)
        for (uint64_t left = bytes.bits[i]; left; left &= left - 1)
            reached += all->size[64 * i + srt_ctz64(left)];
    for (unsigned byte = ' ' + 1;
         byte < 256 && reached > all->n / 2 && status == SORTES_OK; byte++) {
        if (!srt_alphabet_has(&bytes, (uint8_t)byte) || !all->size[byte])
            continue;
        status = srt_walk_next(w, &level, (uint8_t)byte, &next);
        if (status == SORTES_OK && next == SRT_DEAD)
            reached -= all->size[byte];
    }
    *most = w->kinds && reached > all->n / 2;
    return status;
}

sortes_status srt_walk_tree(struct srt_walk *w,
                            const struct srt_tree_nodes *nodes, uint32_t state)
{
    struct srt_walk_level from;

    if (w->kinds && walk_is_named(w, state))
        return walk_names(w, state, 0, nodes->n);
    from = srt_walk_level(w, state);
    return walk_index(w, nodes, nodes->first, &from);
}

sortes_status srt_mask_walk(struct srt_cursor *cursor,
                            const struct srt_tree_node *nodes, uint32_t n,
                            uint32_t state, uint32_t *words)
{
    struct srt_walk w;
    struct srt_walk_level from;

    srt_walk_begin(&w, cursor, words, false);
    from = srt_walk_level(&w, state);
    return srt_walk_nodes(&w, nodes, n, &from);
}

/*
 * keys_mask.c - the tokens that would repeat a key or an item
 *
 * Where a part is being written that may become a repetition, the tree of
 * tokens is walked with the trail, and only along what has come.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json/keys_mask.h"

#include "constrain/json/atoms.h"
#include "constrain/json/values.h"
#include "constrain/mask.h"

#include <stdlib.h>
#include <string.h>

/* ---- the tree with the trail --------------------------------------------- */

static void key_clear_tokens(const struct srt_tree_node *node, uint32_t n,
                             uint32_t *words)
{
    for (uint32_t i = 0; i < n; i++)
        if (srt_node_token(&node[i]) >= 0)
            srt_bit_clear(words, srt_node_token(&node[i]));
}

static sortes_status key_near(const struct srt_key_mask *mask, uint32_t state,
                              const struct srt_key_walk *w,
                              struct srt_alphabet *bytes)
{
    if (mask->rules->near)
        return mask->rules->near(mask->machine, state, w, bytes);
    srt_alphabet_fill(bytes);
    return SORTES_OK;
}

static sortes_status key_walk_below(const struct srt_key_mask *mask,
                                    const struct srt_tree_node *node,
                                    uint32_t n, uint32_t state,
                                    const struct srt_key_walk *w);

/* The subtree of one node. */
static sortes_status key_walk_node(const struct srt_key_mask *mask,
                                   const struct srt_tree_node *node,
                                   uint32_t state, const struct srt_key_walk *w)
{
    const uint8_t byte = srt_node_byte(node);
    const uint32_t size = srt_node_size(node);
    enum srt_key_verdict verdict = SRT_KEYS_DEAD;
    struct srt_key_walk next;
    uint32_t to = SRT_DEAD;
    sortes_status status = srt_cursor_step(mask->cursor, state, byte, &to);

    if (status != SORTES_OK || to == SRT_DEAD)
        return status;
    status = srt_key_walk_copy(&next, w);
    if (status == SORTES_OK)
        status = srt_key_walk_byte(
            &next, mask->rules->event_of(mask->machine, state, to), (char)byte);
    if (status == SORTES_OK)
        status =
            srt_keys_judge(mask->rules, mask->machine, to, &next, &verdict);
    if (status == SORTES_E_NO_TOKEN)
        status = SORTES_OK; /* and the verdict is that it is dead */
    if (status == SORTES_OK && verdict == SRT_KEYS_DEAD)
        key_clear_tokens(node, size, mask->words);
    else if (status == SORTES_OK && size > 1 && verdict != SRT_KEYS_FREE)
        status = key_walk_below(mask, node + 1, size - 1, to, &next);
    srt_key_walk_end(&next);
    return status;
}

static sortes_status key_walk_below(const struct srt_key_mask *mask,
                                    const struct srt_tree_node *node,
                                    uint32_t n, uint32_t state,
                                    const struct srt_key_walk *w)
{
    struct srt_alphabet near;
    sortes_status status = key_near(mask, state, w, &near);

    for (uint32_t at = 0; at < n && status == SORTES_OK;
         at += srt_node_size(&node[at]))
        if (srt_alphabet_has(&near, srt_node_byte(&node[at])))
            status = key_walk_node(mask, &node[at], state, w);
    return status;
}

/* All tokens: the same by the index of first bytes. */
static sortes_status key_walk_all(const struct srt_key_mask *mask,
                                  const struct srt_key_walk *w)
{
    const struct srt_tree_nodes *all = &mask->cursor->cache->tree->all;
    struct srt_alphabet near, may;
    sortes_status status = key_near(mask, mask->state, w, &near);

    srt_machine_may_follow(mask->machine, mask->state, &may);
    for (size_t i = 0; i < 4; i++)
        for (uint64_t left = near.bits[i] & may.bits[i];
             left && status == SORTES_OK; left &= left - 1) {
            const uint32_t at = all->first[64 * i + srt_ctz64(left)];

            if (at < all->n)
                status = key_walk_node(mask, &all->node[at], mask->state, w);
        }
    return status;
}

/* ---- a key or string that may be any ------------------------------------- */

/* Clears the tokens that write the rest of a used key and its quote. */
static void key_clear(const struct srt_tree *tree, const char *rest, size_t n,
                      uint32_t *words)
{
    const struct srt_tree_node *nodes = tree->closers.node;
    uint32_t at = tree->closers.first[n ? (uint8_t)rest[0] : '"'];
    uint32_t end = tree->closers.n;

    for (size_t i = 0; i <= n && at < end; i++) {
        const uint8_t byte = i < n ? (uint8_t)rest[i] : '"';

        if (i < n && (byte == '"' || byte == '\\' || byte < 0x20))
            return; /* never written as it is */
        while (at < end && srt_node_byte(&nodes[at]) != byte)
            at += srt_node_size(&nodes[at]);
        if (at >= end)
            return;
        end = at + srt_node_size(&nodes[at]);
        if (i < n)
            at++;
    }
    if (at < end)
        key_clear_tokens(&nodes[at], end - at, words);
}

/* In the middle of an escape: every token that closes the key. */
static sortes_status key_try_all(const struct srt_key_mask *mask,
                                 const struct srt_trail *trail)
{
    const struct srt_cache *c = mask->cursor->cache;
    sortes_status status = SORTES_OK;

    for (size_t i = 0; i < c->tree->n_words; i++) {
        uint32_t left = mask->words[i];

        for (; left && status == SORTES_OK; left &= left - 1) {
            const int32_t token = (int32_t)(32 * i + srt_ctz64(left));
            size_t n;
            const char *bytes = sortes_vocab_piece(c->vocab, token, &n);

            if (memchr(bytes, '"', n))
                status = srt_key_try(mask, trail, token);
        }
    }
    return status;
}

/* The text of a key that has come, or of an item that is a string; NULL: it is
 * neither. */
static const char *key_text(const struct srt_key_node *k, size_t *n)
{
    *n = k->n;
    if (k->kind == SRT_KEY_USED)
        return k->bytes;
    return k->kind == SRT_KEY_VALUE && k->mark->unique &&
                   k->bytes[0] == SRT_VALUE_STRING
               ? srt_value_text(k->bytes, n)
               : NULL;
}

/* Tokens that close the key, or the string among items, that is being written.
 */
static sortes_status key_forbid_part(const struct srt_key_mask *mask,
                                     const struct srt_key_node *part)
{
    char space[256], *typed = space;
    const struct srt_key_node *used = part->below;
    size_t n, n_text, rest;

    if (part->n > sizeof(space)) {
        typed = malloc(part->n);
        if (!typed)
            return SORTES_E_NOMEM;
    }
    n = srt_atoms_decode(part->bytes, part->n, typed, &rest);
    for (; !rest && used != used->mark; used = used->below) {
        const char *text = key_text(used, &n_text);

        if (text && n_text >= n && (n == 0 || memcmp(text, typed, n) == 0))
            key_clear(mask->cursor->cache->tree, text + n, n_text - n,
                      mask->words);
    }
    if (typed != space)
        free(typed);
    return rest ? key_try_all(mask, &part->trail) : SORTES_OK;
}

/* Whether it is the closing quote alone that may repeat: of a key without
 * rivals, or a string that is an item of the one array whose items must differ,
 * where any string may come. */
static bool key_is_simple(const struct srt_key_mask *mask,
                          const struct srt_key_node *part)
{
    const struct srt_key_node *below = part->below, *mark = below->mark;

    if (part->part == SRT_PART_KEY
            ? below->rivals || below->n_keys == 0
            : part->part != SRT_PART_STRING || !mark->unique ||
                  (mark->below && mark->below->mark &&
                   mark->below->mark->keeps))
        return false;
    return !mask->rules->any_key ||
           mask->rules->any_key(mask->machine, mask->state);
}

/* ---- the whole ----------------------------------------------------------- */

/* The part being written, or what comes next, may become a repetition. */
static sortes_status key_forbid_next(const struct srt_key_mask *mask,
                                     const struct srt_trail *trail)
{
    enum srt_key_verdict verdict;
    struct srt_key_walk w;
    sortes_status status = srt_key_walk_begin(&w, trail);

    if (status == SORTES_OK)
        status = srt_keys_judge(mask->rules, mask->machine, mask->state, &w,
                                &verdict);
    if (status == SORTES_OK && verdict != SRT_KEYS_FREE)
        status = key_walk_all(mask, &w);
    srt_key_walk_end(&w);
    return status;
}

sortes_status srt_keys_forbid(const struct srt_key_mask *mask,
                              const struct srt_trail *trail)
{
    const struct srt_tree *tree = mask->cursor->cache->tree;
    const struct srt_key_node *top = (const struct srt_key_node *)trail;
    const struct srt_key_node *below =
        top && top->kind == SRT_KEY_PART ? top->below : top;
    sortes_status status = srt_keys_forbid_suspects(mask, trail);

    if (status == SORTES_OK && !mask->rules->items)
        status = srt_keys_forbid_written(mask, trail);
    if (status == SORTES_OK && below) {
        if (top != below && key_is_simple(mask, top))
            status = key_forbid_part(mask, top);
        else if (mask->rules->judge)
            status = key_forbid_next(mask, trail);
    }
    for (size_t i = 0; i < tree->n_same; i++)
        if (!srt_bit_get(mask->words, tree->same[i][0]))
            srt_bit_clear(mask->words, tree->same[i][1]);
    return status;
}

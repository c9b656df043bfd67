/*
 * tags_mask.c - the tokens that what came before forbids
 *
 * Each way that a sequence came by forbids its own; a token may come if it may
 * on one of them.  The items without a trail make up one way together.  Inside
 * a program that keeps a trail its own forbid() is asked; what it cannot know
 * are the tokens that leave it, and those that enter one: they are found once
 * a state, and tried.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/mask.h"
#include "constrain/tags/tags_trail.h"

#include "constrain/grow.h"

#include <string.h>

struct tags_mask {
    const struct srt_tags_machine *m;
    struct srt_cursor *cursor;
    const struct srt_tree *tree;
};

/* ---- one token on some ways ---------------------------------------------- */

/* Whether a token that leads on from a state may come on the ways given; all
 * NULL: on every item of the state. */
static sortes_status tags_try(const struct tags_mask *k, uint32_t state,
                              const struct srt_tags_way *way, int32_t token,
                              bool *may)
{
    uint32_t space[128], *states = space;
    struct srt_tags_ways list = { .dry = true };
    sortes_status status = SORTES_OK;
    bool all = !way;
    size_t n, n_live = 0;
    const char *bytes = sortes_vocab_piece(k->cursor->cache->vocab, token, &n);

    *may = true;
    if (n >= SRT_COUNT(space))
        states = malloc((n + 1) * sizeof(*states));
    if (!states)
        return SORTES_E_NOMEM;
    states[0] = state;
    if (way)
        status = srt_tags_ways_add(&list, &way->item, way->trail);
    if (status == SORTES_OK)
        status = srt_cursor_path(k->cursor, states, (const uint8_t *)bytes, n,
                                 &n_live);
    if (status == SORTES_OK && n_live == n) {
        const struct srt_path path = { (const uint8_t *)bytes, states, n };

        status = srt_tags_ways_follow(k->m, &list, &all, &path, &n_live);
        *may = status != SORTES_E_NO_TOKEN;
        status = *may ? status : SORTES_OK;
    }
    srt_tags_ways_free(&list);
    if (states != space)
        free(states);
    return status;
}

/* Tries the tokens of a list on a way; those refused are cleared. */
static sortes_status tags_try_list(const struct tags_mask *k, uint32_t state,
                                   const struct srt_tags_way *way,
                                   const int32_t *tokens, size_t n,
                                   uint32_t *words)
{
    for (size_t i = 0; i < n; i++) {
        sortes_status status;
        bool may;

        if (!srt_bit_get(words, tokens[i]))
            continue;
        status = tags_try(k, state, way, tokens[i], &may);
        if (status != SORTES_OK)
            return status;
        if (!may)
            srt_bit_clear(words, tokens[i]);
    }
    return SORTES_OK;
}

/* Tokens whose bytes are no text that the machine follows: end tokens, and
 * those that programs know as a whole. */
static bool tags_is_spelled(const struct tags_mask *k, int32_t token)
{
    return srt_tree_has(k->tree, token);
}

struct tags_tokens {
    int32_t *at;
    size_t n, room;
};

static sortes_status tags_tokens_add(struct tags_tokens *list, int32_t token)
{
    void *block = list->at;
    const sortes_status status =
        srt_grow(&block, &list->room, list->n + 1, sizeof(*list->at));

    list->at = block;
    if (status == SORTES_OK)
        list->at[list->n++] = token;
    return status;
}

/* ---- ways without a trail ------------------------------------------------ */

/* How many bytes a token has, at least, that enters a program with a trail. */
static size_t tags_shortest(const struct tags_mask *k, uint32_t state)
{
    uint32_t far = UINT32_MAX;
    size_t n;
    const struct srt_tags_item *items = srt_tags_items(k->m, state, &n);

    for (size_t i = 0; i < n; i++)
        if (k->m->plan.far[items[i].place] < far)
            far = k->m->plan.far[items[i].place];
    return (size_t)far + 1;
}

/* Where nothing is remembered yet, what is refused is so for good. */
static sortes_status tags_find_refused(const struct tags_mask *k,
                                       uint32_t state, const uint32_t *words,
                                       struct tags_tokens *refused)
{
    const size_t shortest = tags_shortest(k, state);
    sortes_status status = SORTES_OK;

    for (size_t i = 0; i < k->tree->n_words; i++)
        for (uint32_t left = words[i]; left && status == SORTES_OK;
             left &= left - 1) {
            const int32_t token = (int32_t)(32 * i + srt_ctz64(left));
            size_t n;
            bool may = true;

            (void)sortes_vocab_piece(k->cursor->cache->vocab, token, &n);
            if (n >= shortest && tags_is_spelled(k, token))
                status = tags_try(k, state, NULL, token, &may);
            if (status == SORTES_OK && !may)
                status = tags_tokens_add(refused, token);
        }
    return status;
}

/* ---- a way inside a program with a trail --------------------------------- */

static void tags_inner_destroy(struct srt_shared *shared)
{
    struct srt_tags_inner *inner = (struct srt_tags_inner *)shared;

    srt_shared_release(&inner->cache->shared);
    free(inner);
}

struct tags_inner_key {
    const sortes_vocab *vocab;
    const struct srt_machine *machine;
};

static bool tags_inner_is(const struct srt_shared *shared, const void *key)
{
    const struct srt_tags_inner *inner = (const struct srt_tags_inner *)shared;
    const struct tags_inner_key *k = key;

    return inner->vocab == k->vocab && inner->machine == k->machine;
}

/* A program's caches, held for the caller; NULL: no memory. */
static struct srt_tags_inner *tags_inner(const struct tags_mask *k,
                                         struct srt_machine *machine)
{
    struct srt_shared_list *list = &k->m->self->inner;
    sortes_vocab *v = k->cursor->cache->vocab;
    const struct tags_inner_key key = { v, machine };
    struct srt_tags_inner *inner =
        (struct srt_tags_inner *)srt_shared_find(list, tags_inner_is, &key);

    if (inner)
        return inner;
    inner = calloc(1, sizeof(*inner));
    if (!inner)
        return NULL;
    srt_shared_retain(&machine->shared);
    if (srt_cache_new(&inner->cache, machine, v, k->m->cache_bytes) !=
        SORTES_OK) {
        free(inner);
        return NULL;
    }
    inner->vocab = v;
    inner->machine = machine;
    srt_shared_init(&inner->shared, tags_inner_destroy);
    return (struct srt_tags_inner *)srt_shared_add(list, &inner->shared,
                                                   tags_inner_is, &key);
}

/* The tokens of words that the program alone could not read. */
static sortes_status tags_find_leaving(const struct tags_mask *k,
                                       struct srt_cursor *inner,
                                       const struct srt_tags_item *item,
                                       const uint32_t *words,
                                       struct tags_tokens *found)
{
    uint32_t *own = malloc(k->tree->n_words * sizeof(*own));
    sortes_status status;

    if (!own)
        return SORTES_E_NOMEM;
    status = srt_mask_at(inner, item->state, true, own);
    for (size_t i = 0; i < k->tree->n_words && status == SORTES_OK; i++)
        for (uint32_t left = words[i] & ~own[i]; left && status == SORTES_OK;
             left &= left - 1) {
            const int32_t token = (int32_t)(32 * i + srt_ctz64(left));

            if (tags_is_spelled(k, token))
                status = tags_tokens_add(found, token);
        }
    free(own);
    return status;
}

/* What is tried at a state, once found kept while there is room; way NULL: its
 * items have no trail. */
static sortes_status tags_forbid_suspects(const struct tags_mask *k,
                                          uint32_t state,
                                          const struct srt_tags_way *way,
                                          struct srt_cursor *inner,
                                          uint32_t *words)
{
    const struct srt_suspects *known = srt_cursor_suspects(k->cursor, state);
    struct tags_tokens found = { 0 };
    sortes_status status;

    if (known)
        return tags_try_list(k, state, way, known->token, known->head.n, words);
    status = way ? tags_find_leaving(k, inner, &way->item, words, &found)
                 : tags_find_refused(k, state, words, &found);
    if (status == SORTES_OK) {
        const uint32_t n = (uint32_t)found.n;

        srt_cursor_keep_suspects(
            k->cursor, state, &(struct srt_suspects_head){ n, n, UINT32_MAX },
            found.at);
        status = tags_try_list(k, state, way, found.at, found.n, words);
    }
    free(found.at);
    return status;
}

static sortes_status tags_forbid_way(const struct tags_mask *k, uint32_t state,
                                     const struct srt_tags_way *way,
                                     uint32_t *words)
{
    struct srt_machine *machine = srt_tags_inside(k->m, way->item.place);
    struct srt_tags_inner *inner = tags_inner(k, machine);
    struct srt_cursor cursor;
    sortes_status status;

    if (!inner)
        return SORTES_E_NOMEM;
    srt_cursor_init(&cursor, inner->cache);
    srt_cursor_enter(&cursor);
    /* Suspects first: they want the whole mask. */
    status = tags_forbid_suspects(k, state, way, &cursor, words);
    if (status == SORTES_OK && machine->type->forbid)
        status = machine->type->forbid(machine, way->trail, way->item.state,
                                       &cursor, words);
    srt_cursor_leave(&cursor);
    srt_cursor_free(&cursor);
    srt_shared_release(&inner->shared);
    return status;
}

/* ---- all ways ------------------------------------------------------------ */

static bool tags_has_trail(const struct tags_mask *k,
                           const struct srt_tags_way *way)
{
    const struct srt_machine *inside = srt_tags_inside(k->m, way->item.place);

    return inside && inside->type->follow;
}

/* Adds to sum what may come on some items; way NULL: they have no trail. */
static sortes_status tags_add_ways(const struct tags_mask *k,
                                   struct srt_tags_list *items,
                                   const struct srt_tags_way *way,
                                   uint32_t *words, uint32_t *sum)
{
    struct srt_tags_machine *m = k->m->self;
    sortes_status status;
    uint32_t state;

    srt_lock_take(&m->machine.lock);
    status = srt_tags_state(m, items, &state);
    srt_lock_release(&m->machine.lock);
    if (status != SORTES_OK || state == SRT_DEAD)
        return status;
    status = srt_mask_at(k->cursor, state, true, words);
    if (status == SORTES_OK)
        status = way ? tags_forbid_way(k, state, way, words)
                     : tags_forbid_suspects(k, state, NULL, NULL, words);
    for (size_t i = 0; i < k->tree->n_words; i++)
        sum[i] |= words[i];
    return status;
}

/* Each way by itself, the items without a trail together; words: what may come
 * on one of them. */
static sortes_status tags_forbid_each(const struct tags_mask *k,
                                      const struct srt_tags_ways *ways,
                                      uint32_t *words)
{
    const size_t n_words = k->tree->n_words;
    uint32_t *sum = calloc(n_words, sizeof(*sum));
    struct srt_tags_list plain = { 0 }, one = { 0 };
    sortes_status status = sum ? SORTES_OK : SORTES_E_NOMEM;

    for (size_t i = 0; i < ways->n && status == SORTES_OK; i++) {
        const struct srt_tags_way *way = &ways->at[i];
        const bool trail = tags_has_trail(k, way);

        one.n = 0;
        status = srt_tags_list_add(trail ? &one : &plain, &way->item);
        if (status == SORTES_OK && trail)
            status = tags_add_ways(k, &one, way, words, sum);
    }
    if (status == SORTES_OK)
        status = tags_add_ways(k, &plain, NULL, words, sum);
    if (status == SORTES_OK)
        memcpy(words, sum, n_words * sizeof(*sum));
    free(plain.at);
    free(one.at);
    free(sum);
    return status;
}

sortes_status srt_tags_forbid(const struct srt_machine *machine,
                              const struct srt_trail *trail, uint32_t state,
                              struct srt_cursor *cursor, uint32_t *words)
{
    const struct tags_mask k = {
        (const struct srt_tags_machine *)machine,
        cursor,
        cursor->cache->tree,
    };
    struct srt_tags_ways ways = { 0 };
    sortes_status status;
    size_t n;

    if (!trail && !(srt_tags_flags(k.m, state) & SRT_TAGS_TRAIL))
        return tags_forbid_suspects(&k, state, NULL, NULL, words);
    (void)srt_tags_items(k.m, state, &n);
    status = srt_tags_ways_of(k.m, trail, state, &ways);
    if (status == SORTES_OK && n == 1 && ways.n == 1)
        status = tags_has_trail(&k, ways.at)
                     ? tags_forbid_way(&k, state, ways.at, words)
                     : tags_forbid_suspects(&k, state, NULL, NULL, words);
    else if (status == SORTES_OK)
        status = tags_forbid_each(&k, &ways, words);
    srt_tags_ways_free(&ways);
    return status;
}

/*
 * keys_suspects.c - tokens that begin a key or item and complete it as well
 *
 * They are listed once for each state, and tried against the trail.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json/keys_mask.h"

#include "constrain/mask.h"

#include <stdlib.h>
#include <string.h>

/* ---- one token ----------------------------------------------------------- */

/* A token's states from that of the mask on; live: all of them are. */
struct key_path {
    struct srt_path path;
    uint32_t *states, space[128];
    bool live;
};

static sortes_status key_path(const struct srt_key_mask *mask, int32_t token,
                              struct key_path *p)
{
    sortes_status status;
    size_t n, n_live;

    p->path.bytes = (const uint8_t *)sortes_vocab_piece(
        mask->cursor->cache->vocab, token, &n);
    p->states = p->space;
    p->live = false;
    if (n >= SRT_COUNT(p->space)) {
        p->states = malloc((n + 1) * sizeof(*p->states));
        if (!p->states)
            return SORTES_E_NOMEM;
    }
    p->states[0] = mask->state;
    status =
        srt_cursor_path(mask->cursor, p->states, p->path.bytes, n, &n_live);
    p->path.states = p->states;
    p->path.n = n;
    p->live = status == SORTES_OK && n_live == n;
    return status;
}

static void key_path_free(struct key_path *p)
{
    if (p->states != p->space)
        free(p->states);
}

sortes_status srt_key_try(const struct srt_key_mask *mask,
                          const struct srt_trail *trail, int32_t token)
{
    struct key_path p;
    sortes_status status;
    size_t n_ok;

    if (!srt_bit_get(mask->words, token))
        return SORTES_OK;
    status = key_path(mask, token, &p);
    if (status == SORTES_OK && p.live) {
        status = mask->machine->type->follow(mask->machine, trail, &p.path,
                                             NULL, &n_ok);
        if (status == SORTES_E_NO_TOKEN) {
            srt_bit_clear(mask->words, token);
            status = SORTES_OK;
        }
    }
    key_path_free(&p);
    return status;
}

/* ---- tokens that begin and complete something ---------------------------- */

/*
 * Whether a path must be followed: it closes a key or string that the trail
 * does not hold as a part, or one that the tree does not show as it is spelled;
 * or, where items must differ, it goes on behind a comma.  What a plain token
 * closes is looked up by srt_keys_forbid_written, unless items must differ.
 * *keys: it begins a key of which no more may come than so many.
 */
static sortes_status key_look(const struct srt_key_mask *mask,
                              const struct key_path *p,
                              const struct srt_tree_quoted *quoted,
                              bool *always, uint32_t *keys)
{
    const struct srt_key_rules *rules = mask->rules;
    const bool backslash = quoted && quoted->backslash,
               plain = quoted && quoted->plain && !rules->items;
    bool opened = false, key = false;

    *always = false;
    *keys = UINT32_MAX;
    for (size_t i = 0; i < p->path.n && !*always; i++) {
        const unsigned event =
            rules->event_of(mask->machine, p->states[i], p->states[i + 1]) &
            SRT_KEY_EVENTS;

        *always = !plain && (opened || backslash) &&
                  (event == SRT_KEY_END ||
                   (event == SRT_KEY_STRING_END && rules->items));
        *always |= !quoted && p->path.bytes[i] == ',' && event != SRT_KEY_BODY;
        key = event == SRT_KEY_BEGIN || (key && event == SRT_KEY_BODY);
        opened |= event == SRT_KEY_BEGIN || event == SRT_KEY_STRING_BEGIN;
    }
    return key && rules->keys_end && rules->keys_of
               ? rules->keys_of(mask->machine, p->states[p->path.n], keys)
               : SORTES_OK;
}

/* Suspects on their way: those to be looked at always from the front, the
 * others from the end. */
struct key_suspects {
    struct srt_suspects_head head;
    uint32_t room, n_others;
    int32_t *token, space[512];
};

/* A token of the mask.  quoted NULL: listed, by a comma. */
static sortes_status key_suspect(const struct srt_key_mask *mask,
                                 struct key_suspects *s, int32_t token,
                                 const struct srt_tree_quoted *quoted)
{
    struct key_path p;
    sortes_status status;
    uint32_t keys = UINT32_MAX;
    bool always = false;

    status = key_path(mask, token, &p);
    if (status == SORTES_OK && p.live)
        status = key_look(mask, &p, quoted, &always, &keys);
    key_path_free(&p);
    if (always)
        s->token[s->head.n_always++] = token;
    else if (keys != UINT32_MAX)
        s->token[s->room - ++s->n_others] = token;
    if (keys < s->head.n_keys)
        s->head.n_keys = keys;
    return status;
}

/* Behind a backslash nothing else may follow. */
static bool key_may_be_in_escape(const struct srt_alphabet *may)
{
    struct srt_alphabet letters = { { 0 } };

    for (const char *c = "\"\\/bfnrtu"; *c; c++)
        srt_alphabet_add(&letters, (uint8_t)*c);
    return srt_alphabet_within(may, &letters);
}

/* Whether a quote may close the text behind a backslash: in the middle of an
 * escape. */
static sortes_status key_in_escape(const struct srt_key_mask *mask,
                                   const struct srt_alphabet *may, bool *in)
{
    uint32_t at[3] = { mask->state, SRT_DEAD, SRT_DEAD };
    sortes_status status;

    *in = false;
    if (mask->machine->type->may_follow && !key_may_be_in_escape(may))
        return SORTES_OK;
    status = srt_cursor_step(mask->cursor, at[0], '\\', &at[1]);
    if (status == SORTES_OK && at[1] != SRT_DEAD)
        status = srt_cursor_step(mask->cursor, at[1], '"', &at[2]);
    *in = at[2] != SRT_DEAD &&
          (mask->rules->event_of(mask->machine, at[1], at[2]) &
           SRT_KEY_EVENTS) != SRT_KEY_BODY;
    return status;
}

/* How many quotes a token must have: one of them closes a string that is no
 * key, one begins a key, and one ends it, unless begun ones count as well. */
static uint8_t key_least_quotes(const struct srt_key_mask *mask)
{
    const struct srt_key_rules *rules = mask->rules;

    if (rules->items || !rules->in_string ||
        !rules->in_string(mask->machine, mask->state))
        return 0;
    return rules->keys_end ? 2 : 3;
}

/* Finds the suspects of a state; key_suspects_free is due either way. */
static sortes_status key_suspects(const struct srt_key_mask *mask,
                                  struct key_suspects *s)
{
    const struct srt_tree *tree = mask->cursor->cache->tree;
    const struct srt_key_rules *rules = mask->rules;
    const size_t n = rules->keys_end ? tree->n_quoted
                     : rules->items  ? tree->n_plain
                                     : tree->n_escaped;
    const uint8_t least = key_least_quotes(mask);
    struct srt_alphabet may;
    bool in_escape = true;
    sortes_status status = SORTES_OK;

    srt_machine_may_follow(mask->machine, mask->state, &may);
    s->head = (struct srt_suspects_head){ 0, 0, UINT32_MAX };
    s->room = (uint32_t)(tree->n_quoted + tree->n_listed + tree->n_odd);
    s->n_others = 0;
    s->token = s->room > SRT_COUNT(s->space)
                   ? malloc(s->room * sizeof(*s->token))
                   : s->space;
    if (!s->token)
        return SORTES_E_NOMEM;
    if (tree->n_escaped > tree->n_tangled)
        status = key_in_escape(mask, &may, &in_escape);
    for (size_t i = 0; i < n && status == SORTES_OK;) {
        const struct srt_tree_quoted *q = &tree->quoted[i];

        if (!srt_alphabet_has(&may, q->begins) || (q->escaped && !in_escape)) {
            i = q->next;
            continue;
        }
        if (q->n_quotes >= least && srt_bit_get(mask->words, q->token))
            status = key_suspect(mask, s, q->token, q);
        i++;
    }
    for (size_t i = 0; rules->items && i < tree->n_listed; i++)
        if (status == SORTES_OK && srt_bit_get(mask->words, tree->listed[i]))
            status = key_suspect(mask, s, tree->listed[i], NULL);
    for (size_t i = 0; i < tree->n_odd; i++)
        s->token[s->head.n_always++] = tree->odd[i];
    s->head.n = s->head.n_always + s->n_others;
    memmove(s->token + s->head.n_always, s->token + s->room - s->n_others,
            s->n_others * sizeof(*s->token));
    return status;
}

static void key_suspects_free(struct key_suspects *s)
{
    if (s->token != s->space)
        free(s->token);
}

/* The tokens that write a key of this hash. */
static sortes_status key_try_written(const struct srt_key_mask *mask,
                                     const struct srt_trail *trail,
                                     uint32_t hash)
{
    const struct srt_tree *tree = mask->cursor->cache->tree;
    size_t low = 0, high = tree->n_written;
    sortes_status status = SORTES_OK;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (tree->written[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < tree->n_written && tree->written[low].hash == hash &&
           status == SORTES_OK;
         low++)
        status = srt_key_try(mask, trail, tree->written[low].token);
    return status;
}

sortes_status srt_keys_forbid_written(const struct srt_key_mask *mask,
                                      const struct srt_trail *trail)
{
    const struct srt_tree *tree = mask->cursor->cache->tree;
    const struct srt_key_node *k = (const struct srt_key_node *)trail;
    sortes_status status = SORTES_OK;

    if (!k || !(k->begins & tree->written_begins))
        return SORTES_OK; /* most of the time */
    for (; k && status == SORTES_OK; k = k->below)
        if (k->kind == SRT_KEY_USED && srt_tree_may_write(tree, k->hash))
            status = key_try_written(mask, trail, k->hash);
    return status;
}

/* Without values that are kept, only keys can be repeated, or the items of an
 * array that the token itself opens. */
static bool key_is_harmless(const struct srt_key_mask *mask,
                            const struct srt_key_node *top, int32_t token)
{
    size_t n;
    const char *bytes =
        sortes_vocab_piece(mask->cursor->cache->vocab, token, &n);

    return !(top && top->mark && top->mark->keeps) && !memchr(bytes, '"', n) &&
           !memchr(bytes, '[', n);
}

/* The most keys that one of the open objects has. */
static uint32_t key_most(const struct srt_key_node *top)
{
    uint32_t most = 0;

    for (; top; top = top->mark ? top->mark->below : NULL)
        most = top->n_keys > most ? top->n_keys : most;
    return most;
}

static sortes_status key_try_list(const struct srt_key_mask *mask,
                                  const struct srt_trail *trail,
                                  const struct srt_suspects_head *head,
                                  const int32_t *tokens)
{
    const struct srt_key_node *top = (const struct srt_key_node *)trail;
    const uint32_t n = head->n > head->n_always && key_most(top) < head->n_keys
                           ? head->n_always
                           : head->n;
    sortes_status status = SORTES_OK;

    for (uint32_t i = 0; i < n && status == SORTES_OK; i++)
        if (!key_is_harmless(mask, top, tokens[i]))
            status = srt_key_try(mask, trail, tokens[i]);
    return status;
}

sortes_status srt_keys_forbid_suspects(const struct srt_key_mask *mask,
                                       const struct srt_trail *trail)
{
    const struct srt_suspects *known =
        srt_cursor_suspects(mask->cursor, mask->state);
    struct key_suspects found;
    sortes_status status;

    if (known)
        return key_try_list(mask, trail, &known->head, known->token);
    status = key_suspects(mask, &found);
    if (status == SORTES_OK) {
        srt_cursor_keep_suspects(mask->cursor, mask->state, &found.head,
                                 found.token);
        status = key_try_list(mask, trail, &found.head, found.token);
    }
    key_suspects_free(&found);
    return status;
}

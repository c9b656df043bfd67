/*
 * keys.c - no key twice in one object, by a trail of those that were used
 *
 * A trail is a chain of nodes that sequences share: below a key lies the key
 * before it in the same object, below the first one the mark of the object,
 * below that what the object stands in.  Inside a key the text so far lies on
 * top.  Keys are compared decoded: "a" and "\u0061" are the same.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json/keys.h"

#include "constrain/json/atoms.h"
#include "constrain/json_schema/decimal.h"
#include "constrain/mask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum key_kind {
    KEY_OBJECT, /* an object was opened here */
    KEY_USED,   /* a key of it, decoded */
    KEY_PART    /* the key that is being written, as it stands */
};

/* Begins the text of a number; no string has it as it stands. */
#define KEY_NUMBER '\1'

struct key_node {
    struct srt_trail trail; /* first */
    enum key_kind kind;
    uint32_t hash; /* of a used key */
    struct key_node *below;
    size_t n;
    char bytes[];
};

/* ---- nodes
 * ----------------------------------------------------------------------- */

/* A long chain is let go without recursion. */
static void key_destroy(struct srt_shared *shared)
{
    struct key_node *k = (struct key_node *)shared;

    while (k) {
        struct key_node *below = k->below;

        free(k);
        k = NULL;
        if (below && atomic_fetch_sub_explicit(&below->trail.shared.holders, 1,
                                               memory_order_acq_rel) == 1)
            k = below;
    }
}

static void key_drop(struct key_node *k)
{
    if (k)
        srt_shared_release(&k->trail.shared);
}

static struct key_node *key_hold(const struct key_node *k)
{
    struct key_node *held = (struct key_node *)(uintptr_t)k;

    if (held)
        srt_shared_retain(&held->trail.shared);
    return held;
}

/* Takes over the hold on below, also when there is no memory. */
static struct key_node *key_push(struct key_node *below, enum key_kind kind,
                                 const char *bytes, size_t n)
{
    struct key_node *k = malloc(sizeof(*k) + n);

    if (!k) {
        key_drop(below);
        return NULL;
    }
    srt_shared_init(&k->trail.shared, key_destroy);
    k->kind = kind;
    k->hash = 0;
    k->below = below;
    k->n = n;
    if (n)
        memcpy(k->bytes, bytes, n);
    return k;
}

static uint32_t key_hash(const char *bytes, size_t n)
{
    uint32_t h = 2166136261u; /* FNV-1a */

    for (size_t i = 0; i < n; i++)
        h = (h ^ (uint8_t)bytes[i]) * 16777619u;
    return h;
}

static bool key_is_used(const struct key_node *top, const char *bytes, size_t n)
{
    const uint32_t hash = key_hash(bytes, n);

    for (; top && top->kind == KEY_USED; top = top->below)
        if (top->hash == hash && top->n == n &&
            (n == 0 || memcmp(top->bytes, bytes, n) == 0))
            return true;
    return false;
}

/* ---- following a path
 * --------------------------------------------------------------- */

struct key_walk {
    struct key_node *top; /* held; never a part */
    char *body;           /* of the key that is being written */
    size_t n, room;
    char space[128];
};

static sortes_status key_body(struct key_walk *w, const char *bytes, size_t n)
{
    if (w->room - w->n < n) {
        const size_t room = 2 * (w->n + n);
        char *more = malloc(room);

        if (!more)
            return SORTES_E_NOMEM;
        memcpy(more, w->body, w->n);
        if (w->body != w->space)
            free(w->body);
        w->body = more;
        w->room = room;
    }
    if (n)
        memcpy(w->body + w->n, bytes, n);
    w->n += n;
    return SORTES_OK;
}

static sortes_status key_begin(struct key_walk *w, const struct key_node *from)
{
    w->body = w->space;
    w->room = sizeof(w->space);
    w->n = 0;
    if (!from || from->kind != KEY_PART) {
        w->top = key_hold(from);
        return SORTES_OK;
    }
    w->top = key_hold(from->below);
    return key_body(w, from->bytes, from->n);
}

/* A number's value, behind its mark: equal ones are written alike. */
static sortes_status key_number(struct key_walk *w)
{
    struct srt_decimal d;
    char exponent[16];

    if (!srt_decimal_read(&d, w->body + 1, w->n - 1))
        return SORTES_E_LIMIT;
    w->n = 1;
    if (key_body(w, d.negative ? "-" : "+", 1) != SORTES_OK ||
        key_body(w, (const char *)d.digit, d.n) != SORTES_OK)
        return SORTES_E_NOMEM;
    return key_body(
        w, exponent,
        (size_t)snprintf(exponent, sizeof(exponent), "e%d", (int)d.exponent));
}

/* The key is whole. */
static sortes_status key_end(struct key_walk *w)
{
    struct key_node *k;
    sortes_status status = SORTES_OK;

    /* Decoded in place: no character is longer than its escape. */
    if (w->n && w->body[0] == KEY_NUMBER)
        status = key_number(w);
    else
        w->n = srt_atoms_decode(w->body, w->n, w->body, NULL);
    if (status != SORTES_OK)
        return status;
    if (key_is_used(w->top, w->body, w->n))
        return SORTES_E_NO_TOKEN;
    k = key_push(w->top, KEY_USED, w->body, w->n);
    w->top = k;
    if (!k)
        return SORTES_E_NOMEM;
    k->hash = key_hash(k->bytes, k->n);
    return SORTES_OK;
}

static void key_close_object(struct key_walk *w)
{
    struct key_node *k = w->top, *below;

    while (k && k->kind != KEY_OBJECT)
        k = k->below;
    below = key_hold(k ? k->below : NULL);
    key_drop(w->top);
    w->top = below;
}

/* A number begins: the mark stands for the quote. */
static sortes_status key_first(struct key_walk *w, char byte)
{
    const char bytes[2] = { KEY_NUMBER, byte };

    w->n = 0;
    return key_body(w, bytes, 2);
}

static sortes_status key_event(struct key_walk *w, enum srt_key_event event,
                               char byte)
{
    sortes_status status;

    switch (event) {
    case SRT_KEY_NOTHING:
        break;
    case SRT_KEY_OPEN_OBJECT:
        w->top = key_push(w->top, KEY_OBJECT, NULL, 0);
        return w->top ? SORTES_OK : SORTES_E_NOMEM;
    case SRT_KEY_CLOSE_OBJECT:
        key_close_object(w);
        break;
    case SRT_KEY_BEGIN:
        w->n = 0;
        break;
    case SRT_KEY_BODY:
        return key_body(w, &byte, 1);
    case SRT_KEY_END:
        return key_end(w);
    case SRT_KEY_FIRST:
        return key_first(w, byte);
    case SRT_KEY_WHOLE:
    case SRT_KEY_LAST:
        status =
            event == SRT_KEY_WHOLE ? key_first(w, byte) : key_body(w, &byte, 1);
        return status == SORTES_OK ? key_end(w) : status;
    case SRT_KEY_END_CLOSE:
        status = key_end(w);
        if (status == SORTES_OK)
            key_close_object(w);
        return status;
    }
    return SORTES_OK;
}

sortes_status srt_keys_follow(const struct srt_machine *m,
                              srt_key_event_of *event_of,
                              const struct srt_trail *from,
                              const struct srt_path *path,
                              struct srt_trail **to, size_t *n_ok)
{
    const struct key_node *start = (const struct key_node *)from;
    bool in_key = start && start->kind == KEY_PART;
    struct key_walk w;
    sortes_status status = key_begin(&w, start);

    for (size_t i = 0; status == SORTES_OK && i < path->n; i++) {
        const enum srt_key_event event =
            event_of(m, path->states[i], path->states[i + 1]);

        in_key = event == SRT_KEY_BEGIN || event == SRT_KEY_BODY ||
                 event == SRT_KEY_FIRST || (in_key && event == SRT_KEY_NOTHING);
        status = key_event(&w, event, (char)path->bytes[i]);
        *n_ok = i + (status == SORTES_OK);
    }
    if (status == SORTES_OK && in_key && to) {
        w.top = key_push(w.top, KEY_PART, w.body, w.n);
        status = w.top ? SORTES_OK : SORTES_E_NOMEM;
    }
    if (w.body != w.space)
        free(w.body);
    if (status == SORTES_OK && to)
        *to = (struct srt_trail *)w.top;
    else
        key_drop(w.top);
    return status;
}

/* ---- masks
 * ------------------------------------------------------------------------------
 */

/* A token's states from that of the mask on; *live: all of them are. */
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

/* Clears a token if following it fails. */
sortes_status srt_keys_try(const struct srt_key_mask *mask,
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

/* Clears the tokens that write the rest of a used key and its quote. */
static void key_clear(const struct srt_tree *tree, const char *rest, size_t n,
                      uint32_t *words)
{
    const struct srt_tree_node *nodes = tree->all.node;
    uint32_t at = 0, end = tree->all.n;

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
    for (; at < end; at++)
        if (srt_node_token(&nodes[at]) >= 0)
            srt_bit_clear(words, srt_node_token(&nodes[at]));
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
                status = srt_keys_try(mask, trail, token);
        }
    }
    return status;
}

/* Tokens that close the key that is being written. */
static sortes_status key_forbid_part(const struct srt_key_mask *mask,
                                     const struct key_node *part)
{
    char space[256], *typed = space;
    const struct key_node *used = part->below;
    size_t n, rest;

    if (!used || used->kind != KEY_USED)
        return SORTES_OK;
    if (part->n > sizeof(space)) {
        typed = malloc(part->n);
        if (!typed)
            return SORTES_E_NOMEM;
    }
    n = srt_atoms_decode(part->bytes, part->n, typed, &rest);
    for (; !rest && used && used->kind == KEY_USED; used = used->below)
        if (used->n >= n && (n == 0 || memcmp(used->bytes, typed, n) == 0))
            key_clear(mask->cursor->cache->tree, used->bytes + n, used->n - n,
                      mask->words);
    if (typed != space)
        free(typed);
    return rest ? key_try_all(mask, &part->trail) : SORTES_OK;
}

/*
 * Whether a token must be followed by itself: it closes a key that the trail
 * does not hold as a part, or one that the tree does not show as it is spelled.
 */
static sortes_status key_is_suspect(const struct srt_key_mask *mask,
                                    const struct srt_tree_quoted *q,
                                    bool *suspect)
{
    struct key_path p;
    sortes_status status;
    bool opened = !mask->in_key;

    *suspect = false;
    if (!srt_bit_get(mask->words, q->token))
        return SORTES_OK;
    status = key_path(mask, q->token, &p);
    for (size_t i = 0; p.live && i < p.path.n && !*suspect; i++) {
        const enum srt_key_event event =
            mask->event_of(mask->machine, p.states[i], p.states[i + 1]);

        *suspect = event == SRT_KEY_END && (opened || q->backslash);
        opened |= event == SRT_KEY_BEGIN;
    }
    key_path_free(&p);
    return status;
}

/* Finds the suspects of a state among the tokens with quotes. */
static sortes_status key_suspects(const struct srt_key_mask *mask,
                                  int32_t *list, uint32_t *n)
{
    const struct srt_tree *tree = mask->cursor->cache->tree;
    sortes_status status = SORTES_OK;

    *n = 0;
    for (size_t i = 0; i < tree->n_quoted && status == SORTES_OK; i++) {
        bool suspect;

        status = key_is_suspect(mask, &tree->quoted[i], &suspect);
        if (status == SORTES_OK && suspect)
            list[(*n)++] = tree->quoted[i].token;
    }
    for (size_t i = 0; i < tree->n_odd; i++)
        list[(*n)++] = tree->odd[i];
    return status;
}

static sortes_status key_forbid_suspects(const struct srt_key_mask *mask,
                                         const struct srt_trail *trail)
{
    const struct srt_tree *tree = mask->cursor->cache->tree;
    const struct srt_suspects *known =
        srt_cursor_suspects(mask->cursor, mask->state);
    const int32_t *list = known ? known->token : NULL;
    int32_t *found = NULL;
    uint32_t n = known ? known->n : 0;
    sortes_status status = SORTES_OK;

    if (!known) {
        found = calloc(tree->n_quoted + tree->n_odd + 1, sizeof(*found));
        if (!found)
            return SORTES_E_NOMEM;
        status = key_suspects(mask, found, &n);
        if (status == SORTES_OK)
            srt_cursor_keep_suspects(mask->cursor, mask->state, found, n);
        list = found;
    }
    for (uint32_t i = 0; i < n && status == SORTES_OK; i++)
        status = srt_keys_try(mask, trail, list[i]);
    if (found)
        free(found);
    return status;
}

sortes_status srt_keys_forbid(const struct srt_key_mask *mask,
                              const struct srt_trail *trail)
{
    const struct srt_tree *tree = mask->cursor->cache->tree;
    const struct key_node *top = (const struct key_node *)trail;
    sortes_status status = key_forbid_suspects(mask, trail);

    if (status == SORTES_OK && mask->in_key && top && top->kind == KEY_PART)
        status = key_forbid_part(mask, top);
    for (size_t i = 0; i < tree->n_same; i++)
        if (!srt_bit_get(mask->words, tree->same[i][0]))
            srt_bit_clear(mask->words, tree->same[i][1]);
    return status;
}

/*
 * keys.c - no key twice in one object, no item twice where items must differ
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/json/keys.h"

#include "constrain/json/atoms.h"
#include "constrain/json/rivals.h"
#include "constrain/json/values.h"

#include <stdlib.h>
#include <string.h>

/* ---- nodes --------------------------------------------------------------- */

/* A long chain is let go without recursion. */
static void key_destroy(struct srt_shared *shared)
{
    struct srt_key_node *k = (struct srt_key_node *)shared;

    while (k) {
        struct srt_key_node *below = k->below;

        free(k);
        k = NULL;
        if (below && atomic_fetch_sub_explicit(&below->trail.shared.holders, 1,
                                               memory_order_acq_rel) == 1)
            k = below;
    }
}

static void key_drop(struct srt_key_node *k)
{
    if (k)
        srt_shared_release(&k->trail.shared);
}

static struct srt_key_node *key_hold(const struct srt_key_node *k)
{
    struct srt_key_node *held = (struct srt_key_node *)(uintptr_t)k;

    if (held)
        srt_shared_retain(&held->trail.shared);
    return held;
}

static bool key_is_mark(const struct srt_key_node *k)
{
    return k->kind == SRT_KEY_OBJECT || k->kind == SRT_KEY_ARRAY;
}

/* Takes over the hold on below, also when there is no memory. */
static struct srt_key_node *key_push(struct srt_key_node *below,
                                     enum srt_key_kind kind, const char *bytes,
                                     size_t n)
{
    struct srt_key_node *k = malloc(sizeof(*k) + n);

    if (!k) {
        key_drop(below);
        return NULL;
    }
    memset(k, 0, sizeof(*k));
    srt_shared_init(&k->trail.shared, key_destroy);
    k->kind = (uint8_t)kind;
    k->below = below;
    k->mark = key_is_mark(k) ? k : below ? below->mark : NULL;
    if (below && !key_is_mark(k))
        k->n_keys = below->n_keys;
    k->begins = below ? below->begins : 0;
    if (kind == SRT_KEY_USED)
        k->begins |= srt_tree_begins(bytes, n);
    k->n = n;
    if (n)
        memcpy(k->bytes, bytes, n);
    return k;
}

/* Whether the values inside the container on top are kept. */
static bool key_keeps(const struct srt_key_node *top)
{
    return top && top->mark && top->mark->keeps;
}

static bool key_is_used(const struct srt_key_node *top, enum srt_key_kind kind,
                        const char *bytes, size_t n)
{
    const uint32_t hash = srt_tree_hash(bytes, n);

    for (; top && !key_is_mark(top); top = top->below)
        if (top->kind == kind && top->hash == hash && top->n == n &&
            (n == 0 || memcmp(top->bytes, bytes, n) == 0))
            return true;
    return false;
}

/* ---- a trail on its way -------------------------------------------------- */

static sortes_status walk_body(struct srt_key_walk *w, const char *bytes,
                               size_t n)
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

static sortes_status walk_start(struct srt_key_walk *w,
                                const struct srt_key_node *top,
                                enum srt_key_part part, const char *body,
                                size_t n)
{
    w->top = key_hold(top);
    w->part = part;
    w->body = w->space;
    w->room = sizeof(w->space);
    w->n = 0;
    return walk_body(w, body, n);
}

sortes_status srt_key_walk_begin(struct srt_key_walk *w,
                                 const struct srt_trail *from)
{
    const struct srt_key_node *k = (const struct srt_key_node *)from;

    if (k && k->kind == SRT_KEY_PART)
        return walk_start(w, k->below, (enum srt_key_part)k->part, k->bytes,
                          k->n);
    return walk_start(w, k, SRT_PART_NONE, NULL, 0);
}

sortes_status srt_key_walk_copy(struct srt_key_walk *w,
                                const struct srt_key_walk *from)
{
    return walk_start(w, from->top, from->part, from->body,
                      from->part ? from->n : 0);
}

void srt_key_walk_end(struct srt_key_walk *w)
{
    if (w->body != w->space)
        free(w->body);
    key_drop(w->top);
}

static sortes_status walk_push(struct srt_key_walk *w, enum srt_key_kind kind,
                               const char *bytes, size_t n)
{
    const bool rivals = w->top && w->top->rivals;
    sortes_status status = SORTES_OK;

    w->top = key_push(w->top, kind, bytes, n);
    if (!w->top)
        return SORTES_E_NOMEM;
    if (kind == SRT_KEY_USED || kind == SRT_KEY_VALUE)
        w->top->hash = srt_tree_hash(w->top->bytes, n);
    if (kind == SRT_KEY_VALUE && w->top->mark->unique)
        w->top->rivals = true; /* of the next item, if of no one else */
    else if (rivals)
        w->top->rivals = srt_rivals_any(w->top, true, &status);
    return status;
}

/* A value is complete. */
static sortes_status walk_value(struct srt_key_walk *w,
                                const struct srt_value_bytes *value)
{
    if (w->top->mark->unique &&
        key_is_used(w->top, SRT_KEY_VALUE, value->at, value->n))
        return SORTES_E_NO_TOKEN;
    return walk_push(w, SRT_KEY_VALUE, value->at, value->n);
}

static sortes_status walk_scalar(struct srt_key_walk *w,
                                 enum srt_value_kind kind)
{
    struct srt_value_bytes value = { NULL, 0, 0 };
    sortes_status status;

    w->part = SRT_PART_NONE;
    status = kind == SRT_VALUE_NUMBER
                 ? srt_value_put_number(&value, w->body, w->n)
                 : srt_value_put(&value, kind, w->body,
                                 kind == SRT_VALUE_STRING ? w->n : 0);
    if (status == SORTES_OK)
        status = walk_value(w, &value);
    free(value.at);
    return status;
}

/* A key is whole.  Decoded in place: no character is longer than its escape. */
static sortes_status walk_key(struct srt_key_walk *w)
{
    sortes_status status;

    w->part = SRT_PART_NONE;
    w->n = srt_atoms_decode(w->body, w->n, w->body, NULL);
    if (key_is_used(w->top, SRT_KEY_USED, w->body, w->n))
        return SORTES_E_NO_TOKEN;
    status = walk_push(w, SRT_KEY_USED, w->body, w->n);
    if (status == SORTES_OK)
        w->top->n_keys++;
    return status;
}

/* ---- containers ---------------------------------------------------------- */

static sortes_status walk_open(struct srt_key_walk *w, enum srt_key_kind kind,
                               bool unique)
{
    const bool keeps = unique || key_keeps(w->top);
    sortes_status status;

    if (kind == SRT_KEY_ARRAY && !keeps)
        return SORTES_OK;
    status = walk_push(w, kind, NULL, 0);
    if (status != SORTES_OK)
        return status;
    w->top->keeps = keeps;
    w->top->unique = unique;
    if (w->top->below && w->top->below->rivals)
        w->top->rivals = srt_rivals_any(w->top, true, &status);
    return status;
}

/* What lies above a mark, as one value. */
static sortes_status walk_gather(const struct srt_key_node *top,
                                 struct srt_value_bytes *value)
{
    const bool object = top->mark->kind == SRT_KEY_OBJECT;
    struct srt_value_bytes keys = { NULL, 0, 0 };
    const struct srt_key_node *k;
    const char **part;
    size_t n = 0, at;
    sortes_status status = SORTES_OK;

    for (k = top; k != top->mark; k = k->below)
        n++;
    part = malloc((n + 1) * sizeof(*part));
    if (!part)
        return SORTES_E_NOMEM;
    for (k = top, at = n; k != top->mark; k = k->below) {
        part[--at] = k->bytes;
        if (k->kind == SRT_KEY_USED && status == SORTES_OK) {
            part[at] = NULL; /* keys may move until all are there */
            status = srt_value_put(&keys, SRT_VALUE_STRING, k->bytes, k->n);
        }
    }
    for (size_t i = n, from = 0; i-- > 0 && status == SORTES_OK;)
        if (!part[i]) {
            part[i] = keys.at + from;
            from += srt_value_size(part[i]);
        }
    if (status == SORTES_OK)
        status = srt_value_put_container(
            value, object ? SRT_VALUE_OBJECT : SRT_VALUE_ARRAY, part, n);
    free(part);
    free(keys.at);
    return status;
}

static sortes_status walk_close(struct srt_key_walk *w, enum srt_key_kind kind)
{
    const struct srt_key_node *mark = w->top ? w->top->mark : NULL;
    struct srt_value_bytes value = { NULL, 0, 0 };
    struct srt_key_node *below;
    sortes_status status = SORTES_OK;
    bool keeps;

    if (!mark || (kind == SRT_KEY_ARRAY && !mark->keeps))
        return SORTES_OK; /* an array that nothing is known of */
    keeps = key_keeps(mark->below);
    if (keeps)
        status = walk_gather(w->top, &value);
    below = key_hold(mark->below);
    key_drop(w->top);
    w->top = below;
    if (keeps && status == SORTES_OK)
        status = walk_value(w, &value);
    free(value.at);
    return status;
}

/* ---- bytes --------------------------------------------------------------- */

static sortes_status walk_event(struct srt_key_walk *w, unsigned event,
                                char byte)
{
    const bool keeps = key_keeps(w->top);

    switch (event & SRT_KEY_EVENTS) {
    case SRT_KEY_OPEN_OBJECT:
        return walk_open(w, SRT_KEY_OBJECT, false);
    case SRT_KEY_OPEN_ARRAY:
        return walk_open(w, SRT_KEY_ARRAY, false);
    case SRT_KEY_OPEN_UNIQUE:
        return walk_open(w, SRT_KEY_ARRAY, true);
    case SRT_KEY_CLOSE_OBJECT:
        return walk_close(w, SRT_KEY_OBJECT);
    case SRT_KEY_CLOSE_ARRAY:
        return walk_close(w, SRT_KEY_ARRAY);
    case SRT_KEY_BEGIN:
        w->part = SRT_PART_KEY;
        w->n = 0;
        return SORTES_OK;
    case SRT_KEY_STRING_BEGIN:
        w->part = keeps ? SRT_PART_STRING : SRT_PART_NONE;
        w->n = 0;
        return SORTES_OK;
    case SRT_KEY_BODY:
        return w->part ? walk_body(w, &byte, 1) : SORTES_OK;
    case SRT_KEY_END:
        return walk_key(w);
    case SRT_KEY_STRING_END:
        if (w->part == SRT_PART_NONE)
            return SORTES_OK;
        w->n = srt_atoms_decode(w->body, w->n, w->body, NULL);
        return walk_scalar(w, SRT_VALUE_STRING);
    case SRT_KEY_DIGIT:
        if (!keeps)
            return SORTES_OK;
        if (w->part == SRT_PART_NONE)
            w->n = 0;
        w->part = SRT_PART_NUMBER;
        return walk_body(w, &byte, 1);
    case SRT_KEY_NULL:
        return keeps ? walk_scalar(w, SRT_VALUE_NULL) : SORTES_OK;
    case SRT_KEY_FALSE:
        return keeps ? walk_scalar(w, SRT_VALUE_FALSE) : SORTES_OK;
    case SRT_KEY_TRUE:
        return keeps ? walk_scalar(w, SRT_VALUE_TRUE) : SORTES_OK;
    default:
        return SORTES_OK;
    }
}

sortes_status srt_key_walk_byte(struct srt_key_walk *w, unsigned event,
                                char byte)
{
    sortes_status status = SORTES_OK;

    if ((event & SRT_KEY_ENDS_NUMBER) && w->part == SRT_PART_NUMBER)
        status = walk_scalar(w, SRT_VALUE_NUMBER);
    return status == SORTES_OK ? walk_event(w, event, byte) : status;
}

sortes_status srt_keys_follow(const struct srt_machine *m,
                              const struct srt_key_rules *rules,
                              const struct srt_trail *from,
                              const struct srt_path *path,
                              struct srt_trail **to, size_t *n_ok)
{
    struct srt_key_walk w;
    sortes_status status = srt_key_walk_begin(&w, from);

    for (size_t i = 0; status == SORTES_OK && i < path->n; i++) {
        const unsigned event =
            rules->event_of(m, path->states[i], path->states[i + 1]);
        enum srt_key_verdict verdict = SRT_KEYS_ALIVE;

        status = srt_key_walk_byte(&w, event, (char)path->bytes[i]);
        if (status == SORTES_OK)
            status =
                srt_keys_judge(rules, m, path->states[i + 1], &w, &verdict);
        if (status == SORTES_OK && verdict == SRT_KEYS_DEAD)
            status = SORTES_E_NO_TOKEN;
        *n_ok = i + (status == SORTES_OK);
    }
    if (status == SORTES_OK && w.part && to) {
        const enum srt_key_part part = w.part;

        w.top = key_push(w.top, SRT_KEY_PART, w.body, w.n);
        status = w.top ? SORTES_OK : SORTES_E_NOMEM;
        if (w.top)
            w.top->part = (uint8_t)part;
    }
    if (status == SORTES_OK && to) {
        *to = (struct srt_trail *)w.top;
        w.top = NULL;
    }
    srt_key_walk_end(&w);
    return status;
}

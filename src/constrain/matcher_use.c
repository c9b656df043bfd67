/*
 * matcher_use.c - a matcher at work: bytes that are forced, and a sampler's
 * constraint
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/matcher.h"

/* ---- forced bytes -------------------------------------------------------- */

/* The one byte that may follow a state; -1: none or several. */
static sortes_status use_only_byte(sortes_matcher *m, uint32_t state, int *only,
                                   uint32_t *next)
{
    const struct srt_machine *machine = m->cursor.cache->machine;
    bool asked[256] = { false };

    *only = -1;
    for (int byte = 0; byte < 256; byte++) {
        const uint8_t class_of = machine->class_of[byte];
        sortes_status status;
        uint32_t to;

        if (asked[class_of] ||
            !srt_alphabet_has(&machine->alphabet, (uint8_t)byte))
            continue;
        asked[class_of] = true;
        status = srt_cursor_step(&m->cursor, state, (uint8_t)byte, &to);
        if (status != SORTES_OK)
            return status;
        if (to == SRT_DEAD)
            continue;
        if (*only >= 0 || m->cursor.cache->class_size[class_of] > 1) {
            *only = -1;
            return SORTES_OK;
        }
        *only = byte;
        *next = to;
    }
    return SORTES_OK;
}

static void use_put(char *bytes, size_t room, size_t *n, uint8_t byte)
{
    if (*n < room)
        bytes[*n] = (char)byte;
    ++*n;
}

/* A chain of forced bytes that never ends is cut at this length. */
enum { FORCED_MAX = 1 << 16 };

/* The grammar's own forced bytes from state on. */
static sortes_status use_forced(sortes_matcher *m, uint32_t state, char *bytes,
                                size_t room, size_t *n)
{
    const struct srt_machine *machine = m->cursor.cache->machine;

    while (*n < FORCED_MAX && !machine->type->accepts(machine, state)) {
        sortes_status status;
        int only;

        status = use_only_byte(m, state, &only, &state);
        if (status != SORTES_OK)
            return status;
        if (only < 0)
            break;
        use_put(bytes, room, n, (uint8_t)only);
    }
    return SORTES_OK;
}

sortes_status sortes_matcher_forced(sortes_matcher *m, char *bytes, size_t room,
                                    size_t *n)
{
    sortes_status status;

    if (m == NULL || n == NULL || (bytes == NULL && room > 0))
        return SORTES_E_ARGUMENT;
    *n = 0;
    if (m->place.finished || m->place.close || m->place.asleep)
        return SORTES_OK;
    for (uint32_t i = m->place.left; i > 0; i--)
        use_put(bytes, room, n, m->prefix->bytes[m->prefix->n - i]);
    srt_cursor_enter(&m->cursor);
    status = use_forced(m, m->place.state, bytes, room, n);
    srt_cursor_leave(&m->cursor);
    return status;
}

/* ---- as a sampler's constraint ------------------------------------------- */

static int use_allows(void *ctx, int32_t token)
{
    return sortes_matcher_allows(ctx, token);
}

static sortes_status use_mask(void *ctx, uint32_t *words, size_t n_words)
{
    return sortes_matcher_mask(ctx, words, n_words);
}

static sortes_status use_advance(void *ctx, int32_t token)
{
    return sortes_matcher_advance(ctx, &token, 1, NULL);
}

static sortes_status use_rollback(void *ctx, size_t n)
{
    return sortes_matcher_rollback(ctx, n);
}

static sortes_status use_reset(void *ctx)
{
    sortes_matcher_reset(ctx);
    return SORTES_OK;
}

static void *use_clone(void *ctx)
{
    sortes_matcher *m;

    return sortes_matcher_clone(&m, ctx) == SORTES_OK ? m : NULL;
}

static void use_free(void *ctx)
{
    sortes_matcher_free(ctx);
}

sortes_status sortes_matcher_constraint(const sortes_matcher *m,
                                        sortes_constraint *c)
{
    sortes_matcher *own;
    sortes_status status;

    if (m == NULL || c == NULL || m->cursor.cache->vocab == NULL)
        return SORTES_E_ARGUMENT;
    status = sortes_matcher_clone(&own, m);
    if (status != SORTES_OK)
        return status;
    *c = (sortes_constraint){
        .struct_size = sizeof(*c),
        .ctx = own,
        .allows = use_allows,
        .mask = use_mask,
        .advance = use_advance,
        .rollback = use_rollback,
        .reset = use_reset,
        .clone = use_clone,
        .free = use_free,
    };
    return SORTES_OK;
}

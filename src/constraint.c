/*
 * constraint.c - asking the caller's constraint
 *
 * SPDX-License-Identifier: MIT
 */
#include "constraint.h"

#include "row.h"

#include <math.h>
#include <string.h>

sortes_status srt_constraint_take(sortes_constraint *to,
                                  const sortes_constraint *from)
{
    if (from->struct_size != sizeof(*from) || !from->allows || !from->mask ||
        !from->advance)
        return SORTES_E_ARGUMENT;
    *to = *from;
    return SORTES_OK;
}

void srt_constraint_drop(sortes_constraint *c)
{
    if (srt_constraint_is_set(c) && c->free)
        c->free(c->ctx);
    memset(c, 0, sizeof(*c));
}

sortes_status srt_constraint_replace(sortes_constraint *held,
                                     const sortes_constraint *c)
{
    sortes_constraint taken = { 0 };

    if (c) {
        const sortes_status status = srt_constraint_take(&taken, c);
        if (status != SORTES_OK)
            return status;
    }
    srt_constraint_drop(held);
    *held = taken;
    return SORTES_OK;
}

sortes_status srt_constraint_clone(sortes_constraint *to,
                                   const sortes_constraint *from)
{
    memset(to, 0, sizeof(*to));
    if (!srt_constraint_is_set(from))
        return SORTES_OK;
    if (!from->clone)
        return SORTES_E_ARGUMENT;
    *to = *from;
    to->ctx = from->clone(from->ctx);
    if (to->ctx)
        return SORTES_OK;
    memset(to, 0, sizeof(*to));
    return SORTES_E_NOMEM;
}

sortes_status srt_constraint_reset(const sortes_constraint *c)
{
    if (!srt_constraint_is_set(c))
        return SORTES_OK;
    return c->reset ? c->reset(c->ctx) : SORTES_E_ARGUMENT;
}

sortes_status srt_constraint_advance(const sortes_constraint *c,
                                     const int32_t *tokens, size_t n)
{
    if (n > 1 && !c->rollback)
        return SORTES_E_ARGUMENT; /* it could not be all or none */
    for (size_t i = 0; i < n; i++) {
        const sortes_status status = c->advance(c->ctx, tokens[i]);

        if (status == SORTES_OK)
            continue;
        if (i > 0)
            (void)c->rollback(c->ctx, i);
        return status;
    }
    return SORTES_OK;
}

sortes_status srt_constraint_rollback(const sortes_constraint *c, size_t n)
{
    if (n == 0 || !srt_constraint_is_set(c))
        return SORTES_OK;
    return c->rollback ? c->rollback(c->ctx, n) : SORTES_E_ARGUMENT;
}

sortes_status srt_constraint_mask(const sortes_constraint *c, size_t n,
                                  uint32_t *words)
{
    const size_t n_words = (n + 31) / 32;

    memset(words, 0, n_words * sizeof(*words));
    return c->mask(c->ctx, words, n_words);
}

sortes_status srt_constraint_mask_row(const sortes_constraint *c,
                                      const sortes_row *row, uint32_t *words,
                                      float *out)
{
    const sortes_status status = srt_constraint_mask(c, row->n, words);

    if (status != SORTES_OK)
        return status;
    for (size_t i = 0; i < row->n; i++)
        out[i] = (words[i / 32] >> i % 32) & 1 ? srt_row_at(row, i) : -INFINITY;
    return SORTES_OK;
}

/*
 * constraint.h - asking the caller's constraint
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_CONSTRAINT_H
#define SRT_CONSTRAINT_H

#include "status.h"

#include <stdbool.h>

SRT_INLINE bool srt_constraint_is_set(const sortes_constraint *c)
{
    return c->struct_size != 0;
}

/* Whether what it is told can be taken back. */
SRT_INLINE bool srt_constraint_can_undo(const sortes_constraint *c)
{
    return !srt_constraint_is_set(c) || c->rollback != NULL;
}

/* Whether the caller's struct is whole; *to receives it. */
sortes_status srt_constraint_take(sortes_constraint *to,
                                  const sortes_constraint *from);

/* Frees what the constraint owns and leaves none. */
void srt_constraint_drop(sortes_constraint *c);

/* Takes c, NULL being none, in place of the one that is held; a refused one
 * changes nothing. */
sortes_status srt_constraint_replace(sortes_constraint *held,
                                     const sortes_constraint *c);

sortes_status srt_constraint_clone(sortes_constraint *to,
                                   const sortes_constraint *from);
sortes_status srt_constraint_reset(const sortes_constraint *c);

/* Moves past all tokens or none. */
sortes_status srt_constraint_advance(const sortes_constraint *c,
                                     const int32_t *tokens, size_t n);
sortes_status srt_constraint_rollback(const sortes_constraint *c, size_t n);

/* One bit for each of n tokens, those that may come. */
sortes_status srt_constraint_mask(const sortes_constraint *c, size_t n,
                                  uint32_t *words);

/*
 * Writes row to out as floats, -inf where the constraint forbids the token.
 * words: room for one bit a token.
 */
sortes_status srt_constraint_mask_row(const sortes_constraint *c,
                                      const sortes_row *row, uint32_t *words,
                                      float *out);

#endif /* SRT_CONSTRAINT_H */

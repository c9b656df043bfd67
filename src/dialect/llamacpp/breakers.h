/*
 * breakers.h - the token sequences that stop DRY from looking further back
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_LLAMACPP_BREAKERS_H
#define SRT_LLAMACPP_BREAKERS_H

#include "params/params.h"
#include "status.h"
#include "vocab.h"

#include <stdbool.h>

/*
 * For a token at which a breaker begins (or that holds one whole): the tokens
 * that must follow for it to be complete.  Immutable once made; shared by the
 * samplers of one vocab that ask for the same list.
 */
struct srt_breakers;

/*
 * Built once for a vocab and a list of strings, then found again in the vocab;
 * retained for the caller.
 */
sortes_status srt_breakers_get(struct srt_breakers **out, sortes_vocab *v,
                               const struct srt_string_list *strings,
                               sortes_error *err);
void srt_breakers_free(struct srt_breakers *b); /* NULL is allowed */

/*
 * Length of the longest tail of `head` that stands before position i of the
 * window read backwards (tokens i-1, i-2, ... from the end); -1: none.  b NULL:
 * there are no breakers; below too.
 */
struct srt_window;
int srt_breakers_longest(const struct srt_breakers *b, int32_t head,
                         const struct srt_window *w, size_t i);

/* Whether the token holds a whole breaker. */
bool srt_breakers_whole(const struct srt_breakers *b, int32_t token);

#endif /* SRT_LLAMACPP_BREAKERS_H */

/*
 * greedy.h - text as tokens, the longest that fits each time
 *
 * No tokenizer of a model cuts quite so, but any vocabulary allows it: for
 * comparisons in which every side must be given the same tokens.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_GREEDY_H
#define CLI_GREEDY_H

#include "sortes.h"

struct greedy;

/* NULL: no memory.  v must outlive it. */
struct greedy *greedy_new(const sortes_vocab *v);
void greedy_free(struct greedy *g); /* NULL is allowed */

/*
 * The longest token that text[0 .. n-1] begins with, the lowest id of several;
 * control tokens never match.  -1: none does; *n_bytes: its length.
 */
int32_t greedy_next(const struct greedy *g, const char *text, size_t n,
                    size_t *n_bytes);

#endif /* CLI_GREEDY_H */

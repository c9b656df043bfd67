/*
 * constrain_walk.h - random vocabularies, random texts, and walks that check
 * every promise a mask makes
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef CONSTRAIN_WALK_H
#define CONSTRAIN_WALK_H

#include "sortes.h"

#include <stdbool.h>

/* Numbers that depend on the seed alone. */
struct walk_random {
    uint64_t state;
};
uint32_t walk_below(struct walk_random *r, uint32_t n); /* 0 .. n - 1 */

/*
 * A vocabulary of most bytes or of few, tokens put together at random from
 * what breaks a lexer (quotes, backslashes, torn characters, brackets, whole
 * keys), doubles, a token too long for the tree, special tokens that are
 * spelled like text, and one or two end tokens.
 */
sortes_vocab *walk_vocab(struct walk_random *r);

/* A JSON object in canonical spelling, written by no machine: keys that do not
 * repeat, and out of bytes that v has.  Returns its length, 0: none fits. */
size_t walk_json_text(struct walk_random *r, const sortes_vocab *v, char *out,
                      size_t room);

/* What a text that is complete must be. */
typedef bool walk_check(const char *text, size_t n, const void *ctx);

/*
 * Goes n tokens at random.  At every place the mask equals what is allowed
 * token by token, and what another matcher without memory says of the token's
 * bytes; clones and steps back lead where they should; now and then the text
 * is brought to its end by tokens of one byte, and checked.
 */
void walk_go(struct walk_random *r, sortes_grammar *g, sortes_vocab *v,
             size_t n, walk_check *check, const void *ctx);

/* Goes on by some token that may come; stays where only an end may. */
void walk_any_token(struct walk_random *r, sortes_matcher *m,
                    const sortes_vocab *v);

/* Cuts text into random tokens: every one of them is allowed. */
void walk_text(struct walk_random *r, sortes_grammar *g, sortes_vocab *v,
               const char *text, size_t n);

/* A JSON object whose keys do not repeat (unless ctx, a bool, says they
 * may). */
bool walk_is_json(const char *text, size_t n, const void *ctx);

/* rounds random vocabularies under every profile of JSON objects, and under
 * random choices. */
void walk_json_rounds(uint64_t seed, int rounds);
void walk_choice_rounds(uint64_t seed, int rounds);

#endif /* CONSTRAIN_WALK_H */

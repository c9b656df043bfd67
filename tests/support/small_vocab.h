/*
 * small_vocab.h - vocabularies made in a test, and matchers at work on them
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SMALL_VOCAB_H
#define SMALL_VOCAB_H

#include "sortes.h"

#include <stdbool.h>

struct small_token {
    const char *bytes;
    size_t n; /* 0: strlen(bytes) */
    uint32_t flags;
};

/* Every byte that `without` lacks (NULL: all 256) as a token of its own, in
 * order, and then the tokens given. */
sortes_vocab *small_vocab(const char *without, const struct small_token *tokens,
                          size_t n_tokens);

/* Fails the test with the library's own text if there is none. */
sortes_grammar *small_grammar(const char *kind, const char *text,
                              const sortes_grammar_options *options);
sortes_matcher *small_matcher(sortes_grammar *g, sortes_vocab *v);

/* Whether a text satisfies a grammar, by bytes. */
bool small_accepts(sortes_grammar *g, const char *text);

/* How many bytes of a text can come; its length if all can. */
size_t small_reach(sortes_grammar *g, const char *text, size_t n);

/* The mask of m has exactly the tokens that m allows, one by one. */
void small_check_mask(sortes_matcher *m, sortes_vocab *v);

/* Moves m by the longest tokens that spell text, checking each mask. */
void small_advance(sortes_matcher *m, sortes_vocab *v, const char *text);

#endif /* SMALL_VOCAB_H */

/*
 * gbnf_naive.h - what a GBNF grammar means, written down as sets of strings
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_GBNF_NAIVE_H
#define TEST_GBNF_NAIVE_H

#include "constrain/gbnf/gbnf.h"

/* All strings over "ab" of up to this many letters. */
enum { NAIVE_LENGTH = 6, NAIVE_STRINGS = (2 << NAIVE_LENGTH) - 1 };

/*
 * texts: the strings of the root; prefixes: the strings that begin one, of any
 * length (viable: one that a leftmost derivation can begin, whether or not it
 * can end).  Only grammars over a and b, without tokens.
 */
struct naive {
    bool texts[NAIVE_STRINGS], prefixes[NAIVE_STRINGS], viable[NAIVE_STRINGS];
};

void naive_solve(struct naive *to, const struct srt_gbnf *g);

/* String i: its letters, its length. */
size_t naive_string(size_t i, char *to);

/* A random grammar in GBNF; left recursion and rules without texts happen.
 * narrow: no class of many characters.  `next` is the state of the generator.
 */
void naive_grammar(char *to, size_t size, bool narrow, uint64_t *next);

#endif /* TEST_GBNF_NAIVE_H */

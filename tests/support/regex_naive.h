/*
 * regex_naive.h - what a regular expression means, by sets of positions
 *
 * Trees are written as patterns and matched directly: from a place in a text,
 * a tree leads to a set of places.  No automaton, no backtracking.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef REGEX_NAIVE_H
#define REGEX_NAIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum naive_kind {
    NAIVE_CHAR, /* code */
    NAIVE_NOT_CHAR,
    NAIVE_DOT,
    NAIVE_WORD,
    NAIVE_EMPTY,
    NAIVE_START,
    NAIVE_END,
    NAIVE_BOUNDARY,
    NAIVE_NO_BOUNDARY,
    NAIVE_CAT,
    NAIVE_OR,
    NAIVE_REPEAT, /* x, min, max */
    NAIVE_AHEAD,
    NAIVE_NOT_AHEAD,
    NAIVE_BEHIND,
    NAIVE_NOT_BEHIND
};

struct naive {
    enum naive_kind kind;
    uint32_t code, min, max; /* max 0: no bound */
    const struct naive *x, *y;
};

enum { NAIVE_MAX_TEXT = 60 };

/* Bit i: x leads from place `at` of the n code points to place i. */
uint64_t naive_match(const struct naive *x, const uint32_t *text, size_t n,
                     size_t at);
/* Whether all of a UTF-8 text matches. */
bool naive_accepts(const struct naive *x, const char *text);

/* As a pattern, NUL-terminated. */
void naive_write(const struct naive *x, char *to, size_t room);

/* A random tree of at most n nodes in memory that `made` gives; lookbehind and
 * lookahead included. */
struct naive_forest {
    struct naive nodes[64];
    size_t n;
    uint64_t random;
    const char *letters; /* ASCII */
};
const struct naive *naive_grow(struct naive_forest *f, int size);

/*
 * A pattern against its meaning: all texts of at most `length` letters, both
 * ways: what matches is accepted and nothing else, every prefix of it is
 * alive, and every live state has a completion that matches.
 */
void naive_check(const struct naive *x, const char *letters, int length);

#endif /* REGEX_NAIVE_H */

/*
 * brute.h - what a matcher must answer, found out the slow way
 *
 * A second matcher, of a grammar compiled apart, is led byte by byte and keeps
 * no masks; that the bytes it lets through are no dead end is shown by a text
 * that completes them.  That those it refuses could not be completed, it does
 * not show: recognisers of each kind's own tests do.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_BRUTE_H
#define SUPPORT_BRUTE_H

#include "sortes.h"
#include "support/rows.h"
#include "support/vocabs.h"

#include <stdbool.h>

enum {
    BRUTE_WORDS = 16,    /* of a mask: vocabularies of up to 512 tokens */
    BRUTE_TEXT = 4096,   /* bytes of a text, at most */
    BRUTE_TOKENS = 2048, /* and tokens */
    BRUTE_STATES = 65536 /* whose liveness is remembered */
};

struct brute_grammar {
    const char *kind, *text;
    const char *profile; /* NULL: the defaults */
};

struct brute {
    const struct brute_grammar *grammar;
    sortes_vocab *vocab;
    sortes_grammar *g, *other; /* compiled apart */
    sortes_matcher *m;         /* under test */
    sortes_matcher *slow;      /* of the other grammar */
    size_t n_tokens;
    bool has_byte[256];    /* some token is this byte alone */
    int32_t byte[256];     /* which */
    char text[BRUTE_TEXT]; /* what m has taken */
    size_t n_text;
    int32_t tokens[BRUTE_TOKENS];
    size_t n;
    struct rows_random random;
    uint8_t alive[BRUTE_STATES]; /* proofs of that */
};

/* False: the vocabulary cannot write anything of this grammar; fails the test
 * for any other reason. */
bool brute_open(struct brute *b, const struct brute_grammar *grammar,
                enum vocabs_kind kind);
void brute_close(struct brute *b);

bool brute_has(const uint32_t *words, int32_t token);
bool brute_is_end(const struct brute *b, int32_t token);
bool brute_is_special(const struct brute *b, int32_t token);

/* A matcher at the beginning, of the other grammar. */
sortes_matcher *brute_fresh(const struct brute *b);

/*
 * Leads a clone of `from` over bytes, one at a time; whether all could come.
 * If so, shows that something completes them.
 */
bool brute_may_come(struct brute *b, const sortes_matcher *from,
                    const char *bytes, size_t n);

/* m's mask, which must be what b->slow says token by token. */
void brute_check_mask(struct brute *b, sortes_matcher *m, uint32_t *words);

/* Both go on by a token that m allows. */
void brute_take(struct brute *b, int32_t token);
void brute_restart(struct brute *b);

/* One of the mask's tokens, end tokens left out; -1: there is none. */
int32_t brute_pick(struct brute *b, const uint32_t *words);

/* Says where this is, and fails the test. */
void brute_fail(const struct brute *b, const char *what, int32_t token);

#endif /* SUPPORT_BRUTE_H */

/*
 * regex.h - regular expressions over code points, and the automaton of any
 * boolean combination of them
 *
 * A book of expressions: patterns are parsed into it, combined, and closed;
 * from then on its states are made on demand.  Expressions are hash-consed,
 * states are expressions after what was read so far (Brzozowski derivatives),
 * so counted repetition is never expanded and intersection and complement cost
 * no construction.
 *
 * State 0 is dead, and every other state is alive: some string over the
 * book's alphabet of code points completes it.
 *
 * Threads: a book belongs to one machine, and is changed under its lock;
 * srt_book_accepts and srt_book_class may be called at any time.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_REGEX_H
#define SRT_REGEX_H

#include "status.h"

#include <stdbool.h>

struct srt_book;

/* An expression of a book: 0 matches nothing. */
typedef uint32_t srt_regex;

#define SRT_REGEX_NOTHING ((srt_regex)0)

struct srt_regex_limits {
    size_t max_states;
    size_t max_bytes;
    uint64_t max_us; /* a call may take; 0: no bound but that of its work */
};

sortes_status srt_book_new(struct srt_book **out,
                           const struct srt_regex_limits *limits);
void srt_book_free(struct srt_book *b); /* NULL is allowed */

/* What it has made; either may be NULL. */
void srt_book_stats(const struct srt_book *b, size_t *n_states,
                    size_t *n_bytes);

/*
 * ECMAScript (u-mode with Annex B escapes, and (?P<n>), (?i:), \A, \z), whole
 * strings; search: anywhere in the string, as JSON Schema's pattern has it.
 * err->offset is a byte of the pattern; what is no regular language is refused
 * by name.
 */
sortes_status srt_book_parse(struct srt_book *b, const char *pattern, size_t n,
                             bool search, srt_regex *to, sortes_error *err);

/* The string alone; code points. */
sortes_status srt_book_literal(struct srt_book *b, const uint32_t *code,
                               size_t n, srt_regex *to);
/* Any string; ranges are pairs of first and last code point. */
sortes_status srt_book_everything(struct srt_book *b, srt_regex *to);
sortes_status srt_book_set(struct srt_book *b, const uint32_t (*ranges)[2],
                           size_t n, srt_regex *to);
sortes_status srt_book_concat(struct srt_book *b, srt_regex x, srt_regex y,
                              srt_regex *to);
sortes_status srt_book_repeat(struct srt_book *b, srt_regex x, uint32_t min,
                              uint32_t max, srt_regex *to); /* UINT32_MAX */
sortes_status srt_book_or(struct srt_book *b, const srt_regex *x, size_t n,
                          srt_regex *to);
sortes_status srt_book_and(struct srt_book *b, const srt_regex *x, size_t n,
                           srt_regex *to);
sortes_status srt_book_not(struct srt_book *b, srt_regex x, srt_regex *to);

/*
 * No more sets from here on.  The code points of `missing` (pairs, sorted;
 * those that the vocabulary cannot write) occur in no string.
 */
sortes_status srt_book_close(struct srt_book *b, const uint32_t (*missing)[2],
                             size_t n_missing);

/* Code points of one class lead to the same state from every state; classes
 * are numbered from 0, the missing ones are class srt_book_missing. */
uint32_t srt_book_n_classes(const struct srt_book *b);
uint32_t srt_book_missing(const struct srt_book *b);
uint32_t srt_book_class(const struct srt_book *b, uint32_t code);

/* The classes as sorted, gapless segments from 0 to 0x10FFFF (surrogates have
 * a class too: strings never hold them, and they count as missing). */
struct srt_book_segment {
    uint32_t first, last, class_of;
};
const struct srt_book_segment *srt_book_segments(const struct srt_book *b,
                                                 size_t *n);

/* 0: no string of the book's alphabet matches. */
sortes_status srt_book_start(struct srt_book *b, srt_regex x, uint32_t *state);
sortes_status srt_book_step(struct srt_book *b, uint32_t state, uint32_t class_,
                            uint32_t *next);
bool srt_book_accepts(const struct srt_book *b, uint32_t state);

/*
 * Length in code points of the shortest and longest string that completes a
 * state; UINT32_MAX: no longest one (or one beyond 2^32 - 2).  *interval:
 * every length between them occurs.
 */
sortes_status srt_book_lengths(struct srt_book *b, uint32_t state,
                               uint32_t *shortest, uint32_t *longest,
                               bool *interval);

/*
 * Whether strings without number complete a state and every one that it leads
 * to; *any: whichever characters come, some string completes what they lead to.
 * Looks at a few hundred states: "no" may mean that there are more.
 */
sortes_status srt_book_goes_on(struct srt_book *b, uint32_t state,
                               bool *goes_on, bool *any);

/* Whether strings of up to `longest` characters lead from both states alike: on
 * at all, and to an end.  Looks at a few hundred pairs: "no" may mean that
 * there are more. */
sortes_status srt_book_alike(struct srt_book *b, uint32_t x, uint32_t y,
                             uint32_t longest, bool *alike);

/* Whether every string completes the state ("anything goes from here"). */
sortes_status srt_book_is_everything(struct srt_book *b, uint32_t state,
                                     bool *answer);

#endif /* SRT_REGEX_H */

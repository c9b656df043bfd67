/*
 * regex_check.h - regular expressions at work: open, read bytes, judge
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef REGEX_CHECK_H
#define REGEX_CHECK_H

#include "constrain/regex/decode.h"

struct regex_check {
    struct srt_book *book; /* closed */
    struct srt_decoder *decoder;
    uint32_t start; /* of the decoder; 0: nothing matches */
};

/* A book with room for what tests need. */
struct srt_book *regex_book(void);

/* x, parsed whole; fails the test if it is refused. */
srt_regex regex_parsed(struct srt_book *b, const char *pattern);

/* Closes the book and reads x from its start, over all bytes. */
void regex_begin(struct regex_check *r, struct srt_book *b, srt_regex x);
/* The same for other spellings and alphabets. */
void regex_begin_as(struct regex_check *r, struct srt_book *b, srt_regex x,
                    enum srt_spelling spelling,
                    const struct srt_alphabet *alphabet);
void regex_open(struct regex_check *r, const char *pattern);
void regex_close(struct regex_check *r);

/* Where bytes lead from a state of the decoder; 0: nowhere. */
uint32_t regex_walk(const struct regex_check *r, uint32_t state,
                    const char *bytes, size_t n);
bool regex_ends(const struct regex_check *r, uint32_t state);

/* How many bytes of a text can come, and whether it matches, by pattern. */
size_t regex_reach(const char *pattern, const char *text);
bool regex_matches(const char *pattern, const char *text);
/* The same anywhere in a text, as JSON Schema's pattern has it. */
bool regex_finds(const char *pattern, const char *text);

/* The pattern is refused at a byte, with `what` in the text. */
void regex_refused(const char *pattern, size_t offset, const char *what);

/*
 * The length of a shortest completion of a state by characters of `over`
 * (UTF-8); -1: there is none, -2: it does not fit.
 */
int regex_complete(const struct regex_check *r, uint32_t state,
                   const char *over, char *text, size_t room);

/* Fails unless both accept the same strings and die at the same places: all
 * strings of at most `length` characters of `over`. */
void regex_same(const struct regex_check *x, const struct regex_check *y,
                const char *over, int length);

#endif /* REGEX_CHECK_H */

/*
 * parse.h - what the files that read patterns share
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_PARSE_H
#define SRT_PARSE_H

#include "constrain/regex/book.h"
#include "constrain/regex/code_set.h"

enum {
    SRT_PATTERN_DEPTH = 200,   /* parentheses in one another */
    SRT_PATTERN_STRINGS = 64,  /* of a group that is referred to */
    SRT_PATTERN_COPIES = 4096, /* that all references make of a pattern */
    SRT_PATTERN_GROUPS = 100000
};

struct srt_pattern_group {
    size_t name, n_name; /* in the text; n_name 0: has none */
    bool closed;
    bool referred;
    bool in_lookbehind;
};

struct srt_pattern {
    struct srt_book *b;
    const char *text;
    size_t n, at;
    sortes_error *err;
    bool ignore_case, dot_all;
    unsigned depth;
    unsigned lookbehind;              /* of these, that are lookbehinds */
    struct srt_pattern_group *groups; /* from 1, by their parentheses */
    size_t n_groups, room;            /* in the whole text */
    size_t n_opened;
    struct srt_words closed; /* groups by the order in which they end */
    bool refers;             /* some group is referred to */
};

/* Notes what is wrong at a byte of the text; returns 0. */
uint32_t srt_pattern_fail(struct srt_pattern *p, sortes_status status,
                          size_t offset, const char *what);

SRT_INLINE bool srt_pattern_more(const struct srt_pattern *p)
{
    return p->at < p->n && !srt_book_failed(p->b);
}

/* Takes c if it is next. */
SRT_INLINE bool srt_pattern_take(struct srt_pattern *p, char c)
{
    if (p->at >= p->n || p->text[p->at] != c)
        return false;
    p->at++;
    return true;
}

SRT_INLINE bool srt_pattern_next_is(const struct srt_pattern *p, size_t ahead,
                                    char c)
{
    return p->at + ahead < p->n && p->text[p->at + ahead] == c;
}

/* The code point that is next, taken. */
uint32_t srt_pattern_code(struct srt_pattern *p);

/* parse_class.c */

/* Behind a backslash: a class, added to s (true), or one code point. */
bool srt_pattern_escape(struct srt_pattern *p, bool in_class,
                        struct srt_code_set *s, uint32_t *code);
/* Behind '[': up to and with ']'. */
void srt_pattern_class(struct srt_pattern *p, struct srt_code_set *s);
/* The source of s, which is cleared. */
uint32_t srt_pattern_set(struct srt_pattern *p, struct srt_code_set *s);

/* refer.c: x without groups and references. */
uint32_t srt_pattern_resolve(struct srt_pattern *p, uint32_t x);

#endif /* SRT_PARSE_H */

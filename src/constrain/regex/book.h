/*
 * book.h - what the files of this folder share: a book and its expressions
 *
 * Two layers.  *Sources* are what callers and the parser build: they hold
 * ranges of code points and assertions.  *Terms* are what a closed book
 * computes with: sets of classes, and assertions turned into operators by the
 * continuation they stand in front of (compile.c).  Both are hash-consed.
 *
 * What a state has to know of the past (`^`, `\b`, lookbehind) are *trackers*:
 * each is a language without assertions, and is true where the text so far
 * belongs to it.  `^` is tracker 0 (the empty text).  A term asks with
 * IF(tracker, yes, no).
 *
 * Functions that make things report through b->status: once it is not OK they
 * return 0 and change nothing that lasts, so that it is looked at once, at the
 * end of a public call.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_BOOK_H
#define SRT_BOOK_H

#include "constrain/clock.h"
#include "constrain/pool.h"
#include "constrain/regex/regex.h"

#include <string.h>

#define SRT_INFINITY     UINT32_MAX
#define SRT_CODE_MAX     0x10FFFFu
#define SRT_NO_CUT       UINT32_MAX
#define SRT_NEXT_UNKNOWN UINT32_MAX

enum {
    SRT_MAX_TRACKERS = 64,
    SRT_TRACK_START = 0,
    SRT_SOURCE_DEPTH = 1000, /* of sources; bounds every recursion */
    SRT_FACTOR_DEPTH = 64,   /* levels that alternatives are merged at once */
    SRT_ASSERTED_REPEAT = 1000, /* copies of a repeated body with assertions */
    SRT_DERIVE_SLOTS = 4096,
    SRT_BOOK_WORK = 1 << 23 /* words and pairs that one call may push */
};

/* ---- sources ------------------------------------------------------------- */

/* Key: uint32_t kind, then what stands behind it. */
enum srt_source_kind {
    SRT_S_EMPTY,  /* the empty string */
    SRT_S_SET,    /* number in sets */
    SRT_S_STRING, /* code points */
    SRT_S_CAT,    /* sources */
    SRT_S_OR,     /* sources, sorted */
    SRT_S_AND,    /* sources, sorted */
    SRT_S_NOT,    /* source */
    SRT_S_REPEAT, /* source, min, max */
    SRT_S_AHEAD,  /* source, negated */
    SRT_S_BEHIND, /* tracker, negated */
    SRT_S_END,    /* nothing may follow */
    SRT_S_GROUP,  /* number, source: only until references are resolved */
    SRT_S_REFER   /* number, ignoring case: as above */
};

struct srt_source_info {
    uint64_t uses; /* trackers */
    uint32_t term; /* without continuation, plus 1; 0: not known */
    uint16_t depth;
    bool asserts; /* holds an assertion */
    bool no_width;
};

/* ---- terms --------------------------------------------------------------- */

enum srt_term_kind {
    SRT_T_EMPTY,
    SRT_T_SET,    /* number in class_sets */
    SRT_T_CAT,    /* x, y; x is no CAT */
    SRT_T_OR,     /* terms, sorted */
    SRT_T_AND,    /* terms, sorted */
    SRT_T_NOT,    /* x */
    SRT_T_REPEAT, /* x, min, max; x holds no IF and no LOOP */
    SRT_T_IF,     /* tracker, yes, no */
    SRT_T_LOOP    /* source, continuation: least X = continuation | body(X) */
};

struct srt_term_info {
    uint64_t uses;       /* trackers that some IF inside asks for */
    uint64_t head;       /* those that matter before a character is read */
    uint32_t min, max;   /* bounds of the length of what matches */
    uint32_t meaning;    /* of a LOOP: X as a term */
    uint32_t stamp;      /* of the last walk that was here */
    uint64_t asked_bits; /* where it is not: the last question and answer */
    bool asked, answer;
    bool nullable; /* exact if head is 0; else it may be */
    bool plain;    /* sets, CAT, OR, REPEAT alone: matches something */
};

/* ---- states -------------------------------------------------------------- */

enum srt_liveness { SRT_LIFE_UNKNOWN, SRT_LIFE_DEAD, SRT_LIFE_ALIVE };

/* Key: term, then the residual of each tracker that the term uses. */
struct srt_state_info {
    uint64_t bits;  /* trackers that are true here */
    uint32_t *next; /* by class; NULL: none known */
    uint32_t mark;  /* its place in the search that is running */
    uint8_t accepts;
    uint8_t life;
    uint8_t goes_on; /* bits of lengths.c */
    uint8_t reserved;
};

struct srt_tracker {
    uint32_t source;
    uint32_t term;  /* of the closed book */
    bool last_only; /* .*S: only the last character matters */
};

/* A stack of words that functions leave as they found it. */
struct srt_words {
    uint32_t *at;
    size_t n, room;
};

/* What was found out lately: srt_book_lengths. */
enum { SRT_BOOK_KNOWN = 64 };
struct srt_known_lengths {
    uint32_t state, shortest, longest;
    bool interval;
};

struct srt_book {
    sortes_status status;
    uint32_t work; /* left to the call that is running */
    struct srt_regex_limits limits;
    struct srt_timer timer; /* of that call */

    struct srt_pool sets;    /* key: ranges */
    struct srt_pool sources; /* srt_source_info */
    struct srt_tracker trackers[SRT_MAX_TRACKERS];
    uint32_t n_trackers;

    bool closed;
    struct srt_book_segment *segments;
    size_t n_segments;
    uint32_t n_classes; /* the last one: missing */
    uint32_t n_class_words;
    uint32_t ascii[128]; /* classes */

    struct srt_pool class_sets; /* key: bits of classes */
    struct srt_pool terms;      /* srt_term_info */
    /* Key: source, continuation; or term, tracker, answer.  Payload: term + 1.
     */
    struct srt_pool compiled;
    uint32_t empty, everything; /* terms */
    struct srt_words words;
    struct srt_pairs {
        uint64_t *at;
        size_t n, room;
    } pairs;
    uint32_t depth; /* of alternatives being merged */
    uint32_t stamp;

    /* LOOPs being derived; the lowest one that a derivative stopped at. */
    struct srt_words loops;
    uint32_t cut;
    struct srt_derived {
        uint32_t term, class_of, to; /* term 0: empty slot */
        uint64_t bits;               /* the trackers in the term's head */
    } * derived;
    uint64_t *equal_classes; /* scratch, n_class_words */

    struct srt_pool states;                         /* srt_state_info */
    struct srt_known_lengths known[SRT_BOOK_KNOWN]; /* by state */
};

SRT_INLINE bool srt_book_failed(const struct srt_book *b)
{
    return b->status != SORTES_OK;
}

/* Begins a public call. */
void srt_book_begin(struct srt_book *b);

/* Notes a failure, unless there is one already; returns 0. */
uint32_t srt_book_fail(struct srt_book *b, sortes_status status);

/* n ranges of a set of sources. */
SRT_INLINE const uint32_t (*srt_set_ranges(const struct srt_book *b,
                                           uint32_t set, size_t *n))[2]
{
    const void *key = srt_pool_key(&b->sets, set, n);
    const uint32_t(*ranges)[2];

    *n /= sizeof(*ranges);
    memcpy(&ranges, &key, sizeof(ranges)); /* C11: const is the element's */
    return ranges;
}

SRT_INLINE const uint32_t *srt_source(const struct srt_book *b, uint32_t x,
                                      size_t *n)
{
    size_t n_bytes;
    const uint32_t *key = srt_pool_key(&b->sources, x, &n_bytes);

    if (n)
        *n = n_bytes / sizeof(*key);
    return key;
}

SRT_INLINE struct srt_source_info *srt_source_info(const struct srt_book *b,
                                                   uint32_t x)
{
    return srt_pool_payload(&b->sources, x);
}

SRT_INLINE const uint32_t *srt_term(const struct srt_book *b, uint32_t x,
                                    size_t *n)
{
    size_t n_bytes;
    const uint32_t *key = srt_pool_key(&b->terms, x, &n_bytes);

    if (n)
        *n = n_bytes / sizeof(*key);
    return key;
}

SRT_INLINE struct srt_term_info *srt_term_info(const struct srt_book *b,
                                               uint32_t x)
{
    return srt_pool_payload(&b->terms, x);
}

SRT_INLINE struct srt_state_info *srt_state_info(const struct srt_book *b,
                                                 uint32_t x)
{
    return srt_pool_payload(&b->states, x);
}

/* words.c: the stacks, and sorting. */
void srt_words_push(struct srt_book *b, struct srt_words *w, uint32_t word);
void srt_pairs_push(struct srt_book *b, uint64_t pair);
bool srt_words_find(const uint32_t *sorted, size_t n, uint32_t word,
                    size_t *at);
size_t srt_words_unique(uint32_t *at, size_t n); /* sorts; how many are left */
void srt_sort_pairs(uint64_t *at, size_t n);

/* source.c: sources; x and y of 0 match nothing. */
uint32_t srt_source_make(struct srt_book *b, const uint32_t *key, size_t n);
uint32_t srt_source_empty(struct srt_book *b);
uint32_t srt_source_set(struct srt_book *b, const uint32_t (*ranges)[2],
                        size_t n);
uint32_t srt_source_cat(struct srt_book *b, const uint32_t *x, size_t n);
uint32_t srt_source_or(struct srt_book *b, const uint32_t *x, size_t n);
/* The same of b->words.at[from ..], which they take off. */
uint32_t srt_source_cat_words(struct srt_book *b, size_t from);
uint32_t srt_source_or_words(struct srt_book *b, size_t from);
uint32_t srt_source_and(struct srt_book *b, const uint32_t *x, size_t n);
uint32_t srt_source_not(struct srt_book *b, uint32_t x);
uint32_t srt_source_repeat(struct srt_book *b, uint32_t x, uint32_t min,
                           uint32_t max);
uint32_t srt_source_ahead(struct srt_book *b, uint32_t x, bool negated);
uint32_t srt_source_behind(struct srt_book *b, uint32_t tracker, bool negated);
uint32_t srt_source_end(struct srt_book *b);
uint32_t srt_source_anything(struct srt_book *b);
/* The tracker of "a text that ends in x"; x holds no assertion. */
uint32_t srt_source_tracker(struct srt_book *b, uint32_t x);

/* term.c, boolean.c: terms, simplified. */
uint32_t srt_term_intern(struct srt_book *b, const uint32_t *key, size_t n,
                         const struct srt_term_info *info);
uint32_t srt_term_set(struct srt_book *b, const uint64_t *bits);
uint32_t srt_term_cat(struct srt_book *b, uint32_t x, uint32_t y);
uint32_t srt_term_repeat(struct srt_book *b, uint32_t x, uint32_t min,
                         uint32_t max);
uint32_t srt_term_not(struct srt_book *b, uint32_t x);
uint32_t srt_term_if(struct srt_book *b, uint32_t tracker, uint32_t yes,
                     uint32_t no);
/* Of b->words.at[from ..], which they take off. */
uint32_t srt_term_or(struct srt_book *b, size_t from);
uint32_t srt_term_and(struct srt_book *b, size_t from);
uint32_t srt_term_or2(struct srt_book *b, uint32_t x, uint32_t y);
uint32_t srt_term_and2(struct srt_book *b, uint32_t x, uint32_t y);
/* factor.c: merges what alternatives have in common, in place. */
void srt_term_factor(struct srt_book *b, size_t from);
/* Bits of the classes of a SET. */
const uint64_t *srt_term_classes(const struct srt_book *b, uint32_t x);
SRT_INLINE enum srt_term_kind srt_term_kind(const struct srt_book *b,
                                            uint32_t x)
{
    return (enum srt_term_kind)srt_term(b, x, NULL)[0];
}
SRT_INLINE bool srt_term_has(const struct srt_book *b, uint32_t set,
                             uint32_t class_)
{
    return srt_term_classes(b, set)[class_ >> 6] >> (class_ & 63) & 1;
}

/* partition.c: the term of the classes in ranges. */
uint32_t srt_book_class_set(struct srt_book *b, const uint32_t (*ranges)[2],
                            size_t n);

/* compile.c: the term of x followed by next. */
uint32_t srt_compile(struct srt_book *b, uint32_t x, uint32_t next);

/* derive.c; bits: the trackers that are true. */
bool srt_term_nullable(const struct srt_book *b, uint32_t x, uint64_t bits);
uint32_t srt_term_derive(struct srt_book *b, uint32_t x, uint32_t class_,
                         uint64_t bits);
/* Takes from equal[] the classes that x may tell from class_. */
void srt_term_tell_apart(struct srt_book *b, uint32_t x, uint32_t class_,
                         uint64_t *equal);
/* x where tracker is known for good. */
uint32_t srt_term_settle(struct srt_book *b, uint32_t x, uint32_t tracker,
                         bool answer);

/* state.c; 0: dead without a search. */
uint32_t srt_state_make(struct srt_book *b, uint32_t term,
                        const uint32_t *residuals);
/* The residuals of all trackers at a state, those it does not use 0. */
void srt_state_residuals(const struct srt_book *b, uint32_t state,
                         uint32_t residuals[SRT_MAX_TRACKERS]);
/* Where class_ leads, dead or alive (0: dead). */
uint32_t srt_state_next(struct srt_book *b, uint32_t state, uint32_t class_);

/* live.c */
bool srt_state_alive(struct srt_book *b, uint32_t state);

#endif /* SRT_BOOK_H */

/*
 * matcher.h - the inside of a matcher
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_MATCHER_H
#define SRT_MATCHER_H

#include "constrain/grammar.h"
#include "constrain/mask.h"
#include "constrain/trace.h"

/* Bytes that a matcher waits for or begins with; clones share it. */
struct srt_marker {
    struct srt_shared shared; /* first */
    size_t n;
    uint8_t *bytes;
    uint32_t *fall; /* KMP: the length to go on from after a mismatch */
    /* Tokens with bytes behind a closing tag that may end in them. */
    int32_t *crossing;
    size_t n_crossing;
};

/* A word, and where in it the grammar begins. */
struct srt_trigger_word {
    uint8_t *bytes;
    size_t n, start;
};

/* What wakes a matcher; clones share it. */
struct srt_triggers {
    struct srt_shared shared; /* first */
    struct srt_trigger_word *words;
    size_t n_words, longest;
    int32_t *tokens;
    size_t n_tokens;
    /* Tokens in which a word may end. */
    int32_t *crossing;
    size_t n_crossing;
};

struct sortes_matcher {
    sortes_grammar *grammar;
    struct srt_cursor cursor;
    struct srt_place start, place; /* place.trail is the trace's, or NULL */
    struct srt_trace trace;
    struct srt_marker *prefix;     /* heals; NULL: none */
    struct srt_marker *close;      /* ends the thinking; NULL: none */
    struct srt_triggers *triggers; /* wake it; NULL: none */
    bool memo;
    uint32_t *states; /* of a path; room for n_states */
    size_t n_states;
    uint32_t *words; /* work space for a list; NULL until one is asked for */
};

/* What comes: a token with its bytes, or bytes alone. */
struct srt_word {
    int32_t token; /* -1: bytes alone */
    const uint8_t *bytes;
    size_t n;
};

/*
 * Where a word leads from a place: *next, whose trail is the caller's; dry:
 * only the status is wanted.  SORTES_E_NO_TOKEN: nowhere; *n_ok of its bytes
 * could come.
 */
sortes_status srt_matcher_follow(sortes_matcher *m,
                                 const struct srt_place *from,
                                 const struct srt_word *word, bool dry,
                                 struct srt_place *next, size_t *n_ok);

/* ---- before the text: matcher_start.c ------------------------------------ */

/* Takes what bytes belong to the thinking or to the prefix; *used of them. */
sortes_status srt_matcher_before(const sortes_matcher *m,
                                 struct srt_place *place,
                                 const struct srt_word *word, size_t *used);
sortes_status srt_matcher_mask_before(sortes_matcher *m, uint32_t *words);

/* Sets every token, but those of a list that the matcher does not allow. */
sortes_status srt_matcher_mask_but(sortes_matcher *m, const int32_t *tokens,
                                   size_t n_tokens, uint32_t *words);

/* ---- asleep: matcher_trigger.c ------------------------------------------- */

/* srt_matcher_follow from a place that is asleep. */
sortes_status srt_trigger_follow(sortes_matcher *m,
                                 const struct srt_place *from,
                                 const struct srt_word *word,
                                 struct srt_place *next, size_t *n_ok);
sortes_status srt_trigger_mask(sortes_matcher *m, uint32_t *words);
bool srt_trigger_wants_mask(sortes_matcher *m);

#endif /* SRT_MATCHER_H */

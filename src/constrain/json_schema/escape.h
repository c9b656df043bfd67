/*
 * escape.h - the search for a way that repeats nothing: what escape.c,
 * escape_text.c and escape_number.c share
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_JS_ESCAPE_H
#define SRT_JS_ESCAPE_H

#include "constrain/json/rivals.h"
#include "constrain/json_schema/trail.h"

struct srt_escape {
    struct srt_js *js;
    uint32_t level, steps;
    sortes_status status;
};

/* Where a search has come to. */
struct srt_escape_place {
    uint32_t state;
    struct srt_key_walk walk;
};

/* Notes a failure; false. */
bool srt_escape_fail(struct srt_escape *e, sortes_status status);
bool srt_escape_copy(struct srt_escape *e, struct srt_escape_place *to,
                     const struct srt_escape_place *from);
/* Moves on; false: the bytes lead nowhere, or repeat. */
bool srt_escape_go(struct srt_escape *e, struct srt_escape_place *at,
                   const char *bytes, size_t n);
/* Whether the text escapes from a place. */
bool srt_escape_from(struct srt_escape *e, const struct srt_escape_place *at);
/* Whether it does behind these bytes. */
bool srt_escape_try(struct srt_escape *e, const struct srt_escape_place *from,
                    const char *bytes, size_t n);
/* Whether it does from a key or string. */
bool srt_escape_text(struct srt_escape *e, const struct srt_escape_place *at,
                     const struct srt_rivals *list);
/* Whether it does from a number, of which so much is typed. */
bool srt_escape_number(struct srt_escape *e, const struct srt_escape_place *at,
                       uint32_t plan, const char *typed, size_t n_typed,
                       const struct srt_rivals *list);

#endif /* SRT_JS_ESCAPE_H */

/*
 * trail.h - what must not repeat: what trail.c, escape.c and leave.c share
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_JS_TRAIL_H
#define SRT_JS_TRAIL_H

#include "constrain/json/keys.h"
#include "constrain/json_schema/frame.h"

/* ---- trail.c */
unsigned srt_js_trail_event(const struct srt_js *js, uint32_t from,
                            uint32_t to);

/* ---- escape.c: whether a text can be completed, given what has come.  The
 * machine's lock is held. */
sortes_status srt_js_escape(struct srt_js *js, uint32_t state,
                            const struct srt_key_walk *w,
                            enum srt_key_verdict *verdict);
/* keys.h: near; of a key or string nothing is where no repetition begins with
 * what is typed.  Any thread. */
sortes_status srt_escape_near(struct srt_js *js, uint32_t state,
                              const struct srt_key_walk *w,
                              struct srt_alphabet *bytes);
/* Whether an object in a place of that depth is known to have another key,
 * whichever n_keys have come.  Any thread. */
bool srt_escape_keys_last(const struct srt_js *js, uint32_t object,
                          uint32_t depth, uint32_t n_keys);

/* ---- leave.c: values beside a few */
struct srt_leave_text {
    const char *text; /* UTF-8 */
    size_t n;
};
/* Whether some string completes the reader's state that is none of these, which
 * are sorted in place.  keyed: of a key's, else 0. */
bool srt_leave_texts(struct srt_js *js, struct srt_unit *u, uint32_t reader,
                     uint32_t keyed, struct srt_leave_text *texts, size_t n);

#endif /* SRT_JS_TRAIL_H */

/*
 * text.h - strings: what text.c, text_ahead.c, text_left.c, plan.c and unit.c
 * share
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_JS_TEXT_H
#define SRT_JS_TEXT_H

#include "constrain/json_schema/frame.h"

enum { SRT_TEXT_LANES = 64 };

/* A state: plan, owner, trie node, count, then a book's state a lane. */
struct srt_text_state {
    uint32_t plan, owner, node, count;
    uint32_t lane[SRT_TEXT_LANES];
};

void srt_text_load(const struct srt_unit *u, uint32_t state,
                   struct srt_text_state *s);
uint32_t srt_text_intern(struct srt_unit *u, const struct srt_text_state *s);

struct srt_text_plan *srt_text_at(const struct srt_js *js, uint32_t plan);

/* Whether anything completes a lane; *endless (NULL: not wanted): strings
 * without number do. */
bool srt_text_lane_alive(struct srt_unit *u, const struct srt_lane *lane,
                         uint32_t state, uint32_t count, bool *endless);

/* Whether a lane takes any string, whatever its length. */
bool srt_text_takes_any(const struct srt_text_plan *p,
                        const struct srt_text_state *s);
uint32_t srt_text_lane_step(struct srt_unit *u, uint32_t state,
                            uint32_t class_);
/* The count after one more character. */
uint32_t srt_text_count(const struct srt_text_plan *p, uint32_t count);

/* ---- text_left.c --------------------------------------------------------- */

/* What is left of the lanes at a state of the reader.  Any thread. */
enum srt_text_lanes {
    SRT_LANES_NONE,    /* strings of the trie alone */
    SRT_LANES_REGULAR, /* some regular language */
    SRT_LANES_ANYTHING /* among them any string, however long */
};
enum srt_text_lanes srt_text_lanes(const struct srt_js *js,
                                   const struct srt_unit *u, uint32_t state);
/* Whether strings without number complete a state. */
bool srt_text_is_endless(struct srt_js *js, struct srt_unit *u, uint32_t state);
/* At least so many strings of the lanes do, up to some thousand; UINT32_MAX:
 * without number.  What is known of that, on any thread: 0, if nothing is. */
uint32_t srt_text_at_least(struct srt_js *js, struct srt_unit *u,
                           uint32_t state);
uint32_t srt_text_known_at_least(const struct srt_unit *u, uint32_t state);
/* How many strings complete a state of the book, at most `most`; once *steps
 * are taken, at least so many. */
uint32_t srt_unit_count(struct srt_js *js, struct srt_unit *u, uint32_t state,
                        uint32_t most, uint32_t *steps);
/* Whether they do wherever the state leads, as far as its lanes go.  Any
 * thread; the lock is taken. */
bool srt_text_goes_on(struct srt_js *js, const struct srt_unit *u,
                      uint32_t state);

/* ---- plan.c and unit.c --------------------------------------------------- */

/* The class of one character. */
uint32_t srt_unit_class(const struct srt_unit *u, const char *text, size_t n);
/* How many characters each class has; NULL: failed. */
const uint32_t *srt_unit_class_sizes(struct srt_js *js, struct srt_unit *u);
/* Classes of a name's characters; NULL: only their number. */
size_t srt_unit_classes(struct srt_unit *u, uint32_t name, uint32_t *classes);
bool srt_text_is_member(const struct srt_js *js, uint32_t number,
                        uint32_t name);

#endif /* SRT_JS_TEXT_H */

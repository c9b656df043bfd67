/*
 * text.h - strings: what text.c, plan.c and unit.c share
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

/* What is left of the lanes at a state of the reader.  Any thread. */
enum srt_text_lanes {
    SRT_LANES_NONE,    /* strings of the trie alone */
    SRT_LANES_REGULAR, /* some regular language */
    SRT_LANES_ANYTHING /* among them any string, however long */
};
enum srt_text_lanes srt_text_lanes(const struct srt_js *js,
                                   const struct srt_unit *u, uint32_t state);
/* Whether strings without number complete a state; "known": whether somebody
 * has found that out already, on any thread. */
bool srt_text_is_endless(struct srt_js *js, struct srt_unit *u, uint32_t state);
bool srt_text_known_endless(const struct srt_unit *u, uint32_t state);

/* The class of one character. */
uint32_t srt_unit_class(const struct srt_unit *u, const char *text, size_t n);
/* How many characters each class has; NULL: failed. */
const uint32_t *srt_unit_class_sizes(struct srt_js *js, struct srt_unit *u);
/* Classes of a name's characters; NULL: only their number. */
size_t srt_unit_classes(struct srt_unit *u, uint32_t name, uint32_t *classes);
bool srt_text_is_member(const struct srt_js *js, uint32_t number,
                        uint32_t name);

#endif /* SRT_JS_TEXT_H */

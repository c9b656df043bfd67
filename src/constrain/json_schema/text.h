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

/* Classes of a name's characters; NULL: only their number. */
size_t srt_unit_classes(struct srt_unit *u, uint32_t name, uint32_t *classes);
bool srt_text_is_member(const struct srt_js *js, uint32_t number,
                        uint32_t name);

#endif /* SRT_JS_TEXT_H */

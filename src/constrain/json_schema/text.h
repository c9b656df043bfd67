/*
 * text.h - strings: what text.c, plan.c and unit.c share
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_JS_TEXT_H
#define SRT_JS_TEXT_H

#include "constrain/json_schema/frame.h"

struct srt_text_plan *srt_text_at(const struct srt_js *js, uint32_t plan);

/* Classes of a name's characters; NULL: only their number. */
size_t srt_unit_classes(struct srt_unit *u, uint32_t name, uint32_t *classes);
uint32_t srt_trie_child(const struct srt_trie *t, uint32_t node,
                        uint32_t class_);
bool srt_text_is_member(const struct srt_js *js, uint32_t number,
                        uint32_t name);

#endif /* SRT_JS_TEXT_H */

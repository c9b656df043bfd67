/*
 * count.h - how many values there are, up to as many as anyone needs
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_JS_COUNT_H
#define SRT_JS_COUNT_H

#include "constrain/json_schema/frame.h"

/* Each: as many as there are, at most `most`. */

/* Values that satisfy a duty and take up to depth levels. */
uint64_t srt_count_values(struct srt_js *js, srt_dd duty, uint32_t depth,
                          uint64_t most);
/* Strings that complete the reader's state. */
uint64_t srt_count_texts(struct srt_js *js, struct srt_unit *u, uint32_t state,
                         uint64_t most);
/* Keys of a cell. */
uint64_t srt_count_cell(struct srt_js *js, const struct srt_object_table *t,
                        uint32_t cell, uint64_t most);

#endif /* SRT_JS_COUNT_H */

/*
 * trie.h - strings with outcomes, as a tree over classes of characters
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_JS_TRIE_H
#define SRT_JS_TRIE_H

#include "constrain/json_schema/frame.h"

/* A name of the schema, with its outcome. */
struct srt_trie_string {
    uint32_t name, outcome;
};

/* Of equal strings one counts.  false: failed. */
bool srt_trie_make(struct srt_js *js, struct srt_unit *u, struct srt_trie *t,
                   const struct srt_trie_string *string, uint32_t n);

uint32_t srt_trie_child(const struct srt_trie *t, uint32_t node,
                        uint32_t class_);

#endif /* SRT_JS_TRIE_H */

/*
 * names.h - the tokens of names that alone may come in a key
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_JS_NAMES_H
#define SRT_JS_NAMES_H

#include "constrain/json_schema/text.h"
#include "constrain/tree.h"

/* machine.h: is_named, names */
bool srt_js_is_named(const struct srt_machine *m, uint32_t state);
sortes_status srt_js_names(struct srt_machine *m, uint32_t state,
                           const struct srt_tree_nodes *all, uint32_t from,
                           uint32_t end, struct srt_named *to);

#endif /* SRT_JS_NAMES_H */

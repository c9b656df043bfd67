/*
 * unevaluated.h - unevaluatedProperties and unevaluatedItems
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_UNEVALUATED_H
#define SRT_UNEVALUATED_H

#include "constrain/json_schema/frame.h"

/* The rule of `node`, of which what is left satisfies node `rest`. */
srt_dd srt_unevaluated_props(struct srt_js *js, uint32_t node, uint32_t scope,
                             uint32_t rest);
srt_dd srt_unevaluated_items(struct srt_js *js, uint32_t node, uint32_t scope,
                             uint32_t rest);

/* What evaluates keys or items already. */
struct srt_cover {
    uint32_t rest;        /* the node for what is left */
    uint32_t n_prefix;    /* items before this one */
    const uint32_t *part; /* props; nodes that `contains` looks for */
    uint32_t n_parts;
};

void srt_cover_read(const struct srt_js *js, uint32_t cover,
                    struct srt_cover *to);

#endif /* SRT_UNEVALUATED_H */

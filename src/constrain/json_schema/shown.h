/*
 * shown.h - the names that a schema shows in place, and its choices
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_SHOWN_H
#define SRT_SHOWN_H

#include "constrain/json_schema/frame.h"

/* A part of a rule: nodes that apply together; 0: none. */
struct srt_part {
    uint32_t node[2];
    bool all; /* everything that node[0] shows, whatever holds */
};

/* Part i of a rule; false: there are fewer. */
bool srt_part(const struct srt_js *js, const struct srt_schema_rule *r,
              uint32_t scope, uint32_t i, struct srt_part *p);

/* One of its parts counts, not all. */
bool srt_part_chooses(const struct srt_schema_rule *r);

/* What a node shows in place, in its order, appended: properties, and names
 * that `required` and the like have. */
struct srt_shown {
    struct srt_ids props, names;
};
bool srt_shown_by(struct srt_js *js, uint32_t node, uint32_t scope,
                  struct srt_shown *shown);
void srt_shown_free(struct srt_shown *shown);

enum {
    SRT_CHOICES = 64, /* documented */
    SRT_CHAIN = 1000  /* properties in a row */
};

/* Properties in a row, where a condition holds. */
struct srt_choice {
    uint32_t chain; /* 0: none */
    srt_dd when;
};

struct srt_choices {
    struct srt_choice at[SRT_CHOICES];
    uint32_t n;
    bool many; /* more than there is room for */
};

/* The choices of a node, remembered. */
const struct srt_choices *srt_choices_of(struct srt_js *js, uint32_t node,
                                         uint32_t scope);
/* First one, then the other; in place. */
void srt_choices_then(struct srt_js *js, struct srt_choices *first,
                      const struct srt_choices *second);
/* The properties of a chain, the last one first; how many. */
uint32_t srt_choice_props(const struct srt_js *js, uint32_t chain,
                          uint32_t props[SRT_CHAIN]);

#endif /* SRT_SHOWN_H */

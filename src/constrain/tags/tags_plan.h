/*
 * tags_plan.h - an automaton of places over one alphabet: what a machine walks
 *
 * What no text over the alphabet passes is left out.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_TAGS_PLAN_H
#define SRT_TAGS_PLAN_H

#include "constrain/tags/tags.h"

/* A place, and where its program stands in its text (0: it has none). */
struct srt_tags_item {
    uint32_t place, state;
};

struct srt_tags_step {
    uint8_t first, last;
    uint32_t to; /* a place whose entry is wanted */
};

struct srt_tags_run {
    uint32_t first, n;
};

struct srt_tags_plan {
    const struct srt_tags *tags;   /* outlives the plan */
    struct srt_machine **machines; /* by sub; NULL: no text of it can be */
    size_t n_machines;
    bool *alive;   /* places with a way to the end */
    uint32_t *far; /* bytes at least, by place, before a program with a trail
                      reads its first; UINT32_MAX: none can be reached */
    struct srt_tags_step *steps; /* by place */
    struct srt_tags_run *of_place;
    /* Where one stands who comes to a place, by place: those with steps, a
     * program, or the end. */
    struct srt_tags_item *items;
    struct srt_tags_run *entry;
};

/* alphabet, v: language.h's build. */
sortes_status srt_tags_plan_make(struct srt_tags_plan *plan,
                                 const struct srt_tags *t,
                                 const struct srt_alphabet *alphabet,
                                 const sortes_vocab *v, sortes_error *err);
void srt_tags_plan_clear(struct srt_tags_plan *plan);

/* Whether some byte may follow; the caller has the machine to itself. */
sortes_status srt_tags_goes_on(struct srt_machine *m, uint32_t state,
                               bool *goes_on);

#endif /* SRT_TAGS_PLAN_H */

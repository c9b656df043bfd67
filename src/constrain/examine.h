/*
 * examine.h - a look at what somebody wrote: sortes_grammar_examine
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_EXAMINE_H
#define SRT_EXAMINE_H

#include "json/json.h"

struct srt_examine {
    const char *text;
    void (*each)(void *ctx, const sortes_finding *finding);
    void *ctx;
};

/* Tells a finding at v. */
void srt_examine_tell(const struct srt_examine *x, const struct srt_json *v,
                      sortes_finding finding);

/* examine_schema.c: what in a schema is seldom meant. */
void srt_examine_schema(const struct srt_examine *x,
                        const struct srt_json *schema);

#endif /* SRT_EXAMINE_H */

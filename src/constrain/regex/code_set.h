/*
 * code_set.h - sets of code points, as ranges
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_CODE_SET_H
#define SRT_CODE_SET_H

#include "status.h"

#include <stdbool.h>

/* All zeros: the empty set.  Sorted and apart after srt_code_set_tidy(). */
struct srt_code_set {
    uint32_t (*ranges)[2];
    size_t n, room;
    bool failed; /* no memory: the set is not to be used */
};

void srt_code_set_clear(struct srt_code_set *s); /* frees */
void srt_code_set_add(struct srt_code_set *s, uint32_t first, uint32_t last);
void srt_code_set_add_all(struct srt_code_set *s, const uint32_t (*ranges)[2],
                          size_t n);
void srt_code_set_tidy(struct srt_code_set *s);
/* All other code points instead; tidies. */
void srt_code_set_invert(struct srt_code_set *s);
/* Adds what differs from a member by case alone (simple folding); tidies. */
void srt_code_set_fold(struct srt_code_set *s);

/* `\d`, `\w`, `\s` or `.`, by its letter. */
void srt_code_set_add_class(struct srt_code_set *s, char name);

/*
 * \p{name} or \p{name=value} of ECMAScript, by the Unicode Character Database.
 * false: there is none of that name.
 */
bool srt_code_set_add_property(struct srt_code_set *s, const char *name,
                               size_t n_name, const char *value,
                               size_t n_value);

/* The version of Unicode that properties and folding are taken from. */
const char *srt_unicode_version(void);

#endif /* SRT_CODE_SET_H */

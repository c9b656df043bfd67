/*
 * tags_made.h - automata of tags with programs in them, made in a test
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_TAGS_MADE_H
#define SUPPORT_TAGS_MADE_H

#include "constrain/tags/tags.h"

/* What stands behind a place: a string, or the whole text of a grammar. */
struct tags_part {
    const char *kind; /* NULL: the string */
    const char *text;
};

/*
 * Sequences of parts, one of which the text is: parts[i][0 ..] ends with a
 * part that has neither kind nor text.  star: any number of them in a row.
 */
enum { TAGS_PARTS = 6 };

struct srt_tags *tags_made(const struct tags_part (*parts)[TAGS_PARTS],
                           size_t n, bool star);

/* Its machine over all bytes; v NULL: bytes alone. */
struct srt_machine *tags_machine_of(struct srt_tags *t, const sortes_vocab *v);

/* Writes the states that bytes pass; how many bytes could come. */
size_t tags_pass(struct srt_machine *m, const char *bytes, size_t n,
                 uint32_t *states);

#endif /* SUPPORT_TAGS_MADE_H */

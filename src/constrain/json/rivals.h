/*
 * rivals.h - items that have come, and that the one being written may still
 * become
 *
 * Wherever items must differ, each item that is complete is a rival of the next
 * one, until the two part: another kind, another key, another value.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_RIVALS_H
#define SRT_RIVALS_H

#include "constrain/json/keys.h"

struct srt_rival {
    const char *inside; /* the container, of it, that is being written; NULL:
                           the item itself has not begun */
    const char *next;   /* its next value there; NULL: it has none, or a key
                           comes first */
};

/* Begins zeroed; the first ones need no memory, so it is not to be copied. */
struct srt_rivals {
    struct srt_rival *at;
    size_t n, room;
    struct srt_rival space[8];
};
void srt_rivals_free(struct srt_rivals *list);

/* Whether there are any.  begins: another value comes next, as after a comma.
 */
bool srt_rivals_any(const struct srt_key_node *top, bool begins,
                    sortes_status *status);
sortes_status srt_rivals_find(const struct srt_key_node *top, bool begins,
                              struct srt_rivals *list);

#endif /* SRT_RIVALS_H */

/*
 * guarded.h - memory between two pages that nobody may touch
 *
 * What reads or writes one byte too far crashes the test instead of passing
 * unseen.  Arrays are put against the upper page, or against the lower one.
 * Where there is no mmap(), the memory is ordinary.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_GUARDED_H
#define SUPPORT_GUARDED_H

#include <stddef.h>

struct guarded {
    unsigned char *start, *end; /* between the two pages */
    void *map;
    size_t n_map;
};

/* At least n bytes; fails the test where there is no memory. */
void guarded_open(struct guarded *g, size_t n);
void guarded_close(struct guarded *g);

/* An array of n bytes whose end is the upper page; at most the n opened. */
void *guarded_at_end(const struct guarded *g, size_t n);

#endif /* SUPPORT_GUARDED_H */

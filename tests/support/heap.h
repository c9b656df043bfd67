/*
 * heap.h - an allocator that counts, and fails when it is told to
 *
 * malloc() and its kin are defined in heap.c, over glibc's own names for them.
 * Elsewhere, and under a sanitizer that replaces them itself, heap_is_ours()
 * says that nothing is counted.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HEAP_H
#define HEAP_H

#include <stdbool.h>
#include <stddef.h>

extern struct heap {
    bool armed;     /* count, and fail */
    size_t calls;   /* while armed, of all four functions */
    size_t n;       /* allocations asked for while armed */
    size_t fail_at; /* which of them fails, from 1; 0: none */
    bool go_on;     /* and all after it */
    size_t failed;
    long live; /* blocks in existence, armed or not */
} heap;

bool heap_is_ours(void);

/* From here on the fail_at-th allocation fails, and with go_on all after it. */
void heap_arm(size_t fail_at, bool go_on);
void heap_disarm(void);

#endif /* HEAP_H */

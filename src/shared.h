/*
 * shared.h - immutable objects that several holders share
 *
 * The first member of such an object.  Counting is atomic: holders may be on
 * different threads.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SRT_SHARED_H
#define SRT_SHARED_H

#include "compiler.h"

#include <stdatomic.h>
#include <stdbool.h>

struct srt_shared {
    atomic_size_t holders;
    void (*destroy)(struct srt_shared *object); /* by the last holder */
    struct srt_shared *next;                    /* in an srt_shared_list */
};

/* With one holder, the caller. */
void srt_shared_init(struct srt_shared *object,
                     void (*destroy)(struct srt_shared *object));
void srt_shared_retain(struct srt_shared *object);
void srt_shared_release(struct srt_shared *object);

/*
 * Objects found by what they were made from.  The list holds each once, until
 * it is cleared.  Any thread; the lock is held only while the list is walked.
 */
struct srt_shared_list {
    atomic_flag lock; /* ATOMIC_FLAG_INIT */
    struct srt_shared *first;
};

typedef bool srt_shared_match(const struct srt_shared *object, const void *key);

/* Retained for the caller; NULL: none matches. */
struct srt_shared *srt_shared_find(struct srt_shared_list *list,
                                   srt_shared_match *match, const void *key);

/*
 * Adds object, which is the caller's, unless another thread has added one for
 * the same key meanwhile: that one is returned then, and object released.
 */
struct srt_shared *srt_shared_add(struct srt_shared_list *list,
                                  struct srt_shared *object,
                                  srt_shared_match *match, const void *key);
void srt_shared_clear(struct srt_shared_list *list);

#endif /* SRT_SHARED_H */

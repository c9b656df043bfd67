/*
 * shared.c - immutable objects that several holders share
 *
 * SPDX-License-Identifier: MIT
 */
#include "shared.h"

void srt_shared_init(struct srt_shared *object,
                     void (*destroy)(struct srt_shared *object))
{
    atomic_init(&object->holders, 1);
    object->destroy = destroy;
    object->next = NULL;
}

void srt_shared_retain(struct srt_shared *object)
{
    atomic_fetch_add_explicit(&object->holders, 1, memory_order_relaxed);
}

void srt_shared_release(struct srt_shared *object)
{
    /* The last holder must see all that the others did before they let go. */
    if (atomic_fetch_sub_explicit(&object->holders, 1, memory_order_acq_rel) ==
        1)
        object->destroy(object);
}

static void shared_lock(struct srt_shared_list *list)
{
    while (atomic_flag_test_and_set_explicit(&list->lock, memory_order_acquire))
        continue;
}

static void shared_unlock(struct srt_shared_list *list)
{
    atomic_flag_clear_explicit(&list->lock, memory_order_release);
}

/* The lock is held. */
static struct srt_shared *shared_walk(struct srt_shared_list *list,
                                      srt_shared_match *match, const void *key)
{
    struct srt_shared *it = list->first;

    while (it && !match(it, key))
        it = it->next;
    if (it)
        srt_shared_retain(it);
    return it;
}

struct srt_shared *srt_shared_find(struct srt_shared_list *list,
                                   srt_shared_match *match, const void *key)
{
    struct srt_shared *found;

    shared_lock(list);
    found = shared_walk(list, match, key);
    shared_unlock(list);
    return found;
}

struct srt_shared *srt_shared_add(struct srt_shared_list *list,
                                  struct srt_shared *object,
                                  srt_shared_match *match, const void *key)
{
    struct srt_shared *found;

    shared_lock(list);
    found = shared_walk(list, match, key);
    if (!found) {
        srt_shared_retain(object); /* the list's own hold */
        object->next = list->first;
        list->first = object;
    }
    shared_unlock(list);
    if (!found)
        return object;
    srt_shared_release(object);
    return found;
}

void srt_shared_clear(struct srt_shared_list *list)
{
    while (list->first) {
        struct srt_shared *it = list->first;

        list->first = it->next;
        srt_shared_release(it);
    }
}

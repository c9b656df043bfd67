/*
 * scratch.c - the calling thread's work memory
 *
 * One block a thread, cut into its parts.  Where threads are POSIX threads the
 * block is freed when its thread ends; sortes_thread_release frees it at once.
 *
 * SPDX-License-Identifier: MIT
 */
#include "scratch.h"

#include "sortes.h"

#include <stdlib.h>
#include <string.h>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#define SCRATCH_PTHREAD 1
#else
#define SCRATCH_PTHREAD 0
#endif

/* Kernels may store one whole vector past the last value; parts start on
 * cache lines. */
enum { SCRATCH_SLACK = 64, SCRATCH_ALIGN = 64 };

struct scratch_block {
    struct srt_scratch parts;
    void *memory;
};

static _Thread_local struct scratch_block scratch_mine;

#if SCRATCH_PTHREAD

static pthread_once_t scratch_once = PTHREAD_ONCE_INIT;
static pthread_key_t scratch_key;
static int scratch_key_made;

static void scratch_at_thread_end(void *memory)
{
    free(memory);
    memset(&scratch_mine, 0, sizeof(scratch_mine));
}

static void scratch_make_key(void)
{
    scratch_key_made =
        pthread_key_create(&scratch_key, scratch_at_thread_end) == 0;
}

/* The key's value is the memory itself, for the destructor above. */
static void scratch_hand_over(void *memory)
{
    (void)pthread_once(&scratch_once, scratch_make_key);
    if (scratch_key_made)
        (void)pthread_setspecific(scratch_key, memory);
}

#else

static void scratch_hand_over(void *memory)
{
    (void)memory;
}

#endif

void sortes_thread_release(void)
{
    if (!scratch_mine.memory)
        return;
    free(scratch_mine.memory);
    memset(&scratch_mine, 0, sizeof(scratch_mine));
    scratch_hand_over(NULL);
}

/* Adds a part of n items to a layout that is *used bytes long so far. */
static size_t scratch_part(size_t *used, size_t n, size_t item_size)
{
    const size_t at = *used;
    const size_t bytes = (n + SCRATCH_SLACK) * item_size;

    *used += (bytes + SCRATCH_ALIGN - 1) / SCRATCH_ALIGN * SCRATCH_ALIGN;
    return at;
}

struct srt_scratch *srt_scratch_get(size_t n)
{
    struct srt_scratch *s = &scratch_mine.parts;
    size_t used = 0, at[11];
    char *base;
    void *memory;

    if (n <= s->n)
        return s;
    at[0] = scratch_part(&used, n, sizeof(*s->candidates));
    at[1] = scratch_part(&used, n, sizeof(*s->spare));
    at[2] = scratch_part(&used, n, sizeof(*s->values));
    at[3] = scratch_part(&used, n, sizeof(*s->weights));
    at[4] = scratch_part(&used, n, sizeof(*s->ids));
    at[5] = scratch_part(&used, 2 * n, sizeof(*s->keys));
    at[6] = scratch_part(&used, n / SRT_BLOCK + 1, sizeof(*s->block_max));
    at[7] = scratch_part(&used, n / SRT_BLOCK + 2, sizeof(*s->prefix));
    at[8] = scratch_part(&used, n, sizeof(*s->raw));
    at[9] = scratch_part(&used, n, sizeof(*s->masked));
    at[10] = scratch_part(&used, n, sizeof(*s->forced));
    memory = malloc(used + SCRATCH_ALIGN);
    if (!memory)
        return NULL;
    sortes_thread_release();
    scratch_mine.memory = memory;
    scratch_hand_over(memory);
    base = (char *)memory + SCRATCH_ALIGN - (uintptr_t)memory % SCRATCH_ALIGN;
    s->n = n;
    s->candidates = (void *)(base + at[0]);
    s->spare = (void *)(base + at[1]);
    s->values = (void *)(base + at[2]);
    s->weights = (void *)(base + at[3]);
    s->ids = (void *)(base + at[4]);
    s->keys = (void *)(base + at[5]);
    s->block_max = (void *)(base + at[6]);
    s->prefix = (void *)(base + at[7]);
    s->raw = (void *)(base + at[8]);
    s->masked = (void *)(base + at[9]);
    s->forced = (void *)(base + at[10]);
    return s;
}

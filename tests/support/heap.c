/*
 * heap.c - an allocator that counts, and fails when it is told to
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/heap.h"

#include <errno.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||     \
    __has_feature(memory_sanitizer)
#define MEMORY_IS_TAKEN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEMORY_IS_TAKEN 1
#endif

#if defined(__GLIBC__) && !defined(MEMORY_IS_TAKEN)
#define HEAP_IS_OURS 1
#else
#define HEAP_IS_OURS 0
#endif

struct heap heap;

#if HEAP_IS_OURS

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);

static bool heap_fails(void)
{
    if (!heap.armed)
        return false;
    heap.calls++;
    heap.n++;
    if (heap.fail_at == 0 || heap.n < heap.fail_at ||
        (heap.n > heap.fail_at && !heap.go_on))
        return false;
    heap.failed++;
    errno = ENOMEM;
    return true;
}

static void *heap_made(void *block)
{
    heap.live += block != NULL;
    return block;
}

void *malloc(size_t size)
{
    return heap_fails() ? NULL : heap_made(__libc_malloc(size));
}

void *calloc(size_t n, size_t size)
{
    return heap_fails() ? NULL : heap_made(__libc_calloc(n, size));
}

void *realloc(void *block, size_t size)
{
    if (heap_fails())
        return NULL;
    if (!block)
        return heap_made(__libc_malloc(size));
    return __libc_realloc(block, size);
}

void free(void *block)
{
    heap.calls += heap.armed;
    heap.live -= block != NULL;
    __libc_free(block);
}

#endif

bool heap_is_ours(void)
{
    return HEAP_IS_OURS;
}

void heap_arm(size_t fail_at, bool go_on)
{
    heap.calls = heap.n = heap.failed = 0;
    heap.fail_at = fail_at;
    heap.go_on = go_on;
    heap.armed = true;
}

void heap_disarm(void)
{
    heap.armed = false;
}

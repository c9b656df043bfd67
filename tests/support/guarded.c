/*
 * guarded.c - memory between two pages that nobody may touch
 *
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS under -std=c11 */

#include "support/guarded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#if defined(__unix__) || defined(__APPLE__)

#include <sys/mman.h>
#include <unistd.h>

void guarded_open(struct guarded *g, size_t n)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t inner = (n + page - 1) / page * page;

    g->n_map = inner + 2 * page;
    g->map = mmap(NULL, g->n_map, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(g->map != MAP_FAILED);
    g->start = (unsigned char *)g->map + page;
    g->end = g->start + inner;
    assert_int_equal(mprotect(g->map, page, PROT_NONE), 0);
    assert_int_equal(mprotect(g->end, page, PROT_NONE), 0);
}

void guarded_close(struct guarded *g)
{
    munmap(g->map, g->n_map);
}

#else

void guarded_open(struct guarded *g, size_t n)
{
    g->n_map = n + 64;
    g->map = calloc(g->n_map, 1);
    assert_non_null(g->map);
    g->start = g->map;
    g->end = g->start + (n + 63) / 64 * 64;
}

void guarded_close(struct guarded *g)
{
    free(g->map);
}

#endif

void *guarded_at_end(const struct guarded *g, size_t n)
{
    assert_true(n <= (size_t)(g->end - g->start));
    return g->end - n;
}

/*
 * greedy.c - text as tokens, the longest that fits each time
 *
 * A hash table of all pieces, open addressing; a text's prefixes are hashed
 * byte by byte and looked up as they grow.
 *
 * SPDX-License-Identifier: MIT
 */
#include "greedy.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct greedy {
    const sortes_vocab *vocab;
    int32_t *slots; /* token ids; -1: free */
    size_t mask, longest;
};

/* FNV-1a, one byte further. */
static uint64_t greedy_hash(uint64_t hash, char byte)
{
    return (hash ^ (unsigned char)byte) * UINT64_C(1099511628211);
}

#define GREEDY_HASH UINT64_C(14695981039346656037)

/* The slot of this text, or the free one where it belongs. */
static int32_t *greedy_slot(const struct greedy *g, uint64_t hash,
                            const char *text, size_t n)
{
    for (size_t i = (size_t)(hash ^ hash >> 32) & g->mask;;
         i = (i + 1) & g->mask) {
        size_t length;
        if (g->slots[i] < 0)
            return &g->slots[i];
        const char *piece = sortes_vocab_piece(g->vocab, g->slots[i], &length);
        if (length == n && memcmp(piece, text, n) == 0)
            return &g->slots[i];
    }
}

static void greedy_add(struct greedy *g, int32_t token)
{
    size_t n;
    const char *piece = sortes_vocab_piece(g->vocab, token, &n);
    uint64_t hash = GREEDY_HASH;

    if (n == 0 || (sortes_vocab_flags(g->vocab, token) & SORTES_TOKEN_CONTROL))
        return;
    for (size_t i = 0; i < n; i++)
        hash = greedy_hash(hash, piece[i]);
    int32_t *slot = greedy_slot(g, hash, piece, n);
    if (*slot < 0)
        *slot = token;
    if (g->longest < n)
        g->longest = n;
}

struct greedy *greedy_new(const sortes_vocab *v)
{
    struct greedy *g = calloc(1, sizeof(*g));
    const size_t n = sortes_vocab_size(v);
    size_t room = 16;

    while (room < 2 * n)
        room *= 2;
    if (g)
        g->slots = malloc(room * sizeof(*g->slots));
    if (!g || !g->slots) {
        free(g);
        return NULL;
    }
    memset(g->slots, 0xFF, room * sizeof(*g->slots)); /* -1 each */
    g->vocab = v;
    g->mask = room - 1;
    for (size_t i = 0; i < n; i++)
        greedy_add(g, (int32_t)i);
    return g;
}

void greedy_free(struct greedy *g)
{
    if (g)
        free(g->slots);
    free(g);
}

int32_t greedy_next(const struct greedy *g, const char *text, size_t n,
                    size_t *n_bytes)
{
    uint64_t hash = GREEDY_HASH;
    int32_t best = -1;

    *n_bytes = 0;
    for (size_t i = 0; i < n && i < g->longest; i++) {
        hash = greedy_hash(hash, text[i]);
        const int32_t token = *greedy_slot(g, hash, text, i + 1);
        if (token >= 0) {
            best = token;
            *n_bytes = i + 1;
        }
    }
    return best;
}

/*
 * breakers.c - the token sequences that stop DRY from looking further back
 *
 * Source: llama.cpp src/llama-sampler.cpp, get_overlapping_token_sequences.
 * For every token: if its word holds the breaker, an empty tail; otherwise,
 * for every place in the word from which on the rest is a prefix of the
 * breaker, the rest of the breaker tokenized is a tail.  The split may fall
 * inside a UTF-8 character: the tokenizer gets the bytes as they are.
 *
 * Breakers are cut to 40 bytes and tails to 20 tokens, as there; a list whose
 * result is the same is found again through the vocab that it belongs to.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/breakers.h"

#include "history/window.h"

#include <stdlib.h>
#include <string.h>

enum { BREAKERS_MAX_BYTES = 40, BREAKERS_MAX_TAIL = 20 };

struct breakers_entry {
    int32_t head;
    uint32_t n; /* tokens of the tail */
    int32_t tail[BREAKERS_MAX_TAIL];
};

struct srt_breakers {
    struct srt_shared shared; /* first: the vocab keeps a list of them */
    struct srt_string_list strings;
    struct breakers_entry *entries; /* ascending by head */
    size_t n, room;
};

/* ---- building ------------------------------------------------------------ */

static sortes_status breakers_add(struct srt_breakers *b, int32_t head,
                                  const int32_t *tail, size_t n)
{
    struct breakers_entry *it;

    if (b->n == b->room) {
        const size_t room = b->room ? b->room * 2 : 64;
        void *grown = realloc(b->entries, room * sizeof(*b->entries));

        if (!grown)
            return SORTES_E_NOMEM;
        b->entries = grown;
        b->room = room;
    }
    it = &b->entries[b->n++];
    it->head = head;
    it->n = (uint32_t)n;
    if (n > 0)
        memcpy(it->tail, tail, n * sizeof(*tail));
    return SORTES_OK;
}

/* Whether head has this tail already; its entries are the last ones. */
static bool breakers_has(const struct srt_breakers *b, int32_t head,
                         const int32_t *tail, size_t n)
{
    for (size_t i = b->n; i > 0 && b->entries[i - 1].head == head; i--) {
        const struct breakers_entry *it = &b->entries[i - 1];
        if (it->n == n && memcmp(it->tail, tail, n * sizeof(*tail)) == 0)
            return true;
    }
    return false;
}

static const char *breakers_find(const char *word, size_t n,
                                 const char *breaker, size_t m)
{
    for (size_t i = 0; i + m <= n; i++)
        if (memcmp(word + i, breaker, m) == 0)
            return word + i;
    return NULL;
}

/* What is left of the breaker behind the token. */
static sortes_status breakers_add_tail(struct srt_breakers *b,
                                       const sortes_vocab *v, int32_t head,
                                       const char *rest, size_t n_rest)
{
    int32_t ids[BREAKERS_MAX_BYTES + 8];
    struct srt_token_list tail = { ids, 0, SRT_COUNT(ids) };
    const sortes_status status =
        srt_vocab_tokenize(v, rest, n_rest, false, &tail);

    if (status != SORTES_OK)
        return status;
    if (tail.n > BREAKERS_MAX_TAIL)
        tail.n = BREAKERS_MAX_TAIL;
    return breakers_has(b, head, ids, tail.n)
               ? SORTES_OK
               : breakers_add(b, head, ids, tail.n);
}

/* One breaker against one token's word. */
static sortes_status breakers_add_token(struct srt_breakers *b,
                                        const sortes_vocab *v, int32_t token,
                                        const char *breaker, size_t m)
{
    size_t n;
    const char *word = srt_vocab_word(v, token, &n);

    if (breakers_find(word, n, breaker, m))
        return breakers_add(b, token, NULL, 0);
    for (size_t i = 0; i < n; i++) {
        const size_t matched = n - i;
        sortes_status status;

        if (matched >= m || memcmp(word + i, breaker, matched) != 0)
            continue;
        status = breakers_add_tail(b, v, token, breaker + matched, m - matched);
        if (status != SORTES_OK)
            return status;
    }
    return SORTES_OK;
}

static sortes_status breakers_build(struct srt_breakers *b,
                                    const sortes_vocab *v)
{
    const size_t n_tokens = sortes_vocab_size(v);

    for (size_t t = 0; t < n_tokens; t++) {
        for (size_t s = 0; s < b->strings.n; s++) {
            const size_t n = b->strings.sizes[s];
            const size_t m = n < BREAKERS_MAX_BYTES ? n : BREAKERS_MAX_BYTES;
            sortes_status status;

            if (m == 0)
                continue;
            status =
                breakers_add_token(b, v, (int32_t)t, b->strings.items[s], m);
            if (status != SORTES_OK)
                return status;
        }
    }
    return SORTES_OK;
}

/* ---- sharing ------------------------------------------------------------- */

static void breakers_destroy(struct srt_shared *shared)
{
    struct srt_breakers *b = (struct srt_breakers *)shared;

    srt_strings_clear(&b->strings);
    free(b->entries);
    free(b);
}

void srt_breakers_free(struct srt_breakers *b)
{
    if (b)
        srt_shared_release(&b->shared);
}

static bool breakers_match(const struct srt_shared *shared, const void *key)
{
    const struct srt_breakers *b = (const struct srt_breakers *)shared;

    return srt_strings_equal(&b->strings, key);
}

sortes_status srt_breakers_get(struct srt_breakers **out, sortes_vocab *v,
                               const struct srt_string_list *strings,
                               sortes_error *err)
{
    struct srt_breakers *b = (struct srt_breakers *)srt_shared_find(
        &v->derived, breakers_match, strings);
    sortes_status status;

    *out = b;
    if (b)
        return SORTES_OK;
    b = calloc(1, sizeof(*b));
    if (!b)
        return srt_fail(err, SORTES_E_NOMEM, 0, "dry: no memory");
    srt_shared_init(&b->shared, breakers_destroy);
    status =
        srt_strings_copy(&b->strings, strings) ? SORTES_OK : SORTES_E_NOMEM;
    if (status == SORTES_OK)
        status = breakers_build(b, v);
    if (status != SORTES_OK) {
        srt_breakers_free(b);
        return srt_fail(err, status, 0,
                        status == SORTES_E_NOMEM
                            ? "dry: no memory"
                            : "dry: a sequence breaker could not be tokenized");
    }
    *out = (struct srt_breakers *)srt_shared_add(&v->derived, &b->shared,
                                                 breakers_match, strings);
    return SORTES_OK;
}

/* ---- asking -------------------------------------------------------------- */

static size_t breakers_first(const struct srt_breakers *b, int32_t head)
{
    size_t low = 0, high = b->n;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (b->entries[mid].head < head)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static bool breakers_tail_stands(const struct breakers_entry *it,
                                 const struct srt_window *w, size_t i)
{
    if (it->n > i)
        return false;
    for (size_t o = 0; o < it->n; o++)
        if (it->tail[o] != srt_window_back(w, i - o - 1))
            return false;
    return true;
}

int srt_breakers_longest(const struct srt_breakers *b, int32_t head,
                         const struct srt_window *w, size_t i)
{
    int longest = -1;

    if (!b)
        return longest;
    for (size_t e = breakers_first(b, head);
         e < b->n && b->entries[e].head == head; e++) {
        const struct breakers_entry *it = &b->entries[e];
        if ((int)it->n > longest && breakers_tail_stands(it, w, i))
            longest = (int)it->n;
    }
    return longest;
}

bool srt_breakers_whole(const struct srt_breakers *b, int32_t token)
{
    if (!b)
        return false;
    for (size_t e = breakers_first(b, token);
         e < b->n && b->entries[e].head == token; e++)
        if (b->entries[e].n == 0)
            return true;
    return false;
}

/*
 * tree_strings.c - tokens that stay in a JSON string, and those that leave it
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/tree_build.h"

#include "unicode.h"

#include <stdlib.h>

void srt_tree_strings_free(struct srt_tree *t)
{
    free(t->rest.node);
    free(t->tails.node);
    free(t->closers.node);
    free(t->apart_words);
    free(t->apart_at);
    free(t->tail_first);
    free(t->tail_token);
    free(t->string_words);
    free(t->by_chars);
    free(t->longer);
}

/* The characters of a JSON string body that a word begins with; *n: their
 * bytes. */
static uint32_t strings_chars(const struct srt_tree_word *w, uint32_t *n)
{
    uint32_t chars = 0;

    *n = 0;
    while (*n < w->n) {
        const uint8_t *at = w->bytes + *n;
        const size_t length = srt_utf8_length((const char *)at, w->n - *n);

        if (length == 0 || *at < 0x20 || *at == 0x7F || *at == '"' ||
            *at == '\\')
            break;
        *n += (uint32_t)length;
        chars++;
    }
    return chars;
}

/* Sorts the slice's words by their characters, by counting; chars[]: of each
 * of n words, 0: not of the slice. */
static sortes_status strings_by_chars(struct srt_tree *t,
                                      const struct srt_tree_word *w,
                                      const uint32_t *chars, size_t n)
{
    uint32_t *at;
    uint32_t n_slice = 0;

    t->longer = calloc((size_t)t->string_chars + 1, sizeof(*t->longer));
    at = calloc((size_t)t->string_chars + 2, sizeof(*at));
    if (!t->longer || !at) {
        free(at);
        return SORTES_E_NOMEM;
    }
    for (size_t i = 0; i < n; i++)
        if (chars[i])
            at[chars[i]]++;
    for (uint32_t c = t->string_chars + 1; c-- > 0;) {
        t->longer[c] = n_slice;
        n_slice += at[c];
        at[c] = t->longer[c];
    }
    t->by_chars = malloc((n_slice + 1) * sizeof(*t->by_chars));
    for (size_t i = 0; t->by_chars && i < n; i++)
        if (chars[i])
            t->by_chars[at[chars[i]]++] = w[i].token;
    t->n_bytes += n_slice * sizeof(*t->by_chars);
    free(at);
    return t->by_chars ? SORTES_OK : SORTES_E_NOMEM;
}

/* ---- tails --------------------------------------------------------------- */

/* The words' tails, sorted: what is left behind the characters of a string.
 * NULL: no memory. */
static struct srt_tree_word *strings_tails(const struct srt_tree_word *w,
                                           size_t n)
{
    struct srt_tree_word *tails = malloc((n + 1) * sizeof(*tails));

    for (size_t i = 0; tails && i < n; i++) {
        uint32_t body;

        strings_chars(&w[i], &body);
        tails[i] = srt_tree_word(w[i].bytes + body, w[i].n - body, w[i].token);
    }
    if (tails && srt_tree_sort(&tails, n) != SORTES_OK) {
        free(tails);
        return NULL;
    }
    return tails;
}

/* Words of one tail become one, whose tokens are a range of a list. */
static sortes_status strings_make_tails(struct srt_tree *t,
                                        const struct srt_tree_word *w, size_t n)
{
    struct srt_tree_word *tails = strings_tails(w, n);
    uint32_t n_tails = 0;
    sortes_status status;

    t->tail_first = malloc((n + 1) * sizeof(*t->tail_first));
    t->tail_token = malloc((n + 1) * sizeof(*t->tail_token));
    if (!tails || !t->tail_first || !t->tail_token) {
        free(tails);
        return SORTES_E_NOMEM;
    }
    for (size_t i = 0; i < n; i++) {
        const bool same =
            i > 0 && tails[n_tails - 1].n == tails[i].n &&
            srt_tree_common(&tails[n_tails - 1], &tails[i]) == tails[i].n;

        t->tail_token[i] = tails[i].token;
        if (same)
            continue;
        t->tail_first[n_tails] = (uint32_t)i;
        tails[n_tails] = tails[i];
        tails[n_tails].token = (int32_t)n_tails;
        n_tails++;
    }
    t->tail_first[n_tails] = (uint32_t)n;
    t->n_tails = n_tails;
    t->n_bytes += n * sizeof(*t->tail_token) +
                  ((size_t)n_tails + 1) * sizeof(*t->tail_first);
    status = srt_tree_nodes_make(t, &t->tails, tails, n_tails);
    free(tails);
    return status;
}

/* ---- closers ------------------------------------------------------------- */

static bool strings_closes(const struct srt_tree_word *w)
{
    return memchr(w->bytes, '"', w->n) != NULL;
}

static sortes_status strings_closers(struct srt_tree *t,
                                     const struct srt_tree_word *w, size_t n)
{
    struct srt_tree_word *closers;
    size_t n_closers = 0;
    sortes_status status;

    for (size_t i = 0; i < n; i++)
        n_closers += strings_closes(&w[i]);
    closers = malloc((n_closers + 1) * sizeof(*closers));
    if (!closers)
        return SORTES_E_NOMEM;
    n_closers = 0;
    for (size_t i = 0; i < n; i++)
        if (strings_closes(&w[i]))
            closers[n_closers++] = w[i];
    status = srt_tree_nodes_make(t, &t->closers, closers, n_closers);
    free(closers);
    return status;
}

/* ---- the slice ----------------------------------------------------------- */

sortes_status srt_tree_strings(struct srt_tree *t, struct srt_tree_word *w,
                               size_t n)
{
    uint32_t *chars = malloc((n + 1) * sizeof(*chars));
    size_t rest = 0;
    sortes_status status = strings_closers(t, w, n);

    t->string_words = calloc(t->n_words, sizeof(*t->string_words));
    if (!t->string_words || !chars || status != SORTES_OK) {
        free(chars);
        return status != SORTES_OK ? status : SORTES_E_NOMEM;
    }
    t->n_bytes += t->n_words * sizeof(*t->string_words);
    for (size_t i = 0; i < n; i++) {
        uint32_t n_body;

        chars[i] = strings_chars(&w[i], &n_body);
        if (n_body < w[i].n)
            chars[i] = 0;
        if (chars[i])
            srt_bit_set(t->string_words, w[i].token);
        if (chars[i] > t->string_chars)
            t->string_chars = chars[i];
    }
    status = strings_by_chars(t, w, chars, n);
    for (size_t i = 0; i < n; i++)
        if (!chars[i])
            w[rest++] = w[i];
    free(chars);
    if (status == SORTES_OK)
        status = strings_make_tails(t, w, rest);
    return status == SORTES_OK ? srt_tree_nodes_make(t, &t->rest, w, rest)
                               : status;
}

/*
 * matcher_start.c - what comes before the grammar's text: a prefix that heals
 * a token cut off the prompt, or a thinking block
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/matcher.h"

#include <stdlib.h>
#include <string.h>

/* ---- markers ------------------------------------------------------------- */

static void marker_destroy(struct srt_shared *shared)
{
    struct srt_marker *k = (struct srt_marker *)shared;

    free(k->bytes);
    free(k->fall);
    free(k->crossing);
    free(k);
}

/* fall[i]: the longest proper prefix of bytes that ends bytes[0 .. i-1]
 * (Knuth, Morris, Pratt 1977). */
static void marker_falls(struct srt_marker *k)
{
    uint32_t length = 0;

    k->fall[0] = 0;
    k->fall[1] = 0;
    for (size_t i = 1; i < k->n; i++) {
        while (length && k->bytes[i] != k->bytes[length])
            length = k->fall[length];
        length += k->bytes[i] == k->bytes[length];
        k->fall[i + 1] = length;
    }
}

static struct srt_marker *marker_new(const char *bytes, size_t n)
{
    struct srt_marker *k = calloc(1, sizeof(*k));

    if (!k)
        return NULL;
    srt_shared_init(&k->shared, marker_destroy);
    k->n = n;
    k->bytes = malloc(n);
    k->fall = malloc((n + 1) * sizeof(*k->fall));
    if (!k->bytes || !k->fall) {
        srt_shared_release(&k->shared);
        return NULL;
    }
    memcpy(k->bytes, bytes, n);
    marker_falls(k);
    return k;
}

/* The bytes of k that have come after one more; k->n: all of them. */
static uint32_t marker_step(const struct srt_marker *k, uint32_t length,
                            uint8_t byte)
{
    while (length && k->bytes[length] != byte)
        length = k->fall[length];
    return length + (k->bytes[length] == byte);
}

/* ---- moving -------------------------------------------------------------- */

sortes_status srt_matcher_before(const sortes_matcher *m,
                                 struct srt_place *place,
                                 const struct srt_word *word, size_t *used)
{
    *used = 0;
    while (place->close && *used < word->n) {
        const uint32_t length =
            marker_step(m->close, place->close - 1, word->bytes[(*used)++]);

        place->close = length == m->close->n ? 0 : length + 1;
    }
    while (place->left && *used < word->n) {
        if (word->bytes[*used] != m->prefix->bytes[m->prefix->n - place->left])
            return SORTES_E_NO_TOKEN;
        place->left--;
        ++*used;
    }
    return SORTES_OK;
}

/* ---- masks --------------------------------------------------------------- */

/* The node among nodes[at .. end-1], children of one parent, for a byte; end:
 * there is none. */
static uint32_t start_child(const struct srt_tree_node *nodes, uint32_t at,
                            uint32_t end, uint8_t byte)
{
    while (at < end && srt_node_byte(&nodes[at]) != byte)
        at += srt_node_size(&nodes[at]);
    return at < end ? at : end;
}

/* Checks the tokens that nodes do not tell, one by one. */
static sortes_status start_each(sortes_matcher *m, const int32_t *tokens,
                                size_t n_tokens, bool set, uint32_t *words)
{
    for (size_t i = 0; i < n_tokens; i++) {
        const int allowed = sortes_matcher_allows(m, tokens[i]);

        if (allowed < 0)
            return (sortes_status)-allowed;
        if (allowed && set)
            srt_bit_set(words, tokens[i]);
        if (!allowed && !set)
            srt_bit_clear(words, tokens[i]);
    }
    return SORTES_OK;
}

/* Tokens along the prefix, and behind it those of the grammar's start. */
static sortes_status start_heal(sortes_matcher *m, uint32_t *words)
{
    const struct srt_tree *tree = m->cursor.cache->tree;
    const struct srt_tree_node *nodes = tree->all.node;
    const uint8_t *rest = m->prefix->bytes + m->prefix->n - m->place.left;
    uint32_t at = 0, end = tree->all.n;
    sortes_status status = SORTES_OK;

    memset(words, 0, tree->n_words * sizeof(*words));
    for (uint32_t i = 0; i < m->place.left && at < end; i++) {
        at = start_child(nodes, at, end, rest[i]);
        if (at == end)
            break;
        if (srt_node_token(&nodes[at]) >= 0)
            srt_bit_set(words, srt_node_token(&nodes[at]));
        end = at + srt_node_size(&nodes[at]);
        at++;
        if (i + 1 == m->place.left)
            status = srt_mask_walk(&m->cursor, nodes + at, end - at,
                                   m->place.state, words);
    }
    srt_mask_same(tree, words);
    return status == SORTES_OK
               ? start_each(m, tree->odd, tree->n_odd, true, words)
               : status;
}

sortes_status srt_matcher_mask_but(sortes_matcher *m, const int32_t *tokens,
                                   size_t n_tokens, uint32_t *words)
{
    const struct srt_tree *tree = m->cursor.cache->tree;

    memset(words, 0xff, tree->n_words * sizeof(*words));
    if (tree->n_tokens % 32)
        words[tree->n_words - 1] = ((uint32_t)1 << tree->n_tokens % 32) - 1;
    return start_each(m, tokens, n_tokens, false, words);
}

/* Every token, but those that close the thinking and go on wrongly. */
static sortes_status start_think(sortes_matcher *m, uint32_t *words)
{
    return srt_matcher_mask_but(m, m->close->crossing, m->close->n_crossing,
                                words);
}

sortes_status srt_matcher_mask_before(sortes_matcher *m, uint32_t *words)
{
    return m->place.close ? start_think(m, words) : start_heal(m, words);
}

/* Whether the tag ends inside a token, with bytes behind it. */
static bool start_closes_inside(const sortes_matcher *m, int32_t token)
{
    struct srt_place place = m->place;
    struct srt_word word = { .token = token };
    size_t used;

    word.bytes = (const uint8_t *)sortes_vocab_piece(m->cursor.cache->vocab,
                                                     token, &word.n);
    (void)srt_matcher_before(m, &place, &word, &used);
    return place.close == 0 && used < word.n;
}

int sortes_matcher_wants_mask(sortes_matcher *m)
{
    if (m == NULL || m->place.finished)
        return 1;
    if (m->place.asleep)
        return srt_trigger_wants_mask(m);
    if (m->place.close == 0)
        return 1;
    for (size_t i = 0; i < m->close->n_crossing; i++) {
        const int32_t token = m->close->crossing[i];

        if (start_closes_inside(m, token) &&
            sortes_matcher_allows(m, token) != 1)
            return 1;
    }
    return 0;
}

/* ---- setting out --------------------------------------------------------- */

static sortes_status start_check(const sortes_matcher *m, const char *bytes,
                                 size_t n)
{
    if (m == NULL || bytes == NULL || n == 0 || n > UINT32_MAX / 2 ||
        m->trace.n > 0 || m->prefix || m->close || m->triggers)
        return SORTES_E_ARGUMENT;
    return SORTES_OK;
}

sortes_status sortes_matcher_heal(sortes_matcher *m, const char *prefix,
                                  size_t n)
{
    sortes_status status = start_check(m, prefix, n);

    if (status != SORTES_OK)
        return status;
    for (size_t i = 0; i < n && m->cursor.cache->tree; i++)
        if (!srt_alphabet_has(&m->cursor.cache->tree->alphabet,
                              (uint8_t)prefix[i]))
            return SORTES_E_EMPTY;
    m->prefix = marker_new(prefix, n);
    if (m->prefix == NULL)
        return SORTES_E_NOMEM;
    m->start.left = (uint32_t)n;
    m->place = m->start;
    return SORTES_OK;
}

/* Whether the tag can end in a token with bytes behind it. */
static bool start_crosses(const struct srt_marker *k, const char *bytes,
                          size_t n)
{
    const uint8_t last = k->bytes[k->n - 1];

    for (size_t i = 0; i + 1 < n; i++) {
        size_t back = 0;

        if ((uint8_t)bytes[i] != last)
            continue;
        while (back <= i && back < k->n &&
               (uint8_t)bytes[i - back] == k->bytes[k->n - 1 - back])
            back++;
        if (back == i + 1 || back == k->n)
            return true;
    }
    return false;
}

static sortes_status start_find_crossing(struct srt_marker *k,
                                         const sortes_vocab *v)
{
    size_t room = 0;

    for (size_t i = 0; v && i < sortes_vocab_size(v); i++) {
        size_t n;
        const char *bytes = sortes_vocab_piece(v, (int32_t)i, &n);

        if (!start_crosses(k, bytes, n))
            continue;
        if (k->n_crossing == room) {
            int32_t *more;

            room = room ? 2 * room : 16;
            more = realloc(k->crossing, room * sizeof(*more));
            if (!more)
                return SORTES_E_NOMEM;
            k->crossing = more;
        }
        k->crossing[k->n_crossing++] = (int32_t)i;
    }
    return SORTES_OK;
}

sortes_status sortes_matcher_think(sortes_matcher *m, const char *close,
                                   size_t n)
{
    sortes_status status = start_check(m, close, n);
    struct srt_marker *k;

    if (status != SORTES_OK)
        return status;
    k = marker_new(close, n);
    if (k == NULL)
        return SORTES_E_NOMEM;
    status = start_find_crossing(k, m->cursor.cache->vocab);
    if (status != SORTES_OK) {
        srt_shared_release(&k->shared);
        return status;
    }
    m->close = k;
    m->start.close = 1;
    m->place = m->start;
    return SORTES_OK;
}

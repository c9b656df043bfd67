/*
 * mask_keep.c - masks as they are remembered
 *
 * As the tokens in which they differ from something that is there anyway, where
 * that is short: nothing, the string slice, or what another state lets come.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/mask.h"

#include <string.h>

/* Words of a mask that are looked at together. */
enum { KEEP_BLOCK = 32, KEEP_ROOM = 1024 };

/* Tokens that are put into words in the time that words are copied; and the
 * part of the words' memory that a list may take where memory is short. */
enum { KEEP_FAST = 128, KEEP_PART = 8 };

/* Tokens, as long as there is room; n counts all of them. */
struct keep_list {
    uint32_t n, room;
    uint32_t token[KEEP_ROOM];
};

/* taken: tokens that are put into words anyway. */
static void keep_begin(struct keep_list *list, const struct srt_cursor *cursor,
                       uint32_t taken)
{
    const size_t part = cursor->cache->tree->n_words / KEEP_PART;

    list->n = 0;
    list->room = part < KEEP_ROOM ? (uint32_t)part : KEEP_ROOM;
    if (srt_cursor_is_roomy(cursor) && list->room > KEEP_FAST)
        list->room = taken < KEEP_FAST ? KEEP_FAST - taken : 0;
}

static void keep_token(struct keep_list *list, uint32_t token)
{
    if (list->n < list->room)
        list->token[list->n] = token;
    list->n++;
}

static void keep_tokens(struct keep_list *list, size_t word, uint32_t bits)
{
    for (; bits; bits &= bits - 1)
        keep_token(list, (uint32_t)(32 * word) + srt_ctz64(bits));
}

/* Whether a block is not that of base (NULL: nothing). */
SRT_INLINE bool keep_differs(const uint32_t *words, const uint32_t *base)
{
    uint32_t differ = 0;

    if (base)
        for (size_t i = 0; i < KEEP_BLOCK; i++)
            differ |= words[i] ^ base[i];
    else
        for (size_t i = 0; i < KEEP_BLOCK; i++)
            differ |= words[i];
    return differ != 0;
}

/* Looks for the tokens in which words differ from base (NULL: nothing); stops
 * once there is no room. */
static void keep_difference(struct keep_list *list, const uint32_t *words,
                            const uint32_t *base, size_t n_words)
{
    for (size_t from = 0; from < n_words && list->n <= list->room;
         from += KEEP_BLOCK) {
        const size_t end =
            from + KEEP_BLOCK < n_words ? from + KEEP_BLOCK : n_words;

        if (end - from == KEEP_BLOCK &&
            !keep_differs(words + from, base ? base + from : NULL))
            continue;
        for (size_t i = from; i < end; i++)
            keep_tokens(list, i, words[i] ^ (base ? base[i] : 0));
    }
}

/* Those of the tokens that were listed, if all of them were; or it is known
 * that they are too many. */
static bool keep_listed(struct keep_list *list, const struct srt_listed *listed)
{
    if (!listed || (listed->n > SRT_LISTED && list->room > SRT_LISTED))
        return false;
    list->n = listed->n;
    for (uint32_t i = 0; i < listed->n && i < list->room; i++)
        list->token[i] = (uint32_t)listed->token[i];
    return true;
}

/* The tokens that words have of those apart. */
static void keep_apart(struct keep_list *list, const struct srt_tree *tree,
                       const struct srt_listed *listed, const uint32_t *words)
{
    if (listed && listed->n <= SRT_LISTED) {
        for (uint32_t i = 0; i < listed->n; i++)
            if (srt_bit_get(tree->apart_words, listed->token[i]))
                keep_token(list, (uint32_t)listed->token[i]);
        return;
    }
    for (uint32_t i = 0; i < tree->n_apart_at; i++) {
        const uint32_t at = tree->apart_at[i];

        keep_tokens(list, at, words[at] & tree->apart_words[at]);
    }
}

/* What is kept of a mask with a list; *data: the words, if that is too long. */
static struct srt_mask_head
keep_head(const struct keep_list *list, enum srt_mask_form form,
          const struct srt_mask *base, const struct srt_tree *tree,
          const uint32_t *words, const uint32_t **data)
{
    *data = list->n > list->room ? words : list->token;
    return list->n > list->room
               ? (struct srt_mask_head){ SRT_MASK_WORDS,
                                         (uint32_t)tree->n_words, NULL }
               : (struct srt_mask_head){ form, list->n, base };
}

/* By what it differs in from the slice, or from nothing. */
static struct srt_mask_head
keep_plain(struct keep_list *list, const struct srt_cursor *cursor, bool slice,
           const struct srt_listed *listed, const uint32_t *words,
           const uint32_t **data)
{
    const struct srt_tree *tree = cursor->cache->tree;

    keep_begin(list, cursor, 0);
    if (!keep_listed(list, listed))
        keep_difference(list, words, slice ? tree->string_words : NULL,
                        tree->n_words);
    return keep_head(list, slice ? SRT_MASK_SLICE : SRT_MASK_LIST, NULL, tree,
                     words, data);
}

void srt_mask_keep(struct srt_cursor *cursor, uint32_t state,
                   const struct srt_mask_origin *origin, const uint32_t *words)
{
    const struct srt_tree *tree = cursor->cache->tree;
    const struct srt_mask *inside = origin->inside;
    struct keep_list list;
    struct srt_mask_head head;
    const uint32_t *data;

    if (inside) {
        keep_begin(&list, cursor,
                   inside->head.form == SRT_MASK_WORDS ? 0 : inside->head.n);
        keep_apart(&list, tree, origin->list, words);
        head = keep_head(&list, SRT_MASK_INSIDE, inside, tree, words, &data);
    } else {
        head = keep_plain(&list, cursor, origin->slice, origin->list, words,
                          &data);
    }
    srt_cursor_keep_mask(cursor, state, &head, data);
}

/* Without those apart; false: not all are known. */
static bool keep_others(struct srt_listed *others, const struct srt_tree *tree,
                        const struct srt_listed *listed)
{
    others->n = 0;
    if (!listed || listed->n > SRT_LISTED)
        return false;
    for (uint32_t i = 0; i < listed->n; i++)
        if (!srt_bit_get(tree->apart_words, listed->token[i]))
            srt_listed_add(others, listed->token[i]);
    return true;
}

const struct srt_mask *
srt_mask_keep_inside(struct srt_cursor *cursor, uint32_t state,
                     const struct srt_mask_origin *origin, uint32_t *words)
{
    const struct srt_tree *tree = cursor->cache->tree;
    struct srt_listed others;
    const bool known = keep_others(&others, tree, origin->list);
    struct keep_list apart, list;
    const struct srt_mask *kept;
    struct srt_mask_head head;
    const uint32_t *data;

    apart.n = 0;
    apart.room = KEEP_ROOM;
    keep_apart(&apart, tree, origin->list, words);
    if (apart.n > apart.room)
        return NULL;
    for (uint32_t i = 0; i < apart.n; i++)
        srt_bit_clear(words, (int32_t)apart.token[i]);
    head = keep_plain(&list, cursor, origin->slice, known ? &others : NULL,
                      words, &data);
    kept = srt_cursor_keep_inside(cursor, state, &head, data);
    for (uint32_t i = 0; i < apart.n; i++)
        srt_bit_set(words, (int32_t)apart.token[i]);
    return kept;
}

void srt_mask_expand(const struct srt_tree *tree, const struct srt_mask *mask,
                     uint32_t *words)
{
    const size_t n_bytes = tree->n_words * sizeof(*words);

    switch (mask->head.form) {
    case SRT_MASK_WORDS:
        memcpy(words, mask->data, n_bytes);
        return;
    case SRT_MASK_INSIDE:
        srt_mask_expand(tree, mask->head.base, words);
        break;
    case SRT_MASK_SLICE:
        memcpy(words, tree->string_words, n_bytes);
        break;
    case SRT_MASK_LIST:
        memset(words, 0, n_bytes);
        break;
    }
    for (uint32_t i = 0; i < mask->head.n; i++)
        words[mask->data[i] / 32] ^= (uint32_t)1 << mask->data[i] % 32;
}

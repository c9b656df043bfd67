/*
 * tree_follows.c - what of tokens may follow the end of a JSON value
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/tree_build.h"

#include "constrain/grow.h"

#include <stdlib.h>

struct follows {
    struct srt_tree_word *word;
    size_t n, room;
};

/* Adds the ends of a token. */
static sortes_status follows_add(struct srt_tree *t, struct follows *f,
                                 const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        void *block = f->word;
        sortes_status status;

        if (bytes[i] != ',' && bytes[i] != '}' && bytes[i] != ']')
            continue;
        if (n - i > SRT_TREE_DEPTH) {
            t->follows_all = false;
            continue;
        }
        status = srt_grow(&block, &f->room, f->n + 1, sizeof(*f->word));
        f->word = block;
        if (status != SORTES_OK)
            return status;
        f->word[f->n++] = srt_tree_word(bytes + i, n - i, 0);
    }
    return SORTES_OK;
}

/* Sorted, and without duplicates; numbered. */
static sortes_status follows_sort(struct follows *f)
{
    size_t n = 0;
    const sortes_status status =
        f->n ? srt_tree_sort(&f->word, f->n) : SORTES_OK;

    for (size_t i = 0; i < f->n && status == SORTES_OK; i++) {
        if (n && f->word[n - 1].n == f->word[i].n &&
            srt_tree_common(&f->word[n - 1], &f->word[i]) == f->word[i].n)
            continue;
        f->word[n] = f->word[i];
        f->word[n].token = (int32_t)n;
        n++;
    }
    f->n = n;
    return status;
}

sortes_status srt_tree_follows(struct srt_tree *t,
                               const struct srt_tree_word *w, size_t n)
{
    struct follows f = { NULL, 0, 0 };
    sortes_status status = SORTES_OK;

    t->follows_all = true;
    for (size_t i = 0; i < n && status == SORTES_OK; i++)
        status = follows_add(t, &f, w[i].bytes, w[i].n);
    for (size_t i = 0; i < t->n_odd && status == SORTES_OK; i++) {
        size_t length;
        const char *bytes = sortes_vocab_piece(t->vocab, t->odd[i], &length);

        status = follows_add(t, &f, (const uint8_t *)bytes, length);
    }
    if (status == SORTES_OK)
        status = follows_sort(&f);
    t->n_follows = (uint32_t)f.n;
    if (status == SORTES_OK)
        status = srt_tree_nodes_make(t, &t->follows, f.word, f.n);
    free(f.word);
    return status;
}

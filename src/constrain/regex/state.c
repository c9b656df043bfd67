/*
 * state.c - states: a term, and how far each tracker has come that it uses
 *
 * What needs no memory is given none: a tracker that can never change again is
 * settled in the term, and one that looks at the last character alone is
 * forgotten where no condition stands in front.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/book.h"

/* The term where trackers that cannot change any more have their answers. */
static uint32_t state_settle(struct srt_book *b, uint32_t term,
                             const uint32_t *residuals)
{
    for (uint32_t i = 0; i < b->n_trackers && term; i++) {
        if (!(srt_term_info(b, term)->uses >> i & 1))
            continue;
        if (residuals[i] == 0)
            term = srt_term_settle(b, term, i, false);
        else if (residuals[i] == b->everything)
            term = srt_term_settle(b, term, i, true);
    }
    return term;
}

uint32_t srt_state_make(struct srt_book *b, uint32_t term,
                        const uint32_t *residuals)
{
    uint32_t key[1 + SRT_MAX_TRACKERS];
    struct srt_state_info *info;
    uint64_t bits = 0;
    uint32_t s, n = 1;
    bool is_new;

    term = srt_book_failed(b) ? 0 : state_settle(b, term, residuals);
    if (term == 0 || srt_book_failed(b))
        return 0;
    key[0] = term;
    for (uint32_t i = 0; i < b->n_trackers; i++) {
        const struct srt_term_info *ti = srt_term_info(b, term);
        uint32_t r = residuals[i];

        if (!(ti->uses >> i & 1))
            continue;
        if (b->trackers[i].last_only && !(ti->head >> i & 1))
            r = b->trackers[i].term;
        key[n++] = r;
        if (r && srt_term_info(b, r)->nullable)
            bits |= UINT64_C(1) << i;
    }
    b->status = srt_pool_intern(&b->states, key, n * sizeof(*key), &s, &is_new);
    if (srt_book_failed(b))
        return 0;
    info = srt_state_info(b, s);
    if (is_new) {
        info->bits = bits;
        info->accepts = srt_term_nullable(b, term, bits);
        if (info->accepts || srt_term_info(b, term)->plain)
            info->life = SRT_LIFE_ALIVE;
    }
    return s;
}

void srt_state_residuals(const struct srt_book *b, uint32_t state,
                         uint32_t residuals[SRT_MAX_TRACKERS])
{
    const uint32_t *key = srt_pool_key(&b->states, state, NULL);
    const uint64_t uses = srt_term_info(b, key[0])->uses;
    uint32_t n = 1;

    for (uint32_t i = 0; i < b->n_trackers; i++)
        residuals[i] = uses >> i & 1 ? key[n++] : 0;
}

/* The classes that lead where class_ does, in b->equal_classes. */
static void state_equal_classes(struct srt_book *b, uint32_t term,
                                const uint32_t *residuals, uint32_t class_)
{
    const uint64_t uses = srt_term_info(b, term)->uses;

    for (uint32_t k = 0; k < b->n_class_words; k++)
        b->equal_classes[k] = UINT64_MAX;
    b->stamp++;
    srt_term_tell_apart(b, term, class_, b->equal_classes);
    for (uint32_t i = 0; i < b->n_trackers; i++)
        if (uses >> i & 1)
            srt_term_tell_apart(b, residuals[i], class_, b->equal_classes);
}

static void state_fill(struct srt_book *b, struct srt_state_info *info,
                       uint32_t next)
{
    const uint32_t n = b->n_classes - 1;

    for (uint32_t k = 0; k < b->n_class_words; k++) {
        uint64_t left = b->equal_classes[k];

        for (; left; left &= left - 1) {
            const uint32_t c = 64 * k + srt_ctz64(left);

            if (c < n)
                info->next[c] = next;
        }
    }
}

/* One byte more or less than a row is not worth a second size. */
static bool state_begin_row(struct srt_book *b, struct srt_state_info *info)
{
    const size_t n_bytes = b->n_classes * sizeof(*info->next);
    uint32_t *row = srt_pool_take(&b->states, n_bytes);

    if (!row) {
        srt_book_fail(b, srt_pool_refusal(&b->states, n_bytes));
        return false;
    }
    for (uint32_t c = 0; c + 1 < b->n_classes; c++)
        row[c] = SRT_NEXT_UNKNOWN;
    row[b->n_classes - 1] = 0; /* the missing ones lead nowhere */
    info->next = row;
    return true;
}

uint32_t srt_state_next(struct srt_book *b, uint32_t state, uint32_t class_)
{
    struct srt_state_info *info = srt_state_info(b, state);
    uint32_t residuals[SRT_MAX_TRACKERS];
    uint32_t term, next;
    uint64_t uses;

    if (srt_book_failed(b) || (!info->next && !state_begin_row(b, info)))
        return 0;
    if (info->next[class_] != SRT_NEXT_UNKNOWN)
        return info->next[class_];
    term = ((const uint32_t *)srt_pool_key(&b->states, state, NULL))[0];
    srt_state_residuals(b, state, residuals);
    state_equal_classes(b, term, residuals, class_);
    next = srt_term_derive(b, term, class_, info->bits);
    uses = next ? srt_term_info(b, next)->uses : 0;
    for (uint32_t i = 0; i < b->n_trackers; i++)
        residuals[i] =
            uses >> i & 1 ? srt_term_derive(b, residuals[i], class_, 0) : 0;
    next = srt_state_make(b, next, residuals);
    if (!srt_book_failed(b))
        state_fill(b, info, next);
    return next;
}

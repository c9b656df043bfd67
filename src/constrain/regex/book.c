/*
 * book.c - the life of a book, and what callers build in it
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/book.h"

#include <stdlib.h>

/* Records of sources and of terms, for each state that is allowed. */
enum { BOOK_TERMS_A_STATE = 16 };

uint32_t srt_book_fail(struct srt_book *b, sortes_status status)
{
    if (b->status == SORTES_OK)
        b->status = status;
    return 0;
}

void srt_book_begin(struct srt_book *b)
{
    b->status = SORTES_OK;
    b->work = SRT_BOOK_WORK;
    b->timer = (struct srt_timer){ .limit_us = b->limits.max_us };
    b->words.n = 0;
    b->pairs.n = 0;
    b->loops.n = 0;
    b->depth = 0;
    b->cut = SRT_NO_CUT;
}

static sortes_status book_end(struct srt_book *b, uint32_t made, srt_regex *to)
{
    if (!srt_book_failed(b))
        *to = made;
    return b->status;
}

sortes_status srt_book_new(struct srt_book **out,
                           const struct srt_regex_limits *limits)
{
    const size_t bytes = limits->max_bytes;
    struct srt_book *b = calloc(1, sizeof(*b));
    size_t terms = SRT_POOL_MAX;

    *out = NULL;
    if (!b)
        return SORTES_E_NOMEM;
    if (limits->max_states < SRT_POOL_MAX / BOOK_TERMS_A_STATE)
        terms = (limits->max_states + 1) * BOOK_TERMS_A_STATE;
    b->limits = *limits;
    srt_pool_init(&b->sets, 0, SRT_POOL_MAX, bytes / 8);
    srt_pool_init(&b->sources, sizeof(struct srt_source_info), SRT_POOL_MAX,
                  bytes / 8);
    srt_pool_init(&b->class_sets, 0, SRT_POOL_MAX, bytes / 8);
    srt_pool_init(&b->terms, sizeof(struct srt_term_info), terms, bytes / 2);
    srt_pool_init(&b->compiled, 8, SRT_POOL_MAX, bytes / 8);
    srt_pool_init(&b->states, sizeof(struct srt_state_info), limits->max_states,
                  bytes / 2);
    srt_book_begin(b);
    b->trackers[SRT_TRACK_START].source = srt_source_empty(b);
    b->n_trackers = 1;
    if (srt_book_failed(b)) {
        const sortes_status status = b->status;

        srt_book_free(b);
        return status;
    }
    *out = b;
    return SORTES_OK;
}

void srt_book_free(struct srt_book *b)
{
    if (!b)
        return;
    srt_pool_clear(&b->sets);
    srt_pool_clear(&b->sources);
    srt_pool_clear(&b->class_sets);
    srt_pool_clear(&b->terms);
    srt_pool_clear(&b->compiled);
    srt_pool_clear(&b->states);
    free(b->segments);
    free(b->derived);
    free(b->equal_classes);
    free(b->words.at);
    free(b->pairs.at);
    free(b->loops.at);
    free(b);
}

void srt_book_stats(const struct srt_book *b, size_t *n_states, size_t *n_bytes)
{
    if (n_states)
        *n_states = b->states.n;
    if (n_bytes)
        *n_bytes = b->sets.n_bytes + b->sources.n_bytes +
                   b->class_sets.n_bytes + b->terms.n_bytes +
                   b->compiled.n_bytes + b->states.n_bytes;
}

sortes_status srt_book_literal(struct srt_book *b, const uint32_t *code,
                               size_t n, srt_regex *to)
{
    uint32_t x = 0;

    srt_book_begin(b);
    if (n == 0)
        return book_end(b, srt_source_empty(b), to);
    if (b->closed)
        return SORTES_E_ARGUMENT;
    srt_words_push(b, &b->words, SRT_S_STRING);
    for (size_t i = 0; i < n; i++)
        srt_words_push(b, &b->words, code[i]);
    if (!srt_book_failed(b))
        x = srt_source_make(b, b->words.at, b->words.n);
    return book_end(b, x, to);
}

sortes_status srt_book_everything(struct srt_book *b, srt_regex *to)
{
    srt_book_begin(b);
    return book_end(b, srt_source_anything(b), to);
}

sortes_status srt_book_set(struct srt_book *b, const uint32_t (*ranges)[2],
                           size_t n, srt_regex *to)
{
    srt_book_begin(b);
    if (b->closed)
        return SORTES_E_ARGUMENT;
    for (size_t i = 0; i < n; i++)
        if (ranges[i][0] > ranges[i][1] || ranges[i][1] > SRT_CODE_MAX ||
            (i > 0 && ranges[i][0] <= ranges[i - 1][1]))
            return SORTES_E_ARGUMENT;
    return book_end(b, srt_source_set(b, ranges, n), to);
}

sortes_status srt_book_concat(struct srt_book *b, srt_regex x, srt_regex y,
                              srt_regex *to)
{
    const uint32_t parts[2] = { x, y };

    srt_book_begin(b);
    return book_end(b, srt_source_cat(b, parts, 2), to);
}

sortes_status srt_book_repeat(struct srt_book *b, srt_regex x, uint32_t min,
                              uint32_t max, srt_regex *to)
{
    srt_book_begin(b);
    if (min > max)
        return SORTES_E_ARGUMENT;
    return book_end(b, srt_source_repeat(b, x, min, max), to);
}

sortes_status srt_book_or(struct srt_book *b, const srt_regex *x, size_t n,
                          srt_regex *to)
{
    srt_book_begin(b);
    return book_end(b, srt_source_or(b, x, n), to);
}

sortes_status srt_book_and(struct srt_book *b, const srt_regex *x, size_t n,
                           srt_regex *to)
{
    srt_book_begin(b);
    return book_end(b, srt_source_and(b, x, n), to);
}

sortes_status srt_book_not(struct srt_book *b, srt_regex x, srt_regex *to)
{
    srt_book_begin(b);
    return book_end(b, srt_source_not(b, x), to);
}

sortes_status srt_book_start(struct srt_book *b, srt_regex x, uint32_t *state)
{
    uint32_t residuals[SRT_MAX_TRACKERS];
    uint32_t term, s = 0;

    if (!b->closed)
        return SORTES_E_ARGUMENT;
    srt_book_begin(b);
    term = srt_compile(b, x, b->empty);
    for (uint32_t i = 0; i < b->n_trackers; i++)
        residuals[i] = b->trackers[i].term;
    if (term)
        s = srt_state_make(b, term, residuals);
    if (s && !srt_state_alive(b, s))
        s = 0;
    return book_end(b, s, state);
}

sortes_status srt_book_step(struct srt_book *b, uint32_t state, uint32_t class_,
                            uint32_t *next)
{
    uint32_t s;

    srt_book_begin(b);
    s = srt_state_next(b, state, class_);
    if (s && !srt_state_alive(b, s))
        s = 0;
    return book_end(b, s, next);
}

bool srt_book_accepts(const struct srt_book *b, uint32_t state)
{
    return state && srt_state_info(b, state)->accepts;
}

/* Everything goes from here if nothing is left of the complement. */
sortes_status srt_book_is_everything(struct srt_book *b, uint32_t state,
                                     bool *answer)
{
    uint32_t residuals[SRT_MAX_TRACKERS];
    uint32_t term, s;

    srt_book_begin(b);
    *answer = false;
    if (!state)
        return SORTES_OK;
    term = srt_term_not(
        b, ((const uint32_t *)srt_pool_key(&b->states, state, NULL))[0]);
    srt_state_residuals(b, state, residuals);
    s = term ? srt_state_make(b, term, residuals) : 0;
    if (s && !srt_state_alive(b, s))
        s = 0;
    *answer = s == 0 && !srt_book_failed(b);
    return b->status;
}

/*
 * compile.c - sources become terms: assertions meet what follows them
 *
 * A source is compiled together with the term of all that comes after it, its
 * continuation K, and gives a term for both:
 *
 *   (?=B) K = K & B.*       (?!B) K = K & ~(B.*)       $ K = K & empty
 *   (?<=B) K = IF(text so far ends in B, K, nothing)
 *   (r|s) K = rK | sK
 *   r* K    = the least X with X = K | r X: a LOOP, if r holds an assertion
 *
 * Without assertions it is plain concatenation, and counted repetition stays
 * what it is.  An operand of "and" or "not" is a language of its own: what
 * follows it is not in its assertions' sight.
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/book.h"

#include <assert.h>

static uint32_t compile_plain(struct srt_book *b, uint32_t x);

static uint32_t compile_list(struct srt_book *b, uint32_t x, uint32_t kind)
{
    const size_t from = b->words.n;
    size_t n;
    const uint32_t *key = srt_source(b, x, &n);

    for (size_t i = 1; i < n && !srt_book_failed(b); i++)
        srt_words_push(b, &b->words, srt_compile(b, key[i], b->empty));
    return kind == SRT_S_OR ? srt_term_or(b, from) : srt_term_and(b, from);
}

static uint32_t compile_code(struct srt_book *b, uint32_t code)
{
    const uint32_t range[1][2] = { { code, code } };

    return srt_book_class_set(b, range, 1);
}

/* x in front of nothing, for the kinds that have parts. */
static uint32_t compile_parts(struct srt_book *b, uint32_t x)
{
    size_t n;
    const uint32_t *key = srt_source(b, x, &n);
    uint32_t term = b->empty;

    switch ((enum srt_source_kind)key[0]) {
    case SRT_S_SET: {
        const uint32_t(*ranges)[2] = srt_set_ranges(b, key[1], &n);

        return srt_book_class_set(b, ranges, n);
    }
    case SRT_S_STRING:
        while (--n > 0)
            term = srt_term_cat(b, compile_code(b, key[n]), term);
        return term;
    case SRT_S_CAT:
        while (--n > 0)
            term = srt_term_cat(b, compile_plain(b, key[n]), term);
        return term;
    case SRT_S_OR:
    case SRT_S_AND:
        return compile_list(b, x, key[0]);
    case SRT_S_NOT:
        return srt_term_not(b, srt_compile(b, key[1], b->empty));
    case SRT_S_REPEAT:
        return srt_term_repeat(b, compile_plain(b, key[1]), key[2], key[3]);
    default:
        return b->empty;
    }
}

static uint32_t compile_plain(struct srt_book *b, uint32_t x)
{
    uint32_t term;

    if (x == 0 || srt_book_failed(b))
        return 0;
    if (srt_source_info(b, x)->term)
        return srt_source_info(b, x)->term - 1;
    term = compile_parts(b, x);
    if (!srt_book_failed(b))
        srt_source_info(b, x)->term = term + 1;
    return term;
}

/*
 * X is nullable if and only if next is: whatever else is in X passes through
 * X.  As much is known before the body is compiled, which needs X.
 */
static uint32_t compile_loop(struct srt_book *b, uint32_t body, uint32_t next)
{
    const uint32_t key[3] = { SRT_T_LOOP, body, next };
    struct srt_term_info info = { .max = SRT_INFINITY };
    uint32_t x;

    info.uses = srt_source_info(b, body)->uses;
    info.head = info.uses;
    if (next) {
        const struct srt_term_info *n = srt_term_info(b, next);

        info.uses |= n->uses;
        info.head |= n->head;
        info.nullable = n->nullable;
        info.min = n->min;
    } else {
        return 0;
    }
    x = srt_term_intern(b, key, 3, &info);
    if (srt_book_failed(b) || srt_term_info(b, x)->meaning)
        return x;
    next = srt_term_or2(b, next, srt_compile(b, body, x));
    if (!srt_book_failed(b))
        srt_term_info(b, x)->meaning = next;
    return x;
}

static uint32_t compile_repeat(struct srt_book *b, const uint32_t *key,
                               uint32_t next)
{
    const uint32_t body = key[1], min = key[2], max = key[3];
    uint32_t x = next;

    if (min > SRT_ASSERTED_REPEAT ||
        (max != SRT_INFINITY && max > SRT_ASSERTED_REPEAT))
        return srt_book_fail(b, SORTES_E_LIMIT);
    if (max == SRT_INFINITY)
        x = compile_loop(b, body, next);
    for (uint32_t i = min; max != SRT_INFINITY && i < max; i++)
        x = srt_term_or2(b, next, srt_compile(b, body, x));
    for (uint32_t i = 0; i < min && !srt_book_failed(b); i++)
        x = srt_compile(b, body, x);
    return x;
}

static uint32_t compile_ahead(struct srt_book *b, const uint32_t *key,
                              uint32_t next)
{
    uint32_t x = srt_compile(b, key[1], b->everything);

    if (key[2])
        x = srt_term_not(b, x);
    return srt_term_and2(b, x, next);
}

/* For sources with assertions. */
static uint32_t compile_asserted(struct srt_book *b, uint32_t x, uint32_t next)
{
    const size_t from = b->words.n;
    size_t n;
    const uint32_t *key = srt_source(b, x, &n);

    switch ((enum srt_source_kind)key[0]) {
    case SRT_S_CAT:
        while (--n > 0)
            next = srt_compile(b, key[n], next);
        return next;
    case SRT_S_OR:
        for (size_t i = 1; i < n && !srt_book_failed(b); i++)
            srt_words_push(b, &b->words, srt_compile(b, key[i], next));
        return srt_term_or(b, from);
    case SRT_S_REPEAT:
        return compile_repeat(b, key, next);
    case SRT_S_AHEAD:
        return compile_ahead(b, key, next);
    case SRT_S_BEHIND:
        if (b->trackers[key[1]].term == b->everything) /* always true */
            return key[2] ? 0 : next;
        return key[2] ? srt_term_if(b, key[1], 0, next)
                      : srt_term_if(b, key[1], next, 0);
    case SRT_S_END:
        return srt_term_and2(b, next, b->empty);
    default: /* and, not */
        return srt_term_cat(b, compile_plain(b, x), next);
    }
}

uint32_t srt_compile(struct srt_book *b, uint32_t x, uint32_t next)
{
    const uint32_t key[2] = { x, next };
    uint32_t number, term;
    uint64_t *known;

    if (x == 0 || next == 0 || srt_book_failed(b))
        return 0;
    if (!srt_source_info(b, x)->asserts)
        return srt_term_cat(b, compile_plain(b, x), next);
    b->status = srt_pool_intern(&b->compiled, key, sizeof(key), &number, NULL);
    if (srt_book_failed(b))
        return 0;
    known = srt_pool_payload(&b->compiled, number);
    if (*known)
        return (uint32_t)*known - 1;
    term = compile_asserted(b, x, next);
    if (!srt_book_failed(b))
        *known = (uint64_t)term + 1;
    return term;
}

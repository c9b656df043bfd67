/*
 * term.c - terms: sets, concatenation, repetition, complement, conditions
 *
 * SPDX-License-Identifier: MIT
 */
#include "constrain/regex/book.h"

#include <assert.h>

uint32_t srt_term_intern(struct srt_book *b, const uint32_t *key, size_t n,
                         const struct srt_term_info *info)
{
    bool is_new;
    uint32_t x;

    if (srt_book_failed(b))
        return 0;
    b->status = srt_pool_intern(&b->terms, key, n * sizeof(*key), &x, &is_new);
    if (srt_book_failed(b))
        return 0;
    if (is_new)
        *srt_term_info(b, x) = *info;
    return x;
}

/* Lengths saturate at "no bound". */
static uint32_t term_add(uint32_t x, uint32_t y)
{
    return x >= SRT_INFINITY - y ? SRT_INFINITY : x + y;
}

static uint32_t term_times(uint32_t x, uint32_t y)
{
    const uint64_t product = (uint64_t)x * y;

    if (x == 0 || y == 0)
        return 0;
    return product >= SRT_INFINITY ? SRT_INFINITY : (uint32_t)product;
}

/* A lower bound must not be "no bound". */
static uint32_t term_least(uint32_t length)
{
    return length == SRT_INFINITY ? SRT_INFINITY - 1 : length;
}

uint32_t srt_term_set(struct srt_book *b, const uint64_t *bits)
{
    const struct srt_term_info info = { .min = 1, .max = 1, .plain = true };
    uint32_t key[2] = { SRT_T_SET, 0 };
    bool any = false;

    for (uint32_t i = 0; i < b->n_class_words; i++)
        any |= bits[i] != 0;
    if (!any || srt_book_failed(b))
        return 0;
    b->status = srt_pool_intern(
        &b->class_sets, bits, b->n_class_words * sizeof(*bits), &key[1], NULL);
    return srt_term_intern(b, key, 2, &info);
}

const uint64_t *srt_term_classes(const struct srt_book *b, uint32_t x)
{
    return srt_pool_key(&b->class_sets, srt_term(b, x, NULL)[1], NULL);
}

/* r{a,b} r{c,d} = r{a+c,b+d}; 0: x and y are not of that form. */
static uint32_t term_join_repeats(struct srt_book *b, uint32_t x, uint32_t y)
{
    const uint32_t *p = srt_term(b, x, NULL), *q = srt_term(b, y, NULL);
    uint32_t min, max;

    if (p[0] != SRT_T_REPEAT || q[0] != SRT_T_REPEAT || p[1] != q[1])
        return 0;
    min = term_add(p[2], q[2]);
    max = term_add(p[3], q[3]);
    if (min == SRT_INFINITY ||
        (max == SRT_INFINITY && p[3] != SRT_INFINITY && q[3] != SRT_INFINITY))
        return 0;
    return srt_term_repeat(b, p[1], min, max);
}

/* x is no CAT. */
static uint32_t term_cat_one(struct srt_book *b, uint32_t x, uint32_t y)
{
    const uint32_t *q = srt_term(b, y, NULL);
    const struct srt_term_info *xi = srt_term_info(b, x);
    const struct srt_term_info *yi = srt_term_info(b, y);
    const bool longer = q[0] == SRT_T_CAT;
    const uint32_t joined = term_join_repeats(b, x, longer ? q[1] : y);
    struct srt_term_info info = { .uses = xi->uses | yi->uses,
                                  .head = xi->head };
    uint32_t key[3] = { SRT_T_CAT, x, y };

    if (joined)
        return longer ? term_cat_one(b, joined, q[2]) : joined;
    if (xi->nullable)
        info.head |= yi->head;
    info.nullable = xi->nullable && yi->nullable;
    info.plain = xi->plain && yi->plain;
    info.min = term_least(term_add(xi->min, yi->min));
    info.max = term_add(xi->max, yi->max);
    return srt_term_intern(b, key, 3, &info);
}

uint32_t srt_term_cat(struct srt_book *b, uint32_t x, uint32_t y)
{
    const size_t from = b->words.n;

    if (x == 0 || y == 0 || srt_book_failed(b))
        return 0;
    if (x == b->empty)
        return y;
    if (y == b->empty)
        return x;
    for (; srt_term_kind(b, x) == SRT_T_CAT; x = srt_term(b, x, NULL)[2])
        srt_words_push(b, &b->words, srt_term(b, x, NULL)[1]);
    y = term_cat_one(b, x, y);
    while (b->words.n > from && y && !srt_book_failed(b))
        y = term_cat_one(b, b->words.at[--b->words.n], y);
    b->words.n = from;
    return srt_book_failed(b) ? 0 : y;
}

/* An alternative without its empty string, where that is one of its own. */
static uint32_t term_without_empty(struct srt_book *b, uint32_t x)
{
    const size_t from = b->words.n;
    size_t n;
    const uint32_t *p = srt_term(b, x, &n);

    if (p[0] != SRT_T_OR)
        return x;
    for (size_t i = 1; i < n; i++)
        if (p[i] != b->empty)
            srt_words_push(b, &b->words, p[i]);
    return srt_term_or(b, from);
}

/* (r{a,b}){min,max} where that is one repetition of r; else unchanged. */
static void term_flatten_repeat(const struct srt_book *b, uint32_t key[4])
{
    const uint32_t *p = srt_term(b, key[1], NULL);

    if (p[0] != SRT_T_REPEAT || p[2] > 1)
        return;
    if (p[3] == SRT_INFINITY) { /* (r*), (r+) */
        key[2] = p[2] == 0 ? 0 : key[2];
        key[3] = SRT_INFINITY;
    } else if (key[2] <= 1 && key[3] == SRT_INFINITY) {
        key[2] = p[2] == 0 ? 0 : key[2];
    } else {
        return;
    }
    key[1] = p[1];
}

uint32_t srt_term_repeat(struct srt_book *b, uint32_t x, uint32_t min,
                         uint32_t max)
{
    uint32_t key[4] = { SRT_T_REPEAT, x, min, max };
    const struct srt_term_info *xi;
    struct srt_term_info info = { .plain = true };

    if (srt_book_failed(b))
        return 0;
    if (max == 0 || x == b->empty || (x == 0 && min == 0))
        return b->empty;
    if (x == 0)
        return 0;
    if (srt_term_info(b, x)->nullable)
        key[2] = 0;
    if (key[2] == 0)
        key[1] = term_without_empty(b, x);
    if (srt_book_failed(b))
        return 0;
    term_flatten_repeat(b, key);
    if (key[2] == 1 && key[3] == 1)
        return key[1];
    if (key[2] == 0 && key[3] == 1)
        return srt_term_or2(b, b->empty, key[1]);
    xi = srt_term_info(b, key[1]);
    assert(xi->uses == 0);
    info.nullable = key[2] == 0 || xi->nullable;
    info.plain = xi->plain;
    info.min = term_least(term_times(key[2], xi->min));
    info.max = xi->max == 0 ? 0 : term_times(key[3], xi->max);
    return srt_term_intern(b, key, 4, &info);
}

uint32_t srt_term_not(struct srt_book *b, uint32_t x)
{
    const uint32_t key[2] = { SRT_T_NOT, x };
    struct srt_term_info info = { .max = SRT_INFINITY };
    const uint32_t *p;

    if (srt_book_failed(b))
        return 0;
    if (x == 0)
        return b->everything;
    if (x == b->everything)
        return 0;
    p = srt_term(b, x, NULL);
    if (p[0] == SRT_T_NOT)
        return p[1];
    if (p[0] == SRT_T_IF) {
        const uint32_t yes = srt_term_not(b, p[2]), no = srt_term_not(b, p[3]);

        return srt_term_if(b, p[1], yes, no);
    }
    info.uses = srt_term_info(b, x)->uses;
    info.head = srt_term_info(b, x)->head;
    info.nullable = info.head != 0 || !srt_term_info(b, x)->nullable;
    info.min = !info.nullable;
    return srt_term_intern(b, key, 2, &info);
}

/* A branch that asks the same question again has its answer. */
static uint32_t term_branch(const struct srt_book *b, uint32_t tracker,
                            uint32_t x, bool answer)
{
    while (x) {
        const uint32_t *p = srt_term(b, x, NULL);

        if (p[0] != SRT_T_IF || p[1] != tracker)
            break;
        x = p[answer ? 2 : 3];
    }
    return x;
}

uint32_t srt_term_if(struct srt_book *b, uint32_t tracker, uint32_t yes,
                     uint32_t no)
{
    uint32_t key[4] = { SRT_T_IF, tracker, 0, 0 };
    struct srt_term_info info = { .uses = UINT64_C(1) << tracker,
                                  .min = SRT_INFINITY - 1 };

    if (srt_book_failed(b))
        return 0;
    key[2] = term_branch(b, tracker, yes, true);
    key[3] = term_branch(b, tracker, no, false);
    if (key[2] == key[3])
        return key[2];
    info.head = info.uses;
    for (int i = 2; i < 4; i++) {
        const struct srt_term_info *xi;

        if (key[i] == 0)
            continue;
        xi = srt_term_info(b, key[i]);
        info.uses |= xi->uses;
        info.head |= xi->head;
        info.nullable |= xi->nullable;
        info.min = xi->min < info.min ? xi->min : info.min;
        info.max = xi->max > info.max ? xi->max : info.max;
    }
    return srt_term_intern(b, key, 4, &info);
}

uint32_t srt_term_or2(struct srt_book *b, uint32_t x, uint32_t y)
{
    const size_t from = b->words.n;

    srt_words_push(b, &b->words, x);
    srt_words_push(b, &b->words, y);
    return srt_term_or(b, from);
}

uint32_t srt_term_and2(struct srt_book *b, uint32_t x, uint32_t y)
{
    const size_t from = b->words.n;

    srt_words_push(b, &b->words, x);
    srt_words_push(b, &b->words, y);
    return srt_term_and(b, from);
}

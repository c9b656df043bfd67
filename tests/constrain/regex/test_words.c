/*
 * test_words.c - stacks that grow within limits, and how lists are sorted
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/regex/book.h"

static struct srt_book *book(size_t max_bytes)
{
    const struct srt_regex_limits limits = { 1000, max_bytes, 0 };
    struct srt_book *b;

    assert_int_equal(srt_book_new(&b, &limits), SORTES_OK);
    srt_book_begin(b);
    return b;
}

static void stacks_grow_until_their_limit(void **state)
{
    struct srt_book *b = book(1 << 20);
    size_t n = 0;

    (void)state;
    for (; !srt_book_failed(b); n++)
        srt_words_push(b, &b->words, (uint32_t)n);
    assert_int_equal(b->status, SORTES_E_LIMIT);
    assert_int_equal(n, (1 << 18) + 1);
    for (size_t i = 0; i + 1 < n; i++)
        assert_int_equal(b->words.at[i], i);
    srt_book_begin(b);
    for (n = 0; !srt_book_failed(b); n++)
        srt_pairs_push(b, n);
    assert_int_equal(n, (1 << 17) + 1);
    srt_book_free(b);
}

static void lists_are_sorted_once_each(void **state)
{
    (void)state;
    for (size_t n = 0; n < 50; n++) {
        uint32_t list[50];
        uint64_t pairs[50];
        size_t kept, at;

        for (size_t i = 0; i < n; i++) {
            list[i] = (uint32_t)(i * 7 % 23);
            pairs[i] = (uint64_t)(i * 7 % 23) << 32 | i;
        }
        kept = srt_words_unique(list, n);
        assert_int_equal(kept, n < 23 ? n : 23);
        for (size_t i = 1; i < kept; i++)
            assert_true(list[i - 1] < list[i]);
        for (uint32_t k = 0; k < 25; k++) {
            bool there = false;

            for (size_t i = 0; i < n; i++)
                there |= i * 7 % 23 == k;
            assert_int_equal(srt_words_find(list, kept, k, &at), there);
            assert_true(!there || list[at] == k);
        }
        srt_sort_pairs(pairs, n);
        for (size_t i = 1; i < n; i++)
            assert_true(pairs[i - 1] < pairs[i]);
    }
}

/* A call that takes longer than it may ends, whatever work it has left. */
static void time_is_a_limit_too(void **state)
{
    const struct srt_regex_limits limits = { 1000, 1 << 20, 1 };
    struct srt_book *b;

    (void)state;
    assert_int_equal(srt_book_new(&b, &limits), SORTES_OK);
    srt_book_begin(b);
    for (b->words.n = 0; !srt_book_failed(b) && b->work; b->words.n = 0)
        srt_words_push(b, &b->words, 1);
    assert_int_equal(b->status, SORTES_E_LIMIT);
    assert_true(b->work > 0);
    srt_book_begin(b); /* the next one has its own */
    srt_words_push(b, &b->words, 1);
    assert_int_equal(b->status, SORTES_OK);
    srt_book_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_grow_until_their_limit),
        cmocka_unit_test(time_is_a_limit_too),
        cmocka_unit_test(lists_are_sorted_once_each),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

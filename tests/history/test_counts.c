/*
 * test_counts.c - lists of (token, number), and finding a token in one
 *
 * SPDX-License-Identifier: MIT
 */
#include "history/counts.h"

#include "support/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 600 };

static int by_token(const void *a, const void *b)
{
    const struct srt_count *x = a, *y = b;

    return (x->token > y->token) - (x->token < y->token);
}

/* n entries of up to `kinds` tokens. */
static void fill(struct srt_count *c, size_t n, struct rows_random *r,
                 size_t kinds)
{
    for (size_t i = 0; i < n; i++)
        c[i] = (struct srt_count){ (int32_t)(rows_below(r, kinds) * 7919),
                                   (int32_t)rows_below(r, 50) };
}

static void sort_ascends_by_token(void **state)
{
    struct srt_count c[MOST], want[MOST];
    struct rows_random r = { 1 };

    (void)state;
    for (int i = 0; i < 500; i++) {
        const size_t n = rows_below(&r, MOST);

        fill(c, n, &r, 1 + rows_below(&r, 1000));
        memcpy(want, c, n * sizeof(*c));
        if (n > 0)
            qsort(want, n, sizeof(*want), by_token);
        srt_counts_sort(c, n);
        for (size_t j = 0; j < n; j++)
            assert_int_equal(c[j].token, want[j].token);
    }
}

static void sort_moves_counts_with_their_tokens(void **state)
{
    struct srt_count c[] = { { 9, 1 }, { 3, 2 }, { 5, 3 } };

    (void)state;
    srt_counts_sort(c, 3);
    assert_int_equal(c[0].count, 2);
    assert_int_equal(c[1].count, 3);
    assert_int_equal(c[2].count, 1);
}

static void sort_takes_the_ends_of_the_range(void **state)
{
    struct srt_count c[] = { { INT32_MAX, 1 }, { 0, 2 }, { INT32_MAX, 3 } };

    (void)state;
    srt_counts_sort(c, 3);
    assert_int_equal(c[0].token, 0);
    assert_int_equal(c[2].token, INT32_MAX);
}

static void keep_largest_leaves_each_token_once(void **state)
{
    struct srt_count c[] = { { 4, 2 }, { 1, 5 }, { 4, 9 }, { 1, 3 }, { 4, 7 } };

    (void)state;
    assert_int_equal(srt_counts_keep_largest(c, 5), 2);
    assert_int_equal(c[0].token, 1);
    assert_int_equal(c[0].count, 5);
    assert_int_equal(c[1].token, 4);
    assert_int_equal(c[1].count, 9);
}

static void keep_largest_of_nothing_is_nothing(void **state)
{
    (void)state;
    assert_int_equal(srt_counts_keep_largest(NULL, 0), 0);
}

static void keep_largest_equals_a_search(void **state)
{
    struct srt_count c[MOST], all[MOST];
    struct rows_random r = { 2 };

    (void)state;
    for (int i = 0; i < 300; i++) {
        const size_t n = 1 + rows_below(&r, MOST - 1);
        size_t n_kept;

        fill(c, n, &r, 1 + rows_below(&r, 40));
        memcpy(all, c, n * sizeof(*c));
        n_kept = srt_counts_keep_largest(c, n);
        for (size_t j = 0; j < n; j++) {
            int32_t most = 0;
            size_t at = 0;

            for (size_t k = 0; k < n; k++)
                if (all[k].token == all[j].token && all[k].count > most)
                    most = all[k].count;
            while (at < n_kept && c[at].token != all[j].token)
                at++;
            assert_in_range(at, 0, n_kept - 1);
            assert_int_equal(c[at].count, most);
        }
        for (size_t j = 1; j < n_kept; j++)
            assert_true(c[j - 1].token < c[j].token);
    }
}

static void lookup_finds_what_is_there_and_nothing_else(void **state)
{
    struct srt_count c[MOST];
    struct rows_random r = { 3 };
    struct srt_lookup l;

    (void)state;
    for (int i = 0; i < 40; i++) {
        const size_t n = srt_counts_keep_largest((fill(c, MOST, &r, 500), c),
                                                 1 + rows_below(&r, MOST - 1));
        size_t at = 0;

        srt_lookup_init(&l, c, n);
        for (int32_t token = 0; token < 500 * 7919; token += 7919 / 7) {
            const struct srt_count *found = srt_lookup_find(&l, token);

            while (at < n && c[at].token < token)
                at++;
            assert_int_equal(srt_counts_find(c, n, token), at);
            if (at < n && c[at].token == token)
                assert_ptr_equal(found, &c[at]);
            else
                assert_null(found);
        }
        for (size_t j = 0; j < n; j++)
            assert_ptr_equal(srt_lookup_find(&l, c[j].token), &c[j]);
    }
}

static void lookup_tells_tokens_of_one_filter_bit_apart(void **state)
{
    const struct srt_count c[] = { { 5, 1 }, { 5 + 2 * 4096, 2 } };
    struct srt_lookup l;

    (void)state;
    srt_lookup_init(&l, c, 2);
    assert_ptr_equal(srt_lookup_find(&l, 5), &c[0]);
    assert_null(srt_lookup_find(&l, 5 + 4096));
    assert_ptr_equal(srt_lookup_find(&l, 5 + 2 * 4096), &c[1]);
    assert_null(srt_lookup_find(&l, 5 + 3 * 4096));
    assert_null(srt_lookup_find(&l, 6));
}

static void lookup_in_nothing_finds_nothing(void **state)
{
    struct srt_lookup l;

    (void)state;
    srt_lookup_init(&l, NULL, 0);
    assert_null(srt_lookup_find(&l, 0));
    assert_null(srt_lookup_search(&l, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sort_ascends_by_token),
        cmocka_unit_test(sort_moves_counts_with_their_tokens),
        cmocka_unit_test(sort_takes_the_ends_of_the_range),
        cmocka_unit_test(keep_largest_leaves_each_token_once),
        cmocka_unit_test(keep_largest_of_nothing_is_nothing),
        cmocka_unit_test(keep_largest_equals_a_search),
        cmocka_unit_test(lookup_finds_what_is_there_and_nothing_else),
        cmocka_unit_test(lookup_tells_tokens_of_one_filter_bit_apart),
        cmocka_unit_test(lookup_in_nothing_finds_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

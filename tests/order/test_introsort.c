/*
 * test_introsort.c - std::sort, whole and for one rank
 *
 * SPDX-License-Identifier: MIT
 */
#include "order/orders.h"

static size_t run_sort(struct srt_candidate *c, size_t n, size_t k)
{
    (void)k;
    srt_sort(c, n);
    return n;
}

static void sort_ks(size_t n, size_t k[8])
{
    (void)n;
    k[0] = 1; /* once each; it says nothing */
}

static const struct order_sort sort = { ORDER_SORT, run_sort, sort_ks };

/* Partitions inside one another that std::sort allows. */
static int depth_limit(size_t n)
{
    int depth = 0;

    for (; n > 1; n >>= 1)
        depth += 2;
    return depth;
}

static void sort_leaves_the_recorded_orders(void **state)
{
    (void)state;
    orders_check_recorded(&sort, 0x567c1e70234b4c96u);
}

static void sort_equals_the_standard_librarys(void **state)
{
    (void)state;
    orders_check_living(&sort);
}

/* Without it the cases above would not try what happens at depth 0. */
static void killer_sequences_reach_the_depth_limit(void **state)
{
    static float x[ARRAY_MAX];

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(array_sizes); i++) {
        const size_t n = array_sizes[i];

        if (n < 128)
            continue;
        array_fill(x, n, ARRAY_KILLER, 0);
        assert_true(array_depth(x, n) > depth_limit(n));
        array_fill(x, n, ARRAY_NORMAL, 0);
        assert_true(array_depth(x, n) <= depth_limit(n));
    }
    array_fill(x, 2000, ARRAY_KILLER_TIED, 0);
    assert_true(array_depth(x, 2000) > depth_limit(2000));
}

static void sort_nth_equals_sort_at_every_rank(void **state)
{
    static float x[ARRAY_MAX];
    static struct srt_candidate c[ARRAY_MAX], sorted[ARRAY_MAX];

    (void)state;
    for (int kind = 0; kind < ARRAY_N_KINDS; kind++) {
        for (size_t i = 0; i < SRT_COUNT(array_sizes); i++) {
            const size_t n = array_sizes[i];
            const size_t step = n < 300 ? 1 : n / 97;

            array_fill(x, n, (enum array_kind)kind, 5);
            array_candidates(sorted, x, n);
            srt_sort(sorted, n);
            for (size_t rank = 0; rank < n; rank += step) {
                struct srt_candidate got;

                array_candidates(c, x, n);
                got = srt_sort_nth(c, n, rank);
                assert_int_equal(got.id, sorted[rank].id);
                assert_true(got.logit == sorted[rank].logit);
            }
        }
    }
}

static void sort_nth_loses_no_candidate(void **state)
{
    static float x[ARRAY_MAX];
    static struct srt_candidate c[ARRAY_MAX];
    static bool seen[ARRAY_MAX];

    (void)state;
    array_fill(x, 1500, ARRAY_FEW, 3);
    array_candidates(c, x, 1500);
    (void)srt_sort_nth(c, 1500, 700);
    for (size_t i = 0; i < 1500; i++) {
        assert_false(seen[c[i].id]);
        assert_true(c[i].logit == x[c[i].id]);
        seen[c[i].id] = true;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sort_leaves_the_recorded_orders),
        cmocka_unit_test(sort_equals_the_standard_librarys),
        cmocka_unit_test(killer_sequences_reach_the_depth_limit),
        cmocka_unit_test(sort_nth_equals_sort_at_every_rank),
        cmocka_unit_test(sort_nth_loses_no_candidate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

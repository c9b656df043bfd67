/*
 * test_heap.c - std::partial_sort and its steps
 *
 * SPDX-License-Identifier: MIT
 */
#include "order/orders.h"

static size_t run_partial(struct srt_candidate *c, size_t n, size_t k)
{
    srt_partial_sort(c, k, n);
    return n;
}

static void partial_ks(size_t n, size_t k[8])
{
    const size_t tries[] = { 1, 2, 40, 128, n / 2, n };
    size_t n_k = 0;

    for (size_t i = 0; i < SRT_COUNT(tries); i++)
        if (tries[i] > 0 && tries[i] <= n)
            k[n_k++] = tries[i];
}

static const struct order_sort partial = { ORDER_PARTIAL, run_partial,
                                           partial_ks };

static void partial_sort_leaves_the_recorded_orders(void **state)
{
    (void)state;
    orders_check_recorded(&partial, 0x5d888fac1645e3a8u);
}

static void partial_sort_equals_the_standard_librarys(void **state)
{
    (void)state;
    orders_check_living(&partial);
}

static void partial_sort_of_nothing_moves_nothing(void **state)
{
    struct srt_candidate c[] = { { 7, 1.0f, 0.5f }, { 8, 2.0f, 0.25f } };

    (void)state;
    srt_partial_sort(c, 0, 2);
    srt_partial_sort(c, 0, 0);
    assert_int_equal(c[0].id, 7);
    assert_int_equal(c[1].id, 8);
}

static void partial_sort_moves_candidates_as_a_whole(void **state)
{
    static float x[ARRAY_MAX];
    static struct srt_candidate c[ARRAY_MAX];

    (void)state;
    array_fill(x, ARRAY_MAX, ARRAY_EIGHTHS, 9);
    array_candidates(c, x, ARRAY_MAX);
    for (size_t i = 0; i < ARRAY_MAX; i++)
        c[i].p = x[i] * 2.0f;
    srt_partial_sort(c, 500, ARRAY_MAX);
    for (size_t i = 0; i < ARRAY_MAX; i++) {
        assert_true(c[i].logit == x[c[i].id]);
        assert_true(c[i].p == x[c[i].id] * 2.0f);
    }
}

/* What a sparse view does: only logits above the heap's least one are shown. */
static void steps_replay_a_partial_sort(void **state)
{
    static float x[ARRAY_MAX];
    static struct srt_candidate c[ARRAY_MAX], heap[ARRAY_MAX];

    (void)state;
    for (int kind = 0; kind < ARRAY_N_KINDS; kind++) {
        for (size_t k = 1; k < 300; k = k * 2 + 1) {
            const size_t n = 1500;

            array_fill(x, n, (enum array_kind)kind, k);
            array_candidates(c, x, n);
            memcpy(heap, c, k * sizeof(*c));
            srt_heap_make(heap, k);
            for (size_t i = k; i < n; i++)
                if (x[i] > heap[0].logit)
                    srt_heap_replace_top(heap, k, c[i]);
            srt_heap_sort(heap, k);
            srt_partial_sort(c, k, n);
            assert_memory_equal(heap, c, k * sizeof(*c));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partial_sort_leaves_the_recorded_orders),
        cmocka_unit_test(partial_sort_equals_the_standard_librarys),
        cmocka_unit_test(partial_sort_of_nothing_moves_nothing),
        cmocka_unit_test(partial_sort_moves_candidates_as_a_whole),
        cmocka_unit_test(steps_replay_a_partial_sort),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

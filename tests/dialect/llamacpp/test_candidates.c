/*
 * test_candidates.c - sorting and softmax of the engine's array
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/candidates.h"

#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { ROOM = 512 };

static struct srt_candidate data[ROOM], spare[ROOM], again[ROOM], other[ROOM];

static struct srt_candidates array_of(const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        data[i] = (struct srt_candidate){ (int32_t)i, x[i], 0.0f };
    return (struct srt_candidates){ data, n, -1, false, spare };
}

/* n logits with every value many times, in two buckets. */
static struct srt_candidates tied(size_t n)
{
    float x[ROOM];

    for (size_t i = 0; i < n; i++)
        x[i] = i % 3 ? 0.5f : 1.0f;
    return array_of(x, n);
}

static void check_same(const struct srt_candidate *a,
                       const struct srt_candidate *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_int_equal(a[i].id, b[i].id);
}

static void sort_first_orders_and_drops(void **state)
{
    struct srt_candidates c = array_of((float[]){ -1, 3, 2, 5, 0 }, 5);

    (void)state;
    srt_candidates_sort_first(&c, 3);
    assert_int_equal(c.size, 3);
    assert_true(c.sorted);
    assert_int_equal(c.data[0].id, 3);
    assert_int_equal(c.data[1].id, 1);
    assert_int_equal(c.data[2].id, 2);
}

static void sort_first_up_to_128_is_the_heap_select(void **state)
{
    struct srt_candidates c = tied(300);

    (void)state;
    memcpy(again, data, sizeof(data));
    srt_partial_sort(again, 128, 300);
    srt_candidates_sort_first(&c, 128);
    check_same(c.data, again, 128);
}

static void sort_first_from_129_is_the_bucket_sort(void **state)
{
    struct srt_candidates c = tied(300);
    bool differs = false;

    (void)state;
    memcpy(again, data, sizeof(data));
    (void)srt_bucket_sort(other, data, 300, 129);
    srt_candidates_sort_first(&c, 129);
    check_same(c.data, other, 129);
    /* The heap select would have put the ties elsewhere. */
    srt_partial_sort(again, 129, 300);
    for (size_t i = 0; i < 129; i++)
        differs |= again[i].id != other[i].id;
    assert_true(differs);
}

static void sort_first_of_all_of_128_is_a_heap_sort(void **state)
{
    struct srt_candidates c = tied(128);

    (void)state;
    memcpy(again, data, sizeof(data));
    srt_partial_sort(again, 128, 128);
    srt_candidates_sort_first(&c, 128);
    check_same(c.data, again, 128);
}

static void sort_first_leaves_selected_alone(void **state)
{
    struct srt_candidates c = array_of((float[]){ 1, 2 }, 2);

    (void)state;
    srt_candidates_sort_first(&c, 2);
    assert_int_equal(c.selected, -1);
}

static void max_looks_at_all(void **state)
{
    struct srt_candidates c = array_of((float[]){ -4, -1, -2 }, 3);

    (void)state;
    assert_true(srt_candidates_max(&c) == -1.0f);
}

static void max_believes_a_sorted_array(void **state)
{
    struct srt_candidates c = array_of((float[]){ -4, -1, -2 }, 3);

    (void)state;
    c.sorted = true;
    assert_true(srt_candidates_max(&c) == -4.0f);
}

static void max_of_nothing_but_minus_infinity(void **state)
{
    struct srt_candidates c = array_of((float[]){ -INFINITY, -INFINITY }, 2);

    (void)state;
    assert_true(srt_candidates_max(&c) == -INFINITY);
}

static void softmax_of_equals_is_even(void **state)
{
    struct srt_candidates c = array_of((float[]){ 7, 7, 7, 7 }, 4);

    (void)state;
    assert_int_equal(srt_candidates_softmax(&c, false), SORTES_OK);
    for (size_t i = 0; i < 4; i++)
        assert_true(c.data[i].p == 0.25f);
}

static void softmax_of_minus_infinity_is_zero(void **state)
{
    struct srt_candidates c = array_of((float[]){ 0, -INFINITY, 0 }, 3);

    (void)state;
    assert_int_equal(srt_candidates_softmax(&c, false), SORTES_OK);
    assert_true(c.data[1].p == 0.0f && c.data[2].p == 0.5f);
}

static void softmax_sums_in_the_order_of_the_array(void **state)
{
    /* exp(-17.5) is below half an ulp of 1: behind the 1 it is lost, but
     * eight of them in front are not. */
    struct srt_candidates c =
        array_of((float[]){ 0, -17.5f, -17.5f, -17.5f, -17.5f, -17.5f, -17.5f,
                            -17.5f, -17.5f },
                 9);

    (void)state;
    assert_int_equal(srt_candidates_softmax(&c, false), SORTES_OK);
    assert_true(c.data[0].p == 1.0f);
    c = array_of((float[]){ -17.5f, -17.5f, -17.5f, -17.5f, -17.5f, -17.5f,
                            -17.5f, -17.5f, 0 },
                 9);
    assert_int_equal(srt_candidates_softmax(&c, false), SORTES_OK);
    assert_true(c.data[8].p < 1.0f);
}

static void softmax_does_not_sort(void **state)
{
    struct srt_candidates c = array_of((float[]){ 1, 3, 2 }, 3);

    (void)state;
    assert_int_equal(srt_candidates_softmax(&c, false), SORTES_OK);
    assert_false(c.sorted);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(c.data[i].id, i);
}

static void softmax_needs_something_above_minus_infinity(void **state)
{
    struct srt_candidates c = array_of((float[]){ -INFINITY, -INFINITY }, 2);

    (void)state;
    assert_int_equal(srt_candidates_softmax(&c, false), SORTES_E_NO_TOKEN);
}

static void bad_logits_are_nan_and_plus_infinity(void **state)
{
    (void)state;
    assert_true(srt_logit_is_bad(NAN));
    assert_true(srt_logit_is_bad(INFINITY));
    assert_false(srt_logit_is_bad(-INFINITY));
    assert_false(srt_logit_is_bad(FLT_MAX));
    assert_false(srt_logit_is_bad(-0.0f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sort_first_orders_and_drops),
        cmocka_unit_test(sort_first_up_to_128_is_the_heap_select),
        cmocka_unit_test(sort_first_from_129_is_the_bucket_sort),
        cmocka_unit_test(sort_first_of_all_of_128_is_a_heap_sort),
        cmocka_unit_test(sort_first_leaves_selected_alone),
        cmocka_unit_test(max_looks_at_all),
        cmocka_unit_test(max_believes_a_sorted_array),
        cmocka_unit_test(max_of_nothing_but_minus_infinity),
        cmocka_unit_test(softmax_of_equals_is_even),
        cmocka_unit_test(softmax_of_minus_infinity_is_zero),
        cmocka_unit_test(softmax_sums_in_the_order_of_the_array),
        cmocka_unit_test(softmax_does_not_sort),
        cmocka_unit_test(softmax_needs_something_above_minus_infinity),
        cmocka_unit_test(bad_logits_are_nan_and_plus_infinity),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

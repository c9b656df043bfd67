/*
 * test_top_p.c - keeping the most likely tokens that together reach a share
 *
 * SPDX-License-Identifier: MIT
 */
#include "order/order.h"
#include "support/stages.h"

#include <math.h>
#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { MANY = 4096 };

static struct srt_candidate from[MANY], sorted[MANY];
static float many[MANY];

/* Logits of probabilities .4 .3 .2 .1, turned over. */
#define TENTHS ROW(0, 0.6931472f, 1.0986123f, 1.3862944f)

static void top_p_keeps_the_likely_end(void **state)
{
    sortes_sampler *s = stages_sampler("top_p=0.65");
    const struct stage *seen = stages_see(s, TENTHS, "top_p");

    (void)state;
    stages_check_ids(seen, IDS(3, 2));
    assert_true(seen->sorted);
}

static void top_p_keeps_the_token_that_crosses_the_line(void **state)
{
    (void)state;
    stages_check_ids(stages_see(stages_sampler("top_p=0.39"), TENTHS, "top_p"),
                     IDS(3));
    stages_check_ids(stages_see(stages_sampler("top_p=0.41"), TENTHS, "top_p"),
                     IDS(3, 2));
    stages_check_ids(stages_see(stages_sampler("top_p=0.89"), TENTHS, "top_p"),
                     IDS(3, 2, 1));
    stages_check_ids(stages_see(stages_sampler("top_p=0.91"), TENTHS, "top_p"),
                     IDS(3, 2, 1, 0));
}

static void top_p_stops_exactly_on_the_line(void **state)
{
    sortes_sampler *s = stages_sampler("top_p=0.5");

    (void)state; /* quarters are exact */
    assert_int_equal(stages_see(s, ROW(6, 6, 6, 6), "top_p")->n, 2);
}

static void top_p_of_zero_keeps_one(void **state)
{
    sortes_sampler *s = stages_sampler("top_p=0");

    (void)state;
    stages_check_ids(stages_see(s, ROW(1, 9, 3, 9), "top_p"), IDS(1));
}

static void top_p_of_one_makes_no_stage(void **state)
{
    (void)state;
    assert_null(stages_find(stages_sampler("top_p=1"), TENTHS, "top_p"));
}

static void top_p_below_one_may_keep_all(void **state)
{
    sortes_sampler *s = stages_sampler("top_p=0.99999994");

    (void)state;
    assert_int_equal(stages_see(s, ROW(0, 0, 0), "top_p")->n, 3);
}

static void top_p_outside_its_bounds_is_refused(void **state)
{
    static const double bad[] = { -0.1, 1.01, (double)NAN, HUGE_VAL };
    sortes_params *p;

    (void)state;
    assert_int_equal(sortes_params_new(&p, "llama.cpp", NULL), SORTES_OK);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_int_equal(sortes_params_set_number(p, "top_p", bad[i], NULL),
                         SORTES_E_RANGE);
    sortes_params_free(p);
}

static void min_keep_holds_tokens_that_top_p_would_drop(void **state)
{
    (void)state;
    stages_check_ids(
        stages_see(stages_sampler("top_p=0.1 min_keep=3"), TENTHS, "top_p"),
        IDS(3, 2, 1));
    stages_check_ids(
        stages_see(stages_sampler("top_p=0 min_keep=2"), TENTHS, "top_p"),
        IDS(3, 2));
    stages_check_ids(
        stages_see(stages_sampler("top_p=0.1 min_keep=99"), TENTHS, "top_p"),
        IDS(3, 2, 1, 0));
}

static void top_p_leaves_probabilities_of_the_whole_array(void **state)
{
    sortes_sampler *s = stages_sampler("top_p=0.3");
    const struct stage *seen = stages_see(s, ROW(2, 2, 2, 2), "top_p");

    (void)state;
    assert_int_equal(seen->n, 2);
    assert_true(seen->p[0] == 0.25f && seen->p[1] == 0.25f);
}

static void top_p_sums_in_id_order_before_it_sorts(void **state)
{
    /* Beside 1 each of the eight is lost; eight before it are not. */
    const float x[9] = { -17.5f, -17.5f, -17.5f, -17.5f, -17.5f,
                         -17.5f, -17.5f, -17.5f, 0 };

    (void)state;
    assert_true(stages_see(stages_sampler("top_p=0.5"), x, 9, "top_p")->p[0] <
                1.0f);
    /* top-k has put the 1 in front. */
    assert_true(
        stages_see(stages_sampler("top_p=0.5 top_k=9"), x, 9, "top_p")->p[0] ==
        1.0f);
}

/* The ids of the bucket sort of the first k of n. */
static void check_bucket_order(const struct stage *seen, size_t n, size_t k)
{
    for (size_t i = 0; i < n; i++)
        from[i] = (struct srt_candidate){ (int32_t)i, many[i], 0 };
    assert_true(srt_bucket_sort(sorted, from, n, k) >= k);
    assert_true(seen->n > 0 && seen->n <= k);
    for (size_t i = 0; i < seen->n; i++)
        assert_int_equal(seen->token[i], sorted[i].id);
}

static void top_p_beyond_the_first_256_equals_a_full_sort(void **state)
{
    /* A share of .9 of 4096 equals is 3686.4 of them. */
    sortes_sampler *s = stages_sampler("top_p=0.9");
    const struct stage *seen = stages_see(s, many, MANY, "top_p");

    (void)state;
    assert_int_equal(seen->n, 3687);
    check_bucket_order(seen, MANY, MANY);
}

static void top_p_within_the_first_256_sorts_no_further(void **state)
{
    sortes_sampler *s = stages_sampler("top_p=0.0625");
    const struct stage *seen = stages_see(s, many, MANY, "top_p");

    (void)state;
    assert_int_equal(seen->n, 256);
    check_bucket_order(seen, MANY, 256);
}

static void top_p_one_past_the_first_256_sorts_all(void **state)
{
    sortes_sampler *s = stages_sampler("top_p=0.0626");
    const struct stage *seen = stages_see(s, many, MANY, "top_p");

    (void)state;
    assert_int_equal(seen->n, 257);
    check_bucket_order(seen, MANY, MANY);
}

static void top_p_up_to_1024_sorts_all_at_once(void **state)
{
    sortes_sampler *s = stages_sampler("top_p=0.01");

    (void)state;
    check_bucket_order(stages_see(s, many, 1024, "top_p"), 1024, 1024);
    check_bucket_order(stages_see(s, many, 1025, "top_p"), 1025, 256);
}

static void top_p_up_to_128_is_a_heap_sort(void **state)
{
    sortes_sampler *s = stages_sampler("top_p=0.5");
    const struct stage *seen = stages_see(s, many, 128, "top_p");

    (void)state;
    for (int32_t i = 0; i < 128; i++)
        from[i] = (struct srt_candidate){ i, 0, 0 };
    srt_partial_sort(from, 128, 128);
    assert_int_equal(seen->n, 64);
    for (size_t i = 0; i < seen->n; i++)
        assert_int_equal(seen->token[i], from[i].id);
}

static void top_p_after_top_k_does_not_sort_again(void **state)
{
    sortes_sampler *s = stages_sampler("top_k=4 top_p=0.6");
    sortes_sampler *k = stages_sampler("top_k=4");
    const struct stage *seen = stages_see(s, many, 4096, "top_p");

    (void)state;
    assert_int_equal(seen->n, 3);
    stages_check_ids(seen, stages_see(k, many, 4096, "top_k")->token, 3);
}

static void top_p_with_nothing_left_is_refused(void **state)
{
    sortes_sampler *s = stages_sampler("top_p=0.9 logit_bias=0-inf,1-inf");

    (void)state;
    assert_int_equal(stages_try(s, ROW(1, 2)), SORTES_E_NO_TOKEN);
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(top_p_keeps_the_likely_end),
        CASE(top_p_keeps_the_token_that_crosses_the_line),
        CASE(top_p_stops_exactly_on_the_line),
        CASE(top_p_of_zero_keeps_one),
        CASE(top_p_of_one_makes_no_stage),
        CASE(top_p_below_one_may_keep_all),
        CASE(top_p_outside_its_bounds_is_refused),
        CASE(min_keep_holds_tokens_that_top_p_would_drop),
        CASE(top_p_leaves_probabilities_of_the_whole_array),
        CASE(top_p_sums_in_id_order_before_it_sorts),
        CASE(top_p_beyond_the_first_256_equals_a_full_sort),
        CASE(top_p_within_the_first_256_sorts_no_further),
        CASE(top_p_one_past_the_first_256_sorts_all),
        CASE(top_p_up_to_1024_sorts_all_at_once),
        CASE(top_p_up_to_128_is_a_heap_sort),
        CASE(top_p_after_top_k_does_not_sort_again),
        CASE(top_p_with_nothing_left_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

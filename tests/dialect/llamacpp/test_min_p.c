/*
 * test_min_p.c - dropping tokens much less likely than the best one
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"
#include "support/stages.h"

#include <math.h>
#include <stdio.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* logf(0.5f), and the float below it. */
#define LN_HALF       (-0x1.62e430p-1f)
#define BELOW_LN_HALF (-0x1.62e432p-1f)

static void min_p_keeps_what_is_on_the_line(void **state)
{
    sortes_sampler *s = stages_sampler("min_p=0.5");

    (void)state;
    stages_check_ids(stages_see(s, ROW(BELOW_LN_HALF, LN_HALF, 0, -9), "min_p"),
                     IDS(1, 2));
    stages_check_ids(stages_see(stages_sampler("min_p=0.5 top_k=4"),
                                ROW(BELOW_LN_HALF, LN_HALF, 0, -9), "min_p"),
                     IDS(2, 1));
}

static void min_p_of_an_unsorted_array_keeps_its_order(void **state)
{
    sortes_sampler *s = stages_sampler("min_p=0.1");
    const struct stage *seen = stages_see(s, ROW(1, -8, 3, 2, -7), "min_p");

    (void)state;
    stages_check_ids(seen, IDS(0, 2, 3));
    assert_false(seen->sorted);
}

static void min_p_of_a_sorted_array_stays_sorted(void **state)
{
    sortes_sampler *s = stages_sampler("min_p=0.1 top_k=5");
    const struct stage *seen = stages_see(s, ROW(1, -8, 3, 2, -7), "min_p");

    (void)state;
    stages_check_ids(seen, IDS(2, 3, 0));
    assert_true(seen->sorted);
}

static void min_p_with_too_few_left_sorts(void **state)
{
    sortes_sampler *s = stages_sampler("min_p=0.5 min_keep=3");
    const struct stage *seen = stages_see(s, ROW(1, 9, -3, 2, 0), "min_p");

    (void)state;
    stages_check_ids(seen, IDS(1, 3, 0));
    assert_true(seen->sorted);
}

static void min_p_with_just_enough_left_does_not_sort(void **state)
{
    sortes_sampler *s = stages_sampler("min_p=0.5 min_keep=2");
    const struct stage *seen = stages_see(s, ROW(9, -3, 9, 0), "min_p");

    (void)state;
    stages_check_ids(seen, IDS(0, 2));
    assert_false(seen->sorted);
}

static void min_p_counts_what_is_on_the_line_as_left(void **state)
{
    sortes_sampler *s = stages_sampler("min_p=0.5 min_keep=2");
    const struct stage *seen = stages_see(s, ROW(LN_HALF, -9, 0), "min_p");

    (void)state;
    stages_check_ids(seen, IDS(0, 2));
    assert_false(seen->sorted);
}

static void min_keep_beyond_the_array_keeps_all(void **state)
{
    sortes_sampler *s = stages_sampler("min_p=0.5 min_keep=7");

    (void)state;
    stages_check_ids(stages_see(s, ROW(1, 9, -3), "min_p"), IDS(1, 0, 2));
}

static void min_p_of_zero_makes_no_stage(void **state)
{
    sortes_sampler *s = stages_sampler("min_p=0");

    (void)state;
    assert_null(stages_find(s, ROW(1, 2), "min_p"));
}

static void min_p_of_one_keeps_only_the_best(void **state)
{
    sortes_sampler *s = stages_sampler("min_p=1");

    (void)state;
    stages_check_ids(stages_see(s, ROW(1, 4, 3.9999998f, 4), "min_p"),
                     IDS(1, 3));
}

static void min_p_computes_no_probabilities(void **state)
{
    sortes_sampler *s = stages_sampler("min_p=0.1");
    const struct stage *seen = stages_see(s, ROW(1, 2), "min_p");

    (void)state;
    assert_true(seen->p[0] == 0.0f && seen->p[1] == 0.0f);
}

static void
min_p_compares_with_the_best_whatever_was_dropped_before(void **state)
{
    /* .6 .25 .15: after a top-k of 2, .25/.6 is .417 and not .25/.85. */
    const float x[] = { -0.5108256f, -1.3862944f, -1.8971200f };

    (void)state;
    stages_check_ids(
        stages_see(stages_sampler("top_k=2 min_p=0.42"), x, 3, "min_p"),
        IDS(0));
    stages_check_ids(
        stages_see(stages_sampler("top_k=2 min_p=0.41"), x, 3, "min_p"),
        IDS(0, 1));
}

static void min_p_comes_before_the_temperature(void **state)
{
    /* exp(-2) is .135, whatever the temperature makes of it later. */
    (void)state;
    stages_check_ids(stages_see(stages_sampler("min_p=0.13 temperature=0.1"),
                                ROW(0, -2), "dist"),
                     IDS(0, 1));
    stages_check_ids(stages_see(stages_sampler("min_p=0.14 temperature=9"),
                                ROW(0, -2), "dist"),
                     IDS(0));
}

static void min_p_works_with_a_seed(void **state)
{
    (void)state;
    for (int seed = 0; seed < 64; seed++) {
        char settings[64];
        int32_t token;

        (void)snprintf(settings, sizeof(settings), "min_p=0.4 seed=%d", seed);
        /* .1 .2 .05 .65: only the last is within .4 of the best */
        token = stages_draw(stages_sampler(settings),
                            ROW(0.1f, 0.7931472f, -0.5931472f, 1.9718022f));
        assert_int_equal(token, 3);
        (void)stages_teardown(NULL);
    }
}

static void min_p_drops_minus_infinity(void **state)
{
    sortes_sampler *s = stages_sampler("min_p=1e-38");

    (void)state;
    stages_check_ids(stages_see(s, ROW(-INFINITY, -80, 0), "min_p"), IDS(1, 2));
}

static void min_p_of_nothing_but_minus_infinity_sorts(void **state)
{
    struct srt_candidate data[3] = { { 0, -INFINITY, 0 },
                                     { 1, -INFINITY, 0 },
                                     { 2, -INFINITY, 0 } };
    struct srt_candidate spare[3];
    struct srt_candidates c = { data, 3, -1, false, spare };
    struct sortes_params params = { .min_p = 0.5f };
    struct srt_llamacpp chain = { .params = &params };
    struct srt_step step = { 0 };

    (void)state;
    /* Nothing reaches -FLT_MAX + logf(p); on the sorted path all are on the
     * line -inf. */
    assert_int_equal(srt_stage_min_p.apply(&chain, NULL, &c, &step), SORTES_OK);
    assert_true(c.sorted);
    assert_int_equal(c.size, 3);
}

static void min_p_line_is_a_float_sum(void **state)
{
    struct sortes_params params = { .min_p = 0.5f };

    (void)state;
    assert_true(srt_llamacpp_min_p_line(&params, 0) == LN_HALF);
    assert_true(srt_llamacpp_min_p_line(&params, 16777216.0f) == 16777215.0f);
    assert_true(srt_llamacpp_min_p_line(&params, 1e9f) == 1e9f);
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(min_p_keeps_what_is_on_the_line),
        CASE(min_p_of_an_unsorted_array_keeps_its_order),
        CASE(min_p_of_a_sorted_array_stays_sorted),
        CASE(min_p_with_too_few_left_sorts),
        CASE(min_p_with_just_enough_left_does_not_sort),
        CASE(min_p_counts_what_is_on_the_line_as_left),
        CASE(min_keep_beyond_the_array_keeps_all),
        CASE(min_p_of_zero_makes_no_stage),
        CASE(min_p_of_one_keeps_only_the_best),
        CASE(min_p_computes_no_probabilities),
        CASE(min_p_compares_with_the_best_whatever_was_dropped_before),
        CASE(min_p_comes_before_the_temperature),
        CASE(min_p_works_with_a_seed),
        CASE(min_p_drops_minus_infinity),
        CASE(min_p_of_nothing_but_minus_infinity_sorts),
        CASE(min_p_line_is_a_float_sum),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

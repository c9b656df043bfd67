/*
 * test_logit_bias.c - biases of single tokens
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"
#include "support/stages.h"

#include <math.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void bias_is_added(void **state)
{
    sortes_sampler *s = stages_sampler("logit_bias=1+2.5,3-4");

    (void)state;
    stages_check_logits(stages_see(s, ROW(1, 1, 1, 1), "logit_bias"),
                        ROW(1, 3.5f, 1, -3));
}

static void bias_of_a_token_named_twice_counts_twice(void **state)
{
    sortes_sampler *s = stages_sampler("logit_bias=0+1,2+0.5,0+1");

    (void)state;
    stages_check_logits(stages_see(s, ROW(0, 0, 0), "logit_bias"),
                        ROW(2, 0, 0.5f));
}

static void bias_twice_is_added_in_the_order_of_the_list(void **state)
{
    /* 1 + 2^24 rounds to 2^24, and so does adding 1 again; 1 + 1 first gives
     * a sum that stays. */
    sortes_sampler *big_first = stages_sampler("logit_bias=1+16777216,1+1");
    sortes_sampler *big_last = stages_sampler("logit_bias=1+1,1+16777216");

    (void)state;
    stages_check_logits(stages_see(big_first, ROW(0, 1), "logit_bias"),
                        ROW(0, 16777216.0f));
    stages_check_logits(stages_see(big_last, ROW(0, 1), "logit_bias"),
                        ROW(0, 16777218.0f));
}

static void bias_of_tokens_outside_the_row_is_passed_over(void **state)
{
    sortes_sampler *s = stages_sampler("logit_bias=3+9,1+1,2147483647+9,4-inf");

    (void)state;
    stages_check_logits(stages_see(s, ROW(0, 0, 0), "logit_bias"),
                        ROW(0, 1, 0));
}

static void bias_of_the_id_behind_the_row_touches_nothing(void **state)
{
    struct srt_candidate data[2] = { { 0, 1, 0 }, { 1, 5, 0 } };
    struct srt_candidates c = { data, 1, -1, true, data };
    struct srt_llamacpp *chain = stages_chain("logit_bias=1+9,0+2");
    struct srt_step step = { 0 };

    (void)state;
    assert_int_equal(srt_stage_logit_bias.apply(chain, NULL, &c, &step),
                     SORTES_OK);
    assert_true(data[0].logit == 3.0f && data[1].logit == 5.0f);
    assert_true(c.sorted);
}

static void bias_of_minus_infinity_forbids(void **state)
{
    sortes_sampler *s = stages_sampler("logit_bias=2-inf");

    (void)state;
    for (int i = 0; i < 200; i++)
        assert_int_not_equal(stages_draw(s, ROW(0, 0, 60, 1)), 2);
}

static void bias_of_minus_infinity_outlasts_others_of_its_token(void **state)
{
    sortes_sampler *s = stages_sampler("logit_bias=0+5,0-inf,0+1e30");

    (void)state;
    stages_check_logits(stages_see(s, ROW(3, 1), "logit_bias"),
                        ROW(-INFINITY, 1));
}

static void bias_that_forbids_every_token_leaves_none(void **state)
{
    sortes_sampler *s = stages_sampler("logit_bias=0-inf,1-inf,2-inf");

    (void)state;
    assert_int_equal(stages_try(s, ROW(1, 2, 3)), SORTES_E_NO_TOKEN);
}

static void bias_past_the_largest_float_is_refused(void **state)
{
    sortes_sampler *s = stages_sampler("logit_bias=1+3e38");

    (void)state;
    assert_int_equal(stages_try(s, ROW(0, 3e38f)), SORTES_E_NOT_FINITE);
    assert_int_equal(stages_draw(s, ROW(0, 1)), 1);
}

static void bias_below_the_least_float_forbids(void **state)
{
    sortes_sampler *s = stages_sampler("logit_bias=1-3e38");

    (void)state;
    stages_check_logits(stages_see(s, ROW(0, -3e38f), "logit_bias"),
                        ROW(0, -INFINITY));
}

static void bias_comes_before_everything(void **state)
{
    sortes_sampler *s = stages_sampler("logit_bias=2+8 top_k=2");

    (void)state;
    stages_check_ids(stages_see(s, ROW(1, 2, 0, 3), "top_k"), IDS(2, 3));
}

static void bias_leaves_order_and_flag_alone(void **state)
{
    sortes_sampler *s = stages_sampler("logit_bias=2+8");
    const struct stage *seen = stages_see(s, ROW(1, 2, 0), "logit_bias");

    (void)state;
    stages_check_ids(seen, IDS(0, 1, 2));
    assert_false(seen->sorted);
}

static void bias_empty_makes_no_stage(void **state)
{
    sortes_sampler *s = stages_sampler("logit_bias=");

    (void)state;
    assert_null(stages_find(s, ROW(1, 2), "logit_bias"));
}

static void bias_of_zero_is_a_stage_all_the_same(void **state)
{
    sortes_sampler *s = stages_sampler("logit_bias=0+0");

    (void)state;
    stages_check_logits(stages_see(s, ROW(1, 2), "logit_bias"), ROW(1, 2));
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(bias_is_added),
        CASE(bias_of_a_token_named_twice_counts_twice),
        CASE(bias_twice_is_added_in_the_order_of_the_list),
        CASE(bias_of_tokens_outside_the_row_is_passed_over),
        CASE(bias_of_the_id_behind_the_row_touches_nothing),
        CASE(bias_of_minus_infinity_forbids),
        CASE(bias_of_minus_infinity_outlasts_others_of_its_token),
        CASE(bias_that_forbids_every_token_leaves_none),
        CASE(bias_past_the_largest_float_is_refused),
        CASE(bias_below_the_least_float_forbids),
        CASE(bias_comes_before_everything),
        CASE(bias_leaves_order_and_flag_alone),
        CASE(bias_empty_makes_no_stage),
        CASE(bias_of_zero_is_a_stage_all_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

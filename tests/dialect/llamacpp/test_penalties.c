/*
 * test_penalties.c - penalties on the tokens of the last few
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

static void repeat_divides_positive_and_multiplies_negative(void **state)
{
    sortes_sampler *s = stages_sampler("repeat_penalty=2");

    (void)state;
    stages_history(s, IDS(0, 2));
    stages_check_logits(stages_see(s, ROW(3, 3, -3, -3), "penalties"),
                        ROW(1.5f, 3, -6, -3));
}

static void repeat_leaves_zeros_as_they_are(void **state)
{
    sortes_sampler *s = stages_sampler("repeat_penalty=1.5");

    (void)state;
    stages_history(s, IDS(0, 1));
    stages_check_logits(stages_see(s, ROW(0, -0.0f), "penalties"),
                        ROW(0, -0.0f));
}

static void repeat_counts_a_token_once(void **state)
{
    sortes_sampler *s = stages_sampler("repeat_penalty=4");

    (void)state;
    stages_history(s, IDS(1, 1, 1, 1, 1));
    stages_check_logits(stages_see(s, ROW(12, 12), "penalties"), ROW(12, 3));
}

static void repeat_below_one_raises(void **state)
{
    sortes_sampler *s = stages_sampler("repeat_penalty=0.5");

    (void)state;
    stages_history(s, IDS(0, 1));
    stages_check_logits(stages_see(s, ROW(3, -3), "penalties"), ROW(6, -1.5f));
}

static void repeat_divides_and_does_not_multiply(void **state)
{
    /* 5 / .7f and 5 * (1 / .7f) differ by one in the last place. */
    sortes_sampler *s = stages_sampler("repeat_penalty=0.7");

    (void)state;
    stages_history(s, IDS(0));
    stages_check_logits(stages_see(s, ROW(5), "penalties"),
                        ROW(0x1.c92492p+2f));
}

static void frequency_is_taken_once_for_each_time(void **state)
{
    sortes_sampler *s = stages_sampler("frequency_penalty=0.25");

    (void)state;
    stages_history(s, IDS(2, 0, 2, 2));
    stages_check_logits(stages_see(s, ROW(1, 1, 1), "penalties"),
                        ROW(0.75f, 1, 0.25f));
}

static void presence_is_taken_once(void **state)
{
    sortes_sampler *s = stages_sampler("presence_penalty=0.5");

    (void)state;
    stages_history(s, IDS(2, 0, 2, 2));
    stages_check_logits(stages_see(s, ROW(1, 1, 1), "penalties"),
                        ROW(0.5f, 1, 0.5f));
}

static void penalties_add_up(void **state)
{
    sortes_sampler *s = stages_sampler(
        "repeat_penalty=4 frequency_penalty=0.5 presence_penalty=1");

    (void)state;
    stages_history(s, IDS(0, 3, 0));
    /* 8/4 - (2*0.5 + 1); untouched; untouched; -1*4 - (0.5 + 1) */
    stages_check_logits(stages_see(s, ROW(8, 8, -1, -1), "penalties"),
                        ROW(0, 8, -1, -5.5f));
}

static void frequency_and_presence_are_summed_first(void **state)
{
    /* Half an ulp twice: each alone is lost beside 1, their sum is not. */
    sortes_sampler *s =
        stages_sampler("frequency_penalty=2.98023223876953125e-8 "
                       "presence_penalty=2.98023223876953125e-8");

    (void)state;
    stages_history(s, IDS(0));
    stages_check_logits(stages_see(s, ROW(1, 1), "penalties"),
                        ROW(0x1.fffffep-1f, 1));
}

static void negative_penalties_reward(void **state)
{
    sortes_sampler *s =
        stages_sampler("frequency_penalty=-0.5 presence_penalty=-1");

    (void)state;
    stages_history(s, IDS(1, 1));
    stages_check_logits(stages_see(s, ROW(0, 0), "penalties"), ROW(0, 2));
}

static void window_forgets_the_oldest(void **state)
{
    sortes_sampler *s = stages_sampler("repeat_last_n=3 frequency_penalty=1");

    (void)state;
    stages_history(s, IDS(0, 0, 1, 2));
    stages_check_logits(stages_see(s, ROW(5, 5, 5), "penalties"), ROW(4, 4, 4));
    stages_history(s, IDS(2));
    stages_check_logits(stages_see(s, ROW(5, 5, 5), "penalties"), ROW(5, 4, 3));
}

static void window_reaches_exactly_as_far_as_it_says(void **state)
{
    sortes_sampler *just_not =
        stages_sampler("repeat_penalty=2 repeat_last_n=20");
    sortes_sampler *just = stages_sampler("repeat_penalty=2 repeat_last_n=21");

    (void)state;
    for (int32_t token = 0; token <= 20; token++) {
        stages_history(just_not, IDS(token));
        stages_history(just, IDS(token));
    }
    stages_check_logits(stages_see(just_not, ROW(2, 2), "penalties"),
                        ROW(2, 1));
    stages_check_logits(stages_see(just, ROW(2, 2), "penalties"), ROW(1, 1));
}

static void window_holds_the_prompt_and_what_was_drawn(void **state)
{
    sortes_sampler *s = stages_sampler("presence_penalty=1");
    const int32_t forced = 2;

    (void)state;
    stages_history(s, IDS(0));
    stages_accept(s, IDS(1));
    assert_int_equal(sortes_sampler_accept(s, &forced, 1, SORTES_FORCED),
                     SORTES_OK);
    stages_check_logits(stages_see(s, ROW(0, 0, 0, 0), "penalties"),
                        ROW(-1, -1, -1, 0));
}

static void drawing_alone_adds_nothing_to_the_window(void **state)
{
    sortes_sampler *s = stages_sampler("presence_penalty=1");

    (void)state;
    assert_int_equal(stages_draw(s, ROW(90, 0)), 0);
    stages_check_logits(stages_see(s, ROW(90, 0), "penalties"), ROW(90, 0));
}

static void window_of_tokens_outside_the_row_is_passed_over(void **state)
{
    sortes_sampler *s = stages_sampler("presence_penalty=1");

    (void)state;
    stages_history(s, IDS(1, 3, 2147483647));
    stages_check_logits(stages_see(s, ROW(0, 0, 0), "penalties"),
                        ROW(0, -1, 0));
}

static void window_of_zero_turns_penalties_off(void **state)
{
    sortes_sampler *s =
        stages_sampler("repeat_last_n=0 repeat_penalty=2 presence_penalty=1");

    (void)state;
    stages_history(s, IDS(0, 0));
    assert_null(stages_find(s, ROW(2, 1), "penalties"));
}

static void neutral_values_make_no_stage(void **state)
{
    sortes_sampler *s = stages_sampler("repeat_last_n=64 repeat_penalty=1");

    (void)state;
    stages_history(s, IDS(0, 0));
    assert_null(stages_find(s, ROW(2, 1), "penalties"));
}

static void penalties_work_on_what_the_bias_left(void **state)
{
    sortes_sampler *s = stages_sampler("repeat_penalty=2 logit_bias=0+7");

    (void)state;
    stages_history(s, IDS(0));
    stages_check_logits(stages_see(s, ROW(1, 1), "penalties"), ROW(4, 1));
}

static void penalties_keep_minus_infinity(void **state)
{
    sortes_sampler *s = stages_sampler(
        "repeat_penalty=0.5 frequency_penalty=-9 presence_penalty=-9");

    (void)state;
    stages_history(s, IDS(0));
    stages_check_logits(stages_see(s, ROW(-INFINITY, 0), "penalties"),
                        ROW(-INFINITY, 0));
}

static void penalties_may_ban(void **state)
{
    sortes_sampler *s = stages_sampler("frequency_penalty=3e38");

    (void)state;
    stages_history(s, IDS(0, 0));
    stages_check_logits(stages_see(s, ROW(5, 0), "penalties"),
                        ROW(-INFINITY, 0));
}

static void penalties_that_make_infinity_or_nan_are_refused(void **state)
{
    sortes_sampler *s = stages_sampler("frequency_penalty=-3e38");

    (void)state;
    stages_history(s, IDS(1, 1));
    assert_int_equal(stages_try(s, ROW(0, 1, 0)), SORTES_E_NOT_FINITE);
    /* -inf minus -inf */
    assert_int_equal(stages_try(s, ROW(0, -INFINITY, 0)), SORTES_E_NOT_FINITE);
}

static void penalties_that_are_refused_move_nothing(void **state)
{
    sortes_sampler *s = stages_sampler("repeat_penalty=1e-30");
    sortes_sampler *fresh = stages_sampler("repeat_penalty=1e-30");

    (void)state;
    stages_history(s, IDS(1));
    stages_history(fresh, IDS(1));
    assert_int_equal(stages_try(s, ROW(0, 1e20f, 0)), SORTES_E_NOT_FINITE);
    for (int i = 0; i < 16; i++)
        assert_int_equal(stages_draw(s, ROW(0, 0, 0)),
                         stages_draw(fresh, ROW(0, 0, 0)));
}

static void penalties_unset_the_flag_even_when_idle(void **state)
{
    struct srt_candidate data[2] = { { 0, 2.0f, 0 }, { 1, 1.0f, 0 } };
    struct srt_candidates c = { data, 2, -1, true, data };
    struct srt_llamacpp chain = { 0 };
    struct srt_step step = { 0 };

    (void)state;
    assert_int_equal(srt_stage_penalties.apply(&chain, NULL, &c, &step),
                     SORTES_OK);
    assert_false(c.sorted);
    assert_int_equal(c.data[0].id, 0);
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(repeat_divides_positive_and_multiplies_negative),
        CASE(repeat_leaves_zeros_as_they_are),
        CASE(repeat_counts_a_token_once),
        CASE(repeat_below_one_raises),
        CASE(repeat_divides_and_does_not_multiply),
        CASE(frequency_is_taken_once_for_each_time),
        CASE(presence_is_taken_once),
        CASE(penalties_add_up),
        CASE(frequency_and_presence_are_summed_first),
        CASE(negative_penalties_reward),
        CASE(window_forgets_the_oldest),
        CASE(window_reaches_exactly_as_far_as_it_says),
        CASE(window_holds_the_prompt_and_what_was_drawn),
        CASE(drawing_alone_adds_nothing_to_the_window),
        CASE(window_of_tokens_outside_the_row_is_passed_over),
        CASE(window_of_zero_turns_penalties_off),
        CASE(neutral_values_make_no_stage),
        CASE(penalties_work_on_what_the_bias_left),
        CASE(penalties_keep_minus_infinity),
        CASE(penalties_may_ban),
        CASE(penalties_that_make_infinity_or_nan_are_refused),
        CASE(penalties_that_are_refused_move_nothing),
        CASE(penalties_unset_the_flag_even_when_idle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

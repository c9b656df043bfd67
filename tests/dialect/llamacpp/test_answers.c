/*
 * test_answers.c - what a step would do, asked without taking it
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/stages.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { FOUR = 4 };

static const float four[FOUR] = { 1.0f, 3.0f, -1.0f, 2.0f };

static void probabilities_come_likeliest_first(void **state)
{
    sortes_sampler *s = stages_sampler("temperature=0.5");
    const sortes_row row = { four, FOUR, SORTES_F32 };
    sortes_probability top[FOUR], drawn;
    static const int32_t want[FOUR] = { 1, 3, 0, 2 };
    float p[FOUR], sum = 0.0f;
    size_t n;

    (void)state;
    assert_int_equal(
        sortes_sampler_probabilities(s, &row, top, FOUR, &n, &drawn),
        SORTES_OK);
    assert_int_equal(sortes_sampler_distribution(s, &row, p), SORTES_OK);
    assert_int_equal(n, FOUR);
    for (size_t i = 0; i < FOUR; i++) {
        assert_int_equal(top[i].token, want[i]);
        assert_true(top[i].p == p[want[i]]);
        sum += top[i].p;
    }
    assert_true(sum > 0.999999f && sum < 1.000001f);
}

static void probabilities_name_the_token_that_is_drawn_next(void **state)
{
    sortes_sampler *s = stages_sampler("temperature=3");
    const sortes_row row = { four, FOUR, SORTES_F32 };
    sortes_probability top[FOUR], drawn;
    float p[FOUR];
    size_t n;

    (void)state;
    assert_int_equal(sortes_sampler_distribution(s, &row, p), SORTES_OK);
    for (int i = 0; i < 50; i++) {
        assert_int_equal(
            sortes_sampler_probabilities(s, &row, top, FOUR, &n, &drawn),
            SORTES_OK);
        assert_int_equal(stages_draw(s, four, FOUR), drawn.token);
        assert_true(drawn.p == p[drawn.token]);
    }
}

static void probabilities_stop_at_the_first_zero_and_at_k(void **state)
{
    sortes_sampler *cold = stages_sampler("temperature=0");
    sortes_sampler *warm = stages_sampler("top_k=3");
    const sortes_row row = { four, FOUR, SORTES_F32 };
    sortes_probability top[FOUR], drawn;
    size_t n;

    (void)state;
    assert_int_equal(
        sortes_sampler_probabilities(cold, &row, top, FOUR, &n, &drawn),
        SORTES_OK);
    assert_true(n == 1 && top[0].token == 1 && top[0].p == 1.0f);
    assert_true(drawn.token == 1 && drawn.p == 1.0f);
    assert_int_equal(
        sortes_sampler_probabilities(warm, &row, top, FOUR, &n, NULL),
        SORTES_OK);
    assert_int_equal(n, 3);
    assert_int_equal(sortes_sampler_probabilities(warm, &row, top, 2, &n, NULL),
                     SORTES_OK);
    assert_int_equal(n, 2);
    assert_int_equal(
        sortes_sampler_probabilities(warm, &row, NULL, 0, &n, &drawn),
        SORTES_OK);
    assert_int_equal(n, 0);
}

static void probabilities_refuse_what_sample_refuses(void **state)
{
    static const float bad[2] = { 0.0f, INFINITY };
    sortes_sampler *s = stages_sampler("");
    const sortes_row row = { bad, 2, SORTES_F32 };
    sortes_probability top[2];
    size_t n = 7;

    (void)state;
    assert_int_equal(sortes_sampler_probabilities(s, &row, top, 2, &n, NULL),
                     SORTES_E_NOT_FINITE);
    assert_int_equal(sortes_sampler_probabilities(s, &row, NULL, 2, &n, NULL),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_probabilities(s, &row, top, 2, NULL, NULL),
                     SORTES_E_ARGUMENT);
    assert_int_equal(n, 7);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, stages_teardown)
    const struct CMUnitTest tests[] = {
        TEST(probabilities_come_likeliest_first),
        TEST(probabilities_name_the_token_that_is_drawn_next),
        TEST(probabilities_stop_at_the_first_zero_and_at_k),
        TEST(probabilities_refuse_what_sample_refuses),
    };
#undef TEST

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_logprobs.c - log-probabilities raw, tempered and processed
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dialect/rmlx/chain.h"
#include "support/dialects.h"
#include "support/rows.h"
#include "support/stages.h"

#include <math.h>

static sortes_status ask(const char *settings, sortes_logprob_mode mode,
                         const float *x, size_t n, sortes_logprob *top,
                         size_t k)
{
    sortes_sampler *s = dialects_sampler("rmlx", NULL, settings);
    const sortes_row row = { x, n, SORTES_F32 };
    const sortes_status status =
        sortes_sampler_logprobs(s, &row, mode, 0, top, k, NULL);

    sortes_sampler_free(s);
    return status;
}

/* The value of token 0. */
static float first(const char *settings, sortes_logprob_mode mode)
{
    const float x[] = { 2, 1, 0, -1 };
    const sortes_row row = { x, 4, SORTES_F32 };
    sortes_sampler *s = dialects_sampler("rmlx", NULL, settings);
    float logprob;

    assert_int_equal(
        sortes_sampler_logprobs(s, &row, mode, 0, NULL, 0, &logprob),
        SORTES_OK);
    sortes_sampler_free(s);
    return logprob;
}

static void raw_is_the_log_of_the_rows_softmax(void **state)
{
    (void)state;
    assert_true(fabsf(first("temperature=0.5", SORTES_LOGPROBS_RAW) -
                      -0.440190f) < 1e-6f);
    assert_true(first("", SORTES_LOGPROBS_RAW) ==
                first("temperature=0 logit_bias=0-9", SORTES_LOGPROBS_RAW));
}

static void temperature_scales_before_the_logarithm(void **state)
{
    const float got = first("temperature=0.5", SORTES_LOGPROBS_TEMPERATURE);

    (void)state;
    assert_true(fabsf(got - -0.145078f) < 1e-6f);
    assert_true(got == first("temperature=0.5", SORTES_LOGPROBS_PROCESSED));
    assert_true(first("temperature=0", SORTES_LOGPROBS_TEMPERATURE) == 0.0f);
    assert_true(first("temperature=0", SORTES_LOGPROBS_PROCESSED) == 0.0f);
}

static void processed_knows_filters_and_biases(void **state)
{
    sortes_logprob top[3];

    (void)state;
    assert_int_equal(
        ask("top_k=1", SORTES_LOGPROBS_PROCESSED, ROW(2, 1, 0, -1), top, 3),
        SORTES_OK);
    assert_int_equal(top[0].token, 0);
    assert_true(top[0].logprob == 0.0f);
    assert_int_equal(top[1].token, 1);
    assert_true(top[1].logprob == -INFINITY && top[2].logprob == -INFINITY);
    assert_int_equal(ask("logit_bias=3+4", SORTES_LOGPROBS_PROCESSED,
                         ROW(2, 1, 0, -1), top, 3),
                     SORTES_OK);
    assert_int_equal(top[0].token, 3);
}

static void equal_logits_rank_by_id(void **state)
{
    sortes_logprob top[20];

    (void)state;
    assert_int_equal(ask("", SORTES_LOGPROBS_RAW,
                         ROW(1, 3, -INFINITY, 3, -INFINITY, 2), top, 6),
                     SORTES_OK);
    assert_int_equal(top[0].token, 1);
    assert_int_equal(top[1].token, 3);
    assert_int_equal(top[2].token, 5);
    assert_int_equal(top[3].token, 0);
    assert_int_equal(top[4].token, 2);
    assert_int_equal(top[5].token, 4);
    assert_true(top[0].logprob == top[1].logprob);
    assert_true(top[4].logprob == -INFINITY);
    /* more than there are: as many as there are */
    assert_int_equal(ask("", SORTES_LOGPROBS_RAW, ROW(1, 2), top, 20),
                     SORTES_OK);
    assert_int_equal(top[0].token, 1);
}

static void at_most_20_are_told(void **state)
{
    static float x[100];
    sortes_logprob top[21];

    (void)state;
    rows_fill(x, 100, ROWS_ORDINARY, 3);
    assert_int_equal(ask("", SORTES_LOGPROBS_RAW, x, 100, top, 20), SORTES_OK);
    for (size_t i = 1; i < 20; i++)
        assert_true(top[i - 1].logprob >= top[i].logprob);
    assert_int_equal(ask("", SORTES_LOGPROBS_RAW, x, 100, top, 21),
                     SORTES_E_RANGE);
}

/* Sum of the exponentials: 1, in double. */
static void they_are_probabilities(void **state)
{
    static float x[300];
    const sortes_row row = { x, 300, SORTES_F32 };
    sortes_sampler *s = dialects_sampler("rmlx", NULL, "");
    double sum = 0.0;

    (void)state;
    rows_fill(x, 300, ROWS_ORDINARY, 9);
    for (int32_t i = 0; i < 300; i++) {
        float logprob;

        assert_int_equal(sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW,
                                                 i, NULL, 0, &logprob),
                         SORTES_OK);
        sum += exp((double)logprob);
    }
    assert_true(fabs(sum - 1.0) < 1e-6);
    sortes_sampler_free(s);
}

static void rows_without_an_answer_are_refused(void **state)
{
    sortes_logprob top[2];
    const uint16_t half[] = { 0x3c00, 0 };
    const sortes_row row = { half, 2, SORTES_F16 };
    sortes_sampler *s = dialects_sampler("rmlx", NULL, "");

    (void)state;
    assert_int_equal(ask("", SORTES_LOGPROBS_RAW, ROW(NAN, 1), top, 1),
                     SORTES_E_NOT_FINITE);
    assert_int_equal(
        ask("", SORTES_LOGPROBS_RAW, ROW(-INFINITY, -INFINITY), top, 1),
        SORTES_E_NO_TOKEN);
    assert_int_equal(ask("temperature=1e-3", SORTES_LOGPROBS_TEMPERATURE,
                         ROW(3e38f, 1), top, 1),
                     SORTES_E_NOT_FINITE);
    assert_int_equal(
        sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW, 0, top, 1, NULL),
        SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_logprobs(s, &row, (sortes_logprob_mode)3, 0,
                                             top, 1, NULL),
                     SORTES_E_ARGUMENT);
    sortes_sampler_free(s);
}

/* Asking for them draws nothing and changes no draw. */
static void asking_changes_no_draw(void **state)
{
    sortes_sampler *a = dialects_sampler("rmlx", NULL, "seed=4");
    sortes_sampler *b = dialects_sampler("rmlx", NULL, "seed=4");
    static float x[500];
    const sortes_row row = { x, 500, SORTES_F32 };
    sortes_logprob top[20];

    (void)state;
    for (uint64_t i = 0; i < 20; i++) {
        rows_fill(x, 500, ROWS_FLAT, i);
        assert_int_equal(sortes_sampler_logprobs(a, &row,
                                                 SORTES_LOGPROBS_PROCESSED, 0,
                                                 top, 20, NULL),
                         SORTES_OK);
        assert_int_equal(dialects_draw(a, x, 500), dialects_draw(b, x, 500));
    }
    sortes_sampler_free(a);
    sortes_sampler_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(raw_is_the_log_of_the_rows_softmax),
        cmocka_unit_test(temperature_scales_before_the_logarithm),
        cmocka_unit_test(processed_knows_filters_and_biases),
        cmocka_unit_test(equal_logits_rank_by_id),
        cmocka_unit_test(at_most_20_are_told),
        cmocka_unit_test(they_are_probabilities),
        cmocka_unit_test(rows_without_an_answer_are_refused),
        cmocka_unit_test(asking_changes_no_draw),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

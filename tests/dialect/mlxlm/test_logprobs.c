/*
 * test_logprobs.c - log-probabilities, in their three modes
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/mlxlm/chain.h"
#include "support/mlxlm.h"
#include "support/rule.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static const float logits[] = { 1, 3, -2, 3, 2, -INFINITY };
enum { N = 6 };

static sortes_status ask(sortes_sampler *s, sortes_logprob_mode mode,
                         int32_t token, sortes_logprob *top, size_t k,
                         float *own)
{
    const sortes_row row = mlxlm_row(logits, N, SORTES_F32);

    return sortes_sampler_logprobs(s, &row, mode, token, top, k, own);
}

static void raw_is_what_generate_step_yields(void **state)
{
    sortes_sampler *s =
        mlxlm_sampler("{\"temp\":0.5,\"top_k\":1,\"logit_bias\":{\"0\":1}}");
    float x[N], own;
    sortes_logprob top[N];
    static const int32_t order[] = { 1, 3, 0, 4, 2, 5 };

    (void)state;
    memcpy(x, logits, sizeof(x));
    x[0] += 1;
    assert_int_equal(srt_mlxlm_log_softmax(x, N, false), SORTES_OK);
    assert_int_equal(ask(s, SORTES_LOGPROBS_RAW, 2, top, N, &own), SORTES_OK);
    assert_true(own == x[2]);
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(top[i].token, order[i]);
        assert_true(top[i].logprob == x[order[i]]);
    }
}

static void raw_knows_no_constraint(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{}");
    const sortes_constraint c = rule_constraint(rule_of(1));
    sortes_logprob top[1];

    (void)state;
    assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
    assert_int_equal(ask(s, SORTES_LOGPROBS_RAW, 0, top, 1, NULL), SORTES_OK);
    assert_int_equal(top[0].token, 1);
    assert_int_equal(ask(s, SORTES_LOGPROBS_PROCESSED, 0, top, 1, NULL),
                     SORTES_OK);
    assert_int_equal(top[0].token, 0);
    assert_true(top[0].logprob == 0);
}

static void temperature_scales_before_the_softmax(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{\"temp\":0.5,\"top_k\":1}");
    float own, other;

    (void)state;
    assert_int_equal(ask(s, SORTES_LOGPROBS_TEMPERATURE, 1, NULL, 0, &own),
                     SORTES_OK);
    assert_int_equal(ask(s, SORTES_LOGPROBS_TEMPERATURE, 4, NULL, 0, &other),
                     SORTES_OK);
    assert_true(fabsf(own - other - 2) < 1e-5f);
    assert_int_equal(
        ask(mlxlm_sampler("{}"), SORTES_LOGPROBS_TEMPERATURE, 1, NULL, 0, &own),
        SORTES_E_RANGE);
}

static void processed_is_what_the_draw_is_made_from(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{\"temp\":1,\"min_p\":0.9}");
    sortes_logprob top[3];
    float own;

    (void)state;
    assert_int_equal(ask(s, SORTES_LOGPROBS_PROCESSED, 4, top, 3, &own),
                     SORTES_OK);
    assert_true(own == -INFINITY);
    assert_true(top[0].token == 1 && top[1].token == 3 && top[2].token == 0);
    assert_true(fabsf(top[0].logprob + logf(2)) < 1e-6f);
    assert_true(top[2].logprob == -INFINITY);
}

static void more_than_11_are_refused(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{}");
    sortes_logprob top[12];

    (void)state;
    assert_int_equal(ask(s, SORTES_LOGPROBS_RAW, 0, top, 11, NULL), SORTES_OK);
    assert_int_equal(ask(s, SORTES_LOGPROBS_RAW, 0, top, 12, NULL),
                     SORTES_E_RANGE);
}

static void bad_rows_are_refused(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{}");
    const sortes_row nan = mlxlm_row((const float[]){ 1, NAN }, 2, SORTES_F32);
    float own = 7;

    (void)state;
    assert_int_equal(
        sortes_sampler_logprobs(s, &nan, SORTES_LOGPROBS_RAW, 0, NULL, 0, &own),
        SORTES_E_NOT_FINITE);
    const sortes_row half = mlxlm_row((const float[]){ 1, 2 }, 2, SORTES_F16);
    assert_int_equal(sortes_sampler_logprobs(s, &half, SORTES_LOGPROBS_RAW, 0,
                                             NULL, 0, &own),
                     SORTES_E_ARGUMENT);
    assert_true(own == 7);
}

#define WITH_TEARDOWN(test) cmocka_unit_test_teardown(test, mlxlm_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TEARDOWN(raw_is_what_generate_step_yields),
        WITH_TEARDOWN(raw_knows_no_constraint),
        WITH_TEARDOWN(temperature_scales_before_the_softmax),
        WITH_TEARDOWN(processed_is_what_the_draw_is_made_from),
        WITH_TEARDOWN(more_than_11_are_refused),
        WITH_TEARDOWN(bad_rows_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

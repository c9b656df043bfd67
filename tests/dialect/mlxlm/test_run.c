/*
 * test_run.c - one step: what is read, what is refused, what it leaves
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

static void log_softmax_has_the_recorded_bits(void **state)
{
    /* mlx 0.32.4: a - mx.logsumexp(a) */
    const float floats[] = { -0x1.3b0d78p+1f, -0x1.761afp+0f, -0x1.d86bcp-2f,
                             -0x1.dd86bcp+2f, -0x1.7b0d78p+1f };
    const float narrow[] = { -0x1.3cp+1f, -0x1.78p+0f, -0x1.ep-2f, -0x1.dep+2f,
                             -0x1.7cp+1f };
    float x[] = { 1, 2, 3, -4, 0.5f };

    (void)state;
    assert_int_equal(srt_mlxlm_log_softmax(x, 5, false), SORTES_OK);
    assert_memory_equal(x, floats, sizeof(x));
    memcpy(x, ((const float[]){ 1, 2, 3, -4, 0.5f }), sizeof(x));
    assert_int_equal(srt_mlxlm_log_softmax(x, 5, true), SORTES_OK);
    assert_memory_equal(x, narrow, sizeof(x));
}

static void rows_of_nan_and_infinity_are_refused(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{\"temp\":1}");

    (void)state;
    assert_int_equal(mlxlm_draw_status(s, MLXLM_ROW(1, NAN), SORTES_F32),
                     SORTES_E_NOT_FINITE);
    assert_int_equal(mlxlm_draw_status(s, MLXLM_ROW(INFINITY, 1), SORTES_F32),
                     SORTES_E_NOT_FINITE);
    assert_int_equal(
        mlxlm_draw_status(mlxlm_sampler("{}"), MLXLM_ROW(NAN, 1), SORTES_BF16),
        SORTES_E_NOT_FINITE);
    assert_int_equal(
        mlxlm_draw_status(s, MLXLM_ROW(-INFINITY, -INFINITY), SORTES_F32),
        SORTES_E_NO_TOKEN);
}

static void f16_is_refused(void **state)
{
    (void)state;
    assert_int_equal(
        mlxlm_draw_status(mlxlm_sampler("{}"), MLXLM_ROW(1, 2), SORTES_F16),
        SORTES_E_ARGUMENT);
    assert_int_equal(mlxlm_draw_status(mlxlm_sampler("{\"temp\":1}"),
                                       MLXLM_ROW(1, 2), SORTES_F16),
                     SORTES_E_ARGUMENT);
}

static void greedy_takes_the_first_of_the_greatest(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{\"top_k\":1,\"min_p\":0.5}");
    const sortes_draw d = mlxlm_draw(s, MLXLM_ROW(1, 3, 3, 2), SORTES_F32);

    (void)state;
    assert_int_equal(d.token, 1);
    assert_int_equal(d.n_candidates, 1);
    assert_true(d.margin == 1.0);
}

/* argmax of log-probabilities, not of logits: rounding makes new ties. */
static void greedy_sees_the_ties_of_rounding(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{}");

    (void)state;
    assert_int_equal(
        mlxlm_draw(s, MLXLM_ROW(1e-9f, 2e-9f, 0), SORTES_F32).token, 0);
    assert_int_equal(
        mlxlm_draw(s, MLXLM_ROW(0.25f, 0.2509765625f, -9), SORTES_BF16).token,
        0);
}

static void greedy_moves_no_generator(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{\"seed\":3}");

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(mlxlm_draw(s, MLXLM_ROW(1, 2), SORTES_F32).token, 1);
}

static void a_refused_row_moves_no_generator(void **state)
{
    sortes_sampler *a = mlxlm_sampler("{\"temp\":1,\"seed\":3}");
    sortes_sampler *b = mlxlm_sampler("{\"temp\":1,\"seed\":3}");
    const float row[] = { 1, 1, 1, 1, 1, 1, 1, 1 };

    (void)state;
    for (int i = 0; i < 20; i++) {
        assert_int_not_equal(
            mlxlm_draw_status(a, MLXLM_ROW(1, NAN), SORTES_F32), SORTES_OK);
        assert_int_equal(mlxlm_draw(a, row, 8, SORTES_F32).token,
                         mlxlm_draw(b, row, 8, SORTES_F32).token);
    }
}

static void explain_moves_no_generator(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{\"temp\":1,\"seed\":3}");
    const float row[] = { 1, 1, 1, 1, 1, 1, 1, 1 };

    (void)state;
    for (int i = 0; i < 20; i++) {
        const int64_t selected =
            mlxlm_explain(s, row, 8, SORTES_F32)->stages[3].selected;

        assert_int_equal(mlxlm_draw(s, row, 8, SORTES_F32).token, selected);
    }
}

/* The mask comes before everything: the rest is as if the row had been so. */
static void a_constraint_masks_first(void **state)
{
    sortes_sampler *s =
        mlxlm_sampler("{\"temp\":1,\"seed\":3,\"top_k\":1,\"min_p\":0.9}");
    const sortes_constraint c = rule_constraint(rule_of(1 | 4));

    (void)state;
    assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
    const struct mlxlm_run *run =
        mlxlm_explain(s, MLXLM_ROW(1, 9, 2, 8), SORTES_BF16);
    mlxlm_check_stage(run, "logits", MLXLM_ROW(1, -INFINITY, 2, -INFINITY));
    assert_int_equal(mlxlm_draw(s, MLXLM_ROW(1, 9, 2, 8), SORTES_BF16).token,
                     2);
    assert_int_equal(mlxlm_draw(s, MLXLM_ROW(1, 9, 2, 8), SORTES_F32).token, 2);
}

/* As everywhere: a model that computes NaN is not to be trusted. */
static void a_mask_hides_nothing_that_is_not_finite(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{}");
    const sortes_constraint c = rule_constraint(rule_of(1));

    (void)state;
    assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
    assert_int_equal(mlxlm_draw_status(s, MLXLM_ROW(1, NAN), SORTES_F32),
                     SORTES_E_NOT_FINITE);
    assert_int_equal(mlxlm_draw_status(s, MLXLM_ROW(1, INFINITY), SORTES_BF16),
                     SORTES_E_NOT_FINITE);
}

static void a_mask_with_nothing_allowed_is_no_token(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{\"temp\":1}");
    const sortes_constraint c = rule_constraint(rule_of(0));

    (void)state;
    assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
    assert_int_equal(mlxlm_draw_status(s, MLXLM_ROW(1, 2), SORTES_F32),
                     SORTES_E_NO_TOKEN);
}

#define WITH_TEARDOWN(test) cmocka_unit_test_teardown(test, mlxlm_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_softmax_has_the_recorded_bits),
        WITH_TEARDOWN(rows_of_nan_and_infinity_are_refused),
        WITH_TEARDOWN(f16_is_refused),
        WITH_TEARDOWN(greedy_takes_the_first_of_the_greatest),
        WITH_TEARDOWN(greedy_sees_the_ties_of_rounding),
        WITH_TEARDOWN(greedy_moves_no_generator),
        WITH_TEARDOWN(a_refused_row_moves_no_generator),
        WITH_TEARDOWN(explain_moves_no_generator),
        WITH_TEARDOWN(a_constraint_masks_first),
        WITH_TEARDOWN(a_mask_hides_nothing_that_is_not_finite),
        WITH_TEARDOWN(a_mask_with_nothing_allowed_is_no_token),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

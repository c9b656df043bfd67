/*
 * test_processors.c - logit bias and penalties, window by window
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/mlxlm/chain.h"
#include "support/mlxlm.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const int32_t history[] = { 1, 1, 2 };

static const struct mlxlm_run *after(const char *request, sortes_dtype type)
{
    sortes_sampler *s = mlxlm_sampler(request);

    mlxlm_accept(s, SORTES_PROMPT, 3, history);
    return mlxlm_explain(s, MLXLM_ROW(0.5f, 2, -1, 3), type);
}

static void processors_come_in_mlx_lms_order(void **state)
{
    static const char *const names[] = { "logits",
                                         "logit_bias",
                                         "repetition_penalty",
                                         "presence_penalty",
                                         "frequency_penalty",
                                         "logprobs",
                                         "greedy" };
    const struct mlxlm_run *run =
        after("{\"frequency_penalty\":1,\"presence_penalty\":1,"
              "\"repetition_penalty\":2,\"logit_bias\":{\"0\":1}}",
              SORTES_F32);

    (void)state;
    assert_int_equal(run->n, SRT_COUNT(names));
    for (size_t i = 0; i < run->n; i++)
        assert_string_equal(run->stages[i].name, names[i]);
    mlxlm_check_stage(run, "logit_bias", MLXLM_ROW(1.5f, 2, -1, 3));
    mlxlm_check_stage(run, "repetition_penalty", MLXLM_ROW(1.5f, 1, -2, 3));
    mlxlm_check_stage(run, "presence_penalty", MLXLM_ROW(1.5f, 0, -3, 3));
    mlxlm_check_stage(run, "frequency_penalty", MLXLM_ROW(1.5f, -2, -4, 3));
}

static void frequency_is_rounded_at_every_occurrence(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{\"frequency_penalty\":0.1}");
    const int32_t ten[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
    float x = 1.0f;

    (void)state;
    mlxlm_accept(s, SORTES_PROMPT, 10, ten);
    for (int i = 0; i < 10; i++)
        x -= 0.1f;
    assert_true(x != 1.0f - 10 * 0.1f); /* or this shows nothing */
    mlxlm_check_stage(mlxlm_explain(s, MLXLM_ROW(1, 0), SORTES_F32),
                      "frequency_penalty", MLXLM_ROW(x, 0));
}

static void bf16_rounds_each_operation(void **state)
{
    /* 0.3 is 0.30078125 in bf16, 1.1 is 1.1015625 */
    const struct mlxlm_run *run = after(
        "{\"repetition_penalty\":1.1,\"presence_penalty\":0.3}", SORTES_BF16);

    (void)state;
    mlxlm_check_stage(run, "repetition_penalty",
                      MLXLM_ROW(0.5f, 1.8125f, -1.1015625f, 3));
    mlxlm_check_stage(run, "presence_penalty",
                      MLXLM_ROW(0.5f, 1.515625f, -1.40625f, 3));
}

static void context_counts_back_over_prompt_and_output(void **state)
{
    sortes_sampler *s =
        mlxlm_sampler("{\"presence_penalty\":1,\"presence_context_size\":2}");

    (void)state;
    mlxlm_accept(s, SORTES_PROMPT, 3, history);
    mlxlm_check_stage(mlxlm_explain(s, MLXLM_ROW(5, 5, 5, 5), SORTES_F32),
                      "presence_penalty", MLXLM_ROW(5, 4, 4, 5));
    mlxlm_accept(s, SORTES_GENERATED, 1, &(const int32_t){ 3 });
    mlxlm_check_stage(mlxlm_explain(s, MLXLM_ROW(5, 5, 5, 5), SORTES_F32),
                      "presence_penalty", MLXLM_ROW(5, 5, 4, 4));
    mlxlm_accept(s, SORTES_FORCED, 1, &(const int32_t){ 0 });
    mlxlm_check_stage(mlxlm_explain(s, MLXLM_ROW(5, 5, 5, 5), SORTES_F32),
                      "presence_penalty", MLXLM_ROW(4, 5, 5, 4));
}

/* tokens[-0:] is all of them. */
static void context_of_0_is_everything(void **state)
{
    sortes_sampler *s =
        mlxlm_sampler("{\"frequency_penalty\":1,\"frequency_context_size\":0,"
                      "\"presence_penalty\":1}");

    (void)state;
    for (int i = 0; i < 1000; i++)
        mlxlm_accept(s, SORTES_GENERATED, 1, &(const int32_t){ i == 0 });
    mlxlm_check_stage(mlxlm_explain(s, MLXLM_ROW(0, 0, 0), SORTES_F32),
                      "presence_penalty", MLXLM_ROW(-1, 0, 0)); /* last 20 */
    mlxlm_check_stage(mlxlm_explain(s, MLXLM_ROW(0, 0, 0), SORTES_F32),
                      "frequency_penalty", MLXLM_ROW(-1000, -1, 0));
}

static void windows_may_differ(void **state)
{
    const struct mlxlm_run *run =
        after("{\"presence_penalty\":1,\"presence_context_size\":1,"
              "\"frequency_penalty\":1,\"frequency_context_size\":2}",
              SORTES_F32);

    (void)state;
    mlxlm_check_stage(run, "presence_penalty", MLXLM_ROW(0.5f, 2, -2, 3));
    mlxlm_check_stage(run, "frequency_penalty", MLXLM_ROW(0.5f, 1, -3, 3));
}

static void no_penalty_means_no_stage(void **state)
{
    const struct mlxlm_run *run =
        after("{\"repetition_penalty\":0,\"presence_penalty\":0}", SORTES_F32);

    (void)state;
    assert_int_equal(run->n, 3);
}

static void forbidden_tokens_stay_forbidden(void **state)
{
    sortes_sampler *s =
        mlxlm_sampler("{\"repetition_penalty\":2,\"presence_penalty\":-3,"
                      "\"frequency_penalty\":1,\"logit_bias\":{\"0\":100}}");

    (void)state;
    mlxlm_accept(s, SORTES_PROMPT, 1, &(const int32_t){ 0 });
    mlxlm_check_stage(mlxlm_explain(s, MLXLM_ROW(-INFINITY, 1), SORTES_F32),
                      "frequency_penalty", MLXLM_ROW(-INFINITY, 1));
}

/* mlx-lm writes behind the row. */
static void ids_outside_the_row_are_refused(void **state)
{
    sortes_sampler *bias = mlxlm_sampler("{\"logit_bias\":{\"4\":1}}");
    sortes_sampler *seen = mlxlm_sampler("{\"presence_penalty\":1}");

    (void)state;
    assert_int_equal(mlxlm_draw_status(bias, MLXLM_ROW(1, 2, 3, 4), SORTES_F32),
                     SORTES_E_ARGUMENT);
    assert_int_equal(
        mlxlm_draw_status(bias, MLXLM_ROW(1, 2, 3, 4, 5), SORTES_F32),
        SORTES_OK);
    mlxlm_accept(seen, SORTES_PROMPT, 1, &(const int32_t){ 4 });
    assert_int_equal(mlxlm_draw_status(seen, MLXLM_ROW(1, 2, 3, 4), SORTES_F32),
                     SORTES_E_ARGUMENT);
}

static void logits_that_stop_being_finite_are_refused(void **state)
{
    sortes_sampler *bias = mlxlm_sampler("{\"logit_bias\":{\"1\":3e38}}");
    sortes_sampler *seen = mlxlm_sampler("{\"repetition_penalty\":1e-38}");

    (void)state;
    assert_int_equal(mlxlm_draw_status(bias, MLXLM_ROW(1, 3e38f), SORTES_F32),
                     SORTES_E_NOT_FINITE);
    mlxlm_accept(seen, SORTES_PROMPT, 1, &(const int32_t){ 1 });
    assert_int_equal(mlxlm_draw_status(seen, MLXLM_ROW(1, 4), SORTES_F32),
                     SORTES_E_NOT_FINITE);
}

#define WITH_TEARDOWN(test) cmocka_unit_test_teardown(test, mlxlm_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TEARDOWN(processors_come_in_mlx_lms_order),
        WITH_TEARDOWN(frequency_is_rounded_at_every_occurrence),
        WITH_TEARDOWN(bf16_rounds_each_operation),
        WITH_TEARDOWN(context_counts_back_over_prompt_and_output),
        WITH_TEARDOWN(context_of_0_is_everything),
        WITH_TEARDOWN(windows_may_differ),
        WITH_TEARDOWN(no_penalty_means_no_stage),
        WITH_TEARDOWN(forbidden_tokens_stay_forbidden),
        WITH_TEARDOWN(ids_outside_the_row_are_refused),
        WITH_TEARDOWN(logits_that_stop_being_finite_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

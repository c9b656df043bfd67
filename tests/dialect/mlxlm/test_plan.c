/*
 * test_plan.c - the plans beside the literal stages, byte for byte
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/mlxlm/plan.h"
#include "support/mlxlm.h"
#include "support/rule.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

static const char *const requests[] = {
    "{\"seed\":1}",
    "{\"seed\":2,\"temp\":0.8}",
    "{\"seed\":3,\"temp\":0.8,\"top_p\":0.95,\"min_p\":0.05,\"top_k\":40}",
    "{\"seed\":4,\"temp\":0.8,\"min_p\":0.05,\"top_k\":40}",
    "{\"seed\":5,\"temp\":1.3,\"top_p\":0.95}",
    "{\"seed\":6,\"temp\":1.3,\"top_p\":0.3}",
    "{\"seed\":7,\"temp\":0.7,\"min_p\":0.02}",
    "{\"seed\":8,\"temp\":1.0,\"top_k\":1}",
    "{\"seed\":9,\"temp\":1.0,\"top_k\":300}",
    "{\"seed\":10,\"temp\":1.0,\"top_p\":0.9,\"top_k\":3}",
    "{\"seed\":11,\"temp\":1.0,\"top_p\":0.9,\"min_p\":0.001}",
    "{\"seed\":12,\"temp\":5,\"top_p\":0.9999}",
    "{\"seed\":13,\"temp\":1.0,\"top_p\":0.99999999999}",
    "{\"seed\":14,\"temp\":0.05,\"top_p\":0.5,\"top_k\":600}",
    "{\"seed\":15,\"temp\":1,\"repetition_penalty\":1.3,"
    "\"presence_penalty\":0.5,\"frequency_penalty\":0.2,"
    "\"logit_bias\":{\"7\":4,\"500\":-2},\"top_k\":50,\"top_p\":0.9}",
    "{\"seed\":16,\"repetition_penalty\":1.3,\"logit_bias\":{\"7\":9}}",
    "{\"seed\":20,\"temp\":1,\"xtc_probability\":0.7,\"min_p\":0.02}",
    "{\"seed\":21,\"temp\":1,\"xtc_probability\":0.7,\"top_p\":0.9,"
    "\"top_k\":5,\"xtc_threshold\":0.01}",
    "{\"seed\":22,\"temp\":1,\"xtc_probability\":1.0,\"min_p\":0.001,"
    "\"xtc_threshold\":0.0,\"top_k\":200,\"xtc_special_tokens\":[5,500]}",
    /* the stages' own */
    "{\"seed\":17,\"temp\":1,\"xtc_probability\":0.5,\"top_k\":9}",
    "{\"seed\":18,\"temp\":1,\"min_p\":0.5,\"min_tokens_to_keep\":4}",
    "{\"seed\":19,\"temp\":1,\"mlx_draw\":\"gumbel\",\"top_k\":9}",
};

static void compare_all(size_t n, int n_draws)
{
    for (size_t i = 0; i < SRT_COUNT(requests); i++)
        for (unsigned kind = 0; kind < ROWS_N_KINDS; kind++)
            for (int narrow = 0; narrow < 2; narrow++)
                mlxlm_twins_compare(&(struct mlxlm_twins){
                    .request = requests[i],
                    .n = n,
                    .kind = (enum rows_kind)kind,
                    .type = narrow ? SORTES_BF16 : SORTES_F32,
                    .seed = n + i,
                    .n_draws = n_draws,
                });
}

static void plans_equal_the_stages_on_short_rows(void **state)
{
    (void)state;
    compare_all(513, 4);
    compare_all(700, 2);
}

static void plans_equal_the_stages_on_longer_rows(void **state)
{
    (void)state;
    compare_all(4099, 2);
    compare_all(20000, 1);
}

/* top_p in fine steps: its line falls everywhere, on ties too. */
static void top_p_is_cut_where_the_stages_cut(void **state)
{
    static const enum rows_kind kinds[] = { ROWS_ORDINARY, ROWS_TIED,
                                            ROWS_STEPS, ROWS_EQUAL,
                                            ROWS_PEAKED };
    char request[128];

    (void)state;
    for (int i = 1; i < 400; i++) {
        snprintf(request, sizeof(request),
                 "{\"seed\":%d,\"temp\":4,\"top_p\":%d.%03de-3%s}", i,
                 i * 5 / 2, i % 2 * 500, i % 3 == 0 ? ",\"top_k\":30" : "");
        mlxlm_twins_compare(&(struct mlxlm_twins){
            .request = request,
            .n = 600 + (size_t)i,
            .kind = kinds[i % 5],
            .type = i % 2 ? SORTES_F32 : SORTES_BF16,
            .seed = (uint64_t)i,
            .n_draws = 2,
        });
    }
}

static void scales_do_not_matter(void **state)
{
    static const float scales[] = { 1e-4f, 0.05f, 20.0f, 3e4f, 1e37f };

    (void)state;
    for (size_t s = 0; s < SRT_COUNT(scales); s++)
        for (size_t i = 0; i < SRT_COUNT(requests); i++)
            mlxlm_twins_compare(&(struct mlxlm_twins){
                .request = requests[i],
                .n = 1500,
                .kind = ROWS_ORDINARY,
                .type = i % 2 ? SORTES_F32 : SORTES_BF16,
                .seed = 90 + i,
                .scale = scales[s],
            });
}

/* Statuses too, whatever is wrong. */
static void plans_refuse_what_the_stages_refuse(void **state)
{
    static const char *const bad[] = {
        "{\"temp\":1,\"top_k\":600}",
        "{\"temp\":1,\"logit_bias\":{\"600\":1}}",
        "{\"temp\":1,\"min_p\":0.1,\"xtc_probability\":1.0,"
        "\"xtc_special_tokens\":[600]}",
        "{\"temp\":3e-39}",
        "{\"temp\":1,\"logit_bias\":{\"5\":3.4e38}}",
    };
    static const sortes_status want[] = { SORTES_E_RANGE, SORTES_E_ARGUMENT,
                                          SORTES_E_ARGUMENT, SORTES_E_NO_TOKEN,
                                          SORTES_E_NOT_FINITE };
    static float x[600];

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(bad); i++) {
        x[5] = i == 4 ? 3e38f : 0.0f;
        for (int reference = 0; reference < 2; reference++) {
            sortes_sampler *s = mlxlm_sampler(bad[i]);

            sortes_sampler_use_reference(s, reference);
            assert_int_equal(mlxlm_draw_status(s, x, 600, SORTES_F32), want[i]);
        }
    }
    x[5] = 0.0f;
    x[599] = NAN;
    assert_int_equal(
        mlxlm_draw_status(mlxlm_sampler("{\"temp\":1}"), x, 600, SORTES_F32),
        SORTES_E_NOT_FINITE);
    for (int i = 0; i < 600; i++)
        x[i] = -INFINITY;
    assert_int_equal(
        mlxlm_draw_status(mlxlm_sampler("{\"temp\":1}"), x, 600, SORTES_F32),
        SORTES_E_NO_TOKEN);
}

static void plans_mask_as_the_stages_do(void **state)
{
    static float x[700];

    (void)state;
    rows_fill(x, 700, ROWS_ORDINARY, 3);
    for (size_t i = 0; i < SRT_COUNT(requests); i++) {
        sortes_sampler *plan = mlxlm_sampler(requests[i]);
        sortes_sampler *literal = mlxlm_sampler(requests[i]);
        const sortes_constraint a = rule_constraint(rule_of(0x5a5a5a5au));
        const sortes_constraint b = rule_constraint(rule_of(0x5a5a5a5au));

        sortes_sampler_use_reference(literal, 1);
        assert_int_equal(sortes_sampler_set_constraint(plan, &a), SORTES_OK);
        assert_int_equal(sortes_sampler_set_constraint(literal, &b), SORTES_OK);
        for (int draw = 0; draw < 3; draw++) {
            const sortes_draw p = mlxlm_draw(plan, x, 700, SORTES_BF16);
            const sortes_draw q = mlxlm_draw(literal, x, 700, SORTES_BF16);

            assert_memory_equal(&p, &q, sizeof(p));
            assert_true(p.token < 32 && (0x5a5a5a5au >> p.token & 1));
            mlxlm_accept(plan, SORTES_GENERATED, 1, &p.token);
            mlxlm_accept(literal, SORTES_GENERATED, 1, &q.token);
        }
        (void)mlxlm_teardown(NULL);
    }
}

/* Neighbours of the best logit, which rounding makes its equals. */
static void greedy_equals_the_stages_near_ties(void **state)
{
    static float x[600];
    sortes_sampler *plan = mlxlm_sampler("{}"), *literal = mlxlm_sampler("{}");
    struct rows_random r = { 4 };

    (void)state;
    sortes_sampler_use_reference(literal, 1);
    for (int trial = 0; trial < 3000; trial++) {
        const float best = (float)(rows_normal(&r) * 8.0) + 3.0f;

        rows_fill(x, 600, ROWS_FLAT, (uint64_t)trial);
        for (int i = 0; i < 5; i++)
            x[rows_below(&r, 600)] = srt_float_unkey(
                srt_float_key(best) - (int32_t)rows_below(&r, 12));
        for (int narrow = 0; narrow < 2; narrow++) {
            const sortes_dtype type = narrow ? SORTES_BF16 : SORTES_F32;

            assert_int_equal(mlxlm_draw(plan, x, 600, type).token,
                             mlxlm_draw(literal, x, 600, type).token);
        }
    }
}

#define WITH_TEARDOWN(test) cmocka_unit_test_teardown(test, mlxlm_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TEARDOWN(plans_equal_the_stages_on_short_rows),
        WITH_TEARDOWN(plans_equal_the_stages_on_longer_rows),
        WITH_TEARDOWN(top_p_is_cut_where_the_stages_cut),
        WITH_TEARDOWN(scales_do_not_matter),
        WITH_TEARDOWN(plans_refuse_what_the_stages_refuse),
        WITH_TEARDOWN(plans_mask_as_the_stages_do),
        WITH_TEARDOWN(greedy_equals_the_stages_near_ties),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

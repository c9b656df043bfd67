/*
 * test_plan_draw.c - a draw by blocks is the draw one by one
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/mlxlm/plan.h"
#include "support/mlxlm.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Many draws from one row: every block of it is drawn from. */
static void draws_reach_every_block(void **state)
{
    static const enum rows_kind kinds[] = { ROWS_FLAT, ROWS_EQUAL,
                                            ROWS_FORBIDDEN };

    (void)state;
    for (int i = 0; i < 3; i++)
        for (int narrow = 0; narrow < 2; narrow++)
            mlxlm_twins_compare(&(struct mlxlm_twins){
                .request = "{\"temp\":1.7,\"seed\":77}",
                .n = 1000 + (size_t)i,
                .kind = kinds[i],
                .type = narrow ? SORTES_BF16 : SORTES_F32,
                .seed = 5,
                .n_draws = 150,
            });
}

static void tokens_without_weight_are_no_candidates(void **state)
{
    static float x[1000];
    sortes_draw d;

    (void)state;
    for (int i = 0; i < 1000; i++)
        x[i] = i < 600 ? 0.0f : -86.0f - (float)(i % 2) * 3.0f;
    d = mlxlm_draw(mlxlm_sampler("{\"temp\":1,\"seed\":1}"), x, 1000,
                   SORTES_F32);
    assert_int_equal(d.n_candidates, 800);
    d = mlxlm_draw(mlxlm_sampler("{\"temp\":2,\"seed\":1}"), x, 1000,
                   SORTES_F32);
    assert_int_equal(d.n_candidates, 1000);
}

static void cold_draws_count_their_candidates(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++)
        mlxlm_twins_compare(&(struct mlxlm_twins){
            .request = i % 2 ? "{\"temp\":0.02,\"seed\":3}"
                             : "{\"temp\":0.02,\"seed\":3,\"min_p\":1e-30}",
            .n = 2000,
            .kind = (enum rows_kind)i,
            .type = i % 4 < 2 ? SORTES_F32 : SORTES_BF16,
            .seed = (uint64_t)i,
        });
}

#define WITH_TEARDOWN(test) cmocka_unit_test_teardown(test, mlxlm_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TEARDOWN(draws_reach_every_block),
        WITH_TEARDOWN(tokens_without_weight_are_no_candidates),
        WITH_TEARDOWN(cold_draws_count_their_candidates),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_draw.c - the two ways in which MLX draws
 *
 * Tokens recorded from mlx 0.32.4, mx.random.categorical on the CPU.
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

#define FOUR MLXLM_ROW(1, 1, 1, 1)

/* The first uniform numbers of seed 0 are .105, .279, .687 and .586. */
static void inverse_takes_one_uniform_number_a_draw(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{\"temp\":1,\"seed\":0}");
    static const int32_t want[] = { 0, 1, 2, 2 };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(want); i++) {
        const sortes_draw d = mlxlm_draw(s, FOUR, SORTES_F32);

        assert_int_equal(d.token, want[i]);
        assert_int_equal(d.n_candidates, 4);
    }
}

static void inverse_says_how_close_it_was(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{\"temp\":1,\"seed\":0}");
    const double u[] = { 0x1.af9772p-4, 0x1.1d689p-2 };

    (void)state;
    /* no neighbour below the first token */
    assert_true(fabs(mlxlm_draw(s, FOUR, SORTES_F32).margin - (0.25 - u[0])) <
                1e-6);
    assert_true(fabs(mlxlm_draw(s, FOUR, SORTES_F32).margin - (u[1] - 0.25)) <
                1e-6);
    assert_true(mlxlm_draw(s, MLXLM_ROW(-INFINITY, 2), SORTES_F32).margin ==
                1.0);
}

static void inverse_passes_over_forbidden_tokens(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{\"temp\":1,\"seed\":0}");
    const sortes_draw d =
        mlxlm_draw(s, MLXLM_ROW(-INFINITY, 1, -INFINITY, 1), SORTES_F32);

    (void)state;
    assert_int_equal(d.token, 1);
    assert_int_equal(d.n_candidates, 2);
}

static void margin_leaves_out_edges_without_a_neighbour(void **state)
{
    (void)state;
    assert_true(srt_mlxlm_margin(0, 4, 1, 4) == 1.0);
    assert_true(srt_mlxlm_margin(0, 2, 1.5f, 4) == 0.125);
    assert_true(srt_mlxlm_margin(2, 4, 3, 4) == 0.25);
    assert_true(srt_mlxlm_margin(1, 3, 1.5f, 4) == 0.125);
    assert_true(srt_mlxlm_margin(1, 3, 2.5f, 4) == 0.125);
}

static void gumbel_takes_the_greatest_of_noise_and_logit(void **state)
{
    sortes_sampler *s =
        mlxlm_sampler("{\"temp\":1,\"seed\":7,\"mlx_draw\":\"gumbel\"}");
    static const int32_t want[] = { 2, 4, 2, 2, 4, 2, 1, 4, 4, 4, 4, 2 };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(want); i++) {
        const sortes_draw d =
            mlxlm_draw(s, MLXLM_ROW(0, 1, 2, -INFINITY, 1.5f), SORTES_F32);

        assert_int_equal(d.token, want[i]);
        assert_int_equal(d.n_candidates, 4);
        assert_true(d.margin > 0.0);
    }
}

static void gumbel_rows_share_one_block_of_noise(void **state)
{
    static const int32_t want[3][4] = { { 0, 3, 4, 2 },
                                        { 4, 2, 3, 3 },
                                        { 1, 2, 2, 3 } };
    static const char *const requests[] = {
        "{\"temp\":1,\"seed\":7,\"mlx_draw\":\"gumbel\",\"gumbel_rows\":3}",
        "{\"temp\":1,\"seed\":7,\"mlx_draw\":\"gumbel\",\"gumbel_rows\":3,"
        "\"gumbel_row\":1}",
        "{\"temp\":1,\"seed\":7,\"mlx_draw\":\"gumbel\",\"gumbel_rows\":3,"
        "\"gumbel_row\":2}",
    };

    (void)state;
    for (int row = 0; row < 3; row++) {
        sortes_sampler *s = mlxlm_sampler(requests[row]);

        for (int i = 0; i < 4; i++)
            assert_int_equal(
                mlxlm_draw(s, MLXLM_ROW(0, 1, 2, 1, 1.5f), SORTES_F32).token,
                want[row][i]);
    }
}

/* MLX draws from all tokens alike then. */
static void nothing_left_is_no_token(void **state)
{
    (void)state;
    assert_int_equal(
        mlxlm_draw_status(mlxlm_sampler("{\"temp\":3e-39}"), FOUR, SORTES_F32),
        SORTES_E_NO_TOKEN);
    assert_int_equal(
        mlxlm_draw_status(
            mlxlm_sampler("{\"temp\":3e-39,\"mlx_draw\":\"gumbel\"}"), FOUR,
            SORTES_F32),
        SORTES_E_NO_TOKEN);
}

static void gumbel_blocks_have_a_limit(void **state)
{
    sortes_sampler *s = mlxlm_sampler(
        "{\"temp\":1,\"mlx_draw\":\"gumbel\",\"gumbel_rows\":65536}");
    static float wide[65537];

    (void)state;
    assert_int_equal(mlxlm_draw_status(s, wide, 65535, SORTES_F32), SORTES_OK);
    assert_int_equal(mlxlm_draw_status(s, wide, 65536, SORTES_F32),
                     SORTES_E_LIMIT);
}

#define WITH_TEARDOWN(test) cmocka_unit_test_teardown(test, mlxlm_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TEARDOWN(inverse_takes_one_uniform_number_a_draw),
        WITH_TEARDOWN(inverse_says_how_close_it_was),
        WITH_TEARDOWN(inverse_passes_over_forbidden_tokens),
        WITH_TEARDOWN(margin_leaves_out_edges_without_a_neighbour),
        WITH_TEARDOWN(gumbel_takes_the_greatest_of_noise_and_logit),
        WITH_TEARDOWN(gumbel_rows_share_one_block_of_noise),
        WITH_TEARDOWN(nothing_left_is_no_token),
        WITH_TEARDOWN(gumbel_blocks_have_a_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

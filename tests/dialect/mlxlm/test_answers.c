/*
 * test_answers.c - distribution, what is kept, probabilities after sampling
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/mlxlm/chain.h"
#include "numeric/mlx_exp.h"
#include "support/mlxlm.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const float logits[] = { 1, 3, -2, 3, 2 };
enum { N = 5 };

static void distribution_is_the_draws_own_weights(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{\"temp\":1,\"min_p\":0.2}");
    const sortes_row row = mlxlm_row(logits, N, SORTES_F32);
    float p[N], sum = 0;

    (void)state;
    assert_int_equal(sortes_sampler_distribution(s, &row, p), SORTES_OK);
    assert_true(p[0] == 0 && p[2] == 0 && p[1] == p[3]);
    for (int i = 0; i < N; i++)
        sum += p[i];
    assert_true(fabsf(sum - 1) < 1e-6f);
    assert_true(fabsf(p[4] / p[1] - expf(-1)) < 1e-5f);
}

static void distribution_of_greedy_is_one_token(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{}");
    const sortes_row row = mlxlm_row(logits, N, SORTES_F32);
    float p[N];
    int32_t token;
    size_t n;

    (void)state;
    assert_int_equal(sortes_sampler_distribution(s, &row, p), SORTES_OK);
    for (int i = 0; i < N; i++)
        assert_true(p[i] == (i == 1));
    assert_int_equal(sortes_sampler_kept(s, &row, &token, p, 1, &n), SORTES_OK);
    assert_int_equal(n, 1);
    assert_true(token == 1 && p[0] == 1);
}

static void kept_lists_ids_upwards(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{\"temp\":1,\"top_k\":3}");
    const sortes_row row = mlxlm_row(logits, N, SORTES_F32);
    int32_t tokens[2] = { -1, -1 };
    float p[2];
    size_t n;

    (void)state;
    assert_int_equal(sortes_sampler_kept(s, &row, tokens, p, 2, &n), SORTES_OK);
    assert_int_equal(n, 3);
    assert_true(tokens[0] == 1 && tokens[1] == 3 && p[0] == p[1]);
    assert_int_equal(sortes_sampler_kept(s, &row, NULL, NULL, 0, &n),
                     SORTES_OK);
    assert_int_equal(n, 3);
}

static void probabilities_come_likeliest_first(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{\"temp\":1,\"seed\":0,\"top_k\":4}");
    const sortes_row row = mlxlm_row(logits, N, SORTES_F32);
    static const int32_t want[] = { 1, 3, 4, 0 };
    sortes_probability top[N], drawn;
    sortes_draw d;
    size_t n;

    (void)state;
    assert_int_equal(sortes_sampler_probabilities(s, &row, top, N, &n, &drawn),
                     SORTES_OK);
    assert_int_equal(n, 4);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(top[i].token, want[i]);
    assert_true(top[0].p == top[1].p && top[1].p > top[2].p);
    assert_int_equal(sortes_sampler_probabilities(s, &row, top, 2, &n, NULL),
                     SORTES_OK);
    assert_int_equal(n, 2);
    assert_int_equal(sortes_sampler_sample(s, &row, &d), SORTES_OK);
    assert_int_equal(d.token, drawn.token);
}

/* Every length of a heap, many ties. */
static void probabilities_are_sorted_whatever_their_number(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{\"temp\":1}");
    sortes_probability top[MLXLM_MOST];
    float x[MLXLM_MOST];
    size_t n;

    (void)state;
    for (size_t size = 1; size <= MLXLM_MOST; size++) {
        for (size_t i = 0; i < size; i++)
            x[i] = (float)(i * 7 % 5);
        const sortes_row row = mlxlm_row(x, size, SORTES_F32);

        assert_int_equal(
            sortes_sampler_probabilities(s, &row, top, size, &n, NULL),
            SORTES_OK);
        assert_int_equal(n, size);
        for (size_t i = 1; i < n; i++)
            assert_true(
                top[i - 1].p > top[i].p ||
                (top[i - 1].p == top[i].p && top[i - 1].token < top[i].token));
    }
}

static void answers_are_refused_with_the_row(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{\"temp\":1}");
    const sortes_row row = mlxlm_row((const float[]){ NAN, 1 }, 2, SORTES_F32);
    float p[2] = { 5, 5 };
    size_t n = 9;

    (void)state;
    assert_int_equal(sortes_sampler_distribution(s, &row, p),
                     SORTES_E_NOT_FINITE);
    assert_int_equal(sortes_sampler_kept(s, &row, NULL, NULL, 0, &n),
                     SORTES_E_NOT_FINITE);
    assert_true(p[0] == 5 && n == 9);
}

#define WITH_TEARDOWN(test) cmocka_unit_test_teardown(test, mlxlm_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TEARDOWN(distribution_is_the_draws_own_weights),
        WITH_TEARDOWN(distribution_of_greedy_is_one_token),
        WITH_TEARDOWN(kept_lists_ids_upwards),
        WITH_TEARDOWN(probabilities_come_likeliest_first),
        WITH_TEARDOWN(probabilities_are_sorted_whatever_their_number),
        WITH_TEARDOWN(answers_are_refused_with_the_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_filters.c - top-p, min-p, XTC and top-k on a few log-probabilities
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

/* ln .1, .2, .3, .4 */
#define TENTHS MLXLM_ROW(-2.3025851f, -1.609438f, -1.2039728f, -0.91629076f)

static uint64_t kept(const char *request, const char *stage, const float *x,
                     size_t n)
{
    return mlxlm_kept(mlxlm_explain(mlxlm_sampler(request), x, n, SORTES_F32),
                      stage);
}

static void top_p_keeps_while_the_mass_above_is_less(void **state)
{
    (void)state;
    assert_int_equal(kept("{\"temp\":1,\"top_p\":0.3}", "top_p", TENTHS), 8);
    assert_int_equal(kept("{\"temp\":1,\"top_p\":0.41}", "top_p", TENTHS),
                     4 | 8);
    assert_int_equal(kept("{\"temp\":1,\"top_p\":0.69}", "top_p", TENTHS),
                     4 | 8);
    assert_int_equal(kept("{\"temp\":1,\"top_p\":0.71}", "top_p", TENTHS),
                     2 | 4 | 8);
    assert_int_equal(kept("{\"temp\":1,\"top_p\":0.95}", "top_p", TENTHS), 15);
}

/* mlx-lm pull request 1912: the older rule dropped them all. */
static void top_p_always_keeps_the_best(void **state)
{
    (void)state;
    assert_int_equal(kept("{\"temp\":1,\"top_p\":1e-30}", "top_p", TENTHS), 8);
    assert_int_equal(
        kept("{\"temp\":1,\"top_p\":1e-9}", "top_p", MLXLM_ROW(5, 5, 1)), 3);
}

static void top_p_keeps_all_that_tie_with_the_last(void **state)
{
    (void)state;
    assert_int_equal(
        kept("{\"temp\":1,\"top_p\":0.5}", "top_p", MLXLM_ROW(1, 1, 1, 1)), 15);
    assert_int_equal(
        kept("{\"temp\":1,\"top_p\":0.5}", "top_p", MLXLM_ROW(1, 2, 1, 2, 1)),
        2 | 8);
}

static void min_p_keeps_a_token_on_the_line(void **state)
{
    (void)state;
    assert_int_equal(kept("{\"temp\":1,\"min_p\":0.5}", "min_p", TENTHS),
                     2 | 4 | 8);
    assert_int_equal(kept("{\"temp\":1,\"min_p\":0.51}", "min_p", TENTHS),
                     4 | 8);
    assert_int_equal(kept("{\"temp\":1,\"min_p\":1}", "min_p", TENTHS), 8);
}

/* Of equal ones the higher ids: the end of an ascending order. */
static void min_tokens_to_keep_takes_the_greatest(void **state)
{
    (void)state;
    assert_int_equal(kept("{\"temp\":1,\"min_p\":1,\"min_tokens_to_keep\":3}",
                          "min_p", TENTHS),
                     2 | 4 | 8);
    assert_int_equal(kept("{\"temp\":1,\"min_p\":1,\"min_tokens_to_keep\":2}",
                          "min_p", MLXLM_ROW(1, 9, 1, 1)),
                     2 | 8);
    assert_int_equal(
        mlxlm_draw_status(mlxlm_sampler("{\"temp\":1,\"min_p\":0.1,"
                                        "\"min_tokens_to_keep\":5}"),
                          TENTHS, SORTES_F32),
        SORTES_E_RANGE);
}

static void xtc_leaves_the_least_likely_above_the_threshold(void **state)
{
    (void)state;
    assert_int_equal(
        kept("{\"temp\":1,\"xtc_probability\":1.0,\"xtc_threshold\":0.15}",
             "xtc", TENTHS),
        1 | 2);
    assert_int_equal(
        kept("{\"temp\":1,\"xtc_probability\":1.0,\"xtc_threshold\":0.35}",
             "xtc", TENTHS),
        15);
    assert_int_equal(
        kept("{\"temp\":1,\"xtc_probability\":1.0,\"xtc_threshold\":0.45}",
             "xtc", TENTHS),
        15);
    assert_int_equal(
        kept("{\"temp\":1,\"xtc_probability\":1.0,\"xtc_threshold\":0.15,"
             "\"xtc_special_tokens\":[3]}",
             "xtc", TENTHS),
        1 | 2 | 8);
}

static void xtc_drops_nothing_that_ties_with_the_least(void **state)
{
    (void)state;
    assert_int_equal(
        kept("{\"temp\":1,\"xtc_probability\":1.0,\"xtc_threshold\":0.1}",
             "xtc", MLXLM_ROW(1, 1, 1)),
        7);
}

/* The first uniform number of seed 0 is .105 (0x1.af9772p-4). */
static void xtc_tosses_its_coin(void **state)
{
    (void)state;
    assert_int_equal(kept("{\"temp\":1,\"seed\":0,\"xtc_probability\":0.11,"
                          "\"xtc_threshold\":0.15}",
                          "xtc", TENTHS),
                     1 | 2);
    assert_int_equal(kept("{\"temp\":1,\"seed\":0,\"xtc_probability\":0.10,"
                          "\"xtc_threshold\":0.15}",
                          "xtc", TENTHS),
                     15);
}

static void xtc_refuses_special_tokens_outside_the_row(void **state)
{
    (void)state;
    assert_int_equal(
        mlxlm_draw_status(mlxlm_sampler("{\"temp\":1,\"xtc_probability\":0.5,"
                                        "\"xtc_special_tokens\":[4]}"),
                          TENTHS, SORTES_F32),
        SORTES_E_ARGUMENT);
}

static void top_k_prefers_the_lower_id(void **state)
{
    (void)state;
    assert_int_equal(kept("{\"temp\":1,\"top_k\":2}", "top_k", TENTHS), 4 | 8);
    assert_int_equal(
        kept("{\"temp\":1,\"top_k\":2}", "top_k", MLXLM_ROW(1, 2, 1, 1)),
        1 | 2);
    assert_int_equal(
        kept("{\"temp\":1,\"top_k\":3}", "top_k", MLXLM_ROW(1, 1, 1, 1)), 7);
}

static void top_k_that_is_no_less_than_the_vocabulary_is_refused(void **state)
{
    (void)state;
    assert_int_equal(
        mlxlm_draw_status(mlxlm_sampler("{\"temp\":1,\"top_k\":4}"), TENTHS,
                          SORTES_F32),
        SORTES_E_RANGE);
    assert_int_equal(
        mlxlm_draw_status(mlxlm_sampler("{\"temp\":1,\"top_k\":100}"), TENTHS,
                          SORTES_F32),
        SORTES_E_RANGE);
    assert_int_equal(
        mlxlm_draw_status(mlxlm_sampler("{\"top_k\":100}"), TENTHS, SORTES_F32),
        SORTES_OK); /* greedy has no filters */
}

/* top_p first, then min_p, xtc and top_k; each sees what is left. */
static void filters_come_in_mlx_lms_order(void **state)
{
    static const char *const names[] = { "logits",      "logprobs", "top_p",
                                         "min_p",       "xtc",      "top_k",
                                         "temperature", "draw" };
    const struct mlxlm_run *run =
        mlxlm_explain(mlxlm_sampler("{\"temp\":0.5,\"top_k\":1,\"top_p\":0.95,"
                                    "\"min_p\":0.5,\"xtc_probability\":1.0,"
                                    "\"xtc_threshold\":0.2}"),
                      TENTHS, SORTES_F32);

    (void)state;
    assert_int_equal(run->n, SRT_COUNT(names));
    for (size_t i = 0; i < run->n; i++)
        assert_string_equal(run->stages[i].name, names[i]);
    assert_int_equal(mlxlm_kept(run, "top_p"), 15);
    assert_int_equal(mlxlm_kept(run, "min_p"), 2 | 4 | 8);
    /* of .2 .3 .4, made .22 .33 .44 */
    assert_int_equal(mlxlm_kept(run, "xtc"), 2);
    assert_int_equal(mlxlm_kept(run, "top_k"), 2);
    assert_int_equal(run->stages[7].selected, 1);
}

static void bf16_ties_what_floats_tell_apart(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{\"temp\":1,\"top_k\":1}");

    (void)state;
    /* 3 - ln(sum) and its neighbour come out equal in bf16 */
    assert_int_equal(mlxlm_kept(mlxlm_explain(s, MLXLM_ROW(9.9375f, 10, 12, 12),
                                              SORTES_BF16),
                                "top_k"),
                     4);
    assert_int_equal(
        mlxlm_kept(mlxlm_explain(mlxlm_sampler("{\"temp\":1,\"min_p\":1}"),
                                 MLXLM_ROW(0.25f, 0.2509765625f, -9),
                                 SORTES_BF16),
                   "min_p"),
        3);
}

#define WITH_TEARDOWN(test) cmocka_unit_test_teardown(test, mlxlm_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TEARDOWN(top_p_keeps_while_the_mass_above_is_less),
        WITH_TEARDOWN(top_p_always_keeps_the_best),
        WITH_TEARDOWN(top_p_keeps_all_that_tie_with_the_last),
        WITH_TEARDOWN(min_p_keeps_a_token_on_the_line),
        WITH_TEARDOWN(min_tokens_to_keep_takes_the_greatest),
        WITH_TEARDOWN(xtc_leaves_the_least_likely_above_the_threshold),
        WITH_TEARDOWN(xtc_drops_nothing_that_ties_with_the_least),
        WITH_TEARDOWN(xtc_tosses_its_coin),
        WITH_TEARDOWN(xtc_refuses_special_tokens_outside_the_row),
        WITH_TEARDOWN(top_k_prefers_the_lower_id),
        WITH_TEARDOWN(top_k_that_is_no_less_than_the_vocabulary_is_refused),
        WITH_TEARDOWN(filters_come_in_mlx_lms_order),
        WITH_TEARDOWN(bf16_ties_what_floats_tell_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_temperature.c - dividing the logits
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"
#include "support/stages.h"

#include <math.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void temperature_divides(void **state)
{
    sortes_sampler *s = stages_sampler("temperature=0.5");

    (void)state;
    stages_check_logits(stages_see(s, ROW(1, -3, 0), "temperature"),
                        ROW(2, -6, 0));
}

static void temperature_divides_and_does_not_multiply(void **state)
{
    /* 5 / .7f and 5 * (1 / .7f) differ by one in the last place. */
    sortes_sampler *s = stages_sampler("temperature=0.7");

    (void)state;
    stages_check_logits(stages_see(s, ROW(5, -5), "temperature"),
                        ROW(0x1.c92492p+2f, -0x1.c92492p+2f));
}

static void temperature_of_one_makes_no_stage(void **state)
{
    sortes_sampler *s = stages_sampler("temperature=1");

    (void)state;
    assert_null(stages_find(s, ROW(1, 2), "temperature"));
}

static void temperature_of_zero_leaves_only_the_first_maximum(void **state)
{
    sortes_sampler *s = stages_sampler("temperature=0");

    (void)state;
    stages_check_logits(stages_see(s, ROW(1, 4, 2, 4, -1), "temperature"),
                        ROW(-INFINITY, 4, -INFINITY, -INFINITY, -INFINITY));
}

static void temperature_of_zero_keeps_the_arrays_size_and_order(void **state)
{
    sortes_sampler *s = stages_sampler("temperature=0");
    const struct stage *seen = stages_see(s, ROW(1, 4, 2), "temperature");

    (void)state;
    stages_check_ids(seen, IDS(0, 1, 2));
    assert_false(seen->sorted);
}

static void temperature_of_zero_still_draws(void **state)
{
    struct srt_llamacpp *chain = stages_chain("temperature=0");
    sortes_draw draw;

    (void)state;
    for (uint64_t i = 1; i <= 5; i++) {
        assert_int_equal(stages_chain_draw(chain, ROW(0, 3, 1), &draw),
                         SORTES_OK);
        assert_int_equal(draw.token, 1);
        assert_int_equal(draw.n_candidates, 1);
        assert_true(draw.margin == 1.0);
        assert_int_equal(chain->state.position[0], 2 * i);
    }
}

static void temperature_of_zero_is_not_one(void **state)
{
    sortes_sampler *s = stages_sampler("temperature=0.0");

    (void)state;
    for (int i = 0; i < 300; i++)
        assert_int_equal(stages_draw(s, ROW(2.9f, 0, 3, 2.99f)), 2);
}

static void temperature_below_zero_is_refused(void **state)
{
    sortes_params *p;

    (void)state;
    assert_int_equal(sortes_params_new(&p, "llama.cpp", NULL), SORTES_OK);
    assert_int_equal(sortes_params_set_number(p, "temperature", -0.5, NULL),
                     SORTES_E_RANGE);
    assert_int_equal(
        sortes_params_set_number(p, "temperature", (double)NAN, NULL),
        SORTES_E_RANGE);
    sortes_params_free(p);
}

static void temperature_so_small_that_logits_overflow_is_refused(void **state)
{
    (void)state;
    /* The engine goes on with NaN, and draws the last token. */
    assert_int_equal(
        stages_try(stages_sampler("temperature=1e-45"), ROW(2, 2.0000002f, 0)),
        SORTES_E_NOT_FINITE);
    assert_int_equal(stages_try(stages_sampler("temperature=1e-38"), ROW(4, 0)),
                     SORTES_E_NOT_FINITE);
}

static void temperature_small_and_finite_takes_the_best(void **state)
{
    sortes_sampler *s = stages_sampler("temperature=1e-6");

    (void)state;
    for (int i = 0; i < 100; i++)
        assert_int_equal(stages_draw(s, ROW(2, 2.001f, -90, 1)), 1);
}

/* Two logits a float apart: one apart at 1e-7, all alike at 1e-5. */
static void temperature_decides_between_neighbours(void **state)
{
#define NEIGHBOURS ROW(1, 1.0000001f, 0, 0)
    static const char *const milder[] = { "temperature=1e-7",
                                          "temperature=1e-5" };
    sortes_sampler *s = stages_sampler("temperature=1e-38");

    (void)state;
    assert_int_equal(
        stages_try(stages_sampler("temperature=1e-45"), NEIGHBOURS),
        SORTES_E_NOT_FINITE);
    for (int i = 0; i < 100; i++)
        assert_int_equal(stages_draw(s, NEIGHBOURS), 1);
    for (size_t i = 0; i < 2; i++) {
        int n[4] = { 0 };

        s = stages_sampler(milder[i]);
        for (int k = 0; k < 100; k++)
            n[stages_draw(s, NEIGHBOURS)]++;
        assert_true(n[0] > 0 && n[1] > n[0] / 2 && n[0] + n[1] == 100);
    }
#undef NEIGHBOURS
}

static void temperature_may_make_minus_infinity(void **state)
{
    sortes_sampler *s = stages_sampler("temperature=1e-38");

    (void)state;
    stages_check_logits(stages_see(s, ROW(0, -4), "temperature"),
                        ROW(0, -INFINITY));
    assert_int_equal(stages_draw(s, ROW(-4, 0, -5)), 1);
}

static void temperature_that_leaves_nothing_is_refused(void **state)
{
    sortes_sampler *s = stages_sampler("temperature=1e-45");

    (void)state;
    assert_int_equal(stages_try(s, ROW(-2, -3)), SORTES_E_NO_TOKEN);
}

static void temperature_refused_moves_nothing(void **state)
{
    sortes_sampler *s = stages_sampler("temperature=1e-30 seed=9");
    sortes_sampler *fresh = stages_sampler("temperature=1e-30 seed=9");

    (void)state;
    for (int i = 0; i < 20; i++) {
        assert_int_equal(stages_try(s, ROW(0, 1e9f)), SORTES_E_NOT_FINITE);
        assert_int_equal(stages_draw(s, ROW(0, 0, 0, 0, 0)),
                         stages_draw(fresh, ROW(0, 0, 0, 0, 0)));
    }
}

static void temperature_of_infinity_makes_all_equal(void **state)
{
    sortes_sampler *s = stages_sampler("temperature=inf");

    (void)state;
    stages_check_logits(stages_see(s, ROW(9, -9, 1), "temperature"),
                        ROW(0, -0.0f, 0));
    /* but a forbidden token would come back as NaN */
    assert_int_equal(stages_try(s, ROW(9, -INFINITY)), SORTES_E_NOT_FINITE);
}

static void temperature_comes_after_the_filters(void **state)
{
    /* .67 .24 .09: top-p of .8 keeps two, and would keep one if the
     * temperature had sharpened them first. */
    sortes_sampler *s = stages_sampler("top_p=0.8 temperature=0.4");

    (void)state;
    stages_check_ids(stages_see(s, ROW(2, 1, 0), "temperature"), IDS(0, 1));
}

/* ---- following the entropy ----------------------------------------------- */

#define DYNAMIC "dynatemp_range=0.5 "

static void dynamic_is_hottest_where_all_are_equal(void **state)
{
    (void)state;
    stages_check_logits(stages_see(stages_sampler(DYNAMIC "temperature=1.5"),
                                   ROW(6, 6, 6), "temperature"),
                        ROW(3, 3, 3));
}

static void dynamic_is_coldest_where_one_is_certain(void **state)
{
    const struct stage *seen = stages_see(
        stages_sampler(DYNAMIC "temperature=1"), ROW(-400, 2), "temperature");

    (void)state;
    stages_check_logits(seen, ROW(4, -800)); /* .5, and sorted */
    assert_true(seen->sorted);
}

static void dynamic_does_not_fall_below_zero(void **state)
{
    (void)state;
    stages_check_logits(stages_see(stages_sampler(DYNAMIC "temperature=0.25"),
                                   ROW(-400, 2), "temperature"),
                        ROW(2, -INFINITY));
}

/* Half of the most entropy that four can have, squared: a quarter. */
static void dynamic_bends_by_its_exponent(void **state)
{
    const float x[] = { 1, 1, -INFINITY, -INFINITY };
    const struct stage *seen =
        stages_see(stages_sampler(DYNAMIC "temperature=1 dynatemp_exponent=2"),
                   x, 4, "temperature");

    (void)state;
    assert_true(fabsf(seen->logit[0] - 1 / 0.75f) < 1e-5f);
}

static void dynamic_leaves_one_candidate_alone(void **state)
{
    const struct stage *seen = stages_see(
        stages_sampler(DYNAMIC "temperature=0.5"), ROW(3), "temperature");

    (void)state;
    stages_check_logits(seen, ROW(3));
    assert_false(seen->sorted);
    stages_check_logits(stages_see(stages_sampler(DYNAMIC "temperature=0.5 "
                                                          "top_k=1"),
                                   ROW(3, 1), "temperature"),
                        ROW(3));
}

static void dynamic_is_there_at_one_too(void **state)
{
    (void)state;
    assert_non_null(
        stages_find(stages_sampler(DYNAMIC), ROW(1, 2), "temperature"));
}

static void range_of_zero_and_below_is_plain(void **state)
{
    (void)state;
    stages_check_logits(
        stages_see(stages_sampler("dynatemp_range=-1 temperature=0.5"),
                   ROW(1, 1), "temperature"),
        ROW(2, 2));
    assert_null(stages_find(stages_sampler("dynatemp_range=-1"), ROW(1),
                            "temperature"));
}

static void dynamic_shows_probabilities(void **state)
{
    const struct stage *seen = stages_see(
        stages_sampler(DYNAMIC "temperature=1"), ROW(7, 7), "temperature");

    (void)state;
    assert_true(seen->p[0] == 0.5f && seen->p[1] == 0.5f);
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(temperature_divides),
        CASE(temperature_divides_and_does_not_multiply),
        CASE(temperature_of_one_makes_no_stage),
        CASE(temperature_of_zero_leaves_only_the_first_maximum),
        CASE(temperature_of_zero_keeps_the_arrays_size_and_order),
        CASE(temperature_of_zero_still_draws),
        CASE(temperature_of_zero_is_not_one),
        CASE(temperature_below_zero_is_refused),
        CASE(temperature_so_small_that_logits_overflow_is_refused),
        CASE(temperature_small_and_finite_takes_the_best),
        CASE(temperature_decides_between_neighbours),
        CASE(temperature_may_make_minus_infinity),
        CASE(temperature_that_leaves_nothing_is_refused),
        CASE(temperature_refused_moves_nothing),
        CASE(temperature_of_infinity_makes_all_equal),
        CASE(temperature_comes_after_the_filters),
        CASE(dynamic_is_hottest_where_all_are_equal),
        CASE(dynamic_is_coldest_where_one_is_certain),
        CASE(dynamic_does_not_fall_below_zero),
        CASE(dynamic_bends_by_its_exponent),
        CASE(dynamic_leaves_one_candidate_alone),
        CASE(dynamic_is_there_at_one_too),
        CASE(range_of_zero_and_below_is_plain),
        CASE(dynamic_shows_probabilities),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

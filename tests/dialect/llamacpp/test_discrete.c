/*
 * test_discrete.c - std::discrete_distribution, as mirostat and adaptive-p use
 *
 * The generator of seed 1 begins with 1791095845 and 4282876139, and a double
 * takes the second word for its upper half: .99718.
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

#include <string.h>

static struct srt_mt19937 rng;
static struct srt_candidate data[4];

/* Draws from these weights with seed 1, or from words that are all 0. */
static struct srt_step draw(const float *p, size_t n, bool zero,
                            int64_t *selected)
{
    struct srt_llamacpp chain = { .rng = &rng };
    struct srt_candidates c = { data, n, -1, false, NULL };
    struct srt_step step = { 0 };

    srt_mt19937_seed(&rng, 1);
    if (zero)
        memset(rng.x, 0, sizeof(rng.x));
    for (size_t i = 0; i < n; i++)
        data[i] = (struct srt_candidate){ (int32_t)i, 0, p[i] };
    srt_llamacpp_discrete(&chain, 0, &c, &step);
    *selected = c.selected;
    return step;
}

static void discrete_of_one_draws_nothing(void **state)
{
    int64_t selected;
    const struct srt_step step = draw(ROW(0.3f), false, &selected);

    (void)state;
    assert_int_equal(selected, 0);
    assert_int_equal(step.position[0], 0);
    assert_int_equal(step.n_candidates, 1);
    assert_true(step.margin == 1.0);
}

static void discrete_of_two_takes_two_words(void **state)
{
    int64_t selected;

    (void)state;
    assert_int_equal(draw(ROW(0.5f, 0.5f), false, &selected).position[0], 2);
    assert_int_equal(selected, 1);
}

static void discrete_takes_the_first_share_that_reaches_the_number(void **state)
{
    int64_t selected;

    (void)state;
    (void)draw(ROW(0.25f, 0.7421875f, 0.0078125f), false, &selected);
    assert_int_equal(selected, 2); /* .9921875 does not reach .99718 */
    (void)draw(ROW(0.25f, 0.748046875f, 0.001953125f), false, &selected);
    assert_int_equal(selected, 1); /* .998046875 does */
}

static void discrete_divides_by_the_sum(void **state)
{
    int64_t selected;

    (void)state;
    (void)draw(ROW(32, 95, 1), false, &selected);
    assert_int_equal(selected, 2);
    (void)draw(ROW(128, 383, 1), false, &selected);
    assert_int_equal(selected, 1);
}

static void discrete_passes_over_weights_of_zero(void **state)
{
    int64_t selected;

    (void)state;
    (void)draw(ROW(1, 1e-30f, 0), false, &selected);
    assert_int_equal(selected, 0);
    (void)draw(ROW(0, 0, 1e-30f), false, &selected);
    assert_int_equal(selected, 2);
}

static void discrete_of_zero_takes_the_first_whatever_its_weight(void **state)
{
    int64_t selected;
    const struct srt_step step = draw(ROW(0, 1), true, &selected);

    (void)state;
    assert_int_equal(selected, 0);
    assert_true(step.margin == 0.0);
}

static void discrete_counts_weights_above_zero(void **state)
{
    int64_t selected;

    (void)state;
    assert_int_equal(draw(ROW(0.5f, 0, 0.5f, 0), false, &selected).n_candidates,
                     2);
    assert_int_equal(draw(ROW(1e-45f, 1), false, &selected).n_candidates, 2);
}

static void discrete_tells_the_distance_to_the_nearer_edge(void **state)
{
    int64_t selected;
    struct srt_step step = draw(ROW(0.5f, 0.5f), false, &selected);

    (void)state;
    /* In the last share only its beginning is an edge. */
    assert_true(step.margin > 0.497 && step.margin < 0.4972);
    step = draw(ROW(0.25f, 0.748046875f, 0.001953125f), false, &selected);
    assert_true(step.margin > 0.0008 && step.margin < 0.0009);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discrete_of_one_draws_nothing),
        cmocka_unit_test(discrete_of_two_takes_two_words),
        cmocka_unit_test(
            discrete_takes_the_first_share_that_reaches_the_number),
        cmocka_unit_test(discrete_divides_by_the_sum),
        cmocka_unit_test(discrete_passes_over_weights_of_zero),
        cmocka_unit_test(discrete_of_zero_takes_the_first_whatever_its_weight),
        cmocka_unit_test(discrete_counts_weights_above_zero),
        cmocka_unit_test(discrete_tells_the_distance_to_the_nearer_edge),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

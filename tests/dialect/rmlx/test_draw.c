/*
 * test_draw.c - the draw by inverse CDF, and its margin
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dialect/rmlx/chain.h"
#include "support/stages.h"

static int64_t draw(const float *p, size_t n, float u)
{
    struct srt_rmlx_step step = { 0 };

    return srt_rmlx_inverse_cdf(p, n, u, &step);
}

static void draw_takes_the_first_sum_above_the_point(void **state)
{
    (void)state;
    assert_int_equal(draw(ROW(0, .5f, 0, .5f), 0.0f), 1);
    assert_int_equal(draw(ROW(0, .5f, 0, .5f), .4999f), 1);
    assert_int_equal(draw(ROW(0, .5f, 0, .5f), .5f), 3);
    assert_int_equal(draw(ROW(0, .5f, 0, .5f), .999999f), 3);
    assert_int_equal(draw(ROW(.2f, .3f, .5f), .1f), 0);
    assert_int_equal(draw(ROW(.2f, .3f, .5f), .35f), 1);
    assert_int_equal(draw(ROW(.2f, .3f, .5f), .8f), 2);
}

static void draw_finds_nothing_among_weights_of_0(void **state)
{
    (void)state;
    assert_int_equal(draw(ROW(0, 0, 0), .5f), -1);
}

/* The sum need not be 1: the point is scaled by it. */
static void draw_scales_by_the_sum(void **state)
{
    (void)state;
    assert_int_equal(draw(ROW(2, 2), .4999f), 0);
    assert_int_equal(draw(ROW(2, 2), .5f), 1);
}

static void seeds_draw_the_known_tokens(void **state)
{
    static const struct {
        uint64_t seed;
        int32_t tokens[20];
    } known[] = {
        { 42, { 1, 1, 0, 3, 3, 1, 2, 3, 2, 1, 2, 2, 0, 2, 2, 0, 1, 3, 1, 0 } },
        { 7, { 1, 3, 1, 1, 2, 0, 0, 2, 2, 1, 2, 2, 2, 1, 0, 3, 2, 3, 0, 1 } },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(known); i++) {
        struct srt_pcg32 g;

        srt_pcg32_seed(&g, known[i].seed);
        for (size_t j = 0; j < 20; j++)
            assert_int_equal(
                draw(ROW(.25f, .25f, .25f, .25f), srt_pcg32_float(&g)),
                known[i].tokens[j]);
    }
}

static void margin_is_the_way_to_the_nearer_edge(void **state)
{
    struct srt_rmlx_step step = { 0 };

    (void)state;
    assert_int_equal(srt_rmlx_inverse_cdf(ROW(.25f, .5f, .25f), .375f, &step),
                     1);
    assert_true(step.margin == .125 && step.n_candidates == 3);
    (void)srt_rmlx_inverse_cdf(ROW(.25f, .5f, .25f), .0625f, &step);
    assert_true(step.margin == .1875); /* no neighbour on the left */
    (void)srt_rmlx_inverse_cdf(ROW(.25f, .5f, .25f), .875f, &step);
    assert_true(step.margin == .125);
    (void)srt_rmlx_inverse_cdf(ROW(0, .5f, 0), .875f, &step);
    assert_true(step.margin == 1.0 && step.n_candidates == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draw_takes_the_first_sum_above_the_point),
        cmocka_unit_test(draw_finds_nothing_among_weights_of_0),
        cmocka_unit_test(draw_scales_by_the_sum),
        cmocka_unit_test(seeds_draw_the_known_tokens),
        cmocka_unit_test(margin_is_the_way_to_the_nearer_edge),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

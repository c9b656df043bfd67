/*
 * test_dist.c - drawing a token with its probability
 *
 * The numbers of seed 42 (std::mt19937, two words each) begin .79654 .18343
 * .77969 .59685 .44583 .09997: with equal logits the token can be told.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"
#include "support/stages.h"

#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define TEN ROW(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

static void dist_walks_up_to_the_random_number(void **state)
{
    static const int32_t wanted[] = { 7, 1, 7, 5, 4, 0 };
    sortes_sampler *s = stages_sampler("seed=42");

    (void)state;
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(stages_draw(s, TEN), wanted[i]);
}

static void dist_in_unequal_shares(void **state)
{
    /* .1 .2 .3 .4: borders at .1, .3, .6 */
    static const int32_t wanted[] = { 3, 1, 3, 2, 2, 0 };
    sortes_sampler *s = stages_sampler("seed=42");

    (void)state;
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(
            stages_draw(s, ROW(0, 0.6931472f, 1.0986123f, 1.3862944f)),
            wanted[i]);
}

static void dist_draws_in_the_order_of_the_array(void **state)
{
    /* The same shares, largest first after top-k: .4 .3 .2 .1 */
    static const int32_t wanted[] = { 1, 3, 1, 2, 2, 3 };
    sortes_sampler *s = stages_sampler("seed=42 top_k=4");

    (void)state;
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(
            stages_draw(s, ROW(0, 0.6931472f, 1.0986123f, 1.3862944f)),
            wanted[i]);
}

static void dist_gives_ids_and_not_ranks(void **state)
{
    sortes_sampler *s = stages_sampler("min_p=0.9 seed=42");

    (void)state;
    assert_int_equal(stages_draw(s, ROW(-9, 1, -9, -9, 1)), 4);
    assert_int_equal(stages_draw(s, ROW(-9, 1, -9, -9, 1)), 1);
}

static void dist_leaves_normalized_probabilities(void **state)
{
    sortes_sampler *s = stages_sampler("seed=42");
    const struct stage *seen =
        stages_see(s, ROW(3, 3, -INFINITY, 3, 3), "dist");

    (void)state;
    for (size_t i = 0; i < 5; i++)
        assert_true(seen->p[i] == (i == 2 ? 0.0f : 0.25f));
    assert_int_equal(seen->selected, 4);
    assert_false(seen->sorted);
}

static void dist_sums_in_double(void **state)
{
    /* In float, 1 + exp(-17.5) is 1; in double it is not. */
    sortes_sampler *s = stages_sampler("");
    const struct stage *seen =
        stages_see(s, ROW(0, -17.5f, -17.5f, -17.5f), "dist");

    (void)state;
    assert_true(seen->p[0] < 1.0f);
}

/* ---- the generator ------------------------------------------------------- */

static void dist_takes_two_words(void **state)
{
    struct srt_llamacpp *chain = stages_chain("");
    sortes_draw draw;

    (void)state;
    for (uint64_t i = 1; i <= 400; i++) {
        assert_int_equal(stages_chain_draw(chain, TEN, &draw), SORTES_OK);
        assert_int_equal(chain->state.position[0], 2 * i);
    }
}

static void dist_of_one_candidate_takes_two_words_too(void **state)
{
    struct srt_llamacpp *chain = stages_chain("");
    sortes_draw draw;

    (void)state;
    assert_int_equal(stages_chain_draw(chain, ROW(3), &draw), SORTES_OK);
    assert_int_equal(draw.token, 0);
    assert_int_equal(draw.n_candidates, 1);
    assert_true(draw.margin == 1.0);
    assert_int_equal(chain->state.position[0], 2);
}

static void
dist_after_one_candidate_goes_on_with_the_second_number(void **state)
{
    sortes_sampler *s = stages_sampler("seed=42");

    (void)state;
    assert_int_equal(stages_draw(s, ROW(0)), 0);
    assert_int_equal(stages_draw(s, TEN), 1);
}

static void dist_of_the_largest_number_stays_within_the_weights(void **state)
{
    struct srt_llamacpp *chain = stages_chain("");
    uint64_t position = 0;
    sortes_draw draw;

    (void)state;
    stages_force(chain, 0xffffffffu, 0xffffffffu);
    assert_true(srt_mt19937_double(&chain->rng[0], &position) ==
                0x1.fffffffffffffp-1);
    assert_int_equal(stages_chain_draw(chain, ROW(10, 0, -1e9f, -1e9f), &draw),
                     SORTES_OK);
    assert_int_equal(draw.token, 1);
}

static void dist_of_zero_selects_the_first_of_the_array(void **state)
{
    struct srt_llamacpp *chain = stages_chain("");
    sortes_draw draw;

    (void)state;
    stages_force(chain, 0, 0);
    assert_int_equal(stages_chain_draw(chain, ROW(0, 10, 0), &draw), SORTES_OK);
    assert_int_equal(draw.token, 0);
    /* even a forbidden one: 0 >= 0, as in the engine */
    stages_force(chain, 0, 0);
    assert_int_equal(stages_chain_draw(chain, ROW(-INFINITY, 10, 0), &draw),
                     SORTES_OK);
    assert_int_equal(draw.token, 0);
    assert_true(draw.margin == 0.0);
}

static void dist_on_an_edge_takes_the_token_before_it(void **state)
{
    struct srt_llamacpp *chain = stages_chain("");
    sortes_draw draw;

    (void)state;
    stages_force(chain, 0, 0x80000000u); /* a half */
    assert_int_equal(stages_chain_draw(chain, ROW(3, 3, 3, 3), &draw),
                     SORTES_OK);
    assert_int_equal(draw.token, 1);
    assert_true(draw.margin == 0.0);
    stages_force(chain, 2048, 0x80000000u); /* the next number */
    assert_int_equal(stages_chain_draw(chain, ROW(3, 3, 3, 3), &draw),
                     SORTES_OK);
    assert_int_equal(draw.token, 2);
    stages_force(chain, 1023, 0x80000000u); /* rounds to a half */
    assert_int_equal(stages_chain_draw(chain, ROW(3, 3, 3, 3), &draw),
                     SORTES_OK);
    assert_int_equal(draw.token, 1);
}

/* ---- seeds --------------------------------------------------------------- */

static void seeds_repeat_and_differ(void **state)
{
    static const char *const settings[] = { "seed=0", "seed=1", "seed=2",
                                            "seed=4294967294" };
    int32_t drawn[4][64];

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        sortes_sampler *a = stages_sampler(settings[i]);
        sortes_sampler *b = stages_sampler(settings[i]);

        for (size_t j = 0; j < 64; j++) {
            drawn[i][j] = stages_draw(a, TEN);
            assert_int_equal(stages_draw(b, TEN), drawn[i][j]);
        }
        for (size_t k = 0; k < i; k++)
            assert_true(memcmp(drawn[i], drawn[k], sizeof(drawn[i])) != 0);
    }
}

static void seed_of_zero_is_a_seed_like_any(void **state)
{
    /* .59284 .84427 .85795 .84725 .62356 .38438 */
    static const int32_t wanted[] = { 5, 8, 8, 8, 6, 3 };
    sortes_sampler *s = stages_sampler("seed=0");

    (void)state;
    assert_int_equal(sortes_sampler_seed(s), 0);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(stages_draw(s, TEN), wanted[i]);
}

/* ---- what a draw reports ------------------------------------------------- */

static void near(double a, double b)
{
    assert_true(fabs(a - b) < 1e-5);
}

static void margin_is_the_distance_to_the_nearer_edge(void **state)
{
    struct srt_llamacpp *chain = stages_chain("seed=42");
    sortes_draw draw;

    (void)state;
    assert_int_equal(stages_chain_draw(chain, TEN, &draw), SORTES_OK);
    near(draw.margin, 0.8 - 0.79654);
    assert_int_equal(draw.n_candidates, 10);
    assert_int_equal(stages_chain_draw(chain, TEN, &draw), SORTES_OK);
    near(draw.margin, 0.2 - 0.18343);
}

static void margin_has_no_edge_at_the_ends(void **state)
{
    struct srt_llamacpp *chain = stages_chain("seed=42");
    sortes_draw draw;

    (void)state;
    assert_int_equal(stages_chain_draw(chain, ROW(0, 0), &draw), SORTES_OK);
    assert_int_equal(draw.token, 1);
    near(draw.margin, 0.79654 - 0.5);
    assert_int_equal(stages_chain_draw(chain, ROW(0, 0), &draw), SORTES_OK);
    assert_int_equal(draw.token, 0);
    near(draw.margin, 0.5 - 0.18343);
}

static void candidates_are_those_with_a_weight(void **state)
{
    struct srt_llamacpp *chain = stages_chain("");
    sortes_draw draw;

    (void)state;
    /* exp(-104) is below every float, exp(-103) is not. */
    assert_int_equal(
        stages_chain_draw(chain, ROW(0, -104, -103, -INFINITY, -1), &draw),
        SORTES_OK);
    assert_int_equal(draw.n_candidates, 3);
}

static void margin_of_a_share(void **state)
{
    (void)state;
    assert_true(srt_llamacpp_margin(0, 8, 3, 8) == 1.0);
    assert_true(srt_llamacpp_margin(2, 8, 3, 8) == 0.125);
    assert_true(srt_llamacpp_margin(0, 4, 3, 8) == 0.125);
    assert_true(srt_llamacpp_margin(1, 4, 3, 8) == 0.125);
    assert_true(srt_llamacpp_margin(2, 6, 3, 8) == 0.125);
    assert_true(srt_llamacpp_margin(2, 4, 4, 8) == 0.0);
}

static void dist_with_nothing_left_is_refused(void **state)
{
    struct srt_llamacpp *chain = stages_chain("");
    sortes_draw draw;

    (void)state;
    assert_int_equal(stages_chain_draw(chain, ROW(-INFINITY, -INFINITY), &draw),
                     SORTES_E_NO_TOKEN);
    assert_int_equal(chain->state.position[0], 0);
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(dist_walks_up_to_the_random_number),
        CASE(dist_in_unequal_shares),
        CASE(dist_draws_in_the_order_of_the_array),
        CASE(dist_gives_ids_and_not_ranks),
        CASE(dist_leaves_normalized_probabilities),
        CASE(dist_sums_in_double),
        CASE(dist_takes_two_words),
        CASE(dist_of_one_candidate_takes_two_words_too),
        CASE(dist_after_one_candidate_goes_on_with_the_second_number),
        CASE(dist_of_the_largest_number_stays_within_the_weights),
        CASE(dist_of_zero_selects_the_first_of_the_array),
        CASE(dist_on_an_edge_takes_the_token_before_it),
        CASE(seeds_repeat_and_differ),
        CASE(seed_of_zero_is_a_seed_like_any),
        CASE(margin_is_the_distance_to_the_nearer_edge),
        CASE(margin_has_no_edge_at_the_ends),
        CASE(candidates_are_those_with_a_weight),
        CASE(margin_of_a_share),
        CASE(dist_with_nothing_left_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

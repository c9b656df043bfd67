/*
 * test_xtc.c - the most likely tokens, now and then dropped
 *
 * The first float of seed 1 is .417022.  P4321 has the probabilities .4, .3,
 * .2 and .1.
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

#define P4321  ROW(-2.30258509f, -0.91629073f, -1.60943791f, -1.20397280f)
#define ALWAYS "xtc_probability=1 "

static const struct stage *xtc(const char *settings, const float *x, size_t n)
{
    return stages_see(stages_sampler(settings), x, n, "xtc");
}

/* Words taken from the generator of the first slot that is XTC's. */
static uint64_t words(const char *settings, const float *x, size_t n)
{
    struct srt_llamacpp *chain = stages_chain(settings);
    sortes_draw draw;

    assert_int_equal(stages_chain_draw(chain, x, n, &draw), SORTES_OK);
    for (size_t i = 0; i < chain->n_slots; i++)
        if (chain->slots[i].stage == &srt_stage_xtc)
            return chain->state.position[chain->slots[i].generator];
    fail_msg("no xtc in %s", settings);
    return 0;
}

static void xtc_leaves_the_least_likely_one_above_the_threshold(void **state)
{
    (void)state;
    stages_check_ids(xtc(ALWAYS "xtc_threshold=0.15", P4321), IDS(2, 0));
    stages_check_ids(xtc(ALWAYS "xtc_threshold=0.25", P4321), IDS(3, 2, 0));
    stages_check_ids(xtc(ALWAYS "xtc_threshold=0.05", P4321), IDS(0));
    stages_check_ids(xtc(ALWAYS "xtc_threshold=0", P4321), IDS(0));
}

static void xtc_drops_nothing_where_one_is_above(void **state)
{
    const struct stage *seen = xtc(ALWAYS "xtc_threshold=0.35", P4321);

    (void)state;
    stages_check_ids(seen, IDS(1, 3, 2, 0));
    assert_true(seen->sorted);
    stages_check_ids(xtc(ALWAYS "xtc_threshold=0.45", P4321), IDS(1, 3, 2, 0));
}

static void xtc_counts_what_is_on_the_threshold(void **state)
{
    (void)state;
    assert_int_equal(xtc(ALWAYS "xtc_threshold=0.5", ROW(1, 1))->n, 1);
    assert_int_equal(xtc(ALWAYS "xtc_threshold=0.25", ROW(1, 1, 1, 1))->n, 1);
}

static void coin_falls_up_to_its_probability(void **state)
{
    const struct stage *seen;

    (void)state;
    seen = xtc("xtc_probability=0.4171 xtc_threshold=0.15", P4321);
    stages_check_ids(seen, IDS(2, 0));
    seen = xtc("xtc_probability=0.4170 xtc_threshold=0.15", P4321);
    stages_check_ids(seen, IDS(0, 1, 2, 3));
    assert_false(seen->sorted); /* the coin comes before the sort */
}

static void coin_costs_a_word_whether_it_falls_or_not(void **state)
{
    (void)state;
    assert_int_equal(words(ALWAYS "xtc_threshold=0.15", P4321), 1);
    assert_int_equal(words("xtc_probability=1e-9 xtc_threshold=0.15", P4321),
                     1);
}

static void coin_is_not_tossed_for_one_candidate(void **state)
{
    (void)state;
    assert_int_equal(words(ALWAYS "xtc_threshold=0.15", ROW(1)), 0);
    assert_int_equal(words("samplers=top_k;xtc top_k=1 " ALWAYS, P4321), 0);
}

static void coin_does_not_take_the_draws_words(void **state)
{
    sortes_sampler *with =
        stages_sampler("xtc_probability=1e-9 xtc_threshold=0.1");
    sortes_sampler *without = stages_sampler("");

    (void)state;
    for (int i = 0; i < 40; i++)
        assert_int_equal(stages_draw(with, P4321), stages_draw(without, P4321));
}

static void coins_of_two_stages_fall_alike(void **state)
{
    struct srt_llamacpp *chain =
        stages_chain("samplers=xtc;xtc xtc_probability=0.5 xtc_threshold=0.35");
    sortes_draw draw;

    (void)state;
    assert_int_equal(stages_chain_draw(chain, P4321, &draw), SORTES_OK);
    assert_int_equal(chain->n_generators, 3);
    assert_int_equal(srt_mt19937_word(&chain->rng[0], 0),
                     srt_mt19937_word(&chain->rng[1], 0));
    assert_int_equal(chain->state.position[0], 1);
    assert_int_equal(chain->state.position[1], 1);
    assert_int_equal(chain->state.position[2], 2);
}

static void kept_tokens_have_the_probabilities_from_before(void **state)
{
    const struct stage *seen = xtc(ALWAYS "xtc_threshold=0.15", P4321);

    (void)state;
    assert_true(fabsf(seen->p[0] - 0.2f) < 1e-6f);
    assert_true(fabsf(seen->p[1] - 0.1f) < 1e-6f);
}

static void xtc_leaves_at_least_min_keep_or_does_nothing(void **state)
{
    (void)state;
    stages_check_ids(xtc(ALWAYS "xtc_threshold=0.15 min_keep=2", P4321),
                     IDS(2, 0));
    stages_check_ids(xtc(ALWAYS "xtc_threshold=0.15 min_keep=3", P4321),
                     IDS(1, 3, 2, 0));
}

static void xtc_is_off_above_a_half_and_without_probability(void **state)
{
    (void)state;
    assert_null(stages_find(stages_sampler(ALWAYS "xtc_threshold=0.50001"),
                            P4321, "xtc"));
    assert_null(stages_find(stages_sampler("xtc_probability=0"), P4321, "xtc"));
    assert_non_null(
        stages_find(stages_sampler(ALWAYS "xtc_threshold=0.5"), P4321, "xtc"));
}

static void coins_are_tossed_anew_in_every_step(void **state)
{
    struct srt_llamacpp *chain = stages_chain("xtc_probability=0.5");
    sortes_draw draw;

    (void)state;
    for (uint64_t i = 1; i <= 10; i++) {
        assert_int_equal(stages_chain_draw(chain, P4321, &draw), SORTES_OK);
        assert_int_equal(chain->state.position[0], i);
        assert_int_equal(chain->state.position[1], 2 * i);
    }
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(xtc_leaves_the_least_likely_one_above_the_threshold),
        CASE(xtc_drops_nothing_where_one_is_above),
        CASE(xtc_counts_what_is_on_the_threshold),
        CASE(coin_falls_up_to_its_probability),
        CASE(coin_costs_a_word_whether_it_falls_or_not),
        CASE(coin_is_not_tossed_for_one_candidate),
        CASE(coin_does_not_take_the_draws_words),
        CASE(coins_of_two_stages_fall_alike),
        CASE(kept_tokens_have_the_probabilities_from_before),
        CASE(xtc_leaves_at_least_min_keep_or_does_nothing),
        CASE(xtc_is_off_above_a_half_and_without_probability),
        CASE(coins_are_tossed_anew_in_every_step),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

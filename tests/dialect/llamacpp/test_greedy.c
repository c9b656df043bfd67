/*
 * test_greedy.c - the largest logit, without a random number
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

static void greedy_takes_the_first_maximum(void **state)
{
    sortes_sampler *s = stages_sampler("greedy=true");

    (void)state;
    assert_int_equal(stages_draw(s, ROW(1, 5, 2, 5, 5)), 1);
    assert_int_equal(stages_draw(s, ROW(-1, -5)), 0);
    assert_int_equal(stages_draw(s, ROW(-INFINITY, -1e38f)), 1);
}

static void greedy_stands_in_the_place_of_the_draw(void **state)
{
    sortes_sampler *s = stages_sampler("greedy=true");

    (void)state;
    assert_string_equal(stages_names(s, ROW(1, 2)), "logits greedy");
}

static void greedy_selects_an_index_and_computes_nothing(void **state)
{
    sortes_sampler *s = stages_sampler("greedy=true min_p=0.5");
    const struct stage *seen = stages_see(s, ROW(-9, 1, 2), "greedy");

    (void)state;
    stages_check_ids(seen, IDS(2));
    assert_int_equal(seen->selected, 0);
    assert_true(seen->p[0] == 0.0f);
}

static void greedy_draws_no_random_number(void **state)
{
    struct srt_llamacpp *chain = stages_chain("greedy=true");
    sortes_draw draw;

    (void)state;
    assert_int_equal(stages_chain_draw(chain, ROW(1, 2), &draw), SORTES_OK);
    assert_int_equal(chain->state.position[0], 0);
    assert_int_equal(draw.n_candidates, 1);
    assert_true(draw.margin == 1.0);
}

static void greedy_after_top_k_takes_its_first(void **state)
{
    /* The heap puts 2 before 0 here; greedy looks no further than the array. */
    sortes_sampler *s = stages_sampler("greedy=true top_k=2");

    (void)state;
    assert_int_equal(stages_draw(s, ROW(2, 1, 2, 2)), 2);
}

static void greedy_sees_the_divided_logits(void **state)
{
    /* A large temperature makes neighbours equal; the first one wins. */
    sortes_sampler *s = stages_sampler("greedy=true temperature=3");

    (void)state;
    assert_int_equal(stages_draw(s, ROW(0, 0x1p-149f, 0x1.8p-148f)), 2);
    assert_int_equal(stages_draw(s, ROW(0, 0x1p-149f, 0)), 0);
}

static void greedy_equals_temperature_zero(void **state)
{
    sortes_sampler *greedy = stages_sampler("greedy=true");
    sortes_sampler *cold = stages_sampler("temperature=0");

    (void)state;
    for (int i = 0; i < 50; i++) {
        const float x[] = { (float)(i % 4), (float)(i % 3), (float)(i % 5), 2 };

        assert_int_equal(stages_draw(greedy, x, 4), stages_draw(cold, x, 4));
    }
}

static void greedy_with_nothing_left_is_refused(void **state)
{
    sortes_sampler *s = stages_sampler("greedy=true logit_bias=0-inf,1-inf");

    (void)state;
    assert_int_equal(stages_try(s, ROW(1, 2)), SORTES_E_NO_TOKEN);
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(greedy_takes_the_first_maximum),
        CASE(greedy_stands_in_the_place_of_the_draw),
        CASE(greedy_selects_an_index_and_computes_nothing),
        CASE(greedy_draws_no_random_number),
        CASE(greedy_after_top_k_takes_its_first),
        CASE(greedy_sees_the_divided_logits),
        CASE(greedy_equals_temperature_zero),
        CASE(greedy_with_nothing_left_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_mirostat_v2.c - the surprise held near a target, version 2
 *
 * mu begins at twice the target.  Four equal logits have a surprise of 2 bits
 * each.
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

#define V2 "mirostat=2 mirostat_eta=0.1 "

/* Probabilities a half, a quarter, an eighth and an eighth. */
#define HALVES ROW(3 * 0.69314718f, 2 * 0.69314718f, 0.69314718f, 0.69314718f)

static size_t kept(const char *settings, const float *x, size_t n)
{
    return stages_see(stages_sampler(settings), x, n, "mirostat_v2")->n;
}

static void mirostat_replaces_the_list(void **state)
{
    (void)state;
    assert_string_equal(
        stages_names(stages_sampler(V2 "temperature=0.5 top_k=3 top_p=0.5 "
                                       "min_p=0.1 presence_penalty=1 "
                                       "logit_bias=1+1 top_n_sigma=1 "
                                       "samplers=top_k;typ_p typical_p=0.5"),
                     ROW(1, 2, 3)),
        "logits logit_bias temperature mirostat_v2");
}

static void mirostat_with_greedy_draws_the_best(void **state)
{
    (void)state;
    assert_string_equal(
        stages_names(stages_sampler(V2 "greedy=true"), ROW(1, 2)),
        "logits greedy");
}

static void cut_drops_what_is_more_surprising_than_mu(void **state)
{
    (void)state;
    assert_int_equal(kept(V2 "mirostat_tau=0.75", HALVES), 1); /* mu 1.5 */
    assert_int_equal(kept(V2 "mirostat_tau=1.25", HALVES), 2); /* 2.5 */
    assert_int_equal(kept(V2 "mirostat_tau=1.75", HALVES), 4); /* 3.5 */
}

static void cut_keeps_what_is_exactly_as_surprising(void **state)
{
    (void)state;
    assert_int_equal(kept(V2 "mirostat_tau=1", ROW(0, 0, 0, 0)), 4);
    assert_int_equal(kept(V2 "mirostat_tau=0.9999", ROW(0, 0, 0, 0)), 1);
}

static void cut_always_keeps_one(void **state)
{
    (void)state;
    assert_int_equal(kept(V2 "mirostat_tau=-3", HALVES), 1);
}

static void kept_tokens_share_all_of_the_probability(void **state)
{
    const struct stage *seen = stages_see(
        stages_sampler(V2 "mirostat_tau=1.25"), HALVES, "mirostat_v2");

    (void)state;
    assert_true(fabsf(seen->p[0] - 2.0f / 3) < 1e-6f);
    assert_true(fabsf(seen->p[1] - 1.0f / 3) < 1e-6f);
    assert_true(seen->sorted);
}

static void mu_moves_against_the_surprise(void **state)
{
    struct srt_llamacpp *chain = stages_chain(V2 "mirostat_tau=1");
    const float step = 0.1f * (2.0f - 1.0f);
    sortes_draw draw;

    (void)state;
    assert_true(chain->state.mu == 2.0f);
    assert_int_equal(stages_chain_draw(chain, ROW(0, 0, 0, 0), &draw),
                     SORTES_OK);
    assert_true(chain->state.mu == 2.0f - step);
}

static void mu_takes_the_probability_after_the_cut(void **state)
{
    /* Only one of four equals is left: no surprise at all. */
    struct srt_llamacpp *chain = stages_chain(V2 "mirostat_tau=0.5");
    const float step = 0.1f * (0.0f - 0.5f);
    sortes_draw draw;

    (void)state;
    assert_int_equal(stages_chain_draw(chain, ROW(0, 0, 0, 0), &draw),
                     SORTES_OK);
    assert_true(chain->state.mu == 1.0f - step);
}

static void one_candidate_draws_nothing_but_mu_moves(void **state)
{
    struct srt_llamacpp *chain = stages_chain(V2 "mirostat_tau=5");
    sortes_draw draw;

    (void)state;
    assert_int_equal(stages_chain_draw(chain, ROW(4), &draw), SORTES_OK);
    assert_int_equal(draw.token, 0);
    assert_int_equal(chain->state.position[0], 0);
    assert_true(chain->state.mu == 10.0f + 0.1f * 5.0f);
}

static void one_candidate_left_by_the_cut_draws_nothing(void **state)
{
    struct srt_llamacpp *chain = stages_chain(V2 "mirostat_tau=0.75");
    sortes_draw draw;

    (void)state;
    assert_int_equal(stages_chain_draw(chain, HALVES, &draw), SORTES_OK);
    assert_int_equal(chain->state.position[0], 0);
    assert_int_equal(draw.n_candidates, 1);
}

static void two_candidates_cost_two_words(void **state)
{
    struct srt_llamacpp *chain = stages_chain(V2 "mirostat_tau=1.25");
    sortes_draw draw;

    (void)state;
    assert_int_equal(stages_chain_draw(chain, HALVES, &draw), SORTES_OK);
    assert_int_equal(chain->state.position[0], 2);
    assert_int_equal(draw.n_candidates, 2);
}

static void refused_rows_leave_mu(void **state)
{
    struct srt_llamacpp *chain = stages_chain(V2 "mirostat_tau=5");
    sortes_draw draw;

    (void)state;
    assert_int_equal(stages_chain_draw(chain, ROW(-INFINITY, -INFINITY), &draw),
                     SORTES_E_NO_TOKEN);
    assert_int_equal(stages_chain_draw(chain, ROW(0, NAN), &draw),
                     SORTES_E_NOT_FINITE);
    assert_true(chain->state.mu == 10.0f);
}

static void reset_puts_mu_back(void **state)
{
    struct srt_llamacpp *chain = stages_chain(V2 "mirostat_tau=1");
    sortes_draw draw;

    (void)state;
    for (int i = 0; i < 5; i++)
        assert_int_equal(stages_chain_draw(chain, HALVES, &draw), SORTES_OK);
    assert_true(chain->state.mu != 2.0f);
    assert_int_equal(srt_dialect_find("llama.cpp")->reset(chain), SORTES_OK);
    assert_true(chain->state.mu == 2.0f);
    assert_int_equal(chain->state.position[0], 0);
}

static void clone_has_the_same_mu(void **state)
{
    sortes_sampler *s = stages_sampler(V2 "mirostat_tau=1.5"), *copy;

    (void)state;
    for (int i = 0; i < 9; i++)
        (void)stages_draw(s, HALVES);
    assert_int_equal(sortes_sampler_clone(&copy, s), SORTES_OK);
    for (int i = 0; i < 50; i++)
        assert_int_equal(stages_draw(copy, HALVES), stages_draw(s, HALVES));
    sortes_sampler_free(copy);
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(mirostat_replaces_the_list),
        CASE(mirostat_with_greedy_draws_the_best),
        CASE(cut_drops_what_is_more_surprising_than_mu),
        CASE(cut_keeps_what_is_exactly_as_surprising),
        CASE(cut_always_keeps_one),
        CASE(kept_tokens_share_all_of_the_probability),
        CASE(mu_moves_against_the_surprise),
        CASE(mu_takes_the_probability_after_the_cut),
        CASE(one_candidate_draws_nothing_but_mu_moves),
        CASE(one_candidate_left_by_the_cut_draws_nothing),
        CASE(two_candidates_cost_two_words),
        CASE(refused_rows_leave_mu),
        CASE(reset_puts_mu_back),
        CASE(clone_has_the_same_mu),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

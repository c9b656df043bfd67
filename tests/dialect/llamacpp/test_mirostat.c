/*
 * test_mirostat.c - the surprise held near a target, version 1
 *
 * ZIPF's probabilities fall with the square of the rank, so the exponent is 2,
 * and k = sqrt(2^mu / (1 - 1/4)) for its four tokens.
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

#define V1   "mirostat=1 mirostat_eta=0.1 "
#define ZIPF ROW(0, -2 * 0.69314718f, -2 * 1.09861229f, -4 * 0.69314718f)

static size_t kept(const char *settings, const float *x, size_t n)
{
    return stages_see(stages_sampler(settings), x, n, "mirostat")->n;
}

static void mirostat_replaces_the_list(void **state)
{
    (void)state;
    assert_string_equal(
        stages_names(stages_sampler(V1 "temperature=0.5 dynatemp_range=0.2 "
                                       "top_k=3 presence_penalty=1"),
                     ROW(1, 2, 3)),
        "logits temperature mirostat");
}

static void temperature_under_mirostat_is_plain(void **state)
{
    (void)state;
    stages_check_logits(
        stages_see(stages_sampler(V1 "temperature=0.5 dynatemp_range=0.5"),
                   ROW(1, 1), "temperature"),
        ROW(2, 2));
    /* and at 1 there is none, whatever the range */
    assert_null(stages_find(stages_sampler(V1 "dynatemp_range=0.5"), ROW(1, 1),
                            "temperature"));
}

static void k_follows_from_mu_and_the_exponent(void **state)
{
    (void)state;
    assert_int_equal(kept(V1 "mirostat_tau=0.5", ZIPF), 1); /* 1.63 */
    assert_int_equal(kept(V1 "mirostat_tau=1.1", ZIPF), 2); /* 2.47 */
    assert_int_equal(kept(V1 "mirostat_tau=1.5", ZIPF), 3); /* 3.27 */
    assert_int_equal(kept(V1 "mirostat_tau=20", ZIPF), 4);  /* all */
    assert_int_equal(kept(V1 "mirostat_tau=-20", ZIPF), 1); /* 0.00 */
}

/* Equal logits: the exponent is 0, and k infinity or 0. */
static void k_that_is_no_int_is_one(void **state)
{
    (void)state;
    assert_int_equal(kept(V1 "mirostat_tau=5", ROW(0, 0, 0, 0)), 1);
    assert_int_equal(kept(V1 "mirostat_tau=0", ROW(0, 0, 0, 0)), 1);
}

static void kept_tokens_share_all_of_the_probability(void **state)
{
    const struct stage *seen =
        stages_see(stages_sampler(V1 "mirostat_tau=1.1"), ZIPF, "mirostat");

    (void)state;
    assert_true(fabsf(seen->p[0] - 0.8f) < 1e-6f);
    assert_true(fabsf(seen->p[1] - 0.2f) < 1e-6f);
    assert_true(seen->sorted);
}

static void array_is_sorted(void **state)
{
    (void)state;
    stages_check_ids(
        stages_see(stages_sampler(V1 "mirostat_tau=20"),
                   ROW(-4 * 0.69314718f, 0, -2 * 1.09861229f, -2 * 0.69314718f),
                   "mirostat"),
        IDS(1, 3, 2, 0));
}

static void mu_moves_after_the_draw(void **state)
{
    struct srt_llamacpp *chain = stages_chain(V1 "mirostat_tau=1.1");
    sortes_draw draw;
    float surprise, mu;

    (void)state;
    assert_true(chain->state.mu == 2.0f * 1.1f);
    assert_int_equal(stages_chain_draw(chain, ZIPF, &draw), SORTES_OK);
    surprise = draw.token == 0 ? 0.3219281f : 2.3219281f;
    mu = 2.2f - 0.1f * (surprise - 1.1f);
    assert_true(fabsf(chain->state.mu - mu) < 1e-6f);
    assert_int_equal(chain->state.position[0], 2);
}

static void one_candidate_draws_nothing_but_mu_moves(void **state)
{
    struct srt_llamacpp *chain = stages_chain(V1 "mirostat_tau=5");
    sortes_draw draw;

    (void)state;
    assert_int_equal(stages_chain_draw(chain, ROW(4), &draw), SORTES_OK);
    assert_int_equal(draw.token, 0);
    assert_int_equal(chain->state.position[0], 0);
    assert_true(chain->state.mu == 10.0f + 0.1f * 5.0f);
}

static void one_candidate_left_draws_nothing_but_mu_moves(void **state)
{
    struct srt_llamacpp *chain = stages_chain(V1 "mirostat_tau=0.5");
    sortes_draw draw;

    (void)state;
    assert_int_equal(stages_chain_draw(chain, ZIPF, &draw), SORTES_OK);
    assert_int_equal(draw.token, 0);
    assert_int_equal(chain->state.position[0], 0);
    assert_true(chain->state.mu == 1.0f + 0.1f * 0.5f);
}

static void refused_rows_leave_mu(void **state)
{
    struct srt_llamacpp *chain = stages_chain(V1 "mirostat_tau=5");
    sortes_draw draw;

    (void)state;
    assert_int_equal(stages_chain_draw(chain, ROW(-INFINITY), &draw),
                     SORTES_E_NO_TOKEN);
    assert_true(chain->state.mu == 10.0f);
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(mirostat_replaces_the_list),
        CASE(temperature_under_mirostat_is_plain),
        CASE(k_follows_from_mu_and_the_exponent),
        CASE(k_that_is_no_int_is_one),
        CASE(kept_tokens_share_all_of_the_probability),
        CASE(array_is_sorted),
        CASE(mu_moves_after_the_draw),
        CASE(one_candidate_draws_nothing_but_mu_moves),
        CASE(one_candidate_left_draws_nothing_but_mu_moves),
        CASE(refused_rows_leave_mu),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

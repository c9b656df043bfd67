/*
 * test_adaptive_p.c - tokens whose probability is near a target, over time
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

#define ADAPTIVE   "samplers=adaptive_p "
#define AT(target) ADAPTIVE "adaptive_target=" target " "

/* Probabilities of .5, .3 and .2. */
#define P532 ROW(-0.69314718f, -1.20397280f, -1.60943791f)

static const struct stage *adaptive(const char *settings, const float *x,
                                    size_t n)
{
    return stages_see(stages_sampler(settings), x, n, "adaptive_p");
}

static sortes_draw draw(struct srt_llamacpp *chain, const float *x, size_t n)
{
    sortes_draw d;

    assert_int_equal(stages_chain_draw(chain, x, n, &d), SORTES_OK);
    return d;
}

static bool near(float a, float b)
{
    return fabsf(a - b) < 1e-5f;
}

static void adaptive_is_last_and_draws(void **state)
{
    (void)state;
    assert_string_equal(
        stages_names(stages_sampler("samplers=adaptive_p;top_k;min_p top_k=2 "
                                    "min_p=0.1 adaptive_target=0.5"),
                     P532),
        "logits top_k min_p adaptive_p");
}

static void adaptive_twice_is_once(void **state)
{
    (void)state;
    assert_string_equal(
        stages_names(stages_sampler("samplers=adaptive_p;adaptive_p"), P532),
        "logits adaptive_p");
}

static void adaptive_not_listed_is_not_there(void **state)
{
    (void)state;
    assert_string_equal(
        stages_names(stages_sampler("adaptive_target=0.5"), P532),
        "logits dist");
}

static void adaptive_prefers_what_is_near_the_target(void **state)
{
    const struct stage *high = adaptive(AT("0.5"), P532);
    const struct stage *low = adaptive(AT("0.2"), P532);

    (void)state;
    assert_true(high->p[0] > high->p[1] && high->p[1] > high->p[2]);
    assert_true(low->p[2] > low->p[1] && low->p[1] > low->p[0]);
}

/* off = |p - target| / .3; 5 - 10 off^2 / (1 + off) */
static void adaptive_bends_the_logits(void **state)
{
    const struct stage *seen = adaptive(AT("0.5"), P532);

    (void)state;
    assert_true(near(seen->logit[0], 5.0f));
    assert_true(near(seen->logit[1], 5.0f - 10.0f * 0.444444f / 1.666667f));
    assert_true(near(seen->logit[2], 5.0f - 10.0f / 2.0f));
}

static void adaptive_leaves_what_is_forbidden(void **state)
{
    const struct stage *seen = adaptive(AT("0.1"), ROW(0, -INFINITY, 0));

    (void)state;
    assert_true(seen->logit[1] == -INFINITY && seen->p[1] == 0.0f);
    assert_true(seen->p[0] == 0.5f);
}

static void adaptive_leaves_the_flag_a_lie(void **state)
{
    const struct stage *seen =
        adaptive("samplers=top_k;adaptive_p top_k=3 adaptive_target=0.2", P532);

    (void)state;
    assert_true(seen->sorted);
    assert_true(seen->logit[2] > seen->logit[0]);
    assert_true(near(seen->p[0] + seen->p[1] + seen->p[2], 1.0f));
    assert_false(adaptive(AT("0.2"), P532)->sorted);
}

static void target_below_zero_draws_plainly(void **state)
{
    const struct stage *seen = adaptive(AT("-1"), P532);
    struct srt_llamacpp *chain = stages_chain(AT("-1"));
    const float before = chain->state.weighted_sum;
    const sortes_draw d = draw(chain, P532);

    (void)state;
    stages_check_logits(seen, P532);
    assert_true(near(seen->p[0], 0.5f) && near(seen->p[2], 0.2f));
    assert_int_equal(chain->state.pending_token, -1);
    stages_chain_accept(chain, &d.token, 1);
    assert_true(chain->state.weighted_sum == before);
}

static void one_candidate_draws_nothing(void **state)
{
    struct srt_llamacpp *chain = stages_chain(AT("0.5"));

    (void)state;
    assert_int_equal(draw(chain, ROW(3)).token, 0);
    assert_int_equal(chain->state.position[0], 0);
    assert_int_equal(chain->state.pending_token, 0);
    (void)draw(chain, P532);
    assert_int_equal(chain->state.position[0], 2);
}

static void average_begins_at_the_target(void **state)
{
    struct srt_llamacpp *chain = stages_chain(AT("0.25") "adaptive_decay=0.5");

    (void)state;
    assert_true(chain->state.weighted_sum == 0.5f);
    assert_true(chain->state.total_weight == 2.0f);
}

static void average_takes_in_the_accepted_tokens_own_probability(void **state)
{
    struct srt_llamacpp *chain = stages_chain(AT("0.25") "adaptive_decay=0.5");
    const sortes_draw d = draw(chain, ROW(0, 0, 0, 0));

    (void)state;
    assert_int_equal(chain->state.pending_token, d.token);
    assert_true(chain->state.pending_p == 0.25f);
    stages_chain_accept(chain, &d.token, 1);
    assert_true(chain->state.weighted_sum == 0.25f + 0.5f * 0.5f);
    assert_true(chain->state.total_weight == 1.0f + 0.5f * 2.0f);
    assert_int_equal(chain->state.pending_token, -1);
}

static void average_does_not_take_in_another_token(void **state)
{
    struct srt_llamacpp *chain = stages_chain(AT("0.25") "adaptive_decay=0.5");
    const sortes_draw d = draw(chain, ROW(0, 0, 0, 0));
    const int32_t other = (d.token + 1) % 4;

    (void)state;
    stages_chain_accept(chain, &other, 1);
    assert_true(chain->state.weighted_sum == 0.5f);
    assert_int_equal(chain->state.pending_token, -1);
    /* and it is forgotten */
    stages_chain_accept(chain, &d.token, 1);
    assert_true(chain->state.weighted_sum == 0.5f);
}

static void average_above_the_target_aims_below_it(void **state)
{
    struct srt_llamacpp *chain = stages_chain(AT("0.5") "adaptive_decay=0.5");
    sortes_sampler *s = stages_sampler(AT("0.5") "adaptive_decay=0.5");
    const struct stage *seen;

    (void)state;
    /* 1 weighs as much as all before it: the average is .75, the aim .25 */
    stages_accept(s, (const int32_t[]){ stages_draw(s, ROW(3)) }, 1);
    seen = stages_see(s, ROW(0, 0, 0, 0), "adaptive_p");
    assert_true(near(seen->logit[0], 5.0f));
    (void)draw(chain, ROW(3));
    stages_chain_accept(chain, IDS(0));
    assert_true(chain->state.weighted_sum / chain->state.total_weight == 0.75f);
}

static void decay_is_no_more_than_it_may_be(void **state)
{
    struct sortes_params p = { .adaptive_decay = 0.999f };

    (void)state;
    assert_true(srt_llamacpp_adaptive_decay(&p) == 0.99f);
    p.adaptive_decay = -1.0f;
    assert_true(srt_llamacpp_adaptive_decay(&p) == 0.0f);
}

static void refused_rows_leave_the_pending_token(void **state)
{
    struct srt_llamacpp *chain = stages_chain(AT("0.25"));
    const sortes_draw d = draw(chain, ROW(0, 0, 0, 0));
    sortes_draw none;

    (void)state;
    assert_int_equal(stages_chain_draw(chain, ROW(-INFINITY), &none),
                     SORTES_E_NO_TOKEN);
    assert_int_equal(chain->state.pending_token, d.token);
    assert_int_equal(chain->state.position[0], 2);
}

/* ---- clones -------------------------------------------------------------- */

static void clone_goes_on_alike(void **state)
{
    sortes_sampler *s = stages_sampler(AT("0.3")), *copy;

    (void)state;
    for (int i = 0; i < 5; i++)
        stages_accept(s, (const int32_t[]){ stages_draw(s, P532) }, 1);
    (void)stages_draw(s, P532); /* pending */
    assert_int_equal(sortes_sampler_clone(&copy, s), SORTES_OK);
    for (int i = 0; i < 50; i++) {
        const int32_t token = stages_draw(s, P532);

        assert_int_equal(stages_draw(copy, P532), token);
        stages_accept(s, &token, 1);
        stages_accept(copy, &token, 1);
    }
    sortes_sampler_free(copy);
}

static void literal_clone_begins_its_numbers_again(void **state)
{
    struct srt_llamacpp *chain = stages_chain(AT("-1") "literal_clone=true"),
                        *copy;
    int32_t first[20];

    (void)state;
    for (int i = 0; i < 20; i++)
        first[i] = draw(chain, P532).token;
    for (int i = 0; i < 600; i++) /* farther than a generator can go back */
        (void)draw(chain, P532);
    copy = stages_chain_clone(chain);
    for (int i = 0; i < 20; i++)
        assert_int_equal(draw(copy, P532).token, first[i]);
    srt_dialect_find("llama.cpp")->chain_free(copy);
}

static void literal_clone_keeps_the_average(void **state)
{
    struct srt_llamacpp *chain = stages_chain(AT("0.3") "literal_clone=true"),
                        *copy;

    (void)state;
    for (int i = 0; i < 5; i++) {
        const sortes_draw d = draw(chain, P532);

        stages_chain_accept(chain, &d.token, 1);
    }
    copy = stages_chain_clone(chain);
    assert_true(copy->state.weighted_sum == chain->state.weighted_sum);
    assert_true(copy->state.total_weight == chain->state.total_weight);
    assert_int_equal(copy->state.position[0], 0);
    srt_dialect_find("llama.cpp")->chain_free(copy);
}

static void literal_clone_of_other_draws_goes_on(void **state)
{
    sortes_sampler *s = stages_sampler("literal_clone=true"), *copy;

    (void)state;
    for (int i = 0; i < 5; i++)
        (void)stages_draw(s, P532);
    assert_int_equal(sortes_sampler_clone(&copy, s), SORTES_OK);
    for (int i = 0; i < 50; i++)
        assert_int_equal(stages_draw(copy, P532), stages_draw(s, P532));
    sortes_sampler_free(copy);
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(adaptive_is_last_and_draws),
        CASE(adaptive_twice_is_once),
        CASE(adaptive_not_listed_is_not_there),
        CASE(adaptive_prefers_what_is_near_the_target),
        CASE(adaptive_bends_the_logits),
        CASE(adaptive_leaves_what_is_forbidden),
        CASE(adaptive_leaves_the_flag_a_lie),
        CASE(target_below_zero_draws_plainly),
        CASE(one_candidate_draws_nothing),
        CASE(average_begins_at_the_target),
        CASE(average_takes_in_the_accepted_tokens_own_probability),
        CASE(average_does_not_take_in_another_token),
        CASE(average_above_the_target_aims_below_it),
        CASE(decay_is_no_more_than_it_may_be),
        CASE(refused_rows_leave_the_pending_token),
        CASE(clone_goes_on_alike),
        CASE(literal_clone_begins_its_numbers_again),
        CASE(literal_clone_keeps_the_average),
        CASE(literal_clone_of_other_draws_goes_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

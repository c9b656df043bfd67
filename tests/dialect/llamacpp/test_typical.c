/*
 * test_typical.c - the tokens of most typical surprise
 *
 * P532's probabilities are .5, .3 and .2; the entropy is 1.03 nats, and the
 * surprises are .34, .17 and .58 away from it: token 1, then 0, then 2.
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

#define P532        ROW(-0.69314718f, -1.20397280f, -1.60943791f)
#define P532_AND(x) ROW(-0.69314718f, -1.20397280f, -1.60943791f, x)

static const struct stage *typical(const char *settings, const float *x,
                                   size_t n)
{
    return stages_see(stages_sampler(settings), x, n, "typ_p");
}

static void typical_orders_by_distance_from_the_entropy(void **state)
{
    (void)state;
    stages_check_ids(typical("typical_p=0.99999", P532), IDS(1, 0, 2));
    stages_check_ids(typical("typical_p=0.4", P532), IDS(1, 0));
    stages_check_ids(typical("typical_p=0.25", P532), IDS(1));
}

static void typical_keeps_one_at_least(void **state)
{
    (void)state;
    stages_check_ids(typical("typical_p=0", P532), IDS(1));
    stages_check_ids(typical("typical_p=-2", P532), IDS(1));
}

static void typical_cuts_past_its_probability_not_at_it(void **state)
{
    (void)state;
    assert_int_equal(typical("typical_p=0.25", ROW(0, 0, 0, 0))->n, 2);
    assert_int_equal(typical("typical_p=0.2499", ROW(0, 0, 0, 0))->n, 1);
}

static void typical_keeps_as_many_as_min_keep_says(void **state)
{
    (void)state;
    stages_check_ids(typical("typical_p=0 min_keep=1", P532), IDS(1));
    stages_check_ids(typical("typical_p=0 min_keep=2", P532), IDS(1, 0));
    stages_check_ids(typical("typical_p=0 min_keep=9", P532), IDS(1, 0, 2));
}

static void typical_says_that_nothing_is_sorted(void **state)
{
    (void)state;
    assert_false(typical("typical_p=0.4", P532)->sorted);
    assert_false(
        typical("samplers=top_k;typ_p top_k=3 typical_p=0.4", P532)->sorted);
}

static void stages_behind_it_sort_again(void **state)
{
    sortes_sampler *s =
        stages_sampler("samplers=typ_p;top_k typical_p=0.99 top_k=2");

    (void)state;
    stages_check_ids(stages_see(s, P532, "top_k"), IDS(0, 1));
}

static void logits_and_probabilities_stay_what_they_were(void **state)
{
    const struct stage *seen = typical("typical_p=0.4", P532);

    (void)state;
    stages_check_logits(seen, ROW(-1.20397280f, -0.69314718f));
    assert_true(fabsf(seen->p[0] - 0.3f) < 1e-6f);
    assert_true(fabsf(seen->p[1] - 0.5f) < 1e-6f);
}

/* 0 times infinity: the entropy is not a number, and no key is before any
 * other. */
static void probability_of_zero_leaves_the_sorted_order(void **state)
{
    (void)state;
    stages_check_ids(typical("typical_p=0.25", P532_AND(-INFINITY)), IDS(0));
    stages_check_ids(typical("typical_p=0.6", P532_AND(-INFINITY)), IDS(0, 1));
    /* so far away that its probability is 0 as a float */
    stages_check_ids(typical("typical_p=0.6", P532_AND(-200)), IDS(0, 1));
}

static void probability_that_is_only_small_does_not(void **state)
{
    (void)state;
    stages_check_ids(typical("typical_p=0.25", P532_AND(-60)), IDS(1));
}

static void typical_is_off_at_one(void **state)
{
    (void)state;
    assert_null(stages_find(stages_sampler("typical_p=1"), P532, "typ_p"));
    assert_null(stages_find(stages_sampler("typical_p=2"), P532, "typ_p"));
}

static void typical_of_one_candidate_keeps_it(void **state)
{
    (void)state;
    stages_check_ids(typical("typical_p=0.1", ROW(3)), IDS(0));
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(typical_orders_by_distance_from_the_entropy),
        CASE(typical_keeps_one_at_least),
        CASE(typical_cuts_past_its_probability_not_at_it),
        CASE(typical_keeps_as_many_as_min_keep_says),
        CASE(typical_says_that_nothing_is_sorted),
        CASE(stages_behind_it_sort_again),
        CASE(logits_and_probabilities_stay_what_they_were),
        CASE(probability_of_zero_leaves_the_sorted_order),
        CASE(probability_that_is_only_small_does_not),
        CASE(typical_is_off_at_one),
        CASE(typical_of_one_candidate_keeps_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_top_n_sigma.c - what is within n standard deviations of the best
 *
 * The logits 0 and 10 have a mean of 5 and a standard deviation of 5.
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

static const struct stage *sigma(const char *settings, const float *x, size_t n)
{
    return stages_see(stages_sampler(settings), x, n, "top_n_sigma");
}

static void sigma_masks_what_is_below_its_line(void **state)
{
    (void)state;
    stages_check_logits(sigma("top_n_sigma=1", ROW(0, 10)), ROW(-INFINITY, 10));
}

static void sigma_keeps_what_is_on_its_line(void **state)
{
    (void)state;
    stages_check_logits(sigma("top_n_sigma=2", ROW(0, 10)), ROW(0, 10));
    stages_check_logits(sigma("top_n_sigma=1.999", ROW(0, 10)),
                        ROW(-INFINITY, 10));
}

static void sigma_is_of_the_population(void **state)
{
    (void)state;
    /* mean 1, squares 9 + 1 + 1 + 9, of four: 2.236 (of three: 2.582) */
    stages_check_logits(sigma("top_n_sigma=0.85", ROW(4, 2, 0, -2)),
                        ROW(4, -INFINITY, -INFINITY, -INFINITY));
    stages_check_logits(sigma("top_n_sigma=0.9", ROW(4, 2, 0, -2)),
                        ROW(4, 2, -INFINITY, -INFINITY));
}

static void sigma_does_not_count_what_is_forbidden(void **state)
{
    (void)state;
    stages_check_logits(
        sigma("top_n_sigma=2", ROW(-INFINITY, 0, -INFINITY, 10, -INFINITY)),
        ROW(-INFINITY, 0, -INFINITY, 10, -INFINITY));
    stages_check_logits(
        sigma("top_n_sigma=1.9", ROW(-INFINITY, 0, -INFINITY, 10, -INFINITY)),
        ROW(-INFINITY, -INFINITY, -INFINITY, 10, -INFINITY));
}

static void sigma_keeps_the_size(void **state)
{
    const struct stage *seen = sigma("top_n_sigma=0.5", ROW(1, 9, 2, 3, 4));

    (void)state;
    stages_check_ids(seen, IDS(0, 1, 2, 3, 4));
    assert_false(seen->sorted);
}

static void sigma_keeps_the_flag(void **state)
{
    sortes_sampler *s =
        stages_sampler("samplers=top_k;top_n_sigma top_k=2 top_n_sigma=1");

    (void)state;
    assert_true(stages_see(s, ROW(0, 5, 10), "top_n_sigma")->sorted);
}

static void later_stages_may_keep_what_it_forbids(void **state)
{
    sortes_sampler *s = stages_sampler("top_n_sigma=1 top_k=2");
    const struct stage *seen = stages_see(s, ROW(0, 10), "top_k");

    (void)state;
    stages_check_ids(seen, IDS(1, 0));
    stages_check_logits(seen, ROW(10, -INFINITY));
}

static void sigma_of_one_candidate_is_not_taken(void **state)
{
    (void)state;
    stages_check_logits(sigma("top_n_sigma=1e-30", ROW(3)), ROW(3));
}

static void sigma_of_equals_keeps_all(void **state)
{
    (void)state;
    stages_check_logits(sigma("top_n_sigma=0.001", ROW(2, 2, 2)), ROW(2, 2, 2));
}

static void sigma_is_off_at_zero_and_below(void **state)
{
    (void)state;
    assert_null(stages_find(stages_sampler("top_n_sigma=0"), ROW(0, 10),
                            "top_n_sigma"));
    assert_null(stages_find(stages_sampler("top_n_sigma=-1"), ROW(0, 10),
                            "top_n_sigma"));
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(sigma_masks_what_is_below_its_line),
        CASE(sigma_keeps_what_is_on_its_line),
        CASE(sigma_is_of_the_population),
        CASE(sigma_does_not_count_what_is_forbidden),
        CASE(sigma_keeps_the_size),
        CASE(sigma_keeps_the_flag),
        CASE(later_stages_may_keep_what_it_forbids),
        CASE(sigma_of_one_candidate_is_not_taken),
        CASE(sigma_of_equals_keeps_all),
        CASE(sigma_is_off_at_zero_and_below),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_top_k.c - keeping the k most likely tokens
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

enum { MANY = 300 };

static void top_k_keeps_the_largest_in_order(void **state)
{
    sortes_sampler *s = stages_sampler("top_k=3");
    const struct stage *seen = stages_see(s, ROW(0, 4, -2, 3, 6), "top_k");

    (void)state;
    stages_check_ids(seen, IDS(4, 1, 3));
    stages_check_logits(seen, ROW(6, 4, 3));
    assert_true(seen->sorted);
    assert_int_equal(seen->selected, -1);
}

static void top_k_of_zero_makes_no_stage(void **state)
{
    sortes_sampler *s = stages_sampler("top_k=0");

    (void)state;
    assert_null(stages_find(s, ROW(0, 1, 2), "top_k"));
}

static void top_k_beyond_the_row_sorts_all_of_it(void **state)
{
    static const char *const settings[] = { "top_k=3", "top_k=4",
                                            "top_k=2147483647" };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        sortes_sampler *s = stages_sampler(settings[i]);

        stages_check_ids(stages_see(s, ROW(1, 3, 2), "top_k"), IDS(1, 2, 0));
    }
}

static void top_k_of_one_keeps_the_first_of_the_largest(void **state)
{
    sortes_sampler *s = stages_sampler("top_k=1");

    (void)state;
    stages_check_ids(stages_see(s, ROW(2, 5, 5, 1, 5), "top_k"), IDS(1));
}

static void top_k_lets_the_heap_decide_among_ties(void **state)
{
    /* A heap of the first two, the smaller on top; only what is larger than
     * the top comes in.  By hand, after std::partial_sort. */
    sortes_sampler *s = stages_sampler("top_k=2");

    (void)state;
    stages_check_ids(stages_see(s, ROW(1, 1, 1, 1), "top_k"), IDS(0, 1));
    stages_check_ids(stages_see(s, ROW(1, 2, 2, 2), "top_k"), IDS(2, 1));
    stages_check_ids(stages_see(s, ROW(2, 1, 2, 2), "top_k"), IDS(2, 0));
}

/* Three values over and over, the highest in another bucket than the rest. */
static void tied(float x[MANY])
{
    for (size_t i = 0; i < MANY; i++)
        x[i] = (float)(i * 7 % 3) * 0.0625f + (i % 5 ? 0.0f : 1.0f);
}

static void check_ids_of(const struct stage *seen,
                         const struct srt_candidate *wanted, size_t n)
{
    assert_int_equal(seen->n, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(seen->token[i], wanted[i].id);
}

static void top_k_up_to_128_has_the_heaps_ties(void **state)
{
    sortes_sampler *s = stages_sampler("top_k=128");
    struct srt_candidate wanted[MANY];
    float x[MANY];

    (void)state;
    tied(x);
    for (int32_t i = 0; i < MANY; i++)
        wanted[i] = (struct srt_candidate){ i, x[i], 0 };
    srt_partial_sort(wanted, 128, MANY);
    check_ids_of(stages_see(s, x, MANY, "top_k"), wanted, 128);
}

static void top_k_from_129_has_the_buckets_ties(void **state)
{
    sortes_sampler *s = stages_sampler("top_k=129");
    struct srt_candidate from[MANY], wanted[MANY];
    float x[MANY];

    (void)state;
    tied(x);
    for (int32_t i = 0; i < MANY; i++)
        from[i] = (struct srt_candidate){ i, x[i], 0 };
    assert_true(srt_bucket_sort(wanted, from, MANY, 129) >= 129);
    check_ids_of(stages_see(s, x, MANY, "top_k"), wanted, 129);
}

static void top_k_may_keep_forbidden_tokens(void **state)
{
    sortes_sampler *s = stages_sampler("top_k=3");
    const struct stage *seen =
        stages_see(s, ROW(-INFINITY, 1, -INFINITY, -INFINITY), "top_k");

    (void)state;
    assert_int_equal(seen->n, 3);
    assert_int_equal(seen->token[0], 1);
    assert_true(seen->logit[1] == -INFINITY && seen->logit[2] == -INFINITY);
    for (int i = 0; i < 50; i++)
        assert_int_equal(
            stages_draw(s, ROW(-INFINITY, 1, -INFINITY, -INFINITY)), 1);
}

static void top_k_cuts_a_sorted_array_without_looking(void **state)
{
    struct srt_candidate data[3] = { { 7, 1, 0 }, { 8, 3, 0 }, { 9, 2, 0 } };
    struct srt_candidates c = { data, 3, -1, true, data };
    struct sortes_params params = { .top_k = 2 };
    struct srt_llamacpp chain = { .params = &params };
    struct srt_step step = { 0 };

    (void)state;
    assert_int_equal(srt_stage_top_k.apply(&chain, NULL, &c, &step), SORTES_OK);
    assert_int_equal(c.size, 2);
    assert_int_equal(c.data[0].id, 7);
    assert_int_equal(c.data[1].id, 8);
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(top_k_keeps_the_largest_in_order),
        CASE(top_k_of_zero_makes_no_stage),
        CASE(top_k_beyond_the_row_sorts_all_of_it),
        CASE(top_k_of_one_keeps_the_first_of_the_largest),
        CASE(top_k_lets_the_heap_decide_among_ties),
        CASE(top_k_up_to_128_has_the_heaps_ties),
        CASE(top_k_from_129_has_the_buckets_ties),
        CASE(top_k_may_keep_forbidden_tokens),
        CASE(top_k_cuts_a_sorted_array_without_looking),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_plan_ties.c - the token at a tied rank against the literal sorts
 *
 * Every rank is asked, tied or not, so the replays are also right where a plan
 * would not need them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/plan.h"
#include "scratch.h"
#include "support/rows.h"
#include "support/stages.h"

#include <math.h>
#include <stdio.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { LONGEST = 1500 };

static float x[LONGEST];
static struct srt_candidate from[LONGEST], sorted[LONGEST];

/* A plan as its shapes leave it: all values in descending order. */
static struct srt_plan open_plan(struct srt_llamacpp *chain,
                                 const sortes_row *row)
{
    struct srt_plan plan = { .chain = chain,
                             .scratch = srt_scratch_get(row->n),
                             .divisor = 1.0f };

    assert_non_null(plan.scratch);
    assert_int_equal(srt_view_open(&plan.view, chain, row, plan.scratch),
                     SORTES_OK);
    for (size_t i = 0; i < row->n; i++)
        from[i] = (struct srt_candidate){ (int32_t)i, x[i], 0 };
    for (size_t i = 0; i < chain->n_biases; i++)
        from[chain->biases[i].token].logit += chain->biases[i].value;
    for (size_t i = 0; i < row->n; i++)
        plan.scratch->values[i] = from[i].logit;
    srt_sort_values(plan.scratch->values, plan.scratch->keys, row->n);
    plan.n_sorted = row->n;
    return plan;
}

static void check_heap(struct srt_llamacpp *chain, size_t n, size_t k)
{
    const sortes_row row = { x, n, SORTES_F32 };
    const struct srt_plan plan = open_plan(chain, &row);

    srt_partial_sort(from, k, n);
    for (size_t rank = 0; rank < k; rank++)
        assert_int_equal(srt_plan_heap_tie(&plan, k, rank), from[rank].id);
}

static void check_bucket(struct srt_llamacpp *chain, size_t n, size_t k)
{
    const sortes_row row = { x, n, SORTES_F32 };
    const struct srt_plan plan = open_plan(chain, &row);

    assert_true(srt_bucket_sort(sorted, from, n, k) >= k);
    for (size_t rank = 0; rank < k; rank++) {
        const int32_t token = srt_plan_bucket_tie(&plan, k, rank);

        if (token != sorted[rank].id)
            fail_msg("n %zu k %zu rank %zu: token %d, not %d", n, k, rank,
                     token, sorted[rank].id);
    }
}

/* Every kind of row, and one where biases make and break ties. */
static void for_each_row(size_t n, size_t k,
                         void (*check)(struct srt_llamacpp *, size_t, size_t))
{
    for (int kind = 0; kind < ROWS_N_KINDS; kind++) {
        rows_fill(x, n, (enum rows_kind)kind, n + k);
        check(stages_chain(""), n, k);
        check(stages_chain("logit_bias=3+0.5,64-1,70+1,127-0.5,128+2"), n, k);
        (void)stages_teardown(NULL);
    }
}

static void heap_tie_is_the_literal_partial_sort(void **state)
{
    static const size_t ks[] = { 1, 2, 3, 39, 40, 63, 64, 65, 127, 128 };

    (void)state;
    for (size_t i = 0; i < sizeof(ks) / sizeof(ks[0]); i++) {
        for_each_row(1025, ks[i], check_heap);
        for_each_row(130, ks[i], check_heap);
    }
}

static void bucket_tie_is_the_literal_bucket_sort(void **state)
{
    static const size_t ks[] = { 129, 200, 256, 519 };

    (void)state;
    for (size_t i = 0; i < sizeof(ks) / sizeof(ks[0]); i++)
        for_each_row(520, ks[i], check_bucket);
}

static void bucket_tie_of_a_whole_sort(void **state)
{
    (void)state;
    for_each_row(520, 520, check_bucket);
}

static void bucket_tie_on_one_bucket_and_on_the_last_of_several(void **state)
{
    (void)state;
    for (size_t i = 0; i < LONGEST; i++) /* one bucket, three values */
        x[i] = 0.01f * (float)(i * 5 % 3);
    check_bucket(stages_chain(""), LONGEST, 256);
    check_bucket(stages_chain(""), LONGEST, LONGEST);
    for (size_t i = 0; i < LONGEST; i++) /* five buckets, two values each */
        x[i] = (float)(i % 5) + 0.01f * (float)(i % 2);
    check_bucket(stages_chain(""), LONGEST, 256);
    check_bucket(stages_chain(""), LONGEST, 600);
    check_bucket(stages_chain(""), LONGEST, LONGEST);
    for (size_t i = 0; i < LONGEST; i++) /* below and above all buckets */
        x[i] = i % 3 ? -50.0f - (float)(i % 2) : 50.0f + (float)(i % 7);
    check_bucket(stages_chain(""), LONGEST, 256);
    check_bucket(stages_chain(""), LONGEST, 700);
    check_bucket(stages_chain(""), LONGEST, LONGEST);
}

static void bucket_tie_where_the_count_ends_with_a_bucket(void **state)
{
    (void)state;
    /* 300 in the upper bucket: k of 300 needs nothing below it. */
    for (size_t i = 0; i < LONGEST; i++)
        x[i] = i % 5 ? 1.0f : 2.0f;
    check_bucket(stages_chain(""), LONGEST, 299);
    check_bucket(stages_chain(""), LONGEST, 300);
    check_bucket(stages_chain(""), LONGEST, 301);
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(heap_tie_is_the_literal_partial_sort),
        CASE(bucket_tie_is_the_literal_bucket_sort),
        CASE(bucket_tie_of_a_whole_sort),
        CASE(bucket_tie_on_one_bucket_and_on_the_last_of_several),
        CASE(bucket_tie_where_the_count_ends_with_a_bucket),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

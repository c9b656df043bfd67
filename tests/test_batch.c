/*
 * test_batch.c - many sequences at once: the same draws, whoever runs them
 *
 * SPDX-License-Identifier: MIT
 */
#include "sortes.h"

#include "compiler.h"
#include "support/rows.h"
#include "support/shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { N = 3 * SHAPES_N, STEPS = 3, ROW_MAX = 3000, THREADS_MAX = 7 };

/* ---- the caller's threads ------------------------------------------------ */

struct pool {
    size_t n_threads;
    size_t n;
    void (*fn)(void *job, size_t i);
    void *job;
    atomic_size_t next;
};

static void *pool_thread(void *ctx)
{
    struct pool *const pool = ctx;
    size_t i;

    while ((i = atomic_fetch_add(&pool->next, 1)) < pool->n)
        pool->fn(pool->job, i);
    sortes_thread_release();
    return NULL;
}

static void run_on_threads(void *ctx, size_t n, void (*fn)(void *job, size_t i),
                           void *job)
{
    struct pool pool = { *(const size_t *)ctx, n, fn, job, 0 };
    pthread_t threads[THREADS_MAX];

    for (size_t i = 0; i < pool.n_threads; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, pool_thread, &pool),
                         0);
    for (size_t i = 0; i < pool.n_threads; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

static void run_backwards(void *ctx, size_t n, void (*fn)(void *job, size_t i),
                          void *job)
{
    (void)ctx;
    while (n-- > 0)
        fn(job, n);
}

static void run_shuffled(void *ctx, size_t n, void (*fn)(void *job, size_t i),
                         void *job)
{
    struct rows_random r = { *(const uint64_t *)ctx };
    size_t order[N];

    for (size_t i = 0; i < n; i++) {
        const size_t j = rows_below(&r, i + 1);

        order[i] = order[j];
        order[j] = i;
    }
    for (size_t i = 0; i < n; i++)
        fn(job, order[i]);
}

/* ---- sequences ----------------------------------------------------------- */

static float logits[N][ROW_MAX];

/* Row number i of a step; lengths differ, and so do kinds. */
static sortes_row row_at(size_t i, size_t step)
{
    const size_t n = 1 + (i * 257 + step * 31) % ROW_MAX;
    const sortes_row row = { logits[i], n, SORTES_F32 };
    enum rows_kind kind = (enum rows_kind)((i + step) % ROWS_N_KINDS);

    if (kind == ROWS_FORBIDDEN && n < 100)
        kind = ROWS_TIED;
    rows_fill(logits[i], n, kind, i * 10 + step);
    return row;
}

static void make_samplers(sortes_sampler *s[N])
{
    for (size_t i = 0; i < N; i++)
        s[i] = shape_sampler(i % SHAPES_N, 1000 + i);
}

static void free_samplers(sortes_sampler *s[N])
{
    for (size_t i = 0; i < N; i++)
        sortes_sampler_free(s[i]);
}

static void accept_draws(sortes_sampler *const *s, const sortes_draw *draws,
                         size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_int_equal(
            sortes_sampler_accept(s[i], &draws[i].token, 1, SORTES_GENERATED),
            SORTES_OK);
}

/* The draws of single calls, the measure of all batches. */
static void draw_singly(sortes_draw draws[STEPS][N])
{
    sortes_sampler *s[N];

    make_samplers(s);
    for (size_t step = 0; step < STEPS; step++) {
        for (size_t i = 0; i < N; i++) {
            const sortes_row row = row_at(i, step);

            assert_int_equal(sortes_sampler_sample(s[i], &row, &draws[step][i]),
                             SORTES_OK);
        }
        accept_draws(s, draws[step], N);
    }
    free_samplers(s);
}

static void check_run(sortes_parallel_for *run, void *ctx)
{
    static sortes_draw want[STEPS][N];
    sortes_draw draws[N];
    sortes_status statuses[N];
    sortes_sampler *s[N];
    sortes_row rows[N];

    draw_singly(want);
    make_samplers(s);
    for (size_t step = 0; step < STEPS; step++) {
        for (size_t i = 0; i < N; i++)
            rows[i] = row_at(i, step);
        memset(statuses, 0xff, sizeof(statuses));
        assert_int_equal(
            sortes_sampler_sample_batch(s, rows, draws, statuses, N, run, ctx),
            SORTES_OK);
        for (size_t i = 0; i < N; i++)
            assert_int_equal(statuses[i], SORTES_OK);
        assert_memory_equal(draws, want[step], sizeof(draws));
        accept_draws(s, draws, N);
    }
    free_samplers(s);
}

static void batch_draws_as_single_calls_do(void **state)
{
    (void)state;
    check_run(NULL, NULL);
}

static void batch_draws_the_same_on_any_number_of_threads(void **state)
{
    static const size_t n_threads[] = { 1, 2, 4, THREADS_MAX };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(n_threads); i++) {
        size_t n = n_threads[i];

        check_run(run_on_threads, &n);
    }
}

static void batch_draws_the_same_in_any_order(void **state)
{
    (void)state;
    check_run(run_backwards, NULL);
    for (uint64_t seed = 0; seed < 4; seed++)
        check_run(run_shuffled, &seed);
}

/* Batches of one, of a few neighbours, of far ones: no company matters. */
static void batch_draws_the_same_in_any_company(void **state)
{
    static const size_t strides[] = { 1, 2, 5, 19, N };
    static sortes_draw want[STEPS][N];

    (void)state;
    draw_singly(want);
    for (size_t k = 0; k < SRT_COUNT(strides); k++) {
        sortes_sampler *s[N];

        make_samplers(s);
        for (size_t first = 0; first < strides[k]; first++) {
            for (size_t step = 0; step < STEPS; step++) {
                sortes_sampler *some[N];
                sortes_row rows[N];
                sortes_draw draws[N];
                size_t n = 0;

                for (size_t i = first; i < N; i += strides[k], n++) {
                    some[n] = s[i];
                    rows[n] = row_at(i, step);
                }
                assert_int_equal(sortes_sampler_sample_batch(
                                     some, rows, draws, NULL, n, NULL, NULL),
                                 SORTES_OK);
                for (size_t i = 0; i < n; i++)
                    assert_memory_equal(&draws[i],
                                        &want[step][first + i * strides[k]],
                                        sizeof(*draws));
                accept_draws(some, draws, n);
            }
        }
        free_samplers(s);
    }
}

/* ---- failures ------------------------------------------------------------ */

/* Rows 5 and 11 are refused; the others stand, and those two can go on. */
static void check_failures(sortes_parallel_for *run, void *ctx)
{
    static sortes_draw want[STEPS][N];
    sortes_sampler *s[N];
    sortes_row rows[N];
    sortes_draw draws[N], retry;
    sortes_status statuses[N];

    draw_singly(want);
    make_samplers(s);
    for (size_t i = 0; i < N; i++)
        rows[i] = row_at(i, 0);
    logits[5][0] = NAN;
    for (size_t i = 0; i < rows[11].n; i++)
        logits[11][i] = -INFINITY;
    assert_int_equal(
        sortes_sampler_sample_batch(s, rows, draws, statuses, N, run, ctx),
        SORTES_E_NOT_FINITE);
    for (size_t i = 0; i < N; i++) {
        if (i == 5 || i == 11)
            continue;
        assert_int_equal(statuses[i], SORTES_OK);
        assert_memory_equal(&draws[i], &want[0][i], sizeof(*draws));
    }
    assert_int_equal(statuses[5], SORTES_E_NOT_FINITE);
    assert_int_equal(draws[5].token, -SORTES_E_NOT_FINITE);
    assert_int_equal(statuses[11], SORTES_E_NO_TOKEN);
    assert_int_equal(draws[11].token, -SORTES_E_NO_TOKEN);
    for (size_t i = 5; i <= 11; i += 6) {
        rows[i] = row_at(i, 0);
        assert_int_equal(sortes_sampler_sample(s[i], &rows[i], &retry),
                         SORTES_OK);
        assert_memory_equal(&retry, &want[0][i], sizeof(retry));
    }
    free_samplers(s);
}

static void batch_keeps_failures_to_themselves(void **state)
{
    size_t n_threads = 4;

    (void)state;
    check_failures(NULL, NULL);
    check_failures(run_backwards, NULL);
    check_failures(run_on_threads, &n_threads);
}

static void batch_returns_the_first_failure_by_index(void **state)
{
    sortes_sampler *const s[] = { shape_sampler(0, 1), NULL,
                                  shape_sampler(0, 2) };
    sortes_row rows[3];
    sortes_draw draws[3];

    (void)state;
    for (size_t i = 0; i < 3; i++)
        rows[i] = row_at(i + 3, 0);
    logits[5][0] = INFINITY;
    assert_int_equal(sortes_sampler_sample_batch(s, rows, draws, NULL, 3,
                                                 run_backwards, NULL),
                     SORTES_E_ARGUMENT);
    assert_true(draws[0].token >= 0);
    assert_int_equal(draws[1].token, -SORTES_E_ARGUMENT);
    assert_int_equal(draws[2].token, -SORTES_E_NOT_FINITE);
    sortes_sampler_free(s[0]);
    sortes_sampler_free(s[2]);
}

static void failed_draws_are_zero_but_for_the_token(void **state)
{
    sortes_sampler *const s[] = { NULL };
    const sortes_row row = row_at(3, 0);
    sortes_draw draw, want = { .token = -SORTES_E_ARGUMENT };

    (void)state;
    memset(&draw, 0xff, sizeof(draw));
    assert_int_equal(
        sortes_sampler_sample_batch(s, &row, &draw, NULL, 1, NULL, NULL),
        SORTES_E_ARGUMENT);
    assert_memory_equal(&draw, &want, sizeof(draw));
}

static void count_calls(void *ctx, size_t n, void (*fn)(void *job, size_t i),
                        void *job)
{
    (void)fn;
    (void)job;
    assert_int_equal(n, 0);
    ++*(int *)ctx;
}

static void batch_of_none_is_fine(void **state)
{
    int calls = 0;

    (void)state;
    assert_int_equal(
        sortes_sampler_sample_batch(NULL, NULL, NULL, NULL, 0, NULL, NULL),
        SORTES_OK);
    assert_int_equal(sortes_sampler_sample_batch(NULL, NULL, NULL, NULL, 0,
                                                 count_calls, &calls),
                     SORTES_OK);
    assert_true(calls <= 1);
}

static void batch_refuses_null_arrays(void **state)
{
    sortes_sampler *s[] = { shape_sampler(0, 1) };
    const sortes_row row = row_at(3, 0);
    sortes_draw draw;

    (void)state;
    assert_int_equal(
        sortes_sampler_sample_batch(NULL, &row, &draw, NULL, 1, NULL, NULL),
        SORTES_E_ARGUMENT);
    assert_int_equal(
        sortes_sampler_sample_batch(s, NULL, &draw, NULL, 1, NULL, NULL),
        SORTES_E_ARGUMENT);
    assert_int_equal(
        sortes_sampler_sample_batch(s, &row, NULL, NULL, 1, NULL, NULL),
        SORTES_E_ARGUMENT);
    sortes_sampler_free(s[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batch_draws_as_single_calls_do),
        cmocka_unit_test(batch_draws_the_same_on_any_number_of_threads),
        cmocka_unit_test(batch_draws_the_same_in_any_order),
        cmocka_unit_test(batch_draws_the_same_in_any_company),
        cmocka_unit_test(batch_keeps_failures_to_themselves),
        cmocka_unit_test(batch_returns_the_first_failure_by_index),
        cmocka_unit_test(failed_draws_are_zero_but_for_the_token),
        cmocka_unit_test(batch_of_none_is_fine),
        cmocka_unit_test(batch_refuses_null_arrays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

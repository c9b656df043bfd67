/*
 * test_penalties.c - bias, repetition, presence and frequency, in rMLX's order
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dialect/rmlx/chain.h"
#include "support/dialects.h"
#include "support/rows.h"
#include "support/stages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A sampler's chain, straight from the dialect. */
static struct srt_rmlx *chain_of(const char *settings, const int32_t *history,
                                 size_t n)
{
    sortes_params *p = dialects_params("rmlx", settings);
    void *chain;

    assert_int_equal(srt_dialect_rmlx.chain_new(&chain, p, NULL, NULL),
                     SORTES_OK);
    assert_int_equal(
        srt_dialect_rmlx.accept(chain, history, n, SORTES_GENERATED),
        SORTES_OK);
    sortes_params_free(p);
    return chain;
}

/* Both ways to penalise x, which end in the same bits. */
static void penalise(const char *settings, const int32_t *history,
                     size_t n_history, float *x, size_t n)
{
    struct srt_rmlx *chain = chain_of(settings, history, n_history);
    const sortes_row row = { x, n, SORTES_F32 };
    float patched[64];
    size_t n_patches;

    assert_true(n <= SRT_COUNT(patched));
    memcpy(patched, x, n * sizeof(*x));
    n_patches = srt_rmlx_patches(chain, &row);
    for (size_t i = 0; i < n_patches; i++)
        patched[chain->patches[i].id] = chain->patches[i].logit;
    srt_rmlx_penalize(chain, x, n);
    assert_memory_equal(x, patched, n * sizeof(*x));
    srt_dialect_rmlx.chain_free(chain);
}

static void repetition_divides_from_0_up_and_multiplies_below(void **state)
{
    float x[] = { 4, -2, 3, 0 };

    (void)state;
    penalise("repetition_penalty=2", IDS(0, 1, 3), x, 4);
    assert_true(x[0] == 2 && x[1] == -4 && x[2] == 3 && x[3] == 0);
}

static void presence_counts_once_and_frequency_each_time(void **state)
{
    float a[] = { 5, 5, 5 }, b[] = { 5, 5, 5 };

    (void)state;
    penalise("presence_penalty=0.5", IDS(0, 1, 1, 1), a, 3);
    assert_true(a[0] == 4.5f && a[1] == 4.5f && a[2] == 5);
    penalise("frequency_penalty=0.5", IDS(0, 0, 0, 1), b, 3);
    assert_true(b[0] == 3.5f && b[1] == 4.5f && b[2] == 5);
}

/* ((2 + 1) / 2 - .3) - .2 * 2, each step rounded. */
static void all_four_come_in_order(void **state)
{
    float x[] = { 2, 5, 5, 5 };
    const float wanted = (1.5f - 0.3f) - 0.2f * 2.0f;

    (void)state;
    penalise("logit_bias=0+1 repetition_penalty=2 presence_penalty=0.3 "
             "frequency_penalty=0.2",
             IDS(0, 0), x, 4);
    assert_true(x[0] == wanted && fabsf(x[0] - 0.8f) < 1e-6f);
    assert_true(x[1] == 5 && x[2] == 5 && x[3] == 5);
}

/* One product, not as many subtractions: .1 * 3 is not .1 + .1 + .1. */
static void frequency_is_one_product(void **state)
{
    float x[] = { 1 };
    float one_by_one = 1.0f;

    (void)state;
    for (int i = 0; i < 7; i++)
        one_by_one -= 0.1f;
    penalise("frequency_penalty=0.1", IDS(0, 0, 0, 0, 0, 0, 0), x, 1);
    assert_true(x[0] == 1.0f - 0.1f * 7.0f);
    assert_true(x[0] != one_by_one);
}

static void biases_act_without_history_and_add_up_in_order(void **state)
{
    float x[] = { 1, 1, 1 };
    const float in_order = (1.0f + 1e8f) - 1e8f;

    (void)state;
    penalise("logit_bias=1+1e8,2-inf,1-1e8,9+1 repetition_penalty=3", NULL, 0,
             x, 3);
    assert_true(x[0] == 1 && x[1] == in_order && x[2] == -INFINITY);
    assert_true(in_order == 0.0f);
}

static void the_last_20_count_and_ids_beyond_the_row_do_nothing(void **state)
{
    int32_t history[25];
    float x[] = { 1, 1, 1, 1, 1 };

    (void)state;
    for (int32_t i = 0; i < 25; i++)
        history[i] = i < 5 ? i : 3;
    history[24] = 77;
    penalise("frequency_penalty=1", history, 25, x, 5);
    assert_true(x[0] == 1 && x[1] == 1 && x[2] == 1 && x[4] == 1);
    assert_true(x[3] == 1.0f - 19.0f);
}

static void identities_leave_every_bit(void **state)
{
    float x[] = { 1.1f, -0.0f, -3.3f }, before[3];

    (void)state;
    memcpy(before, x, sizeof(x));
    penalise("", IDS(0, 1, 2), x, 3);
    assert_memory_equal(x, before, sizeof(x));
}

/* 1.1 / 1.1 is 1: a penalty can make a tie, and the lower id wins it. */
static void a_penalty_can_tie(void **state)
{
    sortes_sampler *s =
        dialects_sampler("rmlx", NULL, "temperature=0 repetition_penalty=1.1");

    (void)state;
    dialects_accept(s, IDS(1), SORTES_GENERATED);
    assert_int_equal(dialects_draw(s, ROW(1, 1.1f)), 0);
    sortes_sampler_free(s);
}

/* Random biases and histories: the list of patches and the loops agree. */
static void patches_equal_the_loops(void **state)
{
    struct rows_random r = { 5 };

    (void)state;
    for (int round = 0; round < 500; round++) {
        char settings[512] = "repetition_penalty=1.3 presence_penalty=0.2 "
                             "frequency_penalty=-0.1 logit_bias=";
        int32_t history[40];
        float x[50];
        size_t n = 1 + rows_below(&r, 50), n_history = rows_below(&r, 40);

        for (int i = 0; i < 6; i++) {
            char bias[32];

            snprintf(bias, sizeof(bias), "%s%d%+.3f", i > 0 ? "," : "",
                     (int)rows_below(&r, 12), rows_normal(&r));
            strcat(settings, bias);
        }
        for (size_t i = 0; i < n_history; i++)
            history[i] = (int32_t)rows_below(&r, 14);
        for (size_t i = 0; i < n; i++)
            x[i] = (float)rows_normal(&r);
        penalise(settings, history, n_history, x, n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repetition_divides_from_0_up_and_multiplies_below),
        cmocka_unit_test(presence_counts_once_and_frequency_each_time),
        cmocka_unit_test(all_four_come_in_order),
        cmocka_unit_test(frequency_is_one_product),
        cmocka_unit_test(biases_act_without_history_and_add_up_in_order),
        cmocka_unit_test(the_last_20_count_and_ids_beyond_the_row_do_nothing),
        cmocka_unit_test(identities_leave_every_bit),
        cmocka_unit_test(a_penalty_can_tie),
        cmocka_unit_test(patches_equal_the_loops),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

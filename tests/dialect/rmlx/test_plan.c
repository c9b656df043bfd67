/*
 * test_plan.c - the plan against the literal steps: same draw, same status
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

#include <math.h>
#include <string.h>

enum { PLAN_ROW = 5000 };

static const char *const plan_settings[] = {
    "temperature=0",
    "temperature=0 repetition_penalty=1.4 logit_bias=3+5,7-inf,64+9,130+4",
    "temperature=1",
    "temperature=0.7",
    "temperature=0.8 top_k=40",
    "temperature=0.8 top_k=1",
    "temperature=1.3 min_p=0.05",
    "temperature=1 min_p=1",
    "temperature=1 min_p=1e-33",
    "temperature=0.8 top_p=0.95",
    "temperature=1.5 top_p=0.5",
    "temperature=0.8 top_p=0.95 min_p=0.05 top_k=40",
    "temperature=0.6 min_p=0.02 top_k=7",
    "temperature=1 top_k=300",
    "temperature=30 top_k=4000",
    "temperature=1e-3 top_k=20 min_p=0.1",
    "temperature=1 top_p=1e-6",
    "temperature=0.9 top_k=20 logit_bias=0+3,5-inf,4999+2 "
    "presence_penalty=0.5 frequency_penalty=0.2",
};

/* One row through both ways; how often it was refused. */
static bool compare(const struct srt_kernels *k, const char *settings,
                    const sortes_row *row, uint64_t seed, bool masked)
{
    static uint8_t allowed[PLAN_ROW];
    sortes_sampler *s[2];
    sortes_status first = SORTES_OK;

    for (size_t i = 0; i < row->n; i++)
        allowed[i] = i % 3 != 1;
    for (size_t i = 0; i < 2; i++) {
        s[i] = dialects_sampler("rmlx", NULL, settings);
        sortes_sampler_use_reference(s[i], i == 0);
        assert_int_equal(sortes_sampler_use_kernels(s[i], k->name), SORTES_OK);
        for (int32_t t = 0; t < 30; t++)
            dialects_accept(s[i], (const int32_t[]){ t * t % 77 }, 1,
                            SORTES_GENERATED);
        if (masked)
            dialects_constrain(s[i], allowed, row->n);
    }
    for (int draw = 0; draw < 3; draw++) {
        sortes_draw a = { 0 }, b = { 0 };
        const sortes_status sb = sortes_sampler_sample(s[1], row, &b);

        first = sortes_sampler_sample(s[0], row, &a);
        if (first != sb || memcmp(&a, &b, sizeof(a)) != 0)
            fail_msg("%s, %s, n %zu, seed %llu: token %d of %llu (%s), not %d "
                     "of %llu (%s)",
                     k->name, settings, row->n, (unsigned long long)seed,
                     (int)b.token, (unsigned long long)b.n_candidates,
                     sortes_status_name(sb), (int)a.token,
                     (unsigned long long)a.n_candidates,
                     sortes_status_name(first));
    }
    sortes_sampler_free(s[0]);
    sortes_sampler_free(s[1]);
    return first != SORTES_OK;
}

static void plan_equals_the_literal_steps(void **state)
{
    static const size_t sizes[] = { 1, 2, 63, 64, 65, 200, 1000, PLAN_ROW };
    static float x[PLAN_ROW];
    static uint16_t narrow[PLAN_ROW];
    const struct srt_kernels *k;
    uint64_t seed = 0;

    (void)state;
    for (size_t i = 0; (k = srt_kernels_at(i)) != NULL; i++) {
        for (size_t j = 0; j < SRT_COUNT(plan_settings) * ROWS_N_KINDS; j++) {
            const size_t n = sizes[++seed % SRT_COUNT(sizes)];
            const sortes_dtype type = seed % 3 ? SORTES_F32 : SORTES_BF16;
            sortes_row row;

            rows_fill(x, n, (enum rows_kind)(j / SRT_COUNT(plan_settings)),
                      seed);
            row = rows_as(x, narrow, n, type);
            (void)compare(k, plan_settings[j % SRT_COUNT(plan_settings)], &row,
                          seed, seed % 5 == 0);
        }
    }
}

/* A large row in every shape: blocks, floors and lists at their full size. */
static void plan_equals_them_on_a_long_row(void **state)
{
    static float x[PLAN_ROW];

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(plan_settings); i++) {
        const sortes_row row = { x, PLAN_ROW, SORTES_F32 };

        rows_fill(x, PLAN_ROW, ROWS_ORDINARY, i);
        (void)compare(srt_kernels(), plan_settings[i], &row, i, false);
        rows_fill(x, PLAN_ROW, ROWS_STEPS, i);
        (void)compare(srt_kernels(), plan_settings[i], &row, i, true);
    }
}

static void plan_refuses_what_the_steps_refuse(void **state)
{
    static const float bad[] = { NAN, INFINITY };
    float x[200];

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(plan_settings); i++) {
        const sortes_row row = { x, 200, SORTES_F32 };

        for (size_t b = 0; b < 2; b++) {
            rows_fill(x, 200, ROWS_ORDINARY, i);
            x[190 - i] = bad[b];
            assert_true(
                compare(srt_kernels(), plan_settings[i], &row, i, false));
        }
        for (size_t j = 0; j < 200; j++)
            x[j] = -INFINITY;
        assert_true(compare(srt_kernels(), plan_settings[i], &row, i, false));
    }
}

/* Ties far apart: the lowest id, wherever the blocks lie. */
static void greedy_takes_the_first_of_far_ties(void **state)
{
    static float x[262144];
    sortes_sampler *s = dialects_sampler("rmlx", NULL, "temperature=0");

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(x); i++)
        x[i] = 0.5f;
    x[7] = x[131072] = x[262143] = 12.0f;
    assert_int_equal(dialects_draw(s, x, SRT_COUNT(x)), 7);
    x[7] = 0.5f;
    assert_int_equal(dialects_draw(s, x, SRT_COUNT(x)), 131072);
    x[131072] = 0.5f;
    assert_int_equal(dialects_draw(s, x, SRT_COUNT(x)), 262143);
    sortes_sampler_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plan_equals_the_literal_steps),
        cmocka_unit_test(plan_equals_them_on_a_long_row),
        cmocka_unit_test(plan_refuses_what_the_steps_refuse),
        cmocka_unit_test(greedy_takes_the_first_of_far_ties),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

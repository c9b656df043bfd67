/*
 * test_plan_whole.c - what needs no sort, beside the reference
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler.h"
#include "support/stages.h"
#include "support/twins.h"

#include <stdio.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const char *const settings[] = {
    "top_n_sigma=1",
    "top_n_sigma=1 temperature=0.7",
    "top_n_sigma=0.1 temperature=1.4",
    "top_n_sigma=30 temperature=0.9",
    "top_n_sigma=1e-30",
    "top_n_sigma=2 min_p=0.1",
    "top_n_sigma=1 min_p=0.001 min_keep=5",
    "top_n_sigma=1 temperature=0",
    "top_n_sigma=1 greedy=true temperature=0.5",
    "top_n_sigma=1 min_p=0.05 temperature=0",
    "xtc_probability=1 xtc_threshold=0.01",
    "xtc_probability=0.5 xtc_threshold=0.0001 temperature=0.8",
    "xtc_probability=0.5 xtc_threshold=0.5 min_keep=3",
    "xtc_probability=1 xtc_threshold=0 min_keep=1000",
    "xtc_probability=0.5 xtc_threshold=0.05 min_p=0.02",
    "xtc_probability=0.5 xtc_threshold=0.05 temperature=0",
    "xtc_probability=0.5 xtc_threshold=0.05 greedy=true",
    "min_p=0.05 temperature=0.6",
    "temperature=0.6",
};

static void whole_on_every_kind_of_row(void **state)
{
    (void)state;
    for (int kind = 0; kind < ROWS_N_KINDS; kind++) {
        for (size_t i = 0; i < SRT_COUNT(settings); i++) {
            struct twins t =
                twins_of(settings[i], 1025 + (size_t)kind * 90,
                         (enum rows_kind)kind, (uint64_t)kind * 31 + i);

            twins_compare(&t);
        }
    }
}

static void whole_on_long_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < SRT_COUNT(settings); i++) {
        for (int j = 0; j < 3; j++) {
            struct twins t = twins_of(
                settings[i], 12001,
                (enum rows_kind)((i * 3 + (size_t)j) % ROWS_N_KINDS), 500 + i);

            t.n_draws = 1;
            twins_compare(&t);
        }
    }
}

static void whole_of_logits_far_from_zero(void **state)
{
    static const float scales[] = { 100,   1e6f,  1e9f,   1e18f,
                                    1e37f, 1e-3f, 1e-30f, 1e-42f };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(scales); i++) {
        for (size_t j = 0; j < SRT_COUNT(settings); j++) {
            struct twins t = twins_of(
                settings[j], 1100, (i + j) % 2 ? ROWS_ORDINARY : ROWS_STEPS, i);

            t.scale = scales[i];
            t.n_draws = 2;
            twins_compare(&t);
        }
    }
}

static void whole_behind_biases_and_penalties(void **state)
{
    char all[512];

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(settings); i++) {
        struct twins t =
            twins_of(all, 1500, (enum rows_kind)(i % ROWS_N_KINDS), i);

        (void)snprintf(all, sizeof(all),
                       "repeat_penalty=1.3 frequency_penalty=0.2 "
                       "logit_bias=3+20,7-inf,900-2,64+1 dry_multiplier=0.8 %s",
                       settings[i]);
        t.vocab = stages_words();
        t.n_history = 60;
        t.kinds = i % 2 ? 5 : 400;
        twins_compare(&t);
    }
}

static void whole_with_random_numbers_of_zero(void **state)
{
    (void)state;
    for (size_t i = 0; i < SRT_COUNT(settings); i++) {
        for (int j = 0; j < 4; j++) {
            struct twins t = twins_of(
                settings[i], 1200,
                (enum rows_kind)((i + 3 * (size_t)j) % ROWS_N_KINDS), i);

            twins_compare_zero(&t);
        }
    }
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(whole_on_every_kind_of_row),
        CASE(whole_on_long_rows),
        CASE(whole_of_logits_far_from_zero),
        CASE(whole_behind_biases_and_penalties),
        CASE(whole_with_random_numbers_of_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

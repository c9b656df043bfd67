/*
 * test_plan_mirostat.c - mirostat 2 on the whole row, beside the reference
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

/* mu moves with every draw. */
static struct twins six_draws(const char *settings, size_t n,
                              enum rows_kind kind, uint64_t seed)
{
    struct twins t = twins_of(settings, n, kind, seed);

    t.n_draws = 6;
    return t;
}

static void mirostat_on_every_kind_of_row(void **state)
{
    static const char *const settings[] = {
        "mirostat=2",
        "mirostat=2 mirostat_tau=1 temperature=0.7",
        "mirostat=2 mirostat_tau=3 mirostat_eta=0.9 temperature=1.6",
        "mirostat=2 mirostat_tau=-4",
        "mirostat=2 mirostat_tau=40", /* keeps all that it can see */
    };

    (void)state;
    for (int kind = 0; kind < ROWS_N_KINDS; kind++) {
        for (size_t i = 0; i < SRT_COUNT(settings); i++) {
            struct twins t =
                six_draws(settings[i], 1025 + (size_t)kind * 90,
                          (enum rows_kind)kind, (uint64_t)kind * 31 + i);

            twins_compare(&t);
        }
    }
}

static void mirostat_on_long_rows(void **state)
{
    (void)state;
    for (int kind = 0; kind < ROWS_N_KINDS; kind++) {
        struct twins t = six_draws("mirostat=2 temperature=0.8", 12001,
                                   (enum rows_kind)kind, 500 + (uint64_t)kind);

        t.n_draws = 2;
        twins_compare(&t);
    }
}

static void mirostat_at_every_temperature(void **state)
{
    static const char *const temperatures[] = {
        "0", "1e-45", "1e-38", "1e-30", "1e-3", "0.9", "1", "50", "1e38", "inf"
    };
    char settings[128];

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(temperatures); i++) {
        for (uint64_t seed = 0; seed < 4; seed++) {
            struct twins t = six_draws(
                settings, 1200, seed % 2 ? ROWS_TIED : ROWS_FORBIDDEN, seed);

            (void)snprintf(settings, sizeof(settings),
                           "mirostat=2 temperature=%s", temperatures[i]);
            twins_compare(&t);
        }
    }
}

static void mirostat_of_logits_far_from_zero(void **state)
{
    static const float scales[] = { 10, 100, 1e6f, 1e9f, 1e37f, 1e-3f, 1e-30f };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(scales); i++) {
        for (uint64_t seed = 0; seed < 3; seed++) {
            struct twins t =
                six_draws("mirostat=2 temperature=0.5", 1100,
                          seed % 2 ? ROWS_ORDINARY : ROWS_STEPS, seed);

            t.scale = scales[i];
            twins_compare(&t);
        }
    }
}

static void mirostat_with_biases(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct twins t = six_draws(
            "mirostat=2 temperature=0.9 "
            "logit_bias=3+20,3+1,7-inf,900-2,1099+14,5000+1",
            1100 + seed * 100, (enum rows_kind)(seed % ROWS_N_KINDS), seed);

        twins_compare(&t);
    }
}

static void mirostat_with_random_numbers_of_zero(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct twins t = six_draws("mirostat=2 temperature=0.9", 1200,
                                   (enum rows_kind)(seed % ROWS_N_KINDS), seed);

        twins_compare_zero(&t);
    }
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(mirostat_on_every_kind_of_row),
        CASE(mirostat_on_long_rows),
        CASE(mirostat_at_every_temperature),
        CASE(mirostat_of_logits_far_from_zero),
        CASE(mirostat_with_biases),
        CASE(mirostat_with_random_numbers_of_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

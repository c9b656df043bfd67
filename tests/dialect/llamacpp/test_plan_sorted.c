/*
 * test_plan_sorted.c - top-k and top-p, and what may follow, beside the
 * reference
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

/* Planned to the end. */
static const char *const planned[] = {
    "top_k=40 xtc_probability=0.5 xtc_threshold=0.05",
    ("top_k=40 top_p=0.9 min_p=0.02 xtc_probability=0.7 xtc_threshold=0.1 "
     "temperature=0.8"),
    "top_k=300 xtc_probability=0.5 xtc_threshold=0.001",
    "top_k=700 top_p=0.99 xtc_probability=1 xtc_threshold=0.01 min_keep=3",
    "top_p=0.95 xtc_probability=0.5 xtc_threshold=0.02",
    "top_p=0.9999 xtc_probability=1 xtc_threshold=0.001 temperature=1.5",
    "top_n_sigma=1 top_k=40 temperature=0.7",
    "top_n_sigma=0.2 top_k=128 top_p=0.9",
    "top_n_sigma=5 top_k=20 min_p=0.1 xtc_probability=0.5",
    "top_n_sigma=1 top_k=40 temperature=0",
    "top_n_sigma=1 top_k=40 greedy=true",
    "top_k=1 xtc_probability=1 xtc_threshold=0",
    "samplers=top_k;temperature top_k=200 temperature=0.6",
    "samplers=top_p;min_p top_p=0.8 min_p=0.1 top_k=40",
};

/* Planned up to top-k, with literal stages from there on. */
static const char *const begun[] = {
    "top_k=40 typical_p=0.8 temperature=0.8",
    "top_k=128 typical_p=0.8 top_p=0.9 min_p=0.01",
    "top_k=129 typical_p=0.5",
    "top_k=500 typical_p=0.95 xtc_probability=0.5 xtc_threshold=0.01",
    "top_k=40 temperature=0.8 dynatemp_range=0.5",
    "top_k=400 temperature=0.8 dynatemp_range=0.5 dynatemp_exponent=1.5",
    ("samplers=top_k;temperature;top_p;min_p top_k=60 temperature=0.6 "
     "top_p=0.9 min_p=0.05"),
    "samplers=top_k;min_p;top_p top_k=300 min_p=0.05 top_p=0.9",
    "samplers=top_k;top_k top_k=50",
    "samplers=top_k;adaptive_p top_k=50 adaptive_target=0.3",
    "samplers=top_k;adaptive_p top_k=200 adaptive_target=-1",
    "samplers=top_k;top_n_sigma top_k=60 top_n_sigma=1",
    "samplers=top_k;xtc;xtc top_k=60 xtc_probability=0.5 xtc_threshold=0.02",
    ("samplers=penalties;top_k;temperature;typ_p top_k=5000 "
     "presence_penalty=1 typical_p=0.9 temperature=0.7"),
    "top_k=40 typical_p=0.8 greedy=true",
};

/* Not planned at all. */
static const char *const literal[] = {
    "samplers=temperature;top_k temperature=0.7 top_k=40",
    "samplers=top_k;penalties top_k=40 presence_penalty=1",
    "samplers=top_p;typ_p;top_k top_p=0.9 typical_p=0.9 top_k=40",
    "top_n_sigma=1 top_k=200",
    "top_n_sigma=1 top_p=0.9",
    "mirostat=1",
    "samplers=adaptive_p adaptive_target=0.4",
    "temperature=0.8 dynatemp_range=0.5",
};

static void on_every_kind_of_row(const char *const *settings, size_t n_settings)
{
    for (int kind = 0; kind < ROWS_N_KINDS; kind++) {
        for (size_t i = 0; i < n_settings; i++) {
            struct twins t =
                twins_of(settings[i], 1025 + (size_t)kind * 90,
                         (enum rows_kind)kind, (uint64_t)kind * 31 + i);

            twins_compare(&t);
        }
    }
}

static void planned_on_every_kind_of_row(void **state)
{
    (void)state;
    on_every_kind_of_row(planned, SRT_COUNT(planned));
}

static void begun_on_every_kind_of_row(void **state)
{
    (void)state;
    on_every_kind_of_row(begun, SRT_COUNT(begun));
}

static void literal_on_every_kind_of_row(void **state)
{
    (void)state;
    on_every_kind_of_row(literal, SRT_COUNT(literal));
}

/* Those that are planned, to the end or up to top-k. */
enum { N_SORTED = SRT_COUNT(planned) + SRT_COUNT(begun) };

static const char *sorted_at(size_t i)
{
    return i < SRT_COUNT(planned) ? planned[i] : begun[i - SRT_COUNT(planned)];
}

static void sorted_on_long_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SORTED; i++) {
        for (size_t j = 0; j < 3; j++) {
            struct twins t =
                twins_of(sorted_at(i), 12001,
                         (enum rows_kind)((i * 3 + j) % ROWS_N_KINDS), 90 + i);

            t.n_draws = 1;
            twins_compare(&t);
        }
    }
}

static void sorted_of_logits_far_from_zero(void **state)
{
    static const float scales[] = { 100,   1e6f,  1e9f,   4e7f,
                                    1e37f, 1e-3f, 1e-30f, 1e-42f };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(scales); i++) {
        for (size_t j = 0; j < N_SORTED; j++) {
            struct twins t =
                twins_of(sorted_at(j), 1100,
                         (i + j) % 2 ? ROWS_ORDINARY : ROWS_STEPS, i);

            t.scale = scales[i];
            t.n_draws = 2;
            twins_compare(&t);
        }
    }
}

static void sorted_behind_biases_and_penalties(void **state)
{
    char all[512];

    (void)state;
    for (size_t i = 0; i < N_SORTED; i++) {
        struct twins t =
            twins_of(all, 1500, (enum rows_kind)(i % ROWS_N_KINDS), i);

        (void)snprintf(all, sizeof(all),
                       "repeat_penalty=1.3 frequency_penalty=0.2 "
                       "logit_bias=3+20,7-inf,900-2,64+1 dry_multiplier=0.8 %s",
                       sorted_at(i));
        t.vocab = stages_words();
        t.n_history = 60;
        t.kinds = i % 3 ? 5 : 400;
        twins_compare(&t);
    }
}

static void infill_behind_top_k(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct twins t =
            twins_of("samplers=top_k;infill top_k=30 logit_bias=11+8", 1100,
                     (enum rows_kind)(seed % ROWS_N_KINDS), seed);

        t.vocab = stages_words();
        twins_compare(&t);
    }
}

static void sorted_with_random_numbers_of_zero(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SORTED; i++) {
        struct twins t =
            twins_of(sorted_at(i), 1200, (enum rows_kind)(i % ROWS_N_KINDS), i);

        twins_compare_zero(&t);
    }
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(planned_on_every_kind_of_row),
        CASE(begun_on_every_kind_of_row),
        CASE(literal_on_every_kind_of_row),
        CASE(sorted_on_long_rows),
        CASE(sorted_of_logits_far_from_zero),
        CASE(sorted_behind_biases_and_penalties),
        CASE(infill_behind_top_k),
        CASE(sorted_with_random_numbers_of_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

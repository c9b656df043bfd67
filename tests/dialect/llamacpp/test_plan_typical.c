/*
 * test_plan_typical.c - typical on the whole row, beside the reference
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

static const char *const tempers[] = { "temperature=1", "temperature=0.6",
                                       "temperature=2.5", "temperature=0",
                                       "temperature=1e-30" };
static const char *const ps[] = { "0.9", "0.5", "0.2", "0.999999", "0", "-1" };

/*
 * The tail of a long row has a share in the entropy below what the softmax's
 * sum can see: the list must reach further down for it.
 */
static void typical_entropy_sees_the_tail_of_a_long_row(void **state)
{
    (void)state;
    for (uint64_t seed = 66; seed <= 84; seed += 9) { /* 75 was one */
        struct twins t = twins_of("samplers=typ_p;temperature typical_p=0.9 "
                                  "temperature=0.8",
                                  128256, ROWS_ORDINARY, seed);

        t.type = SORTES_F32;
        t.n_draws = 2;
        twins_compare(&t);
    }
}

static void typical_on_every_kind_of_row(void **state)
{
    char settings[256];

    (void)state;
    for (int kind = 0; kind < ROWS_N_KINDS; kind++) {
        for (size_t p = 0; p < SRT_COUNT(ps); p++) {
            struct twins t =
                twins_of(settings, 1025 + (size_t)kind * 90,
                         (enum rows_kind)kind, (uint64_t)kind * 31 + p);

            (void)snprintf(settings, sizeof(settings), "typical_p=%s %s", ps[p],
                           tempers[((size_t)kind + p) % SRT_COUNT(tempers)]);
            twins_compare(&t);
        }
    }
}

static void typical_on_long_rows(void **state)
{
    (void)state;
    for (int kind = 0; kind < ROWS_N_KINDS; kind++) {
        struct twins t = twins_of("typical_p=0.9 temperature=0.8", 12001,
                                  (enum rows_kind)kind, 500 + (uint64_t)kind);

        t.n_draws = 2;
        twins_compare(&t);
    }
}

static void typical_with_min_keep(void **state)
{
    static const char *const settings[] = { "typical_p=0 min_keep=1",
                                            "typical_p=0 min_keep=50",
                                            "typical_p=0.5 min_keep=400",
                                            "typical_p=0.5 min_keep=1300",
                                            "typical_p=0.999 min_keep=2000" };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(settings); i++) {
        for (int kind = 0; kind < ROWS_N_KINDS; kind++) {
            struct twins t =
                twins_of(settings[i], 1300, (enum rows_kind)kind, 7 + i);

            twins_compare(&t);
        }
    }
}

/* Two logits, one on either side of the entropy, with one key. */
static void typical_where_keys_are_equal(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct twins t = twins_of("typical_p=0.7", 1100,
                                  seed % 2 ? ROWS_STEPS : ROWS_EQUAL, seed);

        t.scale = seed % 4 < 2 ? 0.01f : 0.5f;
        twins_compare(&t);
    }
}

/* Probabilities of 0 and nearly 0, and logits beyond the buckets. */
static void typical_of_logits_far_from_zero(void **state)
{
    static const float scales[] = { 10,   30,   35,    40,     100,
                                    1e6f, 1e9f, 1e37f, 1e-30f, 1e-3f };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(scales); i++) {
        for (uint64_t seed = 0; seed < 60; seed++) {
            struct twins t =
                twins_of("typical_p=0.9", 1200,
                         seed % 2 ? ROWS_ORDINARY : ROWS_STEPS, seed);

            t.scale = scales[i];
            twins_compare(&t);
        }
    }
}

static void typical_behind_biases_and_penalties(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct twins t = twins_of(
            "typical_p=0.8 repeat_penalty=1.3 presence_penalty=0.5 "
            "logit_bias=3+20,7-inf,900-2 dry_multiplier=0.8 temperature=0.9",
            1500, (enum rows_kind)(seed % ROWS_N_KINDS), seed);

        t.vocab = stages_words();
        t.n_history = 60;
        t.kinds = 5;
        twins_compare(&t);
    }
}

static void typical_with_random_numbers_of_zero(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct twins t =
            twins_of(seed % 2 ? "typical_p=0.8 temperature=0" : "typical_p=0.8",
                     1200, (enum rows_kind)(seed % ROWS_N_KINDS), seed);

        twins_compare_zero(&t);
    }
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(typical_on_every_kind_of_row),
        CASE(typical_entropy_sees_the_tail_of_a_long_row),
        CASE(typical_on_long_rows),
        CASE(typical_with_min_keep),
        CASE(typical_where_keys_are_equal),
        CASE(typical_of_logits_far_from_zero),
        CASE(typical_behind_biases_and_penalties),
        CASE(typical_with_random_numbers_of_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

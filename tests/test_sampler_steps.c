/*
 * test_sampler_steps.c - steps taken back, begun before, looked at, cut short
 *
 * After a rollback the sampler must be what one is that never went on: the
 * same draws follow, for every kind of state that a sampler has.
 *
 * SPDX-License-Identifier: MIT
 */
#include "sortes.h"

#include "support/rows.h"
#include "support/rule.h"
#include "support/stages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 24, STEPS = 200, MOST = 64 };

/* What there is to take back. */
static const char *const kinds[] = {
    "",
    "repeat_penalty=1.3 frequency_penalty=0.4 repeat_last_n=3",
    "repeat_penalty=1.3 presence_penalty=0.4 repeat_last_n=100",
    "dry_multiplier=1 dry_base=1.5 dry_penalty_last_n=10",
    "xtc_probability=0.5 xtc_threshold=0.05",
    "mirostat=1 mirostat_tau=1 mirostat_eta=0.7",
    "mirostat=2 mirostat_tau=1 mirostat_eta=0.7",
    "samplers=adaptive_p adaptive_target=0.2 adaptive_decay=0.6",
    "greedy=true presence_penalty=1",
    ("reasoning_budget_tokens=3 reasoning_budget_start_tag=a "
     "reasoning_budget_end_tags=b reasoning_budget_message=c*d"),
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static sortes_row row_of_step(uint64_t step)
{
    static float x[N];

    rows_fill(x, N, ROWS_STEPS, step);
    return (sortes_row){ x, N, SORTES_F32 };
}

/* Draws and accepts n tokens; step numbers name the rows. */
static void go(sortes_sampler *s, uint64_t step, size_t n, sortes_draw *draws)
{
    for (size_t i = 0; i < n; i++) {
        const sortes_row row = row_of_step(step + i);

        assert_int_equal(sortes_sampler_sample(s, &row, &draws[i]), SORTES_OK);
        stages_accept(s, &draws[i].token, 1);
    }
}

static void check_goes(sortes_sampler *s, uint64_t step, size_t n,
                       const sortes_draw *wanted)
{
    sortes_draw again[STEPS];

    go(s, step, n, again);
    assert_memory_equal(again, wanted, n * sizeof(*again));
}

/* ---- rollback ------------------------------------------------------------ */

static void rollback_goes_back_over_every_kind_of_state(void **state)
{
    static const size_t lengths[] = { 1, 2, 5, 31, 63, 64 };

    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        sortes_sampler *s = stages_sampler_of(stages_words(), kinds[k]);
        sortes_draw draws[STEPS];

        go(s, 0, STEPS, draws);
        for (size_t i = 0; i < 6; i++) {
            const size_t n = lengths[i];

            assert_int_equal(sortes_sampler_rollback(s, n), SORTES_OK);
            check_goes(s, STEPS - n, n, draws + (STEPS - n));
        }
    }
}

static void rollback_of_a_few_and_a_few_more(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        sortes_sampler *s = stages_sampler_of(stages_words(), kinds[k]);
        sortes_draw draws[STEPS];

        go(s, 0, 100, draws);
        for (size_t n = 0; n < MOST; n += 8)
            assert_int_equal(sortes_sampler_rollback(s, 8), SORTES_OK);
        check_goes(s, 100 - MOST, MOST, draws + 100 - MOST);
    }
}

static void rollback_to_the_beginning(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        sortes_sampler *s = stages_sampler_of(stages_words(), kinds[k]);
        sortes_draw draws[STEPS];

        go(s, 0, 40, draws);
        assert_int_equal(sortes_sampler_rollback(s, 40), SORTES_OK);
        assert_int_equal(sortes_sampler_rollback(s, 1), SORTES_E_LIMIT);
        check_goes(s, 0, 40, draws);
    }
}

static void rollback_and_another_way_on(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        sortes_sampler *s = stages_sampler_of(stages_words(), kinds[k]);
        sortes_sampler *straight = stages_sampler_of(stages_words(), kinds[k]);
        sortes_draw draws[STEPS], other[STEPS];

        go(s, 0, 50, draws);
        assert_int_equal(sortes_sampler_rollback(s, 20), SORTES_OK);
        go(straight, 0, 30, draws);
        go(straight, 1000, 60, other);
        check_goes(s, 1000, 60, other);
    }
}

static void rollback_over_accepted_blocks(void **state)
{
    sortes_sampler *s = stages_sampler("repeat_last_n=5 frequency_penalty=1");
    int32_t tokens[200];

    (void)state;
    for (int32_t i = 0; i < 200; i++)
        tokens[i] = i % 7;
    stages_history(s, tokens, 190); /* ends with 5 6 0, then 1 2 3 ... */
    stages_accept(s, tokens + 190, 3);
    assert_int_equal(sortes_sampler_rollback(s, 60), SORTES_OK);
    /* 133 are left, the last of them 2 3 4 5 6 */
    stages_check_logits(stages_see(s, ROW(0, 0, 0, 0, 0, 0, 0), "penalties"),
                        ROW(0, 0, -1, -1, -1, -1, -1));
}

static void rollback_of_zero_undoes_draws(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        sortes_sampler *s = stages_sampler_of(stages_words(), kinds[k]);
        const sortes_row row = row_of_step(77);
        sortes_draw draws[STEPS], draw;

        go(s, 0, 10, draws);
        assert_int_equal(sortes_sampler_sample(s, &row, &draws[10]), SORTES_OK);
        for (int i = 0; i < 5; i++) {
            assert_int_equal(sortes_sampler_sample(s, &row, &draw), SORTES_OK);
            assert_int_equal(sortes_sampler_rollback(s, 0), SORTES_OK);
        }
        assert_int_equal(sortes_sampler_sample(s, &row, &draw), SORTES_OK);
        assert_memory_equal(&draw, &draws[10], sizeof(draw));
    }
}

static void rollback_over_more_numbers_than_a_generator_keeps(void **state)
{
    sortes_sampler *s = stages_sampler(""), *straight = stages_sampler("");
    sortes_draw draws[STEPS], ignored;

    (void)state;
    go(s, 0, 90, draws);
    go(straight, 0, 90, draws);
    for (size_t i = 0; i < 2000; i++) {
        const sortes_row row = row_of_step(i);

        assert_int_equal(sortes_sampler_sample(s, &row, &ignored), SORTES_OK);
    }
    assert_int_equal(sortes_sampler_rollback(s, MOST), SORTES_OK);
    check_goes(s, 90 - MOST, MOST, draws + 90 - MOST);
}

static void rollback_has_its_limits(void **state)
{
    sortes_sampler *s = stages_sampler("presence_penalty=1");
    int32_t tokens[100] = { 0 };

    (void)state;
    assert_int_equal(sortes_sampler_rollback(NULL, 0), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_rollback(s, 0), SORTES_OK);
    assert_int_equal(sortes_sampler_rollback(s, 1), SORTES_E_LIMIT);
    stages_history(s, tokens, 10);
    assert_int_equal(sortes_sampler_rollback(s, 11), SORTES_E_LIMIT);
    stages_history(s, tokens, 90);
    assert_int_equal(sortes_sampler_rollback(s, MOST + 1), SORTES_E_LIMIT);
    /* What was refused has changed nothing. */
    stages_check_logits(stages_see(s, ROW(0, 0), "penalties"), ROW(-1, 0));
    assert_int_equal(sortes_sampler_rollback(s, MOST), SORTES_OK);
}

/* More than 64 in all, in two calls, go farther than what is kept. */
static void rollback_beyond_what_is_kept_is_refused(void **state)
{
    sortes_sampler *s = stages_sampler("frequency_penalty=1 repeat_last_n=4");
    int32_t tokens[200];

    (void)state;
    for (int32_t i = 0; i < 200; i++)
        tokens[i] = i / 100; /* a hundred 0, a hundred 1 */
    stages_history(s, tokens, 200);
    assert_int_equal(sortes_sampler_rollback(s, MOST), SORTES_OK);
    assert_int_equal(sortes_sampler_rollback(s, 1), SORTES_E_LIMIT);
    stages_check_logits(stages_see(s, ROW(0, 0), "penalties"), ROW(0, -4));
    /* Each new token can be taken back again. */
    stages_accept(s, IDS(0, 0));
    assert_int_equal(sortes_sampler_rollback(s, 3), SORTES_E_LIMIT);
    assert_int_equal(sortes_sampler_rollback(s, 2), SORTES_OK);
    stages_check_logits(stages_see(s, ROW(0, 0), "penalties"), ROW(0, -4));
}

static void rollback_after_reset_has_nothing_to_take(void **state)
{
    sortes_sampler *s = stages_sampler("");

    (void)state;
    stages_history(s, IDS(1, 2, 3));
    assert_int_equal(sortes_sampler_reset(s), SORTES_OK);
    assert_int_equal(sortes_sampler_rollback(s, 1), SORTES_E_LIMIT);
}

static void clone_can_be_rolled_back_as_well(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        sortes_sampler *s = stages_sampler_of(stages_words(), kinds[k]), *copy;
        sortes_draw draws[STEPS];

        go(s, 0, 100, draws);
        assert_int_equal(sortes_sampler_clone(&copy, s), SORTES_OK);
        assert_int_equal(sortes_sampler_rollback(copy, 50), SORTES_OK);
        check_goes(copy, 50, 50, draws + 50);
        sortes_sampler_free(copy);
    }
}

static void rollback_takes_the_constraint_along(void **state)
{
    struct rule *const rule = rule_of(0x0f);
    const sortes_constraint c = rule_constraint(rule);
    sortes_sampler *s = stages_sampler("presence_penalty=0.5");
    sortes_draw draws[STEPS];

    (void)state;
    rule->sets[1] = 0xf0;
    rule->sets[2] = 0x3c;
    rule->n_sets = 3;
    assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
    stages_history(s, IDS(1, 2));
    go(s, 0, 5, draws);
    stages_history(s, IDS(3)); /* a prompt in between is not the constraint's */
    assert_int_equal(sortes_sampler_rollback(s, 6), SORTES_OK);
    assert_int_equal(rule->n_taken, 0);
    assert_int_equal(rule->n_rollbacks, 1);
    check_goes(s, 0, 5, draws);
    assert_int_equal(rule->n_taken, 5);
}

static void rollback_that_the_constraint_refuses_changes_nothing(void **state)
{
    struct rule *const rule = rule_of(~(uint64_t)0);
    const sortes_constraint c = rule_constraint(rule);
    sortes_sampler *s = stages_sampler("presence_penalty=1");

    (void)state;
    stages_accept(s, IDS(0, 1)); /* before there was a constraint */
    assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
    stages_accept(s, IDS(2));
    assert_int_equal(sortes_sampler_rollback(s, 3), SORTES_E_LIMIT);
    stages_check_logits(stages_see(s, ROW(0, 0, 0, 0), "penalties"),
                        ROW(-1, -1, -1, 0));
    assert_int_equal(sortes_sampler_rollback(s, 1), SORTES_OK);
}

/* ---- kept ---------------------------------------------------------------- */

static void kept_is_what_the_last_stage_left(void **state)
{
    static const struct {
        const char *settings, *last;
    } chains[] = {
        { "top_k=5 temperature=0.7", "dist" },
        { "top_p=0.8", "dist" },
        { "min_p=0.1 top_n_sigma=1.5", "dist" },
        { "typical_p=0.6", "dist" },
        { "xtc_probability=1 xtc_threshold=0.05", "dist" },
        { "mirostat=1 mirostat_tau=1.5", "mirostat" },
        { "mirostat=2 mirostat_tau=1.5", "mirostat_v2" },
        { "samplers=top_k;adaptive_p top_k=7 adaptive_target=0.2",
          "adaptive_p" },
        { "", "dist" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(chains) / sizeof(chains[0]); i++) {
        sortes_sampler *s = stages_sampler(chains[i].settings);
        const sortes_row row = row_of_step(i);
        const struct stage *seen =
            stages_see(s, row.data, row.n, chains[i].last);
        int32_t tokens[N];
        float p[N];
        size_t n;

        assert_int_equal(sortes_sampler_kept(s, &row, tokens, p, N, &n),
                         SORTES_OK);
        stages_check_ids(seen, tokens, n);
        assert_memory_equal(p, seen->p, n * sizeof(*p));
    }
}

static void kept_moves_nothing(void **state)
{
    sortes_sampler *s = stages_sampler("xtc_probability=0.5 top_k=9");
    sortes_sampler *fresh = stages_sampler("xtc_probability=0.5 top_k=9");
    sortes_draw draws[STEPS];
    const sortes_row row = row_of_step(3);
    size_t n;

    (void)state;
    for (int i = 0; i < 10; i++)
        assert_int_equal(sortes_sampler_kept(s, &row, NULL, NULL, 0, &n),
                         SORTES_OK);
    go(fresh, 0, 50, draws);
    check_goes(s, 0, 50, draws);
}

static void kept_writes_no_more_than_there_is_room_for(void **state)
{
    sortes_sampler *s = stages_sampler("top_k=4");
    const float x[] = { 1, 5, 2, 4, 3 };
    const sortes_row row = { x, 5, SORTES_F32 };
    int32_t tokens[4] = { -9, -9, -9, -9 };
    float p[4] = { -9, -9, -9, -9 };
    size_t n;

    (void)state;
    assert_int_equal(sortes_sampler_kept(s, &row, tokens, p, 2, &n), SORTES_OK);
    assert_int_equal(n, 4);
    assert_int_equal(tokens[0], 1);
    assert_int_equal(tokens[1], 3);
    assert_int_equal(tokens[2], -9);
    assert_true(p[2] == -9.0f);
    assert_int_equal(sortes_sampler_kept(s, &row, NULL, p, 4, &n), SORTES_OK);
    assert_int_equal(sortes_sampler_kept(s, &row, tokens, NULL, 4, &n),
                     SORTES_OK);
    assert_int_equal(tokens[3], 2);
}

static void kept_refuses_what_the_draw_refuses(void **state)
{
    sortes_sampler *s = stages_sampler("");
    const float x[] = { -INFINITY, -INFINITY }, y[] = { 0, NAN };
    const sortes_row none = { x, 2, SORTES_F32 }, bad = { y, 2, SORTES_F32 };
    size_t n = 77;

    (void)state;
    assert_int_equal(sortes_sampler_kept(s, &none, NULL, NULL, 0, &n),
                     SORTES_E_NO_TOKEN);
    assert_int_equal(sortes_sampler_kept(s, &bad, NULL, NULL, 0, &n),
                     SORTES_E_NOT_FINITE);
    assert_int_equal(n, 77);
    assert_int_equal(sortes_sampler_kept(s, &none, NULL, NULL, 0, NULL),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_kept(NULL, &none, NULL, NULL, 0, &n),
                     SORTES_E_ARGUMENT);
}

/* ---- prefill ------------------------------------------------------------- */

static void prefill_is_not_told_to_the_windows(void **state)
{
    sortes_sampler *s =
        stages_sampler_of(stages_words(), "presence_penalty=1 dry_multiplier=1 "
                                          "dry_allowed_length=0");

    (void)state;
    assert_int_equal(sortes_sampler_prefill(s, IDS(0, 1)), SORTES_OK);
    stages_check_logits(stages_see(s, ROW(0, 0), "penalties"), ROW(0, 0));
    stages_check_logits(stages_see(s, ROW(0, 0), "dry"), ROW(0, 0));
}

static void prefill_is_told_to_constraint_and_budget(void **state)
{
    struct rule *const rule = rule_of(~(uint64_t)0);
    const sortes_constraint c = rule_constraint(rule);
    sortes_sampler *s = stages_sampler_of(
        stages_words(),
        "reasoning_budget_tokens=0 reasoning_budget_start_tag=<think> "
        "reasoning_budget_end_tags=</think> reasoning_budget_message=!");
    const float x[N_WORDS] = { 90 };

    (void)state;
    assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
    assert_int_equal(sortes_sampler_prefill(s, IDS(WORD_THINK)), SORTES_OK);
    assert_int_equal(rule->n_taken, 1);
    assert_int_equal(stages_draw(s, x, N_WORDS), WORD_BANG);
}

static void prefill_is_not_taken_back(void **state)
{
    sortes_sampler *s = stages_sampler_of(
        stages_words(),
        "reasoning_budget_tokens=0 reasoning_budget_start_tag=<think> "
        "reasoning_budget_end_tags=</think> reasoning_budget_message=!");
    const float x[N_WORDS] = { 90 };

    (void)state;
    assert_int_equal(sortes_sampler_prefill(s, IDS(WORD_THINK)), SORTES_OK);
    stages_accept(s, IDS(WORD_BANG, WORD_THOUGHT));
    assert_int_equal(sortes_sampler_rollback(s, 2), SORTES_OK);
    assert_int_equal(sortes_sampler_rollback(s, 1), SORTES_E_LIMIT);
    assert_int_equal(stages_draw(s, x, N_WORDS), WORD_BANG);
}

/* The constraint has seen both, and only one is in the windows. */
static void rollback_ends_at_a_prefill(void **state)
{
    struct rule *const rule = rule_of(~(uint64_t)0);
    sortes_sampler *s = rule_sampler(rule, "presence_penalty=1");

    (void)state;
    stages_accept(s, IDS(0));
    assert_int_equal(sortes_sampler_prefill(s, IDS(1)), SORTES_OK);
    assert_int_equal(sortes_sampler_rollback(s, 1), SORTES_E_LIMIT);
    stages_accept(s, IDS(2));
    assert_int_equal(sortes_sampler_rollback(s, 1), SORTES_OK);
    assert_int_equal(rule->n_taken, 2);
    assert_int_equal(rule->taken[1], 1);
    stages_check_logits(stages_see(s, ROW(0, 0, 0), "penalties"),
                        ROW(-1, 0, 0));
}

/* A draw that was not accepted is undone, a prefill after it is not. */
static void prefill_keeps_the_draw_undone(void **state)
{
    sortes_sampler *s = stages_sampler("seed=7");
    int32_t first;

    (void)state;
    first = stages_draw(s, ROW(0, 0, 0, 0, 0, 0, 0, 0));
    (void)stages_draw(s, ROW(0, 0, 0, 0, 0, 0, 0, 0));
    assert_int_equal(sortes_sampler_prefill(s, IDS(1)), SORTES_OK);
    assert_int_equal(sortes_sampler_rollback(s, 0), SORTES_OK);
    assert_int_equal(stages_draw(s, ROW(0, 0, 0, 0, 0, 0, 0, 0)), first);
}

static void prefill_refuses_bad_tokens(void **state)
{
    sortes_sampler *s = stages_sampler("");

    (void)state;
    assert_int_equal(sortes_sampler_prefill(NULL, IDS(1)), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_prefill(s, NULL, 1), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_prefill(s, IDS(1, -1)), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_prefill(s, NULL, 0), SORTES_OK);
}

/* ---- ending a thinking block --------------------------------------------- */

static void end_reasoning_outlives_a_draw_that_is_undone(void **state)
{
    sortes_sampler *s = stages_sampler_of(
        stages_words(),
        "reasoning_budget_tokens=50 reasoning_budget_start_tag=<think> "
        "reasoning_budget_end_tags=</think> reasoning_budget_message=!");
    const float x[N_WORDS] = { 90 };

    (void)state;
    stages_accept(s, IDS(WORD_THINK));
    assert_int_equal(sortes_sampler_end_reasoning(s), SORTES_OK);
    assert_int_equal(stages_draw(s, x, N_WORDS), WORD_BANG);
    assert_int_equal(sortes_sampler_rollback(s, 0), SORTES_OK);
    assert_int_equal(stages_draw(s, x, N_WORDS), WORD_BANG);
}

static void end_reasoning_is_taken_back_with_the_tokens(void **state)
{
    sortes_sampler *s = stages_sampler_of(
        stages_words(),
        "reasoning_budget_tokens=50 reasoning_budget_start_tag=<think> "
        "reasoning_budget_end_tags=</think> reasoning_budget_message=!");
    const float x[N_WORDS] = { 90 };

    (void)state;
    stages_accept(s, IDS(WORD_THINK, WORD_B));
    assert_int_equal(sortes_sampler_end_reasoning(s), SORTES_OK);
    stages_accept(s, IDS(WORD_BANG));
    assert_int_equal(stages_draw(s, x, N_WORDS), WORD_THOUGHT);
    assert_int_equal(sortes_sampler_rollback(s, 2), SORTES_OK);
    assert_int_equal(stages_draw(s, x, N_WORDS), WORD_A);
    assert_int_equal(sortes_sampler_end_reasoning(s), SORTES_OK);
    assert_int_equal(stages_draw(s, x, N_WORDS), WORD_BANG);
}

static void end_reasoning_without_a_budget_is_refused(void **state)
{
    (void)state;
    assert_int_equal(sortes_sampler_end_reasoning(NULL), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_end_reasoning(stages_sampler("")),
                     SORTES_E_ARGUMENT);
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(rollback_goes_back_over_every_kind_of_state),
        CASE(rollback_of_a_few_and_a_few_more),
        CASE(rollback_to_the_beginning),
        CASE(rollback_and_another_way_on),
        CASE(rollback_over_accepted_blocks),
        CASE(rollback_of_zero_undoes_draws),
        CASE(rollback_over_more_numbers_than_a_generator_keeps),
        CASE(rollback_has_its_limits),
        CASE(rollback_beyond_what_is_kept_is_refused),
        CASE(rollback_after_reset_has_nothing_to_take),
        CASE(clone_can_be_rolled_back_as_well),
        CASE(rollback_takes_the_constraint_along),
        CASE(rollback_that_the_constraint_refuses_changes_nothing),
        CASE(kept_is_what_the_last_stage_left),
        CASE(kept_moves_nothing),
        CASE(kept_writes_no_more_than_there_is_room_for),
        CASE(kept_refuses_what_the_draw_refuses),
        CASE(prefill_is_not_told_to_the_windows),
        CASE(prefill_is_told_to_constraint_and_budget),
        CASE(prefill_is_not_taken_back),
        CASE(rollback_ends_at_a_prefill),
        CASE(prefill_keeps_the_draw_undone),
        CASE(prefill_refuses_bad_tokens),
        CASE(end_reasoning_outlives_a_draw_that_is_undone),
        CASE(end_reasoning_is_taken_back_with_the_tokens),
        CASE(end_reasoning_without_a_budget_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

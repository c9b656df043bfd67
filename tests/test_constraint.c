/*
 * test_constraint.c - asking a constraint: what is taken, told and masked
 *
 * SPDX-License-Identifier: MIT
 */
#include "constraint.h"
#include "support/rule.h"
#include "support/stages.h"

#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void take_wants_a_whole_struct(void **state)
{
    struct rule *const rule = rule_of(1);
    sortes_constraint c = rule_constraint(rule), taken = { 0 };

    (void)state;
    assert_int_equal(srt_constraint_take(&taken, &c), SORTES_OK);
    assert_true(srt_constraint_is_set(&taken));
    c.struct_size--;
    memset(&taken, 0, sizeof(taken));
    assert_int_equal(srt_constraint_take(&taken, &c), SORTES_E_ARGUMENT);
    assert_false(srt_constraint_is_set(&taken));
}

static void take_wants_the_three_callbacks_it_cannot_do_without(void **state)
{
    struct rule *const rule = rule_of(1);
    const sortes_constraint whole = rule_constraint(rule);
    sortes_constraint c = whole, taken;

    (void)state;
    c.allows = NULL;
    assert_int_equal(srt_constraint_take(&taken, &c), SORTES_E_ARGUMENT);
    c = whole;
    c.mask = NULL;
    assert_int_equal(srt_constraint_take(&taken, &c), SORTES_E_ARGUMENT);
    c = whole;
    c.advance = NULL;
    assert_int_equal(srt_constraint_take(&taken, &c), SORTES_E_ARGUMENT);
    c = whole;
    c.rollback = NULL;
    c.reset = NULL;
    c.clone = NULL;
    c.free = NULL;
    assert_int_equal(srt_constraint_take(&taken, &c), SORTES_OK);
}

static void what_needs_a_callback_that_is_not_there_is_refused(void **state)
{
    struct rule *const rule = rule_of(1);
    sortes_constraint c = rule_constraint(rule), copy;

    (void)state;
    c.rollback = NULL;
    c.reset = NULL;
    c.clone = NULL;
    assert_int_equal(srt_constraint_rollback(&c, 1), SORTES_E_ARGUMENT);
    assert_int_equal(srt_constraint_rollback(&c, 0), SORTES_OK);
    assert_int_equal(srt_constraint_reset(&c), SORTES_E_ARGUMENT);
    assert_int_equal(srt_constraint_clone(&copy, &c), SORTES_E_ARGUMENT);
    assert_false(srt_constraint_is_set(&copy));
}

static void none_is_asked_nothing(void **state)
{
    sortes_constraint none = { 0 }, copy;

    (void)state;
    assert_int_equal(srt_constraint_rollback(&none, 5), SORTES_OK);
    assert_int_equal(srt_constraint_reset(&none), SORTES_OK);
    assert_int_equal(srt_constraint_clone(&copy, &none), SORTES_OK);
    assert_false(srt_constraint_is_set(&copy));
    srt_constraint_drop(&none);
}

static void drop_frees_once(void **state)
{
    int n_freed = 0;
    struct rule *const rule = rule_of(1);
    sortes_constraint c = rule_constraint(rule);

    (void)state;
    rule->n_freed = &n_freed;
    srt_constraint_drop(&c);
    assert_int_equal(n_freed, 1);
    srt_constraint_drop(&c);
    assert_int_equal(n_freed, 1);
}

static void
replace_frees_what_was_held_and_nothing_when_it_refuses(void **state)
{
    int n_freed = 0;
    struct rule *const first = rule_of(1), *const second = rule_of(2);
    sortes_constraint held = { 0 };
    sortes_constraint a = rule_constraint(first), b = rule_constraint(second);

    (void)state;
    first->n_freed = second->n_freed = &n_freed;
    assert_int_equal(srt_constraint_replace(&held, &a), SORTES_OK);
    assert_ptr_equal(held.ctx, first);
    b.struct_size--;
    assert_int_equal(srt_constraint_replace(&held, &b), SORTES_E_ARGUMENT);
    assert_ptr_equal(held.ctx, first);
    assert_int_equal(n_freed, 0);
    b.struct_size++;
    assert_int_equal(srt_constraint_replace(&held, &b), SORTES_OK);
    assert_ptr_equal(held.ctx, second);
    assert_int_equal(n_freed, 1);
    assert_int_equal(srt_constraint_replace(&held, NULL), SORTES_OK);
    assert_false(srt_constraint_is_set(&held));
    assert_int_equal(n_freed, 2);
}

static void clone_that_fails_leaves_none(void **state)
{
    struct rule *const rule = rule_of(1);
    sortes_constraint c = rule_constraint(rule), copy;

    (void)state;
    rule->clone_fails = 1;
    assert_int_equal(srt_constraint_clone(&copy, &c), SORTES_E_NOMEM);
    assert_false(srt_constraint_is_set(&copy));
}

static void advance_is_all_or_nothing(void **state)
{
    struct rule *const rule = rule_of(1);
    const sortes_constraint c = rule_constraint(rule);

    (void)state;
    rule->advance_refuses = 7;
    assert_int_equal(srt_constraint_advance(&c, IDS(1, 2)), SORTES_OK);
    assert_int_equal(srt_constraint_advance(&c, IDS(3, 4, 7)), SORTES_E_RANGE);
    assert_int_equal(rule->n_taken, 2);
    assert_int_equal(rule->n_rollbacks, 1);
    assert_int_equal(srt_constraint_advance(&c, IDS(7)), SORTES_E_RANGE);
    assert_int_equal(rule->n_rollbacks, 1); /* nothing to take back */
}

static void mask_row_forbids_what_has_no_bit(void **state)
{
    struct rule *const rule = rule_of(0x100000005u);
    const sortes_constraint c = rule_constraint(rule);
    float x[40], out[40];
    const sortes_row row = { x, 40, SORTES_F32 };
    uint32_t words[2] = { 0xffffffffu, 0xffffffffu };

    (void)state;
    for (int i = 0; i < 40; i++)
        x[i] = (float)i - 3;
    assert_int_equal(srt_constraint_mask_row(&c, &row, words, out), SORTES_OK);
    for (int i = 0; i < 40; i++)
        assert_true(out[i] == (i == 0 || i == 2 || i == 32 ? x[i] : -INFINITY));
}

static void mask_row_widens_narrow_rows(void **state)
{
    struct rule *const rule = rule_of(6);
    const sortes_constraint c = rule_constraint(rule);
    const uint16_t x[] = { 0x3f80, 0x4000, 0xbf80 };
    const sortes_row row = { x, 3, SORTES_BF16 };
    uint32_t words[1];
    float out[3];

    (void)state;
    assert_int_equal(srt_constraint_mask_row(&c, &row, words, out), SORTES_OK);
    assert_true(out[0] == -INFINITY && out[1] == 2.0f && out[2] == -1.0f);
}

static void mask_row_passes_a_failure_on(void **state)
{
    struct rule *const rule = rule_of(1);
    const sortes_constraint c = rule_constraint(rule);
    const float x[] = { 1 };
    const sortes_row row = { x, 1, SORTES_F32 };
    uint32_t words[1];
    float out[1];

    (void)state;
    rule->mask_status = SORTES_E_SYNTAX;
    assert_int_equal(srt_constraint_mask_row(&c, &row, words, out),
                     SORTES_E_SYNTAX);
}

/* ---- through a sampler --------------------------------------------------- */

static void sampler_tells_what_was_drawn_or_forced_not_the_prompt(void **state)
{
    struct rule *const rule = rule_of(~(uint64_t)0);
    const sortes_constraint c = rule_constraint(rule);
    sortes_sampler *s = stages_sampler("");
    const int32_t forced = 3;

    (void)state;
    assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
    stages_history(s, IDS(1, 2));
    assert_int_equal(rule->n_taken, 0);
    stages_accept(s, IDS(2));
    assert_int_equal(sortes_sampler_accept(s, &forced, 1, SORTES_FORCED),
                     SORTES_OK);
    assert_int_equal(sortes_sampler_prefill(s, IDS(4)), SORTES_OK);
    assert_int_equal(rule->n_taken, 3);
    assert_int_equal(rule->taken[0], 2);
    assert_int_equal(rule->taken[1], 3);
    assert_int_equal(rule->taken[2], 4);
}

static void sampler_accepts_nothing_that_the_constraint_refuses(void **state)
{
    struct rule *const rule = rule_of(~(uint64_t)0);
    const sortes_constraint c = rule_constraint(rule);
    sortes_sampler *s = stages_sampler("presence_penalty=1");
    const int32_t tokens[] = { 0, 1, 2 };

    (void)state;
    rule->advance_refuses = 2;
    assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
    assert_int_equal(sortes_sampler_accept(s, tokens, 3, SORTES_GENERATED),
                     SORTES_E_RANGE);
    stages_check_logits(stages_see(s, ROW(0, 0, 0), "penalties"), ROW(0, 0, 0));
    assert_int_equal(rule->n_taken, 0);
    assert_int_equal(sortes_sampler_rollback(s, 1), SORTES_E_LIMIT);
    assert_int_equal(sortes_sampler_prefill(s, tokens, 3), SORTES_E_RANGE);
    assert_int_equal(rule->n_taken, 0);
}

static void sampler_frees_the_constraint_it_lets_go_of(void **state)
{
    int n_freed = 0;
    struct rule *const first = rule_of(1), *const second = rule_of(1);
    const sortes_constraint a = rule_constraint(first);
    const sortes_constraint b = rule_constraint(second);
    sortes_params *p = stages_params("");
    sortes_sampler *s;

    (void)state;
    first->n_freed = second->n_freed = &n_freed;
    assert_int_equal(sortes_sampler_new(&s, p, NULL, NULL), SORTES_OK);
    assert_int_equal(sortes_sampler_set_constraint(s, &a), SORTES_OK);
    assert_int_equal(n_freed, 0);
    assert_int_equal(sortes_sampler_set_constraint(s, &b), SORTES_OK);
    assert_int_equal(n_freed, 1);
    assert_int_equal(sortes_sampler_set_constraint(s, NULL), SORTES_OK);
    assert_int_equal(n_freed, 2);
    assert_int_equal(sortes_sampler_set_constraint(s, NULL), SORTES_OK);
    assert_int_equal(n_freed, 2);
    assert_int_equal(sortes_sampler_set_constraint(s, &a), SORTES_OK);
    sortes_sampler_free(s);
    assert_int_equal(n_freed, 3);
    sortes_params_free(p);
}

static void sampler_that_refuses_a_constraint_keeps_the_old_one(void **state)
{
    int n_freed = 0;
    struct rule *const rule = rule_of(2);
    const sortes_constraint c = rule_constraint(rule);
    sortes_constraint bad = c;
    sortes_sampler *s = stages_sampler("");

    (void)state;
    assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
    rule->n_freed = &n_freed;
    bad.struct_size = 8;
    assert_int_equal(sortes_sampler_set_constraint(s, &bad), SORTES_E_ARGUMENT);
    assert_int_equal(n_freed, 0);
    assert_int_equal(stages_draw(s, ROW(90, 0)), 1);
    rule->n_freed = NULL;
}

static void sampler_clones_and_resets_the_constraint(void **state)
{
    struct rule *const rule = rule_of(3);
    const sortes_constraint c = rule_constraint(rule);
    sortes_sampler *s = stages_sampler(""), *copy;

    (void)state;
    rule->sets[1] = 2; /* from the second token on */
    rule->n_sets = 2;
    assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
    stages_accept(s, IDS(0));
    assert_int_equal(sortes_sampler_clone(&copy, s), SORTES_OK);
    assert_int_equal(stages_draw(copy, ROW(90, 0)), 1);
    assert_int_equal(sortes_sampler_reset(s), SORTES_OK);
    assert_int_equal(rule->n_resets, 1);
    assert_int_equal(stages_draw(s, ROW(90, 0)), 0);
    assert_int_equal(stages_draw(copy, ROW(90, 0)), 1); /* its own */
    sortes_sampler_free(copy);
}

static void sampler_refuses_what_the_constraint_cannot(void **state)
{
    struct rule *const rule = rule_of(3);
    sortes_constraint c = rule_constraint(rule);
    sortes_sampler *s = stages_sampler("presence_penalty=1"), *copy;
    const int32_t both[] = { 0, 1 };

    (void)state;
    c.reset = NULL;
    c.clone = NULL;
    c.rollback = NULL;
    assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
    stages_history(s, IDS(1));
    stages_accept(s, IDS(0));
    assert_int_equal(sortes_sampler_clone(&copy, s), SORTES_E_ARGUMENT);
    assert_null(copy);
    assert_int_equal(sortes_sampler_reset(s), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_rollback(s, 1), SORTES_E_ARGUMENT);
    stages_check_logits(stages_see(s, ROW(0, 0), "penalties"), ROW(-1, -1));
    assert_int_equal(sortes_sampler_rollback(s, 0), SORTES_OK);
    /* A later token might be refused, and the first could not be undone. */
    assert_int_equal(sortes_sampler_accept(s, both, 2, SORTES_GENERATED),
                     SORTES_E_ARGUMENT);
    assert_int_equal(rule->n_taken, 1);
}

/* It has not seen what came before. */
static void rollback_ends_where_the_constraint_was_set(void **state)
{
    struct rule *const rule = rule_of(3);
    const sortes_constraint c = rule_constraint(rule);
    sortes_sampler *s = stages_sampler("presence_penalty=1");

    (void)state;
    stages_accept(s, IDS(0));
    assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
    stages_accept(s, IDS(1));
    assert_int_equal(sortes_sampler_rollback(s, 2), SORTES_E_LIMIT);
    assert_int_equal(sortes_sampler_rollback(s, 1), SORTES_OK);
    assert_int_equal(rule->n_taken, 0);
    assert_int_equal(sortes_sampler_rollback(s, 1), SORTES_E_LIMIT);
    stages_check_logits(stages_see(s, ROW(0, 0), "penalties"), ROW(-1, 0));
}

static void sampler_whose_constraint_cannot_be_cloned_is_not(void **state)
{
    struct rule *const rule = rule_of(3);
    const sortes_constraint c = rule_constraint(rule);
    sortes_sampler *s = stages_sampler(""), *copy;

    (void)state;
    rule->clone_fails = 1;
    assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
    assert_int_equal(sortes_sampler_clone(&copy, s), SORTES_E_NOMEM);
    assert_null(copy);
}

static void prompt_is_taken_back_without_asking_the_constraint(void **state)
{
    struct rule *const rule = rule_of(3);
    sortes_constraint c = rule_constraint(rule);
    sortes_sampler *s = stages_sampler("presence_penalty=1");

    (void)state;
    c.rollback = NULL;
    assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
    stages_history(s, IDS(0, 1));
    assert_int_equal(sortes_sampler_rollback(s, 1), SORTES_OK);
    stages_check_logits(stages_see(s, ROW(0, 0), "penalties"), ROW(-1, 0));
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(take_wants_a_whole_struct),
        CASE(take_wants_the_three_callbacks_it_cannot_do_without),
        CASE(what_needs_a_callback_that_is_not_there_is_refused),
        CASE(none_is_asked_nothing),
        CASE(drop_frees_once),
        CASE(replace_frees_what_was_held_and_nothing_when_it_refuses),
        CASE(clone_that_fails_leaves_none),
        CASE(advance_is_all_or_nothing),
        CASE(mask_row_forbids_what_has_no_bit),
        CASE(mask_row_widens_narrow_rows),
        CASE(mask_row_passes_a_failure_on),
        CASE(sampler_tells_what_was_drawn_or_forced_not_the_prompt),
        CASE(sampler_accepts_nothing_that_the_constraint_refuses),
        CASE(sampler_frees_the_constraint_it_lets_go_of),
        CASE(sampler_that_refuses_a_constraint_keeps_the_old_one),
        CASE(sampler_clones_and_resets_the_constraint),
        CASE(sampler_refuses_what_the_constraint_cannot),
        CASE(rollback_ends_where_the_constraint_was_set),
        CASE(sampler_whose_constraint_cannot_be_cloned_is_not),
        CASE(prompt_is_taken_back_without_asking_the_constraint),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

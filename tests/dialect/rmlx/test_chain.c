/*
 * test_chain.c - the life of an rMLX chain: seeds, clones, resets, rollbacks
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

static const char settings[] =
    "seed=77 temperature=1.2 top_k=50 repetition_penalty=1.2 "
    "frequency_penalty=0.3 thinking_budget=5";

/* Draws on a row of N_WORDS and accepts. */
static int32_t go(sortes_sampler *s, uint64_t row_seed)
{
    float x[N_WORDS];
    int32_t token;

    rows_fill(x, N_WORDS, ROWS_FLAT, row_seed);
    token = dialects_draw(s, x, N_WORDS);
    assert_true(token >= 0);
    dialects_accept(s, &token, 1, SORTES_GENERATED);
    return token;
}

static sortes_sampler *fresh(void)
{
    sortes_sampler *s = dialects_sampler("rmlx", stages_words(), settings);

    assert_int_equal(sortes_sampler_prefill(s, IDS(WORD_THINK)), SORTES_OK);
    return s;
}

static void the_seed_is_42919_where_none_is_given(void **state)
{
    sortes_sampler *a = dialects_sampler("rmlx", NULL, "");
    sortes_sampler *b = dialects_sampler("rmlx", NULL, "seed=42919");
    sortes_sampler *c =
        dialects_sampler("rmlx", NULL, "seed=18446744073709551615");

    (void)state;
    assert_int_equal(sortes_sampler_seed(a), 0xa7a7);
    assert_true(sortes_sampler_seed(c) == UINT64_MAX);
    for (int i = 0; i < 20; i++)
        assert_int_equal(dialects_draw(a, ROW(1, 1, 1, 1)),
                         dialects_draw(b, ROW(1, 1, 1, 1)));
    sortes_sampler_free(a);
    sortes_sampler_free(b);
    sortes_sampler_free(c);
}

/* 4294967295 is a seed like any other, and -1 is none. */
static void no_seed_asks_for_a_random_one(void **state)
{
    sortes_params *p = dialects_params("rmlx", "seed=4294967295");
    sortes_sampler *s;
    sortes_error err;

    (void)state;
    assert_int_equal(sortes_sampler_new(&s, p, NULL, NULL), SORTES_OK);
    assert_true(sortes_sampler_seed(s) == 4294967295u);
    sortes_sampler_free(s);
    assert_int_equal(sortes_params_set_text(p, "seed", "-1", &err),
                     SORTES_E_RANGE);
    sortes_params_free(p);
}

static void a_reset_begins_again(void **state)
{
    sortes_sampler *s = fresh();
    int32_t first[30];

    (void)state;
    for (uint64_t i = 0; i < 30; i++)
        first[i] = go(s, i);
    assert_int_equal(sortes_sampler_reset(s), SORTES_OK);
    assert_int_equal(sortes_sampler_prefill(s, IDS(WORD_THINK)), SORTES_OK);
    for (uint64_t i = 0; i < 30; i++)
        assert_int_equal(go(s, i), first[i]);
    sortes_sampler_free(s);
}

static void a_clone_goes_on_alike(void **state)
{
    sortes_sampler *s = fresh(), *copy;

    (void)state;
    for (uint64_t i = 0; i < 4; i++) /* close to the budget's end */
        (void)go(s, i);
    assert_int_equal(sortes_sampler_clone(&copy, s), SORTES_OK);
    for (uint64_t i = 4; i < 40; i++)
        assert_int_equal(go(s, i), go(copy, i));
    sortes_sampler_free(s);
    sortes_sampler_free(copy);
}

/* From every point back by every count that is promised. */
static void a_rollback_takes_everything_back(void **state)
{
    sortes_sampler *s = fresh();
    int32_t tokens[90];

    (void)state;
    for (uint64_t i = 0; i < 90; i++)
        tokens[i] = go(s, i);
    for (size_t n = 1; n <= SRT_WINDOW_BEHIND; n += 9) {
        assert_int_equal(sortes_sampler_rollback(s, n), SORTES_OK);
        for (uint64_t i = 90 - n; i < 90; i++)
            assert_int_equal(go(s, i), tokens[i]);
    }
    assert_int_equal(sortes_sampler_rollback(s, SRT_WINDOW_BEHIND + 1),
                     SORTES_E_LIMIT);
    sortes_sampler_free(s);
}

/* Over the forced closing tag, which comes again. */
static void a_rollback_forces_again(void **state)
{
    sortes_sampler *s = fresh();
    int32_t tokens[8];

    (void)state;
    for (uint64_t i = 0; i < 8; i++)
        tokens[i] = go(s, i);
    assert_int_equal(tokens[6], WORD_THOUGHT);
    assert_int_equal(sortes_sampler_rollback(s, 3), SORTES_OK);
    for (uint64_t i = 5; i < 8; i++)
        assert_int_equal(go(s, i), tokens[i]);
    sortes_sampler_free(s);
}

/* A draw that was never accepted is undone by a rollback of 0. */
static void a_rollback_of_0_undoes_draws(void **state)
{
    sortes_sampler *s = dialects_sampler("rmlx", NULL, "");
    int32_t first[10];

    (void)state;
    for (int i = 0; i < 10; i++)
        first[i] = dialects_draw(s, ROW(1, 1, 1, 1, 1, 1));
    assert_int_equal(sortes_sampler_rollback(s, 0), SORTES_OK);
    for (int i = 0; i < 10; i++)
        assert_int_equal(dialects_draw(s, ROW(1, 1, 1, 1, 1, 1)), first[i]);
    sortes_sampler_free(s);
}

/* rMLX's window has generated tokens only; mlx-lm's has the prompt too. */
static void the_prompt_is_not_looked_back_at(void **state)
{
    sortes_sampler *s = dialects_sampler(
        "rmlx", NULL, "temperature=0 repetition_penalty=2 presence_penalty=1");

    (void)state;
    dialects_accept(s, IDS(0), SORTES_PROMPT);
    assert_int_equal(dialects_draw(s, ROW(2, 1)), 0);
    dialects_accept(s, IDS(0), SORTES_GENERATED);
    assert_int_equal(dialects_draw(s, ROW(2, 1)), 1);
    /* the prompt's token does not leave with a rollback of a later one */
    assert_int_equal(sortes_sampler_rollback(s, 1), SORTES_OK);
    assert_int_equal(dialects_draw(s, ROW(2, 1)), 0);
    sortes_sampler_free(s);
}

static void the_constraint_is_told_of_generated_tokens(void **state)
{
    static const uint8_t allowed[] = { 1, 0 };
    sortes_sampler *s = dialects_sampler("rmlx", NULL, "temperature=0"), *copy;

    (void)state;
    dialects_constrain(s, allowed, 2);
    dialects_accept(s, IDS(1), SORTES_PROMPT);
    assert_int_equal(sortes_sampler_accept(s, IDS(1), SORTES_GENERATED),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_accept(s, IDS(0), SORTES_GENERATED),
                     SORTES_OK);
    assert_int_equal(sortes_sampler_clone(&copy, s), SORTES_OK);
    assert_int_equal(dialects_draw(copy, ROW(0, 9)), 0);
    assert_int_equal(sortes_sampler_set_constraint(copy, NULL), SORTES_OK);
    assert_int_equal(dialects_draw(copy, ROW(0, 9)), 1);
    sortes_sampler_free(s);
    sortes_sampler_free(copy);
}

/* Draws of one sampler in the order of a stream: no two seeds look alike. */
static void equal_seeds_repeat_and_others_do_not(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        sortes_params *p = dialects_params("rmlx", "");
        sortes_sampler *a, *b, *c;
        int same = 0;

        assert_int_equal(sortes_params_set_seed(p, seed, NULL), SORTES_OK);
        assert_int_equal(sortes_sampler_new(&a, p, NULL, NULL), SORTES_OK);
        assert_int_equal(sortes_sampler_new(&b, p, NULL, NULL), SORTES_OK);
        assert_int_equal(sortes_params_set_seed(p, seed + 1, NULL), SORTES_OK);
        assert_int_equal(sortes_sampler_new(&c, p, NULL, NULL), SORTES_OK);
        for (int i = 0; i < 64; i++) {
            const int32_t token = dialects_draw(a, ROW(0, 0, 0, 0));

            assert_int_equal(token, dialects_draw(b, ROW(0, 0, 0, 0)));
            same += token == dialects_draw(c, ROW(0, 0, 0, 0));
        }
        assert_true(same < 40);
        sortes_params_free(p);
        sortes_sampler_free(a);
        sortes_sampler_free(b);
        sortes_sampler_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_seed_is_42919_where_none_is_given),
        cmocka_unit_test(no_seed_asks_for_a_random_one),
        cmocka_unit_test_teardown(a_reset_begins_again, stages_teardown),
        cmocka_unit_test_teardown(a_clone_goes_on_alike, stages_teardown),
        cmocka_unit_test_teardown(a_rollback_takes_everything_back,
                                  stages_teardown),
        cmocka_unit_test_teardown(a_rollback_forces_again, stages_teardown),
        cmocka_unit_test(a_rollback_of_0_undoes_draws),
        cmocka_unit_test(the_prompt_is_not_looked_back_at),
        cmocka_unit_test(the_constraint_is_told_of_generated_tokens),
        cmocka_unit_test(equal_seeds_repeat_and_others_do_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_step.c - masks, row types, refused rows and the forced closing tag
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
#include "support/stages.h"

#include <math.h>
#include <stdio.h>

static void greedy_under_a_mask_takes_the_best_allowed(void **state)
{
    static const uint8_t allowed[] = { 1, 0, 1, 0 };
    sortes_sampler *s = dialects_sampler("rmlx", NULL, "temperature=0");

    (void)state;
    dialects_constrain(s, allowed, 4);
    assert_int_equal(dialects_draw(s, ROW(1, 9, 2, 8)), 2);
    /* tokens beyond the mask are not allowed */
    assert_int_equal(dialects_draw(s, ROW(1, 9, 2, 8, 7, 7)), 2);
    sortes_sampler_free(s);
}

/* The mask comes first: a bias lifts nothing that is forbidden. */
static void a_bias_does_not_lift_the_mask(void **state)
{
    static const uint8_t allowed[] = { 1, 0, 1 };
    sortes_sampler *s =
        dialects_sampler("rmlx", NULL, "temperature=0 logit_bias=1+1000,0+1");

    (void)state;
    dialects_constrain(s, allowed, 3);
    assert_int_equal(dialects_draw(s, ROW(1, 0, 1.5f)), 0);
    sortes_sampler_free(s);
}

static void sampling_stays_inside_the_mask(void **state)
{
    static const uint8_t allowed[] = { 0, 1, 0, 1, 0 };
    sortes_sampler *s = dialects_sampler("rmlx", NULL, "temperature=5 top_k=2");
    size_t seen[5] = { 0 };

    (void)state;
    dialects_constrain(s, allowed, 5);
    for (int i = 0; i < 400; i++)
        seen[dialects_draw(s, ROW(9, 1, 9, 1, 9))]++;
    assert_int_equal(seen[1] + seen[3], 400);
    assert_true(seen[1] > 100 && seen[3] > 100);
    sortes_sampler_free(s);
}

static void nothing_allowed_is_refused_on_every_path(void **state)
{
    static const uint8_t none[] = { 0, 0, 0 };
    static const char *const settings[] = { "temperature=0", "temperature=1",
                                            "temperature=0 logit_bias=0+1",
                                            "temperature=1 top_p=0.9",
                                            "temperature=1 top_k=1" };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(settings); i++) {
        sortes_sampler *s = dialects_sampler("rmlx", NULL, settings[i]);

        dialects_constrain(s, none, 3);
        assert_int_equal(dialects_draw(s, ROW(1, 2, 3)), -SORTES_E_NO_TOKEN);
        sortes_sampler_free(s);
    }
}

/* An added -inf would let a forbidden NaN win an argmax; it never does here. */
static void a_forbidden_nan_is_refused(void **state)
{
    static const uint8_t allowed[] = { 1, 0, 1 };
    sortes_sampler *s = dialects_sampler("rmlx", NULL, "temperature=0");

    (void)state;
    dialects_constrain(s, allowed, 3);
    assert_int_equal(dialects_draw(s, ROW(1, NAN, 2)), -SORTES_E_NOT_FINITE);
    assert_int_equal(dialects_draw(s, ROW(1, INFINITY, 2)),
                     -SORTES_E_NOT_FINITE);
    assert_int_equal(dialects_draw(s, ROW(1, 0, 2)), 2);
    sortes_sampler_free(s);
}

static void rows_are_f32_or_bf16(void **state)
{
    static const uint16_t bits[] = { 0x3f80, 0x4000, 0x3f00 };
    sortes_sampler *s = dialects_sampler("rmlx", NULL, "temperature=0");
    sortes_row row = { bits, 3, SORTES_BF16 };
    sortes_draw draw;

    (void)state;
    assert_int_equal(sortes_sampler_sample(s, &row, &draw), SORTES_OK);
    assert_int_equal(draw.token, 1);
    assert_int_equal(draw.n_candidates, 1);
    row.type = SORTES_F16;
    assert_int_equal(sortes_sampler_sample(s, &row, &draw), SORTES_E_ARGUMENT);
    assert_int_equal(draw.token, 1);
    sortes_sampler_free(s);
}

/* What a bias or penalty makes too large is refused, not drawn. */
static void made_infinities_are_refused(void **state)
{
    sortes_sampler *s =
        dialects_sampler("rmlx", NULL, "logit_bias=0+3e38 temperature=0");
    sortes_sampler *t = dialects_sampler("rmlx", NULL, "temperature=1e-3");

    (void)state;
    assert_int_equal(dialects_draw(s, ROW(3e38f, 1)), -SORTES_E_NOT_FINITE);
    assert_int_equal(dialects_draw(s, ROW(0, 1)), 0);
    assert_int_equal(dialects_draw(t, ROW(3e38f, 1)), -SORTES_E_NOT_FINITE);
    /* all below what a float holds once it is scaled: nothing is left */
    assert_int_equal(dialects_draw(t, ROW(-3e38f, -3e38f)), -SORTES_E_NO_TOKEN);
    sortes_sampler_free(s);
    sortes_sampler_free(t);
}

/* A refused row moves no generator. */
static void refused_rows_leave_no_trace(void **state)
{
    sortes_sampler *a = dialects_sampler("rmlx", NULL, "seed=9");
    sortes_sampler *b = dialects_sampler("rmlx", NULL, "seed=9");

    (void)state;
    for (int i = 0; i < 50; i++) {
        assert_int_equal(dialects_draw(a, ROW(NAN, 1, 1, 1)),
                         -SORTES_E_NOT_FINITE);
        assert_int_equal(dialects_draw(a, ROW(1, 1, 1, 1)),
                         dialects_draw(b, ROW(1, 1, 1, 1)));
    }
    sortes_sampler_free(a);
    sortes_sampler_free(b);
}

/* ---- the closing tag ----------------------------------------------------- */

static const float flat[N_WORDS];

static int32_t step(sortes_sampler *s, uint32_t *flags)
{
    const sortes_row row = { flat, N_WORDS, SORTES_F32 };
    sortes_draw draw = { 0 };

    assert_int_equal(sortes_sampler_sample(s, &row, &draw), SORTES_OK);
    *flags = draw.flags;
    dialects_accept(s, &draw.token, 1,
                    draw.flags & SORTES_DRAW_FORCED ? SORTES_FORCED
                                                    : SORTES_GENERATED);
    return draw.token;
}

/* Everything but tags, so that only the budget closes the block. */
static const char think_settings[] =
    "seed=3 temperature=1 logit_bias=9-inf,10-inf thinking_budget=";

static sortes_sampler *thinker(const char *rest)
{
    char settings[256];
    sortes_sampler *s;

    snprintf(settings, sizeof(settings), "%s%s", think_settings, rest);
    s = dialects_sampler("rmlx", stages_words(), settings);
    assert_int_equal(sortes_sampler_prefill(s, IDS(WORD_THINK)), SORTES_OK);
    return s;
}

static void the_close_is_forced_once_and_costs_a_draw(void **state)
{
    sortes_sampler *s = thinker("2");
    sortes_sampler *plain = dialects_sampler(
        "rmlx", NULL, "seed=3 temperature=1 logit_bias=9-inf,10-inf");

    (void)state;
    for (int i = 0; i < 60; i++) {
        uint32_t flags, none;
        const int32_t token = step(s, &flags);
        const int32_t drawn = step(plain, &none);

        /* after piece 3, the first above the budget */
        assert_int_equal(flags, i == 3 ? SORTES_DRAW_FORCED : 0);
        assert_int_equal(token, i == 3 ? WORD_THOUGHT : drawn);
    }
    sortes_sampler_free(s);
    sortes_sampler_free(plain);
}

static void a_budget_of_0_is_enforced_unless_literal(void **state)
{
    sortes_sampler *s = thinker("0");
    sortes_sampler *literal = thinker("0 literal_think=true");
    uint32_t flags;

    (void)state;
    (void)step(s, &flags);
    assert_int_equal(step(s, &flags), WORD_THOUGHT);
    assert_int_equal(flags, SORTES_DRAW_FORCED);
    for (int i = 0; i < 40; i++) {
        (void)step(literal, &flags);
        assert_int_equal(flags, 0);
    }
    sortes_sampler_free(s);
    sortes_sampler_free(literal);
}

/* A literal budget above 0 is enforced as well. */
static void literal_budgets_above_0_close(void **state)
{
    sortes_sampler *s = thinker("1 literal_think=true");
    uint32_t flags;

    (void)state;
    (void)step(s, &flags);
    (void)step(s, &flags);
    assert_int_equal(step(s, &flags), WORD_THOUGHT);
    sortes_sampler_free(s);
}

static void the_forced_token_enters_the_window(void **state)
{
    sortes_sampler *s =
        dialects_sampler("rmlx", stages_words(),
                         "temperature=0 thinking_budget=0 presence_penalty=1");
    float x[N_WORDS] = { 0 };
    uint32_t flags;

    (void)state;
    assert_int_equal(sortes_sampler_prefill(s, IDS(WORD_THINK)), SORTES_OK);
    (void)step(s, &flags); /* token 0 */
    assert_int_equal(step(s, &flags), WORD_THOUGHT);
    x[WORD_THOUGHT] = 1.5f;
    x[5] = 1.0f;
    assert_int_equal(dialects_draw(s, x, N_WORDS), 5);
    sortes_sampler_free(s);
}

static void a_tag_that_cannot_be_encoded_closes_nothing(void **state)
{
    sortes_sampler *s = thinker("1 thinking_end_token=[gone]");
    uint32_t flags;

    (void)state;
    for (int i = 0; i < 40; i++) {
        (void)step(s, &flags);
        assert_int_equal(flags, 0);
    }
    sortes_sampler_free(s);
}

/* A constraint that does not let the closing tag through is not overruled. */
static void the_constraint_has_the_last_word(void **state)
{
    static uint8_t allowed[N_WORDS];
    sortes_sampler *s = thinker("0");
    uint32_t flags;

    (void)state;
    allowed[WORD_A] = 1;
    dialects_constrain(s, allowed, N_WORDS);
    (void)step(s, &flags);
    assert_int_equal(dialects_draw(s, flat, N_WORDS), -SORTES_E_NO_TOKEN);
    allowed[WORD_THOUGHT] = 1;
    assert_int_equal(dialects_draw(s, flat, N_WORDS), WORD_THOUGHT);
    sortes_sampler_free(s);
}

static void reasoning_ends_when_it_is_asked_to(void **state)
{
    sortes_sampler *s = thinker("1000");
    uint32_t flags;

    (void)state;
    (void)step(s, &flags);
    assert_int_equal(sortes_sampler_end_reasoning(s), SORTES_OK);
    assert_int_equal(step(s, &flags), WORD_THOUGHT);
    assert_int_equal(sortes_sampler_end_reasoning(s), SORTES_E_ARGUMENT);
    sortes_sampler_free(s);
    s = dialects_sampler("rmlx", NULL, "");
    assert_int_equal(sortes_sampler_end_reasoning(s), SORTES_E_ARGUMENT);
    sortes_sampler_free(s);
}

/* Outside a block nothing is counted, and a budget needs words. */
static void no_block_no_count_and_no_vocab_no_budget(void **state)
{
    sortes_sampler *s = dialects_sampler(
        "rmlx", stages_words(),
        "temperature=1 logit_bias=9-inf,10-inf thinking_budget=1");
    sortes_params *p = dialects_params("rmlx", "thinking_budget=1");
    sortes_error err;
    uint32_t flags;

    (void)state;
    for (int i = 0; i < 40; i++) {
        (void)step(s, &flags);
        assert_int_equal(flags, 0);
    }
    sortes_sampler_free(s);
    assert_int_equal(sortes_sampler_new(&s, p, NULL, &err), SORTES_E_ARGUMENT);
    assert_string_equal(err.text,
                        "thinking_budget: needs a vocab, to know the tags");
    dialects_set(p, "thinking_end_token=a;b");
    assert_int_equal(sortes_sampler_new(&s, p, stages_words(), &err),
                     SORTES_E_RANGE);
    assert_string_equal(err.text,
                        "thinking_end_token: one tag is needed (got 2)");
    sortes_params_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(greedy_under_a_mask_takes_the_best_allowed),
        cmocka_unit_test(a_bias_does_not_lift_the_mask),
        cmocka_unit_test(sampling_stays_inside_the_mask),
        cmocka_unit_test(nothing_allowed_is_refused_on_every_path),
        cmocka_unit_test(a_forbidden_nan_is_refused),
        cmocka_unit_test(rows_are_f32_or_bf16),
        cmocka_unit_test(made_infinities_are_refused),
        cmocka_unit_test(refused_rows_leave_no_trace),
        cmocka_unit_test_teardown(the_close_is_forced_once_and_costs_a_draw,
                                  stages_teardown),
        cmocka_unit_test_teardown(a_budget_of_0_is_enforced_unless_literal,
                                  stages_teardown),
        cmocka_unit_test_teardown(literal_budgets_above_0_close,
                                  stages_teardown),
        cmocka_unit_test_teardown(the_forced_token_enters_the_window,
                                  stages_teardown),
        cmocka_unit_test_teardown(a_tag_that_cannot_be_encoded_closes_nothing,
                                  stages_teardown),
        cmocka_unit_test_teardown(the_constraint_has_the_last_word,
                                  stages_teardown),
        cmocka_unit_test_teardown(reasoning_ends_when_it_is_asked_to,
                                  stages_teardown),
        cmocka_unit_test_teardown(no_block_no_count_and_no_vocab_no_budget,
                                  stages_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

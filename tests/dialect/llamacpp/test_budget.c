/*
 * test_budget.c - thinking blocks, and how they are ended
 *
 * "<think>" and "</think>" are one token each; FAVOURITE prefers the letter a
 * by far, so another token is drawn only where it is forced.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>

#include "dialect/llamacpp/chain.h"
#include "support/stages.h"

#include <math.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define TAGS                                                                   \
    "reasoning_budget_start_tag=<think> "                                      \
    "reasoning_budget_end_tags=</think> "
#define MESSAGE "reasoning_budget_message=! "

static const float favourite[N_WORDS] = { 90 };

static struct srt_llamacpp *budget(int tokens, const char *settings)
{
    char text[512];

    (void)snprintf(text, sizeof(text), "reasoning_budget_tokens=%d %s %s",
                   tokens, TAGS, settings);
    return stages_chain_of(stages_words(), text);
}

static int32_t next(struct srt_llamacpp *chain)
{
    sortes_draw draw;

    assert_int_equal(stages_chain_draw(chain, favourite, N_WORDS, &draw),
                     SORTES_OK);
    return draw.token;
}

/* Draws and accepts. */
static int32_t step(struct srt_llamacpp *chain)
{
    const int32_t token = next(chain);

    stages_chain_accept(chain, &token, 1);
    return token;
}

static enum srt_budget_phase phase(const struct srt_llamacpp *chain)
{
    return chain->state.budget.phase;
}

/* ---- counting ------------------------------------------------------------ */

static void budget_does_nothing_outside_a_block(void **state)
{
    struct srt_llamacpp *chain = budget(1, MESSAGE);

    (void)state;
    for (int i = 0; i < 10; i++)
        assert_int_equal(step(chain), WORD_A);
    assert_int_equal(phase(chain), SRT_BUDGET_IDLE);
}

static void budget_counts_the_tokens_behind_the_start(void **state)
{
    struct srt_llamacpp *chain = budget(2, MESSAGE);

    (void)state;
    stages_chain_accept(chain, IDS(WORD_B, WORD_THINK));
    assert_int_equal(phase(chain), SRT_BUDGET_COUNTING);
    assert_int_equal(step(chain), WORD_A);
    assert_int_equal(step(chain), WORD_A);
    assert_int_equal(phase(chain), SRT_BUDGET_FORCING);
    assert_int_equal(step(chain), WORD_BANG);
    assert_int_equal(step(chain), WORD_THOUGHT);
    assert_int_equal(phase(chain), SRT_BUDGET_DONE);
    assert_int_equal(step(chain), WORD_A);
}

static void budget_of_zero_forces_at_once(void **state)
{
    struct srt_llamacpp *chain = budget(0, MESSAGE);

    (void)state;
    stages_chain_accept(chain, IDS(WORD_THINK));
    assert_int_equal(step(chain), WORD_BANG);
    assert_int_equal(step(chain), WORD_THOUGHT);
    assert_int_equal(step(chain), WORD_A);
}

static void block_that_ends_in_time_is_left_alone(void **state)
{
    struct srt_llamacpp *chain = budget(3, MESSAGE);

    (void)state;
    stages_chain_accept(chain, IDS(WORD_THINK, WORD_B, WORD_B, WORD_THOUGHT));
    assert_int_equal(phase(chain), SRT_BUDGET_DONE);
    assert_int_equal(step(chain), WORD_A);
}

static void block_that_ends_with_its_last_token_is_left_alone(void **state)
{
    struct srt_llamacpp *chain = budget(1, MESSAGE);

    (void)state;
    stages_chain_accept(chain, IDS(WORD_THINK, WORD_THOUGHT));
    assert_int_equal(phase(chain), SRT_BUDGET_DONE);
}

static void budget_is_fresh_for_every_block(void **state)
{
    struct srt_llamacpp *chain = budget(2, MESSAGE);

    (void)state;
    stages_chain_accept(chain, IDS(WORD_THINK, WORD_B, WORD_THOUGHT, WORD_C));
    stages_chain_accept(chain, IDS(WORD_THINK));
    assert_int_equal(chain->state.budget.remaining, 2);
    assert_int_equal(step(chain), WORD_A);
    assert_int_equal(step(chain), WORD_A);
    assert_int_equal(step(chain), WORD_BANG);
    assert_int_equal(step(chain), WORD_THOUGHT);
    /* and after a block that was ended */
    stages_chain_accept(chain, IDS(WORD_THINK));
    assert_int_equal(phase(chain), SRT_BUDGET_COUNTING);
    assert_int_equal(step(chain), WORD_A);
    assert_int_equal(step(chain), WORD_A);
    assert_int_equal(step(chain), WORD_BANG);
}

static void start_inside_a_block_is_a_token_like_others(void **state)
{
    struct srt_llamacpp *chain = budget(2, MESSAGE);

    (void)state;
    stages_chain_accept(chain, IDS(WORD_THINK, WORD_THINK, WORD_THINK));
    assert_int_equal(phase(chain), SRT_BUDGET_FORCING);
}

static void prompt_does_not_count(void **state)
{
    struct srt_llamacpp *chain = budget(0, MESSAGE);
    const int32_t token = WORD_THINK;

    (void)state;
    assert_int_equal(
        srt_dialect_find("llama.cpp")->accept(chain, &token, 1, SORTES_PROMPT),
        SORTES_OK);
    assert_int_equal(phase(chain), SRT_BUDGET_IDLE);
    assert_int_equal(srt_dialect_find("llama.cpp")->prefill(chain, &token, 1),
                     SORTES_OK);
    assert_int_equal(phase(chain), SRT_BUDGET_FORCING);
}

static void forced_tokens_count_as_drawn_ones(void **state)
{
    struct srt_llamacpp *chain = budget(0, MESSAGE);
    const int32_t token = WORD_THINK;

    (void)state;
    assert_int_equal(
        srt_dialect_find("llama.cpp")->accept(chain, &token, 1, SORTES_FORCED),
        SORTES_OK);
    assert_int_equal(phase(chain), SRT_BUDGET_FORCING);
}

/* ---- characters ---------------------------------------------------------- */

static void forcing_waits_for_the_end_of_a_character(void **state)
{
    struct srt_llamacpp *chain = budget(1, MESSAGE);

    (void)state;
    stages_chain_accept(chain, IDS(WORD_THINK, WORD_LEAD));
    assert_int_equal(phase(chain), SRT_BUDGET_WAITING);
    assert_int_equal(next(chain), WORD_A);
    /* A token is judged by itself, and one of a trailing byte is not whole. */
    stages_chain_accept(chain, IDS(WORD_TRAIL));
    assert_int_equal(phase(chain), SRT_BUDGET_WAITING);
    stages_chain_accept(chain, IDS(WORD_ACUTE));
    assert_int_equal(phase(chain), SRT_BUDGET_FORCING);
    assert_int_equal(step(chain), WORD_BANG);
}

static void block_may_end_while_waiting(void **state)
{
    struct srt_llamacpp *chain = budget(1, MESSAGE);

    (void)state;
    stages_chain_accept(chain, IDS(WORD_THINK, WORD_LEAD, WORD_THOUGHT));
    assert_int_equal(phase(chain), SRT_BUDGET_DONE);
}

static const struct stages_piece cuts[] = {
    { "<t>", SORTES_TOKEN_CONTROL },
    { "</t>", SORTES_TOKEN_CONTROL },
    { "!", 0 },
    { "\xe2\x82\xac", 0 },     /* whole: three bytes */
    { "\xf0\x9f\x98\x80", 0 }, /* whole: four */
    { "x\xe2\x82", 0 },        /* one is missing */
    { "\xf0\x9f\x98", 0 },
    { "\xf0", 0 },
    { "\x82\xac", 0 }, /* only the end of one */
    { "\xc3\xa9z", 0 },
    { "\xe2\x80\x80\x80\x80", 0 }, /* too many trailing bytes */
};

static void characters_are_whole_by_their_first_byte(void **state)
{
    static const bool whole[] = { true,  true,  true,  true, true, false,
                                  false, false, false, true, false };
    sortes_vocab *v = stages_vocab(cuts, SRT_COUNT(cuts));

    (void)state;
    for (int32_t token = 2; token < (int32_t)SRT_COUNT(cuts); token++) {
        struct srt_llamacpp *chain = stages_chain_of(
            v, "reasoning_budget_tokens=1 reasoning_budget_start_tag=<t> "
               "reasoning_budget_end_tags=</t> reasoning_budget_message=!");

        stages_chain_accept(chain, IDS(0));
        stages_chain_accept(chain, &token, 1);
        assert_int_equal(phase(chain), whole[token] ? SRT_BUDGET_FORCING
                                                    : SRT_BUDGET_WAITING);
    }
}

/* ---- sequences ----------------------------------------------------------- */

static struct srt_llamacpp *sequences(const char *start, const char *ends)
{
    char text[512];

    (void)snprintf(text, sizeof(text),
                   "reasoning_budget_tokens=9 reasoning_budget_start_tag=%s "
                   "reasoning_budget_end_tags=%s " MESSAGE,
                   start, ends);
    return stages_chain_of(stages_words(), text);
}

static void start_may_be_several_tokens(void **state)
{
    struct srt_llamacpp *chain = sequences("c!c*", "</think>");

    (void)state;
    stages_chain_accept(chain, IDS(WORD_C, WORD_BANG, WORD_C));
    assert_int_equal(phase(chain), SRT_BUDGET_IDLE);
    stages_chain_accept(chain, IDS(WORD_STAR));
    assert_int_equal(phase(chain), SRT_BUDGET_COUNTING);
}

static void start_is_found_behind_a_false_start(void **state)
{
    struct srt_llamacpp *chain = sequences("c!c*", "</think>");

    (void)state;
    stages_chain_accept(
        chain, IDS(WORD_C, WORD_BANG, WORD_C, WORD_BANG, WORD_C, WORD_STAR));
    assert_int_equal(phase(chain), SRT_BUDGET_COUNTING);
}

static void tokens_between_break_a_sequence(void **state)
{
    struct srt_llamacpp *chain = sequences("c!", "</think>");

    (void)state;
    stages_chain_accept(chain, IDS(WORD_C, WORD_D, WORD_BANG));
    assert_int_equal(phase(chain), SRT_BUDGET_IDLE);
}

static void any_of_several_ends_will_do(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct srt_llamacpp *chain = sequences("<think>", "</think>;d!");

        stages_chain_accept(chain, IDS(WORD_THINK, WORD_A));
        if (i == 0)
            stages_chain_accept(chain, IDS(WORD_THOUGHT));
        else
            stages_chain_accept(chain, IDS(WORD_D, WORD_BANG));
        assert_int_equal(phase(chain), SRT_BUDGET_DONE);
    }
}

static void first_of_several_ends_is_forced(void **state)
{
    struct srt_llamacpp *chain = stages_chain_of(
        stages_words(),
        "reasoning_budget_tokens=0 reasoning_budget_start_tag=<think> "
        "reasoning_budget_end_tags=d*;</think> reasoning_budget_message=!");

    (void)state;
    stages_chain_accept(chain, IDS(WORD_THINK));
    assert_int_equal(step(chain), WORD_BANG);
    assert_int_equal(step(chain), WORD_D);
    assert_int_equal(step(chain), WORD_STAR);
    assert_int_equal(step(chain), WORD_A);
}

/* ---- forcing ------------------------------------------------------------- */

static void no_message_forces_nothing(void **state)
{
    struct srt_llamacpp *chain = budget(1, "");

    (void)state;
    stages_chain_accept(chain, IDS(WORD_THINK, WORD_B));
    assert_int_equal(phase(chain), SRT_BUDGET_FORCING);
    assert_int_equal(step(chain), WORD_A);
    assert_int_equal(phase(chain), SRT_BUDGET_DONE);
}

static void empty_message_forces_the_end(void **state)
{
    struct srt_llamacpp *chain = budget(0, "reasoning_budget_message=");

    (void)state;
    stages_chain_accept(chain, IDS(WORD_THINK));
    assert_int_equal(step(chain), WORD_THOUGHT);
    assert_int_equal(step(chain), WORD_A);
}

static void forcing_goes_on_whatever_is_accepted(void **state)
{
    struct srt_llamacpp *chain = budget(0, MESSAGE);

    (void)state;
    stages_chain_accept(chain, IDS(WORD_THINK, WORD_C));
    assert_int_equal(step(chain), WORD_THOUGHT);
    stages_chain_accept(chain, IDS(WORD_THINK, WORD_C, WORD_C));
    assert_int_equal(phase(chain), SRT_BUDGET_DONE);
}

static void forcing_does_not_go_on_without_accept(void **state)
{
    struct srt_llamacpp *chain = budget(0, MESSAGE);

    (void)state;
    stages_chain_accept(chain, IDS(WORD_THINK));
    assert_int_equal(next(chain), WORD_BANG);
    assert_int_equal(next(chain), WORD_BANG);
}

static void forcing_still_runs_the_chain_and_draws(void **state)
{
    struct srt_llamacpp *chain = budget(0, MESSAGE);

    (void)state;
    stages_chain_accept(chain, IDS(WORD_THINK));
    (void)next(chain);
    assert_int_equal(chain->state.position[0], 2);
}

static void forcing_a_forbidden_token_is_refused(void **state)
{
    struct srt_llamacpp *chain = budget(0, MESSAGE);
    float x[N_WORDS] = { 0 };
    sortes_draw draw;

    (void)state;
    stages_chain_accept(chain, IDS(WORD_THINK));
    x[WORD_BANG] = -INFINITY;
    assert_int_equal(stages_chain_draw(chain, x, N_WORDS, &draw),
                     SORTES_E_NO_TOKEN);
    assert_int_equal(stages_chain_draw(chain, x, WORD_BANG, &draw),
                     SORTES_E_NO_TOKEN);
    assert_int_equal(chain->state.position[0], 0);
    assert_int_equal(phase(chain), SRT_BUDGET_FORCING);
}

static void what_may_come_is_only_the_forced_token(void **state)
{
    sortes_sampler *s = stages_sampler_of(
        stages_words(), "reasoning_budget_tokens=0 " TAGS MESSAGE);
    const sortes_row row = { favourite, N_WORDS, SORTES_F32 };
    float p[N_WORDS];

    (void)state;
    stages_accept(s, IDS(WORD_THINK));
    assert_int_equal(sortes_sampler_distribution(s, &row, p), SORTES_OK);
    for (int32_t t = 0; t < N_WORDS; t++)
        assert_true(p[t] == (t == WORD_BANG ? 1.0f : 0.0f));
}

static void end_can_be_asked_for(void **state)
{
    sortes_sampler *s = stages_sampler_of(
        stages_words(), "reasoning_budget_tokens=100 " TAGS MESSAGE);

    (void)state;
    assert_int_equal(sortes_sampler_end_reasoning(s), SORTES_E_ARGUMENT);
    stages_accept(s, IDS(WORD_THINK, WORD_B));
    assert_int_equal(sortes_sampler_end_reasoning(s), SORTES_OK);
    assert_int_equal(stages_draw(s, favourite, N_WORDS), WORD_BANG);
    assert_int_equal(sortes_sampler_end_reasoning(s), SORTES_E_ARGUMENT);
    stages_accept(s, IDS(WORD_BANG, WORD_THOUGHT));
    assert_int_equal(sortes_sampler_end_reasoning(s), SORTES_E_ARGUMENT);
}

static void end_can_be_asked_for_without_a_budget(void **state)
{
    sortes_sampler *s = stages_sampler_of(
        stages_words(), "reasoning_control=true " TAGS MESSAGE);
    sortes_sampler *not_watched =
        stages_sampler_of(stages_words(), TAGS MESSAGE);

    (void)state;
    stages_accept(s, IDS(WORD_THINK));
    for (int i = 0; i < 300; i++)
        stages_accept(s, IDS(WORD_B));
    assert_int_equal(stages_draw(s, favourite, N_WORDS), WORD_A);
    assert_int_equal(sortes_sampler_end_reasoning(s), SORTES_OK);
    assert_int_equal(stages_draw(s, favourite, N_WORDS), WORD_BANG);
    stages_accept(not_watched, IDS(WORD_THINK));
    assert_int_equal(sortes_sampler_end_reasoning(not_watched),
                     SORTES_E_ARGUMENT);
}

/* ---- making -------------------------------------------------------------- */

static void reset_waits_for_a_start_again(void **state)
{
    struct srt_llamacpp *chain = budget(0, MESSAGE);

    (void)state;
    stages_chain_accept(chain, IDS(WORD_THINK));
    assert_int_equal(srt_dialect_find("llama.cpp")->reset(chain), SORTES_OK);
    assert_int_equal(phase(chain), SRT_BUDGET_IDLE);
    assert_int_equal(next(chain), WORD_A);
}

static void clone_stands_where_it_stood(void **state)
{
    struct srt_llamacpp *chain = budget(0, MESSAGE), *copy;

    (void)state;
    stages_chain_accept(chain, IDS(WORD_THINK, WORD_BANG));
    copy = stages_chain_clone(chain);
    assert_int_equal(step(copy), WORD_THOUGHT);
    assert_int_equal(step(copy), WORD_A);
    srt_dialect_find("llama.cpp")->chain_free(copy);
}

static void budget_needs_both_tags(void **state)
{
    (void)state;
    assert_null(stages_chain("reasoning_budget_tokens=5")->budget);
    assert_null(stages_chain("reasoning_budget_tokens=5 "
                             "reasoning_budget_start_tag=<think>")
                    ->budget);
    assert_null(stages_chain("reasoning_budget_tokens=5 "
                             "reasoning_budget_end_tags=</think>")
                    ->budget);
    assert_null(stages_chain(TAGS)->budget);
}

static void budget_without_a_tokenizer_is_refused(void **state)
{
    sortes_error err;

    (void)state;
    assert_int_equal(
        stages_refusal(NULL, "reasoning_budget_tokens=5 " TAGS, &err),
        SORTES_E_NAME);
    assert_string_equal(err.text,
                        "reasoning budget: a tag cannot be tokenized (needs a "
                        "vocab with a tokenizer)");
}

static void budget_with_too_many_ends_is_refused(void **state)
{
    sortes_error err;

    (void)state;
    (void)sequences("<think>", "a;b;c;d;!;*;ab;abc");
    assert_int_equal(
        stages_refusal(stages_words(),
                       "reasoning_budget_tokens=5 "
                       "reasoning_budget_start_tag=<think> "
                       "reasoning_budget_end_tags=a;b;c;d;!;*;ab;abc;:",
                       &err),
        SORTES_E_LIMIT);
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(budget_does_nothing_outside_a_block),
        CASE(budget_counts_the_tokens_behind_the_start),
        CASE(budget_of_zero_forces_at_once),
        CASE(block_that_ends_in_time_is_left_alone),
        CASE(block_that_ends_with_its_last_token_is_left_alone),
        CASE(budget_is_fresh_for_every_block),
        CASE(start_inside_a_block_is_a_token_like_others),
        CASE(prompt_does_not_count),
        CASE(forced_tokens_count_as_drawn_ones),
        CASE(forcing_waits_for_the_end_of_a_character),
        CASE(block_may_end_while_waiting),
        CASE(characters_are_whole_by_their_first_byte),
        CASE(start_may_be_several_tokens),
        CASE(start_is_found_behind_a_false_start),
        CASE(tokens_between_break_a_sequence),
        CASE(any_of_several_ends_will_do),
        CASE(first_of_several_ends_is_forced),
        CASE(no_message_forces_nothing),
        CASE(empty_message_forces_the_end),
        CASE(forcing_goes_on_whatever_is_accepted),
        CASE(forcing_does_not_go_on_without_accept),
        CASE(forcing_still_runs_the_chain_and_draws),
        CASE(forcing_a_forbidden_token_is_refused),
        CASE(what_may_come_is_only_the_forced_token),
        CASE(end_can_be_asked_for),
        CASE(end_can_be_asked_for_without_a_budget),
        CASE(reset_waits_for_a_start_again),
        CASE(clone_stands_where_it_stood),
        CASE(budget_needs_both_tags),
        CASE(budget_without_a_tokenizer_is_refused),
        CASE(budget_with_too_many_ends_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

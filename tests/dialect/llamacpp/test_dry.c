/*
 * test_dry.c - repetitions, and what they cost
 *
 * The words are those of support/stages.h.  With a multiplier of 1 and a base
 * of 2, a repetition of n tokens costs 2^(n - allowed).
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/chain.h"
#include "support/rows.h"
#include "support/stages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define DRY "dry_multiplier=1 dry_base=2 "

static const float zeros[N_WORDS];

static sortes_sampler *dry(const char *settings)
{
    char all[512];

    (void)snprintf(all, sizeof(all), DRY "%s", settings);
    return stages_sampler_of(stages_words(), all);
}

/* What each token loses; a list of (token, loss), all others nothing. */
static void check_losses(sortes_sampler *s, const float *losses, size_t n)
{
    const struct stage *seen = stages_see(s, zeros, N_WORDS, "dry");
    float wanted[N_WORDS] = { 0 };

    for (size_t i = 0; i < n; i += 2)
        wanted[(size_t)losses[i]] -= losses[i + 1];
    stages_check_logits(seen, wanted, N_WORDS);
}

static void check_no_loss(sortes_sampler *s)
{
    check_losses(s, NULL, 0);
}

/* ---- lengths ------------------------------------------------------------- */

static void dry_costs_what_would_continue_a_repetition(void **state)
{
    sortes_sampler *s = dry("");

    (void)state;
    stages_history(s, IDS(WORD_A, WORD_B, WORD_C, WORD_BANG, WORD_A, WORD_B));
    check_losses(s, ROW(WORD_C, 1));
}

static void dry_grows_by_the_base_with_each_token(void **state)
{
    sortes_sampler *s = dry("");

    (void)state;
    stages_history(s, IDS(WORD_A, WORD_B, WORD_C, WORD_D, WORD_BANG, WORD_A,
                          WORD_B, WORD_C));
    check_losses(s, ROW(WORD_D, 2));
    stages_history(s, IDS(WORD_D));
    check_losses(s, ROW(WORD_BANG, 4));
}

static void dry_multiplies(void **state)
{
    sortes_sampler *s = dry("dry_multiplier=0.75 dry_base=3");

    (void)state;
    stages_history(s, IDS(WORD_A, WORD_B, WORD_C, WORD_D, WORD_BANG, WORD_A,
                          WORD_B, WORD_C));
    check_losses(s, ROW(WORD_D, 2.25f));
}

static void dry_of_a_negative_multiplier_rewards(void **state)
{
    sortes_sampler *s = dry("dry_multiplier=-1");

    (void)state;
    stages_history(s, IDS(WORD_A, WORD_B, WORD_C, WORD_BANG, WORD_A, WORD_B));
    check_losses(s, ROW(WORD_C, -1));
}

static void dry_lets_short_repetitions_be(void **state)
{
    sortes_sampler *s = dry("dry_allowed_length=3");

    (void)state;
    stages_history(s, IDS(WORD_A, WORD_B, WORD_C, WORD_BANG, WORD_A, WORD_B));
    check_no_loss(s);
}

static void dry_takes_the_longest_repetition_of_a_token(void **state)
{
    sortes_sampler *s = dry("");

    (void)state;
    /* "b c" before d, then "a b c" before d */
    stages_history(s, IDS(WORD_BANG, WORD_B, WORD_C, WORD_D, WORD_A, WORD_B,
                          WORD_C, WORD_D, WORD_D, WORD_A, WORD_B, WORD_C));
    check_losses(s, ROW(WORD_D, 4)); /* "d a b c", 4 long */
}

static void dry_of_one_token_again_and_again(void **state)
{
    sortes_sampler *s = dry("");

    (void)state;
    stages_history(s, IDS(WORD_A, WORD_A, WORD_A, WORD_A, WORD_A));
    check_losses(s, ROW(WORD_A, 4)); /* four of them stand before the last */
}

static void
dry_that_allows_nothing_costs_every_token_but_the_first(void **state)
{
    sortes_sampler *s = dry("dry_allowed_length=0");

    (void)state;
    stages_history(s, IDS(WORD_A, WORD_B, WORD_C));
    check_losses(s, ROW(WORD_B, 1, WORD_C, 1));
}

static void dry_looks_back_so_far_and_no_further(void **state)
{
    sortes_sampler *just = dry("dry_penalty_last_n=6");
    sortes_sampler *just_not = dry("dry_penalty_last_n=5");

    (void)state;
    stages_history(just,
                   IDS(WORD_A, WORD_B, WORD_C, WORD_BANG, WORD_A, WORD_B));
    stages_history(just_not,
                   IDS(WORD_A, WORD_B, WORD_C, WORD_BANG, WORD_A, WORD_B));
    check_losses(just, ROW(WORD_C, 1));
    check_no_loss(just_not);
}

static void dry_of_a_base_of_one_costs_the_same_always(void **state)
{
    sortes_sampler *s = dry("dry_base=1 dry_multiplier=0.5");
    int32_t tokens[60] = { WORD_A };

    (void)state;
    stages_history(s, tokens, 60);
    check_losses(s, ROW(WORD_A, 0.5f));
}

/* log(FLT_MAX) / log(10) is 38.5: no power above the 38th. */
static void dry_does_not_grow_past_what_a_float_holds(void **state)
{
    const char *settings = "dry_base=10 dry_multiplier=1e-38";
    sortes_sampler *just = dry(settings), *far = dry(settings);
    sortes_sampler *not_yet = dry(settings);
    const int32_t tokens[64] = { WORD_A };
    float at_cap;

    (void)state;
    stages_history(just, tokens, 41); /* 40 repeated, 2 allowed */
    stages_history(far, tokens, 64);
    stages_history(not_yet, tokens, 40);
    at_cap = stages_see(just, zeros, N_WORDS, "dry")->logit[WORD_A];
    assert_true(at_cap > -1.001f && at_cap < -0.999f);
    assert_true(stages_see(far, zeros, N_WORDS, "dry")->logit[WORD_A] ==
                at_cap);
    assert_true(stages_see(not_yet, zeros, N_WORDS, "dry")->logit[WORD_A] >
                -0.11f);
}

static void dry_that_makes_infinity_is_refused(void **state)
{
    sortes_sampler *s = dry("dry_multiplier=-3e38 dry_base=10");
    const int32_t tokens[10] = { WORD_A };

    (void)state;
    stages_history(s, tokens, 10);
    assert_int_equal(stages_try(s, zeros, N_WORDS), SORTES_E_NOT_FINITE);
}

static void dry_may_ban(void **state)
{
    sortes_sampler *s = dry("dry_multiplier=3e38 dry_base=10");
    const int32_t tokens[10] = { WORD_A };

    (void)state;
    stages_history(s, tokens, 10);
    check_losses(s, ROW(WORD_A, INFINITY));
}

/* ---- breakers ------------------------------------------------------------ */

static void breakers_end_a_repetition(void **state)
{
    sortes_sampler *s = dry("");

    (void)state;
    /* "c newline a b" comes again, but only "a b" counts. */
    stages_history(s, IDS(WORD_C, WORD_NEWLINE, WORD_A, WORD_B, WORD_D, WORD_C,
                          WORD_NEWLINE, WORD_A, WORD_B));
    check_losses(s, ROW(WORD_D, 1));
}

static void breakers_may_be_none(void **state)
{
    sortes_sampler *s = dry("dry_sequence_breakers=");

    (void)state;
    stages_history(s, IDS(WORD_C, WORD_NEWLINE, WORD_A, WORD_B, WORD_D, WORD_C,
                          WORD_NEWLINE, WORD_A, WORD_B));
    check_losses(s, ROW(WORD_D, 4));
}

static void breakers_by_default_are_four(void **state)
{
    static const int32_t breakers[] = { WORD_NEWLINE, WORD_COLON, WORD_STAR,
                                        WORD_END_LINE, WORD_RATIO };

    (void)state;
    for (size_t i = 0; i < 5; i++) {
        const int32_t b = breakers[i];
        sortes_sampler *s = dry("");

        stages_history(s, IDS(WORD_C, b, WORD_A, WORD_B, WORD_D, WORD_C, b,
                              WORD_A, WORD_B));
        check_losses(s, ROW(WORD_D, 1));
    }
}

static void breakers_are_never_penalised_themselves(void **state)
{
    sortes_sampler *with = dry("");
    sortes_sampler *without = dry("dry_sequence_breakers=");

    (void)state;
    stages_history(with, IDS(WORD_A, WORD_B, WORD_NEWLINE, WORD_A, WORD_B));
    check_no_loss(with);
    stages_history(without, IDS(WORD_A, WORD_B, WORD_NEWLINE, WORD_A, WORD_B));
    check_losses(without, ROW(WORD_NEWLINE, 1));
}

static void words_that_hold_a_breaker_are_never_penalised(void **state)
{
    sortes_sampler *s = dry("");

    (void)state;
    stages_history(s, IDS(WORD_A, WORD_B, WORD_RATIO, WORD_A, WORD_B));
    check_no_loss(s);
}

static void words_that_only_begin_a_breaker_are(void **state)
{
    sortes_sampler *s = dry("dry_sequence_breakers=c!");

    (void)state;
    stages_history(s, IDS(WORD_A, WORD_B, WORD_C, WORD_D, WORD_A, WORD_B));
    check_losses(s, ROW(WORD_C, 1));
}

static void breakers_of_several_tokens_end_a_repetition(void **state)
{
    sortes_sampler *s = dry("dry_sequence_breakers=c!");

    (void)state;
    stages_history(s, IDS(WORD_C, WORD_BANG, WORD_A, WORD_B, WORD_D, WORD_C,
                          WORD_BANG, WORD_A, WORD_B));
    check_losses(s, ROW(WORD_D, 1));
    stages_history(s, IDS(WORD_D, WORD_C, WORD_STAR, WORD_A, WORD_B, WORD_D,
                          WORD_C, WORD_STAR, WORD_A, WORD_B));
    /* Without its second half it is none: "a b d c * a b" comes again. */
    check_losses(s, ROW(WORD_D, 32));
}

static void breakers_begin_inside_a_word(void **state)
{
    sortes_sampler *s = dry("dry_sequence_breakers=b!");

    (void)state;
    stages_history(s, IDS(WORD_AB, WORD_BANG, WORD_A, WORD_C, WORD_D, WORD_AB,
                          WORD_BANG, WORD_A, WORD_C));
    check_losses(s, ROW(WORD_D, 1));
}

static void breakers_split_inside_a_character(void **state)
{
    (void)state;
    for (int split = 0; split < 2; split++) {
        sortes_sampler *s = dry("dry_sequence_breakers=\\xc3\\xa9!");

        for (int i = 0; i < 2; i++) {
            if (split)
                stages_history(s, IDS(WORD_LEAD, WORD_TRAIL));
            else
                stages_history(s, IDS(WORD_ACUTE));
            stages_history(s, IDS(WORD_BANG, WORD_A, WORD_B));
            if (i == 0)
                stages_history(s, IDS(WORD_D));
        }
        check_losses(s, ROW(WORD_D, 1));
    }
}

static void breakers_that_are_not_complete_yet_do_not_count(void **state)
{
    sortes_sampler *s = dry("dry_sequence_breakers=c!");

    (void)state;
    stages_history(s,
                   IDS(WORD_A, WORD_B, WORD_C, WORD_D, WORD_A, WORD_B, WORD_C));
    check_losses(s, ROW(WORD_D, 2));
}

/* ---- what it leaves alone ------------------------------------------------ */

static int flag_after(const char *settings, const int32_t *tokens, size_t n)
{
    sortes_sampler *s = dry(settings);

    stages_history(s, tokens, n);
    return stages_see(s, zeros, N_WORDS, "dry")->sorted;
}

static void early_exits_leave_the_flag(void **state)
{
    const char *settings = "samplers=top_k;dry top_k=20";

    (void)state;
    assert_true(flag_after(settings, IDS(WORD_A, WORD_B)));
    /* the last breaker is nearer than what is allowed */
    assert_true(
        flag_after(settings, IDS(WORD_A, WORD_B, WORD_NEWLINE, WORD_A)));
    assert_true(
        flag_after(settings, IDS(WORD_A, WORD_B, WORD_C, WORD_NEWLINE)));
}

static void dry_past_them_unsets_the_flag_even_when_idle(void **state)
{
    const char *settings = "samplers=top_k;dry top_k=20";

    (void)state;
    assert_false(flag_after(settings, IDS(WORD_A, WORD_B, WORD_C)));
    assert_false(
        flag_after(settings, IDS(WORD_A, WORD_NEWLINE, WORD_A, WORD_B)));
}

static void dry_is_off_by_its_parameters(void **state)
{
    static const char *const off[] = { "dry_multiplier=0", "dry_base=0.99",
                                       "dry_penalty_last_n=0" };

    (void)state;
    for (size_t i = 0; i < 3; i++)
        assert_null(stages_find(dry(off[i]), zeros, N_WORDS, "dry"));
}

static void dry_that_is_off_needs_no_vocab(void **state)
{
    (void)state;
    (void)stages_sampler("dry_multiplier=0 dry_base=2");
}

static void dry_without_breakers_needs_no_vocab(void **state)
{
    sortes_sampler *s = stages_sampler(DRY "dry_sequence_breakers=");

    (void)state;
    stages_history(s, IDS(WORD_A, WORD_B, WORD_NEWLINE, WORD_A, WORD_B));
    check_losses(s, ROW(WORD_NEWLINE, 1));
}

static void dry_without_a_vocab_is_refused(void **state)
{
    sortes_error err;

    (void)state;
    assert_int_equal(stages_refusal(NULL, "dry_multiplier=1", &err),
                     SORTES_E_ARGUMENT);
    assert_string_equal(err.text,
                        "dry: needs a vocab, to find its sequence breakers");
}

static void tokens_outside_the_row_are_passed_over(void **state)
{
    sortes_sampler *s = dry("");

    (void)state;
    stages_history(s, IDS(WORD_A, WORD_B, 1000000, WORD_BANG, WORD_A, WORD_B));
    check_no_loss(s);
    stages_history(s, IDS(1000000));
    check_losses(s, ROW(WORD_BANG, 2));
}

static void reset_forgets_what_was_repeated(void **state)
{
    sortes_sampler *s = dry("");

    (void)state;
    stages_history(s, IDS(WORD_A, WORD_B, WORD_C, WORD_BANG, WORD_A, WORD_B));
    assert_int_equal(sortes_sampler_reset(s), SORTES_OK);
    stages_history(s, IDS(WORD_A, WORD_B));
    check_no_loss(s);
}

static void clone_remembers_what_was_repeated(void **state)
{
    sortes_sampler *s = dry(""), *copy;

    (void)state;
    stages_history(s, IDS(WORD_A, WORD_B, WORD_C, WORD_BANG, WORD_A, WORD_B));
    assert_int_equal(sortes_sampler_clone(&copy, s), SORTES_OK);
    stages_history(s, IDS(WORD_D));
    check_losses(copy, ROW(WORD_C, 1));
    sortes_sampler_free(copy);
}

/* ---- beside a model ------------------------------------------------------ */

enum { MODEL_MAX = 64 };

/* Positions are counted from the end. */
static int32_t back(const int32_t *tokens, size_t n, size_t i)
{
    return tokens[n - 1 - i];
}

static size_t repeated(const int32_t *tokens, size_t n, size_t k)
{
    size_t m = 0;

    while (k + m < n && back(tokens, n, m) == back(tokens, n, k + m))
        m++;
    return m;
}

static bool is_breaker(int32_t token)
{
    return token == WORD_NEWLINE || token == WORD_END_LINE ||
           token == WORD_RATIO || token == WORD_COLON || token == WORD_STAR;
}

/* What every token loses where two repeated tokens are allowed. */
static void model(const int32_t *tokens, size_t n, float losses[N_WORDS])
{
    size_t limit = 0;

    memset(losses, 0, N_WORDS * sizeof(*losses));
    while (limit < n && !is_breaker(back(tokens, n, limit)))
        limit++;
    for (size_t k = 1; k < n; k++) {
        const size_t m = repeated(tokens, n, k);
        const size_t length = m < limit ? m : limit;
        const int32_t next = back(tokens, n, k - 1);
        const float loss = ldexpf(1.0f, (int)length - 2);

        if (length >= 2 && !is_breaker(next) && losses[next] < loss)
            losses[next] = loss;
    }
}

static void dry_equals_a_count_of_every_repetition(void **state)
{
    struct rows_random r = { 77 };

    (void)state;
    for (int i = 0; i < 3000; i++) {
        struct srt_llamacpp *chain = stages_chain_of(stages_words(), DRY);
        int32_t tokens[MODEL_MAX];
        float losses[N_WORDS];
        const size_t n = rows_below(&r, 40);
        const size_t kinds = 1 + rows_below(&r, 4);
        size_t n_found;
        bool touched;

        for (size_t j = 0; j < n; j++)
            tokens[j] = (int32_t)rows_below(&r, kinds);
        stages_chain_accept(chain, tokens, n);
        n_found = srt_llamacpp_dry(chain, &touched);
        model(tokens, n, losses);
        for (size_t j = 0; j < n_found; j++) {
            const struct srt_count *it = &chain->dry_found[j];

            if (is_breaker(it->token))
                continue;
            assert_true(srt_llamacpp_dry_loss(chain->params, it->count) ==
                        losses[it->token]);
            losses[it->token] = 0.0f;
        }
        for (size_t j = 0; j < N_WORDS; j++)
            assert_true(losses[j] == 0.0f);
        if (i % 32 == 31)
            (void)stages_teardown(NULL);
    }
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(dry_costs_what_would_continue_a_repetition),
        CASE(dry_grows_by_the_base_with_each_token),
        CASE(dry_multiplies),
        CASE(dry_of_a_negative_multiplier_rewards),
        CASE(dry_lets_short_repetitions_be),
        CASE(dry_takes_the_longest_repetition_of_a_token),
        CASE(dry_of_one_token_again_and_again),
        CASE(dry_that_allows_nothing_costs_every_token_but_the_first),
        CASE(dry_looks_back_so_far_and_no_further),
        CASE(dry_of_a_base_of_one_costs_the_same_always),
        CASE(dry_does_not_grow_past_what_a_float_holds),
        CASE(dry_that_makes_infinity_is_refused),
        CASE(dry_may_ban),
        CASE(breakers_end_a_repetition),
        CASE(breakers_may_be_none),
        CASE(breakers_by_default_are_four),
        CASE(breakers_are_never_penalised_themselves),
        CASE(words_that_hold_a_breaker_are_never_penalised),
        CASE(words_that_only_begin_a_breaker_are),
        CASE(breakers_of_several_tokens_end_a_repetition),
        CASE(breakers_begin_inside_a_word),
        CASE(breakers_split_inside_a_character),
        CASE(breakers_that_are_not_complete_yet_do_not_count),
        CASE(early_exits_leave_the_flag),
        CASE(dry_past_them_unsets_the_flag_even_when_idle),
        CASE(dry_is_off_by_its_parameters),
        CASE(dry_that_is_off_needs_no_vocab),
        CASE(dry_without_breakers_needs_no_vocab),
        CASE(dry_without_a_vocab_is_refused),
        CASE(tokens_outside_the_row_are_passed_over),
        CASE(reset_forgets_what_was_repeated),
        CASE(clone_remembers_what_was_repeated),
        CASE(dry_equals_a_count_of_every_repetition),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

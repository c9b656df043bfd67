/*
 * test_reports.c - what users of other engines have run into, and here cannot
 *
 * Each case is named for what it shows; beside it stands where the symptom was
 * seen.  Cases about one stage alone are in test_reports_stages.c.  The inputs
 * are our own.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler.h"
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

#define EIGHT ROW(0, 0, 0, 0, 0, 0, 0, 0)

/* ---- tables -------------------------------------------------------------- */

/* Many draws, many seeds: only these tokens, and every one of them. */
struct report {
    const char *shows, *seen; /* repository#issue */
    const char *settings;
    float logits[6];
    const char *history; /* digits */
    const char *tokens;  /* digits */
};

static const struct report reports[] = {
    { "temperature 0 is not taken for unset",
      "tinker-cookbook#198",
      "temperature=0",
      { 1, 2.5f, 2.4f, 2.4f, 0, -1 },
      "",
      "1" },
    { "temperature 0 written as 0.0 is the same",
      "tinker-cookbook#198",
      "temperature=0.0",
      { 1, 2.5f, 2.4f, 2.4f, 0, -1 },
      "",
      "1" },
    { "temperature 1 is another thing",
      "tinker-cookbook#198",
      "temperature=1",
      { 1, 1.5f, 1.4f, 1.4f, 0, 0 },
      "",
      "012345" },
    { "greedy and a tie: the first",
      "vllm#5404",
      "greedy=true",
      { 0, 2, 2, 1, 2, 0 },
      "",
      "1" },
    { "temperature 0 and a tie: the first",
      "vllm#5404",
      "temperature=0",
      { 0, 2, 2, 1, 2, 0 },
      "",
      "1" },
    { "top_k 1 and a tie: the first",
      "vllm#5404",
      "top_k=1",
      { 0, 2, 2, 1, 2, 0 },
      "",
      "1" },
    { "top_k 1 and temperature 0 and a tie: the first",
      "vllm#5404",
      "top_k=1 temperature=0",
      { 0, 2, 2, 1, 2, 0 },
      "",
      "1" },
    { "the smallest temperatures that do not overflow are greedy",
      "vllm#890",
      "temperature=1e-37",
      { 1, 1.0000001f, 0, 0, -2, 0 },
      "",
      "1" },
    { "a banned end token is never drawn",
      "sonar#762",
      "logit_bias=5-inf",
      { 0, 0, 0, 0, 0, 12 },
      "",
      "01234" },
    { "every one of several end tokens can be banned",
      "vllm#4589",
      "logit_bias=4-inf,5-inf temperature=0.5",
      { 0, 0, 0, 0, 20, 20 },
      "",
      "0123" },
    { "a seed works with min_p",
      "sglang#33695",
      "min_p=0.5",
      { 0, 3, 1, 2.7f, 0, 0 },
      "",
      "13" },
    { "top_p keeps the likely end",
      "mlx-examples#602",
      "top_p=0.6",
      { 0, 0, 0, 0, 3, 3 },
      "",
      "45" },
    { "top_p 0 keeps one",
      "transformers#19839",
      "top_p=0",
      { 0, 1, 2, 3, 2, 1 },
      "",
      "3" },
    { "top_p 1 keeps all",
      "transformers#19839",
      "top_p=1",
      { 0, 1, 1, 1, 1, 1 },
      "",
      "012345" },
    { "top_k 0 is off and not one",
      "llama.cpp#5388",
      "top_k=0",
      { 0, 0, 0, 0, 0, 0 },
      "",
      "012345" },
    { "top_k as long as the row keeps all",
      "llama.cpp#5388",
      "top_k=6",
      { 0, 0, 0, 0, 0, 0 },
      "",
      "012345" },
    { "top_k beyond the row keeps all",
      "llama.cpp#5388",
      "top_k=2147483647",
      { 0, 0, 0, 0, 0, 0 },
      "",
      "012345" },
    { "min_p measures against the best token",
      "sglang#15648",
      "top_k=2 min_p=0.8",
      { 1, 0.75f, 0, 0, 0, 0 },
      "",
      "0" },
    { "a penalty may take the lead from a token",
      "text-generation-inference#1170",
      "temperature=0 repeat_penalty=3",
      { 2, 1, 0, 0, 0, 0 },
      "00",
      "1" },
    { "and a token that was not seen keeps it",
      "text-generation-inference#1170",
      "temperature=0 repeat_penalty=3",
      { 2, 1, 0, 0, 0, 0 },
      "1",
      "0" },
    { "one token alone in the row's mask",
      "llama.cpp#13405",
      "top_p=0.5",
      { -INFINITY, -INFINITY, -7, -INFINITY, -INFINITY, -INFINITY },
      "",
      "2" },
};

static void check_report(const struct report *r)
{
    char drawn[7] = "", settings[128];

    for (int seed = 0; seed < 8; seed++) {
        sortes_sampler *s;

        (void)snprintf(settings, sizeof(settings), "%s seed=%d", r->settings,
                       seed);
        s = stages_sampler(settings);
        for (const char *at = r->history; *at; at++)
            stages_history(s, IDS(*at - '0'));
        for (int i = 0; i < 40; i++) {
            const char digit = (char)('0' + stages_draw(s, r->logits, 6));

            if (!strchr(r->tokens, digit))
                fail_msg("%s (%s): drew %c, not one of %s", r->shows, r->seen,
                         digit, r->tokens);
            if (!strchr(drawn, digit))
                strncat(drawn, &digit, 1);
        }
        (void)stages_teardown(NULL);
    }
    if (strlen(drawn) != strlen(r->tokens))
        fail_msg("%s (%s): drew only %s of %s", r->shows, r->seen, drawn,
                 r->tokens);
}

static void draws_only_what_it_should(void **state)
{
    (void)state;
    for (size_t i = 0; i < SRT_COUNT(reports); i++)
        check_report(&reports[i]);
}

/* ---- many sequences ------------------------------------------------------ */

enum { BATCH = 8, VOCAB = 40, STEPS = 20 };

static float batch_logits[BATCH][VOCAB];

static void make_batch(sortes_sampler **s, sortes_row *rows)
{
    for (int i = 0; i < BATCH; i++) {
        char settings[64];

        (void)snprintf(settings, sizeof(settings), "seed=%d top_p=0.9", i + 1);
        s[i] = stages_sampler(settings);
        rows_fill(batch_logits[i], VOCAB, ROWS_FLAT, (uint64_t)i);
        rows[i] = (sortes_row){ batch_logits[i], VOCAB, SORTES_F32 };
    }
}

/* Draws some steps of a batch in the given order of its places. */
static void run_batch(const int order[BATCH], int32_t out[BATCH][STEPS])
{
    sortes_sampler *all[BATCH], *s[BATCH];
    sortes_row all_rows[BATCH], rows[BATCH];
    sortes_draw draws[BATCH];

    make_batch(all, all_rows);
    for (int i = 0; i < BATCH; i++) {
        s[i] = all[order[i]];
        rows[i] = all_rows[order[i]];
    }
    for (int step = 0; step < STEPS; step++) {
        assert_int_equal(sortes_sampler_sample_batch(s, rows, draws, NULL,
                                                     BATCH, NULL, NULL),
                         SORTES_OK);
        for (int i = 0; i < BATCH; i++)
            out[order[i]][step] = draws[i].token;
    }
    (void)stages_teardown(NULL);
}

/* vllm-project/vllm#17524 */
static void batch_in_another_order_draws_the_same(void **state)
{
    static const int straight[BATCH] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    static const int turned[BATCH] = { 6, 2, 7, 0, 5, 1, 4, 3 };
    int32_t a[BATCH][STEPS], b[BATCH][STEPS];

    (void)state;
    run_batch(straight, a);
    run_batch(turned, b);
    assert_memory_equal(a, b, sizeof(a));
}

/* vllm-project/vllm#50440: said, and not mixed up. */
static void batch_of_one_seed_draws_the_same_in_every_row(void **state)
{
    sortes_sampler *s[BATCH];
    sortes_row rows[BATCH];
    sortes_draw draws[BATCH];
    const float x[] = { 1, 0, 2, 0, 1 };

    (void)state;
    for (int i = 0; i < BATCH; i++) {
        s[i] = stages_sampler("seed=17");
        rows[i] = (sortes_row){ x, 5, SORTES_F32 };
    }
    for (int step = 0; step < STEPS; step++) {
        assert_int_equal(sortes_sampler_sample_batch(s, rows, draws, NULL,
                                                     BATCH, NULL, NULL),
                         SORTES_OK);
        for (int i = 1; i < BATCH; i++)
            assert_memory_equal(&draws[i], &draws[0], sizeof(draws[0]));
    }
}

/* tenstorrent/tt-metal#53077 */
static void streams_of_different_seeds_differ(void **state)
{
    int32_t drawn[BATCH][STEPS];

    (void)state;
    for (int i = 0; i < BATCH; i++) {
        char settings[32];
        sortes_sampler *s;

        (void)snprintf(settings, sizeof(settings), "seed=%d", 1000 + i);
        s = stages_sampler(settings);
        for (int step = 0; step < STEPS; step++)
            drawn[i][step] = stages_draw(s, EIGHT);
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(drawn[i], drawn[j], sizeof(drawn[i]));
    }
}

/* osaurus-ai/osaurus#1793 */
static void samplers_do_not_touch_one_another(void **state)
{
    sortes_sampler *a = stages_sampler("seed=1 presence_penalty=0.7");
    sortes_sampler *b = stages_sampler("seed=2 presence_penalty=0.7");
    sortes_sampler *a_alone = stages_sampler("seed=1 presence_penalty=0.7");
    sortes_sampler *b_alone = stages_sampler("seed=2 presence_penalty=0.7");
    int32_t wanted[STEPS];

    (void)state;
    for (int i = 0; i < STEPS; i++) {
        wanted[i] = stages_draw(b_alone, EIGHT);
        stages_history(b_alone, &wanted[i], 1);
    }
    for (int i = 0; i < STEPS; i++) {
        int32_t token;

        if (i == STEPS / 2) { /* as if seeded anew */
            assert_int_equal(sortes_sampler_reset(a), SORTES_OK);
            assert_int_equal(sortes_sampler_reset(a_alone), SORTES_OK);
        }
        token = stages_draw(a, EIGHT);
        assert_int_equal(token, stages_draw(a_alone, EIGHT));
        stages_history(a, &token, 1);
        stages_history(a_alone, &token, 1);
        token = stages_draw(b, EIGHT);
        assert_int_equal(token, wanted[i]);
        stages_history(b, &token, 1);
    }
}

/* software-mansion-labs/private-mind#255 */
static void sampler_is_not_seeded_again_for_each_token(void **state)
{
    sortes_sampler *s = stages_sampler("seed=8");
    const int32_t first = stages_draw(s, EIGHT);
    int different = 0;

    (void)state;
    for (int i = 0; i < 63; i++)
        different += stages_draw(s, EIGHT) != first;
    assert_true(different > 40);
}

/* ---- the same again ------------------------------------------------------ */

/* JamePeng/llama-cpp-python#84 */
static void sequence_after_reset_is_the_first_one(void **state)
{
    sortes_sampler *s = stages_sampler(
        "seed=5 top_k=6 temperature=1.5 repeat_penalty=1.3 repeat_last_n=4");
    float x[VOCAB];
    int32_t first[STEPS];

    (void)state;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < STEPS; i++) {
            int32_t token;

            rows_fill(x, VOCAB, ROWS_FLAT, (uint64_t)i);
            token = stages_draw(s, x, VOCAB);
            stages_history(s, &token, 1);
            if (round == 0)
                first[i] = token;
            assert_int_equal(token, first[i]);
        }
        assert_int_equal(sortes_sampler_reset(s), SORTES_OK);
    }
}

/*
 * ggml-org/llama.cpp#19981: whether the sampler or the logits were to blame
 * for another text can be told by playing the rows again.
 */
static void replay_tells_the_step_whose_logits_were_others(void **state)
{
    sortes_sampler *a = stages_sampler("seed=5 top_k=10");
    sortes_sampler *b = stages_sampler("seed=5 top_k=10");
    const int changed = 13;
    float x[VOCAB];

    (void)state;
    for (int i = 0; i <= changed; i++) {
        const sortes_row row = { x, VOCAB, SORTES_F32 };
        sortes_draw one, other;

        rows_fill(x, VOCAB, ROWS_FLAT, (uint64_t)i);
        assert_int_equal(sortes_sampler_sample(a, &row, &one), SORTES_OK);
        for (int j = 0; i == changed && j < VOCAB; j++)
            x[j] *= 1.0001f;
        assert_int_equal(sortes_sampler_sample(b, &row, &other), SORTES_OK);
        assert_int_equal(memcmp(&one, &other, sizeof(one)) == 0, i < changed);
    }
}

/* ---- the chain ----------------------------------------------------------- */

/* ggml-org/llama.cpp#4091: the temperature stands behind the filters. */
static void order_of_the_chain_can_be_read(void **state)
{
    sortes_sampler *s = stages_sampler("top_p=0.7 temperature=0.3");

    (void)state;
    assert_string_equal(stages_names(s, ROW(2, 1.5f, 0)),
                        "logits top_p temperature dist");
    /* .57 .35 .08: two are needed for .7; sharpened first, one would do. */
    stages_check_ids(stages_see(s, ROW(2, 1.5f, 0), "dist"), IDS(0, 1));
}

/* LostRuins/koboldcpp#2138: nothing acts that is not in the list. */
static void only_stages_in_the_list_act(void **state)
{
    const float x[] = { 2, 1, 0, -1, -2 };
    sortes_sampler *s = stages_sampler("temperature=2");
    const struct stage *seen = stages_see(s, x, 5, "dist");

    (void)state;
    assert_string_equal(stages_names(s, x, 5), "logits temperature dist");
    stages_check_ids(seen, IDS(0, 1, 2, 3, 4));
    stages_check_logits(seen, ROW(1, 0.5f, 0, -0.5f, -1));
}

/* ikawrakow/ik_llama.cpp#578 */
static void stages_that_are_off_can_be_reset_and_cloned(void **state)
{
    sortes_sampler *s = stages_sampler("repeat_last_n=0"), *copy;

    (void)state;
    stages_history(s, IDS(0, 1, 2));
    assert_int_equal(sortes_sampler_clone(&copy, s), SORTES_OK);
    assert_int_equal(sortes_sampler_reset(copy), SORTES_OK);
    stages_history(copy, IDS(2));
    assert_int_equal(stages_draw(copy, ROW(0, 99)), 1);
    sortes_sampler_free(copy);
    assert_int_equal(stages_draw(s, ROW(99, 0)), 0);
}

/* ---- narrow rows --------------------------------------------------------- */

/* microsoft/aici#19: halves are widened before anything is divided. */
static void halves_do_not_overflow_at_small_temperatures(void **state)
{
    static const sortes_dtype types[] = { SORTES_F16, SORTES_BF16 };
    sortes_sampler *s = stages_sampler("temperature=0.0001");
    sortes_draw draw;

    (void)state;
    for (int i = 0; i < 20; i++) {
        float x[] = { 3, -60000, 2.9f };
        uint16_t narrow[3];
        const sortes_row row = rows_as(x, narrow, 3, types[i % 2]);

        assert_int_equal(sortes_sampler_sample(s, &row, &draw), SORTES_OK);
        assert_int_equal(draw.token, 0);
        assert_int_equal(draw.n_candidates, 1);
    }
}

/* ---- which probabilities ------------------------------------------------- */

static void near(double a, double b)
{
    if (!(fabs(a - b) < 2e-6))
        fail_msg("%.9g is not near %.9g", a, b);
}

/*
 * ollama/ollama#16196, standardcompletions/rfcs#11, PrimeIntellect-ai/
 * prime-rl#697, vllm-project/vime#69: the model's own log-probabilities and the
 * chain's distribution are two calls, and neither is the other scaled.
 */
static void
logprobs_are_before_sampling_and_the_distribution_after(void **state)
{
    const float x[] = { 1, 0, -1 };
    const sortes_row row = { x, 3, SORTES_F32 };
    const double raw = -log(1 + exp(-1.0) + exp(-2.0));
    const double halved = -log(1 + exp(-2.0) + exp(-4.0));
    sortes_sampler *s = stages_sampler("temperature=0.5");
    float logprob, p[3];

    (void)state;
    assert_int_equal(sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW, 0,
                                             NULL, 0, &logprob),
                     SORTES_OK);
    assert_int_equal(sortes_sampler_distribution(s, &row, p), SORTES_OK);
    near((double)logprob, raw);
    near(log((double)p[0]), halved);
    assert_true(fabs(halved - raw / 0.5) > 0.1);

    s = stages_sampler("temperature=0");
    assert_int_equal(sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW, 0,
                                             NULL, 0, &logprob),
                     SORTES_OK);
    assert_int_equal(sortes_sampler_distribution(s, &row, p), SORTES_OK);
    near((double)logprob, raw);
    assert_true(p[0] == 1.0f && p[1] == 0.0f && p[2] == 0.0f);
}

/* meta-llama/llama#583 */
static void drawn_token_has_a_logprob_no_better_than_the_best(void **state)
{
    float x[VOCAB];
    sortes_logprob top[5];

    (void)state;
    for (uint64_t i = 0; i < 50; i++) {
        const sortes_row row = { x, VOCAB, SORTES_F32 };
        sortes_sampler *s = stages_sampler("temperature=1.5");
        float logprob;

        rows_fill(x, VOCAB, (enum rows_kind)(i % ROWS_N_KINDS), i);
        assert_int_equal(sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW,
                                                 stages_draw(s, x, VOCAB), top,
                                                 5, &logprob),
                         SORTES_OK);
        assert_true(logprob <= top[0].logprob);
        assert_true(top[4].logprob < 0); /* not all of them 0 */
        (void)stages_teardown(NULL);
    }
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(draws_only_what_it_should),
        CASE(batch_in_another_order_draws_the_same),
        CASE(batch_of_one_seed_draws_the_same_in_every_row),
        CASE(streams_of_different_seeds_differ),
        CASE(samplers_do_not_touch_one_another),
        CASE(sampler_is_not_seeded_again_for_each_token),
        CASE(sequence_after_reset_is_the_first_one),
        CASE(replay_tells_the_step_whose_logits_were_others),
        CASE(order_of_the_chain_can_be_read),
        CASE(only_stages_in_the_list_act),
        CASE(stages_that_are_off_can_be_reset_and_cloned),
        CASE(halves_do_not_overflow_at_small_temperatures),
        CASE(logprobs_are_before_sampling_and_the_distribution_after),
        CASE(drawn_token_has_a_logprob_no_better_than_the_best),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

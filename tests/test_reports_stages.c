/*
 * test_reports_stages.c - what users of other engines have run into with
 * single samplers, their order, thinking budgets and constraints
 *
 * As test_reports.c.  Where tokens of a seed are written out, libllama drew
 * them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler.h"
#include "dialect/llamacpp/chain.h"
#include "support/rows.h"
#include "support/rule.h"
#include "support/stages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define FALLING ROW(2, 1, 0, -1)

/* Draws and accepts; digits are the tokens. */
static void check_draws(sortes_sampler *s, const float *x, size_t n,
                        const char *digits)
{
    for (size_t i = 0; digits[i]; i++) {
        const int32_t token = stages_draw(s, x, n);

        if (token != digits[i] - '0')
            fail_msg("draw %zu is %d, not %c", i, (int)token, digits[i]);
        stages_accept(s, &token, 1);
    }
}

static void check_kept(const char *settings, const float *x, size_t n,
                       const int32_t *ids, size_t n_ids)
{
    stages_check_ids(stages_see(stages_sampler(settings), x, n, "dist"), ids,
                     n_ids);
}

/* ---- seeds --------------------------------------------------------------- */

/* abetlen/llama-cpp-python#386 */
static void seed_of_zero_is_fixed_and_only_the_last_is_random(void **state)
{
    sortes_sampler *s = stages_sampler("seed=0");

    (void)state;
    assert_int_equal(sortes_sampler_seed(s), 0);
    check_draws(s, FALLING, "011100000010");
    check_draws(stages_sampler("seed=0"), FALLING, "011100000010");
    check_draws(stages_sampler("seed=42"), FALLING, "101000000101");
    s = stages_sampler("seed=4294967295");
    assert_int_not_equal(sortes_sampler_seed(s), 4294967295);
}

/* redai-studio/Relax#271 */
static void largest_random_number_draws_nothing_forbidden(void **state)
{
    struct srt_llamacpp *chain = stages_chain("");
    sortes_draw draw;

    (void)state;
    stages_force(chain, UINT32_MAX, UINT32_MAX);
    assert_int_equal(
        stages_chain_draw(chain, ROW(4, 1, -INFINITY, -INFINITY), &draw),
        SORTES_OK);
    assert_int_equal(draw.token, 1);
    stages_force(chain, 0, 0);
    assert_int_equal(
        stages_chain_draw(chain, ROW(4, 1, -INFINITY, -INFINITY), &draw),
        SORTES_OK);
    assert_int_equal(draw.token, 0);
}

enum { STEPS = 20 };

/* JamePeng/llama-cpp-python#84: with every sampler that remembers. */
static void reset_and_clone_with_dry_and_xtc(void **state)
{
    sortes_sampler *s = stages_sampler_of(
        stages_words(),
        "seed=9 samplers=penalties;dry;xtc;temperature repeat_penalty=1.3 "
        "dry_multiplier=0.7 dry_allowed_length=1 xtc_probability=0.5 "
        "xtc_threshold=0.05 temperature=1.4");
    float x[N_WORDS];
    int32_t first[STEPS];

    (void)state;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < STEPS; i++) {
            sortes_sampler *copy;
            int32_t token;

            rows_fill(x, N_WORDS, ROWS_FLAT, (uint64_t)i);
            assert_int_equal(sortes_sampler_clone(&copy, s), SORTES_OK);
            token = stages_draw(s, x, N_WORDS);
            assert_int_equal(stages_draw(copy, x, N_WORDS), token);
            sortes_sampler_free(copy);
            stages_accept(s, &token, 1);
            if (round == 0)
                first[i] = token;
            assert_int_equal(token, first[i]);
        }
        assert_int_equal(sortes_sampler_reset(s), SORTES_OK);
    }
}

/* ---- order and names ----------------------------------------------------- */

/* ggml-org/llama.cpp#4091 */
static void temperature_stands_where_the_list_has_it(void **state)
{
    const char *last = "samplers=top_p;temperature top_p=0.7 temperature=0.5";
    const char *first = "samplers=temperature;top_p top_p=0.7 temperature=0.5";

    (void)state;
    assert_string_equal(stages_names(stages_sampler(first), FALLING),
                        "logits temperature top_p dist");
    /* .57 .35 .08, and .72 .27 .01 once it is sharpened */
    check_kept(last, ROW(2, 1.5f, 0), IDS(0, 1));
    check_kept(first, ROW(2, 1.5f, 0), IDS(0));
}

/* ggml-org/llama.cpp#15961 */
static void list_without_a_draw_draws(void **state)
{
    sortes_sampler *s =
        stages_sampler("samplers=top_k;top_p top_k=3 top_p=0.9");

    (void)state;
    assert_string_equal(stages_names(s, FALLING), "logits top_k top_p dist");
}

/* ggml-org/llama.cpp#11896 */
static void top_n_sigma_is_a_stage_beside_others(void **state)
{
    static const char list[] = "samplers=top_n_sigma;xtc;temperature "
                               "xtc_probability=1 xtc_threshold=0.3 "
                               "temperature=0.5 top_n_sigma=";
    char settings[160];
    sortes_sampler *s;

    (void)state;
    (void)snprintf(settings, sizeof(settings), "%s1", list);
    s = stages_sampler(settings);
    assert_string_equal(stages_names(s, ROW(3, 2.5f, 0, -1)),
                        "logits top_n_sigma xtc temperature dist");
    /* sigma 1.67; then .62 and .38 are both above XTC's threshold */
    stages_check_logits(stages_see(s, ROW(3, 2.5f, 0, -1), "top_n_sigma"),
                        ROW(3, 2.5f, -INFINITY, -INFINITY));
    check_draws(s, ROW(3, 2.5f, 0, -1), "11111111");
    stages_check_logits(stages_see(s, ROW(4, 2, 1, -INFINITY), "top_n_sigma"),
                        ROW(4, -INFINITY, -INFINITY, -INFINITY));
    for (int off = -1; off <= 0; off++) {
        (void)snprintf(settings, sizeof(settings), "%s%d", list, off);
        assert_string_equal(stages_names(stages_sampler(settings), FALLING),
                            "logits xtc temperature dist");
    }
}

/* LostRuins/koboldcpp#142 */
static void mirostat_takes_the_place_of_the_list(void **state)
{
    sortes_sampler *s =
        stages_sampler("seed=42 mirostat=2 mirostat_tau=5 top_k=1");

    (void)state;
    assert_string_equal(stages_names(s, FALLING), "logits mirostat_v2");
    check_draws(s, FALLING, "101000000101");
}

/* ggml-org/llama.cpp#3537 */
static void mirostat_keeps_two_streams_apart(void **state)
{
    static const int32_t tokens[] = { 2, 0, 2, 1, 0, 0, 1, 0, 0, 1 };
    static const uint64_t kept[] = { 4, 4, 4, 4, 4, 5, 5, 5, 6, 6 };
    sortes_sampler *s[2];
    float x[16];
    const sortes_row row = { x, 16, SORTES_F32 };

    (void)state;
    for (int i = 0; i < 16; i++)
        x[i] = 5 - 0.5f * (float)i;
    for (int i = 0; i < 2; i++)
        s[i] = stages_sampler(
            "seed=42 mirostat=2 mirostat_tau=2 mirostat_eta=0.5");
    for (size_t step = 0; step < SRT_COUNT(tokens); step++)
        for (int i = 0; i < 2; i++) {
            sortes_draw draw;

            assert_int_equal(sortes_sampler_sample(s[i], &row, &draw),
                             SORTES_OK);
            assert_int_equal(draw.token, tokens[step]);
            assert_int_equal(draw.n_candidates, kept[step]);
            stages_accept(s[i], &draw.token, 1);
        }
}

/* ---- filters ------------------------------------------------------------- */

/* vllm-project/vllm#48913: a nucleus of most of the row, all ties. */
static void nucleus_may_be_most_of_a_flat_row(void **state)
{
    static const float x[4096];
    const sortes_row row = { x, 4096, SORTES_F32 };
    size_t n;

    (void)state;
    assert_int_equal(sortes_sampler_kept(stages_sampler("top_p=0.9"), &row,
                                         NULL, NULL, 0, &n),
                     SORTES_OK);
    assert_int_equal(n, 3687);
    assert_int_equal(sortes_sampler_kept(stages_sampler("top_p=0.75"), &row,
                                         NULL, NULL, 0, &n),
                     SORTES_OK);
    assert_int_equal(n, 3072);
}

/* ml-explore/mlx-lm#1372: of .66 .24 .09 .005 */
static void xtc_leaves_what_its_threshold_says(void **state)
{
#define THE_ROW ROW(3, 2, 1, -2)
    (void)state;
    check_kept("xtc_probability=1 xtc_threshold=0", THE_ROW, IDS(3));
    check_kept("xtc_probability=1 xtc_threshold=0.08", THE_ROW, IDS(2, 3));
    check_kept("xtc_probability=1 xtc_threshold=0.2", THE_ROW, IDS(1, 2, 3));
    check_kept("xtc_probability=1 xtc_threshold=0.5", THE_ROW, IDS(0, 1, 2, 3));
    check_kept("xtc_probability=1 xtc_threshold=0.6", THE_ROW, IDS(0, 1, 2, 3));
    check_kept("xtc_probability=1", THE_ROW, IDS(1, 2, 3)); /* 0.1 */
#undef THE_ROW
}

/* huggingface/transformers#19839, ggml-org/llama.cpp#5388,
 * lmstudio-ai/lmstudio-bug-tracker#745 */
static void values_outside_their_bounds_are_refused(void **state)
{
    static const struct {
        const char *name;
        double value;
    } refused[] = {
        { "top_p", -0.1 }, { "top_p", 1.1 },        { "top_p", (double)NAN },
        { "top_k", -1 },   { "repeat_last_n", -2 }, { "temperature", -1 },
    };
    sortes_params *p = stages_params("");

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(refused); i++)
        assert_int_equal(sortes_params_set_number(p, refused[i].name,
                                                  refused[i].value, NULL),
                         SORTES_E_RANGE);
    sortes_params_free(p);
}

/* ---- rows that cannot be ------------------------------------------------- */

/* Every sampler alone in its chain. */
static const char *const alone[] = {
    "samplers=penalties repeat_penalty=1.5",
    "samplers=dry dry_multiplier=1",
    "samplers=top_n_sigma top_n_sigma=1",
    "samplers=top_k top_k=2",
    "samplers=typ_p typical_p=0.5",
    "samplers=top_p top_p=0.5",
    "samplers=min_p min_p=0.1",
    "samplers=xtc xtc_probability=1",
    "samplers=temperature temperature=0.5",
    "samplers=temperature temperature=0",
    "samplers=temperature dynatemp_range=0.5",
    "samplers=adaptive_p adaptive_target=0.3",
    "samplers=infill",
    "samplers=",
    "mirostat=1",
    "mirostat=2",
    "greedy=true",
};

static void check_refused(const float *x, size_t n, sortes_status status)
{
    for (size_t i = 0; i < SRT_COUNT(alone); i++) {
        sortes_sampler *s = stages_sampler_of(stages_words(), alone[i]);
        const sortes_status got = stages_try(s, x, n);

        if (got != status)
            fail_msg("%s: %s", alone[i], sortes_status_name(got));
        /* The next row is drawn from as if nothing had been. */
        assert_int_equal(
            stages_draw(s, ROW(1, 1, 1.5f, 1)),
            stages_draw(stages_sampler_of(stages_words(), alone[i]),
                        ROW(1, 1, 1.5f, 1)));
        (void)stages_teardown(NULL);
    }
}

/* ggml-org/llama.cpp#13405 */
static void nothing_to_draw_is_refused_by_every_chain(void **state)
{
    (void)state;
    check_refused(ROW(-INFINITY, -INFINITY, -INFINITY, -INFINITY),
                  SORTES_E_NO_TOKEN);
}

/* SkyTNT/midi-model#8, meta-llama/llama#380 */
static void nan_and_infinity_are_refused_by_every_chain(void **state)
{
    (void)state;
    check_refused(ROW(NAN, 1, 0, 0), SORTES_E_NOT_FINITE);
    check_refused(ROW(0, 1, NAN, 0), SORTES_E_NOT_FINITE);
    check_refused(ROW(INFINITY, 0, 0, 0), SORTES_E_NOT_FINITE);
}

/* ---- penalties and DRY --------------------------------------------------- */

/* NVIDIA/TensorRT-LLM#2486, software-mansion-labs/private-mind#255: once by
 * the repeat penalty, however often. */
static void penalties_follow_their_formula(void **state)
{
    sortes_sampler *s = stages_sampler(
        "repeat_penalty=2 frequency_penalty=0.5 presence_penalty=0.25");

    (void)state;
    stages_history(s, IDS(0, 1, 0));
    stages_check_logits(stages_see(s, ROW(4, -2, 1), "penalties"),
                        ROW(0.75f, -4.75f, 1));
}

/* huggingface/transformers#36642 */
static void penalties_look_at_prompt_and_answer(void **state)
{
    sortes_sampler *s = stages_sampler("repeat_penalty=2 presence_penalty=1");

    (void)state;
    stages_history(s, IDS(0));
    stages_check_logits(stages_see(s, ROW(4, 4, 4), "penalties"), ROW(1, 4, 4));
    stages_accept(s, IDS(2));
    stages_check_logits(stages_see(s, ROW(4, 4, 4), "penalties"), ROW(1, 4, 1));
}

/* lmstudio-ai/lmstudio-bug-tracker#745 */
static void penalties_end_where_the_window_does(void **state)
{
    char settings[64];

    (void)state;
    for (int last_n = 0; last_n <= 6; last_n++) {
        sortes_sampler *s;

        (void)snprintf(settings, sizeof(settings),
                       "temperature=0 repeat_penalty=3 repeat_last_n=%d",
                       last_n);
        s = stages_sampler(settings);
        stages_history(s, IDS(0, 2, 2, 3, 4, 3));
        assert_int_equal(stages_draw(s, ROW(2, 1.5f, 0, 0, 0)), last_n == 6);
    }
}

/* ggml-org/llama.cpp#10803 */
static void penalties_behind_a_cut_see_what_is_left(void **state)
{
    sortes_sampler *s =
        stages_sampler("samplers=top_k;penalties top_k=2 repeat_penalty=2");
    const struct stage *seen;

    (void)state;
    stages_history(s, IDS(2, 0));
    seen = stages_see(s, ROW(3, 2, -1, 1), "penalties");
    stages_check_ids(seen, IDS(0, 1));
    stages_check_logits(seen, ROW(1.5f, 2));
}

static const float zeros[N_WORDS];

/* Only `token` loses anything, and that much. */
static void check_dry(const char *settings, const int32_t *history, size_t n,
                      int32_t token, float loss)
{
    char all[256];
    float wanted[N_WORDS] = { 0 };
    sortes_sampler *s;

    (void)snprintf(all, sizeof(all), "dry_multiplier=0.5 dry_base=2 %s",
                   settings);
    s = stages_sampler_of(stages_words(), all);
    stages_history(s, history, n);
    wanted[token] -= loss;
    stages_check_logits(stages_see(s, zeros, N_WORDS, "dist"), wanted, N_WORDS);
}

/* LostRuins/koboldcpp#1078 */
static void dry_costs_by_the_length_of_the_repetition(void **state)
{
#define TWICE IDS(WORD_A, WORD_B, WORD_C, WORD_A, WORD_B)
    (void)state;
    check_dry("", TWICE, WORD_C, 0.5f);
    check_dry("", IDS(WORD_A, WORD_B, WORD_C, WORD_D, WORD_A, WORD_B, WORD_C),
              WORD_D, 1);
    check_dry("", IDS(WORD_A, WORD_A, WORD_A, WORD_A, WORD_A), WORD_A, 2);
    check_dry("dry_allowed_length=3", TWICE, WORD_C, 0);
    check_dry("dry_penalty_last_n=3", TWICE, WORD_C, 0);
    check_dry("dry_base=0.5", TWICE, WORD_C, 0);
#undef TWICE
}

/* LostRuins/koboldcpp#943 */
static void dry_does_not_look_across_a_breaker(void **state)
{
#define LINES                                                                  \
    IDS(WORD_A, WORD_B, WORD_NEWLINE, WORD_C, WORD_A, WORD_B, WORD_NEWLINE)
    (void)state;
    check_dry("dry_sequence_breakers=\\n", LINES, WORD_C, 0);
    check_dry("dry_sequence_breakers=", LINES, WORD_C, 1);
#undef LINES
}

/* ---- thinking budgets ---------------------------------------------------- */

/* The model thinks for ever: it says `a`, and nothing else. */
static void check_thought(const char *settings, const int32_t *opened,
                          size_t n_opened, const int32_t *wanted,
                          size_t n_wanted)
{
    static const float thinks[N_WORDS] = { [WORD_A] = 90 };
    sortes_sampler *s = stages_sampler_of(stages_words(), settings);

    stages_accept(s, opened, n_opened);
    for (size_t i = 0; i < n_wanted; i++) {
        const int32_t token = stages_draw(s, thinks, N_WORDS);

        if (token != wanted[i])
            fail_msg("%s: token %zu is %d", settings, i, (int)token);
        stages_accept(s, &token, 1);
    }
}

#define BUDGET(n)                                                              \
    "reasoning_budget_start_tag=<think> reasoning_budget_end_tags=</think> "   \
    "reasoning_budget_message= reasoning_budget_tokens=" #n

/* sgl-project/sglang#25536, vllm-project/vllm#20859 */
static void budget_counts_from_none_to_no_limit(void **state)
{
    (void)state;
    check_thought(BUDGET(3), IDS(WORD_THINK),
                  IDS(WORD_A, WORD_A, WORD_A, WORD_THOUGHT, WORD_A));
    check_thought(BUDGET(0), IDS(WORD_THINK), IDS(WORD_THOUGHT, WORD_A));
    check_thought(BUDGET(1), IDS(WORD_THINK), IDS(WORD_A, WORD_THOUGHT));
    check_thought(BUDGET(-1), IDS(WORD_THINK),
                  IDS(WORD_A, WORD_A, WORD_A, WORD_A, WORD_A, WORD_A));
    check_thought("", IDS(WORD_THINK),
                  IDS(WORD_A, WORD_A, WORD_A, WORD_A, WORD_A, WORD_A));
}

/*
 * ggml-org/llama.cpp#17750: no cut inside a character.  llama.cpp judges each
 * token by itself, so one that only ends a character is not whole yet.
 */
static void budget_says_its_message_behind_a_whole_character(void **state)
{
    static const char settings[] = "reasoning_budget_start_tag=<think> "
                                   "reasoning_budget_end_tags=</think>: "
                                   "reasoning_budget_message=!* "
                                   "reasoning_budget_tokens=2";

    (void)state;
    check_thought(
        settings, IDS(WORD_THINK, WORD_B, WORD_LEAD, WORD_TRAIL),
        IDS(WORD_A, WORD_BANG, WORD_STAR, WORD_THOUGHT, WORD_COLON, WORD_A));
    check_thought(settings, IDS(WORD_THINK, WORD_B, WORD_ACUTE),
                  IDS(WORD_BANG, WORD_STAR, WORD_THOUGHT, WORD_COLON, WORD_A));
}

/* Blaizzy/mlx-vlm#637 */
static void budget_takes_any_tags(void **state)
{
    (void)state;
    check_thought("reasoning_budget_start_tag=:! reasoning_budget_end_tags=*: "
                  "reasoning_budget_message= reasoning_budget_tokens=2",
                  IDS(WORD_COLON, WORD_BANG),
                  IDS(WORD_A, WORD_A, WORD_STAR, WORD_COLON, WORD_A));
}

/* ---- constraints --------------------------------------------------------- */

/* SciSharp/LLamaSharp#1109 */
static void redraw_takes_the_next_number_of_the_same_generator(void **state)
{
#define LEVEL ROW(0, 0, 0, 0)
    const float x[] = { 0, 0, 0, 0 };
    const sortes_row row = { x, 4, SORTES_F32 };
    sortes_sampler *s = rule_sampler(rule_of(1 << 1), "seed=42");
    sortes_draw draw;

    (void)state;
    check_draws(stages_sampler("seed=42"), LEVEL, "303210");
    assert_int_equal(sortes_sampler_sample(s, &row, &draw), SORTES_OK);
    assert_int_equal(draw.token, 1); /* 3 was not allowed */
    assert_int_equal(draw.flags, SORTES_DRAW_REDRAWN);
    assert_int_equal(sortes_sampler_set_constraint(s, NULL), SORTES_OK);
    check_draws(s, LEVEL, "3210"); /* two numbers are gone */
    s = rule_sampler(rule_of(1 << 3), "seed=42");
    assert_int_equal(sortes_sampler_sample(s, &row, &draw), SORTES_OK);
    assert_int_equal(draw.token, 3);
    assert_int_equal(draw.flags, 0);
    assert_int_equal(sortes_sampler_set_constraint(s, NULL), SORTES_OK);
    check_draws(s, LEVEL, "03210"); /* one is */
#undef LEVEL
}

/* ggml-org/llama.cpp#11591 */
static void redraw_masks_before_the_chain_cuts(void **state)
{
    const float x[] = { 9, 1, 0 };
    const sortes_row row = { x, 3, SORTES_F32 };
    sortes_draw draw;

    (void)state;
    assert_int_equal(sortes_sampler_sample(
                         rule_sampler(rule_of(1 << 1), "top_k=1"), &row, &draw),
                     SORTES_OK);
    assert_int_equal(draw.token, 1);
    assert_int_equal(draw.flags, SORTES_DRAW_REDRAWN);
}

/* Every sampler of a batch draws from its own half of the row. */
static void check_batch(sortes_sampler *const *s, const uint64_t *sets,
                        sortes_sampler *free_alone, size_t free_at, size_t n)
{
    float x[3][8];
    sortes_row rows[3];
    sortes_draw draws[3];

    for (uint64_t step = 0; step < STEPS; step++) {
        for (size_t i = 0; i < n; i++) {
            rows_fill(x[i], 8, ROWS_FLAT, step);
            rows[i] = (sortes_row){ x[i], 8, SORTES_F32 };
        }
        assert_int_equal(
            sortes_sampler_sample_batch(s, rows, draws, NULL, n, NULL, NULL),
            SORTES_OK);
        for (size_t i = 0; i < n; i++) {
            assert_true(sets[i] >> draws[i].token & 1);
            stages_accept(s[i], &draws[i].token, 1);
        }
        assert_int_equal(draws[free_at].token,
                         stages_draw(free_alone, x[free_at], 8));
    }
}

/* sgl-project/sglang#1296 */
static void batch_keeps_each_constraint_with_its_row(void **state)
{
    static const uint64_t sets[] = { 0x0f, 0xff, 0xf0 };
    sortes_sampler *s[] = { rule_sampler(rule_of(sets[0]), "seed=1"),
                            stages_sampler("seed=2"),
                            rule_sampler(rule_of(sets[2]), "seed=3") };
    sortes_sampler *free_alone = stages_sampler("seed=2");

    (void)state;
    check_batch(s, sets, free_alone, 1, 3);
    check_batch(s + 1, sets + 1, free_alone, 0, 2); /* the first has ended */
}

/* ---- log-probabilities --------------------------------------------------- */

/* abetlen/llama-cpp-python#349 */
static void logprobs_have_their_normaliser(void **state)
{
    const float x[] = { 2, 1, 0, -1 };
    const sortes_row row = { x, 4, SORTES_F32 };
    sortes_logprob top[4];
    float logprob;
    double sum = 0;

    (void)state;
    assert_int_equal(sortes_sampler_logprobs(stages_sampler("temperature=0.3"),
                                             &row, SORTES_LOGPROBS_RAW, 1, top,
                                             4, &logprob),
                     SORTES_OK);
    assert_true(fabs((double)logprob - -1.4401897) < 1e-6);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(top[i].token, i);
        sum += exp((double)top[i].logprob);
    }
    assert_true(fabs(sum - 1) < 1e-6);
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(seed_of_zero_is_fixed_and_only_the_last_is_random),
        CASE(largest_random_number_draws_nothing_forbidden),
        CASE(reset_and_clone_with_dry_and_xtc),
        CASE(temperature_stands_where_the_list_has_it),
        CASE(list_without_a_draw_draws),
        CASE(top_n_sigma_is_a_stage_beside_others),
        CASE(mirostat_takes_the_place_of_the_list),
        CASE(mirostat_keeps_two_streams_apart),
        CASE(nucleus_may_be_most_of_a_flat_row),
        CASE(xtc_leaves_what_its_threshold_says),
        CASE(values_outside_their_bounds_are_refused),
        CASE(nothing_to_draw_is_refused_by_every_chain),
        CASE(nan_and_infinity_are_refused_by_every_chain),
        CASE(penalties_follow_their_formula),
        CASE(penalties_look_at_prompt_and_answer),
        CASE(penalties_end_where_the_window_does),
        CASE(penalties_behind_a_cut_see_what_is_left),
        CASE(dry_costs_by_the_length_of_the_repetition),
        CASE(dry_does_not_look_across_a_breaker),
        CASE(budget_counts_from_none_to_no_limit),
        CASE(budget_says_its_message_behind_a_whole_character),
        CASE(budget_takes_any_tags),
        CASE(redraw_takes_the_next_number_of_the_same_generator),
        CASE(redraw_masks_before_the_chain_cuts),
        CASE(batch_keeps_each_constraint_with_its_row),
        CASE(logprobs_have_their_normaliser),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_reports_mlxlm.c - what users of MLX's engines have run into, and here
 * cannot
 *
 * As test_reports.c, for the mlx-lm dialect.  The inputs are our own.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/mlxlm.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

/* Which tokens a stage leaves. */
struct left {
    const char *shows, *seen; /* repository#issue */
    const char *request, *stage;
    float logits[5];
    uint64_t kept;
};

static const struct left left_rows[] = {
    { "top_p keeps the likely end",
      "mlx-examples#602",
      "{\"temp\":1,\"top_p\":0.55}",
      "top_p",
      { -1.6f, -3, -0.7f, -2.3f, -2.4f },
      1 | 4 },
    { "a small top_p keeps the best",
      "mlx-lm#1912",
      "{\"temp\":1,\"top_p\":1e-8}",
      "top_p",
      { 0, 0.5f, 1, 0.5f, 0 },
      4 },
    { "xtc with a threshold of 0 spares the least likely",
      "mlx-lm#1372",
      "{\"temp\":1,\"xtc_probability\":1.0,\"xtc_threshold\":0.0}",
      "xtc",
      { 3, 1, 2, -1, 0 },
      8 },
    { "xtc with its default threshold spares more",
      "mlx-lm#1372",
      "{\"temp\":1,\"xtc_probability\":1.0}",
      "xtc",
      { 3, 1, 2, -1, 0 },
      2 | 4 | 8 | 16 },
    { "the temperature does not move top_p's line",
      "llama.cpp#4091",
      "{\"temp\":0.25,\"top_p\":0.7}",
      "temperature",
      { 3, 2, 1, 0, -1 },
      1 | 2 },
    { "top_k before nothing: equals go by id",
      "mlx-lm#388",
      "{\"temp\":1,\"top_p\":0.9,\"top_k\":2}",
      "top_k",
      { 1, 1, 1, 1, 1 },
      1 | 2 },
};

static void filters_leave_what_was_asked_for(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(left_rows) / sizeof(left_rows[0]); i++) {
        const struct left *r = &left_rows[i];
        const uint64_t kept = mlxlm_kept(
            mlxlm_explain(mlxlm_sampler(r->request), r->logits, 5, SORTES_F32),
            r->stage);

        if (kept != r->kept)
            fail_msg("%s (%s): %llx", r->shows, r->seen,
                     (unsigned long long)kept);
    }
}

/* top_p 0 and 1, transformers#19839: off, and nothing outside is let in. */
static void top_p_of_0_and_1_is_off(void **state)
{
    static const char *const off[] = { "{\"temp\":1,\"top_p\":0}",
                                       "{\"temp\":1,\"top_p\":0.0}",
                                       "{\"temp\":1,\"top_p\":1}" };
    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(
            mlxlm_kept(mlxlm_explain(mlxlm_sampler(off[i]), MLXLM_ROW(9, 1, -5),
                                     SORTES_F32),
                       "temperature"),
            7);
    mlxlm_check_refused("{\"top_p\":-0.1}", SORTES_E_RANGE,
                        "top_p must be at least 0");
    mlxlm_check_refused("{\"top_p\":1.1}", SORTES_E_RANGE,
                        "top_p must be at most 1");
}

/* private-mind#255: one generator for the whole answer. */
static void draws_are_not_seeded_anew_each_step(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{\"temp\":1,\"seed\":42}");
    uint64_t seen = 0;

    (void)state;
    for (int i = 0; i < 64; i++)
        seen |= (uint64_t)1
                << mlxlm_draw(s, MLXLM_ROW(1, 1, 1, 1), SORTES_F32).token;
    assert_int_equal(seen, 15);
}

/* private-mind#255: once for each token, however often it came. */
static void repetition_counts_a_token_once(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{\"repetition_penalty\":2}");

    (void)state;
    mlxlm_accept(s, SORTES_PROMPT, 4, (const int32_t[]){ 0, 0, 0, 1 });
    mlxlm_check_stage(mlxlm_explain(s, MLXLM_ROW(6, -1, 3), SORTES_F32),
                      "repetition_penalty", MLXLM_ROW(3, -2, 3));
}

/* transformers#36642: the prompt counts, for all three. */
static void the_prompt_is_in_the_windows(void **state)
{
    sortes_sampler *s =
        mlxlm_sampler("{\"repetition_penalty\":2,\"presence_penalty\":1,"
                      "\"frequency_penalty\":0.5}");

    (void)state;
    mlxlm_accept(s, SORTES_PROMPT, 1, (const int32_t[]){ 0 });
    mlxlm_check_stage(mlxlm_explain(s, MLXLM_ROW(4, 1), SORTES_F32),
                      "frequency_penalty", MLXLM_ROW(0.5f, 1));
}

/* omlx#3011: a loop longer than the window is reached by a wider one. */
static void a_longer_loop_needs_a_longer_window(void **state)
{
    sortes_sampler *narrow = mlxlm_sampler("{\"presence_penalty\":1}");
    sortes_sampler *wide =
        mlxlm_sampler("{\"presence_penalty\":1,\"presence_context_size\":0}");
    int32_t loop[30];

    (void)state;
    for (int i = 0; i < 30; i++)
        loop[i] = i;
    mlxlm_accept(narrow, SORTES_GENERATED, 30, loop);
    mlxlm_accept(wide, SORTES_GENERATED, 30, loop);
    assert_true(mlxlm_explain(narrow, (const float[32]){ 0 }, 32, SORTES_F32)
                    ->stages[1]
                    .logit[0] == 0);
    assert_true(mlxlm_explain(wide, (const float[32]){ 0 }, 32, SORTES_F32)
                    ->stages[1]
                    .logit[0] == -1);
}

/* mlx-lm#1377: refused, in each way that it can be asked. */
static void top_k_of_the_vocabulary_is_refused(void **state)
{
    sortes_sampler *s = mlxlm_sampler("{\"temp\":1,\"top_k\":3}");

    (void)state;
    assert_int_equal(mlxlm_draw_status(s, MLXLM_ROW(1, 2, 3), SORTES_F32),
                     SORTES_E_RANGE);
    assert_int_equal(mlxlm_draw_status(s, MLXLM_ROW(1, 2, 3, 4), SORTES_F32),
                     SORTES_OK);
}

/* mlx-lm#1245, mlx-vlm#1818: a seed is the request's own; none is random. */
static void seeds_are_each_requests_own(void **state)
{
    sortes_sampler *a = mlxlm_sampler("{\"temp\":1,\"seed\":7}");
    sortes_sampler *b = mlxlm_sampler("{\"temp\":1,\"seed\":7}");
    sortes_sampler *c = mlxlm_sampler("{\"temp\":1}");
    sortes_sampler *d = mlxlm_sampler("{\"temp\":1}");
    int differ = 0;

    (void)state;
    for (int i = 0; i < 40; i++) {
        static const float row[16] = { 0 };
        const int32_t token = mlxlm_draw(a, row, 16, SORTES_F32).token;

        /* what others draw in between does not matter */
        differ += mlxlm_draw(c, row, 16, SORTES_F32).token !=
                  mlxlm_draw(d, row, 16, SORTES_F32).token;
        assert_int_equal(mlxlm_draw(b, row, 16, SORTES_F32).token, token);
    }
    assert_true(differ > 0);
}

/* llama-cpp-python#349: minus the log of the sum, and of this very token. */
static void logprobs_are_normalised(void **state)
{
    static const float x[] = { 0.5f, 2, -1, 1 };
    const sortes_row row = mlxlm_row(x, 4, SORTES_F32);
    sortes_sampler *s = mlxlm_sampler("{\"temp\":0.3}");
    double sum = 0, all = 0;

    (void)state;
    for (int i = 0; i < 4; i++)
        sum += exp((double)x[i]);
    for (int32_t i = 0; i < 4; i++) {
        float own;

        assert_int_equal(sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW,
                                                 i, NULL, 0, &own),
                         SORTES_OK);
        assert_true(fabs((double)own - ((double)x[i] - log(sum))) < 1e-5);
        all += exp((double)own);
    }
    assert_true(fabs(all - 1) < 1e-5);
}

/* mlx-lm#1007: not passed over in silence. */
static void what_is_not_done_is_refused_by_name(void **state)
{
    (void)state;
    mlxlm_check_refused("{\"response_format\":{\"type\":\"json_object\"}}",
                        SORTES_E_NAME, "field 'response_format' is unknown");
    mlxlm_check_refused("{\"temperatur\":1}", SORTES_E_NAME,
                        "field 'temperatur' is unknown; did you mean "
                        "'temperature'?");
}

/* Nothing is asked for: asking for nothing costs nothing and changes nothing.
 */
static void what_is_off_leaves_no_trace(void **state)
{
    sortes_sampler *bare = mlxlm_sampler("{\"temp\":0.9,\"seed\":8}");
    sortes_sampler *off = mlxlm_sampler(
        "{\"temp\":0.9,\"seed\":8,\"top_p\":1,\"min_p\":0,\"top_k\":0,"
        "\"xtc_probability\":0.0,\"repetition_penalty\":0,"
        "\"presence_penalty\":0,\"frequency_penalty\":0,\"logit_bias\":{}}");
    float x[40];

    (void)state;
    assert_int_equal(sortes_sampler_set_constraint(off, NULL), SORTES_OK);
    for (uint64_t i = 0; i < 200; i++) {
        rows_fill(x, 40, (enum rows_kind)(i % ROWS_N_KINDS), i);
        const sortes_draw a = mlxlm_draw(bare, x, 40, SORTES_F32);
        const sortes_draw b = mlxlm_draw(off, x, 40, SORTES_F32);

        assert_memory_equal(&a, &b, sizeof(a));
        mlxlm_accept(bare, SORTES_GENERATED, 1, &a.token);
        mlxlm_accept(off, SORTES_GENERATED, 1, &b.token);
    }
    assert_int_equal(mlxlm_explain(off, x, 40, SORTES_F32)->n, 4);
}

#define WITH_TEARDOWN(test) cmocka_unit_test_teardown(test, mlxlm_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TEARDOWN(filters_leave_what_was_asked_for),
        WITH_TEARDOWN(top_p_of_0_and_1_is_off),
        WITH_TEARDOWN(draws_are_not_seeded_anew_each_step),
        WITH_TEARDOWN(repetition_counts_a_token_once),
        WITH_TEARDOWN(the_prompt_is_in_the_windows),
        WITH_TEARDOWN(a_longer_loop_needs_a_longer_window),
        WITH_TEARDOWN(top_k_of_the_vocabulary_is_refused),
        WITH_TEARDOWN(seeds_are_each_requests_own),
        WITH_TEARDOWN(logprobs_are_normalised),
        WITH_TEARDOWN(what_is_not_done_is_refused_by_name),
        WITH_TEARDOWN(what_is_off_leaves_no_trace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

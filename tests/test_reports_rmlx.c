/*
 * test_reports_rmlx.c - what users of other engines have run into, for rmlx
 *
 * As test_reports.c; the inputs are our own.  Drafts: tests/speculate; end
 * tokens: test_model_tokens.c; log-probabilities: dialect/rmlx.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/dialects.h"
#include "support/rows.h"
#include "support/stages.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

/* The ids that are left, lowest bit for id 0. */
static uint64_t kept(const char *settings, const float *x, size_t n)
{
    sortes_sampler *s = dialects_sampler("rmlx", NULL, settings);
    const sortes_row row = { x, n, SORTES_F32 };
    int32_t tokens[64];
    uint64_t ids = 0;
    size_t n_kept;

    assert_int_equal(sortes_sampler_kept(s, &row, tokens, NULL, 64, &n_kept),
                     SORTES_OK);
    for (size_t i = 0; i < n_kept; i++)
        ids |= (uint64_t)1 << tokens[i];
    sortes_sampler_free(s);
    return ids;
}

/* llama.cpp#4091: temperature first, so the nucleus is the tempered one. */
static void the_temperature_moves_the_nucleus(void **state)
{
    (void)state;
    assert_int_equal(kept("temperature=0.4 top_p=0.8", ROW(5, 4, 3)), 1);
    assert_int_equal(kept("temperature=1 top_p=0.8", ROW(5, 4, 3)), 1 | 2);
}

/* transformers#19839, mlx-examples#602: 0 and 1 are off, the likely end is
 * kept, and what is out of range is refused. */
static void top_p_at_its_ends(void **state)
{
    sortes_params *p = dialects_params("rmlx", "");
    sortes_error err;

    (void)state;
    assert_int_equal(kept("top_p=0", ROW(3, 1, 0, -2)), 15);
    assert_int_equal(kept("top_p=1", ROW(3, 1, 0, -2)), 15);
    assert_int_equal(kept("top_p=0.6", ROW(-2, -1.5f, -1.2f, -0.9f)), 4 | 8);
    assert_int_equal(sortes_params_set_number(p, "top_p", 1.1, &err),
                     SORTES_E_RANGE);
    assert_int_equal(sortes_params_set_number(p, "top_p", -0.1, &err),
                     SORTES_E_RANGE);
    assert_int_equal(sortes_params_set_number(p, "top_p", NAN, &err),
                     SORTES_E_RANGE);
    sortes_params_free(p);
}

/* Bad numbers by the typed setters: refused, whatever the engine would do. */
static void bad_numbers_are_refused(void **state)
{
    static const struct {
        const char *name, *text;
    } rows[] = { { "repetition_penalty", "0" },
                 { "repetition_penalty", "-1" },
                 { "temperature", "-0.5" },
                 { "min_p", "1.5" },
                 { "top_k", "-1" },
                 { "presence_penalty", "inf" },
                 { "frequency_penalty", "-inf" },
                 { "top_logprobs", "21" },
                 { "thinking_budget", "-2" } };
    sortes_params *p = dialects_params("rmlx", "");
    sortes_error err;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        if (sortes_params_set_text(p, rows[i].name, rows[i].text, &err) !=
            SORTES_E_RANGE)
            fail_msg("%s=%s: %s", rows[i].name, rows[i].text, err.text);
        assert_non_null(strstr(err.text, "out of range"));
    }
    assert_int_equal(sortes_params_set_text(p, "logit_bias", "3+nan", &err),
                     SORTES_E_SYNTAX);
    assert_int_equal(sortes_params_set_text(p, "logit_bias", "3+inf", &err),
                     SORTES_E_SYNTAX);
    assert_int_equal(sortes_params_set_text(p, "logit_bias", "-3+1", &err),
                     SORTES_E_SYNTAX);
    sortes_params_free(p);
}

/* A top_k of the vocabulary or more is off; a bias beyond it does nothing. */
static void beyond_the_vocabulary(void **state)
{
    (void)state;
    assert_int_equal(kept("top_k=3", ROW(3, 1, 0)), 7);
    assert_int_equal(kept("top_k=2147483647", ROW(3, 1, 0)), 7);
    assert_int_equal(kept("logit_bias=3+5,2147483647-inf", ROW(3, 1, 0)), 7);
    assert_int_equal(kept("logit_bias=1-inf", ROW(3, 1, 0)), 1 | 4);
}

/* private-mind#255: one generator for the whole sequence, one penalty a
 * token. */
static void draws_and_penalties_are_not_repeated(void **state)
{
    sortes_sampler *s = dialects_sampler("rmlx", NULL, "seed=42");
    size_t seen[5] = { 0 };

    (void)state;
    for (int i = 0; i < 80; i++)
        seen[dialects_draw(s, ROW(1, 1, 1, 1, 1))]++;
    for (int i = 0; i < 5; i++)
        assert_true(seen[i] > 0);
    sortes_sampler_free(s);
    s = dialects_sampler("rmlx", NULL, "temperature=0 repetition_penalty=2");
    dialects_accept(s, IDS(0, 0, 0, 0), SORTES_GENERATED);
    assert_int_equal(dialects_draw(s, ROW(9, 4.4f)), 0); /* 4.5, not 0.56 */
    sortes_sampler_free(s);
}

/* ollama#17679: nothing is penalised that nobody asked for. */
static void defaults_are_identities(void **state)
{
    sortes_sampler *s = dialects_sampler("rmlx", NULL, "temperature=0");

    (void)state;
    dialects_accept(s, IDS(0, 0), SORTES_GENERATED);
    assert_int_equal(dialects_draw(s, ROW(2.1f, 2)), 0);
    sortes_sampler_free(s);
}

/* omlx#1330, vLLM#27077: temperature 0 draws no number, -0 is 0, and a tiny
 * temperature still makes sense. */
static void greedy_is_told_by_the_temperature(void **state)
{
    sortes_sampler *s = dialects_sampler("rmlx", NULL, "temperature=-0 seed=4");
    sortes_sampler *tiny = dialects_sampler("rmlx", NULL, "temperature=1e-9");

    (void)state;
    for (int i = 0; i < 10; i++) {
        assert_int_equal(dialects_draw(s, ROW(2, 5, 1)), 1);
        assert_int_equal(dialects_draw(tiny, ROW(2, 5, 1)), 1);
    }
    sortes_sampler_free(s);
    sortes_sampler_free(tiny);
}

/* ---- reasoning and answer ------------------------------------------------ */

struct both {
    char answer[128], reasoning[128];
};

static void take(void *ctx, int thinking, const char *text, size_t n)
{
    struct both *b = ctx;

    strncat(thinking ? b->reasoning : b->answer, text, n);
}

static void split(const sortes_think_desc *desc, const char *prompt,
                  const char *const *pieces, size_t n, struct both *out)
{
    sortes_think *t;

    memset(out, 0, sizeof(*out));
    assert_int_equal(sortes_think_new(&t, desc, NULL), SORTES_OK);
    sortes_think_prompt(t, prompt, strlen(prompt));
    for (size_t i = 0; i < n; i++)
        sortes_think_step(t, pieces[i], strlen(pieces[i]), take, out);
    sortes_think_finish(t, take, out);
    sortes_think_free(t);
}

/* mlx-serve#331, omlx#2744: the prompt says where the stream begins. */
static void the_prompt_says_which_channel_is_open(void **state)
{
    static const char *const closed[] = { "y", "</think>", "[4]" };
    static const char *const never[] = { "[4", "]" };
    const sortes_think_desc desc = { sizeof(desc), NULL, NULL, -1, 0 };
    struct both b;

    (void)state;
    split(&desc, "bot\n<think>", closed, 3, &b);
    assert_string_equal(b.reasoning, "y");
    assert_string_equal(b.answer, "[4]");
    split(&desc, "bot\n<think>", never, 2, &b);
    assert_string_equal(b.reasoning, "[4]");
    assert_string_equal(b.answer, "");
    split(&desc, "bot\n<think>\n\n</think>\n", never, 2, &b);
    assert_string_equal(b.reasoning, "");
    assert_string_equal(b.answer, "[4]");
}

/* mlx-vlm#637: any pair of tags, of any length in tokens. */
static void any_tags_and_a_budget(void **state)
{
    static const char *const pieces[] = { "a", "<rea",         "soning>", "b",
                                          "c", "</reasoning>", "d" };
    const sortes_think_desc desc = { sizeof(desc), "<reasoning>",
                                     "</reasoning>", 2, 0 };
    struct both b;
    sortes_think *t;
    int closes = 0;

    (void)state;
    split(&desc, "", pieces, 7, &b);
    assert_string_equal(b.reasoning, "bc");
    assert_string_equal(b.answer, "ad");
    assert_int_equal(sortes_think_new(&t, &desc, NULL), SORTES_OK);
    for (size_t i = 0; i < 7; i++) {
        sortes_think_step(t, pieces[i], strlen(pieces[i]), NULL, NULL);
        if (sortes_think_take_close(t)) {
            closes++;
            assert_int_equal(i, 4); /* the third open piece */
        }
    }
    assert_int_equal(closes, 1);
    sortes_think_free(t);
}

/* ---- batches ------------------------------------------------------------- */

/* 1Cat-vLLM#656: rows of a batch do not touch one another. */
static void batches_draw_what_single_calls_draw(void **state)
{
    enum { N = 6, TOKENS = 300 };
    static float x[N][TOKENS];
    sortes_sampler *batch[N], *single[N];
    sortes_row rows[N];
    sortes_draw draws[N];

    (void)state;
    for (size_t i = 0; i < N; i++) {
        char settings[64] = "temperature=1.2 top_k=50 seed=0";

        settings[strlen(settings) - 1] = (char)('1' + i);
        batch[i] = dialects_sampler("rmlx", NULL, settings);
        single[i] = dialects_sampler("rmlx", NULL, settings);
        rows_fill(x[i], TOKENS, ROWS_FLAT, i);
        rows[i] = (sortes_row){ x[i], TOKENS, SORTES_F32 };
    }
    for (int step = 0; step < 20; step++) {
        assert_int_equal(sortes_sampler_sample_batch(batch, rows, draws, NULL,
                                                     N, NULL, NULL),
                         SORTES_OK);
        for (size_t i = 0; i < N; i++)
            assert_int_equal(draws[i].token,
                             dialects_draw(single[i], x[i], TOKENS));
    }
    for (size_t i = 0; i < N; i++) {
        sortes_sampler_free(batch[i]);
        sortes_sampler_free(single[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_temperature_moves_the_nucleus),
        cmocka_unit_test(top_p_at_its_ends),
        cmocka_unit_test(bad_numbers_are_refused),
        cmocka_unit_test(beyond_the_vocabulary),
        cmocka_unit_test(draws_and_penalties_are_not_repeated),
        cmocka_unit_test(defaults_are_identities),
        cmocka_unit_test(greedy_is_told_by_the_temperature),
        cmocka_unit_test(the_prompt_says_which_channel_is_open),
        cmocka_unit_test(any_tags_and_a_budget),
        cmocka_unit_test(batches_draw_what_single_calls_draw),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_chain.c - the chain as a whole: its stages, its state, its refusals
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

enum { WIDE = 3000 };

#define TEN ROW(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

static const struct srt_dialect *dialect(void)
{
    return srt_dialect_find("llama.cpp");
}

/* ---- the stages ---------------------------------------------------------- */

static void stages_stand_in_the_engines_order(void **state)
{
    sortes_sampler *s = stages_sampler(
        "temperature=0.5 min_p=0.1 top_p=0.5 top_k=3 repeat_penalty=1.1 "
        "logit_bias=1+1");

    (void)state;
    assert_string_equal(stages_names(s, ROW(1, 2, 3)),
                        "logits logit_bias penalties top_k top_p min_p "
                        "temperature dist");
}

static void stages_that_are_off_are_not_there(void **state)
{
    (void)state;
    assert_string_equal(stages_names(stages_sampler(""), ROW(1, 2)),
                        "logits dist");
    assert_string_equal(stages_names(stages_sampler("min_p=0.2"), ROW(1, 2)),
                        "logits min_p dist");
}

static void stages_of_the_defaults(void **state)
{
    sortes_sampler *s =
        stages_sampler("temperature=0.8 top_k=40 top_p=0.95 min_p=0.05");
    sortes_params *p;
    sortes_sampler *fresh;

    (void)state;
    assert_string_equal(stages_names(s, ROW(1, 2)),
                        "logits top_k top_p min_p temperature dist");
    assert_int_equal(sortes_params_new(&p, "llama.cpp", NULL), SORTES_OK);
    assert_int_equal(sortes_params_set_seed(p, 1, NULL), SORTES_OK);
    assert_int_equal(sortes_sampler_new(&fresh, p, NULL, NULL), SORTES_OK);
    assert_string_equal(stages_names(fresh, ROW(1, 2)),
                        "logits top_k top_p min_p temperature dist");
    sortes_sampler_free(fresh);
    sortes_params_free(p);
}

static void stages_begin_with_the_row_itself(void **state)
{
    sortes_sampler *s = stages_sampler("logit_bias=0+1");
    const struct stage *seen = stages_see(s, ROW(3, -1, -INFINITY), "logits");

    (void)state;
    stages_check_ids(seen, IDS(0, 1, 2));
    stages_check_logits(seen, ROW(3, -1, -INFINITY));
    for (size_t i = 0; i < 3; i++)
        assert_true(seen->p[i] == 0.0f);
    assert_false(seen->sorted);
    assert_int_equal(seen->selected, -1);
}

static void stages_always_end_with_a_token(void **state)
{
    static const char *const settings[] = { "", "top_k=40 top_p=0.95",
                                            "greedy=true", "min_p=0.1",
                                            "temperature=0" };

    (void)state;
    for (size_t i = 0; i < 5; i++) {
        sortes_sampler *s = stages_sampler(settings[i]);
        const struct stage *seen =
            stages_find(s, ROW(1, 2, 0), i == 2 ? "greedy" : "dist");

        assert_non_null(seen);
        assert_in_range(seen->selected, 0, seen->n - 1);
        assert_int_equal(stages_draw(s, ROW(1, 2, 0)),
                         seen->token[seen->selected]);
    }
}

static void biases_of_a_long_list_are_added_in_its_order(void **state)
{
    enum { N = 7, BIASES = 61 };
    static const float values[] = { 16777216, 1,     -16777216, 0.375f,
                                    3e7f,     -3e7f, -1 };
    struct rows_random r = { 11 };
    char settings[2048] = "logit_bias=";
    float wanted[N] = { 0 };

    (void)state;
    for (int i = 0; i < BIASES; i++) {
        const int32_t token = (int32_t)rows_below(&r, N);
        const float value = values[rows_below(&r, 7)];

        (void)snprintf(settings + strlen(settings), 64, "%s%d%+.9g",
                       i ? "," : "", token, (double)value);
        wanted[token] += value;
    }
    stages_check_logits(stages_see(stages_sampler(settings),
                                   ROW(0, 0, 0, 0, 0, 0, 0), "logit_bias"),
                        wanted, N);
}

/* ---- what a step leaves alone -------------------------------------------- */

static void explain_moves_nothing(void **state)
{
    sortes_sampler *s = stages_sampler("seed=42 presence_penalty=0.5");
    const struct stage *first, *again;

    (void)state;
    first = stages_see(s, TEN, "dist");
    again = stages_see(s, TEN, "dist");
    assert_int_equal(first->selected, 7);
    assert_int_equal(again->selected, 7);
    assert_int_equal(stages_draw(s, TEN), 7);
    stages_check_logits(stages_see(s, ROW(1, 1), "penalties"), ROW(1, 1));
}

static void distribution_moves_nothing(void **state)
{
    sortes_sampler *s = stages_sampler("seed=42");
    const float x[10] = { 0 };
    const sortes_row row = { x, 10, SORTES_F32 };
    float p[10];

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(sortes_sampler_distribution(s, &row, p), SORTES_OK);
    assert_int_equal(stages_draw(s, TEN), 7);
}

static void distribution_is_what_dist_draws_from(void **state)
{
    sortes_sampler *s = stages_sampler("top_k=3 temperature=2 top_p=0.9");
    const float x[] = { 4, 9, 0, 4, 6 };
    const sortes_row row = { x, 5, SORTES_F32 };
    const struct stage *seen = stages_see(s, x, 5, "dist");
    float p[5], wanted[5] = { 0 };

    (void)state;
    for (size_t i = 0; i < seen->n; i++)
        wanted[seen->token[i]] = seen->p[i];
    assert_int_equal(sortes_sampler_distribution(s, &row, p), SORTES_OK);
    assert_memory_equal(p, wanted, sizeof(p));
    assert_true(p[1] > p[4] && p[2] == 0.0f);
}

static void distribution_of_greedy_is_one_token(void **state)
{
    sortes_sampler *s = stages_sampler("greedy=true");
    const float x[] = { 1, 3, 3 };
    const float wanted[] = { 0, 1, 0 };
    const sortes_row row = { x, 3, SORTES_F32 };
    float p[3];

    (void)state;
    assert_int_equal(sortes_sampler_distribution(s, &row, p), SORTES_OK);
    assert_memory_equal(p, wanted, sizeof(p));
}

/* ---- refusals ------------------------------------------------------------ */

static void ignore(void *ctx, const sortes_stage_view *view)
{
    (void)ctx;
    (void)view;
}

static sortes_status explain_nothing(sortes_sampler *s, const sortes_row *row)
{
    return sortes_sampler_explain(s, row, ignore, NULL);
}

/* Every call on a row that must be refused. */
static void check_refused(sortes_sampler *s, const sortes_row *row,
                          sortes_status wanted)
{
    static float p[WIDE];
    sortes_draw draw = { .token = -77 };
    float logprob;

    assert_int_equal(sortes_sampler_sample(s, row, &draw), wanted);
    assert_int_equal(draw.token, -77);
    p[0] = 9;
    assert_int_equal(sortes_sampler_distribution(s, row, p), wanted);
    assert_true(p[0] == 9.0f);
    assert_int_equal(explain_nothing(s, row), wanted);
    assert_int_equal(sortes_sampler_logprobs(s, row, SORTES_LOGPROBS_RAW, 0,
                                             NULL, 0, &logprob),
                     wanted);
}

static const char *const shapes[] = {
    "",          "greedy=true", "temperature=0",
    "top_k=1",   "top_k=40",    "top_k=200 top_p=0.9",
    "top_p=0.9", "min_p=0.1",   "temperature=0.5 min_p=0.1 min_keep=5"
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static void nan_and_infinity_are_refused_wherever_they_stand(void **state)
{
    static const size_t places[] = { 0, 1, 63, 64, 127, 1500, WIDE - 1 };
    static float x[WIDE];
    static uint16_t narrow[WIDE];

    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        sortes_sampler *s = stages_sampler(shapes[i]);

        for (size_t j = 0; j < 7 * 6; j++) {
            const sortes_dtype type = (sortes_dtype)(j / 2 % 3);
            sortes_row row;

            rows_fill(x, WIDE, ROWS_FORBIDDEN, i);
            x[places[j / 6]] = j % 2 ? NAN : INFINITY;
            row = rows_as(x, narrow, WIDE, type);
            check_refused(s, &row, SORTES_E_NOT_FINITE);
        }
    }
}

static void nan_and_infinity_are_refused_in_short_rows(void **state)
{
    static const float rows[][4] = {
        { NAN, 1, 0, 0 },
        { 0, 1, NAN, 0 },
        { INFINITY, 0, 0, 0 },
        { 0, 0, 0, NAN },
        { 1, INFINITY, -INFINITY, 0 },
    };

    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        sortes_sampler *s = stages_sampler(shapes[i]);

        for (size_t j = 0; j < 5; j++)
            check_refused(s, &(sortes_row){ rows[j], 4, SORTES_F32 },
                          SORTES_E_NOT_FINITE);
    }
}

static void rows_without_a_token_are_refused(void **state)
{
    static float x[WIDE];

    (void)state;
    for (size_t i = 0; i < WIDE; i++)
        x[i] = -INFINITY;
    for (size_t i = 0; i < SHAPES; i++) {
        sortes_sampler *s = stages_sampler(shapes[i]);

        check_refused(s, &(sortes_row){ x, 4, SORTES_F32 }, SORTES_E_NO_TOKEN);
        check_refused(s, &(sortes_row){ x, WIDE, SORTES_F32 },
                      SORTES_E_NO_TOKEN);
    }
}

static void refused_rows_draw_nothing(void **state)
{
    sortes_sampler *s = stages_sampler("seed=42");

    (void)state;
    assert_int_equal(stages_try(s, ROW(0, NAN)), SORTES_E_NOT_FINITE);
    assert_int_equal(stages_draw(s, TEN), 7);
    assert_int_equal(stages_try(s, ROW(-INFINITY)), SORTES_E_NO_TOKEN);
    assert_int_equal(stages_draw(s, TEN), 1);
}

/* Values that no setter lets pass, put in place; the engine's own words. */
static void chain_refuses_what_the_engine_does_not_build(void **state)
{
    static const struct {
        float repeat, frequency, presence;
        const char *text;
    } cases[] = {
        { 0, 0, 0, "penalty_repeat must be finite and greater than 0" },
        { -1, 0, 0, "penalty_repeat must be finite and greater than 0" },
        { NAN, 0, 0, "penalty_repeat must be finite and greater than 0" },
        { INFINITY, 0, 0, "penalty_repeat must be finite and greater than 0" },
        { 1e-40f, 0, 0, "penalty_repeat must be finite and greater than 0" },
        { 1, INFINITY, 0, "penalty_freq must be finite" },
        { 1, NAN, INFINITY, "penalty_freq must be finite" },
        { 1, 0, -INFINITY, "penalty_present must be finite" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        sortes_params *p;
        sortes_sampler *s = (sortes_sampler *)&p;
        sortes_error err;

        assert_int_equal(sortes_params_new(&p, "llama.cpp", NULL), SORTES_OK);
        p->repeat_penalty = cases[i].repeat;
        p->frequency_penalty = cases[i].frequency;
        p->presence_penalty = cases[i].presence;
        assert_int_equal(sortes_sampler_new(&s, p, NULL, &err), SORTES_E_RANGE);
        assert_string_equal(err.text, cases[i].text);
        assert_null(s);
        sortes_params_free(p);
    }
}

/* ---- state --------------------------------------------------------------- */

static void params_are_copied(void **state)
{
    sortes_params *p;
    sortes_sampler *s;

    (void)state;
    assert_int_equal(sortes_params_new(&p, "llama.cpp", NULL), SORTES_OK);
    assert_int_equal(sortes_params_set_seed(p, 42, NULL), SORTES_OK);
    assert_int_equal(sortes_params_set_text(p, "logit_bias", "7-inf", NULL),
                     SORTES_OK);
    assert_int_equal(sortes_params_set_number(p, "min_p", 0, NULL), SORTES_OK);
    assert_int_equal(sortes_params_set_number(p, "top_p", 1, NULL), SORTES_OK);
    assert_int_equal(sortes_sampler_new(&s, p, NULL, NULL), SORTES_OK);
    assert_int_equal(sortes_params_set_text(p, "logit_bias", "1-inf", NULL),
                     SORTES_OK);
    sortes_params_free(p);
    assert_true(stages_see(s, TEN, "logit_bias")->logit[7] == -INFINITY);
    sortes_sampler_free(s);
}

static void reset_begins_again(void **state)
{
    sortes_sampler *s = stages_sampler("seed=5 presence_penalty=1");
    int32_t first[30];

    (void)state;
    for (int round = 0; round < 2; round++) {
        stages_check_logits(stages_see(s, ROW(0, 0), "penalties"), ROW(0, 0));
        for (size_t i = 0; i < 30; i++) {
            const int32_t token = stages_draw(s, TEN);

            stages_history(s, &token, 1);
            if (round == 0)
                first[i] = token;
            else
                assert_int_equal(token, first[i]);
        }
        assert_int_equal(sortes_sampler_reset(s), SORTES_OK);
    }
}

static void clone_goes_on_alike_and_apart(void **state)
{
    sortes_sampler *s =
        stages_sampler("seed=5 presence_penalty=1 logit_bias=3+0.5");
    sortes_sampler *copy;
    int32_t token;

    (void)state;
    stages_history(s, IDS(1, 2, 2));
    for (int i = 0; i < 5; i++)
        (void)stages_draw(s, TEN);
    assert_int_equal(sortes_sampler_clone(&copy, s), SORTES_OK);
    for (int i = 0; i < 30; i++) {
        token = stages_draw(s, TEN);
        stages_history(s, &token, 1);
        assert_int_equal(stages_draw(copy, TEN), token);
        stages_history(copy, &token, 1);
    }
    /* What one accepts, the other does not see. */
    assert_int_equal(sortes_sampler_reset(s), SORTES_OK);
    stages_history(s, IDS(0));
    stages_check_logits(stages_see(s, ROW(0, 0), "penalties"), ROW(-1, 0));
    assert_true(stages_see(copy, ROW(0, 0), "penalties")->logit[1] < 0.0f);
    sortes_sampler_free(copy);
}

static void clone_before_any_token(void **state)
{
    sortes_sampler *s = stages_sampler("seed=42 presence_penalty=1");
    sortes_sampler *copy;

    (void)state;
    assert_int_equal(sortes_sampler_clone(&copy, s), SORTES_OK);
    for (int i = 0; i < 20; i++)
        assert_int_equal(stages_draw(copy, TEN), stages_draw(s, TEN));
    stages_history(copy, IDS(1, 0));
    stages_check_logits(stages_see(copy, ROW(0, 0), "penalties"), ROW(-1, -1));
    stages_check_logits(stages_see(s, ROW(0, 0), "penalties"), ROW(0, 0));
    sortes_sampler_free(copy);
}

static void clone_keeps_kernels_and_reference(void **state)
{
    struct srt_llamacpp *chain = stages_chain(""), *copy;

    (void)state;
    dialect()->use_reference(chain, true);
    dialect()->use_kernels(chain, srt_kernels_at(0));
    copy = stages_chain_clone(chain);
    assert_true(copy->reference);
    assert_ptr_equal(copy->kernels, srt_kernels_at(0));
    dialect()->chain_free(copy);
}

static void random_seed_is_told_and_repeats(void **state)
{
    sortes_sampler *a = stages_sampler("seed=4294967295");
    sortes_sampler *b = stages_sampler("seed=4294967295");
    const uint64_t seed = sortes_sampler_seed(a);
    char settings[64];
    sortes_sampler *again;

    (void)state;
    assert_int_not_equal(seed, sortes_sampler_seed(b));
    (void)snprintf(settings, sizeof(settings), "seed=%llu",
                   (unsigned long long)seed);
    again = stages_sampler(settings);
    for (int i = 0; i < 40; i++)
        assert_int_equal(stages_draw(a, TEN), stages_draw(again, TEN));
    assert_int_equal(sortes_sampler_reset(a), SORTES_OK);
    assert_int_not_equal(sortes_sampler_seed(a), seed);
}

static void random_seed_of_a_clone_is_the_same(void **state)
{
    sortes_sampler *s = stages_sampler("seed=4294967295"), *copy;

    (void)state;
    assert_int_equal(sortes_sampler_clone(&copy, s), SORTES_OK);
    assert_int_equal(sortes_sampler_seed(copy), sortes_sampler_seed(s));
    for (int i = 0; i < 40; i++)
        assert_int_equal(stages_draw(s, TEN), stages_draw(copy, TEN));
    sortes_sampler_free(copy);
}

static void accept_refuses_all_or_nothing(void **state)
{
    sortes_sampler *s = stages_sampler("presence_penalty=1");
    const int32_t bad[] = { 0, 1, -1 };

    (void)state;
    assert_int_equal(sortes_sampler_accept(s, bad, 3, SORTES_PROMPT),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_accept(s, bad, 2, (sortes_origin)9),
                     SORTES_E_ARGUMENT);
    stages_check_logits(stages_see(s, ROW(0, 0), "penalties"), ROW(0, 0));
    assert_int_equal(sortes_sampler_accept(s, NULL, 0, SORTES_PROMPT),
                     SORTES_OK);
}

static void overrides_always_have_room(void **state)
{
    struct srt_llamacpp *chain =
        stages_chain("repeat_last_n=1000 presence_penalty=1 logit_bias=1+1");
    int32_t tokens[700];

    (void)state;
    for (int32_t i = 0; i < 700; i++)
        tokens[i] = i;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(
            dialect()->accept(chain, tokens, 700, SORTES_GENERATED), SORTES_OK);
        assert_true(chain->overrides_room >= chain->n_biases + chain->window.n);
    }
    assert_int_equal(chain->window.n, 1000);
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(stages_stand_in_the_engines_order),
        CASE(stages_that_are_off_are_not_there),
        CASE(stages_of_the_defaults),
        CASE(stages_begin_with_the_row_itself),
        CASE(stages_always_end_with_a_token),
        CASE(biases_of_a_long_list_are_added_in_its_order),
        CASE(explain_moves_nothing),
        CASE(distribution_moves_nothing),
        CASE(distribution_is_what_dist_draws_from),
        CASE(distribution_of_greedy_is_one_token),
        CASE(nan_and_infinity_are_refused_wherever_they_stand),
        CASE(nan_and_infinity_are_refused_in_short_rows),
        CASE(rows_without_a_token_are_refused),
        CASE(refused_rows_draw_nothing),
        CASE(chain_refuses_what_the_engine_does_not_build),
        CASE(params_are_copied),
        CASE(reset_begins_again),
        CASE(clone_goes_on_alike_and_apart),
        CASE(clone_before_any_token),
        CASE(clone_keeps_kernels_and_reference),
        CASE(random_seed_is_told_and_repeats),
        CASE(random_seed_of_a_clone_is_the_same),
        CASE(accept_refuses_all_or_nothing),
        CASE(overrides_always_have_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_sampler.c - the life of a sampler: made, fed, drawn from, refused
 *
 * What the numbers it gives mean: test_sampler_answers.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "sortes.h"

#include "compiler.h"
#include "kernel/kernel.h"
#include "row.h"
#include "support/rows.h"
#include "support/shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

enum { LONG = 5000, SHORT = 50 };

static float logits[LONG];

static sortes_row row_of(enum rows_kind kind, size_t n, uint64_t seed)
{
    const sortes_row row = { logits, n, SORTES_F32 };

    rows_fill(logits, n, kind, seed);
    return row;
}

static sortes_draw draw_from(sortes_sampler *s, const sortes_row *row)
{
    sortes_draw draw;

    assert_int_equal(sortes_sampler_sample(s, row, &draw), SORTES_OK);
    return draw;
}

static void accept(sortes_sampler *s, int32_t token)
{
    assert_int_equal(sortes_sampler_accept(s, &token, 1, SORTES_GENERATED),
                     SORTES_OK);
}

/* Both must draw the same for the next few rows; the tokens are accepted. */
static void check_twins(sortes_sampler *a, sortes_sampler *b)
{
    for (uint64_t i = 0; i < 6; i++) {
        const sortes_row row = row_of(ROWS_TIED, i % 2 ? LONG : SHORT, 900 + i);
        const sortes_draw x = draw_from(a, &row), y = draw_from(b, &row);

        assert_memory_equal(&x, &y, sizeof(x));
        accept(a, x.token);
        accept(b, y.token);
    }
}

/* A sampler in the midst of its work. */
static sortes_sampler *used_sampler(size_t shape)
{
    sortes_sampler *const s = shape_sampler(shape, 20 + shape);

    for (uint64_t i = 0; i < 5; i++) {
        const sortes_row row = row_of(ROWS_STEPS, SHORT, i);

        accept(s, draw_from(s, &row).token);
    }
    return s;
}

/* ---- arguments ----------------------------------------------------------- */

static void new_refuses_null(void **state)
{
    sortes_params *const p = shape_params(0, 1);
    sortes_sampler *s = (sortes_sampler *)&s;
    sortes_error err;

    (void)state;
    assert_int_equal(sortes_sampler_new(&s, NULL, NULL, &err),
                     SORTES_E_ARGUMENT);
    assert_null(s);
    assert_int_equal(err.status, SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_new(NULL, p, NULL, NULL),
                     SORTES_E_ARGUMENT);
    sortes_params_free(p);
}

static void new_clears_the_error(void **state)
{
    sortes_params *const p = shape_params(0, 1);
    sortes_error err = { SORTES_E_IO, 3, "old" };
    sortes_sampler *s;

    (void)state;
    assert_int_equal(sortes_sampler_new(&s, p, NULL, &err), SORTES_OK);
    assert_int_equal(err.status, SORTES_OK);
    assert_string_equal(err.text, "");
    sortes_sampler_free(s);
    sortes_params_free(p);
}

static void look_at_nothing(void *ctx, const sortes_stage_view *view)
{
    (void)ctx;
    (void)view;
}

static void calls_refuse_a_null_sampler(void **state)
{
    const sortes_row row = row_of(ROWS_ORDINARY, SHORT, 1);
    const int32_t token = 1;
    sortes_sampler *copy;
    sortes_draw draw;
    float p[SHORT];

    (void)state;
    assert_int_equal(sortes_sampler_clone(&copy, NULL), SORTES_E_ARGUMENT);
    assert_null(copy);
    assert_int_equal(sortes_sampler_reset(NULL), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_accept(NULL, &token, 1, SORTES_PROMPT),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_sample(NULL, &row, &draw),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_distribution(NULL, &row, p),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_logprobs(NULL, &row, SORTES_LOGPROBS_RAW, 0,
                                             NULL, 0, NULL),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_explain(NULL, &row, look_at_nothing, NULL),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_use_kernels(NULL, "scalar"),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_seed(NULL), 0);
    sortes_sampler_use_reference(NULL, 1);
    sortes_sampler_free(NULL);
}

static void calls_refuse_null_and_change_nothing(void **state)
{
    const sortes_row row = row_of(ROWS_ORDINARY, SHORT, 1);
    sortes_sampler *const s = used_sampler(16), *const twin = shape_clone(s);

    (void)state;
    assert_int_equal(sortes_sampler_clone(NULL, s), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_accept(s, NULL, 1, SORTES_PROMPT),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_sample(s, &row, NULL), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_distribution(s, &row, NULL),
                     SORTES_E_ARGUMENT);
    assert_int_equal(
        sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW, 0, NULL, 1, NULL),
        SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_explain(s, &row, NULL, NULL),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_use_kernels(s, NULL), SORTES_E_ARGUMENT);
    check_twins(s, twin);
    sortes_sampler_free(s);
    sortes_sampler_free(twin);
}

/* Every call that takes a row refuses one that is none. */
static void check_no_row(sortes_sampler *s, const sortes_row *row)
{
    float p = 0.5f, logprob = 0.5f;
    sortes_draw draw = { .token = 77 };
    sortes_logprob top = { 77, 0.5f };

    assert_int_equal(sortes_sampler_sample(s, row, &draw), SORTES_E_ARGUMENT);
    assert_int_equal(draw.token, 77);
    assert_int_equal(sortes_sampler_distribution(s, row, &p),
                     SORTES_E_ARGUMENT);
    assert_true(p == 0.5f);
    assert_int_equal(sortes_sampler_logprobs(s, row, SORTES_LOGPROBS_RAW, 0,
                                             &top, 1, &logprob),
                     SORTES_E_ARGUMENT);
    assert_true(logprob == 0.5f && top.token == 77);
    assert_int_equal(sortes_sampler_explain(s, row, look_at_nothing, NULL),
                     SORTES_E_ARGUMENT);
}

static void rows_that_are_none_change_nothing(void **state)
{
    const sortes_row rows[] = {
        { NULL, SHORT, SORTES_F32 },
        { logits, 0, SORTES_F32 },
        { logits, (size_t)INT32_MAX + 1, SORTES_F32 },
        { logits, SHORT, (sortes_dtype)3 },
    };
    sortes_sampler *const s = used_sampler(0), *const twin = shape_clone(s);

    (void)state;
    check_no_row(s, NULL);
    for (size_t i = 0; i < SRT_COUNT(rows); i++)
        check_no_row(s, &rows[i]);
    check_twins(s, twin);
    sortes_sampler_free(s);
    sortes_sampler_free(twin);
}

static void logprobs_refuse_a_token_outside_the_row(void **state)
{
    const sortes_row row = row_of(ROWS_ORDINARY, SHORT, 1);
    sortes_sampler *const s = used_sampler(0);
    float logprob;

    (void)state;
    assert_int_equal(sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW, -1,
                                             NULL, 0, &logprob),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW,
                                             SHORT, NULL, 0, &logprob),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW,
                                             SHORT - 1, NULL, 0, &logprob),
                     SORTES_OK);
    /* where its value is not wanted, neither is the token */
    assert_int_equal(sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW, -1,
                                             NULL, 0, NULL),
                     SORTES_OK);
    sortes_sampler_free(s);
}

/* ---- history ------------------------------------------------------------- */

static void accept_refuses_negative_tokens_all_or_nothing(void **state)
{
    const int32_t tokens[] = { 3, 4, 5, -1 };

    (void)state;
    for (size_t shape = 0; shape < SHAPES_N; shape++) {
        sortes_sampler *const s = used_sampler(shape);
        sortes_sampler *const twin = shape_clone(s);

        assert_int_equal(sortes_sampler_accept(s, tokens, 4, SORTES_PROMPT),
                         SORTES_E_ARGUMENT);
        check_twins(s, twin);
        sortes_sampler_free(s);
        sortes_sampler_free(twin);
    }
}

static void accept_refuses_an_origin_that_is_none(void **state)
{
    const int32_t tokens[] = { 3, 4, 5 };
    sortes_sampler *const s = used_sampler(16), *const twin = shape_clone(s);

    (void)state;
    assert_int_equal(sortes_sampler_accept(s, tokens, 3, (sortes_origin)3),
                     SORTES_E_ARGUMENT);
    check_twins(s, twin);
    sortes_sampler_free(s);
    sortes_sampler_free(twin);
}

static void accept_takes_no_tokens_from_nowhere(void **state)
{
    sortes_sampler *const s = used_sampler(16), *const twin = shape_clone(s);

    (void)state;
    assert_int_equal(sortes_sampler_accept(s, NULL, 0, SORTES_PROMPT),
                     SORTES_OK);
    check_twins(s, twin);
    sortes_sampler_free(s);
    sortes_sampler_free(twin);
}

static void accept_counts_every_origin(void **state)
{
    const int32_t tokens[] = { 3, 4, 5, 3 };
    sortes_sampler *all[3];

    (void)state;
    for (int i = 0; i < 3; i++) {
        all[i] = used_sampler(16);
        assert_int_equal(
            sortes_sampler_accept(all[i], tokens, 4, (sortes_origin)i),
            SORTES_OK);
    }
    check_twins(all[0], all[1]);
    sortes_sampler_free(all[0]);
    all[0] = used_sampler(16);
    assert_int_equal(sortes_sampler_accept(all[0], tokens, 4, SORTES_PROMPT),
                     SORTES_OK);
    check_twins(all[0], all[2]);
    for (int i = 0; i < 3; i++)
        sortes_sampler_free(all[i]);
}

/* Greedy with penalties shows at once what the history holds. */
static sortes_sampler *penalized_greedy(void)
{
    sortes_params *const p = shape_params(16, 1);
    sortes_sampler *s;

    assert_int_equal(sortes_params_set_text(p, "greedy", "true", NULL),
                     SORTES_OK);
    assert_int_equal(sortes_sampler_new(&s, p, NULL, NULL), SORTES_OK);
    sortes_params_free(p);
    return s;
}

static void sample_does_not_accept_what_it_draws(void **state)
{
    const float x[] = { 1.0f, 1.1f, 0.9f };
    const sortes_row row = { x, 3, SORTES_F32 };
    sortes_sampler *const s = penalized_greedy();

    (void)state;
    for (int i = 0; i < 5; i++)
        assert_int_equal(draw_from(s, &row).token, 1);
    accept(s, 1);
    assert_int_equal(draw_from(s, &row).token, 0);
    accept(s, 0);
    assert_int_equal(draw_from(s, &row).token, 2);
    sortes_sampler_free(s);
}

static void accept_passes_over_tokens_beyond_the_row(void **state)
{
    const float x[] = { 1.0f, 1.1f, 0.9f };
    const sortes_row row = { x, 3, SORTES_F32 };
    const int32_t tokens[] = { 3, 1000000, INT32_MAX };
    sortes_sampler *const s = penalized_greedy();

    (void)state;
    assert_int_equal(sortes_sampler_accept(s, tokens, 3, SORTES_PROMPT),
                     SORTES_OK);
    assert_int_equal(draw_from(s, &row).token, 1);
    sortes_sampler_free(s);
}

/* ---- refused rows -------------------------------------------------------- */

/* Spoils the row in one of five ways; returns what must be said of it. */
static sortes_status spoil(sortes_row row, int way)
{
    switch (way) {
    case 0:
        logits[row.n / 3] = NAN;
        return SORTES_E_NOT_FINITE;
    case 1:
        logits[row.n - 1] = INFINITY;
        return SORTES_E_NOT_FINITE;
    case 2:
        logits[0] = -NAN;
        return SORTES_E_NOT_FINITE;
    case 3:
        for (size_t i = 0; i < row.n; i++)
            logits[i] = -INFINITY;
        return SORTES_E_NO_TOKEN;
    default:
        for (size_t i = 0; i < row.n; i++)
            logits[i] = -INFINITY;
        logits[row.n / 2] = NAN;
        return SORTES_E_NOT_FINITE;
    }
}

static void check_refused(sortes_sampler *s, const sortes_row *row,
                          sortes_status want)
{
    const sortes_draw untouched = { .token = 77, .margin = 0.25 };
    sortes_draw draw = untouched;
    float logprob;

    assert_int_equal(sortes_sampler_sample(s, row, &draw), want);
    assert_memory_equal(&draw, &untouched, sizeof(draw));
    assert_int_equal(sortes_sampler_explain(s, row, look_at_nothing, NULL),
                     want);
    assert_int_equal(sortes_sampler_logprobs(s, row, SORTES_LOGPROBS_RAW, 0,
                                             NULL, 0, &logprob),
                     want);
}

static void refused_rows_leave_the_sampler_where_it_was(void **state)
{
    (void)state;
    for (size_t shape = 0; shape < SHAPES_N; shape++) {
        for (int way = 0; way < 5; way++) {
            sortes_sampler *const s = used_sampler(shape);
            sortes_sampler *const twin = shape_clone(s);

            for (int i = 0; i < 4; i++) {
                const sortes_row row =
                    row_of(ROWS_ORDINARY, i % 2 ? LONG : SHORT, 5);
                const sortes_status want = spoil(row, way);

                sortes_sampler_use_reference(s, i / 2);
                check_refused(s, &row, want);
            }
            sortes_sampler_use_reference(s, 0);
            check_twins(s, twin);
            sortes_sampler_free(s);
            sortes_sampler_free(twin);
        }
    }
}

static void refused_distributions_write_nothing(void **state)
{
    static float p[LONG];

    (void)state;
    for (int way = 0; way < 5; way++) {
        sortes_sampler *const s = used_sampler(0);
        const sortes_row row = row_of(ROWS_ORDINARY, LONG, 5);
        const sortes_status want = spoil(row, way);

        for (size_t i = 0; i < LONG; i++)
            p[i] = 0.5f;
        assert_int_equal(sortes_sampler_distribution(s, &row, p), want);
        for (size_t i = 0; i < LONG; i++)
            assert_true(p[i] == 0.5f);
        sortes_sampler_free(s);
    }
}

/* What the chain itself makes of a good row: settings, and what is said. */
static const struct made {
    const char *parameter, *value;
    float first; /* logit of token 0; the rest are 0 */
    sortes_status want;
} made[] = {
    { "temperature", "1e-30", 1e20f, SORTES_E_NOT_FINITE },
    { "logit_bias", "0+3e38", 3e38f, SORTES_E_NOT_FINITE },
    { "repeat_penalty", "1e-30", 1e20f, SORTES_E_NOT_FINITE },
    { "presence_penalty", "-3e38", 3e38f, SORTES_E_NOT_FINITE },
};

static void logits_that_become_infinite_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4 * SRT_COUNT(made); i++) {
        const struct made *const m = &made[i / 4];
        sortes_params *const p = shape_params(11, 3);
        sortes_row row = row_of(ROWS_EQUAL, i % 2 ? LONG : SHORT, 1);
        sortes_sampler *s;
        sortes_draw draw;

        memset(logits, 0, sizeof(logits));
        logits[0] = m->first;
        assert_int_equal(
            sortes_params_set_text(p, m->parameter, m->value, NULL), SORTES_OK);
        assert_int_equal(sortes_sampler_new(&s, p, NULL, NULL), SORTES_OK);
        sortes_sampler_use_reference(s, i % 4 / 2);
        accept(s, 0);
        assert_int_equal(sortes_sampler_sample(s, &row, &draw), m->want);
        sortes_sampler_free(s);
        sortes_params_free(p);
    }
}

static void biases_that_forbid_everything_leave_no_token(void **state)
{
    const float x[] = { 1.0f, 2.0f };
    const sortes_row row = { x, 2, SORTES_F32 };
    sortes_params *const p = shape_params(11, 3);
    sortes_sampler *s;
    sortes_draw draw;

    (void)state;
    assert_int_equal(
        sortes_params_set_text(p, "logit_bias", "0-inf,1-inf", NULL),
        SORTES_OK);
    assert_int_equal(sortes_sampler_new(&s, p, NULL, NULL), SORTES_OK);
    assert_int_equal(sortes_sampler_sample(s, &row, &draw), SORTES_E_NO_TOKEN);
    sortes_sampler_free(s);
    sortes_params_free(p);
}

/* ---- clone, reset, seed -------------------------------------------------- */

static void clone_goes_on_as_the_original(void **state)
{
    (void)state;
    for (size_t shape = 0; shape < SHAPES_N; shape++) {
        sortes_sampler *const s = used_sampler(shape);
        sortes_sampler *const twin = shape_clone(s);

        assert_int_equal(sortes_sampler_seed(twin), sortes_sampler_seed(s));
        check_twins(s, twin);
        sortes_sampler_free(s);
        sortes_sampler_free(twin);
    }
}

static void clone_goes_its_own_way(void **state)
{
    sortes_sampler *const s = used_sampler(16), *const ahead = shape_clone(s),
                          *const behind = shape_clone(s);
    sortes_sampler *other;

    (void)state;
    check_twins(s, ahead); /* behind has not seen these */
    sortes_sampler_free(ahead);
    sortes_sampler_free(s);
    other = used_sampler(16);
    check_twins(behind, other);
    sortes_sampler_free(behind);
    sortes_sampler_free(other);
}

static void reset_goes_back_to_the_start(void **state)
{
    (void)state;
    for (size_t shape = 0; shape < SHAPES_N; shape++) {
        sortes_sampler *const s = used_sampler(shape);
        sortes_sampler *const fresh = shape_sampler(shape, 20 + shape);

        assert_int_equal(sortes_sampler_reset(s), SORTES_OK);
        check_twins(s, fresh);
        sortes_sampler_free(s);
        sortes_sampler_free(fresh);
    }
}

static void seed_is_the_one_given(void **state)
{
    static const uint64_t seeds[] = { 0, 1, 42, 2147483648u, 4294967294u };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(seeds); i++) {
        sortes_sampler *const s = shape_sampler(0, seeds[i]);

        assert_int_equal(sortes_sampler_seed(s), seeds[i]);
        assert_int_equal(sortes_sampler_reset(s), SORTES_OK);
        assert_int_equal(sortes_sampler_seed(s), seeds[i]);
        sortes_sampler_free(s);
    }
}

static const uint64_t random_seed = 4294967295u;

static void clone_of_a_random_seed_has_the_same(void **state)
{
    sortes_sampler *const s = shape_sampler(11, random_seed);
    sortes_sampler *const twin = shape_clone(s);

    (void)state;
    assert_int_equal(sortes_sampler_seed(twin), sortes_sampler_seed(s));
    check_twins(s, twin);
    sortes_sampler_free(s);
    sortes_sampler_free(twin);
}

static void random_seeds_differ_between_samplers(void **state)
{
    sortes_sampler *const s = shape_sampler(0, random_seed);
    int same = 0;

    (void)state;
    for (int i = 0; i < 4; i++) {
        sortes_sampler *const other = shape_sampler(0, random_seed);

        same += sortes_sampler_seed(other) == sortes_sampler_seed(s);
        sortes_sampler_free(other);
    }
    assert_true(same < 4);
    sortes_sampler_free(s);
}

static void random_seeds_are_drawn_anew_by_reset(void **state)
{
    sortes_sampler *const s = shape_sampler(0, random_seed);
    const uint64_t first = sortes_sampler_seed(s);
    int same = 0;

    (void)state;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(sortes_sampler_reset(s), SORTES_OK);
        same += sortes_sampler_seed(s) == first;
    }
    assert_true(same < 4);
    sortes_sampler_free(s);
}

static void random_seeds_are_reported_and_can_be_used_again(void **state)
{
    sortes_sampler *const s = shape_sampler(11, random_seed);
    const uint64_t seed = sortes_sampler_seed(s);
    sortes_sampler *const again =
        shape_sampler(11, seed == random_seed ? 0 : seed);

    (void)state;
    if (seed != random_seed) /* once in 2^32 runs */
        check_twins(s, again);
    sortes_sampler_free(s);
    sortes_sampler_free(again);
}

/* ---- which code answers -------------------------------------------------- */

/* One sampler a way of answering; all must draw the same from every row. */
static void check_rows(sortes_sampler *const *all, size_t n_all)
{
    static const size_t sizes[] = { 1, 2, 130, 1024, 1025, LONG };

    for (int kind = 0; kind < ROWS_N_KINDS; kind++) {
        for (size_t i = 0; i < SRT_COUNT(sizes); i++) {
            const sortes_row row =
                row_of((enum rows_kind)kind, sizes[i], 40 + i);
            sortes_draw first;
            const sortes_status status =
                sortes_sampler_sample(all[0], &row, &first);

            if (status != SORTES_OK) /* a short row may have nothing left */
                assert_true(status == SORTES_E_NO_TOKEN && sizes[i] < 130 &&
                            kind == ROWS_FORBIDDEN);
            for (size_t j = 1; j < n_all; j++) {
                sortes_draw draw;

                assert_int_equal(sortes_sampler_sample(all[j], &row, &draw),
                                 status);
                if (status == SORTES_OK)
                    assert_memory_equal(&draw, &first, sizeof(draw));
            }
            for (size_t j = 0; status == SORTES_OK && j < n_all; j++)
                accept(all[j], first.token);
        }
    }
}

static void kernels_of_every_name_draw_the_same(void **state)
{
    sortes_sampler *all[8];
    size_t n = 0;

    (void)state;
    for (size_t shape = 0; shape < SHAPES_N; shape++) {
        for (n = 0; srt_kernels_at(n) && n < SRT_COUNT(all); n++) {
            all[n] = shape_sampler(shape, 7);
            assert_int_equal(
                sortes_sampler_use_kernels(all[n], srt_kernels_at(n)->name),
                SORTES_OK);
        }
        check_rows(all, n);
        while (n > 0)
            sortes_sampler_free(all[--n]);
    }
}

static void reference_and_plans_draw_the_same(void **state)
{
    (void)state;
    for (size_t shape = 0; shape < SHAPES_N; shape++) {
        sortes_sampler *const all[] = { shape_sampler(shape, 8),
                                        shape_sampler(shape, 8) };

        sortes_sampler_use_reference(all[1], 1);
        check_rows(all, 2);
        sortes_sampler_free(all[0]);
        sortes_sampler_free(all[1]);
    }
}

static void kernels_this_machine_lacks_are_refused(void **state)
{
    sortes_sampler *const s = used_sampler(0), *const twin = shape_clone(s);

    (void)state;
    assert_int_equal(sortes_sampler_use_kernels(s, "mmx"), SORTES_E_NAME);
    assert_int_equal(sortes_sampler_use_kernels(s, ""), SORTES_E_NAME);
    assert_int_equal(sortes_sampler_use_kernels(s, "SCALAR"), SORTES_E_NAME);
    check_twins(s, twin);
    sortes_sampler_free(s);
    sortes_sampler_free(twin);
}

/* ---- rows ---------------------------------------------------------------- */

static void narrow_rows_draw_as_their_widened_ones(void **state)
{
    static uint16_t narrow[LONG];

    (void)state;
    for (size_t shape = 0; shape < SHAPES_N; shape++) {
        sortes_sampler *const s = shape_sampler(shape, 5);
        sortes_sampler *const wide = shape_sampler(shape, 5);

        for (uint64_t i = 0; i < 8; i++) {
            const size_t n = i % 4 < 2 ? LONG : SHORT;
            const sortes_row row = row_of(ROWS_ORDINARY, n, i);
            const sortes_row small = { narrow, n,
                                       i % 2 ? SORTES_F16 : SORTES_BF16 };
            sortes_draw a, b;

            for (size_t j = 0; j < n; j++) {
                narrow[j] =
                    i % 2 ? rows_to_half(logits[j]) : rows_to_bfloat(logits[j]);
                logits[j] = srt_row_at(&small, j);
            }
            a = draw_from(s, &small);
            b = draw_from(wide, &row);
            assert_memory_equal(&a, &b, sizeof(a));
            accept(s, a.token);
            accept(wide, a.token);
        }
        sortes_sampler_free(s);
        sortes_sampler_free(wide);
    }
}

static void row_of_one_token_draws_it(void **state)
{
    const float x = -3.0f;
    const sortes_row row = { &x, 1, SORTES_F32 };

    (void)state;
    for (size_t shape = 0; shape < SHAPES_N; shape++) {
        sortes_sampler *const s = shape_sampler(shape, 5);
        const sortes_draw draw = draw_from(s, &row);

        assert_int_equal(draw.token, 0);
        assert_int_equal(draw.n_candidates, 1);
        assert_true(draw.margin == 1.0);
        sortes_sampler_free(s);
    }
}

static void draw_leaves_reserved_fields_zero(void **state)
{
    (void)state;
    for (size_t shape = 0; shape < SHAPES_N; shape++) {
        sortes_sampler *const s = shape_sampler(shape, 5);
        const sortes_row row = row_of(ROWS_ORDINARY, LONG, 1);
        sortes_draw draw;

        memset(&draw, 0xff, sizeof(draw));
        assert_int_equal(sortes_sampler_sample(s, &row, &draw), SORTES_OK);
        assert_int_equal(draw.flags, 0);
        for (size_t i = 0; i < SRT_COUNT(draw.reserved); i++)
            assert_int_equal(draw.reserved[i], 0);
        sortes_sampler_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_refuses_null),
        cmocka_unit_test(new_clears_the_error),
        cmocka_unit_test(calls_refuse_a_null_sampler),
        cmocka_unit_test(calls_refuse_null_and_change_nothing),
        cmocka_unit_test(rows_that_are_none_change_nothing),
        cmocka_unit_test(logprobs_refuse_a_token_outside_the_row),
        cmocka_unit_test(accept_refuses_negative_tokens_all_or_nothing),
        cmocka_unit_test(accept_refuses_an_origin_that_is_none),
        cmocka_unit_test(accept_takes_no_tokens_from_nowhere),
        cmocka_unit_test(accept_counts_every_origin),
        cmocka_unit_test(sample_does_not_accept_what_it_draws),
        cmocka_unit_test(accept_passes_over_tokens_beyond_the_row),
        cmocka_unit_test(refused_rows_leave_the_sampler_where_it_was),
        cmocka_unit_test(refused_distributions_write_nothing),
        cmocka_unit_test(logits_that_become_infinite_are_refused),
        cmocka_unit_test(biases_that_forbid_everything_leave_no_token),
        cmocka_unit_test(clone_goes_on_as_the_original),
        cmocka_unit_test(clone_goes_its_own_way),
        cmocka_unit_test(clone_of_a_random_seed_has_the_same),
        cmocka_unit_test(reset_goes_back_to_the_start),
        cmocka_unit_test(seed_is_the_one_given),
        cmocka_unit_test(random_seeds_differ_between_samplers),
        cmocka_unit_test(random_seeds_are_drawn_anew_by_reset),
        cmocka_unit_test(random_seeds_are_reported_and_can_be_used_again),
        cmocka_unit_test(kernels_of_every_name_draw_the_same),
        cmocka_unit_test(reference_and_plans_draw_the_same),
        cmocka_unit_test(kernels_this_machine_lacks_are_refused),
        cmocka_unit_test(narrow_rows_draw_as_their_widened_ones),
        cmocka_unit_test(row_of_one_token_draws_it),
        cmocka_unit_test(draw_leaves_reserved_fields_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

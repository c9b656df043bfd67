/*
 * test_verify.c - drafts verified: prefixes, distributions, what is refused
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "speculate/verify.h"
#include "support/dialects.h"
#include "support/rows.h"
#include "support/stages.h"
#include "support/verified.h"

#include <math.h>
#include <string.h>

enum { VERIFY_N = 40, VERIFY_STEPS = 200, VERIFY_DRAFT = 5 };

static void fill(float *x, uint64_t step)
{
    rows_fill(x, VERIFY_N, ROWS_FLAT, step + 1);
}

/* Tokens of plain sampling: draw, accept, draw ... */
static void plainly(const char *dialect, const char *settings,
                    int32_t tokens[VERIFY_STEPS])
{
    sortes_sampler *s = dialects_sampler(dialect, NULL, settings);
    float x[VERIFY_N];

    for (uint64_t i = 0; i < VERIFY_STEPS; i++) {
        fill(x, i);
        tokens[i] = dialects_draw(s, x, VERIFY_N);
        assert_true(tokens[i] >= 0);
        dialects_accept(s, &tokens[i], 1, SORTES_GENERATED);
    }
    sortes_sampler_free(s);
}

/* The same by drafts that are right about two times in three. */
static void by_drafts(const char *dialect, const char *settings,
                      const int32_t want[VERIFY_STEPS])
{
    sortes_sampler *s = dialects_sampler(dialect, NULL, settings);
    struct rows_random r = { 99 };
    float x[VERIFY_DRAFT + 1][VERIFY_N];
    size_t at = 0, stood = 0;

    while (at + VERIFY_DRAFT + 1 < VERIFY_STEPS) {
        sortes_row target[VERIFY_DRAFT + 1];
        int32_t proposed[VERIFY_DRAFT];
        sortes_draw out[VERIFY_DRAFT + 1];
        size_t n;

        for (size_t i = 0; i <= VERIFY_DRAFT; i++) {
            fill(x[i], at + i);
            target[i] = (sortes_row){ x[i], VERIFY_N, SORTES_F32 };
            if (i < VERIFY_DRAFT)
                proposed[i] = rows_below(&r, 3) ? want[at + i]
                                                : (int32_t)rows_below(&r, 40);
        }
        assert_int_equal(sortes_sampler_verify(s, target, NULL, proposed,
                                               VERIFY_DRAFT, out, &n),
                         SORTES_OK);
        assert_true(n >= 1 && n <= VERIFY_DRAFT + 1);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(out[i].token, want[at + i]);
            if (i + 1 < n)
                assert_int_equal(out[i].token, proposed[i]);
        }
        at += n;
        stood += n - 1;
    }
    assert_true(stood > 50);
    sortes_sampler_free(s);
}

/* Exact match draws what plain sampling draws, in every dialect. */
static void matched_drafts_change_no_token(void **state)
{
    static const char *const rows[][2] = {
        { "rmlx", "temperature=0" },
        { "rmlx", "temperature=0 repetition_penalty=1.5" },
        { "rmlx", "seed=5 temperature=1 top_p=0.9 frequency_penalty=0.4" },
        { "llama.cpp", "seed=5 repeat_penalty=1.3" },
        { "llama.cpp", "seed=5 mirostat=2" },
        { "llama.cpp", "greedy=true" },
        { "mlx-lm", "seed=5 temperature=0.8 top_k=9 repetition_penalty=1.2" },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        int32_t tokens[VERIFY_STEPS];

        plainly(rows[i][0], rows[i][1], tokens);
        by_drafts(rows[i][0], rows[i][1], tokens);
    }
}

/* The small case of a report: no random number at temperature 0. */
static void greedy_takes_the_agreeing_prefix(void **state)
{
    const float x[3][3] = { { 1, 3, 0 }, { 2, 0, 1 }, { 0, 0, 5 } };
    const sortes_row target[] = { { x[0], 3, SORTES_F32 },
                                  { x[1], 3, SORTES_F32 },
                                  { x[2], 3, SORTES_F32 } };
    const float q[2][3] = { { .2f, .6f, .2f }, { .5f, .1f, .4f } };
    const float *const qs[] = { q[0], q[1] };
    sortes_draw out[3];
    size_t n;

    (void)state;
    for (int drafted = 0; drafted < 2; drafted++) {
        sortes_sampler *s = dialects_sampler("rmlx", NULL, "temperature=0");

        assert_int_equal(sortes_sampler_verify(s, target, drafted ? qs : NULL,
                                               (int32_t[]){ 1, 0 }, 2, out, &n),
                         SORTES_OK);
        assert_int_equal(n, 3);
        assert_int_equal(out[0].token, 1);
        assert_int_equal(out[1].token, 0);
        assert_int_equal(out[2].token, 2);
        assert_int_equal(sortes_sampler_verify(s, target, drafted ? qs : NULL,
                                               (int32_t[]){ 1, 2 }, 2, out, &n),
                         SORTES_OK);
        assert_int_equal(n, 2);
        assert_int_equal(out[0].token, 1);
        assert_int_equal(out[1].token, 0);
        sortes_sampler_free(s);
    }
}

/* Filters, penalties and a bias on; 30,000 trials here, more in long/. */
static void drafts_by_residual_are_distributed_as_plain_draws(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        const struct verified v = verified_drafts(seed, 10000, seed == 2);

        assert_true(v.first < 4.0 && v.second < 2.0);
        assert_true(v.n_accepted > 3000 && v.n_accepted < 19000);
        assert_true(v.n_second > 3000);
    }
}

/* A proposal that is certain in the draft: q is all on one token. */
static void one_hot_drafts_are_distributed_as_plain_draws(void **state)
{
    const float x[2][3] = { { logf(.5f), logf(.3f), logf(.2f) }, { 0, 0, 0 } };
    const sortes_row target[] = { { x[0], 3, SORTES_F32 },
                                  { x[1], 3, SORTES_F32 } };
    const float q[] = { 1, 0, 0 };
    const float *const qs[] = { q };
    sortes_sampler *s = dialects_sampler("rmlx", NULL, "seed=3");
    int counts[3] = { 0 };

    (void)state;
    for (int i = 0; i < 20000; i++) {
        sortes_draw out[2];
        size_t n;

        assert_int_equal(
            sortes_sampler_verify(s, target, qs, (int32_t[]){ 0 }, 1, out, &n),
            SORTES_OK);
        assert_int_equal(n, out[0].token == 0 ? 2 : 1);
        counts[out[0].token]++;
    }
    assert_in_range(counts[0], 9700, 10300);
    assert_in_range(counts[1], 5750, 6250);
    assert_in_range(counts[2], 3750, 4250);
    sortes_sampler_free(s);
}

/* Accepting costs one random number, rejecting two, and seeds repeat. */
static void seeds_decide_what_stands(void **state)
{
    const float x[2][2] = { { 0, 0 }, { 0, 0 } };
    const sortes_row target[] = { { x[0], 2, SORTES_F32 },
                                  { x[1], 2, SORTES_F32 } };
    const float q[] = { .9f, .1f };
    const float *const qs[] = { q };
    uint32_t patterns[2] = { 0, 0 };
    size_t rejected = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        for (int again = 0; again < 2; again++) {
            sortes_params *p = dialects_params("rmlx", "");
            sortes_sampler *s;
            sortes_draw out[2];
            size_t n;

            assert_int_equal(sortes_params_set_seed(p, seed, NULL), SORTES_OK);
            assert_int_equal(sortes_sampler_new(&s, p, NULL, NULL), SORTES_OK);
            assert_int_equal(sortes_sampler_verify(
                                 s, target, qs, (int32_t[]){ 0 }, 1, out, &n),
                             SORTES_OK);
            patterns[again] = patterns[again] * 31 + (uint32_t)n * 2 +
                              (uint32_t)out[n - 1].token;
            rejected += n == 1;
            sortes_params_free(p);
            sortes_sampler_free(s);
        }
        assert_int_equal(patterns[0], patterns[1]);
    }
    assert_in_range(rejected, 60, 120); /* of 200: 4 in 9 */
}

/* A token that the constraint forbids is proposed and replaced. */
static void the_constraint_holds_at_every_position(void **state)
{
    static const uint8_t allowed[] = { 1, 0, 1 };
    const float x[3][3] = { { 0, 9, 0 }, { 0, 9, 0 }, { 0, 9, 0 } };
    const sortes_row target[] = { { x[0], 3, SORTES_F32 },
                                  { x[1], 3, SORTES_F32 },
                                  { x[2], 3, SORTES_F32 } };
    const float q[] = { 0, 1, 0 };
    const float *const qs[] = { q, q };

    (void)state;
    for (int drafted = 0; drafted < 2; drafted++) {
        sortes_sampler *s = dialects_sampler("rmlx", NULL, "");
        sortes_draw out[3];
        size_t n;

        dialects_constrain(s, allowed, 3);
        for (int i = 0; i < 100; i++) {
            assert_int_equal(
                sortes_sampler_verify(s, target, drafted ? qs : NULL,
                                      (int32_t[]){ 1, 1 }, 2, out, &n),
                SORTES_OK);
            assert_int_equal(n, 1);
            assert_true(out[0].token != 1);
        }
        sortes_sampler_free(s);
    }
}

/* ---- what goes wrong ----------------------------------------------------- */

static sortes_status undoable_advance(void *ctx, int32_t token)
{
    (void)ctx;
    (void)token;
    return SORTES_OK;
}

static int undoable_allows(void *ctx, int32_t token)
{
    (void)ctx;
    (void)token;
    return 1;
}

static sortes_status undoable_mask(void *ctx, uint32_t *words, size_t n_words)
{
    (void)ctx;
    memset(words, 0xff, n_words * sizeof(*words));
    return SORTES_OK;
}

static const float flat[4][4];
static const sortes_row flat_rows[] = { { flat[0], 4, SORTES_F32 },
                                        { flat[1], 4, SORTES_F32 },
                                        { flat[2], 4, SORTES_F32 },
                                        { flat[3], 4, SORTES_F32 } };
static const float quarter[] = { .25f, .25f, .25f, .25f };
static const float *const quarters[] = { quarter, quarter, quarter };

static void what_would_not_be_honoured_is_refused(void **state)
{
    const sortes_constraint c = { .struct_size = sizeof(c),
                                  .allows = undoable_allows,
                                  .mask = undoable_mask,
                                  .advance = undoable_advance };
    static const char *const dialects[] = { "rmlx", "llama.cpp", "mlx-lm" };
    sortes_sampler *s;
    sortes_draw out[4];
    size_t n = 77;

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(dialects); i++) {
        s = dialects_sampler(dialects[i], NULL, "");
        assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
        assert_int_equal(sortes_sampler_verify(s, flat_rows, NULL,
                                               (int32_t[]){ 1 }, 1, out, &n),
                         SORTES_E_ARGUMENT);
        sortes_sampler_free(s);
    }
    for (size_t i = 1; i < SRT_COUNT(dialects); i++) {
        s = dialects_sampler(dialects[i], NULL, "");
        assert_int_equal(sortes_sampler_verify(s, flat_rows, quarters,
                                               (int32_t[]){ 1 }, 1, out, &n),
                         SORTES_E_ARGUMENT);
        sortes_sampler_free(s);
    }
    s = dialects_sampler("rmlx", stages_words(), "thinking_budget=3");
    assert_int_equal(sortes_sampler_verify(s, flat_rows, quarters,
                                           (int32_t[]){ 1 }, 1, out, &n),
                     SORTES_E_ARGUMENT);
    sortes_sampler_free(s);
    assert_int_equal(n, 77);
}

static void arguments_are_checked(void **state)
{
    const float *const gap[] = { quarter, NULL };
    const int32_t zeros[64] = { 0 };
    sortes_sampler *s = dialects_sampler("rmlx", NULL, "");
    sortes_row bad[] = { flat_rows[0], { NULL, 4, SORTES_F32 } };
    sortes_draw out[65];
    size_t n;

    (void)state;
    assert_int_equal(
        sortes_sampler_verify(NULL, flat_rows, NULL, zeros, 1, out, &n),
        SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_verify(s, NULL, NULL, zeros, 1, out, &n),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_verify(s, bad, NULL, zeros, 1, out, &n),
                     SORTES_E_ARGUMENT);
    assert_int_equal(
        sortes_sampler_verify(s, flat_rows, NULL, NULL, 1, out, &n),
        SORTES_E_ARGUMENT);
    assert_int_equal(
        sortes_sampler_verify(s, flat_rows, NULL, (int32_t[]){ 4 }, 1, out, &n),
        SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_verify(s, flat_rows, NULL,
                                           (int32_t[]){ -1 }, 1, out, &n),
                     SORTES_E_ARGUMENT);
    assert_int_equal(
        sortes_sampler_verify(s, flat_rows, gap, zeros, 2, out, &n),
        SORTES_E_ARGUMENT);
    assert_int_equal(
        sortes_sampler_verify(s, flat_rows, NULL, zeros, 64, out, &n),
        SORTES_E_LIMIT);
    /* no proposal at all: one plain draw */
    assert_int_equal(
        sortes_sampler_verify(s, flat_rows, NULL, NULL, 0, out, &n), SORTES_OK);
    assert_int_equal(n, 1);
    sortes_sampler_free(s);
}

/* Two samplers alike: one verifies a draft whose third row is broken, then
 * both draw on. */
static void fail_once(const char *dialect, const char *settings, bool drafted)
{
    const float broken[4] = { 0, NAN, 0, 0 };
    sortes_sampler *a = dialects_sampler(dialect, NULL, settings);
    sortes_sampler *b = dialects_sampler(dialect, NULL, settings);
    sortes_row rows[4];
    int failed = 0;

    memcpy(rows, flat_rows, sizeof(rows));
    rows[2].data = broken;
    for (int round = 0; round < 400; round++) {
        sortes_draw out[4];
        size_t n = 77;
        int32_t token;

        /* not accepted: a plain rollback would undo it */
        assert_int_equal(dialects_draw(a, flat[0], 4),
                         dialects_draw(b, flat[0], 4));
        /* the first two are right where the rows are even, so the third is
         * often reached; where it is not, the call is not made */
        if (sortes_sampler_verify(a, rows, drafted ? quarters : NULL,
                                  (int32_t[]){ 0, 0, 0 }, 3, out,
                                  &n) == SORTES_E_NOT_FINITE) {
            assert_int_equal(n, 77);
            failed++;
        } else {
            assert_int_equal(
                sortes_sampler_verify(b, rows, drafted ? quarters : NULL,
                                      (int32_t[]){ 0, 0, 0 }, 3, out, &n),
                SORTES_OK);
        }
        token = dialects_draw(a, flat[0], 4);
        assert_int_equal(token, dialects_draw(b, flat[0], 4));
        dialects_accept(a, &token, 1, SORTES_GENERATED);
        dialects_accept(b, &token, 1, SORTES_GENERATED);
    }
    assert_true(failed > 2);
    sortes_sampler_free(a);
    sortes_sampler_free(b);
}

/* Not the tokens before the broken row, and not the draws before the call. */
static void a_failure_leaves_no_trace(void **state)
{
    (void)state;
    fail_once("rmlx", "seed=8 frequency_penalty=0.1", false);
    fail_once("rmlx", "seed=8 frequency_penalty=0.1", true);
    fail_once("rmlx", "temperature=0", false);
    fail_once("llama.cpp", "seed=8 repeat_penalty=1.1", false);
    fail_once("llama.cpp", "seed=8 mirostat=2", false);
    fail_once("mlx-lm", "seed=8 temperature=1", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matched_drafts_change_no_token),
        cmocka_unit_test(greedy_takes_the_agreeing_prefix),
        cmocka_unit_test(drafts_by_residual_are_distributed_as_plain_draws),
        cmocka_unit_test(one_hot_drafts_are_distributed_as_plain_draws),
        cmocka_unit_test(seeds_decide_what_stands),
        cmocka_unit_test(the_constraint_holds_at_every_position),
        cmocka_unit_test_teardown(what_would_not_be_honoured_is_refused,
                                  stages_teardown),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(a_failure_leaves_no_trace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

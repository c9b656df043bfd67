/*
 * test_token_probs.c - log-probabilities before sampling
 *
 * SPDX-License-Identifier: MIT
 */
#include "numeric/bits.h"
#include "numeric/numeric.h"
#include "order/order.h"
#include "support/rows.h"
#include "support/stages.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { MANY = 3000 };

static sortes_logprob top[MANY];

/* The best k of some logits, with the log-probability of a token. */
static float probe(const float *x, size_t n, int32_t token, size_t k)
{
    const sortes_row row = { x, n, SORTES_F32 };
    float logprob = 1.0f;

    assert_int_equal(sortes_sampler_logprobs(stages_sampler(""), &row,
                                             SORTES_LOGPROBS_RAW, token, top, k,
                                             &logprob),
                     SORTES_OK);
    return logprob;
}

static void near(float a, double b)
{
    if (!(fabs((double)a - b) < 1e-6))
        fail_msg("%.9g is not near %.9g", (double)a, b);
}

static void logprob_of_a_share_is_its_logarithm(void **state)
{
    /* .5 .2 .3, whatever is added to the logits */
    const float x[] = { 3 - 0.6931472f, 3 - 1.6094379f, 3 - 1.2039728f };

    (void)state;
    near(probe(x, 3, 1, 3), log(0.2));
    assert_int_equal(top[0].token, 0);
    assert_int_equal(top[1].token, 2);
    assert_int_equal(top[2].token, 1);
    near(top[0].logprob, log(0.5));
    near(top[1].logprob, log(0.3));
    near(top[2].logprob, log(0.2));
}

static void logprobs_sum_to_one(void **state)
{
    const float x[] = { 4, -1, 2.5f, 0, 3 };
    double sum = 0;

    (void)state;
    for (int32_t token = 0; token < 5; token++)
        sum += exp((double)probe(x, 5, token, 0));
    assert_true(fabs(sum - 1) < 1e-6);
}

static void logprob_is_the_raw_models_and_not_the_chains(void **state)
{
    static const char *const settings[] = { "temperature=0.5", "temperature=0",
                                            "top_k=1", "logit_bias=1-inf",
                                            "presence_penalty=2" };
    const float x[] = { 1, 0 };
    const sortes_row row = { x, 2, SORTES_F32 };

    (void)state;
    for (size_t i = 0; i < 5; i++) {
        sortes_sampler *s = stages_sampler(settings[i]);
        float logprob;

        stages_history(s, IDS(0, 1));
        assert_int_equal(sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW,
                                                 1, NULL, 0, &logprob),
                         SORTES_OK);
        near(logprob, -log(1 + exp(1.0)));
    }
}

static void logprob_of_a_token_is_the_same_in_the_list(void **state)
{
    float x[MANY];
    struct rows_random r = { 5 };

    (void)state;
    rows_fill(x, MANY, ROWS_ORDINARY, 5);
    for (size_t k = 1; k < 40; k++) {
        const size_t rank = rows_below(&r, k);
        const float alone =
            probe(x, MANY, (probe(x, MANY, 0, k), top[rank].token), k);

        assert_true(alone == top[rank].logprob);
        (void)stages_teardown(NULL);
    }
}

static void logprobs_come_best_first(void **state)
{
    float x[MANY];

    (void)state;
    rows_fill(x, MANY, ROWS_TIED, 8);
    (void)probe(x, MANY, 0, MANY);
    for (size_t i = 1; i < MANY; i++)
        assert_true(top[i].logprob <= top[i - 1].logprob);
    assert_true(top[MANY - 1].logprob < 0);
}

static void logprobs_of_more_than_there_are_gives_all(void **state)
{
    (void)state;
    memset(top, 0x55, sizeof(top));
    (void)probe(ROW(0, 1, 2), 0, 100);
    assert_int_equal(top[2].token, 0);
    assert_int_equal(top[3].token, 0x55555555);
}

static void logprobs_of_none_give_the_token_alone(void **state)
{
    (void)state;
    near(probe(ROW(0, 0, 0, 0), 2, 0), log(0.25));
}

static void logprobs_of_none_need_no_best_first_token(void **state)
{
    (void)state; /* expf(200) is no float; the maximum is subtracted */
    near(probe(ROW(0, 200, 200), 2, 0), log(0.5));
}

/* The engine's own way, step by step. */
static void literal(const float *x, size_t n, size_t k, float *logprob)
{
    struct srt_candidate *c = malloc(n * sizeof(*c));
    float sum = 0;

    assert_non_null(c);
    for (size_t i = 0; i < n; i++)
        c[i] = (struct srt_candidate){ (int32_t)i, x[i], 0 };
    srt_partial_sort(c, k, n);
    for (size_t i = 0; i < n; i++)
        sum += c[i].p = srt_expf(c[i].logit - c[0].logit);
    for (size_t i = 0; i < n; i++)
        logprob[c[i].id] = srt_logf(c[i].p / sum);
    free(c);
}

static void logprob_depends_on_k_in_its_last_bits(void **state)
{
    float x[MANY], a[MANY], b[MANY];
    size_t n_different = 0;

    (void)state;
    rows_fill(x, MANY, ROWS_FLAT, 3);
    literal(x, MANY, 1, a);
    literal(x, MANY, 500, b);
    for (int32_t token = 0; token < MANY; token += 50) {
        const float at_1 = probe(x, MANY, token, 1);
        const float at_500 = probe(x, MANY, token, 500);

        assert_int_equal(srt_bits32(at_1), srt_bits32(a[token]));
        assert_int_equal(srt_bits32(at_500), srt_bits32(b[token]));
        n_different += at_1 != at_500;
        assert_true(fabsf(at_1 - at_500) < 1e-5f);
        (void)stages_teardown(NULL);
    }
    assert_true(n_different > 0);
}

static void logprobs_never_use_the_buckets(void **state)
{
    float x[MANY];
    struct srt_candidate c[MANY];

    (void)state;
    rows_fill(x, MANY, ROWS_STEPS, 4);
    for (int32_t i = 0; i < MANY; i++)
        c[i] = (struct srt_candidate){ i, x[i], 0 };
    srt_partial_sort(c, 500, MANY);
    (void)probe(x, MANY, 0, 500);
    for (size_t i = 0; i < 500; i++)
        assert_int_equal(top[i].token, c[i].id);
}

static void logprob_of_zero_is_the_lowest_float(void **state)
{
    (void)state;
    assert_true(probe(ROW(0, -INFINITY), 1, 2) == -FLT_MAX);
    assert_true(probe(ROW(0, -200), 1, 1) == -FLT_MAX);
    assert_true(top[0].logprob == 0.0f);
}

static void logprobs_take_narrow_rows(void **state)
{
    float x[4] = { 0, 1, 2, 3 };
    uint16_t narrow[4];
    const float wanted = probe(x, 4, 1, 2);
    float logprob;

    (void)state;
    for (int type = SORTES_F16; type <= SORTES_BF16; type++) {
        const sortes_row row = rows_as(x, narrow, 4, (sortes_dtype)type);

        assert_int_equal(sortes_sampler_logprobs(stages_sampler(""), &row,
                                                 SORTES_LOGPROBS_RAW, 1, top, 2,
                                                 &logprob),
                         SORTES_OK);
        assert_true(logprob == wanted);
        assert_int_equal(top[0].token, 3);
    }
}

static void logprobs_refuse_bad_rows(void **state)
{
    static const struct {
        float bad;
        sortes_status wanted;
    } cases[] = { { NAN, SORTES_E_NOT_FINITE },
                  { INFINITY, SORTES_E_NOT_FINITE },
                  { -INFINITY, SORTES_E_NO_TOKEN } };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const float x[2] = { -INFINITY, cases[i].bad };
        const sortes_row row = { x, 2, SORTES_F32 };
        float logprob = 7;

        assert_int_equal(sortes_sampler_logprobs(stages_sampler(""), &row,
                                                 SORTES_LOGPROBS_RAW, 0, top, 1,
                                                 &logprob),
                         cases[i].wanted);
        assert_true(logprob == 7);
    }
}

static float own(const char *settings, sortes_logprob_mode mode, int32_t token)
{
    const float x[4] = { 2, 1, 0, -1 };
    const sortes_row row = { x, 4, SORTES_F32 };
    float logprob;

    assert_int_equal(sortes_sampler_logprobs(stages_sampler(settings), &row,
                                             mode, token, NULL, 0, &logprob),
                     SORTES_OK);
    return logprob;
}

/* raw knows nothing of the chain, temperature divides, processed is the log of
 * what the chain leaves. */
static void logprobs_have_three_modes(void **state)
{
    const char *half = "temperature=0.5";

    (void)state;
    assert_true(fabsf(own(half, SORTES_LOGPROBS_RAW, 0) - -0.44019f) < 1e-5f);
    assert_true(fabsf(own(half, SORTES_LOGPROBS_TEMPERATURE, 0) - -0.145078f) <
                1e-6f);
    assert_true(fabsf(own(half, SORTES_LOGPROBS_PROCESSED, 0) - -0.145078f) <
                1e-6f);
    assert_true(own("temperature=0", SORTES_LOGPROBS_TEMPERATURE, 0) == 0.0f);
    assert_true(own("temperature=0", SORTES_LOGPROBS_TEMPERATURE, 1) ==
                -FLT_MAX);
    assert_true(own("top_k=1", SORTES_LOGPROBS_PROCESSED, 0) == 0.0f);
    assert_true(own("top_k=1", SORTES_LOGPROBS_PROCESSED, 2) == -FLT_MAX);
    assert_true(own("top_k=1", SORTES_LOGPROBS_TEMPERATURE, 2) ==
                own("", SORTES_LOGPROBS_RAW, 2));
}

static void processed_logprobs_list_the_others_by_id(void **state)
{
    const float x[5] = { 1, 4, 0, 3, 0 };
    const sortes_row row = { x, 5, SORTES_F32 };
    static const int32_t wanted[] = { 1, 3, 0, 2, 4 };

    (void)state;
    assert_int_equal(sortes_sampler_logprobs(stages_sampler("top_k=2"), &row,
                                             SORTES_LOGPROBS_PROCESSED, 0, top,
                                             9, NULL),
                     SORTES_OK);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(top[i].token, wanted[i]);
        assert_true((top[i].logprob == -FLT_MAX) == (i >= 2));
    }
    assert_true(fabsf(expf(top[0].logprob) + expf(top[1].logprob) - 1.0f) <
                1e-6f);
}

static void logprobs_refuse_tokens_outside_the_row(void **state)
{
    const float x[2] = { 0, 0 };
    const sortes_row row = { x, 2, SORTES_F32 };
    sortes_sampler *s = stages_sampler("");
    float logprob;

    (void)state;
    assert_int_equal(sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW, 2,
                                             NULL, 0, &logprob),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW, -1,
                                             NULL, 0, &logprob),
                     SORTES_E_ARGUMENT);
    assert_int_equal(
        sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW, 2, top, 1, NULL),
        SORTES_OK);
}

static void logprobs_draw_nothing(void **state)
{
    sortes_sampler *s = stages_sampler("seed=42");
    const float x[10] = { 0 };
    const sortes_row row = { x, 10, SORTES_F32 };

    (void)state;
    for (int i = 0; i < 5; i++)
        assert_int_equal(sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW,
                                                 0, top, 3, NULL),
                         SORTES_OK);
    assert_int_equal(stages_draw(s, x, 10), 7); /* 42's first, .79654 */
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(logprob_of_a_share_is_its_logarithm),
        CASE(logprobs_sum_to_one),
        CASE(logprob_is_the_raw_models_and_not_the_chains),
        CASE(logprob_of_a_token_is_the_same_in_the_list),
        CASE(logprobs_come_best_first),
        CASE(logprobs_of_more_than_there_are_gives_all),
        CASE(logprobs_of_none_give_the_token_alone),
        CASE(logprobs_of_none_need_no_best_first_token),
        CASE(logprob_depends_on_k_in_its_last_bits),
        CASE(logprobs_never_use_the_buckets),
        CASE(logprob_of_zero_is_the_lowest_float),
        CASE(logprobs_take_narrow_rows),
        CASE(logprobs_refuse_bad_rows),
        CASE(logprobs_have_three_modes),
        CASE(processed_logprobs_list_the_others_by_id),
        CASE(logprobs_refuse_tokens_outside_the_row),
        CASE(logprobs_draw_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

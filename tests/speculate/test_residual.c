/*
 * test_residual.c - acceptance by residual, against known counts
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dialect/rmlx/chain.h"
#include "speculate/residual.h"
#include "support/stages.h"

#include <string.h>

/* One trial as rMLX has it: one uniform number, and a second one to reject. */
static int64_t judge(const float *p, const float *q, size_t n, int64_t x,
                     struct srt_pcg32 *g)
{
    struct srt_rmlx_step step = { 0 };
    float rest[8];

    if (srt_pcg32_float(g) < srt_residual_ratio(p[x], q[x]))
        return x;
    memcpy(rest, p, n * sizeof(*p));
    srt_residual(rest, q, n);
    return srt_rmlx_inverse_cdf(rest, n, srt_pcg32_float(g), &step);
}

static int64_t propose(const float *q, size_t n, struct srt_pcg32 *g)
{
    struct srt_rmlx_step step = { 0 };

    return srt_rmlx_inverse_cdf(q, n, srt_pcg32_float(g), &step);
}

static void ratio_is_at_most_1(void **state)
{
    (void)state;
    assert_true(srt_residual_ratio(.2f, .5f) == .2f / .5f);
    assert_true(srt_residual_ratio(.5f, .2f) == 1.0f);
    assert_true(srt_residual_ratio(0, .2f) == 0.0f);
    assert_true(srt_residual_ratio(0, 0) == 1.0f); /* proposed all the same */
}

static void equal_distributions_accept_everything(void **state)
{
    const float p[] = { .1f, .2f, .3f, .4f };
    struct srt_pcg32 g;

    (void)state;
    srt_pcg32_seed(&g, 1);
    for (int i = 0; i < 2000; i++) {
        const int64_t x = propose(p, 4, &g);

        assert_int_equal(judge(p, p, 4, x, &g), x);
    }
}

static void residual_is_what_p_has_above_q(void **state)
{
    float p[] = { .2f, .3f, .5f };

    (void)state;
    srt_residual(p, ROW(.5f, .3f, .2f));
    assert_true(p[0] == 0 && p[1] == 0 && p[2] == 1.0f);
    memcpy(p, (float[]){ .25f, .25f, .5f }, sizeof(p));
    srt_residual(p, ROW(.25f, .25f, .5f)); /* nothing: left alone */
    assert_true(p[0] == .25f && p[1] == .25f && p[2] == .5f);
}

/* x = 0 of q = .5 .3 .2, p = .2 .3 .5: what replaces it is always 2. */
static void a_correction_comes_from_the_residual(void **state)
{
    const float p[] = { .2f, .3f, .5f }, q[] = { .5f, .3f, .2f };
    struct srt_pcg32 g;
    int corrected = 0;

    (void)state;
    srt_pcg32_seed(&g, 11);
    for (int i = 0; i < 3000; i++) {
        const int64_t token = judge(p, q, 3, 0, &g);

        assert_true(token == 0 || token == 2);
        corrected += token == 2;
    }
    assert_true(corrected > 1700 && corrected < 1900); /* 3 in 5 */
}

/* 20,000 trials of rMLX's own test, with its seed. */
static void counts_are_the_known_ones(void **state)
{
    const float q[] = { .4f, .3f, .2f, .1f }, p[] = { .1f, .2f, .3f, .4f };
    int counts[4] = { 0 };
    struct srt_pcg32 g;

    (void)state;
    srt_pcg32_seed(&g, 0xbeef);
    for (int i = 0; i < 20000; i++) {
        const int64_t x = propose(q, 4, &g);

        counts[judge(p, q, 4, x, &g)]++;
    }
    assert_int_equal(counts[0], 1954);
    assert_int_equal(counts[1], 4025);
    assert_int_equal(counts[2], 6069);
    assert_int_equal(counts[3], 7952);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratio_is_at_most_1),
        cmocka_unit_test(equal_distributions_accept_everything),
        cmocka_unit_test(residual_is_what_p_has_above_q),
        cmocka_unit_test(a_correction_comes_from_the_residual),
        cmocka_unit_test(counts_are_the_known_ones),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

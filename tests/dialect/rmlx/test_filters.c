/*
 * test_filters.c - softmax, top_p, min_p, top_k and renormalise, bit by bit
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dialect/rmlx/chain.h"
#include "numeric/bits.h"
#include "support/dialects.h"
#include "support/stages.h"

#include <math.h>
#include <string.h>

/* What is left of p as a mask of ids, the lowest bit for id 0. */
static uint64_t left_of(const float *p, size_t n)
{
    uint64_t ids = 0;

    for (size_t i = 0; i < n; i++)
        ids |= (uint64_t)(p[i] > 0.0f) << i;
    return ids;
}

static uint64_t top_p(const float *p, size_t n, float value)
{
    float copy[64];

    memcpy(copy, p, n * sizeof(*p));
    srt_rmlx_top_p(copy, n, value, srt_scratch_get(n));
    return left_of(copy, n);
}

static uint64_t top_k(const float *p, size_t n, size_t k)
{
    float copy[64];

    memcpy(copy, p, n * sizeof(*p));
    srt_rmlx_top_k(copy, n, k, srt_scratch_get(n));
    return left_of(copy, n);
}

static uint64_t min_p(const float *p, size_t n, float value)
{
    float copy[64];

    memcpy(copy, p, n * sizeof(*p));
    srt_rmlx_min_p(copy, n, value);
    return left_of(copy, n);
}

static void top_k_keeps_the_largest_and_of_equal_ones_the_first(void **state)
{
    float tied[64];

    (void)state;
    assert_int_equal(top_k(ROW(.1f, .4f, .05f, .3f, .15f), 2), 1 << 1 | 1 << 3);
    assert_int_equal(top_k(ROW(.1f, .4f, .05f, .3f, .15f), 1), 1 << 1);
    assert_int_equal(top_k(ROW(.5f, .5f), 0), 3); /* off */
    assert_int_equal(top_k(ROW(.5f, .5f), 2), 3); /* as good as off */
    for (size_t i = 0; i < 64; i++)
        tied[i] = i == 5 || i == 30 || i == 63 ? .3f : .001f;
    assert_int_equal(top_k(tied, 64, 1), 1u << 5);
    assert_int_equal(top_k(tied, 64, 2), 1u << 5 | 1u << 30);
    assert_int_equal(top_k(tied, 64, 4),
                     (uint64_t)1 << 63 | 1u << 30 | 1u << 5 | 1u << 0);
}

static void top_p_drops_from_the_least_likely_up(void **state)
{
    (void)state;
    assert_int_equal(top_p(ROW(.1f, .2f, .3f, .4f), .7f), 1 << 2 | 1 << 3);
    /* 0 and 1 are off, and so is what lies outside */
    assert_int_equal(top_p(ROW(.1f, .2f, .3f, .4f), 0.0f), 15);
    assert_int_equal(top_p(ROW(.1f, .2f, .3f, .4f), 1.0f), 15);
    assert_int_equal(top_p(ROW(.1f, .2f, .3f, .4f), NAN), 15);
}

/* Of values equal to the last one dropped, the highest ids go. */
static void top_p_cuts_ties_by_id(void **state)
{
    float p[64];

    (void)state;
    for (size_t i = 0; i < 64; i++)
        p[i] = i == 0 ? .4f : .6f / 63.0f;
    assert_int_equal(top_p(p, 64, .5f), 0xfff);
    /* sums .25 and .5 are not above .5 */
    assert_int_equal(top_p(ROW(.25f, .25f, .25f, .25f), .5f), 3);
    assert_int_equal(top_p(ROW(.25f, .25f, .25f, .25f), .25f), 1);
}

static void top_p_may_drop_everything(void **state)
{
    sortes_sampler *s = dialects_sampler("rmlx", NULL, "top_p=1e-8");

    (void)state;
    assert_int_equal(top_p(ROW(.25f, .25f, .25f, .25f), 1e-9f), 0);
    /* where rMLX would answer id 0 at every step */
    assert_int_equal(dialects_draw(s, ROW(1, 1, 1, 1)), -SORTES_E_NO_TOKEN);
    sortes_sampler_free(s);
}

static void min_p_keeps_what_is_on_the_line(void **state)
{
    (void)state;
    assert_int_equal(min_p(ROW(.5f, .2f, .1f, .14f, .06f), .3f), 3);
    assert_int_equal(min_p(ROW(.5f, .25f, .2499f), .5f), 3);
    assert_int_equal(min_p(ROW(.5f, .25f), 0.0f), 3);
    assert_int_equal(min_p(ROW(.5f, .5f, .49f), 1.0f), 3);
    assert_int_equal(min_p(ROW(0, 0), .5f), 0);
}

static void softmax_at_a_low_temperature_underflows(void **state)
{
    float p[3];

    (void)state;
    assert_int_equal(srt_rmlx_softmax(ROW(10, 9.98f, 9.995f), 1e-4f, p),
                     SORTES_OK);
    assert_true(p[1] == 0.0f && p[2] > 0.0f && p[0] > .99f);
}

static void softmax_refuses_what_overflows(void **state)
{
    float p[2];

    (void)state;
    assert_int_equal(srt_rmlx_softmax(ROW(3e38f, 0), .1f, p),
                     SORTES_E_NOT_FINITE);
    assert_int_equal(srt_rmlx_softmax(ROW(NAN, 0), 1, p), SORTES_E_NOT_FINITE);
    assert_int_equal(srt_rmlx_softmax(ROW(-INFINITY, -INFINITY), 1, p),
                     SORTES_OK);
    assert_true(p[0] == 0.0f && p[1] == 0.0f);
}

/* Bits computed with NumPy from the same definition. */
static void distribution_has_the_known_bits(void **state)
{
    static const uint32_t bits[] = {
        0, 0x3e565e09, 0x3d75ab47, 0x3f3b0dca, 0, 0
    };
    const float x[] = { .5f, 2, 1, 3, -1, .2f };
    const sortes_row row = { x, 6, SORTES_F32 };
    sortes_sampler *s =
        dialects_sampler("rmlx", NULL, "temperature=0.8 top_p=0.9 seed=55");
    static const int32_t drawn[] = { 3, 1, 3, 3, 3, 1, 3, 1, 1, 3,
                                     3, 3, 1, 1, 3, 3, 3, 3, 3, 1 };
    float p[6];

    (void)state;
    assert_int_equal(sortes_sampler_distribution(s, &row, p), SORTES_OK);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(srt_bits32(p[i]), bits[i]);
    for (size_t i = 0; i < SRT_COUNT(drawn); i++)
        assert_int_equal(dialects_draw(s, x, 6), drawn[i]);
    sortes_sampler_free(s);
}

static void argmax_is_the_first_of_the_largest(void **state)
{
    (void)state;
    assert_int_equal(srt_rmlx_argmax(ROW(1, 3, 3)), 1);
    assert_int_equal(srt_rmlx_argmax(ROW(-0.0f, 0.0f)), 0);
    assert_int_equal(srt_rmlx_argmax(ROW(-INFINITY, -3e38f)), 1);
    assert_int_equal(srt_rmlx_argmax(ROW(-INFINITY, -INFINITY)), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(top_k_keeps_the_largest_and_of_equal_ones_the_first),
        cmocka_unit_test(top_p_drops_from_the_least_likely_up),
        cmocka_unit_test(top_p_cuts_ties_by_id),
        cmocka_unit_test(top_p_may_drop_everything),
        cmocka_unit_test(min_p_keeps_what_is_on_the_line),
        cmocka_unit_test(softmax_at_a_low_temperature_underflows),
        cmocka_unit_test(softmax_refuses_what_overflows),
        cmocka_unit_test(distribution_has_the_known_bits),
        cmocka_unit_test(argmax_is_the_first_of_the_largest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

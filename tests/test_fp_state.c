/*
 * test_fp_state.c - a caller's floating-point state: without effect, and put
 * back
 *
 * Everything is computed first in the ordinary state and then once more in
 * states that a host may have left behind.  Bits, not values, are compared.
 *
 * SPDX-License-Identifier: MIT
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* feenableexcept() */
#endif

#include "fp_state.h"

#include "sortes.h"
#include "support/rows.h"
#include "support/shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fenv.h>
#include <math.h>
#include <string.h>

enum { ROW = 3000, N_ROWS = 4 };

/* ---- states -------------------------------------------------------------- */

#if SRT_X86
enum { FLUSH = 1 << 15 | 1 << 6 /* FTZ and DAZ */, STICKY = 0x3f };

static void set_flush(void)
{
    _mm_setcsr(_mm_getcsr() | FLUSH);
}

/* All that may differ is which exceptions have been seen. */
static uint64_t control_state(void)
{
    return _mm_getcsr() & ~(unsigned)STICKY;
}

static void set_ordinary(void)
{
    (void)fesetround(FE_TONEAREST);
    _mm_setcsr(0x1f80);
}
#else
static void set_flush(void)
{
    skip();
}

static uint64_t control_state(void)
{
    return (uint64_t)fegetround();
}

static void set_ordinary(void)
{
    (void)fesetround(FE_TONEAREST);
}
#endif

static void set_upward(void)
{
    assert_int_equal(fesetround(FE_UPWARD), 0);
}

static void set_downward(void)
{
    assert_int_equal(fesetround(FE_DOWNWARD), 0);
}

static void set_toward_zero(void)
{
    assert_int_equal(fesetround(FE_TOWARDZERO), 0);
}

/* What would trap: anything inexact, subnormal, too large, or undefined. */
static void set_trapping(void)
{
#if defined(__GLIBC__) && SRT_X86
    feclearexcept(FE_ALL_EXCEPT);
    assert_int_not_equal(feenableexcept(FE_ALL_EXCEPT), -1);
#else
    skip();
#endif
}

static void set_everything(void)
{
    set_upward();
    set_flush();
    set_trapping();
}

/* ---- what is computed in them -------------------------------------------- */

static float logits[N_ROWS][ROW];

static const enum rows_kind kinds[N_ROWS] = { ROWS_WIDE, ROWS_FLAT, ROWS_TIED,
                                              ROWS_LOW };

struct answers {
    sortes_draw draw[N_ROWS];
    float p[N_ROWS][ROW];
    sortes_logprob top[N_ROWS][9];
    float logprob[N_ROWS];
    float last_logit[N_ROWS]; /* of the last view that explain() showed */
    char temperature[64];
};

static void see(void *ctx, const sortes_stage_view *view)
{
    memcpy(ctx, view->logit, sizeof(float));
}

static void ask(sortes_sampler *s, struct answers *a)
{
    for (size_t i = 0; i < N_ROWS; i++) {
        const sortes_row row = { logits[i], ROW, SORTES_F32 };

        assert_int_equal(sortes_sampler_distribution(s, &row, a->p[i]),
                         SORTES_OK);
        assert_int_equal(
            sortes_sampler_explain(s, &row, see, &a->last_logit[i]), SORTES_OK);
        assert_int_equal(sortes_sampler_sample(s, &row, &a->draw[i]),
                         SORTES_OK);
        assert_int_equal(
            sortes_sampler_accept(s, &a->draw[i].token, 1, SORTES_GENERATED),
            SORTES_OK);
        assert_int_equal(sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW,
                                                 7, a->top[i], 9,
                                                 &a->logprob[i]),
                         SORTES_OK);
    }
}

/* The whole way from a request's text to a token. */
static void answer(size_t shape, int reference, struct answers *a)
{
    static const char request[] =
        "{\"temperature\":0.7499999999999999,\"top_p\":0.9200000000000001,"
        "\"presence_penalty\":0.1}";
    sortes_params *p = shape_params(shape, 77);
    sortes_sampler *s, *copy;

    memset(a, 0, sizeof(*a));
    assert_int_equal(sortes_selftest(NULL), SORTES_OK);
    if (shape == 0) {
        assert_int_equal(sortes_params_read(p, "llama-server", request,
                                            sizeof(request) - 1, NULL),
                         SORTES_OK);
        assert_int_equal(sortes_params_set_number(p, "min_p", 0.05, NULL),
                         SORTES_OK);
    }
    assert_int_equal(sortes_params_get(p, "temperature", a->temperature,
                                       sizeof(a->temperature), NULL, NULL),
                     SORTES_OK);
    assert_int_equal(sortes_sampler_new(&s, p, NULL, NULL), SORTES_OK);
    sortes_params_free(p);
    copy = shape_clone(s);
    sortes_sampler_free(s);
    assert_int_equal(sortes_sampler_reset(copy), SORTES_OK);
    sortes_sampler_use_reference(copy, reference);
    ask(copy, a);
    sortes_sampler_free(copy);
}

static void check_state(void (*set)(void))
{
    static struct answers want, got;

    for (size_t i = 0; i < N_ROWS; i++)
        rows_fill(logits[i], ROW, kinds[i], i);
    for (size_t i = 0; i < 2 * SHAPES_N; i++) {
        uint64_t before, after;

        answer(i / 2, i % 2, &want);
        set();
        before = control_state();
        answer(i / 2, i % 2, &got);
        after = control_state();
        set_ordinary();
        assert_int_equal(before, after);
        if (memcmp(&got, &want, sizeof(got)) != 0)
            fail_msg("%s%s: something differs", shape_name(i / 2),
                     i % 2 ? " by the reference" : "");
    }
}

static void flushed_subnormals_change_nothing(void **state)
{
    (void)state;
    check_state(set_flush);
}

static void rounding_upward_changes_nothing(void **state)
{
    (void)state;
    check_state(set_upward);
}

static void rounding_downward_changes_nothing(void **state)
{
    (void)state;
    check_state(set_downward);
}

static void rounding_toward_zero_changes_nothing(void **state)
{
    (void)state;
    check_state(set_toward_zero);
}

static void unmasked_exceptions_do_not_trap(void **state)
{
    (void)state;
    check_state(set_trapping);
}

static void all_of_it_together_changes_nothing(void **state)
{
    (void)state;
    check_state(set_everything);
}

/* ---- the guard itself ---------------------------------------------------- */

static void begin_leaves_an_ordinary_state_alone(void **state)
{
    struct srt_fp_state fp;

    (void)state;
    set_ordinary();
    fp = srt_fp_begin();
    assert_false(fp.changed);
    srt_fp_end(fp);
}

static void begin_sets_the_ordinary_state_and_end_restores(void **state)
{
    volatile float least = 0x1p-149f, three = 3.0f, most_of_least, third;
    struct srt_fp_state fp;
    uint64_t before, inside;

    (void)state;
    set_ordinary();
    inside = control_state();
    set_upward();
    set_flush();
    before = control_state();
    fp = srt_fp_begin();
    most_of_least = least * 0.75f;
    third = 1.0f / three;
    assert_true(fp.changed);
    assert_int_equal(control_state(), inside);
    srt_fp_end(fp);
    assert_int_equal(control_state(), before);
    set_ordinary();
    assert_true(most_of_least == 0x1p-149f);
    assert_true(third == 0x1.555556p-2f);
}

static void guards_may_lie_inside_one_another(void **state)
{
    struct srt_fp_state outer, inner;
    uint64_t before;

    (void)state;
    set_downward();
    before = control_state();
    outer = srt_fp_begin();
    inner = srt_fp_begin();
    assert_false(inner.changed);
    srt_fp_end(inner);
    srt_fp_end(outer);
    assert_int_equal(control_state(), before);
    set_ordinary();
}

static int restore(void **state)
{
    (void)state;
    set_ordinary();
    return 0;
}

int main(void)
{
#define CASE(name) cmocka_unit_test_teardown(name, restore)
    const struct CMUnitTest tests[] = {
        CASE(flushed_subnormals_change_nothing),
        CASE(rounding_upward_changes_nothing),
        CASE(rounding_downward_changes_nothing),
        CASE(rounding_toward_zero_changes_nothing),
        CASE(unmasked_exceptions_do_not_trap),
        CASE(all_of_it_together_changes_nothing),
        CASE(begin_leaves_an_ordinary_state_alone),
        CASE(begin_sets_the_ordinary_state_and_end_restores),
        CASE(guards_may_lie_inside_one_another),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

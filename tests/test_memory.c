/*
 * test_memory.c - when memory is taken, and what happens when there is none
 *
 * The program's own malloc() counts, and refuses when told to.  Under a
 * sanitizer, and where the C library is not glibc, malloc() cannot be put in
 * place like this, and the cases are skipped.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/settings.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEMORY_COUNTED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MEMORY_COUNTED 0
#endif
#endif
#if !defined(MEMORY_COUNTED) && defined(__GLIBC__)
#define MEMORY_COUNTED 1
#elif !defined(MEMORY_COUNTED)
#define MEMORY_COUNTED 0
#endif

static unsigned long n_allocations;
/* The allocation of this number, from now on, is refused; 0: none is. */
static unsigned long refuse_at;

#if MEMORY_COUNTED

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);

void *malloc(size_t n);
void *calloc(size_t n, size_t size);
void *realloc(void *p, size_t n);

static bool refused(void)
{
    return ++n_allocations == refuse_at;
}

void *malloc(size_t n)
{
    return refused() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return refused() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
    return refused() ? NULL : __libc_realloc(p, n);
}

#endif

/* Refuses the n-th allocation of what follows; the end is refuse_from(0). */
static void refuse_from(unsigned long n)
{
    n_allocations = 0;
    refuse_at = n;
}

enum { LONGEST = 5000, MORE = 20000 };

static float x[LONGEST];
static uint16_t narrow[LONGEST];

/* ---- steps take nothing
 * -------------------------------------------------------
 */

static void steps_allocate_nothing(void **state)
{
    struct rows_random r = { 12 };

    (void)state;
    needs_counting();
    for (int i = 0; i < 40; i++) {
        const size_t n = 900 + 100 * rows_below(&r, 41);
        struct settings settings;
        sortes_sampler *s;
        sortes_row row;
        sortes_draw draw;
        unsigned long before;

        settings_random(&settings, &r, n);
        s = settings_sampler(&settings);
        assert_non_null(s);
        rows_fill(x, n, (enum rows_kind)rows_below(&r, ROWS_N_KINDS), 5);
        row = rows_as(x, narrow, n, (sortes_dtype)(i % 3));
        (void)sortes_sampler_sample(s, &row, &draw); /* the thread's memory */
        before = n_allocations;
        for (int step = 0; step < 50; step++)
            (void)sortes_sampler_sample(s, &row, &draw);
        assert_int_equal(n_allocations, before);
        sortes_sampler_free(s);
    }
}

static void shorter_rows_allocate_nothing(void **state)
{
    struct settings settings = settings_default();
    sortes_sampler *s = settings_sampler(&settings);
    sortes_draw draw;
    unsigned long before;

    (void)state;
    needs_counting();
    rows_fill(x, LONGEST, ROWS_ORDINARY, 1);
    assert_int_equal(sortes_sampler_sample(
                         s, &(sortes_row){ x, LONGEST, SORTES_F32 }, &draw),
                     SORTES_OK);
    before = n_allocations;
    for (size_t n = 1; n < LONGEST; n += 77)
        assert_int_equal(
            sortes_sampler_sample(s, &(sortes_row){ x, n, SORTES_F32 }, &draw),
            SORTES_OK);
    assert_int_equal(n_allocations, before);
    sortes_sampler_free(s);
}

static void accepting_allocates_nothing(void **state)
{
    struct settings settings = settings_default();
    sortes_sampler *s;
    unsigned long before;

    (void)state;
    needs_counting();
    settings.presence = 1;
    s = settings_sampler(&settings);
    before = n_allocations;
    for (int32_t token = 0; token < 1000; token++)
        assert_int_equal(sortes_sampler_accept(s, &token, 1, SORTES_GENERATED),
                         SORTES_OK);
    assert_int_equal(n_allocations, before);
    sortes_sampler_free(s);
}

/* ---- and when there is none
 * --------------------------------------------------- */

static sortes_params *params_with_biases(void)
{
    sortes_params *p;

    assert_int_equal(sortes_params_new(&p, "llama.cpp", NULL), SORTES_OK);
    assert_int_equal(
        sortes_params_set_text(p, "logit_bias", "1+1,2+2,3-1,4+0", NULL),
        SORTES_OK);
    assert_int_equal(sortes_params_set_number(p, "presence_penalty", 1, NULL),
                     SORTES_OK);
    /* More than a chain keeps ready, so that accept() has to grow. */
    assert_int_equal(
        sortes_params_set_integer(p, "repeat_last_n", 100000, NULL), SORTES_OK);
    assert_int_equal(sortes_params_set_seed(p, 3, NULL), SORTES_OK);
    return p;
}

/* Every allocation of a call refused in turn, until it needs no more. */
static void new_without_memory(void **state)
{
    sortes_params *p = params_with_biases();
    sortes_sampler *s;
    sortes_status status;
    unsigned long n = 0;

    (void)state;
    needs_counting();
    do {
        sortes_error err = { 0 };

        s = (sortes_sampler *)&n;
        refuse_from(++n);
        status = sortes_sampler_new(&s, p, NULL, &err);
        refuse_from(0);
        if (status != SORTES_OK) {
            assert_int_equal(status, SORTES_E_NOMEM);
            assert_int_equal(err.status, SORTES_E_NOMEM);
            assert_null(s);
        }
    } while (status != SORTES_OK);
    assert_true(n > 5);
    sortes_sampler_free(s);
    sortes_params_free(p);
}

/* A sampler with biases and a history, and one draw of it. */
static sortes_sampler *used_sampler(void)
{
    sortes_params *p = params_with_biases();
    const int32_t history[] = { 1, 2, 3, 4, 5 };
    sortes_sampler *s;

    assert_int_equal(sortes_sampler_new(&s, p, NULL, NULL), SORTES_OK);
    assert_int_equal(sortes_sampler_accept(s, history, 5, SORTES_PROMPT),
                     SORTES_OK);
    sortes_params_free(p);
    return s;
}

static void clone_without_memory(void **state)
{
    sortes_sampler *s = used_sampler(), *copy;
    sortes_status status;
    unsigned long n = 0;

    (void)state;
    needs_counting();
    do {
        copy = s;
        refuse_from(++n);
        status = sortes_sampler_clone(&copy, s);
        refuse_from(0);
        if (status != SORTES_OK) {
            assert_int_equal(status, SORTES_E_NOMEM);
            assert_null(copy);
        }
    } while (status != SORTES_OK);
    assert_true(n > 5);
    sortes_sampler_free(copy);
    sortes_sampler_free(s);
}

/* 20 draws, each accepted. */
static void draw_some(sortes_sampler *s, int32_t out[20])
{
    rows_fill(x, 100, ROWS_FLAT, 1);
    for (int i = 0; i < 20; i++) {
        const sortes_row row = { x, 100, SORTES_F32 };
        sortes_draw draw;

        assert_int_equal(sortes_sampler_sample(s, &row, &draw), SORTES_OK);
        out[i] = draw.token;
        assert_int_equal(
            sortes_sampler_accept(s, &draw.token, 1, SORTES_GENERATED),
            SORTES_OK);
    }
}

static void accept_without_memory_accepts_nothing(void **state)
{
    unsigned long n = 0;
    sortes_status status;

    (void)state;
    needs_counting();
    do {
        sortes_sampler *s = used_sampler(), *fresh = used_sampler();
        static int32_t more[MORE];
        int32_t a[20], b[20];

        for (int32_t i = 0; i < MORE; i++)
            more[i] = i;
        refuse_from(++n);
        status = sortes_sampler_accept(s, more, MORE, SORTES_PROMPT);
        refuse_from(0);
        if (status != SORTES_OK) {
            assert_int_equal(status, SORTES_E_NOMEM);
            draw_some(s, a);
            draw_some(fresh, b);
            assert_memory_equal(a, b, sizeof(a));
        }
        sortes_sampler_free(s);
        sortes_sampler_free(fresh);
    } while (status != SORTES_OK);
    assert_true(n > 2);
}

static void see_nothing(void *ctx, const sortes_stage_view *view)
{
    (void)ctx;
    (void)view;
    fail();
}

static void sample_without_memory_draws_nothing(void **state)
{
    sortes_sampler *s = used_sampler(), *fresh = used_sampler();
    const sortes_row row = { x, 3000, SORTES_F32 };
    sortes_draw draw = { .token = -5 };
    float logprob = 7, p[3000];
    int32_t a[20], b[20];

    (void)state;
    needs_counting();
    rows_fill(x, 3000, ROWS_ORDINARY, 1);
    for (int on = 0; on < 2; on++) {
        sortes_sampler_use_reference(s, on);
        sortes_thread_release();
        refuse_from(1);
        assert_int_equal(sortes_sampler_sample(s, &row, &draw), SORTES_E_NOMEM);
        refuse_from(1);
        assert_int_equal(sortes_sampler_distribution(s, &row, p),
                         SORTES_E_NOMEM);
        refuse_from(1);
        assert_int_equal(sortes_sampler_logprobs(s, &row, 0, NULL, 0, &logprob),
                         SORTES_E_NOMEM);
        refuse_from(1);
        assert_int_equal(sortes_sampler_explain(s, &row, see_nothing, NULL),
                         SORTES_E_NOMEM);
        refuse_from(0);
    }
    assert_int_equal(draw.token, -5);
    assert_true(logprob == 7);
    draw_some(s, a);
    draw_some(fresh, b);
    assert_memory_equal(a, b, sizeof(a));
    sortes_sampler_free(s);
    sortes_sampler_free(fresh);
}

static void longer_row_without_memory_keeps_the_old_memory(void **state)
{
    sortes_sampler *s = used_sampler();
    sortes_draw draw;

    (void)state;
    needs_counting();
    rows_fill(x, LONGEST, ROWS_ORDINARY, 1);
    sortes_thread_release();
    assert_int_equal(
        sortes_sampler_sample(s, &(sortes_row){ x, 2000, SORTES_F32 }, &draw),
        SORTES_OK);
    refuse_from(1);
    assert_int_equal(sortes_sampler_sample(
                         s, &(sortes_row){ x, LONGEST, SORTES_F32 }, &draw),
                     SORTES_E_NOMEM);
    refuse_from(1);
    assert_int_equal(
        sortes_sampler_sample(s, &(sortes_row){ x, 2000, SORTES_F32 }, &draw),
        SORTES_OK);
    refuse_from(0);
    sortes_sampler_free(s);
}

static int release(void **state)
{
    (void)state;
    refuse_from(0);
    sortes_thread_release();
    return 0;
}

#define CASE(name) cmocka_unit_test_teardown(name, release)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(steps_allocate_nothing),
        CASE(shorter_rows_allocate_nothing),
        CASE(accepting_allocates_nothing),
        CASE(new_without_memory),
        CASE(clone_without_memory),
        CASE(accept_without_memory_accepts_nothing),
        CASE(sample_without_memory_draws_nothing),
        CASE(longer_row_without_memory_keeps_the_old_memory),
    };

    if (!MEMORY_COUNTED) {
        print_message("skipped: malloc() cannot be counted in this build\n");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}

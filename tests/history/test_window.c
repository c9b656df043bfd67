/*
 * test_window.c - the last N tokens, beside a model that keeps them all
 *
 * The model is an array of everything pushed; what the window should hold is
 * counted afresh from its end each time.
 *
 * SPDX-License-Identifier: MIT
 */
#include "history/window.h"

#include "support/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { MODEL_MAX = 60000, MODEL_TOKENS = 40 };

struct model {
    int32_t pushed[MODEL_MAX];
    size_t n;     /* pushed since the last clear */
    size_t limit; /* of the window */
};

static const size_t limits[] = { 0, 1, 2, 64, 1000 };

static size_t model_first(const struct model *m)
{
    return m->n > m->limit ? m->n - m->limit : 0;
}

static void check_tokens(const struct srt_window *w, const struct model *m)
{
    const size_t first = model_first(m);

    assert_int_equal(w->limit, m->limit);
    assert_int_equal(w->n, m->n - first);
    for (size_t i = 0; i < w->n; i++)
        assert_int_equal(srt_window_back(w, w->n - 1 - i),
                         m->pushed[first + i]);
}

/* The counts ascend by token, each once, and add up to the model's. */
static void check_counts(const struct srt_window *w, const struct model *m)
{
    int32_t want[MODEL_TOKENS] = { 0 };
    size_t n_want = 0;

    for (size_t i = model_first(m); i < m->n; i++)
        n_want += want[m->pushed[i] % MODEL_TOKENS]++ == 0;
    assert_int_equal(w->n_counts, n_want);
    for (size_t i = 0; i < w->n_counts; i++) {
        const struct srt_count *c = &w->counts[i];

        assert_true(i == 0 || w->counts[i - 1].token < c->token);
        assert_int_equal(c->count, want[c->token % MODEL_TOKENS]);
    }
}

static void check(const struct srt_window *w, const struct model *m)
{
    check_tokens(w, m);
    check_counts(w, m);
}

/* Tokens differ in their remainders mod MODEL_TOKENS, and are not small. */
static int32_t any_token(struct rows_random *r)
{
    const int32_t i = (int32_t)rows_below(r, MODEL_TOKENS);

    return i % 3 == 0 ? i : i + MODEL_TOKENS * (1000 * i);
}

static void push(struct srt_window *w, struct model *m, struct rows_random *r,
                 size_t n)
{
    int32_t *const tokens = m->pushed + m->n;

    assert_true(m->n + n <= MODEL_MAX);
    for (size_t i = 0; i < n; i++)
        tokens[i] = any_token(r);
    assert_int_equal(srt_window_reserve(w, n), SORTES_OK);
    srt_window_push(w, tokens, n);
    m->n += n;
}

static void window_starts_empty(void **state)
{
    struct srt_window w;

    (void)state;
    srt_window_init(&w, 64);
    assert_int_equal(w.limit, 64);
    assert_int_equal(w.n, 0);
    assert_int_equal(w.n_counts, 0);
    srt_window_free(&w);
}

static void window_equals_the_model_token_by_token(void **state)
{
    static struct model m;

    (void)state;
    for (size_t l = 0; l < SRT_COUNT(limits); l++) {
        struct rows_random r = { l };
        struct srt_window w;

        m.n = 0;
        m.limit = limits[l];
        srt_window_init(&w, limits[l]);
        for (int i = 0; i < 2500; i++) {
            push(&w, &m, &r, 1);
            check(&w, &m);
        }
        srt_window_free(&w);
    }
}

/* Lengths on both sides of where counting afresh is cheaper, of the limit, and
 * beyond it. */
static size_t any_length(struct rows_random *r, size_t limit)
{
    switch (rows_below(r, 6)) {
    case 0:
        return rows_below(r, 4);
    case 1:
        return 30 + rows_below(r, 5);
    case 2:
        return limit + rows_below(r, 3) - (limit > 0);
    case 3:
        return limit * 2 + rows_below(r, 9);
    case 4:
        return rows_below(r, 100);
    default:
        return 1;
    }
}

static void window_equals_the_model_under_random_operations(void **state)
{
    static struct model m;

    (void)state;
    for (size_t l = 0; l < SRT_COUNT(limits); l++) {
        struct rows_random r = { 100 + l };
        struct srt_window w;

        m.n = 0;
        m.limit = limits[l];
        srt_window_init(&w, limits[l]);
        for (int i = 0; i < 600; i++) {
            if (rows_below(&r, 40) == 0 || m.n > MODEL_MAX - 3000) {
                srt_window_clear(&w);
                m.n = 0;
            }
            push(&w, &m, &r, any_length(&r, limits[l]));
            check(&w, &m);
        }
        srt_window_free(&w);
    }
}

static void window_of_no_limit_stays_empty_and_needs_no_memory(void **state)
{
    static const int32_t tokens[] = { 1, 2, 3 };
    struct srt_window w;

    (void)state;
    srt_window_init(&w, 0);
    assert_int_equal(srt_window_reserve(&w, SIZE_MAX), SORTES_OK);
    srt_window_push(&w, tokens, 3);
    srt_window_pop(&w, 2);
    assert_int_equal(w.n, 0);
    assert_int_equal(w.n_counts, 0);
    assert_null(w.tokens);
    assert_null(w.counts);
    srt_window_free(&w);
}

static void window_reserves_once_for_many_pushes(void **state)
{
    static struct model m;
    struct rows_random r = { 1 };
    struct srt_window w;
    const int32_t *tokens;
    const struct srt_count *counts;

    (void)state;
    m.n = 0;
    m.limit = 1000;
    srt_window_init(&w, 1000);
    assert_int_equal(srt_window_reserve(&w, 1000 + SRT_WINDOW_BEHIND),
                     SORTES_OK);
    tokens = w.tokens;
    counts = w.counts;
    for (int i = 0; i < 3000; i++)
        push(&w, &m, &r, 1);
    assert_ptr_equal(w.tokens, tokens);
    assert_ptr_equal(w.counts, counts);
    check(&w, &m);
    srt_window_free(&w);
}

static void window_clear_keeps_the_memory(void **state)
{
    static struct model m;
    struct rows_random r = { 2 };
    struct srt_window w;
    const int32_t *tokens;

    (void)state;
    m.n = 0;
    m.limit = 64;
    srt_window_init(&w, 64);
    push(&w, &m, &r, 100);
    tokens = w.tokens;
    srt_window_clear(&w);
    m.n = 0;
    check(&w, &m);
    push(&w, &m, &r, 70);
    assert_ptr_equal(w.tokens, tokens);
    check(&w, &m);
    srt_window_free(&w);
}

static void window_free_leaves_it_usable(void **state)
{
    static struct model m;
    struct rows_random r = { 3 };
    struct srt_window w;

    (void)state;
    m.limit = 64;
    srt_window_init(&w, 64);
    for (int i = 0; i < 3; i++) {
        m.n = 0;
        push(&w, &m, &r, 100);
        check(&w, &m);
        srt_window_free(&w);
        assert_int_equal(w.n, 0);
        assert_null(w.tokens);
    }
}

static void window_copy_is_the_same_and_goes_its_own_way(void **state)
{
    static struct model m, n;

    (void)state;
    for (size_t l = 0; l < SRT_COUNT(limits); l++) {
        for (size_t length = 0; length < 3 * limits[l] + 3; length += 61) {
            struct rows_random r = { length };
            struct srt_window w, copy;

            m.n = 0;
            m.limit = limits[l];
            srt_window_init(&w, limits[l]);
            srt_window_init(&copy, limits[l]);
            push(&w, &m, &r, length / 2);
            push(&w, &m, &r, length - length / 2);
            assert_int_equal(srt_window_copy(&copy, &w), SORTES_OK);
            n = m;
            check(&copy, &n);
            push(&copy, &n, &r, 7);
            check(&copy, &n);
            check(&w, &m);
            srt_window_free(&w);
            push(&copy, &n, &r, 90);
            check(&copy, &n);
            srt_window_free(&copy);
        }
    }
}

static void window_copy_keeps_memory_reserved_before(void **state)
{
    static struct model m;
    struct rows_random r = { 4 };
    struct srt_window w, copy;
    const int32_t *tokens;

    (void)state;
    m.n = 0;
    m.limit = 64;
    srt_window_init(&w, 64);
    push(&w, &m, &r, 80);
    srt_window_init(&copy, 64);
    assert_int_equal(srt_window_reserve(&copy, 64 + SRT_WINDOW_BEHIND),
                     SORTES_OK);
    tokens = copy.tokens;
    assert_int_equal(srt_window_copy(&copy, &w), SORTES_OK);
    assert_ptr_equal(copy.tokens, tokens);
    check(&copy, &m);
    srt_window_free(&w);
    srt_window_free(&copy);
}

/* Sizes that do not fit in a size_t; an allocator that fails: test_memory.c. */
static void
window_reserve_refuses_the_impossible_and_changes_nothing(void **state)
{
    static struct model m;
    struct rows_random r = { 5 };
    struct srt_window w;

    (void)state;
    m.n = 0;
    m.limit = SIZE_MAX - SRT_WINDOW_BEHIND;
    srt_window_init(&w, m.limit);
    push(&w, &m, &r, 50);
    assert_int_equal(srt_window_reserve(&w, SIZE_MAX - 50), SORTES_E_NOMEM);
    assert_int_equal(srt_window_reserve(&w, SIZE_MAX / 3), SORTES_E_NOMEM);
    check(&w, &m);
    push(&w, &m, &r, 500);
    check(&w, &m);
    srt_window_free(&w);
}

static void window_takes_the_largest_token(void **state)
{
    const int32_t tokens[] = { INT32_MAX, 0, INT32_MAX, 0, INT32_MAX };
    struct srt_window w;

    (void)state;
    srt_window_init(&w, 4);
    assert_int_equal(srt_window_reserve(&w, 5), SORTES_OK);
    for (size_t i = 0; i < SRT_COUNT(tokens); i++)
        srt_window_push(&w, &tokens[i], 1);
    assert_int_equal(w.n_counts, 2);
    assert_int_equal(w.counts[0].token, 0);
    assert_int_equal(w.counts[0].count, 2);
    assert_int_equal(w.counts[1].token, INT32_MAX);
    assert_int_equal(w.counts[1].count, 2);
    srt_window_free(&w);
}

/* ---- taking back --------------------------------------------------------- */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void pop(struct srt_window *w, struct model *m, size_t n)
{
    srt_window_pop(w, n);
    m->n -= n;
}

static void window_pop_brings_back_what_had_left(void **state)
{
    static const int32_t tokens[] = { 5, 6, 7, 6, 9 };
    struct srt_window w;

    (void)state;
    srt_window_init(&w, 2);
    assert_int_equal(srt_window_reserve(&w, 5), SORTES_OK);
    srt_window_push(&w, tokens, 5);
    srt_window_pop(&w, 1);
    assert_int_equal(w.n, 2);
    assert_int_equal(srt_window_back(&w, 0), 6);
    assert_int_equal(srt_window_back(&w, 1), 7);
    srt_window_pop(&w, 2);
    assert_int_equal(w.n, 2);
    assert_int_equal(srt_window_back(&w, 0), 6);
    assert_int_equal(srt_window_back(&w, 1), 5);
    assert_int_equal(w.n_counts, 2);
    srt_window_pop(&w, 1);
    assert_int_equal(w.n, 1);
    srt_window_pop(&w, 1);
    assert_int_equal(w.n, 0);
    assert_int_equal(w.n_counts, 0);
    srt_window_free(&w);
}

static void window_pop_of_nothing_changes_nothing(void **state)
{
    static struct model m;
    struct rows_random r = { 6 };
    struct srt_window w;

    (void)state;
    m.n = 0;
    m.limit = 64;
    srt_window_init(&w, 64);
    pop(&w, &m, 0);
    push(&w, &m, &r, 100);
    pop(&w, &m, 0);
    check(&w, &m);
    srt_window_free(&w);
}

static void window_keeps_what_pop_may_need(void **state)
{
    static struct model m;

    (void)state;
    for (size_t l = 1; l < SRT_COUNT(limits); l++) {
        struct rows_random r = { l };
        struct srt_window w;

        m.n = 0;
        m.limit = limits[l];
        srt_window_init(&w, limits[l]);
        push(&w, &m, &r, 3 * limits[l] + 200);
        pop(&w, &m, SRT_WINDOW_BEHIND);
        check(&w, &m);
        assert_int_equal(w.n, limits[l]);
        srt_window_free(&w);
    }
}

/* As many pops as tokens behind the window allow, in any mixture. */
static void window_equals_the_model_with_pops(void **state)
{
    static struct model m;

    (void)state;
    for (size_t l = 1; l < SRT_COUNT(limits); l++) {
        struct rows_random r = { 300 + l };
        struct srt_window w;
        size_t may_pop = 0;

        m.n = 0;
        m.limit = limits[l];
        srt_window_init(&w, limits[l]);
        for (int i = 0; i < 3000; i++) {
            if (m.n > MODEL_MAX - 3000) {
                srt_window_clear(&w);
                m.n = may_pop = 0;
            }
            if (rows_below(&r, 2)) {
                const size_t n = rows_below(&r, least(may_pop, m.n) + 1);

                pop(&w, &m, n);
                may_pop -= n;
            } else {
                const size_t n = rows_below(&r, 9) ? rows_below(&r, 20)
                                                   : any_length(&r, m.limit);

                push(&w, &m, &r, n);
                may_pop = least(may_pop + n, SRT_WINDOW_BEHIND);
            }
            check(&w, &m);
        }
        srt_window_free(&w);
    }
}

static void window_copy_can_be_popped_as_well(void **state)
{
    static struct model m, n;
    struct rows_random r = { 8 };
    struct srt_window w, copy;

    (void)state;
    m.n = 0;
    m.limit = 64;
    srt_window_init(&w, 64);
    srt_window_init(&copy, 64);
    push(&w, &m, &r, 300);
    assert_int_equal(srt_window_copy(&copy, &w), SORTES_OK);
    n = m;
    srt_window_free(&w);
    pop(&copy, &n, SRT_WINDOW_BEHIND);
    check(&copy, &n);
    push(&copy, &n, &r, 30);
    pop(&copy, &n, 30);
    check(&copy, &n);
    srt_window_free(&copy);
}

static void window_back_reaches_behind_the_window(void **state)
{
    static struct model m;
    struct rows_random r = { 9 };
    struct srt_window w;

    (void)state;
    m.n = 0;
    m.limit = 2;
    srt_window_init(&w, 2);
    push(&w, &m, &r, 500);
    assert_int_equal(w.n_kept, 2 + SRT_WINDOW_BEHIND);
    for (size_t i = 0; i < w.n_kept; i++)
        assert_int_equal(srt_window_back(&w, i), m.pushed[m.n - 1 - i]);
    srt_window_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(window_starts_empty),
        cmocka_unit_test(window_equals_the_model_token_by_token),
        cmocka_unit_test(window_equals_the_model_under_random_operations),
        cmocka_unit_test(window_of_no_limit_stays_empty_and_needs_no_memory),
        cmocka_unit_test(window_reserves_once_for_many_pushes),
        cmocka_unit_test(window_clear_keeps_the_memory),
        cmocka_unit_test(window_free_leaves_it_usable),
        cmocka_unit_test(window_copy_is_the_same_and_goes_its_own_way),
        cmocka_unit_test(window_copy_keeps_memory_reserved_before),
        cmocka_unit_test(
            window_reserve_refuses_the_impossible_and_changes_nothing),
        cmocka_unit_test(window_takes_the_largest_token),
        cmocka_unit_test(window_pop_brings_back_what_had_left),
        cmocka_unit_test(window_pop_of_nothing_changes_nothing),
        cmocka_unit_test(window_keeps_what_pop_may_need),
        cmocka_unit_test(window_equals_the_model_with_pops),
        cmocka_unit_test(window_copy_can_be_popped_as_well),
        cmocka_unit_test(window_back_reaches_behind_the_window),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

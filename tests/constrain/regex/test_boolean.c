/*
 * test_boolean.c - the algebra of and, or, not
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/regex_check.h"
#include "support/regex_naive.h"

#include <stdlib.h>

typedef srt_regex make_law(struct srt_book *b, srt_regex x, srt_regex y);

static srt_regex not_(struct srt_book *b, srt_regex x)
{
    srt_regex to = 0;

    assert_int_equal(srt_book_not(b, x, &to), SORTES_OK);
    return to;
}

static srt_regex and_(struct srt_book *b, srt_regex x, srt_regex y)
{
    const srt_regex both[2] = { x, y };
    srt_regex to = 0;

    assert_int_equal(srt_book_and(b, both, 2, &to), SORTES_OK);
    return to;
}

static srt_regex or_(struct srt_book *b, srt_regex x, srt_regex y)
{
    const srt_regex both[2] = { x, y };
    srt_regex to = 0;

    assert_int_equal(srt_book_or(b, both, 2, &to), SORTES_OK);
    return to;
}

static srt_regex first(struct srt_book *b, srt_regex x, srt_regex y)
{
    (void)b;
    (void)y;
    return x;
}

static srt_regex not_not(struct srt_book *b, srt_regex x, srt_regex y)
{
    return not_(b, or_(b, not_(b, x), and_(b, y, not_(b, y))));
}

static srt_regex x_or_y(struct srt_book *b, srt_regex x, srt_regex y)
{
    return or_(b, x, y);
}

static srt_regex de_morgan_or(struct srt_book *b, srt_regex x, srt_regex y)
{
    return not_(b, and_(b, not_(b, x), not_(b, y)));
}

static srt_regex x_and_y(struct srt_book *b, srt_regex x, srt_regex y)
{
    return and_(b, x, y);
}

static srt_regex de_morgan_and(struct srt_book *b, srt_regex x, srt_regex y)
{
    return not_(b, or_(b, not_(b, x), not_(b, y)));
}

static srt_regex difference(struct srt_book *b, srt_regex x, srt_regex y)
{
    return and_(b, x, not_(b, y));
}

/* (x | y) & ~(x & y) | x & y = x | y */
static srt_regex both_or_one(struct srt_book *b, srt_regex x, srt_regex y)
{
    const srt_regex one =
        or_(b, and_(b, x, not_(b, y)), and_(b, y, not_(b, x)));

    return or_(b, one, and_(b, x, y));
}

/* x & ~(x & y) = x & ~y */
static srt_regex less_the_common(struct srt_book *b, srt_regex x, srt_regex y)
{
    return and_(b, x, not_(b, and_(b, y, x)));
}

/* x & (x | y) = x */
static srt_regex absorbed(struct srt_book *b, srt_regex x, srt_regex y)
{
    return and_(b, or_(b, y, x), or_(b, x, and_(b, x, y)));
}

static const struct law {
    make_law *left, *right;
} laws[] = {
    { first, not_not },         { x_or_y, de_morgan_or },
    { x_and_y, de_morgan_and }, { x_or_y, both_or_one },
    { first, absorbed },        { difference, less_the_common },
};

static void check_law(const struct law *law, const char *p, const char *q)
{
    struct regex_check sides[2];

    for (int i = 0; i < 2; i++) {
        struct srt_book *b = regex_book();
        const srt_regex x = regex_parsed(b, p), y = regex_parsed(b, q);

        regex_begin(&sides[i], b, (i ? law->right : law->left)(b, x, y));
    }
    regex_same(&sides[0], &sides[1], "ab-", 4);
    regex_close(&sides[0]);
    regex_close(&sides[1]);
}

static void laws_hold_for_random_patterns(void **state)
{
    struct naive_forest f = { .random = 77, .letters = "ab-" };
    char p[1024], q[1024];

    (void)state;
    for (int i = 0; i < 150; i++) {
        naive_write(naive_grow(&f, 1 + i % 8), p, sizeof(p));
        naive_write(naive_grow(&f, 1 + i % 7), q, sizeof(q));
        for (size_t k = 0; k < SRT_COUNT(laws); k++)
            check_law(&laws[k], p, q);
    }
}

/* What is never true is dead at the start, what always is, is everything. */
static void contradictions_are_dead_at_the_start(void **state)
{
    struct naive_forest f = { .random = 99, .letters = "ab-" };
    char p[1024];

    (void)state;
    for (int i = 0; i < 300; i++) {
        struct srt_book *b = regex_book();
        srt_regex x;
        uint32_t s;
        bool everything;

        naive_write(naive_grow(&f, 1 + i % 10), p, sizeof(p));
        x = regex_parsed(b, p);
        assert_int_equal(srt_book_close(b, NULL, 0), SORTES_OK);
        assert_int_equal(srt_book_start(b, and_(b, x, not_(b, x)), &s),
                         SORTES_OK);
        assert_int_equal(s, 0);
        assert_int_equal(srt_book_start(b, or_(b, x, not_(b, x)), &s),
                         SORTES_OK);
        assert_int_equal(srt_book_is_everything(b, s, &everything), SORTES_OK);
        assert_true(everything);
        srt_book_free(b);
    }
}

/* The complement says the opposite of every string, and dies where all that
 * follows matches. */
static void the_complement_says_the_opposite(void **state)
{
    struct naive_forest f = { .random = 5, .letters = "ab-" };
    char text[5] = { 0 };

    (void)state;
    for (int i = 0; i < 300; i++) {
        const struct naive *x = naive_grow(&f, 1 + i % 10);
        struct srt_book *b = regex_book();
        struct regex_check r;
        char p[1024];

        naive_write(x, p, sizeof(p));
        regex_begin(&r, b, not_(b, regex_parsed(b, p)));
        for (int k = 0; k < 81; k++) {
            for (int c = 0, rest = k; c < 4; c++, rest /= 3)
                text[c] = "ab-"[rest % 3];
            assert_int_equal(regex_ends(&r, regex_walk(&r, r.start, text, 4)),
                             !naive_accepts(x, text));
        }
        regex_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_hold_for_random_patterns),
        cmocka_unit_test(contradictions_are_dead_at_the_start),
        cmocka_unit_test(the_complement_says_the_opposite),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_term.c - terms are simplified as they are made
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/regex/book.h"
#include "support/regex_check.h"

/* Sets of one letter each, and a closed book of them. */
struct letters {
    struct srt_book *b;
    uint32_t a, b_, empty, all;
};

static struct letters letters(void)
{
    static const uint32_t a[1][2] = { { 'a', 'a' } },
                          c[1][2] = { { 'b', 'b' } };
    struct letters l = { .b = regex_book() };

    (void)regex_parsed(l.b, "ab");
    assert_int_equal(srt_book_close(l.b, NULL, 0), SORTES_OK);
    srt_book_begin(l.b);
    l.a = srt_book_class_set(l.b, a, 1);
    l.b_ = srt_book_class_set(l.b, c, 1);
    l.empty = l.b->empty;
    l.all = l.b->everything;
    return l;
}

static void concatenation(void **state)
{
    const struct letters l = letters();
    struct srt_book *b = l.b;
    const uint32_t ab = srt_term_cat(b, l.a, l.b_);
    const uint32_t star = srt_term_repeat(b, l.a, 0, SRT_INFINITY);

    (void)state;
    assert_int_equal(srt_term_cat(b, l.a, 0), 0);
    assert_int_equal(srt_term_cat(b, l.empty, ab), ab);
    assert_int_equal(srt_term_cat(b, srt_term_cat(b, ab, l.a), l.b_),
                     srt_term_cat(b, l.a, srt_term_cat(b, l.b_, ab)));
    assert_int_equal(srt_term_cat(b, star, star), star);
    assert_int_equal(srt_term_cat(b, star, srt_term_cat(b, star, l.b_)),
                     srt_term_cat(b, star, l.b_));
    assert_int_equal(srt_term_cat(b, srt_term_repeat(b, l.a, 2, 3),
                                  srt_term_repeat(b, l.a, 4, 9)),
                     srt_term_repeat(b, l.a, 6, 12));
    assert_int_equal(srt_term_cat(b, l.all, l.all), l.all);
    assert_int_equal(b->status, SORTES_OK);
    srt_book_free(b);
}

static void repetition(void **state)
{
    const struct letters l = letters();
    struct srt_book *b = l.b;
    const uint32_t star = srt_term_repeat(b, l.a, 0, SRT_INFINITY);
    const uint32_t plus = srt_term_repeat(b, l.a, 1, SRT_INFINITY);
    const uint32_t maybe = srt_term_or2(b, l.a, l.empty);

    (void)state;
    assert_int_equal(srt_term_repeat(b, l.a, 1, 1), l.a);
    assert_int_equal(srt_term_repeat(b, l.a, 0, 0), l.empty);
    assert_int_equal(srt_term_repeat(b, 0, 0, 7), l.empty);
    assert_int_equal(srt_term_repeat(b, 0, 1, 7), 0);
    assert_int_equal(srt_term_repeat(b, l.empty, 3, 7), l.empty);
    assert_int_equal(srt_term_repeat(b, l.a, 0, 1), maybe);
    assert_int_equal(srt_term_repeat(b, star, 2, 5), star);
    assert_int_equal(srt_term_repeat(b, plus, 0, 5), star);
    assert_int_equal(srt_term_repeat(b, plus, 3, 5),
                     srt_term_repeat(b, l.a, 3, SRT_INFINITY));
    assert_int_equal(srt_term_repeat(b, maybe, 3, 5),
                     srt_term_repeat(b, l.a, 0, 5));
    assert_int_equal(srt_term_repeat(b, maybe, 1, SRT_INFINITY), star);
    /* (aa){2} is no run of lengths that {4} of something else would be */
    assert_int_not_equal(
        srt_term_repeat(b, srt_term_repeat(b, l.a, 2, 2), 0, SRT_INFINITY),
        star);
    srt_book_free(b);
}

static void lengths_that_cannot_meet(void **state)
{
    const struct letters l = letters();
    struct srt_book *b = l.b;

    (void)state;
    assert_int_equal(srt_term_and2(b, srt_term_repeat(b, l.a, 3, 9),
                                   srt_term_repeat(b, l.b_, 0, 2)),
                     0);
    assert_int_equal(srt_term_and2(b, l.a, l.b_), 0);
    assert_int_equal(srt_term_and2(b, l.a, l.empty), 0);
    assert_int_equal(srt_term_and2(b, srt_term_repeat(b, l.a, 0, 5), l.empty),
                     l.empty);
    assert_int_equal(srt_term_and2(b, l.a, l.all), l.a);
    assert_int_equal(srt_term_or2(b, l.a, l.all), l.all);
    assert_int_equal(srt_term_or2(b, l.a, srt_term_not(b, l.a)), l.all);
    srt_book_free(b);
}

static void conditions(void **state)
{
    const struct letters l = letters();
    struct srt_book *b = l.b;
    const uint32_t x = srt_term_if(b, 0, l.a, l.b_);

    (void)state;
    assert_int_equal(srt_term_if(b, 0, l.a, l.a), l.a);
    assert_int_equal(srt_term_if(b, 0, x, l.b_), x);
    assert_int_equal(srt_term_not(b, srt_term_not(b, x)), x);
    assert_int_equal(srt_term_kind(b, srt_term_not(b, x)), SRT_T_IF);
    assert_int_equal(
        srt_term_or2(b, srt_term_if(b, 0, l.a, 0), srt_term_if(b, 0, 0, l.b_)),
        x);
    assert_int_equal(
        srt_term_and2(b, srt_term_if(b, 0, l.a, 0), srt_term_if(b, 0, 0, l.b_)),
        0);
    assert_true(srt_term_nullable(b, srt_term_if(b, 0, l.empty, l.a), 1));
    assert_false(srt_term_nullable(b, srt_term_if(b, 0, l.empty, l.a), 0));
    srt_book_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(concatenation),
        cmocka_unit_test(repetition),
        cmocka_unit_test(lengths_that_cannot_meet),
        cmocka_unit_test(conditions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_derive.c - what is left after a character
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

static uint32_t after(struct srt_book *b, srt_regex x, char c)
{
    srt_book_begin(b);
    return srt_term_derive(b, srt_compile(b, x, b->empty),
                           srt_book_class(b, (unsigned char)c), 0);
}

static uint32_t term(struct srt_book *b, srt_regex x)
{
    srt_book_begin(b);
    return srt_compile(b, x, b->empty);
}

static void derivatives_are_patterns_again(void **state)
{
    static const struct {
        const char *pattern, *after_a; /* NULL: nothing */
    } rows[] = {
        { "abc", "bc" },
        { "b", NULL },
        { "a{3,5}", "a{2,4}" },
        { "(ab){2,}", "b(ab)+" },
        { "a*b", "a*b" },
        { "a?a?b", "a?b" },
        { "ab|ac|b", "[bc]" },
        { "(?!ab)[^]*", "(?!b)[^]*" },
        { "(?=a*b)[^]*", "(?=a*b)[^]*" },
        { "(?:(?!b)[^])*", "(?:(?!b)[^])*" },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        struct srt_book *b = regex_book();
        const srt_regex x = regex_parsed(b, rows[i].pattern);
        const srt_regex y =
            rows[i].after_a ? regex_parsed(b, rows[i].after_a) : 0;

        assert_int_equal(srt_book_close(b, NULL, 0), SORTES_OK);
        if (after(b, x, 'a') != term(b, y))
            fail_msg("%s", rows[i].pattern);
        srt_book_free(b);
    }
}

/* (a|b){2}: classes a and b are not told apart, c is. */
static void classes_are_told_apart_only_where_needed(void **state)
{
    struct srt_book *b = regex_book();
    const srt_regex x = regex_parsed(b, "[ab]a(?:c|$)");
    uint64_t equal[1] = { UINT64_MAX };
    uint32_t t;

    (void)state;
    assert_int_equal(srt_book_close(b, NULL, 0), SORTES_OK);
    assert_int_equal(b->n_class_words, 1);
    t = term(b, x);
    b->stamp++;
    srt_term_tell_apart(b, t, srt_book_class(b, 'a'), equal);
    assert_true(equal[0] >> srt_book_class(b, 'a') & 1);
    assert_true(equal[0] >> srt_book_class(b, 'b') & 1);
    assert_false(equal[0] >> srt_book_class(b, 'c') & 1);
    srt_book_free(b);
}

static void answers_settle_conditions(void **state)
{
    struct srt_book *b = regex_book();
    const srt_regex x = regex_parsed(b, "a*(?:^b|c)d");
    const srt_regex yes = regex_parsed(b, "a*[bc]d");
    const srt_regex no = regex_parsed(b, "a*cd");

    (void)state;
    assert_int_equal(srt_book_close(b, NULL, 0), SORTES_OK);
    assert_int_equal(srt_term_settle(b, term(b, x), SRT_TRACK_START, true),
                     term(b, yes));
    assert_int_equal(srt_term_settle(b, term(b, x), SRT_TRACK_START, false),
                     term(b, no));
    srt_book_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_patterns_again),
        cmocka_unit_test(classes_are_told_apart_only_where_needed),
        cmocka_unit_test(answers_settle_conditions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_alike.c - states that no short string tells apart
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/regex_check.h"

/* The state behind n times a character. */
static uint32_t behind(struct srt_book *b, uint32_t state, char c, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(
            srt_book_step(b, state, srt_book_class(b, (uint32_t)c), &state),
            SORTES_OK);
    return state;
}

static void counts_are_alike_far_from_their_bounds(void **state)
{
    static const struct {
        const char *pattern;
        unsigned x, y; /* letters before */
        uint32_t longest;
        bool alike;
    } rows[] = {
        { "[ab]{1,255}", 1, 2, 16, true },
        { "[ab]{1,255}", 1, 100, 150, true },
        { "[ab]{1,255}", 1, 100, 156, false },
        { "[ab]{1,255}", 0, 1, 16, false }, /* which may end */
        { "[ab]{1,255}", 254, 255, 0, true },
        { "[ab]{1,255}", 254, 255, 1, false },
        { "a*", 0, 5, 200, true },
        { "(ab?){3,}", 3, 4, 50, true },
        { "(ab?){3,}", 2, 3, 50, false },
        { "a{9}b", 1, 2, 7, true },
        { "a{9}b", 1, 2, 8, false },
        { "a{2000}", 1, 2, 600, false }, /* too many to look at */
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        struct srt_book *b = regex_book();
        const srt_regex r = regex_parsed(b, rows[i].pattern);
        uint32_t s, x, y;
        bool alike;

        assert_int_equal(srt_book_close(b, NULL, 0), SORTES_OK);
        assert_int_equal(srt_book_start(b, r, &s), SORTES_OK);
        x = behind(b, s, 'a', rows[i].x);
        y = behind(b, s, 'a', rows[i].y);
        assert_int_equal(srt_book_alike(b, x, y, rows[i].longest, &alike),
                         SORTES_OK);
        if (alike != rows[i].alike)
            fail_msg("%s: %u and %u letters, %u more", rows[i].pattern,
                     rows[i].x, rows[i].y, (unsigned)rows[i].longest);
        srt_book_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_alike_far_from_their_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_partition.c - classes of code points
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/regex_check.h"

static void classes_cover_all_and_tell_sets_apart(void **state)
{
    struct srt_book *b = regex_book();
    const struct srt_book_segment *s;
    struct regex_check r;
    size_t n;

    (void)state;
    regex_begin(&r, b, regex_parsed(b, "[a-f][d-k]|[^\\d]|\xC3\xA9|\\p{Lu}"));
    s = srt_book_segments(b, &n);
    assert_int_equal(s[0].first, 0);
    assert_int_equal(s[n - 1].last, 0x10FFFF);
    for (size_t i = 0; i < n; i++) {
        assert_true(s[i].class_of < srt_book_n_classes(b));
        assert_int_equal(srt_book_class(b, s[i].first), s[i].class_of);
        assert_int_equal(srt_book_class(b, s[i].last), s[i].class_of);
        if (i > 0) {
            assert_int_equal(s[i].first, s[i - 1].last + 1);
            assert_int_not_equal(s[i].class_of, s[i - 1].class_of);
        }
    }
    assert_int_equal(srt_book_class(b, 'a'), srt_book_class(b, 'c'));
    assert_int_equal(srt_book_class(b, 'g'), srt_book_class(b, 'k'));
    assert_int_not_equal(srt_book_class(b, 'c'), srt_book_class(b, 'd'));
    assert_int_not_equal(srt_book_class(b, 'k'), srt_book_class(b, 'l'));
    assert_int_equal(srt_book_class(b, 'l'), srt_book_class(b, '!'));
    assert_int_equal(srt_book_class(b, 'Q'), srt_book_class(b, 0x391));
    assert_int_not_equal(srt_book_class(b, 0xE9), srt_book_class(b, 0xE8));
    regex_close(&r);
}

static void what_is_missing_occurs_in_no_string(void **state)
{
    static const uint32_t missing[][2] = { { 'b', 'c' }, { 0x100, 0x10FFFF } };
    struct srt_book *b = regex_book();
    const srt_regex x = regex_parsed(b, "a|b"), y = regex_parsed(b, "[bc]");
    const srt_regex z = regex_parsed(b, "(?!a)[^d-\xC3\xBF]");
    uint32_t s, t;

    (void)state;
    assert_int_equal(srt_book_close(b, missing, 2), SORTES_OK);
    assert_int_equal(srt_book_close(b, missing, 2), SORTES_E_ARGUMENT);
    assert_int_equal(srt_book_class(b, 'b'), srt_book_missing(b));
    assert_int_equal(srt_book_class(b, 0xD800), srt_book_missing(b));
    assert_int_equal(srt_book_class(b, 0x4E00), srt_book_missing(b));
    assert_int_not_equal(srt_book_class(b, 'a'), srt_book_missing(b));
    assert_int_equal(srt_book_start(b, x, &s), SORTES_OK);
    assert_int_equal(srt_book_step(b, s, srt_book_missing(b), &t), SORTES_OK);
    assert_int_equal(t, 0);
    assert_int_equal(srt_book_step(b, s, srt_book_class(b, 'a'), &t),
                     SORTES_OK);
    assert_true(srt_book_accepts(b, t));
    assert_int_equal(srt_book_start(b, y, &s), SORTES_OK);
    assert_int_equal(s, 0);
    assert_int_equal(srt_book_start(b, z, &s), SORTES_OK);
    assert_int_not_equal(s, 0); /* by what is below 'a' */
    srt_book_free(b);
}

/* An alphabet of nothing: the empty string is all there is. */
static void all_may_be_missing(void **state)
{
    static const uint32_t all[][2] = { { 0, 0x10FFFF } };
    struct srt_book *b = regex_book();
    const srt_regex x = regex_parsed(b, "a*"), y = regex_parsed(b, "a+");
    srt_regex z;
    uint32_t s;
    bool everything;

    (void)state;
    assert_int_equal(srt_book_not(b, y, &z), SORTES_OK);
    assert_int_equal(srt_book_close(b, all, 1), SORTES_OK);
    assert_int_equal(srt_book_start(b, x, &s), SORTES_OK);
    assert_true(srt_book_accepts(b, s));
    assert_int_equal(srt_book_is_everything(b, s, &everything), SORTES_OK);
    assert_true(everything);
    assert_int_equal(srt_book_start(b, y, &s), SORTES_OK);
    assert_int_equal(s, 0);
    assert_int_equal(srt_book_start(b, z, &s), SORTES_OK);
    assert_true(srt_book_accepts(b, s));
    srt_book_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_cover_all_and_tell_sets_apart),
        cmocka_unit_test(what_is_missing_occurs_in_no_string),
        cmocka_unit_test(all_may_be_missing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

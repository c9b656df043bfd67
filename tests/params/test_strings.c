/*
 * test_strings.c - lists of strings
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "params/params.h"

#include <string.h>

static void strings_hold_any_bytes(void **state)
{
    struct srt_string_list list = { .given = true }, copy;

    (void)state;
    for (size_t i = 0; i < 100; i++)
        assert_true(srt_strings_add(&list, "a\0b", i % 4));
    assert_true(srt_strings_copy(&copy, &list));
    assert_true(copy.given);
    assert_true(srt_strings_equal(&copy, &list));
    assert_int_equal(copy.sizes[3], 3);
    assert_memory_equal(copy.items[3], "a\0b", 4);
    copy.items[3][2] = 'c';
    assert_false(srt_strings_equal(&copy, &list));
    srt_strings_clear(&list);
    assert_false(list.given);
    assert_false(srt_strings_equal(&copy, &list));
    srt_strings_clear(&copy);
}

static void strings_are_read_from_text(void **state)
{
    static const struct {
        const char *text;
        size_t n, size; /* strings, and bytes of the last */
        const char *last;
    } rows[] = {
        { "", 0, 0, "" },
        { "a", 1, 1, "a" },
        { ";", 2, 0, "" },
        { "a;bc;", 3, 0, "" },
        { "a\\;b", 1, 3, "a;b" },
        { "\\n\\r\\t\\\\\\\"\\'", 1, 6, "\n\r\t\\\"'" },
        { "x;\\x00\\xfF", 2, 2, "\0\xff" },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        struct srt_string_list list = { 0 };

        assert_int_equal(srt_strings_from_text(&list, "x", rows[i].text, NULL),
                         SORTES_OK);
        if (list.n != rows[i].n)
            fail_msg("%s: %zu", rows[i].text, list.n);
        if (list.n > 0) {
            assert_int_equal(list.sizes[list.n - 1], rows[i].size);
            assert_memory_equal(list.items[list.n - 1], rows[i].last,
                                rows[i].size);
        }
        srt_strings_clear(&list);
    }
}

static void strings_refuse_unknown_escapes(void **state)
{
    static const char *const rows[] = { "a;b\\q", "a;b\\", "a;b\\x", "a;b\\x4",
                                        "a;b\\x4g" };
    sortes_error err;

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        struct srt_string_list list = { 0 };

        assert_int_equal(srt_strings_from_text(&list, "x", rows[i], &err),
                         SORTES_E_SYNTAX);
        assert_int_equal(err.offset, 3);
        assert_int_equal(list.n, 0);
        assert_null(list.items);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_hold_any_bytes),
        cmocka_unit_test(strings_are_read_from_text),
        cmocka_unit_test(strings_refuse_unknown_escapes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

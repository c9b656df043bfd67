/*
 * test_status.c - names of statuses, and what an error text may hold
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "status.h"

#include <string.h>

static void status_name_names_every_status(void **state)
{
    static const struct {
        sortes_status status;
        const char *name;
    } rows[] = {
        { SORTES_OK, "SORTES_OK" },
        { SORTES_E_NOMEM, "SORTES_E_NOMEM" },
        { SORTES_E_ARGUMENT, "SORTES_E_ARGUMENT" },
        { SORTES_E_NOT_FINITE, "SORTES_E_NOT_FINITE" },
        { SORTES_E_NAME, "SORTES_E_NAME" },
        { SORTES_E_RANGE, "SORTES_E_RANGE" },
        { SORTES_E_SYNTAX, "SORTES_E_SYNTAX" },
        { SORTES_E_IO, "SORTES_E_IO" },
        { SORTES_E_NO_TOKEN, "SORTES_E_NO_TOKEN" },
        { SORTES_E_LIMIT, "SORTES_E_LIMIT" },
        { SORTES_E_EMPTY, "SORTES_E_EMPTY" },
        { SORTES_E_SELFTEST, "SORTES_E_SELFTEST" },
        { (sortes_status)999, "SORTES_E_UNKNOWN" },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++)
        assert_string_equal(sortes_status_name(rows[i].status), rows[i].name);
}

static void fail_fills_the_error_and_returns_the_status(void **state)
{
    sortes_error err;

    (void)state;
    memset(&err, 0xAA, sizeof(err));
    assert_int_equal(srt_fail(&err, SORTES_E_RANGE, 7, "top_k: %d", -1),
                     SORTES_E_RANGE);
    assert_int_equal(err.status, SORTES_E_RANGE);
    assert_int_equal(err.offset, 7);
    assert_string_equal(err.text, "top_k: -1");
}

static void fail_takes_no_error(void **state)
{
    (void)state;
    assert_int_equal(srt_fail(NULL, SORTES_E_IO, 0, "%s", "x"), SORTES_E_IO);
    assert_int_equal(srt_ok(NULL), SORTES_OK);
}

static void ok_clears_the_error(void **state)
{
    sortes_error err;

    (void)state;
    srt_fail(&err, SORTES_E_IO, 3, "gone");
    assert_int_equal(srt_ok(&err), SORTES_OK);
    assert_int_equal(err.status, SORTES_OK);
    assert_int_equal(err.offset, 0);
    assert_string_equal(err.text, "");
}

static void fail_cuts_a_long_text(void **state)
{
    char text[400];
    sortes_error err;

    (void)state;
    memset(text, 'a', sizeof(text));
    text[255] = '\0';
    srt_fail(&err, SORTES_E_IO, 0, "%s", text);
    assert_string_equal(err.text, text);
    text[255] = 'a';
    text[256] = '\0';
    srt_fail(&err, SORTES_E_IO, 0, "%s", text);
    assert_int_equal(strlen(err.text), 255);
    assert_string_equal(err.text + 250, "aa...");
}

/* Wherever the cut falls, it falls between characters. */
static void fail_cuts_between_characters(void **state)
{
    char text[400];
    sortes_error err;

    (void)state;
    for (size_t before = 240; before < 256; before++) {
        memset(text, 'a', before);
        for (size_t i = 0; i < 10; i++)
            memcpy(text + before + 4 * i, "\xF0\x9F\x98\x80", 4);
        text[before + 40] = '\0';
        srt_fail(&err, SORTES_E_IO, 0, "%s", text);
        assert_null(strchr(err.text, '?'));
        assert_string_equal(err.text + strlen(err.text) - 3, "...");
        assert_true(strlen(err.text) >= 252);
    }
}

static void fail_shows_no_control_characters_and_no_torn_utf8(void **state)
{
    sortes_error err;

    (void)state;
    srt_fail(&err, SORTES_E_IO, 0, "%s", "a\nb\tc\x7F\x1B[0m\xC3\xA9\xC3");
    assert_string_equal(err.text, "a?b?c??[0m\xC3\xA9?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_name_names_every_status),
        cmocka_unit_test(fail_fills_the_error_and_returns_the_status),
        cmocka_unit_test(fail_takes_no_error),
        cmocka_unit_test(ok_clears_the_error),
        cmocka_unit_test(fail_cuts_a_long_text),
        cmocka_unit_test(fail_cuts_between_characters),
        cmocka_unit_test(fail_shows_no_control_characters_and_no_torn_utf8),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

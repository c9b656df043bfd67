/*
 * test_uri.c - what a reference means beside a base
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "compiler.h"
#include "constrain/json_schema/uri.h"

#include <string.h>

static void references_are_resolved(void **state)
{
    static const struct {
        const char *base, *ref, *whole;
    } cases[] = {
        /* The parts of RFC 3986, 5.2.2, each taken from where it says. */
        { "s://h/a/b/c?q", "t://k/l", "t://k/l" },
        { "s://h/a/b/c?q", "t:l", "t:l" },
        { "s://h/a/b/c?q", "//k/l?r", "s://k/l?r" },
        { "s://h/a/b/c?q", "//k", "s://k" },
        { "s://h/a/b/c?q", "/l", "s://h/l" },
        { "s://h/a/b/c?q", "l", "s://h/a/b/l" },
        { "s://h/a/b/c?q", "l/m?r", "s://h/a/b/l/m?r" },
        { "s://h/a/b/c?q", "?r", "s://h/a/b/c?r" },
        { "s://h/a/b/c?q", "", "s://h/a/b/c?q" },
        { "s://h/a/b/c?q", "#f", "s://h/a/b/c?q" },
        { "s://h/a/b/c?q", "l#f", "s://h/a/b/l" },
        { "s://h/a/b/c?q", "l:m", "l:m" },
        { "s://h/a/b/c?q", "./l:m", "s://h/a/b/l:m" },
        /* Dots, 5.2.4. */
        { "s://h/a/b/c", ".", "s://h/a/b/" },
        { "s://h/a/b/c", "./", "s://h/a/b/" },
        { "s://h/a/b/c", "..", "s://h/a/" },
        { "s://h/a/b/c", "../l", "s://h/a/l" },
        { "s://h/a/b/c", "../../l", "s://h/l" },
        { "s://h/a/b/c", "../../../../l", "s://h/l" },
        { "s://h/a/b/c", "l/../m/./n", "s://h/a/b/m/n" },
        { "s://h/a/b/c", "/./l/../m", "s://h/m" },
        { "s://h/a/b/c", "..l/.m/n..", "s://h/a/b/..l/.m/n.." },
        { "s://h/a/b/c", "t://k/l/../m", "t://k/m" },
        { "s://h/a/b/c", "//k/l/./m", "s://k/l/m" },
        /* Bases without a path, or without anything. */
        { "s://h", "l", "s://h/l" },
        { "s://h?q", "", "s://h?q" },
        { "urn:a:b", "#f", "urn:a:b" },
        { "urn:a:b", "c", "urn:c" },
        { "", "l.json", "l.json" },
        { "", "./l.json", "l.json" },
        { "k/l", "m", "k/m" },
        { "", "s://h/l", "s://h/l" },
        { "", "", "" },
    };
    char out[128];

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(cases); i++) {
        const size_t n =
            srt_uri_resolve(out, cases[i].base, strlen(cases[i].base),
                            cases[i].ref, strlen(cases[i].ref));

        assert_true(n < strlen(cases[i].base) + strlen(cases[i].ref) +
                            SRT_URI_MORE);
        assert_int_equal(strlen(out), n);
        if (strcmp(out, cases[i].whole) != 0)
            fail_msg("'%s' beside '%s' is '%s', not '%s'", cases[i].ref,
                     cases[i].base, out, cases[i].whole);
    }
}

static void nothing_is_written_beyond(void **state)
{
    static const char letters[] = "a:/.?#";
    char base[4], ref[4], out[sizeof(base) + sizeof(ref) + SRT_URI_MORE];

    (void)state;
    for (uint32_t i = 0; i < 6 * 6 * 6 * 6 * 6 * 6 * 6 * 6; i++) {
        uint32_t digits = i;
        size_t n;

        for (size_t k = 0; k < sizeof(base); k++, digits /= 6)
            base[k] = letters[digits % 6];
        for (size_t k = 0; k < sizeof(ref); k++, digits /= 6)
            ref[k] = letters[digits % 6];
        n = srt_uri_resolve(out, base, sizeof(base), ref, sizeof(ref));
        assert_true(n < sizeof(out));
        assert_int_equal(strlen(out), n);
        assert_null(strchr(out, '#'));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(references_are_resolved),
        cmocka_unit_test(nothing_is_written_beyond),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

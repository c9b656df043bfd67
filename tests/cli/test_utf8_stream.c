/*
 * test_utf8_stream.c - tests of cli/utf8_stream.c
 *
 * SPDX-License-Identifier: MIT
 */
#include "utf8_stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#define FFFD UTF8_REPLACEMENT

struct collected {
    char text[256];
    size_t n;
    int n_calls, fail_at; /* the call that fails, from 1; 0: none */
};

/* Everything that is handed on must be well-formed by itself. */
static int collect(void *ctx, const char *text, size_t n)
{
    struct collected *c = ctx;

    if (++c->n_calls == c->fail_at)
        return -1;
    assert_true(n > 0);
    assert_true(utf8_is_valid(text, n));
    assert_true(c->n + n < sizeof(c->text));
    memcpy(c->text + c->n, text, n);
    c->n += n;
    return 0;
}

/* Pushes text in parts of at most n_part bytes and compares the outcome. */
static void check_in_parts(const char *text, size_t n_part,
                           const char *expected)
{
    struct collected c = { .n = 0 };
    struct utf8_stream u;
    const size_t n = strlen(text);

    utf8_stream_init(&u, collect, &c);
    for (size_t i = 0; i < n; i += n_part) {
        const size_t n_now = n - i < n_part ? n - i : n_part;
        assert_int_equal(utf8_stream_push(&u, text + i, n_now), 0);
    }
    assert_int_equal(utf8_stream_end(&u), 0);
    assert_string_equal(c.text, expected);
}

static void check_all_parts(const char *text, const char *expected)
{
    for (size_t n_part = 1; n_part <= strlen(text); n_part++)
        check_in_parts(text, n_part, expected);
}

static void utf8_stream_never_tears_a_letter(void **state)
{
    static const char text[] =
        "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z\xF4\x8F\xBF\xBF";
    (void)state;
    check_all_parts(text, text);
}

static void utf8_stream_holds_back_what_has_begun(void **state)
{
    struct collected c = { .n = 0 };
    struct utf8_stream u;
    (void)state;

    utf8_stream_init(&u, collect, &c);
    utf8_stream_push(&u, "x\xF0\x9F\x98", 4);
    assert_string_equal(c.text, "x");
    utf8_stream_push(&u, "\x80", 1);
    assert_string_equal(c.text, "x\xF0\x9F\x98\x80");
}

static void utf8_stream_replaces_what_is_torn_at_the_end(void **state)
{
    (void)state;
    check_all_parts("ab\xE2\x82", "ab" FFFD);
    check_all_parts("\xF0\x9F\x98", FFFD);
}

/* The table of the Unicode standard, section 3.9, on U+FFFD substitution. */
static void utf8_stream_replaces_maximal_subparts(void **state)
{
    (void)state;
    check_all_parts("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41",
                    FFFD FFFD FFFD FFFD FFFD FFFD FFFD FFFD "A");
    check_all_parts("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41",
                    FFFD FFFD FFFD FFFD FFFD FFFD FFFD FFFD "A");
    check_all_parts("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42",
                    FFFD FFFD FFFD FFFD FFFD "A" FFFD FFFD "B");
    check_all_parts("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41",
                    FFFD FFFD FFFD FFFD "A");
}

static void utf8_stream_goes_on_after_a_broken_letter(void **state)
{
    (void)state;
    check_all_parts("\xE2\x82\xC3\xA9!", FFFD "\xC3\xA9!");
    check_all_parts("\xE2\x82 ok", FFFD " ok");
}

static void utf8_stream_passes_nul_bytes(void **state)
{
    struct collected c = { .n = 0 };
    struct utf8_stream u;
    (void)state;

    utf8_stream_init(&u, collect, &c);
    utf8_stream_push(&u, "a\0b", 3);
    assert_int_equal(c.n, 3);
    assert_memory_equal(c.text, "a\0b", 3);
}

static void utf8_stream_says_that_the_sink_failed(void **state)
{
    (void)state;
    for (int fail_at = 1; fail_at <= 3; fail_at++) {
        struct collected c = { .fail_at = fail_at };
        struct utf8_stream u;
        utf8_stream_init(&u, collect, &c);
        assert_int_equal(utf8_stream_push(&u,
                                          "a\xFF"
                                          "b",
                                          3),
                         -1);
    }
}

static void utf8_look_tells_torn_from_bad(void **state)
{
    size_t n;
    (void)state;

    assert_int_equal(utf8_look("\xE2\x82", 2, &n), UTF8_TORN);
    assert_int_equal(n, 2);
    assert_int_equal(utf8_look("\xE2\x41", 2, &n), UTF8_BAD);
    assert_int_equal(n, 1);
    assert_int_equal(utf8_look("\x80", 1, &n), UTF8_BAD);
    assert_int_equal(utf8_look("\xE2\x82\xAC", 3, &n), UTF8_WHOLE);
    assert_int_equal(n, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_stream_never_tears_a_letter),
        cmocka_unit_test(utf8_stream_holds_back_what_has_begun),
        cmocka_unit_test(utf8_stream_replaces_what_is_torn_at_the_end),
        cmocka_unit_test(utf8_stream_replaces_maximal_subparts),
        cmocka_unit_test(utf8_stream_goes_on_after_a_broken_letter),
        cmocka_unit_test(utf8_stream_passes_nul_bytes),
        cmocka_unit_test(utf8_stream_says_that_the_sink_failed),
        cmocka_unit_test(utf8_look_tells_torn_from_bad),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_unicode.c - tests src/unicode.c
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unicode.h"

#include <string.h>

static size_t length_of(const char *text)
{
    return srt_utf8_length(text, strlen(text));
}

static void utf8_length_takes_every_code_point(void **state)
{
    char text[4];

    (void)state;
    for (uint32_t code = 1; code <= 0x10FFFF; code++) {
        size_t n, want = code < 0x80      ? 1
                         : code < 0x800   ? 2
                         : code < 0x10000 ? 3
                                          : 4;

        if (code == 0xD800)
            code = 0xE000; /* the surrogates are no code points */
        n = srt_utf8_encode(code, text);
        assert_int_equal(n, want);
        assert_int_equal(srt_utf8_length(text, n), n);
        assert_int_equal(srt_utf8_length(text, n - 1), 0);
    }
}

static void utf8_length_refuses_malformed_text(void **state)
{
    static const char *const bad[] = {
        "\x80",             /* a continuation byte alone */
        "\xC0\x80",         /* overlong NUL */
        "\xC1\xBF",         /* overlong U+007F */
        "\xE0\x9F\xBF",     /* overlong U+07FF */
        "\xED\xA0\x80",     /* surrogate U+D800 */
        "\xED\xBF\xBF",     /* surrogate U+DFFF */
        "\xF0\x8F\xBF\xBF", /* overlong U+FFFF */
        "\xF4\x90\x80\x80", /* U+110000 */
        "\xF5\x80\x80\x80",
        "\xFF",
        "\xC3(",
        "\xE2\x82(",
        "\xF0\x9F\x98(",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_int_equal(length_of(bad[i]), 0);
    assert_int_equal(srt_utf8_length("", 0), 0);
}

static void utf8_length_takes_a_nul(void **state)
{
    (void)state;
    assert_int_equal(srt_utf8_length("\0", 1), 1);
}

/* As many as Unicode 15 has, and the neighbours of each are none. */
static void utf8_is_blank_knows_white_space(void **state)
{
    static const struct {
        uint32_t first, last;
    } blanks[] = { { 0x09, 0x0D },     { 0x20, 0x20 },     { 0x85, 0x85 },
                   { 0xA0, 0xA0 },     { 0x1680, 0x1680 }, { 0x2000, 0x200A },
                   { 0x2028, 0x2029 }, { 0x202F, 0x202F }, { 0x205F, 0x205F },
                   { 0x3000, 0x3000 } };

    (void)state;
    for (uint32_t c = 0; c < 0x11000; c++) {
        char text[4];
        bool is = false;

        if (c >= 0xD800 && c <= 0xDFFF)
            continue;
        for (size_t i = 0; i < sizeof(blanks) / sizeof(blanks[0]); i++)
            is |= c >= blanks[i].first && c <= blanks[i].last;
        assert_true(srt_utf8_is_blank(text, srt_utf8_encode(c, text)) == is);
    }
    assert_true(srt_utf8_is_blank("", 0));
    assert_true(srt_utf8_is_blank(" \xE3\x80\x80\n", 5));
    assert_false(srt_utf8_is_blank(" a ", 3));
    assert_false(srt_utf8_is_blank("\xE3\x80", 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_length_takes_every_code_point),
        cmocka_unit_test(utf8_length_refuses_malformed_text),
        cmocka_unit_test(utf8_length_takes_a_nul),
        cmocka_unit_test(utf8_is_blank_knows_white_space),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

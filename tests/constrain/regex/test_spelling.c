/*
 * test_spelling.c - what an alphabet cannot write, code point by code point
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/regex/decode.h"
#include "unicode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool all_in(const struct srt_alphabet *a, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!srt_alphabet_has(a, (uint8_t)text[i]))
            return false;
    return true;
}

/* By an escape written out, in any mixture of cases. */
static bool escaped(const struct srt_alphabet *a, uint32_t unit, bool any_case)
{
    char text[12];

    (void)snprintf(text, sizeof(text), "\\u%04x", (unsigned)unit);
    for (size_t i = 2; i < 6; i++) {
        const char other = (char)(text[i] >= 'a' ? text[i] - 32 : text[i]);

        if (!all_in(a, &text[i], 1) && !(any_case && all_in(a, &other, 1)))
            return false;
    }
    return all_in(a, text, 2);
}

static bool writable(enum srt_spelling spelling, const struct srt_alphabet *a,
                     uint32_t code)
{
    static const char letters[] = "\"/\\bfnrt", meanings[] = "\"/\\\b\f\n\r\t";
    const bool theirs = spelling == SRT_SPELL_JSON_LLGUIDANCE;
    const bool must =
        code < 0x20 || code == '"' || code == '\\' || (theirs && code == 0x7F);
    const char *letter =
        code && code < 128 ? strchr(meanings, (int)code) : NULL;
    char text[4];

    if ((spelling == SRT_SPELL_UTF8 || !must) &&
        all_in(a, text, srt_utf8_encode(code, text)))
        return true;
    if (spelling == SRT_SPELL_UTF8 || (spelling != SRT_SPELL_JSON && !must))
        return false;
    if (letter && all_in(a, "\\", 1) &&
        all_in(a, letters + (letter - meanings), 1))
        return true;
    if (theirs && (code == '"' || code == '\\'))
        return false;
    if (spelling == SRT_SPELL_JSON_CANONICAL)
        return !letter && escaped(a, code, false);
    if (code < 0x10000)
        return escaped(a, code, true);
    return escaped(a, 0xD800 + ((code - 0x10000) >> 10), true) &&
           escaped(a, 0xDC00 + (code & 0x3FF), true);
}

static void check_alphabet(const struct srt_alphabet *a)
{
    for (int k = 0; k < 4; k++) {
        const enum srt_spelling spelling = (enum srt_spelling)k;
        uint32_t(*ranges)[2];
        size_t n, at = 0;

        assert_int_equal(srt_spelling_missing(spelling, a, &ranges, &n),
                         SORTES_OK);
        for (uint32_t code = 0; code < 0x110000; code++) {
            if (code == 0xD800)
                code = 0xE000;
            while (at < n && ranges[at][1] < code)
                at++;
            if ((at < n && ranges[at][0] <= code) ==
                writable(spelling, a, code))
                fail_msg("spelling %d, U+%04X", k, (unsigned)code);
        }
        free(ranges);
    }
}

static void without(struct srt_alphabet *a, const char *bytes)
{
    srt_alphabet_fill(a);
    for (; *bytes; bytes++)
        a->bits[(unsigned char)*bytes >> 6] &= ~(UINT64_C(1) << (*bytes & 63));
}

static void every_code_point_is_judged_right(void **state)
{
    struct srt_alphabet a;

    (void)state;
    without(&a, "\x04\x06\x13\x14\x16\x1D\xF1\xF2"); /* SmolLM2 */
    check_alphabet(&a);
    without(&a, "aB\xE2\x8F");
    check_alphabet(&a);
    without(&a, "u\xC3n");
    check_alphabet(&a);
    without(&a, "dD\xF0\xF3\xF4\\");
    check_alphabet(&a);
    memset(&a, 0, sizeof(a));
    check_alphabet(&a);
}

static void nothing_is_missing_from_all_bytes(void **state)
{
    struct srt_alphabet a;
    uint32_t(*ranges)[2];
    size_t n;

    (void)state;
    srt_alphabet_fill(&a);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(
            srt_spelling_missing((enum srt_spelling)k, &a, &ranges, &n),
            SORTES_OK);
        assert_int_equal(n, 0);
        assert_null(ranges);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_point_is_judged_right),
        cmocka_unit_test(nothing_is_missing_from_all_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

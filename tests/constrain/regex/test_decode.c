/*
 * test_decode.c - UTF-8 as RFC 3629 has it, over any alphabet
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/regex_check.h"
#include "unicode.h"

#include <string.h>

/* Whether some bytes begin a well-formed text of at most 4 bytes. */
static bool begins_well(const unsigned char *bytes, size_t n)
{
    char text[4];

    memcpy(text, bytes, n);
    for (unsigned a = 0x80; a < 0xC0; a += 0x10) {
        for (size_t i = n; i < 4; i++)
            text[i] = (char)(i == n ? a : 0x80);
        for (size_t length = n; length <= 4; length++)
            if (srt_utf8_length(text, length) == length)
                return true;
    }
    return false;
}

/* All starts of up to three bytes, by blocks of bytes that matter. */
static void malformed_bytes_lead_nowhere(void **state)
{
    struct regex_check r;
    unsigned char bytes[3];

    (void)state;
    regex_open(&r, "[^]");
    for (unsigned a = 0; a < 256; a++) {
        const uint32_t s =
            regex_walk(&r, r.start, (char *)&(char){ (char)a }, 1);

        bytes[0] = (unsigned char)a;
        assert_int_equal(s != 0, begins_well(bytes, 1));
        for (unsigned b = 0; s && a >= 0x80 && b < 256; b++) {
            const uint32_t t = regex_walk(&r, s, (char *)&(char){ (char)b }, 1);

            bytes[1] = (unsigned char)b;
            assert_int_equal(t != 0, begins_well(bytes, 2));
            for (unsigned c = 0; t && a >= 0xE0 && c < 256; c++) {
                bytes[2] = (unsigned char)c;
                assert_int_equal(
                    regex_walk(&r, t, (char *)&(char){ (char)c }, 1) != 0,
                    begins_well(bytes, 3));
            }
        }
    }
    regex_close(&r);
}

/* Every code point is read as itself. */
static void code_points_are_told_apart(void **state)
{
    static const uint32_t codes[] = { 0x7F,    0x80,    0x7FF,   0x800,
                                      0xFFF,   0x1000,  0xD7FF,  0xE000,
                                      0xFFFD,  0xFFFF,  0x10000, 0x1F600,
                                      0xFFFFF, 0x10FFFF };
    char text[4];

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(codes); i++) {
        struct srt_book *b = regex_book();
        struct regex_check r;
        srt_regex x;

        assert_int_equal(srt_book_literal(b, &codes[i], 1, &x), SORTES_OK);
        regex_begin(&r, b, x);
        for (size_t k = 0; k < SRT_COUNT(codes); k++) {
            const size_t n = srt_utf8_encode(codes[k], text);

            assert_int_equal(regex_walk(&r, r.start, text, n) != 0, i == k);
        }
        regex_close(&r);
    }
}

/* One state inside every two-byte character of a free text, and so on. */
static void states_inside_characters_are_shared(void **state)
{
    struct regex_check r;
    uint32_t two, three;
    size_t n, bytes;

    (void)state;
    regex_open(&r, "[^]*");
    two = regex_walk(&r, r.start, "\xC3", 1);
    three = regex_walk(&r, r.start, "\xE1", 1);
    assert_int_not_equal(two, 0);
    assert_int_equal(regex_walk(&r, r.start, "\xDF", 1), two);
    assert_int_equal(regex_walk(&r, r.start, "\xEE", 1), three);
    assert_int_equal(regex_walk(&r, three, "\x80", 1), two);
    assert_int_equal(regex_walk(&r, two, "\xBF", 1), r.start);
    assert_int_equal(srt_decoder_reader_state(r.decoder, two), 0);
    assert_int_not_equal(regex_walk(&r, r.start, "\xE0", 1), three);
    for (unsigned a = 0; a < 256; a++)
        (void)regex_walk(&r, r.start, (char *)&(char){ (char)a }, 1);
    srt_decoder_stats(r.decoder, &n, &bytes);
    assert_int_equal(n,
                     8); /* 1, 2 and 3 bytes to go; E0, ED, F0, F4; between */
    regex_close(&r);
}

/* Bytes of one class lead to the same state from every state. */
static void check_classes(const char *pattern, enum srt_spelling spelling,
                          const struct srt_alphabet *alphabet, const char *text)
{
    struct srt_book *b = regex_book();
    uint8_t class_of[256];
    uint32_t by_class[256];
    struct regex_check r;
    uint16_t n;
    uint32_t s;

    regex_begin_as(&r, b, regex_parsed(b, pattern), spelling, alphabet);
    n = srt_decoder_classes(r.decoder, class_of);
    for (s = r.start; s; s = *text ? regex_walk(&r, s, text++, 1) : 0) {
        memset(by_class, 0xFF, sizeof(by_class));
        for (unsigned a = 0; a < 256; a++) {
            const uint32_t to =
                regex_walk(&r, s, (char *)&(char){ (char)a }, 1);

            assert_true(class_of[a] < n);
            if (by_class[class_of[a]] == UINT32_MAX)
                by_class[class_of[a]] = to;
            assert_int_equal(by_class[class_of[a]], to);
        }
    }
    assert_int_equal(*text, 0);
    regex_close(&r);
}

static void classes_of_bytes_are_classes(void **state)
{
    struct srt_alphabet all, some;

    (void)state;
    srt_alphabet_fill(&all);
    srt_alphabet_fill(&some);
    some.bits[0] &= ~(UINT64_C(1) << '1');
    some.bits[2] &= UINT64_C(0xFF00FF00FF00FF0F);
    some.bits[3] &= ~(UINT64_C(1) << (0xF1 - 0xC0));
    check_classes("\\p{Lu}+\\p{Ll}*x{2,3}", SRT_SPELL_UTF8, &all,
                  "\xC3\x89\xCE\x91"
                  "a\xD0\xB0\xE1\xBA\xA1");
    check_classes("[\xC3\xA0-\xE2\x82\xAC]*b", SRT_SPELL_UTF8, &some,
                  "\xC3\xA8\xE1\x80\x80");
    check_classes("[\xC3\xA0-\xF0\x9F\x98\x80\x01]*b", SRT_SPELL_JSON, &all,
                  "\xC3\xA0\\u00e9\\uD83d\\uDe00\\u0001\xF0\x90\x80\x80");
    check_classes("[^]*", SRT_SPELL_JSON_CANONICAL, &some, "a\\n\\u000e");
    check_classes("[^]*", SRT_SPELL_JSON, &some, "a\\n\\u002f\\uDBFF\\udfff");
}

/* What the alphabet lacks does not come, and nothing needs it. */
static void alphabets_are_kept_to(void **state)
{
    struct srt_alphabet some;
    struct srt_book *b = regex_book();
    struct regex_check r;

    (void)state;
    srt_alphabet_fill(&some);
    some.bits[3] &= ~(UINT64_C(1) << (0xC3 - 0xC0)); /* no U+00C0 to U+00FF */
    regex_begin_as(&r, b, regex_parsed(b, "a[\xC3\xA9z]|b\xC3\xA9|c[^a]"),
                   SRT_SPELL_UTF8, &some);
    assert_int_not_equal(regex_walk(&r, r.start, "az", 2), 0);
    assert_int_equal(regex_walk(&r, r.start, "a\xC3", 2), 0);
    assert_int_equal(regex_walk(&r, r.start, "b", 1), 0);
    assert_int_equal(regex_walk(&r, r.start, "c\xC3", 2), 0);
    assert_int_not_equal(regex_walk(&r, r.start, "c\xC2\xA9", 3), 0);
    regex_close(&r);
    some.bits[2] = 0; /* no continuation at all */
    b = regex_book();
    regex_begin_as(&r, b, regex_parsed(b, "[^a]"), SRT_SPELL_UTF8, &some);
    assert_int_not_equal(regex_walk(&r, r.start, "b", 1), 0);
    assert_int_equal(regex_walk(&r, r.start, "\xC2", 1), 0);
    regex_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_bytes_lead_nowhere),
        cmocka_unit_test(code_points_are_told_apart),
        cmocka_unit_test(states_inside_characters_are_shared),
        cmocka_unit_test(classes_of_bytes_are_classes),
        cmocka_unit_test(alphabets_are_kept_to),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

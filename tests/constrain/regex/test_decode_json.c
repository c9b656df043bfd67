/*
 * test_decode_json.c - JSON strings: every legal escape, or the canonical
 * spelling
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/regex_check.h"

#include <stdio.h>
#include <string.h>

static bool spelled(const char *pattern, enum srt_spelling spelling,
                    const char *text)
{
    struct srt_book *b = regex_book();
    struct srt_alphabet all;
    struct regex_check r;
    bool ends;

    srt_alphabet_fill(&all);
    regex_begin_as(&r, b, regex_parsed(b, pattern), spelling, &all);
    ends = regex_ends(&r, regex_walk(&r, r.start, text, strlen(text)));
    regex_close(&r);
    return ends;
}

static bool json(const char *pattern, const char *text)
{
    return spelled(pattern, SRT_SPELL_JSON, text);
}

static bool canonical(const char *pattern, const char *text)
{
    return spelled(pattern, SRT_SPELL_JSON_CANONICAL, text);
}

static bool theirs(const char *pattern, const char *text)
{
    return spelled(pattern, SRT_SPELL_JSON_LLGUIDANCE, text);
}

static void llguidance_has_spellings_of_its_own(void **state)
{
    (void)state;
    assert_true(theirs("\\n\\n\\n", "\\n\\u000a\\u000A"));
    assert_true(theirs("\\x7f\\x7f", "\\u007f\\u007F"));
    assert_true(theirs("[\"/\\\\\\x08]{4}", "\\\"/\\\\\\b"));
    assert_false(theirs("\\x7f", "\x7F"));
    assert_false(theirs("/", "\\/"));
    assert_false(theirs("a", "\\u0061"));
    assert_false(theirs("\"", "\\u0022"));
    assert_true(canonical("\\x7f", "\x7F"));
    assert_false(canonical("\\x7f", "\\u007f"));
}

static void escapes_are_what_they_stand_for(void **state)
{
    (void)state;
    assert_true(json("ab", "a\\u0062"));
    assert_true(json("ab", "\\u0061b"));
    assert_false(json("ab", "a\\u0063"));
    assert_true(
        json("[\"/\\\\\\x08\\f\\n\\r\\t]{8}", "\\\"\\/\\\\\\b\\f\\n\\r\\t"));
    assert_true(json("\xC3\xA9\xC3\xA9\xC3\xA9", "\xC3\xA9\\u00e9\\u00E9"));
    assert_true(json("\\x00", "\\u0000"));
    assert_true(json("[/]+", "/\\/\\u002F\\u002f"));
}

static void pairs_are_one_character(void **state)
{
    (void)state;
    assert_true(json(".", "\\ud83d\\ude00"));
    assert_true(json("\\u{1F600}", "\\uD83D\\uDE00"));
    assert_false(json("\\u{1F600}", "\\uD83D\\uDE01"));
    assert_false(json("..", "\\ud83d\\ude00"));
    assert_true(json("\\u{10FFFF}", "\\udbff\\udfff"));
    assert_true(json(".", "\xF0\x9F\x98\x80"));
}

static size_t reach(enum srt_spelling spelling, const char *text)
{
    struct srt_book *b = regex_book();
    struct srt_alphabet all;
    struct regex_check r;
    uint32_t s;
    size_t n = 0;

    srt_alphabet_fill(&all);
    regex_begin_as(&r, b, regex_parsed(b, "[^]*"), spelling, &all);
    s = r.start;
    while (text[n] && (s = regex_walk(&r, s, text + n, 1)) != 0)
        n++;
    regex_close(&r);
    return n;
}

static void half_a_pair_leads_nowhere(void **state)
{
    (void)state;
    assert_int_equal(reach(SRT_SPELL_JSON, "\\udc00"), 3);
    assert_int_equal(reach(SRT_SPELL_JSON, "\\ud800x"), 6);
    assert_int_equal(reach(SRT_SPELL_JSON, "\\ud800\\n"), 7);
    assert_int_equal(reach(SRT_SPELL_JSON, "\\ud800\\u0041"), 8);
    assert_int_equal(reach(SRT_SPELL_JSON, "\\ud800\\ud800"), 9);
    assert_int_equal(reach(SRT_SPELL_JSON, "\\ud800\\udc00"), 12);
    assert_int_equal(reach(SRT_SPELL_JSON, "\xED\xA0\x80"), 1);
}

static void control_characters_and_quotes_are_escaped(void **state)
{
    (void)state;
    for (char c = 1; c < 0x20; c++)
        assert_int_equal(reach(SRT_SPELL_JSON, (char[]){ c, '\0' }), 0);
    assert_int_equal(reach(SRT_SPELL_JSON, "a\"b"), 1);
    assert_int_equal(reach(SRT_SPELL_JSON, "\x7F\xC2\x80"), 3);
    assert_int_equal(reach(SRT_SPELL_JSON, "\\a"), 1);
    assert_int_equal(reach(SRT_SPELL_JSON, "\\u00g"), 4);
}

/* One spelling for each character. */
static void canonical_is_the_shortest(void **state)
{
    char text[8];

    (void)state;
    assert_true(canonical("a/\xC3\xA9", "a/\xC3\xA9"));
    assert_true(canonical("\\u{1F600}", "\xF0\x9F\x98\x80"));
    assert_int_equal(reach(SRT_SPELL_JSON_CANONICAL, "\\/"), 1);
    assert_int_equal(reach(SRT_SPELL_JSON_CANONICAL, "\\u0041"), 4);
    assert_int_equal(reach(SRT_SPELL_JSON_CANONICAL, "\\u000A"), 5);
    assert_int_equal(reach(SRT_SPELL_JSON_CANONICAL, "\\u000a"), 5);
    assert_int_equal(reach(SRT_SPELL_JSON_CANONICAL, "\\u001F"), 5);
    assert_int_equal(reach(SRT_SPELL_JSON_CANONICAL, "\\u001f"), 6);
    for (unsigned c = 0; c < 0x20; c++) {
        const bool letter = c && strchr("\b\f\n\r\t", (int)c);

        (void)snprintf(text, sizeof(text), "\\u%04x", c);
        assert_int_equal(reach(SRT_SPELL_JSON_CANONICAL, text) == 6, !letter);
    }
    assert_true(
        canonical("[\"\\\\\\x08\\f\\n\\r\\t]{7}", "\\\"\\\\\\b\\f\\n\\r\\t"));
}

/* One state in every "\u", one in "\u1", whatever the pattern reads there. */
static void states_inside_escapes_are_shared(void **state)
{
    struct srt_book *b = regex_book();
    struct srt_alphabet all;
    struct regex_check r;
    uint32_t u1;
    size_t n, bytes;

    (void)state;
    srt_alphabet_fill(&all);
    regex_begin_as(&r, b, regex_parsed(b, "[^]*"), SRT_SPELL_JSON, &all);
    u1 = regex_walk(&r, r.start, "\\u1", 3);
    assert_int_not_equal(u1, 0);
    assert_int_equal(regex_walk(&r, r.start, "\\uF", 3), u1);
    assert_int_not_equal(regex_walk(&r, r.start, "\\uD", 3), u1);
    assert_int_equal(regex_walk(&r, r.start, "\\uD8", 4),
                     regex_walk(&r, r.start, "\\udB", 4));
    assert_int_equal(regex_walk(&r, r.start, "\\ud7ff", 6), r.start);
    srt_decoder_stats(r.decoder, &n, &bytes);
    assert_true(n < 20);
    regex_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(llguidance_has_spellings_of_its_own),
        cmocka_unit_test(escapes_are_what_they_stand_for),
        cmocka_unit_test(pairs_are_one_character),
        cmocka_unit_test(half_a_pair_leads_nowhere),
        cmocka_unit_test(control_characters_and_quotes_are_escaped),
        cmocka_unit_test(canonical_is_the_shortest),
        cmocka_unit_test(states_inside_escapes_are_shared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_atoms.c - strings, numbers and literals of JSON to the letter
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/json/atoms.h"

#include <stdlib.h>

static struct srt_atoms *atoms(const char *without, bool canonical)
{
    static struct srt_atoms a;
    struct srt_alphabet whole = { { 0 } };

    for (int byte = 0; byte < 256; byte++)
        if (!without || !byte || !strchr(without, byte))
            srt_alphabet_add(&whole, (uint8_t)byte);
    srt_atoms_init(&a, &whole, canonical, canonical);
    return &a;
}

/* 1: a whole atom; 0: the beginning of one; -1: none. */
static int verdict(const struct srt_atoms *a, const char *text)
{
    uint8_t state = a->start[(uint8_t)*text];

    for (text++; state && state != SRT_ATOM_END && *text; text++)
        state = a->next[state][(uint8_t)*text];
    if (!state || *text)
        return -1;
    return state == SRT_ATOM_END || a->complete[state];
}

static void check(const struct srt_atoms *a, int wanted,
                  const char *const *texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (verdict(a, texts[i]) != wanted)
            fail_msg("%s: %d", texts[i], verdict(a, texts[i]));
}

static void numbers_and_literals_are_rfc_8259s(void **state)
{
    static const char *const whole[] = {
        "0",    "-0",   "10",      "-7",   "0.5",   "1.25", "1e3",
        "1E+3", "0e-0", "-1.5e07", "true", "false", "null",
    };
    static const char *const begun[] = { "-", "1.",  "1e",   "1e+",
                                         "t", "nul", "fals", "-0." };
    static const char *const wrong[] = { "01",      "+1",   ".5",   "1.e",
                                         "--",      "1e5.", "tru1", "True",
                                         "nulll",   "0x1",  "-a",   "1.2.3",
                                         "Infinity" };

    (void)state;
    check(atoms(NULL, false), 1, whole, SRT_COUNT(whole));
    check(atoms(NULL, false), 0, begun, SRT_COUNT(begun));
    check(atoms(NULL, false), -1, wrong, SRT_COUNT(wrong));
}

static void strings_are_utf8_and_escapes(void **state)
{
    static const char *const whole[] = {
        "\"\"",
        "\"a\"",
        "\"\xC3\xA9\"",
        "\"\xF0\x9F\x98\x80\"",
        "\"\\n\"",
        "\"\\/\"",
        "\"\\u0041\"",
        "\"\\uD83d\\ude00\"",
        "\"\x7F\"",
        "\"\\uD7FF\\uE000\"",
        "\"\xED\x9F\xBF\"",
    };
    static const char *const begun[] = { "\"",      "\"\\",      "\"\\u",
                                         "\"\\ud8", "\"\\ud800", "\"\\ud800\\u",
                                         "\"\xE2" };
    static const char *const wrong[] = {
        "\"\n",        "\"\t",       "\"\\x",        "\"\\u00g",
        "\"\\ud800\"", "\"\\ud800x", "\"\\ud800\\n", "\"\\ud800\\u00",
        "\"\\ude",     "\"\x80",     "\"\xC0\x80",   "\"\xED\xA0",
        "\"\xF4\x90",  "\"\xF5",     "\"\xE0\x80",   "\"\"\"",
    };

    (void)state;
    check(atoms(NULL, false), 1, whole, SRT_COUNT(whole));
    check(atoms(NULL, false), 0, begun, SRT_COUNT(begun));
    check(atoms(NULL, false), -1, wrong, SRT_COUNT(wrong));
}

static void canonical_strings_escape_only_what_they_must(void **state)
{
    static const char *const whole[] = { "\"\\n\\t\\r\\b\\f\"", "\"\\\"\\\\\"",
                                         "\"\\u0000\"",         "\"\\u001f\"",
                                         "\"\\u000b\"",         "\"/\x7F\"" };
    static const char *const wrong[] = { "\"\\/",     "\"\\u0041", "\"\\u002",
                                         "\"\\u000a", "\"\\u000A", "\"\\u001F",
                                         "\"\\u0009", "\"\\u000d", "\"\\uD" };

    (void)state;
    check(atoms(NULL, true), 1, whole, SRT_COUNT(whole));
    check(atoms(NULL, true), -1, wrong, SRT_COUNT(wrong));
}

/* What leads into a dead end without some bytes is dead from its start. */
static void what_cannot_be_completed_cannot_begin(void **state)
{
    (void)state;
    assert_int_equal(verdict(atoms("l", false), "t"), 0);
    assert_int_equal(verdict(atoms("l", false), "nu"), -1);
    assert_int_equal(verdict(atoms("l", false), "f"), -1);
    assert_int_equal(verdict(atoms("\"", false), "\""), -1);
    assert_int_equal(verdict(atoms("u\\", false), "\"\\"), -1);
    assert_int_equal(verdict(atoms("u", false), "\"\\n\""), 1);
    assert_int_equal(verdict(atoms("0123456789", false), "-"), -1);
    assert_int_equal(verdict(atoms("123456789", false), "-"), 0);
    assert_int_equal(verdict(atoms("dD", false), "\"\\u"), 0);
    assert_int_equal(verdict(atoms("cdefCDEF", false), "\"\\ud8"), -1);
    assert_int_equal(verdict(atoms("\x82", false), "\"\xE2\x81"), 0);
    assert_int_equal(verdict(atoms("\x80", false), "\"\xE2\x80"), -1);
    assert_false(atoms("0123456789\"ufal", false)->any);
    assert_true(atoms("0123456789\"ufl", false)->any == false);
    assert_true(atoms("\"", false)->key == SRT_ATOM_DEAD);
}

static void keys_are_finite_without_any_character(void **state)
{
    char all[256];
    size_t n = 0;

    (void)state;
    for (int byte = 1; byte < 256; byte++)
        if (byte != '"' && byte != ':')
            all[n++] = (char)byte;
    all[n] = '\0';
    assert_true(atoms("\\", true)->key_has_bodies);
    assert_true(atoms(all, true)->key_has_bodies); /* ":" is left */
    strcat(all, ":");
    assert_false(atoms(all, true)->key_has_bodies);
    assert_true(atoms(all, true)->key != SRT_ATOM_DEAD);
}

static void check_decoded(const char *body, const char *wanted, size_t rest)
{
    char out[64];
    size_t left;
    const size_t n = srt_atoms_decode(body, strlen(body), out, &left);

    assert_int_equal(n, strlen(wanted));
    assert_memory_equal(out, wanted, n);
    assert_int_equal(left, rest);
}

static void bodies_are_decoded_as_far_as_they_go(void **state)
{
    (void)state;
    check_decoded("a\\n\\\"\\/\\u0041\\u00e9", "a\n\"/A\xC3\xA9", 0);
    check_decoded("\\uD83D\\uDE00!", "\xF0\x9F\x98\x80!", 0);
    check_decoded("ab\\", "ab", 1);
    check_decoded("ab\\u00", "ab", 4);
    check_decoded("ab\\ud83d\\u", "ab", 8);
    check_decoded("\xE2\x82", "\xE2\x82", 0);
    check_decoded("", "", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_and_literals_are_rfc_8259s),
        cmocka_unit_test(strings_are_utf8_and_escapes),
        cmocka_unit_test(canonical_strings_escape_only_what_they_must),
        cmocka_unit_test(what_cannot_be_completed_cannot_begin),
        cmocka_unit_test(keys_are_finite_without_any_character),
        cmocka_unit_test(bodies_are_decoded_as_far_as_they_go),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

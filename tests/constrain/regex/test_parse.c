/*
 * test_parse.c - the dialect: what is read, what it means, what is refused and
 * where
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/regex_check.h"

static void the_whole_text_matches(void **state)
{
    (void)state;
    assert_true(regex_matches("a|bc", "bc"));
    assert_false(regex_matches("a|bc", "abc"));
    assert_true(regex_finds("a|bc", "xbcx"));
    assert_true(regex_matches("", ""));
    assert_false(regex_matches("", "a"));
    assert_true(regex_matches("a||b", ""));
}

static void quantifiers_count(void **state)
{
    (void)state;
    assert_false(regex_matches("a{2,3}", "a"));
    assert_true(regex_matches("a{2,3}", "aaa"));
    assert_int_equal(regex_reach("a{2,3}", "aaaa"), 3);
    assert_true(regex_matches("a{2,}?", "aaaaa"));
    assert_true(regex_matches("(?:ab)+?c??", "ababc"));
    assert_true(regex_matches("a{0}b", "b"));
    assert_int_equal(regex_reach("a{4000000000}", "aaaa"), 4);
}

/* Annex B: what is no quantifier stands for itself. */
static void braces_may_stand_for_themselves(void **state)
{
    (void)state;
    assert_true(regex_matches("{}", "{}"));
    assert_true(regex_matches("a{,2}", "a{,2}"));
    assert_true(regex_matches("{a}]", "{a}]"));
    assert_true(regex_matches("a{1", "a{1"));
}

static void anchors_are_ends_of_the_text(void **state)
{
    (void)state;
    assert_true(regex_matches("^a$", "a"));
    assert_true(regex_finds("^b", "bc"));
    assert_false(regex_finds("^b", "a\nb"));
    assert_false(regex_finds("b$", "b\n"));
    assert_true(regex_finds("\\Ab\\z", "b"));
    assert_true(regex_matches("(?:^a|b)c", "ac"));
    assert_true(regex_matches("a|b^|^c", "c"));
    assert_int_equal(regex_reach("a^b|c", "a"), 0);
    assert_int_equal(regex_reach("a$b|c", "a"), 0);
    assert_true(regex_matches("(?:a$|b)*", "ba"));
    assert_false(regex_matches("(?:a$|b)*", "ab"));
}

static void lookaround_looks(void **state)
{
    (void)state;
    assert_true(regex_matches("(?=.*b)a.*", "aab"));
    assert_int_equal(regex_reach("(?=.{0,2}b)a*b?", "aaab"), 2);
    assert_true(regex_matches("(?:(?!foo).)*", "fofo"));
    assert_int_equal(regex_reach("(?:(?!foo).)*", "afoo"), 3);
    assert_true(regex_matches(".*(?<=ab)c", "xabc"));
    assert_false(regex_matches(".*(?<=ab)c", "xbc"));
    assert_true(regex_matches(".*(?<!ab)c", "xbc"));
    assert_true(regex_matches("(?=a)*b", "b"));
    assert_true(regex_matches("\\bfoo\\b.*", "foo bar"));
    assert_int_equal(regex_reach("\\bfoo\\b.*", "foobar"), 3);
    assert_true(regex_finds("\\Boo\\b", "foo"));
}

static void groups_may_have_names_and_flags(void **state)
{
    (void)state;
    assert_true(regex_matches("(?<y>\\d)-(?P<m>\\d)", "1-2"));
    assert_true(regex_matches("(?i)aB(?-i:c)d", "Abc"
                                                "D"));
    assert_false(regex_matches("(?i)aB(?-i:c)d", "AbC"
                                                 "D"));
    assert_true(regex_matches("a(?i:b)c", "aBc"));
    assert_false(regex_matches("a(?i:b)c", "aBC"));
    assert_false(regex_matches(".", "\n"));
    assert_true(regex_matches("(?s:.)", "\n"));
    assert_true(regex_matches("(?i:[^k])", "l"));
    assert_false(regex_matches("(?i:[^k])", "\xE2\x84\xAA")); /* U+212A */
}

static void what_is_wrong_has_a_place(void **state)
{
    (void)state;
    regex_refused("{5,2}", 0, "m greater than n");
    regex_refused("ab{5,2}", 2, "m greater than n");
    regex_refused("a{4294967295}", 1, "4294967294");
    regex_refused("a(b", 1, "( without its )");
    regex_refused("ab)", 2, ") without its (");
    regex_refused("a**", 2, "second quantifier");
    regex_refused("a++", 2, "second quantifier");
    regex_refused("*a", 0, "nothing to repeat");
    regex_refused("a|?", 2, "nothing to repeat");
    regex_refused("^*", 1, "anchor");
    regex_refused("\\b+", 2, "anchor");
    regex_refused("a[b", 1, "[ without its ]");
    regex_refused("ab\\", 3, "lone \\");
    regex_refused("a\xC3(", 1, "UTF-8");
}

static void other_dialects_are_refused_by_name(void **state)
{
    (void)state;
    regex_refused("(?>a)", 0, "atomic");
    regex_refused("(?#a)", 0, "comments");
    regex_refused("(?(1)a)", 0, "conditionals");
    regex_refused("(?R)", 0, "recursion");
    regex_refused("(?|a)", 0, "branch reset");
    regex_refused("(?m)a", 2, "flag m");
    regex_refused("(?x:a)", 2, "unknown group or flag");
    regex_refused("a(?i)b", 1, "flags stand at the start");
    regex_refused("a\\Z", 2, "\\z ends a text");
    regex_refused("(?<=a(?=b))c", 0, "assertion inside lookbehind");
    regex_refused("(?<=^a)c", 0, "assertion inside lookbehind");
    regex_refused("(?<!\\bb)c", 4, "assertion inside lookbehind");
    regex_refused("(?<a>b)(?<a>c)", 10, "second group of that name");
    regex_refused("(?<1>b)", 3, "name");
}

static void depth_and_size_have_limits(void **state)
{
    char pattern[8001];
    const struct srt_regex_limits little = { 1000, 200000, 0 };
    struct srt_book *b;
    sortes_error err;
    srt_regex x;

    (void)state;
    memset(pattern, '(', 4000);
    memset(pattern + 4000, ')', 4000);
    pattern[8000] = '\0';
    regex_refused(pattern, 200, "nested too deep");
    memset(pattern, '(', 200);
    memset(pattern + 200, ')', 200);
    pattern[400] = '\0';
    assert_true(regex_matches(pattern, ""));

    assert_int_equal(srt_book_new(&b, &little), SORTES_OK);
    for (int i = 0; i < 4000; i++)
        memcpy(
            pattern + 2 * i,
            (const char[]){ (char)('a' + i % 26), (char)('a' + i / 26 % 26) },
            2);
    assert_int_equal(srt_book_parse(b, pattern, 8000, false, &x, &err),
                     SORTES_E_LIMIT);
    assert_int_equal(err.status, SORTES_E_LIMIT);
    assert_string_equal(err.text,
                        "regex: the pattern is larger than the limits allow");
    srt_book_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_text_matches),
        cmocka_unit_test(quantifiers_count),
        cmocka_unit_test(braces_may_stand_for_themselves),
        cmocka_unit_test(anchors_are_ends_of_the_text),
        cmocka_unit_test(lookaround_looks),
        cmocka_unit_test(groups_may_have_names_and_flags),
        cmocka_unit_test(what_is_wrong_has_a_place),
        cmocka_unit_test(other_dialects_are_refused_by_name),
        cmocka_unit_test(depth_and_size_have_limits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

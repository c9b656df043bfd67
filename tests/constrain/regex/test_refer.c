/*
 * test_refer.c - backreferences that are regular, and those that are refused
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/regex_check.h"

static void a_group_of_few_strings(void **state)
{
    (void)state;
    assert_true(regex_matches("([ab])\\1", "aa"));
    assert_int_equal(regex_reach("([ab])\\1", "ab"), 1);
    assert_true(regex_matches("(['\"])x*\\1", "'xx'"));
    assert_false(regex_matches("(['\"])x*\\1", "'xx\""));
    assert_true(regex_matches("(?<q>a|bc|d{2})-\\k<q>", "dd-dd"));
    assert_false(regex_matches("(?<q>a|bc|d{2})-\\k<q>", "bc-dd"));
    assert_true(regex_matches("(?P<q>a?)b(?P=q)", "b"));
    assert_false(regex_matches("(?P<q>a?)b(?P=q)", "ab"));
    assert_true(regex_matches("(a|b)(c\\1)\\2", "bcbcb"));
    assert_false(regex_matches("(a|b)(c\\1)\\2", "bcbca"));
    assert_true(regex_matches("((a|b)c)\\1\\2", "bcbcb"));
}

/* ECMAScript: a reference to what took no part is empty. */
static void a_group_that_takes_no_part(void **state)
{
    (void)state;
    assert_true(regex_matches("(?:(a)|b)\\1", "b"));
    assert_true(regex_matches("(?:(a)|b)\\1", "aa"));
    assert_false(regex_matches("(?:(a)|b)\\1", "a"));
    assert_false(regex_matches("(?:(a)|b)\\1", "ba"));
    assert_true(regex_matches("(a)?b\\1", "b"));
    assert_true(regex_matches("(a)?b\\1", "aba"));
    assert_false(regex_matches("(a)?b\\1", "ab"));
    assert_true(regex_matches("\\1(a)", "a"));
    assert_true(regex_matches("(a\\1)", "a"));
    assert_true(regex_matches("(?:\\1(a))*", "aaa"));
}

static void case_may_be_ignored(void **state)
{
    (void)state;
    assert_true(regex_matches("(a)(?i:\\1)", "aA"));
    assert_false(regex_matches("(a)\\1", "aA"));
    assert_true(regex_matches("(?i)(a)\\1", "Aa"));
}

static void other_references_are_refused_by_name(void **state)
{
    (void)state;
    regex_refused("(\\w)\\1?x(.)\\2", 0, "more than 64 strings");
    regex_refused("(a*)\\1", 0, "more than 64 strings");
    regex_refused("a(b)+\\1", 1, "repeated group");
    regex_refused("(?=(a))\\1", 3, "inside lookahead");
    regex_refused("(?<=(a))\\1", 8, "lookbehind");
    regex_refused("(\\ba)\\1", 0, "assertion");
    regex_refused("(a)\\2", 3, "not there");
    regex_refused("\\k<n>", 3, "not there");
    regex_refused("([a-z])\\1([a-z])\\2([a-z])\\3", 18, "4096");
}

/* Groups beside references stay what they are. */
static void other_groups_are_only_parentheses(void **state)
{
    (void)state;
    assert_true(regex_matches("(x)*([ab])(y)?\\2", "xxaa"));
    assert_true(regex_matches("(x)*([ab])(y)?\\2", "bybb") == false);
    assert_true(regex_matches("(x)*([ab])(y)?\\2", "byb"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_of_few_strings),
        cmocka_unit_test(a_group_that_takes_no_part),
        cmocka_unit_test(case_may_be_ignored),
        cmocka_unit_test(other_references_are_refused_by_name),
        cmocka_unit_test(other_groups_are_only_parentheses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_properties.c - \p and case folding against what Unicode says
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/regex/code_set.h"

#include <string.h>

static bool has(const struct srt_code_set *s, uint32_t code)
{
    for (size_t i = 0; i < s->n; i++)
        if (code >= s->ranges[i][0] && code <= s->ranges[i][1])
            return true;
    return false;
}

static size_t count(const struct srt_code_set *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        n += s->ranges[i][1] - s->ranges[i][0] + 1;
    return n;
}

/* How many code points \p{name} or \p{name=value} has. */
static size_t size_of(const char *name, const char *value)
{
    struct srt_code_set s = { .n = 0 };
    size_t n;

    assert_true(srt_code_set_add_property(&s, name, strlen(name), value,
                                          value ? strlen(value) : 0));
    assert_false(s.failed);
    for (size_t i = 1; i < s.n; i++)
        assert_true(s.ranges[i][0] > s.ranges[i - 1][1] + 1);
    n = count(&s);
    srt_code_set_clear(&s);
    return n;
}

/* The categories divide the code points among them. */
static void categories_are_a_partition(void **state)
{
    static const char *const groups[] = { "L", "M", "N", "P", "S", "Z", "C" };
    static const char *const letters[] = { "Lu", "Ll", "Lt", "Lm", "Lo" };
    size_t all = 0, n = 0;

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(groups); i++)
        all += size_of(groups[i], NULL);
    assert_int_equal(all, 0x110000);
    for (size_t i = 0; i < SRT_COUNT(letters); i++)
        n += size_of("gc", letters[i]);
    assert_int_equal(n, size_of("General_Category", "Letter"));
    assert_int_equal(size_of("LC", NULL), size_of("Lu", NULL) +
                                              size_of("Ll", NULL) +
                                              size_of("Lt", NULL));
    assert_int_equal(size_of("Any", NULL), 0x110000);
    assert_int_equal(size_of("ASCII", NULL), 128);
    assert_int_equal(size_of("Assigned", NULL) + size_of("Cn", NULL), 0x110000);
    assert_int_equal(size_of("Cs", NULL), 2048);
}

/* Counts that Unicode's stability policy fixes, or close to it. */
static void properties_have_their_members(void **state)
{
    (void)state;
    assert_int_equal(size_of("ASCII_Hex_Digit", NULL), 22);
    assert_int_equal(size_of("Hex_Digit", NULL), 44);
    assert_int_equal(size_of("White_Space", NULL), 25);
    assert_int_equal(size_of("space", NULL), 25);
    assert_int_equal(size_of("Pattern_White_Space", NULL), 11);
    assert_int_equal(size_of("Regional_Indicator", NULL), 26);
    assert_int_equal(size_of("Noncharacter_Code_Point", NULL), 66);
    assert_int_equal(size_of("Emoji_Modifier", NULL), 5);
    assert_int_equal(size_of("Zl", NULL), 1);
    assert_int_equal(size_of("Lt", NULL), 31);
    assert_string_equal(srt_unicode_version(), "17.0");
}

static void scripts_have_extensions(void **state)
{
    struct srt_code_set s = { .n = 0 };

    (void)state;
    assert_true(srt_code_set_add_property(&s, "Script", 6, "Hiragana", 8));
    assert_true(has(&s, 0x3042));
    assert_false(has(&s, 0x30FC)); /* Common: used in both kana */
    srt_code_set_clear(&s);
    assert_true(srt_code_set_add_property(&s, "scx", 3, "Hira", 4));
    assert_true(has(&s, 0x3042));
    assert_true(has(&s, 0x30FC));
    srt_code_set_clear(&s);
    assert_true(srt_code_set_add_property(&s, "scx", 3, "Zyyy", 4));
    assert_false(has(&s, 0x30FC));
    assert_true(has(&s, '!'));
    srt_code_set_clear(&s);
    assert_int_equal(size_of("sc", "Grek"), size_of("Greek", NULL));
    assert_false(srt_code_set_add_property(&s, "sc", 2, "Lu", 2));
    assert_false(srt_code_set_add_property(&s, "lu", 2, NULL, 0));
    assert_false(srt_code_set_add_property(&s, "L Letter", 8, NULL, 0));
    srt_code_set_clear(&s);
}

static void case_is_folded_simply(void **state)
{
    struct srt_code_set s = { .n = 0 };

    (void)state;
    srt_code_set_add(&s, 'k', 'k');
    srt_code_set_add(&s, 's', 's');
    srt_code_set_fold(&s);
    assert_int_equal(count(&s), 6);
    assert_true(has(&s, 'K') && has(&s, 0x212A) && has(&s, 0x17F));
    srt_code_set_clear(&s);

    srt_code_set_add(&s, 0x1E9E, 0x1E9E); /* sharp s: with the small one */
    srt_code_set_fold(&s);
    assert_int_equal(count(&s), 2);
    assert_true(has(&s, 0xDF));
    srt_code_set_clear(&s);

    srt_code_set_add(&s, 'I', 'I'); /* not with the dotless or the dotted one */
    srt_code_set_fold(&s);
    assert_int_equal(count(&s), 2);
    srt_code_set_clear(&s);

    srt_code_set_add(&s, 0x3C3, 0x3C3); /* sigma, its final form, the capital */
    srt_code_set_fold(&s);
    assert_int_equal(count(&s), 3);
    assert_true(has(&s, 0x3C2) && has(&s, 0x3A3));
    srt_code_set_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(categories_are_a_partition),
        cmocka_unit_test(properties_have_their_members),
        cmocka_unit_test(scripts_have_extensions),
        cmocka_unit_test(case_is_folded_simply),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

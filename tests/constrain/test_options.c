/*
 * test_options.c - options by name: every word, defaults, refusals
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/options.h"

#include <string.h>

static struct srt_options read_ok(const sortes_grammar_options *o)
{
    struct srt_options to;
    sortes_error err;

    if (srt_options_read(&to, o, &err) != SORTES_OK)
        fail_msg("%s", err.text);
    return to;
}

static void nothing_said_means_the_defaults(void **state)
{
    const sortes_grammar_options none = { .struct_size = sizeof(none) };
    const struct srt_options a = read_ok(NULL), b = read_ok(&none);

    (void)state;
    assert_int_equal(a.order, SRT_ORDER_DECLARED);
    assert_int_equal(a.whitespace, SRT_WHITESPACE_BOUNDED);
    assert_int_equal(a.escapes, SRT_ESCAPES_AUTO);
    assert_int_equal(a.numbers, SRT_NUMBERS_PLAIN);
    assert_int_equal(a.formats, SRT_FORMATS_ASSERT);
    assert_int_equal(a.draft, SRT_DRAFT_BY_SCHEMA);
    assert_int_equal(a.unique_keys, 1);
    assert_int_equal(a.lenient, 0);
    assert_int_equal(a.form, SRT_FORM_EXACT);
    assert_int_equal(a.max_cache_bytes, 16 << 20);
    assert_int_equal(a.max_depth, 128);
    assert_memory_equal(&a, &b, sizeof(a));
}

static void every_word_has_its_value(void **state)
{
    sortes_grammar_options o = { .struct_size = sizeof(o) };

    (void)state;
    o.order = "free";
    o.whitespace = "single";
    o.escapes = "json";
    o.numbers = "json";
    o.formats = "annotate";
    o.draft = "2019-09";
    o.unique_keys = "false";
    o.lenient = "true";
    o.form = "literal";
    o.max_depth = 5;
    {
        const struct srt_options a = read_ok(&o);

        assert_int_equal(a.order, SRT_ORDER_FREE);
        assert_int_equal(a.whitespace, SRT_WHITESPACE_SINGLE);
        assert_int_equal(a.escapes, SRT_ESCAPES_JSON);
        assert_int_equal(a.numbers, SRT_NUMBERS_JSON);
        assert_int_equal(a.formats, SRT_FORMATS_ANNOTATE);
        assert_int_equal(a.draft, SRT_DRAFT_2019_09);
        assert_int_equal(a.unique_keys, 0);
        assert_int_equal(a.lenient, 1);
        assert_int_equal(a.form, SRT_FORM_LITERAL);
        assert_int_equal(a.max_depth, 5);
    }
}

/* A profile sets several at once; an option of its own still wins. */
static void an_option_wins_over_its_profile(void **state)
{
    sortes_grammar_options o = { .struct_size = sizeof(o) };

    (void)state;
    o.profile = "json";
    assert_int_equal(read_ok(&o).whitespace, SRT_WHITESPACE_ANY);
    assert_int_equal(read_ok(&o).order, SRT_ORDER_FREE);
    o.whitespace = "none";
    assert_int_equal(read_ok(&o).whitespace, SRT_WHITESPACE_NONE);
    o.profile = "llguidance";
    assert_true(read_ok(&o).like_llguidance);
}

static void refused(sortes_grammar_options o, sortes_status status,
                    const char *text)
{
    struct srt_options to;
    sortes_error err;

    memset(&to, 0x5a, sizeof(to));
    assert_int_equal(srt_options_read(&to, &o, &err), status);
    assert_string_equal(err.text, text);
    assert_int_equal(*(unsigned char *)&to, 0x5a);
}

static void other_words_are_refused_with_those_allowed(void **state)
{
    const size_t size = sizeof(sortes_grammar_options);

    (void)state;
    refused((sortes_grammar_options){ .struct_size = size, .order = "random" },
            SORTES_E_RANGE, "order: 'random' is not declared, strict or free");
    refused(
        (sortes_grammar_options){ .struct_size = size, .unique_keys = "yes" },
        SORTES_E_RANGE, "unique_keys: 'yes' is not true or false");
    refused((sortes_grammar_options){ .struct_size = size, .profile = "x" },
            SORTES_E_RANGE, "profile: 'x' is not json or llguidance");
}

static void a_struct_of_another_size_is_refused(void **state)
{
    struct srt_options to;
    const sortes_grammar_options o = { .struct_size = 8 };

    (void)state;
    assert_int_equal(srt_options_read(&to, &o, NULL), SORTES_E_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_said_means_the_defaults),
        cmocka_unit_test(every_word_has_its_value),
        cmocka_unit_test(an_option_wins_over_its_profile),
        cmocka_unit_test(other_words_are_refused_with_those_allowed),
        cmocka_unit_test(a_struct_of_another_size_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

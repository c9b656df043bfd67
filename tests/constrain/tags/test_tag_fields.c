/*
 * test_tag_fields.c - what is wrong with a structural tag, and where
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/tags_json.h"

static void refused(const char *format, sortes_status status, const char *text,
                    const char *at)
{
    tags_refused("structural_tag", format, status, text, at);
}

static void missing_fields_are_named(void **state)
{
    (void)state;
    refused("{'format':{}}", SORTES_E_SYNTAX,
            "structural_tag: #/format: 'type' is missing", "{}");
    refused("{'type':'const_string'}", SORTES_E_SYNTAX,
            "structural_tag: #/format: 'value' is missing", NULL);
    refused("{'type':'sequence','elements':[{'type':'tag','begin':'a',"
            "'content':{'type':'any_text'}}]}",
            SORTES_E_SYNTAX,
            "structural_tag: #/format/elements/0: 'end' is missing", NULL);
    refused("{'type':'star'}", SORTES_E_SYNTAX,
            "structural_tag: #/format: 'content' is missing", NULL);
    refused("{}", SORTES_E_SYNTAX, "structural_tag: #: 'format' is missing",
            NULL);
}

static void types_are_checked(void **state)
{
    (void)state;
    refused("{'type':'const_string','value':12}", SORTES_E_SYNTAX,
            "structural_tag: #/format/value: a wrong type (got number, "
            "allowed: string)",
            "12");
    refused("{'format':[]}", SORTES_E_SYNTAX,
            "structural_tag: #/format: a wrong type (got array, allowed: "
            "object)",
            "[]");
    refused("{'type':'any_text','excludes':['a',false]}", SORTES_E_SYNTAX,
            "structural_tag: #/format/excludes/1: a wrong type (got boolean, "
            "allowed: string)",
            "false");
    refused("{'type':'any_text','excludes':['']}", SORTES_E_SYNTAX,
            "structural_tag: #/format/excludes/0: an empty string", NULL);
    refused("{'type':'tags_with_separator','separator':'','tags':[],"
            "'at_least_one':0}",
            SORTES_E_SYNTAX,
            "structural_tag: #/format/at_least_one: a wrong type (got number, "
            "allowed: boolean)",
            "0");
}

static void numbers_are_whole_and_bounded(void **state)
{
    (void)state;
    refused("{'type':'any_text','max_chars':1.5}", SORTES_E_RANGE,
            "structural_tag: #/format/max_chars: a whole number up to "
            "999999999 is wanted",
            "1.5");
    refused("{'type':'any_text','max_chars':-1}", SORTES_E_RANGE,
            "structural_tag: #/format/max_chars: a whole number up to "
            "999999999 is wanted",
            "-1");
    refused("{'type':'repeat','min':2,'max':1,'content':{'type':'any_text'}}",
            SORTES_E_RANGE, "structural_tag: #/format: min is above max", NULL);
    refused("{'type':'repeat','min':2,'content':{'type':'any_text'}}",
            SORTES_E_SYNTAX, "structural_tag: #/format: 'max' is missing",
            NULL);
}

/* A mistake in a grammar inside is told with both places. */
static void mistakes_inside_are_located(void **state)
{
    (void)state;
    refused("{'type':'grammar','grammar':'root :: x'}", SORTES_E_SYNTAX,
            "structural_tag: #/format/grammar: gbnf: line 1, column 6: "
            "expected ::=",
            NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_fields_are_named),
        cmocka_unit_test(types_are_checked),
        cmocka_unit_test(numbers_are_whole_and_bounded),
        cmocka_unit_test(mistakes_inside_are_located),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

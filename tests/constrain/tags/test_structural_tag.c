/*
 * test_structural_tag.c - formats and their meaning, as XGrammar 0.2.9 has them
 *
 * Every verdict here, to the byte, is that engine's too.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/tags_json.h"

#include <string.h>

#define CHECK(format, ...)                                                     \
    do {                                                                       \
        static const struct tags_line lines[] = { __VA_ARGS__ };               \
        tags_check("structural_tag", format, lines,                            \
                   sizeof(lines) / sizeof(*lines));                            \
    } while (0)

static void single_formats(void **state)
{
    (void)state;
    CHECK("{'type':'const_string','value':'ab'}", { "ab", -1 }, { "a", 1 },
          { "abc", 2 });
    CHECK("{'type':'const_string','value':''}", { "", -1 }, { "a", 0 });
    CHECK("{'type':'any_text','excludes':['ab']}", { "aab", 2 }, { "a", -1 });
    CHECK("{'type':'grammar','grammar':'root ::= \\'x\\' [0-9]*'}",
          { "x12", -1 }, { "xy", 1 });
}

static void formats_in_a_row_or_one_of_them(void **state)
{
    (void)state;
    CHECK("{'type':'sequence','elements':[{'type':'any_text'},"
          "{'type':'const_string','value':'x'}]}",
          { "xax", -1 }, { "xa", 2 });
    CHECK("{'type':'or','elements':[{'type':'const_string','value':'ab'},"
          "{'type':'const_string','value':'ac'}]}",
          { "ac", -1 }, { "ad", 1 }, { "", 0 });
}

static void formats_several_times(void **state)
{
    static const char a[] = "'content':{'type':'const_string','value':'a'}}";
    char text[128];
    static const struct tags_line optional[] = { { "", -1 }, { "aa", 1 } },
                                  star[] = { { "", -1 }, { "aa", -1 } },
                                  plus[] = { { "", 0 }, { "aa", -1 } },
                                  twice[] = { { "a", 1 },
                                              { "aa", -1 },
                                              { "aaa", 2 } };
    const struct {
        const char *head;
        const struct tags_line *lines;
        size_t n;
    } kinds[] = {
        { "{'type':'optional',", optional, 2 },
        { "{'type':'star',", star, 2 },
        { "{'type':'plus',", plus, 2 },
        { "{'type':'repeat','min':0,'max':-1,", star, 2 },
        { "{'type':'repeat','min':2,'max':2,", twice, 3 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        strcpy(text, kinds[i].head);
        strcat(text, a);
        tags_check("structural_tag", text, kinds[i].lines, kinds[i].n);
    }
    CHECK("{'type':'repeat','min':0,'max':0,'content':{'type':'any_text'}}",
          { "", -1 }, { "a", 0 });
}

static void what_is_refused_is_named(void **state)
{
    (void)state;
    tags_refused("structural_tag", "{'type':'anytext'}", SORTES_E_NAME,
                 "structural_tag: #/format/type: there is no such format",
                 "'anytext'");
    tags_refused("structural_tag", "{'type':'token','token':3}", SORTES_E_NAME,
                 "structural_tag: #/format/type: formats of whole tokens are "
                 "not supported",
                 NULL);
    tags_refused("structural_tag", "{'type':'any_text','max_tokens':5}",
                 SORTES_E_NAME,
                 "structural_tag: #/format/max_tokens: bounds in tokens are "
                 "not supported (allowed: max_chars)",
                 "5");
    tags_refused("structural_tag",
                 "{'type':'grammar','grammar':'','syntax':'lark'}",
                 SORTES_E_NAME,
                 "structural_tag: #/format/syntax: only the syntax \"ebnf\" is "
                 "known here",
                 "'lark'");
    tags_refused("structural_tag", "{'type':'or','elements':[]}",
                 SORTES_E_SYNTAX,
                 "structural_tag: #/format/elements: at least one element is "
                 "needed",
                 "[]");
    tags_refused("structural_tag",
                 "{'type':'json_schema','json_schema':{},"
                 "'style':'glm_xml'}",
                 SORTES_E_NAME,
                 "structural_tag: #/format/style: only the styles \"json\" and "
                 "\"qwen_xml\" are supported",
                 NULL);
    tags_refused("structural_tag", "[]", SORTES_E_SYNTAX,
                 "structural_tag: #: an object is wanted", NULL);
    tags_refused(
        "structural_tag", "{'a':1", SORTES_E_SYNTAX,
        "structural_tag: json: byte 6: expected ',' or '}' (got the end)",
        NULL);
}

static void sizes_are_bounded(void **state)
{
    (void)state;
    tags_refused("structural_tag",
                 "{'type':'repeat','min':0,'max':999999999,'content':{'type':"
                 "'const_string','value':'ab'}}",
                 SORTES_E_LIMIT,
                 "structural_tag: too large when written out (at most 4194304 "
                 "places)",
                 NULL);
    tags_refused("structural_tag", "{'type':'any_text','max_chars':999999999}",
                 SORTES_E_LIMIT,
                 "structural_tag: too large when written out (at most 4194304 "
                 "places)",
                 NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_formats),
        cmocka_unit_test(formats_in_a_row_or_one_of_them),
        cmocka_unit_test(formats_several_times),
        cmocka_unit_test(what_is_refused_is_named),
        cmocka_unit_test(sizes_are_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

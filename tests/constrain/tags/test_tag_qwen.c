/*
 * test_tag_qwen.c - arguments as Qwen's parameters
 *
 * Verdicts are XGrammar 0.2.9's too.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/tags_json.h"

static void strings_stand_there_as_they_are(void **state)
{
    static const struct tags_line lines[] = {
        { "<parameter=a>x y</parameter>", -1 },
        { "<parameter=a>\n\"\n</parameter>\n<parameter=b>u</parameter>", -1 },
        { "<parameter=b>u</parameter>", 11 },
        { "<parameter=a></parameter><parameter=b>w", 38 },
        { "<parameter=a>1</parameter><parameter=a>", 37 },
    };

    (void)state;
    tags_check("structural_tag",
               "{'type':'qwen_xml_parameter','json_schema':{'type':'object',"
               "'properties':{'a':{'type':'string','description':'d'},'b':"
               "{'type':'string','enum':['u','v']}},'required':['a']}}",
               lines, sizeof(lines) / sizeof(*lines));
}

static void what_cannot_stand_there_is_refused(void **state)
{
    (void)state;
    tags_refused("structural_tag",
                 "{'type':'json_schema','style':'qwen_xml','json_schema':{"
                 "'properties':{'a':{'type':'string','pattern':'x'}}}}",
                 SORTES_E_NAME,
                 "structural_tag: #/format/json_schema/properties/a/pattern: "
                 "not supported for a string that stands there as it is",
                 "'x'");
    tags_refused("structural_tag",
                 "{'type':'qwen_xml_parameter','json_schema':{}}",
                 SORTES_E_SYNTAX,
                 "structural_tag: #/format/json_schema: 'properties' is "
                 "missing",
                 "{}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_stand_there_as_they_are),
        cmocka_unit_test(what_cannot_stand_there_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_tools_request.c - what a request says beside its list of tools
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/tags_json.h"

static void choices_are_checked(void **state)
{
    (void)state;
    tags_refused("tools", "{'tools':[{'name':'f'}],'tool_choice':'any'}",
                 SORTES_E_NAME,
                 "tools: #/tool_choice: there is no such choice (allowed: "
                 "\"none\", \"auto\", \"required\", an object that names a "
                 "function)",
                 "'any'");
    tags_refused("tools",
                 "{'tools':[{'name':'f'}],'tool_choice':{'type':'function',"
                 "'function':{'name':'h'}}}",
                 SORTES_E_EMPTY,
                 "tools: #/tool_choice/function/name: there is no such "
                 "function",
                 "'h'");
    tags_refused("tools", "{'tools':[],'parallel_tool_calls':1}",
                 SORTES_E_SYNTAX,
                 "tools: #/parallel_tool_calls: a wrong type (got number, "
                 "allowed: boolean)",
                 "1");
}

static void formats_are_checked(void **state)
{
    (void)state;
    tags_refused("tools", "{'tools':[{'name':'f'}],'format':'xml'}",
                 SORTES_E_NAME,
                 "tools: #/format: there is no such format (allowed: "
                 "\"tool_call\", \"json\", an object with begin and end)",
                 "'xml'");
    tags_refused("tools", "{'tools':[],'format':{'begin':'a'}}",
                 SORTES_E_SYNTAX, "tools: #/format: 'end' is missing", NULL);
    tags_refused("tools", "{'tools':[],'format':{'begin':'{name}','end':''}}",
                 SORTES_E_SYNTAX,
                 "tools: #/format/begin: a call must begin with some words",
                 NULL);
}

static void a_request_has_a_list(void **state)
{
    (void)state;
    tags_refused("tools", "{}", SORTES_E_SYNTAX, "tools: #: 'tools' is missing",
                 NULL);
    tags_refused(
        "tools", "1", SORTES_E_SYNTAX,
        "tools: #: a list of tools is wanted, an object with one, or a "
        "function",
        NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices_are_checked),
        cmocka_unit_test(formats_are_checked),
        cmocka_unit_test(a_request_has_a_list),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_examine.c - parts that ask for a grammar, and what is seldom meant
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sortes.h"

#include <stdio.h>
#include <string.h>

static char told[2048];

/* "#/where kind(text)" of a part, "+" before a tool's, "!#/where: what" of what
 * is not read, "#/where: what" of a doubt; cut short. */
static void tell(void *ctx, const sortes_finding *f)
{
    char line[256];

    (void)ctx;
    if (f->text)
        snprintf(line, sizeof(line), "%s%s %s(%.*s)\n",
                 f->type == SORTES_FINDING_TOOL ? "+" : "", f->where, f->what,
                 (int)(f->n < 24 ? f->n : 24), f->text);
    else
        snprintf(line, sizeof(line), "%s%s: %.24s\n",
                 f->type == SORTES_FINDING_UNREAD ? "!" : "", f->where,
                 f->what);
    assert_true((f->text != NULL) == (f->type == SORTES_FINDING_PART ||
                                      f->type == SORTES_FINDING_TOOL));
    assert_true(strlen(told) + strlen(line) < sizeof(told));
    strcat(told, line);
}

/* Apostrophes stand for quotes. */
static void examined(const char *text, const char *expected)
{
    char json[512];
    size_t n = 0;
    sortes_error err;

    for (; text[n]; n++)
        json[n] = text[n] == '\'' ? '"' : text[n];
    told[0] = '\0';
    if (sortes_grammar_examine(json, n, tell, NULL, &err) != SORTES_OK)
        fail_msg("%s", err.text);
    for (char *c = told; *c; c++)
        if (*c == '"')
            *c = '\'';
    assert_string_equal(told, expected);
}

static void parts_are_found(void **state)
{
    (void)state;
    examined("{'type':'null'}", "# json_schema({'type':'null'})\n");
    examined("[{'name':'f'},{'name':'g'}]",
             "# tools([{'name':'f'},{'name':'g)\n"
             "+#/0 tools({'name':'f'})\n"
             "+#/1 tools({'name':'g'})\n");
    /* A field of requests in a schema makes none of it. */
    examined("{'$schema':'a','model':1}",
             "# json_schema({'$schema':'a','model':1)\n"
             "#/model: JSON Schema knows no suc\n");
    examined("{'type':'structural_tag'}",
             "# structural_tag({'type':'structural_tag')\n");
}

static void requests_are_taken_apart(void **state)
{
    (void)state;
    examined("{'messages':[],'response_format':{'type':'json_object'}}",
             "#/response_format json_object()\n");
    examined(
        "{'response_format':{'type':'json_schema','json_schema':{'schema':"
        "{'a':1}}}}",
        "#/response_format/json_schema/schema json_schema({'a':1})\n"
        "#/response_format/json_schema/schema/a: JSON Schema knows no suc\n");
    examined("{'prompt':'x','json_schema':true,'grammar':'root ::= \\'a\\''}",
             "#/json_schema json_schema(true)\n"
             "#/grammar gbnf(root ::= 'a')\n");
    examined("{'messages':[],'response_format':{'type':'yaml'}}",
             "!#/response_format: there is no such respons\n");
    examined("{'response_format':{'type':'json_schema'}}",
             "!#/response_format: the schema is missing: i\n");
    /* Ollama's, OpenAI's newer kind, vLLM's old and new. */
    examined("{'model':'m','format':'json'}", "#/format json_object()\n");
    examined("{'model':'m','format':{}}", "#/format json_schema({})\n");
    examined("{'model':'m','format':''}", "");
    examined("{'model':'m','format':'xml'}",
             "!#/format: there is no such format \n");
    examined("{'input':'x','text':{'format':{'type':'json_schema','schema':"
             "{}}}}",
             "#/text/format/schema json_schema({})\n");
    examined("{'prompt':'','guided_json':'{}','guided_regex':'a+',"
             "'guided_choice':[]}",
             "#/guided_json json_schema({})\n"
             "#/guided_regex regex(a+)\n"
             "!#/guided_choice: sortes does not read thi\n");
    examined("{'structured_outputs':{'regex':'b','grammar':'c'}}",
             "#/structured_outputs/regex regex(b)\n"
             "!#/structured_outputs/grammar: sortes does not read thi\n");
    /* What is empty asks for nothing. */
    examined("{'tools':[],'response_format':null,'json_schema':null,"
             "'grammar':''}",
             "");
    examined("{'tools':3}", "# tools({'tools':3})\n");
    examined("{'messages':[],'response_format':{'type':'text'}}", "");
}

static void what_is_seldom_meant_is_told(void **state)
{
    (void)state;
    examined("{'required':['a'],'properties':{'a':false},'x-mine':1}",
             "# json_schema({'required':['a'],'prope)\n"
             "#/required/0: this key is required, bu\n");
    examined("{'properties':{'a':{'pattern':'^a'}},'required':['b'],"
             "'additionalProperties':false}",
             "# json_schema({'properties':{'a':{'pat)\n"
             "#/required/0: this key is required, bu\n"
             "#/properties/a/pattern: the pattern may match an\n");
    examined("{'items':{'oneOf':[false,{}]}}",
             "# json_schema({'items':{'oneOf':[false)\n"
             "#/items/oneOf/0: nothing satisfies this b\n"
             "#/items/oneOf/1: anything satisfies this \n");
    examined("{'$defs':{'o':{'properties':{'a':{}}}}}",
             "# json_schema({'$defs':{'o':{'properti)\n"
             "#/$defs/o/properties: some names are optional \n");
    examined("{'minimum':1.5,'maximum':1.25,'minItems':2,'maxItems':2}",
             "# json_schema({'minimum':1.5,'maximum')\n"
             "#/minimum: minimum is above maximum\n");
    examined("{'not':{'minLength':10,'maxLength':9}}",
             "# json_schema({'not':{'minLength':10,')\n"
             "#/not/minLength: minLength is above maxLe\n");
    /* Alternatives, and where they are none. */
    examined("{'pattern':'^a|b$'}", "# json_schema({'pattern':'^a|b$'})\n"
                                    "#/pattern: ^ and $ hold only to the\n");
    examined("{'pattern':'^(a)b|c$'}", "# json_schema({'pattern':'^(a)b|c$'})\n"
                                       "#/pattern: ^ and $ hold only to the\n");
    examined("{'pattern':'^(a|b)[|)]\\\\|$'}",
             "# json_schema({'pattern':'^(a|b)[|)]\\\\)\n");
    examined("{'enum':[{'requird':1}],'requird':1}",
             "# json_schema({'enum':[{'requird':1}],)\n"
             "#/requird: JSON Schema knows no suc\n");
}

static void what_is_no_json_is_refused(void **state)
{
    sortes_error err;

    (void)state;
    assert_int_equal(sortes_grammar_examine("{", 1, tell, NULL, &err),
                     SORTES_E_SYNTAX);
    assert_int_equal(err.offset, 1);
    assert_int_equal(sortes_grammar_examine(NULL, 0, tell, NULL, &err),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_grammar_examine("1", 1, NULL, NULL, &err),
                     SORTES_E_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_found),
        cmocka_unit_test(requests_are_taken_apart),
        cmocka_unit_test(what_is_seldom_meant_is_told),
        cmocka_unit_test(what_is_no_json_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

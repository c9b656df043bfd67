/*
 * test_tools.c - calls of functions, where they may stand, and what is left out
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "compiler.h"

#include "support/small_vocab.h"
#include "support/tags_json.h"

#include <stdio.h>
#include <string.h>

#define CHECK(request, ...)                                                    \
    do {                                                                       \
        static const struct tags_line lines[] = { __VA_ARGS__ };               \
        tags_check("tools", request, lines, sizeof(lines) / sizeof(*lines));   \
    } while (0)

#define TOOLS                                                                  \
    "'tools':[{'type':'function','function':{'name':'f','parameters':"         \
    "{'type':'object'}}},{'type':'function','name':'g'}]"

#define CALL_F "<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":1}}</tool_call>"
#define CALL_G "<tool_call>\n{\"name\": \"g\", \"arguments\": {}}\n</tool_call>"

static void free_text_has_calls_in_it(void **state)
{
    (void)state;
    CHECK("{" TOOLS "}", { "", -1 }, { "hi", -1 },
          { "x" CALL_F "y" CALL_G, -1 }, { "<tool_call>", 11 },
          { "<tool_call>{\"name\":\"h", 20 },
          { "<tool_call>{\"name\":\"g\",\"arguments\":{\"", 36 },
          { "<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":1,\"a\"", 44 });
    CHECK("{" TOOLS ",'parallel_tool_calls':false}", { "x" CALL_F, -1 },
          { CALL_G "x", (int)sizeof(CALL_G) - 1 });
    CHECK("{" TOOLS ",'tool_choice':'none'}", { "hi", -1 },
          { "<tool_call>", 10 });
}

static void calls_may_be_required(void **state)
{
    (void)state;
    CHECK("{" TOOLS ",'tool_choice':'required'}", { "", 0 }, { "hi", 0 },
          { CALL_F, -1 }, { CALL_F "\n" CALL_G CALL_F, -1 },
          { CALL_F "x", (int)sizeof(CALL_F) - 1 });
    CHECK("{" TOOLS ",'tool_choice':'required','parallel_tool_calls':false}",
          { CALL_G, -1 }, { CALL_G CALL_G, (int)sizeof(CALL_G) - 1 });
    CHECK("{" TOOLS ",'tool_choice':{'type':'function','function':{'name':'g'}"
          "}}",
          { CALL_G, -1 }, { CALL_F, 20 },
          { CALL_G "\n", (int)sizeof(CALL_G) - 1 });
}

#define F "{\"name\": \"f\", \"arguments\": {\"a\": 1}}"

static void calls_may_be_plain_json(void **state)
{
    (void)state;
    CHECK("{" TOOLS ",'format':'json'}", { "", -1 }, { "hi {", -1 }, { F, -1 },
          { "[" F ", " F "]", -1 }, { "[" F, (int)sizeof(F) }, { "[]", 1 },
          { F "]", (int)sizeof(F) - 1 }, { " {", 0 });
    CHECK("{" TOOLS ",'format':'json','tool_choice':'required',"
          "'parallel_tool_calls':false}",
          { "", 0 }, { "h", 0 }, { F, -1 }, { "[", 0 });
    CHECK("{" TOOLS ",'format':'json','tool_choice':'none'}", { "hi", -1 },
          { "{", 0 });
}

static void tags_may_be_given(void **state)
{
    (void)state;
    CHECK("{" TOOLS ",'format':{'begin':'<function={name}>','end':'</function>'"
          "}}",
          { "a<function=f>{\"b\":2}</function>c", -1 },
          { "<function=g>{}</function>", -1 }, { "<function=h", 10 });
    CHECK("{" TOOLS ",'format':{'begin':'[CALL]','end':''}}",
          { "[CALL]" F "x", -1 }, { "[CALL]\n", 6 });
}

/* A gap is a space or nothing; with no whitespace at all it is nothing. */
static void whitespace_follows_the_profile(void **state)
{
    const sortes_grammar_options none = { .struct_size = sizeof(none),
                                          .whitespace = "none" };
    sortes_grammar *g = small_grammar("tools", "[{\"name\":\"g\"}]", &none);

    (void)state;
    assert_true(small_accepts(
        g, "<tool_call>{\"name\":\"g\",\"arguments\":{}}</tool_call>"));
    assert_int_equal(small_reach(g, CALL_G, sizeof(CALL_G) - 1), 11);
    sortes_grammar_free(g);
}

/* ---- mistakes ------------------------------------------------------------ */

#define BAD                                                                    \
    "[{'type':'function','function':{'name':'ok'}},{'type':'function',"        \
    "'function':{'description':'no name'}},{'type':'retrieval'}]"

static void a_bad_tool_is_named(void **state)
{
    (void)state;
    tags_refused("tools", BAD, SORTES_E_SYNTAX,
                 "tools: tool 1: #/1: a function has a name", NULL);
    tags_refused(
        "tools", "{'tools':[{'type':'retrieval','name':'r'}]}", SORTES_E_SYNTAX,
        "tools: tool 0 'r': #/tools/0: the type is not \"function\"", NULL);
    tags_refused("tools", "{'tools':[]}", SORTES_E_EMPTY,
                 "tools: #/tools: there are no tools", "[]");
}

/* One function without a list is a list of itself; mistakes have no number. */
static void a_function_may_stand_alone(void **state)
{
    sortes_grammar *g = small_grammar(
        "tools", "{\"type\":\"function\",\"function\":{\"name\":\"f\"}}", NULL);

    (void)state;
    assert_true(small_accepts(
        g, "<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>"));
    sortes_grammar_free(g);
    tags_refused("tools", "{'name':'f','parameters':{'items':3}}",
                 SORTES_E_SYNTAX,
                 "tools: 'f': #/parameters: json_schema: #/items: a schema is "
                 "an object, true or false",
                 "3}}");
    tags_refused("tools", "{'type':'retrieval'}", SORTES_E_SYNTAX,
                 "tools: #: the type is not \"function\"", NULL);
    tags_refused("tools", "{'function':{}}", SORTES_E_SYNTAX,
                 "tools: #: a function has a name", NULL);
}

/* Anthropic's word and the Model Context Protocol's; without a schema the
 * arguments would be empty. */
static void arguments_have_other_names_too(void **state)
{
    static const char *const names[] = { "parameters", "input_schema",
                                         "inputSchema" };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(names); i++) {
        char text[128];
        sortes_grammar *g;

        snprintf(text, sizeof(text),
                 "[{\"name\":\"f\",\"%s\":{\"required\":[\"a\"],\"type\":"
                 "\"object\"}}]",
                 names[i]);
        g = small_grammar("tools", text, NULL);
        assert_true(small_accepts(g, "<tool_call>{\"name\":\"f\",\"arguments\""
                                     ":{\"a\":1}}</tool_call>"));
        assert_false(small_accepts(g, "<tool_call>{\"name\":\"f\","
                                      "\"arguments\":{}}</tool_call>"));
        sortes_grammar_free(g);
    }
}

struct remarks {
    size_t n;
    char text[2][128];
};

static void remember(void *ctx, const char *where, const char *text)
{
    struct remarks *r = ctx;

    assert_string_equal(where, "#");
    assert_in_range(r->n, 0, 1);
    strcpy(r->text[r->n++], text);
}

static void a_lenient_list_leaves_it_out(void **state)
{
    const sortes_grammar_options lenient = { .struct_size = sizeof(lenient),
                                             .lenient = "true" };
    static const char text[] =
        "[{\"name\":\"ok\"},{\"type\":\"function\"},{\"type\":\"x\"}]";
    struct remarks r = { 0 };
    sortes_grammar *g = small_grammar("tools", text, &lenient);
    sortes_error err;

    (void)state;
    sortes_grammar_remarks(g, remember, &r);
    assert_int_equal(r.n, 2);
    assert_string_equal(r.text[0],
                        "tools: tool 1: #/1: a function has a name; left out");
    assert_string_equal(
        r.text[1],
        "tools: tool 2: #/2: the type is not \"function\"; left out");
    assert_true(small_accepts(
        g, "<tool_call>{\"name\":\"ok\",\"arguments\":{}}</tool_call>"));
    sortes_grammar_free(g);
    assert_int_equal(sortes_grammar_new(&g, "tools", "[{}]", 4, &lenient, &err),
                     SORTES_E_EMPTY);
    assert_string_equal(err.text, "tools: #: no tool is left");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_text_has_calls_in_it),
        cmocka_unit_test(calls_may_be_required),
        cmocka_unit_test(calls_may_be_plain_json),
        cmocka_unit_test(tags_may_be_given),
        cmocka_unit_test(whitespace_follows_the_profile),
        cmocka_unit_test(a_bad_tool_is_named),
        cmocka_unit_test(a_function_may_stand_alone),
        cmocka_unit_test(arguments_have_other_names_too),
        cmocka_unit_test(a_lenient_list_leaves_it_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

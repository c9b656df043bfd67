/*
 * test_tag_formats.c - tags, in free text and in a row, as XGrammar 0.2.9 has
 * them
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

#define F1                                                                     \
    "{'type':'tag','begin':'<f1>','content':{'type':'const_string',"           \
    "'value':'a'},'end':'</f>'}"
#define F2                                                                     \
    "{'type':'tag','begin':'<f2>','content':{'type':'const_string',"           \
    "'value':'b'},'end':'</f>'}"
#define TRIGGERED                                                              \
    "{'type':'triggered_tags','triggers':['<f'],'tags':[" F1 "," F2 "]"
#define SEPARATED                                                              \
    "{'type':'tags_with_separator','separator':',','tags':[" F1 "," F2 "]"

static void free_text_in_a_tag_stops_at_its_end(void **state)
{
    (void)state;
    CHECK("{'type':'tag','begin':'<t>','content':{'type':'any_text'},'end':"
          "['</t>','</u>']}",
          { "<t>x</u>", -1 }, { "<t>x</t>y", 8 }, { "<t></t>", -1 },
          { "<t>x", 4 });
    CHECK("{'type':'tag','begin':'<t>','content':{'type':'sequence','elements':"
          "[{'type':'any_text'},{'type':'const_string','value':'a'}]},"
          "'end':'</t>'}",
          { "<t>aa</t>", -1 }, { "<t></t>a</t>", 6 });
}

/* A nested tag has ends of its own; what is no free text may spell an end. */
static void ends_may_stand_elsewhere(void **state)
{
    (void)state;
    CHECK("{'type':'tag','begin':'<a>','content':{'type':'tag','begin':'<b>',"
          "'content':{'type':'any_text'},'end':'</b>'},'end':'</a>'}",
          { "<a><b>x</a></b></a>", -1 });
    CHECK("{'type':'tag','begin':'<a>','content':{'type':'const_string',"
          "'value':'</a>x'},'end':'</a>'}",
          { "<a></a>x</a>", -1 }, { "<a></a>", 7 });
    CHECK("{'type':'tag','begin':'<t>','content':{'type':'or','elements':["
          "{'type':'any_text'},{'type':'const_string','value':'</t>'}]},"
          "'end':'</t>'}",
          { "<t>x</t>", -1 }, { "<t></t></t>", -1 });
}

static void triggers_lead_into_tags_and_out_again(void **state)
{
    (void)state;
    CHECK(TRIGGERED "}", { "", -1 }, { "<", -1 }, { "<f", 2 }, { "<f3>", 2 },
          { "<<f1>a</f>", -1 }, { "x<f1>a</f>y<f2>b</f>z", -1 },
          { "<f1>b</f>", 4 });
    CHECK(TRIGGERED ",'excludes':['no']}", { "no", 1 }, { "nn", -1 },
          { "n<f1>a</f>no", 11 });
    CHECK("{'type':'tag','begin':'[','content':" TRIGGERED "},'end':']'}",
          { "[]", -1 }, { "[x<f1>a</f>y]", -1 }, { "[<f]", 3 }, { "[x]y", 3 });
}

static void a_first_tag_comes_at_once_and_a_last_one_ends(void **state)
{
    (void)state;
    CHECK(TRIGGERED ",'at_least_one':true}", { "", 0 }, { "x", 0 },
          { "<f1>a</f>", -1 }, { "<f1>a</f>y", -1 });
    CHECK(TRIGGERED ",'stop_after_first':true}", { "x", -1 },
          { "x<f1>a</f>", -1 }, { "x<f1>a</f>y", 10 });
    CHECK(TRIGGERED ",'at_least_one':true,'stop_after_first':true}", { "", 0 },
          { "<f1>a</f>", -1 }, { "<f1>a</f>y", 9 }, { "<<f1>", 1 });
}

static void separators_stand_between_tags(void **state)
{
    (void)state;
    CHECK(SEPARATED "}", { "", -1 }, { "<f1>a</f>,<f2>b</f>,<f2>b</f>", -1 },
          { "<f1>a</f>,", 10 }, { "<f1>a</f><f2>", 9 }, { ",", 0 });
    CHECK(SEPARATED ",'at_least_one':true}", { "", 0 }, { "<f1>a</f>", -1 });
    CHECK(SEPARATED ",'stop_after_first':true}", { "", -1 },
          { "<f1>a</f>", -1 }, { "<f1>a</f>,", 9 });
}

static void patterns_lead_into_formats(void **state)
{
    (void)state;
    CHECK("{'type':'dispatch','rules':[['<a>',{'type':'const_string','value':"
          "'1'}],['<b>',{'type':'const_string','value':'2'}]]}",
          { "x<a>1y<b>2", -1 }, { "<a>2", 3 }, { "<a", -1 });
    CHECK("{'type':'dispatch','loop':false,'excludes':['z'],'rules':[['<a>',"
          "{'type':'const_string','value':'1z'}]]}",
          { "z", 0 }, { "x<a>1z", -1 }, { "x<a>1zy", 6 });
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    tags_refused("structural_tag",
                 "{'type':'tag','begin':'a','content':{'type':'any_text'},"
                 "'end':''}",
                 SORTES_E_SYNTAX,
                 "structural_tag: #/format/end: free text in a tag wants an "
                 "end that is not empty",
                 "''");
    tags_refused("structural_tag",
                 "{'type':'triggered_tags','triggers':['<g'],'tags':[" F1 "]}",
                 SORTES_E_SYNTAX,
                 "structural_tag: #/format/tags/0: the tag begins with none of "
                 "the triggers",
                 NULL);
    tags_refused("structural_tag",
                 "{'type':'triggered_tags','triggers':['<f','<g'],'tags':[" F1
                 "]}",
                 SORTES_E_SYNTAX,
                 "structural_tag: #/format/triggers/1: no tag begins with this "
                 "trigger",
                 "'<g'");
    tags_refused("structural_tag",
                 "{'type':'triggered_tags','triggers':[],'tags':[" F1 "]}",
                 SORTES_E_SYNTAX,
                 "structural_tag: #/format/triggers: at least one trigger is "
                 "needed",
                 "[]");
    tags_refused(
        "structural_tag",
        "{'type':'triggered_tags','triggers':['a'],'tags':[]}", SORTES_E_SYNTAX,
        "structural_tag: #/format/tags: at least one tag is needed", "[]");
    tags_refused("structural_tag",
                 "{'type':'tag','begin':{'type':'token','token':1},'content':"
                 "{'type':'any_text'},'end':'a'}",
                 SORTES_E_NAME,
                 "structural_tag: #/format/begin: tags that begin with a token "
                 "are not supported (allowed: a string)",
                 NULL);
    tags_refused("structural_tag", "{'type':'dispatch','rules':[['a']]}",
                 SORTES_E_SYNTAX,
                 "structural_tag: #/format/rules/0: a rule is an array of a "
                 "string that is not empty, and a format",
                 "['a']");
    tags_refused(
        "structural_tag", "{'structures':[],'triggers':['a']}", SORTES_E_SYNTAX,
        "structural_tag: #/structures: at least one tag is needed", "[]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_text_in_a_tag_stops_at_its_end),
        cmocka_unit_test(ends_may_stand_elsewhere),
        cmocka_unit_test(triggers_lead_into_tags_and_out_again),
        cmocka_unit_test(a_first_tag_comes_at_once_and_a_last_one_ends),
        cmocka_unit_test(separators_stand_between_tags),
        cmocka_unit_test(patterns_lead_into_formats),
        cmocka_unit_test(what_cannot_be_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

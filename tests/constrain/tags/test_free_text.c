/*
 * test_free_text.c - structural tags of strings and free text against their
 * definition, over all short texts
 *
 * Every text of up to LONGEST bytes over a format's few letters: accepted or
 * not; and every one that is short enough to be completed within LONGEST
 * bytes: alive or not.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sortes.h"
#include "support/small_vocab.h"
#include "support/tags_naive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Apostrophes stand for quotes.  rest: bytes that complete any prefix. */
static const struct sample {
    const char *letters;
    size_t longest, rest;
    const char *format;
} samples[] = {
    { "ab", 10, 0, "{'type':'any_text'}" },
    { "ab", 10, 0, "{'type':'any_text','excludes':['aba','bb']}" },
    { "ab", 10, 3,
      "{'type':'sequence','elements':[{'type':'any_text'},"
      "{'type':'const_string','value':'aba'}]}" },
    { "<at>", 8, 5,
      "{'type':'tag','begin':'<t','content':{'type':'any_text'},"
      "'end':['>','t<a']}" },
    { "ab.", 9, 3,
      "{'type':'tag','begin':'','content':{'type':'star','content':"
      "{'type':'tag','begin':'a','content':{'type':'any_text'},'end':'b'}},"
      "'end':'.'}" },
    { "<ab", 9, 5,
      "{'type':'triggered_tags','triggers':['<a'],'tags':["
      "{'type':'tag','begin':'<a','content':{'type':'const_string','value':'b'}"
      ",'end':'a'},{'type':'tag','begin':'<ab','content':{'type':'const_string'"
      ",'value':'b'},'end':'b'}]}" },
    { "<ab", 9, 5,
      "{'type':'triggered_tags','triggers':['<a'],'at_least_one':true,'tags':["
      "{'type':'tag','begin':'<ab','content':{'type':'const_string','value':''}"
      ",'end':'a'}]}" },
    { "<ab", 9, 5,
      "{'type':'triggered_tags','triggers':['<a','b'],'stop_after_first':true,"
      "'tags':[{'type':'tag','begin':'<ab','content':{'type':'const_string',"
      "'value':''},'end':'a'},{'type':'tag','begin':'b<','content':{'type':"
      "'any_text'},'end':'a'}]}" },
    { "abc", 9, 4,
      "{'type':'triggered_tags','triggers':['abc','b'],'tags':["
      "{'type':'tag','begin':'abc','content':{'type':'const_string','value':'a'"
      "},'end':''},{'type':'tag','begin':'bb','content':{'type':'const_string',"
      "'value':'c'},'end':''}]}" },
    { "abcd", 8, 4,
      "{'type':'triggered_tags','triggers':['abcd','b','cd','bc'],'tags':["
      "{'type':'tag','begin':'abcd','content':{'type':'const_string','value':"
      "'a'},'end':''},{'type':'tag','begin':'bb','content':{'type':"
      "'const_string','value':'c'},'end':''},{'type':'tag','begin':'cda',"
      "'content':{'type':'const_string','value':'d'},'end':''},"
      "{'type':'tag','begin':'bcb','content':{'type':'const_string','value':''}"
      ",'end':'d'}]}" },
    { "ab<", 9, 4,
      "{'type':'triggered_tags','triggers':['<'],'excludes':['ab','a<b'],"
      "'tags':[{'type':'tag','begin':'<','content':{'type':'const_string',"
      "'value':'ab'},'end':'<'}]}" },
    { "a[]", 9, 4,
      "{'type':'tag','begin':'[','content':{'type':'triggered_tags','triggers':"
      "['[a'],'tags':[{'type':'tag','begin':'[a','content':{'type':'any_text'},"
      "'end':']'}]},'end':']'}" },
    { "a[],", 8, 4,
      "{'type':'tags_with_separator','separator':',','tags':[{'type':'tag',"
      "'begin':'[','content':{'type':'any_text'},'end':']'},{'type':'tag',"
      "'begin':'a','content':{'type':'const_string','value':''},'end':']'}]}" },
    { "a,", 10, 2,
      "{'type':'tags_with_separator','separator':'','at_least_one':true,'tags':"
      "[{'type':'tag','begin':'a','content':{'type':'repeat','min':0,'max':2,"
      "'content':{'type':'const_string','value':','}},'end':''}]}" },
    { "a,", 10, 2,
      "{'type':'tags_with_separator','separator':',','stop_after_first':true,"
      "'tags':[{'type':'tag','begin':'a','content':{'type':'repeat','min':1,"
      "'max':-1,'content':{'type':'const_string','value':','}},'end':'a'}]}" },
    { "ab", 10, 3,
      "{'type':'plus','content':{'type':'or','elements':[{'type':"
      "'const_string','value':'aab'},{'type':'const_string','value':'ba'},"
      "{'type':'optional','content':{'type':'const_string','value':'bb'}}]}}" },
    { "ab", 10, 4,
      "{'type':'repeat','min':2,'max':3,'content':{'type':'const_string',"
      "'value':'ab'}}" },
    { "<ab", 9, 4,
      "{'type':'dispatch','rules':[['<a',{'type':'const_string','value':'b'}],"
      "['<<',{'type':'any_text','excludes':['<']}]]}" },
    { "<ab", 9, 4,
      "{'type':'dispatch','loop':false,'excludes':['b'],'rules':[['<a',"
      "{'type':'const_string','value':'bb'}]]}" },
};

static char *json_of(const char *format, const char *before, const char *after)
{
    const size_t n = strlen(format), n_before = strlen(before);
    char *text = malloc(n + n_before + strlen(after) + 1);

    assert_non_null(text);
    memcpy(text, before, n_before);
    memcpy(text + n_before, format, n);
    strcpy(text + n_before + n, after);
    for (char *c = text; *c; c++)
        if (*c == '\'')
            *c = '"';
    return text;
}

struct search {
    const struct sample *sample;
    const struct srt_json *format;
    sortes_matcher *m;
    char text[32];
    size_t n_texts;
};

/* Walks all texts that begin with text[0 .. n-1], the first n_alive bytes of
 * which the matcher took; whether one of them is accepted. */
static bool walk(struct search *s, size_t n, bool alive)
{
    const struct sample *sample = s->sample;
    bool accepted = tags_naive_accepts(s->format, s->text, n), any = accepted;

    s->n_texts++;
    if (accepted != (alive && sortes_matcher_is_accepting(s->m)))
        fail_msg("%s: '%.*s' is %saccepted", sample->format, (int)n, s->text,
                 accepted ? "not " : "");
    for (const char *c = sample->letters; *c && n < sample->longest; c++) {
        bool next = alive;

        s->text[n] = *c;
        if (alive)
            next = sortes_matcher_advance_bytes(s->m, c, 1, NULL) == SORTES_OK;
        any |= walk(s, n + 1, next);
        if (next)
            assert_int_equal(sortes_matcher_rollback(s->m, 1), SORTES_OK);
    }
    if ((any && !alive) ||
        (alive && !any && n + sample->rest <= sample->longest))
        fail_msg("%s: '%.*s' is %s", sample->format, (int)n, s->text,
                 alive ? "a dead end" : "not let through");
    return any;
}

static void formats_accept_what_they_say(void **state)
{
    size_t n_texts = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
        char *tag = json_of(samples[i].format,
                            "{'type':'structural_tag','format':", "}");
        struct srt_json_document d;
        struct search s = { .sample = &samples[i] };
        sortes_grammar *g = small_grammar("structural_tag", tag, NULL);

        assert_int_equal(srt_json_read(&d, tag, strlen(tag), NULL), SORTES_OK);
        s.format = srt_json_find(d.root, "format");
        s.m = small_matcher(g, NULL);
        (void)walk(&s, 0, true);
        n_texts += s.n_texts;
        sortes_matcher_free(s.m);
        sortes_grammar_free(g);
        srt_json_free(&d);
        free(tag);
    }
    print_message("%zu texts\n", n_texts);
}

static void characters_are_counted_and_whole(void **state)
{
    sortes_grammar *g = small_grammar(
        "structural_tag",
        "{\"format\":{\"type\":\"any_text\",\"max_chars\":2}}", NULL);

    (void)state;
    assert_true(small_accepts(g, ""));
    assert_true(small_accepts(g, "\xC3\xA9\xF0\x9F\x98\x80"));
    assert_int_equal(small_reach(g, "abc", 3), 2);
    assert_false(small_accepts(g, "a\xC3"));
    assert_int_equal(small_reach(g, "a\xC3\xA9z", 4), 3);
    assert_int_equal(small_reach(g, "\xC0\x80", 2), 0);
    assert_int_equal(small_reach(g, "\xED\xA0\x80", 3), 1);
    assert_int_equal(small_reach(g, "\xF4\x90", 2), 1);
    assert_int_equal(small_reach(g, "\xFF", 1), 0);
    sortes_grammar_free(g);
}

/* A trigger of bytes above 0x7F, met in the middle of nothing else. */
static void words_may_be_of_any_characters(void **state)
{
    sortes_grammar *g = small_grammar(
        "structural_tag",
        "{\"format\":{\"type\":\"triggered_tags\",\"triggers\":["
        "\"\xE2\x9F\xA6\"],"
        "\"tags\":[{\"type\":\"tag\",\"begin\":\"\xE2\x9F\xA6\",\"content\":{"
        "\"type\":\"const_string\",\"value\":\"x\"},\"end\":\"\xE2\x9F\xA7\"}]}"
        "}",
        NULL);

    (void)state;
    assert_true(small_accepts(g, "\xE2\x9F\xA7\xE2\x9F\xA6x\xE2\x9F\xA7y"));
    assert_int_equal(small_reach(g, "\xE2\x9F\xA6y", 4), 3);
    assert_false(small_accepts(g, "\xE2\x9F"));
    sortes_grammar_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_accept_what_they_say),
        cmocka_unit_test(characters_are_counted_and_whole),
        cmocka_unit_test(words_may_be_of_any_characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

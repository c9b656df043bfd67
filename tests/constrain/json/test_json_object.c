/*
 * test_json_object.c - any JSON object, and nothing else
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "compiler.h"
#include "sortes.h"
#include "support/small_vocab.h"

#include <string.h>

static void check(const sortes_grammar_options *o, bool wanted,
                  const char *const *texts, size_t n)
{
    sortes_grammar *g = small_grammar("json_object", NULL, o);

    for (size_t i = 0; i < n; i++)
        if (small_accepts(g, texts[i]) != wanted)
            fail_msg("%s: %s", texts[i], wanted ? "refused" : "accepted");
    sortes_grammar_free(g);
}

static void objects_of_the_default_profile(void **state)
{
    static const char *const right[] = {
        "{}",
        "{ }",
        "{\"a\":1}",
        "{\"a\": [], \"b\": {\"a\": null}}",
        "{\n  \"a\": 1,\n  \"b\": [\n    true\n  ]\n}",
        "{\"\":\"\"}",
        "{\"a\":-0.5e10}",
        "{\"a\":\"\\u00e9\\/\"}",
        "\n{}",
        "{\"a\":[[[]],{}]}",
    };
    static const char *const wrong[] = {
        "",
        "[]",
        "1",
        "{",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,}",
        "{\"a\":01}",
        "{\"a\":1 2}",
        "{\"a\":[1,]}",
        "{a:1}",
        "{'a':1}",
        "{\"a\":+1}",
        "{\"a\":1.}",
        "{\"a\":-}",
        "{\"a\":1.2.3}",
        "{}{}",
        "{} ",
        "{}\n",
        "{  }",
        "{\"a\":1]",
        "{\"a\":[1}",
        "{\"a\":nul}",
        "{\"\\u0061\":1}",
        "{\t}",
        "{\n\n}",
        "{\"a\":tru}",
        "{\"a\":\"\n\"}",
    };

    (void)state;
    check(NULL, true, right, SRT_COUNT(right));
    check(NULL, false, wrong, SRT_COUNT(wrong));
}

static void profile_json_is_rfc_8259(void **state)
{
    static const char *const right[] = {
        " {} ",
        "{\t\r\n}\n\n",
        "{\"\\u0061\" : 1}",
        "{\"a\"  :  [ 1 , 2 ]   , \"\\u0062\":\"\\/\"}",
    };
    static const char *const wrong[] = { "{\"a\":\"\\ud800\"}", "{}x",
                                         "{\"a\":1,\"a\":2}",
                                         "{\"a\":1,\"\\u0061\":2}" };
    const sortes_grammar_options o = { .struct_size = sizeof(o),
                                       .profile = "json" };

    (void)state;
    check(&o, true, right, SRT_COUNT(right));
    check(&o, false, wrong, SRT_COUNT(wrong));
}

static void white_space_is_what_was_asked_for(void **state)
{
    sortes_grammar_options o = { .struct_size = sizeof(o) };
    static const char *const none = "{\"a\":[1,2]}";
    static const char *const single = "{ \"a\" : [ 1 , 2 ] }";
    static const char *const lines = "{\n\"a\":\n    1\n}";

    (void)state;
    o.whitespace = "none";
    check(&o, true, &none, 1);
    check(&o, false, &single, 1);
    o.whitespace = "single";
    check(&o, true, &none, 1);
    check(&o, true, &single, 1);
    check(&o, false, &lines, 1);
    o.whitespace = "bounded";
    check(&o, true, &single, 1);
    check(&o, true, &lines, 1);
}

static void blanks_behind_a_line_break_are_counted(void **state)
{
    char text[128] = "{\n";
    sortes_grammar *g = small_grammar("json_object", NULL, NULL);

    (void)state;
    memset(text + 2, ' ', 64);
    strcpy(text + 66, "}");
    assert_true(small_accepts(g, text));
    strcpy(text + 66, " }");
    assert_int_equal(small_reach(g, text, strlen(text)), 66);
    sortes_grammar_free(g);
}

/* Brackets are masked where the depth ends; nothing fails later. */
static void depth_closes_before_it_fails(void **state)
{
    sortes_grammar_options o = { .struct_size = sizeof(o), .max_depth = 3 };
    sortes_grammar *g = small_grammar("json_object", NULL, &o);

    (void)state;
    assert_true(small_accepts(g, "{\"a\":[{}]}"));
    assert_true(small_accepts(g, "{\"a\":[{\"b\":1}]}"));
    assert_int_equal(small_reach(g, "{\"a\":[{\"b\":[", 12), 11);
    assert_int_equal(small_reach(g, "{\"a\":[[{", 8), 7);
    sortes_grammar_free(g);
    o.max_depth = 1;
    g = small_grammar("json_object", NULL, &o);
    assert_true(small_accepts(g, "{\"a\":1}"));
    assert_int_equal(small_reach(g, "{\"a\":{", 6), 5);
    sortes_grammar_free(g);
}

static void a_vocab_without_a_brace_is_refused(void **state)
{
    sortes_vocab *v = small_vocab("}", NULL, 0);
    sortes_grammar *g = small_grammar("json_object", NULL, NULL);
    sortes_matcher *m = NULL;
    sortes_error err;

    (void)state;
    assert_int_equal(sortes_matcher_new(&m, g, v, &err), SORTES_E_EMPTY);
    assert_null(m);
    assert_non_null(strstr(err.text, "0x7D"));
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

/* Without a way to name a member or to write a value, none begins. */
static void what_the_vocab_lacks_is_left_out(void **state)
{
    sortes_vocab *v = small_vocab(":", NULL, 0);
    sortes_grammar *g = small_grammar("json_object", NULL, NULL);
    sortes_matcher *m = small_matcher(g, v);

    (void)state;
    small_advance(m, v, "{");
    assert_int_equal(sortes_matcher_allows(m, '"'), 0);
    sortes_matcher_free(m);
    sortes_vocab_free(v);
    v = small_vocab("]", NULL, 0);
    m = small_matcher(g, v);
    small_advance(m, v, "{\"a\":");
    assert_int_equal(sortes_matcher_allows(m, '[' - 0), 0);
    sortes_matcher_free(m);
    sortes_vocab_free(v);
    sortes_grammar_free(g);
}

static void it_takes_no_text(void **state)
{
    sortes_grammar *g = NULL;
    sortes_error err;

    (void)state;
    assert_int_equal(sortes_grammar_new(&g, "json_object", " x", 2, NULL, &err),
                     SORTES_E_SYNTAX);
    assert_int_equal(err.offset, 1);
    assert_null(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_of_the_default_profile),
        cmocka_unit_test(profile_json_is_rfc_8259),
        cmocka_unit_test(white_space_is_what_was_asked_for),
        cmocka_unit_test(blanks_behind_a_line_break_are_counted),
        cmocka_unit_test(depth_closes_before_it_fails),
        cmocka_unit_test(a_vocab_without_a_brace_is_refused),
        cmocka_unit_test(what_the_vocab_lacks_is_left_out),
        cmocka_unit_test(it_takes_no_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

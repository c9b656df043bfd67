/*
 * test_grammar.c - tests of cli/grammar.c, from outside
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include "support/run_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

/* Every byte that JSON needs here, and some longer tokens. */
#define VOCAB                                                                  \
    "ew== 0\nfQ== 1\nIg== 2\nOg== 3\nLA== 4\nYQ== 5\nYg== 6\nMQ== 7\n"         \
    "eyJh 8\nIjox 9\n"

#define TRUE_LINE     "{\"accepted\":true,\"byte\":null}\n"
#define FALSE_LINE(n) "{\"accepted\":false,\"byte\":" #n "}\n"

static struct run r;

static int prepare(void **state)
{
    (void)state;
    memset(&r, 0, sizeof(r));
    return 0;
}

static void give(const char *lines)
{
    r.in = lines;
    r.n_in = strlen(lines);
}

static const char *file(const char *text)
{
    return run_file(text, strlen(text));
}

static void grammar_says_where_a_text_fails(void **state)
{
    (void)state;
    give("{\"a\":1}\n\n{\"a\":1,\"a\":2}\n{\"a\":01}\n{\"a\"\n[]\r\n{}");
    RUN(&r, "grammar", "check", "--kind", "json_object");
    run_check(&r, 0, "");
    assert_string_equal(r.out, TRUE_LINE FALSE_LINE(0) FALSE_LINE(9) FALSE_LINE(
                                   6) FALSE_LINE(4) FALSE_LINE(0) TRUE_LINE);
}

static void grammar_takes_tokens(void **state)
{
    const char *vocab = file(VOCAB);

    (void)state;
    give("{\"a\":1}\n{\"a\":1,\"b\":1}\n{\"ab\"1\n{\"a\":1,\"a\":1}\n"
         "{\"a\":2}\n{\"a\":");
    RUN(&r, "grammar", "check", "--kind", "json_object", "--vocab", vocab);
    run_check(&r, 0, "");
    /* No token begins "2"; the third "a" is no key any more. */
    assert_string_equal(r.out, TRUE_LINE TRUE_LINE FALSE_LINE(5) FALSE_LINE(9)
                                   FALSE_LINE(5) FALSE_LINE(5));
    RUN(&r, "grammar", "check", "--kind", "json_object", "--vocab", vocab,
        "--unique-keys", "false");
    run_check(&r, 0, "");
    assert_string_equal(r.out, TRUE_LINE TRUE_LINE FALSE_LINE(5)
                                   TRUE_LINE FALSE_LINE(5) FALSE_LINE(5));
}

static void grammar_reads_json_lines(void **state)
{
    (void)state;
    give("\"{\\n\\\"\\u00e9\\\": 1}\"\n \"{\\n\\n}\"\n");
    RUN(&r, "grammar", "check", "--kind", "json_object", "--json-lines");
    run_check(&r, 0, "");
    assert_string_equal(r.out, TRUE_LINE FALSE_LINE(2));
    give("\"{}\"\n{}\n");
    RUN(&r, "grammar", "check", "--kind", "json_object", "--json-lines");
    run_check(&r, 1, "standard input: line 2: expected one JSON string");
    assert_string_equal(r.out, TRUE_LINE);
}

static void grammar_reads_a_grammar_from_a_file(void **state)
{
    (void)state;
    give("yes\nno\nye\nyesno\n");
    RUN(&r, "grammar", "check", "--kind", "choice", "--file",
        file("yes\nno\n"));
    run_check(&r, 0, "");
    assert_string_equal(r.out, TRUE_LINE TRUE_LINE FALSE_LINE(2) FALSE_LINE(3));
}

/* The line break that ends a file is no part of a regex. */
static void grammar_reads_regexes_and_gbnf(void **state)
{
    (void)state;
    give("aab\naa\nb\naabb\n");
    RUN(&r, "grammar", "check", "--kind", "regex", "--file", file("a+b\n"));
    run_check(&r, 0, "");
    assert_string_equal(r.out,
                        TRUE_LINE FALSE_LINE(2) FALSE_LINE(0) FALSE_LINE(3));
    RUN(&r, "grammar", "check", "--kind", "regex", "--file", file("a+b\r\n"));
    run_check(&r, 0, "");
    assert_string_equal(r.out,
                        TRUE_LINE FALSE_LINE(2) FALSE_LINE(0) FALSE_LINE(3));
    RUN(&r, "grammar", "check", "--kind", "gbnf", "--file",
        file("root ::= \"a\" root | \"a\" b\nb ::= \"b\" # the end\n"));
    run_check(&r, 0, "");
    assert_string_equal(r.out,
                        TRUE_LINE FALSE_LINE(2) FALSE_LINE(0) FALSE_LINE(3));
    RUN(&r, "grammar", "check", "--kind", "regex", "--file", file("a("));
    run_check(&r, 1, "");
    assert_memory_equal(r.out, "{\"error\":\"regex: ", 17);
}

static void grammar_passes_the_profile_on(void **state)
{
    (void)state;
    give("\"{\\t\\t}\"\n\"{ }\"\n\"{}\"\n");
    RUN(&r, "grammar", "check", "--kind", "json_object", "--json-lines");
    assert_string_equal(r.out, FALSE_LINE(1) TRUE_LINE TRUE_LINE);
    RUN(&r, "grammar", "check", "--kind", "json_object", "--json-lines",
        "--profile", "json");
    assert_string_equal(r.out, TRUE_LINE TRUE_LINE TRUE_LINE);
    RUN(&r, "grammar", "check", "--kind", "json_object", "--json-lines",
        "--whitespace=none");
    assert_string_equal(r.out, FALSE_LINE(1) FALSE_LINE(1) TRUE_LINE);
}

static void grammar_times_its_steps(void **state)
{
    const char *last;

    (void)state;
    give("{\"a\":1}\n");
    RUN(&r, "grammar", "check", "--kind", "json_object", "--time", "--vocab",
        file(VOCAB));
    run_check(&r, 0, "");
    last = strchr(r.out, '\n') + 1;
    assert_memory_equal(last, "{\"compile_us\":{\"p50\":", 21);
    assert_non_null(strstr(last, "\"n\":1},\"mask_us\":{\"p50\":"));
    assert_non_null(strstr(last, "\"n\":3},\"advance_us\":{\"p50\":"));
    assert_string_equal(strstr(strstr(last, "advance_us"), "\"n\""),
                        "\"n\":3}}\n");
    RUN(&r, "grammar", "check", "--kind", "json_object", "--time");
    run_check(&r, 0, "");
    last = strchr(r.out, '\n') + 1;
    assert_non_null(strstr(last, "\"mask_us\":{\"p50\":null,\"p99\":null,"
                                 "\"p999\":null,\"max\":null,\"mean\":null,"
                                 "\"n\":0}"));
    assert_non_null(strstr(last, "\"n\":7}}\n"));
}

static void grammar_says_what_is_refused(void **state)
{
    (void)state;
    give("{}\n");
    RUN(&r, "grammar", "check", "--kind", "json_object", "--order", "up");
    run_check(&r, 1, "");
    assert_string_equal(r.out, "{\"error\":\"order: 'up' is not declared, "
                               "strict or free\"}\n");
    RUN(&r, "grammar", "check", "--kind", "nothing", "--file", file("x"));
    run_check(&r, 1, "");
    assert_non_null(strstr(r.out, "{\"error\":\"grammar: there is no kind "
                                  "'nothing' (allowed: json_object, "));
    RUN(&r, "grammar", "check", "--kind", "json_object", "--vocab",
        file("ew== 0\n"));
    run_check(&r, 1, "");
    assert_memory_equal(r.out, "{\"error\":\"", 10);
    assert_null(strstr(r.out, "accepted"));
}

static void grammar_checks_its_command_line(void **state)
{
    (void)state;
    RUN(&r, "grammar");
    run_check(&r, 2, "grammar: say what to do: `sortes grammar check`");
    RUN(&r, "grammar", "chek");
    run_check(&r, 2, "grammar: unexpected 'chek' (allowed: check)");
    RUN(&r, "grammar", "check", "more");
    run_check(&r, 2, "grammar: unexpected 'more' (allowed: check)");
    RUN(&r, "grammar", "check");
    run_check(&r, 2, "grammar check: --kind is missing");
    RUN(&r, "grammar", "check", "--kind", "choice");
    run_check(&r, 2,
              "grammar check: --file is missing (only json_object "
              "needs none)");
    RUN(&r, "grammar", "check", "--kind", "choice", "--file", "/nowhere");
    run_check(&r, 1, "/nowhere: cannot be opened");
    RUN(&r, "grammar", "check", "--kind", "json_object", "--vocab", "/nowhere");
    run_check(&r, 1, "/nowhere: cannot be opened");
    RUN(&r, "grammar", "--help");
    run_check(&r, 0, "");
    assert_non_null(strstr(r.out, "usage: sortes grammar [options] check < "
                                  "LINES"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(grammar_says_where_a_text_fails, prepare),
        cmocka_unit_test_setup(grammar_takes_tokens, prepare),
        cmocka_unit_test_setup(grammar_reads_json_lines, prepare),
        cmocka_unit_test_setup(grammar_reads_a_grammar_from_a_file, prepare),
        cmocka_unit_test_setup(grammar_reads_regexes_and_gbnf, prepare),
        cmocka_unit_test_setup(grammar_passes_the_profile_on, prepare),
        cmocka_unit_test_setup(grammar_times_its_steps, prepare),
        cmocka_unit_test_setup(grammar_says_what_is_refused, prepare),
        cmocka_unit_test_setup(grammar_checks_its_command_line, prepare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

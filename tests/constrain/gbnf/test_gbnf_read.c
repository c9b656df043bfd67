/*
 * test_gbnf_read.c - what is a grammar, and where a text stops being one
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/gbnf/gbnf.h"

#include <string.h>

static struct srt_gbnf *read_text(const char *text, int form, sortes_error *err)
{
    const struct srt_options options = { .form = form,
                                         .max_states = 1000,
                                         .max_state_bytes = 1 << 20 };
    struct srt_gbnf *g;

    memset(err, 0, sizeof(*err));
    (void)srt_gbnf_read(&g, text, strlen(text), &options, err);
    return g;
}

struct refusal {
    const char *text;
    size_t offset;
    const char *message;
};

static void assert_refused(const struct refusal *r, int form)
{
    sortes_error err;
    struct srt_gbnf *g = read_text(r->text, form, &err);

    if (g)
        fail_msg("taken: %s", r->text);
    assert_string_equal(err.text, r->message);
    assert_int_equal(err.offset, r->offset);
    assert_int_equal(err.status, SORTES_E_SYNTAX);
}

static void says_where_and_what(void **state)
{
    static const struct refusal cases[] = {
        { "", 0, "gbnf: line 1, column 1: there is no rule 'root'" },
        { "a ::= \"x\"", 0, "gbnf: line 1, column 1: there is no rule 'root'" },
        { "root ::= x\ny ::= \"a\"", 9,
          "gbnf: line 1, column 10: rule 'x' is not defined" },
        { "root = \"a\"", 5, "gbnf: line 1, column 6: expected ::=" },
        { "root ::= \"a\n", 9,
          "gbnf: line 1, column 10: a literal without its closing '\"'" },
        { "root ::= [a-", 9,
          "gbnf: line 1, column 10: a class without its closing ']'" },
        { "root ::= \"\\q\"", 10,
          "gbnf: line 1, column 11: no such escape (expected \\x \\u \\U \\t "
          "\\r \\n \\\\ \\\" \\[ \\] \\-)" },
        { "root ::= \"\\u12g4\"", 14,
          "gbnf: line 1, column 15: expected 4 hex digits" },
        { "root ::= \"\xff\"", 10, "gbnf: line 1, column 11: not UTF-8" },
        { "root ::= (\"a\"\n\"b\" \n", 19,
          "gbnf: line 3, column 1: expected ')'" },
        { "root ::= \"a\")", 12,
          "gbnf: line 1, column 13: expected an item, '|' or the line's end" },
        { "root ::= \"a\"\n| \"b\"", 13,
          "gbnf: line 2, column 1: expected the name of a rule" },
        { "root ::= *", 9, "gbnf: line 1, column 10: nothing to repeat" },
        { "root ::= \"\"*", 11, "gbnf: line 1, column 12: nothing to repeat" },
        { "root ::= \"a\"{0}+", 15,
          "gbnf: line 1, column 16: nothing to repeat" },
        { "root ::= \"a\"{5,2}", 12,
          "gbnf: line 1, column 13: a repetition whose maximum is below its "
          "minimum" },
        { "root ::= \"a\"{x}", 13,
          "gbnf: line 1, column 14: expected a number" },
        { "root ::= \"a\"{1;", 14,
          "gbnf: line 1, column 15: expected ',' or '}'" },
        { "root ::= \"a\"{1,2", 16, "gbnf: line 1, column 17: expected '}'" },
        { "root ::= \"a\"{4294967295}", 13,
          "gbnf: line 1, column 14: a number beyond 4294967294" },
        { "root ::= <[1>", 12, "gbnf: line 1, column 13: expected ']'" },
        { "root ::= <a", 11, "gbnf: line 1, column 12: expected '>'" },
        { "root ::= !a", 10, "gbnf: line 1, column 11: expected '<'" },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(cases); i++) {
        assert_refused(&cases[i], SRT_FORM_EXACT);
        assert_refused(&cases[i], SRT_FORM_LITERAL);
    }
}

static void literal_form_keeps_the_limits(void **state)
{
    static const struct refusal cases[] = {
        { "root ::= \"a\"{2001}", 12,
          "gbnf: line 1, column 13: more than 2000 repetitions" },
        { "root ::= (\"a\"{0,50}){50}", 20,
          "gbnf: line 1, column 21: repetitions inside one another beyond "
          "2000" },
        { "root ::= \"a\"{1000}{3}", 18,
          "gbnf: line 1, column 19: repetitions inside one another beyond "
          "2000" },
        { "root_x ::= \"a\"", 4, "gbnf: line 1, column 5: expected ::=" },
    };
    sortes_error err;
    struct srt_gbnf *g;

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(cases); i++)
        assert_refused(&cases[i], SRT_FORM_LITERAL);
    g = read_text("root ::= (\"a\"{0,50}){50} x_y\nx_y ::= \"b\"{2001}",
                  SRT_FORM_EXACT, &err);
    assert_non_null(g);
    srt_gbnf_free(g);
    /* 1 group, 10 copies: 20 rules; 100 times 20 is 2000. */
    g = read_text("root ::= (\"a\"{0,19}){100}", SRT_FORM_LITERAL, &err);
    assert_non_null(g);
    srt_gbnf_free(g);
    g = read_text("root ::= (\"a\"{0,20}){100}", SRT_FORM_LITERAL, &err);
    assert_null(g);
}

/* Beyond 2000 there is no maximum in the literal form. */
static void bounds_are_kept_as_written(void **state)
{
    sortes_error err;
    struct srt_gbnf *g =
        read_text("root ::= \"a\"{3,2001}", SRT_FORM_EXACT, &err);
    const struct srt_gbnf_node *n = &g->nodes[g->n_nodes];

    (void)state;
    while (n->type != SRT_GBNF_REPEAT)
        n--;
    assert_int_equal(n->a, 3);
    assert_int_equal(n->b, 2001);
    srt_gbnf_free(g);
    g = read_text("root ::= \"a\"{3,2001}", SRT_FORM_LITERAL, &err);
    for (n = &g->nodes[g->n_nodes]; n->type != SRT_GBNF_REPEAT;)
        n--;
    assert_int_equal(n->b, SRT_GBNF_MANY);
    srt_gbnf_free(g);
}

static void the_last_definition_counts(void **state)
{
    sortes_error err;
    struct srt_gbnf *g = read_text("# first\nroot ::= \"a\" # one\n\r\n"
                                   "root\t::=\n\n [b-d\\]-] |\n .  #",
                                   SRT_FORM_EXACT, &err);
    const struct srt_gbnf_node *choice, *first;

    (void)state;
    assert_non_null(g);
    assert_int_equal(g->n_rules, 1);
    choice = &g->nodes[g->rules[0].node];
    first = &g->nodes[g->nodes[choice->child].child];
    assert_int_equal(first->type, SRT_GBNF_CHARS);
    assert_int_equal(first->b - first->a, 3);
    assert_int_equal(g->ranges[first->a][0], 'b');
    assert_int_equal(g->ranges[first->a][1], 'd');
    assert_int_equal(g->ranges[first->a + 2][0], '-');
    assert_true(g->nodes[g->nodes[g->nodes[choice->child].next].child].negated);
    srt_gbnf_free(g);
}

static void depth_has_a_limit(void **state)
{
    static char text[40000];
    sortes_error err;
    size_t n = (size_t)(strcpy(text, "root ::= ") - text) + 9;

    (void)state;
    memset(text + n, '(', 10000);
    assert_null(read_text(text, SRT_FORM_EXACT, &err));
    assert_int_equal(err.status, SORTES_E_LIMIT);
    strcpy(text + n, "\"a\"");
    memset(text + n + 3, '*', 20000);
    assert_null(read_text(text, SRT_FORM_EXACT, &err));
    assert_int_equal(err.status, SORTES_E_LIMIT);
    assert_non_null(strstr(err.text, "nested too deep"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_where_and_what),
        cmocka_unit_test(literal_form_keeps_the_limits),
        cmocka_unit_test(bounds_are_kept_as_written),
        cmocka_unit_test(the_last_definition_counts),
        cmocka_unit_test(depth_has_a_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_key_order.c - the orders in which the keys of an object may stand
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "compiler.h"
#include "support/order_judge.h"
#include "support/schema_cases.h"
#include "support/small_vocab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- by definition ------------------------------------------------------- */

enum { SCHEMAS = 120, TEXTS = 700, TEXT_SIZE = 40 };

static const char *const orders[] = { "free", "declared", "strict" };

/* The texts that may come, sorted. */
struct language {
    char text[TEXTS][TEXT_SIZE];
    size_t n;
};

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void add_text(struct language *l, const struct judge_pair *pair, int n)
{
    char *to = l->text[l->n++];

    assert_true(l->n <= TEXTS);
    *to++ = '{';
    for (int i = 0; i < n; i++)
        to += sprintf(to, "%s\"%c\":%d", i ? "," : "", 'a' + pair[i].name,
                      1 + pair[i].value);
    strcpy(to, "}");
}

/* Every object of different keys whose first n are given, to each order that it
 * satisfies the schema in. */
static void add_texts(struct language *l, const struct judge_schema *s,
                      struct judge_pair *pair, int n)
{
    if (judge_is_true(s, pair, n)) {
        const bool declared = judge_is_in_order(s, pair, n, false);
        const bool strict = judge_is_in_order(s, pair, n, true);

        assert_true(declared || !strict);
        add_text(&l[0], pair, n);
        if (declared)
            add_text(&l[1], pair, n);
        if (strict)
            add_text(&l[2], pair, n);
    }
    for (int name = 0; name < JUDGE_NAMES; name++) {
        bool used = false;

        for (int i = 0; i < n; i++)
            used |= pair[i].name == name;
        for (int value = 0; value < 2 && !used; value++) {
            pair[n] = (struct judge_pair){ name, value };
            add_texts(l, s, pair, n + 1);
        }
    }
}

/* A comparison in progress. */
struct comparison {
    const struct language *l;
    sortes_matcher *m;
    const char *schema, *order;
    bool within; /* a brace that is not in the texts closes them */
};

static void differs(const struct comparison *c, const char *what,
                    const char *text, size_t n)
{
    print_error("order %s: %s\n", c->order, c->schema);
    fail_msg("%s behind %.*s", what, (int)n, text);
}

/* Whether the text may end, as far as the language goes. */
static bool may_end(const struct comparison *c)
{
    bool ends;

    if (!c->within)
        return sortes_matcher_is_accepting(c->m);
    if (sortes_matcher_advance_bytes(c->m, "}", 1, NULL) != SORTES_OK)
        return false;
    ends = sortes_matcher_is_accepting(c->m);
    assert_int_equal(sortes_matcher_rollback(c->m, 1), SORTES_OK);
    return ends;
}

/* What may come behind text[first][0 .. at-1], which the matcher has had, is
 * what the texts first .. last - 1 have there. */
static void compare(const struct comparison *c, size_t first, size_t last,
                    size_t at)
{
    const char *text = c->l->text[first];
    const bool ends = text[at] == '\0';
    uint32_t mask[8];

    assert_int_equal(sortes_matcher_mask(c->m, mask, 8), SORTES_OK);
    if (may_end(c) != ends)
        differs(c, ends ? "no end" : "an end", text, at);
    if (ends) {
        assert_int_equal(last - first, 1);
        return;
    }
    for (int byte = 0; byte < 256; byte++) {
        const char next[2] = { (char)byte, '\0' };
        size_t end = first;

        while (end < last && c->l->text[end][at] == next[0])
            end++;
        if ((mask[byte / 32] >> byte % 32 & 1) != (end > first)) {
            print_error("%s ", next);
            differs(c, end > first ? "is missing" : "may come", text, at);
        }
        if (end == first)
            continue;
        assert_int_equal(sortes_matcher_advance_bytes(c->m, next, 1, NULL),
                         SORTES_OK);
        compare(c, first, end, at + 1);
        assert_int_equal(sortes_matcher_rollback(c->m, 1), SORTES_OK);
        first = end;
    }
}

/* The texts of a schema in a form, and what may come at each byte of them. */
static void check(const struct judge_schema *s, enum judge_form form,
                  const char *order, const struct language *l)
{
    static const char within[] = "{\"x\":";
    const sortes_grammar_options options = { .struct_size = sizeof(options),
                                             .order = order,
                                             .whitespace = "none" };
    char schema[8000];
    struct comparison c = { l, NULL, schema, order, form == JUDGE_WITHIN };
    sortes_vocab *v;
    sortes_grammar *g;

    judge_write(s, form, schema, sizeof(schema));
    if (l->n == 0) {
        schema_check_refused(schema, SORTES_E_EMPTY, "");
        return;
    }
    v = small_vocab(NULL, NULL, 0);
    g = small_grammar("json_schema", schema, &options);
    c.m = small_matcher(g, v);
    if (c.within)
        assert_int_equal(
            sortes_matcher_advance_bytes(c.m, within, strlen(within), NULL),
            SORTES_OK);
    compare(&c, 0, l->n, 0);
    sortes_matcher_free(c.m);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

/* Truth does not depend on the order: under `not` there is none. */
static void check_forms(const struct judge_schema *s, bool parted,
                        struct language *l)
{
    struct judge_pair pair[JUDGE_NAMES + 1];

    for (size_t i = 0; i < SRT_COUNT(orders); i++)
        l[i].n = 0;
    add_texts(l, s, pair, 0);
    for (size_t i = 0; i < SRT_COUNT(orders); i++) {
        qsort(l[i].text, l[i].n, sizeof(l[i].text[0]), by_text);
        check(s, JUDGE_PLAIN, orders[i], &l[i]);
        if (parted && (i == 0 || s->node[0].rule[0].type == JUDGE_ALL))
            check(s, JUDGE_WITHIN, orders[i], &l[i]);
    }
    check(s, JUDGE_NOT_NOT, "free", &l[0]);
    check(s, JUDGE_NOT_NOT, "declared", &l[0]);
}

static void random_schemas(void **state)
{
    struct language *l = malloc(SRT_COUNT(orders) * sizeof(*l));

    (void)state;
    assert_non_null(l);
    srand(3);
    for (int i = 0; i < SCHEMAS; i++) {
        struct judge_schema s;

        do
            judge_make(&s, i % 2 != 0);
        while (judge_properties(&s) < 2 || judge_properties(&s) > 5);
        check_forms(&s, i % 2 != 0, l);
    }
    free(l);
}

/* ---- by hand ------------------------------------------------------------- */

static const sortes_grammar_options declared = { .struct_size =
                                                     sizeof(declared),
                                                 .order = "declared" };
static const sortes_grammar_options strict = { .struct_size = sizeof(strict),
                                               .order = "strict" };

static void branches_have_their_own(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"anyOf\":[{\"properties\":{\"t\":{\"const\":\"a\"},\"n\":true},"
          "\"required\":[\"t\",\"n\"]},{\"properties\":{\"n\":true,\"t\":{"
          "\"const\":\"b\"}},\"required\":[\"n\",\"t\"]}]}",
          { "{\"t\":\"a\",\"n\":1}", "{\"n\":1,\"t\":\"b\"}",
            "{\"n\":1,\"t\":\"b\",\"z\":1}" },
          { "{\"n\":1,\"t\":\"a\"}", "{\"t\":\"b\",\"n\":1}",
            "{\"n\":1,\"z\":1,\"t\":\"b\"}" } },
        { "{\"enum\":[{\"a\":1,\"b\":2},{\"b\":1,\"a\":2}]}",
          { "{\"a\":1,\"b\":2}", "{\"b\":1,\"a\":2}" },
          { "{\"b\":2,\"a\":1}", "{\"a\":2,\"b\":1}" } },
        { "{\"properties\":{\"k\":{\"type\":\"integer\"}},\"required\":[\"k\","
          "\"a\",\"b\"],\"if\":{\"properties\":{\"k\":{\"const\":1}}},\"then\":"
          "{"
          "\"properties\":{\"a\":true,\"b\":true}},\"else\":{\"properties\":{"
          "\"b\":true,\"a\":true}}}",
          { "{\"k\":1,\"a\":1,\"b\":1}", "{\"k\":2,\"b\":1,\"a\":1}" },
          { "{\"k\":1,\"b\":1,\"a\":1}", "{\"k\":2,\"a\":1,\"b\":1}" } },
        { "{\"$defs\":{\"s\":{\"properties\":{\"b\":{\"const\":2},\"a\":true}}}"
          ",\"required\":[\"a\",\"b\"],\"oneOf\":[{\"properties\":{\"a\":true,"
          "\"b\":{\"const\":1}}},{\"$ref\":\"#/$defs/s\"}]}",
          { "{\"a\":1,\"b\":1}", "{\"b\":2,\"a\":1}" },
          { "{\"a\":1,\"b\":2}", "{\"b\":1,\"a\":1}" } },
        { "{\"required\":[\"x\"],\"anyOf\":[{\"properties\":{\"x\":{\"type\":"
          "\"object\",\"properties\":{\"a\":{\"const\":1},\"b\":true},"
          "\"required\":[\"a\",\"b\"]}}},{\"properties\":{\"x\":{"
          "\"properties\":{\"b\":true,\"a\":{\"const\":2}},\"required\":["
          "\"b\",\"a\"]}}}]}",
          { "{\"x\":{\"a\":1,\"b\":1}}", "{\"x\":{\"b\":1,\"a\":2}}",
            "{\"x\":1}" },
          { "{\"x\":{\"b\":1,\"a\":1}}", "{\"x\":{\"a\":2,\"b\":1}}" } },
        { "{\"required\":[\"a\",\"b\"],\"properties\":{\"a\":true,\"b\":"
          "true},\"not\":{\"properties\":{\"b\":true,\"a\":{\"const\":1}},"
          "\"required\":[\"b\",\"a\"]}}",
          { "{\"a\":2,\"b\":1}" },
          { "{\"b\":1,\"a\":2}", "{\"a\":1,\"b\":1}" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), &declared);
    schema_check(cases, SRT_COUNT(cases), &strict);
}

/* No choice contradicts it: keys of other branches keep their places too. */
static void one_order_where_none_contradicts(void **state)
{
    static const struct schema_case cases[] = {
        { "{\"properties\":{\"t\":true},\"required\":[\"t\",\"y\"],\"anyOf\":[{"
          "\"properties\":{\"x\":true}},{\"properties\":{\"y\":true}}]}",
          { "{\"t\":1,\"x\":1,\"y\":1}", "{\"t\":1,\"y\":1,\"x\":1}" },
          { "{\"t\":1,\"z\":1,\"y\":1}", "{\"y\":1,\"t\":1}" } },
        { "{\"allOf\":[{\"properties\":{\"a\":true,\"b\":true}},{"
          "\"properties\":"
          "{\"b\":true,\"a\":true}}],\"required\":[\"a\",\"b\"]}",
          { "{\"a\":1,\"b\":1}" },
          { "{\"b\":1,\"a\":1}" } },
    };

    (void)state;
    schema_check(cases, SRT_COUNT(cases), &declared);
}

/* n branches that each have five names in an order of their own, and k says
 * which: beyond the bound the first one's is the order of all. */
static void check_branches(int n, int branch, const char *text, bool accepted)
{
    const sortes_grammar_options options = { .struct_size = sizeof(options) };
    char schema[20000];
    int at = sprintf(schema, "{\"properties\":{\"k\":true},\"required\":[\"k\","
                             "\"a\",\"b\",\"c\",\"d\",\"e\"],\"anyOf\":[");
    sortes_grammar *g;
    char whole[60];

    for (int i = 0; i < n; i++) {
        char left[] = "abcde";

        at += sprintf(schema + at, "%s{\"properties\":{\"k\":{\"const\":%d}",
                      i ? "," : "", i);
        for (int k = 5, code = i; k > 0; code /= k, k--) {
            at += sprintf(schema + at, ",\"%c\":true", left[code % k]);
            memmove(&left[code % k], &left[code % k + 1],
                    strlen(&left[code % k]));
        }
        at += sprintf(schema + at, "}}");
    }
    strcpy(schema + at, "]}");
    g = small_grammar("json_schema", schema, &options);
    sprintf(whole, "{\"k\":%d%s}", branch, text);
    if (small_accepts(g, whole) != accepted)
        fail_msg("%d branches: %s", n, whole);
    sortes_grammar_free(g);
}

static void orders_are_bounded(void **state)
{
    static const char first[] = ",\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1";
    static const char second[] = ",\"b\":1,\"a\":1,\"c\":1,\"d\":1,\"e\":1";

    (void)state;
    check_branches(32, 0, first, true);
    check_branches(32, 1, second, true);
    check_branches(32, 1, first, false);
    check_branches(33, 1, first, true);
    check_branches(33, 1, second, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_schemas),
        cmocka_unit_test(branches_have_their_own),
        cmocka_unit_test(one_order_where_none_contradicts),
        cmocka_unit_test(orders_are_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_failures.c - grammars and matchers when memory or a limit ends
 *
 * Every allocation of a whole life fails in turn, alone and with all after it:
 * a call ends with its status, moves nothing, and can be made again.
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
#include "support/heap.h"
#include "support/small_vocab.h"

#include <string.h>

static const struct small_token failure_tokens[] = {
    { "{\"", 0, 0 },
    { "\":", 0, 0 },
    { "ab", 0, 0 },
    { "</s>", 0, SORTES_TOKEN_EOG },
};

/* A grammar of each kind, and a text of it in two parts. */
static const struct {
    const char *kind, *grammar, *first, *then;
} lives[] = {
    { "json_object", "", "{\"ab\": [1, {\"x\": \"y\"}], \"a", "b\\\\\":2}" },
    { "choice", "abcde\nabxyz", "ab", "xyz" },
    { "gbnf", "root ::= root \"+\" t | t\nt ::= [0-9]{1,3} | \"(\" root \")\"",
      "1+(22", "+(3))" },
    { "structural_tag",
      "{\"format\":{\"type\":\"triggered_tags\",\"triggers\":[\"<\"],"
      "\"excludes\":[\"zz\"],\"tags\":[{\"type\":\"tag\",\"begin\":\"<a\","
      "\"content\":{\"type\":\"grammar\",\"grammar\":\"root ::= [0-9]*\"},"
      "\"end\":[\">\",\"!\"]}]}}",
      "x<a1", "2>y" },
    { "tools",
      "{\"tools\":[{\"name\":\"f\",\"parameters\":{}},{\"name\":\"g\"}],"
      "\"format\":{\"begin\":\"<{name}>\",\"end\":\";\"}}",
      "x<f>{\"a\":1,\"b", "\":2};<g>{};" },
    { "json_schema",
      "{\"type\":\"object\",\"properties\":{\"a\":{\"pattern\":\"^x+$\"},"
      "\"ab\":{\"enum\":[1,\"y\"]}},\"required\":[\"ab\"],"
      "\"additionalProperties\":{\"minimum\":3,\"type\":\"integer\"}}",
      "{\"a\": \"x", "xx\", \"ab\": 1, \"c\": 12}" },
    { "json_schema",
      "{\"$ref\":\"#/$defs/t\",\"$defs\":{\"t\":{\"type\":\"array\",\"oneOf\":["
      "{\"maxItems\":1},{\"contains\":{\"const\":0}}],\"items\":{\"anyOf\":["
      "{\"$ref\":\"#/$defs/t\"},{\"const\":0}]},\"unevaluatedItems\":false}}}",
      "[[],", "0]" },
    { "json_schema",
      "{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
      "\"uniqueItems\":true}",
      "[\"ab\", \"a", "\"]" },
    { "json_schema",
      "{\"propertyNames\":{\"pattern\":\"^[ab]{1,2}$\"},\"minProperties\":2,"
      "\"patternProperties\":{\"^a\":{\"format\":\"date\"}},"
      "\"dependentSchemas\":{"
      "\"b\":{\"if\":{\"required\":[\"bb\"]},\"else\":false}},\"type\":"
      "\"object\","
      "\"not\":{\"properties\":{\"aa\":{\"multipleOf\":0.5}},\"required\":["
      "\"ab\"]}}",
      "{\"a\": \"2024-02-2", "9\", \"aa\": 7}" },
    { "json_schema",
      "{\"$id\":\"x\",\"$dynamicAnchor\":\"n\",\"type\":\"array\",\"items\":{"
      "\"anyOf\":[{\"$dynamicRef\":\"#n\"},{\"type\":\"integer\",\"maximum\":"
      "70}]},"
      "\"uniqueItems\":false,\"prefixItems\":[{\"type\":\"array\","
      "\"uniqueItems\":true,"
      "\"items\":{\"enum\":[1,\"a\",null]}}]}",
      "[[1, \"a", "\"], [], 69]" },
    { "tools",
      "{\"tools\":[{\"name\":\"f\",\"parameters\":{\"type\":\"object\","
      "\"properties\":{\"ab\":{\"type\":\"integer\",\"minimum\":0}},"
      "\"required\":[\"ab\"]}},{\"name\":\"g\"}]}",
      "x<tool_call>{\"name\": \"f\", \"arguments\": {\"ab",
      "\": 7}}</tool_call>" },
};

static bool fine(sortes_status status, sortes_status *worst)
{
    if (status != SORTES_OK)
        *worst = status;
    return status == SORTES_OK;
}

/* All calls of a life; ends early at a failure. */
static sortes_status live(size_t i, sortes_vocab *v)
{
    sortes_grammar *g = NULL;
    sortes_matcher *m = NULL, *twin = NULL;
    sortes_status s = SORTES_OK;
    uint32_t words[9];
    char data[256];
    size_t n;

    (void)(fine(sortes_grammar_new(&g, lives[i].kind, lives[i].grammar,
                                   strlen(lives[i].grammar), NULL, NULL),
                &s) &&
           fine(sortes_matcher_new(&m, g, v, NULL), &s) &&
           fine(sortes_matcher_mask(m, words, 9), &s) &&
           fine(sortes_matcher_advance_bytes(m, lives[i].first,
                                             strlen(lives[i].first), NULL),
                &s) &&
           fine(sortes_matcher_mask(m, words, 9), &s) &&
           fine(sortes_matcher_clone(&twin, m), &s) &&
           fine(sortes_matcher_save(m, data, sizeof(data), &n), &s) &&
           fine(sortes_matcher_load(twin, data, n, NULL), &s) &&
           fine(sortes_matcher_forced(twin, data, sizeof(data), &n), &s) &&
           fine(sortes_matcher_advance_bytes(twin, lives[i].then,
                                             strlen(lives[i].then), NULL),
                &s));
    if (s == SORTES_OK && !sortes_matcher_is_accepting(twin))
        s = SORTES_E_SELFTEST;
    sortes_matcher_free(twin);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
    return s;
}

static void check_lives(bool go_on)
{
    for (size_t i = 0; i < SRT_COUNT(lives); i++) {
        size_t n = 1;
        bool failed = true;

        for (; failed; n++) {
            const long before = heap.live;
            sortes_vocab *v =
                small_vocab(NULL, failure_tokens, SRT_COUNT(failure_tokens));
            sortes_status status;

            heap_arm(n, go_on);
            status = live(i, v);
            heap_disarm();
            failed = heap.failed > 0;
            sortes_vocab_free(v);
            if (status != SORTES_OK && status != SORTES_E_NOMEM)
                fail_msg("%s, allocation %zu: %s", lives[i].kind, n,
                         sortes_status_name(status));
            if (!failed)
                assert_int_equal(status, SORTES_OK);
            if (heap.live != before)
                fail_msg("%s, allocation %zu: %ld blocks are left",
                         lives[i].kind, n, heap.live - before);
        }
        assert_in_range(n, 20, 1000);
    }
}

static void a_life_survives_one_failed_allocation(void **state)
{
    (void)state;
    if (!heap_is_ours())
        skip();
    check_lives(false);
}

static void a_life_survives_the_end_of_memory(void **state)
{
    (void)state;
    if (!heap_is_ours())
        skip();
    check_lives(true);
}

/* A mask that is remembered costs no call of the allocator. */
static void a_hit_does_not_allocate(void **state)
{
    uint32_t words[9];
    int32_t list[9];
    size_t n;

    (void)state;
    if (!heap_is_ours())
        skip();
    for (size_t i = 0; i < SRT_COUNT(lives); i++) {
        sortes_vocab *v =
            small_vocab(NULL, failure_tokens, SRT_COUNT(failure_tokens));
        sortes_grammar *g =
            small_grammar(lives[i].kind, lives[i].grammar, NULL);
        sortes_matcher *m = small_matcher(g, v);
        sortes_status status = SORTES_OK;

        assert_int_equal(sortes_matcher_advance_bytes(
                             m, lives[i].first, strlen(lives[i].first), NULL),
                         SORTES_OK);
        assert_int_equal(sortes_matcher_allowed(m, list, 9, &n), SORTES_OK);
        heap_arm(0, false);
        for (int k = 0; k < 100 && status == SORTES_OK; k++) {
            status = sortes_matcher_mask(m, words, 9);
            if (status == SORTES_OK)
                status = sortes_matcher_allowed(m, list, 9, &n);
            (void)sortes_matcher_allows(m, 'x');
        }
        heap_disarm();
        assert_int_equal(status, SORTES_OK);
        assert_int_equal(heap.calls, 0);
        sortes_matcher_free(m);
        sortes_grammar_free(g);
        sortes_vocab_free(v);
    }
}

/* With every number of states: refused with a status, in place, and the text
 * goes on where there is room. */
static void a_limit_of_states_leaves_the_matcher_in_place(void **state)
{
    static const char text[] = "{\"a\":[1,true,\"x\\n\"],\"b\":{\"c\":-0.5e1}}";
    bool whole = false;

    (void)state;
    for (size_t limit = 1; !whole; limit++) {
        const sortes_grammar_options o = { .struct_size = sizeof(o),
                                           .max_states = limit };
        sortes_grammar *g = small_grammar("json_object", NULL, &o);
        sortes_matcher *m = small_matcher(g, NULL);
        sortes_status status = SORTES_OK;
        size_t n = 0;

        while (text[n] && status == SORTES_OK) {
            status = sortes_matcher_advance_bytes(m, text + n, 1, NULL);
            n += status == SORTES_OK;
        }
        whole = text[n] == '\0';
        if (!whole) {
            assert_int_equal(status, SORTES_E_LIMIT);
            assert_int_equal(sortes_matcher_advance_bytes(m, text + n, 1, NULL),
                             SORTES_E_LIMIT);
            assert_int_equal(sortes_matcher_rollback(m, n), SORTES_OK);
            assert_int_equal(sortes_matcher_advance_bytes(m, text, n, NULL),
                             SORTES_OK);
        }
        sortes_matcher_free(m);
        sortes_grammar_free(g);
        assert_true(limit < 200);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_life_survives_one_failed_allocation),
        cmocka_unit_test(a_life_survives_the_end_of_memory),
        cmocka_unit_test(a_hit_does_not_allocate),
        cmocka_unit_test(a_limit_of_states_leaves_the_matcher_in_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

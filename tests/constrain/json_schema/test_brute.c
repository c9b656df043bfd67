/*
 * test_brute.c - masks under random schemas, by brute force over small
 * vocabularies
 *
 * At the states of random walks the mask is what single bytes say, caches and
 * other cuts into tokens change nothing, and what was begun can be ended with
 * the bytes that the vocabulary has.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/brute.h"
#include "support/schema_maker.h"

#include <stdlib.h>
#include <string.h>

enum { SCHEMAS = 100, SEED = 200000, STEPS = 8 };

static void same_mask(struct brute *b, sortes_matcher *m, const uint32_t *words,
                      const char *what)
{
    uint32_t other[BRUTE_WORDS];

    assert_int_equal(sortes_matcher_mask(m, other, BRUTE_WORDS), SORTES_OK);
    for (size_t i = 0; i < b->n_tokens; i++)
        if (brute_has(words, (int32_t)i) != brute_has(other, (int32_t)i))
            brute_fail(b, what, (int32_t)i);
}

/* A matcher that is led here by bytes, all at once. */
static void same_by_bytes(struct brute *b, const uint32_t *words)
{
    sortes_matcher *m = brute_fresh(b);

    if (b->n_text > 0)
        assert_int_equal(
            sortes_matcher_advance_bytes(m, b->text, b->n_text, NULL),
            SORTES_OK);
    same_mask(b, m, words, "led here by bytes");
    sortes_matcher_free(m);
}

static void walk(struct brute *b)
{
    uint32_t words[BRUTE_WORDS];

    brute_restart(b);
    for (int i = 0; i < STEPS; i++) {
        brute_check_mask(b, b->m, words);
        same_by_bytes(b, words);
        sortes_matcher_flush(b->m);
        same_mask(b, b->m, words, "after a flush");
        const int32_t token = brute_pick(b, words);
        if (token < 0)
            return;
        brute_take(b, token);
    }
}

/* Whether the schema is one that the library takes. */
static bool is_taken(const struct brute_grammar *grammar)
{
    const sortes_grammar_options options = { .struct_size = sizeof(options),
                                             .profile = grammar->profile };
    sortes_grammar *g = NULL;
    const bool taken =
        sortes_grammar_new(&g, grammar->kind, grammar->text,
                           strlen(grammar->text), &options, NULL) == SORTES_OK;

    sortes_grammar_free(g);
    return taken;
}

static bool check(const struct brute_grammar *grammar, enum vocabs_kind kind,
                  uint64_t seed)
{
    static struct brute b;

    if (!is_taken(grammar) || !brute_open(&b, grammar, kind))
        return false;
    b.random.state = seed;
    for (int i = 0; i < 3; i++)
        walk(&b);
    brute_close(&b);
    return true;
}

static void masks_are_what_single_bytes_say(void **state)
{
    static const char *const profiles[] = { NULL, "json", NULL, "llguidance" };
    size_t n = 0;

    (void)state;
    for (uint64_t i = 0; i < SCHEMAS; i++) {
        struct schema_made made;
        char *document;

        schema_make(&made, SEED + i);
        document = schema_document(&made, NULL);
        n += check(
            &(struct brute_grammar){ "json_schema", document, profiles[i % 4] },
            (enum vocabs_kind)(i % VOCABS_N), i);
        free(document);
        schema_made_free(&made);
    }
    assert_in_range(n, SCHEMAS / 2, SCHEMAS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_are_what_single_bytes_say),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_threads.c - matchers of one grammar on several threads: masks are what
 * one thread alone gets
 *
 * The same walks are gone twice: one after the other, each on a grammar of its
 * own, and then all at once on one grammar and one vocab that no thread has
 * used before, with a budget so small that its caches turn over and over.
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

#include <pthread.h>
#include <string.h>

enum { THREADS = 4, STEPS = 400, WORDS = 16 };

static const struct small_token thread_tokens[] = {
    { "{\"", 0, 0 },         { "\":", 0, 0 },
    { "\",\"", 0, 0 },       { "\":{\"", 0, 0 },
    { "\":[", 0, 0 },        { "a\":1,\"a", 0, 0 },
    { "}}", 0, 0 },          { "true", 0, 0 },
    { "[[1,", 0, 0 },        { "]}", 0, 0 },
    { "\\u0061", 0, 0 },     { "\\u006", 0, 0 },
    { "1\"", 0, 0 },         { "\xE2\x82", 0, 0 },
    { "b", 0, 0 },           { "</s>", 0, SORTES_TOKEN_EOG },
    { ":{\"k\":", 0, 0 },    { "},\"", 0, 0 },
    { "\xAC\"", 0, 0 },      { ",\n  \"", 0, 0 },
    { "\"a\":0,\"b", 0, 0 }, { "\\\"", 0, 0 },
};

struct thread_walk {
    sortes_grammar *grammar;
    sortes_vocab *vocab;
    uint64_t seed;
    uint64_t mask[STEPS]; /* hashes */
    int gone;             /* tokens that can be taken back */
    int failures;
};

static uint32_t thread_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

static uint64_t thread_hash(const uint32_t *words)
{
    uint64_t h = 1469598103934665603u;

    for (int i = 0; i < WORDS; i++)
        h = (h ^ words[i]) * 1099511628211u;
    return h;
}

/* A token of the mask that is no end; -1: there is none. */
static int32_t thread_choose(const uint32_t *words, size_t n, uint32_t from)
{
    for (size_t i = 0; i < n; i++) {
        const size_t t = (from + i) % n;

        if (words[t / 32] >> t % 32 & 1 && t != 256 + 15)
            return (int32_t)t;
    }
    return -1;
}

static void thread_twist(struct thread_walk *w, sortes_matcher **m, int step)
{
    sortes_matcher *clone;

    if (step % 5 == 4 && sortes_matcher_clone(&clone, *m) == SORTES_OK) {
        sortes_matcher_free(*m);
        *m = clone;
    }
    if (step % 7 == 6 && w->gone >= 2) {
        w->failures += sortes_matcher_rollback(*m, 2) != SORTES_OK;
        w->gone -= 2;
    }
    if (step % 31 == 30)
        sortes_matcher_flush(*m);
}

static void *thread_go(void *ctx)
{
    struct thread_walk *w = ctx;
    const size_t n = sortes_vocab_size(w->vocab);
    uint64_t seed = w->seed;
    sortes_matcher *m;

    if (sortes_matcher_new(&m, w->grammar, w->vocab, NULL) != SORTES_OK) {
        w->failures++;
        return NULL;
    }
    for (int step = 0; step < STEPS; step++) {
        /* Toward the tokens of several bytes, as a model does. */
        const uint32_t from =
            (thread_random(&seed) % 4 ? 256 : 0) + thread_random(&seed) % 256;
        uint32_t words[WORDS];
        int32_t token;

        w->failures += sortes_matcher_mask(m, words, WORDS) != SORTES_OK;
        w->mask[step] = thread_hash(words);
        token = thread_choose(words, n, from);
        if (token < 0) {
            sortes_matcher_reset(m);
            w->gone = 0;
            continue;
        }
        w->failures += sortes_matcher_allows(m, token) != 1 ||
                       sortes_matcher_advance(m, &token, 1, NULL) != SORTES_OK;
        w->gone++;
        thread_twist(w, &m, step);
    }
    sortes_matcher_free(m);
    return NULL;
}

static sortes_grammar *thread_grammar(const char *kind, const char *text,
                                      size_t budget)
{
    sortes_grammar_options o = { .struct_size = sizeof(o) };

    o.max_cache_bytes = budget;
    o.profile = "json";
    return small_grammar(kind, text, &o);
}

static sortes_vocab *thread_vocab(void)
{
    return small_vocab(NULL, thread_tokens, SRT_COUNT(thread_tokens));
}

static void check_threads(const char *kind, const char *text, size_t budget)
{
    static struct thread_walk alone[THREADS], beside[THREADS];
    pthread_t thread[THREADS];
    sortes_vocab *v = thread_vocab();
    sortes_grammar *g = thread_grammar(kind, text, budget);

    for (int i = 0; i < THREADS; i++) {
        alone[i] = (struct thread_walk){ .seed = (uint64_t)i + 1 };
        alone[i].grammar = thread_grammar(kind, text, 0);
        alone[i].vocab = thread_vocab();
        thread_go(&alone[i]);
        assert_int_equal(alone[i].failures, 0);
        sortes_grammar_free(alone[i].grammar);
        sortes_vocab_free(alone[i].vocab);
        beside[i] = (struct thread_walk){ .grammar = g,
                                          .vocab = v,
                                          .seed = (uint64_t)i + 1 };
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(
            pthread_create(&thread[i], NULL, thread_go, &beside[i]), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(beside[i].failures, 0);
        assert_memory_equal(beside[i].mask, alone[i].mask,
                            sizeof(alone[i].mask));
    }
    sortes_grammar_free(g);
    sortes_vocab_free(v);
}

static void json_on_threads(void **state)
{
    (void)state;
    check_threads("json_object", NULL, 0);
    check_threads("json_object", NULL, 300000);
    check_threads("json_object", NULL, 1);
}

static void choices_on_threads(void **state)
{
    (void)state;
    check_threads("choice", "{\"\n{\"true\":[[1,]}\nbbbb\nabc\nabd\ntrue\n", 0);
}

static void rules_on_threads(void **state)
{
    (void)state;
    check_threads("gbnf",
                  "root ::= \"{\" pair (\",\" pair)* \"}\"\n"
                  "pair ::= \"\\\"\" [ab]* \"\\\":\" (root | \"true\")\n",
                  200000);
}

static void regexes_on_threads(void **state)
{
    (void)state;
    check_threads("regex",
                  "(?=.*b)(?:[ab]{1,9}|true|\\[\\[1,|\"a\"){3,40}(?!aa)",
                  200000);
    check_threads("regex", "(?:(?!ab1).)*x?", 0);
}

static void schemas_on_threads(void **state)
{
    static const char nested[] =
        "{\"$defs\":{\"t\":{\"oneOf\":[{\"type\":\"array\",\"items\":{\"$ref\":"
        "\"#/$defs/t\"},\"minItems\":1},{\"type\":\"object\",\"properties\":{"
        "\"a\":{\"$ref\":\"#/$defs/t\"},\"k\":{\"minimum\":1,\"maximum\":120}},"
        "\"patternProperties\":{\"^b\":{\"type\":\"string\",\"pattern\":\"1$\"}"
        "},"
        "\"dependentRequired\":{\"a\":[\"k\"]}},{\"enum\":[1,true,\"a\"]}]}},"
        "\"$ref\":\"#/$defs/t\",\"not\":{\"type\":[\"boolean\",\"number\"]}}";

    (void)state;
    check_threads("json_schema", nested, 0);
    check_threads("json_schema", nested, 300000);
    check_threads("json_schema",
                  "{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
                  "\"uniqueItems\":true}",
                  200000);
}

static void tools_on_threads(void **state)
{
    (void)state;
    check_threads("tools",
                  "{\"tools\":[{\"name\":\"a\",\"parameters\":{\"type\":"
                  "\"object\",\"properties\":{\"a\":{\"type\":\"object\"}}}},"
                  "{\"name\":\"b\"}],\"tool_choice\":\"required\",\"format\":"
                  "\"json\"}",
                  300000);
    check_threads("tools",
                  "{\"tools\":[{\"name\":\"a\",\"parameters\":{}}],"
                  "\"format\":{\"begin\":\"1\",\"end\":\"}\"}}",
                  0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_on_threads),
        cmocka_unit_test(choices_on_threads),
        cmocka_unit_test(rules_on_threads),
        cmocka_unit_test(regexes_on_threads),
        cmocka_unit_test(schemas_on_threads),
        cmocka_unit_test(tools_on_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

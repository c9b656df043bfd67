/*
 * test_grammar.c - kinds by name, what is shared, what is refused
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/grammar.h"
#include "support/small_vocab.h"

#include <stdio.h>
#include <string.h>

static void kinds_are_listed_and_found(void **state)
{
    size_t n = 0;

    (void)state;
    for (; sortes_grammar_kind(n); n++)
        assert_string_equal(srt_language_find(sortes_grammar_kind(n))->name,
                            sortes_grammar_kind(n));
    assert_true(n >= 2);
    assert_null(srt_language_find("json"));
}

static void another_kind_is_refused_with_those_there_are(void **state)
{
    sortes_grammar *g = NULL;
    sortes_error err;

    (void)state;
    assert_int_equal(sortes_grammar_new(&g, "jsn", "", 0, NULL, &err),
                     SORTES_E_NAME);
    assert_null(g);
    assert_non_null(strstr(err.text, "there is no kind 'jsn' (allowed: "));
    assert_non_null(strstr(err.text, "choice"));
    assert_int_equal(sortes_grammar_new(&g, NULL, "", 0, NULL, &err),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_grammar_new(&g, "choice", NULL, 3, NULL, &err),
                     SORTES_E_ARGUMENT);
}

static void matchers_of_one_vocab_share_a_cache(void **state)
{
    sortes_vocab *v = small_vocab(NULL, NULL, 0),
                 *w = small_vocab("z", NULL, 0);
    sortes_grammar *g = small_grammar("choice", "abc\nabd", NULL);
    struct srt_cache *a, *b, *c, *d;

    (void)state;
    assert_int_equal(srt_grammar_cache(&a, g, v, NULL), SORTES_OK);
    assert_int_equal(srt_grammar_cache(&b, g, v, NULL), SORTES_OK);
    assert_int_equal(srt_grammar_cache(&c, g, w, NULL), SORTES_OK);
    assert_int_equal(srt_grammar_cache(&d, g, NULL, NULL), SORTES_OK);
    assert_ptr_equal(a, b);
    assert_ptr_not_equal(a, c);
    assert_ptr_not_equal(a, d);
    assert_ptr_equal(a->machine, d->machine); /* all bytes are there */
    assert_ptr_not_equal(a->machine, c->machine);
    srt_shared_release(&a->shared);
    srt_shared_release(&b->shared);
    srt_shared_release(&c->shared);
    srt_shared_release(&d->shared);
    sortes_grammar_free(g);
    sortes_vocab_free(v);
    sortes_vocab_free(w);
}

/* A matcher keeps its grammar and its vocab alive. */
static void a_matcher_outlives_what_it_was_made_from(void **state)
{
    sortes_vocab *v = small_vocab(NULL, NULL, 0);
    sortes_grammar *g = small_grammar("choice", "abc\nabd", NULL);
    sortes_matcher *m = small_matcher(g, v);

    (void)state;
    sortes_grammar_free(sortes_grammar_retain(g));
    sortes_grammar_free(g);
    sortes_vocab_free(v);
    assert_int_equal(sortes_matcher_allows(m, 'a'), 1);
    assert_int_equal(sortes_matcher_allows(m, 'b'), 0);
    sortes_matcher_free(m);
    sortes_grammar_free(NULL);
    sortes_matcher_free(NULL);
}

struct remark {
    int n;
    char where[64], text[64];
};

static void keep_remark(void *ctx, const char *where, const char *text)
{
    struct remark *r = ctx;

    r->n++;
    snprintf(r->where, sizeof(r->where), "%s", where);
    snprintf(r->text, sizeof(r->text), "%s", text);
}

static void grammar_tells_what_it_ignored(void **state)
{
    static const struct {
        const char *kind, *text, *where;
    } samples[] = {
        { "json_schema",
          "{\"properties\":{\"a/b\":{\"type\":\"string\",\"format\":\"zip\"}}}",
          "#/properties/a~1b/format" },
        { "structural_tag",
          "{\"format\":{\"type\":\"json_schema\",\"json_schema\":{\"format\":"
          "\"zip\"}}}",
          "#/format/json_schema/format" },
        { "tools",
          "[{\"name\":\"f\",\"parameters\":{\"items\":{\"format\":\"zip\"}}}]",
          "tool 0 'f': #/0/parameters/items/format" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
        sortes_grammar *g =
            small_grammar(samples[i].kind, samples[i].text, NULL);
        struct remark r = { 0 };

        sortes_grammar_remarks(g, keep_remark, &r);
        assert_int_equal(r.n, 1);
        assert_string_equal(r.where, samples[i].where);
        assert_string_equal(r.text, "unknown format, ignored");
        sortes_grammar_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grammar_tells_what_it_ignored),
        cmocka_unit_test(kinds_are_listed_and_found),
        cmocka_unit_test(another_kind_is_refused_with_those_there_are),
        cmocka_unit_test(matchers_of_one_vocab_share_a_cache),
        cmocka_unit_test(a_matcher_outlives_what_it_was_made_from),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

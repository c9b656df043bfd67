/*
 * schema_universe.c - schemas, and the naive validator's verdicts, over every
 * text of a few pieces
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/schema_universe.h"

#include "support/schema_naive.h"

#include <string.h>

enum { PROOFS = 100 };

static void read(struct srt_json_document *d, const char *text)
{
    sortes_error err;

    if (srt_json_read(d, text, strlen(text), &err) != SORTES_OK)
        fail_msg("%s: %s", text, err.text);
}

void schema_universe_make(struct schema_universe *su, size_t n_pieces)
{
    memset(su, 0, sizeof(*su));
    universe_make(&su->universe, n_pieces);
    su->verdict = calloc(su->universe.n_texts, sizeof(*su->verdict));
    assert_non_null(su->verdict);
}

void schema_universe_free(struct schema_universe *su)
{
    for (size_t i = 0; su->values && i < su->universe.n_texts; i++)
        srt_json_free(&su->values[i]);
    srt_json_free(&su->schema);
    free(su->values);
    free(su->verdict);
    universe_free(&su->universe);
}

void schema_universe_set(struct schema_universe *su, const char *document)
{
    srt_json_free(&su->schema);
    read(&su->schema, document);
}

static void read_values(struct schema_universe *su)
{
    su->values = calloc(su->universe.n_texts + 1, sizeof(*su->values));
    assert_non_null(su->values);
    for (size_t i = 0; i < su->universe.n_texts; i++)
        read(&su->values[i], su->universe.texts[i]);
}

void schema_universe_judge(struct schema_universe *su, const char *document)
{
    schema_universe_set(su, document);
    if (!su->values)
        read_values(su);
    for (size_t i = 0; i < su->universe.n_texts; i++)
        su->verdict[i] =
            schema_naive_accepts(su->schema.root, su->values[i].root);
}

bool schema_universe_agrees(void *ctx, const char *text, bool accepts)
{
    const struct schema_universe *su = ctx;
    struct srt_json_document value;
    bool right;

    read(&value, text);
    right = schema_naive_accepts(su->schema.root, value.root);
    srt_json_free(&value);
    return right == accepts;
}

/* Some text satisfies the schema, and the library says that none does. */
static void check_empty(const struct schema_universe *su, const char *document)
{
    for (size_t i = 0; i < su->universe.n_texts; i++)
        if (su->verdict[i])
            fail_msg("%s: is not empty: %s", document, su->universe.texts[i]);
}

enum schema_answer schema_universe_ask(struct schema_universe *su,
                                       const char *document, const char *order)
{
    const sortes_grammar_options options = { .struct_size = sizeof(options),
                                             .profile = "json",
                                             .order = order };
    struct universe_question q = { .verdict = su->verdict,
                                   .only_some = order != NULL,
                                   .n_proofs = PROOFS,
                                   .judge = schema_universe_agrees,
                                   .ctx = su };
    sortes_grammar *g = NULL;
    sortes_error err;
    const char *problem;
    sortes_status status = sortes_grammar_new(&g, "json_schema", document,
                                              strlen(document), &options, &err);

    if (status == SORTES_OK)
        status = sortes_matcher_new(&q.matcher, g, NULL, &err);
    sortes_grammar_free(g);
    if (status == SORTES_E_EMPTY) {
        check_empty(su, document);
        return SCHEMA_EMPTY;
    }
    if (status == SORTES_E_NAME || status == SORTES_E_LIMIT)
        return SCHEMA_REFUSED;
    if (status != SORTES_OK)
        fail_msg("%s: %s", document, err.text);
    problem = universe_ask(&su->universe, &q);
    sortes_matcher_free(q.matcher);
    if (problem && problem != universe_limit)
        fail_msg("%s: %s", document, problem);
    return problem ? SCHEMA_LIMITED : SCHEMA_RIGHT;
}

/*
 * schema_cases.c - schemas, with texts that satisfy them and texts that do not
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/schema_cases.h"
#include "support/small_vocab.h"

#include <string.h>

static const sortes_grammar_options schema_json = { .struct_size =
                                                        sizeof(schema_json),
                                                    .profile = "json" };

void schema_check(const struct schema_case *cases, size_t n,
                  const sortes_grammar_options *options)
{
    for (size_t i = 0; i < n; i++) {
        const struct schema_case *c = &cases[i];
        sortes_grammar *g = small_grammar("json_schema", c->schema,
                                          options ? options : &schema_json);

        assert_true(c->right[0] || c->wrong[0]);
        for (size_t k = 0; k < 8 && c->right[k]; k++)
            if (!small_accepts(g, c->right[k]))
                fail_msg("%s refuses %s", c->schema, c->right[k]);
        for (size_t k = 0; k < 8 && c->wrong[k]; k++)
            if (small_accepts(g, c->wrong[k]))
                fail_msg("%s accepts %s", c->schema, c->wrong[k]);
        sortes_grammar_free(g);
    }
}

void schema_check_refused(const char *schema, sortes_status status,
                          const char *words)
{
    sortes_grammar *g = NULL;
    sortes_matcher *m = NULL;
    sortes_error err = { 0 };
    sortes_status got = sortes_grammar_new(&g, "json_schema", schema,
                                           strlen(schema), &schema_json, &err);

    if (got == SORTES_OK)
        got = sortes_matcher_new(&m, g, NULL, &err);
    if (got != status || !strstr(err.text, words))
        fail_msg("%s: %s, \"%s\"; expected %s, \"%s\"", schema,
                 sortes_status_name(got), err.text, sortes_status_name(status),
                 words);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
}

void schema_check_reach(const char *schema, const char *text, size_t reach)
{
    sortes_grammar *g = small_grammar("json_schema", schema, &schema_json);
    const size_t got = small_reach(g, text, strlen(text));

    if (got != reach)
        fail_msg("%s: %s is possible up to byte %zu, not %zu", schema, text,
                 got, reach);
    sortes_grammar_free(g);
}

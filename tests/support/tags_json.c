/*
 * tags_json.c - structural tags written with apostrophes for quotes
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/small_vocab.h"
#include "support/tags_json.h"

#include <stdlib.h>
#include <string.h>

/* A format becomes a whole tag; the caller's to free. */
static char *whole(const char *format)
{
    static const char before[] = "{'type':'structural_tag','format':";
    const int wrap = strncmp(format, "{'type':'", 9) == 0 &&
                     strncmp(format, before, sizeof(before) - 1) != 0;
    const size_t n = strlen(format);
    char *text = malloc(n + sizeof(before) + 2);

    assert_non_null(text);
    text[0] = '\0';
    if (wrap)
        strcpy(text, before);
    strcat(text, format);
    if (wrap)
        strcat(text, "}");
    for (char *c = text; *c; c++)
        if (*c == '\'')
            *c = '"';
    return text;
}

sortes_grammar *tags_grammar(const char *kind, const char *format)
{
    char *text = whole(format);
    sortes_grammar *g = small_grammar(kind, text, NULL);

    free(text);
    return g;
}

void tags_refused(const char *kind, const char *format, sortes_status status,
                  const char *text, const char *at)
{
    char *json = whole(format);
    char *place = NULL;
    sortes_error err;
    sortes_grammar *g;

    assert_int_equal(
        sortes_grammar_new(&g, kind, json, strlen(json), NULL, &err), status);
    assert_string_equal(err.text, text);
    if (at) {
        char *quoted = whole(at);

        place = strstr(json, quoted);
        assert_non_null(place);
        assert_int_equal(err.offset, place - json);
        free(quoted);
    }
    free(json);
}

void tags_check(const char *kind, const char *format,
                const struct tags_line *lines, size_t n)
{
    sortes_grammar *g = tags_grammar(kind, format);

    for (size_t i = 0; i < n; i++) {
        const char *text = lines[i].text;
        const size_t reached = small_reach(g, text, strlen(text));

        if (small_accepts(g, text) != (lines[i].byte < 0) ||
            (lines[i].byte >= 0 && (int)reached != lines[i].byte))
            fail_msg("%s: '%s' reaches %zu", format, text, reached);
    }
    sortes_grammar_free(g);
}

/*
 * universe.c - random schemas over every text of a few pieces, for a judge that
 * is another program
 *
 *   oracle_jsonschema_universe PIECES
 *
 * Writes all texts, a line each, and an empty line.  Then, for each seed that
 * it reads: it writes the schema; reads a line of a 0 or 1 for each text;
 * writes "right", "empty", "refused" (with the reason), "limited" or "wrong"
 * (with what is), the texts beyond those that it came by, a line each behind a
 * 0 or 1 of its own, and an empty line.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/schema_universe.h"

#include <stdio.h>
#include <string.h>

/* One text in so many is judged by the naive validator as well. */
enum { NAIVE_SHARE = 97, PROOFS = 300 };

static char *read_line(char *line, size_t room)
{
    if (!fgets(line, (int)room, stdin))
        return NULL;
    line[strcspn(line, "\n")] = '\0';
    return line;
}

/* Texts beyond, for the other judge; the naive one says at once. */
static bool note(void *ctx, const char *text, bool accepts)
{
    printf("%d %s\n", accepts, text);
    return schema_universe_agrees(ctx, text, accepts);
}

static const char *naive_differs(struct schema_universe *su, uint64_t seed)
{
    for (size_t i = seed % NAIVE_SHARE; i < su->universe.n_texts;
         i += NAIVE_SHARE)
        if (!schema_universe_agrees(su, su->universe.texts[i],
                                    su->verdict[i] != 0))
            return su->universe.texts[i];
    return NULL;
}

static void answer(struct schema_universe *su, sortes_matcher *m,
                   sortes_status status, const sortes_error *err)
{
    const struct universe_question q = { .matcher = m,
                                         .verdict = su->verdict,
                                         .n_proofs = PROOFS,
                                         .judge = note,
                                         .ctx = su };
    const char *problem;

    if (status == SORTES_E_EMPTY) {
        printf("%s\n", memchr(su->verdict, 1, su->universe.n_texts)
                           ? "wrong: refused as empty"
                           : "empty");
    } else if (status != SORTES_OK) {
        printf("refused: %s\n", err->text);
    } else {
        problem = universe_ask(&su->universe, &q);
        if (problem == universe_limit)
            printf("limited\n");
        else
            printf("%s%s\n", problem ? "wrong: " : "right",
                   problem ? problem : "");
    }
}

static void ask(struct schema_universe *su, const char *document, uint64_t seed)
{
    const sortes_grammar_options options = { .struct_size = sizeof(options),
                                             .profile = "json" };
    sortes_grammar *g = NULL;
    sortes_matcher *m = NULL;
    sortes_error err;
    const char *text = naive_differs(su, seed);
    sortes_status status = sortes_grammar_new(&g, "json_schema", document,
                                              strlen(document), &options, &err);

    if (status == SORTES_OK)
        status = sortes_matcher_new(&m, g, NULL, &err);
    if (text)
        printf("wrong: the naive validator about %s\n", text);
    else
        answer(su, m, status, &err);
    printf("\n");
    fflush(stdout);
    sortes_matcher_free(m);
    sortes_grammar_free(g);
}

static void one(struct schema_universe *su, uint64_t seed, char *line,
                size_t room)
{
    struct schema_made made;
    char *document;

    schema_make(&made, seed);
    document = schema_document(&made, NULL);
    printf("%s\n", document);
    fflush(stdout);
    if (read_line(line, room) && strlen(line) == su->universe.n_texts) {
        for (size_t i = 0; i < su->universe.n_texts; i++)
            su->verdict[i] = line[i] == '1';
        schema_universe_set(su, document);
        ask(su, document, seed);
    }
    free(document);
    schema_made_free(&made);
}

int main(int argc, char **argv)
{
    struct schema_universe su;
    size_t room;
    char *line;

    schema_universe_make(&su, argc > 1 ? (size_t)atoi(argv[1]) : 8);
    room = su.universe.n_texts + 64;
    line = malloc(room);
    if (!line)
        return 1;
    for (size_t i = 0; i < su.universe.n_texts; i++)
        printf("%s\n", su.universe.texts[i]);
    printf("\n");
    fflush(stdout);
    while (read_line(line, room))
        one(&su, strtoull(line, NULL, 10), line, room);
    free(line);
    schema_universe_free(&su);
    return 0;
}

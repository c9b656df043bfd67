/*
 * schemas.c - sortes_bench_schemas: what many small schemas cost
 *
 * usage: sortes_bench_schemas VOCAB CASES
 *
 * CASES is text: a line "A" and a schema begins a case of group A ("B": of
 * group B), lines "+" and "-" a text of it that is valid, or not.  A schema is
 * compiled and its texts are stepped through, greedy token by greedy token, up
 * to the first that the mask lacks; three times, each with a new grammar and
 * empty caches, and of each call the least of the three counts, so that what
 * the scheduler takes does not.  After each, all texts come once more with what
 * the caches have.
 *
 * Prints one JSON object: for each group microseconds of compiling (grammar and
 * first matcher), of the masks of all texts, of those of the first valid text
 * alone, of those of the second pass, and of steps; and what copying a mask
 * takes.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include "common.h"

#include <stdlib.h>
#include <string.h>

enum { CASE_RUNS = 3 };

/* What is timed, of one run or of all. */
enum {
    CASE_COMPILE,
    CASE_MASK,   /* of all texts, in turn */
    CASE_FIRST,  /* of the first valid one alone */
    CASE_SECOND, /* of all texts once more */
    CASE_ADVANCE,
    CASE_N_CALLS
};

enum { CASE_GROUPS = 2 };

struct bench_group {
    struct samples of[CASE_N_CALLS];
    uint64_t schemas, refused, ended; /* by a status in mid-text */
    uint64_t largest, largest_ns;     /* bytes; to compile */
};

struct bench_case {
    struct bench_group *group;
    char *schema;
    char **text; /* each after its sign */
    size_t n, room;
};

struct bench {
    struct constrain_bench b;
    struct bench_group group[CASE_GROUPS];
    struct samples run[CASE_N_CALLS], least[CASE_N_CALLS];
    bool ended;
};

/* NULL: refused. */
static sortes_matcher *compile(struct bench *x, const char *schema)
{
    const uint64_t begin = samples_now();
    sortes_grammar *g;
    sortes_matcher *m = NULL;

    if (sortes_grammar_new(&g, "json_schema", schema, strlen(schema), NULL,
                           NULL) != SORTES_OK)
        return NULL;
    if (sortes_matcher_new(&m, g, x->b.vocab, NULL) == SORTES_OK)
        samples_add(&x->run[CASE_COMPILE], samples_now() - begin);
    sortes_grammar_free(g);
    return m;
}

static bool allowed(const struct bench *x, int32_t token)
{
    return x->b.words[token / 32] >> token % 32 & 1;
}

/* masks: what the times of masks are added to. */
static void step_through(struct bench *x, sortes_matcher *m, const char *text,
                         struct samples *masks)
{
    const size_t n = strlen(text);
    size_t length;

    sortes_matcher_reset(m);
    for (size_t at = 0; at < n; at += length) {
        const int32_t token =
            greedy_next(x->b.greedy, text + at, n - at, &length);
        uint64_t begin = samples_now();

        if (token < 0)
            return;
        if (sortes_matcher_mask(m, x->b.words, x->b.n_words) != SORTES_OK) {
            x->ended = true;
            return;
        }
        samples_add(masks, samples_now() - begin);
        if (!allowed(x, token))
            return;
        begin = samples_now();
        if (sortes_matcher_advance(m, &token, 1, NULL) != SORTES_OK) {
            x->ended = true;
            return;
        }
        if (masks == &x->run[CASE_MASK])
            samples_add(&x->run[CASE_ADVANCE], samples_now() - begin);
    }
}

static void run_first(struct bench *x, const struct bench_case *c)
{
    sortes_matcher *m = compile(x, c->schema);

    x->run[CASE_COMPILE].n = 0; /* run_all counts it */
    for (size_t i = 0; m && i < c->n; i++)
        if (c->text[i][0] == '+') {
            step_through(x, m, c->text[i] + 1, &x->run[CASE_FIRST]);
            break;
        }
    sortes_matcher_free(m);
}

static bool run_all(struct bench *x, const struct bench_case *c)
{
    sortes_matcher *m = compile(x, c->schema);

    if (!m)
        return false;
    for (size_t i = 0; i < c->n; i++)
        step_through(x, m, c->text[i] + 1, &x->run[CASE_MASK]);
    for (size_t i = 0; i < c->n; i++)
        step_through(x, m, c->text[i] + 1, &x->run[CASE_SECOND]);
    sortes_matcher_free(m);
    return true;
}

static void run_case(struct bench *x, const struct bench_case *c)
{
    struct bench_group *g = c->group;
    const size_t n_compiled = g->of[CASE_COMPILE].n;
    const uint64_t n = strlen(c->schema);

    g->schemas++;
    x->ended = false;
    for (int i = 0; i < CASE_RUNS; i++) {
        run_first(x, c);
        if (!run_all(x, c)) {
            g->refused++;
            return;
        }
        constrain_keep_least(x->run, x->least, CASE_N_CALLS);
    }
    g->ended += x->ended;
    for (size_t k = 0; k < CASE_N_CALLS; k++) {
        for (size_t i = 0; i < x->least[k].n; i++)
            samples_add(&g->of[k], x->least[k].ns[i]);
        x->least[k].n = 0;
    }
    if (n > g->largest) {
        g->largest = n;
        g->largest_ns = g->of[CASE_COMPILE].ns[n_compiled];
    }
}

static void end_case(struct bench *x, struct bench_case *c)
{
    if (c->schema)
        run_case(x, c);
    free(c->schema);
    for (size_t i = 0; i < c->n; i++)
        free(c->text[i]);
    c->schema = NULL;
    c->n = 0;
}

static void add_text(struct bench_case *c, const char *line)
{
    if (c->n == c->room) {
        c->room = c->room ? 2 * c->room : 16;
        c->text = realloc(c->text, c->room * sizeof(*c->text));
    }
    if (!c->text || !(c->text[c->n] = strdup(line)))
        constrain_die("cases", "no memory");
    c->n++;
}

static void run_cases(struct bench *x, const char *path)
{
    FILE *file = fopen(path, "r");
    struct bench_case c = { 0 };
    char *line = NULL;
    size_t room = 0;
    ssize_t n;

    if (!file)
        constrain_die(path, "cannot be read");
    while ((n = getline(&line, &room, file)) > 0) {
        line[n - 1] = '\0';
        if (line[0] == 'A' || line[0] == 'B') {
            end_case(x, &c);
            c.group = &x->group[line[0] - 'A'];
            c.schema = strdup(line + 1);
        } else {
            add_text(&c, line);
        }
    }
    end_case(x, &c);
    free(c.text);
    free(line);
    fclose(file);
}

static void put_group(struct json_out *j, struct bench_group *g)
{
    static const char *const names[CASE_N_CALLS] = { "compile", "mask", "first",
                                                     "second", "advance" };

    json_out_open(j, '{');
    constrain_put(j, "schemas", (double)g->schemas);
    constrain_put(j, "refused", (double)g->refused);
    constrain_put(j, "ended", (double)g->ended);
    constrain_put(j, "largest", (double)g->largest);
    constrain_put(j, "largest_us", (double)g->largest_ns / 1e3);
    for (size_t i = 0; i < CASE_N_CALLS; i++)
        samples_write(&g->of[i], names[i], j);
    json_out_close(j, '}');
}

int main(int argc, char **argv)
{
    static struct bench x;
    struct json_out j;

    if (argc != 3)
        constrain_die("usage", "sortes_bench_schemas VOCAB CASES");
    constrain_open(&x.b, argv[1]);
    run_cases(&x, argv[2]);
    json_out_init(&j, stdout);
    json_out_open(&j, '{');
    constrain_put(&j, "tokens", (double)sortes_vocab_size(x.b.vocab));
    constrain_put(&j, "clock_us", constrain_clock_us());
    constrain_put(&j, "copy_us", constrain_copy_us(&x.b));
    for (int i = 0; i < CASE_GROUPS; i++) {
        json_out_key(&j, i == 0 ? "A" : "B");
        put_group(&j, &x.group[i]);
    }
    json_out_close(&j, '}');
    json_out_end(&j);
    constrain_close(&x.b);
    return 0;
}

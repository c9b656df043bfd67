/*
 * masks.c - sortes_bench_constrain: what a mask and a step cost
 *
 * usage: sortes_bench_constrain VOCAB TEXTS [TOKENS]
 *
 * TEXTS has a JSON object a line; its greedy tokens are written to TOKENS, a
 * text a line, so that another library can be given the same.  Prints one JSON
 * object: milliseconds to read the file and to prepare the vocabulary (the
 * least of three), bytes of its tree, and microseconds of each call, on one
 * thread: the least of three runs, each with a grammar of its own and empty
 * caches, so that what the scheduler takes does not count.  A pair of readings
 * of the clock, which is part of each figure, is "clock".
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include "constrain/tree.h"
#include "greedy.h"
#include "samples.h"
#include "sortes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of these many steps one clones and one rolls back. */
enum { BENCH_SOME = 8, BENCH_RUNS = 3 };

enum {
    BENCH_CLOCK,
    BENCH_MASK,
    BENCH_ADVANCE,
    BENCH_CLONE,
    BENCH_ROLLBACK,
    BENCH_N_CALLS
};

struct bench_constrain {
    sortes_vocab *vocab;
    sortes_matcher *matcher;
    struct greedy *greedy;
    uint32_t *words;
    size_t n_words;
    struct samples of[BENCH_N_CALLS]; /* this run's */
    struct samples least[BENCH_N_CALLS];
    size_t n_first; /* masks of the first text */
    uint64_t refused;
    FILE *tokens; /* written in the first run; NULL in others */
};

static void die(const char *what, const char *why)
{
    fprintf(stderr, "bench: %s: %s\n", what, why);
    exit(1);
}

static sortes_matcher *new_matcher(sortes_vocab *v)
{
    sortes_error err = { 0 };
    sortes_grammar *g;
    sortes_matcher *m;

    if (sortes_grammar_new(&g, "json_object", NULL, 0, NULL, &err) !=
            SORTES_OK ||
        sortes_matcher_new(&m, g, v, &err) != SORTES_OK)
        die("json_object", err.text);
    sortes_grammar_free(g);
    return m;
}

/* The vocabulary, and the least times of three to read and to prepare it. */
static sortes_vocab *open_vocab(const char *path, double *read_ms,
                                double *set_up_ms)
{
    sortes_vocab *v = NULL;
    sortes_error err = { 0 };

    *read_ms = *set_up_ms = 1e9;
    for (int i = 0; i < 3; i++) {
        sortes_vocab_free(v);
        uint64_t begin = samples_now();
        if (sortes_vocab_from_file(&v, path, &err) != SORTES_OK)
            die(path, err.text);
        const double read = (double)(samples_now() - begin) / 1e6;
        begin = samples_now();
        sortes_matcher_free(new_matcher(v)); /* the first one prepares */
        const double set_up = (double)(samples_now() - begin) / 1e6;
        *read_ms = read < *read_ms ? read : *read_ms;
        *set_up_ms = set_up < *set_up_ms ? set_up : *set_up_ms;
    }
    return v;
}

static void time_clone(struct bench_constrain *b)
{
    sortes_matcher *clone;
    const uint64_t begin = samples_now();

    if (sortes_matcher_clone(&clone, b->matcher) != SORTES_OK)
        die("clone", "failed");
    samples_add(&b->of[BENCH_CLONE], samples_now() - begin);
    sortes_matcher_free(clone);
}

static void time_rollback(struct bench_constrain *b, int32_t token)
{
    const uint64_t begin = samples_now();

    if (sortes_matcher_rollback(b->matcher, 1) != SORTES_OK)
        die("rollback", "failed");
    samples_add(&b->of[BENCH_ROLLBACK], samples_now() - begin);
    if (sortes_matcher_advance(b->matcher, &token, 1, NULL) != SORTES_OK)
        die("advance", "failed after a rollback");
}

/* False: the grammar refuses the token. */
static bool time_step(struct bench_constrain *b, int32_t token)
{
    struct samples *masks = &b->of[BENCH_MASK];
    uint64_t begin = samples_now();

    samples_add(&b->of[BENCH_CLOCK], samples_now() - begin);
    begin = samples_now();
    if (sortes_matcher_mask(b->matcher, b->words, b->n_words) != SORTES_OK)
        die("mask", "failed");
    samples_add(masks, samples_now() - begin);
    begin = samples_now();
    if (sortes_matcher_advance(b->matcher, &token, 1, NULL) != SORTES_OK)
        return false;
    samples_add(&b->of[BENCH_ADVANCE], samples_now() - begin);
    if (masks->n % BENCH_SOME == 0)
        time_clone(b);
    if (masks->n % BENCH_SOME == BENCH_SOME / 2)
        time_rollback(b, token);
    return true;
}

static void time_text(struct bench_constrain *b, const char *text, size_t n)
{
    size_t length;
    bool allowed = true;

    sortes_matcher_reset(b->matcher);
    for (size_t at = 0; at < n; at += length) {
        const int32_t token =
            greedy_next(b->greedy, text + at, n - at, &length);
        if (token < 0)
            break;
        if (b->tokens)
            fprintf(b->tokens, "%s%d", at ? " " : "", (int)token);
        if (allowed)
            allowed = time_step(b, token);
    }
    if (b->tokens)
        fputc('\n', b->tokens);
    b->refused += !allowed;
}

static void time_texts(struct bench_constrain *b, const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    ssize_t n;

    if (!file)
        die(path, "cannot be read");
    b->n_first = b->refused = 0;
    while ((n = getline(&line, &room, file)) > 0) {
        time_text(b, line, (size_t)n - (line[n - 1] == '\n'));
        if (b->n_first == 0)
            b->n_first = b->of[BENCH_MASK].n;
    }
    free(line);
    fclose(file);
}

/* What each call took at least, run by run. */
static void keep_least(struct bench_constrain *b)
{
    for (size_t i = 0; i < BENCH_N_CALLS; i++) {
        struct samples *of = &b->of[i], *least = &b->least[i];

        if (of->failed || (least->n > 0 && least->n != of->n))
            die("runs", "differ, or there is no memory");
        for (size_t k = 0; k < of->n; k++)
            if (least->n < of->n && k >= least->n)
                samples_add(least, of->ns[k]);
            else if (of->ns[k] < least->ns[k])
                least->ns[k] = of->ns[k];
        of->n = 0;
    }
}

static void run_all(struct bench_constrain *b, const char *texts,
                    sortes_grammar_stats *stats)
{
    for (int i = 0; i < BENCH_RUNS; i++) {
        b->matcher = new_matcher(b->vocab);
        time_texts(b, texts);
        if (b->tokens && fclose(b->tokens) != 0)
            die("tokens", "cannot be written");
        b->tokens = NULL;
        keep_least(b);
        sortes_matcher_stats(b->matcher, stats);
        sortes_matcher_free(b->matcher);
    }
}

static void put_number(struct json_out *j, const char *name, double x)
{
    json_out_key(j, name);
    json_out_double(j, x);
}

static double mean_us(const struct samples *s)
{
    double sum = 0;

    for (size_t i = 0; i < s->n; i++)
        sum += (double)s->ns[i] / 1e3;
    return s->n > 0 ? sum / (double)s->n : 0;
}

int main(int argc, char **argv)
{
    static const char *const names[BENCH_N_CALLS] = { "clock", "mask",
                                                      "advance", "clone",
                                                      "rollback" };
    struct bench_constrain b = { 0 };
    sortes_grammar_stats stats;
    const struct srt_tree *tree;
    double read_ms, set_up_ms;
    struct json_out j;

    if (argc < 3)
        die("usage", "sortes_bench_constrain VOCAB TEXTS [TOKENS]");
    b.vocab = open_vocab(argv[1], &read_ms, &set_up_ms);
    b.n_words = (sortes_vocab_size(b.vocab) + 31) / 32;
    b.words = calloc(b.n_words, sizeof(*b.words));
    b.greedy = greedy_new(b.vocab);
    b.tokens = argc > 3 ? fopen(argv[3], "w") : NULL;
    if (!b.words || !b.greedy ||
        srt_tree_of(&tree, b.vocab, false) != SORTES_OK)
        die("vocab", "no memory");
    run_all(&b, argv[2], &stats);
    json_out_init(&j, stdout);
    json_out_open(&j, '{');
    put_number(&j, "tokens", (double)sortes_vocab_size(b.vocab));
    put_number(&j, "read_ms", read_ms);
    put_number(&j, "set_up_ms", set_up_ms);
    put_number(&j, "tree_bytes", (double)tree->n_bytes);
    put_number(&j, "refused", (double)b.refused);
    put_number(&j, "cache_bytes", (double)stats.cache_bytes);
    put_number(&j, "flushes", (double)stats.flushes);
    const struct samples first = { .ns = b.least[BENCH_MASK].ns,
                                   .n = b.n_first };
    put_number(&j, "first_us", mean_us(&first)); /* before they are sorted */
    for (size_t i = 0; i < BENCH_N_CALLS; i++)
        samples_write(&b.least[i], names[i], &j);
    json_out_close(&j, '}');
    json_out_end(&j);
    return 0;
}

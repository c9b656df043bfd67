/*
 * masks.c - sortes_bench_masks: what a mask and a step cost
 *
 * usage: sortes_bench_masks VOCAB TEXTS [TOKENS]
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

#include "common.h"
#include "constrain/tree.h"

#include <stdlib.h>

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
    struct constrain_bench b;
    sortes_matcher *matcher;
    struct samples of[BENCH_N_CALLS]; /* this run's */
    struct samples least[BENCH_N_CALLS];
    size_t n_first; /* masks of the first text */
    uint64_t refused;
    FILE *tokens; /* written in the first run; NULL in others */
};

static void time_clone(struct bench_constrain *b)
{
    sortes_matcher *clone;
    const uint64_t begin = samples_now();

    if (sortes_matcher_clone(&clone, b->matcher) != SORTES_OK)
        constrain_die("clone", "failed");
    samples_add(&b->of[BENCH_CLONE], samples_now() - begin);
    sortes_matcher_free(clone);
}

static void time_rollback(struct bench_constrain *b, int32_t token)
{
    const uint64_t begin = samples_now();

    if (sortes_matcher_rollback(b->matcher, 1) != SORTES_OK)
        constrain_die("rollback", "failed");
    samples_add(&b->of[BENCH_ROLLBACK], samples_now() - begin);
    if (sortes_matcher_advance(b->matcher, &token, 1, NULL) != SORTES_OK)
        constrain_die("advance", "failed after a rollback");
}

/* False: the grammar refuses the token. */
static bool time_step(struct bench_constrain *b, int32_t token)
{
    struct samples *masks = &b->of[BENCH_MASK];
    uint64_t begin = samples_now();

    samples_add(&b->of[BENCH_CLOCK], samples_now() - begin);
    begin = samples_now();
    if (sortes_matcher_mask(b->matcher, b->b.words, b->b.n_words) != SORTES_OK)
        constrain_die("mask", "failed");
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
            greedy_next(b->b.greedy, text + at, n - at, &length);
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
        constrain_die(path, "cannot be read");
    b->n_first = b->refused = 0;
    while ((n = getline(&line, &room, file)) > 0) {
        time_text(b, line, (size_t)n - (line[n - 1] == '\n'));
        if (b->n_first == 0)
            b->n_first = b->of[BENCH_MASK].n;
    }
    free(line);
    fclose(file);
}

static void run_all(struct bench_constrain *b, const char *texts,
                    sortes_grammar_stats *stats)
{
    for (int i = 0; i < BENCH_RUNS; i++) {
        b->matcher = constrain_matcher(b->b.vocab, "json_object", NULL);
        time_texts(b, texts);
        if (b->tokens && fclose(b->tokens) != 0)
            constrain_die("tokens", "cannot be written");
        b->tokens = NULL;
        constrain_keep_least(b->of, b->least, BENCH_N_CALLS);
        sortes_matcher_stats(b->matcher, stats);
        sortes_matcher_free(b->matcher);
    }
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
    struct json_out j;

    if (argc < 3)
        constrain_die("usage", "sortes_bench_masks VOCAB TEXTS [TOKENS]");
    constrain_open(&b.b, argv[1]);
    b.tokens = argc > 3 ? fopen(argv[3], "w") : NULL;
    if (srt_tree_of(&tree, b.b.vocab, false) != SORTES_OK)
        constrain_die("vocab", "no memory");
    run_all(&b, argv[2], &stats);
    json_out_init(&j, stdout);
    json_out_open(&j, '{');
    constrain_put(&j, "tokens", (double)sortes_vocab_size(b.b.vocab));
    constrain_put(&j, "read_ms", b.b.read_ms);
    constrain_put(&j, "set_up_ms", b.b.set_up_ms);
    constrain_put(&j, "tree_bytes", (double)tree->n_bytes);
    constrain_put(&j, "refused", (double)b.refused);
    constrain_put(&j, "cache_bytes", (double)stats.cache_bytes);
    constrain_put(&j, "flushes", (double)stats.flushes);
    const struct samples first = { .ns = b.least[BENCH_MASK].ns,
                                   .n = b.n_first };
    constrain_put(&j, "first_us", mean_us(&first)); /* before they are sorted */
    for (size_t i = 0; i < BENCH_N_CALLS; i++)
        samples_write(&b.least[i], names[i], &j);
    json_out_close(&j, '}');
    json_out_end(&j);
    constrain_close(&b.b);
    return 0;
}

/*
 * common.c - a vocabulary that is ready, and the least of several runs
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include "common.h"

#include <stdlib.h>
#include <string.h>

enum { CONSTRAIN_CLOCKS = 10001 };

void constrain_die(const char *what, const char *why)
{
    fprintf(stderr, "bench: %s: %s\n", what, why);
    exit(1);
}

sortes_matcher *constrain_matcher(sortes_vocab *v, const char *kind,
                                  const char *text)
{
    sortes_error err = { 0 };
    sortes_grammar *g;
    sortes_matcher *m;

    if (sortes_grammar_new(&g, kind, text, text ? strlen(text) : 0, NULL,
                           &err) != SORTES_OK ||
        sortes_matcher_new(&m, g, v, &err) != SORTES_OK)
        constrain_die(kind, err.text);
    sortes_grammar_free(g);
    return m;
}

void constrain_open(struct constrain_bench *b, const char *path)
{
    sortes_error err = { 0 };

    b->vocab = NULL;
    b->read_ms = b->set_up_ms = 1e9;
    for (int i = 0; i < 3; i++) {
        sortes_vocab_free(b->vocab);
        uint64_t begin = samples_now();
        if (sortes_vocab_from_file(&b->vocab, path, &err) != SORTES_OK)
            constrain_die(path, err.text);
        const double read = (double)(samples_now() - begin) / 1e6;
        begin = samples_now();
        /* the first matcher prepares the vocabulary */
        sortes_matcher_free(constrain_matcher(b->vocab, "json_object", NULL));
        const double set_up = (double)(samples_now() - begin) / 1e6;
        b->read_ms = read < b->read_ms ? read : b->read_ms;
        b->set_up_ms = set_up < b->set_up_ms ? set_up : b->set_up_ms;
    }
    b->n_words = (sortes_vocab_size(b->vocab) + 31) / 32;
    b->words = calloc(b->n_words, sizeof(*b->words));
    b->greedy = greedy_new(b->vocab);
    if (!b->words || !b->greedy)
        constrain_die("vocab", "no memory");
}

void constrain_close(struct constrain_bench *b)
{
    free(b->words);
    greedy_free(b->greedy);
    sortes_vocab_free(b->vocab);
}

void constrain_keep_least(struct samples *run, struct samples *least, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const bool first = least[i].n == 0;

        if (run[i].failed || (!first && least[i].n != run[i].n))
            constrain_die("runs", "differ, or there is no memory");
        for (size_t k = 0; k < run[i].n; k++)
            if (first)
                samples_add(&least[i], run[i].ns[k]);
            else if (run[i].ns[k] < least[i].ns[k])
                least[i].ns[k] = run[i].ns[k];
        run[i].n = 0;
    }
}

static int clock_order(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

double constrain_clock_us(void)
{
    static uint64_t ns[CONSTRAIN_CLOCKS];

    for (size_t i = 0; i < CONSTRAIN_CLOCKS; i++) {
        const uint64_t begin = samples_now();

        ns[i] = samples_now() - begin;
    }
    qsort(ns, CONSTRAIN_CLOCKS, sizeof(*ns), clock_order);
    return (double)ns[CONSTRAIN_CLOCKS / 2] / 1e3;
}

double constrain_copy_us(const struct constrain_bench *b)
{
    enum { MASKS = 8 };
    static uint64_t ns[CONSTRAIN_CLOCKS];
    const size_t n_bytes = b->n_words * sizeof(*b->words);
    char *masks = calloc(MASKS, n_bytes);

    if (!masks)
        constrain_die("copies", "no memory");
    for (size_t i = 0; i < CONSTRAIN_CLOCKS; i++) {
        const uint64_t begin = samples_now();

        memcpy(b->words, masks + i % MASKS * n_bytes, n_bytes);
        ns[i] = samples_now() - begin;
        masks[i % (MASKS * n_bytes)]++; /* or one copy were as good as all */
    }
    free(masks);
    qsort(ns, CONSTRAIN_CLOCKS, sizeof(*ns), clock_order);
    return (double)ns[CONSTRAIN_CLOCKS / 2] / 1e3;
}

void constrain_put(struct json_out *j, const char *name, double x)
{
    json_out_key(j, name);
    json_out_double(j, x);
}

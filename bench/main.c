/*
 * main.c - sortes_bench: what a step costs beside llama.cpp's
 *
 * usage: sortes_bench [--model GGUF] [--json FILE] [--steps N] [--quick]
 *                     [--size N] [--kind NAME] [--kernels NAME]
 *
 * Figures are medians of one run on one machine; only ratios within a run mean
 * anything.  A token that differs from llama.cpp's ends the run with status 4.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

struct arguments {
    const char *model, *json, *kind, *kernels;
    size_t size; /* 0: all */
    int steps;
    bool quick;
};

static struct arguments read_arguments(int argc, char **argv)
{
    struct arguments a = { .json = "bench.json", .steps = 200 };

    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;

        if (strcmp(argv[i], "--quick") == 0) {
            a.quick = true;
            continue;
        }
        if (!value)
            bench_die("needs a value", argv[i]);
        if (strcmp(argv[i], "--model") == 0)
            a.model = value;
        else if (strcmp(argv[i], "--json") == 0)
            a.json = value;
        else if (strcmp(argv[i], "--kind") == 0)
            a.kind = value;
        else if (strcmp(argv[i], "--kernels") == 0)
            a.kernels = value;
        else if (strcmp(argv[i], "--size") == 0)
            a.size = (size_t)strtoul(value, NULL, 10);
        else if (strcmp(argv[i], "--steps") == 0)
            a.steps = atoi(value);
        else
            bench_die("no such option", argv[i]);
        i++;
    }
    if (a.steps < 10)
        bench_die("--steps", "at least 10");
    return a;
}

static struct bench_rows make_rows(size_t n, enum rows_kind kind, size_t n_rows)
{
    struct bench_rows rows = { rows_kind_name(kind), n, n_rows,
                               malloc(n * n_rows * sizeof(float)) };

    if (!rows.x)
        bench_die("rows", "no memory");
    for (size_t i = 0; i < n_rows; i++)
        rows_fill(rows.x + i * n, n, kind, i + 1);
    return rows;
}

static bool run_kind(struct bench_out *out, const struct arguments *a, size_t n,
                     enum rows_kind kind)
{
    struct bench_rows hot = make_rows(n, kind, 8);
    bool same = bench_table(out, &hot, "hot", a->kernels, a->steps);

    same &= bench_probs(out, &hot, a->steps);
    same &= bench_rmlx(out, &hot, a->steps);
    if (kind == ROWS_ORDINARY)
        same &= bench_batches(out, &hot, a->kernels, a->steps);
    free(hot.x);
    if (!a->quick && kind == ROWS_ORDINARY) {
        struct bench_rows cold = make_rows(n, kind, 64);

        same &= bench_table(out, &cold, "cold", a->kernels, a->steps);
        free(cold.x);
    }
    return same;
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = { 32000, 49152, 128256, 151936, 262144 };
    static const enum rows_kind kinds[] = { ROWS_ORDINARY, ROWS_FLAT, ROWS_TIED,
                                            ROWS_MASKED };
    struct arguments a = read_arguments(argc, argv);
    struct bench_out out = { NULL, true };
    bool same = true;

    llama_log_set(beside_quiet, NULL);
    if (!a.kernels)
        a.kernels = sortes_kernel_name();
    out.json = fopen(a.json, "w");
    if (!out.json)
        bench_die("cannot write", a.json);
    fprintf(out.json, "[");
    printf("kernels: %s; microseconds, medians of %d steps unless p90; llama = "
           "its candidate fill and its chain\n\n"
           "%7s %-9s %-5s %-26s %8s %8s %8s %7s %7s %6s %7s %7s\n",
           a.kernels, a.steps, "n", "rows", "cache", "chain", "llama", "p90",
           "(fill)", "sortes", "p90", "max", "ratio", "p90");
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        for (size_t j = 0; j < sizeof(kinds) / sizeof(kinds[0]); j++)
            if ((!a.size || a.size == sizes[i]) &&
                (!a.kind || strcmp(a.kind, rows_kind_name(kinds[j])) == 0))
                same &= run_kind(&out, &a, sizes[i], kinds[j]);
    if (a.model && !a.kind && !a.size)
        same &= bench_generate(&out, a.model, 128);
    fprintf(out.json, "\n]\n");
    if (fclose(out.json) != 0)
        bench_die("cannot write", a.json);
    if (!same)
        printf("\nsome tokens DIFFERED from llama.cpp's\n");
    return same ? 0 : 4;
}

/*
 * table.c - rows, shapes and caches: the engines interleaved row by row
 *
 * Each step times llama.cpp (its candidate fill, and its chain), sortes, and a
 * bare max pass, on three different rows of the cycle, so that no engine finds
 * a row warm because another has just read it.  "hot" cycles through 8 rows,
 * "cold" through 64: at 151,936 tokens more than the caches hold.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

struct bench_times bench_quantiles(double *seconds, size_t n)
{
    qsort(seconds, n, sizeof(*seconds), by_value);
    return (struct bench_times){ seconds[n / 2] * 1e6,
                                 seconds[n * 9 / 10] * 1e6 };
}

enum { T_FILL, T_LLAMA, T_SORTES, T_LIMIT, T_COUNT };

struct run {
    const struct bench_rows *rows;
    llama_token_data *data;
    struct llama_sampler *llama;
    sortes_sampler *sortes;
    const char *kernels;
    double *seconds[T_COUNT];
};

static llama_token step_llama(struct run *r, const float *x, int i)
{
    const double start = bench_now();
    llama_token_data_array a = beside_fill(r->data, x, r->rows->n);
    const double filled = bench_now();

    llama_sampler_apply(r->llama, &a);
    r->seconds[T_LLAMA][i] = bench_now() - start;
    r->seconds[T_FILL][i] = filled - start;
    return a.data[a.selected].id;
}

static int32_t step_sortes(struct run *r, const float *x, int i)
{
    const sortes_row row = { x, r->rows->n, SORTES_F32 };
    const double start = bench_now();
    sortes_draw draw;

    if (sortes_sampler_sample(r->sortes, &row, &draw) != SORTES_OK)
        bench_die("sample", "a row was refused");
    r->seconds[T_SORTES][i] = bench_now() - start;
    return draw.token;
}

static void step_limit(struct run *r, const float *x, int i)
{
    volatile float sink;
    const double start = bench_now();

    sink = bench_max_pass(x, r->rows->n, r->kernels);
    r->seconds[T_LIMIT][i] = bench_now() - start;
    (void)sink;
}

static void accept_both(struct run *r, int32_t token)
{
    llama_sampler_accept(r->llama, token);
    (void)sortes_sampler_accept(r->sortes, &token, 1, SORTES_GENERATED);
}

/*
 * sortes runs a third of the cycle behind llama.cpp, on the same rows in the
 * same order, so its tokens must be llama.cpp's.  Both windows take tokens of
 * the row's own index, not the drawn ones, so that they agree as well.
 */
static bool run_steps(struct run *r, int steps)
{
    const size_t n_rows = r->rows->n_rows;
    const int lag = (int)n_rows / 3;
    int32_t *want = malloc((size_t)(steps + lag) * sizeof(*want));
    bool same = true;

    if (!want)
        bench_die("table", "no memory");
    for (int i = 0; i < steps + lag; i++) {
        const float *x = r->rows->x;
        const size_t a = (size_t)i % n_rows;
        const size_t b = (size_t)(i + (int)n_rows - lag) % n_rows;
        const size_t c = (size_t)(i + lag) % n_rows;

        if (i < steps)
            want[i] = step_llama(r, x + a * r->rows->n, i);
        if (i >= lag)
            same &=
                step_sortes(r, x + b * r->rows->n, i - lag) == want[i - lag];
        step_limit(r, x + c * r->rows->n, i < steps ? i : steps - 1);
    }
    free(want);
    return same;
}

/* For DRY of few tokens, so that sequences recur. */
static void fill_windows(struct run *r, const struct bench_shape *shape)
{
    const size_t n = shape->dry > 0 ? 30 : r->rows->n;
    struct rows_random random = { 99 };

    for (int32_t i = 0; i < shape->last_n; i++)
        accept_both(r, (int32_t)rows_below(&random, n));
}

static void print_line(struct bench_out *out, const struct run *r,
                       const char *shape, const char *cache,
                       const struct bench_times t[T_COUNT], bool same)
{
    printf("%7zu %-9s %-5s %-26s %8.1f %8.1f %8.1f %7.1f %7.1f %6.1f %6.1fx "
           "%6.1fx%s\n",
           r->rows->n, r->rows->kind, cache, shape, t[T_LLAMA].median,
           t[T_LLAMA].p90, t[T_FILL].median, t[T_SORTES].median,
           t[T_SORTES].p90, t[T_LIMIT].median,
           t[T_LLAMA].median / t[T_SORTES].median,
           t[T_LLAMA].p90 / t[T_SORTES].p90, same ? "" : "  DIFFERENT TOKEN");
    fflush(stdout);
    fprintf(
        out->json,
        "%s\n  {\"n\":%zu,\"kind\":\"%s\",\"cache\":\"%s\",\"shape\":\"%s\","
        "\"kernels\":\"%s\",\"llama_us\":%.2f,\"llama_p90_us\":%.2f,"
        "\"llama_fill_us\":%.2f,\"sortes_us\":%.2f,\"sortes_p90_us\":%.2f,"
        "\"max_pass_us\":%.2f,\"same_tokens\":%s}",
        out->first ? "" : ",", r->rows->n, r->rows->kind, cache, shape,
        r->kernels, t[T_LLAMA].median, t[T_LLAMA].p90, t[T_FILL].median,
        t[T_SORTES].median, t[T_SORTES].p90, t[T_LIMIT].median,
        same ? "true" : "false");
    out->first = false;
}

static bool one_shape(struct bench_out *out, const struct bench_rows *rows,
                      const struct bench_shape *shape, const char *cache,
                      const char *kernels, int steps)
{
    struct run r = { rows,
                     malloc(rows->n * sizeof(llama_token_data)),
                     bench_llama(shape, rows->n, 42),
                     bench_sortes(shape, 42, kernels),
                     kernels,
                     { 0 } };
    struct bench_times t[T_COUNT];
    bool same;

    for (int i = 0; i < T_COUNT; i++)
        r.seconds[i] = calloc((size_t)steps, sizeof(double));
    fill_windows(&r, shape);
    same = run_steps(&r, steps);
    for (int i = 0; i < T_COUNT; i++) {
        t[i] = bench_quantiles(r.seconds[i], (size_t)steps);
        free(r.seconds[i]);
    }
    print_line(out, &r, shape->name, cache, t, same);
    llama_sampler_free(r.llama);
    sortes_sampler_free(r.sortes);
    free(r.data);
    return same;
}

bool bench_table(struct bench_out *out, const struct bench_rows *rows,
                 const char *cache, const char *kernels, int steps)
{
    bool same = true;

    for (size_t i = 0; i < bench_n_shapes; i++)
        same &= one_shape(out, rows, &bench_shapes[i], cache, kernels, steps);
    return same;
}

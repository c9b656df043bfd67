/*
 * batch.c - many sequences at once: one row each, on one thread and on two
 *
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { MAX_BATCH = 32, N_SIZES = 3 };

/* ---- a pool of one helper thread beside the caller ----------------------- */

struct pool {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    void (*fn)(void *job, size_t i);
    void *job;
    size_t n;
    atomic_size_t next;
    unsigned round; /* counts jobs handed out */
    unsigned done;  /* and those the helper has finished */
    bool stop;
};

static void take_items(struct pool *p)
{
    size_t i;

    while ((i = atomic_fetch_add(&p->next, 1)) < p->n)
        p->fn(p->job, i);
}

static void *help(void *arg)
{
    struct pool *p = arg;

    pthread_mutex_lock(&p->lock);
    while (!p->stop) {
        if (p->done == p->round) {
            pthread_cond_wait(&p->changed, &p->lock);
            continue;
        }
        pthread_mutex_unlock(&p->lock);
        take_items(p);
        pthread_mutex_lock(&p->lock);
        p->done = p->round;
        pthread_cond_broadcast(&p->changed);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static void parallel_for(void *ctx, size_t n, void (*fn)(void *job, size_t i),
                         void *job)
{
    struct pool *p = ctx;

    pthread_mutex_lock(&p->lock);
    p->fn = fn;
    p->job = job;
    p->n = n;
    atomic_store(&p->next, 0);
    p->round++;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    take_items(p);
    pthread_mutex_lock(&p->lock);
    while (p->done != p->round)
        pthread_cond_wait(&p->changed, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

static void pool_start(struct pool *p)
{
    *p = (struct pool){ .lock = PTHREAD_MUTEX_INITIALIZER,
                        .changed = PTHREAD_COND_INITIALIZER };
    if (pthread_create(&p->thread, NULL, help, p) != 0)
        bench_die("batch", "no thread");
}

static void pool_stop(struct pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
}

/* ---- the measurement ----------------------------------------------------- */

struct batch {
    size_t n;
    sortes_sampler *alone[MAX_BATCH], *shared[MAX_BATCH];
    struct llama_sampler *llama[MAX_BATCH];
    sortes_row rows[MAX_BATCH];
    sortes_draw draws[2][MAX_BATCH];
};

static void batch_rows(struct batch *b, const struct bench_rows *rows, int step)
{
    for (size_t i = 0; i < b->n; i++)
        b->rows[i] =
            (sortes_row){ rows->x +
                              ((i + (size_t)step) % rows->n_rows) * rows->n,
                          rows->n, SORTES_F32 };
}

static llama_token llama_one(struct llama_sampler *chain, const float *x,
                             llama_token_data *data, size_t n)
{
    llama_token_data_array a = beside_fill(data, x, n);

    llama_sampler_apply(chain, &a);
    return a.data[a.selected].id;
}

static bool batch_step(struct batch *b, llama_token_data *data,
                       struct pool *pool, double seconds[3])
{
    llama_token want[MAX_BATCH];
    double start = bench_now();
    bool same = true;

    for (size_t i = 0; i < b->n; i++)
        want[i] = llama_one(b->llama[i], b->rows[i].data, data, b->rows[i].n);
    seconds[0] = bench_now() - start;
    start = bench_now();
    (void)sortes_sampler_sample_batch(b->alone, b->rows, b->draws[0], NULL,
                                      b->n, NULL, NULL);
    seconds[1] = bench_now() - start;
    start = bench_now();
    (void)sortes_sampler_sample_batch(b->shared, b->rows, b->draws[1], NULL,
                                      b->n, parallel_for, pool);
    seconds[2] = bench_now() - start;
    for (size_t i = 0; i < b->n; i++)
        same &=
            b->draws[0][i].token == want[i] && b->draws[1][i].token == want[i];
    return same;
}

static bool one_batch(struct bench_out *out, const struct bench_rows *rows,
                      size_t n, const char *kernels, int steps)
{
    const struct bench_shape *shape = &bench_shapes[1];
    llama_token_data *data = malloc(rows->n * sizeof(*data));
    double *seconds[3] = { 0 };
    struct bench_times t[3];
    struct batch b = { .n = n };
    struct pool pool;
    bool same = true;

    pool_start(&pool);
    for (int k = 0; k < 3; k++)
        seconds[k] = calloc((size_t)steps, sizeof(double));
    for (size_t i = 0; i < n; i++) {
        b.alone[i] = bench_sortes(shape, 42 + (uint32_t)i, kernels);
        b.shared[i] = bench_sortes(shape, 42 + (uint32_t)i, kernels);
        b.llama[i] = bench_llama(shape, rows->n, 42 + (uint32_t)i);
    }
    for (int step = 0; step < steps; step++) {
        double s[3];

        batch_rows(&b, rows, step);
        same &= batch_step(&b, data, &pool, s);
        for (int k = 0; k < 3; k++)
            seconds[k][step] = s[k] / (double)n;
    }
    for (int k = 0; k < 3; k++) {
        t[k] = bench_quantiles(seconds[k], (size_t)steps);
        free(seconds[k]);
    }
    for (size_t i = 0; i < n; i++) {
        sortes_sampler_free(b.alone[i]);
        sortes_sampler_free(b.shared[i]);
        llama_sampler_free(b.llama[i]);
    }
    pool_stop(&pool);
    free(data);
    printf("%7zu %-9s batch %-2zu %-24s a row: llama %.1f, sortes %.1f "
           "(%.1fx), on 2 threads %.1f (%.1fx)%s\n",
           rows->n, rows->kind, n, shape->name, t[0].median, t[1].median,
           t[0].median / t[1].median, t[2].median, t[0].median / t[2].median,
           same ? "" : "  DIFFERENT TOKEN");
    fprintf(out->json,
            "%s\n  {\"n\":%zu,\"kind\":\"%s\",\"batch\":%zu,\"shape\":\"%s\","
            "\"kernels\":\"%s\",\"llama_us\":%.2f,\"sortes_us\":%.2f,"
            "\"sortes_2_threads_us\":%.2f,\"same_tokens\":%s}",
            out->first ? "" : ",", rows->n, rows->kind, n, shape->name, kernels,
            t[0].median, t[1].median, t[2].median, same ? "true" : "false");
    out->first = false;
    return same;
}

bool bench_batches(struct bench_out *out, const struct bench_rows *rows,
                   const char *kernels, int steps)
{
    static const size_t sizes[N_SIZES] = { 1, 8, 32 };
    bool same = true;

    for (int i = 0; i < N_SIZES; i++)
        same &=
            one_batch(out, rows, sizes[i], kernels, steps / (int)sizes[i] + 10);
    return same;
}

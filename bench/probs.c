/*
 * probs.c - log-probabilities before sampling: llama-server's n_probs 20
 *
 * That function is C++ inside the server, so its steps stand here: the fill of
 * candidates, std::partial_sort (in this library's own port, move for move),
 * expf and the sum in the order that leaves, the division.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"

#include "order/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_PROBS = 20 };

static void server_probs(struct srt_candidate *c, const float *x, size_t n)
{
    float max, sum = 0.0f;

    for (size_t i = 0; i < n; i++)
        c[i] = (struct srt_candidate){ (int32_t)i, x[i], 0.0f };
    srt_partial_sort(c, N_PROBS, n);
    max = c[0].logit;
    for (size_t i = 0; i < n; i++) {
        c[i].p = expf(c[i].logit - max);
        sum += c[i].p;
    }
    for (size_t i = 0; i < n; i++)
        c[i].p /= sum;
}

static bool same_probs(const struct srt_candidate *c, const sortes_logprob *top)
{
    for (size_t i = 0; i < N_PROBS; i++) {
        const float want = logf(c[i].p);

        if (top[i].token != c[i].id ||
            memcmp(&top[i].logprob, &want, sizeof(want)) != 0)
            return false;
    }
    return true;
}

bool bench_probs(struct bench_out *out, const struct bench_rows *rows,
                 int steps)
{
    sortes_sampler *s = bench_sortes(&bench_shapes[0], 1, sortes_kernel_name());
    struct srt_candidate *c = malloc(rows->n * sizeof(*c));
    double *seconds[2] = { malloc((size_t)steps * sizeof(double)),
                           malloc((size_t)steps * sizeof(double)) };
    struct bench_times t[2];
    bool same = true;

    if (!c || !seconds[0] || !seconds[1])
        bench_die("probs", "no memory");
    for (int i = 0; i < steps; i++) {
        const float *x = rows->x + ((size_t)i % rows->n_rows) * rows->n;
        const sortes_row row = { x, rows->n, SORTES_F32 };
        sortes_logprob top[N_PROBS];
        double start = bench_now();

        server_probs(c, x, rows->n);
        seconds[0][i] = bench_now() - start;
        start = bench_now();
        if (sortes_sampler_logprobs(s, &row, SORTES_LOGPROBS_RAW, 0, top,
                                    N_PROBS, NULL) != SORTES_OK)
            bench_die("probs", "a row was refused");
        seconds[1][i] = bench_now() - start;
        same &= same_probs(c, top);
    }
    for (int k = 0; k < 2; k++) {
        t[k] = bench_quantiles(seconds[k], (size_t)steps);
        free(seconds[k]);
    }
    printf("%7zu %-9s n_probs %d: llama-server's steps %.1f, sortes %.1f "
           "(%.1fx)%s\n",
           rows->n, rows->kind, N_PROBS, t[0].median, t[1].median,
           t[0].median / t[1].median, same ? "" : "  DIFFERENT");
    fprintf(out->json,
            "%s\n  {\"n\":%zu,\"kind\":\"%s\",\"n_probs\":%d,"
            "\"llama_us\":%.2f,\"sortes_us\":%.2f,\"same\":%s}",
            out->first ? "" : ",", rows->n, rows->kind, N_PROBS, t[0].median,
            t[1].median, same ? "true" : "false");
    out->first = false;
    sortes_sampler_free(s);
    free(c);
    return same;
}

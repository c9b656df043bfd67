/*
 * rmlx.c - rMLX's chain: the plan beside the literal steps
 *
 * rMLX itself runs on Apple's machines only.  The literal steps are its loops
 * over the vocabulary, in C and with a radix sort, so they stand for it as well
 * as anything can here: it sorts indices by comparison.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *request;
} rmlx_shapes[] = {
    { "greedy", "{\"temperature\":0}" },
    { "t.8", "{\"temperature\":0.8}" },
    { "k40 m.05 t.8", "{\"temperature\":0.8,\"min_p\":0.05,\"top_k\":40}" },
    { "p.95 t.8", "{\"temperature\":0.8,\"top_p\":0.95}" },
    { "p.95 m.05 k40 t.8",
      "{\"temperature\":0.8,\"top_p\":0.95,\"min_p\":0.05,\"top_k\":40}" },
};

static sortes_sampler *rmlx_sampler(const char *request, int reference)
{
    sortes_params *p;
    sortes_sampler *s;

    if (sortes_params_new(&p, "rmlx", NULL) != SORTES_OK ||
        sortes_params_read(p, "rmlx", request, strlen(request), NULL) !=
            SORTES_OK ||
        sortes_sampler_new(&s, p, NULL, NULL) != SORTES_OK)
        bench_die("rmlx", request);
    sortes_params_free(p);
    sortes_sampler_use_reference(s, reference);
    return s;
}

static double rmlx_step(sortes_sampler *s, const struct bench_rows *rows, int i,
                        int32_t *token)
{
    const sortes_row row = { rows->x + ((size_t)i % rows->n_rows) * rows->n,
                             rows->n, SORTES_F32 };
    const double start = bench_now();
    sortes_draw draw;

    if (sortes_sampler_sample(s, &row, &draw) != SORTES_OK)
        bench_die("rmlx", "a row was refused");
    *token = draw.token;
    return bench_now() - start;
}

static bool rmlx_one(struct bench_out *out, const struct bench_rows *rows,
                     size_t shape, int steps)
{
    sortes_sampler *s[2];
    double *seconds[2];
    struct bench_times t[2];
    bool same = true;

    for (int k = 0; k < 2; k++) {
        s[k] = rmlx_sampler(rmlx_shapes[shape].request, k);
        seconds[k] = malloc((size_t)steps * sizeof(double));
        if (!seconds[k])
            bench_die("rmlx", "no memory");
    }
    for (int i = 0; i < steps; i++) {
        int32_t token[2];

        for (int k = 0; k < 2; k++)
            seconds[k][i] = rmlx_step(s[k], rows, i, &token[k]);
        same &= token[0] == token[1];
    }
    for (int k = 0; k < 2; k++) {
        t[k] = bench_quantiles(seconds[k], (size_t)steps);
        free(seconds[k]);
        sortes_sampler_free(s[k]);
    }
    printf("%7zu %-9s rmlx %-18s literal %.1f, sortes %.1f (%.1fx)%s\n",
           rows->n, rows->kind, rmlx_shapes[shape].name, t[1].median,
           t[0].median, t[1].median / t[0].median, same ? "" : "  DIFFERENT");
    fprintf(out->json,
            "%s\n  {\"n\":%zu,\"kind\":\"%s\",\"rmlx\":\"%s\","
            "\"literal_us\":%.2f,\"sortes_us\":%.2f,\"same\":%s}",
            out->first ? "" : ",", rows->n, rows->kind, rmlx_shapes[shape].name,
            t[1].median, t[0].median, same ? "true" : "false");
    out->first = false;
    return same;
}

bool bench_rmlx(struct bench_out *out, const struct bench_rows *rows, int steps)
{
    bool same = true;

    for (size_t i = 0; i < sizeof(rmlx_shapes) / sizeof(rmlx_shapes[0]); i++)
        same &= rmlx_one(out, rows, i, steps / 4);
    return same;
}

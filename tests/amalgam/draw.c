/*
 * draw.c - draws from recorded rows and prints every bit that came out
 *
 *   draw ROWS.npy N_VOCAB [ftz]
 *
 * The program that a user of the two files might write: the public header
 * alone, compiled with whatever flags the user has.  It prints the tokens of
 * the default parameters on the first line, and then, for several chains, the
 * token, the candidates, the margin and a hash of all probabilities.  Two
 * builds are the same when they print the same.
 *
 * With "ftz" it fails unless this process flushes subnormals, so that the test
 * that wants such a process knows that it has one.
 *
 * SPDX-License-Identifier: MIT
 */
#include "sortes.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DRAW_ROWS = 4, DRAW_HEADER = 128, DRAW_SEED = 42 };

/* Each is a llama-server request; the first is that engine's default. */
static const char *const draw_requests[] = {
    "{}",
    "{\"temperature\":0}",
    "{\"top_k\":0,\"top_p\":1,\"min_p\":0}",
    "{\"top_k\":0,\"top_p\":0.9,\"min_p\":0}",
    "{\"top_k\":0,\"top_p\":1,\"min_p\":0.02,\"temperature\":1.7}",
    "{\"top_k\":500,\"top_p\":0.99,\"repeat_penalty\":1.3,"
    "\"frequency_penalty\":0.2,\"presence_penalty\":-0.4}",
};

static void draw_check(sortes_status status, const char *what)
{
    if (status == SORTES_OK)
        return;
    fprintf(stderr, "draw: %s: %s\n", what, sortes_status_name(status));
    exit(1);
}

static void *draw_read(const char *path, size_t n)
{
    FILE *file = fopen(path, "rb");
    char *rows = malloc(n);

    if (!file || !rows || fseek(file, DRAW_HEADER, SEEK_SET) != 0 ||
        fread(rows, 1, n, file) != n) {
        fprintf(stderr, "draw: cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    return rows;
}

static sortes_sampler *draw_sampler(const char *request)
{
    sortes_params *params;
    sortes_sampler *sampler;

    draw_check(sortes_params_new(&params, "llama.cpp", NULL), "params");
    draw_check(sortes_params_read(params, "llama-server", request,
                                  strlen(request), NULL),
               request);
    draw_check(sortes_params_set_seed(params, DRAW_SEED, NULL), "seed");
    draw_check(sortes_sampler_new(&sampler, params, NULL, NULL), "sampler");
    sortes_params_free(params);
    return sampler;
}

/* FNV-1a over the bits of all probabilities. */
static unsigned long long draw_hash(const float *p, size_t n)
{
    const unsigned char *bytes = (const unsigned char *)p;
    unsigned long long hash = 14695981039346656037u;
    size_t i;

    for (i = 0; i < n * sizeof(*p); i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    return hash;
}

static void draw_chain(const char *request, const unsigned char *rows, size_t n,
                       float *p)
{
    sortes_sampler *sampler = draw_sampler(request);
    sortes_draw draw;
    size_t i;

    printf("%s\n", request);
    for (i = 0; i < DRAW_ROWS; i++) {
        sortes_row row = { rows + i * 2 * n, n, SORTES_BF16 };

        draw_check(sortes_sampler_distribution(sampler, &row, p),
                   "distribution");
        draw_check(sortes_sampler_sample(sampler, &row, &draw), "sample");
        draw_check(
            sortes_sampler_accept(sampler, &draw.token, 1, SORTES_GENERATED),
            "accept");
        printf("%d %llu %a %016llx\n", (int)draw.token,
               (unsigned long long)draw.n_candidates, draw.margin,
               draw_hash(p, n));
    }
    sortes_sampler_free(sampler);
}

static void draw_tokens(const unsigned char *rows, size_t n)
{
    sortes_sampler *sampler = draw_sampler(draw_requests[0]);
    sortes_draw draw;
    size_t i;

    printf("tokens");
    for (i = 0; i < DRAW_ROWS; i++) {
        sortes_row row = { rows + i * 2 * n, n, SORTES_BF16 };

        draw_check(sortes_sampler_sample(sampler, &row, &draw), "sample");
        printf(" %d", (int)draw.token);
    }
    printf("\n");
    sortes_sampler_free(sampler);
}

int main(int argc, char **argv)
{
    const size_t n_requests = sizeof(draw_requests) / sizeof(draw_requests[0]);
    volatile float tiny = FLT_MIN;
    sortes_error err;
    unsigned char *rows;
    float *p;
    size_t n, i;

    if (argc < 3)
        return 2;
    if (argc > 3 && strcmp(argv[3], "ftz") == 0 && tiny / 2 != 0) {
        fprintf(stderr, "draw: this process does not flush subnormals\n");
        return 1;
    }
    n = (size_t)strtoul(argv[2], NULL, 10);
    rows = draw_read(argv[1], DRAW_ROWS * 2 * n);
    p = malloc(n * sizeof(*p));
    if (!p || sortes_selftest(&err) != SORTES_OK)
        return 1;
    draw_tokens(rows, n);
    for (i = 0; i < n_requests; i++)
        draw_chain(draw_requests[i], rows, n, p);
    free(p);
    free(rows);
    sortes_thread_release();
    return 0;
}

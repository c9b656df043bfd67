/*
 * play.c - sortes beside a living mlx, in one Python process
 *
 * A library for ctypes.  A player is one sequence, sampled by the literal
 * stages and by the plans on every instruction set of the machine at once; they
 * must agree in every field of a draw.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* the monotonic clock */
#endif

#include "kernel/kernel.h"
#include "numeric/mlx_exp.h"
#include "sortes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PLAY_SAMPLERS = 8, PLAY_DISAGREE = -1 };

struct player {
    sortes_sampler *samplers[PLAY_SAMPLERS]; /* the first: literal */
    size_t n;
};

struct player *play_new(const char *dialect, const char *json, char *refusal,
                        size_t room);
void play_free(struct player *p);
int play_accept(struct player *p, const int32_t *tokens, size_t n, int origin);
int play_sample(struct player *p, const sortes_row *row, sortes_draw *draw);
int play_draws(struct player *p, const sortes_row *row, int32_t *tokens,
               size_t n_draws);
int play_logprobs(struct player *p, const sortes_row *row, int32_t token,
                  size_t k, int32_t *ids, float *values);
int play_distribution(struct player *p, const sortes_row *row, float *out);
void play_exp(const float *x, float *out, size_t n);
double play_seconds(struct player *p, const sortes_row *row, int32_t *token);

void play_free(struct player *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n; i++)
        sortes_sampler_free(p->samplers[i]);
    free(p);
}

static sortes_status play_fill(struct player *p, const sortes_params *params,
                               sortes_error *err)
{
    const struct srt_kernels *k;
    sortes_status status =
        sortes_sampler_new(&p->samplers[p->n], params, NULL, err);

    if (status != SORTES_OK)
        return status;
    sortes_sampler_use_reference(p->samplers[p->n++], 1);
    for (size_t i = 0; (k = srt_kernels_at(i)) && p->n < PLAY_SAMPLERS; i++) {
        status = sortes_sampler_new(&p->samplers[p->n], params, NULL, err);
        if (status != SORTES_OK)
            return status;
        (void)sortes_sampler_use_kernels(p->samplers[p->n++], k->name);
    }
    return SORTES_OK;
}

struct player *play_new(const char *dialect, const char *json, char *refusal,
                        size_t room)
{
    struct player *p = calloc(1, sizeof(*p));
    sortes_params *params = NULL;
    sortes_error err = { 0 };
    sortes_status status = p ? SORTES_OK : SORTES_E_NOMEM;

    if (status == SORTES_OK)
        status = sortes_params_new(&params, dialect, &err);
    if (status == SORTES_OK)
        status = sortes_params_read(params, dialect, json, strlen(json), &err);
    if (status == SORTES_OK)
        status = play_fill(p, params, &err);
    sortes_params_free(params);
    if (status == SORTES_OK)
        return p;
    snprintf(refusal, room, "%s", err.text);
    play_free(p);
    return NULL;
}

int play_accept(struct player *p, const int32_t *tokens, size_t n, int origin)
{
    int status = 0;

    for (size_t i = 0; i < p->n; i++)
        status |= (int)sortes_sampler_accept(p->samplers[i], tokens, n,
                                             (sortes_origin)origin);
    return status;
}

/* A status, or PLAY_DISAGREE. */
int play_sample(struct player *p, const sortes_row *row, sortes_draw *draw)
{
    sortes_status first = SORTES_OK;

    for (size_t i = 0; i < p->n; i++) {
        sortes_draw own = { 0 };
        const sortes_status status =
            sortes_sampler_sample(p->samplers[i], row, &own);

        if (i == 0) {
            first = status;
            *draw = own;
        }
        if (status != first || memcmp(&own, draw, sizeof(own)) != 0)
            return PLAY_DISAGREE;
    }
    return (int)first;
}

int play_draws(struct player *p, const sortes_row *row, int32_t *tokens,
               size_t n_draws)
{
    for (size_t i = 0; i < n_draws; i++) {
        sortes_draw draw;
        const int status = play_sample(p, row, &draw);

        if (status != 0)
            return status;
        tokens[i] = draw.token;
    }
    return 0;
}

int play_logprobs(struct player *p, const sortes_row *row, int32_t token,
                  size_t k, int32_t *ids, float *values)
{
    sortes_logprob *top = calloc(k + 1, sizeof(*top));
    sortes_status status = top ? SORTES_OK : SORTES_E_NOMEM;

    if (status == SORTES_OK)
        status =
            sortes_sampler_logprobs(p->samplers[1], row, SORTES_LOGPROBS_RAW,
                                    token, top, k, &values[k]);
    for (size_t i = 0; i < k && status == SORTES_OK; i++) {
        ids[i] = top[i].token;
        values[i] = top[i].logprob;
    }
    free(top);
    return (int)status;
}

int play_distribution(struct player *p, const sortes_row *row, float *out)
{
    return (int)sortes_sampler_distribution(p->samplers[0], row, out);
}

void play_exp(const float *x, float *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = srt_mlx_exp(x[i]);
}

static double play_now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One draw of the plans on the best instruction set alone. */
double play_seconds(struct player *p, const sortes_row *row, int32_t *token)
{
    const double start = play_now();
    sortes_draw draw = { .token = -1 };

    (void)sortes_sampler_sample(p->samplers[p->n - 1], row, &draw);
    *token = draw.token;
    return play_now() - start;
}

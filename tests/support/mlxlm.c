/*
 * mlxlm.c - samplers of the mlx-lm dialect on a few logits, for tests
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/mlxlm.h"

#include "kernel/kernel.h"
#include "numeric/bits.h"
#include "support/requests.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLERS_MOST = 64, ROW_MOST = 300000 };

static sortes_sampler *mlxlm_given[SAMPLERS_MOST];
static size_t mlxlm_n_given;
static float mlxlm_floats[ROW_MOST];
static uint16_t mlxlm_narrow[ROW_MOST];

static sortes_status mlxlm_make(const char *request, sortes_sampler **out,
                                sortes_error *err)
{
    sortes_params *p = requests_fresh_of("mlx-lm");
    sortes_status status = requests_read(p, "mlx-lm", request, err);

    *out = NULL;
    if (status == SORTES_OK)
        status = sortes_sampler_new(out, p, NULL, err);
    sortes_params_free(p);
    return status;
}

sortes_sampler *mlxlm_sampler(const char *request)
{
    sortes_sampler *s;
    sortes_error err;

    assert_true(mlxlm_n_given < SAMPLERS_MOST);
    if (mlxlm_make(request, &s, &err) != SORTES_OK)
        fail_msg("%s: %s", request, err.text);
    mlxlm_given[mlxlm_n_given++] = s;
    return s;
}

int mlxlm_teardown(void **state)
{
    (void)state;
    while (mlxlm_n_given > 0)
        sortes_sampler_free(mlxlm_given[--mlxlm_n_given]);
    return 0;
}

void mlxlm_check_refused(const char *request, sortes_status status,
                         const char *text)
{
    sortes_sampler *s;
    sortes_error err = { 0 };

    if (mlxlm_make(request, &s, &err) != status || strcmp(err.text, text) != 0)
        fail_msg("%s: %s: %s", request, sortes_status_name(err.status),
                 err.text);
    assert_null(s);
}

sortes_row mlxlm_row(const float *x, size_t n, sortes_dtype type)
{
    assert_true(n <= ROW_MOST);
    memcpy(mlxlm_floats, x, n * sizeof(*x));
    return rows_as(mlxlm_floats, mlxlm_narrow, n, type);
}

sortes_status mlxlm_draw_status(sortes_sampler *s, const float *x, size_t n,
                                sortes_dtype type)
{
    const sortes_row row = mlxlm_row(x, n, type);
    sortes_draw d, before;

    memset(&d, 7, sizeof(d));
    before = d;
    const sortes_status status = sortes_sampler_sample(s, &row, &d);

    if (status != SORTES_OK)
        assert_memory_equal(&d, &before, sizeof(d));
    return status;
}

sortes_draw mlxlm_draw(sortes_sampler *s, const float *x, size_t n,
                       sortes_dtype type)
{
    const sortes_row row = mlxlm_row(x, n, type);
    sortes_draw d;

    assert_int_equal(sortes_sampler_sample(s, &row, &d), SORTES_OK);
    return d;
}

void mlxlm_accept(sortes_sampler *s, sortes_origin origin, size_t n,
                  const int32_t *tokens)
{
    assert_int_equal(sortes_sampler_accept(s, tokens, n, origin), SORTES_OK);
}

static void mlxlm_take(void *ctx, const sortes_stage_view *view)
{
    struct mlxlm_run *run = ctx;
    struct mlxlm_stage *to = &run->stages[run->n++];

    assert_true(run->n <= MLXLM_STAGES && view->n <= MLXLM_MOST);
    snprintf(to->name, sizeof(to->name), "%s", view->stage);
    to->n = view->n;
    to->selected = view->selected;
    for (size_t i = 0; i < view->n; i++) {
        assert_int_equal(view->token[i], i);
        to->logit[i] = view->logit[i];
        to->p[i] = view->p[i];
    }
}

const struct mlxlm_run *mlxlm_explain(sortes_sampler *s, const float *x,
                                      size_t n, sortes_dtype type)
{
    static struct mlxlm_run run;
    const sortes_row row = mlxlm_row(x, n, type);

    run.n = 0;
    assert_int_equal(sortes_sampler_explain(s, &row, mlxlm_take, &run),
                     SORTES_OK);
    return &run;
}

static const struct mlxlm_stage *mlxlm_find(const struct mlxlm_run *run,
                                            const char *name)
{
    for (size_t i = 0; i < run->n; i++)
        if (strcmp(run->stages[i].name, name) == 0)
            return &run->stages[i];
    fail_msg("no stage %s", name);
    return NULL;
}

void mlxlm_check_stage(const struct mlxlm_run *run, const char *name,
                       const float *logit, size_t n)
{
    const struct mlxlm_stage *stage = mlxlm_find(run, name);

    assert_int_equal(stage->n, n);
    for (size_t i = 0; i < n; i++)
        if (srt_bits32(stage->logit[i]) != srt_bits32(logit[i]))
            fail_msg("%s: token %zu is at %a, want %a", name, i,
                     (double)stage->logit[i], (double)logit[i]);
}

uint64_t mlxlm_kept(const struct mlxlm_run *run, const char *name)
{
    const struct mlxlm_stage *stage = mlxlm_find(run, name);
    uint64_t kept = 0;

    for (size_t i = 0; i < stage->n; i++)
        if (stage->logit[i] > -INFINITY)
            kept |= (uint64_t)1 << i;
    return kept;
}

/* ---- twins --------------------------------------------------------------- */

static sortes_row mlxlm_twins_row(const struct mlxlm_twins *t, int draw)
{
    rows_fill(mlxlm_floats, t->n, t->kind, t->seed + (uint64_t)draw);
    for (size_t i = 0; t->scale != 0.0f && i < t->n; i++)
        mlxlm_floats[i] *= t->scale;
    return rows_as(mlxlm_floats, mlxlm_narrow, t->n, t->type);
}

static void mlxlm_twins_step(const struct mlxlm_twins *t, const char *kernels,
                             int draw, sortes_sampler *plan,
                             sortes_sampler *literal)
{
    const sortes_row row = mlxlm_twins_row(t, draw);
    sortes_draw a = { .token = -9 }, b = { .token = -9 };
    const sortes_status sa = sortes_sampler_sample(plan, &row, &a);
    const sortes_status sb = sortes_sampler_sample(literal, &row, &b);

    if (sa != sb || memcmp(&a, &b, sizeof(a)) != 0)
        fail_msg("%s, row of %zu %s, type %d, seed %llu + %d, scale %g, %s: "
                 "plan %s, token %d of %llu, margin %a; stages %s, token %d of "
                 "%llu, margin %a",
                 t->request, t->n, rows_kind_name(t->kind), (int)t->type,
                 (unsigned long long)t->seed, draw, (double)t->scale, kernels,
                 sortes_status_name(sa), a.token,
                 (unsigned long long)a.n_candidates, a.margin,
                 sortes_status_name(sb), b.token,
                 (unsigned long long)b.n_candidates, b.margin);
    if (sa != SORTES_OK)
        return;
    mlxlm_accept(plan, SORTES_GENERATED, 1, &a.token);
    mlxlm_accept(literal, SORTES_GENERATED, 1, &a.token);
}

void mlxlm_twins_compare(const struct mlxlm_twins *t)
{
    const struct srt_kernels *k;

    for (size_t i = 0; (k = srt_kernels_at(i)) != NULL; i++) {
        sortes_sampler *plan = mlxlm_sampler(t->request);
        sortes_sampler *literal = mlxlm_sampler(t->request);

        sortes_sampler_use_reference(literal, 1);
        assert_int_equal(sortes_sampler_use_kernels(plan, k->name), SORTES_OK);
        for (int draw = 0; draw < (t->n_draws > 0 ? t->n_draws : 3); draw++)
            mlxlm_twins_step(t, k->name, draw, plan, literal);
        (void)mlxlm_teardown(NULL);
    }
}

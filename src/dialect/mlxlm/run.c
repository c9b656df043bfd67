/*
 * run.c - one step by the literal stages, and shown stage by stage
 *
 * Source: mlx-lm 0.32.2, generate.py, generate_step: processors, then
 * logits - logsumexp(logits), then the sampler.
 *
 * Float order of logsumexp: in float whatever the type: the maximum, the sum of
 * exp(x - max) in id order, ln(sum) + max; in bf16 that is rounded, and the
 * difference again.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/mlxlm/chain.h"
#include "numeric/mlx_exp.h"
#include "numeric/numeric.h"

#include <math.h>
#include <string.h>

sortes_status srt_mlxlm_open(struct srt_mlxlm *m, const sortes_row *row,
                             struct srt_mlxlm_row *out)
{
    struct srt_scratch *s;
    sortes_status status;

    if (row->type == SORTES_F16)
        return SORTES_E_ARGUMENT;
    out->row = *row;
    out->set = &m->settings[row->type == SORTES_BF16];
    if (!srt_constraint_is_set(&m->constraint))
        return SORTES_OK;
    s = srt_scratch_get(row->n);
    if (!s)
        return SORTES_E_NOMEM;
    /* also what the mask will hide */
    if (!m->kernels->row[row->type].block_max(row->data, row->n, s->block_max))
        return SORTES_E_NOT_FINITE;
    status = srt_constraint_mask_row(&m->constraint, row, s->keys, s->masked);
    out->row.data = s->masked;
    out->row.type = SORTES_F32;
    return status;
}

sortes_status srt_mlxlm_log_softmax(float *x, size_t n, bool narrow)
{
    float max = -INFINITY, sum = 0.0f, lse;

    for (size_t i = 0; i < n; i++) {
        if (!(x[i] <= FLT_MAX))
            return SORTES_E_NOT_FINITE;
        max = x[i] > max ? x[i] : max;
    }
    if (max == -INFINITY)
        return SORTES_E_NO_TOKEN;
    for (size_t i = 0; i < n; i++)
        sum += srt_mlx_exp(x[i] - max);
    lse = srt_mlxlm_keep(srt_logf(sum) + max, narrow);
    for (size_t i = 0; i < n; i++)
        x[i] = srt_mlxlm_keep(x[i] - lse, narrow);
    return SORTES_OK;
}

/* ---- looking on ---------------------------------------------------------- */

struct mlxrun_looker {
    srt_look *look; /* NULL: nobody looks */
    void *ctx;
};

/* p: NULL, or what to show as probabilities. */
static void mlxrun_show(const struct mlxrun_looker *l,
                        const struct srt_mlxlm_work *w, const char *stage,
                        const float *p, int64_t selected)
{
    sortes_stage_view view = { .stage = stage, .selected = selected };

    if (!l->look)
        return;
    if (!p)
        memset(w->scratch->forced, 0, w->n * sizeof(float));
    view.n = w->n;
    view.token = w->scratch->ids;
    view.logit = w->x;
    view.p = p ? p : w->scratch->forced;
    l->look(l->ctx, &view);
}

/* ---- stages -------------------------------------------------------------- */

static sortes_status mlxrun_processors(const struct srt_mlxlm_work *w,
                                       const struct mlxrun_looker *l)
{
    for (unsigned i = 0; i < SRT_MLXLM_PROCESSORS; i++) {
        sortes_status status;

        if (!srt_mlxlm_has_processor(w->chain, i))
            continue;
        status = srt_mlxlm_process(w->chain, w->set->narrow, i, w->x, w->n);
        if (status != SORTES_OK)
            return status;
        mlxrun_show(l, w, srt_mlxlm_processor_names[i], NULL, -1);
    }
    return SORTES_OK;
}

static sortes_status mlxrun_filters(struct srt_mlxlm_work *w,
                                    const struct mlxrun_looker *l)
{
    sortes_status status = SORTES_OK;

    if (w->set->has_top_p) {
        srt_mlxlm_top_p(w);
        mlxrun_show(l, w, "top_p", NULL, -1);
    }
    if (w->set->has_min_p) {
        status = srt_mlxlm_min_p(w);
        if (status != SORTES_OK)
            return status;
        mlxrun_show(l, w, "min_p", NULL, -1);
    }
    if (w->set->has_xtc) {
        status = srt_mlxlm_xtc(w);
        if (status != SORTES_OK)
            return status;
        mlxrun_show(l, w, "xtc", NULL, -1);
    }
    if (w->set->top_k > 0) {
        status = srt_mlxlm_top_k(w);
        if (status == SORTES_OK)
            mlxrun_show(l, w, "top_k", NULL, -1);
    }
    return status;
}

/* The first of the greatest; there is one above -inf. */
static int32_t mlxrun_argmax(struct srt_mlxlm_work *w)
{
    size_t best = 0;

    for (size_t i = 1; i < w->n; i++)
        if (w->x[i] > w->x[best])
            best = i;
    w->step->n_candidates = 1;
    w->step->margin = 1.0;
    return (int32_t)best;
}

static sortes_status mlxrun_choose(struct srt_mlxlm_work *w,
                                   const struct mlxrun_looker *l,
                                   int32_t *token)
{
    sortes_status status;

    if (w->set->greedy) {
        *token = mlxrun_argmax(w);
        mlxrun_show(l, w, "greedy", NULL, *token);
        return SORTES_OK;
    }
    status = mlxrun_filters(w, l);
    if (status != SORTES_OK)
        return status;
    for (size_t i = 0; i < w->n; i++)
        w->x[i] = srt_mlxlm_keep(w->x[i] * w->set->scale, w->set->narrow);
    mlxrun_show(l, w, "temperature", NULL, -1);
    status = srt_mlxlm_draw(w, token);
    if (status == SORTES_OK)
        mlxrun_show(l, w, "draw", w->set->gumbel ? NULL : w->scratch->weights,
                    *token);
    return status;
}

static sortes_status mlxrun_stages(struct srt_mlxlm_work *w,
                                   const struct mlxrun_looker *l,
                                   int32_t *token)
{
    sortes_status status = mlxrun_processors(w, l);

    if (status == SORTES_OK)
        status = srt_mlxlm_log_softmax(w->x, w->n, w->set->narrow);
    if (status != SORTES_OK)
        return status;
    mlxrun_show(l, w, "logprobs", NULL, -1);
    return mlxrun_choose(w, l, token);
}

static sortes_status mlxrun_row(struct srt_mlxlm *m, const sortes_row *row,
                                struct srt_mlxlm_step *step,
                                const struct mlxrun_looker *l, int32_t *token)
{
    struct srt_mlxlm_work w = { .chain = m, .step = step, .n = row->n };
    struct srt_mlxlm_row open;
    const sortes_status status = srt_mlxlm_open(m, row, &open);

    if (status != SORTES_OK)
        return status;
    w.set = open.set;
    w.scratch = srt_scratch_get(row->n);
    if (!w.scratch)
        return SORTES_E_NOMEM;
    w.x = w.scratch->raw;
    for (size_t i = 0; i < w.n; i++) {
        w.x[i] = srt_row_at(&open.row, i);
        w.scratch->ids[i] = (int32_t)i;
        if (!(w.x[i] <= FLT_MAX))
            return SORTES_E_NOT_FINITE;
    }
    mlxrun_show(l, &w, "logits", NULL, -1);
    return mlxrun_stages(&w, l, token);
}

sortes_status srt_mlxlm_run(struct srt_mlxlm *m, const sortes_row *row,
                            struct srt_mlxlm_step *step, int32_t *token)
{
    struct mlxrun_looker l = { 0 };

    return mlxrun_row(m, row, step, &l, token);
}

sortes_status srt_mlxlm_explain(void *chain, const sortes_row *row,
                                srt_look *look, void *ctx)
{
    struct srt_mlxlm *m = chain;
    struct srt_mlxlm_step step = m->now;
    struct mlxrun_looker l = { .look = look, .ctx = ctx };
    int32_t token;

    return mlxrun_row(m, row, &step, &l, &token);
}

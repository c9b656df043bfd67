/*
 * plan.c - mlx-lm's step without its passes over the whole row
 *
 * Exact because of three facts.  A sequential float sum can be had in blocks
 * (numeric/ordered_sum.h).  Log-probabilities rise with the logits, so what
 * stands above a line can be gathered by the maxima of the row's blocks.  And
 * top-p's sum over the sorted row, most of mlx-lm's time, need not be known:
 * its bounds nearly always tell which token is the last to stay (plan_cut.c).
 *
 * min_tokens_to_keep, the Gumbel draw, XTC on bf16 or on the whole row, and
 * rows too short to be worth it go to the literal stages.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/mlxlm/plan.h"
#include "numeric/mlx_exp.h"
#include "numeric/numeric.h"

#include <math.h>
#include <string.h>

/* Rows up to this long are not worth a plan. */
enum { MLXPLAN_SMALL = 512 };

float srt_mlxlm_plan_least(const struct srt_mlxlm_plan *p, float line)
{
    int32_t low = srt_float_key(-FLT_MAX), high = srt_float_key(p->max);

    while (low < high) {
        const int32_t mid = (int32_t)(low + ((int64_t)high - low) / 2);

        if (srt_mlxlm_plan_lp(p, srt_float_unkey(mid)) >= line)
            high = mid;
        else
            low = mid + 1;
    }
    return srt_float_unkey(low);
}

static const struct srt_row_kernels *
mlxplan_kernels(const struct srt_mlxlm_plan *p)
{
    return &p->kernels->row[p->row.type];
}

void srt_mlxlm_plan_gather(struct srt_mlxlm_plan *p, float line)
{
    struct srt_scratch *s = p->scratch;

    p->n_kept = mlxplan_kernels(p)->gather(p->row.data, p->row.n, s->block_max,
                                           srt_mlxlm_plan_least(p, line),
                                           s->ids, s->raw);
    for (size_t i = 0; i < p->n_kept; i++)
        s->raw[i] = srt_mlxlm_plan_lp(p, s->raw[i]);
}

/* The row's sum, and what follows from it. */
static void mlxplan_weigh(struct srt_mlxlm_plan *p)
{
    struct srt_mlx_sum sum = { .term = { .scale = 1.0f, .max = p->max },
                               .lowest = INFINITY };

    mlxplan_kernels(p)->mlx_sum(&sum, p->row.data, p->row.n);
    p->sum = sum.sum;
    p->lse = srt_mlxlm_keep(srt_logf(sum.sum) + p->max, p->set->narrow);
    p->best = srt_mlxlm_plan_lp(p, p->max);
}

/* The k-th largest of the kept; k <= n_kept. */
static float mlxplan_nth(struct srt_mlxlm_plan *p, size_t k)
{
    struct srt_scratch *s = p->scratch;

    memcpy(s->values, s->raw, p->n_kept * sizeof(*s->values));
    srt_sort_values(s->values, s->keys, p->n_kept);
    return s->values[k - 1];
}

static void mlxplan_drop(struct srt_mlxlm_plan *p, float line, size_t n_at_line)
{
    struct srt_scratch *s = p->scratch;
    size_t n = 0;

    for (size_t i = 0; i < p->n_kept; i++) {
        if (s->raw[i] < line || (s->raw[i] == line && n_at_line == 0))
            continue;
        n_at_line -= s->raw[i] == line;
        s->ids[n] = s->ids[i];
        s->raw[n++] = s->raw[i];
    }
    p->n_kept = n;
}

void srt_mlxlm_plan_narrow(struct srt_mlxlm_plan *p, float line, size_t k)
{
    const float *x = p->scratch->raw;
    size_t above = 0;

    mlxplan_drop(p, line, SIZE_MAX);
    if (k == 0 || p->n_kept <= k)
        return;
    line = mlxplan_nth(p, k);
    for (size_t i = 0; i < p->n_kept; i++)
        above += x[i] > line;
    mlxplan_drop(p, line, k - above);
}

/* The softmax of the kept ones is that of the row: what has fallen adds 0. */
static sortes_status mlxplan_xtc(struct srt_mlxlm_plan *p)
{
    const struct srt_mlxlm_settings *set = p->set;
    struct srt_scratch *s = p->scratch;
    struct srt_mlx_sum sum = { .term = { .scale = 1.0f, .max = p->best },
                               .lowest = INFINITY };
    float least = INFINITY, by;
    size_t n = 0;

    if (srt_mlxlm_xtc_check(p->chain, p->row.n) != SORTES_OK)
        return SORTES_E_ARGUMENT;
    if (srt_mlxlm_uniform(&p->step->state) > set->xtc_chance)
        return SORTES_OK;
    p->kernels->row[SORTES_F32].mlx_sum(&sum, s->raw, p->n_kept);
    by = 1.0f / sum.sum;
    for (size_t i = 0; i < p->n_kept; i++) {
        s->weights[i] = srt_mlx_exp_inline(s->raw[i] - p->best) * by;
        if (s->weights[i] > set->xtc_line && s->weights[i] < least)
            least = s->weights[i];
    }
    p->best = -INFINITY;
    for (size_t i = 0; i < p->n_kept; i++) {
        if (s->weights[i] > least &&
            !srt_mlxlm_xtc_spares(p->chain, (size_t)s->ids[i]))
            continue;
        p->best = s->raw[i] > p->best ? s->raw[i] : p->best;
        s->ids[n] = s->ids[i];
        s->raw[n++] = s->raw[i];
    }
    p->n_kept = n;
    return SORTES_OK;
}

/* A line that at least the top k reach. */
static float mlxplan_line_of_k(const struct srt_mlxlm_plan *p, size_t k)
{
    const float floor = srt_kernels_floor(p->kernels, p->scratch->block_max,
                                          p->n_blocks, p->max, k);

    return floor == -FLT_MAX ? -INFINITY : srt_mlxlm_plan_lp(p, floor);
}

static sortes_status mlxplan_sample(struct srt_mlxlm_plan *p, int32_t *token)
{
    const struct srt_mlxlm_settings *set = p->set;
    /* xtc may take what stands among the top k before it. */
    const size_t k = set->has_xtc ? 0 : set->top_k;
    float line = -INFINITY, floor = -INFINITY;
    sortes_status status = SORTES_OK;

    if (set->has_min_p)
        floor = line = srt_mlxlm_keep(p->best + set->ln_min_p, set->narrow);
    if (k > 0) {
        const float reached = mlxplan_line_of_k(p, k);

        floor = reached > floor ? reached : floor;
    }
    if (set->has_top_p) {
        const float cut = srt_mlxlm_plan_cut(p, floor, k);

        line = cut > line ? cut : line;
    } else if (floor == -INFINITY && k == 0) {
        return srt_mlxlm_plan_draw(p, true, token);
    } else {
        srt_mlxlm_plan_gather(p, floor);
    }
    srt_mlxlm_plan_narrow(p, line, k);
    if (set->has_xtc) {
        status = mlxplan_xtc(p);
        srt_mlxlm_plan_narrow(p, -INFINITY, set->top_k);
    }
    return status == SORTES_OK ? srt_mlxlm_plan_draw(p, false, token) : status;
}

/*
 * The first of those whose log-probability is the best one's.  Further below
 * the largest logit than this, no rounding reaches: log-probabilities near the
 * best lie in (-32, 1), more than one bf16 unit of the logits aside.
 */
static sortes_status mlxplan_greedy(struct srt_mlxlm_plan *p, int32_t *token)
{
    struct srt_scratch *s = p->scratch;
    const float slack = p->set->narrow ? 0.5f + fabsf(p->max) * 0x1p-6f
                                       : 0x1p-16f + fabsf(p->max) * 0x1p-21f;
    const size_t n = mlxplan_kernels(p)->gather(
        p->row.data, p->row.n, s->block_max, p->max - slack, s->ids, s->raw);
    size_t first = 0;

    p->step->n_candidates = 1;
    p->step->margin = 1.0;
    if (s->raw[0] != p->max) {
        mlxplan_weigh(p);
        while (first + 1 < n && srt_mlxlm_plan_lp(p, s->raw[first]) != p->best)
            first++;
    }
    *token = s->ids[first];
    return SORTES_OK;
}

static sortes_status mlxplan_check(struct srt_mlxlm_plan *p)
{
    struct srt_scratch *s = p->scratch;

    if (!mlxplan_kernels(p)->block_max(p->row.data, p->row.n, s->block_max))
        return SORTES_E_NOT_FINITE;
    p->max = -INFINITY;
    for (size_t i = 0; i < p->n_blocks; i++)
        p->max = s->block_max[i] > p->max ? s->block_max[i] : p->max;
    return SORTES_OK;
}

/* Biases and penalties are written into a copy. */
static sortes_status mlxplan_process(struct srt_mlxlm_plan *p,
                                     const struct srt_mlxlm *m)
{
    float *x = p->scratch->forced;
    sortes_status status = SORTES_OK;

    mlxplan_kernels(p)->widen(p->row.data, p->row.n, x);
    for (unsigned i = 0; i < SRT_MLXLM_PROCESSORS && status == SORTES_OK; i++)
        if (srt_mlxlm_has_processor(m, i))
            status = srt_mlxlm_process(m, p->set->narrow, i, x, p->row.n);
    p->row.data = x;
    p->row.type = SORTES_F32;
    return status == SORTES_OK ? mlxplan_check(p) : status;
}

/* XTC's softmax in bf16 rounds its sum at every term, and on the whole row it
 * would change the row. */
static bool mlxplan_has_plan(const struct srt_mlxlm_settings *set, size_t n)
{
    if (n <= MLXPLAN_SMALL)
        return false;
    if (set->greedy)
        return true;
    if (set->has_xtc && (set->narrow || !(set->has_top_p || set->has_min_p)))
        return false;
    return !set->gumbel && set->top_k < n &&
           !(set->has_min_p && set->min_keep > 1);
}

sortes_status srt_mlxlm_plan(struct srt_mlxlm *m, const sortes_row *row,
                             struct srt_mlxlm_step *step, int32_t *token)
{
    struct srt_mlxlm_plan p = { .chain = m,
                                .kernels = m->kernels,
                                .step = step };
    struct srt_mlxlm_row open;
    sortes_status status;

    if (!mlxplan_has_plan(&m->settings[row->type == SORTES_BF16], row->n))
        return srt_mlxlm_run(m, row, step, token);
    status = srt_mlxlm_open(m, row, &open);
    if (status != SORTES_OK)
        return status;
    p.row = open.row;
    p.set = open.set;
    p.n_blocks = (row->n + SRT_BLOCK - 1) / SRT_BLOCK;
    p.scratch = srt_scratch_get(row->n);
    if (!p.scratch)
        return SORTES_E_NOMEM;
    status = mlxplan_check(&p);
    if (status == SORTES_OK && srt_mlxlm_processes(m))
        status = mlxplan_process(&p, m);
    if (status != SORTES_OK)
        return status;
    if (p.max == -INFINITY)
        return SORTES_E_NO_TOKEN;
    if (p.set->greedy)
        return mlxplan_greedy(&p, token);
    mlxplan_weigh(&p);
    return mlxplan_sample(&p, token);
}

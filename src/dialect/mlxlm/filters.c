/*
 * filters.c - top-p, min-p, XTC and top-k on log-probabilities, literally
 *
 * Source: mlx-lm 0.32.2, sample_utils.py: apply_top_p, apply_min_p, apply_xtc,
 * apply_top_k.  What falls becomes -inf; nothing is renormalised.
 *
 * Float order:
 *   top-p   exp in float whatever the type; sums from the best downwards, one
 *           by one; the line is the float product top_p * sum
 *   min-p   the line is the best plus ln(min_p), in the row's type
 *   XTC     softmax in the row's type, the sum included: in bf16 it is rounded
 *           at every term
 *   top-k   no arithmetic: by value, the lower id first among equals, which is
 *           what MLX's CPU back end makes of argpartition
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/mlxlm/chain.h"
#include "numeric/mlx_exp.h"

#include <math.h>
#include <string.h>

static float mlxfilters_max(const float *x, size_t n)
{
    float max = -INFINITY;

    for (size_t i = 0; i < n; i++)
        max = x[i] > max ? x[i] : max;
    return max;
}

static void mlxfilters_cut(float *x, size_t n, float line)
{
    for (size_t i = 0; i < n; i++)
        if (x[i] < line)
            x[i] = -INFINITY;
}

/* scratch->values = x in descending order. */
static const float *mlxfilters_sort(const struct srt_mlxlm_work *w)
{
    float *v = w->scratch->values;

    memcpy(v, w->x, w->n * sizeof(*v));
    srt_sort_values(v, w->scratch->keys, w->n);
    return v;
}

size_t srt_mlxlm_top_p_kept(const float *e, size_t n, float top_p, float sum)
{
    const float target = top_p * sum;
    float above = 0.0f;
    size_t i = 0;

    for (; i < n && above < target; i++)
        above += e[i];
    return i;
}

/* A token stays while the mass above it is below top_p's share of the whole,
 * and with it all that tie with the last one. */
void srt_mlxlm_top_p(struct srt_mlxlm_work *w)
{
    const float *v = mlxfilters_sort(w);
    float *e = w->scratch->weights, sum = 0.0f;

    for (size_t i = 0; i < w->n; i++) {
        e[i] = srt_mlx_exp(v[i]);
        sum += e[i];
    }
    mlxfilters_cut(w->x, w->n,
                   v[srt_mlxlm_top_p_kept(e, w->n, w->set->top_p, sum) - 1]);
}

/* Marks the last of the `keep` greatest in ascending order of (value, id):
 * of equal values the higher ids. */
static void mlxfilters_keep_greatest(struct srt_mlxlm_work *w, size_t keep,
                                     bool *kept)
{
    const float least = mlxfilters_sort(w)[keep - 1];
    size_t n = 0;

    for (size_t i = 0; i < w->n; i++) {
        kept[i] = w->x[i] > least;
        n += kept[i];
    }
    for (size_t i = w->n; i > 0 && n < keep; i--) {
        if (w->x[i - 1] != least)
            continue;
        kept[i - 1] = true;
        n++;
    }
}

sortes_status srt_mlxlm_min_p(struct srt_mlxlm_work *w)
{
    const float line = srt_mlxlm_keep(
        mlxfilters_max(w->x, w->n) + w->set->ln_min_p, w->set->narrow);
    bool *kept = (void *)w->scratch->spare; /* room for n of far more */

    if (w->set->min_keep > w->n)
        return SORTES_E_RANGE;
    if (w->set->min_keep <= 1) {
        mlxfilters_cut(w->x, w->n, line);
        return SORTES_OK;
    }
    mlxfilters_keep_greatest(w, w->set->min_keep, kept);
    for (size_t i = 0; i < w->n; i++)
        if (w->x[i] < line && !kept[i])
            w->x[i] = -INFINITY;
    return SORTES_OK;
}

/* p[i] = softmax in the row's type. */
static void mlxfilters_softmax(const float *x, float *p, size_t n, bool narrow)
{
    const float max = mlxfilters_max(x, n);
    float sum = 0.0f, by;

    for (size_t i = 0; i < n; i++) {
        p[i] = srt_mlxlm_keep(srt_mlx_exp(srt_mlxlm_keep(x[i] - max, narrow)),
                              narrow);
        sum = srt_mlxlm_keep(sum + p[i], narrow);
    }
    by = srt_mlxlm_keep(1.0f / sum, narrow);
    for (size_t i = 0; i < n; i++)
        p[i] = srt_mlxlm_keep(p[i] * by, narrow);
}

bool srt_mlxlm_xtc_spares(const struct srt_mlxlm *m, size_t id)
{
    const struct srt_bias_list *list = &m->params->xtc_special_tokens;

    for (size_t i = 0; i < list->n; i++)
        if ((size_t)list->items[i].token == id)
            return true;
    return false;
}

sortes_status srt_mlxlm_xtc_check(const struct srt_mlxlm *m, size_t n)
{
    const struct srt_bias_list *list = &m->params->xtc_special_tokens;

    for (size_t i = 0; i < list->n; i++)
        if ((size_t)list->items[i].token >= n)
            return SORTES_E_ARGUMENT;
    return SORTES_OK;
}

sortes_status srt_mlxlm_xtc(struct srt_mlxlm_work *w)
{
    float *p = w->scratch->weights, least = INFINITY;

    if (srt_mlxlm_xtc_check(w->chain, w->n) != SORTES_OK)
        return SORTES_E_ARGUMENT;
    mlxfilters_softmax(w->x, p, w->n, w->set->narrow);
    if (srt_mlxlm_uniform(&w->step->state) > w->set->xtc_chance)
        return SORTES_OK;
    for (size_t i = 0; i < w->n; i++)
        if (p[i] > w->set->xtc_line && p[i] < least)
            least = p[i];
    for (size_t i = 0; i < w->n; i++)
        if (p[i] > least && !srt_mlxlm_xtc_spares(w->chain, i))
            w->x[i] = -INFINITY;
    return SORTES_OK;
}

sortes_status srt_mlxlm_top_k(struct srt_mlxlm_work *w)
{
    const size_t k = w->set->top_k;
    float least;
    size_t room = k;

    if (k >= w->n)
        return SORTES_E_RANGE;
    least = mlxfilters_sort(w)[k - 1];
    for (size_t i = 0; i < w->n; i++)
        room -= w->x[i] > least;
    for (size_t i = 0; i < w->n; i++) {
        if (w->x[i] < least || (w->x[i] == least && room == 0))
            w->x[i] = -INFINITY;
        else if (w->x[i] == least)
            room--;
    }
    return SORTES_OK;
}

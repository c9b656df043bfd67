/*
 * answers.c - what a step would do, asked without taking it
 *
 * Everything here runs the literal stages on a copy of the generator.  The
 * probabilities are the draw's weights over their float sum.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/mlxlm/chain.h"
#include "numeric/mlx_exp.h"

#include <math.h>
#include <string.h>

/* What the draw is made from: p[i], 0 where the token has fallen. */
struct mlxanswers_row {
    const float *x; /* scaled log-probabilities; -inf: fallen */
    float *p;
    size_t n;
    int32_t drawn;
};

static void mlxanswers_weigh(struct mlxanswers_row *a)
{
    float max = -INFINITY, sum = 0.0f;

    for (size_t i = 0; i < a->n; i++)
        max = a->x[i] > max ? a->x[i] : max;
    for (size_t i = 0; i < a->n; i++) {
        a->p[i] = srt_mlx_exp(a->x[i] - max);
        sum += a->p[i];
    }
    for (size_t i = 0; i < a->n; i++)
        a->p[i] /= sum;
}

static sortes_status mlxanswers_run(struct srt_mlxlm *m, const sortes_row *row,
                                    struct mlxanswers_row *a)
{
    struct srt_mlxlm_step step = m->now;
    const sortes_status status = srt_mlxlm_run(m, row, &step, &a->drawn);
    struct srt_scratch *s;

    if (status != SORTES_OK)
        return status;
    s = srt_scratch_get(row->n);
    a->x = s->raw;
    a->p = s->weights;
    a->n = row->n;
    if (!m->settings[0].greedy) {
        mlxanswers_weigh(a);
        return SORTES_OK;
    }
    memset(a->p, 0, a->n * sizeof(*a->p));
    a->p[a->drawn] = 1.0f;
    for (size_t i = 0; i < a->n; i++)
        if (i != (size_t)a->drawn)
            s->raw[i] = -INFINITY;
    return SORTES_OK;
}

sortes_status srt_mlxlm_distribution(void *chain, const sortes_row *row,
                                     float *p)
{
    struct mlxanswers_row a;
    const sortes_status status = mlxanswers_run(chain, row, &a);

    if (status == SORTES_OK)
        memcpy(p, a.p, a.n * sizeof(*p));
    return status;
}

sortes_status srt_mlxlm_kept(void *chain, const sortes_row *row,
                             int32_t *tokens, float *p, size_t room, size_t *n)
{
    struct mlxanswers_row a;
    const sortes_status status = mlxanswers_run(chain, row, &a);
    size_t n_kept = 0;

    if (status != SORTES_OK)
        return status;
    for (size_t i = 0; i < a.n; i++) {
        if (a.x[i] == -INFINITY)
            continue;
        if (n_kept < room && tokens)
            tokens[n_kept] = (int32_t)i;
        if (n_kept < room && p)
            p[n_kept] = a.p[i];
        n_kept++;
    }
    *n = n_kept;
    return SORTES_OK;
}

/* Likelier first; of equals the lower id. */
static bool mlxanswers_before(const struct srt_candidate *a,
                              const struct srt_candidate *b)
{
    return a->p > b->p || (a->p == b->p && a->id < b->id);
}

/* Moves c[i] down until no child stands behind it. */
static void mlxanswers_sift(struct srt_candidate *c, size_t i, size_t n)
{
    const struct srt_candidate moved = c[i];
    size_t child;

    while ((child = 2 * i + 1) < n) {
        if (child + 1 < n && mlxanswers_before(&c[child], &c[child + 1]))
            child++;
        if (!mlxanswers_before(&moved, &c[child]))
            break;
        c[i] = c[child];
        i = child;
    }
    c[i] = moved;
}

/* A heap with the least likely on top, emptied from its end. */
static void mlxanswers_sort(struct srt_candidate *c, size_t n)
{
    for (size_t i = n / 2; i > 0; i--)
        mlxanswers_sift(c, i - 1, n);
    for (; n > 1; n--) {
        const struct srt_candidate last = c[0];

        c[0] = c[n - 1];
        c[n - 1] = last;
        mlxanswers_sift(c, 0, n - 1);
    }
}

sortes_status srt_mlxlm_probabilities(void *chain, const sortes_row *row,
                                      sortes_probability *top, size_t k,
                                      size_t *n, sortes_probability *drawn)
{
    struct mlxanswers_row a;
    struct srt_candidate *c;
    const sortes_status status = mlxanswers_run(chain, row, &a);
    size_t n_all = 0;

    if (status != SORTES_OK)
        return status;
    c = srt_scratch_get(row->n)->candidates;
    for (size_t i = 0; i < a.n; i++)
        if (a.p[i] > 0.0f)
            c[n_all++] = (struct srt_candidate){ (int32_t)i, a.x[i], a.p[i] };
    mlxanswers_sort(c, n_all);
    *n = n_all < k ? n_all : k;
    for (size_t i = 0; i < *n; i++)
        top[i] = (sortes_probability){ c[i].id, c[i].p };
    if (drawn)
        *drawn = (sortes_probability){ a.drawn, a.p[a.drawn] };
    return SORTES_OK;
}

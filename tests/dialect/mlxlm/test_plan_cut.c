/*
 * test_plan_cut.c - top-p's line by bounds is the line by sorting
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/mlxlm/plan.h"
#include "numeric/mlx_exp.h"
#include "numeric/numeric.h"
#include "support/rows.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { N = 3000 };

static float row[N];

static int descending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;

    return (x < y) - (x > y);
}

static void open_plan(struct srt_mlxlm_plan *p,
                      const struct srt_mlxlm_settings *set)
{
    struct srt_mlx_sum sum = { .term = { .scale = 1 }, .lowest = INFINITY };

    *p = (struct srt_mlxlm_plan){ .set = set, .kernels = srt_kernels() };
    p->scratch = srt_scratch_get(N);
    p->row = (sortes_row){ row, N, SORTES_F32 };
    p->n_blocks = (N + SRT_BLOCK - 1) / SRT_BLOCK;
    p->max = -INFINITY;
    for (int i = 0; i < N; i++)
        p->max = row[i] > p->max ? row[i] : p->max;
    sum.term.max = p->max;
    assert_true(
        p->kernels->row[SORTES_F32].block_max(row, N, p->scratch->block_max));
    p->kernels->row[SORTES_F32].mlx_sum(&sum, row, N);
    p->sum = sum.sum;
    p->lse = srt_mlxlm_keep(srt_logf(sum.sum) + p->max, set->narrow);
    p->best = srt_mlxlm_plan_lp(p, p->max);
}

/* The row's weights from the best downwards, and their sum. */
static float lp[N], e[N], total;

/* How many log-probabilities lie at or above the line by the plain rule. */
static size_t kept_plainly(const struct srt_mlxlm_plan *p)
{
    size_t kept, n = 0;

    total = 0;

    for (int i = 0; i < N; i++)
        lp[i] = srt_mlxlm_plan_lp(p, row[i]);
    qsort(lp, N, sizeof(*lp), descending);
    for (int i = 0; i < N; i++) {
        e[i] = srt_mlx_exp(lp[i]);
        total += e[i];
    }
    kept = srt_mlxlm_top_p_kept(e, N, p->set->top_p, total);
    while (n < N && lp[n] >= lp[kept - 1])
        n++;
    return n;
}

static size_t kept_above(const struct srt_mlxlm_plan *p, float line)
{
    size_t n = 0;

    for (int i = 0; i < N; i++)
        n += srt_mlxlm_plan_lp(p, row[i]) >= line;
    return n;
}

static void check(const struct srt_mlxlm_settings *set, enum rows_kind kind)
{
    struct srt_mlxlm_plan p;
    float line;
    size_t want, got;

    open_plan(&p, set);
    want = kept_plainly(&p);
    got = kept_above(&p, srt_mlxlm_plan_cut(&p, -INFINITY, 0));
    if (got != want)
        fail_msg("%s, top_p %a: %zu kept, not %zu", rows_kind_name(kind),
                 (double)set->top_p, got, want);
    /* where only the best 20 matter */
    line = srt_kernels_floor(p.kernels, p.scratch->block_max, p.n_blocks, p.max,
                             20);
    if (line == -FLT_MAX)
        return;
    got =
        kept_above(&p, srt_mlxlm_plan_cut(&p, srt_mlxlm_plan_lp(&p, line), 20));
    assert_true(got == want || (got >= 20 && want >= 20));
}

static void the_line_is_the_plain_one(void **state)
{
    struct rows_random r = { 17 };

    (void)state;
    for (int trial = 0; trial < 1200; trial++) {
        struct srt_mlxlm_settings set = { .narrow = rows_below(&r, 2) };
        const enum rows_kind kind = (enum rows_kind)(trial % (int)ROWS_N_KINDS);

        set.top_p = rows_below(&r, 4) ? (float)rows_uniform(&r)
                                      : 1.0f - (float)rows_uniform(&r) * 1e-4f;
        set.top_p = set.top_p > 0 ? set.top_p : 0.5f;
        rows_fill(row, N, kind, (uint64_t)trial);
        for (int i = 0; set.narrow && i < N; i++)
            row[i] = srt_bfloat_round(row[i]);
        check(&set, kind);
    }
}

/* A share that ends exactly at a token: what decides is the last bit. */
static void a_share_that_ends_at_a_token(void **state)
{
    struct rows_random r = { 18 };

    (void)state;
    for (int trial = 0; trial < 600; trial++) {
        struct srt_mlxlm_settings set = { .narrow = rows_below(&r, 2),
                                          .top_p = 0.5f };
        struct srt_mlxlm_plan p;
        float above = 0;
        const size_t at = 1 + rows_below(&r, 30);

        rows_fill(row, N, trial % 2 ? ROWS_ORDINARY : ROWS_PEAKED,
                  (uint64_t)trial);
        for (int i = 0; set.narrow && i < N; i++)
            row[i] = srt_bfloat_round(row[i]);
        open_plan(&p, &set);
        (void)kept_plainly(&p);
        for (size_t i = 0; i < at; i++)
            above += e[i];
        for (int off = -3; off <= 3; off++) {
            set.top_p = srt_float_unkey(srt_float_key(above / total) + off);
            if (set.top_p < 1)
                check(&set, ROWS_ORDINARY);
        }
    }
}

/* Sums that end on both sides of 1, where the unit doubles. */
static void totals_around_one(void **state)
{
    struct rows_random r = { 19 };

    (void)state;
    for (int trial = 0; trial < 400; trial++) {
        struct srt_mlxlm_settings set = {
            .top_p = 0.999f + 0.001f * (float)rows_uniform(&r)
        };

        set.narrow = trial % 2;
        rows_fill(row, N, trial % 4 < 2 ? ROWS_PEAKED : ROWS_WIDE,
                  (uint64_t)trial);
        for (int i = 0; set.narrow && i < N; i++)
            row[i] = srt_bfloat_round(row[i]);
        check(&set, ROWS_PEAKED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_is_the_plain_one),
        cmocka_unit_test(a_share_that_ends_at_a_token),
        cmocka_unit_test(totals_around_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

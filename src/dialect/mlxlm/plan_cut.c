/*
 * plan_cut.c - top-p's line, without the sorted row
 *
 * mlx-lm keeps a token while the sum of the weights above it, added one by one
 * from the best downwards, is below top_p * total; total is the sum of all in
 * the same order.  The sums over the best few are had by sorting those.  The
 * total needs no order as long as the running sum stays in one binade: from
 * there on each weight adds its multiple of the sum's unit, whatever the order
 * (numeric/ordered_sum.h).  Two things can come between: weights half way
 * between two multiples, a unit each at most, and the sum reaching the next
 * binade, where weights are rounded more coarsely.  Both leave the total
 * between two bounds close together; where both bounds keep the same tokens, it
 * is decided.  Where they do not, the row is sorted.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/mlxlm/plan.h"
#include "numeric/numeric.h"
#include "numeric/ordered_sum.h"

#include <math.h>
#include <string.h>

enum {
    CUT_FIRST = 256,    /* tokens sorted at first where nothing else says */
    CUT_LONG = 1 << 21, /* rows beyond this: no rough bound */
};

struct cut_bounds {
    float low, high;
};

/* Gathers down to line, sorts, and weighs. */
static void cut_sort(struct srt_mlxlm_plan *p, float line)
{
    struct srt_scratch *s = p->scratch;

    srt_mlxlm_plan_gather(p, line);
    p->n_sorted = p->n_kept;
    if (p->n_kept <= SRT_SORT_FEW) {
        p->kernels->sort_few(s->raw, s->values, p->n_kept);
    } else {
        memcpy(s->values, s->raw, p->n_kept * sizeof(*s->values));
        srt_sort_values(s->values, s->keys, p->n_kept);
    }
    p->kernels->mlx_exp(s->values, s->weights, p->n_sorted);
}

/* How many of the sorted ones stay where the sums above may reach target; one
 * more than there are: not only these. */
static size_t cut_count(const struct srt_mlxlm_plan *p, float target)
{
    float run = 0.0f;

    return p->kernels->reach(p->scratch->weights, p->n_sorted, &run, target) +
           1;
}

/*
 * Whether the best n stay whatever the order: what is above them is less than
 * top_p of half of what the sum of the row says the total is.  Both sums are
 * off by an eighth at most in rows this long, weights by less.
 */
static bool cut_is_far(const struct srt_mlxlm_plan *p, size_t n)
{
    const float total = 0.5f * p->sum * p->scratch->weights[0];
    float above = 0.0f;

    if (p->row.n > CUT_LONG)
        return false;
    (void)p->kernels->reach(p->scratch->weights, n - 1, &above, INFINITY);
    return above < p->set->top_p * total;
}

/* The total; false: the sum so far is nowhere near it. */
static bool cut_bound(struct srt_mlxlm_plan *p, float line,
                      struct cut_bounds *total)
{
    struct srt_mlx_tail tail = { .minus = p->lse, .narrow = p->set->narrow };
    float run = 0.0f;
    double sum, ties, unit, end;

    (void)p->kernels->reach(p->scratch->weights, p->n_sorted, &run, INFINITY);
    tail.binade = srt_binade32(run);
    tail.below = srt_mlxlm_plan_least(p, line);
    if (!(run >= 0x1p-20f) ||
        p->scratch->weights[p->n_sorted - 1] > tail.binade)
        return false;
    p->kernels->row[p->row.type].mlx_tail(&tail, p->row.data, p->row.n);
    unit = (double)tail.binade * 0x1p-23;
    end = 2.0 * (double)tail.binade;
    ties = (double)tail.n_ties * unit;
    sum = (double)run + tail.mass;
    total->low = (float)(sum - ties < end ? sum - ties : end);
    total->high = (float)(sum + ties);
    if (sum + ties < end)
        return true;
    /* Into the next binade: what comes there is off by 1.5 units each. */
    total->high = (float)(sum + ties + 1.5 * (sum + ties - end) + 16.0 * unit);
    return total->high < 1.5f * (float)end;
}

/* By the whole row.  What is left out would add nothing. */
static float cut_by_sorting(struct srt_mlxlm_plan *p)
{
    const float *e = p->scratch->weights;
    float total = 0.0f;

    cut_sort(p, srt_ordered_negligible32(srt_mlx_exp(p->best)));
    (void)p->kernels->reach(e, p->n_sorted, &total, INFINITY);
    return p->scratch->values[cut_count(p, p->set->top_p * total) - 1];
}

/*
 * The line by bounds.  enough: so many of the sorted ones need be told from the
 * rest; fewer than all of them where the others can matter as well.
 */
static bool cut_by_bounds(struct srt_mlxlm_plan *p, float line, size_t enough,
                          float *cut)
{
    const float *x = p->scratch->values;
    struct cut_bounds total;
    size_t low, high;

    if (!cut_bound(p, line, &total))
        return false;
    low = cut_count(p, p->set->top_p * total.low);
    high = cut_count(p, p->set->top_p * total.high);
    if (low >= enough && high >= enough && enough <= p->n_sorted) {
        *cut = -INFINITY;
        return true;
    }
    if (high > p->n_sorted || x[low - 1] != x[high - 1])
        return false;
    *cut = x[low - 1];
    return true;
}

/* A line above which top_p's share surely lies: what is below it weighs at most
 * as much as the rest.  Roundings may break that, which is noticed. */
static float cut_line_by_mass(const struct srt_mlxlm_plan *p)
{
    const float rest = (1.0f - p->set->top_p) / (float)p->row.n;

    return rest > 0.0f ? srt_logf(rest) - 0.1f : -INFINITY;
}

static float cut_open_ended(struct srt_mlxlm_plan *p)
{
    const float floor = srt_kernels_floor(p->kernels, p->scratch->block_max,
                                          p->n_blocks, p->max, CUT_FIRST);
    float line, cut;

    if (floor > -FLT_MAX) {
        line = srt_mlxlm_plan_lp(p, floor);
        cut_sort(p, line);
        if (cut_by_bounds(p, line, SIZE_MAX, &cut))
            return cut;
    }
    line = cut_line_by_mass(p);
    if (line > -INFINITY && line < p->best) {
        cut_sort(p, line);
        if (cut_by_bounds(p, line, SIZE_MAX, &cut))
            return cut;
    }
    return cut_by_sorting(p);
}

float srt_mlxlm_plan_cut(struct srt_mlxlm_plan *p, float other, size_t enough)
{
    float cut;

    if (other == -INFINITY && enough == 0)
        return cut_open_ended(p);
    cut_sort(p, other);
    if (enough == 0 || enough > p->n_sorted)
        enough = p->n_sorted;
    if (cut_is_far(p, enough))
        return -INFINITY;
    if (cut_by_bounds(p, other, enough, &cut))
        return cut;
    return cut_by_sorting(p);
}

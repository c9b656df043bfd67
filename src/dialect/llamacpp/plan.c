/*
 * plan.c - the shapes people run, without building the engine's array
 *
 * Exact because of three facts.  Probabilities, sums and cuts over a sorted
 * list depend on its values alone, so bare values are sorted and the token is
 * looked up for the one rank that was drawn.  Among equal values the engine's
 * own sort decides; then, and only then, that sort is replayed on the few
 * candidates that matter (plan_ties.c).  And a sequential float sum can be had
 * in blocks (numeric/ordered_sum.h).
 *
 * Three shapes:
 *   short    top-k of up to 128: the engine's heap select
 *   long     a larger top-k: its bucket sort
 *   nucleus  top-p on the whole row: its bucket sort, of 256 and then of all
 *   whole    neither: min-p at most, in id order
 * Everything else (rows of up to 1,024, min_keep on an unsorted array, limits
 * of the arithmetic) goes to the literal stages.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/plan.h"

#include "numeric/expf.h"
#include "numeric/numeric.h"
#include "numeric/ordered_sum.h"
#include "scratch.h"

#include <math.h>
#include <string.h>

/* top-p sorts this many first; rows up to PLAN_SMALL are not worth a plan. */
enum { PLAN_FIRST = 256, PLAN_SMALL = 1024 };

static const struct srt_row_kernels *plan_f32(const struct srt_plan *plan)
{
    return &plan->view.kernels->row[SORTES_F32];
}

static bool plan_is_cold(const struct srt_plan *plan)
{
    return plan->chain->shape.temperature <= 0.0f;
}

static double plan_random(struct srt_plan *plan)
{
    const size_t g = plan->chain->shape.draw_generator;

    return srt_mt19937_double(&plan->chain->rng[g], &plan->step->position[g]);
}

/* ---- the draw ------------------------------------------------------------ */

/* dist over n values in the array's order. */
struct plan_draw {
    const float *list; /* NULL: the view itself, whole */
    size_t n;
    float top; /* the largest value, before the division */
    float max; /* and after it */
    double sum;
};

/* The sum of all weights, with the sums before each block in scratch. */
static void plan_weigh(struct srt_plan *plan, struct plan_draw *d,
                       float *lowest)
{
    struct srt_draw_sum s = { 0.0, plan->scratch->prefix, plan->divisor, d->max,
                              INFINITY };
    struct srt_segment segment = { 0 };

    if (d->list) {
        plan_f32(plan)->draw_sum(&s, d->list, d->n);
    } else {
        while (srt_view_next(&plan->view, &segment))
            segment.kernels->draw_sum(&s, segment.x, segment.n);
    }
    d->sum = s.sum;
    *lowest = s.lowest;
}

static bool plan_has_weight(const struct srt_plan *plan,
                            const struct plan_draw *d, float logit)
{
    return logit / plan->divisor - d->max >= SRT_EXPF_MIN;
}

/* How many weights are above 0: those of all logits from some least one on. */
static size_t plan_count(const struct srt_plan *plan, const struct plan_draw *d,
                         float lowest)
{
    int32_t low = srt_float_key(-FLT_MAX), high = srt_float_key(d->top);

    if (plan_has_weight(plan, d, lowest))
        return d->n;
    while (low < high) {
        const int32_t mid = (int32_t)(low + ((int64_t)high - low) / 2);
        if (plan_has_weight(plan, d, srt_float_unkey(mid)))
            high = mid;
        else
            low = mid + 1;
    }
    return d->list ? plan_f32(plan)->count(d->list, d->n, srt_float_unkey(low))
                   : srt_view_count(&plan->view, srt_float_unkey(low));
}

/* The block in which the running sum reaches target: the last that begins
 * below it, the first where target is 0. */
static size_t plan_find_block(const double *prefix, size_t n_blocks,
                              double target)
{
    size_t low = 0, high = n_blocks - 1;

    while (low < high) {
        const size_t mid = low + (high - low + 1) / 2;
        if (prefix[mid] < target)
            low = mid;
        else
            high = mid - 1;
    }
    return low;
}

/* The index that dist selects; sets what the step reports. */
static size_t plan_draw_index(struct srt_plan *plan, struct plan_draw *d)
{
    float buffer[SRT_BLOCK], lowest;
    const float *x = buffer;
    double run, before, target;
    size_t i;

    plan_weigh(plan, d, &lowest);
    plan->step->n_candidates = plan_count(plan, d, lowest);
    target = d->sum * plan_random(plan);
    i = plan_find_block(plan->scratch->prefix,
                        (d->n + SRT_BLOCK - 1) / SRT_BLOCK, target);
    run = plan->scratch->prefix[i];
    if (d->list)
        x = d->list + i * SRT_BLOCK;
    else
        (void)srt_view_block(&plan->view, i, buffer);
    for (i *= SRT_BLOCK;; i++, x++) {
        before = run;
        run += (double)srt_expf_inline(*x / plan->divisor - d->max);
        if (run >= target || i + 1 == d->n)
            break;
    }
    plan->step->margin = srt_llamacpp_margin(before, run, target, d->sum);
    return i;
}

/* temperature 0 and greedy: all the weight is on one candidate.  dist still
 * takes its random number; a number of exactly 0 selects the first of the
 * array, whatever its weight.  True if it did, away from the best one. */
static bool plan_take_best(struct srt_plan *plan, bool best_is_first)
{
    plan->step->n_candidates = 1;
    plan->step->margin = 1.0;
    if (plan->chain->shape.greedy || plan_random(plan) > 0.0 || best_is_first)
        return false;
    plan->step->margin = 0.0;
    return true;
}

/* ---- sorted shapes ------------------------------------------------------- */

/*
 * A logit that at least k of the row reach, not much more if it can be helped:
 * the k-th largest block maximum or a little lower; the lowest float where
 * there are not so many.
 */
static float plan_floor_by_maxima(const struct srt_plan *plan, size_t k)
{
    const struct srt_view *v = &plan->view;
    const size_t enough = k + k / 2 + 16;
    float low = v->max, high, step = 1.0f;
    size_t n;

    if (v->n_blocks < k)
        return -FLT_MAX;
    do {
        high = low;
        low = v->max - step > -FLT_MAX ? v->max - step : -FLT_MAX;
        step *= 2.0f;
        n = plan_f32(plan)->count(v->block_max, v->n_blocks, low);
    } while (n < k && low > -FLT_MAX);
    for (int i = 0; i < 24 && n > enough; i++) {
        const float mid = low + (high - low) * 0.5f;
        const size_t n_mid =
            plan_f32(plan)->count(v->block_max, v->n_blocks, mid);

        if (n_mid >= k) {
            low = mid;
            n = n_mid;
        } else {
            high = mid;
        }
    }
    return n >= k ? low : -FLT_MAX;
}

/*
 * Gathers what is on or above floor, sorts it by value, and fills up to n
 * values with -inf: floor is above -inf, and where it is the lowest float or
 * the view has a line, -inf is all that is left of the row.
 */
static void plan_sort(struct srt_plan *plan, float floor, size_t n)
{
    struct srt_scratch *s = plan->scratch;
    const float line = plan->view.line;
    const size_t m = srt_view_gather(&plan->view, line > floor ? line : floor,
                                     s->ids, s->raw);

    if (m <= SRT_SORT_FEW) {
        plan->view.kernels->sort_few(s->raw, s->values, m);
    } else {
        memcpy(s->values, s->raw, m * sizeof(*s->values));
        srt_sort_values(s->values, s->keys, m);
    }
    plan->n_gathered = plan->n_sorted = m;
    if (floor == -FLT_MAX || line > -INFINITY)
        for (; plan->n_sorted < n; plan->n_sorted++)
            s->values[plan->n_sorted] = -INFINITY;
}

/* weights[i] = p of the i-th sorted value, i < n; sum 0: their own sum. */
static void plan_softmax(struct srt_plan *plan, size_t n, float sum)
{
    const struct srt_kernels *k = plan->view.kernels;
    float *weights = plan->scratch->weights;

    k->exp(plan->scratch->values, weights, n, plan->scratch->values[0]);
    if (sum == 0.0f)
        (void)k->reach(weights, n, &sum, INFINITY);
    k->divide(weights, n, sum);
}

/* top_p over the first n sorted values: how many it keeps; n + 1 if n values
 * do not decide it. */
static size_t plan_top_p(struct srt_plan *plan, size_t n, float sum)
{
    const struct srt_shape *p = &plan->chain->shape;
    const size_t min_keep = p->min_keep;
    float run = 0.0f;
    size_t kept;

    plan_softmax(plan, n, sum);
    kept = 1 +
           plan->view.kernels->reach(plan->scratch->weights, n, &run, p->top_p);
    return kept < min_keep ? min_keep : kept;
}

/* min_p over the first n sorted values: how many it keeps. */
static size_t plan_min_p(const struct srt_plan *plan, size_t n)
{
    const struct srt_shape *p = &plan->chain->shape;
    const float *x = plan->scratch->values;
    const float line = srt_llamacpp_min_p_line(plan->chain->params, x[0]);
    size_t low = 1, high = n;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (x[mid] < line)
            high = mid;
        else
            low = mid + 1;
    }
    if (low < p->min_keep)
        low = p->min_keep;
    return low < n ? low : n;
}

/* xtc's coin; true if the most likely tokens are to be dropped. */
static bool plan_xtc_falls(struct srt_plan *plan)
{
    const struct srt_shape *p = &plan->chain->shape;
    const size_t g = p->xtc_generator;

    return srt_mt19937_float(&plan->chain->rng[g], &plan->step->position[g]) <=
           p->xtc_probability;
}

/* How many of the first n sorted values xtc drops. */
static size_t plan_xtc(struct srt_plan *plan, size_t n)
{
    const float threshold = plan->chain->params->xtc_threshold;
    const float *weights = plan->scratch->weights;
    size_t above = 0;

    plan_softmax(plan, n, 0.0f);
    while (above < n && weights[above] >= threshold)
        above++;
    if (above < 2 || n - (above - 1) < plan->chain->shape.min_keep)
        return 0;
    return above - 1;
}

/* min_p, xtc (tossed: its coin has fallen already), temperature and the draw
 * over the first n sorted values; returns the rank drawn. */
static size_t plan_finish(struct srt_plan *plan, size_t n, bool tossed)
{
    const struct srt_shape *p = &plan->chain->shape;
    struct plan_draw d = { 0 };
    size_t start = 0;

    if (p->min_p > 0.0f)
        n = plan_min_p(plan, n);
    if (tossed || (p->xtc_probability > 0.0f && n >= 2 && plan_xtc_falls(plan)))
        start = plan_xtc(plan, n);
    d.list = plan->scratch->values + start;
    d.n = n - start;
    d.top = d.list[0];
    d.max = d.top / plan->divisor;
    if (plan_is_cold(plan) || p->greedy) {
        (void)plan_take_best(plan, true);
        return start;
    }
    return start + plan_draw_index(plan, &d);
}

/* The one token gathered that has the rank's value; -1: there are several. */
static int32_t plan_only_one(const struct srt_plan *plan, size_t rank)
{
    const struct srt_scratch *s = plan->scratch;
    const float x = s->values[rank];
    int32_t id = -1;
    size_t n = 0;

    for (size_t i = 0; i < plan->n_gathered; i++) {
        if (s->raw[i] == x) {
            id = s->ids[i];
            n++;
        }
    }
    return n == 1 ? id : -1;
}

static int32_t plan_short(struct srt_plan *plan, size_t k)
{
    size_t kept = k, rank;
    int32_t token;

    plan_sort(plan, plan_floor_by_maxima(plan, k), k);
    if (plan->chain->shape.top_p < 1.0f)
        kept = plan_top_p(plan, k, 0.0f);
    rank = plan_finish(plan, kept < k ? kept : k, false);
    token = plan_only_one(plan, rank);
    return token >= 0 ? token : srt_plan_heap_tie(plan, k, rank);
}

/* A floor that probably k of the row reach, from a sample of it. */
static float plan_floor_by_sample(struct srt_plan *plan, size_t k)
{
    const sortes_row *row = plan->view.row;
    struct srt_scratch *s = plan->scratch;
    const size_t stride = row->n / 4096 + 1, n = row->n / stride;
    const size_t rank = k / stride + k / stride / 8 + 32;

    if (rank >= n)
        return -FLT_MAX;
    for (size_t i = 0; i < n; i++)
        s->values[i] = srt_row_at(row, i * stride);
    srt_sort_values(s->values, s->keys, n);
    return s->values[rank] > -FLT_MAX ? s->values[rank] : -FLT_MAX;
}

static int32_t plan_long(struct srt_plan *plan, size_t k)
{
    size_t kept = k, rank;
    int32_t token;

    plan_sort(plan,
              k <= plan->view.n_blocks / 2 ? plan_floor_by_maxima(plan, k)
                                           : plan_floor_by_sample(plan, k),
              k);
    if (plan->n_sorted < k)
        plan_sort(plan, -FLT_MAX, k);
    if (plan->chain->shape.top_p < 1.0f)
        kept = plan_top_p(plan, k, 0.0f);
    rank = plan_finish(plan, kept < k ? kept : k, false);
    token = plan_only_one(plan, rank);
    return token >= 0 ? token : srt_plan_bucket_tie(plan, k, rank);
}

/*
 * A floor above which top_p's share surely lies: what is below x weighs at
 * most n * exp(x - max) of the sum.  Roundings can break the bound by a hair,
 * so the caller checks.
 */
static float plan_floor_by_mass(const struct srt_plan *plan, float sum)
{
    const float rest =
        (1.0f - plan->chain->shape.top_p) * sum / (float)plan->view.row->n;
    const float floor = plan->view.max + srt_logf(rest) - 0.01f;

    return rest > 0.0f && floor > -FLT_MAX ? floor : -FLT_MAX;
}

/* top-p where the first 256 do not decide: sorts as much as it takes, and
 * returns how many it keeps of the whole row. */
static size_t plan_top_p_of_all(struct srt_plan *plan, float sum)
{
    const struct srt_shape *p = &plan->chain->shape;
    const size_t n = plan->view.row->n;
    float floor = plan_floor_by_mass(plan, sum);
    size_t kept;

    /* What is below min_p's line falls to it anyway, unless min_keep holds
     * it. */
    if (p->min_p > 0.0f && p->min_keep <= 1) {
        const float line =
            srt_llamacpp_min_p_line(plan->chain->params, plan->view.max);

        plan_sort(plan, line > floor ? line : floor, n);
        kept = plan_top_p(plan, plan->n_sorted, sum);
        if (kept <= plan->n_sorted)
            return kept;
        if (line > floor)
            return plan->n_sorted;
        floor = line > -FLT_MAX ? line : -FLT_MAX;
        plan_sort(plan, floor, n);
        kept = plan_top_p(plan, plan->n_sorted, sum);
        return kept < plan->n_sorted ? kept : plan->n_sorted;
    }
    plan_sort(plan, floor, n);
    kept = plan_top_p(plan, plan->n_sorted, sum);
    if (kept > plan->n_sorted && plan->n_sorted < n) {
        plan_sort(plan, -FLT_MAX, n);
        kept = plan_top_p(plan, n, sum);
    }
    return kept < n ? kept : n;
}

static int32_t plan_nucleus(struct srt_plan *plan)
{
    const float sum = srt_view_softmax_sum(&plan->view, plan->view.max);
    size_t k = PLAN_FIRST, kept, rank;
    int32_t token;

    plan_sort(plan, plan_floor_by_maxima(plan, k), k);
    kept = plan_top_p(plan, k, sum);
    if (kept > k) { /* the engine sorts all */
        k = plan->view.row->n;
        kept = plan_top_p_of_all(plan, sum);
    }
    rank = plan_finish(plan, kept, false);
    token = plan_only_one(plan, rank);
    return token >= 0 ? token : srt_plan_bucket_tie(plan, k, rank);
}

/* ---- unsorted shape ------------------------------------------------------ */

/* The least logit that the temperature makes as large as the largest: greedy
 * takes the first of those. */
static float plan_least_best(const struct srt_plan *plan)
{
    const float max = plan->view.max;
    int32_t low = srt_float_key(-FLT_MAX), high = srt_float_key(max);

    if (plan->divisor == 1.0f)
        return max;
    while (low < high) {
        const int32_t mid = (int32_t)(low + ((int64_t)high - low) / 2);
        if (srt_float_unkey(mid) / plan->divisor == max / plan->divisor)
            high = mid;
        else
            low = mid + 1;
    }
    return srt_float_unkey(low);
}

/* At most min_p, then the draw, in id order.  line: min_p's, or -inf. */
static int32_t plan_whole(struct srt_plan *plan, float line)
{
    const struct srt_view *v = &plan->view;
    struct srt_scratch *s = plan->scratch;
    struct plan_draw d = { NULL, v->row->n, v->max, v->max / plan->divisor,
                           0.0 };
    size_t i;

    if (plan_is_cold(plan) || plan->chain->shape.greedy) {
        const int32_t best = srt_view_first(v, plan_least_best(plan));
        const int32_t first = line == -INFINITY ? 0 : srt_view_first(v, line);

        return plan_take_best(plan, best == first) ? first : best;
    }
    if (line == -INFINITY)
        return (int32_t)plan_draw_index(plan, &d);
    d.n = plan->n_gathered;
    d.list = s->raw;
    i = plan_draw_index(plan, &d);
    return s->ids[i];
}

static sortes_status plan_by_stages(struct srt_plan *plan,
                                    const sortes_row *row, int32_t *token)
{
    struct srt_candidates c;
    const sortes_status status =
        srt_llamacpp_run(plan->chain, row, &c, plan->step, NULL, NULL);

    if (status == SORTES_OK)
        *token = c.data[c.selected].id;
    return status;
}

/* xtc on the unsorted whole: the engine sorts all of it. */
static int32_t plan_xtc_whole(struct srt_plan *plan)
{
    const size_t n = plan->view.row->n;
    size_t rank;
    int32_t token;

    plan_sort(plan, -FLT_MAX, n);
    rank = plan_finish(plan, n, true);
    token = plan_only_one(plan, rank);
    return token >= 0 ? token : srt_plan_bucket_tie(plan, n, rank);
}

/* Neither top-k nor top-p: min_p at most, and xtc. */
static sortes_status plan_filter(struct srt_plan *plan, int32_t *token)
{
    const struct srt_shape *p = &plan->chain->shape;
    const struct srt_scratch *s = plan->scratch;
    float line = plan->view.line;

    if (p->min_p <= 0.0f && line == -INFINITY) {
        if (p->xtc_probability > 0.0f && plan_xtc_falls(plan))
            *token = plan_xtc_whole(plan);
        else
            *token = plan_whole(plan, -INFINITY);
        return SORTES_OK;
    }
    if (p->min_p > 0.0f) {
        const float min_p =
            srt_llamacpp_min_p_line(plan->chain->params, plan->view.max);
        line = min_p > line ? min_p : line;
    }
    plan->n_gathered = line <= plan->view.max
                           ? srt_view_gather(&plan->view, line, s->ids, s->raw)
                           : 0;
    /* xtc may sort what min_p left: few candidates, and in the stages. */
    if (plan->n_gathered == 0 || plan->n_gathered < p->min_keep ||
        p->xtc_probability > 0.0f)
        return plan_by_stages(plan, plan->view.row, token);
    *token = plan_whole(plan, line);
    return SORTES_OK;
}

/* ---- the sparse stages and top-k, then the literal ones ------------------ */

/* The candidates that top-k leaves, in the engine's own order. */
static void plan_take_top_k(struct srt_plan *plan, size_t k,
                            struct srt_candidates *c)
{
    struct srt_scratch *s = plan->scratch;
    float floor = -INFINITY;
    size_t n;

    *c = (struct srt_candidates){ s->candidates, k, -1, true, s->spare };
    if (k <= SRT_LLAMACPP_HEAP_MAX) {
        (void)srt_view_heap_select(&plan->view, k, c->data, NULL, 0);
        return;
    }
    /* The bucket sort needs whole buckets, and no more than hold k. */
    if (k <= plan->view.n_blocks) {
        const int b = srt_bucket_of(plan_floor_by_maxima(plan, k));
        floor = b > 0 ? srt_bucket_floor(b) : -INFINITY;
    }
    n = srt_view_gather(&plan->view, floor, s->ids, s->raw);
    for (size_t i = 0; i < n; i++)
        s->spare[i] = (struct srt_candidate){ s->ids[i], s->raw[i], 0.0f };
    (void)srt_bucket_sort(c->data, s->spare, n, k);
}

static sortes_status plan_then_stages(struct srt_plan *plan, size_t k,
                                      int32_t *token)
{
    struct srt_chain *chain = plan->chain;
    struct srt_candidates c;
    sortes_status status;

    plan_take_top_k(plan, k, &c);
    chain->n_vocab = plan->view.row->n;
    status = srt_llamacpp_run_from(chain, chain->shape.after_top_k, &c,
                                   plan->step, NULL, NULL);
    if (status == SORTES_OK)
        *token = c.data[c.selected].id;
    return status;
}

/* ---- top_n_sigma --------------------------------------------------------- */

/* The view's line: the mean's sum one by one (its terms have both signs), the
 * squares' in blocks. */
static void plan_set_line(struct srt_plan *plan)
{
    struct srt_view *v = &plan->view;
    struct srt_segment segment = { 0 };
    float sum = 0.0f, squares = 0.0f, mean, buffer[SRT_BLOCK];
    size_t n = 0;

    for (size_t b = 0; b < v->n_blocks; b++) {
        const size_t n_block = srt_view_block(v, b, buffer);

        for (size_t i = 0; i < n_block; i++) {
            if (buffer[i] == -INFINITY)
                continue;
            sum += buffer[i];
            n++;
        }
    }
    mean = sum / (float)n;
    while (srt_view_next(v, &segment))
        segment.kernels->square_sum(segment.x, segment.n, mean, &squares);
    v->line = srt_llamacpp_sigma_line(plan->chain->params, v->max,
                                      sqrtf(squares / (float)n));
}

/* ---- mirostat 2 ---------------------------------------------------------- */

/* The row divided by the temperature, as a row of its own. */
static sortes_status plan_temper(struct srt_plan *plan, sortes_row *row)
{
    struct srt_scratch *s = plan->scratch;
    struct srt_segment segment = { 0 };
    size_t at = 0;

    while (srt_view_next(&plan->view, &segment)) {
        segment.kernels->widen(segment.x, segment.n, s->masked + at);
        at += segment.n;
    }
    plan->view.kernels->divide(s->masked, at, plan->divisor);
    *row = (sortes_row){ s->masked, at, SORTES_F32 };
    return srt_view_open_raw(&plan->view, plan->view.kernels, row, s);
}

/* The rank drawn by std::discrete_distribution over weights[0 .. n-1]. */
static size_t plan_discrete(struct srt_plan *plan, size_t n)
{
    const size_t g = plan->chain->shape.draw_generator;
    struct srt_candidates c = { plan->scratch->candidates, n, -1, true, NULL };

    for (size_t i = 0; i < n; i++)
        c.data[i].p = plan->scratch->weights[i];
    srt_llamacpp_discrete(plan->chain, g, &c, plan->step);
    return (size_t)c.selected;
}

/*
 * temperature, sort, cut by surprise, draw.  The softmax sum runs in sorted
 * order from 1 up, so what is negligible beside 1 adds nothing and is not
 * sorted; if mu would keep even that, the stages take over.
 */
static sortes_status plan_mirostat(struct srt_plan *plan, int32_t *token)
{
    const struct sortes_params *p = plan->chain->params;
    const sortes_row *given = plan->view.row;
    const float *weights = plan->scratch->weights;
    sortes_row row;
    size_t n = 0, rank;
    sortes_status status = plan_temper(plan, &row);

    if (status != SORTES_OK)
        return status;
    if (plan->view.max >= SRT_BUCKET_SAFE)
        return plan_by_stages(plan, given, token);
    plan_sort(plan,
              plan->view.max + srt_ordered_negligible32(1.0f) > -FLT_MAX
                  ? plan->view.max + srt_ordered_negligible32(1.0f)
                  : -FLT_MAX,
              0);
    plan_softmax(plan, plan->n_sorted, 0.0f);
    while (n < plan->n_sorted && !(-srt_log2f(weights[n]) > plan->step->mu))
        n++;
    if (n == plan->n_sorted && n < row.n)
        return plan_by_stages(plan, given, token);
    n = n > 0 ? n : 1;
    plan_softmax(plan, n, 0.0f);
    rank = plan_discrete(plan, n);
    srt_llamacpp_move_mu(p, weights[rank], plan->step);
    *token = plan_only_one(plan, rank);
    if (*token < 0)
        *token = srt_plan_bucket_tie(plan, row.n, rank);
    return SORTES_OK;
}

/* ---- which one ----------------------------------------------------------- */

static sortes_status plan_choose(struct srt_plan *plan, int32_t *token)
{
    const struct srt_shape *p = &plan->chain->shape;
    const size_t n = plan->view.row->n;
    const size_t k = (size_t)p->top_k < n ? (size_t)p->top_k : n;

    if (!p->has_plan)
        return plan_then_stages(plan, k, token);
    if (p->temperature > 0.0f)
        plan->divisor = p->temperature;
    if (srt_logit_is_bad(plan->view.max / plan->divisor))
        return SORTES_E_NOT_FINITE;
    if (plan->view.max / plan->divisor == -INFINITY)
        return SORTES_E_NO_TOKEN;
    if (p->mirostat_v2)
        return plan_mirostat(plan, token);
    if (p->top_n_sigma > 0.0f)
        plan_set_line(plan);
    if (p->top_k > 0)
        *token = k <= SRT_LLAMACPP_HEAP_MAX ? plan_short(plan, k)
                                            : plan_long(plan, k);
    else if (p->top_p < 1.0f)
        *token = plan_nucleus(plan);
    else
        return plan_filter(plan, token);
    return SORTES_OK;
}

sortes_status srt_llamacpp_plan_sample(struct srt_chain *chain,
                                       const sortes_row *row,
                                       struct srt_step *step, int32_t *token)
{
    const struct srt_shape *p = &chain->shape;
    struct srt_plan plan = { .chain = chain, .step = step, .divisor = 1.0f };
    sortes_status status;

    if (!(p->has_plan || p->after_top_k > 0) || row->n <= PLAN_SMALL ||
        isinf(p->temperature) || (p->mirostat_v2 && !(p->temperature > 0.0f)))
        return plan_by_stages(&plan, row, token);
    plan.scratch = srt_scratch_get(row->n);
    if (!plan.scratch)
        return SORTES_E_NOMEM;
    status = srt_view_open(&plan.view, chain, row, plan.scratch);
    if (status != SORTES_OK)
        return status;
    if (plan.view.max >= SRT_BUCKET_SAFE)
        return plan_by_stages(&plan, row, token);
    return plan_choose(&plan, token);
}

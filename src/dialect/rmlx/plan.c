/*
 * plan.c - the same token, without looking at most of the vocabulary
 *
 * Greedy: one pass for the maxima of blocks, a few changed logits, one block.
 * Otherwise one pass scales the row and one sums its exponentials; then
 *
 *   filtered  min_p or top_k without top_p: what can be kept lies on or above
 *             a floor; that is gathered, in id order, and the literal filters
 *             run on the short list;
 *   nucleus   top_p: the ascending sum needs every value in order, so they are
 *             sorted (their ids do not matter); what is left is a short list;
 *   whole     no filter: the sums run over all weights, in blocks.
 *
 * A list that leaves out weights of 0, or such as a filter sets to 0 for sure,
 * has the same sums.  expf is not known to be monotone to the last bit, and
 * tiny probabilities round coarsely, so floors lie RMLX_SLACK lower than they
 * need to, and below RMLX_DEEP the whole array is taken instead.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/rmlx/chain.h"
#include "numeric/bits.h"
#include "numeric/numeric.h"
#include "order/order.h"

#include <math.h>
#include <string.h>

#define RMLX_SLACK 1e-3f  /* of a scaled logit: 4,000 times expf's error */
#define RMLX_DEEP  -60.0f /* expf of it is about 1e-26 */

/* The row in work: logits times 1 / temperature, in scratch->values. */
struct rmlx_plan {
    const struct srt_rmlx *chain;
    const struct srt_kernels *kernels;
    struct srt_scratch *s; /* block_max: of the values */
    size_t n;
    float max;     /* of the values */
    float inverse; /* 1 / the sum of expf(value - max) */
};

static size_t rmlx_plan_blocks(size_t n)
{
    return (n + SRT_BLOCK - 1) / SRT_BLOCK;
}

static float rmlx_plan_highest(const float *block_max, size_t n_blocks)
{
    float max = -INFINITY;

    for (size_t b = 0; b < n_blocks; b++)
        max = block_max[b] > max ? block_max[b] : max;
    return max;
}

/* ---- greedy -------------------------------------------------------------- */

/* The logits of a block with what patches change in it; how many. */
static size_t rmlx_plan_block(const sortes_row *row, size_t b,
                              const struct srt_rmlx_patch *patches,
                              size_t n_patches, float out[SRT_BLOCK])
{
    const size_t at = b * SRT_BLOCK;
    const size_t n = row->n - at < SRT_BLOCK ? row->n - at : SRT_BLOCK;

    for (size_t i = 0; i < n; i++)
        out[i] = srt_row_at(row, at + i);
    for (size_t j = 0; j < n_patches; j++)
        if ((size_t)patches[j].id >= at && (size_t)patches[j].id < at + n)
            out[(size_t)patches[j].id - at] = patches[j].logit;
    return n;
}

/* How many patches, from the first on, lie in the first one's block. */
static size_t rmlx_plan_same_block(const struct srt_rmlx_patch *patches,
                                   size_t n)
{
    size_t same = 1;

    while (same < n &&
           patches[same].id / SRT_BLOCK == patches[0].id / SRT_BLOCK)
        same++;
    return same;
}

/* Maxima of the changed row; false: NaN or +inf. */
static bool rmlx_plan_patch_blocks(const sortes_row *row,
                                   const struct srt_rmlx_patch *patches,
                                   size_t n, float *block_max)
{
    float x[SRT_BLOCK];
    bool good = true;

    for (size_t i = 0; i < n;) {
        const size_t same = rmlx_plan_same_block(patches + i, n - i);
        const size_t b = (size_t)patches[i].id / SRT_BLOCK;
        const size_t n_x = rmlx_plan_block(row, b, patches + i, same, x);

        for (size_t j = i; j < i + same; j++)
            good &= patches[j].logit <= FLT_MAX;
        block_max[b] = rmlx_plan_highest(x, n_x);
        i += same;
    }
    return good;
}

static sortes_status rmlx_plan_greedy(struct srt_rmlx *chain,
                                      const sortes_row *row,
                                      struct srt_scratch *s, int32_t *token)
{
    const size_t n_blocks = rmlx_plan_blocks(row->n);
    const size_t n_patches = srt_rmlx_patches(chain, row);
    float x[SRT_BLOCK], max;
    size_t b = 0, n_x, i = 0;

    if (!chain->kernels->row[row->type].block_max(row->data, row->n,
                                                  s->block_max) ||
        !rmlx_plan_patch_blocks(row, chain->patches, n_patches, s->block_max))
        return SORTES_E_NOT_FINITE;
    max = rmlx_plan_highest(s->block_max, n_blocks);
    if (max == -INFINITY)
        return SORTES_E_NO_TOKEN;
    while (s->block_max[b] < max)
        b++;
    n_x = rmlx_plan_block(row, b, chain->patches, n_patches, x);
    while (i + 1 < n_x && x[i] < max)
        i++;
    *token = (int32_t)(b * SRT_BLOCK + i);
    return SORTES_OK;
}

/* ---- weights ------------------------------------------------------------- */

/* Scales, patches, checks and sums the row. */
static sortes_status rmlx_plan_open(struct rmlx_plan *plan,
                                    struct srt_rmlx *chain,
                                    const sortes_row *row)
{
    const struct srt_row_kernels *floats = &plan->kernels->row[SORTES_F32];
    const float factor = 1.0f / chain->params->temperature;
    const size_t n_patches = srt_rmlx_patches(chain, row);
    struct srt_softmax_sum sum;
    float *const x = plan->s->values;
    float total;

    plan->kernels->row[row->type].scale(row->data, row->n, factor, x);
    for (size_t i = 0; i < n_patches; i++) {
        if (!(chain->patches[i].logit <= FLT_MAX))
            return SORTES_E_NOT_FINITE;
        x[chain->patches[i].id] = chain->patches[i].logit * factor;
    }
    if (!floats->block_max(x, row->n, plan->s->block_max))
        return SORTES_E_NOT_FINITE;
    plan->max = rmlx_plan_highest(plan->s->block_max, rmlx_plan_blocks(row->n));
    if (plan->max == -INFINITY)
        return SORTES_E_NO_TOKEN;
    sum = (struct srt_softmax_sum){ .max = plan->max };
    floats->softmax_sum(&sum, x, row->n);
    total = srt_softmax_sum_finish(&sum);
    plan->inverse = 1.0f / total;
    return SORTES_OK;
}

/* out[i] = the probability of x[i]. */
static void rmlx_plan_weigh(const struct rmlx_plan *plan, const float *x,
                            size_t n, float *out)
{
    plan->kernels->exp(x, out, n, plan->max);
    plan->kernels->multiply(out, n, plan->inverse);
}

/* The float sum of w[0 .. n-1], one by one. */
static float rmlx_plan_sum(const struct rmlx_plan *plan, const float *w,
                           size_t n)
{
    float sum = 0.0f;

    (void)plan->kernels->reach(w, n, &sum, INFINITY);
    return sum;
}

/* ---- shapes -------------------------------------------------------------- */

/* A value that at least k of n reach, by the maxima of their blocks; -inf: not
 * found this way.  Overwrites the scratch's raw. */
static float rmlx_plan_reached_by(const struct rmlx_plan *plan, size_t n,
                                  size_t k)
{
    const size_t n_blocks = rmlx_plan_blocks(n);
    float *const sorted = plan->s->raw;

    if (k > n_blocks)
        return -INFINITY;
    memcpy(sorted, plan->s->block_max, n_blocks * sizeof(*sorted));
    srt_sort_values(sorted, plan->s->keys, n_blocks);
    return sorted[k - 1];
}

/* Leaves out of the list what is certainly below its k largest. */
static size_t rmlx_plan_shorten(const struct rmlx_plan *plan, size_t n)
{
    const struct srt_row_kernels *floats = &plan->kernels->row[SORTES_F32];
    const size_t k = (size_t)plan->chain->params->top_k;
    struct srt_scratch *s = plan->s;
    int32_t *const at = (int32_t *)s->keys;
    float floor;

    if (k == 0 || k >= n)
        return n;
    (void)floats->block_max(s->weights, n, s->block_max);
    floor = rmlx_plan_reached_by(plan, n, k);
    if (!(floor > 0.0f))
        return n;
    n = floats->gather(s->weights, n, s->block_max, floor, at, s->raw);
    for (size_t i = 0; i < n; i++) {
        s->ids[i] = s->ids[at[i]];
        s->weights[i] = s->raw[i];
    }
    return n;
}

/* min_p, top_k, renormalise and draw on the list in s->ids and s->weights. */
static sortes_status rmlx_plan_finish(const struct rmlx_plan *plan, size_t n,
                                      struct srt_rmlx_step *step,
                                      int32_t *token)
{
    const struct sortes_params *p = plan->chain->params;
    float *const w = plan->s->weights;
    int64_t drawn;

    srt_rmlx_min_p(w, n, p->min_p);
    n = rmlx_plan_shorten(plan, n);
    srt_rmlx_top_k(w, n, (size_t)p->top_k, plan->s);
    srt_rmlx_renormalise(w, n);
    drawn = srt_rmlx_inverse_cdf(w, n, srt_pcg32_float(&step->rng), step);
    if (drawn < 0)
        return SORTES_E_NO_TOKEN;
    *token = plan->s->ids[drawn];
    return SORTES_OK;
}

/* Below this value nothing is kept by min_p and top_k; -inf: do not know. */
static float rmlx_plan_floor(const struct rmlx_plan *plan)
{
    const struct sortes_params *p = plan->chain->params;
    float floor = -INFINITY, reached;

    if (p->min_p > 0.0f)
        floor = plan->max + srt_logf(p->min_p);
    if (p->top_k > 0 && (size_t)p->top_k < plan->n) {
        reached = rmlx_plan_reached_by(plan, plan->n, (size_t)p->top_k);
        floor = reached > floor ? reached : floor;
    }
    return floor - plan->max > RMLX_DEEP ? floor - RMLX_SLACK : -INFINITY;
}

/* What is on or above the floor, with its probabilities. */
static sortes_status rmlx_plan_filtered(const struct rmlx_plan *plan,
                                        float floor, struct srt_rmlx_step *step,
                                        int32_t *token)
{
    struct srt_scratch *s = plan->s;
    const size_t n = plan->kernels->row[SORTES_F32].gather(
        s->values, plan->n, s->block_max, floor, s->ids, s->raw);

    rmlx_plan_weigh(plan, s->raw, n, s->weights);
    return rmlx_plan_finish(plan, n, step, token);
}

/* The list of weights above the cut, and of those on it all but the last. */
static size_t rmlx_plan_list(const struct rmlx_plan *plan,
                             struct srt_rmlx_cut cut)
{
    struct srt_scratch *s = plan->s;
    const struct srt_row_kernels *floats = &plan->kernels->row[SORTES_F32];
    size_t n, left = 0;

    (void)floats->block_max(s->weights, plan->n, s->block_max);
    n = floats->gather(s->weights, plan->n, s->block_max, cut.value, s->ids,
                       s->raw);
    for (size_t i = n; i-- > 0 && cut.n_ties > 0;) {
        if (s->raw[i] != cut.value)
            continue;
        s->raw[i] = 0.0f;
        cut.n_ties--;
    }
    for (size_t i = 0; i < n; i++) {
        if (!(s->raw[i] > 0.0f))
            continue;
        s->ids[left] = s->ids[i];
        s->weights[left++] = s->raw[i];
    }
    return left;
}

static sortes_status rmlx_plan_nucleus(const struct rmlx_plan *plan,
                                       struct srt_rmlx_step *step,
                                       int32_t *token)
{
    static const struct srt_rmlx_cut nothing = { 0x1p-149f, 0 };
    struct srt_scratch *s = plan->s;
    struct srt_rmlx_cut cut;

    rmlx_plan_weigh(plan, s->values, plan->n, s->weights);
    if (!srt_rmlx_top_p_cut(s->weights, plan->n, plan->chain->params->top_p, s,
                            &cut) ||
        cut.value == 0.0f)
        cut = nothing; /* weights of 0 are no loss */
    return rmlx_plan_finish(plan, rmlx_plan_list(plan, cut), step, token);
}

/* No filter: sums and draw in blocks. */
static sortes_status rmlx_plan_whole(const struct rmlx_plan *plan,
                                     struct srt_rmlx_step *step, int32_t *token)
{
    const struct srt_kernels *k = plan->kernels;
    float *const w = plan->s->weights;
    float total, target, before, run = 0.0f;
    size_t i;

    rmlx_plan_weigh(plan, plan->s->values, plan->n, w);
    k->multiply(w, plan->n, 1.0f / rmlx_plan_sum(plan, w, plan->n));
    total = rmlx_plan_sum(plan, w, plan->n);
    target = srt_pcg32_float(&step->rng) * total;
    /* above target, not on it; and a weight of 0 cannot take it there */
    i = k->reach(w, plan->n, &run, srt_float32(srt_bits32(target) + 1));
    if (i == plan->n)
        return SORTES_E_NOT_FINITE; /* target < total: cannot be */
    before = rmlx_plan_sum(plan, w, i);
    step->n_candidates = k->row[SORTES_F32].count(w, plan->n, 0x1p-149f);
    step->margin = srt_rmlx_margin(before, run, target, total);
    *token = (int32_t)i;
    return SORTES_OK;
}

sortes_status srt_rmlx_plan(struct srt_rmlx *chain, const sortes_row *final,
                            struct srt_rmlx_step *step, int32_t *token)
{
    const struct sortes_params *p = chain->params;
    struct rmlx_plan plan = {
        chain, chain->kernels, srt_scratch_get(final->n), final->n, 0.0f, 0.0f
    };
    sortes_status status;
    float floor;

    if (!plan.s)
        return SORTES_E_NOMEM;
    step->n_candidates = 1;
    step->margin = 1.0;
    if (!srt_rmlx_samples(chain))
        return rmlx_plan_greedy(chain, final, plan.s, token);
    status = rmlx_plan_open(&plan, chain, final);
    if (status != SORTES_OK)
        return status;
    if (p->top_p > 0.0f && p->top_p < 1.0f)
        return rmlx_plan_nucleus(&plan, step, token);
    if (!(p->min_p > 0.0f) && (p->top_k == 0 || (size_t)p->top_k >= plan.n))
        return rmlx_plan_whole(&plan, step, token);
    floor = rmlx_plan_floor(&plan);
    return floor > -INFINITY ? rmlx_plan_filtered(&plan, floor, step, token)
                             : rmlx_plan_nucleus(&plan, step, token);
}

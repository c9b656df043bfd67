/*
 * plan_typical.c - typical on the whole row, then temperature and the draw
 *
 * The keys are |-log p - entropy|, and -log p rises along the sorted list: so
 * the order of the keys is a merge of two runs that start where -log p is
 * nearest to the entropy, one to the left and one to the right, and no sort is
 * needed.  Where two different logits have one key, only std::sort knows their
 * order; then (and where a p of 0 makes every key NaN) the keys are sorted as
 * the engine does.
 *
 * Both float sums, the softmax's and the entropy's, run in sorted order from
 * large terms to small ones; what is negligible beside the first adds nothing
 * and is not sorted.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/plan.h"
#include "numeric/expf.h"
#include "numeric/numeric.h"
#include "numeric/ordered_sum.h"
#include "scratch.h"

#include <math.h>

/* The kept indices of the sorted list are in scratch->keys. */
struct plan_typical {
    struct srt_plan *plan;
    float *kept; /* their logits, in the same order */
    float sum;   /* of the softmax */
    float entropy;
    size_t n; /* kept */
    float run;
};

/* The sorted list's p's, and its sum over the whole row. */
static void typical_sort(struct plan_typical *t, float floor)
{
    struct srt_plan *plan = t->plan;

    srt_plan_sort(plan, floor, plan->view.row->n);
    t->sum = srt_plan_softmax(plan, plan->n_sorted, 0.0f);
}

/* Whether every logit of the row has a p above 0, none of which underflows. */
static bool typical_all_positive(const struct plan_typical *t)
{
    const struct srt_view *v = &t->plan->view;
    int32_t low = srt_float_key(-FLT_MAX), high = srt_float_key(v->max);

    while (low < high) {
        const int32_t mid = (int32_t)(low + ((int64_t)high - low) / 2);
        if (srt_expf(srt_float_unkey(mid) - v->max) / t->sum > 0.0f)
            high = mid;
        else
            low = mid + 1;
    }
    return srt_view_count(v, srt_float_unkey(low)) == v->row->n;
}

/*
 * The float sum of (-p) * logf(p).  Past 1/e the terms fall with p: one below
 * a quarter of the sum's unit ends it, as no later one can add anything.
 * False: the list ends before that, and is not the whole row.
 */
static bool typical_entropy(struct plan_typical *t)
{
    const float *p = t->plan->scratch->weights;
    const size_t n = t->plan->n_sorted;
    float sum = 0.0f;
    size_t i = 0;

    for (; i < n; i++) {
        const float term = (-p[i]) * srt_logf(p[i]);

        if (p[i] < 0.25f && term < srt_binade32(sum) * 0x1p-25f)
            break;
        sum += term;
    }
    t->entropy = sum;
    return i < n || n == t->plan->view.row->n;
}

static float typical_key(const struct plan_typical *t, size_t i)
{
    return fabsf(-srt_logf(t->plan->scratch->weights[i]) - t->entropy);
}

/* Keeps one more; true when the run has passed typical_p. */
static bool typical_keep(struct plan_typical *t, size_t i)
{
    struct srt_scratch *s = t->plan->scratch;
    const struct srt_shape *p = &t->plan->chain->shape;

    s->keys[t->n] = (uint32_t)i;
    t->kept[t->n] = s->values[i];
    t->n++;
    t->run += s->weights[i];
    return t->run > p->typical_p && (p->min_keep == 0 || t->n >= p->min_keep);
}

/* The first index whose -log p is not below the entropy. */
static size_t typical_middle(const struct plan_typical *t)
{
    size_t low = 0, high = t->plan->n_sorted;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (-srt_logf(t->plan->scratch->weights[mid]) - t->entropy < 0.0f)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* How far apart two keys must be for a rounding not to have swapped them:
 * -log p is a few tens at most, and logf is right to the last bit or two. */
#define PLAN_TYPICAL_NEAR 0x1p-17f

/*
 * The key of the first logit from i on, to the left or to the right, that is
 * not `last`.  Where the list ends before the row does, no key further on is
 * below the last one's.
 */
static float typical_next(const struct plan_typical *t, size_t i, bool left,
                          float last)
{
    const float *x = t->plan->scratch->values;
    const size_t n = t->plan->n_sorted;

    if (left) {
        while (i > 0 && x[i - 1] == last)
            i--;
        return i > 0 ? typical_key(t, i - 1) : INFINITY;
    }
    while (i < n && x[i] == last)
        i++;
    if (i < n)
        return typical_key(t, i);
    return n < t->plan->view.row->n ? typical_key(t, n - 1) : INFINITY;
}

/*
 * Merges the two runs; false where the engine's sort must decide (two keys are
 * equal, or one falls where it should rise, for different logits), or where
 * the list ends before the run does.
 */
static bool typical_merge(struct plan_typical *t)
{
    const float *x = t->plan->scratch->values;
    size_t right = typical_middle(t), left = right;
    float last_key = -1.0f, last = NAN; /* equal to no logit */

    for (;;) {
        const float key_left = left > 0 ? typical_key(t, left - 1) : INFINITY;
        const float key_right = right < t->plan->n_sorted
                                    ? typical_key(t, right)
                                    : typical_next(t, right, false, NAN);
        const bool go_left = key_left < key_right;
        const float key = go_left ? key_left : key_right;
        size_t i;

        if (key_left == key_right) /* both at the end: INFINITY */
            return key == INFINITY;
        if (!go_left && right == t->plan->n_sorted)
            return false;
        i = go_left ? --left : right++;
        if (key <= last_key && x[i] != last)
            return false;
        last_key = key;
        last = x[i];
        if (typical_keep(t, i)) /* and what comes next must surely be later */
            return typical_next(t, left, true, last) >
                       key + PLAN_TYPICAL_NEAR &&
                   typical_next(t, right, false, last) >
                       key + PLAN_TYPICAL_NEAR;
    }
}

static void typical_fill_keys(const struct plan_typical *t)
{
    struct srt_candidate *c = t->plan->scratch->candidates;

    for (size_t i = 0; i < t->plan->n_sorted; i++)
        c[i] = (struct srt_candidate){ (int32_t)i, -typical_key(t, i), 0.0f };
}

/* The engine's own sort of all keys. */
static void typical_sort_keys(struct plan_typical *t)
{
    const size_t n = t->plan->n_sorted;
    const struct srt_candidate *c = t->plan->scratch->candidates;

    typical_fill_keys(t);
    srt_sort(t->plan->scratch->candidates, n);
    t->n = 0;
    t->run = 0.0f;
    for (size_t i = 0; i < n; i++)
        if (typical_keep(t, (size_t)c[i].id))
            break;
}

/* The terms of an ordinary row's entropy are negligible from here on down. */
#define PLAN_TYPICAL_DEPTH 21.0f

/* Which tokens are kept, in which order. */
static void typical_select(struct plan_typical *t)
{
    const struct srt_view *v = &t->plan->view;
    const float floor = v->max - PLAN_TYPICAL_DEPTH;
    const size_t n = v->row->n;
    bool merged;

    typical_sort(t, floor > -FLT_MAX ? floor : -FLT_MAX);
    if (!typical_all_positive(t)) {
        if (t->plan->n_sorted < n)
            typical_sort(t, -FLT_MAX);
        t->entropy = NAN;
        typical_sort_keys(t);
        return;
    }
    if (!typical_entropy(t)) {
        typical_sort(t, -FLT_MAX);
        (void)typical_entropy(t);
    }
    merged = typical_merge(t);
    if (!merged && t->plan->n_sorted < n)
        typical_sort(t, -FLT_MAX);
    if (!merged)
        typical_sort_keys(t);
}

/*
 * The token at a kept index: its rank in the sorted list is known where its
 * logit is the only one of its size.  Otherwise both sorts are replayed: the
 * keys', for the rank, and the row's.
 */
static int32_t typical_token(struct plan_typical *t, size_t kept)
{
    struct srt_plan *plan = t->plan;
    const size_t n = plan->view.row->n;
    size_t rank = plan->scratch->keys[kept];
    const int32_t token = srt_plan_only_one(plan, rank);

    if (token >= 0)
        return token;
    if (plan->n_sorted < n)
        typical_sort(t, -FLT_MAX);
    typical_fill_keys(t);
    rank = (size_t)srt_sort_nth(plan->scratch->candidates, n, kept).id;
    return srt_plan_bucket_tie(plan, n, rank);
}

sortes_status srt_plan_typical(struct srt_plan *plan, int32_t *token)
{
    struct srt_scratch *s = plan->scratch;
    /* Under a constraint the row itself lies in one of the two. */
    struct plan_typical t = {
        .plan = plan,
        .kept = plan->view.row->data == s->masked ? s->forced : s->masked,
    };
    const float *x = t.kept;
    struct srt_plan_draw_of d = { 0 };

    typical_select(&t);
    d.list = x;
    d.n = t.n;
    d.top = x[0];
    for (size_t i = 1; i < t.n; i++)
        d.top = x[i] > d.top ? x[i] : d.top;
    if (srt_plan_is_cold(plan)) {
        size_t best = 0;

        while (x[best] != d.top)
            best++;
        *token =
            typical_token(&t, srt_plan_take_best(plan, best == 0) ? 0 : best);
        return SORTES_OK;
    }
    d.max = d.top / plan->divisor;
    if (d.top == -INFINITY || d.max == -INFINITY)
        return SORTES_E_NO_TOKEN;
    *token = typical_token(&t, srt_plan_draw(plan, &d));
    return SORTES_OK;
}

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
 * The shapes:
 *   short    top-k of up to 128: the engine's heap select
 *   long     a larger top-k: its bucket sort
 *   nucleus  top-p on the whole row: its bucket sort, of 256 and then of all
 *   whole    neither: min-p at most, in id order
 *   mirostat 2 and typical on the whole row
 * Everything else (rows of up to 1,024, min_keep on an unsorted array, limits
 * of the arithmetic) goes to the literal stages.
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/plan.h"

#include "scratch.h"

#include <math.h>

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
        const int b = srt_bucket_of(srt_plan_floor(plan, k));
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
    struct srt_llamacpp *chain = plan->chain;
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
        return srt_plan_mirostat(plan, token);
    if (p->typical_p < 1.0f)
        return srt_plan_typical(plan, token);
    if (p->top_n_sigma > 0.0f)
        srt_plan_set_line(plan);
    if (p->top_k > 0)
        *token = k <= SRT_LLAMACPP_HEAP_MAX ? srt_plan_short(plan, k)
                                            : srt_plan_long(plan, k);
    else if (p->top_p < 1.0f)
        *token = srt_plan_nucleus(plan);
    else
        return srt_plan_filter(plan, token);
    return SORTES_OK;
}

sortes_status srt_llamacpp_plan_sample(struct srt_llamacpp *chain,
                                       const sortes_row *row,
                                       struct srt_step *step, int32_t *token)
{
    const struct srt_shape *p = &chain->shape;
    struct srt_plan plan = { .chain = chain, .step = step, .divisor = 1.0f };
    sortes_status status;

    /* Shorter rows are not worth a plan, and srt_plan_nucleus takes none. */
    if (!(p->has_plan || p->after_top_k > 0) || row->n <= SRT_NUCLEUS_MANY ||
        isinf(p->temperature) || (p->mirostat_v2 && !(p->temperature > 0.0f)))
        return srt_llamacpp_run_sample(chain, row, step, token);
    plan.scratch = srt_scratch_get(row->n);
    if (!plan.scratch)
        return SORTES_E_NOMEM;
    status = srt_view_open(&plan.view, chain, row, plan.scratch);
    if (status != SORTES_OK)
        return status;
    if (plan.view.max >= SRT_BUCKET_SAFE)
        return srt_llamacpp_run_sample(chain, row, step, token);
    return plan_choose(&plan, token);
}

/*
 * plan_ties.c - who stands at a rank when logits tie: the engine's sort
 * replayed
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/plan.h"
#include "scratch.h"

#include <assert.h>
#include <math.h>

int32_t srt_plan_heap_tie(const struct srt_plan *plan, size_t k, size_t rank)
{
    struct srt_candidate *heap = plan->scratch->candidates;

    (void)srt_view_heap_select(&plan->view, k, heap, NULL, 0);
    return heap[rank].id;
}

/*
 * The bucket sort of the first k.  Only the tied value's bucket is replayed:
 * introsort down to the rank, or, in the last bucket that is needed, the heap
 * select that leaves k in order in all.
 */
int32_t srt_plan_bucket_tie(const struct srt_plan *plan, size_t k, size_t rank)
{
    const struct srt_view *v = &plan->view;
    struct srt_scratch *s = plan->scratch;
    const int bucket = srt_bucket_of(s->values[rank]);
    const float floor = bucket > 0 ? srt_bucket_floor(bucket) : -INFINITY;
    const float last = k <= plan->n_sorted ? s->values[k - 1] : -INFINITY;
    const size_t n = srt_view_gather(v, floor, s->ids, s->raw);
    size_t above = 0, n_bucket = 0;

    for (size_t i = 0; i < n; i++) {
        if (srt_bucket_of(s->raw[i]) > bucket)
            above++;
        else
            s->candidates[n_bucket++] =
                (struct srt_candidate){ s->ids[i], s->raw[i], 0.0f };
    }
    assert(rank >= above && rank - above < n_bucket);
    /* The last bucket is that of the k-th value; for a whole sort, the one
     * with nothing below it. */
    if (k == v->row->n ? n == k : srt_bucket_of(last) == bucket) {
        srt_partial_sort(s->candidates, k - above, n_bucket);
        return s->candidates[rank - above].id;
    }
    return srt_sort_nth(s->candidates, n_bucket, rank - above).id;
}

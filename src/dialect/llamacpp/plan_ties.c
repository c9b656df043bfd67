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

/*
 * std::partial_sort(first, first + k, last): a heap of the first k, then one
 * pass in which only logits above the heap's least one matter.  Blocks whose
 * maximum is not above it are passed over.
 */
size_t srt_view_heap_select(const struct srt_view *v, size_t k,
                            struct srt_candidate *heap,
                            struct srt_override *evicted, size_t room)
{
    float block[SRT_BLOCK];
    size_t n = 0, n_evicted = 0;

    for (size_t b = 0; b < v->n_blocks; b++) {
        size_t n_block, i = 0;

        if (n == k && !(v->block_max[b] > heap[0].logit))
            continue;
        n_block = srt_view_block(v, b, block);
        for (; n < k && i < n_block; i++) {
            heap[n] = (struct srt_candidate){ (int32_t)n, block[i], 0.0f };
            if (++n == k)
                srt_heap_make(heap, k);
        }
        for (; i < n_block; i++) {
            const int32_t id = (int32_t)(b * SRT_BLOCK + i);

            if (!(block[i] > heap[0].logit))
                continue;
            if (n_evicted < room)
                evicted[n_evicted] = (struct srt_override){ id, heap[0].logit };
            n_evicted++;
            srt_heap_replace_top(heap, k,
                                 (struct srt_candidate){ id, block[i], 0.0f });
        }
    }
    srt_heap_sort(heap, k);
    return n_evicted;
}

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

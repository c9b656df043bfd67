/*
 * view.c - a row as the first stages leave it, without copying it
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/llamacpp/view.h"

#include <math.h>
#include <string.h>

/* The three sparse stages' lists, all ascending by token. */
struct view_lists {
    const struct srt_bias *bias, *bias_end;
    const struct srt_count *seen, *seen_end;
    const struct srt_count *dry, *dry_end;
};

/* The least token that any of them names, if it is below end. */
static int32_t view_next_token(const struct view_lists *l, int32_t end)
{
    int32_t id = end;

    if (l->bias < l->bias_end && l->bias->token < id)
        id = l->bias->token;
    if (l->seen < l->seen_end && l->seen->token < id)
        id = l->seen->token;
    if (l->dry < l->dry_end && l->dry->token < id)
        id = l->dry->token;
    return id;
}

/* One token through the stages in their order. */
static sortes_status view_change(const struct srt_llamacpp *chain,
                                 struct view_lists *l, int32_t id, float *logit)
{
    for (; l->bias < l->bias_end && l->bias->token == id; l->bias++) {
        *logit += l->bias->value;
        if (srt_logit_is_bad(*logit))
            return SORTES_E_NOT_FINITE;
    }
    if (l->seen < l->seen_end && l->seen->token == id)
        *logit = srt_llamacpp_penalize(chain->params, l->seen++->count, *logit);
    if (srt_logit_is_bad(*logit))
        return SORTES_E_NOT_FINITE;
    if (l->dry < l->dry_end && l->dry->token == id) {
        if (!srt_breakers_whole(chain->breakers, id))
            *logit -= srt_llamacpp_dry_loss(chain->params, l->dry->count);
        l->dry++;
    }
    return srt_logit_is_bad(*logit) ? SORTES_E_NOT_FINITE : SORTES_OK;
}

static sortes_status view_make_overrides(struct srt_llamacpp *chain,
                                         const sortes_row *row, size_t *n_out)
{
    const struct srt_window *w = &chain->window;
    struct view_lists l = { chain->biases,    chain->biases + chain->n_biases,
                            w->counts,        w->counts + w->n_counts,
                            chain->dry_found, chain->dry_found };
    const int32_t end = (int32_t)row->n;
    int32_t id;
    size_t n = 0;
    bool touched;

    if (chain->dry_window.limit > 0)
        l.dry_end += srt_llamacpp_dry(chain, &touched);
    while (l.bias < l.bias_end && l.bias->token < 0)
        l.bias++;
    while ((id = view_next_token(&l, end)) < end) {
        float logit = srt_row_at(row, (size_t)id);
        const sortes_status status = view_change(chain, &l, id, &logit);

        if (status != SORTES_OK)
            return status;
        chain->overrides[n++] = (struct srt_override){ id, logit };
    }
    *n_out = n;
    return SORTES_OK;
}

/* Index of the first override whose id is at least `id`. */
static size_t view_find_override(const struct srt_view *v, size_t id)
{
    size_t low = 0, high = v->n_overrides;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if ((size_t)v->overrides[mid].id < id)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static const struct srt_row_kernels *view_kernels(const struct srt_view *v)
{
    return &v->kernels->row[v->row->type];
}

static const void *view_row_from(const struct srt_view *v, size_t i)
{
    const size_t size =
        v->row->type == SORTES_F32 ? sizeof(float) : sizeof(uint16_t);

    return (const char *)v->row->data + i * size;
}

/* Puts the overrides from index o on that lie in [start, start + n) into
 * buffer; returns the index behind them. */
static size_t view_patch(const struct srt_view *v, size_t o, size_t start,
                         size_t n, float *buffer)
{
    for (; o < v->n_overrides; o++) {
        const size_t at = (size_t)v->overrides[o].id - start;
        if (at >= n)
            break;
        buffer[at] = v->overrides[o].logit;
    }
    return o;
}

size_t srt_view_block(const struct srt_view *v, size_t b,
                      float buffer[SRT_BLOCK])
{
    const size_t start = b * SRT_BLOCK;
    const size_t rest = v->row->n - start;
    const size_t n = rest < SRT_BLOCK ? rest : SRT_BLOCK;

    view_kernels(v)->widen(view_row_from(v, start), n, buffer);
    (void)view_patch(v, view_find_override(v, start), start, n, buffer);
    for (size_t i = 0; v->line > -INFINITY && i < n; i++)
        buffer[i] = buffer[i] < v->line ? -INFINITY : buffer[i];
    return n;
}

/*
 * The maxima that a change touches.  A block is looked at again only where its
 * largest logit itself was changed; elsewhere the new logits can only raise
 * the maximum.
 */
static void view_patch_maxima(const struct srt_view *v, float *block_max)
{
    size_t o = 0;

    while (o < v->n_overrides) {
        const size_t b = (size_t)v->overrides[o].id / SRT_BLOCK;
        float max = block_max[b];
        bool again = false;

        for (;
             o < v->n_overrides && (size_t)v->overrides[o].id / SRT_BLOCK == b;
             o++) {
            const size_t id = (size_t)v->overrides[o].id;
            const float logit = v->overrides[o].logit;

            again |= srt_row_at(v->row, id) == block_max[b];
            max = logit > max ? logit : max;
        }
        if (again) {
            float buffer[SRT_BLOCK];
            const size_t n = srt_view_block(v, b, buffer);

            max = buffer[0];
            for (size_t i = 1; i < n; i++)
                max = buffer[i] > max ? buffer[i] : max;
        }
        block_max[b] = max;
    }
}

/* The largest of the block maxima; `work` has room for their own maxima. */
static float view_max(const struct srt_view *v, float *work)
{
    const size_t n = (v->n_blocks + SRT_BLOCK - 1) / SRT_BLOCK;
    float max;

    (void)v->kernels->row[SORTES_F32].block_max(v->block_max, v->n_blocks,
                                                work);
    max = work[0];
    for (size_t i = 1; i < n; i++)
        max = work[i] > max ? work[i] : max;
    return max;
}

sortes_status srt_view_open_raw(struct srt_view *v,
                                const struct srt_kernels *kernels,
                                const sortes_row *row, struct srt_scratch *s)
{
    v->row = row;
    v->kernels = kernels;
    v->block_max = s->block_max;
    v->n_blocks = (row->n + SRT_BLOCK - 1) / SRT_BLOCK;
    v->overrides = NULL;
    v->n_overrides = 0;
    v->line = -INFINITY;
    if (!view_kernels(v)->block_max(row->data, row->n, s->block_max))
        return SORTES_E_NOT_FINITE;
    v->max = view_max(v, s->weights);
    return v->max == -INFINITY ? SORTES_E_NO_TOKEN : SORTES_OK;
}

sortes_status srt_view_open(struct srt_view *v, struct srt_llamacpp *chain,
                            const sortes_row *row, struct srt_scratch *s)
{
    sortes_status status = srt_view_open_raw(v, chain->kernels, row, s);

    if (status != SORTES_OK)
        return status;
    v->overrides = chain->overrides;
    status = view_make_overrides(chain, row, &v->n_overrides);
    if (status != SORTES_OK || v->n_overrides == 0)
        return status;
    view_patch_maxima(v, s->block_max);
    v->max = view_max(v, s->weights);
    return v->max == -INFINITY ? SORTES_E_NO_TOKEN : SORTES_OK;
}

float srt_view_softmax_sum(const struct srt_view *v, float max)
{
    struct srt_softmax_sum sum = { .max = max };
    struct srt_segment segment = { 0 };

    while (srt_view_next(v, &segment))
        segment.kernels->softmax_sum(&sum, segment.x, segment.n);
    return srt_softmax_sum_finish(&sum);
}

bool srt_view_next(const struct srt_view *v, struct srt_segment *segment)
{
    const size_t start = segment->end;
    size_t end = v->row->n;

    if (start >= v->row->n)
        return false;
    if (segment->next_override < v->n_overrides) {
        const size_t id = (size_t)v->overrides[segment->next_override].id;
        const size_t block = id - id % SRT_BLOCK;

        if (block == start) {
            segment->n = srt_view_block(v, start / SRT_BLOCK, segment->patched);
            segment->end = start + segment->n;
            segment->kernels = &v->kernels->row[SORTES_F32];
            segment->x = segment->patched;
            segment->next_override = view_find_override(v, segment->end);
            return true;
        }
        end = block;
    }
    segment->kernels = view_kernels(v);
    segment->x = view_row_from(v, start);
    segment->n = end - start;
    segment->end = end;
    return true;
}

/* Takes the ids that are overridden out of a list gathered from the row. */
static size_t view_drop_overridden(const struct srt_view *v, int32_t *id,
                                   float *value, size_t n)
{
    size_t o = 0, kept = 0;

    for (size_t i = 0; i < n; i++) {
        while (o < v->n_overrides && v->overrides[o].id < id[i])
            o++;
        if (o < v->n_overrides && v->overrides[o].id == id[i])
            continue;
        id[kept] = id[i];
        value[kept++] = value[i];
    }
    return kept;
}

/* Merges the overrides on or above floor into the list, from its far end;
 * returns its new length. */
static size_t view_insert_overrides(const struct srt_view *v, float floor,
                                    int32_t *id, float *value, size_t n)
{
    size_t n_all = n, to;

    for (size_t o = 0; o < v->n_overrides; o++)
        n_all += v->overrides[o].logit >= floor;
    to = n_all;
    for (size_t o = v->n_overrides; to > n; o--) {
        const struct srt_override *it = &v->overrides[o - 1];

        if (!(it->logit >= floor))
            continue;
        for (; n > 0 && id[n - 1] > it->id; n--) {
            to--;
            id[to] = id[n - 1];
            value[to] = value[n - 1];
        }
        to--;
        id[to] = it->id;
        value[to] = it->logit;
    }
    return n_all;
}

size_t srt_view_gather(const struct srt_view *v, float floor, int32_t *id,
                       float *value)
{
    size_t n = view_kernels(v)->gather(v->row->data, v->row->n, v->block_max,
                                       floor, id, value);

    if (v->n_overrides == 0)
        return n;
    n = view_drop_overridden(v, id, value, n);
    return view_insert_overrides(v, floor, id, value, n);
}

size_t srt_view_count(const struct srt_view *v, float floor)
{
    size_t n = view_kernels(v)->count(v->row->data, v->row->n, floor);

    for (size_t o = 0; o < v->n_overrides; o++) {
        n -= srt_row_at(v->row, (size_t)v->overrides[o].id) >= floor;
        n += v->overrides[o].logit >= floor;
    }
    return n;
}

int32_t srt_view_first(const struct srt_view *v, float floor)
{
    float buffer[SRT_BLOCK];
    size_t b = 0, i = 0;

    while (b + 1 < v->n_blocks && !(v->block_max[b] >= floor))
        b++;
    (void)srt_view_block(v, b, buffer);
    while (i + 1 < SRT_BLOCK && !(buffer[i] >= floor))
        i++;
    return (int32_t)(b * SRT_BLOCK + i);
}

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

/*
 * row_body.h - the row kernels on vectors, for one row type
 *
 * Included once per type and instruction set, after array_body.h, with
 * ROW(name), ROW_TYPE, ROW_LOAD (a vector from ROW_TYPE *) and ROW_AT (one
 * value) defined; no guard.
 *
 * SPDX-License-Identifier: MIT
 */

/* The cache lines of the block at index i. */
SRT_INLINE void ROW(prefetch)(const ROW_TYPE *x, size_t i)
{
    for (size_t j = 0; j < SRT_BLOCK; j += KERNEL_LINE / sizeof(*x))
        __builtin_prefetch(x + i + j);
}

static bool ROW(block_max)(const void *row, size_t n, float *out)
{
    const ROW_TYPE *x = row;
    uint64_t nan = 0;
    float top = -INFINITY;
    size_t i = 0;
    bool good = true;

    for (; i + SRT_BLOCK <= n; i += SRT_BLOCK) {
        V(f) max = V(set1)(-INFINITY);

        ROW(prefetch)(x, i + KERNEL_AHEAD < n ? i + KERNEL_AHEAD : i);
        for (int j = 0; j < V(per_block); j += 2) {
            const V(f) a = ROW_LOAD(x + i + (size_t)(j * V_LANES));
            const V(f) b = ROW_LOAD(x + i + (size_t)((j + 1) * V_LANES));

            nan |= V(unordered)(a, b);
            max = V(max)(max, V(max)(a, b));
        }
        *out = V(hmax)(max);
        top = *out > top ? *out : top;
        out++;
    }
    if (i < n) {
        *out = -INFINITY;
        for (; i < n; i++) {
            const float v = ROW_AT(x, i);
            good &= v <= FLT_MAX;
            *out = v > *out ? v : *out;
        }
    }
    return good && nan == 0 && top <= FLT_MAX;
}

SRT_INLINE size_t ROW(gather_block)(const ROW_TYPE *x, size_t i, V(f) floor,
                                    int32_t *id, float *value)
{
    size_t n_out = 0;

    for (int j = 0; j < V(per_block); j++) {
        const size_t at = i + (size_t)(j * V_LANES);
        const V(f) v = ROW_LOAD(x + at);
        const uint64_t mask = V(ge)(v, floor);

        if (!mask)
            continue;
        V(compress_index)(id + n_out, mask, (int32_t)at);
        n_out += V(compress)(value + n_out, mask, v);
    }
    return n_out;
}

static size_t ROW(gather)(const void *row, size_t n, const float *block_max,
                          float floor, int32_t *id, float *value)
{
    const ROW_TYPE *x = row;
    const size_t n_blocks = n / SRT_BLOCK;
    const V(f) vfloor = V(set1)(floor);
    size_t n_out = 0, b = 0;

    for (; b + V_LANES <= n_blocks; b += V_LANES) {
        uint64_t mask = V(ge)(V(load)(block_max + b), vfloor);

        for (; mask; mask &= mask - 1)
            n_out += ROW(gather_block)(x, (b + srt_ctz64(mask)) * SRT_BLOCK,
                                       vfloor, id + n_out, value + n_out);
    }
    for (; b < n_blocks; b++)
        if (block_max[b] >= floor)
            n_out += ROW(gather_block)(x, b * SRT_BLOCK, vfloor, id + n_out,
                                       value + n_out);
    for (size_t i = n_blocks * SRT_BLOCK; i < n; i++) {
        if (ROW_AT(x, i) >= floor) {
            id[n_out] = (int32_t)i;
            value[n_out++] = ROW_AT(x, i);
        }
    }
    return n_out;
}

static size_t ROW(count)(const void *row, size_t n, float floor)
{
    const ROW_TYPE *x = row;
    const V(f) vfloor = V(set1)(floor);
    size_t count = 0, i = 0;

    for (; i + V_LANES <= n; i += V_LANES)
        count += srt_popcount64(V(ge)(ROW_LOAD(x + i), vfloor));
    for (; i < n; i++)
        count += ROW_AT(x, i) >= floor;
    return count;
}

static void ROW(widen)(const void *row, size_t n, float *out)
{
    const ROW_TYPE *x = row;
    size_t i = 0;

    for (; i + V_LANES <= n; i += V_LANES)
        V(store)(out + i, ROW_LOAD(x + i));
    for (; i < n; i++)
        out[i] = ROW_AT(x, i);
}

static void ROW(scale)(const void *row, size_t n, float by, float *out)
{
    const ROW_TYPE *x = row;
    const V(f) vby = V(set1)(by);
    size_t i = 0;

    for (; i + V_LANES <= n; i += V_LANES)
        V(store)(out + i, V(mul)(ROW_LOAD(x + i), vby));
    for (; i < n; i++)
        out[i] = ROW_AT(x, i) * by;
}

static void ROW(softmax_sum)(struct srt_softmax_sum *s, const void *row,
                             size_t n)
{
    const ROW_TYPE *x = row;
    float floor = srt_ordered_negligible32(s->sum);
    size_t i = 0;

    for (; i + SRT_BLOCK <= n; i += SRT_BLOCK) {
        V(f) v[V(per_block)];

        for (int j = 0; j < V(per_block); j++)
            v[j] = ROW_LOAD(x + i + (size_t)(j * V_LANES));
        V(append_terms)(s, v, &floor);
    }
    for (; i < n; i++) {
        s->pending[s->n_pending++] = ROW_AT(x, i) - s->max;
        if (s->n_pending == SRT_BLOCK) {
            V(add_pending)(s);
            s->n_pending = 0;
        }
    }
}

/* One whole block of squares; false: one by one, please. */
SRT_INLINE bool ROW(square_block)(const ROW_TYPE *x, V(f) mean, float *sum)
{
    V(d) lo[V(per_block)], hi[V(per_block)];
    V(f) low = V(set1)(INFINITY);

    for (int j = 0; j < V(per_block); j++) {
        const V(f) v = ROW_LOAD(x + (size_t)(j * V_LANES));

        low = V(min)(low, v);
        V(square_wide)(V(sub)(v, mean), &lo[j], &hi[j]);
    }
    if (V(hmin)(low) == -INFINITY)
        return false;
    return V(add_block_mixed)(lo, hi, sum);
}

static void ROW(square_sum)(const void *row, size_t n, float mean, float *sum)
{
    const ROW_TYPE *x = row;
    const V(f) vmean = V(set1)(mean);

    for (size_t i = 0; i < n; i += SRT_BLOCK) {
        const size_t end = n - i < SRT_BLOCK ? n : i + SRT_BLOCK;

        if (end - i == SRT_BLOCK && ROW(square_block)(x + i, vmean, sum))
            continue;
        for (size_t j = i; j < end; j++) {
            const float v = ROW_AT(x, j);
            const double off = (double)(v - mean);

            if (v != -INFINITY)
                *sum = (float)((double)*sum + off * off);
        }
    }
}

/* One whole block; xs holds x / divisor - max. */
SRT_INLINE void ROW(draw_block)(struct srt_draw_sum *s, const V(f) * xs)
{
    V(d) lo[V(per_block)], hi[V(per_block)];
    double weight[V_LANES];

    for (int j = 0; j < V(per_block); j++)
        V(exp_wide)(xs[j], &lo[j], &hi[j]);
    if (s->sum >= SRT_ORDERED_LEAST64 && V(add_block64)(lo, hi, &s->sum))
        return;
    for (int j = 0; j < V(per_block); j++) {
        V(dstore)(weight, lo[j]);
        V(dstore)(weight + V_LANES / 2, hi[j]);
        for (int i = 0; i < V_LANES; i++)
            s->sum += weight[i];
    }
}

static void ROW(draw_sum)(struct srt_draw_sum *s, const void *row, size_t n)
{
    const ROW_TYPE *x = row;
    const V(f) divisor = V(set1)(s->divisor), vmax = V(set1)(s->max);
    V(f) lowest = V(set1)(INFINITY);
    size_t i = 0;

    for (; i + SRT_BLOCK <= n; i += SRT_BLOCK) {
        V(f) xs[V(per_block)], top = V(set1)(-INFINITY);

        for (int j = 0; j < V(per_block); j++) {
            const V(f) v = ROW_LOAD(x + i + (size_t)(j * V_LANES));

            lowest = V(min)(lowest, v);
            xs[j] = V(sub)(V(div)(v, divisor), vmax);
            top = V(max)(top, xs[j]);
        }
        *s->prefix++ = s->sum;
        if (V(ge)(top, V(set1)(srt_ordered_negligible64(s->sum))))
            ROW(draw_block)(s, xs);
    }
    if (V(hmin)(lowest) < s->lowest)
        s->lowest = V(hmin)(lowest);
    if (i < n)
        *s->prefix++ = s->sum;
    for (; i < n; i++) {
        const float v = ROW_AT(x, i);

        s->lowest = v < s->lowest ? v : s->lowest;
        s->sum += (double)srt_expf_inline(v / s->divisor - s->max);
    }
}

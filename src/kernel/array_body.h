/*
 * array_body.h - exact sums and kernels over float arrays, on vectors
 *
 * Included once by each instruction set's file, which defines V(name) for the
 * vector operations (see avx2.c for the list); no guard.  How the sums come
 * out exact: numeric/ordered_sum.h.
 *
 * SPDX-License-Identifier: MIT
 */

enum { V(per_block) = SRT_BLOCK / V_LANES, V(all) = (1 << V_LANES) - 1 };

/* Adds the weights of one block to *sum; false: not possible, nothing done. */
SRT_INLINE bool V(add_block32)(const V(f) * e, float *sum)
{
    const float s = *sum, m = srt_binade32(s);
    const float unit = m * 0x1p-23f;
    const V(f) vm = V(set1)(m), half = V(set1)(unit * 0.5f);
    V(f) total = V(set1)(0.0f);
    uint64_t odd = 0, tie = 0, negative = 0;
    float end;

    if (!(s >= SRT_ORDERED_LEAST32))
        return false;
    for (int j = 0; j < V(per_block); j++) {
        const V(f) a = V(add)(e[j], vm), q = V(sub)(a, vm);
        const V(f) r = V(sub)(e[j], q);

        total = V(add)(total, q);
        tie |= V(abs_equal)(r, half) << (j * V_LANES);
        odd |= V(odd)(a) << (j * V_LANES);
        negative |= V(sign)(r) << (j * V_LANES);
    }
    end = s + V(hadd)(total);
    if (tie && end < 2.0f * m) /* from 2M on, end may have been rounded */
        end += (float)V(ties)(odd, tie, negative, srt_bits32(s) & 1) * unit;
    if (!(end < 2.0f * m))
        return false;
    *sum = end;
    return true;
}

/* The same on doubles; lo and hi are the halves of a vector. */
SRT_INLINE bool V(add_block_wide)(const V(d) * lo, const V(d) * hi, double *sum,
                                  const struct srt_binade *b)
{
    const V(d) vshift = V(dset1)(b->shift), half = V(dset1)(b->unit * 0.5);
    V(d) total0 = V(dset1)(0.0), total1 = V(dset1)(0.0);
    uint64_t odd = 0, tie = 0, negative = 0;
    double end;

    for (int j = 0; j < V(per_block); j++) {
        const V(d) a0 = V(dadd)(lo[j], vshift), a1 = V(dadd)(hi[j], vshift);
        const V(d) q0 = V(dsub)(a0, vshift), q1 = V(dsub)(a1, vshift);
        const V(d) r0 = V(dsub)(lo[j], q0), r1 = V(dsub)(hi[j], q1);

        total0 = V(dadd)(total0, q0);
        total1 = V(dadd)(total1, q1);
        tie |= V(dabs_equal)(r0, r1, half) << (j * V_LANES);
        odd |= V(dodd)(a0, a1) << (j * V_LANES);
        negative |= V(dsign)(r0, r1) << (j * V_LANES);
    }
    end = *sum + V(dhadd)(V(dadd)(total0, total1));
    if (tie && end < 2.0 * b->m) /* from 2M on, end may have been rounded */
        end += (double)V(ties)(odd, tie, negative, b->parity) * b->unit;
    if (!(end < 2.0 * b->m))
        return false;
    *sum = end;
    return true;
}

/* A double sum of doubles: the shift is M itself, as for floats. */
SRT_INLINE bool V(add_block64)(const V(d) * lo, const V(d) * hi, double *sum)
{
    const double m = srt_binade64(*sum);
    const struct srt_binade b = { m, m * 0x1p-52, m,
                                  (unsigned)(srt_bits64(*sum) & 1) };

    return V(add_block_wide)(lo, hi, sum, &b);
}

/*
 * A float sum to which doubles are added in double: each is rounded to the
 * double unit of the sum's binade first (that addition), then to the float
 * unit (the conversion back).
 */
SRT_INLINE bool V(add_block_mixed)(V(d) * lo, V(d) * hi, float *sum)
{
    const double m = (double)srt_binade32(*sum);
    const struct srt_binade b = { m, m * 0x1p-23, m * 0x1p29,
                                  srt_bits32(*sum) & 1 };
    const V(d) vm = V(dset1)(m);
    double end = (double)*sum;

    if (!(*sum >= SRT_ORDERED_LEAST32))
        return false;
    for (int j = 0; j < V(per_block); j++) {
        lo[j] = V(dsub)(V(dadd)(lo[j], vm), vm);
        hi[j] = V(dsub)(V(dadd)(hi[j], vm), vm);
    }
    if (!V(add_block_wide)(lo, hi, &end, &b))
        return false;
    *sum = (float)end;
    return true;
}

/* Adds expf of the first SRT_BLOCK pending terms. */
SRT_INLINE void V(add_pending)(struct srt_softmax_sum *s)
{
    V(f) e[V(per_block)];
    float weight[SRT_BLOCK];

    for (int j = 0; j < V(per_block); j++)
        e[j] = V(exp)(V(load)(s->pending + j * V_LANES));
    if (V(add_block32)(e, &s->sum))
        return;
    for (int j = 0; j < V(per_block); j++)
        V(store)(weight + j * V_LANES, e[j]);
    for (int i = 0; i < SRT_BLOCK; i++)
        s->sum += weight[i];
}

/* Appends the terms on or above floor; adds a block when one is full. */
SRT_INLINE void V(append_terms)(struct srt_softmax_sum *s, const V(f) * x,
                                float *floor)
{
    const V(f) vmax = V(set1)(s->max), vfloor = V(set1)(*floor);

    for (int j = 0; j < V(per_block); j++) {
        const V(f) term = V(sub)(x[j], vmax);
        s->n_pending +=
            V(compress)(s->pending + s->n_pending, V(ge)(term, vfloor), term);
    }
    if (s->n_pending < SRT_BLOCK)
        return;
    V(add_pending)(s);
    s->n_pending -= SRT_BLOCK;
    for (int j = 0; j < V(per_block); j++)
        V(store)
    (s->pending + j * V_LANES, V(load)(s->pending + SRT_BLOCK + j * V_LANES));
    *floor = srt_ordered_negligible32(s->sum);
}

static void V(kernel_exp)(const float *x, float *out, size_t n, float max)
{
    const V(f) vmax = V(set1)(max);
    size_t i = 0;

    for (; i + V_LANES <= n; i += V_LANES)
        V(store)(out + i, V(exp)(V(sub)(V(load)(x + i), vmax)));
    for (; i < n; i++)
        out[i] = srt_expf_inline(x[i] - max);
}

static void V(kernel_mlx_exp)(const float *x, float *out, size_t n)
{
    size_t i = 0;

    for (; i + V_LANES <= n; i += V_LANES)
        V(store)(out + i, V(mlx_exp)(V(load)(x + i)));
    for (; i < n; i++)
        out[i] = srt_mlx_exp_inline(x[i]);
}

static void V(kernel_divide)(float *p, size_t n, float by)
{
    const V(f) vby = V(set1)(by);
    size_t i = 0;

    for (; i + V_LANES <= n; i += V_LANES)
        V(store)(p + i, V(div)(V(load)(p + i), vby));
    for (; i < n; i++)
        p[i] /= by;
}

static void V(kernel_multiply)(float *p, size_t n, float by)
{
    const V(f) vby = V(set1)(by);
    size_t i = 0;

    for (; i + V_LANES <= n; i += V_LANES)
        V(store)(p + i, V(mul)(V(load)(p + i), vby));
    for (; i < n; i++)
        p[i] *= by;
}

/*
 * Rank by counting: x[i] stands behind every larger value and behind equal
 * ones on its left.  n^2 / lanes comparisons, none of them a branch.
 */
static void V(kernel_sort_few)(float *x, float *out, size_t n)
{
    V(store)(x + n, V(set1)(-INFINITY));
    for (size_t i = 0; i < n; i++) {
        const V(f) v = V(set1)(x[i]);
        const uint64_t left = ((uint64_t)1 << i % V_LANES) - 1;
        const size_t own = i - i % V_LANES;
        size_t rank = 0, j = 0;

        for (; j < own; j += V_LANES)
            rank += srt_popcount64(V(ge)(V(load)(x + j), v));
        rank += srt_popcount64(V(ge)(V(load)(x + j), v) & left);
        /* x[j] > v is not (v >= x[j]); there is no NaN. */
        rank += srt_popcount64(~V(ge)(v, V(load)(x + j)) & V(all) & ~left);
        for (j += V_LANES; j < n; j += V_LANES)
            rank += srt_popcount64(~V(ge)(v, V(load)(x + j)) & V(all));
        out[rank] = x[i];
    }
}

static size_t V(kernel_reach)(const float *p, size_t n, float *run,
                              float target)
{
    size_t i = 0;

    while (i < n) {
        const size_t end = n - i < SRT_BLOCK ? n : i + SRT_BLOCK;

        if (end - i == SRT_BLOCK) {
            V(f) e[V(per_block)];
            float after = *run;

            for (int j = 0; j < V(per_block); j++)
                e[j] = V(load)(p + i + (size_t)(j * V_LANES));
            if (V(add_block32)(e, &after) && after < target) {
                *run = after;
                i = end;
                continue;
            }
        }
        for (; i < end; i++) {
            *run += p[i];
            if (*run >= target)
                return i;
        }
    }
    return n;
}

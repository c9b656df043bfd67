/*
 * mlx_body.h - the row kernels for MLX's arithmetic on vectors, for one row
 * type
 *
 * Included after row_body.h, with its macros; no guard.
 *
 * SPDX-License-Identifier: MIT
 */

/* The exponents of MLX's weights for one vector. */
SRT_INLINE V(f) ROW(mlx_term)(const struct srt_mlx_term *t, V(f) x, bool narrow)
{
    V(f) y = V(sub)(x, V(set1)(t->minus));

    if (narrow)
        y = V(bfloat)(y);
    y = V(mul)(y, V(set1)(t->scale));
    if (narrow)
        y = V(bfloat)(y);
    return V(sub)(y, V(set1)(t->max));
}

SRT_INLINE void ROW(mlx_sum_block)(struct srt_mlx_sum *s, const V(f) * y)
{
    V(f) e[V(per_block)];
    float weight[SRT_BLOCK];

    for (int j = 0; j < V(per_block); j++)
        e[j] = V(mlx_exp)(y[j]);
    if (V(add_block32)(e, &s->sum))
        return;
    for (int j = 0; j < V(per_block); j++)
        V(store)(weight + j * V_LANES, e[j]);
    for (int i = 0; i < SRT_BLOCK; i++)
        s->sum += weight[i];
}

SRT_INLINE void ROW(mlx_sum_of)(struct srt_mlx_sum *s, const ROW_TYPE *x,
                                size_t n, bool narrow)
{
    V(f) lowest = V(set1)(INFINITY);
    size_t i = 0;

    for (; i + SRT_BLOCK <= n; i += SRT_BLOCK) {
        V(f) y[V(per_block)], top = V(set1)(-INFINITY);

        for (int j = 0; j < V(per_block); j++) {
            const V(f) v = ROW_LOAD(x + i + (size_t)(j * V_LANES));

            lowest = V(min)(lowest, v);
            y[j] = ROW(mlx_term)(&s->term, v, narrow);
            top = V(max)(top, y[j]);
        }
        if (s->prefix)
            *s->prefix++ = s->sum;
        if (V(ge)(top, V(set1)(srt_ordered_negligible32(s->sum))))
            ROW(mlx_sum_block)(s, y);
    }
    if (V(hmin)(lowest) < s->lowest)
        s->lowest = V(hmin)(lowest);
    if (i < n && s->prefix)
        *s->prefix++ = s->sum;
    for (; i < n; i++) {
        const float v = ROW_AT(x, i);

        s->lowest = v < s->lowest ? v : s->lowest;
        s->sum += srt_mlx_exp_inline(srt_mlx_term_of(&s->term, v));
    }
}

static void ROW(mlx_sum)(struct srt_mlx_sum *s, const void *x, size_t n)
{
    if (s->term.narrow)
        ROW(mlx_sum_of)(s, x, n, true);
    else
        ROW(mlx_sum_of)(s, x, n, false);
}

/* What is above -inf, one after another; blocks are full when they are added.
 */
SRT_INLINE void ROW(mlx_tail_of)(struct srt_mlx_tail *t, const ROW_TYPE *x,
                                 size_t n, bool narrow)
{
    const V(f) m = V(set1)(t->binade), tie = V(set1)(t->binade * 0x1p-24f);
    V(f) total = V(set1)(0.0f);
    size_t i = 0;

    for (; i + V_LANES <= n; i += V_LANES) {
        const V(f) v = V(hide)(ROW_LOAD(x + i), V(set1)(t->below));
        V(f) e = V(sub)(v, V(set1)(t->minus)), q;

        if (narrow)
            e = V(bfloat)(e);
        e = V(mlx_exp)(e);
        q = V(sub)(V(add)(e, m), m);
        total = V(add)(total, q);
        t->n_ties += srt_popcount64(V(abs_equal)(V(sub)(e, q), tie));
    }
    t->mass += (double)V(hadd)(total);
    for (; i < n; i++)
        srt_mlx_tail_add(t, ROW_AT(x, i));
}

static void ROW(mlx_tail)(struct srt_mlx_tail *t, const void *x, size_t n)
{
    if (t->narrow)
        ROW(mlx_tail_of)(t, x, n, true);
    else
        ROW(mlx_tail_of)(t, x, n, false);
}

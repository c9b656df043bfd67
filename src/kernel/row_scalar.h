/*
 * row_scalar.h - the row kernels in plain C, for one row type
 *
 * Included once per type with SCALAR_LOAD(x, i) and SCALAR_NAME(name) defined;
 * no guard.
 *
 * SPDX-License-Identifier: MIT
 */

static bool SCALAR_NAME(block_max)(const void *x, size_t n, float *out)
{
    bool good = true;

    for (size_t i = 0; i < n; i += SRT_BLOCK) {
        const size_t end = i + SRT_BLOCK < n ? i + SRT_BLOCK : n;
        float max = -INFINITY;

        for (size_t j = i; j < end; j++) {
            const float v = SCALAR_LOAD(x, j);
            good &= v <= FLT_MAX; /* false for NaN too */
            max = v > max ? v : max;
        }
        *out++ = max;
    }
    return good;
}

static size_t SCALAR_NAME(gather)(const void *x, size_t n,
                                  const float *block_max, float floor,
                                  int32_t *id, float *value)
{
    size_t n_out = 0;

    for (size_t i = 0; i < n; i += SRT_BLOCK) {
        const size_t end = i + SRT_BLOCK < n ? i + SRT_BLOCK : n;

        if (!(*block_max++ >= floor))
            continue;
        for (size_t j = i; j < end; j++) {
            const float v = SCALAR_LOAD(x, j);
            if (v >= floor) {
                id[n_out] = (int32_t)j;
                value[n_out++] = v;
            }
        }
    }
    return n_out;
}

static size_t SCALAR_NAME(count)(const void *x, size_t n, float floor)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += SCALAR_LOAD(x, i) >= floor;
    return count;
}

static void SCALAR_NAME(widen)(const void *x, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = SCALAR_LOAD(x, i);
}

static void SCALAR_NAME(scale)(const void *x, size_t n, float by, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = SCALAR_LOAD(x, i) * by;
}

static void SCALAR_NAME(softmax_sum)(struct srt_softmax_sum *s, const void *x,
                                     size_t n)
{
    for (size_t i = 0; i < n; i++)
        s->sum += srt_expf_inline(SCALAR_LOAD(x, i) - s->max);
}

static void SCALAR_NAME(square_sum)(const void *x, size_t n, float mean,
                                    float *sum)
{
    for (size_t i = 0; i < n; i++) {
        const float v = SCALAR_LOAD(x, i);
        const double off = (double)(v - mean);

        if (v != -INFINITY)
            *sum = (float)((double)*sum + off * off);
    }
}

static void SCALAR_NAME(draw_sum)(struct srt_draw_sum *s, const void *x,
                                  size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const float v = SCALAR_LOAD(x, i);

        if (i % SRT_BLOCK == 0)
            *s->prefix++ = s->sum;
        s->lowest = v < s->lowest ? v : s->lowest;
        s->sum += (double)srt_expf_inline(v / s->divisor - s->max);
    }
}

static void SCALAR_NAME(mlx_sum)(struct srt_mlx_sum *s, const void *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const float v = SCALAR_LOAD(x, i);

        if (i % SRT_BLOCK == 0 && s->prefix)
            *s->prefix++ = s->sum;
        s->lowest = v < s->lowest ? v : s->lowest;
        s->sum += srt_mlx_exp_inline(srt_mlx_term_of(&s->term, v));
    }
}

static void SCALAR_NAME(mlx_tail)(struct srt_mlx_tail *t, const void *x,
                                  size_t n)
{
    for (size_t i = 0; i < n; i++)
        srt_mlx_tail_add(t, SCALAR_LOAD(x, i));
}

/*
 * kernel_sums.c - a set of kernels beside the scalar one: sums in order
 *
 * The kernels add a block at once and correct the result (numeric/
 * ordered_sum.h), so the inputs here aim at what a correction can get wrong:
 * weights exactly half way between two multiples of the sum's unit, sums that
 * end within a few units of the next power of two, sums too small for the
 * method, and sums that stand still.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel_check.h"

#include "numeric/bits.h"
#include "numeric/expf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { SUMS_MAX = 4 * SRT_BLOCK };

/* ---- rows ---------------------------------------------------------------- */

/* The length of the next segment: whole blocks, or the rest of the row. */
static size_t segment_length(struct rows_random *r, size_t rest)
{
    const size_t n = (1 + rows_below(r, 5)) * SRT_BLOCK;

    return n < rest && rows_below(r, 4) ? n : rest;
}

/* Every third segment or so comes as a patched one does: widened before. */
static const void *maybe_widened(struct rows_random *r, sortes_dtype *type,
                                 const void *x, size_t n)
{
    static float wide[KERNEL_ROW_MAX];

    if (rows_below(r, 3))
        return x;
    srt_kernels_scalar.row[*type].widen(x, n, wide);
    *type = SORTES_F32;
    return wide;
}

static float softmax_sum_by(const struct srt_kernels *k,
                            const struct kernel_row *row)
{
    struct rows_random r = { row->seed };
    struct srt_softmax_sum s = { .max = row->max };

    for (size_t at = 0, n; at < row->n; at += n) {
        sortes_dtype type = row->type;
        const void *x = (const char *)row->x + at * kernel_type_size(type);

        n = segment_length(&r, row->n - at);
        x = maybe_widened(&r, &type, x, n);
        k->row[type].softmax_sum(&s, x, n);
    }
    return srt_softmax_sum_finish(&s);
}

static void softmax_sum_of_row(const struct srt_kernels *k,
                               const struct kernel_row *row)
{
    const float got = softmax_sum_by(k, row);
    const float want = softmax_sum_by(&srt_kernels_scalar, row);

    if (srt_bits32(got) != srt_bits32(want))
        fail_msg("%s of %zu, seed %llu: sum %a, not %a",
                 kernel_type_names[row->type], row->n,
                 (unsigned long long)row->seed, (double)got, (double)want);
}

void kernel_check_softmax_sum(const struct srt_kernels *k)
{
    kernel_rows(k, softmax_sum_of_row);
}

static void draw_sum_by(const struct srt_kernels *k,
                        const struct kernel_row *row, struct srt_draw_sum *s,
                        double *prefix)
{
    static const float divisors[] = { 1.0f, 0.8f, 0.25f, 1.7f, 30.0f };
    struct rows_random r = { row->seed };

    s->sum = 0.0;
    s->prefix = prefix;
    s->divisor = divisors[row->seed % SRT_COUNT(divisors)];
    s->max = row->max / s->divisor;
    s->lowest = INFINITY;
    for (size_t at = 0, n; at < row->n; at += n) {
        sortes_dtype type = row->type;
        const void *x = (const char *)row->x + at * kernel_type_size(type);

        n = segment_length(&r, row->n - at);
        x = maybe_widened(&r, &type, x, n);
        k->row[type].draw_sum(s, x, n);
    }
}

static void draw_sum_of_row(const struct srt_kernels *k,
                            const struct kernel_row *row)
{
    static double want_prefix[KERNEL_ROW_MAX / SRT_BLOCK + 1];
    const size_t n_blocks = (row->n + SRT_BLOCK - 1) / SRT_BLOCK;
    const size_t bytes = n_blocks * sizeof(double);
    double *const prefix = kernel_area(0, bytes);
    struct srt_draw_sum got, want;

    draw_sum_by(k, row, &got, prefix);
    draw_sum_by(&srt_kernels_scalar, row, &want, want_prefix);
    if (srt_bits64(got.sum) != srt_bits64(want.sum))
        fail_msg("%s of %zu, seed %llu: sum %a, not %a",
                 kernel_type_names[row->type], row->n,
                 (unsigned long long)row->seed, got.sum, want.sum);
    assert_int_equal(got.prefix - prefix, n_blocks);
    assert_memory_equal(prefix, want_prefix, bytes);
    assert_true(got.lowest == want.lowest);
}

void kernel_check_draw_sum(const struct srt_kernels *k)
{
    kernel_rows(k, draw_sum_of_row);
}

/* ---- squares ------------------------------------------------------------- */

static float square_sum_by(const struct srt_kernels *k,
                           const struct kernel_row *row, float mean)
{
    struct rows_random r = { row->seed };
    float sum = 0.0f;

    for (size_t at = 0, n; at < row->n; at += n) {
        sortes_dtype type = row->type;
        const void *x = (const char *)row->x + at * kernel_type_size(type);

        n = segment_length(&r, row->n - at);
        x = maybe_widened(&r, &type, x, n);
        k->row[type].square_sum(x, n, mean, &sum);
    }
    return sum;
}

static void square_sum_of_row(const struct srt_kernels *k,
                              const struct kernel_row *row)
{
    /* the maximum itself, near it, far above and far below it */
    const float means[] = { row->max, row->max - 3.3f, row->max + 1e6f, -1e20f,
                            0.0f };

    for (size_t i = 0; i < SRT_COUNT(means); i++) {
        const float got = square_sum_by(k, row, means[i]);
        const float want = square_sum_by(&srt_kernels_scalar, row, means[i]);

        if (srt_bits32(got) != srt_bits32(want))
            fail_msg("%s of %zu, seed %llu, mean %a: sum %a, not %a",
                     kernel_type_names[row->type], row->n,
                     (unsigned long long)row->seed, (double)means[i],
                     (double)got, (double)want);
    }
}

void kernel_check_square_sum(const struct srt_kernels *k)
{
    kernel_rows(k, square_sum_of_row);
}

static void square_ties_from(const struct srt_kernels *k, const float *x,
                             size_t n, float start)
{
    float got = start, want = start;

    k->row[SORTES_F32].square_sum(x, n, 0.0f, &got);
    srt_kernels_scalar.row[SORTES_F32].square_sum(x, n, 0.0f, &want);
    if (srt_bits32(got) != srt_bits32(want))
        fail_msg("%zu squares from %a: %a, not %a", n, (double)start,
                 (double)got, (double)want);
}

/*
 * Squares that are 0, half a unit of the sum, one and a half, or a unit: roots
 * of powers of two are exact for even exponents.  The sum begins in the midst
 * of a binade and just below the next one, and grows past it.
 */
void kernel_check_square_ties(const struct srt_kernels *k)
{
    static const float roots[] = { 0.0f,           0x1p-13f, 0x1p-12f,
                                   0x1.8p-12f,     0x1p-11f, 0x1p-20f,
                                   -INFINITY,      0x1p-1f,  0x1.000002p-12f,
                                   0x1.fffffep-13f };
    static const float starts[] = { 0.0f,     1.0f,     0x1.fffff0p0f,
                                    1.5f,     4.0f,     0x1.fffffep1f,
                                    0x1p-20f, 0x1p-140f };
    struct rows_random r = { 1234 };

    for (int i = 0; i < 4000; i++) {
        const size_t n = 1 + rows_below(&r, SUMS_MAX);
        const size_t few = 1 + rows_below(&r, SRT_COUNT(roots));
        float *const x = kernel_area(0, n * sizeof(*x));

        for (size_t j = 0; j < n; j++)
            x[j] = roots[rows_below(&r, few)] * (rows_below(&r, 2) ? 1 : -1);
        for (size_t j = 0; j < n; j++)
            if (x[j] > FLT_MAX)
                x[j] = -INFINITY;
        square_ties_from(k, x, n, starts[(size_t)i % SRT_COUNT(starts)]);
    }
}

/* ---- reach --------------------------------------------------------------- */

static void reach_target(const struct srt_kernels *k, const float *p, size_t n,
                         float start, float target)
{
    float got = start, want = start;
    const size_t at = k->reach(p, n, &got, target);
    const size_t want_at = srt_kernels_scalar.reach(p, n, &want, target);

    if (at != want_at || srt_bits32(got) != srt_bits32(want))
        fail_msg("%a and %zu more, to %a: %a at %zu, not %a at %zu",
                 (double)start, n, (double)target, (double)got, at,
                 (double)want, want_at);
}

/* Targets that are met exactly at an index, missed by one float either way,
 * met at once, and never. */
static void reach_in(const struct srt_kernels *k, const float *p, size_t n,
                     uint64_t seed)
{
    struct rows_random r = { seed };

    reach_target(k, p, n, 0.0f, INFINITY);
    reach_target(k, p, n, 0.0f, 0.0f);
    for (int i = 0; i < 8; i++) {
        const size_t border = rows_below(&r, n / SRT_BLOCK + 1) * SRT_BLOCK;
        const size_t at = i < 5 || border == 0 ? rows_below(&r, n) : border - 1;
        float run = 0.0f;

        for (size_t j = 0; j <= at; j++)
            run += p[j];
        reach_target(k, p, n, 0.0f, run);
        reach_target(k, p, n, 0.0f, nextafterf(run, 0.0f));
        reach_target(k, p, n, 0.0f, nextafterf(run, INFINITY));
    }
}

static void reach_in_row(const struct srt_kernels *k,
                         const struct kernel_row *row)
{
    static float weights[KERNEL_ROW_MAX];
    float *const p = kernel_area(0, row->n * sizeof(*p));
    float sum = 0.0f;

    if (row->type != SORTES_F32)
        return;
    srt_kernels_scalar.exp(row->x, weights, row->n, row->max);
    memcpy(p, weights, row->n * sizeof(float));
    reach_in(k, p, row->n, row->seed);
    (void)srt_kernels_scalar.reach(weights, row->n, &sum, INFINITY);
    srt_kernels_scalar.divide(p, row->n, sum);
    reach_in(k, p, row->n, row->seed);
}

void kernel_check_reach(const struct srt_kernels *k)
{
    kernel_rows(k, reach_in_row);
}

/* ---- ties and borders ---------------------------------------------------- */

/* A weight as a multiple of unit / 2, often an odd one. */
static double tied_weight(struct rows_random *r, int style)
{
    switch (style) {
    case 0:
        return (double)rows_below(r, 8) / 2; /* 0 .. 3.5 */
    case 1:
        return (double)(2 * rows_below(r, 4) + 1) / 2; /* ties only */
    case 2:
        return (double)rows_below(r, 1u << 18) / 2;
    case 3:
        return rows_below(r, 5) ? 0.0 : (double)rows_below(r, 9) / 2;
    default: /* not on the grid, near it, half way or tiny */
        return (double)(float)((double)rows_below(r, 6) / 2 +
                               (rows_uniform(r) - 0.5) * 0.01 +
                               rows_uniform(r) * 1e-6);
    }
}

/*
 * A sum, in units and from 2^p up to 2^(p+1), from which `total` more leads
 * into the middle of the binade or to within a few units of its end.
 */
static double start_in_units(struct rows_random *r, int p, double total)
{
    const double least = ldexp(1.0, p), end = ldexp(1.0, p + 1);
    double start = end - floor(total) + (double)rows_below(r, 9) - 4.0;

    if (rows_below(r, 3) == 0 || start < least || start >= end)
        start = least + floor(rows_uniform(r) * least);
    return start;
}

void kernel_check_reach_ties(const struct srt_kernels *k)
{
    struct rows_random r = { 77 };
    float p[SUMS_MAX];

    for (int trial = 0; trial < 60000; trial++) {
        const int style = (int)rows_below(&r, 5);
        const int exponent = (int)rows_below(&r, 150) - 89; /* of the unit */
        const size_t n = (1 + rows_below(&r, 3)) * SRT_BLOCK;
        double total = 0.0;

        for (size_t i = 0; i < n; i++) {
            const double w = tied_weight(&r, style);

            total += w;
            p[i] = (float)ldexp(w, exponent);
        }
        reach_target(k, p, n,
                     (float)ldexp(start_in_units(&r, 23, total), exponent),
                     INFINITY);
    }
}

/* Terms x whose expf is a multiple of 2^-25, odd ones of each of the last few
 * bits among them: found by trying the neighbours of a logarithm. */
static size_t find_grid_terms(float *terms, size_t n_max)
{
    struct rows_random r = { 13 };
    size_t n = 0;

    while (n < n_max) {
        const int bits = 2 + (int)rows_below(&r, 18);
        const size_t odd = (rows_below(&r, (size_t)1 << bits)) | 1;
        const float p = (float)ldexp((double)odd, -25 + (int)rows_below(&r, 4));
        float x = logf(p);

        for (int i = 0; i < 4; i++)
            x = nextafterf(x, -INFINITY);
        for (int i = 0; i < 8 && n < n_max; i++) {
            if (p < 1.0f && srt_expf(x) == p)
                terms[n++] = x;
            x = nextafterf(x, INFINITY);
        }
    }
    return n;
}

static float softmax_sum_from(const struct srt_kernels *k, const float *x,
                              size_t n, float start)
{
    struct srt_softmax_sum s = { .sum = start };

    k->row[SORTES_F32].softmax_sum(&s, x, n);
    return srt_softmax_sum_finish(&s);
}

static void softmax_from(const struct srt_kernels *k, const float *x, size_t n,
                         float start)
{
    const float got = softmax_sum_from(k, x, n, start);
    const float want = softmax_sum_from(&srt_kernels_scalar, x, n, start);

    if (srt_bits32(got) != srt_bits32(want))
        fail_msg("%a and %zu more: %a, not %a", (double)start, n, (double)got,
                 (double)want);
}

void kernel_check_softmax_ties(const struct srt_kernels *k)
{
    static float terms[2000];
    const size_t n_terms = find_grid_terms(terms, SRT_COUNT(terms));
    struct rows_random r = { 78 };
    float x[SUMS_MAX];

    for (int trial = 0; trial < 20000; trial++) {
        const int exponent = -25 + (int)rows_below(&r, 4); /* of the unit */
        const size_t first = rows_below(&r, n_terms);
        const size_t spread = 1 + rows_below(&r, trial % 2 ? 4 : n_terms);
        const size_t n = (1 + rows_below(&r, 3)) * SRT_BLOCK;
        double total = 0.0;

        for (size_t i = 0; i < n; i++) {
            x[i] = terms[(first + rows_below(&r, spread)) % n_terms];
            total += (double)srt_expf(x[i]);
        }
        total = ldexp(total, -exponent);
        softmax_from(k, x, n,
                     (float)ldexp(start_in_units(&r, 23, total), exponent));
    }
}

static void draw_from(const struct srt_kernels *k, const float *x, size_t n,
                      double start)
{
    double got_prefix[SUMS_MAX / SRT_BLOCK], want_prefix[SUMS_MAX / SRT_BLOCK];
    struct srt_draw_sum got = { start, got_prefix, 1.0f, 0.0f, INFINITY };
    struct srt_draw_sum want = { start, want_prefix, 1.0f, 0.0f, INFINITY };

    k->row[SORTES_F32].draw_sum(&got, x, n);
    srt_kernels_scalar.row[SORTES_F32].draw_sum(&want, x, n);
    if (srt_bits64(got.sum) != srt_bits64(want.sum))
        fail_msg("%a and %zu more: %a, not %a", start, n, got.sum, want.sum);
    assert_memory_equal(got_prefix, want_prefix,
                        n / SRT_BLOCK * sizeof(double));
}

/* A double sum ties with float weights only where they are 2^29 times smaller
 * than it: half of those just below, a quarter of the next ... */
void kernel_check_draw_ties(const struct srt_kernels *k)
{
    struct rows_random r = { 79 };
    float x[SUMS_MAX];

    for (int trial = 0; trial < 20000; trial++) {
        const int exponent = -52 + (int)rows_below(&r, 3); /* of the unit */
        const double high = (double)(exponent + 23) * 0.693147 - 0.001;
        const size_t n = (1 + rows_below(&r, 3)) * SRT_BLOCK;
        const double depth = rows_below(&r, 2) ? 0.7 : 4.0;
        double total = 0.0;

        for (size_t i = 0; i < n; i++) {
            x[i] = (float)(high - rows_uniform(&r) * depth);
            if (rows_below(&r, 8) == 0)
                x[i] = -40.0f;
            total += (double)srt_expf(x[i]);
        }
        total = ldexp(total, -exponent);
        draw_from(k, x, n, ldexp(start_in_units(&r, 52, total), exponent));
    }
}

/* ---- small and large sums ------------------------------------------------ */

/* Subnormal weights, alone and beside sums on both sides of the limits below
 * which a block is added one by one. */
void kernel_check_small_sums(const struct srt_kernels *k)
{
    struct rows_random r = { 80 };
    float x[SUMS_MAX];

    for (int trial = 0; trial < 4000; trial++) {
        const double start =
            rows_below(&r, 4)
                ? ldexp(1.0 + rows_uniform(&r), -(int)rows_below(&r, 150))
                : 0.0;
        const double low = -60.0 - rows_uniform(&r) * 44.0;

        for (size_t i = 0; i < SUMS_MAX; i++)
            x[i] = (float)(low - rows_uniform(&r) * 8.0);
        softmax_from(k, x, SUMS_MAX, (float)start);
        draw_from(k, x, SUMS_MAX, start);
    }
}

/* From 2^24 on a float sum ignores 1; just below, every 1 counts. */
void kernel_check_saturated_sums(const struct srt_kernels *k)
{
    static float x[1 << 16];
    struct rows_random r = { 81 };

    for (size_t i = 0; i < SRT_COUNT(x); i++)
        x[i] = 0.0f;
    for (int back = 0; back < 200; back += 7)
        softmax_from(k, x, 1000, 0x1p24f - (float)back);
    softmax_from(k, x, SRT_COUNT(x), 0x1p24f - 40000.0f);
    softmax_from(k, x, SRT_COUNT(x), 0.0f);
    for (size_t i = 0; i < SRT_COUNT(x); i++)
        x[i] = rows_below(&r, 40) ? 0.0f : -0.5f * (float)rows_below(&r, 5);
    for (int p = 20; p < 27; p++)
        softmax_from(k, x, SRT_COUNT(x), ldexpf(1.0f, p) - 30000.0f);
}

/*
 * kernel_check.c - a set of kernels beside the scalar one: what is done to
 * each value by itself
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel_check.h"

#include "numeric/bits.h"
#include "numeric/expf.h"
#include "row.h"
#include "support/guarded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const kernel_type_names[3] = { "f32", "f16", "bf16" };

/* Sizes beyond the first 200. */
static const size_t more_sizes[] = { 255,  256,  257,           1000,
                                     1024, 4097, KERNEL_ROW_MAX };

/* Opened on first use and kept: a new mapping for every row takes longer than
 * the kernels. */
static struct guarded areas[KERNEL_AREAS + 1];

static const struct guarded *area_open(int which)
{
    if (!areas[which].map)
        guarded_open(&areas[which], (KERNEL_ROW_MAX + 64) * sizeof(double));
    return &areas[which];
}

void *kernel_area(int which, size_t n)
{
    return guarded_at_end(area_open(which), n);
}

size_t kernel_type_size(sortes_dtype type)
{
    return type == SORTES_F32 ? sizeof(float) : sizeof(uint16_t);
}

void kernel_narrow(void *to, const float *x, size_t n, sortes_dtype type)
{
    uint16_t *const narrow = to;

    if (type == SORTES_F32)
        memcpy(to, x, n * sizeof(*x));
    for (size_t i = 0; type == SORTES_F16 && i < n; i++)
        narrow[i] = rows_to_half(x[i]);
    for (size_t i = 0; type == SORTES_BF16 && i < n; i++)
        narrow[i] = rows_to_bfloat(x[i]);
}

static float largest(const struct kernel_row *row)
{
    const sortes_row r = { row->x, row->n, row->type };
    float max = -INFINITY;

    for (size_t i = 0; i < row->n; i++)
        max = srt_row_at(&r, i) > max ? srt_row_at(&r, i) : max;
    return max;
}

/* One row, in every type and place. */
static void row_everywhere(const struct srt_kernels *k, kernel_on_row *check,
                           const float *x, size_t n, uint64_t seed)
{
    const struct guarded *const g = area_open(KERNEL_AREAS);

    for (int type = 0; type < 3; type++) {
        const size_t size = kernel_type_size((sortes_dtype)type);
        struct kernel_row row = { NULL, n, (sortes_dtype)type, 0.0f, seed };

        for (int place = 0; place < (n <= 200 ? 3 : 1); place++) {
            void *const at = place == 0 ? guarded_at_end(g, n * size)
                                        : g->start + (place == 2 ? size : 0);

            kernel_narrow(at, x, n, row.type);
            row.x = at;
            row.max = largest(&row);
            if (row.max > -INFINITY) /* else nobody asks further */
                check(k, &row);
        }
    }
}

void kernel_rows(const struct srt_kernels *k, kernel_on_row *check)
{
    static float x[KERNEL_ROW_MAX];
    uint64_t seed = 1;

    for (int kind = 0; kind < ROWS_N_KINDS; kind++) {
        for (size_t n = 1; n <= 200; n++, seed++) {
            rows_fill(x, n, (enum rows_kind)kind, seed);
            row_everywhere(k, check, x, n, seed);
        }
        for (size_t i = 0; i < SRT_COUNT(more_sizes); i++, seed++) {
            rows_fill(x, more_sizes[i], (enum rows_kind)kind, seed);
            row_everywhere(k, check, x, more_sizes[i], seed);
        }
    }
}

/* ---- block_max ----------------------------------------------------------- */

static size_t blocks_of(size_t n)
{
    return (n + SRT_BLOCK - 1) / SRT_BLOCK;
}

/* -0 and 0 are one maximum: which of the two a block gives is left open. */
static void same_maxima(const float *got, const float *want, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_true(got[i] == want[i]);
}

static void block_max_of_row(const struct srt_kernels *k,
                             const struct kernel_row *row)
{
    static float want[KERNEL_ROW_MAX / SRT_BLOCK + 1];
    const size_t n_blocks = blocks_of(row->n);
    float *const got = kernel_area(0, n_blocks * sizeof(*got));

    assert_true(k->row[row->type].block_max(row->x, row->n, got));
    assert_true(
        srt_kernels_scalar.row[row->type].block_max(row->x, row->n, want));
    same_maxima(got, want, n_blocks);
}

void kernel_check_block_max(const struct srt_kernels *k)
{
    kernel_rows(k, block_max_of_row);
}

static const uint32_t not_finite[] = {
    0x7fc00000u, /* NaN */
    0xffc00000u, /* with the sign bit */
    0x7f810000u, /* signaling, in bf16 too */
    0xff812000u, /* signaling, in f16 too */
    0x7f800000u, /* +inf */
};

/* The same in f16: rows_to_half() makes every NaN quiet. */
static uint16_t not_finite_half(uint32_t bits)
{
    return (uint16_t)(bits >> 16 & 0x8000u) | 0x7c00u |
           (uint16_t)(bits >> 13 & 0x3ffu);
}

static void put_bits(void *x, size_t i, uint32_t bits, sortes_dtype type)
{
    uint16_t *const narrow = x;

    if (type == SORTES_F32)
        memcpy((float *)x + i, &bits, sizeof(bits));
    else
        narrow[i] = type == SORTES_BF16 ? (uint16_t)(bits >> 16)
                                        : not_finite_half(bits);
}

/* A bad value at one index, then -inf there. */
static void spoil(const struct srt_kernels *k, void *x, size_t n,
                  sortes_dtype type, size_t at)
{
    float got[16], want[16];
    const uint32_t minus_infinity = 0xff800000u;

    for (size_t i = 0; i < SRT_COUNT(not_finite); i++) {
        put_bits(x, at, not_finite[i], type);
        if (k->row[type].block_max(x, n, got))
            fail_msg("%s of %zu takes %#x at %zu", kernel_type_names[type], n,
                     (unsigned)not_finite[i], at);
        assert_false(srt_kernels_scalar.row[type].block_max(x, n, want));
    }
    put_bits(x, at, minus_infinity, type);
    assert_true(k->row[type].block_max(x, n, got));
    assert_true(srt_kernels_scalar.row[type].block_max(x, n, want));
    same_maxima(got, want, blocks_of(n));
}

void kernel_check_not_finite(const struct srt_kernels *k)
{
    static float x[1000];
    static float typed[1000];

    for (size_t n = 1; n <= 1000; n += n < 200 ? 1 : 400) {
        rows_fill(x, n, ROWS_ORDINARY, n);
        for (int type = 0; type < 3; type++) {
            for (size_t at = n > 150 ? n % 3 : 0; at<n; at += n> 150 ? 7 : 1) {
                kernel_narrow(typed, x, n, (sortes_dtype)type);
                spoil(k, typed, n, (sortes_dtype)type, at);
            }
        }
    }
}

/* ---- gather, count, widen ------------------------------------------------ */

/* Floors that take everything, a part, the largest alone, and nothing. */
static float floor_number(const struct kernel_row *row, int i)
{
    const sortes_row r = { row->x, row->n, row->type };

    switch (i) {
    case 0:
        return -INFINITY;
    case 1:
        return -FLT_MAX;
    case 2:
        return srt_row_at(&r, row->seed * 7919u % row->n);
    case 3:
        return row->max - 4.0f;
    case 4:
        return row->max;
    default:
        return nextafterf(row->max, INFINITY);
    }
}

enum { N_FLOORS = 6 };

static void gather_above(const struct srt_kernels *k,
                         const struct kernel_row *row, const float *block_max,
                         float floor)
{
    static int32_t want_id[KERNEL_ROW_MAX];
    static float want_value[KERNEL_ROW_MAX];
    const size_t bytes = (row->n + KERNEL_VECTOR) * sizeof(float);
    int32_t *const got_id = kernel_area(0, bytes);
    float *const got_value = kernel_area(1, bytes);
    size_t n, want;

    memset(got_id, 0xa5, bytes);
    memset(got_value, 0xa5, bytes);
    n = k->row[row->type].gather(row->x, row->n, block_max, floor, got_id,
                                 got_value);
    want = srt_kernels_scalar.row[row->type].gather(row->x, row->n, block_max,
                                                    floor, want_id, want_value);
    assert_int_equal(n, want);
    if (n > 0) {
        assert_memory_equal(got_id, want_id, n * sizeof(*got_id));
        assert_memory_equal(got_value, want_value, n * sizeof(*got_value));
    }
    for (size_t i = n + KERNEL_VECTOR; i < row->n + KERNEL_VECTOR; i++) {
        assert_true((uint32_t)got_id[i] == 0xa5a5a5a5u);
        assert_true(srt_bits32(got_value[i]) == 0xa5a5a5a5u);
    }
}

static void gather_from_row(const struct srt_kernels *k,
                            const struct kernel_row *row)
{
    float *const block_max =
        kernel_area(2, blocks_of(row->n) * sizeof(*block_max));

    (void)srt_kernels_scalar.row[row->type].block_max(row->x, row->n,
                                                      block_max);
    for (int i = 0; i < N_FLOORS; i++)
        if (row->n < 300 || i == (int)(row->seed % N_FLOORS))
            gather_above(k, row, block_max, floor_number(row, i));
}

void kernel_check_gather(const struct srt_kernels *k)
{
    kernel_rows(k, gather_from_row);
}

static void count_in_row(const struct srt_kernels *k,
                         const struct kernel_row *row)
{
    for (int i = 0; i < N_FLOORS; i++) {
        const float floor = floor_number(row, i);

        assert_int_equal(
            k->row[row->type].count(row->x, row->n, floor),
            srt_kernels_scalar.row[row->type].count(row->x, row->n, floor));
    }
}

void kernel_check_count(const struct srt_kernels *k)
{
    kernel_rows(k, count_in_row);
}

static void widen_row(const struct srt_kernels *k, const struct kernel_row *row)
{
    static float want[KERNEL_ROW_MAX];
    const size_t bytes = row->n * sizeof(float);
    float *const got = kernel_area(0, bytes);

    k->row[row->type].widen(row->x, row->n, got);
    srt_kernels_scalar.row[row->type].widen(row->x, row->n, want);
    assert_memory_equal(got, want, bytes);
}

/* By factors that leave most values alone, and that overflow and underflow. */
static void scale_row(const struct srt_kernels *k, const struct kernel_row *row)
{
    static const float factors[] = { 1.0f, 1.4285715f, -0x1p120f, 0x1p-140f,
                                     0.0f };
    static float want[KERNEL_ROW_MAX];
    const size_t bytes = row->n * sizeof(float);
    float *const got = kernel_area(0, bytes);

    for (size_t i = 0; i < SRT_COUNT(factors); i++) {
        k->row[row->type].scale(row->x, row->n, factors[i], got);
        srt_kernels_scalar.row[row->type].scale(row->x, row->n, factors[i],
                                                want);
        for (size_t j = 0; j < row->n; j++)
            assert_true(srt_bits32(got[j]) == srt_bits32(want[j]) ||
                        (isnan(got[j]) && isnan(want[j])));
    }
}

void kernel_check_scale(const struct srt_kernels *k)
{
    kernel_rows(k, scale_row);
}

/* All 65,536 values of a narrow type; a NaN may come out as another NaN. */
static void widen_everything(const struct srt_kernels *k, sortes_dtype type)
{
    static uint16_t x[65536];
    static float got[65536], want[65536];

    for (size_t i = 0; i < 65536; i++)
        x[i] = (uint16_t)i;
    k->row[type].widen(x, 65536, got);
    srt_kernels_scalar.row[type].widen(x, 65536, want);
    for (size_t i = 0; i < 65536; i++)
        assert_true(srt_bits32(got[i]) == srt_bits32(want[i]) ||
                    (isnan(got[i]) && isnan(want[i])));
}

void kernel_check_widen(const struct srt_kernels *k)
{
    kernel_rows(k, widen_row);
    widen_everything(k, SORTES_F16);
    widen_everything(k, SORTES_BF16);
}

/* ---- whole arrays -------------------------------------------------------- */

static void exp_of_row(const struct srt_kernels *k,
                       const struct kernel_row *row)
{
    static float want[KERNEL_ROW_MAX];
    const size_t bytes = row->n * sizeof(float);
    const size_t slack = KERNEL_VECTOR * sizeof(float);
    float *const got = kernel_area(0, bytes + slack);

    if (row->type != SORTES_F32)
        return;
    k->exp(row->x, got, row->n, row->max);
    srt_kernels_scalar.exp(row->x, want, row->n, row->max);
    assert_memory_equal(got, want, bytes);
}

/* Every 4,093rd float that is not above 0; all of them: tests/long. */
static void exp_of_any_float(const struct srt_kernels *k)
{
    static float x[1000], got[1000 + KERNEL_VECTOR], want[1000];
    size_t n = 0;

    for (uint32_t bits = 0x80000000u; bits <= 0xff800000u; bits += 4093) {
        x[n++] = srt_float32(bits);
        if (n < SRT_COUNT(x) && bits < 0xff800000u - 4093)
            continue;
        k->exp(x, got, n, 0.0f);
        srt_kernels_scalar.exp(x, want, n, 0.0f);
        assert_memory_equal(got, want, n * sizeof(*got));
        n = 0;
    }
}

void kernel_check_exp(const struct srt_kernels *k)
{
    kernel_rows(k, exp_of_row);
    exp_of_any_float(k);
}

/* Weights and their sum, as softmax divides them or multiplies by the
 * reciprocal; then by numbers that make the results subnormal and infinite. */
static void divide_row(const struct srt_kernels *k,
                       const struct kernel_row *row)
{
    static const float divisors[] = { 3.0f, 0x1p100f, 1e-30f, 0.0f };
    static float want[KERNEL_ROW_MAX], start[KERNEL_ROW_MAX];
    const size_t bytes = row->n * sizeof(float);
    float *const got = kernel_area(0, bytes);

    if (row->type != SORTES_F32)
        return;
    srt_kernels_scalar.exp(row->x, start, row->n, row->max);
    for (size_t i = 0; i < SRT_COUNT(divisors); i++) {
        float by = divisors[i];

        if (by == 0.0f)
            (void)srt_kernels_scalar.reach(start, row->n, &by, INFINITY);
        memcpy(got, start, bytes);
        memcpy(want, start, bytes);
        k->divide(got, row->n, by);
        srt_kernels_scalar.divide(want, row->n, by);
        assert_memory_equal(got, want, bytes);
        memcpy(got, start, bytes);
        memcpy(want, start, bytes);
        k->multiply(got, row->n, 1.0f / by);
        srt_kernels_scalar.multiply(want, row->n, 1.0f / by);
        assert_memory_equal(got, want, bytes);
    }
}

void kernel_check_divide(const struct srt_kernels *k)
{
    kernel_rows(k, divide_row);
}

static void sort_few_of(const struct srt_kernels *k, const float *x, size_t n)
{
    const size_t bytes = n * sizeof(float);
    const size_t slack = KERNEL_VECTOR * sizeof(float);
    float want[SRT_SORT_FEW], copy[SRT_SORT_FEW + KERNEL_VECTOR];
    float *const from = kernel_area(0, bytes + slack);
    float *const out = kernel_area(1, bytes);

    memcpy(from, x, bytes);
    memcpy(copy, x, bytes);
    k->sort_few(from, out, n);
    srt_kernels_scalar.sort_few(copy, want, n);
    if (n > 0)
        assert_memory_equal(out, want, bytes);
    assert_memory_equal(from, x, bytes);
}

void kernel_check_sort_few(const struct srt_kernels *k)
{
    static const float few[] = { 0.0f, -0.0f, -INFINITY, 1.0f, -FLT_MAX };
    float x[SRT_SORT_FEW];
    struct rows_random r = { 5 };

    for (size_t n = 0; n <= SRT_SORT_FEW; n++) {
        for (int kind = 0; kind < ROWS_N_KINDS; kind++) {
            rows_fill(x, n > 0 ? n : 1, (enum rows_kind)kind, n);
            sort_few_of(k, x, n);
        }
        for (size_t i = 0; i < n; i++) /* equal zeros keep their order */
            x[i] = few[rows_below(&r, SRT_COUNT(few))];
        sort_few_of(k, x, n);
    }
}

/*
 * test_floor.c - a value that at least k of a row reach, and not many more
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernel/kernel.h"
#include "support/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <float.h>
#include <math.h>

enum { N = 6000, N_BLOCKS = (N + SRT_BLOCK - 1) / SRT_BLOCK };

static float row[N], block_max[N_BLOCKS];

static float floor_of(enum rows_kind kind, uint64_t seed, size_t k)
{
    const struct srt_kernels *set = srt_kernels();
    float max = -INFINITY;

    rows_fill(row, N, kind, seed);
    assert_true(set->row[SORTES_F32].block_max(row, N, block_max));
    for (size_t i = 0; i < N_BLOCKS; i++)
        max = block_max[i] > max ? block_max[i] : max;
    return srt_kernels_floor(set, block_max, N_BLOCKS, max, k);
}

static size_t reaching(float floor)
{
    size_t n = 0;

    for (size_t i = 0; i < N; i++)
        n += row[i] >= floor;
    return n;
}

static void floor_is_reached_by_k(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < ROWS_N_KINDS; kind++)
        for (size_t k = 1; k <= N_BLOCKS; k += 7) {
            const float floor = floor_of((enum rows_kind)kind, k, k);

            assert_true(floor == -FLT_MAX || reaching(floor) >= k);
        }
}

static void floor_is_near_the_k_th(void **state)
{
    (void)state;
    for (size_t k = 1; k <= 40; k++) {
        const float floor = floor_of(ROWS_ORDINARY, k, k);

        assert_true(floor > -FLT_MAX && reaching(floor) < 4 * k + 64);
    }
}

static void floor_is_the_lowest_float_where_blocks_are_few(void **state)
{
    (void)state;
    assert_true(floor_of(ROWS_ORDINARY, 1, N_BLOCKS + 1) == -FLT_MAX);
    /* nearly all blocks hold nothing above -inf */
    assert_true(floor_of(ROWS_MASKED, 1, N_BLOCKS) == -FLT_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floor_is_reached_by_k),
        cmocka_unit_test(floor_is_near_the_k_th),
        cmocka_unit_test(floor_is_the_lowest_float_where_blocks_are_few),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_bignum.c - whole numbers, against numbers that fit 64 bits
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiler.h"
#include "json/bignum.h"

static uint64_t low64(const struct srt_bignum *b)
{
    uint64_t low = b->n > 0 ? b->limb[0] : 0;

    return b->n > 1 ? low | (uint64_t)b->limb[1] << 32 : low;
}

static void bignum_set_holds_64_bits(void **state)
{
    struct srt_bignum b;

    (void)state;
    srt_bignum_set(&b, 0);
    assert_int_equal(b.n, 0);
    assert_int_equal(srt_bignum_bits(&b), 0);
    srt_bignum_set(&b, UINT32_MAX);
    assert_int_equal(b.n, 1);
    assert_int_equal(srt_bignum_bits(&b), 32);
    srt_bignum_set(&b, UINT64_MAX);
    assert_int_equal(b.n, 2);
    assert_int_equal(srt_bignum_bits(&b), 64);
    assert_true(low64(&b) == UINT64_MAX);
}

static void bignum_multiply_add_carries(void **state)
{
    struct srt_bignum b;

    (void)state;
    srt_bignum_set(&b, UINT64_MAX);
    srt_bignum_multiply_add(&b, UINT32_MAX, UINT32_MAX);
    /* (2^64 - 1) * (2^32 - 1) + 2^32 - 1 = 2^96 - 2^64 */
    assert_int_equal(b.n, 3);
    assert_int_equal(b.limb[0], 0);
    assert_int_equal(b.limb[1], 0);
    assert_true(b.limb[2] == UINT32_MAX);
    srt_bignum_multiply_add(&b, 0, 0);
    assert_int_equal(b.n, 0);
}

static void bignum_pow5_agrees_with_single_steps(void **state)
{
    struct srt_bignum fast, slow;

    (void)state;
    srt_bignum_set(&slow, 3);
    for (unsigned e = 0; e < 1132; e++) {
        srt_bignum_set(&fast, 3);
        srt_bignum_multiply_pow5(&fast, e);
        assert_int_equal(srt_bignum_compare(&fast, &slow), 0);
        srt_bignum_multiply_add(&slow, 5, 0);
    }
}

static void bignum_shift_left_moves_every_bit(void **state)
{
    struct srt_bignum shifted, doubled;

    (void)state;
    srt_bignum_set(&doubled, UINT64_C(0x9234567887654321));
    for (unsigned bits = 0; bits < 2000; bits++) {
        srt_bignum_set(&shifted, UINT64_C(0x9234567887654321));
        srt_bignum_shift_left(&shifted, bits);
        assert_int_equal(srt_bignum_compare(&shifted, &doubled), 0);
        srt_bignum_add(&doubled, &doubled);
    }
    srt_bignum_set(&shifted, 0);
    srt_bignum_shift_left(&shifted, 1000);
    assert_int_equal(shifted.n, 0);
}

static void bignum_subtract_undoes_add(void **state)
{
    static const uint64_t rows[][2] = {
        { 0, 0 },
        { 1, UINT64_MAX },
        { UINT64_MAX, UINT64_MAX },
        { UINT64_C(0x100000000), UINT64_C(0xFFFFFFFF) },
        { 5, 0 },
    };
    struct srt_bignum a, b, sum;

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        srt_bignum_set(&a, rows[i][0]);
        srt_bignum_set(&b, rows[i][1]);
        sum = a;
        srt_bignum_add(&sum, &b);
        srt_bignum_subtract(&sum, &a);
        assert_int_equal(srt_bignum_compare(&sum, &b), 0);
        srt_bignum_subtract(&sum, &b);
        assert_int_equal(sum.n, 0);
    }
}

static void bignum_compare_orders(void **state)
{
    struct srt_bignum a, b;

    (void)state;
    srt_bignum_set(&a, UINT64_C(0x100000000));
    srt_bignum_set(&b, UINT64_C(0x0FFFFFFFF));
    assert_true(srt_bignum_compare(&a, &b) > 0);
    assert_true(srt_bignum_compare(&b, &a) < 0);
    srt_bignum_set(&b, UINT64_C(0x100000001));
    assert_true(srt_bignum_compare(&a, &b) < 0);
}

static void bignum_divide_undoes_multiply_add(void **state)
{
    struct srt_bignum b, before;

    (void)state;
    srt_bignum_set(&b, UINT64_C(12345678901234567890));
    srt_bignum_shift_left(&b, 100);
    before = b;
    srt_bignum_multiply_add(&b, 1000000007, 42);
    assert_int_equal(srt_bignum_divide(&b, 1000000007), 42);
    assert_int_equal(srt_bignum_compare(&b, &before), 0);
}

static void bignum_top64_says_what_it_left_out(void **state)
{
    struct srt_bignum b, one;
    int rest;

    (void)state;
    srt_bignum_set(&b, 5);
    assert_true(srt_bignum_top64(&b, &rest) == UINT64_C(5) << 61);
    assert_int_equal(rest, 0);
    srt_bignum_set(&b, UINT64_MAX);
    srt_bignum_shift_left(&b, 70);
    assert_true(srt_bignum_top64(&b, &rest) == UINT64_MAX);
    assert_int_equal(rest, 0);
    srt_bignum_set(&one, 1);
    srt_bignum_add(&b, &one);
    assert_true(srt_bignum_top64(&b, &rest) == UINT64_MAX);
    assert_int_equal(rest, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bignum_set_holds_64_bits),
        cmocka_unit_test(bignum_multiply_add_carries),
        cmocka_unit_test(bignum_pow5_agrees_with_single_steps),
        cmocka_unit_test(bignum_shift_left_moves_every_bit),
        cmocka_unit_test(bignum_subtract_undoes_add),
        cmocka_unit_test(bignum_compare_orders),
        cmocka_unit_test(bignum_divide_undoes_multiply_add),
        cmocka_unit_test(bignum_top64_says_what_it_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

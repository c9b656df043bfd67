/*
 * test_bucket.c - llama.cpp's bucket sort, its buckets and their borders
 *
 * SPDX-License-Identifier: MIT
 */
#include "order/orders.h"

#include "numeric/bits.h"

static size_t run_bucket(struct srt_candidate *c, size_t n, size_t k)
{
    const size_t n_out = srt_bucket_sort(c + n, c, n, k);

    memmove(c, c + n, n_out * sizeof(*c));
    return n_out;
}

static void bucket_ks(size_t n, size_t k[8])
{
    const size_t tries[] = { 1, 5, 129, 256, n / 3, n - 1, n };
    size_t n_k = 0;

    for (size_t i = 0; i < SRT_COUNT(tries) && n > 0; i++)
        if (tries[i] > 0 && tries[i] <= n)
            k[n_k++] = tries[i];
}

static const struct order_sort bucket = { ORDER_BUCKET, run_bucket, bucket_ks };

static void bucket_sort_leaves_the_recorded_orders(void **state)
{
    (void)state;
    orders_check_recorded(&bucket, 0x0ba5ba46aa97d624u);
}

static void bucket_sort_equals_one_over_the_standard_librarys(void **state)
{
    (void)state;
    orders_check_living(&bucket);
}

static void bucket_sort_puts_the_first_k_in_order(void **state)
{
    static float x[ARRAY_MAX];
    static struct srt_candidate c[ARRAY_MAX], out[ARRAY_MAX];
    static float values[ARRAY_MAX];
    static uint32_t work[2 * ARRAY_MAX];

    (void)state;
    for (int kind = 0; kind < ARRAY_N_KINDS; kind++) {
        for (size_t k = 1; k <= 2000; k = k * 3 + 1) {
            const size_t n = 2000;
            size_t n_out;

            array_fill(x, n, (enum array_kind)kind, k);
            array_candidates(c, x, n);
            n_out = srt_bucket_sort(out, c, n, k);
            assert_true(n_out >= k && n_out <= n);
            memcpy(values, x, sizeof(values));
            srt_sort_values(values, work, n);
            for (size_t i = 0; i < k; i++)
                assert_true(out[i].logit == values[i]);
        }
    }
}

static void bucket_of_splits_twenty_units_into_128(void **state)
{
    (void)state;
    assert_int_equal(srt_bucket_of(-10.0f), 0);
    assert_int_equal(srt_bucket_of(-9.84f), 1);
    assert_int_equal(srt_bucket_of(-0.16f), 62);
    assert_int_equal(srt_bucket_of(-0.1f), 63);
    assert_int_equal(srt_bucket_of(0.0f), 64);
    assert_int_equal(srt_bucket_of(-0.0f), 64);
    assert_int_equal(srt_bucket_of(0.16f), 65);
    assert_int_equal(srt_bucket_of(9.84f), 126);
    assert_int_equal(srt_bucket_of(9.85f), 127);
}

static void bucket_of_clamps_what_is_outside(void **state)
{
    (void)state;
    assert_int_equal(srt_bucket_of(10.0f), 127);
    assert_int_equal(srt_bucket_of(1000.0f), 127);
    assert_int_equal(srt_bucket_of(3.0e8f), 127);
    assert_int_equal(srt_bucket_of(-10.01f), 0);
    assert_int_equal(srt_bucket_of(-3.0e8f), 0);
    assert_int_equal(srt_bucket_of(-3.4e38f), 0);
    assert_int_equal(srt_bucket_of(-INFINITY), 0);
}

/* x86's conversion of what does not fit into 32 bits, and engines obey it. */
static void bucket_of_the_huge_is_0(void **state)
{
    float x = SRT_BUCKET_SAFE;
    volatile float scaled; /* rounded by itself */

    (void)state;
    assert_int_equal(srt_bucket_of(3.4e8f), 0);
    assert_int_equal(srt_bucket_of(1e20f), 0);
    assert_int_equal(srt_bucket_of(3.4e38f), 0);
    while (srt_bucket_of(x) == 127) /* the first that falls */
        x = nextafterf(x, INFINITY);
    assert_int_equal(srt_bucket_of(x), 0);
    scaled = 6.4f * x;
    assert_true(scaled + 64.0f == 0x1p31f);
    scaled = 6.4f * nextafterf(x, 0.0f);
    assert_true(scaled + 64.0f < 0x1p31f);
}

static void bucket_of_never_falls_below_the_safe_limit(void **state)
{
    int last = 0;

    (void)state;
    for (int64_t key = srt_float_key(-INFINITY);
         key < srt_float_key(SRT_BUCKET_SAFE); key += 4099) {
        const int b = srt_bucket_of(srt_float_unkey((int32_t)key));

        assert_true(b >= last);
        last = b;
    }
    assert_int_equal(last, 127);
}

static void bucket_floor_is_the_least_float_of_its_bucket(void **state)
{
    (void)state;
    for (int b = 1; b < SRT_BUCKETS; b++) {
        const float floor = srt_bucket_floor(b);

        assert_int_equal(srt_bucket_of(floor), b);
        assert_int_equal(srt_bucket_of(nextafterf(floor, -INFINITY)), b - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bucket_sort_leaves_the_recorded_orders),
        cmocka_unit_test(bucket_sort_equals_one_over_the_standard_librarys),
        cmocka_unit_test(bucket_sort_puts_the_first_k_in_order),
        cmocka_unit_test(bucket_of_splits_twenty_units_into_128),
        cmocka_unit_test(bucket_of_clamps_what_is_outside),
        cmocka_unit_test(bucket_of_the_huge_is_0),
        cmocka_unit_test(bucket_of_never_falls_below_the_safe_limit),
        cmocka_unit_test(bucket_floor_is_the_least_float_of_its_bucket),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_pool.c - one number for equal keys, records that stay, limits kept to
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constrain/pool.h"

#include <string.h>

static void equal_keys_have_one_number(void **state)
{
    struct srt_pool p;
    uint32_t first, second, again;
    bool is_new;
    size_t n;

    (void)state;
    srt_pool_init(&p, 8, 1000, 1 << 20);
    assert_int_equal(srt_pool_intern(&p, "abc", 3, &first, &is_new), SORTES_OK);
    assert_true(is_new);
    assert_int_equal(first, 1);
    assert_int_equal(srt_pool_intern(&p, "abcd", 4, &second, NULL), SORTES_OK);
    assert_int_equal(second, 2);
    assert_int_equal(srt_pool_intern(&p, "abc", 3, &again, &is_new), SORTES_OK);
    assert_false(is_new);
    assert_int_equal(again, first);
    assert_memory_equal(srt_pool_key(&p, second, &n), "abcd", 4);
    assert_int_equal(n, 4);
    assert_int_equal(*(uint64_t *)srt_pool_payload(&p, first), 0);
    srt_pool_clear(&p);
}

/* The empty key is a key; a prefix and zeros behind it are another. */
static void lengths_are_part_of_the_key(void **state)
{
    static const char zeros[24];
    struct srt_pool p;
    uint32_t number;

    (void)state;
    srt_pool_init(&p, 0, 1000, 1 << 20);
    for (uint32_t n = 0; n <= 24; n++) {
        assert_int_equal(srt_pool_intern(&p, zeros, n, &number, NULL),
                         SORTES_OK);
        assert_int_equal(number, n + 1);
    }
    srt_pool_clear(&p);
}

static void records_never_move(void **state)
{
    struct srt_pool p;
    const void *first;
    uint32_t number;

    (void)state;
    srt_pool_init(&p, 16, 100000, 64 << 20);
    for (uint32_t i = 0; i < 50000; i++) {
        assert_int_equal(srt_pool_intern(&p, &i, sizeof(i), &number, NULL),
                         SORTES_OK);
        assert_int_equal(number, i + 1);
        if (i == 0)
            first = srt_pool_key(&p, 1, NULL);
    }
    assert_ptr_equal(srt_pool_key(&p, 1, NULL), first);
    for (uint32_t i = 0; i < 50000; i++) {
        assert_int_equal(srt_pool_intern(&p, &i, sizeof(i), &number, NULL),
                         SORTES_OK);
        assert_int_equal(number, i + 1);
        assert_memory_equal(srt_pool_key(&p, number, NULL), &i, sizeof(i));
    }
    srt_pool_clear(&p);
}

static void limits_leave_the_pool_as_it_was(void **state)
{
    struct srt_pool p;
    uint32_t number, i;
    static const char large[4096];
    size_t n, n_bytes;

    (void)state;
    srt_pool_init(&p, 0, 3, 1 << 20);
    for (i = 0; i < 3; i++)
        assert_int_equal(srt_pool_intern(&p, &i, sizeof(i), &number, NULL),
                         SORTES_OK);
    assert_int_equal(srt_pool_intern(&p, &i, sizeof(i), &number, NULL),
                     SORTES_E_LIMIT);
    assert_int_equal(p.n, 3);
    i = 1;
    assert_int_equal(srt_pool_intern(&p, &i, sizeof(i), &number, NULL),
                     SORTES_OK);
    assert_int_equal(number, 2);
    srt_pool_clear(&p);

    srt_pool_init(&p, 0, 1000, 32 << 10);
    i = 0;
    assert_int_equal(srt_pool_intern(&p, &i, sizeof(i), &number, NULL),
                     SORTES_OK);
    n = p.n;
    n_bytes = p.n_bytes;
    for (size_t taken = 0; taken < 64 << 10; taken += sizeof(large))
        if (!srt_pool_take(&p, sizeof(large))) {
            assert_true(p.n_bytes <= 32 << 10);
            assert_true(p.n_bytes >= n_bytes);
            assert_int_equal(p.n, n);
            srt_pool_clear(&p);
            return;
        }
    fail_msg("64 KiB were taken of 32");
}

/* The chunk for a record is what does not fit, and not for want of memory. */
static void a_limit_of_bytes_is_called_one(void **state)
{
    struct srt_pool p;
    uint32_t number, i = 0;
    size_t tables;

    (void)state;
    srt_pool_init(&p, 0, 1000, 1 << 20);
    assert_int_equal(srt_pool_intern(&p, &i, sizeof(i), &number, NULL),
                     SORTES_OK);
    tables = p.n_bytes - sizeof(void *) - 3 * sizeof(uint64_t) - (1 << 10);
    srt_pool_clear(&p);
    for (size_t more = 0; more < 32; more += 8) {
        srt_pool_init(&p, 0, 1000, tables + (1 << 10) + more);
        assert_int_equal(srt_pool_intern(&p, &i, sizeof(i), &number, NULL),
                         SORTES_E_LIMIT);
        srt_pool_clear(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_keys_have_one_number),
        cmocka_unit_test(lengths_are_part_of_the_key),
        cmocka_unit_test(records_never_move),
        cmocka_unit_test(limits_leave_the_pool_as_it_was),
        cmocka_unit_test(a_limit_of_bytes_is_called_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

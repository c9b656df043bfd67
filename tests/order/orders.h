/*
 * orders.h - one of our sorts over all arrays, beside libstdc++'s own
 *
 * A test names the sort and the ks to try; the orders are folded into one
 * number, recorded from libstdc++ 12, and with a C++ compiler at hand compared
 * id by id with what order_oracle.cpp makes of the same arrays.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_ORDER_ORDERS_H
#define TEST_ORDER_ORDERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "order/arrays.h"
#include "support/cxx.h"

enum { ORDERS_SEEDS = 2 };

/* As in order_oracle.cpp. */
enum order_op { ORDER_SORT = 0, ORDER_PARTIAL = 1, ORDER_BUCKET = 2 };

struct order_sort {
    enum order_op op;
    /* Orders c, which has room for as many again behind its n; returns how
     * many it leaves. */
    size_t (*run)(struct srt_candidate *c, size_t n, size_t k);
    /* The ks to try for an array of n, 0 behind the last. */
    void (*ks)(size_t n, size_t k[8]);
};

struct order_tally {
    uint64_t fold;
    size_t n_cases;
    FILE *cases, *ours; /* NULL: not wanted */
};

static inline void orders_write(FILE *file, const void *words, size_t n)
{
    if (file && n > 0)
        assert_int_equal(fwrite(words, 4, n, file), n);
}

static inline void orders_one(const struct order_sort *sort,
                              struct order_tally *t, const float *x, size_t n,
                              size_t k)
{
    static struct srt_candidate c[2 * ARRAY_MAX];
    const uint32_t head[3] = { (uint32_t)sort->op, (uint32_t)n, (uint32_t)k };
    uint32_t n_out;

    array_candidates(c, x, n);
    n_out = (uint32_t)sort->run(c, n, k);
    t->fold = (t->fold ^ n_out) * 0x9e3779b97f4a7c15u;
    orders_write(t->cases, head, 3);
    orders_write(t->cases, x, n);
    orders_write(t->ours, &n_out, 1);
    for (size_t i = 0; i < n_out; i++) {
        t->fold = (t->fold ^ (uint32_t)c[i].id) * 0x9e3779b97f4a7c15u;
        t->fold ^= t->fold >> 29;
        orders_write(t->ours, &c[i].id, 1);
    }
    t->n_cases++;
}

static inline void orders_all(const struct order_sort *sort,
                              struct order_tally *t)
{
    static float x[ARRAY_MAX];

    for (int kind = 0; kind < ARRAY_N_KINDS; kind++) {
        for (size_t i = 0; i < SRT_COUNT(array_sizes); i++) {
            for (uint64_t seed = 0; seed < ORDERS_SEEDS; seed++) {
                const size_t n = array_sizes[i];
                size_t k[8] = { 0 };

                array_fill(x, n, (enum array_kind)kind, seed);
                sort->ks(n, k);
                for (size_t j = 0; k[j]; j++)
                    orders_one(sort, t, x, n, k[j]);
            }
        }
    }
}

static inline void orders_check_recorded(const struct order_sort *sort,
                                         uint64_t recorded)
{
    struct order_tally t = { 0 };

    orders_all(sort, &t);
    assert_true(t.n_cases >= 876);
    if (t.fold != recorded)
        fail_msg("the orders fold to %#llx, libstdc++'s to %#llx",
                 (unsigned long long)t.fold, (unsigned long long)recorded);
}

/* Fails at the first id that differs. */
static inline void orders_compare(FILE *ours, FILE *theirs, size_t n_cases)
{
    for (size_t i = 0; i < n_cases; i++) {
        uint32_t n[2], id[2];

        assert_int_equal(fread(&n[0], 4, 1, ours), 1);
        assert_int_equal(fread(&n[1], 4, 1, theirs), 1);
        if (n[0] != n[1])
            fail_msg("case %zu leaves %u, libstdc++ %u", i, n[0], n[1]);
        for (uint32_t j = 0; j < n[0]; j++) {
            assert_int_equal(fread(&id[0], 4, 1, ours), 1);
            assert_int_equal(fread(&id[1], 4, 1, theirs), 1);
            if (id[0] != id[1])
                fail_msg("case %zu has id %u at %u, libstdc++ %u", i, id[0], j,
                         id[1]);
        }
    }
}

static inline void orders_check_living(const struct order_sort *sort)
{
    struct order_tally t = { 0 };
    FILE *theirs;

    t.cases = fopen("cases.bin", "wb");
    t.ours = fopen("ours.bin", "wb+");
    assert_true(t.cases && t.ours);
    orders_all(sort, &t);
    assert_int_equal(fclose(t.cases), 0);
    rewind(t.ours);
    if (!cxx_run(SORTES_ROOT "/tests/order/order_oracle.cpp",
                 "cases.bin theirs.bin")) {
        fclose(t.ours);
        skip();
    }
    theirs = fopen("theirs.bin", "rb");
    assert_non_null(theirs);
    orders_compare(t.ours, theirs, t.n_cases);
    fclose(theirs);
    fclose(t.ours);
}

#endif /* TEST_ORDER_ORDERS_H */

/*
 * verified.c - how often each token comes out of verified drafts
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/verified.h"

#include "support/dialects.h"
#include "support/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { VERIFIED_TOKENS = 12, VERIFIED_HISTORY = 20 };

static const char verified_settings[] =
    "temperature=1.1 top_k=9 min_p=0.02 repetition_penalty=1.3 "
    "presence_penalty=0.2 frequency_penalty=0.1 logit_bias=2+0.5";

/* Twelve tokens of about the same weight, in another order each time. */
static void fill(float *x, uint64_t seed)
{
    struct rows_random r = { seed };

    for (int i = 0; i < VERIFIED_TOKENS; i++)
        x[i] = (float)rows_normal(&r);
}

/* The window holds 20 tokens, so this is all that is remembered. */
static void remember(sortes_sampler *s)
{
    int32_t history[VERIFIED_HISTORY];

    for (int32_t i = 0; i < VERIFIED_HISTORY; i++)
        history[i] = i * i % VERIFIED_TOKENS;
    dialects_accept(s, history, VERIFIED_HISTORY, SORTES_GENERATED);
}

struct verified_counts {
    uint64_t first[VERIFIED_TOKENS];
    uint64_t second[VERIFIED_TOKENS][VERIFIED_TOKENS]; /* after each first */
};

static double chi_square(const uint64_t *counts, const float *p, double *free)
{
    uint64_t n = 0;
    double sum = 0.0;

    for (int i = 0; i < VERIFIED_TOKENS; i++)
        n += counts[i];
    for (int i = 0; i < VERIFIED_TOKENS && n > 0; i++) {
        const double want = (double)n * (double)p[i];
        const double off = (double)counts[i] - want;

        if (p[i] == 0.0f) {
            assert_int_equal(counts[i], 0);
            continue;
        }
        sum += off * off / want;
        *free += 1.0;
    }
    *free -= n > 0;
    return sum;
}

/* What plain sampling draws second depends on what it drew first. */
static void compare(sortes_sampler *s, const sortes_row *rows,
                    const struct verified_counts *counts, struct verified *out)
{
    float p[VERIFIED_TOKENS];
    double sum = 0.0, free = 0.0;

    assert_int_equal(sortes_sampler_distribution(s, &rows[0], p), SORTES_OK);
    sum = chi_square(counts->first, p, &free);
    out->first = sum / free;
    sum = free = 0.0;
    for (int32_t t = 0; t < VERIFIED_TOKENS; t++) {
        remember(s);
        if (counts->first[t] == 0)
            continue;
        dialects_accept(s, &t, 1, SORTES_GENERATED);
        assert_int_equal(sortes_sampler_distribution(s, &rows[1], p),
                         SORTES_OK);
        sum += chi_square(counts->second[t], p, &free);
    }
    out->second = sum / free;
}

static void one_trial(sortes_sampler *s, const sortes_row *target,
                      const sortes_row *draft, struct verified_counts *counts,
                      struct verified *out)
{
    float q[2][VERIFIED_TOKENS];
    const float *const qs[2] = { q[0], q[1] };
    sortes_draw drawn, verified[3];
    int32_t proposed[2];
    size_t n;

    for (int i = 0; i < 2; i++) {
        assert_int_equal(sortes_sampler_distribution(s, &draft[i], q[i]),
                         SORTES_OK);
        assert_int_equal(sortes_sampler_sample(s, &draft[i], &drawn),
                         SORTES_OK);
        proposed[i] = drawn.token;
    }
    assert_int_equal(
        sortes_sampler_verify(s, target, qs, proposed, 2, verified, &n),
        SORTES_OK);
    counts->first[verified[0].token]++;
    for (size_t i = 0; i < n && i < 2; i++)
        out->n_accepted += verified[i].token == proposed[i];
    if (n < 2)
        return;
    counts->second[verified[0].token][verified[1].token]++;
    out->n_second++;
}

struct verified verified_drafts(uint64_t seed, size_t trials, bool masked)
{
    static const uint8_t allowed[VERIFIED_TOKENS] = { 1, 1, 0, 1, 1, 1,
                                                      0, 1, 1, 1, 1, 1 };
    static struct verified_counts counts;
    float x[5][VERIFIED_TOKENS];
    sortes_row rows[5];
    sortes_sampler *s = dialects_sampler("rmlx", NULL, verified_settings);
    struct verified out = { 0 };

    memset(&counts, 0, sizeof(counts));
    for (uint64_t i = 0; i < 5; i++) {
        fill(x[i], seed * 5 + i);
        rows[i] = (sortes_row){ x[i], VERIFIED_TOKENS, SORTES_F32 };
    }
    remember(s);
    if (masked)
        dialects_constrain(s, allowed, VERIFIED_TOKENS);
    for (size_t i = 0; i < trials; i++) {
        one_trial(s, rows, rows + 3, &counts, &out);
        if (masked)
            assert_int_equal(sortes_sampler_set_constraint(s, NULL), SORTES_OK);
        remember(s);
        if (masked)
            dialects_constrain(s, allowed, VERIFIED_TOKENS);
    }
    if (masked)
        assert_int_equal(sortes_sampler_set_constraint(s, NULL), SORTES_OK);
    remember(s);
    if (masked) /* the masked rows, plainly */
        for (int i = 0; i < VERIFIED_TOKENS; i++)
            if (!allowed[i])
                x[0][i] = x[1][i] = -INFINITY;
    compare(s, rows, &counts, &out);
    sortes_sampler_free(s);
    return out;
}

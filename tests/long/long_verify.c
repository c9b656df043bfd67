/*
 * long_verify.c - two million drafts verified by residual
 *
 * Chi-square over its degrees of freedom must stay near 1: at 1e6 trials even a
 * bias of a part in a thousand would raise it above the line.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/verified.h"

#include <stdio.h>

static void check(uint64_t seed, bool masked)
{
    const size_t trials = 500000;
    const struct verified v = verified_drafts(seed, trials, masked);

    printf("verify: seed %llu%s: %zu drafts, %llu proposals stood; chi-square "
           "over freedom %.3f first, %.3f second\n",
           (unsigned long long)seed, masked ? ", masked" : "", trials,
           (unsigned long long)v.n_accepted, v.first, v.second);
    assert_true(v.first < 3.5 && v.second < 1.8);
}

static void drafts_are_distributed_as_plain_draws(void **state)
{
    (void)state;
    check(11, false);
    check(12, false);
    check(13, false);
    check(14, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drafts_are_distributed_as_plain_draws),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_samplers.c - which lists of samplers are the chain there is
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "params/samplers.h"

#include "compiler.h"

#include <string.h>

static bool names_are_ours(const char *names)
{
    struct srt_sampler_order order;

    srt_sampler_order_start(&order);
    while (*names != '\0') {
        size_t n = strcspn(names, ";");

        srt_sampler_order_name(&order, names, n);
        names += n + (names[n] == ';');
    }
    return srt_sampler_order_is_ours(&order);
}

static bool letters_are_ours(const char *letters)
{
    struct srt_sampler_order order;

    srt_sampler_order_start(&order);
    for (; *letters != '\0'; letters++)
        srt_sampler_order_letter(&order, *letters);
    return srt_sampler_order_is_ours(&order);
}

static void samplers_take_the_chain_in_order(void **state)
{
    static const char *const rows[] = {
        "penalties;dry;top_n_sigma;top_k;typ_p;top_p;min_p;xtc;temperature",
        "penalties;top_k;top_p;min_p;temperature",
        "Penalties;TOP-K;topp;minp;temp",
        "penalties;top_k;nucleus;min-p;Temp",
        "xtc;penalties;xtc;top-k;typ;top-p;min-p;temperature;dry",
        "bogus;penalties;top_k;top_p;;min_p;typical_p;temperature",
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++)
        if (!names_are_ours(rows[i]))
            fail_msg("%s", rows[i]);
    assert_true(letters_are_ours("edskypmxt"));
    assert_true(letters_are_ours("ekpmt"));
    assert_true(letters_are_ours("zekpm?tT"));
}

static void samplers_refuse_another_chain(void **state)
{
    static const char *const rows[] = {
        "",
        "penalties",
        "top_k;penalties;top_p;min_p;temperature",
        "penalties;top_k;top_p;temperature;min_p",
        "penalties;top_k;top_k;top_p;min_p;temperature",
        "penalties;top_k;top_p;min_p;temperature;temperature",
        "penalties;top_k;top_p;min_p",
        "penalties;top_k;top_p;min_p;temperature;infill",
        "adaptive_p;penalties;top_k;top_p;min_p;temperature",
        "penalties;top_k;top_p;min_p;temperature;adaptive-p",
        "penalties;top_k;top_p;min_p;tempe",
        "penalties;top k;top_p;min_p;temperature",
        "penaltie;top_k;top_p;min_p;temperature",
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++)
        if (names_are_ours(rows[i]))
            fail_msg("%s", rows[i]);
    assert_false(letters_are_ours(""));
    assert_false(letters_are_ours("kepmt"));
    assert_false(letters_are_ours("ekpmti"));
    assert_false(letters_are_ours("ekpmta"));
    assert_false(letters_are_ours("EKPMT"));
}

/* Of several '_' in a name either all change or none. */
static void samplers_spell_a_name_one_way(void **state)
{
    struct srt_sampler_order order;

    (void)state;
    srt_sampler_order_start(&order);
    srt_sampler_order_name(&order, "adaptive_p", 10);
    assert_false(order.fits);
    srt_sampler_order_start(&order);
    srt_sampler_order_name(&order, "top_n-sigma", 11);
    srt_sampler_order_name(&order, "topn_sigma", 10);
    srt_sampler_order_name(&order, "penalties", 9);
    assert_true(order.fits);
    assert_int_equal(order.n, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samplers_take_the_chain_in_order),
        cmocka_unit_test(samplers_refuse_another_chain),
        cmocka_unit_test(samplers_spell_a_name_one_way),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

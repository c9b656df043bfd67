/*
 * test_plan_draw.c - settings of every stage at random, beside the reference
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler.h"
#include "support/stages.h"
#include "support/twins.h"

#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* One of the values, with a blank in front. */
static void put(char *to, size_t size, struct rows_random *r,
                const char *const *values, size_t n)
{
    (void)snprintf(to, size, " %s", values[rows_below(r, n)]);
}

#define PUT(...)                                                               \
    put(text + strlen(text), size - strlen(text), r,                           \
        (const char *const[]){ __VA_ARGS__ },                                  \
        sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

static void random_draw(char *text, size_t size, struct rows_random *r)
{
    PUT("temperature=0.8", "temperature=1", "temperature=0", "temperature=1.7",
        "temperature=0.2");
    PUT("", "", "", "", "greedy=true", "mirostat=2", "mirostat=1",
        "dynatemp_range=0.3");
    PUT("", "mirostat_tau=1 mirostat_eta=0.5", "mirostat_tau=3");
}

static void random_filters(char *text, size_t size, struct rows_random *r)
{
    PUT("", "", "top_k=1", "top_k=40", "top_k=128", "top_k=129", "top_k=600",
        "top_k=3000");
    PUT("", "", "top_p=0.95", "top_p=0.4", "top_p=0.9999", "top_p=0");
    PUT("", "", "min_p=0.05", "min_p=0.001", "min_p=0.5");
    PUT("", "", "", "typical_p=0.9", "typical_p=0.3");
    PUT("", "", "", "top_n_sigma=1", "top_n_sigma=0.3", "top_n_sigma=4");
    PUT("", "", "xtc_probability=0.5", "xtc_probability=1");
    PUT("", "xtc_threshold=0.01", "xtc_threshold=0.3");
    PUT("", "", "", "min_keep=2", "min_keep=200");
}

static void random_sparse(char *text, size_t size, struct rows_random *r)
{
    PUT("", "repeat_penalty=1.2", "frequency_penalty=0.4",
        "presence_penalty=-0.5");
    PUT("", "", "dry_multiplier=0.8", "dry_multiplier=2 dry_base=1.2");
    PUT("", "", "logit_bias=5+9,6-inf,1000-3", "logit_bias=0+1,0+1,70+30");
    PUT("", "", "", "samplers=min_p;top_k;temperature;top_p",
        "samplers=top_k;typ_p;xtc;adaptive_p adaptive_target=0.3",
        "samplers=xtc;penalties;top_k;top_k;min_p;xtc",
        "samplers=penalties;dry;top_k;temperature;min_p");
}

static void draws_with_settings_at_random(void **state)
{
    static const size_t sizes[] = { 1000, 1025, 1088, 1300, 2049, 4500 };
    struct rows_random r = { 424242 };

    (void)state;
    for (int i = 0; i < 1500; i++) {
        char text[1024] = "";
        struct twins t;

        random_draw(text, sizeof(text), &r);
        random_filters(text, sizeof(text), &r);
        random_sparse(text, sizeof(text), &r);
        t = twins_of(text, sizes[rows_below(&r, SRT_COUNT(sizes))],
                     (enum rows_kind)rows_below(&r, ROWS_N_KINDS),
                     rows_bits(&r) % 1000000);
        t.vocab = stages_words();
        t.n_history = rows_below(&r, 80);
        t.kinds = rows_below(&r, 2) ? 6 : 0;
        t.scale = rows_below(&r, 8) ? 0.0f : 0.05f;
        t.n_draws = 2;
        twins_compare(&t);
    }
}

static void draws_of_short_rows_are_literal(void **state)
{
    static const size_t sizes[] = { 1, 2, 63, 1023, 1024 };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(sizes); i++) {
        struct twins t = twins_of("mirostat=2", sizes[i], ROWS_ORDINARY, i);

        twins_compare(&t);
        t.settings = "typical_p=0.9 temperature=0.8";
        twins_compare(&t);
        t.settings = "top_k=40 typical_p=0.9";
        twins_compare(&t);
    }
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(draws_with_settings_at_random),
        CASE(draws_of_short_rows_are_literal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

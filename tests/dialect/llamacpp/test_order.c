/*
 * test_order.c - which stages a chain is made of, in which order
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "dialect/llamacpp/chain.h"
#include "support/stages.h"

#include <math.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Every listed stage at work. */
#define ALL                                                                    \
    "temperature=0.5 top_k=2 top_p=0.9 min_p=0.1 typical_p=0.9 "               \
    "top_n_sigma=1 xtc_probability=0.5 dry_multiplier=1 presence_penalty=1 "

static const char *names(const char *settings)
{
    return stages_names(stages_sampler_of(stages_words(), settings),
                        ROW(1, 2, 3));
}

static void default_order_is_the_engines(void **state)
{
    (void)state;
    assert_string_equal(names(ALL "logit_bias=1+1"),
                        "logits logit_bias penalties dry top_n_sigma top_k "
                        "typ_p top_p min_p xtc temperature dist");
}

static void list_says_what_and_in_which_order(void **state)
{
    (void)state;
    assert_string_equal(names(ALL "samplers=temperature;min_p;penalties"),
                        "logits temperature min_p penalties dist");
}

static void logit_bias_is_always_first(void **state)
{
    (void)state;
    assert_string_equal(names(ALL "samplers=top_k logit_bias=1+1"),
                        "logits logit_bias top_k dist");
}

static void list_may_name_a_stage_twice(void **state)
{
    sortes_sampler *s = stages_sampler("samplers=temperature;temperature "
                                       "temperature=2");

    (void)state;
    assert_string_equal(stages_names(s, ROW(4, 8)),
                        "logits temperature temperature dist");
    /* Divided by 2 and by 2 again; the last view of that name is kept. */
    stages_check_logits(stages_see(s, ROW(4, 8), "temperature"), ROW(1, 2));
}

static void penalties_named_twice_penalise_twice(void **state)
{
    sortes_sampler *s =
        stages_sampler("samplers=penalties;penalties presence_penalty=1");

    (void)state;
    stages_history(s, IDS(0));
    stages_check_logits(stages_see(s, ROW(5, 5), "penalties"), ROW(3, 5));
}

static void list_that_is_empty_only_draws(void **state)
{
    (void)state;
    assert_string_equal(names(ALL "samplers="), "logits dist");
}

static void list_keeps_no_stage_that_is_off(void **state)
{
    (void)state;
    assert_string_equal(names("samplers=top_k;min_p;xtc;temperature min_p=0.1"),
                        "logits min_p dist");
}

static void list_takes_letters_and_other_names(void **state)
{
    (void)state;
    assert_string_equal(names(ALL "samplers=t;k;m"),
                        "logits temperature top_k min_p dist");
    assert_string_equal(names(ALL "samplers=temp;nucleus;top-k;typ;minp"),
                        "logits temperature top_p top_k typ_p min_p dist");
}

static void infill_is_only_there_when_it_is_listed(void **state)
{
    (void)state;
    assert_string_equal(names(ALL "samplers=top_k;infill"),
                        "logits top_k infill dist");
}

static void adaptive_p_is_last_whatever_its_place(void **state)
{
    (void)state;
    assert_string_equal(names(ALL "samplers=adaptive_p;top_k"),
                        "logits top_k adaptive_p");
    assert_string_equal(names(ALL "samplers=top_k;adaptive_p;min_p"),
                        "logits top_k min_p adaptive_p");
}

static void mirostat_takes_the_lists_place(void **state)
{
    (void)state;
    assert_string_equal(names(ALL "mirostat=1 logit_bias=1+1"),
                        "logits logit_bias temperature mirostat");
    assert_string_equal(names(ALL "mirostat=2 samplers=top_k;adaptive_p"),
                        "logits temperature mirostat_v2");
}

static void greedy_takes_the_draws_place(void **state)
{
    (void)state;
    assert_string_equal(names(ALL "samplers=top_k greedy=true"),
                        "logits top_k greedy");
    assert_string_equal(names(ALL "samplers=top_k;adaptive_p greedy=true"),
                        "logits top_k greedy");
}

static void min_keep_goes_to_four_stages(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        static const char *const settings[] = {
            "top_p=0 min_keep=2",
            "min_p=1 min_keep=2",
            "typical_p=0 min_keep=2",
            "xtc_probability=1 xtc_threshold=0 min_keep=4",
        };
        static const char *const stages[] = { "top_p", "min_p", "typ_p",
                                              "xtc" };
        const struct stage *seen =
            stages_see(stages_sampler(settings[i]), ROW(0, 3, 1), stages[i]);

        assert_int_equal(seen->n, i == 3 ? 3 : 2);
    }
}

/* ---- limits -------------------------------------------------------------- */

/* n times a name. */
static const char *list_of(const char *name, int n, const char *settings)
{
    static char text[1536];

    (void)snprintf(text, sizeof(text), "%s samplers=%s", settings, name);
    for (int i = 1; i < n; i++) {
        strcat(text, ";");
        strcat(text, name);
    }
    return text;
}

static void stages_are_64_at_most(void **state)
{
    sortes_error err;

    (void)state;
    (void)stages_sampler(list_of("top_k", 63, "top_k=2")); /* and dist */
    assert_int_equal(
        stages_refusal(NULL, list_of("top_k", 64, "top_k=2"), &err),
        SORTES_E_LIMIT);
    assert_string_equal(err.text,
                        "samplers: too many (allowed 64, and 16 that draw)");
    /* What is off takes no place. */
    (void)stages_sampler(list_of("top_k", 100, "top_k=0"));
}

static void stages_that_draw_are_16_at_most(void **state)
{
    sortes_error err;

    (void)state;
    (void)stages_sampler(
        list_of("xtc", 15, "xtc_probability=1")); /* and dist */
    assert_int_equal(
        stages_refusal(NULL, list_of("xtc", 16, "xtc_probability=1"), &err),
        SORTES_E_LIMIT);
    (void)stages_sampler(list_of("xtc", 16, "xtc_probability=1 greedy=true"));
}

/* ---- generators ---------------------------------------------------------- */

static void every_stage_that_draws_has_a_generator(void **state)
{
    struct srt_llamacpp *chain =
        stages_chain("samplers=xtc;top_k;xtc xtc_probability=1 top_k=3");

    (void)state;
    assert_int_equal(chain->n_generators, 3);
    assert_int_equal(chain->slots[0].generator, 0);
    assert_int_equal(chain->slots[2].generator, 1);
    assert_int_equal(chain->slots[3].generator, 2);
    for (size_t i = 1; i < 3; i++)
        assert_memory_equal(&chain->rng[0], &chain->rng[i],
                            sizeof(*chain->rng));
}

static void greedy_has_none(void **state)
{
    (void)state;
    assert_int_equal(stages_chain("greedy=true")->n_generators, 0);
}

/* ---- what is planned ----------------------------------------------------- */

static bool has_plan(const char *settings)
{
    return stages_chain_of(stages_words(), settings)->shape.has_plan;
}

static size_t after_top_k(const char *settings)
{
    return stages_chain_of(stages_words(), settings)->shape.after_top_k;
}

static void usual_orders_are_planned(void **state)
{
    static const char *const settings[] = {
        "",
        "top_k=40 top_p=0.95 min_p=0.05 temperature=0.8",
        "dry_multiplier=1 top_k=40 xtc_probability=0.5",
        "top_n_sigma=1 top_k=40",
        "top_n_sigma=1 temperature=0.5",
        "typical_p=0.9 temperature=0.5",
        "mirostat=2 temperature=0.5",
        "samplers=top_k;temperature top_k=3 temperature=0.5",
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(settings); i++)
        assert_true(has_plan(settings[i]));
}

static void unusual_orders_are_not(void **state)
{
    static const char *const settings[] = {
        "samplers=temperature;top_k top_k=3 temperature=0.5",
        "samplers=top_k;top_k top_k=3",
        "samplers=top_p;top_k top_k=3 top_p=0.5",
        "top_k=3 temperature=0.5 dynatemp_range=0.2",
        "mirostat=1",
        "samplers=adaptive_p",
        "samplers=infill",
        "top_k=40 typical_p=0.9",
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(settings); i++)
        assert_false(has_plan(settings[i]));
}

static void stages_behind_top_k_run_on_what_it_left(void **state)
{
    (void)state;
    assert_int_equal(after_top_k("top_k=40 typical_p=0.9"), 1);
    assert_int_equal(
        after_top_k("presence_penalty=1 logit_bias=1+1 top_k=40 typical_p=0.9"),
        3);
    assert_int_equal(after_top_k("samplers=top_k;infill top_k=40"), 1);
    /* a view takes all penalties at once, so none may come behind it */
    assert_int_equal(
        after_top_k("samplers=top_k;penalties top_k=40 presence_penalty=1"), 0);
    assert_int_equal(
        after_top_k("samplers=top_p;top_k;infill top_k=40 top_p=0.5"), 0);
}

#define CASE(name) cmocka_unit_test_teardown(name, stages_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(default_order_is_the_engines),
        CASE(list_says_what_and_in_which_order),
        CASE(logit_bias_is_always_first),
        CASE(list_may_name_a_stage_twice),
        CASE(penalties_named_twice_penalise_twice),
        CASE(list_that_is_empty_only_draws),
        CASE(list_keeps_no_stage_that_is_off),
        CASE(list_takes_letters_and_other_names),
        CASE(infill_is_only_there_when_it_is_listed),
        CASE(adaptive_p_is_last_whatever_its_place),
        CASE(mirostat_takes_the_lists_place),
        CASE(greedy_takes_the_draws_place),
        CASE(min_keep_goes_to_four_stages),
        CASE(stages_are_64_at_most),
        CASE(stages_that_draw_are_16_at_most),
        CASE(every_stage_that_draws_has_a_generator),
        CASE(greedy_has_none),
        CASE(usual_orders_are_planned),
        CASE(unusual_orders_are_not),
        CASE(stages_behind_top_k_run_on_what_it_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_params.c - defaults, clones and typed setters
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dialect/dialect.h"
#include "params/params.h"
#include "support/dialects.h"
#include "support/requests.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <string.h>

static const char *const default_rows[][2] = {
    { "seed", "4294967295" },
    { "temperature", "0.800000011920929" },
    { "top_k", "40" },
    { "top_p", "0.949999988079071" },
    { "min_p", "0.05000000074505806" },
    { "min_keep", "0" },
    { "repeat_last_n", "64" },
    { "repeat_penalty", "1.0" },
    { "frequency_penalty", "0.0" },
    { "presence_penalty", "0.0" },
    { "logit_bias", "[]" },
    { "n_probs", "0" },
    { "greedy", "false" },
    { "top_n_sigma", "-1.0" },
    { "typical_p", "1.0" },
    { "xtc_probability", "0.0" },
    { "xtc_threshold", "0.10000000149011612" },
    { "dynatemp_range", "0.0" },
    { "dynatemp_exponent", "1.0" },
    { "mirostat", "0" },
    { "mirostat_tau", "5.0" },
    { "mirostat_eta", "0.10000000149011612" },
    { "adaptive_target", "-1.0" },
    { "adaptive_decay", "0.8999999761581421" },
    { "samplers", "[\"penalties\",\"dry\",\"top_n_sigma\",\"top_k\","
                  "\"typ_p\",\"top_p\",\"min_p\",\"xtc\","
                  "\"temperature\"]" },
    { "dry_multiplier", "0.0" },
    { "dry_base", "1.75" },
    { "dry_allowed_length", "2" },
    { "dry_penalty_last_n", "64" },
    { "dry_sequence_breakers", "[\"\\n\",\":\",\"\\\"\",\"*\"]" },
    { "post_sampling_probs", "false" },
    { "reasoning_budget_tokens", "-1" },
    { "reasoning_budget_start_tag", "[]" },
    { "reasoning_budget_end_tags", "[]" },
    { "reasoning_budget_message", "[]" },
    { "reasoning_control", "false" },
    { "grammar", "[]" },
    { "grammar_lazy", "false" },
    { "grammar_triggers", "[]" },
    { "grammar_first", "false" },
    { "literal_clone", "false" },
};

static void params_start_from_the_engines_defaults(void **state)
{
    sortes_params *p = requests_fresh();
    char text[160];

    (void)state;
    assert_int_equal(SRT_COUNT(default_rows), p->dialect->n_params);
    for (size_t i = 0; i < SRT_COUNT(default_rows); i++) {
        sortes_source source = SORTES_FROM_CALL;
        size_t n;

        assert_int_equal(sortes_params_get(p, default_rows[i][0], text,
                                           sizeof(text), &n, &source),
                         SORTES_OK);
        assert_string_equal(text, default_rows[i][1]);
        assert_int_equal(n, strlen(text));
        assert_int_equal(source, SORTES_FROM_DEFAULT);
    }
    sortes_params_free(p);
}

static void params_new_refuses_unknown_dialects(void **state)
{
    sortes_params *p;
    sortes_error err;

    (void)state;
    assert_int_equal(sortes_params_new(&p, "lama.cpp", &err), SORTES_E_NAME);
    assert_null(p);
    assert_string_equal(
        err.text, "dialect 'lama.cpp' is unknown; did you mean 'llama.cpp'?");
    assert_int_equal(sortes_params_new(&p, NULL, &err), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_params_new(NULL, "llama.cpp", &err),
                     SORTES_E_ARGUMENT);
    sortes_params_free(NULL);
}

static void clone_shares_nothing(void **state)
{
    sortes_params *p = requests_fresh(), *copy;

    (void)state;
    assert_int_equal(
        sortes_params_set_text(p, "logit_bias", "1+1,2-2,3+3", NULL),
        SORTES_OK);
    assert_int_equal(sortes_params_set_integer(p, "top_k", 7, NULL), SORTES_OK);
    assert_int_equal(sortes_params_set_text(p, "samplers", "top_k;temp", NULL),
                     SORTES_OK);
    assert_true(srt_bias_add(&p->suppressed, 4, -1.0f));
    assert_int_equal(sortes_params_clone(&copy, p), SORTES_OK);
    assert_int_equal(sortes_params_set_text(p, "logit_bias", "9+9", NULL),
                     SORTES_OK);
    assert_int_equal(sortes_params_set_text(p, "samplers", "xtc", NULL),
                     SORTES_OK);
    sortes_params_free(p);
    assert_int_equal(copy->samplers.n, 2);
    assert_string_equal(copy->samplers.items[1], "temperature");
    assert_true(copy->samplers.given);
    assert_int_equal(copy->suppressed.n, 1);
    assert_int_equal(copy->suppressed.items[0].token, 4);
    assert_int_equal(copy->top_k, 7);
    assert_int_equal(copy->source[SRT_PARAM_top_k], SORTES_FROM_CALL);
    assert_int_equal(copy->logit_bias.n, 3);
    assert_int_equal(copy->logit_bias.items[1].token, 2);
    assert_true(copy->logit_bias.items[1].value == -2.0f);
    sortes_params_free(copy);
    assert_int_equal(sortes_params_clone(NULL, NULL), SORTES_E_ARGUMENT);
    assert_int_equal(sortes_params_clone(&copy, NULL), SORTES_E_ARGUMENT);
}

static void set_number_stores_a_float_of_it(void **state)
{
    sortes_params *p = requests_fresh();
    sortes_error err;

    (void)state;
    assert_int_equal(sortes_params_set_number(p, "min_p", 0.1, &err),
                     SORTES_OK);
    assert_true(p->min_p == 0.1f);
    assert_int_equal(p->source[SRT_PARAM_min_p], SORTES_FROM_CALL);
    assert_int_equal(sortes_params_set_number(p, "temperature", HUGE_VAL, &err),
                     SORTES_OK);
    assert_true(p->temperature == HUGE_VALF);
    assert_int_equal(
        sortes_params_set_number(p, "frequency_penalty", -2.5, &err),
        SORTES_OK);
    assert_true(p->frequency_penalty == -2.5f);
    assert_int_equal(sortes_params_set_number(p, "top_k", 100.0, &err),
                     SORTES_OK);
    assert_int_equal(p->top_k, 100);
    assert_int_equal(sortes_params_set_number(p, "seed", 4294967295.0, &err),
                     SORTES_OK);
    assert_int_equal(p->seed, 4294967295u);
    assert_int_equal(sortes_params_set_number(p, "greedy", 1.0, &err),
                     SORTES_OK);
    assert_true(p->greedy);
    sortes_params_free(p);
}

/* Both at their borders, and one step beyond them. */
static const struct {
    const char *name;
    double value;
    const char *text; /* NULL: taken */
} bound_rows[] = {
    { "top_p", 0.0, NULL },
    { "top_p", 1.0, NULL },
    { "top_p", 1.0000001,
      "top_p: out of range (got 1.0000001, allowed 0 to 1)" },
    { "top_p", -1e-300, "top_p: out of range (got -1e-300, allowed 0 to 1)" },
    { "min_p", -0.1, "min_p: out of range (got -0.1, allowed 0 to 1)" },
    { "min_p", (double)NAN, "min_p: out of range (got NaN, allowed 0 to 1)" },
    { "temperature", -1.0,
      "temperature: out of range (got -1, allowed 0 to inf)" },
    { "temperature", 1e39,
      "temperature: out of range (got 1e+39, allowed 0 to inf)" },
    { "temperature", (double)NAN,
      "temperature: out of range (got NaN, allowed 0 to inf)" },
    { "top_k", -1.0, "top_k: out of range (got -1, allowed 0 to 2147483647)" },
    { "top_k", 2147483647.0, NULL },
    { "top_k", 2147483648.0,
      "top_k: out of range (got 2147483648, allowed 0 to 2147483647)" },
    { "top_k", 1.5, "top_k: not a whole number (got 1.5)" },
    { "top_k", (double)NAN,
      "top_k: out of range (got NaN, allowed 0 to 2147483647)" },
    { "top_k", HUGE_VAL,
      "top_k: out of range (got inf, allowed 0 to 2147483647)" },
    { "min_keep", -1.0,
      "min_keep: out of range (got -1, allowed 0 to 2147483647)" },
    { "repeat_last_n", -1.0,
      "repeat_last_n: out of range (got -1, allowed 0 to 2147483647)" },
    { "repeat_penalty", 0.0,
      "repeat_penalty: out of range (got 0, allowed 1e-38 to "
      "3.4028234663852886e+38)" },
    { "repeat_penalty", 1e-38, NULL },
    { "repeat_penalty", HUGE_VAL,
      "repeat_penalty: out of range (got inf, allowed 1e-38 to "
      "3.4028234663852886e+38)" },
    { "frequency_penalty", -HUGE_VAL,
      "frequency_penalty: out of range (got -inf, allowed "
      "-3.4028234663852886e+38 to 3.4028234663852886e+38)" },
    { "presence_penalty", (double)FLT_MAX, NULL },
    { "presence_penalty", (double)NAN,
      "presence_penalty: out of range (got NaN, allowed "
      "-3.4028234663852886e+38 to 3.4028234663852886e+38)" },
    { "seed", -1.0, "seed: out of range (got -1, allowed 0 to 4294967295)" },
    { "seed", 4294967296.0,
      "seed: out of range (got 4294967296, allowed 0 to 4294967295)" },
    { "seed", 0.5, "seed: not a whole number (got 0.5)" },
    { "n_probs", -5.0, NULL },
    { "greedy", 2.0, "greedy: out of range (got 2, allowed 0 to 1)" },
    { "greedy", 0.5, "greedy: not a whole number (got 0.5)" },
    { "logit_bias", 1.0, "logit_bias: a list cannot be set from a number" },
    { "minp", 1.0, "parameter 'minp' is unknown; did you mean 'min_p'?" },
    { "samplers", 1.0, "samplers: a list cannot be set from a number" },
    { "mirostat", 2.0, NULL },
    { "mirostat", 3.0, "mirostat: out of range (got 3, allowed 0 to 2)" },
    { "mirostats", 1.0,
      "parameter 'mirostats' is unknown; did you mean 'mirostat'?" },
};

static void setters_keep_the_bounds(void **state)
{
    sortes_params *p = requests_fresh(), before;
    sortes_error err;

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(bound_rows); i++) {
        sortes_status status;

        before = *p;
        status = sortes_params_set_number(p, bound_rows[i].name,
                                          bound_rows[i].value, &err);
        if (bound_rows[i].text == NULL) {
            assert_int_equal(status, SORTES_OK);
            continue;
        }
        assert_int_not_equal(status, SORTES_OK);
        assert_int_equal(status, err.status);
        assert_string_equal(err.text, bound_rows[i].text);
        assert_memory_equal(p, &before, sizeof(before));
    }
    sortes_params_free(p);
}

static void set_integer_takes_floats_too(void **state)
{
    sortes_params *p = requests_fresh();
    sortes_error err;

    (void)state;
    assert_int_equal(sortes_params_set_integer(p, "temperature", 2, &err),
                     SORTES_OK);
    assert_true(p->temperature == 2.0f);
    assert_int_equal(sortes_params_set_integer(p, "top_p", 2, &err),
                     SORTES_E_RANGE);
    assert_int_equal(sortes_params_set_integer(p, "top_k", INT64_MAX, &err),
                     SORTES_E_RANGE);
    assert_int_equal(sortes_params_set_integer(p, "top_k", INT64_MIN, &err),
                     SORTES_E_RANGE);
    assert_int_equal(p->top_k, 40);
    assert_int_equal(sortes_params_set_integer(p, "greedy", 1, &err),
                     SORTES_OK);
    assert_true(p->greedy);
    assert_int_equal(sortes_params_set_integer(p, "logit_bias", 1, &err),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_params_set_integer(NULL, "top_k", 1, &err),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_params_set_integer(p, NULL, 1, &err),
                     SORTES_E_ARGUMENT);
    sortes_params_free(p);
}

static void set_seed_takes_32_bits(void **state)
{
    sortes_params *p = requests_fresh();
    sortes_error err;

    (void)state;
    assert_int_equal(sortes_params_set_seed(p, 42, &err), SORTES_OK);
    assert_int_equal(p->seed, 42);
    assert_int_equal(p->source[SRT_PARAM_seed], SORTES_FROM_CALL);
    assert_int_equal(sortes_params_set_seed(p, UINT32_MAX, &err), SORTES_OK);
    assert_int_equal(p->seed, UINT32_MAX);
    assert_int_equal(sortes_params_set_seed(p, UINT64_C(1) << 32, &err),
                     SORTES_E_RANGE);
    assert_int_equal(sortes_params_set_seed(p, UINT64_MAX, &err),
                     SORTES_E_RANGE);
    assert_int_equal(p->seed, UINT32_MAX);
    assert_int_equal(sortes_params_set_seed(NULL, 1, &err), SORTES_E_ARGUMENT);
    sortes_params_free(p);
}

/* rMLX's seeds have 64 bits, through every setter. */
static void set_seed_takes_64_bits_where_the_engine_does(void **state)
{
    sortes_params *p = dialects_params("rmlx", "seed=18446744073709551615");
    sortes_error err;

    (void)state;
    assert_true(p->seed == UINT64_MAX);
    assert_int_equal(sortes_params_set_seed(p, UINT64_MAX - 1, &err),
                     SORTES_OK);
    assert_true(p->seed == UINT64_MAX - 1);
    assert_int_equal(sortes_params_set_integer(p, "seed", INT64_MAX, &err),
                     SORTES_OK);
    assert_true(p->seed == INT64_MAX);
    assert_int_equal(sortes_params_set_integer(p, "seed", -1, &err),
                     SORTES_E_RANGE);
    assert_int_equal(
        sortes_params_set_text(p, "seed", "18446744073709551616", &err),
        SORTES_E_RANGE);
    assert_true(p->seed == INT64_MAX);
    assert_int_equal(sortes_params_set_text(p, "seed", "1e20", &err),
                     SORTES_E_RANGE);
    sortes_params_free(p);
}

/* Each dialect has parameters of its own, under one type each. */
static void dialects_have_their_own_parameters(void **state)
{
    sortes_params *p = dialects_params("rmlx", "");
    const sortes_param_info *info;
    const char *dialect;
    sortes_error err;

    (void)state;
    assert_int_equal(sortes_params_set_text(p, "mirostat", "1", &err),
                     SORTES_E_NAME);
    assert_string_equal(err.text, "parameter 'mirostat' is unknown");
    assert_int_equal(sortes_params_set_text(p, "repeat_penalty", "1", &err),
                     SORTES_E_NAME);
    assert_int_equal(sortes_params_get(p, "min_keep", NULL, 0, NULL, NULL),
                     SORTES_E_NAME);
    for (size_t d = 0; (dialect = sortes_dialect_name(d)) != NULL; d++) {
        for (size_t i = 0; (info = sortes_param_at(dialect, i)) != NULL; i++) {
            enum srt_param_id id = SRT_N_PARAMS;

            assert_int_equal(srt_param_find(srt_dialect_find(dialect),
                                            info->name, &id, &err),
                             SORTES_OK);
            assert_string_equal(info->type,
                                srt_type_names[srt_param_rows[id].type]);
            assert_true(strlen(info->help) > 10);
        }
    }
    sortes_params_free(p);
}

static void rmlx_starts_from_its_own_defaults(void **state)
{
    static const char *const rows[][2] = {
        { "seed", "42919" },
        { "temperature", "1.0" },
        { "top_p", "1.0" },
        { "min_p", "0.0" },
        { "top_k", "0" },
        { "repetition_penalty", "1.0" },
        { "presence_penalty", "0.0" },
        { "frequency_penalty", "0.0" },
        { "logit_bias", "[]" },
        { "top_logprobs", "0" },
        { "thinking_budget", "-1" },
        { "thinking_start_token", "[\"<think>\"]" },
        { "thinking_end_token", "[\"</think>\"]" },
        { "literal_think", "false" },
    };
    sortes_params *p = dialects_params("rmlx", "");

    (void)state;
    assert_int_equal(SRT_COUNT(rows), p->dialect->n_params);
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        char text[40];

        assert_int_equal(
            sortes_params_get(p, rows[i][0], text, sizeof(text), NULL, NULL),
            SORTES_OK);
        assert_string_equal(text, rows[i][1]);
    }
    sortes_params_free(p);
}

static void param_at_describes_every_row(void **state)
{
    const sortes_param_info *info;
    size_t n = 0;

    (void)state;
    for (; (info = sortes_param_at("llama.cpp", n)) != NULL; n++) {
        assert_non_null(info->name);
        assert_non_null(info->type);
        assert_true(strlen(info->help) > 10);
        assert_null(strchr(info->help, '\n'));
        if (strcmp(info->name, "seed") == 0) {
            assert_string_equal(info->flag, "-s, --seed");
            assert_string_equal(info->type, "seed");
            assert_true(info->min == 0 && info->max == 4294967295.0);
        }
        if (strcmp(info->name, "temperature") == 0) {
            assert_string_equal(info->flag, "--temp, --temperature");
            assert_true(info->max == HUGE_VAL);
        }
        if (strcmp(info->name, "min_keep") == 0)
            assert_null(info->flag);
    }
    assert_int_equal(n, srt_dialect_find("llama.cpp")->n_params);
    assert_null(sortes_param_at("llama", 0));
    assert_null(sortes_param_at(NULL, 0));
    assert_null(sortes_param_at("llama.cpp", SIZE_MAX));
}

static void read_refuses_unknown_formats(void **state)
{
    sortes_params *p = requests_fresh();
    sortes_error err;

    (void)state;
    assert_int_equal(sortes_params_read(p, "llama_server", "{}", 2, &err),
                     SORTES_E_NAME);
    assert_string_equal(
        err.text,
        "format 'llama_server' is unknown; did you mean 'llama-server'?");
    assert_int_equal(sortes_params_read(p, "llama-server", NULL, 1, &err),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_params_read(p, NULL, "{}", 2, &err),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_params_read(NULL, "llama-server", "{}", 2, &err),
                     SORTES_E_ARGUMENT);
    sortes_params_free(p);
}

static void bias_lists_grow_and_copy(void **state)
{
    struct srt_bias_list list = { 0 }, copy;

    (void)state;
    for (int32_t i = 0; i < 1000; i++)
        assert_true(srt_bias_add(&list, i * 3, (float)i));
    assert_true(srt_bias_copy(&copy, &list));
    srt_bias_clear(&list);
    assert_null(list.items);
    assert_int_equal(copy.n, 1000);
    for (int32_t i = 0; i < 1000; i++) {
        assert_int_equal(copy.items[i].token, i * 3);
        assert_true(copy.items[i].value == (float)i);
    }
    assert_true(srt_bias_add(&copy, 1, 1.0f));
    srt_bias_clear(&copy);
}

/* 0.7 lies between two floats, the nearer one below it. */
static void params_do_not_obey_the_callers_rounding(void **state)
{
    static const int modes[] = { FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO,
                                 FE_TONEAREST };
    static const char request[] = "{\"min_p\":0.3,\"top_k\":3}";
    sortes_params *p = requests_fresh();
    char text[40];

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(modes); i++) {
        sortes_status ok;

        assert_int_equal(fesetround(modes[i]), 0);
        ok = sortes_params_set_number(p, "top_p", 0.7, NULL) |
             sortes_params_set_text(p, "temperature", "0.7", NULL) |
             sortes_params_read(p, "llama-server", request, strlen(request),
                                NULL) |
             sortes_params_get(p, "top_p", text, sizeof(text), NULL, NULL);
        assert_int_equal(fegetround(), modes[i]);
        fesetround(FE_TONEAREST);
        assert_int_equal(ok, SORTES_OK);
        assert_true(p->top_p == 0.7f);
        assert_true(p->temperature == 0.7f);
        assert_true(p->min_p == 0.3f); /* the nearer one is above */
        assert_string_equal(text, "0.699999988079071");
    }
    sortes_params_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(params_start_from_the_engines_defaults),
        cmocka_unit_test(params_new_refuses_unknown_dialects),
        cmocka_unit_test(clone_shares_nothing),
        cmocka_unit_test(set_number_stores_a_float_of_it),
        cmocka_unit_test(setters_keep_the_bounds),
        cmocka_unit_test(set_integer_takes_floats_too),
        cmocka_unit_test(set_seed_takes_32_bits),
        cmocka_unit_test(set_seed_takes_64_bits_where_the_engine_does),
        cmocka_unit_test(dialects_have_their_own_parameters),
        cmocka_unit_test(rmlx_starts_from_its_own_defaults),
        cmocka_unit_test(param_at_describes_every_row),
        cmocka_unit_test(read_refuses_unknown_formats),
        cmocka_unit_test(bias_lists_grow_and_copy),
        cmocka_unit_test(params_do_not_obey_the_callers_rounding),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

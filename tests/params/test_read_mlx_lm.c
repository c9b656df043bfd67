/*
 * test_read_mlx_lm.c - mlx-lm's requests: Python's types, its server's words
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "params/params.h"
#include "support/requests.h"

static void mlx_fields_set_parameters(void **state)
{
    static const struct shown_row rows[] = {
        { "{\"temperature\":0.7}", "temperature", "0.7" },
        { "{\"temp\":0.7}", "temperature", "0.7" },
        { "{\"temp\":1,\"temperature\":0.7}", "temperature", "0.7" },
        { "{\"temperature\":true}", "temperature", "1.0" },
        { "{\"top_p\":0.1}", "top_p", "0.1" }, /* a double, not a float */
        { "{\"top_p\":1}", "top_p", "1.0" },
        { "{\"min_p\":0.05}", "min_p", "0.05" },
        { "{\"top_k\":40}", "top_k", "40" },
        { "{\"top_k\":true}", "top_k", "1" },
        { "{\"xtc_probability\":0.5}", "xtc_probability", "0.5" },
        { "{\"xtc_threshold\":1.0}", "xtc_threshold", "1.0" },
        { "{\"xtc_special_tokens\":[13,2]}", "xtc_special_tokens", "[13,2]" },
        { "{\"min_tokens_to_keep\":3}", "min_tokens_to_keep", "3" },
        { "{\"repetition_penalty\":1.1}", "repetition_penalty",
          "1.100000023841858" },
        { "{\"repetition_context_size\":0}", "repetition_context_size", "0" },
        { "{\"presence_penalty\":-1}", "presence_penalty", "-1.0" },
        { "{\"frequency_penalty\":2.5}", "frequency_penalty", "2.5" },
        { "{\"top_logprobs\":11}", "top_logprobs", "11" },
        { "{\"top_logprobs\":-1}", "top_logprobs", "-1" },
        { "{\"seed\":18446744073709551615}", "seed", "18446744073709551615" },
        { "{\"logit_bias\":{\"5\":1,\"7\":\"-2.5\",\"9\":true}}", "logit_bias",
          "[{\"bias\":1.0,\"token\":5},{\"bias\":-2.5,\"token\":7},"
          "{\"bias\":1.0,\"token\":9}]" },
        /* a dictionary: the later value, in the earlier place */
        { "{\"logit_bias\":{\"5\":1,\"7\":2,\"05\":3}}", "logit_bias",
          "[{\"bias\":3.0,\"token\":5},{\"bias\":2.0,\"token\":7}]" },
        { "{\"mlx_draw\":\"gumbel\"}", "mlx_draw", "[\"gumbel\"]" },
        { "{\"gumbel_rows\":4}", "gumbel_rows", "4" },
        { "{\"model\":\"m\",\"messages\":[],\"stream\":true,\"stop\":\"x\","
          "\"max_tokens\":5,\"logprobs\":true,\"top_k\":7}",
          "top_k", "7" },
    };

    (void)state;
    requests_check_shown("mlx-lm", rows, SRT_COUNT(rows));
}

static void mlx_null_says_nothing_where_it_may_stand(void **state)
{
    sortes_params *p = requests_fresh_of("mlx-lm");
    sortes_error err;

    (void)state;
    assert_int_equal(
        requests_read(p, "mlx-lm", "{\"seed\":null,\"logit_bias\":null}", &err),
        SORTES_OK);
    assert_int_equal(p->source[SRT_PARAM_seed], SORTES_FROM_DEFAULT);
    sortes_params_free(p);
}

static void mlx_refusals_are_the_servers(void **state)
{
    static const struct refused_row rows[] = {
        { "[]", SORTES_E_SYNTAX, "Request should be a JSON dictionary" },
        { "{\"temperature\":-0.5}", SORTES_E_RANGE,
          "temperature must be at least 0" },
        { "{\"temp\":-1}", SORTES_E_RANGE, "temp must be at least 0" },
        { "{\"temperature\":\"1\"}", SORTES_E_SYNTAX,
          "temperature must be of type ('float', 'int')" },
        { "{\"temperature\":null}", SORTES_E_SYNTAX,
          "temperature must be of type ('float', 'int')" },
        { "{\"top_p\":1.5}", SORTES_E_RANGE, "top_p must be at most 1" },
        { "{\"min_p\":2}", SORTES_E_RANGE, "min_p must be at most 1" },
        { "{\"top_k\":-1}", SORTES_E_RANGE, "top_k must be at least 0" },
        { "{\"top_k\":40.0}", SORTES_E_SYNTAX, "top_k must be of type int" },
        { "{\"max_tokens\":0}", SORTES_E_RANGE,
          "max_tokens must be at least 1" },
        { "{\"stream\":1}", SORTES_E_SYNTAX, "stream must be of type bool" },
        { "{\"repetition_penalty\":-1}", SORTES_E_RANGE,
          "repetition_penalty must be at least 0" },
        { "{\"repetition_context_size\":-1}", SORTES_E_RANGE,
          "repetition_context_size must be at least 0" },
        { "{\"presence_penalty\":\"x\"}", SORTES_E_SYNTAX,
          "presence_penalty must be of type ('float', 'int')" },
        { "{\"xtc_probability\":0}", SORTES_E_SYNTAX,
          "xtc_probability must be of type float" },
        { "{\"xtc_threshold\":1.5}", SORTES_E_RANGE,
          "xtc_threshold must be at most 1" },
        { "{\"top_logprobs\":12}", SORTES_E_RANGE,
          "top_logprobs must be at most 11" },
        { "{\"top_logprobs\":-2}", SORTES_E_RANGE,
          "top_logprobs must be at least 0" },
        { "{\"seed\":1.5}", SORTES_E_SYNTAX, "seed must be of type int" },
        { "{\"logit_bias\":[]}", SORTES_E_SYNTAX,
          "logit_bias must be of type dict" },
        { "{\"logit_bias\":{\"x\":1}}", SORTES_E_SYNTAX,
          "logit_bias must be a dict of int to float" },
        { "{\"logit_bias\":{\"1\":\"x\"}}", SORTES_E_SYNTAX,
          "logit_bias must be a dict of int to float" },
        /* the first of the server's order, not of the request's */
        { "{\"top_k\":-1,\"temperature\":-1}", SORTES_E_RANGE,
          "temperature must be at least 0" },
    };

    (void)state;
    requests_check_refused("mlx-lm", rows, SRT_COUNT(rows));
}

static void mlx_refusals_of_our_own(void **state)
{
    static const struct refused_row rows[] = {
        { "{\"temprature\":1}", SORTES_E_NAME,
          "field 'temprature' is unknown; did you mean 'temperature'?" },
        { "{\"response_format\":{\"type\":\"json_object\"}}", SORTES_E_NAME,
          "field 'response_format' is unknown" },
        { "{\"top_k\":4294967296}", SORTES_E_RANGE,
          "top_k: out of range (got 4294967296)" },
        { "{\"seed\":-1}", SORTES_E_RANGE, "seed: out of range (got -1)" },
        { "{\"seed\":18446744073709551616}", SORTES_E_RANGE,
          "seed: out of range (got 18446744073709551616)" },
        { "{\"presence_penalty\":1e39}", SORTES_E_RANGE,
          "presence_penalty: out of range (got 1e39)" },
        { "{\"temperature\":1e999}", SORTES_E_RANGE,
          "temperature: out of range (got 1e999)" },
        { "{\"logit_bias\":{\"-1\":1}}", SORTES_E_SYNTAX,
          "logit_bias must be a dict of int to float" },
        { "{\"logit_bias\":{\"2147483648\":1}}", SORTES_E_SYNTAX,
          "logit_bias must be a dict of int to float" },
        { "{\"logit_bias\":{\"1\":\"nan\"}}", SORTES_E_SYNTAX,
          "logit_bias must be a dict of int to float" },
        { "{\"logit_bias\":{\"1\":1e40}}", SORTES_E_SYNTAX,
          "logit_bias must be a dict of int to float" },
        { "{\"min_tokens_to_keep\":0}", SORTES_E_RANGE,
          "min_tokens_to_keep must be at least 1" },
        { "{\"xtc_special_tokens\":[-1]}", SORTES_E_SYNTAX,
          "xtc_special_tokens: expected a token id, 0 to 2147483647" },
        { "{\"mlx_draw\":\"cdf\"}", SORTES_E_SYNTAX,
          "mlx_draw: cannot read 'cdf' (needed inverse-cdf or gumbel)" },
    };

    (void)state;
    requests_check_refused("mlx-lm", rows, SRT_COUNT(rows));
}

static void mlx_requests_are_for_the_dialect_alone(void **state)
{
    sortes_params *p = requests_fresh();
    sortes_error err;

    (void)state;
    assert_int_equal(requests_read(p, "mlx-lm", "{}", &err), SORTES_E_NAME);
    sortes_params_free(p);
    p = requests_fresh_of("mlx-lm");
    assert_int_equal(requests_read(p, "llama-server", "{}", &err),
                     SORTES_E_NAME);
    sortes_params_free(p);
}

static void mlx_setters_keep_doubles_and_lists(void **state)
{
    sortes_params *p = requests_fresh_of("mlx-lm");
    sortes_error err;
    char text[64];

    (void)state;
    assert_int_equal(sortes_params_set_number(p, "min_p", 0.1, &err),
                     SORTES_OK);
    assert_true(p->exact_min_p == 0.1);
    assert_int_equal(sortes_params_set_text(p, "top_p", "0.3", &err),
                     SORTES_OK);
    assert_true(p->exact_top_p == 0.3);
    assert_int_equal(sortes_params_set_number(p, "min_p", 1.1, &err),
                     SORTES_E_RANGE);
    assert_string_equal(err.text,
                        "min_p: out of range (got 1.1, allowed 0 to 1)");
    assert_int_equal(
        sortes_params_set_text(p, "xtc_special_tokens", " 5, 6 ,7", &err),
        SORTES_OK);
    assert_int_equal(sortes_params_get(p, "xtc_special_tokens", text,
                                       sizeof(text), NULL, NULL),
                     SORTES_OK);
    assert_string_equal(text, "[5,6,7]");
    assert_int_equal(
        sortes_params_set_text(p, "xtc_special_tokens", "5;6", &err),
        SORTES_E_SYNTAX);
    assert_string_equal(err.text, "xtc_special_tokens: byte 1: expected ','");
    assert_int_equal(
        sortes_params_set_text(p, "xtc_special_tokens", "5,", &err),
        SORTES_E_SYNTAX);
    assert_string_equal(err.text, "xtc_special_tokens: byte 2: expected a "
                                  "token id, 0 to 2147483647");
    assert_int_equal(sortes_params_set_number(p, "xtc_special_tokens", 5, &err),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_params_set_text(p, "logit_bias", "5nan", &err),
                     SORTES_E_SYNTAX);
    assert_int_equal(sortes_params_set_number(p, "mirostat", 1, &err),
                     SORTES_E_NAME);
    sortes_params_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mlx_fields_set_parameters),
        cmocka_unit_test(mlx_null_says_nothing_where_it_may_stand),
        cmocka_unit_test(mlx_refusals_are_the_servers),
        cmocka_unit_test(mlx_refusals_of_our_own),
        cmocka_unit_test(mlx_requests_are_for_the_dialect_alone),
        cmocka_unit_test(mlx_setters_keep_doubles_and_lists),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

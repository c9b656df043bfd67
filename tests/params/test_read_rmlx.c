/*
 * test_read_rmlx.c - rMLX's requests: fields, limits and its refusals
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "params/read_rmlx.h"
#include "support/dialects.h"
#include "support/requests.h"

#include <math.h>
#include <string.h>

static sortes_params *read_ok(const char *text)
{
    sortes_params *p = dialects_params("rmlx", "");
    sortes_error err;

    if (requests_read(p, "rmlx", text, &err) != SORTES_OK)
        fail_msg("%s: %s", text, err.text);
    return p;
}

static void fields_set_their_parameters(void **state)
{
    sortes_params *p = read_ok(
        "{\"temperature\":0.7,\"top_p\":0.9,\"min_p\":0.05,\"top_k\":40,"
        "\"repetition_penalty\":1.1,\"presence_penalty\":-2,"
        "\"frequency_penalty\":0.25,\"seed\":18446744073709551615,"
        "\"logprobs\":true,\"top_logprobs\":5,\"thinking_budget\":7,"
        "\"thinking_start_token\":\"<r>\",\"thinking_end_token\":\"</r>\","
        "\"logit_bias\":{\"5\":1.5,\"2\":-100,\"4294967295\":3}}");

    (void)state;
    assert_true(p->temperature == 0.7f && p->top_p == 0.9f);
    assert_true(p->min_p == 0.05f && p->top_k == 40);
    assert_true(p->repetition_penalty == 1.1f && p->presence_penalty == -2.0f);
    assert_true(p->frequency_penalty == 0.25f && p->seed == UINT64_MAX);
    assert_int_equal(p->top_logprobs, 5);
    assert_int_equal(p->thinking_budget, 7);
    assert_string_equal(p->thinking_start_token.items[0], "<r>");
    assert_string_equal(p->thinking_end_token.items[0], "</r>");
    assert_int_equal(p->logit_bias.n, 2); /* no vocabulary reaches the third */
    assert_int_equal(p->logit_bias.items[0].token, 5);
    assert_true(p->logit_bias.items[1].value == -100.0f);
    assert_int_equal(p->source[SRT_PARAM_seed], SORTES_FROM_REQUEST);
    assert_int_equal(p->source[SRT_PARAM_thinking_budget], SORTES_FROM_REQUEST);
    assert_int_equal(p->source[SRT_PARAM_literal_think], SORTES_FROM_DEFAULT);
    sortes_params_free(p);
}

/* Numbers are doubles first, then floats: two roundings. */
static void floats_are_rounded_twice(void **state)
{
    /* a hair above half way between 1 and the next float: as a double it is
     * half way, and that goes to the even one */
    sortes_params *p = read_ok("{\"temperature\":1.00000005960464477540}");

    (void)state;
    assert_true(p->temperature == 1.0f);
    sortes_params_free(p);
}

static void limits_are_let_in(void **state)
{
    sortes_params *p = read_ok(
        "{\"temperature\":2,\"top_p\":0,\"min_p\":1.0,\"top_k\":4294967295,"
        "\"repetition_penalty\":1e39,\"frequency_penalty\":2.0,"
        "\"presence_penalty\":2,\"logprobs\":true,\"top_logprobs\":20,"
        "\"thinking_budget\":4294967295,\"max_tokens\":1}");

    (void)state;
    assert_true(p->temperature == 2.0f && p->top_p == 0.0f);
    assert_int_equal(p->top_k, INT32_MAX);
    assert_int_equal(p->thinking_budget, INT32_MAX);
    assert_true(isinf(p->repetition_penalty));
    assert_int_equal(p->top_logprobs, 20);
    sortes_params_free(p);
}

static void null_and_nothing_leave_the_defaults(void **state)
{
    sortes_params *p =
        read_ok("{\"temperature\":null,\"seed\":null,\"logit_bias\":null,"
                "\"top_logprobs\":null,\"logprobs\":null,\"messages\":null,"
                "\"response_format\":null,\"echo\":null,\"functions\":null}");

    (void)state;
    assert_true(p->temperature == 1.0f && p->seed == 0xa7a7);
    assert_int_equal(p->source[SRT_PARAM_temperature], SORTES_FROM_DEFAULT);
    assert_int_equal(p->top_logprobs, 0);
    sortes_params_free(p);
}

static void what_changes_no_token_is_passed_over(void **state)
{
    sortes_params *p = read_ok(
        "{\"model\":\"m\",\"messages\":[{\"role\":\"user\"}],\"stream\":true,"
        "\"stream_options\":{\"include_usage\":true},\"stop\":[\"a\"],"
        "\"max_tokens\":12,\"tools\":[],\"tool_choice\":\"auto\","
        "\"response_format\":{\"type\":\"text\"},\"echo\":false,"
        "\"enable_thinking\":false,\"kv_quant\":\"k8v4\",\"max_ctx\":4096,"
        "\"image_max_tokens\":1,\"user\":\"u\"}");

    (void)state;
    sortes_params_free(p);
}

static void logprobs_alone_is_one(void **state)
{
    sortes_params *p = read_ok("{\"logprobs\":true}");

    (void)state;
    assert_int_equal(p->top_logprobs, 1);
    sortes_params_free(p);
    p = read_ok("{\"logprobs\":true,\"top_logprobs\":0}");
    assert_int_equal(p->top_logprobs, 1);
    sortes_params_free(p);
    p = read_ok("{\"logprobs\":false}");
    assert_int_equal(p->top_logprobs, 0);
    assert_int_equal(p->source[SRT_PARAM_top_logprobs], SORTES_FROM_REQUEST);
    sortes_params_free(p);
}

/* As Rust reads a u32; of one key given twice the last value counts. */
static void bias_keys_are_read_as_rust_does(void **state)
{
    sortes_params *p =
        read_ok("{\"logit_bias\":{\"+7\":1,\"007\":2,\"7\":3,\"7\":4}}");

    (void)state;
    assert_int_equal(p->logit_bias.n, 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(p->logit_bias.items[i].token, 7);
    assert_true(p->logit_bias.items[2].value == 4.0f);
    sortes_params_free(p);
}

/* Each with its text, and nothing changed. */
static void check_refused(const struct refused_row *rows, size_t n)
{
    sortes_params *p = dialects_params("rmlx", "logit_bias=5+5"), before;
    sortes_error err;

    for (size_t i = 0; i < n; i++) {
        before = *p;
        if (requests_read(p, "rmlx", rows[i].request, &err) != rows[i].status ||
            strcmp(err.text, rows[i].text) != 0)
            fail_msg("%s: %s: %s", rows[i].request,
                     sortes_status_name(err.status), err.text);
        assert_memory_equal(p, &before, sizeof(before));
    }
    sortes_params_free(p);
}

static const struct refused_row limit_rows[] = {
    { "{\"temperature\":2.1}", SORTES_E_RANGE,
      "temperature must be in [0.0, 2.0]" },
    { "{\"temperature\":-0.1}", SORTES_E_RANGE,
      "temperature must be in [0.0, 2.0]" },
    { "{\"top_p\":1.5}", SORTES_E_RANGE, "top_p must be in [0.0, 1.0]" },
    { "{\"min_p\":-1}", SORTES_E_RANGE, "min_p must be in [0.0, 1.0]" },
    { "{\"repetition_penalty\":0}", SORTES_E_RANGE,
      "repetition_penalty must be > 0.0" },
    { "{\"repetition_penalty\":1e-60}", SORTES_E_RANGE,
      "repetition_penalty must be > 0.0" },
    { "{\"frequency_penalty\":2.5}", SORTES_E_RANGE,
      "frequency_penalty must be in [-2.0, 2.0]" },
    { "{\"presence_penalty\":-2.5}", SORTES_E_RANGE,
      "presence_penalty must be in [-2.0, 2.0]" },
    { "{\"top_logprobs\":3}", SORTES_E_RANGE,
      "top_logprobs requires logprobs to be set to true" },
    { "{\"top_logprobs\":0,\"logprobs\":false}", SORTES_E_RANGE,
      "top_logprobs requires logprobs to be set to true" },
    { "{\"top_logprobs\":21,\"logprobs\":true}", SORTES_E_RANGE,
      "top_logprobs must be in [0, 20]" },
    { "{\"max_tokens\":0}", SORTES_E_RANGE, "max_tokens must be > 0" },
    { "{\"messages\":[]}", SORTES_E_RANGE, "messages must not be empty" },
    { "{\"logit_bias\":{\"x\":1}}", SORTES_E_RANGE,
      "logit_bias key \"x\" is not a valid token id (u32)" },
    { "{\"logit_bias\":{\"-1\":1}}", SORTES_E_RANGE,
      "logit_bias key \"-1\" is not a valid token id (u32)" },
    { "{\"logit_bias\":{\"\":1}}", SORTES_E_RANGE,
      "logit_bias key \"\" is not a valid token id (u32)" },
    { "{\"logit_bias\":{\"4294967296\":1}}", SORTES_E_RANGE,
      "logit_bias key \"4294967296\" is not a valid token id (u32)" },
    { "{\"logit_bias\":{\"5\":1e39}}", SORTES_E_RANGE,
      "logit_bias[5] = inf is not finite" },
    { "{\"logit_bias\":{\"5\":-1e39}}", SORTES_E_RANGE,
      "logit_bias[5] = -inf is not finite" },
    { "{\"thinking_start_token\":\" \\n\"}", SORTES_E_RANGE,
      "`thinking_start_token` must be a non-empty, non-whitespace "
      "delimiter string" },
    { "{\"thinking_end_token\":\"\"}", SORTES_E_RANGE,
      "`thinking_end_token` must be a non-empty, non-whitespace delimiter "
      "string" },
    /* the earlier rule first, whatever the order of the text */
    { "{\"top_k\":-1,\"top_p\":7,\"temperature\":7}", SORTES_E_SYNTAX,
      "field 'top_k': wrong type (got number, needed a whole number from 0 "
      "to 4294967295)" },
    { "{\"top_p\":7,\"temperature\":7}", SORTES_E_RANGE,
      "temperature must be in [0.0, 2.0]" },
};

static void refusals_are_rmlx_s(void **state)
{
    (void)state;
    check_refused(limit_rows, SRT_COUNT(limit_rows));
}

static void other_refusals_name_the_field(void **state)
{
    static const struct refused_row rows[] = {
        { "{\"temprature\":1}", SORTES_E_NAME,
          "field 'temprature' is unknown; did you mean 'temperature'?" },
        { "{\"seed\":1,\"seed\":2}", SORTES_E_SYNTAX,
          "duplicate field `seed`" },
        { "{\"seed\":-1}", SORTES_E_SYNTAX,
          "field 'seed': wrong type (got number, needed a whole number from 0 "
          "to 18446744073709551615)" },
        { "{\"seed\":18446744073709551616}", SORTES_E_SYNTAX,
          "field 'seed': wrong type (got number, needed a whole number from 0 "
          "to 18446744073709551615)" },
        { "{\"top_k\":1.0}", SORTES_E_SYNTAX,
          "field 'top_k': wrong type (got number, needed a whole number from 0 "
          "to 4294967295)" },
        { "{\"temperature\":\"1\"}", SORTES_E_SYNTAX,
          "field 'temperature': wrong type (got string, needed a number)" },
        { "{\"temperature\":1e999}", SORTES_E_SYNTAX,
          "field 'temperature': wrong type (got number, needed a number)" },
        { "{\"logit_bias\":[1]}", SORTES_E_SYNTAX,
          "field 'logit_bias': wrong type (got array, needed an object of "
          "numbers)" },
        { "{\"logit_bias\":{\"1\":null}}", SORTES_E_SYNTAX,
          "field 'logit_bias': wrong type (got null, needed a number)" },
        { "{\"logprobs\":1}", SORTES_E_SYNTAX,
          "field 'logprobs': wrong type (got number, needed a boolean)" },
        { "{\"echo\":true}", SORTES_E_RANGE,
          "field 'echo': not supported here (allowed false)" },
        { "{\"functions\":[]}", SORTES_E_RANGE,
          "field 'functions': not supported here (allowed null)" },
        { "{\"tool_choice\":\"required\"}", SORTES_E_RANGE,
          "field 'tool_choice': not supported here (allowed \"none\" or "
          "\"auto\")" },
        { "{\"response_format\":{\"type\":\"json_object\"}}", SORTES_E_RANGE,
          "field 'response_format': not supported here (allowed {\"type\": "
          "\"text\"})" },
        { "[]", SORTES_E_SYNTAX,
          "request: wrong type (got array, needed object)" },
    };

    (void)state;
    check_refused(rows, SRT_COUNT(rows));
}

/* Each format speaks of its own engine's parameters. */
static void formats_belong_to_their_dialect(void **state)
{
    sortes_params *p = dialects_params("rmlx", ""), *q = requests_fresh();
    sortes_error err;

    (void)state;
    assert_int_equal(requests_read(p, "llama-server", "{}", &err),
                     SORTES_E_NAME);
    assert_string_equal(err.text,
                        "format 'llama-server': belongs to another dialect "
                        "(got 'rmlx', allowed 'llama.cpp')");
    assert_int_equal(requests_read(q, "rmlx", "{}", &err), SORTES_E_NAME);
    assert_string_equal(err.text, "format 'rmlx': belongs to another dialect "
                                  "(got 'llama.cpp', allowed 'rmlx')");
    assert_int_equal(sortes_params_read_gguf(p, "x.gguf", &err), SORTES_E_NAME);
    assert_string_equal(err.text, "format 'gguf': belongs to another dialect "
                                  "(got 'rmlx', allowed 'llama.cpp')");
    sortes_params_free(p);
    sortes_params_free(q);
}

static void the_table_names_each_field_once(void **state)
{
    const struct srt_rmlx_field *f, *g;

    (void)state;
    for (size_t i = 0; (f = srt_rmlx_field_at(i)) != NULL; i++)
        for (size_t j = 0; j < i; j++) {
            g = srt_rmlx_field_at(j);
            assert_string_not_equal(f->name, g->name);
            assert_true(f->parameter == SRT_N_PARAMS ||
                        f->parameter != g->parameter);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_set_their_parameters),
        cmocka_unit_test(floats_are_rounded_twice),
        cmocka_unit_test(limits_are_let_in),
        cmocka_unit_test(null_and_nothing_leave_the_defaults),
        cmocka_unit_test(what_changes_no_token_is_passed_over),
        cmocka_unit_test(logprobs_alone_is_one),
        cmocka_unit_test(bias_keys_are_read_as_rust_does),
        cmocka_unit_test(refusals_are_rmlx_s),
        cmocka_unit_test(other_refusals_name_the_field),
        cmocka_unit_test(formats_belong_to_their_dialect),
        cmocka_unit_test(the_table_names_each_field_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

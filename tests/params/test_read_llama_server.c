/*
 * test_read_llama_server.c - llama-server's requests: coercions, limits,
 * refusals
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

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Answers of the server itself, build b11549, to the same requests. */
static const struct shown_row coercion_rows[] = {
    { "{\"top_k\":50}", "top_k", "50" },
    { "{\"top_k\":0}", "top_k", "0" },
    { "{\"top_k\":-1}", "top_k", "0" },
    { "{\"top_k\":2.9}", "top_k", "2" },
    { "{\"top_k\":-0.5}", "top_k", "0" },
    { "{\"top_k\":true}", "top_k", "1" },
    { "{\"top_k\":false}", "top_k", "0" },
    { "{\"top_k\":1e2}", "top_k", "100" },
    { "{\"top_k\":3000000000}", "top_k", "0" },
    { "{\"top_k\":4294967297}", "top_k", "1" },
    { "{\"top_k\":1e10}", "top_k", "0" },
    { "{\"top_k\":18446744073709551615}", "top_k", "0" },
    { "{\"top_p\":0.5}", "top_p", "0.5" },
    { "{\"top_p\":1.5}", "top_p", "1.0" },
    { "{\"top_p\":-0.5}", "top_p", "0.0" },
    { "{\"top_p\":-0.0}", "top_p", "0.0" },
    { "{\"top_p\":true}", "top_p", "1.0" },
    { "{\"top_p\":1e39}", "top_p", "1.0" },
    { "{\"min_p\":0.1}", "min_p", "0.10000000149011612" },
    { "{\"min_p\":2}", "min_p", "1.0" },
    { "{\"min_p\":-1e300}", "min_p", "0.0" },
    { "{\"temperature\":0.7}", "temperature", "0.699999988079071" },
    { "{\"temperature\":0}", "temperature", "0.0" },
    { "{\"temperature\":0.0}", "temperature", "0.0" },
    { "{\"temperature\":-1}", "temperature", "0.0" },
    { "{\"temperature\":1e39}", "temperature", "null" },
    { "{\"temperature\":1e38}", "temperature", "9.999999680285692e+37" },
    { "{\"temperature\":16777217}", "temperature", "16777216.0" },
    { "{\"temperature\":18446744073709551615}", "temperature",
      "1.8446744073709552e+19" },
    { "{\"repeat_last_n\":0}", "repeat_last_n", "0" },
    { "{\"repeat_last_n\":2147483647}", "repeat_last_n", "2147483647" },
    { "{\"repeat_last_n\":-0.9}", "repeat_last_n", "0" },
    { "{\"repeat_last_n\":4294967296}", "repeat_last_n", "0" },
    { "{\"repeat_penalty\":1.1}", "repeat_penalty", "1.100000023841858" },
    { "{\"repeat_penalty\":1e39}", "repeat_penalty", "3.4028234663852886e+38" },
    { "{\"frequency_penalty\":-1e39}", "frequency_penalty",
      "-3.4028234663852886e+38" },
    { "{\"presence_penalty\":1e39}", "presence_penalty",
      "3.4028234663852886e+38" },
    { "{\"presence_penalty\":-0.0}", "presence_penalty", "-0.0" },
    { "{\"seed\":42}", "seed", "42" },
    { "{\"seed\":-1}", "seed", "4294967295" },
    { "{\"seed\":4294967295}", "seed", "4294967295" },
    { "{\"seed\":4294967296}", "seed", "0" },
    { "{\"seed\":4294967338}", "seed", "42" },
    { "{\"seed\":1.5}", "seed", "1" },
    { "{\"seed\":-1.5}", "seed", "4294967295" },
    { "{\"seed\":1e10}", "seed", "1410065408" },
    { "{\"seed\":1e20}", "seed", "0" },
    { "{\"seed\":true}", "seed", "1" },
    { "{\"n_probs\":10}", "n_probs", "10" },
    { "{\"n_probs\":-3}", "n_probs", "-3" },
    { "{\"logprobs\":true}", "n_probs", "1" },
    { "{\"logprobs\":3}", "n_probs", "3" },
    { "{\"min_keep\":2}", "min_keep", "2" },
    { "{\"top_n_sigma\":1.5}", "top_n_sigma", "1.5" },
    { "{\"top_n_sigma\":-1e39}", "top_n_sigma", "-3.4028234663852886e+38" },
    { "{\"xtc_probability\":2}", "xtc_probability", "1.0" },
    { "{\"xtc_probability\":-1}", "xtc_probability", "0.0" },
    { "{\"xtc_threshold\":0.25}", "xtc_threshold", "0.25" },
    { "{\"xtc_threshold\":1.5}", "xtc_threshold", "1.0" },
    { "{\"typical_p\":1.5}", "typical_p", "1.5" },
    { "{\"typical_p\":-2}", "typical_p", "-2.0" },
    { "{\"dynatemp_range\":-0.5}", "dynatemp_range", "-0.5" },
    { "{\"dynatemp_exponent\":true}", "dynatemp_exponent", "1.0" },
    { "{\"dry_multiplier\":-1}", "dry_multiplier", "-1.0" },
    { "{\"dry_base\":1}", "dry_base", "1.0" },
    { "{\"dry_base\":1e39}", "dry_base", "null" },
    { "{\"dry_allowed_length\":0}", "dry_allowed_length", "0" },
    { "{\"dry_penalty_last_n\":5.9}", "dry_penalty_last_n", "5" },
    { "{\"mirostat\":7}", "mirostat", "2" },
    { "{\"mirostat\":-3}", "mirostat", "0" },
    { "{\"mirostat\":true}", "mirostat", "1" },
    { "{\"mirostat_tau\":0.5}", "mirostat_tau", "0.5" },
    { "{\"mirostat_eta\":-1}", "mirostat_eta", "-1.0" },
    { "{\"adaptive_target\":2}", "adaptive_target", "1.0" },
    { "{\"adaptive_target\":-1e39}", "adaptive_target",
      "-3.4028234663852886e+38" },
    { "{\"adaptive_decay\":0.99}", "adaptive_decay", "0.9900000095367432" },
    { "{\"post_sampling_probs\":true}", "post_sampling_probs", "true" },
    { "{\"reasoning_control\":true}", "reasoning_control", "true" },
    { "{\"grammar_lazy\":true}", "grammar_lazy", "true" },
    { "{\"grammar_triggers\":[{\"type\":1,\"value\":"
      "\"<t>\"},{\"type\":0,\"value\":\"x\",\"token\":5},{\"type\":2,"
      "\"value\":\"a(b)\"}]}",
      "grammar_triggers", "[\"word:<t>\",\"token:5\",\"pattern:a(b)\"]" },
    { "{\"grammar\":\"root ::= \\\"a;b\\\"\"}", "grammar",
      "[\"root ::= \\\"a;b\\\"\"]" },
    { "{\"json_schema\":{},\"grammar\":\"root ::= x\"}", "grammar",
      "[\"root ::= x\"]" },
    { "{\"reasoning_budget_tokens\":0}", "reasoning_budget_tokens", "0" },
    { "{\"reasoning_budget_start_tag\":\"<think>\"}",
      "reasoning_budget_start_tag", "[\"<think>\"]" },
    { "{\"reasoning_budget_start_tag\":\"\"}", "reasoning_budget_start_tag",
      "[\"\"]" },
    { "{\"dry_sequence_breakers\":[\"\\n\",\"\"]}", "dry_sequence_breakers",
      "[\"\\n\",\"\"]" },
    { "{\"samplers\":[]}", "samplers", "[]" },
    { "{\"samplers\":\"\"}", "samplers", "[]" },
    { "{\"samplers\":[\"Temp\",\"top-k\",\"typical\",\"temp\"]}", "samplers",
      "[\"temperature\",\"top_k\",\"temperature\"]" },
    { "{\"samplers\":\"kT?a\"}", "samplers", "[\"top_k\",\"adaptive_p\"]" },
};

#define END "reasoning_budget_end_tags"

/* Its handler ranges over whatever the first name holds. */
static const struct shown_row tag_rows[] = {
    { "{\"" END "\":[\"a\",\"\",\"b\"]}", END, "[\"a\",\"b\"]" },
    { "{\"" END "\":\"a\"}", END, "[\"a\"]" },
    { "{\"" END "\":{\"x\":\"a\",\"y\":\"b\"}}", END, "[\"a\",\"b\"]" },
    { "{\"" END "\":[]}", END, "[]" },
    { "{\"reasoning_budget_end_tag\":\"c\"}", END, "[\"c\"]" },
    { "{\"reasoning_budget_end_tag\":\"\"}", END, "[]" },
    { "{\"" END "\":null,\"reasoning_budget_end_tag\":\"c\"}", END, "[]" },
    { "{\"" END "\":[\"a\"],\"reasoning_budget_end_tag\":\"c\"}", END,
      "[\"a\"]" },
    /* without an end tag in force a message says nothing */
    { "{\"reasoning_budget_message\":\"m\",\"reasoning_control\":true}",
      "reasoning_control", "true" },
};

static void server_reads_reasoning_tags(void **state)
{
    static const char both[] =
        "{\"reasoning_budget_message\":5,\"" END "\":[\"a\"]}";
    sortes_params *p = requests_fresh();

    (void)state;
    requests_check_shown("llama-server", tag_rows, SRT_COUNT(tag_rows));
    assert_int_equal(requests_read(p, "llama-server", both, NULL), SORTES_OK);
    assert_true(p->reasoning_budget_message.given);
    assert_int_equal(p->reasoning_budget_message.n, 1);
    assert_int_equal(p->reasoning_budget_message.sizes[0], 0);
    assert_int_equal(requests_read(p, "llama-server",
                                   "{\"reasoning_budget_message\":\"m\"}",
                                   NULL),
                     SORTES_OK);
    assert_string_equal(p->reasoning_budget_message.items[0], "m");
    sortes_params_free(p);
}
#undef END

static void server_keeps_a_dry_base_below_1_out(void **state)
{
    sortes_params *p = requests_fresh();

    (void)state;
    assert_int_equal(requests_read(p, "llama-server", "{\"dry_base\":3}", NULL),
                     SORTES_OK);
    assert_int_equal(
        requests_read(p, "llama-server", "{\"dry_base\":0.5}", NULL),
        SORTES_OK);
    assert_true(p->dry_base == 3.0f);
    sortes_params_free(p);
}

static void server_coerces_and_clamps(void **state)
{
    (void)state;
    requests_check_shown("llama-server", coercion_rows,
                         SRT_COUNT(coercion_rows));
}

static void server_takes_the_first_name_that_is_not_null(void **state)
{
    static const struct shown_row rows[] = {
        { "{\"logprobs\":5,\"n_probs\":2}", "n_probs", "2" },
        { "{\"logprobs\":5,\"n_probs\":null}", "n_probs", "5" },
        { "{\"n_probs\":2,\"logprobs\":\"x\"}", "n_probs", "2" },
        /* of a key that stands twice, the last value */
        { "{\"top_k\":1,\"top_k\":2}", "top_k", "2" },
        { "{\"top_k\":\"x\",\"top_k\":2}", "top_k", "2" },
        { "{\"top_\\u006B\":7}", "top_k", "7" },
    };
    sortes_params *p = requests_fresh();

    (void)state;
    requests_check_shown("llama-server", rows, SRT_COUNT(rows));
    assert_int_equal(requests_read(p, "llama-server",
                                   "{\"top_k\":null,\"logit_bias\":null}",
                                   NULL),
                     SORTES_OK);
    assert_int_equal(
        requests_read(p, "llama-server", "{\"top_k\":3,\"top_k\":null}", NULL),
        SORTES_OK);
    assert_int_equal(p->top_k, 40);
    assert_int_equal(p->source[SRT_PARAM_top_k], SORTES_FROM_DEFAULT);
    sortes_params_free(p);
}

static void server_refuses_wrong_types_in_its_parsers_words(void **state)
{
    static const struct refused_row rows[] = {
#define WRONG(name, value, needed, got)                                        \
    { "{\"" name "\":" value "}", SORTES_E_SYNTAX,                             \
      "Field '" name "': [json.exception.type_error.302] type must be " needed \
      ", but is " got }
        WRONG("top_k", "\"x\"", "number", "string"),
        WRONG("top_p", "[]", "number", "array"),
        WRONG("min_p", "{}", "number", "object"),
        WRONG("temperature", "\"0.8\"", "number", "string"),
        WRONG("seed", "\"1\"", "number", "string"),
        WRONG("logprobs", "\"x\"", "number", "string"),
        WRONG("max_tokens", "\"x\"", "number", "string"),
        WRONG("t_max_predict_ms", "true", "number", "boolean"),
        WRONG("stream", "1", "boolean", "number"),
        WRONG("ignore_eos", "\"no\"", "boolean", "string"),
        WRONG("cache_prompt", "0", "boolean", "number"),
        WRONG("post_sampling_probs", "1", "boolean", "number"),
        WRONG("backend_sampling", "0", "boolean", "number"),
        { "{\"grammar_triggers\":\"x\"}", SORTES_E_SYNTAX,
          "Field 'grammar_triggers': must be a list of objects with 'type' (0 "
          "with 'token', 1 or 2) and 'value'" },
        { "{\"grammar_triggers\":[{\"type\":0,\"value\":\"x\"}]}",
          SORTES_E_SYNTAX,
          "Field 'grammar_triggers': must be a list of objects with 'type' (0 "
          "with 'token', 1 or 2) and 'value'" },
        { "{\"grammar_lazy\":true,\"grammar_triggers\":[]}", SORTES_E_SYNTAX,
          "Field 'grammar_triggers': Error: no triggers set for lazy "
          "grammar!" },
        WRONG("grammar_lazy", "1", "boolean", "number"),
        WRONG("mirostat", "\"0\"", "number", "string"),
        WRONG("dry_base", "\"x\"", "number", "string"),
        WRONG("reasoning_budget_start_tag", "1", "string", "number"),
        WRONG("reasoning_budget_end_tags", "1", "string", "number"),
        WRONG("reasoning_budget_end_tags", "[\"a\",null]", "string", "null"),
        WRONG("reasoning_budget_end_tag", "1", "string", "number"),
        WRONG("generation_prompt", "[]", "string", "array"),
        WRONG("stop", "[1]", "string", "number"),
        WRONG("stop", "[\"a\",[1]]", "string", "array"),
        WRONG("stop", "[{\"a\":1}]", "string", "object"),
        WRONG("stop", "[true]", "string", "boolean"),
        WRONG("samplers", "[1]", "string", "number"),
        WRONG("samplers", "[\"top_k\",null]", "string", "null"),
#undef WRONG
    };

    (void)state;
    requests_check_refused("llama-server", rows, SRT_COUNT(rows));
}

static void server_refuses_beyond_hard_limits_in_its_own_words(void **state)
{
    static const struct refused_row rows[] = {
#define HARD(name, value, lo, hi, got)                                         \
    { "{\"" name "\":" value "}", SORTES_E_RANGE,                              \
      "Field '" name "': Value must be between " lo " <= value <= " hi         \
      ", but got " got }
        HARD("repeat_last_n", "-1", "0", "2147483647", "-1"),
        HARD("repeat_last_n", "2147483648", "0", "2147483647", "-2147483648"),
        HARD("repeat_last_n", "1e10", "0", "2147483647", "-2147483648"),
        HARD("min_keep", "-1", "0", "2147483647", "-1"),
        HARD("n_predict", "-2", "-1", "2147483647", "-2"),
        HARD("max_tokens", "-2.5", "-1", "2147483647", "-2"),
        HARD("max_completion_tokens", "-3", "-1", "2147483647", "-3"),
        HARD("n_keep", "-2", "-1", "2147483647", "-2"),
        HARD("n_discard", "-1", "0", "2147483647", "-1"),
        HARD("n_indent", "-1", "0", "2147483647", "-1"),
        HARD("n_cache_reuse", "-1", "0", "2147483647", "-1"),
        HARD("sse_ping_interval", "-2", "-1", "2147483647", "-2"),
        HARD("t_max_predict_ms", "-2", "-1", "9223372036854775807", "-2"),
        HARD("dry_allowed_length", "-1", "0", "2147483647", "-1"),
        HARD("dry_penalty_last_n", "-1", "0", "2147483647", "-1"),
        HARD("reasoning_budget_tokens", "-2", "-1", "2147483647", "-2"),
        HARD("adaptive_decay", "1.5", "0.000000", "0.990000", "1.500000"),
        HARD("adaptive_decay", "-0.1", "0.000000", "0.990000", "-0.100000"),
#undef HARD
    };

    (void)state;
    requests_check_refused("llama-server", rows, SRT_COUNT(rows));
}

static void server_checks_what_it_builds_last(void **state)
{
#define BUILT                                                                  \
    "Failed to initialize samplers: penalty_repeat must be finite "            \
    "and greater than 0"
    static const struct refused_row rows[] = {
        { "{\"repeat_penalty\":0}", SORTES_E_RANGE, BUILT },
        { "{\"repeat_penalty\":-1.5}", SORTES_E_RANGE, BUILT },
        { "{\"repeat_penalty\":1e-40}", SORTES_E_RANGE, BUILT },
        { "{\"repeat_penalty\":1e-300}", SORTES_E_RANGE, BUILT },
        { "{\"repeat_penalty\":false}", SORTES_E_RANGE, BUILT },
        /* a later field's own error comes first */
        { "{\"repeat_penalty\":0,\"min_keep\":-1}", SORTES_E_RANGE,
          "Field 'min_keep': Value must be between 0 <= value <= 2147483647, "
          "but got -1" },
    };

    (void)state;
    requests_check_refused("llama-server", rows, SRT_COUNT(rows));
#undef BUILT
}

/* In the order of the schema, not of the request. */
static void server_evaluates_fields_in_its_own_order(void **state)
{
    static const struct refused_row rows[] = {
        { "{\"min_keep\":\"x\",\"top_k\":[]}", SORTES_E_SYNTAX,
          "Field 'top_k': [json.exception.type_error.302] type must be number, "
          "but is array" },
        { "{\"samplers\":[1],\"logit_bias\":{\"a\":1},\"stream\":0}",
          SORTES_E_SYNTAX,
          "Field 'stream': [json.exception.type_error.302] type must be "
          "boolean, but is number" },
    };

    (void)state;
    requests_check_refused("llama-server", rows, SRT_COUNT(rows));
}

static void server_reads_logit_bias(void **state)
{
    static const struct shown_row rows[] = {
#define BIAS(request, shown)                                                   \
    { "{\"logit_bias\":" request "}", "logit_bias", shown }
#define ONE(token, bias) "{\"bias\":" bias ",\"token\":" token "}"
        BIAS("[]", "[]"),
        BIAS("{}", "[]"),
        BIAS("5", "[]"),
        BIAS("true", "[]"),
        BIAS("\"12\"", "[]"),
        BIAS("[[12,1.5]]", "[" ONE("12", "1.5") "]"),
        BIAS(
            "[[12,1],[7,-2],[12,3]]",
            "[" ONE("12", "1.0") "," ONE("7", "-2.0") "," ONE("12", "3.0") "]"),
        BIAS("[[12,false],[13,true],[14,null],[15,\"x\"],[16,[1]]]",
             "[" ONE("12", "null") "]"),
        BIAS("[[12.0,1],[true,1],[null,1],[[1],1],[-1,1]]", "[]"),
        BIAS("[[1],[1,2,3],5,\"x\",{},null,[]]", "[]"),
        BIAS("[[4294967300,1]]", "[" ONE("4", "1.0") "]"),
        BIAS("[[18446744073709551616,1]]", "[]"),
        BIAS("[[5000000,1]]", "[" ONE("5000000", "1.0") "]"),
        BIAS("[[1,1e39]]", "[" ONE("1", "null") "]"),
        BIAS("[[1,0.1]]", "[" ONE("1", "0.10000000149011612") "]"),
        BIAS("{\"12\":1.5,\"7\":false,\"8\":true,\"9\":null,\"10\":\"x\"}",
             "[" ONE("12", "1.5") "," ONE("7", "null") "]"),
        BIAS("{\"\":2}", "[" ONE("0", "2.0") "]"),
        BIAS("{\" 7\":1,\"+8\":2,\"009\":3,\"\\t\\n6\":4}",
             "[" ONE("7", "1.0") "," ONE("8", "2.0") "," ONE(
                 "9", "3.0") "," ONE("6", "4.0") "]"),
        BIAS("{\"-1\":1,\"4294967297\":2,\"99999999999999999999\":3}",
             "[" ONE("1", "2.0") "]"),
        BIAS("{\"12\\u0000x\":1}", "[" ONE("12", "1.0") "]"),
        /* words whose bias is none are not asked about */
        BIAS("{\"word\":true,\"other\":\"x\"}", "[]"),
        BIAS("[[\"word\",true],[\"word\"]]", "[]"),
        /* the last value of a key, at its first place */
        BIAS("{\"1\":1,\"2\":2,\"1\":3,\"01\":4,\"1\":5}",
             "[" ONE("1", "5.0") "," ONE("2", "2.0") "," ONE("1", "4.0") "]"),
        BIAS("{\"1\":1,\"2\":2,\"1\":true}", "[" ONE("2", "2.0") "]"),
#undef BIAS
#undef ONE
    };

    (void)state;
    requests_check_shown("llama-server", rows, SRT_COUNT(rows));
}

static void server_replaces_the_biases_that_were_there(void **state)
{
    sortes_params *p = requests_fresh();

    (void)state;
    assert_int_equal(
        requests_read(p, "llama-server", "{\"logit_bias\":[[3,false]]}", NULL),
        SORTES_OK);
    assert_true(p->logit_bias.items[0].value == -HUGE_VALF);
    assert_int_equal(
        requests_read(p, "llama-server", "{\"logit_bias\":{\"4\":1}}", NULL),
        SORTES_OK);
    assert_int_equal(p->logit_bias.n, 1);
    assert_int_equal(p->logit_bias.items[0].token, 4);
    assert_int_equal(requests_read(p, "llama-server", "{\"top_k\":1}", NULL),
                     SORTES_OK);
    assert_int_equal(p->logit_bias.n, 1);
    sortes_params_free(p);
}

static void server_refuses_words_in_logit_bias(void **state)
{
#define WORD(word)                                                             \
    "Field 'logit_bias': the key '" word "' is a word, and no tokenizer is "   \
    "known here (allowed: token ids)"
    static const struct refused_row rows[] = {
        { "{\"logit_bias\":{\"hello\":1}}", SORTES_E_NAME, WORD("hello") },
        { "{\"logit_bias\":[[\"hi\",false]]}", SORTES_E_NAME, WORD("hi") },
        { "{\"logit_bias\":[[\"12\",1]]}", SORTES_E_NAME, WORD("12") },
        { "{\"logit_bias\":{\"12\":1,\"13 \":2}}", SORTES_E_NAME, WORD("13 ") },
        { "{\"logit_bias\":{\" \":1}}", SORTES_E_NAME, WORD(" ") },
        { "{\"logit_bias\":{\"0x1\":1}}", SORTES_E_NAME, WORD("0x1") },
        { "{\"logit_bias\":{\"1.5\":1}}", SORTES_E_NAME, WORD("1.5") },
        { "{\"logit_bias\":{\"a\\nb\":1}}", SORTES_E_NAME, WORD("a?b") },
    };

    (void)state;
    requests_check_refused("llama-server", rows, SRT_COUNT(rows));
#undef WORD
}

/* Keys without end must not take time without end. */
static void server_reads_a_bias_for_every_token(void **state)
{
    enum { N = 150000 };
    sortes_params *p = requests_fresh();
    char *text = malloc(N * 12 + 32);
    size_t n;

    (void)state;
    assert_non_null(text);
    n = (size_t)sprintf(text, "{\"logit_bias\":{");
    for (int i = 0; i < N; i++)
        n += (size_t)sprintf(text + n, "%s\"%d\":%d", i > 0 ? "," : "",
                             N - 1 - i, i % 10);
    n += (size_t)sprintf(text + n, "}}");
    assert_int_equal(sortes_params_read(p, "llama-server", text, n, NULL),
                     SORTES_OK);
    assert_int_equal(p->logit_bias.n, N);
    for (int i = 0; i < N; i++) {
        assert_int_equal(p->logit_bias.items[i].token, N - 1 - i);
        assert_true(p->logit_bias.items[i].value == (float)(i % 10));
    }
    free(text);
    sortes_params_free(p);
}

static void server_passes_over_what_changes_no_token(void **state)
{
    static const char *const rows[] = {
        "{}",
        "{\"prompt\":\"Once\",\"n_predict\":16,\"stream\":true}",
        "{\"prompt\":[1,2,\"x\"],\"max_tokens\":0,\"cache_prompt\":false}",
        "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],\"model\":"
        "\"m\"}",
        "{\"stop\":[\"a\",\"\",null,[],{}],\"return_tokens\":true}",
        "{\"stop\":\"x\"}",
        "{\"stop\":5}",
        "{\"stream_options\":{\"include_usage\":true},\"id_slot\":-1}",
        "{\"preserved_tokens\":[\"x\"]}",
        "{\"reasoning_format\":\"none\",\"chat_format\":0,"
        "\"parse_tool_calls\":false}",
        "{\"reasoning_budget_message\":\"m\"}",
        "{\"no_repeat_ngram_size\":0,\"dry_base\":0.5}",
        "{\"penalize_nl\":true}",
        "{\"penalize_nl\":null}",
        "{\"speculative.n_max\":16,\"lora\":[{\"id\":0,\"scale\":0.5}]}",
        "{\"response_fields\":[\"content\"],\"timings_per_token\":true}",
    };
    sortes_params *p = requests_fresh(), before = *p;
    sortes_error err;

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        if (requests_read(p, "llama-server", rows[i], &err) != SORTES_OK)
            fail_msg("%s: %s", rows[i], err.text);
        assert_memory_equal(p, &before, sizeof(before));
    }
    sortes_params_free(p);
}

static void server_lets_neutral_values_of_what_is_missing_in(void **state)
{
    static const char *const rows[] = {
        "{\"backend_sampling\":false}",
        "{\"ignore_eos\":false}",
        "{\"grammar\":\"\"}",
        "{\"grammar\":5}",
        "{\"grammar\":null,\"json_schema\":null}",
        "{\"grammar\":null,\"json_schema\":{\"type\":\"object\"}}",
        "{\"grammar\":\"\",\"json_schema\":{}}",
        "{\"samplers\":5}",
        "{\"response_format\":{\"type\":\"text\"}}",
        "{\"response_format\":{}}",
        "{\"tools\":[],\"tool_choice\":\"auto\"}",
        "{\"thinking_budget_tokens\":-1}",
    };
    sortes_params *p = requests_fresh(), before = *p;
    sortes_error err;

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        if (requests_read(p, "llama-server", rows[i], &err) != SORTES_OK)
            fail_msg("%s: %s", rows[i], err.text);
        assert_memory_equal(p, &before, sizeof(before));
    }
    sortes_params_free(p);
}

static void server_refuses_what_is_missing_by_name(void **state)
{
#define MISSING(request, name, got, allowed)                                   \
    {                                                                          \
        request, SORTES_E_RANGE,                                               \
            "Field '" name                                                     \
            "': not supported by this version of sortes (got " got             \
            ", allowed " allowed ")"                                           \
    }
    static const struct refused_row rows[] = {
        MISSING("{\"backend_sampling\":true}", "backend_sampling", "true",
                "false"),
        { "{\"ignore_eos\":true}", SORTES_E_RANGE,
          "Field 'ignore_eos': no vocab is known here, and so no end tokens "
          "(allowed: false; logit_bias with false for each end token does "
          "it)" },
        MISSING("{\"no_repeat_ngram_size\":3}", "no_repeat_ngram_size", "3",
                "0; dry_multiplier and repeat_penalty hold repetition back"),
        MISSING("{\"penalize_nl\":false}", "penalize_nl", "false",
                "true; llama.cpp penalizes a newline like any other token"),
        MISSING("{\"thinking_budget_tokens\":10}", "thinking_budget_tokens",
                "10", "-1; reasoning_budget_tokens has it"),
        MISSING("{\"json_schema\":{\"type\":\"object\"}}", "json_schema",
                "{\"type\":\"object\"}", "none"),
        MISSING("{\"response_format\":{\"type\":\"json_object\"}}",
                "response_format", "{\"type\":\"json_object\"}", "text"),
        MISSING("{\"tools\":[{}]}", "tools", "[{}]", "[]"),
    };

    (void)state;
    requests_check_refused("llama-server", rows, SRT_COUNT(rows));
#undef MISSING
}

static void server_shortens_what_it_shows(void **state)
{
    char text[400] = "{\"json_schema\":\"", shown[400];
    sortes_params *p = requests_fresh();
    sortes_error err;

    (void)state;
    memset(text + strlen(text), 'x', 200);
    memcpy(text + 216, "\"}", 3);
    assert_int_equal(requests_read(p, "llama-server", text, &err),
                     SORTES_E_RANGE);
    memset(shown, 'x', sizeof(shown));
    shown[79] = '\0';
    assert_non_null(strstr(err.text, shown));
    assert_non_null(strstr(err.text, "x..., allowed none)"));
    sortes_params_free(p);
}

static void server_refuses_bad_breakers_in_its_own_words(void **state)
{
#define BREAKERS                                                               \
    "Field 'dry_sequence_breakers': Error: dry_sequence_breakers must be a "   \
    "non-empty array of strings"
    static const struct refused_row rows[] = {
        { "{\"dry_sequence_breakers\":[]}", SORTES_E_SYNTAX, BREAKERS },
        { "{\"dry_sequence_breakers\":\"x\"}", SORTES_E_SYNTAX, BREAKERS },
        { "{\"dry_sequence_breakers\":[\"x\",1]}", SORTES_E_SYNTAX, BREAKERS },
        { "{\"dry_sequence_breakers\":5}", SORTES_E_SYNTAX, BREAKERS },
    };

    (void)state;
    requests_check_refused("llama-server", rows, SRT_COUNT(rows));
#undef BREAKERS
}

static void server_refuses_unknown_fields_with_the_nearest(void **state)
{
    static const struct refused_row rows[] = {
        { "{\"minp\":0.1}", SORTES_E_NAME,
          "field 'minp' is unknown; did you mean 'min_p'?" },
        { "{\"temp\":0.1}", SORTES_E_NAME,
          "field 'temp' is unknown; did you mean 'temperature'?" },
        { "{\"repetition_penalty\":1}", SORTES_E_NAME,
          "field 'repetition_penalty' is unknown; did you mean "
          "'repeat_penalty'?" },
        { "{\"max_token\":1}", SORTES_E_NAME,
          "field 'max_token' is unknown; did you mean 'max_tokens'?" },
        { "{\"top_k\":\"x\",\"Top_K\":null}", SORTES_E_NAME,
          "field 'Top_K' is unknown; did you mean 'top_k'?" },
        { "{\"banana\":1}", SORTES_E_NAME, "field 'banana' is unknown" },
        { "{\"\":1}", SORTES_E_NAME, "field '' is unknown" },
        { "{\"top_k\\u0000\":1}", SORTES_E_NAME,
          "field 'top_k' is unknown; did you mean 'top_k'?" },
    };

    (void)state;
    requests_check_refused("llama-server", rows, SRT_COUNT(rows));
}

static void server_refuses_what_is_no_request(void **state)
{
    static const struct refused_row rows[] = {
        { "", SORTES_E_SYNTAX, "json: byte 0: expected a value (got the end)" },
        { "{\"top_k\":}", SORTES_E_SYNTAX,
          "json: byte 9: expected a value (got '}')" },
        { "[1]", SORTES_E_SYNTAX,
          "request: wrong type (got array, needed object)" },
        { "null", SORTES_E_SYNTAX,
          "request: wrong type (got null, needed object)" },
        { "{\"prompt\":[1,{\"a\":[2,1e999]},3]}", SORTES_E_SYNTAX,
          "json: byte 21: number too large (got 1e999)" },
    };

    (void)state;
    requests_check_refused("llama-server", rows, SRT_COUNT(rows));
}

static void server_says_where(void **state)
{
    static const struct {
        const char *request;
        size_t offset;
    } rows[] = {
        { "{\"top_k\": \"x\"}", 10 },
        { "{\"a\":1}", 1 },
        { "{\"stop\":[\"a\", 1]}", 14 },
        { "{\"logit_bias\":{\"7\":1,\"x\":2}}", 21 },
        { "{\"ignore_eos\":true}", 14 },
    };
    sortes_params *p = requests_fresh();
    sortes_error err;

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        assert_int_not_equal(
            requests_read(p, "llama-server", rows[i].request, &err), SORTES_OK);
        assert_int_equal(err.offset, rows[i].offset);
    }
    sortes_params_free(p);
}

static void server_keeps_what_the_request_does_not_name(void **state)
{
    sortes_params *p = requests_fresh();

    (void)state;
    assert_int_equal(sortes_params_set_number(p, "min_p", 0.25, NULL),
                     SORTES_OK);
    assert_int_equal(
        requests_read(p, "llama-server", "{\"top_p\":0.5,\"top_k\":5}", NULL),
        SORTES_OK);
    assert_true(p->min_p == 0.25f);
    assert_int_equal(p->source[SRT_PARAM_min_p], SORTES_FROM_CALL);
    assert_true(p->top_p == 0.5f);
    assert_int_equal(p->top_k, 5);
    /* later calls win, whatever they are */
    assert_int_equal(requests_read(p, "llama-server", "{\"min_p\":0.5}", NULL),
                     SORTES_OK);
    assert_true(p->min_p == 0.5f);
    assert_int_equal(p->source[SRT_PARAM_min_p], SORTES_FROM_REQUEST);
    sortes_params_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(server_coerces_and_clamps),
        cmocka_unit_test(server_reads_reasoning_tags),
        cmocka_unit_test(server_keeps_a_dry_base_below_1_out),
        cmocka_unit_test(server_takes_the_first_name_that_is_not_null),
        cmocka_unit_test(server_refuses_wrong_types_in_its_parsers_words),
        cmocka_unit_test(server_refuses_beyond_hard_limits_in_its_own_words),
        cmocka_unit_test(server_checks_what_it_builds_last),
        cmocka_unit_test(server_evaluates_fields_in_its_own_order),
        cmocka_unit_test(server_reads_logit_bias),
        cmocka_unit_test(server_replaces_the_biases_that_were_there),
        cmocka_unit_test(server_refuses_words_in_logit_bias),
        cmocka_unit_test(server_reads_a_bias_for_every_token),
        cmocka_unit_test(server_passes_over_what_changes_no_token),
        cmocka_unit_test(server_lets_neutral_values_of_what_is_missing_in),
        cmocka_unit_test(server_refuses_what_is_missing_by_name),
        cmocka_unit_test(server_shortens_what_it_shows),
        cmocka_unit_test(server_refuses_bad_breakers_in_its_own_words),
        cmocka_unit_test(server_refuses_unknown_fields_with_the_nearest),
        cmocka_unit_test(server_refuses_what_is_no_request),
        cmocka_unit_test(server_says_where),
        cmocka_unit_test(server_keeps_what_the_request_does_not_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

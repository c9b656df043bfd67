/*
 * test_read_ollama.c - Ollama's requests and options: its types, its
 * defaults, llama-server's limits
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

static void ollama_coerces_as_go_and_llama_server_do(void **state)
{
    static const struct shown_row rows[] = {
        { "{\"temperature\":0.1}", "temperature", "0.10000000149011612" },
        { "{\"temperature\":0}", "temperature", "0.0" },
        { "{\"temperature\":-1}", "temperature", "0.0" },
        { "{\"temperature\":2}", "temperature", "2.0" },
        { "{\"top_k\":7.9}", "top_k", "7" },
        { "{\"top_k\":-7.9}", "top_k", "0" },
        { "{\"top_k\":4294967297}", "top_k", "1" },
        { "{\"top_k\":1e300}", "top_k", "0" },
        { "{\"top_p\":1.5}", "top_p", "1.0" },
        { "{\"min_p\":0.5}", "min_p", "0.5" },
        { "{\"typical_p\":0.5}", "typical_p", "0.5" },
        { "{\"typical_p\":0}", "typical_p", "1.0" },
        { "{\"repeat_last_n\":0}", "repeat_last_n", "0" },
        { "{\"seed\":0}", "seed", "0" },
        { "{\"seed\":-1}", "seed", "4294967295" },
        { "{\"seed\":42.9}", "seed", "42" },
        { "{\"seed\":9007199254740993}", "seed", "0" },
        { "{\"top_k\":1,\"top_k\":2}", "top_k", "2" },
        { "{\"presence_penalty\":1.5}", "presence_penalty", "1.5" },
        { "{\"frequency_penalty\":-2}", "frequency_penalty", "-2.0" },
        { "{\"repeat_penalty\":1.1}", "repeat_penalty", "1.100000023841858" },
        { "{\"model\":\"m\",\"prompt\":\"x\",\"stream\":false,\"options\":"
          "{\"top_k\":3,\"num_ctx\":4096,\"stop\":[\"a\"]}}",
          "top_k", "3" },
        { "{\"messages\":[],\"tools\":[],\"format\":\"\",\"think\":\"low\","
          "\"options\":{\"min_p\":1}}",
          "min_p", "1.0" },
        { "{\"model\":\"m\",\"logprobs\":true}", "n_probs", "1" },
        { "{\"model\":\"m\",\"logprobs\":true,\"top_logprobs\":5}", "n_probs",
          "5" },
        { "{\"model\":\"m\",\"logprobs\":true,\"top_logprobs\":0}", "n_probs",
          "1" },
    };

    (void)state;
    requests_check_shown("ollama", rows, SRT_COUNT(rows));
}

static void ollama_passes_over_what_changes_no_token(void **state)
{
    static const char *const rows[] = {
        "{\"num_keep\":4,\"num_predict\":-2,\"num_batch\":1,\"num_gpu\":-1}",
        "{\"main_gpu\":0,\"use_mmap\":true,\"num_thread\":8}",
        "{\"draft_num_predict\":4,\"stop\":[]}",
        "{\"low_vram\":true,\"f16_kv\":\"x\",\"use_mlock\":1}",
        "{\"model\":\"m\",\"top_logprobs\":5}",
        "{\"model\":\"m\",\"logprobs\":false,\"keep_alive\":-1,\"raw\":true}",
    };
    sortes_error err;

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        sortes_params *p = requests_fresh();

        if (requests_read(p, "ollama", rows[i], &err) != SORTES_OK)
            fail_msg("%s: %s", rows[i], err.text);
        for (size_t k = 0; k < SRT_N_PARAMS; k++)
            assert_int_equal(p->source[k], SORTES_FROM_DEFAULT);
        sortes_params_free(p);
    }
}

static const struct refused_row refused_rows[] = {
    { "{\"penalize_newline\":true}", SORTES_E_NAME,
      "option 'penalize_newline': Ollama has no such option" },
    { "{\"top_k\":\"x\"}", SORTES_E_SYNTAX,
      "option \"top_k\" must be of type integer" },
    { "{\"top_k\":true}", SORTES_E_SYNTAX,
      "option \"top_k\" must be of type integer" },
    { "{\"num_ctx\":\"4096\"}", SORTES_E_SYNTAX,
      "option \"num_ctx\" must be of type integer" },
    { "{\"temperature\":\"0.5\"}", SORTES_E_SYNTAX,
      "option \"temperature\" must be of type float32" },
    { "{\"use_mmap\":1}", SORTES_E_SYNTAX,
      "option \"use_mmap\" must be of type boolean" },
    { "{\"stop\":\"a\"}", SORTES_E_SYNTAX,
      "option \"stop\" must be of type array" },
    { "{\"stop\":[1]}", SORTES_E_SYNTAX,
      "option \"stop\" must be of an array of strings" },
    { "{\"temperature\":1e39}", SORTES_E_RANGE,
      "failed to marshal completion request: json: unsupported value: "
      "+Inf" },
    { "{\"repeat_last_n\":-1}", SORTES_E_RANGE,
      "Field 'repeat_last_n': Value must be between 0 <= value <= "
      "2147483647, but got -1" },
    { "{\"num_keep\":-2}", SORTES_E_RANGE,
      "Field 'n_keep': Value must be between -1 <= value <= 2147483647, "
      "but got -2" },
    { "{\"repeat_penalty\":0}", SORTES_E_RANGE,
      "Failed to initialize samplers: penalty_repeat must be finite and "
      "greater than 0" },
    { "{\"dry_multiplier\":0.8}", SORTES_E_NAME,
      "option 'dry_multiplier': Ollama has no such option" },
    { "{\"xtc_probability\":0.5}", SORTES_E_NAME,
      "option 'xtc_probability': Ollama has no such option" },
    { "{\"top_n_sigma\":1}", SORTES_E_NAME,
      "option 'top_n_sigma': Ollama has no such option" },
    { "{\"dynatemp_range\":1}", SORTES_E_NAME,
      "option 'dynatemp_range': Ollama has no such option" },
    { "{\"model\":\"m\",\"options\":{\"mirostat\":2}}", SORTES_E_NAME,
      "option 'mirostat': Ollama has no such option" },
    { "{\"tfs_z\":1}", SORTES_E_NAME,
      "option 'tfs_z': Ollama has no such option" },
    { "{\"topk\":1}", SORTES_E_NAME,
      "option 'topk' is unknown; did you mean 'top_k'?" },
    { "{\"model\":\"m\",\"temperature\":1}", SORTES_E_NAME,
      "field 'temperature': belongs inside \"options\"" },
    { "{\"model\":\"m\",\"promt\":1}", SORTES_E_NAME,
      "field 'promt' is unknown; did you mean 'prompt'?" },
    { "{\"model\":\"m\",\"options\":[]}", SORTES_E_SYNTAX,
      "options: wrong type (got array, needed object)" },
    { "{\"model\":\"m\",\"format\":\"json\"}", SORTES_E_RANGE,
      "field 'format': not supported by this version of sortes (allowed "
      "null)" },
    { "{\"messages\":[],\"tools\":[{}]}", SORTES_E_RANGE,
      "field 'tools': not supported by this version of sortes (allowed "
      "[])" },
    { "{\"model\":\"m\",\"top_logprobs\":21}", SORTES_E_RANGE,
      "top_logprobs must be between 0 and 20" },
    { "{\"model\":\"m\",\"logprobs\":1}", SORTES_E_SYNTAX,
      "field 'logprobs': wrong type (got number, needed boolean)" },
    { "[]", SORTES_E_SYNTAX, "request: wrong type (got array, needed object)" },
    { "{\"top_k\":1e999}", SORTES_E_SYNTAX,
      "json: byte 9: number too large (got 1e999)" },
};

static void ollama_refuses_in_its_words_and_llama_servers(void **state)
{
    (void)state;
    requests_check_refused("ollama", refused_rows, SRT_COUNT(refused_rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ollama_coerces_as_go_and_llama_server_do),
        cmocka_unit_test(ollama_passes_over_what_changes_no_token),
        cmocka_unit_test(ollama_refuses_in_its_words_and_llama_servers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

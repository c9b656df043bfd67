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

#include <math.h>
#include <string.h>

static sortes_params *fresh(void)
{
    sortes_params *p;

    assert_int_equal(sortes_params_new(&p, "llama.cpp", NULL), SORTES_OK);
    return p;
}

static sortes_status read_text(sortes_params *p, const char *format,
                               const char *text, sortes_error *err)
{
    return sortes_params_read(p, format, text, strlen(text), err);
}

static void ollama_starts_from_its_own_defaults(void **state)
{
    static const char *const rows[] = { "{}", "{\"model\":\"m\"}",
                                        "{\"options\":null}",
                                        "{\"options\":{\"top_p\":null}}" };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        sortes_params *p = fresh();

        p->min_p = 0.5f; /* as a GGUF might: Ollama sends its 0 over it */
        p->source[SRT_PARAM_min_p] = SORTES_FROM_GGUF;
        p->xtc_probability = 0.5f; /* Ollama sends nothing for this */
        assert_int_equal(read_text(p, "ollama", rows[i], NULL), SORTES_OK);
        assert_true(p->top_p == 0.9f && p->min_p == 0.0f);
        assert_true(p->temperature == 0.8f && p->repeat_penalty == 1.0f);
        assert_int_equal(p->top_k, 40);
        assert_int_equal(p->repeat_last_n, 64);
        assert_int_equal(p->seed, UINT32_MAX);
        assert_true(p->xtc_probability == 0.5f);
        assert_int_equal(p->source[SRT_PARAM_top_p], SORTES_FROM_DEFAULT);
        assert_int_equal(p->source[SRT_PARAM_min_p], SORTES_FROM_DEFAULT);
        sortes_params_free(p);
    }
}

static void ollama_coerces_as_go_and_llama_server_do(void **state)
{
    static const struct {
        const char *request, *name, *shown;
    } rows[] = {
        { "{\"temperature\":0.1}", "temperature", "0.10000000149011612" },
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
    char text[64];
    sortes_error err;

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        sortes_params *p = fresh();
        sortes_source source;

        if (read_text(p, "ollama", rows[i].request, &err) != SORTES_OK)
            fail_msg("%s: %s", rows[i].request, err.text);
        assert_int_equal(sortes_params_get(p, rows[i].name, text, sizeof(text),
                                           NULL, &source),
                         SORTES_OK);
        if (strcmp(text, rows[i].shown) != 0)
            fail_msg("%s: %s", rows[i].request, text);
        assert_int_equal(source, SORTES_FROM_REQUEST);
        sortes_params_free(p);
    }
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
        sortes_params *p = fresh();

        if (read_text(p, "ollama", rows[i], &err) != SORTES_OK)
            fail_msg("%s: %s", rows[i], err.text);
        for (size_t k = 0; k < SRT_N_PARAMS; k++)
            assert_int_equal(p->source[k], SORTES_FROM_DEFAULT);
        sortes_params_free(p);
    }
}

struct refused_row {
    const char *text;
    sortes_status status;
    const char *problem;
};

static void check_refused(const char *format, const struct refused_row *rows,
                          size_t n)
{
    sortes_params *p = fresh(), before = *p;
    sortes_error err;

    for (size_t i = 0; i < n; i++) {
        if (read_text(p, format, rows[i].text, &err) != rows[i].status ||
            strcmp(err.text, rows[i].problem) != 0)
            fail_msg("%s: %s: %s", rows[i].text, sortes_status_name(err.status),
                     err.text);
        assert_memory_equal(p, &before, sizeof(before));
    }
    sortes_params_free(p);
}

static void ollama_refuses_in_its_words_and_llama_servers(void **state)
{
    static const struct refused_row rows[] = {
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
        { "[]", SORTES_E_SYNTAX,
          "request: wrong type (got array, needed object)" },
        { "{\"top_k\":1e999}", SORTES_E_SYNTAX,
          "json: byte 9: number too large (got 1e999)" },
    };

    (void)state;
    check_refused("ollama", rows, SRT_COUNT(rows));
}

static const char modelfile[] = "\xEF\xBB\xBF# a comment\r\n"
                                "FROM ./model.gguf\r\n"
                                "\n"
                                "parameter temperature 0.5\n"
                                "Parameter\ttop_k\t  9  \n"
                                "PARAMETER stop \"<|end|>\"\n"
                                "PARAMETER stop \"\"\"a\n"
                                "PARAMETER top_k 1\n"
                                "\"\"\"\n"
                                "PARAMETER min_p \"0.25\"\n"
                                "PARAMETER seed 1\n"
                                "PARAMETER seed -1\n"
                                "PARAMETER use_mmap true\n"
                                "PARAMETER low_vram anything\n"
                                "TEMPLATE \"\"\"{{ .Prompt }} # no comment\n"
                                "PARAMETER top_p 0.1\"\"\"\n"
                                "SYSTEM You are \"quoted\" inside\n"
                                "MESSAGE user PARAMETER top_p 0.2\n"
                                "LICENSE \"\n"
                                "\"\n"
                                "PARAMETER repeat_penalty 1.1";

static void modelfile_gives_its_parameters(void **state)
{
    sortes_params *p = fresh();
    sortes_error err;

    (void)state;
    if (read_text(p, "modelfile", modelfile, &err) != SORTES_OK)
        fail_msg("%s", err.text);
    assert_true(p->temperature == 0.5f && p->min_p == 0.25f);
    assert_true(p->repeat_penalty == 1.1f);
    assert_true(p->top_p == 0.9f);
    assert_int_equal(p->top_k, 9);
    assert_int_equal(p->seed, UINT32_MAX);
    assert_int_equal(p->source[SRT_PARAM_top_k], SORTES_FROM_REQUEST);
    assert_int_equal(p->source[SRT_PARAM_top_p], SORTES_FROM_DEFAULT);
    /* a request lies over it, and Ollama's defaults under it */
    assert_int_equal(read_text(p, "ollama", "{\"top_k\":3}", NULL), SORTES_OK);
    assert_int_equal(p->top_k, 3);
    assert_true(p->temperature == 0.5f);
    sortes_params_free(p);
}

static void modelfile_is_refused_in_ollamas_words(void **state)
{
#define COMMAND(line)                                                          \
    "(line " line "): command must be one of \"from\", \"license\", "          \
    "\"template\", \"system\", \"adapter\", \"draft\", \"renderer\", "         \
    "\"parser\", \"parameter\", \"message\", or \"requires\""
    static const struct refused_row rows[] = {
        { "", SORTES_E_SYNTAX, "no FROM line" },
        { "PARAMETER top_k 1", SORTES_E_SYNTAX, "no FROM line" },
        { "FROM x\nPARAM top_k 1", SORTES_E_SYNTAX, COMMAND("2") },
        { "FROM x\n\n{", SORTES_E_SYNTAX, COMMAND("3") },
        { "FROM\n", SORTES_E_SYNTAX, COMMAND("2") },
        { "FROM", SORTES_E_SYNTAX, "unexpected EOF: FROM" },
        { "FROM \"x", SORTES_E_SYNTAX, "unexpected EOF: \"x" },
        { "FROM x\nPARAMETER top-k 1", SORTES_E_SYNTAX, "unexpected EOF: top" },
        { "FROM x\nPARAMETER  top_k 1", SORTES_E_NAME, "unknown parameter ''" },
        { "FROM x\nPARAMETER topk 1", SORTES_E_NAME,
          "unknown parameter 'topk'" },
        { "FROM x\nPARAMETER Top_k 1", SORTES_E_NAME,
          "unknown parameter 'Top_k'" },
        { "FROM x\nPARAMETER mirostat 1", SORTES_E_NAME,
          "option 'mirostat': Ollama has no such option" },
        { "FROM x\nPARAMETER dry_base 1", SORTES_E_NAME,
          "option 'dry_base': Ollama has no such option" },
        { "FROM x\nPARAMETER top_k 1.5", SORTES_E_SYNTAX,
          "invalid int value [1.5]" },
        { "FROM x\nPARAMETER top_k \n", SORTES_E_SYNTAX,
          "invalid int value []" },
        { "FROM x\nPARAMETER seed 9223372036854775808", SORTES_E_SYNTAX,
          "invalid int value [9223372036854775808]" },
        { "FROM x\nPARAMETER temperature warm", SORTES_E_SYNTAX,
          "invalid float value [warm]" },
        { "FROM x\nPARAMETER temperature 1e39", SORTES_E_SYNTAX,
          "invalid float value [1e39]" },
        { "FROM x\nPARAMETER temperature inf", SORTES_E_SYNTAX,
          "invalid float value [inf]" },
        { "FROM x\nPARAMETER use_mmap yes", SORTES_E_SYNTAX,
          "invalid bool value [yes]" },
        { "FROM x\nMESSAGE robot hi", SORTES_E_SYNTAX,
          "(line 2): message role must be one of \"system\", \"user\", or "
          "\"assistant\"" },
        { "FROM x\nPARAMETER repeat_last_n -1", SORTES_E_RANGE,
          "Field 'repeat_last_n': Value must be between 0 <= value <= "
          "2147483647, but got -1" },
    };

    (void)state;
    check_refused("modelfile", rows, SRT_COUNT(rows));
#undef COMMAND
}

/* Borders of int64, and the way over a double. */
static void modelfile_integers_have_64_bits(void **state)
{
    static const struct {
        const char *text;
        uint32_t seed;
    } rows[] = {
        { "FROM x\nPARAMETER seed 9223372036854775807", 0 },
        { "FROM x\nPARAMETER seed -9223372036854775808", 0 },
        { "FROM x\nPARAMETER seed +7", 7 },
        { "FROM x\nPARAMETER seed 007", 7 },
        { "FROM x\nPARAMETER seed -2", 4294967294u },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++) {
        sortes_params *p = fresh();
        sortes_error err;

        if (read_text(p, "modelfile", rows[i].text, &err) != SORTES_OK)
            fail_msg("%s: %s", rows[i].text, err.text);
        assert_int_equal(p->seed, rows[i].seed);
        sortes_params_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ollama_starts_from_its_own_defaults),
        cmocka_unit_test(ollama_coerces_as_go_and_llama_server_do),
        cmocka_unit_test(ollama_passes_over_what_changes_no_token),
        cmocka_unit_test(ollama_refuses_in_its_words_and_llama_servers),
        cmocka_unit_test(modelfile_gives_its_parameters),
        cmocka_unit_test(modelfile_is_refused_in_ollamas_words),
        cmocka_unit_test(modelfile_integers_have_64_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

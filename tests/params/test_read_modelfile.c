/*
 * test_read_modelfile.c - the PARAMETER lines of a Modelfile
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

#include <math.h>
#include <string.h>

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
    sortes_params *p = requests_fresh();
    sortes_error err;

    (void)state;
    if (requests_read(p, "modelfile", modelfile, &err) != SORTES_OK)
        fail_msg("%s", err.text);
    assert_true(p->temperature == 0.5f && p->min_p == 0.25f);
    assert_true(p->repeat_penalty == 1.1f);
    assert_true(p->top_p == 0.9f);
    assert_int_equal(p->top_k, 9);
    assert_int_equal(p->seed, UINT32_MAX);
    assert_int_equal(p->source[SRT_PARAM_top_k], SORTES_FROM_REQUEST);
    assert_int_equal(p->source[SRT_PARAM_top_p], SORTES_FROM_DEFAULT);
    /* a request lies over it, and Ollama's defaults under it */
    assert_int_equal(requests_read(p, "ollama", "{\"top_k\":3}", NULL),
                     SORTES_OK);
    assert_int_equal(p->top_k, 3);
    assert_true(p->temperature == 0.5f);
    assert_int_equal(
        requests_read(p, "modelfile", "FROM x\nPARAMETER temperature 0", NULL),
        SORTES_OK);
    assert_true(p->temperature == 0.0f);
    assert_int_equal(p->source[SRT_PARAM_temperature], SORTES_FROM_REQUEST);
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
    requests_check_refused("modelfile", rows, SRT_COUNT(rows));
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
        sortes_params *p = requests_fresh();
        sortes_error err;

        if (requests_read(p, "modelfile", rows[i].text, &err) != SORTES_OK)
            fail_msg("%s: %s", rows[i].text, err.text);
        assert_int_equal(p->seed, rows[i].seed);
        sortes_params_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modelfile_gives_its_parameters),
        cmocka_unit_test(modelfile_is_refused_in_ollamas_words),
        cmocka_unit_test(modelfile_integers_have_64_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

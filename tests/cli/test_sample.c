/*
 * test_sample.c - tests of cli/sample.c, from outside
 *
 * The rows of examples/rows and the tokens recorded with them show that the
 * command draws what the engine drew.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/npy_make.h"
#include "support/run_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#define RECORDED SORTES_ROOT "/examples/rows/smollm2"

static struct run r;

static int clear(void **state)
{
    (void)state;
    memset(&r, 0, sizeof(r));
    return 0;
}

/* The file as standard input. */
static void give(const struct npy_file *file)
{
    r.in = file->bytes;
    r.n_in = file->n;
}

static void make_rows(struct npy_file *file, const char *shape, const float *x,
                      size_t n)
{
    npy_begin_array(file, "<f4", shape);
    npy_put(file, x, n * sizeof(*x));
}

/* Gives one row and expects exit code and message, and no line. */
static void check_row(const float *x, size_t n, int code, const char *words)
{
    struct npy_file file;
    char shape[32];

    snprintf(shape, sizeof(shape), "(%zu,)", n);
    make_rows(&file, shape, x, n);
    give(&file);
    RUN(&r, "sample", "--seed", "1", "-");
    run_check(&r, code, words);
    if (code != 0)
        assert_string_equal(r.out, "");
}

static size_t count_lines(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

/* What stands behind the line's first word in the recording. */
static void recorded(const char *word, char *out, size_t size)
{
    char line[4096];
    FILE *file = fopen(RECORDED ".rows", "r");
    const size_t n = strlen(word);

    assert_non_null(file);
    out[0] = '\0';
    while (fgets(line, sizeof(line), file))
        if (strncmp(line, word, n) == 0 && line[n] == ' ')
            snprintf(out, size, "%s", line + n + 1);
    fclose(file);
    out[strcspn(out, "\n")] = '\0';
    assert_true(out[0] != '\0');
}

static void sample_draws_the_recorded_tokens(void **state)
{
    char seed[32], params[2048], prompt[2048], tokens[2048];
    (void)state;

    recorded("seed", seed, sizeof(seed));
    recorded("params", params, sizeof(params));
    recorded("prompt_tokens", prompt, sizeof(prompt));
    recorded("tokens", tokens, sizeof(tokens));
    RUN(&r, "sample", "--dialect", "llama.cpp", "--params", params, "--seed",
        seed, "--prompt-tokens", prompt, RECORDED ".npy");
    run_check(&r, 0, "");
    const char *line = r.out;
    for (char *id = tokens; *id;) {
        char start[64];
        const long token = strtol(id, &id, 10);
        snprintf(start, sizeof(start), "{\"token\":%ld,\"candidates\":", token);
        assert_memory_equal(line, start, strlen(start));
        line = strchr(line, '\n') + 1;
    }
    assert_string_equal(line, "");
}

/* Recorded from mlx-lm 0.32.2 on these rows, which are bf16. */
static void sample_draws_mlx_lms_tokens(void **state)
{
    static const int want[] = { 476, 1780, 701, 351 };
    static const char *const requests[] = {
        "{\"temp\":0.8,\"top_p\":0.95,\"min_p\":0.05,\"top_k\":40,"
        "\"repetition_penalty\":1.2,\"seed\":11}",
        "{\"seed\":11,\"temperature\":0.8,\"repetition_penalty\":1.2,"
        "\"top_k\":40,\"min_p\":0.05,\"top_p\":0.95}",
    };
    (void)state;

    for (int i = 0; i < 2; i++) {
        RUN(&r, "sample", "--dialect", "mlx-lm", "--params", requests[i],
            "--prompt-tokens", "504,198", RECORDED ".npy");
        run_check(&r, 0, "");
        const char *line = r.out;
        for (int j = 0; j < 4; j++, line = strchr(line, '\n') + 1) {
            char start[64];
            snprintf(start, sizeof(start), "{\"token\":%d,", want[j]);
            assert_memory_equal(line, start, strlen(start));
        }
    }
    RUN(&r, "sample", "--dialect=mlx-lm", "--params={\"temp\":-1}",
        RECORDED ".npy");
    run_check(&r, 2, "sortes: --params: temp must be at least 0\n");
    RUN(&r, "sample", "--dialect=mlx-lm", "--xtc-special-tokens=1;2",
        RECORDED ".npy");
    assert_int_equal(r.exit_code, 2);
    RUN(&r, "sample", "--dialect=mlx-lm", "--mirostat=1", RECORDED ".npy");
    assert_int_equal(r.exit_code, 2);
}

static void sample_draws_the_same_for_the_same_seed(void **state)
{
    char first[RUN_TEXT_MAX];
    (void)state;

    RUN(&r, "sample", "--seed", "7", "--distribution", RECORDED ".npy");
    run_check(&r, 0, "");
    strcpy(first, r.out);
    RUN(&r, "sample", "--seed=7", "--distribution", RECORDED ".npy");
    assert_string_equal(r.out, first);
    RUN(&r, "sample", "--seed=7", "--distribution", "--reference",
        RECORDED ".npy");
    assert_string_equal(r.out, first);
    RUN(&r, "sample", "--params", "{\"seed\":7}", "--distribution",
        RECORDED ".npy");
    assert_string_equal(r.out, first);
    RUN(&r, "sample", "--seed", "8", "--distribution", RECORDED ".npy");
    assert_string_not_equal(r.out, first);
}

static void sample_takes_options_over_params(void **state)
{
    static const float x[4] = { 0, 3, 1, 2 };
    struct npy_file file;
    (void)state;

    make_rows(&file, "(4,)", x, 4);
    give(&file);
    RUN(&r, "sample", "--params", "{\"top_k\":3,\"top_p\":1,\"min_p\":0}", "-");
    run_check(&r, 0, "");
    assert_non_null(strstr(r.out, "\"candidates\":3,"));
    RUN(&r, "sample", "--top-k", "1", "--params", "{\"top_k\":3}", "-");
    run_check(&r, 0, "");
    assert_non_null(
        strstr(r.out, "\"token\":1,\"candidates\":1,\"margin\":1}"));
}

/* ID-BIAS, as llama-cli writes one that forbids, several of them add up. */
static void sample_takes_biases_with_either_sign(void **state)
{
    static const float x[4] = { 0, 3, 1, 2 };
    struct npy_file file;
    (void)state;

    make_rows(&file, "(4,)", x, 4);
    give(&file);
    RUN(&r, "sample", "--top-k", "1", "--logit-bias", "1-100", "-");
    run_check(&r, 0, "");
    assert_non_null(strstr(r.out, "\"token\":3,"));
    RUN(&r, "sample", "--top-k", "1", "--logit-bias=1-100", "--logit-bias",
        "3-100,2-2.5", "-");
    run_check(&r, 0, "");
    assert_non_null(strstr(r.out, "\"token\":0,"));
    RUN(&r, "sample", "--top-k", "1", "--logit-bias", "3-100", "--logit-bias",
        "3+102", "-");
    run_check(&r, 0, "");
    assert_non_null(strstr(r.out, "\"token\":3,"));
}

static void sample_writes_logprobs_and_distribution(void **state)
{
    static const float x[3] = { 0, 0, -HUGE_VALF };
    struct npy_file file;
    (void)state;

    make_rows(&file, "(3,)", x, 3);
    give(&file);
    RUN(&r, "sample", "--seed", "1", "--logprobs", "2", "--distribution",
        "--temp", "1", "--top-p", "1", "-");
    run_check(&r, 0, "");
    assert_non_null(strstr(r.out, "\"candidates\":2,"));
    assert_non_null(strstr(r.out, "\"logprob\":-0.6931472,"
                                  "\"top_logprobs\":[{\"token\":"));
    assert_non_null(
        strstr(r.out, "\"distribution\":[{\"token\":0,\"p\":0.5,\"logprob\":"
                      "-0.6931472},{\"token\":1,\"p\":0.5,\"logprob\":"
                      "-0.6931472}]}\n"));
}

static void sample_takes_more_logprobs_than_there_are_tokens(void **state)
{
    static const float x[2] = { 0, 0 };
    struct npy_file file;
    (void)state;

    make_rows(&file, "(2,)", x, 2);
    give(&file);
    RUN(&r, "sample", "--seed", "1", "--logprobs", "2147483647", "-");
    run_check(&r, 0, "");
    assert_int_equal(count_lines(r.out), 1);
}

static void sample_reads_every_type_and_one_row(void **state)
{
    static const unsigned char half[4] = { 0, 0, 0, 0xFC }; /* 0, -inf */
    static const unsigned char brain[4] = { 0, 0, 0x80, 0xFF };
    static const float one = 5;
    struct npy_file file;
    (void)state;

    npy_begin_array(&file, "<f2", "(1, 2)");
    npy_put(&file, half, sizeof(half));
    give(&file);
    RUN(&r, "sample", "-");
    run_check(&r, 0, "");
    assert_memory_equal(r.out, "{\"token\":0,", 11);
    npy_begin_array(&file, "<u2", "(2,)");
    npy_put(&file, brain, sizeof(brain));
    give(&file);
    RUN(&r, "sample", "-");
    run_check(&r, 0, "");
    assert_memory_equal(r.out, "{\"token\":0,", 11);
    make_rows(&file, "(1,)", &one, 1);
    give(&file);
    RUN(&r, "sample", "-");
    run_check(&r, 0, "");
    assert_memory_equal(r.out, "{\"token\":0,\"candidates\":1,", 26);
}

static void sample_counts_prompt_tokens_for_the_penalties(void **state)
{
    static const float x[2] = { 4, 3 };
    struct npy_file file;
    const char *list = run_file("[0, 0]\n", 7);
    char at_list[80];
    (void)state;

    snprintf(at_list, sizeof(at_list), "@%s", list);
    make_rows(&file, "(2,)", x, 2);
    give(&file);
    RUN(&r, "sample", "--temp", "0", "-");
    assert_memory_equal(r.out, "{\"token\":0,", 11);
    RUN(&r, "sample", "--temp", "0", "--presence-penalty", "2",
        "--prompt-tokens", "0", "-");
    assert_memory_equal(r.out, "{\"token\":1,", 11);
    RUN(&r, "sample", "--temp", "0", "--frequency-penalty", "0.6",
        "--prompt-tokens", at_list, "-");
    run_check(&r, 0, "");
    assert_memory_equal(r.out, "{\"token\":1,", 11);
}

/* rMLX's names, its refusals, and the tokens it draws at seed 55. */
static void sample_speaks_rmlx(void **state)
{
    static const float x[6] = { .5f, 2, 1, 3, -1, .2f };
    static const char *const drawn[] = { "3", "1", "3", "3", "3", "1" };
    struct npy_file file;
    const char *line;
    (void)state;

    npy_begin_array(&file, "<f4", "(6, 6)");
    for (int i = 0; i < 6; i++)
        npy_put(&file, x, sizeof(x));
    give(&file);
    RUN(&r, "sample", "--dialect", "rmlx", "--params",
        "{\"temperature\":0.8,\"top_p\":0.9,\"seed\":55}", "-");
    run_check(&r, 0, "");
    line = r.out;
    for (int i = 0; i < 6; i++) {
        char start[32];

        snprintf(start, sizeof(start), "{\"token\":%s,\"candidates\":3,",
                 drawn[i]);
        assert_memory_equal(line, start, strlen(start));
        line = strchr(line, '\n') + 1;
    }
    RUN(&r, "sample", "--dialect", "rmlx", "--params", "{\"temperature\":2.5}",
        "-");
    run_check(&r, 2, "--params: temperature must be in [0.0, 2.0]");
    RUN(&r, "sample", "--dialect", "rmlx", "--mirostat", "2", "-");
    run_check(&r, 2, "--mirostat: dialect 'rmlx' has no such option");
    RUN(&r, "sample", "--dialect", "rmlx", "--seed", "18446744073709551615",
        "--dump-params");
    run_check(&r, 0, "");
    assert_non_null(strstr(r.out, "\"value\":18446744073709551615,"));
    RUN(&r, "sample", "--dialect", "rmlx", "--logprobs", "21", "-");
    run_check(&r, 0, ""); /* a row has no more than six */
}

static void sample_refuses_what_rmlx_refuses(void **state)
{
    static const unsigned char half[4] = { 0, 0, 0, 0x3c };
    static float x[30];
    struct npy_file file;
    (void)state;

    npy_begin_array(&file, "<f2", "(2,)");
    npy_put(&file, half, sizeof(half));
    give(&file);
    RUN(&r, "sample", "--dialect", "rmlx", "-");
    run_check(&r, 3,
              "row 0: sample_token: unsupported logit dtype F16; expected F32 "
              "or BF16");
    make_rows(&file, "(30,)", x, 30);
    give(&file);
    RUN(&r, "sample", "--dialect", "rmlx", "--logprobs", "21", "-");
    run_check(&r, 2, "--logprobs: dialect 'rmlx' reports fewer (got 21)");
    make_rows(&file, "(4,)", x, 4);
    give(&file);
    RUN(&r, "sample", "--dialect", "rmlx", "--top-p", "0.00000001", "-");
    run_check(&r, 3, "row 0: refused: no token");
}

static void sample_refuses_rows_that_are_not_finite(void **state)
{
    (void)state;
    check_row((const float[]){ 1, NAN, 2 }, 3, 3, "row 0: refused: NaN");
    check_row((const float[]){ 1, HUGE_VALF }, 2, 3, "row 0: refused: NaN");
    check_row((const float[]){ -HUGE_VALF, -HUGE_VALF }, 2, 3,
              "row 0: refused: no token");
    check_row((const float[]){ NAN }, 1, 3, "row 0: refused: NaN");
    check_row((const float[]){ -HUGE_VALF }, 1, 3, "row 0: refused: no token");
    check_row((const float[]){ 0 }, 1, 0, "");
}

static void sample_keeps_the_lines_before_a_refused_row(void **state)
{
    static const float x[6] = { 1, 2, 3, 4, NAN, 6 };
    struct npy_file file;
    (void)state;

    make_rows(&file, "(3, 2)", x, 6);
    give(&file);
    RUN(&r, "sample", "--logprobs", "1", "--distribution", "-");
    run_check(&r, 3, "standard input: row 2: refused");
    assert_int_equal(count_lines(r.out), 2);
}

static void sample_keeps_the_lines_before_a_torn_row(void **state)
{
    static const float x[5] = { 1, 2, 3, 4, 5 };
    struct npy_file file;
    (void)state;

    make_rows(&file, "(3, 2)", x, 5);
    RUN(&r, "sample", run_file(file.bytes, file.n));
    run_check(&r, 1, "row 2: cut short (4 of 8 bytes");
    assert_int_equal(count_lines(r.out), 2);
}

static void sample_shows_the_parameters_and_their_sources(void **state)
{
    (void)state;
    RUN(&r, "sample", "--dump-params", "--params", "{\"top_k\":3}", "--temp",
        "0.5", "--sampler-seq", "kpt", "--dry-sequence-breaker", ":",
        "--dry-sequence-breaker", "none", "--dry-sequence-breaker", "\\n",
        "--dry-sequence-breaker", "a;b");
    run_check(&r, 0, "");
    assert_non_null(strstr(
        r.out, "{\"name\":\"top_k\",\"value\":3,\"from\":\"request\"}\n"));
    assert_non_null(strstr(r.out,
                           "{\"name\":\"temperature\",\"value\":0.5,\"from\":"
                           "\"call\"}\n"));
    assert_non_null(strstr(
        r.out, "\"samplers\",\"value\":[\"top_k\",\"top_p\",\"temperature\"],"
               "\"from\":\"call\"}\n"));
    assert_non_null(strstr(r.out, "\"dry_sequence_breakers\",\"value\":"
                                  "[\"\\n\",\"a;b\"],\"from\":\"call\"}"));
    assert_non_null(
        strstr(r.out, "\"min_keep\",\"value\":0,\"from\":\"default\"}"));
    RUN(&r, "sample", "--dump-params", "--params-format", "modelfile",
        "--params", "FROM x\nPARAMETER top_k 9");
    run_check(&r, 0, "");
    assert_non_null(
        strstr(r.out, "\"top_k\",\"value\":9,\"from\":\"request\"}\n"));
    RUN(&r, "sample", "--dump-params", "--sampler-seq", "kq");
    run_check(&r, 2, "sampler 'q' is unknown");
    RUN(&r, "sample", "--dump-params", "--samplers", "top_k;mn_p");
    run_check(&r, 2, "did you mean 'min_p'?");
}

static void sample_refuses_bad_arrays(void **state)
{
    static const char *const shapes[][2] = {
        { "(0,)", "0 logits" },
        { "(3, 0)", "0 logits" },
        { "(0, 3)", "0 rows" },
        { "(9223372036854775807, 2147483647)", "larger than any file" },
        { "(2, 2147483647)", "row 0: cut short" },
    };
    struct npy_file file = { .n = 0 };
    (void)state;

    RUN(&r, "sample", "-");
    run_check(&r, 1, "standard input: empty");
    for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
        npy_begin_array(&file, "<f4", shapes[i][0]);
        give(&file);
        RUN(&r, "sample", "-");
        run_check(&r, 1, shapes[i][1]);
        assert_string_equal(r.out, "");
    }
}

static void sample_refuses_files_it_cannot_read(void **state)
{
    (void)state;
    RUN(&r, "sample", "/nowhere/at/all.npy");
    run_check(&r, 1, "/nowhere/at/all.npy: cannot be opened");
    RUN(&r, "sample", SORTES_ROOT);
    run_check(&r, 1, "cannot be read");
    RUN(&r, "sample", "--params", "@/nowhere", "-");
    run_check(&r, 1, "/nowhere: cannot be opened");
}

static void sample_needs_exactly_one_array(void **state)
{
    (void)state;
    RUN(&r, "sample");
    run_check(&r, 2, "which rows?");
    RUN(&r, "sample", "a.npy", "b.npy");
    run_check(&r, 2, "one array of rows at a time");
    RUN(&r, "sample", "--", "--seed");
    run_check(&r, 1, "--seed: cannot be opened");
}

static void sample_refuses_bad_params(void **state)
{
    (void)state;
    RUN(&r, "sample", "--params", "{\"top_q\":1}", "-");
    run_check(&r, 2, "top_k");
    RUN(&r, "sample", "--params", "{\"top_k\":", "-");
    run_check(&r, 2, "--params: ");
    RUN(&r, "sample", "--params", "", "-");
    run_check(&r, 2, "--params: ");
}

static void sample_refuses_a_vocab_that_is_no_gguf(void **state)
{
    (void)state;
    RUN(&r, "sample", "--vocab", run_file("no GGUF at all", 14), "-");
    run_check(&r, 1, "GGUF");
    RUN(&r, "sample", "--vocab", run_file("GGUF\3\0\0\0", 8), "-");
    run_check(&r, 1, "the file ends too early");
    RUN(&r, "sample", "--vocab", run_file("", 0), "-");
    run_check(&r, 1, "not a GGUF file");
    RUN(&r, "sample", "--vocab", "/nowhere.gguf", "-");
    run_check(&r, 1, "/nowhere.gguf");
}

static void sample_notices_that_lines_cannot_be_written(void **state)
{
    static const enum run_out ways[] = { RUN_OUT_CLOSED, RUN_OUT_FULL,
                                         RUN_OUT_BROKEN };
    (void)state;

    for (size_t i = 0; i < 3; i++) {
        r.to = ways[i];
        RUN(&r, "sample", RECORDED ".npy");
        run_check(&r, 1, "standard output: cannot be written");
        assert_int_equal(count_lines(r.err), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(sample_draws_the_recorded_tokens, clear),
        cmocka_unit_test_setup(sample_draws_mlx_lms_tokens, clear),
        cmocka_unit_test_setup(sample_draws_the_same_for_the_same_seed, clear),
        cmocka_unit_test_setup(sample_takes_biases_with_either_sign, clear),
        cmocka_unit_test_setup(sample_takes_options_over_params, clear),
        cmocka_unit_test_setup(sample_writes_logprobs_and_distribution, clear),
        cmocka_unit_test_setup(sample_takes_more_logprobs_than_there_are_tokens,
                               clear),
        cmocka_unit_test_setup(sample_reads_every_type_and_one_row, clear),
        cmocka_unit_test_setup(sample_counts_prompt_tokens_for_the_penalties,
                               clear),
        cmocka_unit_test_setup(sample_speaks_rmlx, clear),
        cmocka_unit_test_setup(sample_refuses_what_rmlx_refuses, clear),
        cmocka_unit_test_setup(sample_refuses_rows_that_are_not_finite, clear),
        cmocka_unit_test_setup(sample_keeps_the_lines_before_a_refused_row,
                               clear),
        cmocka_unit_test_setup(sample_keeps_the_lines_before_a_torn_row, clear),
        cmocka_unit_test_setup(sample_shows_the_parameters_and_their_sources,
                               clear),
        cmocka_unit_test_setup(sample_refuses_bad_arrays, clear),
        cmocka_unit_test_setup(sample_refuses_files_it_cannot_read, clear),
        cmocka_unit_test_setup(sample_needs_exactly_one_array, clear),
        cmocka_unit_test_setup(sample_refuses_bad_params, clear),
        cmocka_unit_test_setup(sample_refuses_a_vocab_that_is_no_gguf, clear),
        cmocka_unit_test_setup(sample_notices_that_lines_cannot_be_written,
                               clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

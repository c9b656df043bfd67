/*
 * test_main.c - tests of cli/main.c and cli/options.c, from outside
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/run_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static struct run r; /* large; clear() undoes what a test set */

static int clear(void **state)
{
    (void)state;
    memset(&r, 0, sizeof(r));
    return 0;
}

static void check_help(const char *out, const char *words)
{
    run_check(&r, 0, "");
    assert_string_equal(r.err, "");
    if (!strstr(out, words))
        fail_msg("help does not say \"%s\"", words);
    for (const char *line = out; *line;) {
        const size_t n = strcspn(line, "\n");
        if (n > 80)
            fail_msg("wider than 80: %.*s", (int)n, line);
        line += n + (line[n] == '\n');
    }
}

static void main_without_a_command_shows_the_usage(void **state)
{
    const char *const none[] = { NULL };
    (void)state;

    run_program(&r, none);
    run_check(&r, 2, "usage: sortes COMMAND");
    assert_string_equal(r.out, "");
}

static void main_gives_help_on_standard_output(void **state)
{
    static const char *const commands[] = { "try", "generate", "sample" };
    (void)state;

    RUN(&r, "--help");
    check_help(r.out, "exit codes");
    RUN(&r, "help");
    check_help(r.out, "sortes try");
    for (size_t i = 0; i < 3; i++) {
        RUN(&r, "help", commands[i]);
        check_help(r.out, commands[i]);
        RUN(&r, commands[i], "--help");
        check_help(r.out, "-h, --help");
    }
}

static void main_takes_sampling_options_from_the_librarys_table(void **state)
{
    (void)state;
    RUN(&r, "sample", "--help");
    check_help(r.out, "sampling options of dialect llama.cpp");
    check_help(r.out, "--top-k");
    check_help(r.out, "--logit-bias");
    check_help(r.out, "(default 0.95)");
}

static void main_names_version_kernel_and_dialects(void **state)
{
    (void)state;
    RUN(&r, "--version");
    run_check(&r, 0, "");
    assert_non_null(strstr(r.out, "sortes 0."));
    assert_non_null(strstr(r.out, "kernels"));
    assert_non_null(strstr(r.out, "llama.cpp/b"));
}

static void main_refuses_unknown_commands(void **state)
{
    (void)state;
    RUN(&r, "smaple");
    run_check(&r, 2, "unknown command 'smaple'; did you mean 'sample'?");
    RUN(&r, "help", "generat");
    run_check(&r, 2, "did you mean 'generate'?");
    RUN(&r, "frobnicate");
    run_check(&r, 2, "`sortes help` lists them");
}

static void main_refuses_unknown_options(void **state)
{
    (void)state;
    RUN(&r, "sample", "--topk", "5", "-");
    run_check(&r, 2, "unknown option '--topk'; did you mean '--top-k'?");
    RUN(&r, "generate", "--modle=x");
    run_check(&r, 2, "unknown option '--modle'; did you mean '--model'?");
    RUN(&r, "sample", "--zzzzzzzz", "-");
    run_check(&r, 2, "`sortes help sample` lists them");
    RUN(&r, "try", "--top-k", "5"); /* not one of this command's */
    run_check(&r, 2, "unknown option '--top-k'");
}

static void main_refuses_missing_and_unwanted_values(void **state)
{
    (void)state;
    RUN(&r, "sample", "--seed");
    run_check(&r, 2, "--seed: its value is missing");
    RUN(&r, "generate", "--json=yes");
    run_check(&r, 2, "--json: takes no value (got 'yes')");
}

static void main_refuses_values_out_of_range(void **state)
{
    static const char *const cases[][3] = {
        { "--seed", "4294967296", "seed: out of range (got 4294967296" },
        { "--seed", "-2", "seed: out of range (got -2" },
        { "--seed", "99999999999999999999", "seed: out of range (got 1e+20" },
        { "--seed", "", "seed: cannot read '' (needed a whole number)" },
        { "--seed", "5x", "seed: cannot read '5x'" },
        { "--seed", " 5", "seed: cannot read ' 5'" },
        { "--logit-bias", "3-", "logit_bias: byte 0: expected a number" },
        { "--top-k", "-1", "top_k" },
        { "--top-k", "5000000000", "top_k" },
        { "--top-p", "1.5", "top_p" },
        { "--temp", "nan", "temperature" },
        { "--temp", "hot", "temperature" },
        { "--min-p", "-0.1", "min_p" },
        { "--repeat-penalty", "0", "repeat_penalty" },
        { "--logit-bias", "five", "logit_bias" },
        { "--logprobs", "-1", "--logprobs: -1 is out of range" },
        { "--prompt-tokens", "1,-5", "--prompt-tokens: -5 is out of range" },
        { "--prompt-tokens", "1,x", "--prompt-tokens: 'x' is not" },
        { "--dialect", "llama.cp", "llama.cpp" },
    };
    (void)state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        RUN(&r, "sample", cases[i][0], cases[i][1], "-");
        run_check(&r, 2, cases[i][2]);
        assert_string_equal(r.out, "");
    }
}

static void main_notices_that_output_cannot_be_written(void **state)
{
    static const enum run_out ways[] = { RUN_OUT_CLOSED, RUN_OUT_FULL,
                                         RUN_OUT_BROKEN };
    (void)state;

    for (size_t i = 0; i < 3; i++) {
        r.to = ways[i];
        RUN(&r, "--help");
        run_check(&r, 1, "standard output: cannot be written");
        RUN(&r, "--version");
        run_check(&r, 1, "standard output: cannot be written");
        RUN(&r, "sample", "--help");
        run_check(&r, 1, "standard output: cannot be written");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(main_without_a_command_shows_the_usage, clear),
        cmocka_unit_test_setup(main_gives_help_on_standard_output, clear),
        cmocka_unit_test_setup(
            main_takes_sampling_options_from_the_librarys_table, clear),
        cmocka_unit_test_setup(main_names_version_kernel_and_dialects, clear),
        cmocka_unit_test_setup(main_refuses_unknown_commands, clear),
        cmocka_unit_test_setup(main_refuses_unknown_options, clear),
        cmocka_unit_test_setup(main_refuses_missing_and_unwanted_values, clear),
        cmocka_unit_test_setup(main_refuses_values_out_of_range, clear),
        cmocka_unit_test_setup(main_notices_that_output_cannot_be_written,
                               clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

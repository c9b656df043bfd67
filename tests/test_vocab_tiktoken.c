/*
 * test_vocab_tiktoken.c - a vocab from lines of base64 and rank
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/vocab_check.h"

static struct srt_vocab_source tiktoken(const char *text)
{
    return (struct srt_vocab_source){ .text = text };
}

static void tiktoken_reads_lines(void **state)
{
    static const struct vocab_row rows[] = {
        { "!", 0 }, { "Man", 0 }, { "\xFF", 0 }, { "Manipul", 0 }
    };

    (void)state;
    vocab_check_rows(srt_vocab_read_tiktoken,
                     tiktoken("IQ== 0\n/w== 2\r\nTWFu 1\n\nTWFuaXB1bA== 3"),
                     rows, 4);
}

static void tiktoken_takes_special_tokens(void **state)
{
    static const struct vocab_row rows[] = {
        { "!", SORTES_TOKEN_UNUSED },
        { "", SORTES_TOKEN_UNUSED },
        { "<|end|>", SORTES_TOKEN_CONTROL | SORTES_TOKEN_EOG }
    };
    static const sortes_special_token special[] = {
        { 2, "<|end|>", SORTES_TOKEN_CONTROL | SORTES_TOKEN_EOG },
        { 0, NULL, SORTES_TOKEN_UNUSED },
    };
    struct srt_vocab_source source = tiktoken("IQ== 0\n");

    (void)state;
    source.special = special;
    source.n_special = 2;
    vocab_check_rows(srt_vocab_read_tiktoken, source, rows, 3);
}

static void tiktoken_refuses(void **state)
{
    static const struct {
        const char *text;
        sortes_status status;
        const char *error;
    } rows[] = {
        { "\n\n", SORTES_E_SYNTAX, "t: holds no tokens" },
        { "IQ==", SORTES_E_SYNTAX,
          "t: line 1: expected a token in base64, a space and its rank" },
        { "IQ== 0\n 1\n", SORTES_E_SYNTAX,
          "t: line 2: expected a token in base64, a space and its rank" },
        { "IQ= 0\n", SORTES_E_SYNTAX, "t: line 1: malformed base64" },
        { "IQ==IQ== 0\n", SORTES_E_SYNTAX, "t: line 1: malformed base64" },
        { "IQ== \n", SORTES_E_SYNTAX, "t: line 1: malformed rank" },
        { "IQ== 1x\n", SORTES_E_SYNTAX, "t: line 1: malformed rank" },
        { "IQ== -1\n", SORTES_E_SYNTAX, "t: line 1: malformed rank" },
        { "IQ== 0\nIg== 0\n", SORTES_E_SYNTAX,
          "t: line 2: rank 0 comes twice" },
        { "IQ== 99999999999999999999\n", SORTES_E_SYNTAX,
          "t: line 1: malformed rank" },
        { "IQ== 4194304\n", SORTES_E_LIMIT,
          "t: byte 0: token id out of range (got 4194304, allowed 0 to "
          "4194303)" },
    };

    (void)state;
    for (size_t i = 0; i < SRT_COUNT(rows); i++)
        vocab_check_refused(srt_vocab_read_tiktoken, tiktoken(rows[i].text),
                            rows[i].status, rows[i].error);
}

static void tiktoken_refuses_special_tokens(void **state)
{
    sortes_special_token special = { 5, NULL, 0 };
    struct srt_vocab_source source = tiktoken("IQ== 0\n");

    (void)state;
    source.special = &special;
    source.n_special = 1;
    vocab_check_refused(srt_vocab_read_tiktoken, source, SORTES_E_ARGUMENT,
                        "t: token 5 is not in the file and has no text");
    special = (sortes_special_token){ 0, NULL, 1 << 20 };
    vocab_check_refused(srt_vocab_read_tiktoken, source, SORTES_E_ARGUMENT,
                        "vocab: unknown flags of token 0 (got 0x100000, "
                        "allowed 0x7f)");
    special = (sortes_special_token){ -1, "x", 0 };
    vocab_check_refused(srt_vocab_read_tiktoken, source, SORTES_E_LIMIT,
                        "t: byte 0: token id out of range (got -1, allowed 0 "
                        "to 4194303)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiktoken_reads_lines),
        cmocka_unit_test(tiktoken_takes_special_tokens),
        cmocka_unit_test(tiktoken_refuses),
        cmocka_unit_test(tiktoken_refuses_special_tokens),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

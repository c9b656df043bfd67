/*
 * recording_make.h - makes a small recording: a model of eight tokens
 *
 * The prompt is "ab", tokens 0 and 1; row i has its largest logit at token
 * 2 + i, and greedy parameters draw it.  The pieces tear a letter in two and
 * end with an end token: "x", the euro sign, " ok".
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_RECORDING_MAKE_H
#define TEST_RECORDING_MAKE_H

#include "support/npy_make.h"
#include "support/run_program.h"

enum { RECORDING_N_VOCAB = 8, RECORDING_N_ROWS = 4 };

#define RECORDING_TEXT "x\xE2\x82\xAC ok"

/*
 * Returns the path of the recording.  refused: a row that is NaN, -1: none;
 * tokens: what is claimed to have been drawn, "2 3 4 5" being true.
 */
static inline const char *recording_make(int refused, const char *tokens)
{
    struct npy_file rows;
    char text[1024];

    npy_begin_array(&rows, "<u2", "(4, 8)");
    for (int i = 0; i < RECORDING_N_ROWS; i++)
        for (int t = 0; t < RECORDING_N_VOCAB; t++) {
            const unsigned top = i == refused ? 0x7FC0
                                 : t == 2 + i ? 0x40A0
                                              : 0;
            const unsigned char b[2] = { top & 255, (unsigned char)(top >> 8) };
            npy_put(&rows, b, 2);
        }
    const char *name = strrchr(run_file(rows.bytes, rows.n), '/') + 1;
    const int n = snprintf(text, sizeof(text),
                           "sortes rows 1\n"
                           "model eight tokens\n"
                           "sampled a test\n"
                           "dialect llama.cpp\n"
                           "n_vocab 8\n"
                           "rows %s\n"
                           "seed 9\n"
                           "params {\"top_k\":1}\n"
                           "prompt \"ab\"\n"
                           "prompt_tokens 0 1\n"
                           "tokens %s\n"
                           "piece 0 \"a\"\n"
                           "piece 1 \"b\"\n"
                           "piece 2 \"x\\xE2\"\n"
                           "piece 3 \"\\x82\"\n"
                           "piece 4 \"\\xAC ok\"\n"
                           "piece 5 \"</s>\" control eog\n",
                           name, tokens);
    return run_file(text, (size_t)n);
}

/*
 * A model of twelve tokens that would rather not write JSON: in four rows of
 * five its favourite is no part of an object.  What is recorded is what the
 * best of the rest writes, {"x":1} and the end; other tokens cannot be decoded.
 */
static inline const char *recording_make_json(void)
{
    /* A row's favourite, and its second choice. */
    static const int best[][2] = {
        { 7, 2 }, { 8, 4 }, { 8, 9 }, { 7, 3 }, { 7, 8 }
    };
    struct npy_file rows;
    char text[1024];

    npy_begin_array(&rows, "<u2", "(5, 12)");
    for (int i = 0; i < 5; i++)
        for (int t = 0; t < 12; t++) {
            const unsigned top = t == best[i][0]   ? 0x40A0
                                 : t == best[i][1] ? 0x4080
                                                   : 0;
            const unsigned char b[2] = { top & 255, (unsigned char)(top >> 8) };
            npy_put(&rows, b, 2);
        }
    const char *name = strrchr(run_file(rows.bytes, rows.n), '/') + 1;
    const int n = snprintf(text, sizeof(text),
                           "sortes rows 1\nmodel twelve tokens\n"
                           "sampled a test\ndialect llama.cpp\n"
                           "n_vocab 12\nrows %s\nseed 9\n"
                           "params {\"top_k\":1}\nprompt \"ab\"\n"
                           "prompt_tokens 0 1\ntokens 2 4 9 3 8\n"
                           "piece 0 \"a\"\npiece 1 \"b\"\n"
                           "piece 2 \"{\"\npiece 3 \"}\"\n"
                           "piece 4 \"\\\"\"\npiece 5 \":\"\n"
                           "piece 6 \"1\"\npiece 7 \"x\"\n"
                           "piece 8 \"</s>\" control eog\n"
                           "piece 9 \"x\\\":1\"\n"
                           "piece 10 \"1\\\":1\"\npiece 11 \",\"\n",
                           name);
    return run_file(text, (size_t)n);
}

#endif /* TEST_RECORDING_MAKE_H */

/*
 * constrain_loop.c - masks in a decode loop that samples by itself
 *
 *   tools/amalgam . && cc examples/constrain_loop.c sortes_constrain.c -I. \
 *       -pthread -o constrain_loop
 *
 * The vocabulary and the model are yours: here, every byte and an end token,
 * and logits that are noise.  Whatever the noise, a JSON object comes out.
 *
 * SPDX-License-Identifier: MIT
 */
#include "sortes.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 257, END = 256, N_WORDS = (N + 31) / 32 };

static sortes_vocab *make_vocab(void)
{
    static char byte[N];
    const char *bytes[N];
    size_t n_bytes[N];
    uint32_t flags[N] = { 0 };
    sortes_vocab_desc desc = { .struct_size = sizeof(desc),
                               .n_tokens = N,
                               .bytes = bytes,
                               .n_bytes = n_bytes,
                               .flags = flags };
    sortes_vocab *v;

    for (int i = 0; i < N; i++) {
        byte[i] = (char)i;
        bytes[i] = &byte[i];
        n_bytes[i] = i != END;
    }
    flags[END] = SORTES_TOKEN_CONTROL | SORTES_TOKEN_EOG;
    return sortes_vocab_new(&v, &desc, NULL) == SORTES_OK ? v : NULL;
}

/* Your model goes here: a logit for each token, given those so far. */
static void run_model(float *logits, int32_t last)
{
    for (int i = 0; i < N; i++)
        logits[i] =
            (float)(rand() % 1000) / 100 + (i == '"' || i == '}' ? 2 : 0);
    (void)last;
}

int main(int argc, char **argv)
{
    const sortes_grammar_options options = { .struct_size = sizeof(options),
                                             .whitespace = "none" };
    sortes_vocab *vocab = make_vocab();
    sortes_grammar *grammar;
    sortes_matcher *matcher;
    sortes_error err;
    float logits[N];
    uint32_t mask[N_WORDS];
    int32_t token = 0;

    srand(argc > 1 ? (unsigned)atoi(argv[1]) : 1);
    if (sortes_grammar_new(&grammar, "json_object", NULL, 0, &options, &err) ||
        sortes_matcher_new(&matcher, grammar, vocab, &err))
        return fprintf(stderr, "%s\n", err.text), 1;
    while (!sortes_matcher_is_finished(matcher)) {
        run_model(logits, token);
        if (sortes_matcher_mask(matcher, mask, N_WORDS))
            return 1;
        token = -1; /* the best token that may come */
        for (int i = 0; i < N; i++)
            if (mask[i / 32] >> (i % 32) & 1 &&
                (token < 0 || logits[i] > logits[token]))
                token = i;
        if (token < 0 || sortes_matcher_advance(matcher, &token, 1, NULL))
            return 1;
        if (token != END)
            putchar(token);
    }
    putchar('\n');
    sortes_matcher_free(matcher);
    sortes_grammar_free(grammar);
    sortes_vocab_free(vocab);
    return 0;
}

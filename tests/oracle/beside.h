/*
 * beside.h - what every program needs that runs libllama beside sortes
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_BESIDE_H
#define TESTS_BESIDE_H

#include "llama.h"

#include <stddef.h>

/* A fresh array of the n logits at x, in data. */
static inline llama_token_data_array beside_fill(llama_token_data *data,
                                                 const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        data[i] = (llama_token_data){ (llama_token)i, x[i], 0 };
    return (llama_token_data_array){ data, n, -1, false };
}

/* Every sampler accepts the tokens in turn. */
static inline void beside_accept(struct llama_sampler *const *sampler,
                                 size_t n_samplers, const int32_t *tokens,
                                 size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n_samplers; j++)
            llama_sampler_accept(sampler[j], tokens[i]);
}

/* For llama_log_set(). */
static inline void beside_quiet(enum ggml_log_level level, const char *text,
                                void *ctx)
{
    (void)level;
    (void)text;
    (void)ctx;
}

#endif /* TESTS_BESIDE_H */

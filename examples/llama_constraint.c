/*
 * llama_constraint.c - a constraint of one's own in front of a llama.cpp chain
 *
 * usage: llama_constraint MODEL.gguf
 *
 * The rule here: digits only.  The same constraint object would serve a
 * sortes_sampler (sortes_sampler_set_constraint).  Exit status 4 if anything
 * but a digit comes out.
 *
 * SPDX-License-Identifier: MIT
 */
#include "sortes_llama.h"

#include <ctype.h>
#include <stdio.h>

enum { N_TOKENS = 16 };

struct digits {
    const struct llama_vocab *vocab;
    size_t n_seen;
};

static int digits_allows(void *ctx, int32_t token)
{
    const struct digits *d = ctx;
    char piece[256];
    const int32_t n =
        llama_token_to_piece(d->vocab, token, piece, sizeof(piece), 0, false);

    for (int32_t i = 0; i < n; i++)
        if (!isdigit((unsigned char)piece[i]))
            return 0;
    return n > 0;
}

static sortes_status digits_mask(void *ctx, uint32_t *words, size_t n_words)
{
    const struct digits *d = ctx;
    const int32_t n = llama_vocab_n_tokens(d->vocab);

    for (int32_t t = 0; t < n && (size_t)t / 32 < n_words; t++)
        if (digits_allows(ctx, t))
            words[t / 32] |= (uint32_t)1 << t % 32;
    return SORTES_OK;
}

static sortes_status digits_advance(void *ctx, int32_t token)
{
    struct digits *d = ctx;

    if (!digits_allows(ctx, token))
        return SORTES_E_ARGUMENT;
    d->n_seen++;
    return SORTES_OK;
}

static void quiet(enum ggml_log_level level, const char *text, void *ctx)
{
    (void)level;
    (void)text;
    (void)ctx;
}

static int generate(struct llama_context *ctx, struct llama_sampler *chain,
                    struct digits *d)
{
    llama_token token = llama_vocab_bos(d->vocab);

    for (int i = 0; i < N_TOKENS; i++) {
        char piece[256];
        int32_t n;

        if (llama_decode(ctx, llama_batch_get_one(&token, 1)) != 0)
            return 1;
        token = llama_sampler_sample(chain, ctx, -1);
        if (!digits_allows(d, token))
            return 4;
        n = llama_token_to_piece(d->vocab, token, piece, sizeof(piece), 0,
                                 false);
        fwrite(piece, 1, n > 0 ? (size_t)n : 0, stdout);
    }
    putchar('\n');
    return d->n_seen == N_TOKENS ? 0 : 4;
}

int main(int argc, char **argv)
{
    struct llama_context_params params = llama_context_default_params();
    sortes_constraint c = { .struct_size = sizeof(c) };
    struct digits d = { 0 };
    struct llama_sampler *chain;
    struct llama_model *model;
    struct llama_context *ctx;
    int status;

    llama_log_set(quiet, NULL);
    model = argc > 1 ? llama_model_load_from_file(argv[1],
                                                  llama_model_default_params())
                     : NULL;
    params.n_ctx = 256;
    ctx = model ? llama_init_from_model(model, params) : NULL;
    if (!ctx) {
        fprintf(stderr, "usage: llama_constraint MODEL.gguf\n");
        return 1;
    }
    d.vocab = llama_model_get_vocab(model);
    c.ctx = &d;
    c.allows = digits_allows;
    c.mask = digits_mask;
    c.advance = digits_advance;
    chain = llama_sampler_chain_init(llama_sampler_chain_default_params());
    llama_sampler_chain_add(
        chain,
        sortes_llama_constraint(&c, (size_t)llama_vocab_n_tokens(d.vocab)));
    llama_sampler_chain_add(chain, llama_sampler_init_top_k(40));
    llama_sampler_chain_add(chain, llama_sampler_init_dist(42));
    status = generate(ctx, chain, &d);
    llama_sampler_free(chain);
    llama_free(ctx);
    llama_model_free(model);
    return status;
}

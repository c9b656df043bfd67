/*
 * llama_loop.c - a llama.cpp generation loop that samples with sortes
 *
 * usage: llama_loop MODEL.gguf [PROMPT]
 *
 * It also runs llama.cpp's own sampler on every row and stops with status 4 if
 * the two ever differ: the point of the exercise.
 *
 * SPDX-License-Identifier: MIT
 */
#include "sortes_llama.h"

#include <stdio.h>

enum { N_TOKENS = 48, MAX_PROMPT = 512 };

static void quiet(enum ggml_log_level level, const char *text, void *ctx)
{
    (void)level;
    (void)text;
    (void)ctx;
}

static int fail(const char *what)
{
    fprintf(stderr, "llama_loop: %s\n", what);
    return 1;
}

/* The chain that llama-server builds by default, as far as it does anything. */
static struct llama_sampler *llama_chain(uint32_t seed)
{
    struct llama_sampler *chain =
        llama_sampler_chain_init(llama_sampler_chain_default_params());

    llama_sampler_chain_add(chain, llama_sampler_init_top_k(40));
    llama_sampler_chain_add(chain, llama_sampler_init_top_p(0.95f, 0));
    llama_sampler_chain_add(chain, llama_sampler_init_min_p(0.05f, 0));
    llama_sampler_chain_add(chain, llama_sampler_init_temp_ext(0.8f, 0, 1));
    llama_sampler_chain_add(chain, llama_sampler_init_dist(seed));
    return chain;
}

static sortes_sampler *sortes_chain(uint32_t seed)
{
    sortes_sampler *s = NULL;
    sortes_params *p = NULL;

    if (sortes_params_new(&p, "llama.cpp", NULL) == SORTES_OK &&
        sortes_params_set_seed(p, seed, NULL) == SORTES_OK)
        (void)sortes_sampler_new(&s, p, NULL, NULL);
    sortes_params_free(p);
    return s;
}

/* One token after another; 0, or the exit status. */
static int generate(struct llama_context *ctx, const struct llama_vocab *vocab,
                    llama_token *prompt, int32_t n_prompt)
{
    struct llama_sampler *theirs = llama_chain(42);
    sortes_sampler *ours = sortes_chain(42);
    llama_token token = 0;
    int status = ours ? 0 : 1;

    (void)sortes_sampler_accept(ours, prompt, (size_t)n_prompt, SORTES_PROMPT);
    for (int i = 0; i < N_TOKENS && status == 0; i++) {
        struct llama_batch batch = i == 0
                                       ? llama_batch_get_one(prompt, n_prompt)
                                       : llama_batch_get_one(&token, 1);
        char piece[256];
        sortes_draw draw;
        int32_t n;

        if (llama_decode(ctx, batch) != 0 ||
            sortes_llama_sample(ours, ctx, -1, &draw) != SORTES_OK) {
            status = 1;
            break;
        }
        token = draw.token;
        if (token != llama_sampler_sample(theirs, ctx, -1))
            status = 4;
        (void)sortes_sampler_accept(ours, &token, 1, SORTES_GENERATED);
        if (llama_vocab_is_eog(vocab, token))
            break;
        n = llama_token_to_piece(vocab, token, piece, sizeof(piece), 0, false);
        fwrite(piece, 1, n > 0 ? (size_t)n : 0, stdout);
    }
    putchar('\n');
    llama_sampler_free(theirs);
    sortes_sampler_free(ours);
    return status;
}

int main(int argc, char **argv)
{
    const char *text = argc > 2 ? argv[2] : "Once upon a time there was a";
    struct llama_context_params params = llama_context_default_params();
    llama_token prompt[MAX_PROMPT];
    const struct llama_vocab *vocab;
    struct llama_model *model;
    struct llama_context *ctx;
    int32_t n;
    int status;

    if (argc < 2)
        return fail("usage: llama_loop MODEL.gguf [PROMPT]");
    llama_log_set(quiet, NULL);
    model = llama_model_load_from_file(argv[1], llama_model_default_params());
    if (!model)
        return fail("cannot load the model");
    params.n_ctx = 1024;
    ctx = llama_init_from_model(model, params);
    vocab = llama_model_get_vocab(model);
    n = llama_tokenize(vocab, text, (int32_t)strlen(text), prompt, MAX_PROMPT,
                       true, false);
    if (!ctx || n < 1)
        return fail("cannot prepare the prompt");
    status = generate(ctx, vocab, prompt, n);
    llama_free(ctx);
    llama_model_free(model);
    return status;
}

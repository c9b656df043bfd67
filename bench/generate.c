/*
 * generate.c - tokens a second of a whole loop: model, sampling, acceptance
 *
 * Two contexts of one model, one sampled by libllama's chain and one by
 * sortes, take turns; so does real rows' sampling time, measured inside.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PROMPT = 64, ROUNDS = 5 };

static const char prompt_text[] = "The old lighthouse keeper told us that";

struct loop {
    struct llama_context *ctx;
    double sampling, total; /* seconds */
};

static void decode(struct llama_context *ctx, llama_token *tokens, int32_t n)
{
    if (llama_decode(ctx, llama_batch_get_one(tokens, n)) != 0)
        bench_die("generate", "decode failed");
}

static void run_llama(struct loop *l, struct llama_sampler *chain,
                      llama_token *prompt, int32_t n_prompt, llama_token *out,
                      int n)
{
    const double start = bench_now();

    llama_memory_clear(llama_get_memory(l->ctx), true);
    llama_sampler_reset(chain);
    l->sampling = 0;
    decode(l->ctx, prompt, n_prompt);
    for (int i = 0; i < n; i++) {
        const double at = bench_now();
        llama_token t = llama_sampler_sample(chain, l->ctx, -1);
        l->sampling += bench_now() - at;
        out[i] = t;
        decode(l->ctx, &t, 1);
    }
    l->total = bench_now() - start;
}

static void run_sortes(struct loop *l, sortes_sampler *s, size_t n_vocab,
                       llama_token *prompt, int32_t n_prompt, llama_token *out,
                       int n)
{
    const double start = bench_now();

    llama_memory_clear(llama_get_memory(l->ctx), true);
    (void)sortes_sampler_reset(s);
    l->sampling = 0;
    decode(l->ctx, prompt, n_prompt);
    for (int i = 0; i < n; i++) {
        const sortes_row row = { llama_get_logits_ith(l->ctx, -1), n_vocab,
                                 SORTES_F32 };
        const double at = bench_now();
        sortes_draw draw;

        if (sortes_sampler_sample(s, &row, &draw) != SORTES_OK ||
            sortes_sampler_accept(s, &draw.token, 1, SORTES_GENERATED) !=
                SORTES_OK)
            bench_die("generate", "a row was refused");
        l->sampling += bench_now() - at;
        out[i] = draw.token;
        decode(l->ctx, &draw.token, 1);
    }
    l->total = bench_now() - start;
}

static struct llama_context *new_context(struct llama_model *model)
{
    struct llama_context_params p = llama_context_default_params();
    struct llama_context *ctx;

    p.n_ctx = 1024;
    p.n_threads = p.n_threads_batch = 2;
    ctx = llama_init_from_model(model, p);
    if (!ctx)
        bench_die("generate", "no context");
    return ctx;
}

static double median_of(double *x, int n)
{
    return bench_quantiles(x, (size_t)n).median;
}

static bool measure(struct bench_out *out, struct llama_model *model,
                    const struct bench_shape *shape, int n)
{
    const struct llama_vocab *vocab = llama_model_get_vocab(model);
    const size_t n_vocab = (size_t)llama_vocab_n_tokens(vocab);
    struct llama_sampler *chain = bench_llama(shape, n_vocab, 42);
    sortes_sampler *s = bench_sortes(shape, 42, sortes_kernel_name());
    struct loop a = { new_context(model), 0, 0 };
    struct loop b = { new_context(model), 0, 0 };
    llama_token prompt[MAX_PROMPT];
    llama_token *tokens = calloc(2 * (size_t)n, sizeof(*tokens));
    double total[2][ROUNDS], sampling[2][ROUNDS], us[2], rate[2];
    const int32_t n_prompt =
        llama_tokenize(vocab, prompt_text, (int32_t)strlen(prompt_text), prompt,
                       MAX_PROMPT, true, true);
    bool same;

    for (int i = 0; i < ROUNDS; i++) {
        run_llama(&a, chain, prompt, n_prompt, tokens, n);
        run_sortes(&b, s, n_vocab, prompt, n_prompt, tokens + n, n);
        total[0][i] = a.total;
        total[1][i] = b.total;
        sampling[0][i] = a.sampling / n;
        sampling[1][i] = b.sampling / n;
    }
    same = memcmp(tokens, tokens + n, (size_t)n * sizeof(*tokens)) == 0;
    for (int i = 0; i < 2; i++) {
        us[i] = median_of(sampling[i], ROUNDS);
        rate[i] = n / (median_of(total[i], ROUNDS) * 1e-6);
    }
    printf(
        "%7zu real      generate %-24s llama %.1f us a token, %.1f tokens/s; "
        "sortes %.1f us (%.1fx), %.1f tokens/s (%+.1f %%)%s\n",
        n_vocab, shape->name, us[0], rate[0], us[1], us[0] / us[1], rate[1],
        100 * (rate[1] / rate[0] - 1), same ? "" : "  DIFFERENT TOKEN");
    fprintf(
        out->json,
        "%s\n  {\"n\":%zu,\"kind\":\"real\",\"generate\":%d,\"shape\":\"%s\","
        "\"llama_us\":%.2f,\"sortes_us\":%.2f,\"llama_tokens_per_s\":%.2f,"
        "\"sortes_tokens_per_s\":%.2f,\"same_tokens\":%s}",
        out->first ? "" : ",", n_vocab, n, shape->name, us[0], us[1], rate[0],
        rate[1], same ? "true" : "false");
    out->first = false;
    llama_free(a.ctx);
    llama_free(b.ctx);
    llama_sampler_free(chain);
    sortes_sampler_free(s);
    free(tokens);
    return same;
}

/* Real rows, recorded from the model, through the same table as the others. */
static bool real_rows(struct bench_out *out, struct llama_model *model)
{
    const size_t n = (size_t)llama_vocab_n_tokens(llama_model_get_vocab(model));
    struct llama_context *ctx = new_context(model);
    sortes_sampler *s = bench_sortes(&bench_shapes[1], 7, sortes_kernel_name());
    struct bench_rows rows = { "real", n, 64, malloc(n * 64 * sizeof(float)) };
    llama_token token = llama_vocab_bos(llama_model_get_vocab(model));
    bool same;

    if (!rows.x)
        bench_die("rows", "no memory");
    for (size_t i = 0; i < rows.n_rows; i++) {
        sortes_row row = { rows.x + i * n, n, SORTES_F32 };
        sortes_draw draw;

        decode(ctx, &token, 1);
        memcpy(rows.x + i * n, llama_get_logits_ith(ctx, -1),
               n * sizeof(float));
        if (sortes_sampler_sample(s, &row, &draw) != SORTES_OK)
            bench_die("generate", "a row was refused");
        token = draw.token;
    }
    same = bench_table(out, &rows, "cold", sortes_kernel_name(), 192);
    rows.n_rows = 8;
    same &= bench_table(out, &rows, "hot", sortes_kernel_name(), 192);
    sortes_sampler_free(s);
    llama_free(ctx);
    free(rows.x);
    return same;
}

bool bench_generate(struct bench_out *out, const char *path, int n_tokens)
{
    struct llama_model *model;
    bool same;

    llama_backend_init();
    model = llama_model_load_from_file(path, llama_model_default_params());
    if (!model)
        bench_die("cannot load", path);
    same = real_rows(out, model);
    same &= measure(out, model, &bench_shapes[1], n_tokens);
    same &= measure(out, model, &bench_shapes[4], n_tokens);
    llama_model_free(model);
    llama_backend_free();
    return same;
}

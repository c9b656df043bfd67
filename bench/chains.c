/*
 * chains.c - the same chain in both engines, and the limit
 *
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define BENCH_X86 1
#else
#define BENCH_X86 0
#endif

const struct bench_shape bench_shapes[] = {
    { .name = "greedy",
      .temperature = 1,
      .top_p = 1,
      .repeat = 1,
      .greedy = true },
    { .name = "k40 p.95 m.05 t.8",
      .temperature = 0.8f,
      .top_p = 0.95f,
      .repeat = 1,
      .min_p = 0.05f,
      .top_k = 40 },
    { .name = "pen64 + k40 p.95 m.05 t.8",
      .temperature = 0.8f,
      .top_p = 0.95f,
      .repeat = 1.1f,
      .min_p = 0.05f,
      .top_k = 40,
      .frequency = 0.1f,
      .presence = 0.1f,
      .last_n = 64 },
    { .name = "t.8", .temperature = 0.8f, .top_p = 1, .repeat = 1 },
    { .name = "k0 p.95 m.05 t.8",
      .temperature = 0.8f,
      .top_p = 0.95f,
      .repeat = 1,
      .min_p = 0.05f },
    { .name = "k0 p.95 t.8", .temperature = 0.8f, .top_p = 0.95f, .repeat = 1 },
    { .name = "k0 m.05 t.8",
      .temperature = 0.8f,
      .top_p = 1,
      .repeat = 1,
      .min_p = 0.05f },
    { .name = "k1000 p.95 m.05 t.8",
      .temperature = 0.8f,
      .top_p = 0.95f,
      .repeat = 1,
      .min_p = 0.05f,
      .top_k = 1000 },
    { .name = "k20000 p.95 t.8",
      .temperature = 0.8f,
      .top_p = 0.95f,
      .repeat = 1,
      .top_k = 20000 },
    { .name = "pen64 + t.8",
      .temperature = 0.8f,
      .top_p = 1,
      .repeat = 1.1f,
      .frequency = 0.1f,
      .presence = 0.1f,
      .last_n = 64 },
    { .name = "pen4096 + k40 t.8",
      .temperature = 0.8f,
      .top_p = 1,
      .repeat = 1.1f,
      .frequency = 0.1f,
      .presence = 0.1f,
      .last_n = 4096,
      .top_k = 40 },
    { .name = "dry4096 + k40 t.8",
      .temperature = 0.8f,
      .top_p = 1,
      .repeat = 1,
      .dry = 0.8f,
      .last_n = 4096,
      .top_k = 40 },
    { .name = "typical.9 t.8",
      .temperature = 0.8f,
      .top_p = 1,
      .repeat = 1,
      .typical_p = 0.9f },
    { .name = "nsigma1 t.8",
      .temperature = 0.8f,
      .top_p = 1,
      .repeat = 1,
      .top_n_sigma = 1 },
    { .name = "xtc1 t.8",
      .temperature = 0.8f,
      .top_p = 1,
      .repeat = 1,
      .xtc_probability = 1 },
    { .name = "t.8 mirostat2",
      .temperature = 0.8f,
      .top_p = 1,
      .repeat = 1,
      .mirostat = 2 },
    { .name = "k40 typ.9 p.95 m.05 t.8",
      .temperature = 0.8f,
      .top_p = 0.95f,
      .repeat = 1,
      .min_p = 0.05f,
      .top_k = 40,
      .typical_p = 0.9f },
};
const size_t bench_n_shapes = sizeof(bench_shapes) / sizeof(bench_shapes[0]);

double bench_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void bench_die(const char *what, const char *text)
{
    fprintf(stderr, "sortes_bench: %s: %s\n", what, text);
    exit(1);
}

sortes_sampler *bench_sortes(const struct bench_shape *shape, uint32_t seed,
                             const char *kernels)
{
    const struct {
        const char *name;
        double value;
    } values[] = {
        { "temperature", (double)shape->temperature },
        { "top_k", shape->top_k },
        { "top_p", (double)shape->top_p },
        { "min_p", (double)shape->min_p },
        { "repeat_last_n", shape->last_n },
        { "repeat_penalty", (double)shape->repeat },
        { "frequency_penalty", (double)shape->frequency },
        { "presence_penalty", (double)shape->presence },
        { "dry_multiplier", (double)shape->dry },
        { "dry_penalty_last_n", shape->last_n },
        { "greedy", shape->greedy },
        { "typical_p", shape->typical_p > 0 ? (double)shape->typical_p : 1 },
        { "top_n_sigma", (double)shape->top_n_sigma },
        { "xtc_probability", (double)shape->xtc_probability },
        { "mirostat", shape->mirostat },
    };
    sortes_error err = { 0 };
    sortes_params *p;
    sortes_sampler *s;

    if (sortes_params_new(&p, "llama.cpp", &err) != SORTES_OK ||
        sortes_params_set_seed(p, seed, &err) != SORTES_OK)
        bench_die("params", err.text);
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        if (sortes_params_set_number(p, values[i].name, values[i].value,
                                     &err) != SORTES_OK)
            bench_die("params", err.text);
    if (sortes_params_set_text(p, "dry_sequence_breakers", "", &err) !=
        SORTES_OK) /* they would need a vocab */
        bench_die("params", err.text);
    if (sortes_sampler_new(&s, p, NULL, &err) != SORTES_OK)
        bench_die("sampler", err.text);
    if (sortes_sampler_use_kernels(s, kernels) != SORTES_OK)
        bench_die("no such kernels on this machine", kernels);
    sortes_params_free(p);
    return s;
}

struct llama_sampler *bench_llama(const struct bench_shape *shape, size_t n,
                                  uint32_t seed)
{
    struct llama_sampler_chain_params params =
        llama_sampler_chain_default_params();
    struct llama_sampler *chain;

    params.no_perf = true;
    chain = llama_sampler_chain_init(params);
    if (shape->dry > 0)
        llama_sampler_chain_add(
            chain, llama_sampler_init_dry(NULL, shape->dry, 1.75f, 2,
                                          shape->last_n, NULL, 0));
    else if (shape->last_n > 0)
        llama_sampler_chain_add(
            chain, llama_sampler_init_penalties((int32_t)n, shape->last_n,
                                                shape->repeat, shape->frequency,
                                                shape->presence));
    if (shape->mirostat == 2) {
        llama_sampler_chain_add(chain,
                                llama_sampler_init_temp(shape->temperature));
        llama_sampler_chain_add(chain,
                                llama_sampler_init_mirostat_v2(seed, 5, 0.1f));
        return chain;
    }
    if (shape->top_n_sigma > 0)
        llama_sampler_chain_add(
            chain, llama_sampler_init_top_n_sigma(shape->top_n_sigma));
    if (shape->top_k > 0)
        llama_sampler_chain_add(chain, llama_sampler_init_top_k(shape->top_k));
    if (shape->typical_p > 0)
        llama_sampler_chain_add(
            chain, llama_sampler_init_typical(shape->typical_p, 0));
    if (shape->top_p < 1)
        llama_sampler_chain_add(chain,
                                llama_sampler_init_top_p(shape->top_p, 0));
    if (shape->min_p > 0)
        llama_sampler_chain_add(chain,
                                llama_sampler_init_min_p(shape->min_p, 0));
    if (shape->xtc_probability > 0)
        llama_sampler_chain_add(
            chain,
            llama_sampler_init_xtc(shape->xtc_probability, 0.1f, 0, seed));
    if (shape->temperature != 1)
        llama_sampler_chain_add(
            chain, llama_sampler_init_temp_ext(shape->temperature, 0, 1));
    llama_sampler_chain_add(chain, shape->greedy
                                       ? llama_sampler_init_greedy()
                                       : llama_sampler_init_dist(seed));
    return chain;
}

static float max_plain(const float *x, size_t n)
{
    float max = -INFINITY;

    for (size_t i = 0; i < n; i++)
        max = x[i] > max ? x[i] : max;
    return max;
}

#if BENCH_X86

__attribute__((target("avx2"))) static float max_avx2(const float *x, size_t n)
{
    __m256 a = _mm256_set1_ps(-INFINITY), b = a, c = a, d = a;
    float lane[8];
    size_t i = 0;

    for (; i + 32 <= n; i += 32) {
        a = _mm256_max_ps(a, _mm256_loadu_ps(x + i));
        b = _mm256_max_ps(b, _mm256_loadu_ps(x + i + 8));
        c = _mm256_max_ps(c, _mm256_loadu_ps(x + i + 16));
        d = _mm256_max_ps(d, _mm256_loadu_ps(x + i + 24));
    }
    _mm256_storeu_ps(lane,
                     _mm256_max_ps(_mm256_max_ps(a, b), _mm256_max_ps(c, d)));
    return fmaxf(max_plain(lane, 8), max_plain(x + i, n - i));
}

__attribute__((target("avx512f"))) static float max_avx512(const float *x,
                                                           size_t n)
{
    __m512 a = _mm512_set1_ps(-INFINITY), b = a, c = a, d = a;
    float lane[16];
    size_t i = 0;

    for (; i + 64 <= n; i += 64) {
        a = _mm512_max_ps(a, _mm512_loadu_ps(x + i));
        b = _mm512_max_ps(b, _mm512_loadu_ps(x + i + 16));
        c = _mm512_max_ps(c, _mm512_loadu_ps(x + i + 32));
        d = _mm512_max_ps(d, _mm512_loadu_ps(x + i + 48));
    }
    _mm512_storeu_ps(lane,
                     _mm512_max_ps(_mm512_max_ps(a, b), _mm512_max_ps(c, d)));
    return fmaxf(max_plain(lane, 16), max_plain(x + i, n - i));
}

#endif

float bench_max_pass(const float *x, size_t n, const char *kernels)
{
#if BENCH_X86
    if (strcmp(kernels, "avx512") == 0)
        return max_avx512(x, n);
    if (strcmp(kernels, "avx2") == 0)
        return max_avx2(x, n);
#endif
    (void)kernels;
    return max_plain(x, n);
}

/*
 * selftest.c - does this build, on this machine, compute what it must?
 *
 * Known answers for what a compiler flag, a C library or an emulator can
 * break: the exact math, the generator, the sequential sums of every set of
 * kernels, the orders among ties, and whole draws on each set.  The answers
 * are glibc's, libstdc++'s and libllama's, recorded once.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fp_state.h"
#include "kernel/kernel.h"
#include "numeric/bits.h"
#include "numeric/numeric.h"
#include "random/mt19937.h"
#include "random/pcg32.h"
#include "random/threefry.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SELFTEST_ROW = 2048 };

struct selftest_state {
    float row[SELFTEST_ROW];
    float out[2][SELFTEST_ROW + SRT_BLOCK];
    double prefix[2][SELFTEST_ROW / SRT_BLOCK];
    struct srt_candidate candidates[SELFTEST_ROW];
    struct srt_mt19937 rng;
};

/* Not an answer that is wrong: none could be had. */
static const char selftest_no_memory[] = "no memory";

/* Eighths between -8 and 8, with many ties; a few large ones. */
static void selftest_fill(struct selftest_state *t)
{
    uint32_t x = 12345;

    for (size_t i = 0; i < SELFTEST_ROW; i++) {
        x = x * 1664525u + 1013904223u;
        t->row[i] = (float)(int)(x >> 25) / 8.0f - 8.0f;
        if (x % 97 == 0)
            t->row[i] += 6.0f;
    }
}

static const char *selftest_math(void)
{
    const bool good =
        srt_bits32(srt_expf(0x1.04845ep+5f)) == 0x56fc9f1cu &&
        srt_bits32(srt_expf(srt_float32(0xc27c65d9u))) == 0x11fa2993u &&
        srt_bits32(srt_expf(-90.0f)) == 0x0008ec28u && /* subnormal */
        srt_bits32(srt_logf(0.05f)) == 0xc03fba14u &&
        srt_bits32(srt_log2f(0.3f)) == 0xbfde54e3u &&
        srt_powf(0x1.f249ecp-1f, 0x1.35e72p+11f) == 0x1.e0c5ccp-98f &&
        srt_bits64(srt_exp(-1.5)) == 0x3fcc8f87724b5c1du &&
        srt_bits64(srt_log(0.05)) == 0xc007f7427b73e391u &&
        srt_bits64(srt_pow(1.75, 7.0)) == 0x404921ee00000000u &&
        srt_bits32(srt_mlx_exp(10.0f)) == 0x46ac14efu &&
        srt_bits32(srt_mlx_exp(-87.5f)) == 0x006cb2b8u && /* subnormal */
        srt_mlx_exp_half_way(0x1.000002p-12f, 0x1.fffffcp-13f,
                             0x1.000002p+0f) == 0x1.000002p+0f;

    return good ? NULL : "exact math";
}

static const char *selftest_random(struct selftest_state *t)
{
    uint64_t position = 0;
    struct srt_pcg32 pcg;

    srt_mt19937_seed(&t->rng, 5489);
    if (srt_mt19937_word(&t->rng, 9999) != 4123659995u)
        return "mt19937";
    srt_mt19937_seed(&t->rng, 42);
    if (srt_mt19937_double(&t->rng, &position) != 0x1.97d47b66bfc3cp-1)
        return "mt19937's doubles";
    if (srt_threefry_bits(srt_threefry_seed(0), 5, 2) != 0x64a626ecu)
        return "threefry";
    srt_pcg32_seed(&pcg, 42);
    if (srt_pcg32_word(&pcg) != 0x637fb995u ||
        srt_pcg32_float(&pcg) != 0x1.c45e24p-2f)
        return "pcg32";
    return NULL;
}

static uint64_t selftest_hash(const struct srt_candidate *c, size_t n)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a over the ids */

    for (size_t i = 0; i < n; i++)
        h = (h ^ (uint64_t)(uint32_t)c[i].id) * 0x100000001b3u;
    return h;
}

static const char *selftest_order(struct selftest_state *t)
{
    for (size_t i = 0; i < SELFTEST_ROW; i++)
        t->candidates[i] =
            (struct srt_candidate){ (int32_t)i, t->row[i], 0.0f };
    srt_partial_sort(t->candidates, 40, 1000);
    if (selftest_hash(t->candidates, 1000) != 0x91c3a17327f41e1bu)
        return "std::partial_sort's order";
    srt_sort(t->candidates, SELFTEST_ROW);
    if (selftest_hash(t->candidates, SELFTEST_ROW) != 0x5d1f97f7126e6a41u)
        return "std::sort's order";
    return NULL;
}

/* The sums and maxima of one set against one value after another. */
static const char *selftest_kernels(struct selftest_state *t,
                                    const struct srt_kernels *k)
{
    const struct srt_kernels *set[2] = { srt_kernels_at(0), k };
    float sum[2];
    double total[2];

    for (int i = 0; i < 2; i++) {
        const struct srt_row_kernels *row = &set[i]->row[SORTES_F32];
        struct srt_softmax_sum softmax = { .max = 14.0f };
        struct srt_draw_sum draw = { 0.0, t->prefix[i], 0.8f, 17.5f, INFINITY };

        memset(t->out[i], 0, sizeof(t->out[i]));
        if (!row->block_max(t->row, SELFTEST_ROW, t->out[i]))
            return "a kernel's finite check";
        row->softmax_sum(&softmax, t->row, SELFTEST_ROW);
        sum[i] = srt_softmax_sum_finish(&softmax);
        row->draw_sum(&draw, t->row, SELFTEST_ROW);
        total[i] = draw.sum;
        set[i]->exp(t->row, t->out[i] + SRT_BLOCK, SELFTEST_ROW, 14.0f);
        set[i]->multiply(t->out[i] + SRT_BLOCK, SELFTEST_ROW, 0.7f);
    }
    if (srt_bits32(sum[0]) != srt_bits32(sum[1]) ||
        srt_bits64(total[0]) != srt_bits64(total[1]) ||
        memcmp(t->prefix[0], t->prefix[1], sizeof(t->prefix[0])) != 0)
        return "a kernel's sums";
    if (memcmp(t->out[0], t->out[1],
               (SRT_BLOCK + SELFTEST_ROW) * sizeof(float)) != 0)
        return "a kernel's expf or products";
    return NULL;
}

/* MLX's sum and what its tail adds, by one set and by the reference. */
static const char *selftest_mlx(const struct selftest_state *t,
                                const struct srt_kernels *k)
{
    const struct srt_kernels *set[2] = { srt_kernels_at(0), k };
    struct srt_mlx_sum sum[2];
    struct srt_mlx_tail tail[2];

    for (int i = 0; i < 2; i++) {
        const struct srt_row_kernels *row = &set[i]->row[SORTES_F32];

        sum[i] =
            (struct srt_mlx_sum){ .term = { 20.0f, 1.4296875f, -8.5625f, true },
                                  .lowest = INFINITY };
        tail[i] = (struct srt_mlx_tail){ .minus = 20.0f,
                                         .below = 12.0f,
                                         .binade = 0.5f };
        row->mlx_sum(&sum[i], t->row, SELFTEST_ROW);
        row->mlx_tail(&tail[i], t->row, SELFTEST_ROW);
    }
    if (srt_bits32(sum[0].sum) != srt_bits32(sum[1].sum) ||
        srt_bits64(tail[0].mass) != srt_bits64(tail[1].mass) ||
        tail[0].n_ties != tail[1].n_ties)
        return "a kernel's sums in MLX's arithmetic";
    return NULL;
}

/* Eight draws of libllama's: top_k 100, top_p .99, temperature 3, seed 42. */
static const char *selftest_draws(const struct selftest_state *t,
                                  sortes_sampler *s)
{
    static const int32_t want[8] = {
        1497, 920, 922, 567, 1533, 1033, 1146, 1199
    };
    const sortes_row row = { t->row, SELFTEST_ROW, SORTES_F32 };

    for (size_t i = 0; i < SRT_COUNT(want); i++) {
        sortes_draw draw;
        const sortes_status status = sortes_sampler_sample(s, &row, &draw);

        if (status == SORTES_E_NOMEM)
            return selftest_no_memory;
        if (status != SORTES_OK || draw.token != want[i])
            return "a draw";
    }
    return NULL;
}

static const char *selftest_sampler(const struct selftest_state *t,
                                    const char *kernels)
{
    sortes_params *p = NULL;
    sortes_sampler *s = NULL;
    const char *bad = "making a sampler";
    sortes_status status = sortes_params_new(&p, "llama.cpp", NULL);

    if (status == SORTES_OK &&
        sortes_params_set_seed(p, 42, NULL) == SORTES_OK &&
        sortes_params_set_integer(p, "top_k", 100, NULL) == SORTES_OK &&
        sortes_params_set_number(p, "top_p", 0.99, NULL) == SORTES_OK &&
        sortes_params_set_number(p, "min_p", 0, NULL) == SORTES_OK &&
        sortes_params_set_number(p, "temperature", 3, NULL) == SORTES_OK)
        status = sortes_sampler_new(&s, p, NULL, NULL);
    if (status == SORTES_E_NOMEM)
        bad = selftest_no_memory;
    if (s && sortes_sampler_use_kernels(s, kernels) == SORTES_OK)
        bad = selftest_draws(t, s);
    sortes_sampler_free(s);
    sortes_params_free(p);
    return bad;
}

static const char *selftest_run(struct selftest_state *t)
{
    const struct srt_kernels *k;
    const char *bad = selftest_math();

    selftest_fill(t);
    if (!bad)
        bad = selftest_random(t);
    if (!bad)
        bad = selftest_order(t);
    for (size_t i = 0; !bad && (k = srt_kernels_at(i)) != NULL; i++) {
        bad = selftest_kernels(t, k);
        if (!bad)
            bad = selftest_mlx(t, k);
        if (!bad)
            bad = selftest_sampler(t, k->name);
    }
    return bad;
}

sortes_status sortes_selftest(sortes_error *err)
{
    struct selftest_state *t = malloc(sizeof(*t));
    struct srt_fp_state fp;
    const char *bad;

    if (!t)
        return srt_fail(err, SORTES_E_NOMEM, 0, "selftest: no memory");
    fp = srt_fp_begin();
    bad = selftest_run(t);
    srt_fp_end(fp);
    free(t);
    if (bad == selftest_no_memory)
        return srt_fail(err, SORTES_E_NOMEM, 0, "selftest: %s", bad);
    if (bad)
        return srt_fail(err, SORTES_E_SELFTEST, 0,
                        "selftest: %s came out wrong on this machine", bad);
    return srt_ok(err);
}

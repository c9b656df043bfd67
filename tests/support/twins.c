/*
 * twins.c - two samplers of one setting, on the plans and on the reference
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/twins.h"

#include "dialect/llamacpp/chain.h"
#include "support/stages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

static float x[TWINS_LONGEST];
static uint16_t narrow[TWINS_LONGEST];

struct twins twins_of(const char *settings, size_t n, enum rows_kind kind,
                      uint64_t seed)
{
    return (struct twins){ .settings = settings,
                           .n = n,
                           .kind = kind,
                           .type = (sortes_dtype)(seed % 3),
                           .seed = seed };
}

static const struct srt_dialect *dialect(void)
{
    return srt_dialect_find("llama.cpp");
}

static sortes_row row_of(const struct twins *t, int draw)
{
    rows_fill(x, t->n, t->kind, t->seed + (uint64_t)draw);
    for (size_t i = 0; t->scale != 0.0f && i < t->n; i++)
        x[i] *= t->scale;
    return rows_as(x, narrow, t->n, t->type);
}

static struct srt_llamacpp *twin(const struct twins *t)
{
    sortes_params *p = stages_params(t->settings);
    struct rows_random r = { t->seed ^ 0x7415 };
    void *chain;

    assert_int_equal(sortes_params_set_seed(p, t->seed % 1000, NULL),
                     SORTES_OK);
    assert_int_equal(dialect()->chain_new(&chain, p, t->vocab, NULL),
                     SORTES_OK);
    sortes_params_free(p);
    for (size_t i = 0; i < t->n_history; i++) {
        const int32_t token =
            (int32_t)rows_below(&r, t->kinds > 0 ? t->kinds : t->n);

        assert_int_equal(dialect()->accept(chain, &token, 1, SORTES_PROMPT),
                         SORTES_OK);
    }
    return chain;
}

static void compare(const struct twins *t, const char *kernels, int draw,
                    struct srt_llamacpp *plan, struct srt_llamacpp *reference)
{
    const sortes_row row = row_of(t, draw);
    sortes_draw a = { .token = -9 }, b = { .token = -9 };
    const sortes_status sa = dialect()->sample(plan, &row, &a);
    const sortes_status sb = dialect()->sample(reference, &row, &b);

    if (sa != sb || memcmp(&a, &b, sizeof(a)) != 0)
        fail_msg("%s, row of %zu %s, type %d, seed %llu + %d, scale %g, %s: "
                 "plan %s, token %d of %llu, margin %a; reference %s, token "
                 "%d of %llu, margin %a",
                 t->settings, t->n, rows_kind_name(t->kind), (int)t->type,
                 (unsigned long long)t->seed, draw, (double)t->scale, kernels,
                 sortes_status_name(sa), a.token,
                 (unsigned long long)a.n_candidates, a.margin,
                 sortes_status_name(sb), b.token,
                 (unsigned long long)b.n_candidates, b.margin);
    assert_memory_equal(plan->state.position, reference->state.position,
                        sizeof(plan->state.position));
    assert_memory_equal(&plan->state.mu, &reference->state.mu, sizeof(float));
    if (sa == SORTES_E_NO_TOKEN || sa == SORTES_E_NOT_FINITE)
        return;
    assert_int_equal(sa, SORTES_OK);
    stages_chain_accept(plan, &a.token, 1);
    stages_chain_accept(reference, &b.token, 1);
}

static void compare_on(const struct twins *t, const struct srt_kernels *k,
                       bool zero)
{
    struct srt_llamacpp *plan = twin(t), *reference = twin(t);

    dialect()->use_kernels(plan, k);
    dialect()->use_reference(reference, true);
    for (size_t g = 0; zero && g < plan->n_generators; g++) {
        memset(plan->rng[g].x, 0, sizeof(plan->rng[g].x));
        memset(reference->rng[g].x, 0, sizeof(reference->rng[g].x));
    }
    for (int i = 0; i < (t->n_draws > 0 ? t->n_draws : 3); i++)
        compare(t, k->name, i, plan, reference);
    dialect()->chain_free(plan);
    dialect()->chain_free(reference);
}

void twins_compare(const struct twins *t)
{
    for (size_t i = 0; srt_kernels_at(i); i++)
        compare_on(t, srt_kernels_at(i), false);
}

void twins_compare_zero(const struct twins *t)
{
    for (size_t i = 0; srt_kernels_at(i); i++)
        compare_on(t, srt_kernels_at(i), true);
}

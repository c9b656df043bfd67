/*
 * mlxlm.h - samplers of the mlx-lm dialect on a few logits, for tests
 *
 * What goes wrong fails the test at once.  Samplers live until
 * mlxlm_teardown(), which is made for cmocka_unit_test_teardown().
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_MLXLM_H
#define TESTS_MLXLM_H

#include "support/rows.h"

enum { MLXLM_MOST = 64, MLXLM_STAGES = 16 };

/* Logits in place, as pointer and length. */
#define MLXLM_ROW(...)                                                         \
    (const float[]){ __VA_ARGS__ },                                            \
        sizeof((const float[]){ __VA_ARGS__ }) / sizeof(float)

/* request: mlx-lm's own names, as JSON. */
sortes_sampler *mlxlm_sampler(const char *request);
int mlxlm_teardown(void **state);

/* No sampler is made of it, and this is why. */
void mlxlm_check_refused(const char *request, sortes_status status,
                         const char *text);

/* A row of n floats as it lies in a type's memory, until the next one. */
sortes_row mlxlm_row(const float *x, size_t n, sortes_dtype type);

sortes_draw mlxlm_draw(sortes_sampler *s, const float *x, size_t n,
                       sortes_dtype type);
sortes_status mlxlm_draw_status(sortes_sampler *s, const float *x, size_t n,
                                sortes_dtype type);
void mlxlm_accept(sortes_sampler *s, sortes_origin origin, size_t n,
                  const int32_t *tokens);

/* What a stage left; as sortes_stage_view, but it stays. */
struct mlxlm_stage {
    char name[32];
    size_t n;
    float logit[MLXLM_MOST], p[MLXLM_MOST];
    int64_t selected;
};

struct mlxlm_run {
    struct mlxlm_stage stages[MLXLM_STAGES];
    size_t n;
};

/* The next step, looked at. */
const struct mlxlm_run *mlxlm_explain(sortes_sampler *s, const float *x,
                                      size_t n, sortes_dtype type);

/* What the named stage of such a step leaves, checked: bit for bit. */
void mlxlm_check_stage(const struct mlxlm_run *run, const char *name,
                       const float *logit, size_t n);

/* Which tokens are above -inf after it, bit t for token t. */
uint64_t mlxlm_kept(const struct mlxlm_run *run, const char *name);

/*
 * Draws from the same rows by the literal stages and by the plans on every
 * instruction set, and accepts the tokens; statuses and whole draws must be
 * equal, byte for byte.
 */
struct mlxlm_twins {
    const char *request;
    size_t n;
    enum rows_kind kind;
    sortes_dtype type;
    uint64_t seed;
    float scale; /* the logits are multiplied by this; 0: not */
    int n_draws; /* 0: three */
};
void mlxlm_twins_compare(const struct mlxlm_twins *t);

#endif /* TESTS_MLXLM_H */

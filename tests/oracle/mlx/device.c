/*
 * device.c - live: rows that lie with MLX, and how often one comes here
 *
 *   device PLUGIN
 *
 * Every draw beside a sampler of the same seed on rows in host memory; greedy
 * and greedy under a mask must move no row, anything else one.
 *
 * SPDX-License-Identifier: MIT
 */
#include "sortes_mlx.h"
#include "support/requests.h"
#include "support/rows.h"
#include "support/rule.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { N = 3000, STEPS = 60 };

static const char *plugin;
static sortes_mlx mlx;
static float x[N];
static uint16_t narrow[N];

static sortes_sampler *sampler(const char *dialect, const char *request,
                               bool there)
{
    sortes_params *p = requests_fresh_of(dialect);
    sortes_sampler *s;
    sortes_error err;

    if (requests_read(p, dialect, request, &err) != SORTES_OK ||
        sortes_sampler_new(&s, p, NULL, &err) != SORTES_OK)
        fail_msg("%s: %s", request, err.text);
    sortes_params_free(p);
    if (there)
        assert_int_equal(sortes_sampler_set_device(s, &mlx.device), SORTES_OK);
    return s;
}

static void *to_mlx(const sortes_row *here, sortes_row *there)
{
    void *array;

    assert_int_equal(mlx.array_new(&array, here->data, here->n, here->type),
                     SORTES_OK);
    *there = (sortes_row){ array, here->n, here->type };
    return array;
}

/* All kinds of rows, both types; how many rows were moved per step. */
static void compare(const char *dialect, const char *request, uint64_t allowed,
                    uint64_t moved)
{
    sortes_sampler *a = sampler(dialect, request, true);
    sortes_sampler *b = sampler(dialect, request, false);
    const sortes_constraint ca = rule_constraint(rule_of(allowed));
    const sortes_constraint cb = rule_constraint(rule_of(allowed));
    const uint64_t before = mlx.n_transfers();

    if (allowed) {
        assert_int_equal(sortes_sampler_set_constraint(a, &ca), SORTES_OK);
        assert_int_equal(sortes_sampler_set_constraint(b, &cb), SORTES_OK);
    }
    for (uint64_t i = 0; i < STEPS; i++) {
        sortes_draw da = { .token = -1 }, db = { .token = -1 };
        float la = 0, lb = 0;
        sortes_row there;

        rows_fill(x, N, (enum rows_kind)(i % ROWS_N_KINDS), i);
        const sortes_row here = rows_as(
            x, narrow, N, i / ROWS_N_KINDS % 2 ? SORTES_BF16 : SORTES_F32);
        void *array = to_mlx(&here, &there);
        const sortes_status sa = sortes_sampler_sample(a, &there, &da);

        assert_int_equal(sortes_sampler_sample(b, &here, &db), sa);
        assert_memory_equal(&da, &db, sizeof(da));
        if (sa == SORTES_OK && moved > 0) { /* the same copy serves */
            assert_int_equal(sortes_sampler_logprobs(a, &there,
                                                     SORTES_LOGPROBS_RAW,
                                                     da.token, NULL, 0, &la),
                             SORTES_OK);
            assert_int_equal(sortes_sampler_logprobs(b, &here,
                                                     SORTES_LOGPROBS_RAW,
                                                     db.token, NULL, 0, &lb),
                             SORTES_OK);
            assert_memory_equal(&la, &lb, sizeof(la));
        }
        assert_int_equal(sortes_sampler_rollback(a, 0), SORTES_OK);
        assert_int_equal(sortes_sampler_rollback(b, 0), SORTES_OK);
        mlx.array_free(array);
    }
    assert_int_equal(mlx.n_transfers() - before, moved * STEPS);
    sortes_sampler_free(a);
    sortes_sampler_free(b);
}

static void greedy_moves_0_rows(void **state)
{
    (void)state;
    compare("mlx-lm", "{}", 0, 0);
    compare("rmlx", "{\"temperature\":0}", 0, 0);
}

static void greedy_under_a_mask_moves_0_rows(void **state)
{
    (void)state;
    compare("mlx-lm", "{}", 0xa5a5a5a5a5a5a5a5u, 0);
    compare("rmlx", "{\"temperature\":0}", 0xa5a5a5a5a5a5a5a5u, 0);
}

static sortes_status greedy_status(const char *dialect, uint64_t allowed)
{
    sortes_sampler *s = sampler(dialect, "{\"temperature\":0}", true);
    const sortes_constraint c = rule_constraint(rule_of(allowed));
    const sortes_row here = { x, N, SORTES_F32 };
    sortes_row there;
    void *array = to_mlx(&here, &there);
    sortes_draw d;

    if (allowed)
        assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
    const sortes_status status = sortes_sampler_sample(s, &there, &d);

    sortes_sampler_free(s);
    mlx.array_free(array);
    return status;
}

/* A forbidden NaN neither wins nor passes unseen. */
static void nan_and_nothing_left_are_refused(void **state)
{
    (void)state;
    rows_fill(x, N, ROWS_ORDINARY, 3);
    assert_int_equal(greedy_status("mlx-lm", 6), SORTES_OK);
    x[2000] = NAN;
    assert_int_equal(greedy_status("mlx-lm", 0), SORTES_E_NOT_FINITE);
    assert_int_equal(greedy_status("mlx-lm", 6), SORTES_E_NOT_FINITE);
    assert_int_equal(greedy_status("rmlx", 6), SORTES_E_NOT_FINITE);
    x[2000] = INFINITY;
    assert_int_equal(greedy_status("rmlx", 0), SORTES_E_NOT_FINITE);
    x[2000] = 0;
    x[1] = x[2] = -INFINITY;
    assert_int_equal(greedy_status("mlx-lm", 6), SORTES_E_NO_TOKEN);
    assert_int_equal(greedy_status("rmlx", 6), SORTES_E_NO_TOKEN);
}

static void any_other_step_moves_1(void **state)
{
    (void)state;
    compare("mlx-lm", "{\"temperature\":0.8,\"seed\":3,\"top_p\":0.9}", 0, 1);
    compare("mlx-lm", "{\"temperature\":0.8,\"seed\":3}", 0xa5a5a5a5u, 1);
    compare("mlx-lm", "{\"logit_bias\":{\"3\":1}}", 0, 1);
    compare("rmlx", "{\"temperature\":0.8,\"seed\":3,\"top_p\":0.9}", 0, 1);
}

/* What MLX throws stays behind the border. */
static void a_row_that_is_none_is_a_status(void **state)
{
    sortes_sampler *greedy = sampler("mlx-lm", "{}", true);
    sortes_sampler *warm = sampler("mlx-lm", "{\"temp\":1}", true);
    const sortes_row here = { x, N, SORTES_F32 };
    sortes_row there;
    void *array = to_mlx(&here, &there), *none;
    sortes_draw d;

    (void)state;
    there.n = N - 1;
    assert_int_equal(sortes_sampler_sample(greedy, &there, &d),
                     SORTES_E_ARGUMENT);
    assert_int_equal(sortes_sampler_sample(warm, &there, &d),
                     SORTES_E_ARGUMENT);
    there.n = N;
    there.type = SORTES_BF16;
    assert_int_equal(sortes_sampler_sample(warm, &there, &d),
                     SORTES_E_ARGUMENT);
    assert_int_equal(mlx.array_new(&none, x, N, SORTES_F16), SORTES_E_ARGUMENT);
    assert_null(none);
    mlx.array_free(array);
    sortes_sampler_free(greedy);
    sortes_sampler_free(warm);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(greedy_moves_0_rows),
        cmocka_unit_test(greedy_under_a_mask_moves_0_rows),
        cmocka_unit_test(nan_and_nothing_left_are_refused),
        cmocka_unit_test(any_other_step_moves_1),
        cmocka_unit_test(a_row_that_is_none_is_a_status),
    };
    sortes_error err;

    plugin = argc > 1 ? argv[1] : "";
    if (sortes_mlx_load(&mlx, plugin, &err) != SORTES_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    printf("mlx %s\n", mlx.version);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

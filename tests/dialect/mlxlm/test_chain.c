/*
 * test_chain.c - the life of an mlx-lm sampler
 *
 * SPDX-License-Identifier: MIT
 */
#include "dialect/mlxlm/chain.h"
#include "support/mlxlm.h"
#include "support/requests.h"
#include "support/rule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

enum { N = 32, STEPS = 24 };

#define BUSY                                                                   \
    "{\"temp\":1.5,\"seed\":5,\"repetition_penalty\":1.3,"                     \
    "\"presence_penalty\":0.5,\"presence_context_size\":3,"                    \
    "\"frequency_penalty\":0.2,\"frequency_context_size\":0}"

static float row[N];

static int32_t step(sortes_sampler *s)
{
    const sortes_draw d = mlxlm_draw(s, row, N, SORTES_F32);

    mlxlm_accept(s, SORTES_GENERATED, 1, &d.token);
    return d.token;
}

static void a_seed_names_a_sequence(void **state)
{
    sortes_sampler *a = mlxlm_sampler(BUSY), *b = mlxlm_sampler(BUSY);
    sortes_sampler *other = mlxlm_sampler("{\"temp\":1.5,\"seed\":6}");
    int differs = 0;

    (void)state;
    assert_int_equal(sortes_sampler_seed(a), 5);
    for (int i = 0; i < STEPS; i++) {
        const int32_t token = step(a);

        assert_int_equal(step(b), token);
        differs += step(other) != token;
    }
    assert_true(differs > 0);
}

static void without_a_seed_it_is_random(void **state)
{
    sortes_sampler *a = mlxlm_sampler("{\"temp\":1}");
    const uint64_t first = sortes_sampler_seed(a);

    (void)state;
    assert_true(first != sortes_sampler_seed(mlxlm_sampler("{\"temp\":1}")));
    assert_int_equal(sortes_sampler_reset(a), SORTES_OK);
    assert_true(first != sortes_sampler_seed(a));
    /* 0 is a seed like any other */
    assert_int_equal(sortes_sampler_seed(mlxlm_sampler("{\"seed\":0}")), 0);
}

static void seeds_have_64_bits(void **state)
{
    sortes_params *p = requests_fresh_of("mlx-lm");
    sortes_sampler *s;

    (void)state;
    assert_int_equal(sortes_params_set_seed(p, UINT64_MAX, NULL), SORTES_OK);
    assert_int_equal(sortes_sampler_new(&s, p, NULL, NULL), SORTES_OK);
    assert_true(sortes_sampler_seed(s) == UINT64_MAX);
    sortes_sampler_free(s);
    sortes_params_free(p);
    assert_true(sortes_sampler_seed(mlxlm_sampler(
                    "{\"seed\":18446744073709551614}")) == UINT64_MAX - 1);
}

static void reset_begins_again(void **state)
{
    sortes_sampler *s = mlxlm_sampler(BUSY);
    int32_t tokens[STEPS];

    (void)state;
    for (int i = 0; i < STEPS; i++)
        tokens[i] = step(s);
    assert_int_equal(sortes_sampler_reset(s), SORTES_OK);
    for (int i = 0; i < STEPS; i++)
        assert_int_equal(step(s), tokens[i]);
}

static void clone_goes_on_alike(void **state)
{
    sortes_sampler *s = mlxlm_sampler(BUSY), *copy;

    (void)state;
    for (int i = 0; i < STEPS; i++)
        (void)step(s);
    assert_int_equal(sortes_sampler_clone(&copy, s), SORTES_OK);
    for (int i = 0; i < STEPS; i++)
        assert_int_equal(step(copy), step(s));
    assert_int_equal(sortes_sampler_rollback(copy, 40), SORTES_OK);
    assert_int_equal(sortes_sampler_rollback(s, 40), SORTES_OK);
    for (int i = 0; i < STEPS; i++)
        assert_int_equal(step(copy), step(s));
    sortes_sampler_free(copy);
}

static void rollback_goes_back_to_where_it_was(void **state)
{
    sortes_sampler *s = mlxlm_sampler(BUSY);
    int32_t tokens[STEPS];

    (void)state;
    mlxlm_accept(s, SORTES_PROMPT, 3, (const int32_t[]){ 1, 2, 2 });
    for (int i = 0; i < STEPS; i++)
        tokens[i] = step(s);
    for (size_t back = 0; back <= STEPS; back++) {
        (void)mlxlm_draw(s, row, N, SORTES_F32); /* never accepted */
        assert_int_equal(sortes_sampler_rollback(s, back), SORTES_OK);
        for (size_t i = STEPS - back; i < STEPS; i++)
            assert_int_equal(step(s), tokens[i]);
    }
    assert_int_equal(sortes_sampler_rollback(s, 65), SORTES_E_LIMIT);
}

static void rollback_reaches_64_tokens(void **state)
{
    sortes_sampler *s = mlxlm_sampler(BUSY);
    int32_t tokens[80];

    (void)state;
    for (int i = 0; i < 80; i++)
        tokens[i] = step(s);
    assert_int_equal(sortes_sampler_rollback(s, 64), SORTES_OK);
    for (int i = 16; i < 80; i++)
        assert_int_equal(step(s), tokens[i]);
}

static void rollback_takes_the_constraint_along(void **state)
{
    sortes_sampler *s = mlxlm_sampler(BUSY);
    struct rule *const rule = rule_of(~(uint64_t)0);
    const sortes_constraint c = rule_constraint(rule);

    (void)state;
    (void)step(s);
    assert_int_equal(sortes_sampler_set_constraint(s, &c), SORTES_OK);
    assert_int_equal(sortes_sampler_rollback(s, 1), SORTES_E_LIMIT);
    mlxlm_accept(s, SORTES_PROMPT, 1, &(const int32_t){ 1 });
    mlxlm_accept(s, SORTES_FORCED, 1, &(const int32_t){ 2 });
    (void)step(s);
    assert_int_equal(rule->n_taken, 2); /* the prompt is not told */
    assert_int_equal(sortes_sampler_rollback(s, 3), SORTES_OK);
    assert_int_equal(rule->n_taken, 0);
    assert_int_equal(sortes_sampler_prefill(s, (const int32_t[]){ 3, 4 }, 2),
                     SORTES_OK);
    assert_int_equal(rule->n_taken, 2);
    assert_int_equal(sortes_sampler_rollback(s, 1), SORTES_E_LIMIT);
    assert_int_equal(sortes_sampler_reset(s), SORTES_OK);
    assert_int_equal(rule->n_resets, 1);
}

static void a_refused_token_changes_nothing(void **state)
{
    sortes_sampler *a = mlxlm_sampler(BUSY), *b = mlxlm_sampler(BUSY);
    struct rule *const rule = rule_of(~(uint64_t)0);
    const sortes_constraint c = rule_constraint(rule);

    (void)state;
    rule->advance_refuses = 7;
    assert_int_equal(sortes_sampler_set_constraint(a, &c), SORTES_OK);
    assert_int_not_equal(sortes_sampler_accept(a, (const int32_t[]){ 3, 7 }, 2,
                                               SORTES_GENERATED),
                         SORTES_OK);
    assert_int_equal(rule->n_taken, 0);
    rule->advance_refuses = -1;
    for (int i = 0; i < STEPS; i++)
        assert_int_equal(step(a), step(b));
}

static void reasoning_is_not_counted_here(void **state)
{
    (void)state;
    assert_int_equal(sortes_sampler_end_reasoning(mlxlm_sampler("{}")),
                     SORTES_E_ARGUMENT);
}

static void identity_names_engine_and_platform(void **state)
{
    const char *identity = sortes_dialect_identity("mlx-lm");

    (void)state;
    assert_non_null(identity);
    assert_non_null(strstr(identity, "mlx-lm/0.32"));
    assert_non_null(strstr(identity, "Linux CPU"));
}

#define WITH_TEARDOWN(test) cmocka_unit_test_teardown(test, mlxlm_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TEARDOWN(a_seed_names_a_sequence),
        WITH_TEARDOWN(without_a_seed_it_is_random),
        WITH_TEARDOWN(seeds_have_64_bits),
        WITH_TEARDOWN(reset_begins_again),
        WITH_TEARDOWN(clone_goes_on_alike),
        WITH_TEARDOWN(rollback_goes_back_to_where_it_was),
        WITH_TEARDOWN(rollback_reaches_64_tokens),
        WITH_TEARDOWN(rollback_takes_the_constraint_along),
        WITH_TEARDOWN(a_refused_token_changes_nothing),
        WITH_TEARDOWN(reasoning_is_not_counted_here),
        WITH_TEARDOWN(identity_names_engine_and_platform),
    };

    for (int i = 0; i < N; i++)
        row[i] = (float)(i * 5 % 7) / 4;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
